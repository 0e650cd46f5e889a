"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.node import *

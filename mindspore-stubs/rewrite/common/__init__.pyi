"""Made by `python -m msjax stubs`: do not edit."""
from . import namespace as namespace
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.settings import *
from msjax.rewrite.common import *

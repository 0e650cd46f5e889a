"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.settings import *
from msjax.rewrite.parsers.class_def_parser import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import assign_parser as assign_parser
from . import class_def_parser as class_def_parser
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.settings import *
from msjax.rewrite.parsers import *

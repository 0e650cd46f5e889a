"""Made by `python -m msjax stubs`: do not edit."""
from . import symbol_tree_builder as symbol_tree_builder
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.symbol_tree import *

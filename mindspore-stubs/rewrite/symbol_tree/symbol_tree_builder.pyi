"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.settings import *
from msjax.rewrite.symbol_tree.symbol_tree_builder import *

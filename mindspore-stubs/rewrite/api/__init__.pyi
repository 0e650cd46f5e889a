"""Made by `python -m msjax stubs`: do not edit."""
from . import node as node
from . import node_type as node_type
from . import pattern_engine as pattern_engine
from . import scoped_value as scoped_value
from . import symbol_tree as symbol_tree
from msjax import *
from msjax.rewrite import *
from msjax.rewrite.api import *

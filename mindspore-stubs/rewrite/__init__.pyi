"""Made by `python -m msjax stubs`: do not edit."""
from msjax.rewrite import *
from msjax import Node as Node
from msjax import NodeType as NodeType
from msjax.rewrite.pattern import PatternEngine as PatternEngine
from msjax.rewrite.pattern import PatternNode as PatternNode
from msjax.rewrite.pattern import Replacement as Replacement
from msjax import ScopedValue as ScopedValue
from msjax import SymbolTree as SymbolTree
from msjax import ValueType as ValueType
from msjax.rewrite.pattern import VarNode as VarNode
from . import api as api
from . import common as common
from . import node as node
from . import parsers as parsers
from . import symbol_tree as symbol_tree

"""`mindspore.rewrite`: read the source of a network as nodes, insert, erase and replace them, and get the changed network."""

from ..alias.names import MissingNames
from .node import Node
from .pattern import PatternEngine, PatternNode, Replacement, VarNode
from .symbol_tree import SymbolTree
from .values import NodeType, ScopedValue, ValueType

__all__ = ["Node", "NodeType", "ScopedValue", "SymbolTree", "ValueType"]
__getattr__ = MissingNames(__name__)

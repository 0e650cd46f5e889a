"""`mindspore.rewrite`: MindSpore's tool that edits the source of a network. Networks are ordinary Python objects here,
whose Cells can be exchanged in place, so the tool refuses and says how.
"""

import enum

from ..alias.names import MissingNames

__all__ = ["Node", "NodeType", "ScopedValue", "SymbolTree", "ValueType"]
__getattr__ = MissingNames(__name__)


def _refuse(name):
    raise RuntimeError(
        f"'{name}' edits the source of a network, which msjax runs as it is. Exchange the layers of the network itself "
        "instead: `for name, cell in net.cells_and_names(): …; parent.insert_child_to_cell(name, new_cell)`, or "
        "subclass it and override `construct`."
    )


class _Namespace:
    """`rewrite.common.namespace`: the lists of Cells that MindSpore's tool looks into, or does not."""

    _subtree_black_list: list = []
    _ms_cells: list = []


class _Inner:
    """`rewrite.common`, `rewrite.symbol_tree`, ...: the folders of MindSpore's tool."""

    namespace = _Namespace
    symbol_tree_builder = symbol_tree = parsers = _Namespace


common = symbol_tree = symbol_tree_builder = parsers = namespace = _Inner


class PatternEngine:
    """RuntimeError when it is applied: it edits the source of a network. It can be subclassed."""

    def __init__(self, pattern=None, replacement=None):
        self._pattern, self._replacement = pattern, replacement

    def apply(self, stree):
        """RuntimeError."""
        _refuse("PatternEngine")


class PatternNode:
    """A node of the pattern of a PatternEngine."""

    def __init__(self, pattern_node_name="", match_type=None, inputs=None):
        self._name, self._type, self._inputs = pattern_node_name, match_type, inputs or []


class VarNode(PatternNode):
    """A node of a pattern that stands for anything."""

    def __init__(self):
        super().__init__("placeholder")


class Replacement:
    """What a PatternEngine puts in the place of what it found: subclasses override `build`."""

    def build(self, pattern, is_chain_pattern, matched):
        """The new nodes."""
        raise NotImplementedError("Override 'build' of Replacement.")


class NodeType(enum.Enum):
    """Kinds of statements in the source of a network."""

    Unknown, CallCell, CallPrimitive, CallFunction = "Unknown", "CallCell", "CallPrimitive", "CallFunction"
    CallMethod, Python, Input, Output = "CallMethod", "Python", "Input", "Output"
    Tree, CellContainer, MathOps, ControlFlow = "Tree", "CellContainer", "MathOps", "ControlFlow"


class ValueType(enum.Enum):
    """Kinds of values in the source of a network."""

    NamingValue, ConstantValue, UnsupportedValue = 0, 1, 2


class ScopedValue:
    """A variable (with its scope) or a constant in the source of a network.

    Args:
        arg_type: ValueType. scope: "self" or "". value: the name or the constant.

    Example:
        >>> ScopedValue.create_naming_value("conv", "self")
    """

    def __init__(self, arg_type, scope="", value=None):
        if not isinstance(arg_type, ValueType):
            raise TypeError(f"For 'ScopedValue', the 'arg_type' must be ValueType, but got {type(arg_type).__name__}.")
        self.type, self.scope, self.value = arg_type, scope, value

    @classmethod
    def create_variable_value(cls, value):
        """A constant."""
        return cls(ValueType.ConstantValue, "", value)

    @classmethod
    def create_naming_value(cls, name, scope=""):
        """A variable."""
        return cls(ValueType.NamingValue, scope, name)

    @classmethod
    def create_name_values(cls, names, scopes=None):
        """Variables; ValueError if there are not as many scopes as names."""
        if scopes is not None and len(scopes) != len(names):
            raise ValueError("For 'ScopedValue', the length of 'scopes' must be that of 'names'.")
        return [cls.create_naming_value(name, scopes[i] if scopes else "") for i, name in enumerate(names)]

    def __eq__(self, other):
        mine = (self.type, self.scope, self.value)
        return isinstance(other, ScopedValue) and mine == (other.type, other.scope, other.value)

    def __hash__(self):
        return hash((self.type, self.scope, str(self.value)))

    def __repr__(self):
        return f"{self.scope}.{self.value}" if self.scope else str(self.value)


class SymbolTree:
    """RuntimeError: it edits the source of a network."""

    def __init__(self, handler=None):
        _refuse("SymbolTree")

    @classmethod
    def create(cls, network):
        """RuntimeError."""
        _refuse("SymbolTree.create")


class Node:
    """RuntimeError: it is a statement in the source of a network."""

    def __init__(self, node=None):
        _refuse("Node")

    @staticmethod
    def create_call_cell(cell, targets=None, args=None, kwargs=None, name="", is_sub_net=False):
        """RuntimeError."""
        _refuse("Node.create_call_cell")

    @staticmethod
    def create_call_function(function, targets=None, args=None, kwargs=None):
        """RuntimeError."""
        _refuse("Node.create_call_function")

"""Values that a statement of a network's source reads and writes (ScopedValue), and the kinds of statements (NodeType)."""

import enum
from collections.abc import Sequence
from typing import Any

from ..core.spec.checking import checked
from ..core.spec.rules import AsValue

__all__ = ["NodeType", "ScopedValue", "ValueType"]


class NodeType(enum.Enum):
    """Kinds of statements in the source of a network."""

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12


class ValueType(enum.Enum):
    """Kinds of values: a variable, a constant, or an expression that is kept as it stands."""

    NamingValue = 0
    ConstantValue = 1
    UnsupportedValue = 2


class ScopedValue:
    """A variable (with its scope), a constant, or an expression in the source of a network.

    Args:
        arg_type: ValueType. scope: "self" or "". value: the name, the constant, or the text of the expression.

    Example:
        >>> from mindspore.rewrite import ScopedValue
        >>> ScopedValue.create_naming_value("conv", "self")
        self.conv
    """

    @checked
    def __init__(self, arg_type: AsValue[ValueType], scope: str = "", value: Any = None):
        self.type, self.scope, self.value = arg_type, scope, value

    @classmethod
    def create_variable_value(cls, value: Any):
        """A constant."""
        return cls(ValueType.ConstantValue, "", value)

    @classmethod
    @checked
    def create_naming_value(cls, name: str, scope: str = ""):
        """A variable."""
        return cls(ValueType.NamingValue, scope, name)

    @classmethod
    def create_name_values(cls, names: Sequence[str], scopes: Sequence[str] | str | None = None):
        """Variables; ValueError if there are not as many scopes as names."""
        if scopes is not None and len(scopes) != len(names):
            raise ValueError(
                f"For 'ScopedValue', the length of 'scopes' must be that of 'names', but got {len(scopes)} and {len(names)}."
            )
        return [cls.create_naming_value(name, scopes[i] if scopes else "") for i, name in enumerate(names)]

    def source(self):
        """The value as Python text."""
        if self.type is ValueType.ConstantValue:
            return repr(self.value)
        return f"{self.scope}.{self.value}" if self.scope else str(self.value)

    def __eq__(self, other):
        mine = (self.type, self.scope, self.value)
        return isinstance(other, ScopedValue) and mine == (other.type, other.scope, other.value)

    def __hash__(self):
        return hash((self.type, self.scope, str(self.value)))

    def __repr__(self):
        return f"{self.scope}.{self.value}" if self.scope else str(self.value)


def as_target(value: Any):
    """A ScopedValue of a name that was given as text or ScopedValue."""
    if isinstance(value, ScopedValue):
        return value
    scope, _, name = value.rpartition(".")
    return ScopedValue.create_naming_value(name, scope)

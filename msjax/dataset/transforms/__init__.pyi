"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.dataset.transforms import c_transforms as c_transforms
from msjax.dataset.transforms import py_transforms as py_transforms
from msjax.dataset.transforms import transforms as transforms

from msjax.core.values.dtype import Type as Type
from msjax.dataset.operation import Operation as Operation
from msjax.dataset.transforms.compose import CompoundOperation as CompoundOperation
import numpy as np
from msjax.dataset.text import IntEnum as IntEnum
class Compose(CompoundOperation):
    """Several transforms as one."""
    def __call__(self, *columns) -> Any: ...
    def __init__(self, transforms: list[Any]) -> None: ...
    def apply(self, *columns) -> Any: ...
    @staticmethod
    def decompose(operations) -> list[Any]: """A flat list of transforms: nested lists and Compose are replaced by their content."""
    @property
    def implementation(self) -> Any: ...
    def parts(self) -> Any: """The transforms: the engine runs them one by one."""
    @staticmethod
    def reduce(operations) -> list[Any]: """The operations as they are run, one after another."""
    transforms: Any
class Concatenate(Operation):
    """Joins the columns, one-dimensional arrays of one type, into one."""
    def __init__(self, axis: Literal[0, -1]=0, prepend: np.ndarray | None=None, append: np.ndarray | None=None) -> None: ...
    def apply(self, *columns) -> np.ndarray: ...
    axis: Any
    prepend: Any
    append: Any
class Duplicate(Operation):
    """Gives its column twice."""
    def apply(self, *columns) -> tuple[Any, Any]: ...
class Fill(Operation):
    """An array like the column, with one value everywhere."""
    def __init__(self, fill_value: str | float | bool | int | bytes) -> None: ...
    def apply(self, *columns) -> np.ndarray: ...
    elementwise: Any
    fill_value: Any
class Mask(Operation):
    """Compares the column with a value."""
    def __init__(self, operator: Relational, constant: str | float | bool | int | bytes, dtype: Type=...) -> None: ...
    def apply(self, *columns) -> Any: ...
    elementwise: Any
    operator: Any
    constant: Any
    dtype: Any
class OneHot(Operation):
    """Labels as one-hot vectors."""
    def __init__(self, num_classes: int, smoothing_rate: int | float=0.0) -> None: ...
    def apply(self, *columns) -> Any: ...
    def apply_block(self, *columns) -> Any: ...
    elementwise: Any
    num_classes: Any
    smoothing_rate: Any
    random: Any
class PadEnd(Operation):
    """Pads the column at the end of its axes, or cuts it there."""
    def __init__(self, pad_shape: list[Any], pad_value: str | float | bool | int | bytes | None=None) -> None: ...
    def apply(self, *columns) -> Any: ...
    pad_shape: Any
    pad_value: Any
class Plugin(Operation):
    """An operation from a library compiled against MindSpore's C++ headers; such a library cannot run without"""
    def __init__(self, lib_path: str, func_name: str, user_args: str | None=None) -> None: ...
    def apply(self, *columns) -> Any: ...
    lib_path: Any
    func_name: Any
    user_args: Any
class RandomApply(CompoundOperation):
    """All of the transforms with probability `prob`, else none."""
    def __init__(self, transforms: list[Any], prob: int | float=0.5) -> None: ...
    def apply(self, *columns) -> Any: ...
    prob: Any
class RandomChoice(CompoundOperation):
    """One of the transforms, each with the same probability."""
    def apply(self, *columns) -> Any: ...
class RandomOrder(CompoundOperation):
    """All of the transforms in random order."""
    def apply(self, *columns) -> Any: ...
    @property
    def implementation(self) -> Any: ...
class Relational(IntEnum):
    """Comparisons for Mask."""
    EQ: Any
    GE: Any
    GT: Any
    LE: Any
    LT: Any
    NE: Any
class Slice(Operation):
    """Parts of the column, one selection for each of its first axes; no axis vanishes."""
    def __init__(self, *slices) -> None: ...
    def apply(self, *columns) -> Any: ...
    slices: Any
class TypeCast(Operation):
    """Casts the column."""
    def __init__(self, data_type) -> None: ...
    def apply(self, *columns) -> Any: ...
    elementwise: Any
    data_type: Any
class Unique(Operation):
    """The distinct values of the column (of two axes or more), in order of appearance."""
    def apply(self, *columns) -> tuple[Any, Any, Any]: ...
def not_random(function: Callable[..., Any]) -> Any: """Marks a function as giving the same for the same input (a decorator)."""

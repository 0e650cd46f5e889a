"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, overload
from msjax.dataset.transforms import c_transforms as c_transforms
from msjax.dataset.transforms import py_transforms as py_transforms
from msjax.dataset.transforms import transforms as transforms

from msjax import Type as Type
import numpy as np
from msjax.dataset.text import IntEnum as IntEnum
class Compose:
    """Several transforms as one."""
    def __call__(self, *columns): ...
    def __init__(self, transforms: list[Callable[..., Any]]) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    @staticmethod
    def decompose(operations): """A flat list of transforms: nested lists and Compose are replaced by their content."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """The operation that `to_json` described."""
    @property
    def implementation(self) -> Any: ...
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def parts(self): """The transforms: the engine runs them one by one."""
    @staticmethod
    def reduce(operations): """The operations as they are run, one after another."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class Concatenate:
    """Joins the columns, one-dimensional arrays of one type, into one."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, axis: Literal[0, -1]=0, prepend: np.ndarray | None=None, append: np.ndarray | None=None) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class Duplicate:
    """Gives its column twice."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self) -> None: """There is nothing to set up; subclasses need not call this."""
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class Fill:
    """An array like the column, with one value everywhere."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, fill_value: str | float | bool | int | bytes) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class Mask:
    """Compares the column with a value."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, operator: Relational, constant: str | float | bool | int | bytes, dtype: Type=...) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class OneHot:
    """Labels as one-hot vectors."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, num_classes: int, smoothing_rate: int | float=0.0) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): ...
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class PadEnd:
    """Pads the column at the end of its axes, or cuts it there."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, pad_shape: list[int | None], pad_value: str | float | bool | int | bytes | None=None) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class Plugin:
    """An operation from a library compiled against MindSpore's C++ headers; such a library cannot run without"""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, lib_path: str, func_name: str, user_args: str | None=None) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class RandomApply:
    """All of the transforms with probability `prob`, else none."""
    def __call__(self, *columns): ...
    def __init__(self, transforms: list[Callable[..., Any]], prob: int | float=0.5) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """The operation that `to_json` described."""
    @property
    def implementation(self) -> Any: ...
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class RandomChoice:
    """One of the transforms, each with the same probability."""
    def __call__(self, *columns): ...
    def __init__(self, transforms: list[Callable[..., Any]]) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """The operation that `to_json` described."""
    @property
    def implementation(self) -> Any: ...
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class RandomOrder:
    """All of the transforms in random order."""
    def __call__(self, *columns): ...
    def __init__(self, transforms: list[Callable[..., Any]]) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string: str): """The operation that `to_json` described."""
    @property
    def implementation(self) -> Any: ...
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class Relational(IntEnum):
    """Comparisons for Mask."""
    EQ: Any
    GE: Any
    GT: Any
    LE: Any
    LT: Any
    NE: Any
class Slice:
    """Parts of the column, one selection for each of its first axes; no axis vanishes."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, *slices) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class TypeCast:
    """Casts the column."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, data_type) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
class Unique:
    """The distinct values of the column (of two axes or more), in order of appearance."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self) -> None: """There is nothing to set up; subclasses need not call this."""
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict, where MindSpore's `parse` returns an object of its C++ runtime."""
def not_random(function: Callable[..., Any]): """Marks a function as giving the same for the same input (a decorator)."""

"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Sequence
from typing import Any
from msjax.dataset.transforms import c_transforms as c_transforms
from msjax.dataset.transforms import py_transforms as py_transforms
from msjax.dataset.transforms import transforms as transforms

class Compose:
    """Several transforms as one."""
    def __call__(self, *columns): ...
    def __init__(self, transforms) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    @staticmethod
    def decompose(operations): """A flat list of what lists of transforms with Compose among them hold."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string): """The operation that `to_json` described."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def parts(self): """The transforms: the engine runs them one by one."""
    @staticmethod
    def reduce(operations): """The operations as they are run, one after another."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class Concatenate:
    """Joins the columns, one-dimensional arrays of one type, into one."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, axis: Any=0, prepend=None, append=None) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class Duplicate:
    """Gives its column twice."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self) -> None: """There is nothing to set up; subclasses need not call this."""
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class Fill:
    """An array like the column, with one value everywhere."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, fill_value) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class Mask:
    """Compares the column with a value."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, operator, constant, dtype: Any=...) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class OneHot:
    """Labels as one-hot vectors."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, num_classes, smoothing_rate: Any=0.0) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): ...
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class PadEnd:
    """Pads the column at the end of its axes, or cuts it there."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, pad_shape, pad_value=None) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class Plugin:
    """An operation from a library compiled against MindSpore's C++ headers; such a library cannot run without"""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, lib_path, func_name, user_args=None) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class RandomApply:
    """All of the transforms with probability `prob`, else none."""
    def __call__(self, *columns): ...
    def __init__(self, transforms, prob: Any=0.5) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string): """The operation that `to_json` described."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class RandomChoice:
    """One of the transforms, each with the same probability."""
    def __call__(self, *columns): ...
    def __init__(self, transforms) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string): """The operation that `to_json` described."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class RandomOrder:
    """All of the transforms in random order."""
    def __call__(self, *columns): ...
    def __init__(self, transforms) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    @classmethod
    def from_json(cls, json_string): """The operation that `to_json` described."""
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
    def parse_transforms(self): """`parse()` of each operation held; functions stay as they are."""
    def release_resource(self): """Called when a pipeline has ended in MindSpore; nothing is held."""
    def to_json(self): """This operation as JSON text; functions in it are only named."""
class Relational(int):
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
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class TypeCast:
    """Casts the column."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self, data_type) -> None: ...
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
class Unique:
    """The distinct values of the column (of two axes or more), in order of appearance."""
    def __call__(self, *columns): """Runs the operation eagerly on one row."""
    def __init__(self) -> None: """There is nothing to set up; subclasses need not call this."""
    def apply(self, *columns): ...
    def apply_block(self, *columns): """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
    def arguments(self): """The arguments that this object was made with, by name, without defaults; `*` holds extra positional ones."""
    deterministic: Any
    elementwise: Any
    def parse(self): """Name and arguments of this object, a dict: what MindSpore hands to its C++ runtime at this point."""
def not_random(function): """Marks a function as giving the same for the same input (a decorator)."""

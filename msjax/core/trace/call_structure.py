"""Calls and results as structures: their Tensors in a flat list, and everything else as it is, with marks in the Tensors' places."""

import collections
import copy
import functools
import types
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..compat import Tracer
from ..errors import Unstageable
from ..traceable import is_traceable
from ..values.promote import cast
from ..values.tensor import Tensor, device_array, wrap
from .effects import own_attributes
from .numbers import TracedNumber


class Leaf:
    """A placeholder for the i-th Tensor in a nested structure."""

    __slots__ = ("index",)

    def __init__(self, index: int):
        self.index = index


def split(args: Sequence, kwargs: dict):
    """(Tensors, structure with Leaf in their places, key of the structure)"""
    leaves, key = [], []
    spec = [_split(a, leaves, key) for a in args]
    named = {k: _split(kwargs[k], leaves, key, k) for k in kwargs} if kwargs else {}
    return leaves, (spec, named), tuple(key)


def _split(value, leaves, key, name=None):
    kind = type(value)
    if name is not None:
        key.append(name)
    if kind is Tensor or (isinstance(value, Tensor) and not value._through_frames):
        array = value._data
        if isinstance(array, np.ndarray):  # a Tensor of strings
            key.append(("string", array.tobytes(), array.shape))
            return value
        key.append((array.shape, array.dtype))
        leaves.append(value)
        return Leaf(len(leaves) - 1)
    if isinstance(value, (np.ndarray, jax.Array)):
        leaves.append(wrap(device_array(value) if isinstance(value, np.ndarray) else value))
        key.append((value.shape, value.dtype))
        return Leaf(len(leaves) - 1)
    if isinstance(value, Mutable):
        leaves.append(wrap(jnp.asarray(value.value)))  # weakly typed, as a number in the program
        key.append(kind)
        return NumberLeaf(len(leaves) - 1)
    if isinstance(value, (list, tuple)):
        key.append((kind, len(value)))
        made = [_split(v, leaves, key) for v in value]
        if isinstance(value, MutableContainer):
            return kind(made)
        return kind(*made) if hasattr(type(value), "_fields") else made if kind is list else tuple(made)
    if isinstance(value, dict):
        key.append((kind, len(value)))
        parts = {k: _split(v, leaves, key, ("key", k)) for k, v in value.items()}
        return kind(parts) if isinstance(value, MutableContainer) else _mapping(value, parts)
    if hasattr(kind, "_tensor_parts"):
        parts, rebuild = value._tensor_parts()
        key.append(kind)
        return _Object(rebuild, _split(parts, leaves, key))
    try:
        hash(value)
        key.append((kind, value))
    except TypeError:
        key.append((kind, _ById(value)))
    return value


class _ById:
    """Key part for an object that cannot be hashed: the object itself, kept alive."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return id(self.value)

    def __eq__(self, other):
        return self.value is other.value


def join(structure: list[Leaf] | Leaf | dict | tuple, boxes: Sequence) -> Any:
    """The structure with Tensors back in the places of its Leaf marks."""
    if isinstance(structure, Leaf):
        box = boxes[structure.index]
        return box if type(structure) is Leaf or type(box) is TracedNumber else box.item()
    if isinstance(structure, _Kept):
        return structure.value
    if isinstance(structure, (list, tuple)):
        made = [join(v, boxes) for v in structure]
        return type(structure)(*made) if hasattr(type(structure), "_fields") else type(structure)(made)
    if isinstance(structure, dict):
        made = {k: join(v, boxes) for k, v in structure.items()}
        return type(structure)(made) if isinstance(structure, MutableContainer) else made
    if isinstance(structure, _Object):
        return structure.rebuild(*join(structure.parts, boxes))
    return structure


class Mutable:
    """A Python number that is an input of a compiled function instead of a constant; made by `mutable`."""

    __slots__ = ()


class MutableInt(Mutable, int):
    """An int that compiled functions take as an input."""

    __slots__ = ()

    @property
    def value(self):
        return int(self)


class MutableFloat(Mutable, float):
    """A float that compiled functions take as an input."""

    __slots__ = ()

    @property
    def value(self):
        return float(self)


class MutableContainer:
    """A tuple, list or dict whose Tensors are differentiable inputs; made by `mutable`."""

    __slots__ = ()


def _container(kind):
    made = type(f"_{kind.__name__.capitalize()}", (MutableContainer, kind), {"__module__": "mindspore.graph.mutable"})
    made.__reduce__ = lambda self: (kind, (kind(self),))
    register_container(made, kind)
    return made


def register_container(made: type, kind: Any):
    """Register a container class with JAX; JAX rebuilds it as an ordinary container."""
    if kind is dict:
        flatten, rebuild = lambda d: (list(d.values()), tuple(d)), lambda keys, values: dict(zip(keys, values))
    else:
        flatten, rebuild = lambda items: (list(items), None), lambda _, values: kind(values)
    jax.tree_util.register_pytree_node(made, flatten, rebuild)


CONTAINERS = {kind: _container(kind) for kind in (tuple, list, dict)}


class Outputs:
    """Splits results: `take` returns the structure of a value, with Leaf for its Tensors, whose arrays are appended to
    `arrays`.

    A Tensor that occurs twice is one output. stays: function that tells whether a Tensor or container existed before the call; the
    result is then that same object.
    """

    def __init__(self, arrays: Sequence, stays: Callable | None = None):
        self.arrays, self.stays, self.known = arrays, stays, {}

    def take(self, value: Any):
        """Structure of a value. Python iterators are converted as in MindSpore: `filter`, generators, the items of a dict
        and a `map` over lists to lists, others to tuples.
        """
        if isinstance(value, Tensor):
            return value if isinstance(value._data, np.ndarray) else self._tensor(value)
        if isinstance(value, jax.Array):
            self.arrays.append(value)
            return Leaf(len(self.arrays) - 1)
        kind = type(value)
        if kind is map and _over_tuples(value):
            return tuple(self.take(v) for v in value)
        if kind in _LISTED:
            return [self.take(v) for v in value]
        if kind in _TUPLED:
            return tuple(self.take(v) for v in value)
        if not isinstance(value, (list, tuple, dict)) and not hasattr(kind, "_tensor_parts"):
            return self._object(value)
        if self.stays is not None and self.stays(value):
            return _Kept(value)
        if isinstance(value, (list, tuple)):
            made = [self.take(v) for v in value]
            return kind(*made) if hasattr(kind, "_fields") else made if isinstance(value, list) else tuple(made)
        if isinstance(value, dict):
            return _mapping(value, {k: self.take(v) for k, v in value.items()})
        parts, rebuild = value._tensor_parts()  # sparse Tensors: a class with Tensors inside
        return _Object(rebuild, self.take(parts))

    def _tensor(self, box):
        if self.stays is not None and self.stays(box):
            return _Kept(box)
        found = self.known.get(id(box))
        if found is None:
            # a Python number that a traced condition chose: weakly typed as long as it is in the program
            numeric = type(box) is TracedNumber
            self.arrays.append(box._data if numeric else cast(box._data, box._data.dtype))
            leaf = NumberLeaf if numeric else Leaf
            found = self.known[id(box)] = (leaf(len(self.arrays) - 1), box)
        return found[0]

    def _object(self, value):
        if hasattr(type(value), "no_result"):
            raise TypeError(type(value).no_result)
        if isinstance(value, Mutable):
            return value.value  # outside of the function it is a plain Python number
        if isinstance(value, np.generic):
            return value.item()  # MindSpore's graphs give Python numbers
        if not holds_traced(value):
            return value
        if type(value).__reduce_ex__ is object.__reduce_ex__ and type(getattr(value, "__dict__", None)) is dict:
            if not isinstance(value, (type, types.FunctionType)) and not is_traceable(value):
                return _Object(functools.partial(_instance, type(value)), (self.take(vars(value)),))
        raise Unstageable(f"a {type(value).__name__} that holds a traced Tensor leaves the compiled function")


def _over_tuples(mapped):
    """Whether MindSpore's graphs give the result of a `map` as a tuple: none of its arguments is a list."""
    return not any(isinstance(it, type(iter([]))) for it in mapped.__reduce__()[1][1:])


_LISTED = (map, filter, types.GeneratorType, type({}.items()))
_TUPLED = (zip, range, enumerate, type({}.keys()), type({}.values()))


def _instance(cls, attributes):
    made = cls.__new__(cls)
    vars(made).update(attributes)
    return made


def holds_traced(value: Any, depth: int = 4):
    """Whether an object other than a list, tuple or dict holds a traced value: in attributes, a closure, a set."""
    if isinstance(value, Tensor):
        return not value._through_frames and isinstance(value._data, Tracer)
    if isinstance(value, Tracer):
        return True
    if depth == 0 or isinstance(value, (str, bytes, int, float, type, types.ModuleType, np.ndarray, type(None))):
        return False
    if isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        parts = value
    elif isinstance(value, functools.partial):
        parts = (value.func, value.args, value.keywords)
    elif isinstance(value, types.MethodType):
        parts = (value.__self__,)
    elif isinstance(value, types.FunctionType):
        parts = [c.cell_contents for c in value.__closure__ or () if c != _EMPTY]
    elif isinstance(value, types.GeneratorType):
        return True
    elif is_traceable(value):
        return False
    else:
        parts = list(own_attributes(value).values())
    return any(holds_traced(part, depth - 1) for part in parts)


_EMPTY = types.CellType()


class _Kept:
    """A placeholder for an object that existed before the call and is the result itself."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class NumberLeaf(Leaf):
    """A placeholder for a Python number that the program computes."""

    __slots__ = ()


class _Object:
    """Structure of an object that is made again from its Tensors."""

    __slots__ = ("rebuild", "parts")

    def __init__(self, rebuild, parts):
        self.rebuild, self.parts = rebuild, parts


def _mapping(value, parts):
    """Structure of a dict. A subclass (OrderedDict, a config, a model's output) is made again as that class."""
    if type(value) is dict:
        return parts
    empty = copy.copy(value)
    for k in parts:
        empty[k] = None  # the structure outlives the call: it must not hold its Tensors
    return _Object(functools.partial(_filled, empty), (parts,))


def _filled(empty, parts):
    made = copy.copy(empty)
    for k, v in parts.items():
        made[k] = v  # one by one: a class may do more when an item is set
    return made

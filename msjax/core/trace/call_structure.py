"""Calls and results as structures: their Tensors in a flat list, and everything else as it is, with marks in the Tensors' places."""

import copy
import functools

import jax
import numpy as np

from ..values.promote import cast
from ..values.tensor import Tensor, device_array, wrap


class Leaf:
    """Stands for the i-th Tensor in a nested structure."""

    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


def split(args, kwargs):
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
        leaves.append(Tensor(value.value))
        key.append((kind, leaves[-1]._data.dtype))
        return Leaf(len(leaves) - 1)
    if isinstance(value, (list, tuple)):
        key.append((kind, len(value)))
        made = [_split(v, leaves, key) for v in value]
        return kind(*made) if hasattr(value, "_fields") else made if kind is list else tuple(made)
    if isinstance(value, dict):
        key.append((kind, len(value)))
        return _mapping(value, {k: _split(v, leaves, key, ("key", k)) for k, v in value.items()})
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


def join(structure, boxes):
    """The structure with Tensors back in the places of its Leaf marks."""
    if isinstance(structure, Leaf):
        return boxes[structure.index]
    if isinstance(structure, (list, tuple)):
        made = [join(v, boxes) for v in structure]
        return type(structure)(*made) if hasattr(structure, "_fields") else type(structure)(made)
    if isinstance(structure, dict):
        return {k: join(v, boxes) for k, v in structure.items()}
    if isinstance(structure, _Object):
        return structure.rebuild(*join(structure.parts, boxes))
    return structure


class Mutable:
    """A Python number that is an input of a compiled function instead of a constant; made by `mutable`."""

    __slots__ = ()


def outputs(value, outs):
    """Structure of a result with Leaf for its Tensors, whose arrays are appended to `outs`."""
    if isinstance(value, Tensor):
        array = value._data
        if isinstance(array, np.ndarray):
            return value
        outs.append(
            cast(array, array.dtype)
        )  # a Python number that a traced condition chose is weakly typed until it leaves
        return Leaf(len(outs) - 1)
    if isinstance(value, jax.Array):
        outs.append(value)
        return Leaf(len(outs) - 1)
    if isinstance(value, (list, tuple)):
        made = [outputs(v, outs) for v in value]
        return (
            type(value)(*made) if hasattr(value, "_fields") else list(made) if isinstance(value, list) else tuple(made)
        )
    if isinstance(value, dict):
        return _mapping(value, {k: outputs(v, outs) for k, v in value.items()})
    if hasattr(value, "_tensor_parts"):  # sparse Tensors: a class with Tensors inside
        parts, rebuild = value._tensor_parts()
        return _Object(rebuild, outputs(parts, outs))
    return value


class _Object:
    """Structure of an object that is made again from its Tensors."""

    __slots__ = ("rebuild", "parts")

    def __init__(self, rebuild, parts):
        self.rebuild, self.parts = rebuild, parts


def _mapping(value, parts):
    """Structure of a dict; of a class of its own (OrderedDict, a config, a model's output) it is made again as that."""
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

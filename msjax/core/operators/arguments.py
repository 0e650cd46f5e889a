"""Arguments of an operator as data: the arrays in them, and a hashable key of the remaining values."""

import inspect
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..compat import Tracer
from ..spec.kinds import UNSIGNED, plain_types
from ..values.rank_number import RankNumber
from ..values.tensor import Tensor, device_array, wrap

NUMBERS = frozenset(
    (
        bool,
        int,
        float,
        complex,
        np.bool_,
        *(
            np.sctypeDict[k]
            for k in (
                "int8",
                "int16",
                "int32",
                "int64",
                "uint8",
                "uint16",
                "uint32",
                "uint64",
                "float16",
                "float32",
                "float64",
                "complex64",
                "complex128",
            )
        ),
    )
)
LISTS = (tuple, list)
PLAIN_KINDS = frozenset((int, bool, float, str, type(None)))
ARRAY = type("ARRAY", (), {"__repr__": lambda self: "<array>"})()  # stands for an array in a cache key


class _Leaf:
    __slots__ = ()


_LEAF = _Leaf()


def gather(a: Any, arrays: Sequence, boxes: Sequence, nested: dict, position: int, is_operand: bool):
    """Collect the arrays of a list, tuple, Parameter, NumPy array, ...; returns the cache key of the remaining values."""
    start = len(arrays)
    tree, key = _take(a, arrays, boxes, is_operand)
    if len(arrays) > start:
        nested[position] = (tree, len(arrays) - start)
    return key


def _take(a, arrays, boxes, is_operand):
    """(tree with _LEAF for arrays, cache key)"""
    if isinstance(a, Tensor):
        boxes.append(a)
        arrays.append(a._lent)  # an operator's call lets go of it
        return _LEAF, ARRAY
    if isinstance(a, (jax.Array, np.ndarray)):
        array = a if isinstance(a, jax.Array) else device_array(a)
        boxes.append(wrap(array))
        arrays.append(array)
        return _LEAF, ARRAY
    kind = type(a)
    if kind is RankNumber and is_operand:
        a = a.number()
        boxes.append(None if type(a) is int else wrap(a))
        arrays.append(a)
        return _LEAF, ARRAY
    if kind in NUMBERS:
        if is_operand:
            boxes.append(None)
            arrays.append(a.item() if isinstance(a, np.generic) else a)
            return _LEAF, ARRAY
        return a, (kind, a or repr(a))  # 0.0 and -0.0 are equal, and two values
    if isinstance(a, (tuple, list)):
        # Python numbers inside a list stay static unless the list holds Tensors too: sizes and axes are lists of numbers
        inner = is_operand and any(isinstance(v, Tensor) for v in a)
        pairs = [_take(v, arrays, boxes, inner) for v in a]
        tree = [p[0] for p in pairs]
        return (tuple(tree) if isinstance(a, tuple) else tree), (kind, *[p[1] for p in pairs])
    if isinstance(a, slice):
        return a, (slice, *(v if v is None else int(v) for v in (a.start, a.stop, a.step)))
    if isinstance(a, dict):
        pairs = {k: _take(v, arrays, boxes, False) for k, v in a.items()}
        return {k: p[0] for k, p in pairs.items()}, (dict, *((k, p[1]) for k, p in pairs.items()))
    try:
        hash(a)
    except TypeError:
        raise TypeError(f"an argument of type {kind.__name__} is not accepted: {a!r}") from None
    return a, a


def scatter(tree: _Leaf | list[_Leaf], arrays: Sequence):
    """The inverse of `_take`: put the arrays back, in order."""
    if tree is _LEAF:
        return arrays.pop(0)
    if isinstance(tree, (tuple, list)):
        return type(tree)(scatter(v, arrays) for v in tree)
    if isinstance(tree, dict):
        return {k: scatter(v, arrays) for k, v in tree.items()}
    return tree


def plain(value: Any):
    """Python numbers and tuples in the place of Tensors and NumPy values; jax's error for a traced value."""
    if isinstance(value, Tensor):
        value = value._lent
    if isinstance(value, Tracer):
        return int(value) if value.ndim == 0 else tuple(plain(v) for v in value)
    if isinstance(value, (jax.Array, np.ndarray, np.generic)):
        value = np.asarray(value).tolist()
        return tuple(value) if isinstance(value, list) else value
    if isinstance(value, (tuple, list)):
        read = tuple(plain(v) for v in value)
        if any(isinstance(v, int) for v in read):  # beside a number a Tensor of one element is a number, too
            read = tuple(only_element(r) if isinstance(v, Tensor) else r for r, v in zip(read, value))
        return read
    return value


def only_element(value: Any):
    """The number of a Tensor of one element, read by `plain`, whatever its axes are."""
    while isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    return value


def is_whole(parameter: inspect.Parameter):
    """Whether a parameter takes a whole number (or None) alone."""
    return {*plain_types(parameter.annotation)} - {type(None)} == {int}


def is_number(parameter: inspect.Parameter):
    """Whether a parameter takes a number that need not be whole."""
    return float in plain_types(parameter.annotation)


def is_plain_list(value: Any):
    """Whether a value is a list or tuple of numbers, texts and None, which a key tells whole."""
    return type(value) in LISTS and PLAIN_KINDS.issuperset(map(type, value))


def read_static(args: Sequence, read: Sequence[int], static: Sequence[int], whole: Sequence[int]):
    """The arguments with Python values in the place of Tensors for static parameters, and of known Tensors for whole numbers.

    read: positions of the static parameters and of those of whole numbers.
    """
    changed = None
    for i in read:
        a = args[i] if i < len(args) else None  # operators of the package leave out defaults
        if type(a) in PLAIN_KINDS:
            continue
        if i not in static and not (isinstance(a, Tensor) and not isinstance(a._lent, Tracer)):
            continue
        changed = changed or list(args)
        changed[i] = plain(a)
        if isinstance(a, Tensor) and i in whole:
            changed[i] = only_element(changed[i])
    return args if changed is None else tuple(changed)


def in_64_bits(args: Sequence, marks: Sequence, error: OverflowError):
    """The arguments of a call that met a whole number beyond int64, with those of uint64 as Tensors where the operator takes such.

    marks: those of each parameter's annotation. The error to raise, where that is no way out.
    """
    beyond = [i for i, a in enumerate(args) if type(a) is int and not -(1 << 63) <= a < 1 << 63]
    if not beyond or str(error).startswith("For '"):
        return error
    at = [i for i in beyond if 0 <= args[i] < 1 << 64 and UNSIGNED in marks[i]]
    if not at:
        return RuntimeError("a whole number must fit 64 bits with its sign")
    return [wrap(device_array(np.asarray(a, np.uint64))) if i in at else a for i, a in enumerate(args)]

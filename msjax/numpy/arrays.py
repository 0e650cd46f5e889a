"""Conversion of mindspore.numpy's arguments: Python numbers and lists become int32, float32 or bool arrays, dtypes may
be names.
"""

import functools
import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.operators.record import composite, op
from ..core.operators.rows import Face, row_of
from ..core.values import dtype as mstype
from ..core.values.promote import cast as _cast
from ..core.values.promote import kind_of, result_dtype

_NARROW = {
    np.dtype(np.int64): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.float32),
    np.dtype(np.complex128): np.dtype(np.complex64),
}
_PYTHON = {int: np.dtype(np.int32), float: np.dtype(np.float32), bool: np.dtype(np.bool_)}
_WIDE = {int: np.dtype(np.int64), float: np.dtype(np.float64), bool: np.dtype(np.bool_)}
_NAMES = {"int": int, "float": float, "bool": bool, "bool_": bool, "int_": int, "float_": float}


def np_op(face: Any, **options):
    """Register a function of mindspore.numpy under its name, or the row of its face."""
    return op(name="numpy." + row_of(face, Face).name, ops=False, np=face, **options)


def np_composite(face: Any):
    """Register a function on Tensors that calls other operators, or whose result is not an array."""
    return composite(name="numpy." + row_of(face, Face).name, ops=False, np=face)


def dtype_of(dtype: Any, wide: bool = False):
    """NumPy dtype of a `dtype=` argument: a MindSpore dtype, its name, or int, float, bool (of 64 bits, if `wide`)."""
    if dtype is None:
        return None
    if isinstance(dtype, str):
        dtype = _NAMES.get(dtype, dtype)
        if isinstance(dtype, str):
            try:
                return np.dtype(dtype)
            except TypeError:
                raise TypeError(
                    f"For 'numpy', the 'dtype' must be a MindSpore dtype or the name of one, but got {dtype!r}."
                ) from None
    if dtype in _PYTHON:
        return (_WIDE if wide else _PYTHON)[dtype]
    return mstype.to_numpy(dtype)


def array(x: Any):
    """The jax array of an argument."""
    if isinstance(x, jax.Array):
        return x.astype(_NARROW.get(x.dtype, x.dtype)) if getattr(x, "weak_type", False) else x
    if isinstance(x, (list, tuple)):
        if holds_arrays(x):
            items = [array(v) for v in x]
            dtype = result_dtype(*items)
            return jnp.stack([v.astype(_NARROW.get(dtype, dtype)) for v in items])
        host = np.asarray(x)
        if host.size == 0:
            host = host.astype(np.float32)
    elif isinstance(x, (bool, int, float, complex, np.generic, np.ndarray)):
        host = np.asarray(x)
    else:
        raise TypeError(f"Expect input to be array like, but got {type(x).__name__}.")
    if host.dtype.kind not in "biufc":
        raise TypeError(f"Expect input to be array like, but got {x!r}.")
    return jnp.asarray(host.astype(_NARROW.get(host.dtype, host.dtype)))


def holds_arrays(x: Any):
    """Whether a nested list or tuple holds an array."""
    return any(isinstance(v, jax.Array) or (isinstance(v, (list, tuple)) and holds_arrays(v)) for v in x)


def arrays(*xs):
    """The arguments as arrays of their common dtype, by MindSpore's implicit conversion."""
    made = [array(x) for x in xs]
    dtype = result_dtype(*made)
    return [_cast(x, dtype) for x in made]


def promoted(one: np.dtype, two: np.dtype):
    """The dtype of `promote_types`: NumPy's, but integers with a float give that float."""
    if kind_of(one) != kind_of(two):
        return max(one, two, key=kind_of)
    return np.promote_types(one, two)


def joined(*xs):
    """The arguments as arrays of the dtype of `promote_types`, which has one for uint16, uint32 and uint64 beside others, too."""
    made = [array(x) for x in xs]
    dtype = functools.reduce(promoted, [x.dtype for x in made]) if made else None
    return [_cast(x, dtype) for x in made]


def floats(x: Any):
    """An array; integers and bools as float32."""
    x = array(x)
    return x.astype(jnp.float32) if kind_of(x.dtype) < 2 else x


def cast_to(x: Any, dtype: Any, wide: bool = False):
    """x as `dtype`, unless that is None; `wide` as for `dtype_of`."""
    return x if dtype is None else _cast(x, dtype_of(dtype, wide))


def in_order(axis: Any, ndim: int, name: str, flags: bool = False):
    """A tuple of axes counted from the front; None is all of them. flags: whether True counts as 1."""
    if axis is None:
        return tuple(range(ndim))
    numbers = axis if isinstance(axis, (tuple, list)) else (axis,)
    for a in numbers:
        if (isinstance(a, bool) and not flags) or not isinstance(a, (int, np.integer)):
            raise TypeError(f"For '{name}', integer argument expected for 'axis', but got {axis!r}.")
        if not -ndim <= a < ndim:
            raise ValueError(f"For '{name}', axis {a} is out of bounds for an array of dimension {ndim}.")
    normal = tuple(int(a) % ndim for a in numbers)
    if len(set(normal)) < len(normal):
        raise ValueError(f"For '{name}', duplicate value in 'axis': {axis}.")
    return normal


def sizes(shape: Any):
    """A shape given as an int, a tuple or a list, as a tuple of ints."""
    if isinstance(shape, (bool, str)) or shape is None:
        raise TypeError(f"Only int, tuple and list are allowed for 'shape', but got {shape!r}.")
    made = tuple(map(operator.index, shape if isinstance(shape, (tuple, list)) else (shape,)))
    if any(s < 0 for s in made):
        raise ValueError(f"'shape' can not be negative, but got {made}.")
    return made


__all__ = []

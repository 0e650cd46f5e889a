"""Calls of Python functions from compiled programs.

JAX calls back in a thread of its runtime, where the settings of the whole process hold. In a host's process these are types of 32 bits, and
JAX would cut each value of 64 bits to half on its way in or out. So in such a process values of 64 bits travel as pairs of 32-bit words.
"""

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.experimental import io_callback

from .host import is_owned, wide


def tell(function: Callable, *arrays):
    """Call `function(*NumPy arrays)` whenever the program reaches this place, in the order of the program. It returns
    nothing.
    """
    packed, unpack = _packed(arrays)
    function = wide(function)
    jax.debug.callback(lambda *given: function(*unpack(given)), *packed, ordered=True)


def ask(function: Callable, out: Any, *arrays, ordered: bool = False):
    """Call `function(*NumPy arrays)` on the host and return its result.

    Args:
        function: gives an array, or a tuple of arrays, of the shapes and dtypes of `out`.
        out: a jax.ShapeDtypeStruct, or a tuple of them.
        ordered: the function is called once each time, in the order of the program; otherwise JAX may leave a call out, or repeat it.
    """
    several = isinstance(out, tuple)
    promised = out if several else (out,)
    packed, unpack = _packed(arrays)

    @wide
    def host(*given):
        result = function(*unpack(given))
        results = result if several else (result,)
        return tuple(_words(np.asarray(r, p.dtype)) for r, p in zip(results, promised, strict=True))

    shapes = tuple(_words(p) for p in promised)
    if ordered:
        made = io_callback(host, shapes, *packed, ordered=True)
    else:
        made = jax.pure_callback(host, shapes, *packed, vmap_method="sequential")
    made = tuple(_joined(m, p.dtype) for m, p in zip(made, promised, strict=True))
    return made if several else made[0]


def _travels_in_words(dtype):
    return not is_owned() and np.dtype(dtype).kind in "iufc" and np.dtype(dtype).name in _PARTS


_PARTS = {"int64": 2, "uint64": 2, "float64": 2, "complex128": 4}  # words of 32 bits


def _words(value):
    """A NumPy array as its 32-bit words, a new last axis; of a shape, the shape of that."""
    if not _travels_in_words(value.dtype):
        return value
    count = _PARTS[np.dtype(value.dtype).name]
    if isinstance(value, jax.ShapeDtypeStruct):
        return jax.ShapeDtypeStruct((*value.shape, count), np.uint32)
    return np.frombuffer(np.ascontiguousarray(value).tobytes(), np.uint32).reshape(*value.shape, count)


def _packed(arrays):
    """(the arrays with 64-bit values as pairs of 32-bit words, function that restores NumPy arrays from them)."""
    dtypes = [np.dtype(a.dtype) for a in arrays]

    def unpack(given):
        arrived = [np.array(a) for a in given]
        return [
            np.frombuffer(a.tobytes(), d).reshape(a.shape[:-1]).copy() if _travels_in_words(d) else a
            for a, d in zip(arrived, dtypes, strict=True)
        ]

    return [_split(a) if _travels_in_words(a.dtype) else a for a in arrays], unpack


def _split(array):
    if array.dtype == np.complex128:
        parts = jax.numpy.stack([array.real, array.imag], axis=-1)
        return jax.lax.bitcast_convert_type(parts, np.uint32).reshape(*array.shape, 4)
    return jax.lax.bitcast_convert_type(array, np.uint32)


def _joined(words, dtype):
    if not _travels_in_words(dtype):
        return words
    if dtype == np.complex128:
        parts = jax.lax.bitcast_convert_type(words.reshape(*words.shape[:-1], 2, 2), np.float64)
        return jax.lax.complex(parts[..., 0], parts[..., 1])
    return jax.lax.bitcast_convert_type(words, dtype)

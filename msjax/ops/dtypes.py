"""Dtypes that operators refuse, as MindSpore looks at them before it computes, and the one that it computes float16 in."""

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from ..core.values import dtype as mstype

if TYPE_CHECKING:
    import jax


def floats_only(name: str, **arrays: "jax.Array"):
    """Raises TypeError for arrays that are not of a float type.

    Args:
        name: The operator, for the message.
        arrays: The arrays, under the names that the message gives them.
    """
    _refuse(name, "a float type", arrays, lambda dtype: jnp.issubdtype(dtype, jnp.floating))


def only(name: str, taken: str, **arrays: "jax.Array"):
    """Raises TypeError for arrays of other types than those named.

    Args:
        name: The operator, for the message.
        taken: The types, as in "int32 int64".
        arrays: The arrays, under the names that the message gives them.
    """
    _refuse(name, f"one of {taken.split()}", arrays, lambda dtype: dtype.name in taken.split())


def _refuse(name, wanted, arrays, fits):
    for argument, array in arrays.items():
        if not fits(array.dtype):
            raise TypeError(
                f"For '{name}', the type of '{argument}' must be {wanted}, but got "
                f"Tensor[{mstype.from_numpy(array.dtype)}]."
            )


def rounded_once(function: Callable):
    """The function of a float16 array computed in float32 and rounded once, as many of MindSpore's kernels do: its steps lose digits.

    bfloat16 stays as it is: there is no kernel to equal, and a TPU would keep float32 arrays for the gradient.
    """

    @functools.wraps(function)
    def wide(x, *args, **named):
        if x.dtype != jnp.float16:
            return function(x, *args, **named)
        return function(x.astype(jnp.float32), *args, **named).astype(jnp.float16)

    return wide


@jax.custom_jvp
def _tanh_of_half(x):
    return jnp.tanh(x)


@_tanh_of_half.defjvp
def _tanh_of_half_jvp(primals, tangents):
    y = _tanh_of_half(*primals)
    wide = y.astype(jnp.float32)
    return y, ((1 - wide * wide) * tangents[0].astype(jnp.float32)).astype(y.dtype)


def tanh(x: jax.Array):
    """The hyperbolic tangent; the gradient of float16 is 1 - y * y in float32, rounded once, as MindSpore's kernel gives it."""
    return _tanh_of_half(x) if x.dtype == jnp.float16 else jnp.tanh(x)

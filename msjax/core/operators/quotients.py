"""Quotients of arrays, means and sums that XLA rounds once."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from ..program.divisions import quotient
from ..settings.context import present_device


def exact_quotient(x: jax.Array, y: jax.Array | np.ndarray):
    """x / y, rounded once. XLA multiplies by the reciprocal of a y that is one number or a constant: then 1.71875 / 1.71875 is less
    than 1, and its floor 0, and 1 - 3 / 3 is negative where LLVM contracts product and difference. XLA really divides if y depends
    on x, so y is made to depend on x: where x is NaN it is another number, near y, so that the gradient there is that of y, too.
    A TPU multiplies by a reciprocal in any case, and a select more moves more: there it is x / y.
    The gradient of float16 is MindSpore's wherever it is taken: the square of y, which JAX takes, is infinite above 256.
    """
    alone = y.size == 1 or not isinstance(y, jax.core.Tracer)
    if alone and jnp.issubdtype(x.dtype, jnp.inexact) and present_device() != "TPU":
        y = jnp.where(x != x, y * jnp.asarray(1 + 2 * jnp.finfo(y.dtype).eps, y.dtype), y)
    return quotient(*jnp.broadcast_arrays(x, y)) if x.dtype == y.dtype == jnp.float16 else x / y


def exact_sum(x: jax.Array, axis: int | tuple[int, ...] | None = None, keepdims: bool = False):
    """The sum over axes in the dtype of x. Half precision is summed in float32: with a `dtype` jnp.sum of 3000 times 0.1 is 299."""
    return jnp.sum(x, axis, keepdims=keepdims, dtype=None if jnp.issubdtype(x.dtype, jnp.floating) else x.dtype)


def exact_mean(x: jax.Array, axis: int | tuple[int, ...] | None = None, keepdims: bool = False):
    """The mean over axes, the sum divided and rounded once: `jnp.mean` of 41 ones is 0.99999994. Half precision is summed in float32."""
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis)
    wide = jnp.promote_types(x.dtype, jnp.float32)
    count = np.asarray(math.prod(x.shape[each] for each in axes), wide)
    return exact_quotient(jnp.sum(x, axis, keepdims=keepdims, dtype=wide), count).astype(x.dtype)

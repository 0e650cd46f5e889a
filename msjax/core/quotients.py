"""A quotient of arrays that XLA rounds once."""

import jax
import jax.numpy as jnp


def exact_quotient(x: jax.Array, y: jax.Array):
    """x / y, rounded once. XLA multiplies by the reciprocal of a y that is one number or a constant: then 1.71875 / 1.71875 is less
    than 1, and its floor 0, and 1 - 3 / 3 is negative where LLVM contracts product and difference. XLA really divides if y depends
    on x, so y is made to depend on x: where x is NaN it is another number, near y, so that the gradient there is that of y, too.
    """
    if (y.size == 1 or not isinstance(y, jax.core.Tracer)) and jnp.issubdtype(x.dtype, jnp.inexact):
        y = jnp.where(x != x, y * jnp.asarray(1 + 2 * jnp.finfo(y.dtype).eps, y.dtype), y)
    return x / y

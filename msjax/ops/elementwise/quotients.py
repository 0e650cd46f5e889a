"""Quotients of arrays, rounded as MindSpore's kernels round them."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.quotients import exact_quotient
from ...core.values.promote import kind_of, number_as


def floor_of_quotient(x: jax.Array, y: jax.Array):
    """floor(x / y) of floats. Up to 32 bits it is the floor of the quotient before it is rounded: 1 // 0.1 is 9 in float32, for 0.1 is
    a little more there. MindSpore's kernels divide in float64, and in float64 they take the floor of the rounded quotient, too.
    """
    quotient = exact_quotient(x, y)
    found = jnp.floor(quotient)
    if x.dtype.itemsize > 4:
        return found
    rest, half = lax.stop_gradient(lax.rem(*jnp.broadcast_arrays(x, y))), lax.stop_gradient(jnp.abs(y) * 0.5)
    above = (
        (quotient == found) & (rest != 0) & (jnp.abs(found) < 1 / jnp.finfo(x.dtype).eps)
    )  # a whole number by rounding alone
    above &= jnp.where(
        found > 0, jnp.abs(rest) > half, (found < 0) & (jnp.abs(rest) < half)
    )  # and the true quotient is less
    return found - above.astype(found.dtype)


def truncated_quotient(x: jax.Array, y: jax.Array):
    """x / y without its fraction."""
    if kind_of(x.dtype) < 2:
        by_zero = number_as(float("nan"), x.dtype)
        return jnp.where(y == 0, by_zero, lax.div(*jnp.broadcast_arrays(x, y)))
    return jnp.trunc(exact_quotient(x, y))


def floor_quotient(x: jax.Array, y: jax.Array):
    """x // y; of bools it is `and`, of integers by 0 the largest or the least number."""
    if kind_of(x.dtype) == 0:
        return x & y
    if kind_of(x.dtype) == 3:  # the floor of the real part
        quotient = lax.real(x / y)
        return jnp.where(y == 0, 0, jnp.floor(quotient)).astype(x.dtype)
    if kind_of(x.dtype) > 1:
        return floor_of_quotient(x, y)
    limits = jnp.iinfo(x.dtype)  # what a number divided by 0 gives
    most, least, none = (jnp.asarray(np.asarray(v, x.dtype)) for v in (limits.max, limits.min, 0))
    at_zero = jnp.where(x > 0, most, jnp.where(x < 0, least, none))
    return jnp.where(y == 0, at_zero, jnp.floor_divide(x, y))


def rest_of(x: jax.Array, quotient: jax.Array, y: jax.Array):
    """x - quotient * y, the product rounded first. LLVM contracts a product and a difference into one rounding; past `abs` it does not."""
    return x - jnp.sign(quotient) * jnp.sign(y) * jnp.abs(quotient * y)


@jax.custom_jvp
def floor_remainder(x: jax.Array, y: jax.Array):
    """x - floor(x / y) * y of floats, exact and then rounded once, as float64 gives it for numbers of 32 bits; NaN where y is infinite.
    Of float64 each step is rounded.
    """
    x, y = jnp.broadcast_arrays(x, y)
    if x.dtype.itemsize > 4:
        return rest_of(x, floor_of_quotient(x, y), y)
    rest = lax.rem(x, y)
    rest = jnp.where((rest != 0) & ((rest < 0) != (y < 0)), rest + y, rest)
    rest = jnp.where(rest == 0, jnp.zeros_like(rest), rest)  # not -0
    return jnp.where(jnp.isinf(y), jnp.asarray(jnp.nan, x.dtype), rest)


@floor_remainder.defjvp
def _floor_remainder_jvp(primals, tangents):
    x, y = primals
    return floor_remainder(x, y), tangents[0] - floor_of_quotient(x, y) * tangents[1]

"""The reals that stand for integers in a gradient, and the cotangents between both."""

import functools
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    import numpy as np


REAL = jnp.float64


def is_inexact(array: jax.Array | jax.core.ShapedArray):
    """Whether an array is floating point (bfloat16 too) or complex."""
    return _inexact(array.dtype)


@functools.cache
def _inexact(dtype):
    return jnp.issubdtype(dtype, jnp.inexact)


def along(pull: Any, outs: Any, tangents: Any):
    """J u of a function with outputs `outs` whose pull is w -> w J: the derivative of the pull, which is linear, in the direction u.

    It needs reverse mode alone. tangents: u, nested as the results of `pull`.
    """
    _, pull_again = jax.vjp(pull, jax.tree.map(jnp.zeros_like, outs))
    return pull_again(tangents)[0]


def is_integral(array: jax.Array | jax.core.ShapedArray):
    """Whether an array holds integers or bools."""
    return jnp.issubdtype(array.dtype, jnp.integer) or array.dtype == jnp.bool_


def as_real(array: Any):
    """The real that represents an integer array; other arrays unchanged."""
    return array.astype(REAL) if is_integral(array) else array


def as_integer(real: jax.Array, dtype: "np.dtype"):
    """An integer (or bool) cotangent from a real one."""
    if dtype == jnp.bool_:
        return real != 0
    return real.astype(jnp.int64).astype(dtype)


@jax.custom_jvp
def with_derivative_of(value: Any, real: jax.Array):
    """`value`, with the derivative of `real`."""
    return value


with_derivative_of.defjvp(lambda primals, tangents: (with_derivative_of(*primals), tangents[1]))


@jax.custom_vjp
def whole(real: jax.Array):
    """Identity with a truncated cotangent, because the cotangent of an integer is an integer."""
    return real


def _whole_backward(_, cotangent):
    return (with_derivative_of(jnp.trunc(cotangent), cotangent),)


whole.defvjp(lambda real: (real, None), _whole_backward)


@jax.custom_vjp
def truth(real: jax.Array):
    """Identity with a bool cotangent: 1 where it is not 0."""
    return real


def _truth_backward(_, cotangent):
    return (with_derivative_of((cotangent != 0).astype(REAL), cotangent),)


truth.defvjp(lambda real: (real, None), _truth_backward)


def conjugate(array: jax.Array):
    """A cotangent in the other convention: MindSpore uses the direction of steepest ascent, JAX its conjugate."""
    return jnp.conj(array) if jnp.iscomplexobj(array) else array

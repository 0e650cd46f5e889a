"""Mathematical functions of two operands: angles, signs, neighbours, sums of exponentials, divisors."""

import math

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Prim, args
from ...core.spec import Array, Operand
from ...core.values.promote import is_scalar, promote, promote_float
from ..dtypes import only


@op(
    prim=Prim("Atan2", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("atan2", "arctan2"),
    tensor=("atan2", "arctan2"),
    mint=("atan2", "arctan2"),
)
def atan2(input: Operand, other: Operand) -> Array:
    """Angle of the point (other, input) in radians, elementwise.

    Example:
        >>> print(ops.atan2(Tensor([0.0, 1.0]), Tensor([1.0, 1.0])))
        [0.        0.7853982]
    """
    return jnp.arctan2(*promote_float(input, other))


@op(prim=Prim("Hypot", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}), ops=True, tensor="hypot")
def hypot(input: Array, other: Array) -> Array:
    """Length of the hypotenuse: sqrt(input ** 2 + other ** 2).

    Example:
        >>> print(ops.hypot(Tensor([3.0]), Tensor([4.0])))
        [5.]
    """
    x, y = promote_float(input, other)
    if jnp.iscomplexobj(x):
        raise TypeError("For 'Hypot', the operands must not be complex.")
    return jnp.hypot(x, y)


@op(ops=True, tensor="copysign")
def copysign(x: Array, other: Operand) -> Array:
    """Magnitude of x with the sign of other; the gradient at 0 is 0.

    Example:
        >>> print(ops.copysign(Tensor([1.0, -2.0]), -3))
        [-1. -2.]
    """
    y = jnp.asarray(other) if is_scalar(other) else other
    x = x if x.dtype.name in ("float16", "float32", "float64") else x.astype(jnp.float32)
    y = y.astype(x.dtype)
    return jnp.where(x == 0, lax.stop_gradient(jnp.copysign(x, y)), jnp.copysign(x, y))


@op(prim=Prim("Heaviside", call=args("x", "values"), to={"x": "input"}), ops=True, tensor="heaviside")
def heaviside(input: Array, values: Array) -> Array:
    """0 where input is negative, 1 where it is positive, and `values` where it is 0.

    Example:
        >>> print(ops.heaviside(Tensor([-1.0, 0.0, 2.0]), Tensor(0.5)))
        [0.  0.5 1. ]
    """
    x, y = promote(input, values)
    return jnp.where(x == 0, y, (x > 0).astype(x.dtype))


@jax.custom_jvp
def _nextafter(x, y):
    return jnp.nextafter(x, y)


@_nextafter.defjvp
def _nextafter_jvp(primals, tangents):
    return _nextafter(*primals), tangents[0]  # a neighbour moves with its number


@op(prim=Prim("NextAfter", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}), ops=True, tensor="nextafter")
def nextafter(input: Array, other: Array) -> Array:
    """The next representable number after input in the direction of other.

    Example:
        >>> print(ops.nextafter(Tensor([0.0]), Tensor([1.0])))
        [1.e-45]
    """
    return _nextafter(*jnp.broadcast_arrays(*promote(input, other)))


@composite(ops=True, tensor="ldexp")
def ldexp(x: Array, other: Array) -> Array:
    """x * 2 ** other, elementwise.

    Example:
        >>> print(ops.ldexp(Tensor([1.0]), Tensor([3])))
        [8.]
    """
    return records["mul"](x, records["pow"](2.0, other))


def _by_shares(fn, base):
    """log(base^x + base^y) whose gradients are the shares of both, from their difference: JAX takes them from the rounded result."""
    made = jax.custom_jvp(fn)

    @made.defjvp
    def jvp(primals, tangents):
        x, y = primals
        share = jnp.where(x == y, 0.5, lax.logistic(math.log(base) * (x - y))).astype(jnp.result_type(x, y))
        return made(x, y), share * tangents[0] + (1 - share) * tangents[1]

    def chosen(x, y):
        return made(x, y) if jnp.issubdtype(jnp.result_type(x, y), jnp.inexact) else fn(x, y)

    return chosen


log_add_exp, log_add_exp2 = _by_shares(jnp.logaddexp, math.e), _by_shares(jnp.logaddexp2, 2)


@op(ops=True, tensor="logaddexp", mint="logaddexp")
def logaddexp(input: Array, other: Array) -> Array:
    """log(exp(input) + exp(other)), without overflow.

    Example:
        >>> print(ops.logaddexp(Tensor([1.0]), Tensor([2.0])))
        [2.3132617]
    """
    return log_add_exp(*promote(input, other))


@op(ops=True, tensor="logaddexp2", mint="logaddexp2")
def logaddexp2(input: Array, other: Array) -> Array:
    """log2(2 ** input + 2 ** other), without overflow.

    Example:
        >>> print(ops.logaddexp2(Tensor([1.0]), Tensor([2.0])))
        [2.5849624]
    """
    return log_add_exp2(*promote(input, other))


@op(prim=Prim("Gcd", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}), ops=True, tensor="gcd", mint="gcd")
def gcd(input: Array, other: Array) -> Array:
    """Greatest common divisor of integers, elementwise.

    Example:
        >>> print(ops.gcd(Tensor([12]), Tensor([18])))
        [6]
    """
    x1, x2 = promote(input, other)
    only("Gcd", "int16 int32 int64", x1=x1, x2=x2)
    return jnp.gcd(x1, x2)


@op(prim=Prim("Lcm", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}), ops=True, tensor="lcm")
def lcm(input: Array, other: Array) -> Array:
    """Least common multiple of integers, elementwise.

    Example:
        >>> print(ops.lcm(Tensor([4]), Tensor([6])))
        [12]
    """
    x1, x2 = promote(input, other)
    only("Lcm", "int32 int64", x1=x1, x2=x2)
    return jnp.lcm(x1, x2)

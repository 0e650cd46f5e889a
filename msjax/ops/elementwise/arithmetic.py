"""Arithmetic of two and three operands, with MindSpore's implicit type conversion."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.values.promote import (
    cast,
    is_scalar,
    kind_of,
    promote,
    promote_float,
    promote_product,
    promote_quotient,
    result_dtype,
)
from ...core.values.tensor import Tensor


def _scaled(y, alpha):
    if isinstance(alpha, (int, float)) and alpha == 1:
        return y
    if isinstance(alpha, float) and kind_of(y.dtype) < 2:
        raise TypeError(f"For 'add' and 'sub' of integers, the 'alpha' must be an int, but got {alpha}.")
    return y * cast(alpha, y.dtype)


@op(
    prim=("Add()(x, y)", "TensorAdd()(x, y)"),
    ops=("add(input, other)", "tensor_add(input, other)"),
    tensor=(
        "add(other, *, alpha=1)",
        "__add__(other, *, alpha=1)",
        "reflected __radd__",
        "__iadd__(other, *, alpha=1)",
    ),
    mint="add(input, other, *, alpha=1)",
)
def add(input, other, alpha=1):
    """Sum of two Tensors, or of a Tensor and a number, elementwise with broadcasting: input + alpha * other.

    Example:
        >>> ops.add(Tensor([1.0, 2.0]), 3)
    """
    x, y = promote(input, other)
    if x.dtype == bool:
        return x | y
    return x + _scaled(y, alpha)


@op(
    prim="Sub()(x, y)",
    ops=("sub(input, other)", "subtract(input, other, *, alpha=1)", "tensor_sub(input, other)"),
    tensor=(
        "sub(other, *, alpha=1)",
        "subtract(other, *, alpha=1)",
        "__sub__(other, *, alpha=1)",
        "reflected __rsub__",
        "__isub__(other, *, alpha=1)",
    ),
    mint="sub(input, other, *, alpha=1)",
)
def sub(input, other, alpha=1):
    """Difference of two Tensors, elementwise with broadcasting: input - alpha * other.

    Example:
        >>> ops.sub(Tensor([1.0, 2.0]), 3)
    """
    x, y = promote(input, other)
    if x.dtype == bool:
        return x ^ y
    return x - _scaled(y, alpha)


@op(
    prim="Mul()(x, y)",
    ops=("mul", "multiply", "tensor_mul", "tensor_muls"),
    tensor=("mul(other)", "multiply(value)", "__mul__(other)", "reflected __rmul__", "__imul__(other)"),
    mint="mul",
)
def mul(input, other):
    """Product of two Tensors, elementwise with broadcasting.

    Example:
        >>> ops.mul(Tensor([1.0, 2.0]), Tensor([4.0, 5.0]))
    """
    x, y = promote_product(input, other)
    return x & y if x.dtype == bool else x * y


@op(
    prim="Div()(x, y)",
    tensor=(
        "div(other, *, rounding_mode=None)",
        "divide(other, *, rounding_mode=None)",
        "true_divide(other)",
        "__truediv__(other)",
        "reflected __rtruediv__",
        "__itruediv__(other)",
    ),
    mint=("div(input, other, *, rounding_mode=None)", "divide(input, other, *, rounding_mode=None)"),
    ops=(
        "div(input, other, *, rounding_mode=None)",
        "divide(input, other, *, rounding_mode=None)",
        "true_divide(dividend, divisor)",
    ),
)
def div(input, other, rounding_mode=None):
    """Quotient of two Tensors, elementwise; `rounding_mode` is None (true division; integers give float32), "floor" or
    "trunc".

    Raises:
        ValueError: another rounding_mode.

    Example:
        >>> ops.div(Tensor([7.0, -7.0]), 2, rounding_mode="floor")
    """
    if rounding_mode not in (None, "floor", "trunc"):
        raise ValueError(f"For 'div', the rounding_mode must be None, 'floor' or 'trunc', but got {rounding_mode}.")
    if rounding_mode is None:
        return exact_quotient(*promote_quotient(input, other))
    x, y = promote(input, other)
    if rounding_mode == "floor":
        return _floor_quotient(x, y)
    return _truncated_quotient(x, y)


def exact_quotient(x, y):
    """x / y, rounded once. XLA multiplies by the reciprocal of a y that is one number: then 1.71875 / 1.71875 is less than 1, and
    its floor 0. A divisor that depends on x, if only where x is NaN, it leaves alone.
    """
    if y.size == 1 and x.size > 1 and jnp.issubdtype(x.dtype, jnp.inexact):
        y = jnp.where(x != x, lax.stop_gradient(x), y)
    return x / y


def _truncated_quotient(x, y):
    if kind_of(x.dtype) < 2:
        return lax.div(*jnp.broadcast_arrays(x, y))
    return jnp.trunc(exact_quotient(x, y))


def _floor_quotient(x, y):
    if kind_of(x.dtype) == 0:
        return x & y
    return jnp.floor_divide(x, y) if kind_of(x.dtype) < 2 else jnp.floor(exact_quotient(x, y))


@op(name="real_div", prim="RealDiv()(x, y)", ops="tensor_div(x, y)")
def real_div(x, y):
    """Quotient of two Tensors, elementwise; that of two integer Tensors is an integer, rounded towards zero."""
    x, y = promote(x, y)
    return _truncated_quotient(x, y) if kind_of(x.dtype) < 2 else exact_quotient(x, y)


@op(
    prim="FloorDiv()(x, y)",
    ops=("floor_divide(input, other)", "floor_div(x, y)", "floordiv(input, other)", "tensor_floordiv(x, y)"),
    tensor=("floor_divide(other)", "__floordiv__(other)", "reflected __rfloordiv__", "__ifloordiv__(other)"),
    mint="floor_divide(input, other)",
)
def floor_divide(input, other):
    """Quotient rounded down to an integer; the dtype is that of the operands.

    Example:
        >>> ops.floor_divide(Tensor([7, -7]), 2)
    """
    return _floor_quotient(*promote(input, other))


@op(
    prim="FloorMod()(x, y)",
    ops=("remainder(input, other)", "floor_mod(x, y)", "floormod(x, y)", "tensor_mod(x, y)"),
    tensor=("remainder(other)", "__mod__(other)", "reflected __rmod__", "__imod__(other)"),
    mint="remainder(input, other)",
)
def remainder(input, other):
    """Remainder of the division rounded down: it has the sign of the divisor.

    Example:
        >>> ops.remainder(Tensor([7, -7]), 3)
    """
    x, y = promote(input, other)
    if kind_of(x.dtype) < 2:
        return jnp.remainder(x, y)
    return x - jnp.floor(exact_quotient(x, y)) * y


@op(
    prim=("TruncateMod()(x, y)", "Mod()(x, y)"),
    ops=("fmod(input, other)", "truncate_mod(x, y)"),
    tensor="fmod(other)",
    mint="fmod(input, other)",
)
def fmod(input, other):
    """Remainder of the division rounded towards zero: it has the sign of the dividend.

    Example:
        >>> ops.fmod(Tensor([7.0, -7.0]), 3)
    """
    x, y = promote(input, other)
    return lax.rem(*jnp.broadcast_arrays(x, y))


@op(prim="TruncateDiv()(x, y)", ops="truncate_div(x, y)")
def truncate_div(x, y):
    """Quotient rounded towards zero.

    Example:
        >>> ops.truncate_div(Tensor([7, -7]), Tensor([2, 2]))
    """
    return _truncated_quotient(*promote(x, y))


@op(name="power", ops=False)
def power(input, exponent):
    """input to the power of exponent, elementwise."""
    x, y = promote(input, exponent)
    if kind_of(x.dtype) == 1 and x.dtype.kind == "i":
        return jnp.where(y < 0, _inverse_power(x, y), jnp.power(x, jnp.maximum(y, 0)))
    if x.dtype == bool:
        return x | ~y
    return jnp.power(x, y)


@op(name="whole_power", ops=False, operands=("input",))
def whole_power(input, exponent):
    """input to the power of a whole number: repeated products, so that all derivatives exist at 0 too."""
    x = cast(input, result_dtype(input, exponent))
    return lax.integer_pow(x, int(exponent)) if kind_of(x.dtype) > 1 else power(x, cast(exponent, x.dtype))


_power, _whole_power = records["power"], records["whole_power"]


@composite(
    prim="Pow()(x, y)",
    ops=("pow(input, exponent)", "tensor_pow(input, exponent)", "pows(input, exponent)"),
    tensor=("pow(exponent)", "__pow__(exponent)", "reflected __rpow__", "__ipow__(exponent)"),
    mint="pow(input, exponent)",
)
def pow(input, exponent):
    """input to the power of exponent, elementwise.

    Example:
        >>> ops.pow(Tensor([1.0, 2.0, 3.0]), 3)
    """
    is_whole = type(exponent) in (int, float) and -32 <= exponent <= 32 and exponent == int(exponent)
    if is_whole and isinstance(input, Tensor):
        return _whole_power(input, exponent)
    return _power(input, exponent)


def _inverse_power(x, y):
    """Integers to negative powers, rounded towards zero."""
    return jnp.where(x == 1, 1, jnp.where(x == -1, jnp.where(y % 2 == 0, 1, -1), 0)).astype(x.dtype)


@op(
    ops=("float_power(input, exponent)", "float_power_ext(input, exponent)"),
    tensor="float_power(other)",
    mint="float_power(input, exponent)",
)
def float_power(input, exponent):
    """input to the power of exponent, computed in float64 (complex128 for complex operands).

    Example:
        >>> ops.float_power(Tensor([1, 2, 3]), 2)
    """
    dtype = result_dtype(input, exponent)
    dtype = np.dtype(np.complex128 if kind_of(dtype) == 3 else np.float64)
    return jnp.power(cast(input, dtype), cast(exponent, dtype))


@op(prim="Maximum()(x, y)", ops="maximum(input, other)", tensor="maximum(other)", mint="maximum(input, other)")
def maximum(input, other):
    """The larger of two Tensors, elementwise.

    Example:
        >>> ops.maximum(Tensor([1.0, 5.0]), Tensor([4.0, 2.0]))
    """
    x, y = promote(input, other)
    return jnp.maximum(x, y)


@op(prim="Minimum()(x, y)", ops="minimum(input, other)", tensor="minimum(other)", mint="minimum(input, other)")
def minimum(input, other):
    """The smaller of two Tensors, elementwise.

    Example:
        >>> ops.minimum(Tensor([1.0, 5.0]), Tensor([4.0, 2.0]))
    """
    x, y = promote(input, other)
    return jnp.minimum(x, y)


@op(prim="Fmax()(x1, x2)", ops="fmax(input, other)", tensor="fmax(other)")
def fmax(input, other):
    """The larger of two Tensors, elementwise; where one is NaN, the other.

    Example:
        >>> ops.fmax(Tensor([1.0, float("nan")]), Tensor([4.0, 2.0]))
    """
    return jnp.fmax(*promote(input, other))


@op(prim="Fmin()(x1, x2)", ops="fmin(input, other)", tensor="fmin(other)")
def fmin(input, other):
    """The smaller of two Tensors, elementwise; where one is NaN, the other.

    Example:
        >>> ops.fmin(Tensor([1.0, float("nan")]), Tensor([4.0, 2.0]))
    """
    return jnp.fmin(*promote(input, other))


@op(prim="DivNoNan()(x1, x2)", ops="div_no_nan(x1, x2)")
def div_no_nan(input, other):
    """Quotient, and 0 where the divisor is 0.

    Example:
        >>> ops.DivNoNan()(Tensor([1.0, 2.0]), Tensor([0.0, 2.0]))
    """
    x, y = promote(input, other)
    safe = jnp.where(y == 0, jnp.ones_like(y), y)
    quotient = _truncated_quotient(x, safe) if kind_of(x.dtype) < 2 else x / safe
    return jnp.where(y == 0, jnp.zeros_like(quotient), quotient)


@op(prim="MulNoNan()(x, y)", ops=False)
def mul_no_nan(x, y):
    """Product, and 0 where the second factor is 0, whatever the first is."""
    x, y = promote(x, y)
    return jnp.where(y == 0, jnp.zeros_like(y), x * y)


@op(prim="SquaredDifference()(x, y)", ops=False)
def squared_difference(x, y):
    """Square of the difference, elementwise."""
    x, y = promote(x, y)
    d = x - y
    return d * jnp.conj(d) if jnp.iscomplexobj(d) else lax.square(d)


@op(prim="Xdivy()(x, y)", ops="xdivy(x, y)", tensor="xdivy(y)")
def xdivy(x, y):
    """x / y, and 0 where x is 0.

    Example:
        >>> ops.xdivy(Tensor([0.0, 2.0]), Tensor([0.0, 4.0]))
    """
    x, y = promote_float(x, y)
    return jnp.where(x == 0, jnp.zeros_like(x), x / jnp.where(x == 0, jnp.ones_like(y), y))


@op(prim="Xlogy()(x, y)", ops="xlogy(input, other)", tensor="xlogy(other)", mint="xlogy(input, other)")
def xlogy(input, other):
    """input * log(other), and 0 where input is 0.

    Example:
        >>> ops.xlogy(Tensor([0.0, 2.0]), Tensor([0.0, 4.0]))
    """
    x, y = promote_float(input, other)
    return jnp.where(x == 0, jnp.zeros_like(x), x * jnp.log(jnp.where(x == 0, jnp.ones_like(y), y)))


@op(
    prim=("Lerp()(start, end, weight)", "LerpScalar()(start, end, weight)"),
    ops="lerp(input, end, weight)",
    tensor="lerp(end, weight)",
    mint="lerp(input, end, weight)",
)
def lerp(input, end, weight):
    """Linear interpolation: input + weight * (end - input).

    Example:
        >>> ops.lerp(Tensor([1.0, 2.0]), Tensor([3.0, 6.0]), 0.5)
    """
    return input + cast(weight, input.dtype) * (end - input)


@op(
    prim="Addcdiv()(input, tensor1, tensor2, value)",
    ops="addcdiv(input, tensor1, tensor2, value=1)",
    tensor="addcdiv(tensor1, tensor2, value=1)",
    mint="addcdiv(input, tensor1, tensor2, *, value=1)",
    operands=("input", "tensor1", "tensor2", "value"),
)
def addcdiv(input, tensor1, tensor2, value=1):
    """input + value * tensor1 / tensor2, elementwise with broadcasting.

    Example:
        >>> ops.addcdiv(Tensor([1.0]), Tensor([3.0]), Tensor([2.0]), 0.5)
    """
    x, a, b = promote_float(input, tensor1, tensor2)
    return x + cast(value, x.dtype) * (a / b)


@op(
    prim="Addcmul()(input, tensor1, tensor2, value)",
    ops="addcmul(input, tensor1, tensor2, value=1)",
    tensor="addcmul(tensor1, tensor2, value=1)",
    mint="addcmul(input, tensor1, tensor2, *, value=1)",
    operands=("input", "tensor1", "tensor2", "value"),
)
def addcmul(input, tensor1, tensor2, value=1):
    """input + value * tensor1 * tensor2, elementwise with broadcasting.

    Example:
        >>> ops.addcmul(Tensor([1.0]), Tensor([3.0]), Tensor([2.0]), 0.5)
    """
    x, a, b = promote(input, tensor1, tensor2)
    return x + cast(value, x.dtype) * (a * b)


@op(prim=("AddN()(x)", "AccumulateNV2()(x)"), ops=("addn(x)", "accumulate_n(x)"), operands=())
def addn(x):
    """Sum of the Tensors of a list or tuple.

    Example:
        >>> ops.addn([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])])
    """
    tensors = x if isinstance(x, (list, tuple)) else [x]
    if not tensors:
        raise ValueError("For 'AddN', the length of 'x' must be greater than 0, but got 0.")
    total = tensors[0]
    for t in tensors[1:]:
        total = add(total, t)
    return total


@op(
    prim="Atan2()(x, y)",
    ops=("atan2(input, other)", "arctan2(input, other)"),
    tensor=("atan2(other)", "arctan2(other)"),
    mint=("atan2(input, other)", "arctan2(input, other)"),
)
def atan2(input, other):
    """Angle of the point (other, input) in radians, elementwise.

    Example:
        >>> ops.atan2(Tensor([0.0, 1.0]), Tensor([1.0, 1.0]))
    """
    return jnp.arctan2(*promote_float(input, other))


@op(prim="Hypot()(x1, x2)", ops="hypot(input, other)", tensor="hypot(other)")
def hypot(input, other):
    """Length of the hypotenuse: sqrt(input ** 2 + other ** 2).

    Example:
        >>> ops.hypot(Tensor([3.0]), Tensor([4.0]))
    """
    x, y = promote_float(input, other)
    if jnp.iscomplexobj(x):
        raise TypeError("For 'Hypot', the operands must not be complex.")
    return jnp.hypot(x, y)


@op(ops="copysign(x, other)", tensor="copysign(other)")
def copysign(x, other):
    """Magnitude of x with the sign of other.

    Example:
        >>> ops.copysign(Tensor([1.0, -2.0]), -3)
    """
    y = jnp.asarray(other) if is_scalar(other) else other
    x = x if kind_of(x.dtype) > 1 else x.astype(jnp.float32)
    return jnp.copysign(x, y.astype(x.dtype))


@op(prim="Heaviside()(x, values)", ops="heaviside(input, values)", tensor="heaviside(values)")
def heaviside(input, values):
    """0 where input is negative, 1 where it is positive, and `values` where it is 0.

    Example:
        >>> ops.heaviside(Tensor([-1.0, 0.0, 2.0]), Tensor(0.5))
    """
    x, y = promote(input, values)
    return jnp.where(x == 0, y, (x > 0).astype(x.dtype))


@jax.custom_jvp
def _nextafter(x, y):
    return jnp.nextafter(x, y)


@_nextafter.defjvp
def _nextafter_jvp(primals, tangents):
    return _nextafter(*primals), tangents[0]  # a neighbour moves with its number


@op(prim="NextAfter()(x1, x2)", ops="nextafter(input, other)", tensor="nextafter(other)")
def nextafter(input, other):
    """The next representable number after input in the direction of other.

    Example:
        >>> ops.nextafter(Tensor([0.0]), Tensor([1.0]))
    """
    return _nextafter(*jnp.broadcast_arrays(*promote(input, other)))


@op(ops="ldexp(x, other)", tensor="ldexp(other)")
def ldexp(x, other):
    """x * 2 ** other, elementwise.

    Example:
        >>> ops.ldexp(Tensor([1.0]), Tensor([3]))
    """
    x, y = promote_float(x, other)
    return x * jnp.exp2(y)


@op(ops="logaddexp(input, other)", tensor="logaddexp(other)", mint="logaddexp(input, other)")
def logaddexp(input, other):
    """log(exp(input) + exp(other)), without overflow.

    Example:
        >>> ops.logaddexp(Tensor([1.0]), Tensor([2.0]))
    """
    return jnp.logaddexp(*promote(input, other))


@op(ops="logaddexp2(input, other)", tensor="logaddexp2(other)", mint="logaddexp2(input, other)")
def logaddexp2(input, other):
    """log2(2 ** input + 2 ** other), without overflow.

    Example:
        >>> ops.logaddexp2(Tensor([1.0]), Tensor([2.0]))
    """
    return jnp.logaddexp2(*promote(input, other))


@op(prim="Gcd()(x1, x2)", ops="gcd(input, other)", tensor="gcd(other)", mint="gcd(input, other)")
def gcd(input, other):
    """Greatest common divisor of integers, elementwise.

    Example:
        >>> ops.gcd(Tensor([12]), Tensor([18]))
    """
    return jnp.gcd(*promote(input, other))


@op(prim="Lcm()(x1, x2)", ops="lcm(input, other)", tensor="lcm(other)")
def lcm(input, other):
    """Least common multiple of integers, elementwise.

    Example:
        >>> ops.lcm(Tensor([4]), Tensor([6]))
    """
    return jnp.lcm(*promote(input, other))

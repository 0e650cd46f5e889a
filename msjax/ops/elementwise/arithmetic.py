"""Arithmetic of two and three operands, with MindSpore's implicit type conversion."""

import functools
import numbers
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.quotients import exact_quotient
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, Reflected, args
from ...core.program.halves import in_float32
from ...core.spec import Array, Arrays, Number, Operand
from ...core.spec.rules import AsValue
from ...core.values import dtype as mstype
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
from ..dtypes import floats_only, rounded_once
from ..shapes import same_shape
from .quotients import floor_quotient, floor_remainder, rest_of, truncated_quotient


def _scaled(y, alpha):
    if isinstance(alpha, numbers.Real) and alpha == 1:
        return y
    if isinstance(alpha, numbers.Real) and not isinstance(alpha, numbers.Integral) and kind_of(y.dtype) < 2:
        raise TypeError(f"For 'add' and 'sub' of integers, the 'alpha' must be an int, but got {alpha}.")
    return y * cast(alpha, y.dtype)


@op(
    prim=(
        Prim("Add", call=args("x", "y"), to={"x": "input", "y": "other"}),
        Prim("TensorAdd", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ),
    ops=(Face("add", args("input", "other")), Face("tensor_add", args("input", "other"))),
    tensor=(
        Method("add", args("other").only(alpha=1)),
        Method("__add__", args("other").only(alpha=1)),
        Reflected("__radd__"),
        Method("__iadd__", args("other").only(alpha=1)),
    ),
    mint=Face("add", args("input", "other").only(alpha=1)),
)
def add(input: Operand, other: Operand, alpha: Number = 1) -> Array:
    """Sum of two Tensors, or of a Tensor and a number, elementwise with broadcasting: input + alpha * other.

    Example:
        >>> print(ops.add(Tensor([1.0, 2.0]), 3))
        [4. 5.]
    """
    x, y = promote(input, other)
    if x.dtype == bool:
        return x | y
    return x + _scaled(y, alpha)


@op(
    prim=Prim("Sub", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=(Face("sub", args("input", "other")), Face("tensor_sub", args("input", "other"))),
    tensor=(
        Method("sub", args("other").only(alpha=1)),
        Method("subtract", args("other", alpha=1)),
        Method("__sub__", args("other").only(alpha=1)),
        Reflected("__rsub__"),
        Method("__isub__", args("other").only(alpha=1)),
    ),
    mint=Face("sub", args("input", "other").only(alpha=1)),
)
def sub(input: Operand, other: Operand, alpha: Number = 1) -> Array:
    """Difference of two Tensors, elementwise with broadcasting: input - alpha * other.

    Example:
        >>> print(ops.sub(Tensor([1.0, 2.0]), 3))
        [-2. -1.]
    """
    x, y = promote(input, other)
    if x.dtype == bool:
        return x ^ y
    return x - _scaled(y, alpha)


@composite(ops=Face("subtract", args("input", "other").only(alpha=1)), name="subtract")
def subtract(input: Operand, other: Operand, alpha: Number = 1):
    """input - alpha * other, elementwise with broadcasting. The product is computed first, in a dtype of its own: of bools in int64.

    Example:
        >>> print(ops.subtract(Tensor([4.0, 5.0]), Tensor([1.0, 2.0]), alpha=2))
        [2. 1.]
    """
    whole = isinstance(alpha, int) and alpha == 1
    if not whole or isinstance(other, Tensor) and other.dtype == mstype.bool_:
        other = records["mul"](other, alpha)
    return records["sub"](input, other, 1)


# The functions `mul` and `div` and their Primitives take a number beside a float16 Tensor as it is, and round the result alone. The operators
# of Python, most methods and `mint` round the number first. `unrounded` of the records says which; no face has it as a parameter.
_BOTH, _UNROUNDED = args("input", "other"), {"unrounded": True}


@op(
    prim=Prim("Mul", call=args("x", "y"), to={"x": "input", "y": "other"}, fixed=_UNROUNDED),
    ops=tuple(Face(name, _BOTH, fixed=_UNROUNDED) for name in ("mul", "multiply", "tensor_mul", "tensor_muls")),
    tensor=(
        Method("mul", args("other")),
        Method("multiply", args("value"), to={"value": "other"}, fixed=_UNROUNDED),
        Method("__mul__", args("other")),
        Reflected("__rmul__", args("other")),
        Method("__imul__", args("other")),
    ),
    mint=Face("mul", _BOTH),
)
def mul(input: Operand, other: Operand, unrounded: bool = False) -> Array:
    """Product of two Tensors, elementwise with broadcasting.

    Example:
        >>> print(ops.mul(Tensor([1.0, 2.0]), Tensor([4.0, 5.0])))
        [ 4. 10.]
    """
    half = _beside_half(input, other, unrounded)
    if half is not None:
        return (cast(input, _WIDE) * cast(other, _WIDE)).astype(half)
    x, y = promote_product(input, other)
    return x & y if x.dtype == bool else x * y


_WIDE = np.dtype(np.float32)


def _truncated(input, other, unrounded, x, y):
    """The quotient of x and y, the promoted operands, rounded towards zero; of a half and a number that is not rounded it is a half first."""
    half = _beside_half(input, other, unrounded)
    return truncated_quotient(x, y) if half is None else jnp.trunc(div(input, other, unrounded=True))


def _beside_half(x, y, numbers):
    """The dtype of float16 or bfloat16 beside a float32 Tensor without axes, or a Python float if `numbers`; None of others.

    MindSpore's kernels take that operand as it is, and round the result alone.
    """
    for one, other in ((x, y), (y, x)):
        if is_scalar(other) or not getattr(other, "ndim", 0) or other.dtype not in (jnp.float16, jnp.bfloat16):
            continue
        if is_scalar(one):
            number = numbers and np.result_type(one).kind == "f"
        else:
            number = getattr(one, "ndim", 1) == 0 and one.dtype == _WIDE
        if number:
            return other.dtype
    return None


@op(
    prim=Prim("Div", call=args("x", "y"), to={"x": "input", "y": "other"}, fixed=_UNROUNDED),
    tensor=(
        Method("div", args("other").only(rounding_mode=None)),
        Method("divide", args("other").only(rounding_mode=None)),
        Method("true_divide", args("other"), fixed=_UNROUNDED),
        Method("__truediv__", args("other")),
        Reflected("__rtruediv__", args("other")),
        Method("__itruediv__", args("other")),
    ),
    mint=(
        Face("div", args("input", "other").only(rounding_mode=None)),
        Face("divide", args("input", "other").only(rounding_mode=None)),
    ),
    ops=(
        Face("div", args("input", "other").only(rounding_mode=None), fixed=_UNROUNDED),
        Face("divide", args("input", "other").only(rounding_mode=None), fixed=_UNROUNDED),
        Face(
            "true_divide", args("dividend", "divisor"), to={"divisor": "other", "dividend": "input"}, fixed=_UNROUNDED
        ),
    ),
)
def div(
    input: Operand,
    other: Operand,
    rounding_mode: AsValue[Literal["floor", "trunc"] | None] = None,
    unrounded: bool = False,
) -> Array:
    """Quotient of two Tensors, elementwise; `rounding_mode` is None (true division; integers give float32), "floor" or
    "trunc".

    Raises:
        ValueError: another rounding_mode.

    Example:
        >>> print(ops.div(Tensor([7.0, -7.0]), 2, rounding_mode="floor"))
        [ 3. -4.]
    """
    if rounding_mode is None:
        half = _beside_half(input, other, unrounded)
        if half is not None:
            return exact_quotient(cast(input, _WIDE), cast(other, _WIDE)).astype(half)
        return exact_quotient(*promote_quotient(input, other))
    x, y = promote(input, other)
    if rounding_mode == "floor":
        return floor_quotient(x, y)
    return _truncated(input, other, unrounded, x, y)


@op(name="real_div", prim=Prim("RealDiv"), ops="tensor_div")
def real_div(x: Operand, y: Operand) -> Array:
    """Quotient of two Tensors, elementwise; that of two integer Tensors is an integer, rounded towards zero."""
    x, y = promote(x, y)
    return truncated_quotient(x, y) if kind_of(x.dtype) < 2 else exact_quotient(x, y)


@op(
    prim=Prim("FloorDiv", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=(
        "floor_divide",
        Face("floor_div", args("x", "y"), to={"x": "input", "y": "other"}),
        "floordiv",
        Face("tensor_floordiv", args("x", "y"), to={"x": "input", "y": "other"}),
    ),
    tensor=("floor_divide", "__floordiv__", Reflected("__rfloordiv__"), "__ifloordiv__"),
    mint="floor_divide",
)
def floor_divide(input: Operand, other: Operand) -> Array:
    """Quotient rounded down to an integer; the dtype is that of the operands.

    Example:
        >>> print(ops.floor_divide(Tensor([7, -7]), 2))
        [ 3 -4]
    """
    return floor_quotient(*promote(input, other))


@op(
    prim=Prim("FloorMod", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=(
        Face("floor_mod", args("x", "y"), to={"x": "input", "y": "other"}),
        Face("floormod", args("x", "y"), to={"x": "input", "y": "other"}),
        Face("tensor_mod", args("x", "y"), to={"x": "input", "y": "other"}),
    ),
    tensor=("__mod__", Reflected("__rmod__"), "__imod__"),
)
def floor_mod(input: Operand, other: Operand) -> Array:
    """Remainder of the division rounded down: it has the sign of the divisor. That of floats is exact, and then rounded once.

    Example:
        >>> print(ops.floor_mod(Tensor([7, -7]), 3))
        [1 2]
    """
    x, y = promote(input, other)
    return floor_remainder(x, y) if kind_of(x.dtype) == 2 else _whole_remainder(x, y)


def _whole_remainder(x, y):
    if kind_of(x.dtype) == 0:
        return x & ~y
    if kind_of(x.dtype) == 1:
        return jnp.where(y == 0, x, jnp.remainder(x, y))
    return x - floor_quotient(x, y) * y


@op(ops="remainder", tensor="remainder", mint="remainder")
def remainder(input: Operand, other: Operand) -> Array:
    """input - input // other * other: it has the sign of the divisor. Each of the three steps is rounded.

    Example:
        >>> print(ops.remainder(Tensor([7, -7]), 3))
        [1 2]
    """
    x, y = promote(input, other)
    return rest_of(x, floor_quotient(x, y), y) if kind_of(x.dtype) == 2 else _whole_remainder(x, y)


@op(
    prim=(
        Prim("TruncateMod", call=args("x", "y"), to={"x": "input", "y": "other"}),
        Prim("Mod", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ),
    ops=Face("truncate_mod", args("x", "y"), to={"x": "input", "y": "other"}),
)
def truncate_mod(input: Operand, other: Operand) -> Array:
    """Remainder of the division rounded towards zero: it has the sign of the dividend.

    Example:
        >>> print(ops.truncate_mod(Tensor([7.0, -7.0]), Tensor([3.0])))
        [ 1. -1.]
    """
    x, y = promote(input, other)
    return x & ~y if kind_of(x.dtype) == 0 else lax.rem(*jnp.broadcast_arrays(x, y))


@op(ops="fmod", tensor="fmod", mint="fmod")
def fmod(input: Operand, other: Operand) -> Array:
    """Remainder of the division rounded towards zero, with the sign of the dividend: of floats input - trunc(input / other) * other,
    each step rounded. A Tensor `other` without axes counts as a number.

    Example:
        >>> print(ops.fmod(Tensor([7.0, -7.0]), 3))
        [ 1. -1.]
    """
    if jnp.ndim(input) and not jnp.ndim(other) and not is_scalar(other):
        number = (False, 0, 0.0, 0j)[kind_of(other.dtype)]
        other = other.astype(result_dtype(input, number))
    x, y = promote(input, other)
    return rest_of(x, _truncated(input, other, True, x, y), y) if kind_of(x.dtype) == 2 else truncate_mod(x, y)


@op(prim=Prim("TruncateDiv"), ops=True)
def truncate_div(x: Operand, y: Operand) -> Array:
    """Quotient rounded towards zero.

    Example:
        >>> print(ops.truncate_div(Tensor([7, -7]), Tensor([2, 2])))
        [ 3 -3]
    """
    return truncated_quotient(*promote(x, y))


@op(name="power", ops=False)
def power(input: Array, exponent: Operand):
    """input to the power of exponent, elementwise."""
    x, y = promote(input, exponent)
    if kind_of(x.dtype) == 1 and x.dtype.kind == "i":
        return jnp.where(y < 0, _inverse_power(x, y), jnp.power(x, jnp.maximum(y, 0)))
    if x.dtype == bool:
        return x | ~y
    return jnp.power(x, y)


@op(name="whole_power", ops=False)
def whole_power(input: Array, exponent: Any):
    """input to the power of a whole number: repeated products, so that all derivatives exist at 0 too."""
    x = cast(input, result_dtype(input, exponent))
    return _integer_power(x, int(exponent)) if kind_of(x.dtype) > 1 else power(x, cast(exponent, x.dtype))


_integer_power = rounded_once(lax.integer_pow)  # 300 ** -2 of float16 is not 0, though 300 ** 2 is infinite there


_power, _whole_power = records["power"], records["whole_power"]


@composite(
    prim=Prim("Pow", call=args("x", "y"), to={"x": "input", "y": "exponent"}),
    ops=("pow", "tensor_pow", "pows"),
    tensor=("pow", "__pow__", Reflected("__rpow__"), "__ipow__"),
    mint="pow",
)
def pow(input: Any, exponent: Any) -> Array:
    """input to the power of exponent, elementwise.

    Example:
        >>> print(ops.pow(Tensor([1.0, 2.0, 3.0]), 3))
        [ 1.  8. 27.]
    """
    is_whole = type(exponent) in (int, float) and -32 <= exponent <= 32 and exponent == int(exponent)
    if is_whole and isinstance(input, Tensor):
        return _whole_power(input, exponent)
    return _power(input, exponent)


def _inverse_power(x, y):
    """Integers to negative powers, rounded towards zero."""
    return jnp.where(x == 1, 1, jnp.where(x == -1, jnp.where(y % 2 == 0, 1, -1), 0)).astype(x.dtype)


@op(
    ops=("float_power", "float_power_ext"),
    tensor=Method("float_power", args("other"), to={"other": "exponent"}),
    mint="float_power",
)
def float_power(input: Operand, exponent: Operand) -> Array:
    """input to the power of exponent, computed in float64 (complex128 for complex operands).

    Example:
        >>> print(ops.float_power(Tensor([1, 2, 3]), 2))
        [1. 4. 9.]
    """
    dtype = result_dtype(input, exponent)
    dtype = np.dtype(np.complex128 if kind_of(dtype) == 3 else np.float64)
    return jnp.power(cast(input, dtype), cast(exponent, dtype))


@op(
    prim=Prim("Maximum", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor="maximum",
    mint="maximum",
)
def maximum(input: Operand, other: Operand) -> Array:
    """The larger of two Tensors, elementwise.

    Example:
        >>> print(ops.maximum(Tensor([1.0, 5.0]), Tensor([4.0, 2.0])))
        [4. 5.]
    """
    x, y = promote(input, other)
    return jnp.maximum(x, y)


@op(
    prim=Prim("Minimum", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor="minimum",
    mint="minimum",
)
def minimum(input: Operand, other: Operand) -> Array:
    """The smaller of two Tensors, elementwise.

    Example:
        >>> print(ops.minimum(Tensor([1.0, 5.0]), Tensor([4.0, 2.0])))
        [1. 2.]
    """
    x, y = promote(input, other)
    return jnp.minimum(x, y)


@op(prim=Prim("Fmax", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}), ops=True, tensor="fmax")
def fmax(input: Array, other: Array) -> Array:
    """The larger of two Tensors, elementwise; where one is NaN, the other. The gradient of equal ones is input's.

    Example:
        >>> print(ops.fmax(Tensor([1.0, float("nan")]), Tensor([4.0, 2.0])))
        [4. 2.]
    """
    x, y = promote(input, other)
    return jnp.where((x >= y) | (y != y), x, y)


@op(prim=Prim("Fmin", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}), ops=True, tensor="fmin")
def fmin(input: Array, other: Array) -> Array:
    """The smaller of two Tensors, elementwise; where one is NaN, the other. The gradient of equal ones is input's.

    Example:
        >>> print(ops.fmin(Tensor([1.0, float("nan")]), Tensor([4.0, 2.0])))
        [1. 2.]
    """
    x, y = promote(input, other)
    return jnp.where((x <= y) | (y != y), x, y)


@op(
    prim=Prim("DivNoNan", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}),
    ops=Face("div_no_nan", args("x1", "x2"), to={"x1": "input", "x2": "other"}),
)
def div_no_nan(input: Operand, other: Operand) -> Array:
    """Quotient, and 0 where the divisor is 0.

    Example:
        >>> print(ops.DivNoNan()(Tensor([1.0, 2.0]), Tensor([0.0, 2.0])))
        [0. 1.]
    """
    x, y = promote(input, other)
    safe = jnp.where(y == 0, jnp.ones_like(y), y)
    quotient = truncated_quotient(x, safe) if kind_of(x.dtype) < 2 else exact_quotient(x, safe)
    return jnp.where(y == 0, jnp.zeros_like(quotient), quotient)


@op(prim=Prim("MulNoNan"), ops=False)
def mul_no_nan(x: Array, y: Array) -> Array:
    """Product, and 0 where the second factor is 0, whatever the first is."""
    x, y = promote(x, y)
    return jnp.where(y == 0, jnp.zeros_like(y), x * y)


@op(prim=Prim("SquaredDifference"), ops=False)
def squared_difference(x: Operand, y: Operand) -> Array:
    """Square of the difference, elementwise."""
    x, y = promote(x, y)
    d = x - y
    return d * jnp.conj(d) if jnp.iscomplexobj(d) else lax.square(d)


@op(prim=Prim("Xdivy"), ops=True, tensor="xdivy")
def xdivy(x: Operand, y: Operand) -> Array:
    """x / y, and 0 where x is 0.

    Example:
        >>> print(ops.xdivy(Tensor([0.0, 2.0]), Tensor([0.0, 4.0])))
        [0.  0.5]
    """
    x, y = promote_float(x, y)
    return jnp.where(x == 0, jnp.zeros_like(x), x / jnp.where(x == 0, jnp.ones_like(y), y))


def _beside_number(x, beside):
    return x.astype(np.float32) if is_scalar(beside) and not is_scalar(x) and x.dtype.itemsize < 4 else x


@op(prim=Prim("Xlogy", call=args("x", "y"), to={"x": "input", "y": "other"}), ops=True, tensor="xlogy", mint="xlogy")
def xlogy(input: Operand, other: Operand):
    """input * log(other), and 0 where input is 0. A number beside a Tensor is of float32: half precision becomes float32.

    Example:
        >>> print(ops.xlogy(Tensor([0.0, 2.0]), Tensor([0.0, 4.0])))
        [0.        2.7725887]
    """
    x, y = promote_float(*(_beside_number(each, beside) for each, beside in ((input, other), (other, input))))
    endless = (x == 0) & ~((y > 0) & (y < jnp.inf))  # elsewhere the gradient at 0 is log(other)
    return x * jnp.log(jnp.where(endless, jnp.ones_like(y), y))


@op(
    prim=(
        Prim("Lerp", call=args("start", "end", "weight"), to={"start": "input"}),
        Prim("LerpScalar", call=args("start", "end", "weight"), to={"start": "input"}),
    ),
    ops=True,
    tensor="lerp",
    mint="lerp",
)
def lerp(input: Array, end: Array, weight: Operand) -> Array:
    """Linear interpolation: input + weight * (end - input).

    Example:
        >>> print(ops.lerp(Tensor([1.0, 2.0]), Tensor([3.0, 6.0]), 0.5))
        [2. 4.]
    """
    floats_only("Lerp", start=input, end=end)
    if input.dtype == jnp.float16:  # the sum is rounded once, the difference, too
        return (input.astype(_WIDE) + cast(weight, _WIDE) * (end - input).astype(_WIDE)).astype(input.dtype)
    return input + cast(weight, input.dtype) * (end - input)


@op(
    prim=Prim("Addcdiv", call=args("input", "tensor1", "tensor2", "value")),
    ops=True,
    tensor="addcdiv",
    mint=Face("addcdiv", args("input", "tensor1", "tensor2").only(value=1)),
)
def addcdiv(input: Array, tensor1: Array, tensor2: Array, value: Operand = 1) -> Array:
    """input + value * tensor1 / tensor2, elementwise with broadcasting. Of integers all is whole, and the quotient cut towards zero.

    Example:
        >>> print(ops.addcdiv(Tensor([1.0]), Tensor([3.0]), Tensor([2.0]), 0.5))
        [1.75]
    """
    x, a, b = promote(input, tensor1, tensor2)
    if kind_of(x.dtype) == 1:
        return x + truncated_quotient(cast(value, x.dtype) * a, b)
    x, a, b = promote_float(x, a, b)
    return x + cast(value, x.dtype) * a / b


@op(
    prim=Prim("Addcmul", call=args("input", "tensor1", "tensor2", "value")),
    ops=True,
    tensor="addcmul",
    mint=Face("addcmul", args("input", "tensor1", "tensor2").only(value=1)),
)
def addcmul(input: Array, tensor1: Array, tensor2: Array, value: Operand = 1) -> Array:
    """input + value * tensor1 * tensor2, elementwise with broadcasting.

    Example:
        >>> print(ops.addcmul(Tensor([1.0]), Tensor([3.0]), Tensor([2.0]), 0.5))
        [4.]
    """
    x, a, b = promote(input, tensor1, tensor2)
    return x + cast(value, x.dtype) * (a * b)


@op(prim=(Prim("AddN"), Prim("AccumulateNV2")), ops=("addn", "accumulate_n"))
def addn(x: Arrays) -> Array:
    """Sum of the Tensors of a list or tuple.

    Example:
        >>> print(ops.addn([Tensor([1.0]), Tensor([2.0]), Tensor([3.0])]))
        [6.]
    """
    if not isinstance(x, (list, tuple)):
        raise TypeError(f"For 'AddN', the 'x' must be a list or tuple of Tensors, but got {type(x).__name__}.")
    if not x:
        raise ValueError("For 'AddN', the length of 'x' must be greater than 0, but got 0.")
    for t in x[1:]:
        same_shape("AddN", first=jnp.shape(x[0]), further=jnp.shape(t))
    if all(jnp.asarray(t).dtype == jnp.bfloat16 for t in x):
        return in_float32(lambda *x: functools.reduce(add, x), *x)
    return functools.reduce(add, x)

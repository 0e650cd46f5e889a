"""Comparison, logic and bits of two operands."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.values.promote import cast, is_scalar, kind_of, promote
from ...core.values.tensor import Tensor

_NUMBERS = (bool, int, float, np.float64, np.bool_)


@op(
    prim="Greater()(x, y)",
    ops=("greater(input, other)", "gt(input, other)", "tensor_gt(input, other)"),
    tensor=("gt(other)", "greater(other)", "__gt__(other)"),
    mint=("gt(input, other)", "greater(input, other)"),
)
def greater(input, other):
    """Whether input > other, elementwise.

    Example:
        >>> ops.greater(Tensor([1, 2, 3]), 2)
    """
    x, y = promote(input, other)
    return x > y


@op(
    prim="GreaterEqual()(x, y)",
    ops=("greater_equal(input, other)", "ge(input, other)", "tensor_ge(input, other)"),
    tensor=("ge(other)", "greater_equal(other)", "__ge__(other)"),
    mint=("ge(input, other)", "greater_equal(input, other)"),
)
def greater_equal(input, other):
    """Whether input >= other, elementwise.

    Example:
        >>> ops.greater_equal(Tensor([1, 2, 3]), 2)
    """
    x, y = promote(input, other)
    return x >= y


@op(
    prim="Less()(x, y)",
    ops=("less(input, other)", "lt(input, other)", "tensor_lt(input, other)"),
    tensor=("lt(other)", "less(other)", "__lt__(other)"),
    mint=("lt(input, other)", "less(input, other)"),
)
def less(input, other):
    """Whether input < other, elementwise.

    Example:
        >>> ops.less(Tensor([1, 2, 3]), 2)
    """
    x, y = promote(input, other)
    return x < y


@op(
    prim="LessEqual()(x, y)",
    ops=("less_equal(input, other)", "le(input, other)", "tensor_le(input, other)"),
    tensor=("le(other)", "less_equal(other)", "__le__(other)"),
    mint=("le(input, other)", "less_equal(input, other)"),
)
def less_equal(input, other):
    """Whether input <= other, elementwise.

    Example:
        >>> ops.less_equal(Tensor([1, 2, 3]), 2)
    """
    x, y = promote(input, other)
    return x <= y


@op(
    prim="Equal()(x, y)",
    ops=("equal(input, other)", "eq(input, other)"),
    tensor=("eq(other)", "equal(other)"),
    mint="eq(input, other)",
)
def equal(input, other):
    """Whether input == other, elementwise.

    Example:
        >>> ops.equal(Tensor([1, 2, 3]), 2)
    """
    x, y = promote(input, other)
    return x == y


@op(
    prim="NotEqual()(x, y)",
    ops=("not_equal(input, other)", "ne(input, other)"),
    tensor=("ne(other)", "not_equal(other)"),
    mint=("ne(input, other)", "not_equal(input, other)"),
)
def not_equal(input, other):
    """Whether input != other, elementwise.

    Example:
        >>> ops.not_equal(Tensor([1, 2, 3]), 2)
    """
    x, y = promote(input, other)
    return x != y


_equal, _not_equal = records["equal"], records["not_equal"]


@composite(ops=False, name="equal_operator", tensor="__eq__(other)")
def equal_operator(self, other):
    """`==`: elementwise with a Tensor or a number; with anything else whether it is the same object."""
    if isinstance(other, Tensor) or type(other) in _NUMBERS:
        return _equal(self, other)
    return self is other


@composite(ops=False, name="not_equal_operator", tensor="__ne__(other)")
def not_equal_operator(self, other):
    """`!=`: elementwise with a Tensor or a number; with anything else whether it is another object."""
    if isinstance(other, Tensor) or type(other) in _NUMBERS:
        return _not_equal(self, other)
    return self is not other


@op(name="all_equal", ops=False)
def all_equal(input, other):
    """Whether all elements are equal."""
    return jnp.all(jnp.equal(*promote(input, other)))


@composite(name="tensor_equal", ops=False, mint="equal(input, other)")
def tensor_equal(input, other):
    """Whether two Tensors have the same shape and the same elements, as a Python bool."""
    return input.shape == other.shape and bool(records["all_equal"](input, other))


@op(
    prim="IsClose(rtol=1e-05, atol=1e-08, equal_nan=False)(input, other)",
    ops="isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
    tensor="isclose(other, rtol=1e-05, atol=1e-08, equal_nan=False)",
    mint="isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
)
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether |input - other| <= atol + rtol * |other|, elementwise.

    Example:
        >>> ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1]))
    """
    return jnp.isclose(*promote(input, other), rtol=rtol, atol=atol, equal_nan=equal_nan)


@op(name="all_close", ops=False, operands=("input", "other"))
def all_close(input, other, rtol, atol, equal_nan):
    """Whether all elements are close."""
    return jnp.all(isclose(input, other, rtol, atol, equal_nan))


@composite(
    ops=False,
    tensor="allclose(other, rtol=1e-05, atol=1e-08, equal_nan=False)",
    mint="allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)",
)
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether all elements are close, as a Python bool."""
    return bool(records["all_close"](input, other, rtol, atol, equal_nan))


@op(
    prim="ApproximateEqual(tolerance=1e-05)(x, y)",
    ops="approximate_equal(x, y, tolerance=1e-05)",
    tensor="approximate_equal(other, tolerance=1e-05)",
)
def approximate_equal(x, y, tolerance=1e-05):
    """Whether |x - y| < tolerance, elementwise.

    Example:
        >>> ops.approximate_equal(Tensor([1.0, 2.0]), Tensor([1.0, 2.1]), 0.5)
    """
    x, y = promote(x, y)
    return jnp.abs(x - y) < tolerance


# --- logic
def _truth(name, value):
    if is_scalar(value) and kind_of(jnp.asarray(value).dtype) != 0:
        raise TypeError(f"For '{name}', the operands must be Tensors or bools, but got a number.")
    return cast(value, np.dtype(bool))


@op(
    prim="LogicalAnd()(x, y)",
    ops="logical_and(input, other)",
    tensor="logical_and(other)",
    mint="logical_and(input, other)",
)
def logical_and(input, other):
    """Logical and, elementwise; numbers other than 0 count as True.

    Example:
        >>> ops.logical_and(Tensor([True, False]), Tensor([True, True]))
    """
    return _truth("LogicalAnd", input) & _truth("LogicalAnd", other)


@op(
    prim="LogicalOr()(x, y)",
    ops="logical_or(input, other)",
    tensor="logical_or(other)",
    mint="logical_or(input, other)",
)
def logical_or(input, other):
    """Logical or, elementwise; numbers other than 0 count as True.

    Example:
        >>> ops.logical_or(Tensor([True, False]), Tensor([False, False]))
    """
    return _truth("LogicalOr", input) | _truth("LogicalOr", other)


@op(
    prim="LogicalXor()(x, y)",
    ops="logical_xor(input, other)",
    tensor="logical_xor(other)",
    mint="logical_xor(input, other)",
)
def logical_xor(input, other):
    """Logical exclusive or, elementwise; numbers other than 0 count as True.

    Example:
        >>> ops.logical_xor(Tensor([True, False]), Tensor([True, True]))
    """
    return _truth("LogicalXor", input) ^ _truth("LogicalXor", other)


@op(
    prim="LogicalNot()(x)",
    ops="logical_not(input)",
    tensor=("logical_not()", "__invert__()"),
    mint="logical_not(input)",
)
def logical_not(input):
    """Logical not, elementwise; numbers other than 0 count as True.

    Example:
        >>> ops.logical_not(Tensor([True, False]))
    """
    return ~cast(input, np.dtype(bool))


# --- bits
def _bits(name, *operands):
    arrays = promote(*operands)
    if kind_of(arrays[0].dtype) > 1:
        raise TypeError(f"For '{name}', the operands must be integers or bools, but got {arrays[0].dtype}.")
    return arrays


@op(
    prim="BitwiseAnd()(x, y)",
    ops="bitwise_and(input, other)",
    tensor=("bitwise_and(other)", "__and__(other)", "reflected __rand__"),
    mint="bitwise_and(input, other)",
)
def bitwise_and(input, other):
    """Bitwise and of integers, elementwise.

    Example:
        >>> ops.bitwise_and(Tensor([6]), Tensor([3]))
    """
    x, y = _bits("BitwiseAnd", input, other)
    return x & y


@op(
    prim="BitwiseOr()(x, y)",
    ops="bitwise_or(input, other)",
    tensor=("bitwise_or(other)", "__or__(other)", "reflected __ror__"),
    mint="bitwise_or(input, other)",
)
def bitwise_or(input, other):
    """Bitwise or of integers, elementwise.

    Example:
        >>> ops.bitwise_or(Tensor([6]), Tensor([3]))
    """
    x, y = _bits("BitwiseOr", input, other)
    return x | y


@op(
    prim="BitwiseXor()(x, y)",
    ops="bitwise_xor(input, other)",
    tensor=("bitwise_xor(other)", "__xor__(other)", "reflected __rxor__"),
    mint="bitwise_xor(input, other)",
)
def bitwise_xor(input, other):
    """Bitwise exclusive or of integers, elementwise.

    Example:
        >>> ops.bitwise_xor(Tensor([6]), Tensor([3]))
    """
    x, y = _bits("BitwiseXor", input, other)
    return x ^ y


@op(prim="Invert()(x)", ops="invert(x)", tensor=("invert()", "bitwise_not()"), mint="bitwise_not(input)")
def invert(x):
    """Every bit of integers turned over; for bools logical not.

    Example:
        >>> ops.invert(Tensor([25, 4], mindspore.int16))
    """
    return ~_bits("Invert", x)[0]


@op(prim="LeftShift()(x1, x2)", ops="bitwise_left_shift(input, other)", tensor="bitwise_left_shift(other)")
def bitwise_left_shift(input, other):
    """Integers shifted to the left by `other` bits.

    Example:
        >>> ops.bitwise_left_shift(Tensor([1, 2]), Tensor([2, 1]))
    """
    x, y = _bits("LeftShift", input, other)
    return lax.shift_left(*jnp.broadcast_arrays(x, y))


@op(prim="RightShift()(input_x, input_y)", ops="bitwise_right_shift(input, other)", tensor="bitwise_right_shift(other)")
def bitwise_right_shift(input, other):
    """Integers shifted to the right by `other` bits; the sign stays.

    Example:
        >>> ops.bitwise_right_shift(Tensor([8, 2]), Tensor([2, 1]))
    """
    x, y = _bits("RightShift", input, other)
    shift = lax.shift_right_arithmetic if x.dtype.kind == "i" else lax.shift_right_logical
    return shift(*jnp.broadcast_arrays(x, y))

"""Comparison, logic and bits of two operands."""

from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, Reflected, args
from ...core.spec import Array, Number, Operand
from ...core.values.promote import cast, is_scalar, kind_of, promote
from ...core.values.tensor import Tensor
from ..shapes import same_shape

_NUMBERS = (bool, int, float, np.float64, np.bool_)


@op(
    prim=Prim("Greater", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("greater", "gt", "tensor_gt"),
    tensor=("gt", "greater", "__gt__"),
    mint=("gt", "greater"),
)
def greater(input: Operand, other: Operand) -> Array:
    """Whether input > other, elementwise.

    Example:
        >>> print(ops.greater(Tensor([1, 2, 3]), 2))
        [False False  True]
    """
    x, y = promote(input, other)
    return x > y


@op(
    prim=Prim("GreaterEqual", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("greater_equal", "ge", "tensor_ge"),
    tensor=("ge", "greater_equal", "__ge__"),
    mint=("ge", "greater_equal"),
)
def greater_equal(input: Operand, other: Operand):
    """Whether input >= other, elementwise.

    Example:
        >>> print(ops.greater_equal(Tensor([1, 2, 3]), 2))
        [False  True  True]
    """
    x, y = promote(input, other)
    return x >= y


def _as_wide_as(number, x):
    """x in the type of a number, as MindSpore's Less compares: 300 keeps its value beside a Tensor of uint8, 0.1 beside one of float16.
    The other comparisons take the number in the Tensor's type.
    """
    if not is_scalar(number) or kind_of(x.dtype) not in (1, 2):
        return x
    widest = np.dtype(np.int64 if kind_of(x.dtype) == 1 else np.float32)
    return x.astype(widest) if x.dtype.itemsize < widest.itemsize else x


@op(
    prim=Prim("Less", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("less", "lt", "tensor_lt"),
    tensor=("lt", "less", "__lt__"),
    mint=("lt", "less"),
)
def less(input: Array, other: Operand) -> Array:
    """Whether input < other, elementwise.

    Example:
        >>> print(ops.less(Tensor([1, 2, 3]), 2))
        [ True False False]
    """
    x, y = promote(_as_wide_as(other, input), other)
    return x < y


@op(
    prim=Prim("LessEqual", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("less_equal", "le", "tensor_le"),
    tensor=("le", "less_equal", "__le__"),
    mint=("le", "less_equal"),
)
def less_equal(input: Operand, other: Operand) -> Array:
    """Whether input <= other, elementwise.

    Example:
        >>> print(ops.less_equal(Tensor([1, 2, 3]), 2))
        [ True  True False]
    """
    x, y = promote(input, other)
    return x <= y


@op(
    prim=Prim("Equal", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("equal", "eq"),
    tensor=("eq", "equal"),
    mint="eq",
)
def equal(input: Array, other: Operand) -> Array:
    """Whether input == other, elementwise.

    Example:
        >>> print(ops.equal(Tensor([1, 2, 3]), 2))
        [False  True False]
    """
    x, y = promote(input, other)
    return x == y


@op(
    prim=Prim("NotEqual", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=("not_equal", "ne"),
    tensor=("ne", "not_equal"),
    mint=("ne", "not_equal"),
)
def not_equal(input: Operand, other: Operand) -> Array:
    """Whether input != other, elementwise.

    Example:
        >>> print(ops.not_equal(Tensor([1, 2, 3]), 2))
        [ True False  True]
    """
    x, y = promote(input, other)
    return x != y


_equal, _not_equal = records["equal"], records["not_equal"]


@composite(ops=False, name="equal_operator", tensor="__eq__")
def equal_operator(self: Array, other: Any):
    """`==`: elementwise with a Tensor or a number; with anything else whether it is the same object."""
    if isinstance(other, Tensor) or type(other) in _NUMBERS:
        return _equal(self, other)
    return self is other


@composite(ops=False, name="not_equal_operator", tensor="__ne__")
def not_equal_operator(self: Array, other: Any):
    """`!=`: elementwise with a Tensor or a number; with anything else whether it is another object."""
    if isinstance(other, Tensor) or type(other) in _NUMBERS:
        return _not_equal(self, other)
    return self is not other


@op(name="all_equal", ops=False)
def all_equal(input: Operand, other: Operand):
    """Whether all elements are equal."""
    return jnp.all(jnp.equal(*promote(input, other)))


@composite(name="tensor_equal", ops=False, mint="equal")
def tensor_equal(input: Array, other: Array):
    """Whether two Tensors have the same shape and the same elements, as a Python bool."""
    return input.shape == other.shape and bool(records["all_equal"](input, other))


@op(prim=Prim("IsClose", inputs=("input", "other")), ops=True, tensor="isclose", mint="isclose")
def isclose(input: Array, other: Array, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: bool = False):
    """Whether |input - other| <= atol + rtol * |other|, elementwise.

    Example:
        >>> print(ops.isclose(Tensor([1.0, 2.0]), Tensor([1.0, 2.1])))
        [ True False]
    """
    return jnp.isclose(*promote(input, other), rtol=rtol, atol=atol, equal_nan=equal_nan)


@op(name="all_close", ops=False)
def all_close(input: Operand, other: Operand, rtol: Number, atol: Number, equal_nan: Any):
    """Whether all elements are close."""
    return jnp.all(isclose(input, other, rtol, atol, equal_nan))


@composite(ops=False, tensor="allclose", mint="allclose")
def allclose(input: Array, other: Array, rtol: Number = 1e-05, atol: Number = 1e-08, equal_nan: bool = False):
    """Whether all elements are close, as a Python bool."""
    return bool(records["all_close"](input, other, rtol, atol, equal_nan))


@op(
    prim=Prim("ApproximateEqual", inputs=("x", "y"), fixed={"as_method": False}),
    ops=Face("approximate_equal", fixed={"as_method": False}),
    tensor=Method("approximate_equal", args("other", tolerance=1e-05), to={"other": "y"}, fixed={"as_method": True}),
)
def approximate_equal(x: Array, y: Array, tolerance: Number = 1e-05, as_method: bool = False) -> Array:
    """Whether |x - y| < tolerance, elementwise.

    Args:
        x: Tensor.
        y: Tensor of the shape of x.
        tolerance: the bound.
        as_method: whether shapes are broadcast, and what is not float32 is compared as float16: so the method of Tensor does.

    Example:
        >>> print(ops.approximate_equal(Tensor([1.0, 2.0]), Tensor([1.0, 2.1]), 0.5))
        [ True  True]
    """
    if as_method:
        x, y = (v if v.dtype == np.float32 else cast(v, np.dtype(np.float16)) for v in (x, y))
    else:
        same_shape("ApproximateEqual", RuntimeError, x=x.shape, y=y.shape)
    x, y = promote(x, y)
    return jnp.abs(x - y).astype(np.float32) < tolerance if as_method else jnp.abs(x - y) < tolerance


# --- logic
def _truth(name, value):
    if is_scalar(value) and kind_of(jnp.asarray(value).dtype) != 0:
        raise TypeError(f"For '{name}', the operands must be Tensors or bools, but got a number.")
    return cast(value, np.dtype(bool))


@op(
    prim=Prim("LogicalAnd", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor="logical_and",
    mint="logical_and",
)
def logical_and(input: Operand, other: Operand) -> Array:
    """Logical and, elementwise; numbers other than 0 count as True.

    Example:
        >>> print(ops.logical_and(Tensor([True, False]), Tensor([True, True])))
        [ True False]
    """
    return _truth("LogicalAnd", input) & _truth("LogicalAnd", other)


@op(
    prim=Prim("LogicalOr", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor="logical_or",
    mint="logical_or",
)
def logical_or(input: Operand, other: Operand) -> Array:
    """Logical or, elementwise; numbers other than 0 count as True.

    Example:
        >>> print(ops.logical_or(Tensor([True, False]), Tensor([False, False])))
        [ True False]
    """
    return _truth("LogicalOr", input) | _truth("LogicalOr", other)


@op(
    prim=Prim("LogicalXor", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor="logical_xor",
    mint="logical_xor",
)
def logical_xor(input: Operand, other: Operand) -> Array:
    """Logical exclusive or, elementwise; numbers other than 0 count as True.

    Example:
        >>> print(ops.logical_xor(Tensor([True, False]), Tensor([True, True])))
        [False  True]
    """
    return _truth("LogicalXor", input) ^ _truth("LogicalXor", other)


@op(
    prim=Prim("LogicalNot", call=args("x"), to={"x": "input"}),
    ops=True,
    tensor=("logical_not", "__invert__"),
    mint="logical_not",
)
def logical_not(input: Array) -> Array:
    """Logical not, elementwise; numbers other than 0 count as True.

    Example:
        >>> print(ops.logical_not(Tensor([True, False])))
        [False  True]
    """
    return ~cast(input, np.dtype(bool))


# --- bits
def _bits(name, *operands):
    arrays = promote(*operands)
    if kind_of(arrays[0].dtype) > 1:
        raise TypeError(f"For '{name}', the operands must be integers or bools, but got {arrays[0].dtype}.")
    return arrays


@op(
    prim=Prim("BitwiseAnd", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor=("bitwise_and", "__and__", Reflected("__rand__")),
    mint="bitwise_and",
)
def bitwise_and(input: Array, other: Operand) -> Array:
    """Bitwise and of integers, elementwise.

    Example:
        >>> print(ops.bitwise_and(Tensor([6]), Tensor([3])))
        [2]
    """
    x, y = _bits("BitwiseAnd", input, other)
    return x & y


@op(
    prim=Prim("BitwiseOr", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor=("bitwise_or", "__or__", Reflected("__ror__")),
    mint="bitwise_or",
)
def bitwise_or(input: Array, other: Operand) -> Array:
    """Bitwise or of integers, elementwise.

    Example:
        >>> print(ops.bitwise_or(Tensor([6]), Tensor([3])))
        [7]
    """
    x, y = _bits("BitwiseOr", input, other)
    return x | y


@op(
    prim=Prim("BitwiseXor", call=args("x", "y"), to={"x": "input", "y": "other"}),
    ops=True,
    tensor=("bitwise_xor", "__xor__", Reflected("__rxor__")),
    mint="bitwise_xor",
)
def bitwise_xor(input: Array, other: Operand) -> Array:
    """Bitwise exclusive or of integers, elementwise.

    Example:
        >>> print(ops.bitwise_xor(Tensor([6]), Tensor([3])))
        [5]
    """
    x, y = _bits("BitwiseXor", input, other)
    return x ^ y


@op(prim=Prim("Invert"), ops=True, tensor="invert")
def invert(x: Array) -> Array:
    """Every bit of integers turned over; for bools logical not.

    Example:
        >>> print(ops.invert(Tensor([25, 4], mindspore.int16)))
        [-26  -5]
    """
    return ~_bits("Invert", x)[0]


@op(
    ops=False,
    tensor="bitwise_not",
    mint=Face("bitwise_not", args("input"), to={"input": "self"}),
    name="bitwise_not_method",
)
def bitwise_not_method(self: Array) -> Array:
    """Every bit of integers turned over; for bools, which `ops.invert` refuses, logical not."""
    return ~_bits("BitwiseNot", self)[0]


@op(
    prim=Prim("LeftShift", call=args("x1", "x2"), to={"x1": "input", "x2": "other"}),
    ops=True,
    tensor="bitwise_left_shift",
)
def bitwise_left_shift(input: Operand, other: Operand):
    """Integers shifted to the left by `other` bits.

    Example:
        >>> print(ops.bitwise_left_shift(Tensor([1, 2]), Tensor([2, 1])))
        [4 4]
    """
    x, y = _bits("LeftShift", input, other)
    return lax.shift_left(*jnp.broadcast_arrays(x, y))


@op(prim=Prim("RightShift", call=args("input_x", "input_y"), to={"input_x": "input", "input_y": "other"}), ops=True)
def bitwise_right_shift(input: Operand, other: Operand):
    """Integers shifted to the right by `other` bits; the sign stays.

    Example:
        >>> print(ops.bitwise_right_shift(Tensor([8, 2]), Tensor([2, 1])))
        [2 1]
    """
    x, y = _bits("RightShift", input, other)
    shift = lax.shift_right_arithmetic if x.dtype.kind == "i" else lax.shift_right_logical
    return shift(*jnp.broadcast_arrays(x, y))


@composite(ops=False, tensor="bitwise_right_shift", name="bitwise_right_shift_method")
def bitwise_right_shift_method(self: Array, other: Operand) -> Array:
    """This Tensor's integers shifted to the right by `other` bits, which are taken in its dtype; the sign stays."""
    return records["bitwise_right_shift"](self, records["cast"](other, self.dtype))

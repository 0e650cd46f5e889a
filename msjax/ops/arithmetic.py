"""Arithmetic of two operands, with MindSpore's implicit type conversion."""
import jax
import jax.numpy as jnp
from jax import lax

from ..core.op import op
from ..core.promote import kind_of, promote, promote_float


def _scaled(y, alpha):
    return y if isinstance(alpha, (int, float)) and alpha == 1 else y * alpha


@op(prim="Add()(x, y)", tensor=("add(other)", "__add__(other)", "reflected __radd__", "__iadd__(other)"), mint="add(input, other, *, alpha=1)",
    operands=("input", "other", "alpha"))
def add(input, other, alpha=1):
    """Sum of two Tensors, or of a Tensor and a number, elementwise with broadcasting: input + alpha * other.

    Example:
        >>> ops.add(Tensor([1.0, 2.0]), 3)
    """
    x, y = promote(input, other)
    if x.dtype == bool:
        return x | y
    return x + _scaled(y, alpha) if not isinstance(alpha, (int, float)) or alpha != 1 else x + y


@op(prim="Sub()(x, y)", tensor=("sub(other)", "subtract(other, *, alpha=1)", "__sub__(other)", "reflected __rsub__", "__isub__(other)"),
    mint="sub(input, other, *, alpha=1)")
def sub(input, other, alpha=1):
    """Difference of two Tensors, elementwise with broadcasting: input - alpha * other."""
    x, y = promote(input, other)
    if x.dtype == bool:
        return x ^ y
    return x - _scaled(y, alpha)


@op(prim="Mul()(x, y)", tensor=("mul(other)", "multiply(other)", "__mul__(other)", "reflected __rmul__", "__imul__(other)"), mint="mul",
    ops=("mul", "multiply"))
def mul(input, other):
    """Product of two Tensors, elementwise with broadcasting."""
    x, y = promote(input, other)
    return x & y if x.dtype == bool else x * y


@op(prim=("Div()(x, y)", "RealDiv()(x, y)"), tensor=("div(other, *, rounding_mode=None)", "divide(other, *, rounding_mode=None)", "__truediv__(other)",
                                                      "reflected __rtruediv__", "__itruediv__(other)"),
    mint=("div(input, other, *, rounding_mode=None)", "divide(input, other, *, rounding_mode=None)"),
    ops=("div(input, other, *, rounding_mode=None)", "divide(input, other, *, rounding_mode=None)", "true_divide(dividend, divisor)"))
def div(input, other, rounding_mode=None):
    """Quotient of two Tensors, elementwise; `rounding_mode` is None (true division), "floor" or "trunc"."""
    if rounding_mode not in (None, "floor", "trunc"):
        raise ValueError(f"For 'div', the rounding_mode must be None, 'floor' or 'trunc', but got {rounding_mode}.")
    if rounding_mode is None:
        x, y = promote_float(input, other)
        return x / y
    x, y = promote(input, other)
    if rounding_mode == "floor":
        return jnp.floor_divide(x, y)
    return lax.div(*jnp.broadcast_arrays(x, y)) if kind_of(x.dtype) < 2 else jnp.trunc(x / y)


_ = jax

"""Standard deviations and variances over axes."""

import jax.numpy as jnp
import numpy as np

from ...core.operators.quotients import exact_mean, exact_quotient
from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Axis, Ints, Operand, Static
from ..elementwise.math import to_float
from .reduction import axes_of, mean


def _deviation(input, axis, ddof, keepdims, root):
    x = to_float(input)
    axes = axes_of("std" if root else "var", axis, input.ndim)
    wide = x.astype(jnp.float32) if x.dtype in (jnp.float16, jnp.bfloat16) else x  # squares may be too large
    apart = wide - exact_mean(wide, axes, keepdims=True)
    squares = jnp.real(apart * jnp.conj(apart)) if jnp.iscomplexobj(apart) else jnp.square(apart)
    result = jnp.sum(squares, axis=axes, keepdims=keepdims)
    degrees = wide.size // max(result.size, 1) - int(ddof)
    result = (
        exact_quotient(result, np.asarray(degrees, result.dtype)) if degrees > 0 else jnp.full_like(result, jnp.nan)
    )
    return (jnp.sqrt(result) if root else result).astype(x.dtype)


@op(
    ops=True,
    tensor="std",
    mint=Face(
        "std",
        args("input", dim=None).only(correction=1, keepdim=False),
        to={"dim": "axis", "correction": "ddof", "keepdim": "keepdims"},
    ),
)
def std(input: Operand, axis: Static[Axis] = None, ddof: int = 0, keepdims: bool = False) -> Array:
    """Standard deviation over axes (all by default); the divisor is the count less `ddof`.

    Example:
        >>> print(ops.std(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, 1))
        [0.70710677 0.70710677]
    """
    return _deviation(input, axis, ddof, keepdims, True)


@op(
    ops=True,
    tensor="var",
    mint=Face(
        "var",
        args("input", dim=None).only(correction=1, keepdim=False),
        to={"dim": "axis", "correction": "ddof", "keepdim": "keepdims"},
    ),
)
def var(input: Operand, axis: Static[Axis] = None, ddof: int = 0, keepdims: bool = False) -> Array:
    """Variance over axes (all by default); the divisor is the count less `ddof`.

    Example:
        >>> print(ops.var(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1, 1))
        [0.5 0.5]
    """
    return _deviation(input, axis, ddof, keepdims, False)


@op(
    ops=True,
    mint=Face(
        "std_mean",
        args("input", dim=None).only(correction=1, keepdim=False),
        to={"dim": "axis", "correction": "ddof", "keepdim": "keepdims"},
    ),
)
def std_mean(input: Operand, axis: Static[Axis] = None, ddof: int = 0, keepdims: bool = False):
    """Standard deviation and mean over axes.

    Example:
        >>> print(*ops.std_mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [0.5 0.5] [1.5 3.5]
    """
    return _deviation(input, axis, ddof, keepdims, True), mean(to_float(input), axis, keepdims)


@op(
    ops=True,
    mint=Face(
        "var_mean",
        args("input", dim=None).only(correction=1, keepdim=False),
        to={"dim": "axis", "correction": "ddof", "keepdim": "keepdims"},
    ),
)
def var_mean(input: Operand, axis: Static[Axis] = None, ddof: int = 0, keepdims: bool = False):
    """Variance and mean over axes.

    Example:
        >>> print(*ops.var_mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [0.25 0.25] [1.5 3.5]
    """
    return _deviation(input, axis, ddof, keepdims, False), mean(to_float(input), axis, keepdims)


@op(prim=Prim("ReduceStd", inputs=("x",)), ops=False)
def reduce_std(x: Array, axis: Ints = (), unbiased: bool = True, keep_dims: bool = False):
    """Standard deviation and mean over axes."""
    return std_mean(x, axis, int(unbiased), keep_dims)

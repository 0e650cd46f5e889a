"""Running sums, products, extrema; differences; integrals by trapezes."""

from typing import Annotated

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.program.halves import in_float32
from ...core.spec import Array, Axis, Dtype, Number, Operand, Static
from ...core.spec.rules import Like, PositiveInt, Raises, Rank
from ...core.values import dtype as mstype
from ...core.values.promote import cast, kind_of
from ..dtypes import rounded_once
from ..shape.shaping import axis_of
from ..shapes import ANY, number_of_axes


def _running(name, fn, x, axis, exclusive=False, reverse=False, start=0):
    axis = axis_of(name, axis, max(x.ndim, 1))
    if x.ndim == 0:
        return x
    if x.dtype == bool:
        raise TypeError(f"For '{name}', the type of 'x' must be a number type, but got Tensor[Bool].")
    if reverse:
        x = jnp.flip(x, axis)
    out = fn(x, axis)
    if exclusive:
        first = jnp.full_like(lax.slice_in_dim(out, 0, min(1, out.shape[axis]), axis=axis), start)
        out = jnp.concatenate([first, lax.slice_in_dim(out, 0, max(out.shape[axis] - 1, 0), axis=axis)], axis)
    return jnp.flip(out, axis) if reverse else out


def _cumsum(x, axis):
    return in_float32(lambda x: jnp.cumsum(x, axis, dtype=x.dtype), x, halves=(jnp.bfloat16,))


def _cumprod(x, axis):
    return in_float32(lambda x: jnp.cumprod(x, axis, dtype=x.dtype), x, halves=(jnp.bfloat16,))


def _typed(x, dtype, default=None):
    """x in a dtype; without one, integers and bools in `default`, if that is given."""
    if dtype is None and default is not None and kind_of(x.dtype) <= 1:
        dtype = default
    return x if dtype is None else cast(x, mstype.to_numpy(dtype))


@op(ops=Face("cumsum", args("x", "axis", dtype=None), to={"x": "input"}))
def cumsum(input: Array, axis: Static[Axis], dtype: Dtype | None = None) -> Array:
    """Running sum along an axis.

    Example:
        >>> print(ops.cumsum(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 3. 6.]
    """
    number_of_axes("CumSum", range(1, ANY), x=input.shape)
    x = _typed(input, dtype)
    if axis is None:
        x, axis = x.reshape(-1), 0
    return _running("CumSum", _cumsum, x, axis)


_SHORT = (jnp.bool_, jnp.int8, jnp.int16, jnp.uint8)


@op(ops=False, tensor="cumsum", name="tensor_cumsum")
def tensor_cumsum(input: Array, axis: Static[Axis] = None, dtype: Dtype | None = None) -> Array:
    """Running sum along an axis, or of all elements; bool, int8, int16 and uint8 give int32. `dtype` casts the sums."""
    return _typed(cumsum(input, axis, mstype.int32 if input.dtype in _SHORT else None), dtype)


@op(ops=False, mint="cumsum", name="mint_cumsum")
def mint_cumsum(input: Array, dim: Static[Axis], dtype: Dtype | None = None) -> Array:
    """Running sum along an axis; bools and small integers give int64."""
    x = _typed(input, dtype if dtype is not None or kind_of(input.dtype) > 1 else mstype.int64)
    return _running("cumsum", _cumsum, x, dim)


@op(prim=Prim("CumSum", inputs=("x", "axis")), ops=False, name="prim_cumsum")
def prim_cumsum(x: Array, axis: Static[Axis], exclusive: bool = False, reverse: bool = False) -> Array:
    """Running sum along an axis; `exclusive` leaves out the element itself, `reverse` runs from the end."""
    return _running("CumSum", _cumsum, x, axis, exclusive, reverse)


@op(ops=True, tensor="cumprod", mint="cumprod")
def cumprod(input: Array, dim: Static[Axis], dtype: Dtype | None = None) -> Array:
    """Running product along an axis; integers and bools give int64.

    Example:
        >>> print(ops.cumprod(Tensor([1.0, 2.0, 3.0]), 0))
        [1. 2. 6.]
    """
    return _running("CumProd", _cumprod, _typed(input, dtype, mstype.int64), dim)


@op(prim=Prim("CumProd", inputs=("x", "axis")), ops=False, name="prim_cumprod")
def prim_cumprod(x: Operand, axis: Static[Axis], exclusive: bool = False, reverse: bool = False) -> Array:
    """Running product along an axis; `exclusive` leaves out the element itself, `reverse` runs from the end."""
    return _running("CumProd", _cumprod, x, axis, exclusive, reverse, 1)


def _running_extreme(name, keep, x, axis):
    """(running extremum, its place): NaN stays, the last of equal elements counts."""
    axis = axis_of(name, axis, max(x.ndim, 1))
    if x.ndim == 0:
        return x, jnp.zeros((), jnp.int64)
    place = jnp.broadcast_to(
        jnp.arange(x.shape[axis]).reshape([-1 if d == axis else 1 for d in range(x.ndim)]), x.shape
    )

    def better(a, b):
        (va, ia), (vb, ib) = a, b
        take = keep(vb, va)
        if jnp.issubdtype(x.dtype, jnp.inexact):
            take = (take | jnp.isnan(vb)) & ~(jnp.isnan(va) & ~jnp.isnan(vb))
        return jnp.where(take, vb, va), jnp.where(take, ib, ia)

    found = lax.associative_scan(better, (lax.stop_gradient(x), place), axis=axis)[1]
    return jnp.take_along_axis(x, found, axis), found


@op(
    prim=Prim("Cummax", inputs=("input",)),
    ops=True,
    tensor="cummax",
    mint=Face("cummax", args("input", "dim"), to={"dim": "axis"}),
)
def cummax(input: Array, axis: Static[Axis]):
    """Running maximum along an axis, and its place (int64).

    Example:
        >>> ops.cummax(Tensor([1.0, 3.0, 2.0]), 0)
        (Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  3.00000000e+00,  3.00000000e+00]), Tensor(shape=[3], dtype=Int64, value= [0, 1, 1]))
    """
    number_of_axes("Cummax", range(1, ANY), input=input.shape)
    value, place = _running_extreme("cummax", lambda new, old: new >= old, input, axis)
    return value, place.astype(jnp.int64)


@op(prim=Prim("Cummin", inputs=("input",)), ops=True, tensor="cummin")
def cummin(input: Array, axis: Static[Axis]):
    """Running minimum along an axis, and its place (int32).

    Example:
        >>> ops.cummin(Tensor([3.0, 1.0, 2.0]), 0)
        (Tensor(shape=[3], dtype=Float32, value= [ 3.00000000e+00,  1.00000000e+00,  1.00000000e+00]), Tensor(shape=[3], dtype=Int32, value= [0, 1, 1]))
    """
    number_of_axes("Cummin", range(1, ANY), input=input.shape)
    value, place = _running_extreme("cummin", lambda new, old: new <= old, input, axis)
    return value, place.astype(jnp.int32)


@op(name="mint_cummin", ops=False, mint="cummin")
def mint_cummin(input: Array, dim: Static[Axis]):
    """Running minimum along an axis, and its place (int64)."""
    value, place = cummin(input, dim)
    return value, place.astype(jnp.int64)


@rounded_once
def _log_sum(x, axis):
    return lax.cumlogsumexp(x, axis=axis)


@op(ops=True, tensor="logcumsumexp")
def logcumsumexp(input: Array, axis: Static[Axis]) -> Array:
    """log of the running sum of exp(x) along an axis, without overflow.

    Example:
        >>> print(ops.logcumsumexp(Tensor([1.0, 2.0, 3.0]), 0))
        [1.        2.3132617 3.4076061]
    """
    return _running("logcumsumexp", _log_sum, input, axis)


@op(prim=Prim("CumulativeLogsumexp", inputs=("x", "axis")), ops=False)
def cumulative_logsumexp(x: Array, axis: Static[Axis], exclusive: bool = False, reverse: bool = False) -> Array:
    """log of the running sum of exp(x) along an axis; `exclusive` leaves out the element itself, `reverse` runs from
    the end.
    """
    number_of_axes("CumulativeLogsumexp", range(1, ANY), x=x.shape)
    number_of_axes("CumulativeLogsumexp", 0, axis=np.shape(axis))
    return _running("CumulativeLogsumexp", _log_sum, x, axis, exclusive, reverse, jnp.finfo(x.dtype).min)


def _axis_of_differences(axis, ndim):
    if not isinstance(axis, bool) and isinstance(axis, int) and not -ndim <= axis < ndim:
        raise IndexError(f"For 'diff', the 'axis' must be in range [{-ndim}, {ndim}), but got {axis}.")
    return axis_of("diff", axis, ndim)


@op(ops="diff_ext", mint="diff", name="mint_diff")
def mint_diff(
    input: Array, n: int = 1, dim: int = -1, prepend: Array | None = None, append: Array | None = None
) -> Array:
    """Differences of neighbours along an axis, n times; 0 times gives the input, fewer what is joined."""
    if not input.ndim:
        raise IndexError("For 'diff', the 'input' must have at least one axis, but got none.")
    if n == 0:
        return input
    if n < 0:
        return jnp.concatenate(
            [x for x in (prepend, input, append) if x is not None], _axis_of_differences(dim, input.ndim)
        )
    return diff(input, n, dim, prepend, append)


@op(ops="diff", tensor="diff")
def diff(
    x: Annotated[Array, Rank(at_least=1), Raises(value=TypeError)],
    n: Annotated[Like[PositiveInt], Raises(value=RuntimeError)] = 1,
    axis: int = -1,
    prepend: Array | None = None,
    append: Array | None = None,
) -> Array:
    """Differences of neighbours along an axis, n times.

    Example:
        >>> print(ops.diff(Tensor([1, 3, 6])))
        [2 3]
    """
    return jnp.diff(x, n, _axis_of_differences(axis, x.ndim), prepend, append)


@op(ops=Face("trapz", args("y", x=None).only(dx=1.0, dim=-1)))
def trapz(y: Array, x: Array | None = None, dx: Number = 1.0, dim: int = -1) -> Array:
    """Integral along an axis by trapezes; the places are x, or at equal distances dx.

    Example:
        >>> print(ops.trapz(Tensor([1.0, 2.0, 3.0])))
        4.0
    """
    if x is not None or y.dtype != jnp.float16:
        y = y.astype(jnp.float32)
    axis = axis_of("trapz", dim, y.ndim)
    if x is None:
        steps = dx
    else:
        steps = jnp.diff(x.astype(y.dtype), axis=-1 if x.ndim == 1 else axis)
        if x.ndim == 1:
            steps = steps.reshape([-1 if d == axis else 1 for d in range(y.ndim)])
    last, first = lax.slice_in_dim(y, 1, None, axis=axis), lax.slice_in_dim(y, 0, y.shape[axis] - 1, axis=axis)
    return jnp.sum((last + first) / 2 * steps, axis)

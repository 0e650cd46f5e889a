"""Reductions over axes: sums, means, statistics, norms. `axis=()` means all axes, as None does."""

from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import logsumexp as _logsumexp

from ...core.operators.quotients import exact_mean, exact_sum
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.program.halves import in_float32
from ...core.spec import Array, Axis, Dtype, Ints, Operand, Real, Static
from ...core.spec.rules import Holding
from ...core.values import dtype as mstype
from ...core.values.promote import cast, kind_of
from ...core.values.tensor import Tensor
from ..elementwise.math import to_float
from ..shapes import number_of_axes

_SMALL_INTEGERS = tuple(np.dtype(d) for d in (np.bool_, np.int8, np.uint8, np.int16, np.int32))


def axes_of(name: str, axis: Any, ndim: int):
    """None, an int or a tuple of ints, checked against the number of axes. () is None."""
    if axis is None or (isinstance(axis, (tuple, list)) and not axis):
        return None
    numbers = axis if isinstance(axis, (tuple, list)) else (axis,)
    for a in numbers:
        if isinstance(a, (bool, np.bool_)) or not isinstance(a, (int, np.integer)):
            raise TypeError(f"For '{name}', the 'axis' must be an int, or a tuple or list of ints, but got {axis!r}.")
        if not -max(ndim, 1) <= a < max(ndim, 1):
            raise ValueError(f"For '{name}', the 'axis' must be in range [{-ndim}, {ndim}), but got {a}.")
    if ndim == 0:
        return None
    normal = [int(a) % ndim for a in numbers]
    if len(set(normal)) < len(normal):
        raise ValueError(f"For '{name}', the elements of 'axis' must be different, but got {axis}.")
    return tuple(normal) if isinstance(axis, (tuple, list)) else normal[0]


def _wide(x, dtype):
    """Sums and products of small integers are int64, unless a dtype is given."""
    if dtype is not None:
        return cast(x, mstype.to_numpy(dtype))
    return x.astype(jnp.int64) if x.dtype in _SMALL_INTEGERS else x


@op(
    ops=Face("sum", args("input", dim=None, keepdim=False).only(dtype=None)),
    mint=Face("sum", args("input", dim=None, keepdim=False).only(dtype=None)),
)
def sum(
    input: Array,
    dim: Static[Axis] = None,
    keepdim: bool = False,
    dtype: Dtype | None = None,
    initial: Operand | None = None,
) -> Array:
    """Sum over axes (all by default); bools and integers up to 32 bits give int64.

    Args:
        input: Tensor.
        dim: int, tuple of ints, or None.
        keepdim: keep the summed axes with length 1.
        dtype: dtype of the result.

    Example:
        >>> print(ops.sum(Tensor([[1.0, 2.0], [3.0, 4.0]]), dim=1))
        [3. 7.]
    """
    x = _wide(input, dtype)
    total = exact_sum(x, axes_of("sum", dim, input.ndim), keepdim)
    return total if initial is None else total + cast(initial, total.dtype)


@composite(
    ops=False,
    tensor=Method("sum", args(axis=None, keepdim=None, keepdims=None, initial=None).only(dtype=None)),
    name="sum_method",
)
def sum_method(
    self: Array,
    axis: Static[Axis] = None,
    keepdim: bool | None = None,
    keepdims: bool | None = None,
    initial: Real | None = None,
    dtype: Dtype | None = None,
) -> Array:
    """Sum over axes, all by default; bools and integers up to 32 bits give int64.

    Two forms: sum(dim=None, keepdim=False, *, dtype=None), or sum(axis=None, dtype=None, keepdims=False, initial=None).

    Example:
        >>> print(Tensor([[1.0, 2.0], [3.0, 4.0]]).sum(axis=1))
        [3. 7.]
    """
    if keepdim is not None and not isinstance(keepdim, bool):
        dtype, keepdim = keepdim, None
    if keepdims is not None and not isinstance(keepdims, bool):
        raise TypeError(f"For 'sum', the type of 'keepdims' must be bool, but got {type(keepdims).__name__}.")
    check_number("sum", initial, tensors=True)
    return records["sum"](self, axis, bool(keepdim or keepdims), dtype, initial)


def check_number(name, initial, tensors):
    """Raise TypeError unless `initial` is None, a real number or, with `tensors`, a Tensor without axes."""
    number = isinstance(initial, (bool, int, float, np.floating, np.integer, np.bool_))
    if not (number or initial is None or tensors and isinstance(initial, Tensor) and initial.ndim == 0):
        raise TypeError(f"For '{name}', 'initial' must be a number, but got {type(initial).__name__}.")


@op(prim=Prim("ReduceSum", inputs=("x", "axis")), ops=True)
def reduce_sum(x: Operand, axis: Static[Ints] = (), keep_dims: bool = False, skip_mode: bool = False) -> Array:
    """Sum over axes (all if `axis` is ()); the dtype stays. With `skip_mode`, () leaves x as it is."""
    if skip_mode and isinstance(axis, (tuple, list)) and not axis:
        return x
    return exact_sum(x, axes_of("ReduceSum", axis, x.ndim), keep_dims)


def whole_mean(total: Any, count: Any):
    """The mean of integers: cut to an integer towards zero. Bools have none."""
    if total.dtype == np.bool_:
        raise RuntimeError(
            "For 'mean', the dtype of 'input' must be a number type, but got Bool: cast it, input.astype(mindspore.float32)."
        )
    return lax.div(total, jnp.asarray(count, total.dtype)) if count else jnp.zeros_like(total)


@op(
    prim=Prim("ReduceMean", init=args(keep_dims=False), call=args("x", axis=()), to={"x": "input"}),
    ops=(
        Face("mean", args("x", axis=None, keep_dims=False), to={"x": "input"}),
        Face("reduce_mean", args("x", axis=None, keep_dims=False), to={"x": "input"}),
    ),
    tensor=Method("mean", args(axis=None, keep_dims=False).only(dtype=None)),
    mint=Face(
        "mean", args("input", dim=None, keepdim=False).only(dtype=None), to={"dim": "axis", "keepdim": "keep_dims"}
    ),
)
def mean(input: Operand, axis: Static[Axis] = None, keep_dims: bool = False, dtype: Dtype | None = None) -> Array:
    """Mean over axes (all by default); the dtype stays, also for integers.

    Example:
        >>> print(ops.mean(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [1.5 3.5]
    """
    if dtype is not None:
        input = cast(input, mstype.to_numpy(dtype))
    axes = axes_of("mean", axis, input.ndim)
    if kind_of(input.dtype) < 2:
        count = input.size if axes is None else int(np.prod([input.shape[a] for a in np.atleast_1d(axes)]))
        return whole_mean(jnp.sum(input, axis=axes, keepdims=keep_dims, dtype=input.dtype), count)
    return exact_mean(input, axes, keep_dims)


@op(
    ops=True,
    tensor="prod",
    mint=Face(
        "prod", args("input", dim=None, keepdim=False).only(dtype=None), to={"dim": "axis", "keepdim": "keep_dims"}
    ),
)
def prod(input: Operand, axis: Static[Axis] = None, keep_dims: bool = False, dtype: Dtype | None = None) -> Array:
    """Product over axes (all by default); bools and integers up to 32 bits give int64, over several axes their own dtype.

    Example:
        >>> print(ops.prod(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [ 2. 12.]
    """
    x = input if isinstance(axis, (tuple, list)) and dtype is None else _wide(input, dtype)
    return _product(x, axes_of("prod", axis, input.ndim), keep_dims)


def _product(x, axes, keep_dims):
    """The product in the dtype of x; with a dtype, JAX would round each step of halves to it."""
    return in_float32(lambda x: jnp.prod(x, axis=axes, keepdims=keep_dims, dtype=x.dtype), x)


@op(prim=Prim("ReduceProd", inputs=("x", "axis")), ops=True)
def reduce_prod(x: Operand, axis: Static[Ints] = (), keep_dims: bool = False) -> Array:
    """Product over axes (all if `axis` is ()); the dtype stays."""
    return _product(x, axes_of("ReduceProd", axis, x.ndim), keep_dims)


def _logical(name, reduce, input, axis, keep_dims):
    return reduce(input, axis=axes_of(name, axis, input.ndim), keepdims=keep_dims)


@op(
    prim=Prim("ReduceAll", init=args(keep_dims=False), call=args("x", axis=()), to={"x": "input"}),
    ops=("all", "reduce_all"),
    tensor="all",
    mint=Face("all", args("input", dim=None, keepdim=False), to={"dim": "axis", "keepdim": "keep_dims"}),
)
def all(input: Array, axis: Static[Axis] = None, keep_dims: bool = False) -> Array:
    """Whether all elements over axes (all by default) are True.

    Example:
        >>> print(ops.all(Tensor([[True, False], [True, True]]), 1))
        [False  True]
    """
    return _logical("all", jnp.all, input, axis, keep_dims)


@op(
    prim=Prim("ReduceAny", init=args(keep_dims=False), call=args("x", axis=()), to={"x": "input"}),
    ops=("any", "reduce_any"),
    tensor="any",
    mint=Face("any", args("input", dim=None, keepdim=False), to={"dim": "axis", "keepdim": "keep_dims"}),
)
def any(input: Array, axis: Static[Axis] = None, keep_dims: bool = False) -> Array:
    """Whether an element over axes (all by default) is True; of a uint8 Tensor 1 or 0, as uint8.

    Example:
        >>> print(ops.any(Tensor([[True, False], [False, False]]), 1))
        [ True False]
    """
    found = _logical("any", jnp.any, input, axis, keep_dims)
    return found.astype(jnp.uint8) if input.dtype == jnp.uint8 else found


@op(ops=True, tensor="logsumexp", mint="logsumexp")
def logsumexp(input: Array, dim: Axis, keepdim: bool = False) -> Array:
    """log(sum(exp(x))) over axes, without overflow.

    Example:
        >>> print(ops.logsumexp(Tensor([[1.0, 2.0], [3.0, 4.0]]), 1))
        [2.3132615 4.3132615]
    """
    return _logsumexp(to_float(input), axis=axes_of("logsumexp", dim, input.ndim), keepdims=keepdim)


@op(
    ops=Face("nansum", args("input", axis=None, keepdims=False).only(dtype=None)),
    tensor=Method("nansum", args(axis=None, keepdims=False).only(dtype=None)),
    mint=Face(
        "nansum", args("input", dim=None, keepdim=False).only(dtype=None), to={"dim": "axis", "keepdim": "keepdims"}
    ),
)
def nansum(input: Array, axis: Static[Axis] = None, keepdims: bool = False, dtype: Dtype | None = None) -> Array:
    """Sum over axes in which NaN counts as 0; it is taken in the input's dtype, and then cast.

    Example:
        >>> print(ops.nansum(Tensor([float("nan"), 2.0])))
        2.0
    """
    x = jnp.where(jnp.isnan(input), jnp.zeros_like(input), input) if kind_of(input.dtype) > 1 else input
    made = sum(x, axis, keepdims)
    made = made if x.dtype == np.bool_ else made.astype(x.dtype)
    return made if dtype is None else cast(made, mstype.to_numpy(dtype))


@op(
    ops=Face("nanmean", args("input", axis=None, keepdims=False).only(dtype=None)),
    tensor=Method("nanmean", args(axis=None, keepdims=False).only(dtype=None)),
)
def nanmean(
    input: Annotated[Array, Holding("float16", "bfloat16", "float32", "float64")],
    axis: Static[Axis] = None,
    keepdims: bool = False,
    dtype: Dtype | None = None,
) -> Array:
    """Mean over axes of the elements that are not NaN, cast to `dtype`.

    Raises:
        TypeError: no floating point Tensor.

    Example:
        >>> print(ops.nanmean(Tensor([float("nan"), 2.0])))
        2.0
    """
    made = jnp.nanmean(input, axis=axes_of("nanmean", axis, input.ndim), keepdims=keepdims)
    return made if dtype is None else cast(made, mstype.to_numpy(dtype))


@op(
    prim=Prim("CountNonZero", init=args(dims=None), call=args("x"), to={"dims": "axis"}),
    ops=Face("count_nonzero", args("x", axis=(), keep_dims=False, dtype=mstype.int32)),
    tensor=Method("count_nonzero", args(axis=(), keep_dims=False, dtype=None)),
    mint=Face("count_nonzero", args("input", dim=None), to={"input": "x", "dim": "axis"}),
)
def count_nonzero(x: Array, axis: Static[Axis] = None, keep_dims: bool = False, dtype: Dtype = mstype.int64) -> Array:
    """Number of elements over axes that are not 0.

    Example:
        >>> print(ops.count_nonzero(Tensor([0, 1, 2])))
        2
    """
    found = jnp.sum(x != 0, axis=axes_of("count_nonzero", axis, x.ndim), keepdims=keep_dims)
    return found.astype(mstype.to_numpy(dtype or mstype.int32))


@op(prim=Prim("EuclideanNorm", inputs=("x", "axes")), ops=False)
def euclidean_norm(x: Array, axes: Static[Any], keep_dims: bool = False) -> Array:
    """Square root of the sum of squares over axes."""
    number_of_axes("EuclideanNorm", 1, axes=np.shape(axes))
    return jnp.sqrt(jnp.sum(lax.square(x), axis=axes_of("EuclideanNorm", axes, x.ndim), keepdims=keep_dims))


@op(ops=False, tensor="ptp")
def ptp(input: Array, axis: Axis = None, keepdims: bool = False) -> Array:
    """Difference of the largest and the smallest element over axes."""
    axes = axes_of("ptp", int(axis) if isinstance(axis, bool) else axis, input.ndim)
    return jnp.max(input, axis=axes, keepdims=keepdims) - jnp.min(input, axis=axes, keepdims=keepdims)

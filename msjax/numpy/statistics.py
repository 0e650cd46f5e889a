"""Reductions, running sums, histograms, sets and searches."""

from builtins import range as builtin_range
from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..core.operators.quotients import exact_mean, exact_sum
from ..core.spec import Array, ArrayLike, Axis, Dtype, Shown, Static
from ..core.values.promote import cast, kind_of
from ..ops.reduce.reduction import whole_mean
from ..ops.sort.counting import unique
from .arrays import array, arrays, cast_to, dtype_of, floats, in_order, np_op

_SMALL = tuple(np.dtype(d) for d in (np.bool_, np.int8, np.uint8, np.int16, np.int32))


@np_op("sum")
def _sum(
    a: ArrayLike,
    axis: Static[Axis] = None,
    dtype: Dtype | None = None,
    keepdims: bool = False,
    initial: ArrayLike | None = None,
) -> Array:
    """Sum over axes, all by default; integers up to 32 bits give int64.

    Example:
        >>> print(np.sum(np.ones((2, 3)), axis=0))
        [2. 2. 2.]
    """
    a = array(a)
    wide = dtype_of(dtype) or (np.dtype(np.int64) if a.dtype in _SMALL else a.dtype)
    total = exact_sum(cast(a, wide), in_order(axis, a.ndim, "sum"), keepdims)
    return total if initial is None else total + _number("sum", initial, wide)


def _number(name, initial, dtype):
    initial = array(initial)
    if initial.ndim or jnp.iscomplexobj(initial):
        raise TypeError(
            f"For '{name}', 'initial' must be a real number, but got {initial.dtype} of shape {initial.shape}."
        )
    return initial.astype(dtype)


@np_op("mean")
def _mean(a: ArrayLike, axis: Static[Axis] = None, keepdims: bool = False, dtype: Dtype | None = None) -> Array:
    """Mean over axes, all by default; in the dtype of the input, integers too, unless one is given."""
    a = array(a)
    axes = in_order(axis, a.ndim, "mean", flags=True)
    if kind_of(a.dtype) < 2:
        count = int(np.prod([a.shape[i] for i in axes]))
        made = whole_mean(jnp.sum(a, axis=axes, keepdims=keepdims, dtype=a.dtype), count)
    else:
        made = exact_mean(a, axes, keepdims)
    return cast_to(made, dtype, wide=True)


def _extreme(name, reduce, compare, word):
    def run(
        a: ArrayLike,
        axis: Static[Axis] = None,
        keepdims: bool = False,
        initial: ArrayLike | None = None,
        where: Annotated[bool, Shown("bool | Tensor")] = True,
    ) -> Array:
        a = array(a)
        axes = in_order(axis, a.ndim, name, flags=True)
        initial = None if initial is None else _number(name, initial, a.dtype)
        if where is not True:
            if initial is None:
                raise ValueError(f"For '{name}', initial value must be provided for where masks.")
            return reduce(a, axis=axes, keepdims=keepdims, initial=initial, where=array(where))
        made = reduce(a, axis=axes, keepdims=keepdims)
        return made if initial is None else compare(made, initial)

    run.__name__, run.__doc__ = (
        name,
        f"The {word} element over axes, all by default.\n\n    Example:\n        >>> np.{name}(np.array([1, 3, "
        "2]))\n    ",
    )
    for face in (f"a{name}", name):
        np_op(face)(run)


_extreme("max", jnp.max, jnp.maximum, "largest")
_extreme("min", jnp.min, jnp.minimum, "smallest")


def _spread(name, reduce, doc):
    def run(x: ArrayLike, axis: Static[Axis] = None, ddof: int = 0, keepdims: bool = False):
        x = floats(x)
        return reduce(x, axis=in_order(axis, x.ndim, name), ddof=ddof, keepdims=keepdims)

    run.__name__, run.__doc__ = name, doc
    np_op(name)(run)


_spread("std", jnp.std, "Standard deviation over axes, all by default; the divisor is the count less `ddof`.")
_spread("var", jnp.var, "Variance over axes, all by default; the divisor is the count less `ddof`.")


@np_op("ptp")
def _ptp(x: ArrayLike, axis: Static[Axis] = None, keepdims: bool = False) -> Array:
    """The largest element less the smallest, over axes."""
    x = array(x)
    axes = in_order(axis, x.ndim, "ptp", flags=True)
    return jnp.max(x, axis=axes, keepdims=keepdims) - jnp.min(x, axis=axes, keepdims=keepdims)


@np_op("count_nonzero")
def _count_nonzero(x: ArrayLike, axis: Static[Axis] = None, keepdims: bool = False) -> Array:
    """Number of elements that are not zero, as int32."""
    x = array(x)
    return jnp.sum(x != 0, axis=in_order(axis, x.ndim, "count_nonzero"), keepdims=keepdims, dtype=jnp.int32)


@np_op("argmax")
def _argmax(a: ArrayLike, axis: Static[Axis] = None) -> Array:
    """Position of the first largest element, as int64."""
    return jnp.argmax(array(a), axis).astype(jnp.int64)


@np_op("argmin")
def _argmin(a: ArrayLike, axis: Static[Axis] = None) -> Array:
    """Position of the first smallest element, as int32."""
    return jnp.argmin(array(a), axis).astype(jnp.int32)


@np_op("sometrue")
def _sometrue(a: ArrayLike, axis: Static[Axis] = None, keepdims: bool = False):
    """Whether an element over axes is true."""
    a = array(a)
    return jnp.any(a, axis=in_order(axis, a.ndim, "sometrue"), keepdims=keepdims)


# --- ignoring NaN
def _ignoring(name, reduce, doc, prepare, ddof=False):
    def run(a: ArrayLike, axis: Static[Axis] = None, dtype: Dtype | None = None, keepdims: bool = False) -> Array:
        a = prepare(array(a))
        return cast_to(reduce(a, axis=in_order(axis, a.ndim, name, flags=True), keepdims=keepdims), dtype, wide=True)

    def run_ddof(
        a: ArrayLike, axis: Static[Axis] = None, dtype: Dtype | None = None, ddof: int = 0, keepdims: bool = False
    ) -> Array:
        a = prepare(array(a))
        made = reduce(a, axis=in_order(axis, a.ndim, name, flags=True), ddof=ddof, keepdims=keepdims)
        return cast_to(made, dtype, wide=True)

    run = run_ddof if ddof else run
    run.__name__, run.__doc__ = name, doc
    np_op(name)(run)


def _or_nan(reduce):
    """`reduce`, which gives NaN for no elements."""
    return lambda a, **axes: reduce(a, initial=None if a.size else jnp.nan, **axes)


def _wide(a):
    return a if a.dtype == np.float64 else a.astype(jnp.float32)


_ignoring(
    "nansum",
    lambda a, axis, keepdims: jnp.nansum(a, axis=axis, keepdims=keepdims).astype(a.dtype),
    "Sum over axes, NaN as 0.",
    lambda a: a,
)
_ignoring("nanmax", _or_nan(jnp.nanmax), "The largest element over axes, without NaN.", lambda a: a)
_ignoring("nanmin", _or_nan(jnp.nanmin), "The smallest element over axes, without NaN.", lambda a: a)
_ignoring("nanmean", jnp.nanmean, "Mean over axes, without NaN, as float32 or float64.", _wide)
_ignoring(
    "nanstd",
    jnp.nanstd,
    "Standard deviation over axes, without NaN, as float32.",
    lambda a: a.astype(jnp.float32),
    ddof=True,
)
_ignoring(
    "nanvar", jnp.nanvar, "Variance over axes, without NaN, as float32.", lambda a: a.astype(jnp.float32), ddof=True
)


_SHORT = tuple(map(np.dtype, (np.bool_, np.int8, np.uint8, np.int16)))


def _running(name, accumulate, doc):
    def run(a: ArrayLike, axis: Static[Axis] = None, dtype: Dtype | None = None) -> Array:
        a = array(a)
        wide = a.astype(jnp.int32) if a.dtype in _SHORT else a
        made = accumulate(wide, axis=axis).astype(wide.dtype)
        return made if dtype_of(dtype) == a.dtype else cast_to(made, dtype)

    run.__name__, run.__doc__ = name, doc
    np_op(name)(run)


_running("cumsum", jnp.cumsum, "Running sum along an axis, or of all elements.")
_running("nancumsum", jnp.nancumsum, "Running sum along an axis, or of all elements, NaN as 0.")
_IN_FOUR_BYTES = dict.fromkeys(_SHORT, np.int32) | dict.fromkeys(map(np.dtype, (np.uint8, np.uint16)), np.uint32)


@np_op("cumprod")
def _cumprod(a: ArrayLike, axis: Static[Axis] = None, dtype: Dtype | None = None) -> Array:
    """Running product along an axis, or of all elements; computed in float32, of float64 in float64."""
    a = array(a)
    made = jnp.cumprod(a if a.dtype == np.float64 else cast(a, np.dtype(np.float32)), axis=axis)
    return cast(made, dtype_of(dtype, wide=True) or np.dtype(_IN_FOUR_BYTES.get(a.dtype, a.dtype)))


@np_op("average")
def _average(x: ArrayLike, axis: Static[Axis] = None, weights: ArrayLike | None = None, returned: bool = False):
    """Weighted mean over axes; with `returned` also the sum of the weights.

    Example:
        >>> print(np.average(np.array([1.0, 3.0]), weights=[3.0, 1.0]))
        1.5
    """
    x = array(x)
    axes = in_order(axis, x.ndim, "average", flags=True)
    if weights is None:
        mean, count = _mean(x, axes), int(np.prod([x.shape[a] for a in axes]))
        return (mean, jnp.full(mean.shape, count, mean.dtype)) if returned else mean
    weights = array(weights)
    if weights.shape != x.shape:
        if axis is None:
            raise TypeError(
                "For 'average', axis must be specified when shapes of 'x' and 'weights' differ, "
                f"but got {x.shape} and {weights.shape}."
            )
        if weights.ndim != 1 or len(axes) != 1 or weights.shape[0] != x.shape[axes[0]]:
            raise ValueError(
                f"For 'average', 'weights' must have the length of the axis, but got shape {weights.shape} for "
                f"{x.shape} and axis {axis}."
            )
        weights = weights.reshape([-1 if i == axes[0] else 1 for i in range(x.ndim)])
    weights = jnp.broadcast_to(weights, x.shape)
    total = exact_sum(weights, axes)
    numbers, factors = arrays(x, weights)
    product = numbers * factors
    whole, parts = arrays(exact_sum(product, axes), total)
    # as in MindSpore whole numbers stay whole
    made = lax.div(whole, parts) if whole.dtype.kind in "iu" else whole / parts
    return (made, total) if returned else made


# --- counting
@np_op("bincount", dynamic=True)
def _bincount(
    x: ArrayLike, weights: ArrayLike | None = None, minlength: Static[int] = 0, length: Static[int | None] = None
) -> Array:
    """How often each number from 0 on occurs, or the sum of its weights, as float32."""
    x = array(x)
    if x.ndim != 1:
        raise ValueError(f"For 'bincount', the input must have one axis, but got shape {x.shape}.")
    if length is None:
        length = max(int(jnp.max(x)) + 1 if x.size else 0, minlength)
    elif length < minlength:
        length = minlength
    if weights is not None:
        weights = array(weights)
        weights = weights.astype(jnp.promote_types(weights.dtype, jnp.float32))
    return jnp.bincount(x, weights, length=length).astype(jnp.float32)


def _edges(a, bins, range):
    if isinstance(bins, int):
        low, high = (jnp.min(a), jnp.max(a)) if range is None else (array(v).astype(jnp.float32) for v in range)
        if range is not None and range[0] > range[1]:
            raise ValueError(f"For 'histogram', max must be larger than min in 'range', but got {range}.")
        low, high = jnp.asarray(low, jnp.float32), jnp.asarray(high, jnp.float32)
        same = low == high
        return jnp.linspace(jnp.where(same, low - 0.5, low), jnp.where(same, high + 0.5, high), bins + 1)
    edges = array(bins)
    if edges.ndim != 1:
        raise ValueError(
            f"For 'histogram', 'bins' must be a number or limits along 1 axis, but got shape {edges.shape}."
        )
    return edges


@np_op("histogram_bin_edges")
def _histogram_bin_edges(a: ArrayLike, bins: Any = 10, range: Any = None, weights: Any = None) -> Array:
    """The limits between the bins of a histogram."""
    return _edges(jnp.ravel(array(a)), bins, range)


def _counted(sample, edges, weights, density):
    """Counts over a grid: sample (n, d), edges a list of d vectors."""
    inside, position, shape = True, 0, [e.shape[0] - 1 for e in edges]
    for i, e in enumerate(edges):
        x = sample[:, i]
        place = jnp.where(x == e[-1], shape[i] - 1, jnp.searchsorted(e, x, side="right") - 1)
        inside = inside & (place >= 0) & (place < shape[i])
        position = position * shape[i] + jnp.clip(place, 0, shape[i] - 1)
    weight = (
        jnp.ones(sample.shape[0], jnp.float32) if weights is None else jnp.ravel(array(weights)).astype(jnp.float32)
    )
    counts = jnp.zeros(int(np.prod(shape)), jnp.float32).at[position].add(jnp.where(inside, weight, 0)).reshape(shape)
    if density:
        counts = counts / jnp.sum(counts)
        for i, e in enumerate(edges):
            counts = counts / jnp.diff(e).reshape([-1 if k == i else 1 for k in builtin_range(len(edges))])
    return counts


@np_op("histogram")
def _histogram(
    a: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None, density: bool = False
):
    """Counts of the elements between limits (as float32), and the limits.

    Example:
        >>> counts, edges = np.histogram(np.array([1.0, 2.0, 5.0]), 2)
        >>> print(counts, edges)
        [2. 1.] [1. 3. 5.]
    """
    a = jnp.ravel(array(a))
    edges = _edges(a, bins, range)
    return _counted(a[:, None], [edges], weights, density), edges


def _each(bins, n):
    """The bins of each of n axes: a number for all, or a number or limits for each."""
    if isinstance(bins, int):
        return [bins] * n
    each = list(bins)
    if len(each) != n:
        raise ValueError(f"For 'histogram', 'bins' must have an item for each of the {n} axes, but got {len(each)}.")
    return each


@np_op("histogramdd")
def _histogramdd(
    sample: ArrayLike, bins: Any = 10, range: Any = None, weights: ArrayLike | None = None, density: bool = False
):
    """Counts of points over a grid, and the limits along each axis; `sample` is (points, axes) or a list of
    coordinates.
    """
    sample = jnp.stack([array(s) for s in sample], 1) if isinstance(sample, (list, tuple)) else array(sample)
    n = sample.shape[1]
    each = _each(bins, n)
    edges = [_edges(sample[:, i], each[i], None if range is None else range[i]) for i in builtin_range(n)]
    return _counted(sample, edges, weights, density), edges


@np_op("histogram2d")
def _histogram2d(
    x: ArrayLike,
    y: ArrayLike,
    bins: Any = 10,
    range: Any = None,
    weights: ArrayLike | None = None,
    density: bool = False,
):
    """Counts of the points (x, y) over a grid, and the limits along both axes."""
    counts, edges = _histogramdd([x, y], bins, range, weights, density)
    return counts, *edges


# --- sets and searches
@np_op("unique", dynamic=True)
def _unique(x: ArrayLike, return_inverse: bool = False) -> Array:
    """The distinct elements in the order in which they occur first; with `return_inverse` also where each element, all
    in a row, is among them (int64 for int64, otherwise int32).
    """
    values, places = unique(array(x).reshape(-1))
    return (values, places) if return_inverse else values


@np_op("in1d")
def _in1d(ar1: ArrayLike, ar2: ArrayLike, invert: bool = False) -> Array:
    """For each element of `ar1`, all in a row, whether it is in `ar2`."""
    one, two = arrays(ar1, ar2)
    return jnp.isin(jnp.ravel(one), two, invert=invert)


@np_op("isin")
def _isin(element: ArrayLike, test_elements: ArrayLike, invert: bool = False) -> Array:
    """For each element whether it is among `test_elements`."""
    one, two = arrays(element, test_elements)
    return jnp.isin(one, two, invert=invert)


@np_op("intersect1d", dynamic=True)
def _intersect1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False, return_indices: bool = False) -> Array:
    """The elements that both have, in ascending order; with `return_indices` also their first positions in both."""
    one, two = arrays(ar1, ar2)
    made = np.intersect1d(np.asarray(one), np.asarray(two), assume_unique, return_indices)
    return (
        (jnp.asarray(made[0]), *(jnp.asarray(m, jnp.int32) for m in made[1:])) if return_indices else jnp.asarray(made)
    )


@np_op("setdiff1d", dynamic=True)
def _setdiff1d(ar1: ArrayLike, ar2: ArrayLike, assume_unique: bool = False):
    """The elements of `ar1` that `ar2` does not have, in ascending order unless they are assumed to be distinct."""
    one, two = arrays(ar1, ar2)
    return jnp.asarray(np.setdiff1d(np.asarray(one), np.asarray(two), assume_unique)).astype(array(ar1).dtype)


@np_op("searchsorted")
def _searchsorted(a: ArrayLike, v: ArrayLike, side: str = "left", sorter: ArrayLike | None = None) -> Array:
    """Where each v must be put into the ascending vector a, as int32.

    Example:
        >>> print(np.searchsorted([1, 2, 3], 2.5))
        2
    """
    if side not in ("left", "right"):
        raise ValueError(f"For 'searchsorted', 'side' must be 'left' or 'right', but got {side!r}.")
    a, v = arrays(a, v)
    return jnp.searchsorted(a if sorter is None else a[array(sorter)], v, side=side).astype(jnp.int32)


@np_op("digitize")
def _digitize(x: ArrayLike, bins: ArrayLike, right: bool = False) -> Array:
    """The number of the bin in which each element lies, as int32."""
    x, bins = arrays(x, bins)
    return jnp.digitize(x, bins, right).astype(jnp.int32)


__all__ = []

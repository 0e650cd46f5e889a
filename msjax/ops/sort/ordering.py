"""Sorting, order statistics, searching, counting, distinct elements."""

import itertools
import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.ranges import check_range
from ...core.operators.record import composite, op, records
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..elementwise.math import to_float
from ..reduce.reduction import axes_of
from ..shape.shaping import axis_of


def _order(x, axis, descending, stable=True):
    """Positions that sort x; equal elements keep their order, NaN comes last."""
    if x.ndim == 0:
        return jnp.zeros((), jnp.int32)
    if descending:
        x = -x if jnp.issubdtype(x.dtype, jnp.inexact) else ~x
    return jnp.argsort(x, axis=axis, stable=True).astype(jnp.int32)


def _sorted(x, axis, descending):
    axis = axis_of("Sort", axis, max(x.ndim, 1))
    place = _order(x, axis, descending)
    return (jnp.take_along_axis(x, place, axis) if x.ndim else x), place


@op(prim="Sort(axis=-1, descending=False)(x)", ops="sort(input_x, axis=-1, descending=False)")
def sort(input, axis=-1, descending=False):
    """The elements in order along an axis, and the places (int32) where they were.

    Args:
        input: Tensor. axis: int. descending: from the largest to the smallest.

    Example:
        >>> ops.sort(Tensor([3.0, 1.0, 2.0]))
    """
    return _sorted(input, axis, descending)


@op(name="sort_int64", ops=False, mint="sort(input, *, dim=-1, descending=False, stable=False)")
def sort_int64(input, dim=-1, descending=False, stable=False):
    """The elements in order along an axis, and the places (int64) where they were."""
    values, place = _sorted(input, dim, descending)
    return values, place.astype(jnp.int64)


@composite(ops=False, tensor="sort(axis=-1, descending=False, stable=None)", name="sort_method")
def sort_method(self, axis=-1, descending=False, stable=None):
    """The elements in order along an axis, and the places where they were."""
    return records["sort"](self, axis, descending)


@op(ops="argsort(input, axis=-1, descending=False)")
def argsort(input, axis=-1, descending=False):
    """The places (int32) of the elements in order along an axis.

    Example:
        >>> ops.argsort(Tensor([3.0, 1.0, 2.0]))
    """
    return _order(input, axis_of("argsort", axis, max(input.ndim, 1)), descending)


@composite(ops=False, tensor="argsort(axis=-1, descending=False, stable=False)", name="argsort_method")
def argsort_method(self, axis=-1, descending=False, stable=False):
    """The places (int32) of the elements in order along an axis; equal elements always stay in order."""
    return records["argsort"](self, axis, descending)


@op(name="argsort_int64", ops=False, mint="argsort(input, dim=-1, descending=False, stable=False)")
def argsort_int64(input, dim=-1, descending=False, stable=False):
    """The places (int64) of the elements in order along an axis."""
    return _order(input, axis_of("argsort", dim, max(input.ndim, 1)), descending).astype(jnp.int64)


@op(ops="msort(input)", tensor="msort()")
def msort(input):
    """The elements in order along the first axis.

    Example:
        >>> ops.msort(Tensor([[3.0, 1.0], [2.0, 4.0]]))
    """
    return _sorted(input, 0, False)[0]


def _top(input, k, axis, largest):
    axis = axis_of("TopK", axis, input.ndim)
    if not 0 <= k <= input.shape[axis]:
        raise ValueError(f"For 'TopK', the 'k' must be in range [0, {input.shape[axis]}], but got {k}.")
    x = jnp.moveaxis(input, axis, -1)
    keys = x.astype(jnp.int32) if x.dtype == bool else x
    if not largest:
        keys = -keys if jnp.issubdtype(keys.dtype, jnp.inexact) else ~keys
    place = lax.top_k(lax.stop_gradient(keys), k)[1]
    return jnp.moveaxis(jnp.take_along_axis(x, place, -1), -1, axis), jnp.moveaxis(place, -1, axis)


@op(
    ops="topk(input, k, dim=None, largest=True, sorted=True)",
    tensor="topk(k, dim=None, largest=True, sorted=True)",
    prim="TopK(sorted=True)(input_x, k)",
    static=("k",),
)
def topk(input, k, dim=None, largest=True, sorted=True):
    """The k largest (or smallest) elements along an axis (the last by default) in order, and their places (int32).

    Example:
        >>> ops.topk(Tensor([3.0, 1.0, 2.0]), 2)
    """
    return _top(input, k, -1 if dim is None else dim, largest)


@op(ops="top_k(input_x, k, sorted=True)", tensor="top_k(k, sorted=True)", static=("k",))
def top_k(input, k, sorted=True):
    """The k largest elements along the last axis in order, and their places (int32).

    Example:
        >>> ops.top_k(Tensor([3.0, 1.0, 2.0]), 2)
    """
    return _top(input, k, -1, True)


@op(name="topk_int64", ops=False, mint="topk(input, k, dim=-1, largest=True, sorted=True)", static=("k",))
def topk_int64(input, k, dim=-1, largest=True, sorted=True):
    """The k largest (or smallest) elements along an axis in order, and their places (int64)."""
    values, place = _top(input, k, dim, largest)
    return values, place.astype(jnp.int64)


def _ranked(input, rank, axis, keepdims):
    """(the element of a rank along an axis, its place)"""
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    place = lax.slice_in_dim(_order(input, axis, False), rank, rank + 1, axis=axis)
    value = jnp.take_along_axis(input, place, axis)
    if not keepdims:
        value, place = jnp.squeeze(value, axis), jnp.squeeze(place, axis)
    return value, place.astype(jnp.int64)


@op(
    ops=False,
    tensor="kthvalue(k, dim=-1, keepdim=False)",
    mint="kthvalue(input, k, dim=-1, keepdim=False)",
    static=("k",),
    name="kthvalue",
)
def kthvalue(input, k, dim=-1, keepdim=False):
    """The k-th smallest element along an axis, and its place."""
    axis = axis_of("kthvalue", dim, max(input.ndim, 1))
    if input.ndim and not 1 <= k <= input.shape[axis]:
        raise ValueError(f"For 'kthvalue', the 'k' must be in range [1, {input.shape[axis]}], but got {k}.")
    return _ranked(input, k - 1, axis, keepdim)


@op(prim="NthElement(reverse=False)(input, n)", ops=False, static=("n",))
def nth_element(input, n, reverse=False):
    """The element of rank n (from 0) along the last axis; with `reverse` counted from the largest."""
    return _ranked(input, input.shape[-1] - 1 - n if reverse else n, input.ndim - 1, False)[0]


@op(ops="median(input, axis=-1, keepdims=False)", tensor="median(axis=-1, keepdims=False)")
def median(input, axis=-1, keepdims=False):
    """The median along an axis (the lower of two middle elements), and its place.

    Example:
        >>> ops.median(Tensor([1.0, 3.0, 2.0]))
    """
    axis = axis_of("median", axis, max(input.ndim, 1))
    return _ranked(input, (input.shape[axis] - 1) // 2 if input.ndim else 0, axis, keepdims)


def _global_median(input):
    value, place = _ranked(input.reshape(-1), (input.size - 1) // 2, 0, False)
    return value, jnp.zeros_like(place)


@op(prim="Median(global_median=False, axis=0, keep_dims=False, ignore_nan=False)(x)", ops=False, name="prim_median")
def prim_median(x, global_median=False, axis=0, keep_dims=False, ignore_nan=False):
    """The median along an axis, or of all elements, and its place."""
    if global_median:
        return _global_median(x)
    return nanmedian(x, axis, keep_dims) if ignore_nan else median(x, axis, keep_dims)


@op(name="mint_median_all", ops=False)
def mint_median_all(input):
    """The median of all elements."""
    return _global_median(input)[0]


@composite(ops=False, mint="median(input, dim=None, keepdim=False)", name="mint_median")
def mint_median(input, dim=None, keepdim=False):
    """The median of all elements; along an axis also its place."""
    return records["mint_median_all"](input) if dim is None else records["median"](input, dim, keepdim)


@op(ops="nanmedian(input, axis=-1, keepdims=False)", tensor="nanmedian(axis=-1, keepdims=False)")
def nanmedian(input, axis=-1, keepdims=False):
    """The median along an axis of the elements that are not NaN, and its place.

    Example:
        >>> ops.nanmedian(Tensor([1.0, float("nan"), 2.0]))
    """
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    axis = axis_of("nanmedian", axis, input.ndim)
    count = jnp.sum(~jnp.isnan(input), axis=axis, keepdims=True)
    place = jnp.take_along_axis(_order(input, axis, False), jnp.maximum(count - 1, 0) // 2, axis)
    value = jnp.take_along_axis(input, place, axis)
    if not keepdims:
        value, place = jnp.squeeze(value, axis), jnp.squeeze(place, axis)
    return value, place.astype(jnp.int64)


def _quantile(name, fn, input, q, axis, keepdims):
    axes = axes_of(name, axis, input.ndim)
    return fn(input, jnp.asarray(q).astype(input.dtype), axis=axes, keepdims=keepdims).astype(input.dtype)


@op(ops="quantile(input, q, axis=None, keepdims=False)", tensor="quantile(q, axis=None, keepdims=False)")
def quantile(input, q, axis=None, keepdims=False):
    """The q-quantile along an axis (of all elements without one), linearly interpolated.

    Example:
        >>> ops.quantile(Tensor([1.0, 2.0, 3.0]), 0.5)
    """
    return _quantile("quantile", jnp.quantile, input, q, axis, keepdims)


@op(ops="nanquantile(input, q, axis=None, keepdims=False)", tensor="nanquantile(q, axis=None, keepdims=False)")
def nanquantile(input, q, axis=None, keepdims=False):
    """The q-quantile along an axis of the elements that are not NaN.

    Example:
        >>> ops.nanquantile(Tensor([1.0, float("nan"), 3.0]), 0.5)
    """
    return _quantile("nanquantile", jnp.nanquantile, input, q, axis, keepdims)


@op(prim="Quantile(dim=None, keep_dims=False, ignore_nan=False)(input, q)", ops=False, name="prim_quantile")
def prim_quantile(input, q, dim=None, keep_dims=False, ignore_nan=False):
    """The q-quantile along an axis, or of all elements."""
    return (nanquantile if ignore_nan else quantile)(input, q, dim, keep_dims)


# --- searching
def _search(sequence, values, right, dtype):
    side = "right" if right else "left"
    values = jnp.asarray(values)
    if sequence.ndim <= 1:
        found = jnp.searchsorted(
            sequence, values.astype(sequence.dtype) if jnp.ndim(values) == 0 else values, side=side
        )
    else:
        if values.shape[:-1] != sequence.shape[:-1]:
            raise ValueError(
                "For 'SearchSorted', the leading axes of 'sorted_sequence' and 'values' must agree, but got "
                f"{sequence.shape} and {values.shape}."
            )
        rows = sequence.reshape(-1, sequence.shape[-1]), values.reshape(-1, values.shape[-1])
        less = (rows[0][:, None, :] <= rows[1][:, :, None]) if right else (rows[0][:, None, :] < rows[1][:, :, None])
        found = jnp.sum(less, -1).reshape(values.shape)
    return found.astype(dtype)


@op(
    ops="searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None)",
    mint="searchsorted(sorted_sequence, values, *, out_int32=False, right=False, side=None, sorter=None)",
    operands=("sorted_sequence", "values", "sorter"),
)
def searchsorted(sorted_sequence, values, out_int32=False, right=False, side=None, sorter=None):
    """The places where the values can be put into a sorted sequence so that it stays sorted.

    Args:
        right: behind equal elements instead of before them. sorter: places that sort the sequence.

    Example:
        >>> ops.searchsorted(Tensor([1.0, 2.0, 3.0]), Tensor([2.0, 2.5]))
    """
    if side not in (None, "left", "right"):
        raise ValueError(f"For 'searchsorted', the 'side' must be 'left' or 'right', but got {side!r}.")
    if side == "left" and right:
        raise ValueError(
            "For 'searchsorted', 'side' and 'right' must not contradict each other, but got 'left' and True."
        )
    if sorter is not None:
        sorted_sequence = jnp.take_along_axis(sorted_sequence, sorter, -1)
    return _search(sorted_sequence, values, right or side == "right", jnp.int32 if out_int32 else jnp.int64)


@op(
    prim="SearchSorted(dtype=mindspore.int64, right=False)(sorted_sequence, values, sorter=None)",
    ops=False,
    name="prim_search_sorted",
    operands=("sorted_sequence", "values", "sorter"),
)
def prim_search_sorted(sorted_sequence, values, sorter=None, dtype=mstype.int64, right=False):
    """The places where the values can be put into a sorted sequence."""
    return searchsorted(sorted_sequence, values, False, right, None, sorter).astype(mstype.to_numpy(dtype))


@op(
    ops=False,
    tensor="searchsorted(v, side='left', sorter=None)",
    name="searchsorted_method",
    operands=("self", "v", "sorter"),
)
def searchsorted_method(self, v, side="left", sorter=None):
    """The places where the values can be put into this sorted Tensor."""
    return searchsorted(self, v, True, False, side, sorter)


def _bound(right):
    def bound(sorted_x, values, out_type=mstype.int32):
        return _search(sorted_x, values, right, mstype.to_numpy(out_type))

    word = "upper" if right else "lower"
    bound.__doc__ = f"The {word} places where the values can be put into sorted rows."
    op(
        bound,
        name=f"{word}_bound",
        ops=False,
        prim=f"{word.capitalize()}Bound(out_type=mindspore.int32)(sorted_x, values)",
    )


_bound(False)
_bound(True)


@op(ops="bucketize(input, boundaries, *, right=False)", prim="Bucketize(boundaries)(input)", operands=("input",))
def bucketize(input, boundaries, right=True):
    """The number (int32) of the interval between boundaries in which each element lies.

    Example:
        >>> ops.bucketize(Tensor([1.0, 2.5]), [1.0, 2.0], right=True)
    """
    edges = jnp.asarray(boundaries, jnp.float32)
    return jnp.searchsorted(edges, input.astype(jnp.float32), side="right" if right else "left").astype(jnp.int32)


@op(prim="InTopK(k)(x1, x2)", ops="intopk(x1, x2, k)", operands=("x1", "x2"))
def intopk(x1, x2, k):
    """Whether the class x2[i] is among the k largest of the row x1[i].

    Example:
        >>> ops.intopk(Tensor([[1.0, 2.0]]), Tensor([1]), 1)
    """
    wanted = jnp.take_along_axis(x1, x2[:, None].astype(jnp.int64), 1)
    return (jnp.sum(x1 > wanted, 1) < k) & jnp.isfinite(wanted[:, 0])


# --- counting
@op(
    ops="histc(input, bins=100, min=0.0, max=0.0)",
    tensor="histc(bins=100, min=0.0, max=0.0)",
    mint="histc(input, bins=100, min=0, max=0)",
    prim="Histogram(bins=100, min=0.0, max=0.0)(x)",
)
def histc(input, bins=100, min=0.0, max=0.0):
    """How many elements lie in each of equal intervals between min and max (of the elements if both are 0), in the
    dtype of the input.

    Example:
        >>> ops.histc(Tensor([1.0, 2.0, 1.0]), 4, 0.0, 3.0)
    """
    if bins <= 0:
        raise ValueError(f"For 'histc', the 'bins' must be positive, but got {bins}.")
    if min > max:
        raise ValueError(f"For 'histc', the 'min' must not be greater than 'max', but got {min} and {max}.")
    x = to_float(input).reshape(-1)
    low, high = (jnp.asarray(min, x.dtype), jnp.asarray(max, x.dtype)) if min != max else (jnp.min(x), jnp.max(x))
    low, high = jnp.where(low == high, low - 1, low), jnp.where(low == high, high + 1, high)
    place = jnp.floor((x - low) / (high - low) * bins).astype(jnp.int32)
    place = jnp.where((x < low) | (x > high) | jnp.isnan(x), bins, jnp.minimum(place, bins - 1))
    return jnp.zeros((bins,), input.dtype).at[place].add(jnp.ones((), input.dtype), mode="drop")


@op(prim="HistogramFixedWidth(nbins, dtype='int32')(x, range)", ops=False, operands=("x", "range"))
def histogram_fixed_width(x, range, nbins, dtype="int32"):
    """How many elements lie in each of equal intervals of a range; elements outside count for the outermost."""
    low, high = range[0], range[1]
    place = jnp.clip(jnp.floor((x - low) / (high - low) * nbins), 0, nbins - 1).astype(jnp.int32)
    return jnp.zeros((nbins,), jnp.int32).at[place.reshape(-1)].add(1)


@op(
    ops="bincount(input, weights=None, minlength=0)",
    tensor="bincount(weights=None, minlength=0)",
    operands=("input", "weights"),
    dynamic=True,
)
def bincount(input, weights=None, minlength=0):
    """How often each number from 0 on occurs (as float32), or the sum of the weights of its occurrences.

    Example:
        >>> ops.bincount(Tensor([1, 2, 2]))
    """
    counted = _counted(input, weights, minlength)
    return counted.astype(jnp.float32)


def _counted(input, weights, minlength):
    if input.ndim != 1:
        raise ValueError(f"For 'bincount', the dimension of 'input' must be 1, but got {input.ndim}.")
    if isinstance(minlength, bool) or not isinstance(minlength, int):
        raise TypeError(f"For 'bincount', the 'minlength' must be an int, but got {minlength!r}.")
    if minlength < 0:
        raise ValueError(f"For 'bincount', the 'minlength' must not be negative, but got {minlength}.")
    if weights is not None and weights.shape != input.shape:
        raise ValueError(
            f"For 'bincount', the shape of 'weights' must be that of 'input', {input.shape}, but got {weights.shape}."
        )
    if input.size and int(jnp.min(input)) < 0:
        raise ValueError("For 'bincount', the elements of 'input' must not be negative.")
    length = max(int(jnp.max(input)) + 1 if input.size else 0, minlength)
    return jnp.bincount(input, weights, length=length)


@op(
    ops=False,
    mint="bincount(input, weights=None, minlength=0)",
    name="mint_bincount",
    operands=("input", "weights"),
    dynamic=True,
)
def mint_bincount(input, weights=None, minlength=0):
    """How often each number from 0 on occurs (int64), or the sum of the weights of its occurrences."""
    counted = _counted(input, weights, minlength)
    return counted.astype(jnp.int64) if weights is None else counted


@op(prim="Bincount()(array, size, weights)", ops=False, name="prim_bincount", static=("size",))
def prim_bincount(array, size, weights):
    """Sum of the weights of the occurrences of each number below `size`."""
    weights = jnp.ones(array.shape, weights.dtype) if weights.size == 0 else weights
    return (
        jnp.zeros((size,), weights.dtype)
        .at[jnp.where(array < size, array, size).reshape(-1)]
        .add(weights.reshape(-1), mode="drop")
    )


# --- distinct elements
@op(prim="Unique()(x)", ops="unique(input)", dynamic=True)
def unique(input):
    """The distinct elements in the order of their first occurrence, and for each element the place (int32) among them.

    Example:
        >>> ops.unique(Tensor([5, 2, 5, 1]))
    """
    values, first, inverse = jnp.unique(input, return_index=True, return_inverse=True)
    order = jnp.argsort(first)
    rank = jnp.argsort(order)
    return values[order], rank[inverse.reshape(input.shape)].astype(
        jnp.int64 if input.dtype == jnp.int64 else jnp.int32
    )


@op(name="unique_sorted", ops=False, dynamic=True)
def unique_sorted(input, return_inverse, return_counts, dim):
    """The distinct elements in order; on demand the place of each element among them, and how often each occurs."""
    values, inverse, counts = jnp.unique(input, return_inverse=True, return_counts=True, axis=dim)
    inverse = inverse.reshape(input.shape if dim is None else (-1,))
    found = [
        values,
        *([inverse.astype(jnp.int64)] if return_inverse else []),
        *([counts.astype(jnp.int64)] if return_counts else []),
    ]
    return tuple(found) if len(found) > 1 else values


@composite(
    ops=False,
    tensor="unique(sorted=True, return_inverse=False, return_counts=False, dim=None)",
    mint="unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None)",
    name="unique_method",
)
def unique_method(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    """The distinct elements in order; on demand the place of each element among them, and how often each occurs."""
    return records["unique_sorted"](input, bool(return_inverse), bool(return_counts), dim)


@op(
    prim="UniqueConsecutive(return_inverse=False, return_counts=False, dim=None)(x)",
    ops="unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)",
    tensor="unique_consecutive(return_inverse=False, return_counts=False, dim=None)",
    mint="unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)",
    dynamic=True,
)
def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    """The elements (or slices along an axis) without those that equal the one before; on demand places and counts.

    Example:
        >>> ops.unique_consecutive(Tensor([1, 1, 2, 1]))
    """
    x = input.reshape(-1) if dim is None else jnp.moveaxis(input, dim, 0)
    flat = x.reshape(x.shape[0], -1) if x.size else x.reshape(x.shape[0], 0)
    new = jnp.concatenate([jnp.ones((min(1, x.shape[0]),), bool), jnp.any(flat[1:] != flat[:-1], axis=1)])
    first = jnp.nonzero(new)[0]
    values = x[first] if dim is None else jnp.moveaxis(x[first], 0, dim)
    kind = jnp.int64 if input.dtype == jnp.int64 else jnp.int32
    found = [values]
    if return_inverse:
        inverse = (jnp.cumsum(new) - 1).astype(kind)
        found.append(inverse.reshape(input.shape) if dim is None else inverse)
    if return_counts:
        found.append(jnp.diff(jnp.append(first, x.shape[0])).astype(kind))
    return tuple(found) if len(found) > 1 else values


@op(
    prim="UniqueWithPad()(x, pad_num)",
    ops="unique_with_pad(x, pad_num)",
    tensor="unique_with_pad(pad_num)",
    dynamic=True,
)
def unique_with_pad(x, pad_num):
    """The distinct elements filled up to the old length with pad_num, and for each element the place among them.

    Example:
        >>> ops.unique_with_pad(Tensor([1, 1, 2]), 0)
    """
    values, inverse = unique(x)
    rest = x.size - values.size
    return jnp.concatenate([values, jnp.full((rest,), jnp.asarray(pad_num).astype(x.dtype))]), inverse


@op(prim="ListDiff(out_idx=mindspore.int32)(x, y)", ops=False, dynamic=True)
def list_diff(x, y, out_idx=mstype.int32):
    """The elements of x that are not in y, and their places."""
    place = jnp.nonzero(~jnp.isin(x, y))[0]
    return x[place], place.astype(mstype.to_numpy(out_idx))


@composite(prim="InvertPermutation()(input_x)", ops=False)
def invert_permutation(input):
    """The inverse of a permutation given as a tuple of ints."""
    if isinstance(input, Tensor) or not isinstance(input, (tuple, list)):
        raise TypeError(
            f"For 'InvertPermutation', the 'input_x' must be a tuple or list, but got {type(input).__name__}."
        )
    if sorted(input) != list(range(len(input))):
        raise ValueError(
            f"For 'InvertPermutation', the 'input_x' must be a permutation of 0 to {len(input) - 1}, but got {input}."
        )
    return tuple(int(i) for i in np.argsort(input))


@op(prim="UnravelIndex()(indices, dims)", ops=False, dynamic=True)
def unravel_index(indices, dims):
    """The position in an array of shape `dims` of each index that counts its elements in C order."""
    dims = tuple(int(d) for d in dims)
    check_range(indices, 0, math.prod(dims), "UnravelIndex", errors=(ValueError, ValueError))
    return jnp.stack(jnp.unravel_index(indices, dims), -1).astype(indices.dtype)


@op(ops="combinations(input, r=2, with_replacement=False)")
def combinations(input, r=2, with_replacement=False):
    """All combinations of r elements of a vector, one a row.

    Example:
        >>> ops.combinations(Tensor([1, 2, 3]))
    """
    if input.ndim != 1:
        raise ValueError(f"For 'combinations', the dimension of 'input' must be 1, but got {input.ndim}.")
    if r < 0:
        raise ValueError(f"For 'combinations', the 'r' must not be negative, but got {r}.")
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array(list(choose(range(input.shape[0]), r)), np.int64).reshape(-1, r)
    return input[places]


@op(ops="cartesian_prod(*inputs)")
def cartesian_prod(*inputs):
    """All ways of taking one element of each vector, one a row.

    Example:
        >>> ops.cartesian_prod(Tensor([1, 2]), Tensor([3, 4]))
    """
    if len(inputs) == 1:
        return inputs[0]
    return jnp.stack([g.reshape(-1) for g in jnp.meshgrid(*inputs, indexing="ij")], -1)


@op(ops=False, operands=("self", "choices"), tensor="choose(choices, mode='clip')", name="choose_method")
def choose_method(self, choices, mode="clip"):
    """For each element n the element at the same place of the n-th of the choices."""
    stacked = (
        jnp.stack(jnp.broadcast_arrays(*[jnp.asarray(c) for c in choices]))
        if isinstance(choices, (tuple, list))
        else choices
    )
    count = stacked.shape[0]
    place = self.astype(jnp.int64)
    place = place % count if mode == "wrap" else jnp.clip(place, 0, count - 1)
    shape = jnp.broadcast_shapes(place.shape, stacked.shape[1:])
    grid = jnp.broadcast_to(stacked, (count, *shape))
    return jnp.take_along_axis(grid, jnp.broadcast_to(place, shape)[None], 0)[0]

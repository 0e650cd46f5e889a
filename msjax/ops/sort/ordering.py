"""Sorting and order statistics; permutations and choices."""

import math
from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Axis, Integers, Ints, Operand, Shown, Static
from ...core.values.ranges import check_range
from ...core.values.tensor import Tensor
from ..index.gathering import with_place
from ..reduce.reduction import axes_of
from ..shape.shaping import axis_of
from ..shapes import ANY, number_of_axes


def _axis(x, axis, any_axes):
    """The axis to sort along. any_axes: a Tensor without axes is taken, as `mint` does."""
    if not any_axes:
        number_of_axes("Sort", range(1, ANY), x=x.shape)
    return axis_of("Sort", axis, max(x.ndim, 1))


def _order(x, axis, descending):
    """Positions that sort x; equal elements keep their order, NaN comes last."""
    if x.ndim == 0:
        return jnp.zeros((), jnp.int32)
    if descending:
        x = -x if jnp.issubdtype(x.dtype, jnp.inexact) else ~x
    return jnp.argsort(x, axis=axis, stable=True).astype(jnp.int32)


def _sorted(x, axis, descending, any_axes=False):
    axis = _axis(x, axis, any_axes)
    place = _order(x, axis, descending)
    return (jnp.take_along_axis(x, place, axis) if x.ndim else x), place


@op(
    prim=Prim("Sort", init=args(axis=-1, descending=False), call=args("x"), to={"x": "input"}),
    ops=Face("sort", args("input_x", axis=-1, descending=False), to={"input_x": "input"}),
)
def sort(input: Array, axis: int = -1, descending: bool = False):
    """The elements in order along an axis, and the places (int32) where they were.

    Args:
        input: Tensor.
        axis: int.
        descending: from the largest to the smallest.

    Example:
        >>> ops.sort(Tensor([3.0, 1.0, 2.0]))
        (Tensor(shape=[3], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00,  3.00000000e+00]), Tensor(shape=[3], dtype=Int32, value= [1, 2, 0]))
    """
    return _sorted(input, axis, descending)


@op(name="sort_int64", ops=False, mint=Face("sort", args("input").only(dim=-1, descending=False, stable=False)))
def sort_int64(input: Array, dim: int = -1, descending: bool = False, stable: bool = False):
    """The elements in order along an axis, and the places (int64) where they were."""
    values, place = _sorted(input, dim, descending, True)
    return values, place.astype(jnp.int64)


@composite(ops=False, tensor="sort", name="sort_method")
def sort_method(self: Array, axis: int = -1, descending: bool = False, stable: bool | None = None):
    """The elements in order along an axis, and the places where they were."""
    return records["sort"](self, axis, descending)


@op(ops=True)
def argsort(input: Array, axis: int = -1, descending: bool = False) -> Array:
    """The places (int32) of the elements in order along an axis.

    Example:
        >>> print(ops.argsort(Tensor([3.0, 1.0, 2.0])))
        [1 2 0]
    """
    return _order(input, _axis(input, axis, False), descending)


@composite(ops=False, tensor="argsort", name="argsort_method")
def argsort_method(self: Array, axis: int = -1, descending: bool = False, stable: bool = False) -> Array:
    """The places (int32) of the elements in order along an axis; equal elements always stay in order."""
    return records["argsort"](self, axis, descending)


@op(name="argsort_int64", ops=False, mint="argsort")
def argsort_int64(input: Array, dim: int = -1, descending: bool = False, stable: bool = False) -> Array:
    """The places (int64) of the elements in order along an axis."""
    return _order(input, _axis(input, dim, True), descending).astype(jnp.int64)


@op(ops=True, tensor="msort")
def msort(input: Array) -> Array:
    """The elements in order along the first axis.

    Example:
        >>> print(ops.msort(Tensor([[3.0, 1.0], [2.0, 4.0]])))
        [[2. 1.]
         [3. 4.]]
    """
    return _sorted(input, 0, False)[0]


def _top(input, k, axis, largest):
    if not input.ndim:
        raise RuntimeError("For 'TopK', the 'input' must have an axis, but got a number.")
    axis = axis_of("TopK", axis, input.ndim)
    k = k[0] if isinstance(k, tuple) and len(k) == 1 else k  # a Tensor of one element
    if not 0 <= k <= input.shape[axis]:
        raise ValueError(f"For 'TopK', the 'k' must be in range [0, {input.shape[axis]}], but got {k}.")
    x = jnp.moveaxis(input, axis, -1)
    keys = x.astype(jnp.int32) if x.dtype == bool else x
    if not largest:
        keys = -keys if jnp.issubdtype(keys.dtype, jnp.inexact) else ~keys
    place = lax.top_k(lax.stop_gradient(keys), k)[1]
    return jnp.moveaxis(jnp.take_along_axis(x, place, -1), -1, axis), jnp.moveaxis(place, -1, axis)


@op(
    ops=True,
    tensor="topk",
    prim=Prim("TopK", init=args(sorted=True), call=args("input_x", "k"), to={"input_x": "input"}),
)
def topk(input: Array, k: Static[Any], dim: Axis = None, largest: bool = True, sorted: bool = True):
    """The k largest (or smallest) elements along an axis (the last by default) in order, and their places (int32).

    Example:
        >>> ops.topk(Tensor([3.0, 1.0, 2.0]), 2)
        (Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  2.00000000e+00]), Tensor(shape=[2], dtype=Int32, value= [0, 2]))
    """
    values, place = _top(input, k, -1 if dim is None else dim, largest)
    if not sorted and values.shape == input.shape and input.ndim:  # all of them, as they stand
        return input, lax.broadcasted_iota(place.dtype, input.shape, (-1 if dim is None else dim) % input.ndim)
    return values, place


@op(ops=Face("top_k", args("input_x", "k", sorted=True), to={"input_x": "input"}), tensor="top_k")
def top_k(input: Array, k: Static[Any], sorted: bool = True):
    """The k largest elements along the last axis in order, and their places (int32).

    Example:
        >>> ops.top_k(Tensor([3.0, 1.0, 2.0]), 2)
        (Tensor(shape=[2], dtype=Float32, value= [ 3.00000000e+00,  2.00000000e+00]), Tensor(shape=[2], dtype=Int32, value= [0, 2]))
    """
    return _top(input, k, -1, True)


@op(name="topk_int64", ops=False, mint="topk")
def topk_int64(input: Array, k: Static[int], dim: int = -1, largest: bool = True, sorted: bool = True):
    """The k largest (or smallest) elements along an axis in order, and their places (int64)."""
    values, place = _top(input, k, dim, largest)
    return values, place.astype(jnp.int64)


def _ranked(input, rank, axis, keepdims):
    """(the element of a rank along an axis, its place)"""
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    place = lax.slice_in_dim(_order(input, axis, False), rank, rank + 1, axis=axis)
    return with_place(input, place, axis, keepdims)


@op(ops=False, tensor="kthvalue", mint="kthvalue", name="kthvalue")
def kthvalue(input: Array, k: Static[int], dim: int = -1, keepdim: bool = False):
    """The k-th smallest element along an axis, and its place."""
    axis = axis_of("kthvalue", dim, max(input.ndim, 1))
    if input.ndim and not 1 <= k <= input.shape[axis]:
        raise ValueError(f"For 'kthvalue', the 'k' must be in range [1, {input.shape[axis]}], but got {k}.")
    return _ranked(input, k - 1, axis, keepdim)


@op(prim=Prim("NthElement", inputs=("input", "n")), ops=False)
def nth_element(input: Array, n: Static[Any], reverse: bool = False):
    """The element of rank n (from 0) along the last axis; with `reverse` counted from the largest."""
    number_of_axes("NthElement", range(1, ANY), input=input.shape)
    return _ranked(input, input.shape[-1] - 1 - n if reverse else n, input.ndim - 1, False)[0]


@op(ops=True, tensor="median")
def median(input: Array, axis: int = -1, keepdims: bool = False):
    """The median along an axis (the lower of two middle elements), and its place.

    Example:
        >>> ops.median(Tensor([1.0, 3.0, 2.0]))
        (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Int64, value= 2))
    """
    axis = axis_of("median", axis, max(input.ndim, 1))
    return _median(input, axis, keepdims)


def _median(input, axis, keepdims):
    """(the median along an axis, its place); among elements with a NaN the first NaN, which sorts behind all others."""
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    middle = (input.shape[axis] - 1) // 2
    place = lax.slice_in_dim(_order(input, axis, False), middle, middle + 1, axis=axis)
    if jnp.issubdtype(input.dtype, jnp.inexact):
        none = jnp.isnan(input)
        place = jnp.where(
            none.any(axis, keepdims=True), jnp.argmax(none, axis, keepdims=True).astype(place.dtype), place
        )
    return with_place(input, place, axis, keepdims)


def _global_median(input):
    value, place = _median(input.reshape(-1), 0, False)
    return value, jnp.zeros_like(place)


@op(prim=Prim("Median", inputs=("x",)), ops=False, name="prim_median")
def prim_median(
    x: Array, global_median: bool = False, axis: int = 0, keep_dims: bool = False, ignore_nan: bool = False
):
    """The median along an axis, or of all elements, and its place."""
    if global_median:
        return _global_median(x)
    return nanmedian(x, axis, keep_dims) if ignore_nan else median(x, axis, keep_dims)


@op(name="mint_median_all", ops=False)
def mint_median_all(input: Array):
    """The median of all elements."""
    return _global_median(input)[0]


@composite(ops=False, mint="median", name="mint_median")
def mint_median(input: Array, dim: Axis = None, keepdim: bool = False):
    """The median of all elements; along an axis also its place."""
    return records["mint_median_all"](input) if dim is None else records["median"](input, dim, keepdim)


@op(ops=True, tensor="nanmedian")
def nanmedian(input: Array, axis: int = -1, keepdims: bool = False) -> tuple[Array, Array]:
    """The median along an axis of the elements that are not NaN, and its place.

    Example:
        >>> ops.nanmedian(Tensor([1.0, float("nan"), 2.0]))
        (Tensor(shape=[], dtype=Float32, value= 1), Tensor(shape=[], dtype=Int64, value= 0))
    """
    axis = axis_of("nanmedian", axis, max(input.ndim, 1))
    if input.ndim == 0:
        return input, jnp.zeros((), jnp.int64)
    count = jnp.sum(~jnp.isnan(input), axis=axis, keepdims=True)
    place = jnp.take_along_axis(_order(input, axis, False), jnp.maximum(count - 1, 0) // 2, axis)
    return with_place(input, place, axis, keepdims)


def _quantile(name, fn, input, q, axis, keepdims):
    axes = axes_of(name, axis, input.ndim)
    return fn(input, jnp.asarray(q).astype(input.dtype), axis=axes, keepdims=keepdims).astype(input.dtype)


@op(ops=True, tensor="quantile")
def quantile(input: Array, q: Operand, axis: Axis = None, keepdims: bool = False) -> Array:
    """The q-quantile along an axis (of all elements without one), linearly interpolated.

    Example:
        >>> print(ops.quantile(Tensor([1.0, 2.0, 3.0]), 0.5))
        2.0
    """
    return _quantile("quantile", jnp.quantile, input, q, axis, keepdims)


@op(ops=True, tensor="nanquantile")
def nanquantile(input: Array, q: Operand, axis: Axis = None, keepdims: bool = False) -> Array:
    """The q-quantile along an axis of the elements that are not NaN.

    Example:
        >>> print(ops.nanquantile(Tensor([1.0, float("nan"), 3.0]), 0.5))
        2.0
    """
    return _quantile("nanquantile", jnp.nanquantile, input, q, axis, keepdims)


@op(prim=Prim("Quantile", inputs=("input", "q")), ops=False, name="prim_quantile")
def prim_quantile(
    input: Array, q: Operand, dim: Axis = None, keep_dims: bool = False, ignore_nan: bool = False
) -> Array:
    """The q-quantile along an axis, or of all elements."""
    return (nanquantile if ignore_nan else quantile)(input, q, dim, keep_dims)


@composite(prim=Prim("InvertPermutation", call=args("input_x"), to={"input_x": "input"}), ops=False)
def invert_permutation(input: Ints):
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


@op(prim=Prim("UnravelIndex"), ops=False, dynamic=True)
def unravel_index(indices: Integers, dims: Array):
    """The position in an array of shape `dims` of each index that counts its elements in C order."""
    number_of_axes("UnravelIndex", 1, dims=dims.shape)
    number_of_axes("UnravelIndex", (0, 1), indices=indices.shape)
    dims = tuple(int(d) for d in dims)
    check_range(indices, 0, math.prod(dims), "UnravelIndex", errors=(ValueError, ValueError))
    return jnp.stack(jnp.unravel_index(indices, dims), -1).astype(indices.dtype)


@op(ops=False, tensor="choose", name="choose_method")
def choose_method(self: Array, choices: Annotated[Array, Shown("Tensor | Sequence[Any]")], mode: str = "clip") -> Array:
    """For each element n the element at the same place of the n-th of the choices, which are broadcast each, or along the last axes of one Tensor."""
    if mode == "raise":
        raise NotImplementedError("For 'choose', the mode 'raise' can not be had: take 'clip' or 'wrap'.")
    if isinstance(choices, (tuple, list)):
        arrays = [jnp.asarray(c) for c in choices]
        shape = jnp.broadcast_shapes(self.shape, *(a.shape for a in arrays))
        grid = jnp.stack([jnp.broadcast_to(a, shape) for a in arrays])
    else:
        shape = jnp.broadcast_shapes(self.shape, choices.shape[1:])
        grid = jnp.broadcast_to(choices, (choices.shape[0], *shape))
    count = grid.shape[0]
    place = self.astype(jnp.int64)
    place = place % count if mode == "wrap" else jnp.clip(place, 0, count - 1)
    return jnp.take_along_axis(grid, jnp.broadcast_to(place, shape)[None], 0)[0]

"""Counting, histograms, distinct elements, and ways to combine elements."""

import itertools
from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np

from ...core.operators.quotients import exact_quotient
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.program.halves import in_float32
from ...core.spec import Array, Axis, Dtype, Number, Operand, Static
from ...core.spec.rules import Like, NonNegativeInt, PositiveInt, Rank
from ...core.values import dtype as mstype
from ..elementwise.math import to_float
from ..shapes import number_of_axes


# --- counting
@op(
    ops=True,
    tensor="histc",
    mint=Face("histc", args("input", bins=100, min=0, max=0)),
    prim=Prim("Histogram", init=args(bins=100, min=0.0, max=0.0), call=args("x"), to={"x": "input"}),
)
def histc(input: Array, bins: Like[PositiveInt] = 100, min: Number = 0.0, max: Number = 0.0) -> Array:
    """How many elements lie in each of equal intervals between min and max (of the elements if both are 0), in the
    dtype of the input; float32 for float16.

    Example:
        >>> print(ops.histc(Tensor([1.0, 2.0, 1.0]), 4, 0.0, 3.0))
        [0. 2. 1. 0.]
    """
    if min > max:
        raise ValueError(f"For 'histc', the 'min' must not be greater than 'max', but got {min} and {max}.")
    x = to_float(input).reshape(-1)
    low, high = (jnp.asarray(min, x.dtype), jnp.asarray(max, x.dtype)) if min != max else (jnp.min(x), jnp.max(x))
    low, high = jnp.where(low == high, low - 1, low), jnp.where(low == high, high + 1, high)
    place = jnp.floor(exact_quotient(x - low, high - low) * bins).astype(jnp.int32)
    place = jnp.where((x < low) | (x > high) | jnp.isnan(x), bins, jnp.minimum(place, bins - 1))
    dtype = jnp.float32 if input.dtype == jnp.float16 else input.dtype
    ones = jnp.ones(place.shape, dtype)
    return in_float32(lambda ones: jnp.zeros((bins,), ones.dtype).at[place].add(ones, mode="drop"), ones)


@op(prim=Prim("HistogramFixedWidth", inputs=("x", "range")), ops=False)
def histogram_fixed_width(x: Array, range: Array, nbins: int, dtype: str = "int32"):
    """How many elements lie in each of equal intervals of a range; elements outside count for the outermost."""
    low, high = range[0], range[1]
    place = jnp.clip(jnp.floor(exact_quotient(x - low, high - low) * nbins), 0, nbins - 1).astype(jnp.int32)
    return jnp.zeros((nbins,), jnp.int32).at[place.reshape(-1)].add(1)


@op(ops=True, tensor="bincount", dynamic=True)
def bincount(input: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    """How often each number from 0 on occurs (as float32), or the sum of the weights of its occurrences.

    Example:
        >>> print(ops.bincount(Tensor([1, 2, 2])))
        [0. 1. 2.]
    """
    weights = weights if weights is None else weights.astype(jnp.promote_types(weights.dtype, jnp.float32))
    return _counted(input, weights, minlength).astype(jnp.float32)


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
    if input.dtype.kind not in "iu":  # as in MindSpore, a number with a fraction counts nowhere
        whole = input.astype(jnp.int64)
        input = jnp.where(whole == input, whole, length)
    if weights is None:
        return jnp.bincount(input, length=length)
    return in_float32(lambda weights: jnp.bincount(input, weights, length=length), weights)


@op(ops=False, mint="bincount", name="mint_bincount", dynamic=True)
def mint_bincount(input: Array, weights: Array | None = None, minlength: int = 0) -> Array:
    """How often each number from 0 on occurs (int64), or the sum of the weights of its occurrences."""
    counted = _counted(input, weights, minlength)
    return counted.astype(jnp.int64) if weights is None else counted


@op(prim=Prim("Bincount"), ops=False, name="prim_bincount")
def prim_bincount(array: Array, size: Static[Any], weights: Array) -> Array:
    """Sum of the weights of the occurrences of each number below `size`."""
    weights = jnp.ones(array.shape, weights.dtype) if weights.size == 0 else weights
    place = jnp.where(array < size, array, size).reshape(-1)
    return in_float32(lambda v: jnp.zeros((size,), v.dtype).at[place].add(v, mode="drop"), weights.reshape(-1))


# --- distinct elements
@op(
    prim=Prim("Unique", call=args("x"), to={"x": "input"}, fixed={"vector": True}),
    ops=Face("unique", fixed={"vector": False}),
    dynamic=True,
)
def unique(input: Array, vector: bool = False):
    """The distinct elements in the order of their first occurrence, and for each element the place (int32) among them.

    Example:
        >>> ops.unique(Tensor([5, 2, 5, 1]))
        (Tensor(shape=[3], dtype=Int64, value= [5, 2, 1]), Tensor(shape=[4], dtype=Int64, value= [0, 1, 0, 2]))
    """
    if vector:
        number_of_axes("Unique", 1, RuntimeError, x=input.shape)
    values, first, inverse = jnp.unique(input, return_index=True, return_inverse=True, equal_nan=False)
    order = jnp.argsort(first)
    rank = jnp.argsort(order)
    return values[order], rank[inverse.reshape(input.shape)].astype(
        jnp.int64 if input.dtype == jnp.int64 else jnp.int32
    )


@op(name="unique_sorted", ops=False, dynamic=True)
def unique_sorted(input: Array, return_inverse: Operand, return_counts: Operand, dim: Operand):
    """The distinct elements in order; on demand the place of each element among them, and how often each occurs."""
    values, inverse, counts = jnp.unique(input, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    inverse = inverse.reshape(input.shape if dim is None else (-1,))
    found = [
        values,
        *([inverse.astype(jnp.int64)] if return_inverse else []),
        *([counts.astype(jnp.int64)] if return_counts else []),
    ]
    return tuple(found) if len(found) > 1 else values


@composite(ops=False, tensor="unique", mint="unique", name="unique_method")
def unique_method(
    input: Array, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Axis = None
) -> Array:
    """The distinct elements in order; on demand the place of each element among them, and how often each occurs."""
    return records["unique_sorted"](input, bool(return_inverse), bool(return_counts), dim)


@op(
    prim=Prim(
        "UniqueConsecutive",
        init=args(return_inverse=False, return_counts=False, dim=None),
        call=args("x"),
        to={"x": "input"},
    ),
    ops=False,
    dynamic=True,
)
def unique_consecutive_parts(
    input: Array, return_inverse: bool = False, return_counts: bool = False, dim: Axis = None
) -> Any:
    """(elements or slices without those equal to their predecessor, places, counts); a part that is not asked for is a 0."""
    values, *found = _unlike_predecessors(input, return_inverse, return_counts, dim)
    nothing = jnp.zeros((), jnp.int64)
    return values, found.pop(0) if return_inverse else nothing, found.pop(0) if return_counts else nothing


@op(ops=True, tensor="unique_consecutive", mint="unique_consecutive", dynamic=True)
def unique_consecutive(
    input: Array, return_inverse: bool = False, return_counts: bool = False, dim: Axis = None
) -> Any:
    """The elements (or slices along an axis) without those equal to their predecessor; optionally places and counts.

    Example:
        >>> print(ops.unique_consecutive(Tensor([1, 1, 2, 1])))
        [1 2 1]
    """
    found = _unlike_predecessors(input, return_inverse, return_counts, dim)
    return tuple(found) if len(found) > 1 else found[0]


def _unlike_predecessors(input, return_inverse, return_counts, dim):
    x = input.reshape(-1) if dim is None else jnp.moveaxis(input, dim, 0)
    flat = x.reshape(x.shape[0], -1) if x.size else x.reshape(x.shape[0], 0)
    new = jnp.concatenate([jnp.ones((min(1, x.shape[0]),), bool), jnp.any(flat[1:] != flat[:-1], axis=1)])
    first = jnp.nonzero(new)[0]
    values = x[first] if dim is None else jnp.moveaxis(x[first], 0, dim)
    found = [values]
    if return_inverse:
        inverse = (jnp.cumsum(new) - 1).astype(jnp.int64)
        found.append(inverse.reshape(input.shape) if dim is None else inverse)
    if return_counts:
        found.append(jnp.diff(jnp.append(first, x.shape[0])).astype(jnp.int64))
    return found


@op(prim=Prim("UniqueWithPad"), ops=True, tensor="unique_with_pad", dynamic=True)
def unique_with_pad(x: Array, pad_num: Operand):
    """The distinct elements filled up to the old length with pad_num, and for each element the place among them.

    Example:
        >>> ops.unique_with_pad(Tensor([1, 1, 2]), 0)
        (Tensor(shape=[3], dtype=Int64, value= [1, 2, 0]), Tensor(shape=[3], dtype=Int64, value= [0, 0, 1]))
    """
    number_of_axes("UniqueWithPad", 1, x=x.shape)
    values, inverse = unique(x)
    rest = x.size - values.size
    return jnp.concatenate([values, jnp.full((rest,), jnp.asarray(pad_num).astype(x.dtype))]), inverse


@op(prim=Prim("ListDiff", inputs=("x", "y")), ops=False, dynamic=True)
def list_diff(x: Array, y: Operand, out_idx: Dtype = mstype.int32):
    """The elements of x that are not in y, and their places."""
    number_of_axes("ListDiff", 1, x=x.shape, y=jnp.shape(y))
    place = jnp.nonzero(~jnp.isin(x, y))[0]
    return x[place], place.astype(mstype.to_numpy(out_idx))


@op(ops=True)
def combinations(
    input: Annotated[Array, Rank(1)], r: Like[NonNegativeInt] = 2, with_replacement: bool = False
) -> Array:
    """All combinations of r elements of a vector, one a row.

    Example:
        >>> print(ops.combinations(Tensor([1, 2, 3])))
        [[1 2]
         [1 3]
         [2 3]]
    """
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    places = np.array(list(choose(range(input.shape[0]), r)), np.int64).reshape(-1, r)
    return input[places]


@op(ops=True)
def cartesian_prod(*inputs: Any) -> Array:
    """All ways of taking one element of each vector, one a row.

    Example:
        >>> print(ops.cartesian_prod(Tensor([1, 2]), Tensor([3, 4])))
        [[1 3]
         [1 4]
         [2 3]
         [2 4]]
    """
    return jnp.stack([g.reshape(-1) for g in jnp.meshgrid(*[jnp.reshape(x, -1) for x in inputs], indexing="ij")], -1)

"""Sums, products and extremes of slices that have the same segment number."""

from typing import Any

import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op, records
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Integers, Static
from ...core.values.ranges import before_trace, check_range
from ..shapes import ANY, number_of_axes, same_shape
from .scattering import put


def _limit(dtype, lowest):
    info = jnp.iinfo(dtype) if dtype.kind in "iu" else jnp.finfo(dtype)
    return info.min if lowest else info.max


def _register_segments(name, how, empty, what, has_method):
    title, first = f"UnsortedSegment{name.capitalize()}", "input_x" if name == "sum" else "x"

    def segments(x: Array, segment_ids: Integers, num_segments: Static[Any]) -> Array:
        if name == "sum" and isinstance(num_segments, tuple) and [type(n) for n in num_segments] == [int]:
            (num_segments,) = num_segments  # a Tensor of one element
        if isinstance(num_segments, bool):
            raise TypeError(f"For '{title}', the 'num_segments' must be an int, but got bool.")
        if isinstance(num_segments, int) and num_segments < 1:
            raise ValueError(f"For '{title}', the 'num_segments' must be greater than 0, but got {num_segments}.")
        number_of_axes(title, range(1, ANY), segment_ids=segment_ids.shape)
        depth = segment_ids.ndim
        if x.shape[:depth] != segment_ids.shape:
            raise ValueError(
                f"For '{title}', the shape of 'segment_ids' must be the leading part of that of 'x', but got "
                f"{segment_ids.shape} and {x.shape}."
            )
        flat, ids = x.reshape((-1, *x.shape[depth:])), segment_ids.reshape(-1)
        check_range(
            segment_ids, 0, num_segments, title, "segment_ids", unless=before_trace(lambda s: s < 0, segment_ids)
        )
        start = jnp.full((num_segments, *x.shape[depth:]), empty(x.dtype), x.dtype)
        return put(start, jnp.where(ids < 0, num_segments, ids), flat, how)

    segments.__doc__ = (
        f"{what} of the slices that have the same segment number; slices with a negative number are left "
        "out.\n\nExample:\n"
        f"    >>> ops.unsorted_segment_{name}(Tensor([1.0, 2.0, 3.0]), Tensor([0, 0, 1]), 2)\n"
    )
    op(
        segments,
        name=f"unsorted_segment_{name}",
        prim=Prim(title),
        ops=Face(f"unsorted_segment_{name}", args(first, "segment_ids", "num_segments"), to={first: "x"}),
        tensor=f"unsorted_segment_{name}" if has_method else None,
    )


_register_segments("sum", "add", lambda d: 0, "Sums", False)
_register_segments("prod", "mul", lambda d: 1, "Products", True)
_register_segments("max", "max", lambda d: _limit(d, True), "Largest elements", True)
_register_segments("min", "min", lambda d: _limit(d, False), "Smallest elements", True)


def _register_sorted_segments(name, how, empty, what):
    def segments(input_x: Array, segment_ids: Integers) -> Array:
        same_shape(f"Segment{name}", rows=input_x.shape[:1], segment_ids=segment_ids.shape)
        count = int(segment_ids[-1]) + 1
        start = jnp.full((count, *input_x.shape[1:]), empty(input_x.dtype), input_x.dtype)
        out = put(start, segment_ids, input_x, how)
        sizes = jnp.zeros((count,), jnp.int32).at[segment_ids].add(1).reshape((-1,) + (1,) * (input_x.ndim - 1))
        if name == "Mean":
            sizes = jnp.maximum(sizes, 1).astype(out.dtype)
            return lax.div(*jnp.broadcast_arrays(out, sizes)) if jnp.issubdtype(out.dtype, jnp.integer) else out / sizes
        return jnp.where(sizes == 0, jnp.asarray(1 if name == "Prod" else 0, out.dtype), out)

    segments.__doc__ = f"{what} of the rows that have the same segment number; the numbers are in order."
    op(segments, name=f"segment_{name.lower()}", prim=Prim(f"Segment{name}"), ops=False, dynamic=True)


for _name, _how, _empty, _what in (
    ("Sum", "add", lambda d: 0, "Sums"),
    ("Mean", "add", lambda d: 0, "Means"),
    ("Prod", "mul", lambda d: 1, "Products"),
    ("Max", "max", lambda d: _limit(d, True), "Maxima"),
    ("Min", "min", lambda d: _limit(d, False), "Minima"),
):
    _register_sorted_segments(_name, _how, _empty, _what)


@op(ops=True, dynamic=True)
def sparse_segment_mean(x: Array, indices: Integers, segment_ids: Integers) -> Array:
    """Means of the rows x[indices] that have the same segment number.

    Example:
        >>> print(ops.sparse_segment_mean(Tensor([[0.0, 1.0], [2.0, 3.0]]), Tensor([0, 1]), Tensor([0, 0])))
        [[1. 2.]]
    """
    return records["segment_mean"].fn(x[indices], segment_ids)

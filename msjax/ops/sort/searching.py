"""Places in sorted sequences and of the greatest elements."""

from typing import Literal

import jax.numpy as jnp

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Dtype, Operand, Reals
from ...core.spec.rules import AsValue
from ...core.values import dtype as mstype
from ..shapes import number_of_axes, same_shape


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
    ops=Face(
        "searchsorted", args("sorted_sequence", "values").only(out_int32=False, right=False, side=None, sorter=None)
    ),
    mint=Face(
        "searchsorted", args("sorted_sequence", "values").only(out_int32=False, right=False, side=None, sorter=None)
    ),
)
def searchsorted(
    sorted_sequence: Array,
    values: Array,
    out_int32: bool = False,
    right: bool = False,
    side: AsValue[Literal["left", "right"] | None] = None,
    sorter: Array | None = None,
) -> Array:
    """The places where the values can be put into a sorted sequence so that it stays sorted.

    Args:
        right: behind equal elements instead of before them.
        sorter: places that sort the sequence.

    Example:
        >>> print(ops.searchsorted(Tensor([1.0, 2.0, 3.0]), Tensor([2.0, 2.5])))
        [1 2]
    """
    if side == "left" and right:
        raise ValueError(
            "For 'searchsorted', 'side' and 'right' must not contradict each other, but got 'left' and True."
        )
    if sorter is not None:
        sorted_sequence = jnp.take_along_axis(sorted_sequence, sorter, -1)
    return _search(sorted_sequence, values, right or side == "right", jnp.int32 if out_int32 else jnp.int64)


@op(prim=Prim("SearchSorted", inputs=("sorted_sequence", "values", "sorter")), ops=False, name="prim_search_sorted")
def prim_search_sorted(
    sorted_sequence: Array, values: Array, sorter: Array | None = None, dtype: Dtype = mstype.int64, right: bool = False
) -> Array:
    """The places where the values can be put into a sorted sequence."""
    return searchsorted(sorted_sequence, values, False, right, None, sorter).astype(mstype.to_numpy(dtype))


@composite(ops=False, tensor="searchsorted", name="searchsorted_method")
def searchsorted_method(self: Array, v: Operand, side: str = "left", sorter: Operand | None = None) -> Array:
    """The places where the values can be put into this sorted Tensor."""
    return records["searchsorted"](self, v, True, False, side, sorter)


def _bound(right):
    def bound(sorted_x: Array, values: Array, out_type: Dtype = mstype.int32) -> Array:
        number_of_axes(f"{word.capitalize()}Bound", 2, sorted_x=sorted_x.shape, values=values.shape)
        return _search(sorted_x, values, right, mstype.to_numpy(out_type))

    word = "upper" if right else "lower"
    bound.__doc__ = f"The {word} places where the values can be put into sorted rows."
    op(
        bound,
        name=f"{word}_bound",
        ops=False,
        prim=Prim(f"{word.capitalize()}Bound", init=args(out_type=mstype.int32), call=args("sorted_x", "values")),
    )


_bound(False)


_bound(True)


@op(
    ops=Face("bucketize", args("input", "boundaries").only(right=False)),
    prim=Prim("Bucketize", init=args("boundaries"), call=args("input")),
)
def bucketize(input: Array, boundaries: Reals, right: bool = True) -> Array:
    """The number (int32) of the interval between boundaries in which each element lies.

    Example:
        >>> print(ops.bucketize(Tensor([1.0, 2.5]), [1.0, 2.0], right=True))
        [1 2]
    """
    dtype = jnp.float64 if input.dtype == jnp.float64 else jnp.float32
    return _search(jnp.asarray(boundaries, dtype), input.astype(dtype), right, jnp.int32)


@op(prim=Prim("InTopK", inputs=("x1", "x2")), ops=True)
def intopk(x1: Array, x2: Array, k: int):
    """Whether the class x2[i] is among the k largest of the row x1[i].

    Example:
        >>> print(ops.intopk(Tensor([[1.0, 2.0]]), Tensor([1]), 1))
        [ True]
    """
    same_shape("InTopK", rows=x1.shape[:1], x2=x2.shape)
    wanted = jnp.take_along_axis(x1, x2[:, None].astype(jnp.int64), 1)
    return (jnp.sum(x1 > wanted, 1) < k) & jnp.isfinite(wanted[:, 0])

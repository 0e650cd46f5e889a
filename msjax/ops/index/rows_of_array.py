"""Rows of an array replaced, added to and subtracted from."""

from typing import Any

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Ints
from .gathering import positions
from .scattering import put


def _rows(x, v, indices, name):
    """The rows that an operator writes; the new content `v` has their shape and the type of x."""
    indices = jnp.atleast_1d(jnp.asarray(indices))
    if not hasattr(v, "dtype") or v.dtype != x.dtype:
        raise TypeError(
            f"the type of 'v' must be a Tensor of that of 'x', {x.dtype}, but got {getattr(v, 'dtype', type(v).__name__)}."
        )
    if v.shape != (len(indices), *x.shape[1:]):
        raise ValueError(f"the shape of 'v' must be {(len(indices), *x.shape[1:])}, but got {v.shape}.")
    return (positions(indices, x.shape[0], name),)


@op(ops=("inplace_update",), prim=Prim("InplaceUpdate", inputs=("x", "v")), tensor="inplace_update")
def inplace_update(x: Array, v: Array, indices: Any) -> Array:
    """A Tensor with the rows `indices` replaced by those of v.

    Example:
        >>> print(ops.inplace_update(Tensor([[1.0], [2.0]]), Tensor([[9.0]]), 0))
        [[9.]
         [2.]]
    """
    return put(x, _rows(x, v, indices, "InplaceUpdate"), v, "update")


@op(prim=Prim("InplaceUpdateV2"), ops=False)
def inplace_update_v2(x: Array, indices: Any, v: Array) -> Array:
    """A Tensor with the rows `indices` replaced by those of v."""
    return put(x, _rows(x, v, indices, "InplaceUpdateV2"), v, "update")


@op(ops=True, prim=Prim("InplaceAdd", inputs=("x", "v")))
def inplace_add(x: Array, v: Array, indices: Ints) -> Array:
    """A Tensor with the rows of v added to the rows `indices`.

    Example:
        >>> print(ops.inplace_add(Tensor([[1.0], [2.0]]), Tensor([[9.0]]), 0))
        [[10.]
         [ 2.]]
    """
    return put(x, _rows(x, v, indices, "InplaceAdd"), v, "add")


@op(ops=True, prim=Prim("InplaceSub", inputs=("x", "v")))
def inplace_sub(x: Array, v: Array, indices: Ints) -> Array:
    """A Tensor with the rows of v taken from the rows `indices`.

    Example:
        >>> print(ops.inplace_sub(Tensor([[1.0], [2.0]]), Tensor([[9.0]]), 0))
        [[-8.]
         [ 2.]]
    """
    return put(x, _rows(x, v, indices, "InplaceSub"), v, "sub")

"""Rows of a table by their numbers, with the gradient as a sum over equal numbers."""

import functools
from typing import Annotated, Any

import jax
import jax.numpy as jnp

from ...core.operators.record import composite, op, records
from ...core.program.halves import segment_sum
from ...core.spec import Array, Integers, Number
from ...core.spec.rules import Holding, Rank
from ...core.values.ranges import check_range


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _rows(padding_idx, by_frequency, weight, index):
    return jnp.take(weight, index, axis=0, mode="clip")


def _rows_forward(padding_idx, by_frequency, weight, index):
    return _rows(padding_idx, by_frequency, weight, index), (index, jnp.zeros((0, *weight.shape), weight.dtype))


def _rows_backward(padding_idx, by_frequency, saved, g):
    index, like = saved
    flat, g = index.reshape(-1), g.reshape(-1, *like.shape[2:])
    if padding_idx is not None:
        g = jnp.where((flat == padding_idx)[:, None], 0, g)
    rows = like.shape[1]
    grad = segment_sum(g, flat, rows)
    if by_frequency:
        count = jnp.maximum(segment_sum(jnp.ones(flat.shape, g.dtype), flat, rows), 1)
        grad = grad / count[:, None]
    return grad, None


_rows.defvjp(_rows_forward, _rows_backward)


@op(ops=False)
def embedding_rows(index: Integers, weight: Array, padding_idx: Any = None, scale_grad_by_freq: bool = False):
    """The rows of `weight` (V, D) that `index` numbers."""
    check_range(index, 0, weight.shape[0], "Embedding", "input")
    return _rows(padding_idx, scale_grad_by_freq, weight, index)


@jax.custom_jvp
def _renormed(weight, index, max_norm, norm_type):
    norm = jnp.sum(jnp.abs(weight) ** norm_type, -1, keepdims=True) ** (1 / norm_type)
    used = jnp.zeros((weight.shape[0], 1), bool).at[index.reshape(-1)].set(True)
    return jnp.where(used & (norm > max_norm), weight * (max_norm / (norm + 1e-7)), weight).astype(weight.dtype)


@_renormed.defjvp
def _renormed_jvp(primals, tangents):
    """The table is set before the rows are taken: gradients are those of the rows."""
    return _renormed(*primals), tangents[0]


@op(ops=False, writes=(0,))
def embedding_renorm(weight: Array, index: Integers, max_norm: Any, norm_type: Any):
    """Shrink the rows that `index` numbers to a norm of at most `max_norm`."""
    return _renormed(weight, index, max_norm, norm_type)


@composite(ops=True, mint="nn.functional.embedding")
def embedding(
    input: Annotated[Array, Holding("int32", "int64")],
    weight: Annotated[Array, Rank(2)],
    padding_idx: int | None = None,
    max_norm: Number | None = None,
    norm_type: Number = 2.0,
    scale_grad_by_freq: bool = False,
) -> Array:
    """The rows of `weight` (V, D) that the integers of `input` number.

    padding_idx: this row gets no gradient. max_norm: rows that are used are first shrunk, in place, to this norm (of order `norm_type`).
    scale_grad_by_freq: the gradient of a row is divided by how often it is used.

    Example:
        >>> ops.embedding(Tensor([1, 0]), Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        Tensor(shape=[2, 2], dtype=Float32, value=
        [[3.00000000e+00, 4.00000000e+00],
        [1.00000000e+00, 2.00000000e+00]])
    """
    rows = weight.shape[0]
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise ValueError(
                f"For 'Embedding', the 'padding_idx' must be in range [{-rows}, {rows}), but got {padding_idx}."
            )
        padding_idx %= rows
    if max_norm is not None:
        records["embedding_renorm"](weight, input, max_norm, norm_type)
    return records["embedding_rows"](input, weight, padding_idx, scale_grad_by_freq)

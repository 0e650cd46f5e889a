"""The base of attention to selected keys: a softmax with counts, and long inputs in parts.

Which keys a query sees is a count for each pair (0: hidden; a key that is chosen twice counts twice, as if it were gathered twice), so
that one softmax serves all layouts. Long inputs are computed in parts of the queries, whose scores the gradient computes again.
"""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

_MOST = 2**27  # scores that are held at a time


def counted_softmax(scores: jax.Array, counts: jax.Array):
    """(probabilities, maximum, sum) along the last axis; `counts` (None: all 1) multiply each exponential, 0 hides. float32."""
    if counts is not None:
        scores = jnp.where(counts > 0, scores, -1e38)
    top = jax.lax.stop_gradient(jnp.max(scores, -1, keepdims=True))
    weights = jnp.exp(scores - top)
    if counts is not None:
        weights = weights * counts.astype(weights.dtype)
    total = jnp.sum(weights, -1, keepdims=True)
    return weights / jnp.where(total == 0, 1, total), top, total


def in_parts(step: Callable, scores: jax.Array, *queries):
    """`step(*queries)`, in parts if there would be too many scores.

    queries: arrays (or None) with one row for each query, as the results of `step` have; scores: how many a query has.
    """
    rows = queries[0].shape[0]
    parts = max(1, -(-rows * scores // _MOST))
    if parts == 1:
        return step(*queries)
    size = -(-rows // parts)

    def split(x):
        x = jnp.pad(x, [(0, parts * size - rows)] + [(0, 0)] * (x.ndim - 1))
        return x.reshape(parts, size, *x.shape[1:])

    again = jax.checkpoint(step)
    out = jax.lax.map(lambda part: again(*part), jax.tree.map(split, queries))
    return jax.tree.map(lambda x: x.reshape(parts * size, *x.shape[2:])[:rows], out)


def require(name: str, right: bool, what: str, got: int | tuple[int, ...]):
    if not right:
        raise RuntimeError(f"For '{name}', {what}, but got {got}.")


def counted(indices: Any, length: int):
    """int32 (..., length): how often each number occurs along the last axis of `indices`; numbers outside are left out."""
    flat = indices.reshape(-1, indices.shape[-1])
    flat = jnp.where(flat < 0, length, flat)
    counts = (
        jnp.zeros((flat.shape[0], length), jnp.int32)
        .at[jnp.arange(flat.shape[0], dtype=jnp.int32)[:, None], flat]
        .add(1, mode="drop")
    )
    return counts.reshape(*indices.shape[:-1], length)

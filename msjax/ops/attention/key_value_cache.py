"""Caches of keys and values with one row for each sequence, for the incremental inference of MindSpore 2.1 to 2.3.

B: batch. H, N: heads. S: places of the sequence. D: size of a head.
"""

from typing import Literal

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Integers, Operand, Static
from ...core.spec.rules import AsValue


def _check(name, cache, update):
    if cache.ndim not in (3, 4) or update.ndim != cache.ndim:
        raise ValueError(
            f"For '{name}', 'cache' and 'update' must both be (B, H, S, D) or (B, S, D), but got shapes {cache.shape} and {update.shape}."
        )
    if update.shape[0] > cache.shape[0] or update.shape[-2] > cache.shape[-2]:
        raise ValueError(
            f"For '{name}', the 'update' must not be larger than the 'cache', but got shapes {update.shape} and {cache.shape}."
        )


@op(prim=Prim("DecoderKVCache"), ops=False, writes=(0,), name="decoder_kv_cache")
def decoder_kv_cache(
    cache: Array,
    update: Operand,
    valid_seq_len: Operand,
    batch_index: Operand,
    seq_len_axis: Operand,
    new_max_seq_len: Operand,
    cur_max_seq_len: Operand,
):
    """Writes a cache (B, H, S, D) or (B, S, D) in place: row b gets update[b], keys or values of one token, at place valid_seq_len[b].

    Rows with a negative length do not change. The arguments from `batch_index` on have no effect: they are for caches that grow.
    """
    _check("DecoderKVCache", cache, update)
    rows = jnp.arange(update.shape[0])
    places = valid_seq_len.reshape(-1)[: update.shape[0]]
    places = jnp.where(places < 0, cache.shape[-2], places)  # beyond the end: dropped
    index = (rows, slice(None), places) if cache.ndim == 4 else (rows, places)
    return cache.at[index].set(update[..., 0, :].astype(cache.dtype), mode="drop")


@op(
    prim=Prim(
        "PromptKVCache",
        inputs=(
            "cache",
            "update",
            "valid_seq_len",
            "batch_index",
            "seq_len_axis",
            "new_max_seq_len",
            "cur_max_seq_len",
        ),
    ),
    ops=False,
    writes=(0,),
    name="prompt_kv_cache",
)
def prompt_kv_cache(
    cache: Array,
    update: Operand,
    valid_seq_len: Operand,
    batch_index: Operand,
    seq_len_axis: Operand,
    new_max_seq_len: Operand,
    cur_max_seq_len: Operand,
    padding_mode: AsValue[Literal["right"]] = "right",
):
    """Writes a cache (B, H, S, D) or (B, S, D) in place: row batch_index[i] becomes update[i], padded with zeros.

    Where batch_index[i] is negative, update[i] is not written.
    """
    _check("PromptKVCache", cache, update)
    rows = batch_index.reshape(-1)[: update.shape[0]]
    rows = jnp.where(rows < 0, cache.shape[0], rows)
    more = [(0, 0)] * cache.ndim
    more[-2] = (0, cache.shape[-2] - update.shape[-2])
    return cache.at[rows].set(jnp.pad(update, more).astype(cache.dtype), mode="drop")


@op(ops=True, prim=Prim("KVCacheScatterUpdate"), writes=(0,))
def kv_cache_scatter_update(
    var: Array, indices: Integers, updates: Array, axis: AsValue[Static[Literal[-1, -2]]], reduce: str = "none"
):
    """Writes a cache (B, N, S, D) in place: row b gets updates[b] from place indices[b] of `axis`, -2 or -1, on.

    Raises:
        ValueError: `axis` is another.
    """

    def put(row, place, new):
        return lax.dynamic_update_slice_in_dim(row, new.astype(row.dtype), place, axis=row.ndim + axis)

    return jax.vmap(put)(var, indices.reshape(-1), updates)

"""Attention over a cache of keys and values that lies in pages (Kwon et al., 2023)."""

import math
from typing import Literal

import jax.numpy as jnp
from jax import lax

from ...core.operators.record import op
from ...core.operators.rows import Prim, args
from ...core.spec import Array, MaybeArray, Number, Static
from ...core.spec.rules import AsValue
from .kernels import Bias, Hidden, Inputs, attention


# --- caches of inference, and deformable attention
@op(prim=Prim("ReshapeAndCache"), ops=False, writes=(2, 3))
def reshape_and_cache(
    key: Array,
    value: MaybeArray = None,
    key_cache: MaybeArray = None,
    value_cache: MaybeArray = None,
    slot_mapping: MaybeArray = None,
):
    """Put the keys and values of tokens into the slots of the caches (blocks, block size, heads, D); negative slots are left out.

    Without a `value` and a `value_cache` the keys alone are put, as latent attention has it.

    Raises:
        ValueError: a cache or the slots are missing, or not as many as there are keys.
    """
    name = "ReshapeAndCache"
    for what, given in (("key_cache", key_cache), ("slot_mapping", slot_mapping)):
        if given is None:
            raise ValueError(f"For '{name}', the '{what}' must be given, but got None.")
    if (value is None) != (value_cache is None):
        raise ValueError(
            f"For '{name}', 'value' and 'value_cache' must both be given or both be None, but only one of them is."
        )

    def put(cache, new):
        if cache is None:
            return None
        flat = cache.reshape(cache.shape[0] * cache.shape[1], -1)
        slots = slot_mapping.reshape(-1)
        if new.size != slots.shape[0] * flat.shape[1]:
            raise ValueError(
                f"For '{name}', there must be a slot for each token, but got {slots.shape[0]} slots for tokens of shape {new.shape} "
                f"and a cache of shape {cache.shape}."
            )
        slots = jnp.where(slots < 0, flat.shape[0], slots)
        return flat.at[slots].set(new.reshape(slots.shape[0], -1).astype(cache.dtype), mode="drop").reshape(cache.shape)

    return put(key_cache, key), put(value_cache, value), key


def _restored(name, cache, which, scale, offset, mode, kv_head_num, dtype):
    """A cache of int8 as the numbers that it stands for, (int8 + offset) * scale; others as they are.

    scale, offset: (2, heads * D), for keys and values (`which`), or with the mode PERTOKEN (2, slots of the cache). A scale of int64 holds
    the bits of a float32.
    """
    if scale is None:
        if offset is not None:
            raise ValueError(f"For '{name}', an 'antiquant_offset' needs an 'antiquant_scale', but got None.")
        return cache
    if mode not in ("DEFAULT", "PERTOKEN"):
        raise ValueError(f"For '{name}', the 'kv_cache_quant_mode' must be DEFAULT or PERTOKEN, but got {mode!r}.")
    wide = cache.reshape(*cache.shape[:2], kv_head_num, -1)
    shape = (1, 1, *wide.shape[2:]) if mode == "DEFAULT" else (*wide.shape[:2], 1, 1)

    def one(given, what):
        if given.size != 2 * math.prod(shape):
            raise ValueError(
                f"For '{name}', the '{what}' must have 2 * {math.prod(shape)} elements with kv_cache_quant_mode {mode}, one for each "
                f"{'element of all heads' if mode == 'DEFAULT' else 'slot of the cache'}, but got shape {given.shape}."
            )
        if given.dtype == jnp.int64:
            given = lax.bitcast_convert_type(given.astype(jnp.int32), jnp.float32)
        return given.reshape(2, *shape)[which].astype(jnp.float32)

    found = wide.astype(jnp.float32)
    if offset is not None:
        found = found + one(offset if offset.dtype != jnp.int64 else offset.astype(jnp.float32), "antiquant_offset")
    return (found * one(scale, "antiquant_scale")).astype(dtype).reshape(cache.shape)


def _pages(name, query, key_cache, value_cache, block_tables, context_lens, head_num, kv_head_num):
    """(query, key, value (B, N, S, D), bool mask of the keys that count not yet) of caches in pages, both (blocks, block size, heads, D)."""
    for what, given in (("block_tables", block_tables), ("context_lens", context_lens)):
        if given is None:
            raise ValueError(f"For '{name}', the '{what}' must be given, but got None.")
    batch, pages = block_tables.shape[0], jnp.maximum(block_tables, 0)
    k, v = (
        c.reshape(*c.shape[:2], kv_head_num, -1)[pages]
        .reshape(batch, -1, kv_head_num, math.prod(c.shape[2:]) // kv_head_num)
        .transpose(0, 2, 1, 3)
        for c in (key_cache, value_cache)
    )
    q = query.reshape(batch, -1, head_num, k.shape[-1]).transpose(0, 2, 1, 3)
    return q, k, v, jnp.arange(k.shape[2]) >= jnp.asarray(context_lens).reshape(-1, 1, 1, 1)


def _sequences(name, tokens, q_seq_lens, context_lens):
    """(sequence of each of the tokens (T,), place of each in it (T,)) of sequences that have q_seq_lens (B,) new tokens of context_lens (B,)."""
    if context_lens is None:
        raise ValueError(f"For '{name}', the 'context_lens' must be given, but got None.")
    ends = jnp.cumsum(q_seq_lens.reshape(-1))
    which = jnp.minimum(jnp.searchsorted(ends, jnp.arange(tokens), side="right"), ends.shape[0] - 1)
    return which, jnp.asarray(context_lens).reshape(-1)[which] - ends[which] + jnp.arange(tokens)


def _unpaged(out, query):
    """Attention (B, N, S, D) in the shape of the query, whose vectors may have another length than those of the values."""
    b, n, s, d = out.shape
    return out.transpose(0, 2, 1, 3).reshape(
        (*query.shape[:-1], d) if query.ndim == 3 and query.shape[1] == n and s == 1 else (*query.shape[:-1], n * d)
    )


@op(
    prim=Prim(
        "PagedAttention",
        init=args(
            "head_num",
            "scale_value",
            "kv_head_num",
            kv_cache_quant_mode="DEFAULT",
            mask_mode="MASK_DEFAULT",
            mla_v_dim=0,
        ),
        call=args(
            "query",
            "key_cache",
            value_cache=None,
            block_tables=None,
            context_lens=None,
            antiquant_scale=None,
            antiquant_offset=None,
            attn_mask=None,
            q_seq_lens=None,
            alibi_mask=None,
        ),
    ),
    ops=False,
)
def paged_attention(
    query: Array,
    key_cache: Array,
    value_cache: MaybeArray = None,
    block_tables: MaybeArray = None,
    context_lens: MaybeArray = None,
    antiquant_scale: MaybeArray = None,
    antiquant_offset: MaybeArray = None,
    attn_mask: MaybeArray = None,
    q_seq_lens: MaybeArray = None,
    alibi_mask: MaybeArray = None,
    head_num: Static[int] = 1,
    scale_value: Static[Number] = 1.0,
    kv_head_num: Static[int] = 1,
    kv_cache_quant_mode: str = "DEFAULT",
    mask_mode: AsValue[Literal["MASK_DEFAULT", "TRAPEZOIDAL"]] = "MASK_DEFAULT",
    mla_v_dim: Static[int] = 0,
):
    """Attention of new tokens to keys in a paged cache; block_tables (B, blocks) name the pages, context_lens (B,) count the keys.

    query: (B, N, D) or (B, 1, N * D); with q_seq_lens (B,), how many tokens each sequence has, all tokens one after the other, (T, N, D) or
    (T, N * D). key_cache, value_cache: (blocks, block size, kv_head_num, D), or the last two as one; of int8 they stand for
    (int8 + antiquant_offset) * antiquant_scale, both (2, kv_head_num * D), with the mode PERTOKEN (2, blocks * block size). attn_mask hides keys where
    it is not 0, alibi_mask is added to the scores, both (tokens, keys). mask_mode TRAPEZOIDAL: a token sees no later ones of its sequence.
    mla_v_dim: without a `value_cache` the values are so many first elements of the keys.

    Raises:
        ValueError: a Tensor is missing, a mode is unknown, or scales do not fit the cache.
    """
    name = "PagedAttention"
    if value_cache is None and not mla_v_dim:
        raise ValueError(f"For '{name}', the 'value_cache' must be given unless 'mla_v_dim' is, but got None and 0.")
    stored = antiquant_scale, antiquant_offset, kv_cache_quant_mode, kv_head_num, query.dtype
    key_cache = _restored(name, key_cache, 0, *stored)
    value_cache = key_cache if value_cache is None else _restored(name, value_cache, 1, *stored)
    places = None
    if q_seq_lens is not None:
        tokens = query.size // (head_num * (math.prod(key_cache.shape[2:]) // kv_head_num))
        which, places = _sequences(name, tokens, q_seq_lens, context_lens)
        if block_tables is not None:
            block_tables = block_tables[which]
        context_lens = jnp.asarray(context_lens).reshape(-1)[which]
    q, k, v, mask = _pages(name, query, key_cache, value_cache, block_tables, context_lens, head_num, kv_head_num)
    v = v[..., :mla_v_dim] if mla_v_dim else v
    if mask_mode == "TRAPEZOIDAL" and places is not None:
        mask = mask | (jnp.arange(k.shape[2]) > places.reshape(-1, 1, 1, 1))
    if attn_mask is not None:
        hidden = _over_keys(attn_mask.reshape(attn_mask.shape[0], 1, 1, -1) if attn_mask.ndim == 2 else attn_mask, k)
        mask = mask | hidden.astype(bool)
    if alibi_mask is not None:
        alibi_mask = _over_keys(alibi_mask[:, None, None] if alibi_mask.ndim == 2 else alibi_mask, k)
    biases = [Bias(m) for m in (alibi_mask,) if m is not None]
    out = attention(Inputs(q, k, v, scale_value, biases, Hidden(dense=(mask,))))
    if q_seq_lens is not None:
        return out.transpose(0, 2, 1, 3).reshape(*query.shape[:-1], -1)
    return _unpaged(out, query)


def _over_keys(mask, key):
    """A mask whose last axis is cut, or filled with zeros, to the number of keys of the pages; no sequence has keys
    beyond its length.
    """
    missing = key.shape[2] - mask.shape[-1]
    return mask[..., : key.shape[2]] if missing <= 0 else jnp.pad(mask, [(0, 0)] * (mask.ndim - 1) + [(0, missing)])


@op(
    prim=Prim(
        "PagedAttentionMask",
        init=args("head_num", "scale_value", "kv_head_num", kv_cache_quant_mode="DEFAULT"),
        call=args(
            "query",
            "key_cache",
            "value_cache",
            "block_tables",
            "context_lens",
            antiquant_scale=None,
            antiquant_offset=None,
            alibi_mask=None,
        ),
    ),
    ops=False,
)
def paged_attention_mask(
    query: Array,
    key_cache: Array,
    value_cache: Array,
    block_tables: Array,
    context_lens: Array,
    antiquant_scale: MaybeArray = None,
    antiquant_offset: MaybeArray = None,
    alibi_mask: Array | None = None,
    head_num: Static[int] = 1,
    scale_value: Static[Number] = 1.0,
    kv_head_num: Static[int] = 1,
    kv_cache_quant_mode: str = "DEFAULT",
):
    """`PagedAttention` with `alibi_mask` (B, N, 1, keys) added to the scores; keys beyond its length are those that no sequence has.

    antiquant_scale, antiquant_offset: see `PagedAttention`.
    """
    name = "PagedAttentionMask"
    stored = antiquant_scale, antiquant_offset, kv_cache_quant_mode, kv_head_num, query.dtype
    key_cache, value_cache = _restored(name, key_cache, 0, *stored), _restored(name, value_cache, 1, *stored)
    q, k, v, mask = _pages(name, query, key_cache, value_cache, block_tables, context_lens, head_num, kv_head_num)
    biases = [] if alibi_mask is None else [Bias(_over_keys(alibi_mask, k))]
    return _unpaged(attention(Inputs(q, k, v, scale_value, biases, Hidden(dense=(mask,)))), query)

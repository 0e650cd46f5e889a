"""Attention over a cache of keys and values that lies in pages (Kwon et al., 2023)."""

import math

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim, args
from ...core.spec import Array, MaybeArray, Number, Operand, Static
from .inference import _no_quantisation
from .kernels import Bias, Hidden, attention


# --- caches of inference, and deformable attention
@op(prim=Prim("ReshapeAndCache"), ops=False, writes=(2, 3))
def reshape_and_cache(key: Array, value: Operand, key_cache: Operand, value_cache: Operand, slot_mapping: Operand):
    """Put the keys and values of tokens into the slots of the caches (blocks, block size, heads, D); negative slots are left out.

    Both caches are always there; MindSpore's form with keys alone raises TypeError.
    """

    def put(cache, new):
        flat = cache.reshape(cache.shape[0] * cache.shape[1], -1)
        slots = slot_mapping.reshape(-1)
        slots = jnp.where(slots < 0, flat.shape[0], slots)
        return flat.at[slots].set(new.reshape(slots.shape[0], -1).astype(cache.dtype), mode="drop").reshape(cache.shape)

    return put(key_cache, key), put(value_cache, value), key


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
    mask_mode: str = "MASK_DEFAULT",
    mla_v_dim: Static[int] = 0,
):
    """Attention of one token a sequence to keys in a paged cache; block_tables (B, blocks) name the pages, context_lens count the keys.

    query: (B, N, D) or (B, 1, N * D). key_cache, value_cache: (blocks, block size, kv_head_num, D), or the last two as one. attn_mask hides
    keys where it is not 0, alibi_mask is added to the scores. mla_v_dim: without a `value_cache` the values are so many first elements of the keys.
    Several tokens a sequence (q_seq_lens), the trapezoidal mask and quantised caches are refused.

    Raises:
        ValueError: a Tensor is missing; q_seq_lens, mask_mode, antiquant_scale or antiquant_offset is given.
    """
    name = "PagedAttention"
    _no_quantisation(name, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset)
    if q_seq_lens is not None or mask_mode != "MASK_DEFAULT":
        raise ValueError(
            f"For '{name}', each sequence has one token: 'q_seq_lens' must be None and 'mask_mode' MASK_DEFAULT, but got "
            f"{'None' if q_seq_lens is None else 'a value'} and {mask_mode!r}."
        )
    if value_cache is None and not mla_v_dim:
        raise ValueError(f"For '{name}', the 'value_cache' must be given unless 'mla_v_dim' is, but got None and 0.")
    q, k, v, mask = _pages(
        name,
        query,
        key_cache,
        key_cache if value_cache is None else value_cache,
        block_tables,
        context_lens,
        head_num,
        kv_head_num,
    )
    v = v[..., :mla_v_dim] if value_cache is None else v
    if attn_mask is not None:
        mask = mask | (attn_mask.reshape(attn_mask.shape[0], 1, 1, -1) if attn_mask.ndim == 2 else attn_mask).astype(
            bool
        )
    if alibi_mask is not None and alibi_mask.ndim == 2:
        alibi_mask = alibi_mask[:, None, None]
    return _unpaged(
        attention(q, k, v, scale_value, [Bias(m) for m in (alibi_mask,) if m is not None], Hidden(dense=(mask,))), query
    )


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

    Raises:
        ValueError: antiquant_scale or antiquant_offset is given.
    """
    name = "PagedAttentionMask"
    _no_quantisation(name, antiquant_scale=antiquant_scale, antiquant_offset=antiquant_offset)
    q, k, v, mask = _pages(name, query, key_cache, value_cache, block_tables, context_lens, head_num, kv_head_num)
    if alibi_mask is not None:
        missing = k.shape[2] - alibi_mask.shape[-1]
        alibi_mask = (
            alibi_mask[..., : k.shape[2]] if missing < 0 else jnp.pad(alibi_mask, [(0, 0)] * 3 + [(0, missing)])
        )
    return _unpaged(
        attention(q, k, v, scale_value, [Bias(m) for m in (alibi_mask,) if m is not None], Hidden(dense=(mask,))), query
    )

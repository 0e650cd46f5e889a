"""Fused attention operators as plain formulas: softmax(scale * Q K^T + bias, masked) V in all layouts, rotary embedding, expert routing.

XLA fuses what it can; the results are those that MindSpore documents for its Ascend kernels.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ..image.grids import gather_pixels

_FAR = 2147483647
_LAYOUTS = ("BSH", "SBH", "BNSD", "BSND", "TND", "BNSD_BSND", "NSD", "SH")
_KEY_AXIS = {"BSH": 1, "SBH": 0, "BNSD": 2, "BSND": 1, "TND": 0}


def _heads(x, layout, heads):
    """(B, N, S, D) of an array in the layout."""
    if layout == "BSH":
        return x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)
    if layout == "SBH":
        return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2, 0, 3)
    if layout == "BSND":
        return x.transpose(0, 2, 1, 3)
    if layout == "TND":
        return x.transpose(1, 0, 2)[None]
    if layout == "NSD":
        return x[None]
    if layout == "SH":
        return x.reshape(1, x.shape[0], heads, -1).transpose(0, 2, 1, 3)
    return x


def _layout(x, layout):
    """The inverse of `_heads`."""
    b, n, s, d = x.shape
    if layout == "BSH":
        return x.transpose(0, 2, 1, 3).reshape(b, s, n * d)
    if layout == "SBH":
        return x.transpose(2, 0, 1, 3).reshape(s, b, n * d)
    if layout in ("BSND", "BNSD_BSND"):
        return x.transpose(0, 2, 1, 3)
    if layout == "TND":
        return x[0].transpose(1, 0, 2)
    if layout == "NSD":
        return x[0]
    if layout == "SH":
        return x[0].transpose(1, 0, 2).reshape(s, n * d)
    return x


def _sparse_mask(mode, queries, keys, pre_tokens, next_tokens, prefix):
    """bool (..., queries, keys) of the pairs that `sparse_mode` hides; None where it hides none."""
    row, column = np.arange(queries)[:, None], np.arange(keys)
    shift = keys - queries
    if mode == 0:
        if pre_tokens >= _FAR - 100 and next_tokens >= _FAR - 100:
            return None
        return jnp.asarray((column > row + next_tokens) | (column < row - pre_tokens))
    if mode == 1:
        return None
    if mode == 2:
        return jnp.asarray(column > row)
    if mode == 3:
        return jnp.asarray(column > row + shift)
    if mode == 4:
        return jnp.asarray((column > row + shift + next_tokens) | (column < row + shift - pre_tokens))
    if mode in (5, 6):
        causal = jnp.asarray(column > row + shift)
        if prefix is None:
            raise ValueError(f"For 'flash_attention_score', sparse_mode {mode} needs 'prefix'.")
        return causal & (column >= jnp.asarray(prefix).reshape(-1, 1, 1, 1))
    raise ValueError(f"For 'flash_attention_score', the 'sparse_mode' must be in range [0, 6], but got {mode}.")


def _segments(lengths, total):
    """Number of the sequence that each of the `total` rows belongs to, from running ends."""
    return jnp.searchsorted(jnp.asarray(lengths).reshape(-1), jnp.arange(total), side="right")


def attend(query, key, value, scale, bias=None, mask=None, keep=None, keep_prob=1.0):
    """(out (B, N, S, D), softmax maximum, softmax sum) with float32 softmax; `mask` hides where True, `keep` are kept probabilities."""
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = jnp.repeat(key, groups, 1), jnp.repeat(value, groups, 1)
    scores = jnp.einsum("bnqd,bnkd->bnqk", query, key, preferred_element_type=jnp.float32) * scale
    if bias is not None:
        scores = scores + bias.astype(scores.dtype)
    if mask is not None:
        scores = jnp.where(mask, -1e38, scores)
    top = jax.lax.stop_gradient(jnp.max(scores, -1, keepdims=True))
    weights = jnp.exp(scores - top)
    if mask is not None:
        weights = jnp.where(mask, 0, weights)
    total = jnp.sum(weights, -1, keepdims=True)
    weights = weights / jnp.where(total == 0, 1, total)
    if keep is not None:
        weights = jnp.where(keep, weights / keep_prob, 0)
    out = jnp.einsum("bnqk,bnkd->bnqd", weights.astype(query.dtype), value)
    return out, top, total


def _mask_of(attn_mask, mode, q, k, pre_tokens, next_tokens, prefix, layout, q_ends, k_ends):
    hidden = _sparse_mask(mode, q.shape[2], k.shape[2], pre_tokens, next_tokens, prefix)
    if attn_mask is not None and mode in (0, 1):
        given = attn_mask.astype(bool)
        given = given[:, None] if given.ndim == 3 else given
        hidden = given if hidden is None or mode == 0 else hidden | given
    if layout == "TND" and q_ends is not None:
        rows, columns = _segments(q_ends, q.shape[2])[:, None], _segments(k_ends, k.shape[2])
        apart = rows != columns
        if mode in (2, 3):  # causal within each sequence
            starts = [
                jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.asarray(e).reshape(-1).astype(jnp.int32)])
                for e in (q_ends, k_ends)
            ]
            row = jnp.arange(q.shape[2])[:, None] - starts[0][rows]
            column = jnp.arange(k.shape[2]) - starts[1][columns]
            shift = (
                (starts[1][rows + 1] - starts[1][rows]) - (starts[0][rows + 1] - starts[0][rows]) if mode == 3 else 0
            )
            return apart | (column > row + shift)
        hidden = apart if hidden is None else hidden | apart
    return hidden


def _check_layout(name, layout, allowed=_LAYOUTS):
    if layout not in allowed:
        raise ValueError(f"For '{name}', the 'input_layout' must be one of {allowed}, but got {layout!r}.")


def _kv_heads(query, key, layout, heads):
    """Number of heads of key and value."""
    if layout in ("BSH", "SBH", "SH"):
        return key.shape[-1] * heads // query.shape[-1]
    return key.shape[{"BNSD": 1, "BSND": 2, "TND": 1, "BNSD_BSND": 1, "NSD": 0}[layout]]


def _attention(
    name,
    query,
    key,
    value,
    heads,
    bias,
    keep,
    attn_mask,
    prefix,
    q_ends,
    k_ends,
    keep_prob,
    scale,
    pre_tokens,
    next_tokens,
    layout,
    mode,
):
    _check_layout(name, layout)
    kv_heads = _kv_heads(query, key, layout, heads)
    if kv_heads == 0 or heads % kv_heads:
        raise ValueError(
            f"For '{name}', the heads of 'query' must be a multiple of those of 'key', but got {heads} and {kv_heads}."
        )
    q, k, v = _heads(query, layout, heads), _heads(key, layout, kv_heads), _heads(value, layout, kv_heads)
    mask = _mask_of(attn_mask, mode, q, k, pre_tokens, next_tokens, prefix, layout, q_ends, k_ends)
    out, top, total = attend(q, k, v, scale, bias, mask, keep, keep_prob)
    return _layout(out, layout), top, total


def _kept(drop_mask, q_shape, keys):
    """bool keep mask from bits packed eight to a byte."""
    if drop_mask is None:
        return None
    bits = (drop_mask[..., None] >> jnp.arange(8, dtype=jnp.uint8)) & 1
    return bits.reshape(*drop_mask.shape[:-1], -1)[..., :keys].astype(bool)


@op(
    ops="flash_attention_score(query, key, value, head_num, real_shift=None, drop_mask=None, padding_mask=None, attn_mask=None, prefix=None, "
    "actual_seq_qlen=None, actual_seq_kvlen=None, keep_prob=1.0, scalar_value=1.0, pre_tokens=2147483647, next_tokens=2147483647, inner_precise=0, "
    "input_layout='BSH', sparse_mode=0)",
    static=("head_num",),
    residuals=True,
)
def flash_attention_score(
    query,
    key,
    value,
    head_num,
    real_shift=None,
    drop_mask=None,
    padding_mask=None,
    attn_mask=None,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    keep_prob=1.0,
    scalar_value=1.0,
    pre_tokens=_FAR,
    next_tokens=_FAR,
    inner_precise=0,
    input_layout="BSH",
    sparse_mode=0,
):
    """Attention: dropout(softmax(scalar_value * (Q K^T + real_shift))) V, hidden where attn_mask is 1.

    input_layout: "BSH", "SBH", "BNSD", "BSND" or "TND" (with running ends of the sequences). sparse_mode: 0, 1: `attn_mask` (0 also bands of
    pre_tokens and next_tokens), 2: causal from the upper left, 3: from the lower right, 4: band, 5 and 6: causal behind a prefix.
    Key and value may have fewer heads. drop_mask: kept probabilities as bits.

    Example:
        >>> ops.flash_attention_score(q, k, v, head_num=4, input_layout="BNSD", scalar_value=0.125)
    """
    keep = _kept(drop_mask, query.shape, key.shape[_KEY_AXIS.get(input_layout, 1)])
    return _attention(
        "flash_attention_score",
        query,
        key,
        value,
        head_num,
        _before_scaling(real_shift, scalar_value),
        keep,
        attn_mask,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen,
        keep_prob,
        scalar_value,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )[0]


def _before_scaling(bias, scale):
    """What is added to scaled scores for a bias that counts before the scaling, in float32."""
    return None if bias is None else bias.astype(jnp.float32) * scale


def _eight(x, layout):
    """Maximum or sum (B, N, S, 1) as the kernels keep it: eight copies, (T, N, 8) in the layout "TND"."""
    x = jnp.broadcast_to(x, (*x.shape[:-1], 8))
    return x[0].transpose(1, 0, 2) if layout == "TND" else x


@op(
    prim="FlashAttentionScore(head_num, keep_prob=1.0, scale_value=1.0, pre_tokens=2147483647, next_tokens=2147483647, inner_precise=0, "
    "input_layout='BSH', sparse_mode=0)(query, key, value, real_shift=None, drop_mask=None, padding_mask=None, attn_mask=None, prefix=None, "
    "actual_seq_qlen=None, actual_seq_kvlen=None)",
    ops=False,
    static=("head_num",),
    residuals=True,
)
def flash_attention_parts(
    query,
    key,
    value,
    head_num,
    real_shift=None,
    drop_mask=None,
    padding_mask=None,
    attn_mask=None,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    keep_prob=1.0,
    scale_value=1.0,
    pre_tokens=_FAR,
    next_tokens=_FAR,
    inner_precise=0,
    input_layout="BSH",
    sparse_mode=0,
):
    """(softmax maximum, softmax sum, empty, attention); arguments as for `ops.flash_attention_score`.

    Maximum and sum are float32 (B, N, S, 8), or (T, N, 8) in the layout "TND".

    Example:
        >>> ops.FlashAttentionScore(head_num=4, scale_value=0.125, input_layout="BNSD")(q, k, v)[3]
    """
    keep = _kept(drop_mask, query.shape, key.shape[_KEY_AXIS.get(input_layout, 1)])
    out, top, total = _attention(
        "FlashAttentionScore",
        query,
        key,
        value,
        head_num,
        _before_scaling(real_shift, scale_value),
        keep,
        attn_mask,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen,
        keep_prob,
        scale_value,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )
    return _eight(top, input_layout), _eight(total, input_layout), jnp.zeros((1,), query.dtype), out


@op(
    random=True,
    static=("head_num", "input_layout"),
    residuals=True,
    ops="speed_fusion_attention(query, key, value, head_num, input_layout, *, pse=None, padding_mask=None, atten_mask=None, scale=1.0, keep_prob=1.0, "
    "pre_tokens=2147483647, next_tokens=2147483647, inner_precise=0, prefix=None, actual_seq_qlen=None, actual_seq_kvlen=None, sparse_mode=0, "
    "gen_mask_parallel=True, sync=False, pse_type=1, q_start_idx=None, kv_start_idx=None)",
)
def speed_fusion_attention(
    rng,
    query,
    key,
    value,
    head_num,
    input_layout,
    pse=None,
    padding_mask=None,
    atten_mask=None,
    scale=1.0,
    keep_prob=1.0,
    pre_tokens=_FAR,
    next_tokens=_FAR,
    inner_precise=0,
    prefix=None,
    actual_seq_qlen=None,
    actual_seq_kvlen=None,
    sparse_mode=0,
    gen_mask_parallel=True,
    sync=False,
    pse_type=1,
    q_start_idx=None,
    kv_start_idx=None,
):
    """(out, softmax maximum, softmax sum, empty, seed, offset, number of dropout elements); arguments as for `flash_attention_score`.

    pse_type: 1: `pse` is added before the scaling, 0: after it; 2 and 3 (terms made from slopes) raise ValueError.
    """
    if pse_type not in (0, 1):
        raise ValueError(
            f"For 'speed_fusion_attention', position terms can not be made from slopes: 'pse_type' must be 0 or 1 (give the terms as "
            f"'pse'), but got {pse_type}."
        )
    bias = _before_scaling(pse, scale) if pse_type == 1 else pse
    heads, keep = head_num, None
    if keep_prob < 1:
        q, k = _heads(query, input_layout, heads), _heads(key, input_layout, _kv_heads(query, key, input_layout, heads))
        keep = jax.random.bernoulli(rng, keep_prob, (q.shape[0], heads, q.shape[2], k.shape[2]))
    out, top, total = _attention(
        "speed_fusion_attention",
        query,
        key,
        value,
        heads,
        bias,
        keep,
        atten_mask,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen,
        keep_prob,
        scale,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )
    top, total = (jnp.broadcast_to(a, (*a.shape[:-1], 8)) for a in (top, total))
    zero = jnp.zeros((), jnp.int64)
    return (
        out,
        top,
        total,
        jnp.zeros((1,), query.dtype),
        zero,
        zero,
        jnp.asarray(0 if keep is None else keep.size, jnp.int64),
    )


def _no_quantisation(name, **scales):
    for what, value in scales.items():
        if value is not None:
            raise ValueError(
                f"For '{name}', quantised attention is only for Ascend: '{what}' must be None, but got a value."
            )


def _inference(
    name,
    query,
    key,
    value,
    attn_mask,
    q_lengths,
    kv_lengths,
    bias,
    heads,
    kv_heads,
    scale,
    pre_tokens,
    next_tokens,
    layout,
    mode,
):
    """(out, log of the softmax sums) of attention without gradient options; lengths are those of each sequence."""
    _check_layout(name, layout)
    kv_heads = kv_heads or heads
    key, value = (a[0] if isinstance(a, (tuple, list)) else a for a in (key, value))
    q, k, v = _heads(query, layout, heads), _heads(key, layout, kv_heads), _heads(value, layout, kv_heads)
    mask = _mask_of(
        attn_mask, mode, q, k, pre_tokens, next_tokens, None, layout, q_lengths if layout == "TND" else None, kv_lengths
    )
    if kv_lengths is not None and layout != "TND":
        beyond = jnp.arange(k.shape[2]) >= jnp.asarray(kv_lengths).reshape(-1, 1, 1, 1)
        mask = beyond if mask is None else mask | beyond
    out, top, total = attend(q, k, v, scale, bias, mask)
    if q_lengths is not None and layout != "TND":
        out = jnp.where(jnp.arange(q.shape[2])[:, None] < jnp.asarray(q_lengths).reshape(-1, 1, 1, 1), out, 0)
    return _layout(out, layout), top + jnp.log(jnp.maximum(total, 1e-38))


@op(
    ops="prompt_flash_attention(query, key, value, attn_mask=None, actual_seq_lengths=None, actual_seq_lengths_kv=None, pse_shift=None, deq_scale1=None, "
    "quant_scale1=None, deq_scale2=None, quant_scale2=None, quant_offset2=None, num_heads=1, scale_value=1.0, pre_tokens=2147483647, next_tokens=0, "
    "input_layout='BSH', num_key_value_heads=0, sparse_mode=0, inner_precise=1)"
)
def prompt_flash_attention(
    query,
    key,
    value,
    attn_mask=None,
    actual_seq_lengths=None,
    actual_seq_lengths_kv=None,
    pse_shift=None,
    deq_scale1=None,
    quant_scale1=None,
    deq_scale2=None,
    quant_scale2=None,
    quant_offset2=None,
    num_heads=1,
    scale_value=1.0,
    pre_tokens=_FAR,
    next_tokens=0,
    input_layout="BSH",
    num_key_value_heads=0,
    sparse_mode=0,
    inner_precise=1,
):
    """Attention over a whole prompt; attn_mask hides where 1, actual_seq_lengths are those of the sequences."""
    _no_quantisation(
        "prompt_flash_attention",
        deq_scale1=deq_scale1,
        quant_scale1=quant_scale1,
        deq_scale2=deq_scale2,
        quant_scale2=quant_scale2,
        quant_offset2=quant_offset2,
    )
    return _inference(
        "prompt_flash_attention",
        query,
        key,
        value,
        attn_mask,
        actual_seq_lengths,
        actual_seq_lengths_kv,
        pse_shift,
        num_heads,
        num_key_value_heads,
        scale_value,
        pre_tokens,
        next_tokens if attn_mask is None else _FAR,
        input_layout,
        sparse_mode,
    )[0]


@op(
    ops="incre_flash_attention(query, key, value, attn_mask=None, actual_seq_lengths=None, pse_shift=None, dequant_scale1=None, quant_scale1=None, "
    "dequant_scale2=None, quant_scale2=None, quant_offset2=None, antiquant_scale=None, antiquant_offset=None, block_table=None, num_heads=1, "
    "input_layout='BSH', scale_value=1.0, num_key_value_heads=0, block_size=0, inner_precise=1, kv_padding_size=None)"
)
def incre_flash_attention(
    query,
    key,
    value,
    attn_mask=None,
    actual_seq_lengths=None,
    pse_shift=None,
    dequant_scale1=None,
    quant_scale1=None,
    dequant_scale2=None,
    quant_scale2=None,
    quant_offset2=None,
    antiquant_scale=None,
    antiquant_offset=None,
    block_table=None,
    num_heads=1,
    input_layout="BSH",
    scale_value=1.0,
    num_key_value_heads=0,
    block_size=0,
    inner_precise=1,
    kv_padding_size=None,
):
    """Attention of one new token to the keys so far; actual_seq_lengths tells how many of these count."""
    _no_quantisation(
        "incre_flash_attention",
        dequant_scale1=dequant_scale1,
        quant_scale1=quant_scale1,
        dequant_scale2=dequant_scale2,
        quant_scale2=quant_scale2,
        quant_offset2=quant_offset2,
        antiquant_scale=antiquant_scale,
        antiquant_offset=antiquant_offset,
        block_table=block_table,
        kv_padding_size=kv_padding_size,
    )
    if attn_mask is not None and attn_mask.ndim == 2:
        attn_mask = attn_mask[:, None, None]
    return _inference(
        "incre_flash_attention",
        query,
        key,
        value,
        attn_mask,
        None,
        actual_seq_lengths,
        pse_shift,
        num_heads,
        num_key_value_heads,
        scale_value,
        _FAR,
        _FAR,
        input_layout,
        0,
    )[0]


@op(
    ops="fused_infer_attention_score(query, key, value, *, pse_shift=None, atten_mask=None, actual_seq_lengths=None, actual_seq_lengths_kv=None, "
    "dequant_scale1=None, quant_scale1=None, dequant_scale2=None, quant_scale2=None, quant_offset2=None, antiquant_scale=None, antiquant_offset=None, "
    "key_antiquant_scale=None, key_antiquant_offset=None, value_antiquant_scale=None, value_antiquant_offset=None, block_table=None, "
    "query_padding_size=None, kv_padding_size=None, key_shared_prefix=None, value_shared_prefix=None, actual_shared_prefix_len=None, num_heads=1, "
    "scale=1.0, pre_tokens=2147483647, next_tokens=2147483647, input_layout='BSH', num_key_value_heads=0, sparse_mode=0, inner_precise=1, block_size=0, "
    "antiquant_mode=0, key_antiquant_mode=0, value_antiquant_mode=0, softmax_lse_flag=False)"
)
def fused_infer_attention_score(
    query,
    key,
    value,
    pse_shift=None,
    atten_mask=None,
    actual_seq_lengths=None,
    actual_seq_lengths_kv=None,
    dequant_scale1=None,
    quant_scale1=None,
    dequant_scale2=None,
    quant_scale2=None,
    quant_offset2=None,
    antiquant_scale=None,
    antiquant_offset=None,
    key_antiquant_scale=None,
    key_antiquant_offset=None,
    value_antiquant_scale=None,
    value_antiquant_offset=None,
    block_table=None,
    query_padding_size=None,
    kv_padding_size=None,
    key_shared_prefix=None,
    value_shared_prefix=None,
    actual_shared_prefix_len=None,
    num_heads=1,
    scale=1.0,
    pre_tokens=_FAR,
    next_tokens=_FAR,
    input_layout="BSH",
    num_key_value_heads=0,
    sparse_mode=0,
    inner_precise=1,
    block_size=0,
    antiquant_mode=0,
    key_antiquant_mode=0,
    value_antiquant_mode=0,
    softmax_lse_flag=False,
):
    """(attention, log of the softmax sums (B, N, S, 1), or zero without `softmax_lse_flag`)"""
    _no_quantisation(
        "fused_infer_attention_score",
        dequant_scale1=dequant_scale1,
        quant_scale1=quant_scale1,
        dequant_scale2=dequant_scale2,
        quant_scale2=quant_scale2,
        quant_offset2=quant_offset2,
        antiquant_scale=antiquant_scale,
        antiquant_offset=antiquant_offset,
        key_antiquant_scale=key_antiquant_scale,
        key_antiquant_offset=key_antiquant_offset,
        value_antiquant_scale=value_antiquant_scale,
        value_antiquant_offset=value_antiquant_offset,
        block_table=block_table,
        query_padding_size=query_padding_size,
        kv_padding_size=kv_padding_size,
        key_shared_prefix=key_shared_prefix,
        value_shared_prefix=value_shared_prefix,
        actual_shared_prefix_len=actual_shared_prefix_len,
    )
    out, lse = _inference(
        "fused_infer_attention_score",
        query,
        key,
        value,
        atten_mask,
        actual_seq_lengths,
        actual_seq_lengths_kv,
        pse_shift,
        num_heads,
        num_key_value_heads,
        scale,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )
    return out, lse if softmax_lse_flag else jnp.zeros((1,), jnp.float32)


@op(
    ops="ring_attention_update(prev_attn_out, prev_softmax_max, prev_softmax_sum, cur_attn_out, cur_softmax_max, cur_softmax_sum, actual_seq_qlen=None, "
    "layout='SBH')"
)
def ring_attention_update(
    prev_attn_out,
    prev_softmax_max,
    prev_softmax_sum,
    cur_attn_out,
    cur_softmax_max,
    cur_softmax_sum,
    actual_seq_qlen=None,
    layout="SBH",
):
    """(out, softmax maximum, softmax sum) of attention over two parts of the keys, from those of each part."""
    top = jnp.maximum(prev_softmax_max, cur_softmax_max)
    before, now = prev_softmax_sum * jnp.exp(prev_softmax_max - top), cur_softmax_sum * jnp.exp(cur_softmax_max - top)
    total = before + now

    def spread(weight, like):
        weight = weight[..., :1]
        if layout == "TND":
            return weight
        b, n, s, _ = weight.shape
        full = jnp.broadcast_to(weight, (b, n, s, like.shape[-1] // n))
        return full.transpose(2, 0, 1, 3).reshape(like.shape)

    if layout not in ("SBH", "TND"):
        raise ValueError(f"For 'ring_attention_update', the 'layout' must be 'SBH' or 'TND', but got {layout!r}.")
    out = prev_attn_out * spread(before / total, prev_attn_out) + cur_attn_out * spread(now / total, cur_attn_out)
    return out.astype(prev_attn_out.dtype), top, total


# --- rotary position embedding
def _half_turned(x):
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([-b, a], -1)


def _pairs_turned(x):
    return jnp.stack([-x[..., 1::2], x[..., ::2]], -1).reshape(x.shape)


@op(ops="rotary_position_embedding(x, cos, sin, mode=0)")
def rotary_position_embedding(x, cos, sin, mode=0):
    """x * cos + turned(x) * sin (Su et al., 2021); mode 0 turns the halves of the last axis, mode 1 neighbouring pairs."""
    if mode not in (0, 1):
        raise ValueError(f"For 'rotary_position_embedding', the 'mode' must be 0 or 1, but got {mode}.")
    return (x * cos + (_pairs_turned if mode else _half_turned)(x) * sin).astype(x.dtype)


@op(prim="ApplyRotaryPosEmb(cos_format=0)(query, key, cos, sin, position_ids)", ops=False)
def apply_rotary_pos_emb(query, key, cos, sin, position_ids, cos_format=0):
    """(query, key) with rotary position embedding; rows of cos and sin are those of the positions, or one for each token."""

    def turn(x):
        heads = x.reshape(*x.shape[:-1], -1, cos.shape[-1])
        if cos.shape[0] == x.shape[0] * (x.shape[1] if x.ndim == 3 else 1):
            c, s = (a.reshape(*x.shape[:-1], 1, -1) for a in (cos, sin))
        else:
            c, s = (a[position_ids].reshape(x.shape[0], *(1,) * (x.ndim - 2), 1, -1) for a in (cos, sin))
        return (heads * c + _half_turned(heads) * s).reshape(x.shape).astype(x.dtype)

    return turn(query), turn(key)


# --- mixture of experts
@op(ops="moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False)", static=("num_out_tokens",))
def moe_token_permute(tokens, indices, num_out_tokens=None, padded_mode=False):
    """(tokens grouped by expert, int32 place of each (token, choice) in them) for expert numbers (T,) or (T, k)."""
    if padded_mode:
        raise ValueError("For 'moe_token_permute', the 'padded_mode' can only be False.")
    choices = indices.shape[1] if indices.ndim == 2 else 1
    order = jnp.argsort(indices.reshape(-1), stable=True)
    place = jnp.argsort(order, stable=True).astype(jnp.int32)
    order = order if not num_out_tokens else order[:num_out_tokens]
    return tokens[order // choices], place


@op(ops="moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None)")
def moe_token_unpermute(permuted_tokens, sorted_indices, probs=None, padded_mode=False, restore_shape=None):
    """Tokens back in their order, the choices of each summed with the weights `probs` (T, k)."""
    if padded_mode:
        raise ValueError("For 'moe_token_unpermute', the 'padded_mode' can only be False.")
    rows = permuted_tokens.shape[0]
    tokens = jnp.where((sorted_indices < rows)[:, None], permuted_tokens[jnp.minimum(sorted_indices, rows - 1)], 0)
    choices = probs.shape[1] if probs is not None else 1
    tokens = tokens.reshape(-1, choices, permuted_tokens.shape[1])
    if probs is not None:
        tokens = tokens * probs[..., None].astype(tokens.dtype)
    return jnp.sum(tokens, 1).astype(permuted_tokens.dtype)


@op(
    ops="moe_init_routing_v2(x, expert_idx, active_num, expert_capacity, expert_num, drop_pad_mode, expert_tokens_count_or_cumsum_flag, "
    "expert_tokens_before_capacity_flag)",
    static=(
        "active_num",
        "expert_capacity",
        "expert_num",
        "drop_pad_mode",
        "expert_tokens_count_or_cumsum_flag",
        "expert_tokens_before_capacity_flag",
    ),
)
def moe_init_routing_v2(
    x,
    expert_idx,
    active_num,
    expert_capacity,
    expert_num,
    drop_pad_mode,
    expert_tokens_count_or_cumsum_flag,
    expert_tokens_before_capacity_flag,
):
    """(tokens by expert, place of each (choice, token) in them, tokens of each expert, the same before the capacity cut).

    drop_pad_mode 0: all tokens, sorted by expert; 1: `expert_capacity` places for each expert, filled with zeros, the rest dropped (place -1).
    """
    choices = expert_idx.shape[1]
    flat = expert_idx.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    count = jnp.zeros(max(expert_num, 1), jnp.int32).at[flat].add(1)
    starts = jnp.cumsum(count) - count
    rank = jnp.zeros_like(order).at[order].set(jnp.arange(order.shape[0]))
    zero = jnp.zeros((max(expert_num, 1),), jnp.int32)
    if drop_pad_mode == 0:
        rows = order[:active_num] if active_num else order
        told = (
            jnp.cumsum(count).astype(jnp.int32)
            if expert_tokens_count_or_cumsum_flag == 1
            else count
            if expert_tokens_count_or_cumsum_flag == 2
            else zero
        )
        return x[rows // choices], rank.reshape(-1, choices).T.reshape(-1).astype(jnp.int32), told, zero
    within = rank - starts[flat]
    place = jnp.where(within < expert_capacity, flat * expert_capacity + within, -1)
    target = jnp.where(place < 0, expert_num * expert_capacity, place)
    out = (
        jnp.zeros((expert_num * expert_capacity, x.shape[1]), x.dtype)
        .at[target]
        .set(x[jnp.arange(flat.shape[0]) // choices], mode="drop")
    )
    before = count if expert_tokens_before_capacity_flag else zero
    return (
        out.reshape(expert_num, expert_capacity, -1),
        place.reshape(-1, choices).T.reshape(-1).astype(jnp.int32),
        zero,
        before,
    )


# --- caches of inference, and deformable attention
@op(prim="ReshapeAndCache()(key, value, key_cache, value_cache, slot_mapping)", ops=False, writes=(2, 3))
def reshape_and_cache(key, value, key_cache, value_cache, slot_mapping):
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
    prim="PagedAttention(head_num, scale_value, kv_head_num, kv_cache_quant_mode='DEFAULT', mask_mode='MASK_DEFAULT', mla_v_dim=0)(query, key_cache, "
    "value_cache=None, block_tables=None, context_lens=None, antiquant_scale=None, antiquant_offset=None, attn_mask=None, q_seq_lens=None, "
    "alibi_mask=None)",
    ops=False,
    static=("head_num", "scale_value", "kv_head_num", "mla_v_dim"),
)
def paged_attention(
    query,
    key_cache,
    value_cache=None,
    block_tables=None,
    context_lens=None,
    antiquant_scale=None,
    antiquant_offset=None,
    attn_mask=None,
    q_seq_lens=None,
    alibi_mask=None,
    head_num=1,
    scale_value=1.0,
    kv_head_num=1,
    kv_cache_quant_mode="DEFAULT",
    mask_mode="MASK_DEFAULT",
    mla_v_dim=0,
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
    return _unpaged(attend(q, k, v, scale_value, alibi_mask, mask)[0], query)


@op(
    prim="PagedAttentionMask(head_num, scale_value, kv_head_num, kv_cache_quant_mode='DEFAULT')(query, key_cache, value_cache, block_tables, "
    "context_lens, antiquant_scale=None, antiquant_offset=None, alibi_mask=None)",
    ops=False,
    static=("head_num", "scale_value", "kv_head_num"),
    operands=("query", "key_cache", "value_cache", "block_tables", "context_lens", "alibi_mask"),
)
def paged_attention_mask(
    query,
    key_cache,
    value_cache,
    block_tables,
    context_lens,
    antiquant_scale=None,
    antiquant_offset=None,
    alibi_mask=None,
    head_num=1,
    scale_value=1.0,
    kv_head_num=1,
    kv_cache_quant_mode="DEFAULT",
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
    return _unpaged(attend(q, k, v, scale_value, alibi_mask, mask)[0], query)


@op(ops="multi_scale_deformable_attn_function(value, shape, offset, locations, weight)", static=("shape", "offset"))
def multi_scale_deformable_attn_function(value, shape, offset, locations, weight):
    """Weighted bilinear samples of feature maps of several sizes (Zhu et al., 2021): (B, Q, heads * D).

    value (B, keys, heads, D); shape: (height, width) of each level; locations (B, Q, heads, levels, points, 2) in [0, 1]; weight without the 2.
    """
    b, _, heads, dim = value.shape
    queries, points = locations.shape[1], locations.shape[4]
    total, at = 0, 0
    for level, (height, width) in enumerate(shape):
        size = math.prod((height, width))
        flat = value[:, at : at + size].transpose(0, 2, 3, 1).reshape(b * heads, dim, size)
        at += size
        place = locations[:, :, :, level].transpose(0, 2, 1, 3, 4).reshape(b * heads, queries, points, 2)
        x, y = place[..., 0] * width - 0.5, place[..., 1] * height - 0.5
        left, top, sampled = jnp.floor(x), jnp.floor(y), 0
        for i, j in ((0, 0), (0, 1), (1, 0), (1, 1)):
            part = (y - top if i else top + 1 - y) * (x - left if j else left + 1 - x)
            sampled = sampled + gather_pixels(flat, [top + i, left + j], (height, width)) * part[:, None]
        share = weight[:, :, :, level].transpose(0, 2, 1, 3).reshape(b * heads, 1, queries, points)
        total = total + jnp.sum(sampled * share, -1)
    return total.reshape(b, heads * dim, queries).transpose(0, 2, 1)

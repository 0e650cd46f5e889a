"""Fused attention as inference uses it: prompts, increments, both with lengths and masks."""

from typing import Any

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, MaybeArray, Number, Operand
from .fused import _FAR, _check_layout, _heads, _hidden, _layout
from .kernels import Bias, Inputs, attend, attention
from .stored import Stored, pair


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
    sums=False,
    stored=Stored(),
):
    """(out, with `sums` the log of the softmax sums) of attention without gradient options; lengths are those of each sequence."""
    _check_layout(name, layout)
    kv_heads = kv_heads or heads
    key, value = (a[0] if isinstance(a, (tuple, list)) else a for a in (key, value))
    small = query.dtype == jnp.int8  # all of it is computed with whole numbers
    q = _heads(query, layout, heads)
    k, v = stored.read(name, key, value, layout, kv_heads, jnp.float16 if small else query.dtype)
    hidden = _hidden(
        attn_mask, mode, q, k, pre_tokens, next_tokens, None, layout, q_lengths if layout == "TND" else None, kv_lengths
    )
    if kv_lengths is not None and layout != "TND":
        seen = stored.visible(k.shape[2], kv_lengths, stored.kv_padding)
        hidden = hidden.also(~seen[:, None, None])
    inputs = Inputs(q, k, v, scale, () if bias is None else (Bias(bias),), hidden, None, layout)
    if small:
        if sums:
            raise ValueError(
                f"For '{name}', a query of int8 has no 'softmax_lse_flag': it must be False, but got True."
            )
        out = stored.whole_numbers(name, q, k, v, scale, bias, hidden.part(k.shape[2])).astype(jnp.float16)
    elif sums:
        out, top, total = attend(inputs)
    else:
        out = attention(inputs)
    if kv_lengths is not None and stored.kv_padding is not None:
        out = jnp.where(seen.any(-1)[:, None, None, None], out, 0)
    if q_lengths is not None and layout != "TND":
        rows = stored.visible(q.shape[2], q_lengths, stored.query_padding)
        out = jnp.where(rows[:, None, :, None], out, 0)
    return _layout(stored.written(name, out), layout), top + jnp.log(jnp.maximum(total, 1e-38)) if sums else None


@op(
    ops=True,
    prim=Prim(
        "PromptFlashAttention",
        inputs=(
            "query",
            "key",
            "value",
            "attn_mask",
            "actual_seq_lengths",
            "actual_seq_lengths_kv",
            "pse_shift",
            "deq_scale1",
            "quant_scale1",
            "deq_scale2",
            "quant_scale2",
            "quant_offset2",
        ),
    ),
)
def prompt_flash_attention(
    query: Array,
    key: Array,
    value: Array,
    attn_mask: MaybeArray = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    pse_shift: MaybeArray = None,
    deq_scale1: MaybeArray = None,
    quant_scale1: MaybeArray = None,
    deq_scale2: MaybeArray = None,
    quant_scale2: MaybeArray = None,
    quant_offset2: MaybeArray = None,
    num_heads: int = 1,
    scale_value: Number = 1.0,
    pre_tokens: int = _FAR,
    next_tokens: int = 0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
):
    """Attention over a whole prompt; attn_mask is 1 at masked places, actual_seq_lengths: lengths of the sequences."""
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
        stored=Stored(
            dequant_1=deq_scale1,
            quant_1=quant_scale1,
            dequant_2=deq_scale2,
            quant_2=quant_scale2,
            offset_2=quant_offset2,
        ),
    )[0]


@op(
    ops=True,
    prim=Prim(
        "IncreFlashAttention",
        inputs=(
            "query",
            "key",
            "value",
            "attn_mask",
            "actual_seq_lengths",
            "pse_shift",
            "dequant_scale1",
            "quant_scale1",
            "dequant_scale2",
            "quant_scale2",
            "quant_offset2",
            "antiquant_scale",
            "antiquant_offset",
            "block_table",
            "kv_padding_size",
        ),
    ),
)
def incre_flash_attention(
    query: Array,
    key: Operand,
    value: Operand,
    attn_mask: MaybeArray = None,
    actual_seq_lengths: Any = None,
    pse_shift: MaybeArray = None,
    dequant_scale1: MaybeArray = None,
    quant_scale1: MaybeArray = None,
    dequant_scale2: MaybeArray = None,
    quant_scale2: MaybeArray = None,
    quant_offset2: MaybeArray = None,
    antiquant_scale: MaybeArray = None,
    antiquant_offset: MaybeArray = None,
    block_table: MaybeArray = None,
    num_heads: int = 1,
    input_layout: str = "BSH",
    scale_value: Number = 1.0,
    num_key_value_heads: int = 0,
    block_size: int = 0,
    inner_precise: int = 1,
    kv_padding_size: MaybeArray = None,
):
    """Attention of one new token to all keys so far; actual_seq_lengths is the number of valid keys.

    block_table: (B, pages), for keys and values in pages. antiquant_scale, antiquant_offset: (2, N, 1, D) or (2, H) of keys and values of int8.
    kv_padding_size: tokens behind those that count, which are then the last. quant_scale2, quant_offset2: of an output of int8.
    """
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
        stored=Stored(
            block_table,
            **pair("incre_flash_attention", antiquant_scale, antiquant_offset),
            kv_padding=kv_padding_size,
            dequant_1=dequant_scale1,
            quant_1=quant_scale1,
            dequant_2=dequant_scale2,
            quant_2=quant_scale2,
            offset_2=quant_offset2,
        ),
    )[0]


@op(
    ops=Face(
        "fused_infer_attention_score",
        args("query", "key", "value").only(
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
            pre_tokens=2147483647,
            next_tokens=2147483647,
            input_layout="BSH",
            num_key_value_heads=0,
            sparse_mode=0,
            inner_precise=1,
            block_size=0,
            antiquant_mode=0,
            key_antiquant_mode=0,
            value_antiquant_mode=0,
            softmax_lse_flag=False,
        ),
    ),
    prim=Prim(
        "FusedInferAttentionScore",
        init=args(
            num_heads=1,
            scale_value=1.0,
            pre_tokens=2147483647,
            next_tokens=2147483647,
            input_layout="BSH",
            num_key_value_heads=0,
            sparse_mode=0,
            inner_precise=1,
            block_size=0,
            antiquant_mode=0,
            softmax_lse_flag=False,
            key_antiquant_mode=0,
            value_antiquant_mode=0,
        ),
        call=args(
            "query",
            "key",
            "value",
            pse_shift=None,
            attn_mask=None,
            actual_seq_lengths=None,
            actual_seq_lengths_kv=None,
            dequant_scale1=None,
            quant_scale1=None,
            dequant_scale2=None,
            quant_scale2=None,
            quant_offset2=None,
            antiquant_scale=None,
            antiquant_offset=None,
            block_table=None,
            query_padding_size=None,
            kv_padding_size=None,
            key_antiquant_scale=None,
            key_antiquant_offset=None,
            value_antiquant_scale=None,
            value_antiquant_offset=None,
            key_shared_prefix=None,
            value_shared_prefix=None,
            actual_shared_prefix_len=None,
        ),
        to={"scale_value": "scale", "attn_mask": "atten_mask"},
    ),
)
def fused_infer_attention_score(
    query: Array,
    key: Array,
    value: Array,
    pse_shift: MaybeArray = None,
    atten_mask: MaybeArray = None,
    actual_seq_lengths: Any = None,
    actual_seq_lengths_kv: Any = None,
    dequant_scale1: MaybeArray = None,
    quant_scale1: MaybeArray = None,
    dequant_scale2: MaybeArray = None,
    quant_scale2: MaybeArray = None,
    quant_offset2: MaybeArray = None,
    antiquant_scale: MaybeArray = None,
    antiquant_offset: MaybeArray = None,
    key_antiquant_scale: MaybeArray = None,
    key_antiquant_offset: MaybeArray = None,
    value_antiquant_scale: MaybeArray = None,
    value_antiquant_offset: MaybeArray = None,
    block_table: MaybeArray = None,
    query_padding_size: MaybeArray = None,
    kv_padding_size: MaybeArray = None,
    key_shared_prefix: MaybeArray = None,
    value_shared_prefix: MaybeArray = None,
    actual_shared_prefix_len: Any = None,
    num_heads: int = 1,
    scale: Number = 1.0,
    pre_tokens: int = _FAR,
    next_tokens: int = _FAR,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    sparse_mode: int = 0,
    inner_precise: int = 1,
    block_size: int = 0,
    antiquant_mode: int = 0,
    key_antiquant_mode: int = 0,
    value_antiquant_mode: int = 0,
    softmax_lse_flag: bool = False,
):
    """(attention, log of the softmax sums (B, N, S, 1), or zero without `softmax_lse_flag`)

    block_table: (B, pages), for keys and values in pages. antiquant_scale, antiquant_offset: (2,), (2, N, 1, D) and the like, or with
    antiquant_mode=1 (2, B, S), of keys and values of int8; `key_antiquant_scale` and the other three are those of one alone. query_padding_size,
    kv_padding_size: tokens behind those that count, which are then the last. A query of int8 needs dequant_scale1, quant_scale1 and dequant_scale2.
    quant_scale2, quant_offset2: of an output of int8.
    """
    name = "fused_infer_attention_score"
    for what, given in (
        ("key_shared_prefix", key_shared_prefix),
        ("value_shared_prefix", value_shared_prefix),
        ("actual_shared_prefix_len", actual_shared_prefix_len),
    ):
        if given is not None:
            raise ValueError(f"For '{name}', the '{what}' is reserved in MindSpore and must be None, but got a value.")
    stored = Stored(
        block_table,
        **pair(name, antiquant_scale, antiquant_offset),
        key_mode=antiquant_mode,
        value_mode=antiquant_mode,
        kv_padding=kv_padding_size,
        query_padding=query_padding_size,
        dequant_1=dequant_scale1,
        quant_1=quant_scale1,
        dequant_2=dequant_scale2,
        quant_2=quant_scale2,
        offset_2=quant_offset2,
    )
    if key_antiquant_scale is not None or key_antiquant_offset is not None:
        stored = stored._replace(
            key_scale=key_antiquant_scale, key_offset=key_antiquant_offset, key_mode=key_antiquant_mode
        )
    if value_antiquant_scale is not None or value_antiquant_offset is not None:
        stored = stored._replace(
            value_scale=value_antiquant_scale, value_offset=value_antiquant_offset, value_mode=value_antiquant_mode
        )
    if input_layout != "TND" and _heads(query, input_layout, num_heads).shape[2] == 1:
        # What tells queries apart means nothing for a single one, whose mask may be (B, keys).
        actual_seq_lengths, pre_tokens, next_tokens, sparse_mode = None, _FAR, _FAR, 0
        if atten_mask is not None and atten_mask.ndim == 2:
            atten_mask = atten_mask[:, None, None]
    out, sums = _inference(
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
        softmax_lse_flag,
        stored,
    )
    return out, sums if softmax_lse_flag else jnp.zeros((1,), jnp.float32)

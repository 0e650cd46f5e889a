"""Fused attention operators as plain formulas: softmax(scale * Q K^T + bias, masked) V in all layouts, rotary embedding, expert routing.

XLA fuses what it can; the results are those that MindSpore documents for its Ascend kernels.
"""

import math
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np

from ...core.compat import Tracer
from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Key, MaybeArray, Number, Operand, Static
from ...core.spec.rules import AsValue
from ..image.grids import gather_pixels
from .kernels import Bias, Hidden, Inputs, Kept, attention, attention_with_statistics
from .masks import hides_later

_FAR = 2147483647
_LAYOUTS = ("BSH", "SBH", "BNSD", "BSND", "TND", "BNSD_BSND", "NSD", "SH")


def _heads(x, layout, heads):
    """(B, N, S, D) of an array in the layout."""
    if layout == "BSH":
        return x.reshape(*x.shape[:2], heads, x.shape[2] // heads).transpose(0, 2, 1, 3)
    if layout == "SBH":
        return x.reshape(*x.shape[:2], heads, x.shape[2] // heads).transpose(1, 2, 0, 3)
    if layout == "BSND":
        return x.transpose(0, 2, 1, 3)
    if layout == "TND":
        return x.transpose(1, 0, 2)[None]
    if layout == "NSD":
        return x[None]
    if layout == "SH":
        return x.reshape(1, x.shape[0], heads, x.shape[1] // heads).transpose(0, 2, 1, 3)
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


def _sparse(mode, queries, keys, pre_tokens, next_tokens, prefix):
    """The mask of `sparse_mode`."""
    row, shift = np.arange(queries), keys - queries

    def place(x):
        return np.clip(x, -1, keys).astype(np.int32)

    if mode == 0:
        before, after = pre_tokens >= queries - 1, next_tokens >= keys - 1  # whether all keys there are visible
        return Hidden(
            None if after else place(row + next_tokens),
            None if before else place(row - pre_tokens),
            causal=before and next_tokens == 0 and queries == keys,
        )
    if mode == 1:
        return Hidden()
    if mode == 2:
        return Hidden(place(row), causal=True)
    if mode == 3:
        return Hidden(place(row + shift), causal=shift == 0)
    if mode == 4:
        return Hidden(place(row + shift + next_tokens), place(row + shift - pre_tokens))
    if mode in (5, 6):
        if prefix is None:
            raise ValueError(f"For 'flash_attention_score', sparse_mode {mode} needs 'prefix'.")
        return Hidden(place(row + shift), prefix=jnp.asarray(prefix).reshape(-1, 1, 1, 1))
    raise ValueError(f"For 'flash_attention_score', the 'sparse_mode' must be in range [0, 6], but got {mode}.")


def _segments(lengths, total):
    """Number of the sequence that each of the `total` rows belongs to, from running ends."""
    return jnp.searchsorted(jnp.asarray(lengths).reshape(-1), jnp.arange(total), side="right")


def _hidden(attn_mask, mode, q, k, pre_tokens, next_tokens, prefix, layout, q_ends, k_ends):
    queries, keys = q.shape[2], k.shape[2]
    hidden = _sparse(mode, queries, keys, pre_tokens, next_tokens, prefix)
    if attn_mask is not None and mode in (0, 1):
        if queries == keys and hides_later(attn_mask, queries):
            hidden = Hidden(np.arange(queries, dtype=np.int32), causal=True)
        else:
            given = attn_mask.astype(bool) if isinstance(attn_mask, Tracer) else np.asarray(attn_mask).astype(bool)
            given = given[:, None] if given.ndim == 3 else given
            hidden = (Hidden() if mode == 0 else hidden).also(given)
    if layout != "TND" or q_ends is None:
        return hidden
    rows, columns = _segments(q_ends, queries), _segments(k_ends, keys)
    if mode in (2, 3):  # causal within each sequence
        starts = [
            jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.asarray(e).reshape(-1).astype(jnp.int32)])
            for e in (q_ends, k_ends)
        ]
        last = jnp.arange(queries) - starts[0][rows]
        if mode == 3:
            last = last + (starts[1][rows + 1] - starts[1][rows]) - (starts[0][rows + 1] - starts[0][rows])
        # the same sequences on both sides, as far as Python can tell: a query's last key is the one in its place
        same = isinstance(q_ends, (tuple, list)) and q_ends == k_ends
        hidden = Hidden(last, place=jnp.arange(keys) - starts[1][columns])
        if same:
            hidden = Hidden(np.arange(queries, dtype=np.int32), causal=True)
    return hidden._replace(row=rows, column=columns)


def _check_layout(name, layout, allowed=_LAYOUTS):
    if layout not in allowed:
        raise ValueError(f"For '{name}', the 'input_layout' must be one of {allowed}, but got {layout!r}.")


def _kv_heads(query, key, layout, heads):
    """Number of heads of key and value."""
    if layout in ("BSH", "SBH", "SH"):
        return key.shape[-1] * heads // query.shape[-1]
    return key.shape[{"BNSD": 1, "BSND": 2, "TND": 1, "BNSD_BSND": 1, "NSD": 0}[layout]]


def _inputs(
    name,
    query,
    key,
    value,
    heads,
    bias,
    kept,
    attn_mask,
    prefix,
    q_ends,
    k_ends,
    scale,
    pre_tokens,
    next_tokens,
    layout,
    mode,
):
    """Arguments of `attend` and `attention`."""
    _check_layout(name, layout)
    kv_heads = _kv_heads(query, key, layout, heads)
    if kv_heads == 0 or heads % kv_heads:
        raise ValueError(
            f"For '{name}', the heads of 'query' must be a multiple of those of 'key', but got {heads} and {kv_heads}."
        )
    q, k, v = _heads(query, layout, heads), _heads(key, layout, kv_heads), _heads(value, layout, kv_heads)
    hidden = _hidden(attn_mask, mode, q, k, pre_tokens, next_tokens, prefix, layout, q_ends, k_ends)
    return Inputs(q, k, v, scale, () if bias is None else (bias,), hidden, kept, layout)


def _bits(drop_mask, keep_prob):
    return None if drop_mask is None else Kept(keep_prob, drop_mask)


@op(ops=True, residuals=True)
def flash_attention_score(
    query: Array,
    key: Array,
    value: Array,
    head_num: Static[int],
    real_shift: MaybeArray = None,
    drop_mask: MaybeArray = None,
    padding_mask: MaybeArray = None,
    attn_mask: MaybeArray = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    keep_prob: Number = 1.0,
    scalar_value: Number = 1.0,
    pre_tokens: int = _FAR,
    next_tokens: int = _FAR,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
):
    """Attention: dropout(softmax(scalar_value * (Q K^T + real_shift))) V, hidden where attn_mask is 1.

    input_layout: "BSH", "SBH", "BNSD", "BSND" or "TND" (with running ends of the sequences). sparse_mode: 0, 1: `attn_mask` (0 also bands of
    pre_tokens and next_tokens), 2: causal from the upper left, 3: from the lower right, 4: band, 5 and 6: causal behind a prefix.
    Key and value may have fewer heads. drop_mask: kept probabilities as bits.

    Example:
        >>> q = k = v = Tensor(np.ones((1, 4, 8, 16), np.float32))
        >>> ops.flash_attention_score(q, k, v, head_num=4, input_layout="BNSD", scalar_value=0.125).shape
        (1, 4, 8, 16)
    """
    inputs = _inputs(
        "flash_attention_score",
        query,
        key,
        value,
        head_num,
        _before_scaling(real_shift, scalar_value),
        _bits(drop_mask, keep_prob),
        attn_mask,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen,
        scalar_value,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )
    return _layout(attention(inputs), input_layout)


def _before_scaling(bias, scale):
    """The term of the scaled scores for a bias that is added before the scaling."""
    return None if bias is None else Bias(bias, scale)


def _eight(x, layout):
    """Maximum or sum (B, N, S, 1) as the kernels keep it: eight copies, (T, N, 8) in the layout "TND"."""
    x = jnp.broadcast_to(x, (*x.shape[:-1], 8))
    return x[0].transpose(1, 0, 2) if layout == "TND" else x


@op(
    prim=Prim(
        "FlashAttentionScore",
        inputs=(
            "query",
            "key",
            "value",
            "real_shift",
            "drop_mask",
            "padding_mask",
            "attn_mask",
            "prefix",
            "actual_seq_qlen",
            "actual_seq_kvlen",
        ),
    ),
    ops=False,
    residuals=True,
)
def flash_attention_parts(
    query: Array,
    key: Operand,
    value: Operand,
    head_num: Static[Any],
    real_shift: Any = None,
    drop_mask: Any = None,
    padding_mask: Any = None,
    attn_mask: Any = None,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    keep_prob: Number = 1.0,
    scale_value: Number = 1.0,
    pre_tokens: int = _FAR,
    next_tokens: int = _FAR,
    inner_precise: int = 0,
    input_layout: str = "BSH",
    sparse_mode: int = 0,
):
    """(softmax maximum, softmax sum, empty, attention); arguments as for `ops.flash_attention_score`.

    Maximum and sum are float32 (B, N, S, 8), or (T, N, 8) in the layout "TND".

    Example:
        >>> q = k = v = Tensor(np.ones((1, 4, 8, 16), np.float32))
        >>> ops.FlashAttentionScore(head_num=4, scale_value=0.125, input_layout="BNSD")(q, k, v)[3].shape
        (1, 4, 8, 16)
    """
    inputs = _inputs(
        "FlashAttentionScore",
        query,
        key,
        value,
        head_num,
        _before_scaling(real_shift, scale_value),
        _bits(drop_mask, keep_prob),
        attn_mask,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen,
        scale_value,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )
    out, top, total = attention_with_statistics(inputs)
    return (
        _eight(top, input_layout),
        _eight(total, input_layout),
        jnp.zeros((1,), query.dtype),
        _layout(out, input_layout),
    )


@op(
    random=True,
    residuals=True,
    ops=Face(
        "speed_fusion_attention",
        args("query", "key", "value", "head_num", "input_layout").only(
            pse=None,
            padding_mask=None,
            atten_mask=None,
            scale=1.0,
            keep_prob=1.0,
            pre_tokens=2147483647,
            next_tokens=2147483647,
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
        ),
    ),
)
def speed_fusion_attention(
    rng: Key,
    query: Array,
    key: Array,
    value: Array,
    head_num: Static[int],
    input_layout: Static[str],
    pse: MaybeArray = None,
    padding_mask: MaybeArray = None,
    atten_mask: MaybeArray = None,
    scale: Number = 1.0,
    keep_prob: Number = 1.0,
    pre_tokens: int = _FAR,
    next_tokens: int = _FAR,
    inner_precise: int = 0,
    prefix: Any = None,
    actual_seq_qlen: Any = None,
    actual_seq_kvlen: Any = None,
    sparse_mode: int = 0,
    gen_mask_parallel: bool = True,
    sync: bool = False,
    pse_type: AsValue[Literal[0, 1]] = 1,
    q_start_idx: Any = None,
    kv_start_idx: Any = None,
):
    """(out, softmax maximum, softmax sum, empty, seed, offset, number of dropout elements); arguments as for `flash_attention_score`.

    pse_type: 1: `pse` is added before the scaling, 0: after it; 2 and 3 (terms made from slopes) raise ValueError.
    """
    bias = None if pse is None else Bias(pse, scale if pse_type == 1 else None)
    kept = Kept(keep_prob, key=rng) if keep_prob < 1 else None
    inputs = _inputs(
        "speed_fusion_attention",
        query,
        key,
        value,
        head_num,
        bias,
        kept,
        atten_mask,
        prefix,
        actual_seq_qlen,
        actual_seq_kvlen,
        scale,
        pre_tokens,
        next_tokens,
        input_layout,
        sparse_mode,
    )
    q, k = inputs.query, inputs.key
    out, top, total = attention_with_statistics(inputs)
    top, total = (jnp.broadcast_to(a, (*a.shape[:-1], 8)) for a in (top, total))
    zero = jnp.zeros((), jnp.int64)
    return (
        _layout(out, input_layout),
        top,
        total,
        jnp.zeros((1,), query.dtype),
        zero,
        zero,
        jnp.asarray(0 if kept is None else math.prod(q.shape[:3]) * k.shape[2], jnp.int64),
    )


@op(ops=True)
def ring_attention_update(
    prev_attn_out: Array,
    prev_softmax_max: Array,
    prev_softmax_sum: Array,
    cur_attn_out: Array,
    cur_softmax_max: Array,
    cur_softmax_sum: Array,
    actual_seq_qlen: MaybeArray = None,
    layout: AsValue[Literal["SBH", "TND"]] = "SBH",
):
    """(out, softmax maximum, softmax sum) of attention over two parts of the keys, from the results for each part."""
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

    out = prev_attn_out * spread(before / total, prev_attn_out) + cur_attn_out * spread(now / total, cur_attn_out)
    return out.astype(prev_attn_out.dtype), top, total


@op(ops=True)
def multi_scale_deformable_attn_function(
    value: Array, shape: Static[Any], offset: Static[Any], locations: Array, weight: Array
) -> Array:
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

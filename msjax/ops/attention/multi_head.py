"""Multi-head attention as one function of all its weights (Vaswani et al., 2017); `nn.MultiheadAttention` is a layer
around it.

Below it the parts of MindSpore's own function that projects import for layers of their own.
"""

import math
from typing import TYPE_CHECKING, Any

from ...core.operators.record import composite, op, records
from ...core.spec import Array, Dtype, Key, Number, Operand
from ...core.values import dtype as mstype
from .kernels import Bias, Inputs, Kept, attention, better_fused

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jax

    from ...core.values.tensor import Tensor


@op(ops=False, residuals=True)
def attention_of_heads(query: Array, key: Operand, value: Operand, masks: Operand, scale: Number = 1.0):
    """softmax(scale * query key^T + masks) value of (B, N, S, D) arrays; a bool mask adds -inf where it is True."""
    return attention(Inputs(query, key, value, scale, [Bias(m) for m in masks]))


@op(ops=False, residuals=True, random=True)
def attention_of_heads_with_dropout(
    rng: Key, query: Array, key: Operand, value: Operand, masks: Operand, scale: Number = 1.0, p: Number = 0.0
):
    """`attention_of_heads` with dropout of the weights."""
    kept = Kept(1 - p, key=rng)
    return attention(Inputs(query, key, value, scale, [Bias(m) for m in masks], kept=kept))


def attend_fused(
    query: "jax.Array",
    key: "jax.Array",
    value: "jax.Array",
    masks: "Sequence[Tensor]" = (),
    scale: Any = 1.0,
    dropout: float = 0.0,
):
    """Attention of (B, N, S, D) Tensors that keeps no weights, or None where one formula of plain operators is as good.

    masks: Tensors that broadcast to (B, N, S, S): added, or bool: hidden where True. dropout: probability of dropout of the weights.
    """
    if not better_fused(query.shape, key.shape) or not query.dtype == key.dtype == value.dtype:
        return None
    if dropout:
        return records["attention_of_heads_with_dropout"](query, key, value, tuple(masks), scale, dropout)
    return records["attention_of_heads"](query, key, value, tuple(masks), scale)


_NAME = "multi_head_attention_forward"


def _check(query, key, value, width, heads, separate, packed, apart, bias_k, bias_v, static_k, static_v):
    if query.ndim not in (2, 3) or key.ndim != query.ndim or value.ndim != query.ndim:
        raise ValueError(
            f"For '{_NAME}', 'query', 'key' and 'value' must all be 3D (batched) or all 2D, but got {query.ndim}D, {key.ndim}D, {value.ndim}D."
        )
    if query.shape[-1] != width or width % heads:
        raise ValueError(
            f"For '{_NAME}', the last axis of 'query' must be 'embed_dim_to_check', a multiple of 'num_heads', but got {query.shape[-1]}, "
            f"{width} and {heads}."
        )
    lead = -1 if separate else None
    if key.shape[:lead] != value.shape[:lead]:
        raise ValueError(
            f"For '{_NAME}', the shapes of 'key' and 'value' must fit, but got {key.shape} and {value.shape}."
        )
    missing = [n for n, w in apart.items() if w is None] if separate else ["in_proj_weight"] if packed is None else []
    if missing:
        raise ValueError(
            f"For '{_NAME}' with use_separate_proj_weight={separate}, {', '.join(missing)} must be given, but got None."
        )
    if (bias_k is None) != (bias_v is None):
        raise ValueError(f"For '{_NAME}', 'bias_k' and 'bias_v' must both be given or both be None.")
    if bias_k is not None and (static_k is not None or static_v is not None):
        raise ValueError(f"For '{_NAME}', 'bias_k' and 'bias_v' cannot be added to 'static_k' and 'static_v'.")


def _added(what, mask, dtype, shape):
    """A mask as a term of the scores: -inf where it is True."""
    mask = mask.astype(mstype.bool_) if mask.dtype == mstype.uint8 else mask
    if mask.dtype != mstype.bool_ and mask.dtype not in mstype.float_type:
        raise ValueError(f"For '{_NAME}', the '{what}' must be of a bool or floating dtype, but got {mask.dtype}.")
    if mask.shape != shape:
        raise ValueError(f"For '{_NAME}', the shape of '{what}' must be {shape}, but got {mask.shape}.")
    if mask.dtype != mstype.bool_:
        return mask.astype(dtype)
    return records["zeros"](shape, dtype).masked_fill(mask, -math.inf)


@composite(ops=True)
def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Number,
    embed_dim_to_check: Any,
    num_heads: Any,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: Any,
    dropout_p: Any,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
    k_is_v: bool = False,
    q_is_k: bool = False,
    dtype: Dtype | None = None,
):
    """(result (L, B, E), weights (B, L, S)) of softmax(q k^T / sqrt(E / heads)) v, with projections before and after.

    Args:
        query, key, value: (L, B, E), (S, B, E), (S, B, E), or all without the batch.
        embed_dim_to_check, num_heads: E and the number of heads, which divides it.
        in_proj_weight, in_proj_bias: (3 E, E) and (3 E,) or None, for q, k and v;
        out_proj_weight, out_proj_bias: (E, E) and (E,) or None.
        bias_k, bias_v: (1, 1, E) more steps of keys and values, or None.
        add_zero_attn: whether a step of zeros is added.
        dropout_p, training: dropout of the weights.
        key_padding_mask: (B, S), True or -inf hides a key.
        attn_mask: (L, S) or (B * heads, L, S).
        is_causal: hide later keys too.
        use_separate_proj_weight: take q_proj_weight, k_proj_weight, v_proj_weight.
        static_k, static_v: (B * heads, S, E / heads) instead of projected keys and values.
        average_attn_weights: weights are means over the heads, else (B, heads, L, S).
        k_is_v, q_is_k, dtype: kept for MindSpore's signature; the result is the same.

    Raises:
        ValueError: shapes or dtypes do not fit, or weights are missing.

    Example:
        >>> x, w = ops.ones((5, 2, 4)), ops.ones((12, 4))
        >>> ops.multi_head_attention_forward(x, x, x, 4, 2, w, None, None, None, False, 0.0, w[:4], None)[0].shape
        (5, 2, 4)
    """
    apart = {"q_proj_weight": q_proj_weight, "k_proj_weight": k_proj_weight, "v_proj_weight": v_proj_weight}
    width, separate = embed_dim_to_check, use_separate_proj_weight
    _check(query, key, value, width, num_heads, separate, in_proj_weight, apart, bias_k, bias_v, static_k, static_v)
    batched, size = query.ndim == 3, width // num_heads
    if not batched:
        query, key, value = (x.expand_dims(1) for x in (query, key, value))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
    length, batch, _ = query.shape
    if separate:
        biases = (None,) * 3 if in_proj_bias is None else records["split"](in_proj_bias, width, 0)
        q, k, v = _in_projection(query, key, value, *apart.values(), *biases)
    else:
        q, k, v = _in_projection_packed(query, key, value, in_proj_weight, in_proj_bias, key is value, query is key)
    source = key.shape[0] if static_k is None else static_k.shape[1]
    if bias_k is not None:
        k, v = (
            records["cat"]((x, records["broadcast_to"](b, (1, batch, width))), 0) for x, b in ((k, bias_k), (v, bias_v))
        )

    def heads_of(x):
        return x.reshape(x.shape[0], batch, num_heads, size).transpose(1, 2, 0, 3)

    q = heads_of(q)
    k, v = (
        heads_of(x) if static is None else static.reshape(batch, num_heads, *static.shape[1:])
        for x, static in ((k, static_k), (v, static_v))
    )
    if add_zero_attn:
        zeros = records["zeros"]((batch, num_heads, 1, size), k.dtype)
        k, v = records["cat"]((k, zeros), 2), records["cat"]((v, zeros), 2)
    scores = (q * (1 / math.sqrt(size))).matmul(k.swapaxes(2, 3))
    masks = []
    if attn_mask is not None:
        whole = attn_mask.ndim == 2
        mask = _added(
            "attn_mask", attn_mask, q.dtype, (length, source) if whole else (batch * num_heads, length, source)
        )
        masks.append(mask if whole else mask.reshape(batch, num_heads, length, source))
    if key_padding_mask is not None:
        masks.append(
            _added("key_padding_mask", key_padding_mask, q.dtype, (batch, source)).reshape(batch, 1, 1, source)
        )
    if is_causal:
        later = records["triu"](records["ones"]((length, source), mstype.float32), 1).astype(mstype.bool_)
        masks.append(_added("is_causal", later, q.dtype, (length, source)))
    if masks:
        mask = sum(masks[1:], masks[0])
        more = k.shape[2] - source  # the added steps are never hidden
        scores = scores + (
            mask if not more else records["cat"]((mask, records["zeros"]((*mask.shape[:-1], more), mask.dtype)), -1)
        )
    chosen = records["softmax"](scores, -1)
    if dropout_p and training:
        chosen = records["dropout"](chosen, dropout_p, True, None)
    out = chosen.matmul(v).transpose(2, 0, 1, 3).reshape(length, batch, width)
    out = records["dense"](out, out_proj_weight, out_proj_bias)
    chosen = chosen.mean(1) if average_attn_weights else chosen
    return (out, chosen) if batched else (out.squeeze(1), chosen.squeeze(0))


def linear(x: Any, w: "jax.Array", b: "jax.Array"):
    """x (..., in) times w (out, in) transposed, plus b (out,) or None."""
    return records["dense"](x, w, b)


def _inner_dropout(x, p, training):
    return records["dropout"](x, p, True, None) if training and 0 < p <= 1 else x


def _inner_pad(x, padding, value=None):
    """`ops.pad` for bool Tensors too."""
    if x.dtype == mstype.bool_:
        return records["pad"](x.astype(mstype.int32), padding, "constant", value).astype(mstype.bool_)
    return records["pad"](x, padding, "constant", value)


def _in_projection(q, k, v, w_q, w_k, w_v, b_q=None, b_k=None, b_v=None):
    """The three projections by weights of their own; ValueError for a weight or bias of another shape."""
    features = q.shape[-1]
    for what, x, w, b in (("query", q, w_q, b_q), ("key", k, w_k, b_k), ("value", v, w_v, b_v)):
        if w.shape != (features, x.shape[-1]):
            raise ValueError(f"Expecting {what} weights shape of {(features, x.shape[-1])}, but got {w.shape}")
        if b is not None and b.shape != (features,):
            raise ValueError(f"Expecting {what} bias shape of {(features,)}, but got {b.shape}")
    return linear(q, w_q, b_q), linear(k, w_k, b_k), linear(v, w_v, b_v)


def _in_projection_packed(q, k, v, w, b, k_is_v, q_is_k):
    """The three projections by one weight (3 E, E); inputs that are one go through one product."""
    features = q.shape[-1]
    if k_is_v and q_is_k:
        return records["split"](linear(q, w, b), features, -1)
    if k_is_v:
        first, rest = (None, None) if b is None else (b[:features], b[features:])
        return linear(q, w[:features], first), *records["split"](linear(k, w[features:], rest), features, -1)
    biases = (None,) * 3 if b is None else records["split"](b, features, 0)
    return tuple(
        linear(x, weight, bias) for x, weight, bias in zip((q, k, v), records["split"](w, features, 0), biases)
    )


def _check_qkv_shape(query_ndim, key_ndim, value_ndim):
    """Whether the inputs are batched; ValueError unless all have 3 axes, or all 2."""
    if query_ndim not in (2, 3):
        raise ValueError(
            f"The `query` should be unbatched 2D or batched 3D tensor, but got `query` with {query_ndim}D."
        )
    if (key_ndim, value_ndim) != (query_ndim, query_ndim):
        raise ValueError(
            f"For {'batched' if query_ndim == 3 else 'unbatched'} `query`, the `key` and `value` must be {query_ndim}D tensor, "
            f"but got `key` with {key_ndim}D and `value` with {value_ndim}D."
        )
    return query_ndim == 3


def _check_kpm_shape(query_ndim, kmp_ndim):
    """ValueError unless a key_padding_mask has one axis less than the query."""
    if kmp_ndim != query_ndim - 1:
        raise ValueError(
            f"For {'batched' if query_ndim == 3 else 'unbatched'} `query`, the `key_padding_mask` must be `None` or "
            f"{query_ndim - 1}D, but got `key_padding_mask` with {kmp_ndim}D."
        )


def _check_attn_mask_shape(query_ndim, query_shape, key_shape, attn_mask_ndim, attn_mask_shape, num_heads):
    """ValueError unless an attn_mask has 2 axes or 3, and beside an unbatched query of three the shape (heads, L, S)."""
    if attn_mask_ndim not in (2, 3):
        raise ValueError(f"The `attn_mask` must be `None`, 2-D or 3-D, but got `attn_mask` with {attn_mask_ndim}D.")
    wanted = (num_heads, query_shape[0], key_shape[0])
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != wanted:
        raise ValueError(f"The shape of `attn_mask` must be {wanted}, but got {tuple(attn_mask_shape)}.")

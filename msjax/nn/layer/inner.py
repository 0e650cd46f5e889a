"""Functions of MindSpore's inner module `ops.function.nn_func` that projects import for attention layers of their own."""
from ... import ops
from ...core import dtype as mstype
from .transformer import multi_head_attention_forward


def linear(x, w, b):
    """x (..., in) times w (out, in) transposed, plus b (out,) or None."""
    return ops.dense(x, w, b)


def _inner_dropout(x, p, training):
    return ops.dropout(x, p) if training and 0 < p <= 1 else x


def _inner_pad(x, padding, value=None):
    """`ops.pad` for bool Tensors too."""
    if x.dtype == mstype.bool_:
        return ops.pad(x.astype(mstype.int32), padding, value=value).astype(mstype.bool_)
    return ops.pad(x, padding, value=value)


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
        return ops.split(linear(q, w, b), features, -1)
    if k_is_v:
        first, rest = (None, None) if b is None else (b[:features], b[features:])
        return linear(q, w[:features], first), *ops.split(linear(k, w[features:], rest), features, -1)
    biases = (None,) * 3 if b is None else ops.split(b, features)
    return tuple(linear(x, weight, bias) for x, weight, bias in zip((q, k, v), ops.split(w, features), biases))


def _check_qkv_shape(query_ndim, key_ndim, value_ndim):
    """Whether the inputs are batched; ValueError unless all have 3 axes, or all 2."""
    if query_ndim not in (2, 3):
        raise ValueError(f"The `query` should be unbatched 2D or batched 3D tensor, but got `query` with {query_ndim}D.")
    if (key_ndim, value_ndim) != (query_ndim, query_ndim):
        raise ValueError(f"For {'batched' if query_ndim == 3 else 'unbatched'} `query`, the `key` and `value` must be {query_ndim}D tensor, "
                         f"but got `key` with {key_ndim}D and `value` with {value_ndim}D.")
    return query_ndim == 3


def _check_kpm_shape(query_ndim, kmp_ndim):
    """ValueError unless a key_padding_mask has one axis less than the query."""
    if kmp_ndim != query_ndim - 1:
        raise ValueError(f"For {'batched' if query_ndim == 3 else 'unbatched'} `query`, the `key_padding_mask` must be `None` or "
                         f"{query_ndim - 1}D, but got `key_padding_mask` with {kmp_ndim}D.")


def _check_attn_mask_shape(query_ndim, query_shape, key_shape, attn_mask_ndim, attn_mask_shape, num_heads):
    """ValueError unless an attn_mask has 2 axes or 3, and beside an unbatched query of three the shape (heads, L, S)."""
    if attn_mask_ndim not in (2, 3):
        raise ValueError(f"The `attn_mask` must be `None`, 2-D or 3-D, but got `attn_mask` with {attn_mask_ndim}D.")
    wanted = (num_heads, query_shape[0], key_shape[0])
    if query_ndim == 2 and attn_mask_ndim == 3 and tuple(attn_mask_shape) != wanted:
        raise ValueError(f"The shape of `attn_mask` must be {wanted}, but got {tuple(attn_mask_shape)}.")


__all__ = ["_check_attn_mask_shape", "_check_kpm_shape", "_check_qkv_shape", "_in_projection", "_in_projection_packed", "_inner_dropout",
           "_inner_pad", "linear", "multi_head_attention_forward"]

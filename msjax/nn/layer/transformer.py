"""Multi-head attention and the Transformer (Vaswani et al., 2017)."""

import copy
import functools
import math
from collections.abc import Callable

from ... import ops
from ...core.spec.rules import Like
from ...core.values import dtype as mstype
from ...core.values.initializer import HeUniform, Uniform, XavierNormal, XavierUniform, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...ops.attention.multi_head import attend_fused
from ..arguments import DType
from ..cell.cell import Cell
from ..container import CellList
from .activation import GELU, ReLU
from .basic import Dense, Dropout
from .normalization import LayerNorm


def _check_mask_dtype(what, mask, error=ValueError):
    if mask.dtype != mstype.bool_ and mask.dtype not in mstype.float_type:
        raise error(f"The `{what}` only supports bool and floating dtypes, but got {mask.dtype}.")


def _added(mask, dtype):
    """A mask as a term of the scores: True becomes -inf."""
    if mask.dtype != mstype.bool_:
        return mask.astype(dtype)
    return ops.where(mask, Tensor(-math.inf, dtype), Tensor(0.0, dtype))


class MultiheadAttention(Cell):
    """softmax(q k^T / sqrt(head_dim)) v in `num_heads` parts, with projections before and after.

    Args:
        embed_dim: features of query and result; num_heads divides it.
        num_heads: number of heads.
        dropout: probability of dropout on the attention weights.
        has_bias: whether the projections have biases.
        add_bias_kv: add a trained step to keys and values.
        add_zero_attn: add a step of zeros to keys and values.
        kdim, vdim: features of key and value; embed_dim by default.
        batch_first: inputs are (B, L, E) instead of (L, B, E).
        dtype: dtype of the Parameters.

    Inputs: query, key, value; key_padding_mask (B, S): True or -inf leaves a step out; need_weights; attn_mask (L, S)
    or (B * num_heads, L, S); average_attn_weights. Outputs: (result, weights), or (result,) without need_weights.

    Raises:
        ValueError: `num_heads` does not divide `embed_dim`, or inputs of shapes or dtypes that do not fit.

    Example:
        >>> x = Tensor(np.ones((5, 2, 4), np.float32))
        >>> nn.MultiheadAttention(4, 2)(x, x, x)[0].shape
        (5, 2, 4)
    """

    def __init__(
        self,
        embed_dim: Like[int],
        num_heads: Like[int],
        dropout: Like[float] = 0.0,
        has_bias: bool = True,
        add_bias_kv: Like[bool] = False,
        add_zero_attn: Like[bool] = False,
        kdim: Like[int | None] = None,
        vdim: Like[int | None] = None,
        batch_first: Like[bool] = False,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.batch_first, self.add_zero_attn = batch_first, add_zero_attn
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise ValueError(
                f"For '{self.cls_name}', the 'embed_dim' must be divisible by 'num_heads', but got "
                f"{embed_dim} and {num_heads}."
            )
        self.dtype = dtype = mstype.float32 if dtype is None else dtype
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim

        def weight(name, columns, rows=embed_dim):
            return Parameter(initializer(XavierUniform(), (rows, columns), dtype), name)

        self.in_proj_weight = self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        self.in_proj_bias = self.bias_k = self.bias_v = None
        if self._qkv_same_embed_dim:
            self.in_proj_weight = weight("in_proj_weight", embed_dim, 3 * embed_dim)
        else:
            self.q_proj_weight, self.k_proj_weight = (
                weight("q_proj_weight", embed_dim),
                weight("k_proj_weight", self.kdim),
            )
            self.v_proj_weight = weight("v_proj_weight", self.vdim)
        if has_bias:
            self.in_proj_bias = Parameter(initializer("zeros", 3 * embed_dim, dtype), "in_proj_bias")
        self.out_proj = Dense(
            embed_dim, embed_dim, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(embed_dim)), has_bias, dtype=dtype
        )
        if add_bias_kv:
            self.bias_k = Parameter(initializer(XavierNormal(), (1, 1, embed_dim), dtype), "bias_k")
            self.bias_v = Parameter(initializer(XavierNormal(), (1, 1, embed_dim), dtype), "bias_v")

    def construct(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
    ):
        batched = query.ndim == 3
        if query.ndim not in (2, 3) or key.ndim != query.ndim or value.ndim != query.ndim:
            raise ValueError(
                "The `query`, `key` and `value` must all be 3D tensors (batched) or all 2D tensors, "
                f"but got {query.ndim}D, {key.ndim}D and {value.ndim}D."
            )
        one, same = query is key, key is value  # before the axes are moved
        if not batched:
            query, key, value = query.expand_dims(1), key.expand_dims(1), value.expand_dims(1)
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
        first = 0 if self.batch_first and batched else 1  # the batch axis
        self._check(query, key, value, first)
        q, k, v = self._projections(query, key, value, one and same, same)
        q, k, v = (self._heads(t, first) for t in (q, k, v))  # (B, heads, L, head_dim)
        k, v = _extra_steps(self, k, v)
        masks = self._masks(query, key.shape[1 - first], k.shape[2], first, attn_mask, key_padding_mask)
        rate = self.dropout if self.training else 0.0
        out = None if need_weights else attend_fused(q, k, v, masks, 1 / math.sqrt(self.head_dim), rate)
        if out is None:
            scores = ops.matmul(q * (1 / math.sqrt(self.head_dim)), k.swapaxes(2, 3))
            if masks:
                scores = scores + functools.reduce(lambda a, b: a + b, [_added(m, query.dtype) for m in masks])
            weights = ops.softmax(scores, -1)
            if rate:
                weights = ops.dropout(weights, rate)
            out = ops.matmul(weights, v)
        out = out.transpose(0, 2, 1, 3) if first == 0 else out.transpose(2, 0, 1, 3)
        # the weights of out_proj, not the Cell: as in MindSpore, its hooks and its precision are not asked
        out = ops.matmul(out.reshape(*out.shape[:2], self.embed_dim), self.out_proj.weight.T)
        out = out if self.out_proj.bias is None else out + self.out_proj.bias  # float32 at the amp level "auto"
        out = out if batched else out.squeeze(1)
        if not need_weights:
            return (out,)
        weights = weights.mean(1) if average_attn_weights else weights
        return out, weights if batched else weights.squeeze(0)

    def _check(self, query, key, value, first):
        if query.shape[-1] != self.embed_dim:
            raise ValueError(f"The `embed_dim` should be {self.embed_dim}, but got {query.shape[-1]}.")
        if query.shape[first] != key.shape[first]:
            raise ValueError(f"The batch of `query` {query.shape} does not match that of `key` {key.shape}.")
        if key.shape[:2] != value.shape[:2] or (self._qkv_same_embed_dim and key.shape != value.shape):
            raise ValueError(f"The shape of `key` {key.shape} does not match `value` {value.shape}.")

    def _projections(self, query, key, value, all_one, same):
        """q, k and v; equal inputs go through one matrix product."""
        e, bias = self.embed_dim, self.in_proj_bias
        if all_one and self._qkv_same_embed_dim:
            return ops.split(ops.dense(query, self.in_proj_weight, bias), e, -1)
        if same and self._qkv_same_embed_dim:
            weight = self.in_proj_weight
            q = ops.dense(query, weight[:e], None if bias is None else bias[:e])
            return q, *ops.split(ops.dense(key, weight[e:], None if bias is None else bias[e:]), e, -1)
        weights = (
            ops.split(self.in_proj_weight, e)
            if self._qkv_same_embed_dim
            else (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        )
        biases = (None,) * 3 if bias is None else ops.split(bias, e)
        q, k, v = (ops.dense(x, w, b) for x, w, b in zip((query, key, value), weights, biases))
        return q, k, v

    def _heads(self, x, first):
        x = x.reshape(*x.shape[:2], self.num_heads, self.head_dim)
        return x.transpose(0, 2, 1, 3) if first == 0 else x.transpose(1, 2, 0, 3)

    def _masks(self, query, source, total, first, attn_mask, key_padding_mask):
        """The masks as terms of the scores (B, heads, L, S): Tensors of floats, or bools that are -inf where True."""
        batch, length = query.shape[first], query.shape[1 - first]
        parts = []
        if attn_mask is not None:
            attn_mask = attn_mask.astype(mstype.bool_) if attn_mask.dtype == mstype.uint8 else attn_mask
            _check_mask_dtype("attn_mask", attn_mask)
            wanted = (length, source) if attn_mask.ndim == 2 else (batch * self.num_heads, length, source)
            if attn_mask.shape != wanted:
                raise ValueError(f"The shape of the `attn_mask` should be {wanted}, but got {attn_mask.shape}.")
            parts.append(attn_mask if attn_mask.ndim == 2 else attn_mask.reshape(batch, self.num_heads, length, source))
        if key_padding_mask is not None:
            _check_mask_dtype("key_padding_mask", key_padding_mask)
            if key_padding_mask.shape != (batch, source):
                raise ValueError(
                    f"The shape of `key_padding_mask` should be {(batch, source)}, but got {key_padding_mask.shape}."
                )
            parts.append(key_padding_mask.reshape(batch, 1, 1, source))
        if total == source:
            return parts
        return [ops.pad(_added(part, query.dtype), (0, total - source)) for part in parts]


def _extra_steps(attention, k, v):
    """k and v (B, heads, S, head_dim) with the trained step and the step of zeros that the layer asks for."""
    batch = k.shape[0]
    if attention.bias_k is not None:
        shape = (1, attention.num_heads, 1, attention.head_dim)
        k, v = (
            ops.cat([t, ops.broadcast_to(b.reshape(shape), (batch, *shape[1:]))], 2)
            for t, b in ((k, attention.bias_k), (v, attention.bias_v))
        )
    if attention.add_zero_attn:
        zeros = ops.zeros((batch, attention.num_heads, 1, attention.head_dim), k.dtype)
        k, v = ops.cat([k, zeros], 2), ops.cat([v, zeros], 2)
    return k, v


def _activation(activation):
    """The function of an `activation` argument."""
    if isinstance(activation, str):
        if activation not in ("relu", "gelu"):
            raise ValueError(f"The activation must be relu/gelu, but get {activation}")
        return getattr(ops, activation)
    if isinstance(activation, Cell):
        if not isinstance(activation, (ReLU, GELU)):
            raise ValueError(f"The argument 'activation' must be nn.ReLU or nn.GELU instance, but get {activation}.")
    elif not callable(activation):
        raise ValueError(f"The argument 'activation' must be str, callable or Cell instance, but get {activation}.")
    elif activation not in (ops.relu, ops.gelu):
        raise ValueError(f"The argument 'activation' must be ops.relu or ops.gelu instance, but get {activation}.")
    return activation


class _Layer(Cell):
    """Base of encoder and decoder layers: the feed-forward block, and the residual sum before or after normalization."""

    def _feed_forward(self, d_model, dim_feedforward, dropout, dtype):
        self.dense1 = Dense(
            d_model, dim_feedforward, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(d_model)), dtype=dtype
        )
        self.dropout = Dropout(p=dropout)
        self.dense2 = Dense(
            dim_feedforward, d_model, HeUniform(math.sqrt(5)), Uniform(1 / math.sqrt(dim_feedforward)), dtype=dtype
        )

    def _norms(self, count, d_model, eps, dropout, dtype):
        for i in range(1, count + 1):
            setattr(self, f"norm{i}", LayerNorm((d_model,), epsilon=eps, dtype=dtype))
        for i in range(1, count + 1):
            setattr(self, f"dropout{i}", Dropout(p=dropout))

    def _record(
        self, d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype
    ):
        self.activation1 = activation
        self.activation = _activation(activation)
        self.d_model, self.nhead, self.dim_feedforward, self.dropout_num = d_model, nhead, dim_feedforward, dropout
        self.layernorm_eps, self.dtype = layer_norm_eps, dtype
        self.batch_first, self.norm_first = batch_first, norm_first

    def _arguments(self):
        """Arguments that make another layer like this one."""
        return (
            self.d_model,
            self.nhead,
            self.dim_feedforward,
            self.dropout_num,
            self.activation1,
            self.layernorm_eps,
            self.batch_first,
            self.norm_first,
            self.dtype,
        )

    def _add(self, norm, x, block):
        return x + block(norm(x)) if self.norm_first else norm(x + block(x))

    def _ff_block(self, x):
        return self.dense2(self.dropout(self.activation(self.dense1(x))))


class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward block, each with a residual connection and layer normalization.

    Args:
        d_model: features of input and result.
        nhead: number of attention heads.
        dim_feedforward: features inside the feed-forward block.
        dropout: probability of dropout.
        activation: "relu", "gelu", ops.relu, ops.gelu, nn.ReLU() or nn.GELU().
        layer_norm_eps: epsilon of the normalizations.
        batch_first: inputs are (B, L, E) instead of (L, B, E).
        norm_first: normalize before the blocks instead of after the additions.
        dtype: dtype of the Parameters.

    Raises:
        ValueError: another activation. AssertionError: a padding mask that is neither bool nor float.

    Example:
        >>> nn.TransformerEncoderLayer(4, 2)(Tensor(np.ones((5, 2, 4), np.float32))).shape
        (5, 2, 4)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self._feed_forward(d_model, dim_feedforward, dropout, dtype)
        self._norms(2, d_model, layer_norm_eps, dropout, dtype)
        self._record(
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype
        )

    def construct(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None
    ) -> Tensor:
        if src_key_padding_mask is not None:
            _check_mask_dtype("src_key_padding_mask", src_key_padding_mask, AssertionError)
        x = self._add(self.norm1, src, lambda x: self._sa_block(x, src_mask, src_key_padding_mask))
        return self._add(self.norm2, x, lambda x: self.dropout2(self._ff_block(x)))

    def _sa_block(self, x, attn_mask, key_padding_mask):
        return self.dropout1(
            self.self_attn(x, x, x, attn_mask=attn_mask, key_padding_mask=key_padding_mask, need_weights=False)[0]
        )


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's result, and a feed-forward block; arguments as for
    TransformerEncoderLayer.

    Raises:
        ValueError: another activation.

    Example:
        >>> x = Tensor(np.ones((5, 2, 4), np.float32))
        >>> nn.TransformerDecoderLayer(4, 2)(x, x).shape
        (5, 2, 4)
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout=dropout, batch_first=batch_first, dtype=dtype)
        self._feed_forward(d_model, dim_feedforward, dropout, dtype)
        self._norms(3, d_model, layer_norm_eps, dropout, dtype)
        self._record(
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype
        )

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        x = self._add(
            self.norm1,
            tgt,
            lambda x: self.dropout1(
                self.self_attn(x, x, x, attn_mask=tgt_mask, key_padding_mask=tgt_key_padding_mask, need_weights=False)[
                    0
                ]
            ),
        )
        x = self._add(
            self.norm2,
            x,
            lambda x: self.dropout2(
                self.multihead_attn(
                    x,
                    memory,
                    memory,
                    attn_mask=memory_mask,
                    key_padding_mask=memory_key_padding_mask,
                    need_weights=False,
                )[0]
            ),
        )
        return self._add(self.norm3, x, lambda x: self.dropout3(self._ff_block(x)))


def _copies(layer, count):
    """`count` new layers that start from equal Parameters."""
    made = type(layer)(*layer._arguments())
    return CellList([copy.deepcopy(made) for _ in range(count)])


class TransformerEncoder(Cell):
    """`num_layers` layers like `encoder_layer` in sequence, and a final normalization if `norm` is given.

    Example:
        >>> nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 2)(Tensor(np.ones((5, 2, 4), np.float32))).shape
        (5, 2, 4)
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__()
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None
    ) -> Tensor:
        if src_key_padding_mask is not None:
            _check_mask_dtype("src_key_padding_mask", src_key_padding_mask, AssertionError)
        for layer in self.layers:
            src = layer(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return src if self.norm is None else self.norm(src)


class TransformerDecoder(Cell):
    """`num_layers` layers like `decoder_layer` in sequence, and a final normalization if `norm` is given.

    Example:
        >>> x = Tensor(np.ones((5, 2, 4), np.float32))
        >>> nn.TransformerDecoder(nn.TransformerDecoderLayer(4, 2), 2)(x, x).shape
        (5, 2, 4)
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ):
        for layer in self.layers:
            tgt = layer(
                tgt,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return tgt if self.norm is None else self.norm(tgt)


class Transformer(Cell):
    """Encoder and decoder; matrices are initialized with xavier_uniform.

    Args: as for TransformerEncoderLayer; num_encoder_layers, num_decoder_layers: how many layers; custom_encoder,
    custom_decoder: Cells in their place.

    Raises:
        ValueError: src and tgt of other batch sizes, or with other features than d_model.

    Example:
        >>> x = Tensor(np.ones((5, 2, 4), np.float32))
        >>> nn.Transformer(4, 2, 1, 1, 8)(x, x).shape
        (5, 2, 4)
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Cell | Callable = "relu",
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        options = d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype

        def norm():
            return LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)

        self.encoder = (
            custom_encoder
            if custom_encoder is not None
            else TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers, norm())
        )
        self.decoder = (
            custom_decoder
            if custom_decoder is not None
            else TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers, norm())
        )
        for param in self.get_parameters():
            if param.ndim > 1:
                param.set_data(initializer("xavier_uniform", param.shape, param.dtype))
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def construct(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
    ) -> Tensor:
        batch = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch] != tgt.shape[batch]:
            raise ValueError(
                f"The number of batch size for 'src' and 'tgt' must be equal, but got {src.shape[batch]} "
                f"and {tgt.shape[batch]}."
            )
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ValueError(
                f"The number of features for 'src' and 'tgt' must be equal to `d_model` {self.d_model}, "
                f"but got {src.shape[-1]} and {tgt.shape[-1]}."
            )
        memory = self.encoder(src, src_mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )


__all__ = [
    "MultiheadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]

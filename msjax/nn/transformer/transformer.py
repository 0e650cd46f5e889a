"""Encoders and decoders of MindSpore 1.x: `mindspore.nn.transformer`.

They are not the layers of the same names in `mindspore.nn`, which MindSpore 2.0 added: sizes are fixed when a layer is
made, matrix products run in float16, and keys and values are returned for incremental prediction.
"""

import numpy as np

from ... import ops
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..container import CellList
from .attention import AttentionMask, FeedForward, MultiHeadAttention, VocabEmbedding
from .configs import (
    EmbeddingOpParallelConfig,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    default_embedding_parallel_config,
    default_transformer_config,
    default_transformer_recompute_config,
)
from .layers import _LayerNorm, check_divides, check_mask, check_past, check_rows, checked_arguments
from .moe import MoE, _check_moe_config, default_moe_config
from .op_parallel_config import MoEParallelConfig, OpParallelConfig, _check_config, default_dpmp_config

__all__ = [
    "AttentionMask",
    "EmbeddingOpParallelConfig",
    "FeedForward",
    "MultiHeadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "VocabEmbedding",
    "default_embedding_parallel_config",
    "default_transformer_config",
    "default_transformer_recompute_config",
]

FLOAT16 = mstype.float16  # of what goes into attention and feed-forward blocks


class _Layer(Cell):
    """What encoder and decoder layers share."""

    def _check_sizes(self, num_heads, hidden_size, ffn_hidden_size, moe_config, parallel_config):
        _check_config(parallel_config)
        check_divides(
            self.cls_name,
            parallel_config.model_parallel,
            "'parallel_config.model_parallel'",
            num_heads=num_heads,
            hidden_size=hidden_size,
            ffn_hidden_size=ffn_hidden_size,
        )
        _check_moe_config(moe_config, parallel_config)
        self.use_moe = moe_config.expert_num > 1
        self.parallel_config = parallel_config

    def _norm(self, dtype):
        norm = _LayerNorm((self.hidden_size,)).to_float(dtype)
        return (
            norm.shard(((self.parallel_config.data_parallel, 1),)) if self.parallel_config.data_parallel > 1 else norm
        )

    def _attention(self, source, target, **options):
        config = self.parallel_config.dpmp if self.use_moe else self.parallel_config
        return MultiHeadAttention(
            batch_size=self.batch_size,
            src_seq_length=source,
            tgt_seq_length=target,
            hidden_size=self.hidden_size,
            use_past=self.use_past,
            parallel_config=config,
            **options,
        )

    def _feed_forward(self, moe_config, **options):
        if self.use_moe:
            options["moe_config"] = moe_config
        return (MoE if self.use_moe else FeedForward)(
            hidden_size=self.hidden_size, parallel_config=self.parallel_config, **options
        )

    def _keep_past(self, num_heads, length):
        """Parameters that keep keys and values between the steps of incremental prediction."""
        self.key_past = self.value_past = None
        if self.use_past:
            size = self.hidden_size // num_heads
            self.key_shape, self.value_shape = (
                (self.batch_size, num_heads, size, length),
                (self.batch_size, num_heads, length, size),
            )
            self.key_past = Parameter(Tensor(np.zeros(self.key_shape), FLOAT16), name="key_past")
            self.value_past = Parameter(Tensor(np.zeros(self.value_shape), FLOAT16), name="value_past")

    def _attend(self, x, mask, init_reset, batch_valid_length):
        """x plus self-attention of its normalization, and the keys and values; those that are kept are moved on."""
        normed = self.layernorm1(x).astype(FLOAT16)
        if self.use_past:
            for kept in (self.key_past, self.value_past):
                ops.assign(kept, kept * init_reset.astype(FLOAT16))
        out, present = self.attention(normed, normed, normed, mask, self.key_past, self.value_past, batch_valid_length)
        if self.use_past:
            for kept, new in zip((self.key_past, self.value_past), present):
                ops.assign(kept, new.astype(FLOAT16))
        return (normed if self.post_layernorm_residual else x) + out, present

    def _output(self, x, present, shape):
        """What a layer returns: x plus the feed-forward block of its normalization, of this shape."""
        normed, aux_loss = self.layernorm2(x).astype(FLOAT16), ()
        out = self.output(normed)
        if self.use_moe:
            out, aux_loss = out[0], out[1:]
        return ((normed if self.post_layernorm_residual else x) + out).reshape(shape), present, *aux_loss

    def _length(self, full):
        """Steps that the inputs must have: one in the later steps of incremental prediction."""
        return 1 if self.use_past and not self.is_first_iteration else full


class TransformerEncoderLayer(_Layer):
    """Self-attention and a feed-forward block, each added to its input.

    Args:
        batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length: sizes.
        attention_dropout_rate, hidden_dropout_rate: dropout of attention weights and of results, in [0, 1).
        post_layernorm_residual: add results to the normalized input instead of the input.
        layernorm_compute_type, softmax_compute_type, param_init_type: float32 or float16.
        hidden_act: see FeedForward. use_past: see MultiHeadAttention; the layer keeps keys and values itself, as
        Parameters `key_past` and `value_past`.
        moe_config: a MoEConfig. parallel_config: an OpParallelConfig, with experts a MoEParallelConfig.

    Inputs: x (batch_size, seq_length, hidden_size) or (batch_size * seq_length, hidden_size); input_mask (batch_size,
    seq_length, seq_length); with use_past also init_reset (1,), bool: False forgets what was kept;
    batch_valid_length (batch_size,), int32. In later steps of incremental prediction x has one step, and input_mask
    is (batch_size, 1, seq_length).

    Outputs: (result of the shape of x, (keys, values) as MultiHeadAttention gives them), and with experts the balance
    loss.

    Raises:
        TypeError, ValueError: arguments or inputs of the wrong kind or shape.

    Example:
        >>> from mindspore.nn.transformer import TransformerEncoderLayer
        >>> layer = TransformerEncoderLayer(batch_size=2, hidden_size=8, ffn_hidden_size=64, num_heads=2, seq_length=16)
        >>> x, mask = Tensor(np.ones((2, 16, 8), np.float32)), Tensor(np.ones((2, 16, 16), np.float16))
        >>> layer(x, mask)[0].shape
        (2, 16, 8)
    """

    is_first_iteration = True

    @checked_arguments("TransformerEncoderLayer", OpParallelConfig, MoEParallelConfig)
    def __init__(
        self,
        batch_size,
        hidden_size,
        ffn_hidden_size,
        num_heads,
        seq_length,
        attention_dropout_rate=0.1,
        hidden_dropout_rate=0.1,
        post_layernorm_residual=False,
        layernorm_compute_type=mstype.float32,
        softmax_compute_type=mstype.float32,
        param_init_type=mstype.float32,
        hidden_act="gelu",
        use_past=False,
        moe_config=default_moe_config,
        parallel_config=default_dpmp_config,
    ):
        super().__init__()
        self._check_sizes(num_heads, hidden_size, ffn_hidden_size, moe_config, parallel_config)
        self.batch_size, self.seq_length, self.hidden_size, self.use_past = (
            batch_size,
            seq_length,
            hidden_size,
            use_past,
        )
        self.layernorm1, self.layernorm2 = self._norm(layernorm_compute_type), self._norm(layernorm_compute_type)
        self.attention = self._attention(
            seq_length,
            seq_length,
            num_heads=num_heads,
            hidden_dropout_rate=hidden_dropout_rate,
            attention_dropout_rate=attention_dropout_rate,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
        )
        self.output = self._feed_forward(
            moe_config,
            dropout_rate=hidden_dropout_rate,
            ffn_hidden_size=ffn_hidden_size,
            param_init_type=param_init_type,
            hidden_act=hidden_act,
        )
        self.post_layernorm_residual, self.dtype = post_layernorm_residual, FLOAT16
        self._keep_past(num_heads, seq_length)

    def construct(self, x, input_mask, init_reset=True, batch_valid_length=None):
        length = self._length(self.seq_length)
        check_rows(self, "x", x, self.batch_size, length)
        check_mask(self, "input_mask", input_mask, [self.batch_size, length, self.seq_length])
        check_past(self, init_reset, batch_valid_length)
        shape, x = x.shape, x.reshape(-1, self.hidden_size)
        x, present = self._attend(x, input_mask, init_reset, batch_valid_length)
        return self._output(x, present, shape)


class TransformerDecoderLayer(_Layer):
    """Self-attention, attention to the encoder's result, and a feed-forward block, each added to its input.

    Args:
        src_seq_length, tgt_seq_length: steps of the encoder's result and of the decoder's input. Others: as for
        TransformerEncoderLayer; use_past must be False.

    Inputs: hidden_stats (batch_size, tgt_seq_length, hidden_size) or with the first two axes as one; decoder_mask
    (batch_size, tgt_seq_length, tgt_seq_length); encoder_output (batch_size, src_seq_length, hidden_size), or None for
    a decoder alone; memory_mask (batch_size, tgt_seq_length, src_seq_length).

    Outputs: (result of the shape of hidden_stats, keys and values of the first attention, then of the second), and
    with experts the balance loss.

    Raises:
        TypeError, ValueError: arguments or inputs of the wrong kind or shape, or use_past.

    Example:
        >>> from mindspore.nn.transformer import TransformerDecoderLayer
        >>> layer = TransformerDecoderLayer(
        ...     hidden_size=8, ffn_hidden_size=16, num_heads=2, batch_size=2, src_seq_length=6, tgt_seq_length=4
        ... )
        >>> x, memory = Tensor(np.ones((2, 4, 8), np.float32)), Tensor(np.ones((2, 6, 8), np.float32))
        >>> layer(x, Tensor(np.ones((2, 4, 4), np.float16)), memory, Tensor(np.ones((2, 4, 6), np.float16)))[0].shape
        (2, 4, 8)
    """

    @checked_arguments("TransformerDecoderLayer", OpParallelConfig, MoEParallelConfig)
    def __init__(
        self,
        hidden_size,
        ffn_hidden_size,
        num_heads,
        batch_size,
        src_seq_length,
        tgt_seq_length,
        attention_dropout_rate=0.1,
        hidden_dropout_rate=0.1,
        post_layernorm_residual=False,
        use_past=False,
        layernorm_compute_type=mstype.float32,
        softmax_compute_type=mstype.float32,
        param_init_type=mstype.float32,
        hidden_act="gelu",
        moe_config=default_moe_config,
        parallel_config=default_dpmp_config,
    ):
        super().__init__()
        self._check_sizes(num_heads, hidden_size, ffn_hidden_size, moe_config, parallel_config)
        if use_past:
            raise ValueError(
                f"For '{self.cls_name}', use_past=True is not supported: only encoder layers keep keys and values."
            )
        self.batch_size, self.hidden_size, self.use_past = batch_size, hidden_size, use_past
        self.src_seq_length, self.tgt_seq_length = src_seq_length, tgt_seq_length
        self.softmax_compute_type = softmax_compute_type
        self.layernorm1, self.layernorm2 = self._norm(layernorm_compute_type), self._norm(layernorm_compute_type)
        options = dict(
            num_heads=num_heads,
            hidden_dropout_rate=hidden_dropout_rate,
            attention_dropout_rate=attention_dropout_rate,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
        )
        self.attention = self._attention(tgt_seq_length, tgt_seq_length, **options)
        self.cross_attention = self._attention(tgt_seq_length, src_seq_length, **options)
        self.cross_attention_layernorm = self._norm(layernorm_compute_type)
        self.output = self._feed_forward(
            moe_config,
            dropout_rate=hidden_dropout_rate,
            ffn_hidden_size=ffn_hidden_size,
            param_init_type=param_init_type,
            hidden_act=hidden_act,
        )
        self.post_layernorm_residual, self.dtype = post_layernorm_residual, FLOAT16
        self._keep_past(num_heads, tgt_seq_length)

    def construct(
        self,
        hidden_stats,
        decoder_mask,
        encoder_output=None,
        memory_mask=None,
        init_reset=True,
        batch_valid_length=None,
    ):
        batch, target = self.batch_size, self.tgt_seq_length
        check_rows(self, "hidden_stats", hidden_stats, batch, target)
        check_mask(self, "decoder_mask", decoder_mask, [batch, target, target])
        check_past(self, init_reset, batch_valid_length)
        shape, x = hidden_stats.shape, hidden_stats.reshape(-1, self.hidden_size)
        x, present = self._attend(x, decoder_mask, init_reset, batch_valid_length)
        if encoder_output is not None:
            check_rows(self, "encoder_output", encoder_output, batch, self.src_seq_length)
            if memory_mask is None:
                raise TypeError(
                    f"For '{self.cls_name}', the 'memory_mask' must be a Tensor of shape "
                    f"{(batch, target, self.src_seq_length)} where there is an 'encoder_output', but got "
                    "None."
                )
            check_mask(self, "memory_mask", memory_mask, [batch, target, self.src_seq_length])
            normed, memory = self.cross_attention_layernorm(x).astype(FLOAT16), encoder_output.astype(FLOAT16)
            out, crossed = self.cross_attention(normed, memory, memory, memory_mask)
            present = (*present, *crossed)
            x = (normed if self.post_layernorm_residual else x) + out
        return self._output(x, present, shape)


def _get_lambda_func(total_layer=None):
    """The default `lambda_func`, a function(network, layer_id, offset, parallel_config, layers) that records the stage
    and the fusion group of a layer, and has it computed again if the configuration says so.

    total_layer: number of layers of encoder and decoder together, in place of `layers`.
    """

    def set_parallel_configure_for_layer(network, layer_id, offset, parallel_config, layers):
        count, stages = total_layer or layers, parallel_config.pipeline_stage
        if count < stages:
            raise ValueError(f"The number of layers {count} must not be less than the pipeline_stage {stages}.")
        place = layer_id + offset
        network.pipeline_stage = min(place // max(count // stages, 1), stages - 1)
        network.set_comm_fusion(place // max(count // parallel_config.gradient_aggregation_group, 1) + 1)
        recompute = parallel_config.recompute
        if isinstance(recompute, bool):
            recompute = TransformerRecomputeConfig(recompute)
        recompute.apply(network)

    return set_parallel_configure_for_layer


class _Stack(Cell):
    """Layers one on the other."""

    def _make(self, kind, num_layers, offset, lambda_func, moe_config, parallel_config, **options):
        _check_config(parallel_config)
        _check_moe_config(moe_config, parallel_config)
        self.use_moe, self.num_layers, self.parallel_config = moe_config.expert_num > 1, num_layers, parallel_config
        config = parallel_config.moe_parallel_config if self.use_moe else parallel_config.dp_mp_config
        self.blocks, configure = CellList(), lambda_func or _get_lambda_func()
        for i in range(num_layers):
            block = kind(moe_config=moe_config, parallel_config=config, **options)
            configure(block, layer_id=i, layers=num_layers, offset=offset, parallel_config=parallel_config)
            self.blocks.append(block)

    def _stacked(self, hidden_states, *inputs):
        """(result, keys and values of each layer), and with experts the sum of the balance losses."""
        presents, loss = (), Tensor(0.0, mstype.float32)
        for block in self.blocks:
            hidden_states, present, *aux_loss = block(hidden_states, *inputs)
            presents += (present,)
            for part in aux_loss:
                loss = loss + part
        return (hidden_states, presents, loss) if self.use_moe else (hidden_states, presents)


class TransformerEncoder(_Stack):
    """`num_layers` TransformerEncoderLayers, one on the other.

    Args:
        num_layers: how many. lambda_func: function(network, layer_id, offset, parallel_config, layers) that is called
        with each layer made, to set its stage and recomputation. offset: number of the first layer for it.
        parallel_config: a TransformerOpParallelConfig. Others: as for TransformerEncoderLayer.

    Inputs: as for TransformerEncoderLayer (hidden_states, attention_mask, init_reset, batch_valid_length).
    Outputs: (result, ((keys, values) of each layer)), and with experts the sum of the balance losses.

    Raises:
        TypeError, ValueError: arguments or inputs of the wrong kind or shape.

    Example:
        >>> from mindspore.nn.transformer import TransformerEncoder
        >>> net = TransformerEncoder(
        ...     batch_size=2, num_layers=2, hidden_size=8, ffn_hidden_size=64, seq_length=16, num_heads=2
        ... )
        >>> x, mask = Tensor(np.ones((2, 16, 8), np.float32)), Tensor(np.ones((2, 16, 16), np.float16))
        >>> len(net(x, mask)[1])
        2
    """

    @checked_arguments("TransformerEncoder", TransformerOpParallelConfig)
    def __init__(
        self,
        batch_size,
        num_layers,
        hidden_size,
        ffn_hidden_size,
        seq_length,
        num_heads,
        attention_dropout_rate=0.1,
        hidden_dropout_rate=0.1,
        hidden_act="gelu",
        post_layernorm_residual=False,
        layernorm_compute_type=mstype.float32,
        softmax_compute_type=mstype.float32,
        param_init_type=mstype.float32,
        lambda_func=None,
        offset=0,
        use_past=False,
        moe_config=default_moe_config,
        parallel_config=default_transformer_config,
    ):
        super().__init__()
        self._make(
            TransformerEncoderLayer,
            num_layers,
            offset,
            lambda_func,
            moe_config,
            parallel_config,
            batch_size=batch_size,
            hidden_size=hidden_size,
            ffn_hidden_size=ffn_hidden_size,
            seq_length=seq_length,
            num_heads=num_heads,
            attention_dropout_rate=attention_dropout_rate,
            hidden_dropout_rate=hidden_dropout_rate,
            hidden_act=hidden_act,
            post_layernorm_residual=post_layernorm_residual,
            layernorm_compute_type=layernorm_compute_type,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
            use_past=use_past,
        )

    def construct(self, hidden_states, attention_mask, init_reset=True, batch_valid_length=None):
        return self._stacked(hidden_states, attention_mask, init_reset, batch_valid_length)


class TransformerDecoder(_Stack):
    """`num_layers` TransformerDecoderLayers, one on the other.

    Args: as for TransformerEncoder, with the sizes of TransformerDecoderLayer.

    Inputs: as for TransformerDecoderLayer. Outputs: as for TransformerEncoder; of each layer four Tensors.

    Raises:
        TypeError, ValueError: arguments or inputs of the wrong kind or shape, or use_past.

    Example:
        >>> from mindspore.nn.transformer import TransformerDecoder
        >>> net = TransformerDecoder(
        ...     num_layers=1,
        ...     batch_size=2,
        ...     hidden_size=8,
        ...     ffn_hidden_size=16,
        ...     src_seq_length=6,
        ...     tgt_seq_length=4,
        ...     num_heads=2,
        ... )
        >>> x, memory = Tensor(np.ones((2, 4, 8), np.float32)), Tensor(np.ones((2, 6, 8), np.float32))
        >>> net(x, Tensor(np.ones((2, 4, 4), np.float16)), memory, Tensor(np.ones((2, 4, 6), np.float16)))[0].shape
        (2, 4, 8)
    """

    @checked_arguments("TransformerDecoder", TransformerOpParallelConfig)
    def __init__(
        self,
        num_layers,
        batch_size,
        hidden_size,
        ffn_hidden_size,
        src_seq_length,
        tgt_seq_length,
        num_heads,
        attention_dropout_rate=0.1,
        hidden_dropout_rate=0.1,
        post_layernorm_residual=False,
        layernorm_compute_type=mstype.float32,
        softmax_compute_type=mstype.float32,
        param_init_type=mstype.float32,
        hidden_act="gelu",
        lambda_func=None,
        use_past=False,
        offset=0,
        moe_config=default_moe_config,
        parallel_config=default_transformer_config,
    ):
        super().__init__()
        self._make(
            TransformerDecoderLayer,
            num_layers,
            offset,
            lambda_func,
            moe_config,
            parallel_config,
            hidden_size=hidden_size,
            ffn_hidden_size=ffn_hidden_size,
            num_heads=num_heads,
            batch_size=batch_size,
            src_seq_length=src_seq_length,
            tgt_seq_length=tgt_seq_length,
            attention_dropout_rate=attention_dropout_rate,
            hidden_dropout_rate=hidden_dropout_rate,
            post_layernorm_residual=post_layernorm_residual,
            use_past=use_past,
            layernorm_compute_type=layernorm_compute_type,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
            hidden_act=hidden_act,
        )

    def construct(
        self,
        hidden_states,
        attention_mask,
        encoder_output=None,
        memory_mask=None,
        init_reset=True,
        batch_valid_length=None,
    ):
        return self._stacked(hidden_states, attention_mask, encoder_output, memory_mask, init_reset, batch_valid_length)


class Transformer(Cell):
    """A TransformerEncoder, and a TransformerDecoder on its result.

    Args:
        encoder_layers, decoder_layers: numbers of layers; 0 decoder layers leave the encoder alone. use_past: only
        without a decoder. Others: as for TransformerEncoder and TransformerDecoder.

    Inputs: encoder_inputs (batch_size, src_seq_length, hidden_size), encoder_masks (batch_size, src_seq_length,
    src_seq_length), decoder_inputs, decoder_masks, memory_mask, init_reset, batch_valid_length: see the two.

    Outputs: (result, keys and values of each encoder layer, of each decoder layer or None), and with experts the sum
    of the balance losses.

    Raises:
        TypeError, ValueError: arguments or inputs of the wrong kind or shape.

    Example:
        >>> from mindspore.nn.transformer import Transformer
        >>> net = Transformer(hidden_size=8, batch_size=2, ffn_hidden_size=16, src_seq_length=6, tgt_seq_length=4)
        >>> x, memory = Tensor(np.ones((2, 4, 8), np.float32)), Tensor(np.ones((2, 6, 8), np.float32))
        >>> ones = [Tensor(np.ones(shape, np.float16)) for shape in ((2, 6, 6), (2, 4, 4), (2, 4, 6))]
        >>> net(memory, ones[0], x, ones[1], ones[2])[0].shape
        (2, 4, 8)
    """

    @checked_arguments("Transformer", TransformerOpParallelConfig)
    def __init__(
        self,
        hidden_size,
        batch_size,
        ffn_hidden_size,
        src_seq_length,
        tgt_seq_length,
        encoder_layers=3,
        decoder_layers=3,
        num_heads=2,
        attention_dropout_rate=0.1,
        hidden_dropout_rate=0.1,
        hidden_act="gelu",
        post_layernorm_residual=False,
        layernorm_compute_type=mstype.float32,
        softmax_compute_type=mstype.float32,
        param_init_type=mstype.float32,
        lambda_func=None,
        use_past=False,
        moe_config=default_moe_config,
        parallel_config=default_transformer_config,
    ):
        super().__init__()
        if decoder_layers and use_past:
            raise ValueError(
                f"For '{self.cls_name}', use_past=True is not supported together with decoder layers, but "
                f"got decoder_layers={decoder_layers}."
            )
        self.batch_size, self.hidden_size, self.use_past = batch_size, hidden_size, use_past
        self.src_seq_length, self.tgt_seq_length = src_seq_length, tgt_seq_length
        self.use_moe = moe_config.expert_num > 1
        options = dict(
            batch_size=batch_size,
            hidden_size=hidden_size,
            ffn_hidden_size=ffn_hidden_size,
            num_heads=num_heads,
            attention_dropout_rate=attention_dropout_rate,
            hidden_dropout_rate=hidden_dropout_rate,
            hidden_act=hidden_act,
            post_layernorm_residual=post_layernorm_residual,
            layernorm_compute_type=layernorm_compute_type,
            softmax_compute_type=softmax_compute_type,
            param_init_type=param_init_type,
            lambda_func=lambda_func or _get_lambda_func(encoder_layers + decoder_layers),
            use_past=use_past,
            moe_config=moe_config,
            parallel_config=parallel_config,
        )
        self.encoder = TransformerEncoder(num_layers=encoder_layers, seq_length=src_seq_length, **options)
        self.decoder = None
        if decoder_layers:
            self.decoder = TransformerDecoder(
                num_layers=decoder_layers,
                src_seq_length=src_seq_length,
                tgt_seq_length=tgt_seq_length,
                offset=encoder_layers,
                **options,
            )

    def construct(
        self,
        encoder_inputs,
        encoder_masks,
        decoder_inputs=None,
        decoder_masks=None,
        memory_mask=None,
        init_reset=True,
        batch_valid_length=None,
    ):
        output, encoder_present, *losses = self.encoder(encoder_inputs, encoder_masks, init_reset, batch_valid_length)
        decoder_present = None
        if self.decoder is not None:
            output, decoder_present, *more = self.decoder(
                decoder_inputs, decoder_masks, output, memory_mask, init_reset, batch_valid_length
            )
            losses += more
        if self.use_moe:
            return output, encoder_present, decoder_present, sum(losses)
        return output, encoder_present, decoder_present

"""Decoders of MindSpore 1.x."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core.spec.checking import checked
from ...core.spec.rules import Like, OnlyFalse
from ...core.values import dtype as mstype
from .configs import TransformerOpParallelConfig, default_transformer_config
from .layers import check_mask, check_past, check_rows, checked_arguments
from .moe import default_moe_config
from .op_parallel_config import MoEParallelConfig, OpParallelConfig, default_dpmp_config
from .stack import FLOAT16, LayerBase, LayerStack

if TYPE_CHECKING:
    from ...core.values.dtype import Type
    from ...core.values.tensor import Tensor


class TransformerDecoderLayer(LayerBase):
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
    @checked
    def __init__(
        self,
        hidden_size: Like[int],
        ffn_hidden_size: Like[int],
        num_heads: Like[int],
        batch_size: Like[int],
        src_seq_length: Like[int],
        tgt_seq_length: Like[int],
        attention_dropout_rate: Like[float] = 0.1,
        hidden_dropout_rate: Like[float] = 0.1,
        post_layernorm_residual: Like[bool] = False,
        use_past: OnlyFalse = False,
        layernorm_compute_type: "Type" = mstype.float32,
        softmax_compute_type: "Type" = mstype.float32,
        param_init_type: "Type" = mstype.float32,
        hidden_act: Like[str] = "gelu",
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
    ):
        super().__init__()
        self._check_sizes(num_heads, hidden_size, ffn_hidden_size, moe_config, parallel_config)
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
        hidden_stats: "Tensor",
        decoder_mask: "Tensor",
        encoder_output: "Tensor | None" = None,
        memory_mask: "Tensor | None" = None,
        init_reset: bool = True,
        batch_valid_length: "Tensor | None" = None,
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


class TransformerDecoder(LayerStack):
    """`num_layers` TransformerDecoderLayers in sequence.

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
        num_layers: int,
        batch_size: int,
        hidden_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: "Type" = mstype.float32,
        softmax_compute_type: "Type" = mstype.float32,
        param_init_type: "Type" = mstype.float32,
        hidden_act: str = "gelu",
        lambda_func: Callable | None = None,
        use_past: bool = False,
        offset: int = 0,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_transformer_config,
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
        hidden_states: "Tensor",
        attention_mask: "Tensor",
        encoder_output: "Tensor | None" = None,
        memory_mask: "Tensor | None" = None,
        init_reset: bool = True,
        batch_valid_length: "Tensor | None" = None,
    ):
        return self._stacked(hidden_states, attention_mask, encoder_output, memory_mask, init_reset, batch_valid_length)

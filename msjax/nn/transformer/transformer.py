"""The Transformer of MindSpore 1.x, and all that its module offers: `mindspore.nn.transformer`.

They are not the layers of the same names in `mindspore.nn`, which MindSpore 2.0 added: sizes are fixed when a layer is
made, matrix products run in float16, and keys and values are returned for incremental prediction.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core.values import dtype as mstype
from ..cell.cell import Cell
from .attention import AttentionMask, FeedForward, MultiHeadAttention, VocabEmbedding
from .configs import (
    EmbeddingOpParallelConfig,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    default_embedding_parallel_config,
    default_transformer_config,
    default_transformer_recompute_config,
)
from .decoder import TransformerDecoder, TransformerDecoderLayer
from .encoder import TransformerEncoder, TransformerEncoderLayer
from .layers import checked_arguments
from .moe import default_moe_config
from .stack import get_lambda_func as _get_lambda_func  # projects import it under this name

if TYPE_CHECKING:
    from ...core.values.dtype import Type
    from ...core.values.tensor import Tensor

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
        hidden_size: int,
        batch_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        encoder_layers: int = 3,
        decoder_layers: int = 3,
        num_heads: int = 2,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: str = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: "Type" = mstype.float32,
        softmax_compute_type: "Type" = mstype.float32,
        param_init_type: "Type" = mstype.float32,
        lambda_func: Callable | None = None,
        use_past: bool = False,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_transformer_config,
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
        encoder_inputs: "Tensor",
        encoder_masks: "Tensor",
        decoder_inputs: "Tensor | None" = None,
        decoder_masks: "Tensor | None" = None,
        memory_mask: "Tensor | None" = None,
        init_reset: bool = True,
        batch_valid_length: "Tensor | None" = None,
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

"""Encoders of MindSpore 1.x."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...core.values import dtype as mstype
from .configs import TransformerOpParallelConfig, default_transformer_config
from .layers import check_mask, check_past, check_rows, checked_arguments
from .moe import default_moe_config
from .op_parallel_config import MoEParallelConfig, OpParallelConfig, default_dpmp_config
from .stack import FLOAT16, LayerBase, LayerStack

if TYPE_CHECKING:
    from ...core.values.dtype import Type
    from ...core.values.tensor import Tensor


class TransformerEncoderLayer(LayerBase):
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
        batch_size: int,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: "Type" = mstype.float32,
        softmax_compute_type: "Type" = mstype.float32,
        param_init_type: "Type" = mstype.float32,
        hidden_act: str = "gelu",
        use_past: bool = False,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_dpmp_config,
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

    def construct(
        self, x: "Tensor", input_mask: "Tensor", init_reset: bool = True, batch_valid_length: "Tensor | None" = None
    ):
        length = self._length(self.seq_length)
        check_rows(self, "x", x, self.batch_size, length)
        check_mask(self, "input_mask", input_mask, [self.batch_size, length, self.seq_length])
        check_past(self, init_reset, batch_valid_length)
        shape, x = x.shape, x.reshape(-1, self.hidden_size)
        x, present = self._attend(x, input_mask, init_reset, batch_valid_length)
        return self._output(x, present, shape)


class TransformerEncoder(LayerStack):
    """`num_layers` TransformerEncoderLayers in sequence.

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
        batch_size: int,
        num_layers: int,
        hidden_size: int,
        ffn_hidden_size: int,
        seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: str = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: "Type" = mstype.float32,
        softmax_compute_type: "Type" = mstype.float32,
        param_init_type: "Type" = mstype.float32,
        lambda_func: Callable | None = None,
        offset: int = 0,
        use_past: bool = False,
        moe_config: Any = default_moe_config,
        parallel_config: Any = default_transformer_config,
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

    def construct(
        self,
        hidden_states: "Tensor",
        attention_mask: "Tensor",
        init_reset: bool = True,
        batch_valid_length: "Tensor | None" = None,
    ):
        return self._stacked(hidden_states, attention_mask, init_reset, batch_valid_length)

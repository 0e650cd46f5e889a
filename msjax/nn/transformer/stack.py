"""The base of encoders and decoders: one layer, and a stack of layers."""

from typing import Any

import numpy as np

from ... import ops
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..container import CellList
from .attention import FeedForward, MultiHeadAttention
from .configs import TransformerRecomputeConfig
from .layers import _LayerNorm, check_divides
from .moe import MoE, _check_moe_config
from .op_parallel_config import _check_config

FLOAT16 = mstype.float16  # of what goes into attention and feed-forward blocks


class LayerBase(Cell):
    """The base of encoder and decoder layers."""

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
        """A layer's output, of this shape: x plus the feed-forward block of the normalized x."""
        normed, aux_loss = self.layernorm2(x).astype(FLOAT16), ()
        out = self.output(normed)
        if self.use_moe:
            out, aux_loss = out[0], out[1:]
        return ((normed if self.post_layernorm_residual else x) + out).reshape(shape), present, *aux_loss

    def _length(self, full):
        """Steps that the inputs must have: one in the later steps of incremental prediction."""
        return 1 if self.use_past and not self.is_first_iteration else full


def get_lambda_func(total_layer: Any = None):
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


class LayerStack(Cell):
    """Layers in sequence."""

    def _make(self, kind, num_layers, offset, lambda_func, moe_config, parallel_config, **options):
        _check_config(parallel_config)
        _check_moe_config(moe_config, parallel_config)
        self.use_moe, self.num_layers, self.parallel_config = moe_config.expert_num > 1, num_layers, parallel_config
        config = parallel_config.moe_parallel_config if self.use_moe else parallel_config.dp_mp_config
        self.blocks, configure = CellList(), lambda_func or get_lambda_func()
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

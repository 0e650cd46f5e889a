"""Masks, embeddings, multi-head attention and the feed-forward block of the Transformers of MindSpore 1.x."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import ops
from ...core.values import dtype as mstype
from ...core.values.initializer import initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...ops.attention.multi_head import attend_fused
from ..cell.cell import Cell
from ..layer.activation import Softmax
from ..layer.basic import Dropout
from .configs import EmbeddingOpParallelConfig, default_embedding_parallel_config
from .layers import (
    FLOATS,
    _check_input_dtype,
    _check_input_shape,
    _check_input_shape_value,
    _check_past_none_input_none,
    _check_shape_equal,
    _Linear,
    check_divides,
    check_mask,
    check_rate,
    check_rows,
    check_valid_length,
    checked_arguments,
)
from .op_parallel_config import MoEParallelConfig, OpParallelConfig, _check_config, default_dpmp_config

if TYPE_CHECKING:
    from ...core.values.dtype import Type


class AttentionMask(Cell):
    """Which step may attend to which: those up to itself, where both are valid.

    Args:
        seq_length: number of steps. parallel_config: an OpParallelConfig, recorded.

    Inputs: input_mask (batch_size, seq_length), float: 0 marks padding. Outputs: float32 Tensor (batch_size,
    seq_length, seq_length) of 0 and 1.

    Raises:
        TypeError, ValueError: arguments or an input of the wrong kind or shape.

    Example:
        >>> from mindspore.nn.transformer import AttentionMask
        >>> AttentionMask(4)(Tensor([[1.0, 1.0, 1.0, 0.0]]))[0, 2]
        Tensor(shape=[4], dtype=Float32, value= [ 1.00000000e+00,  1.00000000e+00,  1.00000000e+00,  0.00000000e+00])
    """

    @checked_arguments("AttentionMask", OpParallelConfig)
    def __init__(self, seq_length: int, parallel_config: Any = default_dpmp_config):
        super().__init__()
        self.seq_length, self.parallel_config = seq_length, parallel_config
        self.lower_triangle_mask = Tensor(np.tril(np.ones((seq_length, seq_length))), mstype.float32)

    def construct(self, input_mask: Tensor):
        _check_input_shape(input_mask.shape, "input_mask", self.cls_name, 2)
        _check_input_dtype(input_mask.dtype, "input_mask", FLOATS, self.cls_name)
        _check_input_shape_value(input_mask.shape, 1, "input_mask", self.cls_name, self.seq_length)
        valid = (input_mask != 0).astype(mstype.float32)
        return valid.expand_dims(2) * valid.expand_dims(1) * self.lower_triangle_mask.expand_dims(0)


class VocabEmbedding(Cell):
    """Rows of a trained table.

    Args:
        vocab_size, embedding_size: rows and columns of the table. parallel_config: an EmbeddingOpParallelConfig,
        recorded. param_init: see `initializer`.

    Inputs: input_ids (batch_size, seq_length), int32. Outputs: ((batch_size, seq_length, embedding_size), the table).

    Raises:
        TypeError, ValueError: arguments or an input of the wrong kind or shape.

    Example:
        >>> from mindspore.nn.transformer import VocabEmbedding
        >>> VocabEmbedding(30, 8)(Tensor(np.ones((2, 5), np.int32)))[0].shape
        (2, 5, 8)
    """

    @checked_arguments("VocabEmbedding", EmbeddingOpParallelConfig)
    def __init__(
        self,
        vocab_size: int,
        embedding_size: Any,
        parallel_config: Any = default_embedding_parallel_config,
        param_init: str = "normal",
    ):
        super().__init__()
        _check_config(parallel_config)
        self.vocab_size, self.embedding_size, self.parallel_config = vocab_size, embedding_size, parallel_config
        self.embedding_table = Parameter(
            initializer(param_init, [vocab_size, embedding_size]), name="embedding_table", parallel_optimizer=False
        )
        if not parallel_config.vocab_emb_dp:
            check_divides(
                self.cls_name, parallel_config.model_parallel, "'parallel_config.model_parallel'", vocab_size=vocab_size
            )

    def construct(self, input_ids: Tensor):
        _check_input_shape(input_ids.shape, "input_ids", self.cls_name, 2)
        _check_input_dtype(input_ids.dtype, "input_ids", [mstype.int32], self.cls_name)
        parts = self.parallel_config.dp_mp_config
        table = parts.cut(self.embedding_table, None if self.parallel_config.vocab_emb_dp else "model", None)
        out = ops.gather(table, parts.cut(input_ids, "data", None), 0)
        return parts.cut(out, "data", None, None), self.embedding_table


class FeedForward(Cell):
    """dropout(activation(x W1 + b1) W2 + b2), computed and returned in float16.

    Args:
        hidden_size, ffn_hidden_size: features outside and inside. dropout_rate: probability of dropout, in [0, 1).
        hidden_act: name of an activation ("gelu", "relu", "fast_gelu", ...), or a Cell or its class.
        expert_num: see `_Linear`. expert_group_size: accepted. param_init_type: float32 or float16.
        parallel_config: an OpParallelConfig, or a MoEParallelConfig for experts, recorded.

    Inputs: x (batch_size, seq_length, hidden_size) or (rows, hidden_size), float. Outputs: float16 Tensor of this
    shape.

    Raises:
        TypeError, ValueError: arguments or an input of the wrong kind or shape. KeyError: no activation has this name.

    Example:
        >>> from mindspore.nn.transformer import FeedForward
        >>> FeedForward(15, 30, 0.1)(Tensor(np.ones((2, 20, 15), np.float32))).shape
        (2, 20, 15)
    """

    @checked_arguments("FeedForward", OpParallelConfig, MoEParallelConfig)
    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        dropout_rate: float,
        hidden_act: str = "gelu",
        expert_num: int = 1,
        expert_group_size: int | None = None,
        param_init_type: "Type" = mstype.float32,
        parallel_config: Any = default_dpmp_config,
    ):
        super().__init__()
        _check_config(parallel_config)
        check_divides(
            self.cls_name,
            parallel_config.model_parallel,
            "'parallel_config.model_parallel'",
            hidden_size=hidden_size,
            ffn_hidden_size=ffn_hidden_size,
        )
        check_rate(self.cls_name, dropout_rate=dropout_rate)
        self.parallel_config = parallel_config
        experts = parallel_config.expert_parallel if expert_num > 1 else 1
        options = dict(
            transpose_b=False,
            expert_num=expert_num,
            expert_group_size=expert_group_size,
            outer_batch=parallel_config.data_parallel // experts,
            param_init_type=param_init_type,
        )
        self.mapping = _Linear(hidden_size, ffn_hidden_size, activation=hidden_act, **options)
        self.projection = _Linear(ffn_hidden_size, hidden_size, **options)
        self.dropout = Dropout(keep_prob=1.0 - dropout_rate)
        self._shard(parallel_config.data_parallel, parallel_config.model_parallel, experts, expert_num > 1)

    def _shard(self, data, model, experts, several):
        """The first product is cut by columns, the second by rows, so that one sum over the "model" devices is left."""
        if data * model == 1:
            return
        if several:
            rows = data // experts, experts, 1
            self.mapping.shard(((*rows, 1), (experts, 1, model)), ((*rows, model), (*rows, model)), ((*rows, model),))
            self.projection.shard(((*rows, model), (experts, model, 1)), ((*rows, 1), (*rows, 1)))
        else:
            self.mapping.shard(((data, 1), (1, model)), ((data, model), (model,)), ((data, model),))
            self.projection.shard(((data, model), (model, 1)), ((data, 1), (1,)))

    def construct(self, x: Tensor):
        _check_input_shape(x.shape, "x", self.cls_name, [2, 3])
        _check_input_dtype(x.dtype, "x", FLOATS, self.cls_name)
        return self.dropout(self.projection(self.mapping(x.astype(mstype.float16))))


class MultiHeadAttention(Cell):
    """softmax(q k^T / sqrt(size_per_head), masked) v in `num_heads` parts, projected (Vaswani et al., 2017).

    Args:
        batch_size, src_seq_length, tgt_seq_length: of the query, and of key and value.
        hidden_size, num_heads: features, and into how many parts they are cut.
        hidden_dropout_rate, attention_dropout_rate: dropout of the result and of the weights, in [0, 1).
        compute_dtype, softmax_compute_type, param_init_type: float32 or float16.
        use_past: keep keys and values, so that a next step is computed alone (incremental prediction). First
            `add_flags_recursive(is_first_iteration=True)` and the whole sequence; then
            `add_flags_recursive(is_first_iteration=False)` and one step a call.
        parallel_config: an OpParallelConfig, recorded.

    Inputs:
        query_tensor (batch_size, src_seq_length, hidden_size), key_tensor and value_tensor (batch_size,
        tgt_seq_length, hidden_size), or the same with the first two axes as one; attention_mask (batch_size,
        src_seq_length, tgt_seq_length): 0 leaves a place out (10000 is taken from its score). With use_past:
        key_past, value_past: what the call before returned, float16; batch_valid_length (batch_size,), int32: how many
        steps of the whole sequence are not padding. In a later step the query has one step, and attends to all
        that are kept.

    Outputs: (result of the query's shape and dtype, (keys (batch_size, num_heads, size_per_head, tgt_seq_length),
    values (batch_size, num_heads, tgt_seq_length, size_per_head))).

    Raises:
        TypeError, ValueError: arguments or inputs of the wrong kind or shape.

    Example:
        >>> from mindspore.nn.transformer import MultiHeadAttention
        >>> x, mask = Tensor(np.ones((2, 20, 15), np.float32)), Tensor(np.ones((2, 20, 20), np.float16))
        >>> MultiHeadAttention(2, 20, 20, 15, 3)(x, x, x, mask)[0].shape
        (2, 20, 15)
    """

    @checked_arguments("MultiHeadAttention", OpParallelConfig)
    def __init__(
        self,
        batch_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        hidden_size: int,
        num_heads: int,
        hidden_dropout_rate: float = 0.1,
        attention_dropout_rate: float = 0.1,
        compute_dtype: "Type" = mstype.float16,
        softmax_compute_type: "Type" = mstype.float32,
        param_init_type: "Type" = mstype.float32,
        use_past: bool = False,
        parallel_config: Any = default_dpmp_config,
    ):
        super().__init__()
        _check_config(parallel_config)
        check_rate(
            self.cls_name, hidden_dropout_rate=hidden_dropout_rate, attention_dropout_rate=attention_dropout_rate
        )
        check_divides(self.cls_name, num_heads, "'num_heads'", hidden_size=hidden_size)
        check_divides(
            self.cls_name, parallel_config.model_parallel, "'parallel_config.model_parallel'", num_heads=num_heads
        )
        self.batch_size, self.src_seq_length, self.tgt_seq_length = batch_size, src_seq_length, tgt_seq_length
        self.hidden_size, self.n_head, self.size_per_head = hidden_size, num_heads, hidden_size // num_heads
        self.dtype, self.softmax_dtype, self.parallel_config = compute_dtype, softmax_compute_type, parallel_config
        self.use_past, self.is_first_iteration = use_past, True

        def linear(transpose_b=True):
            return _Linear(
                hidden_size,
                hidden_size,
                transpose_b=transpose_b,
                compute_dtype=compute_dtype,
                param_init_type=param_init_type,
            )

        self.projection = linear(transpose_b=False)
        self.dropout = Dropout(keep_prob=1.0 - hidden_dropout_rate)
        self.prob_dropout = Dropout(keep_prob=1.0 - attention_dropout_rate)
        self.softmax = Softmax().to_float(softmax_compute_type)
        self.dense1, self.dense2, self.dense3 = linear(), linear(), linear()  # of query, key and value
        data, model = parallel_config.data_parallel, parallel_config.model_parallel
        if data * model > 1:
            for dense in (self.dense1, self.dense2, self.dense3):
                dense.shard(((data, 1), (model, 1)), ((data, model), (model,)))
            self.projection.shard(((data, model), (model, 1)), ((data, 1), (1,)))

    def construct(
        self,
        query_tensor: Tensor,
        key_tensor: Tensor,
        value_tensor: Tensor,
        attention_mask: Tensor,
        key_past: Tensor | None = None,
        value_past: Tensor | None = None,
        batch_valid_length: Tensor | None = None,
    ):
        self._check_inputs(
            query_tensor, key_tensor, value_tensor, attention_mask, key_past, value_past, batch_valid_length
        )
        shape, dtype, batch = query_tensor.shape, query_tensor.dtype, attention_mask.shape[0]
        query, key, value = (
            dense(x.reshape(-1, x.shape[-1]).astype(self.dtype)).reshape(batch, -1, self.n_head, self.size_per_head)
            for dense, x in ((self.dense1, query_tensor), (self.dense2, key_tensor), (self.dense3, value_tensor))
        )
        query, key, value = query.transpose(0, 2, 1, 3), key.transpose(0, 2, 3, 1), value.transpose(0, 2, 1, 3)
        query, key, value = (self.parallel_config.cut(x, "data", "model", None, None) for x in (query, key, value))
        if attention_mask.ndim == 3:
            attention_mask = attention_mask.expand_dims(1)
        key_present, value_present = key, value
        if self.use_past:
            places = ops.arange(0, self.src_seq_length, dtype=mstype.int32)
            if self.is_first_iteration:
                valid = (places < batch_valid_length.reshape(-1, 1, 1, 1)).astype(self.dtype)  # (B, 1, 1, S)
                key_present, value_present = key * valid, value * valid.swapaxes(2, 3)
            else:
                # A place is taken when any of its keys is not 0: the length given need not have grown since.
                taken = (key_past != 0).any((1, 2)).astype(mstype.int32).sum(-1).reshape(-1, 1, 1, 1)
                here = (places == taken).astype(self.dtype)
                key = key_present = key_past + key * here
                value = value_present = value_past + value * here.swapaxes(2, 3)
                attention_mask = (places <= taken).astype(self.softmax_dtype)
        output = self.dropout(self.projection(self._attn(query, key, value, attention_mask)))
        return output.reshape(shape).astype(dtype), (key_present, value_present)

    def _attn(self, query, key, value, attention_mask):
        """Weighted sums of the values, (rows, hidden_size)."""
        factor = Tensor(math.sqrt(math.sqrt(self.size_per_head)), query.dtype)
        hidden = (1.0 - attention_mask.astype(self.softmax_dtype)) * -10000.0
        rate = 1.0 - self.prob_dropout.keep_prob if self.prob_dropout.training else 0.0
        with self.parallel_config.dividing("data", "model", None, None):
            fused = attend_fused(query / factor, (key / factor).swapaxes(2, 3), value, (hidden,), 1.0, rate)
        if fused is not None:
            return self._merge_heads(fused)
        score = ops.matmul(query / factor, key / factor)
        dtype, score = score.dtype, score.astype(self.softmax_dtype)
        score = score + hidden
        probs = self.prob_dropout(self.softmax(score).astype(dtype))
        return self._merge_heads(ops.matmul(probs, value))

    def _merge_heads(self, x):
        """(batch, heads, steps, size_per_head) as (batch * steps, heads * size_per_head)."""
        return x.transpose(0, 2, 1, 3).reshape(-1, self.hidden_size)

    def _check_inputs(
        self, query_tensor, key_tensor, value_tensor, attention_mask, key_past, value_past, batch_valid_length
    ):
        later = self.use_past and not self.is_first_iteration
        src, tgt = (1, 1) if later else (self.src_seq_length, self.tgt_seq_length)
        for name, x, length in (
            ("query_tensor", query_tensor, src),
            ("key_tensor", key_tensor, tgt),
            ("value_tensor", value_tensor, tgt),
        ):
            check_rows(self, name, x, self.batch_size, length)
        check_mask(self, "attention_mask", attention_mask, [self.batch_size, src, self.tgt_seq_length])
        kept = [self.batch_size, self.n_head, self.size_per_head, self.tgt_seq_length]
        for name, x, shape in (("key_past", key_past, kept), ("value_past", value_past, [*kept[:2], kept[3], kept[2]])):
            _check_past_none_input_none(self.use_past, name, self.cls_name, None, isinstance(x, Tensor), x is None)
            if self.use_past:
                _check_shape_equal(x.shape, name, self.cls_name, shape)
                _check_input_dtype(x.dtype, name, [mstype.float16], self.cls_name)
        check_valid_length(self, batch_valid_length)

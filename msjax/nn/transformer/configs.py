"""Parallel configurations of whole Transformers."""

from typing import TYPE_CHECKING, Any

from ...core.operators import check
from ...core.settings.context import get_auto_parallel_context, set_auto_parallel_context
from .op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    _Config,
    _PipeLineConfig,
    kept,
    positive,
    switch,
    through,
)

if TYPE_CHECKING:
    from ..cell.cell import Cell


class EmbeddingOpParallelConfig(_Config):
    """OpParallelConfig of an embedding table.

    Args:
        data_parallel, model_parallel: see OpParallelConfig. vocab_emb_dp: every process keeps the whole table, else
        its rows are cut into `model_parallel` parts.

    Raises:
        TypeError, ValueError: no positive int; no bool.

    Example:
        >>> from mindspore.nn.transformer import EmbeddingOpParallelConfig
        >>> EmbeddingOpParallelConfig(vocab_emb_dp=True).vocab_emb_dp
        True
    """

    data_parallel, model_parallel = (
        through("data_parallel", "_dp_mp_config"),
        through("model_parallel", "_dp_mp_config"),
    )
    vocab_emb_dp = switch("vocab_emb_dp")

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, vocab_emb_dp: bool = True):
        self._dp_mp_config = OpParallelConfig(data_parallel, model_parallel)
        self.vocab_emb_dp = vocab_emb_dp

    @property
    def dp_mp_config(self):
        """The same without `vocab_emb_dp`, an OpParallelConfig."""
        return self._dp_mp_config


class TransformerRecomputeConfig(_Config):
    """Whether the layers of a Transformer are computed again in the backward pass instead of kept in memory.

    Args:
        recompute: do so. parallel_optimizer_comm_recompute, mp_comm_recompute, recompute_slice_activation: passed to
        `Cell.recompute`.

    Raises:
        TypeError: no bool.

    Example:
        >>> from mindspore.nn.transformer import TransformerRecomputeConfig
        >>> TransformerRecomputeConfig(recompute=True).recompute
        True
    """

    recompute, mp_comm_recompute = switch("recompute"), switch("mp_comm_recompute")
    parallel_optimizer_comm_recompute = switch("parallel_optimizer_comm_recompute")
    recompute_slice_activation = switch("recompute_slice_activation")

    def __init__(
        self,
        recompute: bool = False,
        parallel_optimizer_comm_recompute: bool = False,
        mp_comm_recompute: bool = True,
        recompute_slice_activation: bool = False,
    ):
        self.recompute = recompute
        self.parallel_optimizer_comm_recompute = parallel_optimizer_comm_recompute
        self.mp_comm_recompute = mp_comm_recompute
        self.recompute_slice_activation = recompute_slice_activation

    def apply(self, network: "Cell"):
        """Have a Cell computed again, if this configuration says so."""
        if self.recompute:
            network.recompute(
                parallel_optimizer_comm_recompute=self.parallel_optimizer_comm_recompute,
                mp_comm_recompute=self.mp_comm_recompute,
                recompute_slice_activation=self.recompute_slice_activation,
            )


default_transformer_recompute_config = TransformerRecomputeConfig()


def _recompute(value, name):
    if not isinstance(value, (TransformerRecomputeConfig, bool)):
        raise TypeError(f"The '{name}' must be a TransformerRecomputeConfig or a bool, but got {type(value).__name__}.")
    return value


def _shard(value, name):
    check.check_bool(value, name)
    set_auto_parallel_context(enable_parallel_optimizer=value)
    return value


class TransformerOpParallelConfig(_Config):
    """Parallel configuration of a whole Transformer.

    Args:
        data_parallel, model_parallel: see OpParallelConfig. expert_parallel: see MoEParallelConfig.
        pipeline_stage, micro_batch_num: stages of a pipeline and parts of its batch. recompute: a
        TransformerRecomputeConfig, or a bool. optimizer_shard: recorded. gradient_aggregation_group: how many groups
        the layers form for the exchange of gradients, recorded. vocab_emb_dp: see EmbeddingOpParallelConfig.

    `pipeline_stage` and `optimizer_shard` become settings of `set_auto_parallel_context` too.

    Raises:
        TypeError, ValueError: settings of the wrong kind.

    Example:
        >>> from mindspore.nn.transformer import TransformerOpParallelConfig, TransformerRecomputeConfig
        >>> TransformerOpParallelConfig(recompute=TransformerRecomputeConfig(recompute=True)).pipeline_stage
        1
    """

    recompute, optimizer_shard = kept("recompute", _recompute), kept("optimizer_shard", _shard)
    gradient_aggregation_group = positive("gradient_aggregation_group")
    vocab_emb_dp = through("vocab_emb_dp", "_embed_dp_mp_config")
    micro_batch_num, pipeline_stage = through("micro_batch_num", "_pp_config"), through("pipeline_stage", "_pp_config")
    expert_parallel = through("expert_parallel", "_moe_config")
    data_parallel = through("data_parallel", "_embed_dp_mp_config", "_moe_config")
    model_parallel = through("model_parallel", "_embed_dp_mp_config", "_moe_config")

    def __init__(
        self,
        data_parallel: int = 1,
        model_parallel: int = 1,
        expert_parallel: int = 1,
        pipeline_stage: int = 1,
        micro_batch_num: int = 1,
        recompute: Any = default_transformer_recompute_config,
        optimizer_shard: bool = False,
        gradient_aggregation_group: int = 4,
        vocab_emb_dp: bool = True,
    ):
        self.recompute, self.optimizer_shard = recompute, optimizer_shard
        self.gradient_aggregation_group = gradient_aggregation_group
        self._embed_dp_mp_config = EmbeddingOpParallelConfig(data_parallel, model_parallel, vocab_emb_dp)
        self._pp_config = _PipeLineConfig(pipeline_stage, micro_batch_num)
        self._moe_config = MoEParallelConfig(data_parallel, model_parallel, expert_parallel)

    @property
    def embedding_dp_mp_config(self):
        """The configuration of the embedding table, an EmbeddingOpParallelConfig."""
        return self._embed_dp_mp_config

    @property
    def dp_mp_config(self):
        """The configuration of the layers, an OpParallelConfig."""
        return self._embed_dp_mp_config.dp_mp_config

    @property
    def moe_parallel_config(self):
        """The configuration of layers with a mixture of experts, a MoEParallelConfig."""
        return self._moe_config


def _untouched_default():
    """A default configuration that leaves the context unchanged: importing this module must not change a script's
    settings.
    """
    names = "enable_parallel_optimizer", "pipeline_stages"
    before = {name: get_auto_parallel_context(name) for name in names}
    made = TransformerOpParallelConfig()
    set_auto_parallel_context(**before)
    return made


default_transformer_config = _untouched_default()
default_embedding_parallel_config = EmbeddingOpParallelConfig()

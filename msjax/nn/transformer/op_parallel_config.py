"""How operators are to be cut over devices: MindSpore 1.x gives each layer of `nn.transformer` such a configuration.

In SEMI_AUTO_PARALLEL and AUTO_PARALLEL they lay Tensors and weights out over the devices, as MindSpore's layers do. They change no
value, save `data_parallel` in a mixture of experts, which counts the capacity of an expert within a data parallel group.
"""

from typing import TYPE_CHECKING, Any

from ...core.operators import check
from ...core.settings.context import ParallelMode, get_auto_parallel_context, set_auto_parallel_context
from ...parallel import get_group_size, parallel_mode
from ...parallel.communication import is_initialized
from ...parallel.shardings import dividing, over

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor

__all__ = ["OpParallelConfig"]


def positive(name: str):
    """A property that holds a positive int."""
    return kept(name, check.check_positive_int)


def switch(name: str):
    """A property that holds a bool."""
    return kept(name, check.check_bool)


def kept(name: str, checked: Any):
    """A property whose new values pass through `checked(value, name)`."""

    def get(self):
        return getattr(self, f"_{name}")

    def put(self, value):
        setattr(self, f"_{name}", checked(value, name))

    return property(get, put, doc=f"The `{name}` that the configuration was made with, or was set to since.")


def through(name: str, *parts):
    """A property that other configurations keep, the attributes `parts`: read from the first, set in all."""

    def get(self):
        return getattr(getattr(self, parts[0]), name)

    def put(self, value):
        for part in parts:
            setattr(getattr(self, part), name, value)

    return property(get, put, doc=f"The `{name}` of `{parts[0]}`.")


class _Config:
    """A configuration; printed, it tells all of its settings."""

    def __str__(self):
        return "[ParallelConfig]\n" + "".join(f"{name}:{value}\n" for name, value in vars(self).items())


class OpParallelConfig(_Config):
    """Into how many parts data and matrices are cut.

    Args:
        data_parallel: parts of the batch. model_parallel: parts of the matrices. Positive ints.

    Raises:
        TypeError, ValueError: no positive int.

    Example:
        >>> from mindspore.nn.transformer import OpParallelConfig
        >>> OpParallelConfig(data_parallel=1, model_parallel=1).model_parallel
        1
    """

    data_parallel, model_parallel = positive("data_parallel"), positive("model_parallel")

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1):
        self.data_parallel, self.model_parallel = data_parallel, model_parallel

    def cut(self, tensor: "Tensor", *axes):
        """The Tensor, cut over the devices: "data" or "model" for each axis that is."""
        return over(tensor, {"data": self.data_parallel, "model": self.model_parallel}, *axes)

    def dividing(self, *axes):
        """A `with` block in which attention is divided as `cut` would cut its query."""
        return dividing({"data": self.data_parallel, "model": self.model_parallel}, *axes)


class MoEParallelConfig(_Config):
    """OpParallelConfig of a mixture of experts.

    Args:
        data_parallel, model_parallel: see OpParallelConfig. expert_parallel: parts of the experts. Positive ints.

    Raises:
        TypeError, ValueError: no positive int.

    Example:
        >>> from msjax.nn.transformer.op_parallel_config import MoEParallelConfig
        >>> MoEParallelConfig(expert_parallel=2).expert_parallel
        2
    """

    data_parallel, model_parallel = through("data_parallel", "_dpmp"), through("model_parallel", "_dpmp")
    expert_parallel = positive("expert_parallel")

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, expert_parallel: int = 1):
        self._dpmp = OpParallelConfig(data_parallel, model_parallel)
        self.expert_parallel = expert_parallel

    def cut(self, tensor: "Tensor", *axes):
        """The Tensor, cut over the devices. axes: for each axis "data", "expert" (a part of "data"), "model", or None: not cut."""
        grid = {"outer": self.data_parallel // self.expert_parallel, "expert": self.expert_parallel}
        axes = [("outer", "expert") if axis == "data" else axis for axis in axes]
        return over(tensor, {**grid, "model": self.model_parallel}, *axes)

    @property
    def dpmp(self):
        """The same without experts, an OpParallelConfig."""
        return self._dpmp


def _stages(value, name):
    check.check_positive_int(value, name)
    set_auto_parallel_context(pipeline_stages=value)
    return value


class _PipeLineConfig(_Config):
    """Stages of a pipeline and parts of its batch. The stages become those of `set_auto_parallel_context` too."""

    pipeline_stage, micro_batch_num = kept("pipeline_stage", _stages), positive("micro_batch_num")

    def __init__(self, pipeline_stage=1, micro_batch_num=1):
        self.pipeline_stage, self.micro_batch_num = pipeline_stage, micro_batch_num


default_dpmp_config = OpParallelConfig()
default_moeparallel_config = MoEParallelConfig()


def _check_config(config):
    """ValueError if a configuration contradicts `set_auto_parallel_context`, or asks for more processes than run."""
    stages = get_auto_parallel_context("pipeline_stages")
    if hasattr(config, "pipeline_stage") and config.pipeline_stage != stages:
        raise ValueError(
            f"The 'pipeline_stages' of set_auto_parallel_context is {stages}, but the 'pipeline_stage' of "
            f"the parallel config is {config.pipeline_stage}. Give both the same value."
        )
    if not is_initialized() or parallel_mode() not in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL):
        return
    asked, there = config.data_parallel * config.model_parallel * stages, get_group_size()
    if 1 < there < asked:
        raise ValueError(
            f"The parallel config asks for {config.data_parallel} (data_parallel) * "
            f"{config.model_parallel} (model_parallel) * {stages} (pipeline_stages) = {asked} devices, "
            f"but there are {there}."
        )

"""Cells of `mindspore.parallel.nn` and `mindspore.parallel.distributed`."""

import inspect
from collections.abc import Callable
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ...core.settings.context import ParallelMode, get_auto_parallel_context, set_auto_parallel_context
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, NonNegativeInt, PositiveInt, That
from ...parallel.devices import get_devices
from ...parallel.gradients import broadcast_parameters, reduced
from ...parallel.layout import Layout
from ...parallel.places import place_of
from ...parallel.processes import world
from ...parallel.shardings import relay
from ..cell.cell import Cell
from .micro_batch import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, PipelineGradReducer

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor

__all__ = [
    "AutoParallel",
    "DistributedDataParallel",
    "GradAccumulation",
    "MicroBatchInterleaved",
    "Pipeline",
    "PipelineCell",
    "PipelineGradReducer",
    "reshard",
]

GradAccumulation, Pipeline = GradAccumulationCell, PipelineCell


class DistributedDataParallel(Cell):
    """A network whose gradients are averaged over the processes of a group as they are computed.

    Args:
        module: Cell. init_sync: give all processes the Parameters of the first one. process_group: name of the group; None: all.
        Others: accepted; XLA chooses what goes together.

    Raises:
        TypeError: `module` is not a Cell.

    Example:
        >>> from mindspore.parallel import DistributedDataParallel
        >>> averaged = DistributedDataParallel(net)
    """

    @checked
    def __init__(
        self,
        module: Cell,
        init_sync: Like[bool] = True,
        process_group: Any = None,
        bucket_cap_mb: Any = None,
        find_unused_parameters: Like[bool] = False,
        average_in_collective: Like[bool] = False,
        static_graph: Like[bool] = False,
        reducer_mode: Like[str] = "CppReducer",
    ):
        super().__init__(auto_prefix=False)
        self.module = module
        self.require_sync = True
        self._place = place_of("DistributedDataParallel", process_group)
        if self._place.size > 1:
            if init_sync:
                broadcast_parameters(list(module.get_parameters()))
            for parameter in module.trainable_params():
                parameter.register_hook(self._average)

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    def _average(self, gradient):
        return reduced([gradient], self._place, 1.0 / self._place.size)[0] if self.require_sync else gradient

    @contextmanager
    def no_sync(self):
        """In here gradients are not averaged."""
        self.require_sync = False
        try:
            yield
        finally:
            self.require_sync = True

    def zero_grad(self):
        """Nothing to clear: gradients are values here, not kept."""

    def final_grad_reduce(self):
        """Nothing is left to average: each gradient is averaged as it is computed."""

    def broadcast_coalesced(self):
        """Give all processes the Parameters of the first one."""
        broadcast_parameters(list(self.module.get_parameters()))

    def allocate_buffers_for_parameters(
        self, input_params: Any, group: int | None = None, gradient_scaling_factor: float = 1.0
    ):
        """Nothing to allocate: XLA manages buffers."""


class AutoParallel(Cell):
    """A network that is distributed over devices: by its own strategies, and by XLA's partitioner elsewhere.

    With one device it is called as it is. The settings are recorded in `settings`; `hsdp` and `dataset_strategy` change how state
    and batches lie, the others steer MindSpore's compiler.

    Args:
        network: Cell or function. parallel_mode: "semi_auto", "sharding_propagation" or "recursive_programming".

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.parallel import AutoParallel
        >>> spread = AutoParallel(net, parallel_mode="semi_auto")
        >>> spread.pipeline(stages=2)
    """

    def __init__(self, network: Cell | Callable, parallel_mode: str = "semi_auto"):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell) and not inspect.isroutine(network):
            raise TypeError(
                f"For 'AutoParallel', the 'network' must be a Cell or a function, but got {type(network).__name__}."
            )
        modes = ("semi_auto", "sharding_propagation", "recursive_programming")
        if parallel_mode not in modes:
            raise ValueError(
                f"For 'AutoParallel', the 'parallel_mode' must be one of {modes}, but got {parallel_mode}."
            )
        self.network = network
        self.settings = {"parallel_mode": parallel_mode}
        if parallel_mode == "semi_auto":
            _apply(parallel_mode=ParallelMode.SEMI_AUTO_PARALLEL)
        else:
            _apply(parallel_mode=ParallelMode.AUTO_PARALLEL, search_mode=parallel_mode)

    def construct(self, *args, **kwargs):
        return self.network(*args, **kwargs)

    @checked
    def hsdp(
        self,
        shard_size: AsValue[Annotated[int, That("that is positive or -1", lambda size: size > 0 or size == -1)]] = -1,
        threshold: AsValue[NonNegativeInt] = 64,
        optimizer_level: AsValue[Literal["level1", "level2", "level3"]] = "level1",
    ):
        """Split the state of the optimizer over the devices, at "level3" the weights too; from `threshold` KB a Parameter on.

        Raises:
            ValueError: another level; `shard_size` is neither -1 (all devices) nor positive; a negative threshold.
        """
        self.settings["hsdp"] = (shard_size, threshold, optimizer_level), {}
        config = {"parallel_optimizer_threshold": threshold, "optimizer_level": optimizer_level}
        _apply(enable_parallel_optimizer=True, parallel_optimizer_config=config)

    @checked
    def save_param_strategy_file(self, file_path: str):
        """Write how Parameters lie to a strategy file, once they are placed."""
        self._strategy_file("save_file", file_path)

    @checked
    def load_param_strategy_file(self, file_path: str):
        """Lay Parameters as a strategy file says."""
        self._strategy_file("load_file", file_path)

    def _strategy_file(self, which, path):
        self.settings[f"{which[:4]}_param_strategy_file"] = (path,), {}
        _apply(strategy_ckpt_config={**get_auto_parallel_context("strategy_ckpt_config"), which: path})

    @checked
    def pipeline(
        self,
        stages: PositiveInt = 1,
        output_broadcast: bool = False,
        interleave: bool = False,
        scheduler: AsValue[Literal["1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v"]] = "1f1b",
    ):
        """Stages of a pipeline, and their schedule: "1f1b" or "gpipe".

        Raises:
            TypeError, ValueError: arguments of the wrong kind; another schedule.
        """
        self.settings["pipeline"] = (), {"stages": stages}
        _apply(
            pipeline_stages=stages, pipeline_config={"pipeline_interleave": interleave, "pipeline_scheduler": scheduler}
        )

    def get_pipeline_stages(self):
        """Number of stages of the pipeline; 1 without one."""
        return self.settings.get("pipeline", ((), {"stages": 1}))[1]["stages"]

    def disable_gradient_fp32_sync(self):
        """Add gradients up in their own dtype."""
        self.settings["disable_gradient_fp32_sync"] = (), {}
        _apply(gradient_fp32_sync=False)

    def disable_loss_repeated_mean(self):
        """Record that a loss which several devices compute alike is not divided: one program has one loss."""
        self.settings["disable_loss_repeated_mean"] = (), {}
        _apply(loss_repeated_mean=False)

    @checked
    def dump_local_norm(self, file_path: str):
        """Record the folder for local norms. TypeError: the path is not a str."""
        self.settings["dump_local_norm"] = (file_path,), {}

    @checked
    def set_group_ckpt_save_file(self, file_path: str):
        """Write the ranks that hold the same Parameters to a file, once they are placed. TypeError: the path is not a str."""
        self.settings["set_group_ckpt_save_file"] = (file_path,), {}
        _apply(group_ckpt_save_file=file_path)

    def dataset_strategy(self, config: str | tuple):
        """Whether each process has its part of a batch ("data_parallel") or the whole one ("full_batch")."""
        self.settings["dataset_strategy"] = (config,), {}
        _apply(dataset_strategy=config)


def _apply(**settings):
    """Settings of a run on several devices, or of one that is compiled for several; one device needs none."""
    if world().size > 1 or get_devices() > 1 or get_auto_parallel_context("device_num") > 1:
        set_auto_parallel_context(**settings)


def _recorder(name):
    def record(self, *args, **kwargs):
        self.settings[name] = (args, kwargs)

    record.__name__, record.__doc__ = name, f"Record the setting `{name}`."
    return record


for _name in (
    "comm_fusion",
    "disable_strategy_file_only_for_trainable_params",
    "enable_device_local_norm",
    "enable_fp32_communication",
    "enable_gradients_mean",
    "load_operator_strategy_file",
    "no_init_parameters_in_compile",
    "print_local_norm",
    "save_operator_strategy_file",
    "transformer_opt",
):
    setattr(AutoParallel, _name, _recorder(_name))
del _name


@checked
def reshard(tensor: "Tensor", layout: Layout):
    """The Tensor with this layout on the devices of a compiled program. TypeError if `layout` is not a Layout.

    Example:
        >>> from mindspore import Layout
        >>> from mindspore.parallel import reshard
        >>> y = reshard(x, Layout((2, 2), ("dp", "mp"))("dp", "mp"))
        >>> print(y)
        [[0.         0.16666667 0.33333334]
         [0.5        0.6666667  0.8333333 ]]
    """
    return relay(tensor, layout)

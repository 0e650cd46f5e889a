"""Cells of `mindspore.parallel.nn` and `mindspore.parallel.distributed`."""

from contextlib import contextmanager

from ...parallel.layout import Layout
from ...parallel.shardings import relay
from ..cell.cell import Cell
from .micro_batch import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, PipelineGradReducer

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
    """A network whose gradients are averaged over processes. One process averages nothing: the network is called as it
    is.

    Args:
        module: Cell. Others: accepted.

    Raises:
        TypeError: `module` is no Cell.

    Example:
        >>> net = DistributedDataParallel(net)
    """

    def __init__(
        self,
        module,
        init_sync=True,
        process_group=None,
        bucket_cap_mb=None,
        find_unused_parameters=False,
        average_in_collective=False,
        static_graph=False,
        reducer_mode="CppReducer",
    ):
        super().__init__(auto_prefix=False)
        if not isinstance(module, Cell):
            raise TypeError(
                f"For 'DistributedDataParallel', the 'module' must be a Cell, but got {type(module).__name__}."
            )
        self.module = module

    def construct(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)

    @contextmanager
    def no_sync(self):
        """In here gradients are not averaged."""
        yield

    def zero_grad(self):
        """Nothing to clear: gradients are values here, not kept."""

    def final_grad_reduce(self):
        """Nothing to average."""

    def broadcast_coalesced(self):
        """Nothing to send: there is one process."""

    def allocate_buffers_for_parameters(self, input_params, group=None, gradient_scaling_factor=1.0):
        """Nothing to allocate: XLA manages buffers."""


class AutoParallel(Cell):
    """A network that MindSpore would spread over devices: called as it is, XLA lays out what it computes.

    The settings are recorded in `settings`.

    Args:
        network: Cell. parallel_mode: "semi_auto", "sharding_propagation" or "recursive_programming".

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> net = AutoParallel(net, parallel_mode="semi_auto")
        ... net.pipeline(stages=2)
    """

    def __init__(self, network, parallel_mode="semi_auto"):
        super().__init__(auto_prefix=False)
        if not isinstance(network, Cell):
            raise TypeError(f"For 'AutoParallel', the 'network' must be a Cell, but got {type(network).__name__}.")
        modes = ("semi_auto", "sharding_propagation", "recursive_programming")
        if parallel_mode not in modes:
            raise ValueError(
                f"For 'AutoParallel', the 'parallel_mode' must be one of {modes}, but got {parallel_mode}."
            )
        self.network = network
        self.settings = {"parallel_mode": parallel_mode}

    def construct(self, *args, **kwargs):
        return self.network(*args, **kwargs)


def _recorder(name):
    def record(self, *args, **kwargs):
        self.settings[name] = (args, kwargs)

    record.__name__, record.__doc__ = name, f"Record the setting `{name}`."
    return record


for _name in (
    "comm_fusion",
    "dataset_strategy",
    "disable_strategy_file_only_for_trainable_params",
    "enable_fp32_communication",
    "enable_gradients_mean",
    "hsdp",
    "load_operator_strategy_file",
    "load_param_strategy_file",
    "no_init_parameters_in_compile",
    "pipeline",
    "print_local_norm",
    "save_operator_strategy_file",
    "save_param_strategy_file",
    "set_group_ckpt_save_file",
    "transformer_opt",
):
    setattr(AutoParallel, _name, _recorder(_name))
del _name


def reshard(tensor, layout):
    """The Tensor, laid out so on the devices of a compiled program. TypeError if `layout` is no Layout.

    Example:
        >>> reshard(x, Layout((2, 2), ("dp", "mp"))("dp", "mp"))
    """
    if not isinstance(layout, Layout):
        raise TypeError(f"Reshard only support type mindspore.parallel.Layout, but got {type(layout)}.")
    return relay(tensor, layout)

"""Cells of `mindspore.parallel.nn` and `mindspore.parallel.distributed`."""
from contextlib import contextmanager

from ...parallel.layout import Layout
from ..cell import Cell
from .micro_batch import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, PipelineGradReducer

__all__ = ["DistributedDataParallel", "GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineCell",
           "PipelineGradReducer", "reshard"]

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

    def __init__(self, module, init_sync=True, process_group=None, bucket_cap_mb=None, find_unused_parameters=False,
                 average_in_collective=False, static_graph=False, reducer_mode="CppReducer"):
        super().__init__(auto_prefix=False)
        if not isinstance(module, Cell):
            raise TypeError("For 'DistributedDataParallel', the 'module' must be a Cell, but got "
                            f"{type(module).__name__}.")
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


def reshard(tensor, layout):
    """The Tensor itself: a layout changes where it lies, not what it holds. TypeError if `layout` is no Layout."""
    if not isinstance(layout, Layout):
        raise TypeError(f"Reshard only support type mindspore.parallel.Layout, but got {type(layout)}.")
    return tensor

"""Wrappers of optimizers for many devices.

AdaSum (Maleki et al., 2020) combines the gradients of groups of processes so that those in one direction are not added
up twice.
"""

from ...core.operators.check import check_value_type
from ...core.settings.context import get_auto_parallel_context
from ...core.spec.checking import checked
from ...parallel import group_size
from ..cell.cell import Cell
from .optimizer import Optimizer


def _check_parallel():
    """RuntimeError unless the auto-parallel context asks for at least 16 processes, as MindSpore's AdaSum does."""
    if get_auto_parallel_context("parallel_mode") == "stand_alone":
        raise RuntimeError("Stand alone mode is not supported to apply adasum.")
    if get_auto_parallel_context("enable_parallel_optimizer"):
        raise RuntimeError("Currently, the optimizer shard is not supported with applying adasum.")
    if get_auto_parallel_context("pipeline_stages") > 1:
        raise RuntimeError("Currently, the pipeline parallel is not supported with applying adasum.")
    count = max(group_size(), get_auto_parallel_context("device_num"))  # devices that a process alone says there are
    if count < 16 or count & (count - 1) != 0:
        raise RuntimeError("The device_num must be at least 16 and must be the power of 2 when applying adasum.")


class _AdaSumWrapCell(Cell):
    """One process with all its devices computes the gradient of the whole batch: there is one direction, and AdaSum
    of one is itself.
    """

    def __init__(self, optimizer):
        super().__init__(auto_prefix=False)
        _check_parallel()
        check_value_type("optimizer", optimizer, (Optimizer,))
        self.optimizer = optimizer
        self.parameters = optimizer.parameters

    def construct(self, grads):
        return self.optimizer(grads)


class AdaSumByGradWrapCell(_AdaSumWrapCell):
    """AdaSum of gradients around an optimizer.

    Raises:
        RuntimeError: the auto-parallel context does not describe 16, 32, 64, ... devices.
    """


class AdaSumByDeltaWeightWrapCell(_AdaSumWrapCell):
    """AdaSum of the changes of the Parameters around an optimizer.

    Raises:
        RuntimeError: the auto-parallel context does not describe 16, 32, 64, ... devices.
    """


class OptTFTWrapper(Optimizer):
    """MindSpore's hook for MindIO, which saves the state of a failing Ascend cluster; msjax has no such cluster, so it
    raises.

    Raises:
        TypeError: `opt` is not an Optimizer. ValueError: always otherwise, as MindSpore's on any device but Ascend.
    """

    @checked
    def __init__(self, opt: Optimizer, **kwargs):
        raise ValueError("MindIO adataper only support on Ascend device! Use the optimizer itself.")

"""Learning rates as a function of the step, computed on the device.

Each is a Cell: called with the global step (a Tensor) it gives the learning rate of that step as a float32 Tensor.
"""
from ..cell import Cell


class LearningRateSchedule(Cell):
    """Base class: a subclass computes the learning rate of a step in `construct(global_step)`.

    Example:
        >>> class Half(nn.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.5 / (global_step + 1)
    """

    def construct(self, global_step):
        """Learning rate of the step; subclasses override it."""
        raise NotImplementedError("For 'LearningRateSchedule', 'construct' must be overridden: it computes the learning rate from 'global_step'.")

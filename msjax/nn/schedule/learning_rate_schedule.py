"""Learning rates as a function of the step, computed on the device.

Each is a Cell: called with the global step (a Tensor) it gives the learning rate of that step as a float32 Tensor.
"""

from typing import TYPE_CHECKING

import jax.numpy as jnp

from ...core.spec.checking import checked
from ...core.spec.rules import NonNegativeFloat, PositiveFloat, PositiveInt
from ...core.values.tensor import wrap
from ...optim import schedules
from ..cell.cell import Cell
from . import checks

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class LearningRateSchedule(Cell):
    """Base class: a subclass computes the learning rate of a step in `construct(global_step)`.

    Example:
        >>> class Half(nn.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.5 / (global_step + 1)
    """

    def construct(self, global_step: "Tensor"):
        """Learning rate of the step; subclasses override it."""
        raise NotImplementedError(
            "For 'LearningRateSchedule', 'construct' must be overridden: it computes the "
            "learning rate from 'global_step'."
        )


class _Formula(LearningRateSchedule):
    """A Cell around a function of `msjax.optim.schedules`, which `_schedule` gives."""

    def construct(self, global_step):
        return wrap(self._schedule()(jnp.asarray(getattr(global_step, "jax_array", global_step))))


class _DecayLR(_Formula):
    """Attributes of the decays with a rate and a number of steps; a subclass names its function."""

    @checked
    def __init__(
        self, learning_rate: PositiveFloat, decay_rate: PositiveFloat, decay_steps: PositiveInt, is_stair: bool = False
    ):
        super().__init__()
        self.learning_rate, self.decay_rate = learning_rate, decay_rate
        self.decay_steps, self.is_stair = decay_steps, is_stair

    def _schedule(self):
        return self._function(self.learning_rate, self.decay_rate, self.decay_steps, self.is_stair)


class ExponentialDecayLR(_DecayLR):
    """learning_rate * decay_rate ** (step / decay_steps); with `is_stair` the exponent is rounded down.

    Example:
        >>> print(nn.ExponentialDecayLR(0.1, 0.9, decay_steps=4)(Tensor(2, mindspore.int32)))
        0.094868325
    """

    _function = staticmethod(schedules.exponential_decay)


class NaturalExpDecayLR(_DecayLR):
    """learning_rate * e ** (-decay_rate * step); with `is_stair` the step is rounded down to a multiple of
    `decay_steps`.
    """

    _function = staticmethod(schedules.natural_exp_decay)


class InverseDecayLR(_DecayLR):
    """learning_rate / (1 + decay_rate * step / decay_steps); with `is_stair` the quotient is rounded down."""

    _function = staticmethod(schedules.inverse_decay)


class CosineDecayLR(_Formula):
    """From max_lr to min_lr along half a cosine of `decay_steps` steps (Loshchilov and Hutter, 2017)."""

    @checked
    def __init__(self, min_lr: NonNegativeFloat, max_lr: PositiveFloat, decay_steps: PositiveInt):
        super().__init__()
        checks.rising(self.cls_name, min_lr, max_lr)
        self.min_lr, self.max_lr, self.decay_steps = min_lr, max_lr, decay_steps

    def _schedule(self):
        return schedules.cosine_decay(self.min_lr, self.max_lr, self.decay_steps)


class PolynomialDecayLR(_Formula):
    """(learning_rate - end) * (1 - step / decay_steps) ** power + end; with `update_decay_steps` the decay starts
    over with longer times.
    """

    @checked
    def __init__(
        self,
        learning_rate: PositiveFloat,
        end_learning_rate: NonNegativeFloat,
        decay_steps: PositiveInt,
        power: PositiveFloat,
        update_decay_steps: bool = False,
    ):
        super().__init__()
        self.start_learning_rate, self.end_learning_rate = learning_rate, end_learning_rate
        self.decay_steps, self.power, self.update_decay_steps = decay_steps, power, update_decay_steps

    def _schedule(self):
        return schedules.polynomial_decay(
            self.start_learning_rate, self.end_learning_rate, self.decay_steps, self.power, self.update_decay_steps
        )


class WarmUpLR(_Formula):
    """From 0 to learning_rate in equal steps over `warmup_steps` steps."""

    @checked
    def __init__(self, learning_rate: NonNegativeFloat, warmup_steps: PositiveInt):
        super().__init__()
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps

    def _schedule(self):
        return schedules.warmup(self.learning_rate, self.warmup_steps)


__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]

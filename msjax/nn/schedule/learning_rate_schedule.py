"""Learning rates as a function of the step, computed on the device.

Each is a Cell: called with the global step (a Tensor) it gives the learning rate of that step as a float32 Tensor.
"""

import jax.numpy as jnp

from ...core.values.tensor import wrap
from ..cell.cell import Cell
from . import checks, formulas


class LearningRateSchedule(Cell):
    """Base class: a subclass computes the learning rate of a step in `construct(global_step)`.

    Example:
        >>> class Half(nn.LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.5 / (global_step + 1)
    """

    def construct(self, global_step):
        """Learning rate of the step; subclasses override it."""
        raise NotImplementedError(
            "For 'LearningRateSchedule', 'construct' must be overridden: it computes the "
            "learning rate from 'global_step'."
        )


class _DecayLR(LearningRateSchedule):
    """Checks and attributes of the decays with a rate and a number of steps."""

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        checks.decay(self.cls_name, learning_rate, decay_rate, is_stair, decay_steps=decay_steps)
        self.learning_rate, self.decay_rate = learning_rate, decay_rate
        self.decay_steps, self.is_stair = decay_steps, is_stair

    def _progress(self, global_step):
        p = _float(global_step) / jnp.float32(self.decay_steps)
        return jnp.floor(p) if self.is_stair else p


class ExponentialDecayLR(_DecayLR):
    """learning_rate * decay_rate ** (step / decay_steps); with `is_stair` the exponent is rounded down.

    Example:
        >>> nn.ExponentialDecayLR(0.1, 0.9, decay_steps=4)(Tensor(2, mindspore.int32))
    """

    def construct(self, global_step):
        return _rate(
            formulas.exponential(self.learning_rate, jnp.float32(self.decay_rate), self._progress(global_step))
        )


class NaturalExpDecayLR(_DecayLR):
    """learning_rate * e ** (-decay_rate * step); with `is_stair` the step is rounded down to a multiple of
    `decay_steps`."""

    def construct(self, global_step):
        t = _float(global_step)
        if self.is_stair:
            t = jnp.floor(t / self.decay_steps) * self.decay_steps
        return _rate(formulas.natural(self.learning_rate, self.decay_rate, t, jnp.exp))


class InverseDecayLR(_DecayLR):
    """learning_rate / (1 + decay_rate * step / decay_steps); with `is_stair` the quotient is rounded down."""

    def construct(self, global_step):
        return _rate(formulas.inverse(self.learning_rate, self.decay_rate, self._progress(global_step)))


class CosineDecayLR(LearningRateSchedule):
    """From max_lr to min_lr along half a cosine of `decay_steps` steps (Loshchilov and Hutter, 2017)."""

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        checks.cosine(self.cls_name, min_lr, max_lr, decay_steps=decay_steps)
        self.min_lr, self.max_lr, self.decay_steps = min_lr, max_lr, decay_steps

    def construct(self, global_step):
        p = jnp.minimum(_float(global_step), self.decay_steps) / self.decay_steps
        return _rate(formulas.cosine(self.min_lr, self.max_lr, p, jnp.cos))


class PolynomialDecayLR(LearningRateSchedule):
    """(learning_rate - end) * (1 - step / decay_steps) ** power + end; with `update_decay_steps` the decay starts
    over with longer times."""

    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False):
        super().__init__()
        checks.polynomial(
            self.cls_name,
            learning_rate,
            end_learning_rate,
            power,
            update_decay_steps,
            "update_decay_steps",
            decay_steps=decay_steps,
        )
        self.start_learning_rate, self.end_learning_rate = learning_rate, end_learning_rate
        self.decay_steps, self.power, self.update_decay_steps = decay_steps, power, update_decay_steps

    def construct(self, global_step):
        step, length = _float(global_step), jnp.float32(self.decay_steps)
        if self.update_decay_steps:
            length = length * jnp.maximum(jnp.ceil(step / length), 1)
        else:
            step = jnp.minimum(step, length)
        return _rate(formulas.polynomial(self.start_learning_rate, self.end_learning_rate, step / length, self.power))


class WarmUpLR(LearningRateSchedule):
    """From 0 to learning_rate in equal steps over `warmup_steps` steps."""

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        checks.warm_up(self.cls_name, learning_rate, warmup_steps=warmup_steps)
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps

    def construct(self, global_step):
        return _rate(self.learning_rate * (jnp.minimum(_float(global_step), self.warmup_steps) / self.warmup_steps))


def _float(global_step):
    """A step (Tensor or number) as a float32 array."""
    return jnp.asarray(getattr(global_step, "jax_array", global_step)).astype(jnp.float32)


def _rate(array):
    return wrap(jnp.asarray(array, jnp.float32))


__all__ = [
    "CosineDecayLR",
    "ExponentialDecayLR",
    "InverseDecayLR",
    "LearningRateSchedule",
    "NaturalExpDecayLR",
    "PolynomialDecayLR",
    "WarmUpLR",
]

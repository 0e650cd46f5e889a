"""Learning rates as a list with one number for each step.

`total_step` is the length of the list; the rate changes from epoch to epoch, `step_per_epoch` steps each.

Example:
    >>> nn.cosine_decay_lr(0.01, 0.1, total_step=6, step_per_epoch=2, decay_epoch=2)
    [0.1, 0.1, 0.05500000000000001, 0.05500000000000001, 0.01, 0.01]
"""

from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import NonNegativeFloat, PositiveFloat, PositiveInt
from ...optim import schedules
from . import checks

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


@checked
def piecewise_constant_lr(milestone: tuple | list, learning_rates: tuple | list):
    """`learning_rates[i]` up to step `milestone[i]`.

    Raises:
        TypeError, ValueError: arguments that are not lists of equal length, milestones that do not grow.
    """
    if len(milestone) != len(learning_rates):
        raise ValueError(
            "For 'piecewise_constant_lr', the size of 'milestone' must be same with the size of 'learning_rates', but "
            f"got 'milestone' size: {len(milestone)}, 'learning_rates' size: {len(learning_rates)}."
        )
    last = 0
    for i, (step, rate) in enumerate(zip(milestone, learning_rates)):
        check.check_positive_int(step, f"milestone[{i}]")
        check.check_is_float(rate, f"learning_rates[{i}]")
        if step < last:
            raise ValueError(
                f"For 'piecewise_constant_lr', the value of milestone[{i}] must be greater than milestone[{i - 1}], "
                f"but got milestone[{i}]: {step}, milestone[{i - 1}]: {last}."
            )
        last = step
    schedule = schedules.piecewise_constant(milestone, learning_rates)
    return [schedule(step) for step in range(last)]


def _by_epoch(schedule, total_step, step_per_epoch):
    """The rate of each step, of a schedule of the epochs."""
    return [schedule(step // step_per_epoch) for step in range(total_step)]


@checked
def exponential_decay_lr(
    learning_rate: PositiveFloat,
    decay_rate: PositiveFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
    is_stair: bool = False,
):
    """learning_rate * decay_rate ** (epoch / decay_epoch); with `is_stair` the exponent is rounded down."""
    schedule = schedules.exponential_decay(learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch(schedule, total_step, step_per_epoch)


@checked
def natural_exp_decay_lr(
    learning_rate: PositiveFloat,
    decay_rate: PositiveFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
    is_stair: bool = False,
):
    """learning_rate * e ** (-decay_rate * epoch); with `is_stair` the epoch is rounded down to a multiple of
    `decay_epoch`.
    """
    schedule = schedules.natural_exp_decay(learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch(schedule, total_step, step_per_epoch)


@checked
def inverse_decay_lr(
    learning_rate: PositiveFloat,
    decay_rate: PositiveFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
    is_stair: bool = False,
):
    """learning_rate / (1 + decay_rate * epoch / decay_epoch); with `is_stair` the quotient is rounded down."""
    schedule = schedules.inverse_decay(learning_rate, decay_rate, decay_epoch, is_stair)
    return _by_epoch(schedule, total_step, step_per_epoch)


@checked
def cosine_decay_lr(
    min_lr: NonNegativeFloat,
    max_lr: PositiveFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
):
    """From max_lr to min_lr along half a cosine of `decay_epoch` epochs (Loshchilov and Hutter, 2017)."""
    checks.rising("cosine_decay_lr", min_lr, max_lr)
    return _by_epoch(schedules.cosine_decay(min_lr, max_lr, decay_epoch), total_step, step_per_epoch)


@checked
def polynomial_decay_lr(
    learning_rate: PositiveFloat,
    end_learning_rate: NonNegativeFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
    power: PositiveFloat,
    update_decay_epoch: bool = False,
):
    """(learning_rate - end) * (1 - epoch / decay_epoch) ** power + end; with `update_decay_epoch` the decay starts
    over with longer times.
    """
    schedule = schedules.polynomial_decay(learning_rate, end_learning_rate, decay_epoch, power, update_decay_epoch)
    return _by_epoch(schedule, total_step, step_per_epoch)


@checked
def warmup_lr(
    learning_rate: NonNegativeFloat, total_step: PositiveInt, step_per_epoch: PositiveInt, warmup_epoch: PositiveInt
):
    """From 0 to learning_rate in equal steps over `warmup_epoch` epochs."""
    return _by_epoch(schedules.warmup(learning_rate, warmup_epoch), total_step, step_per_epoch)

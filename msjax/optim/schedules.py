"""MindSpore's learning-rate schedules as optax schedules: functions of the count (steps, or epochs) that give the rate.

A count that is an array gives a float32 array, with the rounding of the Cells `nn.ExponentialDecayLR` and so on; a Python number gives a
float, with that of the lists `nn.exponential_decay_lr` and so on. The functions that end in `_lr` are the closed forms of
`mindspore.experimental.optim.lr_scheduler`. Join several with `optax.join_schedules`.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ..core.operators.quotients import exact_quotient

if TYPE_CHECKING:
    import types

__all__ = [
    "constant_lr",
    "cosine_annealing_lr",
    "cosine_annealing_warm_restarts",
    "cosine_decay",
    "cyclic_lr",
    "exponential_decay",
    "exponential_lr",
    "inverse_decay",
    "linear_lr",
    "listed",
    "multi_step_lr",
    "natural_exp_decay",
    "piecewise_constant",
    "polynomial_decay",
    "polynomial_lr",
    "step_lr",
    "warmup",
]
Number = float | jax.Array
_HOST = SimpleNamespace(floor=math.floor, ceil=math.ceil, exp=math.exp, cos=math.cos, minimum=min, maximum=max)


def _schedule(formula: Callable[[Any, Any], Any]) -> optax.Schedule:
    """The schedule of a formula(count, functions): Python's functions for a Python number, else those of JAX, in float32."""

    def at(count: Any) -> Any:
        if isinstance(count, (int, float)):
            return formula(count, _HOST)
        return jnp.asarray(formula(jnp.asarray(count).astype(jnp.float32), jnp), jnp.float32)

    return at


def _like(count: Any, value: float) -> Any:
    """A number as the formula takes it: float32 beside an array."""
    return value if isinstance(count, (int, float)) else np.float32(value)


def _over(part: Any, whole: Any, x: Any) -> Any:
    """part / whole, rounded once."""
    return part / whole if x is _HOST else exact_quotient(part, jnp.asarray(whole, part.dtype))


def exponential_decay(
    learning_rate: Number, decay_rate: float, decay_steps: int, is_stair: bool = False
) -> optax.Schedule:
    """learning_rate * decay_rate ** (count / decay_steps); with `is_stair` the exponent is rounded down (`nn.ExponentialDecayLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.exponential_decay(8.0, 0.5, 2)(4))
        2.0
    """

    def formula(count, x):
        p = _over(count, _like(count, decay_steps), x)
        return learning_rate * _like(count, decay_rate) ** (x.floor(p) if is_stair else p)

    return _schedule(formula)


def natural_exp_decay(
    learning_rate: Number, decay_rate: float, decay_steps: int, is_stair: bool = False
) -> optax.Schedule:
    """learning_rate * e ** (-decay_rate * count); with `is_stair` the count is rounded down to a multiple of `decay_steps`
    (`nn.NaturalExpDecayLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.natural_exp_decay(1.0, 0.5, 2, is_stair=True)(3))
        0.36787944117144233
    """

    def formula(count, x):
        t = x.floor(_over(count, decay_steps, x)) * decay_steps if is_stair else count
        return learning_rate * x.exp(-decay_rate * t)

    return _schedule(formula)


def inverse_decay(learning_rate: Number, decay_rate: float, decay_steps: int, is_stair: bool = False) -> optax.Schedule:
    """learning_rate / (1 + decay_rate * count / decay_steps); with `is_stair` the quotient is rounded down (`nn.InverseDecayLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.inverse_decay(1.0, 0.5, 2)(4))
        0.5
    """

    def formula(count, x):
        p = _over(count, _like(count, decay_steps), x)
        return learning_rate / (1 + decay_rate * (x.floor(p) if is_stair else p))

    return _schedule(formula)


def cosine_decay(min_lr: float, max_lr: float, decay_steps: int) -> optax.Schedule:
    """From max_lr to min_lr along half a cosine of `decay_steps` counts (Loshchilov and Hutter, https://arxiv.org/abs/1608.03983;
    `nn.CosineDecayLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.cosine_decay(0.0, 1.0, 4)(4))
        0.0
    """

    def formula(count, x):
        p = _over(x.minimum(count, decay_steps), decay_steps, x)
        return min_lr + 0.5 * (max_lr - min_lr) * (1.0 + x.cos(math.pi * p))

    return _schedule(formula)


def polynomial_decay(
    learning_rate: Number, end_learning_rate: float, decay_steps: int, power: float, update_decay_steps: bool = False
) -> optax.Schedule:
    """(learning_rate - end) * (1 - count / decay_steps) ** power + end; with `update_decay_steps` the decay starts over with longer times
    (`nn.PolynomialDecayLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.polynomial_decay(1.0, 0.5, 4, 2.0)(2))
        0.625
    """

    def formula(count, x):
        length = _like(count, decay_steps)
        if update_decay_steps:
            length = length * x.maximum(x.ceil(_over(count, length, x)), 1)
        p = _over(x.minimum(count, length), length, x)
        return (learning_rate - end_learning_rate) * (1.0 - p) ** power + end_learning_rate

    return _schedule(formula)


def warmup(learning_rate: Number, warmup_steps: int) -> optax.Schedule:
    """From 0 to learning_rate in equal steps over `warmup_steps` counts (`nn.WarmUpLR`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.warmup(1.0, 2)(count) for count in range(4)])
        [0.0, 0.5, 1.0, 1.0]
    """

    def formula(count, x):
        part = x.minimum(count, warmup_steps)
        if x is _HOST:  # the list and the Cell of MindSpore round differently
            return learning_rate * part / warmup_steps
        return learning_rate * _over(part, warmup_steps, x)

    return _schedule(formula)


def piecewise_constant(milestone: Sequence[int], learning_rates: Sequence[float]) -> optax.Schedule:
    """`learning_rates[i]` while the count is below `milestone[i]`; the last rate stays (`nn.piecewise_constant_lr`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.piecewise_constant([2, 3], [0.5, 0.25])(count) for count in range(5)])
        [0.5, 0.5, 0.25, 0.25, 0.25]
    """
    milestone, learning_rates = list(milestone), list(learning_rates)

    def at(count: Any) -> Any:
        if isinstance(count, (int, float)):
            return learning_rates[min(bisect_right(milestone, count), len(learning_rates) - 1)]
        place = jnp.searchsorted(jnp.asarray(milestone), jnp.asarray(count), side="right")
        return jnp.asarray(learning_rates, jnp.float32)[jnp.minimum(place, len(learning_rates) - 1)]

    return at


def listed(learning_rates: Any) -> optax.Schedule:
    """One rate for each count, of a list or 1-D array; after the last one it stays (a list as `learning_rate` of an optimizer of `nn`).

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> print(optim.schedules.listed([0.5, 0.25])(jnp.int32(7)))
        0.25
    """
    rates = jnp.asarray(learning_rates, jnp.float32)
    return lambda count: rates[jnp.minimum(count, rates.shape[0] - 1)]


# --- closed forms of experimental.optim.lr_scheduler
def step_lr(learning_rate: Number, step_size: int, gamma: float = 0.1) -> optax.Schedule:
    """learning_rate times `gamma` every `step_size` counts (`lr_scheduler.StepLR`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.step_lr(1.0, 2, 0.5)(count) for count in range(5)])
        [1.0, 1.0, 0.5, 0.5, 0.25]
    """
    return _schedule(lambda count, x: learning_rate * _like(count, gamma) ** (count // step_size))


def multi_step_lr(learning_rate: Number, milestones: Sequence[int], gamma: float = 0.1) -> optax.Schedule:
    """learning_rate times `gamma` at each of the milestones (`lr_scheduler.MultiStepLR`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.multi_step_lr(1.0, [1, 3], 0.5)(count) for count in range(4)])
        [1.0, 0.5, 0.5, 0.25]
    """

    def formula(count, x):
        if x is _HOST:
            return learning_rate * gamma ** sum(m <= count for m in milestones)
        passed = (jnp.asarray(milestones, jnp.float32) <= count).sum()
        return learning_rate * np.float32(gamma) ** passed.astype(jnp.float32)

    return _schedule(formula)


def constant_lr(learning_rate: Number, factor: float = 1.0 / 3, total_iters: int = 5) -> optax.Schedule:
    """learning_rate times `factor` for the first `total_iters` counts, then learning_rate (`lr_scheduler.ConstantLR`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.constant_lr(1.0, 0.5, 2)(count) for count in range(4)])
        [0.5, 0.5, 1.0, 1.0]
    """

    def formula(count, x):
        if x is _HOST:
            return learning_rate * (1.0 if count >= total_iters else factor)
        return learning_rate * jnp.where(count >= total_iters, np.float32(1), np.float32(factor))

    return _schedule(formula)


def linear_lr(
    learning_rate: Number, start_factor: float = 1.0 / 3, end_factor: float = 1.0, total_iters: int = 5
) -> optax.Schedule:
    """From start_factor to end_factor times learning_rate in equal steps over `total_iters` counts (`lr_scheduler.LinearLR`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.linear_lr(1.0, 0.5, 1.0, 2)(count) for count in range(4)])
        [0.5, 0.75, 1.0, 1.0]
    """

    def formula(count, x):
        done = _over(x.minimum(_like(count, total_iters), count), total_iters, x)
        return learning_rate * (start_factor + (end_factor - start_factor) * done)

    return _schedule(formula)


def exponential_lr(learning_rate: Number, gamma: float) -> optax.Schedule:
    """learning_rate * gamma ** count (`lr_scheduler.ExponentialLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.exponential_lr(1.0, 0.5)(3))
        0.125
    """
    return _schedule(lambda count, x: learning_rate * _like(count, gamma) ** count)


def polynomial_lr(learning_rate: Number, total_iters: int = 5, power: float = 1.0) -> optax.Schedule:
    """learning_rate * (1 - count / total_iters) ** power, down to 0 (`lr_scheduler.PolynomialLR`).

    Example:
        >>> from msjax import optim
        >>> print(optim.schedules.polynomial_lr(1.0, 4, 2.0)(2))
        0.25
    """

    def formula(count, x):
        left = _like(count, 1.0) - _over(x.minimum(_like(count, total_iters), count), total_iters, x)
        return learning_rate * left ** _like(count, power)

    return _schedule(formula)


def cosine_annealing_lr(learning_rate: Number, t_max: int, eta_min: float = 0.0) -> optax.Schedule:
    """Along a cosine from learning_rate to `eta_min` in `t_max` counts, and back (https://arxiv.org/abs/1608.03983;
    `lr_scheduler.CosineAnnealingLR`).

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.cosine_annealing_lr(1.0, 2)(count) for count in (0, 2, 4)])
        [1.0, 0.0, 1.0]
    """

    def formula(count, x):
        height = (_like(count, 1.0) + x.cos(math.pi * count / t_max)) / 2
        return eta_min + (learning_rate - eta_min) * height

    return _schedule(formula)


def cosine_annealing_warm_restarts(
    learning_rate: Number, t_0: int, t_mult: int = 1, eta_min: float = 0.0
) -> optax.Schedule:
    """Along a cosine to `eta_min`, starting over after t_0, t_0 t_mult, t_0 t_mult^2, ... counts (https://arxiv.org/abs/1608.03983;
    `lr_scheduler.CosineAnnealingWarmRestarts`).

    Example:
        >>> from msjax import optim
        >>> schedule = optim.schedules.cosine_annealing_warm_restarts(1.0, 2, 2)
        >>> print([round(schedule(count), 4) for count in range(7)])
        [1.0, 0.5, 1.0, 0.8536, 0.5, 0.1464, 1.0]
    """

    def formula(count, x):
        if x is _HOST:
            within, length = restart(count, t_0, t_mult)
        else:
            # the start of each cycle that a 32-bit count can reach; one alone where all cycles have the same length
            starts = [t_0 * ((t_mult**k - 1) // (t_mult - 1)) for k in range(32)] if t_mult > 1 else [0]
            starts = np.array([s for s in starts if s < 2**31], np.float32)
            cycle = jnp.searchsorted(starts, count, side="right") - 1
            length = np.float32(t_0) * np.float32(t_mult) ** cycle.astype(jnp.float32)
            within = count % t_0 if t_mult == 1 else count - jnp.asarray(starts)[cycle]
        return annealed(learning_rate, eta_min, within, length, x)

    return _schedule(formula)


def annealed(
    learning_rate: float | jax.Array,
    eta_min: float | jax.Array,
    within: jax.Array,
    length: jax.Array,
    x: "types.ModuleType" = jnp,
) -> Any:
    """Along half a cosine from learning_rate to eta_min: the rate `within` counts after its start. x: module of `cos`."""
    return (
        eta_min + (learning_rate - eta_min) * (_like(within, 1.0) + x.cos(_like(within, math.pi) * within / length)) / 2
    )


def restart(count: float, t_0: int, t_mult: int) -> tuple[float, float]:
    """(counts since the last warm restart, length of the cycle) at a count, which may be a fraction."""
    first = float(t_0)
    if count < first:
        return count, first
    if t_mult == 1:
        return count % first, first
    cycle = int(math.log(count / first * (t_mult - 1) + 1, t_mult))
    return count - first * (t_mult**cycle - 1) / (t_mult - 1), first * t_mult**cycle


def cyclic_lr(
    base_lr: Number,
    max_lr: Number,
    step_size_up: float = 2000,
    step_size_down: float | None = None,
    mode: str = "triangular",
    gamma: float = 1.0,
    scale_fn: Callable[[Any], Any] | None = None,
    scale_mode: str = "cycle",
) -> optax.Schedule:
    """Up from `base_lr` to `max_lr` in `step_size_up` counts and down again, over and over (Smith, https://arxiv.org/abs/1506.01186;
    `lr_scheduler.CyclicLR`).

    Args:
        base_lr, max_lr: lowest and highest rate.
        step_size_up, step_size_down: counts of the halves of a cycle.
        mode: "triangular", "triangular2" (the height halves each cycle) or "exp_range" (times gamma ** count).
        scale_fn: function for the height in place of a mode, of the cycle or the count, as `scale_mode` ("cycle" or "iterations") says.

    Raises:
        ValueError: an unknown mode, without `scale_fn`.

    Example:
        >>> from msjax import optim
        >>> print([optim.schedules.cyclic_lr(0.0, 1.0, 2)(count) for count in range(5)])
        [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    heights = {
        "triangular": lambda x: 1.0,
        "triangular2": lambda x: 1 / 2.0 ** (x - 1),
        "exp_range": lambda x: gamma**x,
    }
    if scale_fn is None:
        if mode not in heights:
            raise ValueError(
                f"For 'optim.schedules.cyclic_lr', the 'mode' must be one of {list(heights)}, but got {mode!r}."
            )
        scale_fn, scale_mode = heights[mode], "iterations" if mode == "exp_range" else "cycle"
    up = float(step_size_up)
    total = up + (up if step_size_down is None else float(step_size_down))
    ratio = up / total

    def formula(count, x):
        part = _over(count, _like(count, total), x)
        cycle = x.floor(_like(count, 1.0) + part)
        place = _like(count, 1.0) + part - cycle
        rising, falling = place / ratio, (place - 1) / (ratio - 1)
        height = (rising if place <= ratio else falling) if x is _HOST else jnp.where(place <= ratio, rising, falling)
        return base_lr + (max_lr - base_lr) * height * scale_fn(cycle if scale_mode == "cycle" else count)

    return _schedule(formula)

"""Schedulers of `mindspore.experimental`: each `step()` writes the learning rates of an optimizer's groups.

The rates and the epoch are Parameters and every formula is free of Python branches, so `step()` may stand inside a
compiled function.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal

import jax.numpy as jnp
import numpy as np

from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, Within
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor, wrap
from ...optim import ratios, schedules
from .optimizer import Optimizer

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


def _array(value):
    """float32 array of a number, Tensor or array."""
    return jnp.asarray(getattr(value, "jax_array", value)).astype(jnp.float32)


def _number(first, name):
    return Parameter(Tensor(first, mstype.float32), name=name)


def _check_optimizer(optimizer):
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _per_group(optimizer, values, message):
    """A list with one value for each group; a single value serves all."""
    if not isinstance(values, (list, tuple)):
        return [values] * len(optimizer.param_groups)
    if len(values) != len(optimizer.param_groups):
        raise ValueError(message.format(len(optimizer.param_groups), len(values)))
    return list(values)


class LRScheduler:
    """Base class: a subclass computes the rates of an epoch in `get_lr()`, from `self.last_epoch`, `self.base_lrs`
    and `self._last_lr`.

    Args:
        optimizer: Optimizer of `mindspore.experimental`. last_epoch: number of the last epoch; -1 starts anew.

    Raises:
        TypeError, ValueError, KeyError: no such Optimizer, an epoch below -1, a continued schedule without
        "initial_lr" in its groups.

    Example:
        >>> from mindspore import experimental
        >>> class Halving(experimental.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return [rate * 0.5**self.last_epoch for rate in self.base_lrs]
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1):
        _check_optimizer(optimizer)
        check.check_value_type("last_epoch", last_epoch, [int])
        if last_epoch < -1:
            raise ValueError(f"Invalid last_epoch: {last_epoch}")
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", wrap(jnp.copy(group["lr"].jax_array)))
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{i}] when resuming an optimizer")
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.optimizer = optimizer
        self._last_lr = list(optimizer.lrs)
        self.groups_num = len(optimizer.param_groups)
        self.last_epoch = _number(last_epoch, f"last_epoch_{type(self).__name__}")
        self.step()

    def get_lr(self):
        """Rates of the epoch `self.last_epoch`, one for each group; subclasses override it."""
        raise NotImplementedError(f"'{type(self).__name__}' must define 'get_lr'.")

    def get_last_lr(self):
        """Present rates: a list of Tensors."""
        return [wrap(rate.jax_array) for rate in self._last_lr]

    def step(self, epoch: int | None = None):
        """Go to the next epoch (or to `epoch`), and write the rates."""
        if epoch is None:
            self.last_epoch._assign(self.last_epoch.jax_array + np.float32(1))
            rates = self.get_lr()
        else:
            self.last_epoch._assign(_array(epoch).reshape(()))
            rates = self._get_closed_form_lr() if hasattr(self, "_get_closed_form_lr") else self.get_lr()
        for parameter, rate in zip(self._last_lr, rates):
            parameter._assign(_array(rate).reshape(()))
        return True

    # --- for subclasses of this file: arrays instead of Tensors
    @property
    def _epoch(self):
        return self.last_epoch.jax_array

    def _scaled(self, ratio):
        """The present rates times the factor of this epoch. ratio: a schedule of `optim.ratios`."""
        factor = ratio(self._epoch)
        return [wrap(rate.jax_array * factor) for rate in self._last_lr]

    def _closed(self, schedule, *options):
        """The rates of this epoch. schedule: function of `optim.schedules` that takes the first rate and options."""
        return [wrap(schedule(_array(base), *options)(self._epoch)) for base in self.base_lrs]


class StepLR(LRScheduler):
    """Rates times `gamma` every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1):
        if not isinstance(step_size, int):
            raise TypeError(f"For 'StepLR', the 'step_size' must be int, but got {type(step_size)}.")
        if not isinstance(gamma, float):
            raise TypeError(f"For 'StepLR', the 'gamma' must be float, but got {type(gamma)}.")
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(ratios.step(self.step_size, self.gamma))

    def _get_closed_form_lr(self):
        return self._closed(schedules.step_lr, self.step_size, self.gamma)


class LinearLR(LRScheduler):
    """Rates from start_factor to end_factor times the first ones, in equal steps over `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ):
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less than or equal to 1."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        if not isinstance(total_iters, int):
            raise TypeError(f"For 'LinearLR', the type of total_iters must be int, but got {type(total_iters)}.")
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(ratios.linear(self.start_factor, self.end_factor, self.total_iters))

    def _get_closed_form_lr(self):
        return self._closed(schedules.linear_lr, self.start_factor, self.end_factor, self.total_iters)


class ExponentialLR(LRScheduler):
    """Rates times `gamma` at every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1):
        if not isinstance(gamma, float):
            raise TypeError(f"For 'ExponentialLR', the 'gamma' must be float, but got {type(gamma)}.")
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(ratios.exponential(self.gamma))

    def _get_closed_form_lr(self):
        return self._closed(schedules.exponential_lr, self.gamma)


class PolynomialLR(LRScheduler):
    """Rates times (1 - epoch / total_iters) ** power, down to 0."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1):
        if not isinstance(power, float):
            raise TypeError(f"For 'PolynomialLR', the 'power' must be float, but got {type(power)}.")
        if power < 0:
            raise ValueError(f"For 'PolynomialLR', the 'power' must be >= 0, but got {power}.")
        if not isinstance(total_iters, int):
            raise TypeError(f"For 'PolynomialLR', the type of total_iters must be int, but got {type(total_iters)}.")
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(ratios.polynomial(self.total_iters, self.power))

    def _get_closed_form_lr(self):
        return self._closed(schedules.polynomial_lr, self.total_iters, self.power)


class LambdaLR(LRScheduler):
    """First rates times `lr_lambda(epoch)`; a function, or one for each group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        _check_optimizer(optimizer)
        self.lr_lambdas = _per_group(optimizer, lr_lambda, "Expected {} lr_lambdas, but got {}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * function(self.last_epoch) for function, base in zip(self.lr_lambdas, self.base_lrs)]


class MultiplicativeLR(LRScheduler):
    """Rates times `lr_lambda(epoch)` at every epoch but the first; a function, or one for each group."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1):
        _check_optimizer(optimizer)
        self.lr_lambdas = _per_group(optimizer, lr_lambda, "Expected {} lr_lambdas, but got {}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        moving = self._epoch > 0
        return [
            wrap(jnp.where(moving, rate.jax_array * _array(function(self.last_epoch)), rate.jax_array))
            for function, rate in zip(self.lr_lambdas, self._last_lr)
        ]


class MultiStepLR(LRScheduler):
    """Rates times `gamma` at each of the milestones (a list of epochs)."""

    def __init__(self, optimizer: Optimizer, milestones: list[int], gamma: float = 0.1, last_epoch: int = -1):
        check.check_value_type("milestones", milestones, [list])
        for milestone in milestones:
            if not isinstance(milestone, int):
                raise TypeError(
                    "For 'MultiStepLR', elements of the 'milestones' must be type of int, but got one element of "
                    f"'milestones' type: {type(milestone)}."
                )
        check.check_value_type("gamma", gamma, [float, int])
        self.milestones, self.gamma = milestones, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return self._scaled(ratios.multi_step(self.milestones, self.gamma))

    def _get_closed_form_lr(self):
        return self._closed(schedules.multi_step_lr, self.milestones, self.gamma)


class ConstantLR(LRScheduler):
    """Rates times `factor` for the first `total_iters` epochs."""

    def __init__(self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1):
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        if not isinstance(total_iters, int):
            raise TypeError(f"For 'ConstantLR', the type of total_iters must be int, but got {type(total_iters)}.")
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        factor, epoch = np.float32(self.factor), self._epoch
        return [
            wrap(
                jnp.where(
                    epoch == 0,
                    rate.jax_array * factor,
                    jnp.where(epoch == self.total_iters, rate.jax_array / factor, rate.jax_array),
                )
            )
            for rate in self._last_lr
        ]

    def _get_closed_form_lr(self):
        return self._closed(schedules.constant_lr, self.factor, self.total_iters)


class CosineAnnealingLR(LRScheduler):
    """Rates along a cosine from the first ones to `eta_min` in `T_max` epochs, and back (Loshchilov and Hutter,
    2017).
    """

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1):
        if not isinstance(eta_min, (float, int)):
            raise TypeError(f"For 'CosineAnnealingLR', the 'eta_min' must be float or int, but got {type(eta_min)}.")
        if not isinstance(T_max, int):
            raise TypeError(f"For 'CosineAnnealingLR', the 'T_max' must be int, but got {type(T_max)}.")
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        epoch, low = self._epoch, np.float32(self.eta_min)
        turning = (epoch - 1 - self.T_max) % (2 * self.T_max) == 0
        now, before = (np.float32(1) + jnp.cos(math.pi * e / self.T_max) for e in (epoch, epoch - 1))
        ratio = now / jnp.where(turning, np.float32(1), before)
        rise = np.float32((1 - math.cos(math.pi / self.T_max)) / 2)
        rates = []
        for base, rate in zip(self.base_lrs, self._last_lr):
            rate = rate.jax_array
            moved = jnp.where(turning, rate + (_array(base) - low) * rise, ratio * (rate - low) + low)
            rates.append(wrap(jnp.where(epoch == 0, rate, moved)))
        return rates

    def _get_closed_form_lr(self):
        return self._closed(schedules.cosine_annealing_lr, self.T_max, self.eta_min)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Rates along a cosine to `eta_min`, starting over after T_0, T_0 T_mult, T_0 T_mult^2, ... epochs (Loshchilov
    and Hutter, 2017).
    """

    def __init__(self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0, last_epoch: int = -1):
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"T_0 should be an integer and equal or greater than 0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"T_mult should be an integer and equal or greater than 1, but got {T_mult}")
        check.check_value_type("eta_min", eta_min, [float, int])
        self.T_0, self.T_i, self.T_cur = _number(T_0, "T_0"), _number(T_0, "T_i"), _number(last_epoch, "T_cur")
        self.T_mult, self.eta_min = T_mult, Tensor(eta_min)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        low, within, length = _array(self.eta_min), self.T_cur.jax_array, self.T_i.jax_array
        return [wrap(schedules.annealed(_array(base), low, within, length)) for base in self.base_lrs]

    def step(self, epoch: int | float | None = None):
        """Go to the next epoch, or to `epoch` (which may be a fraction), and write the rates."""
        if epoch is None:
            now, within, length = self._epoch, self.T_cur.jax_array, self.T_i.jax_array
            first = now < 0
            within = jnp.where(first, np.float32(0), within + 1)
            over = within >= length
            self.T_cur._assign(jnp.where(over, within - length, within))
            self.T_i._assign(jnp.where(over, length * np.float32(self.T_mult), length))
            self.last_epoch._assign(jnp.where(first, np.float32(0), now + 1))
        else:
            self._jump(float(epoch))
        for group, rate in zip(self.optimizer.param_groups, self.get_lr()):
            group["lr"]._assign(_array(rate))

    def _jump(self, epoch):
        if epoch < 0:
            raise ValueError(f"epoch should be a non-negative integer, but got {epoch}")
        within, length = schedules.restart(epoch, self.T_0, self.T_mult)
        for parameter, value in ((self.T_cur, within), (self.T_i, length), (self.last_epoch, math.floor(epoch))):
            parameter._assign(jnp.float32(value))


class CyclicLR(LRScheduler):
    """Rates that go up from `base_lr` to `max_lr` in `step_size_up` steps and down again, over and over (Smith, 2017).

    Args:
        optimizer: see LRScheduler. base_lr, max_lr: a number, or one for each group. step_size_up, step_size_down:
        steps of the halves of a cycle. mode: "triangular", "triangular2" (the height halves each cycle) or "exp_range"
        (times gamma ** step).
        scale_fn: function for the height in place of a mode, of the cycle or the step as `scale_mode` ("cycle" or
        "iterations") says.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Any,
        max_lr: Any,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
    ):
        _check_optimizer(optimizer)
        low, high = (
            _per_group(optimizer, v, "Expected {} values for " + what + ", got {}")
            for v, what in ((base_lr, "base_lr"), (max_lr, "max_lr"))
        )
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, low):
                group["lr"].set_data(Tensor(rate, mstype.float32))
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self._halves = step_size_up, step_size_down
        self.mode, self.gamma = mode, gamma
        self.scale_mode = scale_mode if scale_fn is not None else "iterations" if mode == "exp_range" else "cycle"
        self._scale_fn_custom = scale_fn
        self.max_lrs = [Tensor(rate, mstype.float32) for rate in high]
        lows = self.base_lrs = [Tensor(rate, mstype.float32) for rate in low]
        super().__init__(optimizer, last_epoch)
        self.base_lrs = lows

    def scale_fn(self, x: Tensor):
        """Height of a cycle, as a part of the full height."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "triangular":
            return 1.0
        return self.gamma**x if self.mode == "exp_range" else 1 / 2.0 ** (x - 1)

    def get_lr(self):
        def height(x):
            return _array(self.scale_fn(wrap(x)))

        return [
            wrap(
                schedules.cyclic_lr(
                    _array(low), _array(high), *self._halves, scale_fn=height, scale_mode=self.scale_mode
                )(self._epoch)
            )
            for low, high in zip(self.base_lrs, self.max_lrs)
        ]


class SequentialLR:
    """Several schedulers in sequence, changing at the milestones.

    Raises:
        ValueError: schedulers of different optimizers; not one milestone less than schedulers.
    """

    def __init__(self, optimizer: Optimizer, schedulers: Sequence, milestones: list[int], last_epoch: int = -1):
        for i, scheduler in enumerate(schedulers):
            if scheduler.optimizer is not optimizer:
                raise ValueError(
                    "Sequential Schedulers expects all schedulers to belong to the same optimizer, but got scheduler "
                    f"at index {i} is different from the optimizer passed in."
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones "
                f"{len(milestones)}"
            )
        self._schedulers, self.milestones, self.optimizer = schedulers, milestones, optimizer
        self.last_epoch = _number(last_epoch + 1, f"last_epoch_{type(self).__name__}")
        for group in optimizer.param_groups:
            group["lr"]._assign(_array(group["initial_lr"]))
        for scheduler in schedulers:
            scheduler.last_epoch._assign(scheduler.last_epoch.jax_array - 1)
        schedulers[0].step()
        self._last_lr = schedulers[0]._last_lr

    def step(self):
        """Go to the next epoch, and let its scheduler write the rates."""
        self.last_epoch._assign(self.last_epoch.jax_array + 1)
        epoch = int(self.last_epoch)
        index = bisect_right(self.milestones, epoch)
        if index > 0 and self.milestones[index - 1] == epoch:
            self._schedulers[index].step(0)
        else:
            self._schedulers[index].step()

    def get_last_lr(self):
        """Present rates: a list of Tensors."""
        return [wrap(rate.jax_array) for rate in self._last_lr]


class ReduceLROnPlateau:
    """Rates times `factor` when a metric has not improved for more than `patience` epochs.

    Args:
        optimizer: see LRScheduler. mode: "min" or "max", what is an improvement. factor: below 1. threshold,
        threshold_mode: by how much the metric must improve, as a part of it ("rel") or absolutely ("abs"). cooldown:
        epochs to wait after a change. min_lr: smallest rate, or one for each group. eps: smaller changes are left out.

    Raises:
        TypeError, ValueError: no Optimizer, an unknown mode, a factor of 1 or more.
    """

    @checked
    def __init__(
        self,
        optimizer: Optimizer,
        mode: AsValue[Literal["min", "max"]] = "min",
        factor: Annotated[Like[float], Within("(-inf, 1)")] = 0.1,
        patience: Like[int] = 10,
        threshold: Like[float] = 1e-4,
        threshold_mode: AsValue[Literal["rel", "abs"]] = "rel",
        cooldown: Like[int] = 0,
        min_lr: Any = 0,
        eps: Like[float] = 1e-8,
    ):
        self.optimizer, self.mode, self.factor, self.patience = optimizer, mode, factor, patience
        self.threshold, self.threshold_mode, self.cooldown, self.eps = threshold, threshold_mode, cooldown, eps
        self.min_lrs = [
            Tensor(rate, mstype.float32) for rate in _per_group(optimizer, min_lr, "Expected {} min_lrs, got {}")
        ]
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.last_epoch = Parameter(Tensor(0, mstype.int32), name=f"last_epoch_{type(self).__name__}")
        self.best, self.cooldown_counter, self.wait = (
            _number(v, n) for v, n in ((self.mode_worse, "best"), (0, "cooldown_counter"), (0, "wait"))
        )
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics: Any):
        """Read the metric of an epoch, and reduce the rates if it has stopped improving."""
        current, zero = _array(metrics).reshape(()), np.float32(0)
        self.last_epoch._assign(self.last_epoch.jax_array + np.int32(1))
        better = self._better(current, self.best.jax_array)
        self.best._assign(jnp.where(better, current, self.best.jax_array))
        wait = jnp.where(better, zero, self.wait.jax_array + 1)
        cooling = self.cooldown_counter.jax_array > 0
        rest = jnp.where(cooling, self.cooldown_counter.jax_array - 1, self.cooldown_counter.jax_array)
        wait = jnp.where(cooling, zero, wait)
        due = wait > self.patience
        for rate, least in zip(self._last_lr, self.min_lrs):
            new = jnp.maximum(rate.jax_array * np.float32(self.factor), least.jax_array)
            rate._assign(jnp.where(due & (rate.jax_array > new + np.float32(self.eps)), new, rate.jax_array))
        self.cooldown_counter._assign(jnp.where(due, np.float32(self.cooldown), rest))
        self.wait._assign(jnp.where(due, zero, wait))
        return True

    def _better(self, current, best):
        sign = np.float32(-1 if self.mode == "min" else 1)
        margin = sign * np.float32(self.threshold)
        goal = best * (1 + margin) if self.threshold_mode == "rel" else best + margin
        return sign * current > sign * goal

    def in_cooldown(self):
        """Whether a change was made less than `cooldown` epochs ago: a bool Tensor."""
        return wrap(self.cooldown_counter.jax_array > 0)

    def get_last_lr(self):
        """Present rates: a list of Tensors."""
        return [wrap(rate.jax_array) for rate in self._last_lr]

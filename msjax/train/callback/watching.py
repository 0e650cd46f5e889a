"""Callbacks that watch a number: stop early, or lower the learning rate, when it no longer gets better."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ... import log
from ...core.operators.check import check_value_type
from ...core.spec.checking import checked
from ...core.spec.rules import NonNegativeInt, Within
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from .base import Callback
from .monitor import loss_value

if TYPE_CHECKING:
    from .base import RunContext

_SMALLER_IS_BETTER = (
    "hausdorff_distance",
    "mae",
    "mse",
    "loss",
    "perplexity",
    "mean_surface_distance",
    "root_mean_square_distance",
    "eval_loss",
)


class _Watching(Callback):
    """Keeps the best value of `monitor`: "loss" (of training), "eval_loss" or a metric of the evaluation in
    `Model.fit`.
    """

    @checked
    def __init__(
        self,
        monitor: str,
        mode: Literal["auto", "min", "max"],
        min_delta: int | float,
        patience: NonNegativeInt,
        verbose: bool,
    ):
        super().__init__()
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)
        self.patience, self.verbose = patience, verbose
        self._smaller = mode == "min" or mode == "auto" and monitor in _SMALLER_IS_BETTER
        self._restart()

    def _restart(self):
        self.wait, self.best = 0, np.inf if self._smaller else -np.inf

    def is_improvement(self, value, best):
        """Whether a value is better than another by at least `min_delta`."""
        return value < best - self.min_delta if self._smaller else value > best + self.min_delta

    def _get_monitor_value(self, params):
        """The number that is watched, or None (said in the log) if this epoch has none."""
        results = params.get("eval_results") or {}
        value = loss_value(params.net_outputs) if self.monitor == "loss" else results.get(self.monitor)
        if value is None:
            log.warning(
                f"{type(self).__name__} is conditioned on {self.monitor}, which is not available. "
                f"Available choices are: {['loss', *results]}"
            )
            return None
        if np.ndim(value) != 0:
            raise ValueError(f"{type(self).__name__} only supports scalar monitor now.")
        return float(value) or None  # MindSpore does not look at zeros


class EarlyStopping(_Watching):
    """Stops training when the watched number has not got better for `patience` epochs.

    Args:
        monitor: "loss", "eval_loss" or a metric of `Model.fit`. min_delta: smallest change that counts.
        patience: epochs to wait. verbose: print what is done. mode: "min", "max", or "auto" (by the name).
        baseline: the number must get better than this too. restore_best_weights: put back the weights of the best
            epoch.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.

    Example:
        >>> from mindspore.train import EarlyStopping
        >>> model.fit(3, dataset, dataset, callbacks=[EarlyStopping("accuracy", patience=3)])
    """

    @checked
    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: int | float = 0,
        patience: NonNegativeInt = 0,
        verbose: bool = False,
        mode: Literal["auto", "min", "max"] = "auto",
        baseline: Any = None,
        restore_best_weights: bool = False,
    ):
        super().__init__(monitor, mode, min_delta, patience, verbose)
        self.baseline = check_value_type("baseline", baseline, [float, int]) if baseline else None
        self.restore_best_weights = restore_best_weights
        self.stopped_epoch = 0
        self.best_weights_param_dict = None

    def on_train_begin(self, run_context: "RunContext"):
        """Forget an earlier run."""
        self._restart()
        self.stopped_epoch, self.best_weights_param_dict = 0, None

    def on_train_epoch_end(self, run_context: "RunContext"):
        """Look at the number; stop if it is time."""
        params = run_context.original_args()
        value = self._get_monitor_value(params)
        if value is None:
            return
        self.wait += 1
        if self.restore_best_weights and self.best_weights_param_dict is None:
            self._keep_weights(params)
        if self.is_improvement(value, self.best):
            self.best = value
            if self.restore_best_weights:
                self._keep_weights(params)
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        if self.wait >= max(self.patience, 1):  # an epoch that got better never stops
            self.stopped_epoch = params.cur_epoch_num
            run_context.request_stop()
            if self.best_weights_param_dict is not None:
                if self.verbose:
                    print("Restoring model weights from the end of the best epoch.")
                for name, parameter in params.train_network.parameters_dict().items():
                    parameter.set_data(Tensor(self.best_weights_param_dict[name], parameter.dtype))

    def _keep_weights(self, params):
        named = params.train_network.parameters_dict().items()
        self.best_weights_param_dict = {name: np.array(parameter.asnumpy()) for name, parameter in named}

    def on_train_end(self, run_context: "RunContext"):
        """Say at which epoch training was stopped."""
        if self.stopped_epoch > 0 and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping")


class ReduceLROnPlateau(_Watching):
    """Multiplies the learning rate by `factor` when the watched number has not got better for `patience` epochs.

    Args:
        monitor, mode, min_delta, patience, verbose: as for `EarlyStopping`. factor: float between 0 and 1.
        cooldown: epochs to wait after a change. min_lr: the rate never falls below this.

    Raises:
        TypeError, ValueError: arguments of the wrong kind; the optimizer's rate is a schedule or differs by group.
    """

    @checked
    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: Annotated[float | np.number, Within("(0, 1)")] = 0.1,
        patience: NonNegativeInt = 10,
        verbose: bool = False,
        mode: Literal["auto", "min", "max"] = "auto",
        min_delta: int | float = 1e-4,
        cooldown: NonNegativeInt = 0,
        min_lr: int | float = 0,
    ):
        super().__init__(monitor, mode, min_delta, patience, verbose)
        self.factor, self.cooldown, self.min_lr = factor, cooldown, min_lr
        self.cooldown_counter = 0

    def on_train_begin(self, run_context: "RunContext"):
        """Forget an earlier run."""
        self._restart()
        self.cooldown_counter = 0

    def on_train_epoch_end(self, run_context: "RunContext"):
        """Look at the number; lower the rate if it is time."""
        params = run_context.original_args()
        rate = params.optimizer.learning_rate
        if not isinstance(rate, Parameter):
            raise ValueError("ReduceLROnPlateau does not support dynamic learning rate and group learning rate now.")
        value = self._get_monitor_value(params)
        if value is None:
            return
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best, self.wait = value, 0
        elif self.cooldown_counter <= 0:
            self.wait += 1
            if self.wait >= self.patience:
                if float(rate.asnumpy()) > np.float32(self.min_lr):
                    new = max(rate * self.factor, self.min_lr)  # a Tensor, which is printed as float32
                    rate.set_data(Tensor(new, rate.dtype))
                    if self.verbose:
                        print(f"Epoch {params.cur_epoch_num:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
                self.cooldown_counter, self.wait = self.cooldown, 0

"""Callbacks around the user's own functions, and the history of a training run."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import log
from ...core.constructor import given, with_arguments
from ...core.spec.checking import checked
from ...core.values.tensor import Tensor
from .base import Callback

if TYPE_CHECKING:
    from .base import RunContext

_MOMENTS = tuple(
    f"on_{kind}_{moment}"
    for kind in ("train", "eval")
    for moment in ("epoch_begin", "epoch_end", "step_begin", "step_end", "begin", "end")
)


class LambdaCallback(Callback):
    """Calls the given functions at their moments; each gets the RunContext.

    Example:
        >>> from mindspore.train import LambdaCallback
        >>> LambdaCallback(on_train_epoch_end=lambda context: print(context.original_args().cur_epoch_num))
    """

    @with_arguments
    def __init__(
        self,
        on_train_epoch_begin: Any = None,
        on_train_epoch_end: Any = None,
        on_train_step_begin: Any = None,
        on_train_step_end: Any = None,
        on_train_begin: Any = None,
        on_train_end: Any = None,
        on_eval_epoch_begin: Any = None,
        on_eval_epoch_end: Any = None,
        on_eval_step_begin: Any = None,
        on_eval_step_end: Any = None,
        on_eval_begin: Any = None,
        on_eval_end: Any = None,
    ):
        super().__init__()
        functions = given(self)
        for moment in _MOMENTS:
            setattr(self, moment, functions[moment] or _nothing)


def _nothing(run_context):
    """Does nothing: the default for moments without a function."""


class History(Callback):
    """Keeps the network's output (the loss) and the metrics of `Model.fit` for each epoch: `history` is a dict of
    lists.

    Example:
        >>> from mindspore.train import History
        >>> history = History()
        >>> model.train(3, dataset, callbacks=[history])
        >>> len(history.history["net_output"])
        3
    """

    def __init__(self):
        super().__init__()
        self.history = {}
        self.epoch = None

    def begin(self, run_context: "RunContext"):
        """Begin a list of epochs."""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context: "RunContext"):
        """Receive the epoch's result."""
        params = run_context.original_args()
        self.epoch["epoch"].append(params.get("cur_epoch_num", 1))
        output = params.net_outputs
        if isinstance(output, (tuple, list)) and isinstance(output[0], Tensor):
            output = output[0]
        if isinstance(output, Tensor):
            output = np.mean(output.asnumpy())
        for name, value in {"net_output": output, **(params.get("metrics") or {})}.items():
            self.history.setdefault(name, []).append(value)


class LearningRateScheduler(Callback):
    """Changes the learning rate after each step: `learning_rate_function(rate, step)` gives the new one.

    Example:
        >>> from mindspore.train import LearningRateScheduler
        >>> LearningRateScheduler(lambda rate, step: rate * 0.5 if step % 1000 == 0 else rate)
    """

    @checked
    def __init__(self, learning_rate_function: Callable):
        super().__init__()
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: "RunContext"):
        """Ask for the rate, and set it if it is a new one."""
        params = run_context.original_args()
        parameter = params.optimizer.learning_rate
        rate = float(str(parameter.asnumpy()))  # 0.1 as float32 is 0.1 to the function
        new = self.learning_rate_function(rate, params.cur_step_num)
        if not math.isclose(rate, new, rel_tol=1e-10):
            parameter.set_data(Tensor(new, parameter.dtype))
            log.info(f"At step {params.cur_step_num}, learning_rate change to {new}")

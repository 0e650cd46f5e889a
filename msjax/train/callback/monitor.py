"""Callbacks that print: the loss, and the time."""

import collections
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.operators.check import check_bool, check_positive_int
from ...core.spec.checking import checked
from ...core.spec.rules import NonNegativeInt
from ...core.values.tensor import Tensor
from .base import Callback, _handle_loss

if TYPE_CHECKING:
    from .base import RunContext


def loss_value(outputs: Any):
    """The loss in a training step's result: its first Tensor, as a float (the mean of an array)."""
    while isinstance(outputs, (tuple, list)) and outputs:
        outputs = outputs[0]
    if isinstance(outputs, Tensor):
        outputs = outputs.asnumpy()
    return float(np.mean(outputs)) if isinstance(outputs, (np.ndarray, float, int, np.generic)) else outputs


class LossMonitor(Callback):
    """Prints the loss every `per_print_times` steps (sunk: epochs); stops with ValueError when it is NaN or infinite.

    Raises:
        ValueError: `per_print_times` is negative.
    """

    @checked
    def __init__(self, per_print_times: NonNegativeInt = 1):
        super().__init__()
        self._per_print_times = per_print_times
        self._last_print_time = 0
        self._unseen = collections.deque()  # (epoch, step, loss) that the device may still be computing

    def step_end(self, run_context: "RunContext"):
        """Print the loss if it is time. Other losses are looked at once the device has them: no step waits for them."""
        params = run_context.original_args()
        step, epoch = params.cur_step_num, params.get("cur_epoch_num", 1)
        in_epoch = (step - 1) % params.batch_num + 1
        if step <= self._last_print_time:  # training was started again
            while self._per_print_times and step <= self._last_print_time:
                self._last_print_time -= max(self._per_print_times, params.batch_num if params.dataset_sink_mode else 1)
        self._unseen.append((epoch, in_epoch, params.net_outputs))
        if self._per_print_times != 0 and step - self._last_print_time >= self._per_print_times:
            self._check_losses(wait=True)
            self._last_print_time = step
            print(f"epoch: {epoch} step: {in_epoch}, loss is {_handle_loss(params.net_outputs)}", flush=True)
        else:
            self._check_losses(wait=False)

    def _check_losses(self, wait):
        """Raise ValueError if a loss is NaN or infinite; without `wait` only losses already computed are looked at."""
        while self._unseen and (wait or is_there(self._unseen[0][2])):
            epoch, in_epoch, outputs = self._unseen.popleft()
            loss = _handle_loss(outputs)
            if isinstance(loss, float) and not np.isfinite(loss):
                self._unseen.clear()
                raise ValueError(
                    f"In epoch: {epoch} step: {in_epoch}, loss is NAN or INF, training process cannot continue, terminating training."
                )

    def on_train_epoch_end(self, run_context: "RunContext"):
        """Print the metrics of an evaluation that ran between epochs."""
        self._check_losses(wait=True)
        params = run_context.original_args()
        metrics = params.get("metrics")
        if metrics:
            print(f"Eval result: epoch {params.cur_epoch_num}, metrics: {metrics}")


def is_there(outputs: Any):
    """Whether the numbers of a step's Tensors can be read without waiting for the device."""
    if isinstance(outputs, (tuple, list)):
        return all(map(is_there, outputs))
    return not isinstance(outputs, Tensor) or outputs.jax_array.is_ready()


class TimeMonitor(Callback):
    """Prints the time of each epoch and the mean time of a step.

    Args:
        data_size: steps of an epoch, where the run does not tell. data_time: print the time that steps waited for data, too;
            of steps that are sunk together nothing is known of each.
    """

    # a subclass of MindSpore 1's time that has an `__init__` of its own and calls ours not
    data_size, data_time, epoch_time = None, False, 0.0
    _waited = _asked = 0.0

    def __init__(self, data_size: Any = None, data_time: bool = False):
        super().__init__()
        self.data_size, self.data_time = data_size, check_bool(data_time, "data_time", "TimeMonitor")
        self.epoch_time = time.time()

    def on_train_step_begin(self, run_context: "RunContext"):
        """The data is there."""
        self._waited += time.time() - self._asked

    def on_train_step_end(self, run_context: "RunContext"):
        """The next data is asked for."""
        self._asked = time.time()

    def epoch_begin(self, run_context: "RunContext"):
        """Note the time."""
        self.epoch_time = self._asked = time.time()
        self._waited = 0.0

    def epoch_end(self, run_context: "RunContext"):
        """Print the time since the epoch began."""
        milliseconds = (time.time() - self.epoch_time) * 1000
        params = run_context.original_args()
        steps = check_positive_int(params.get("batch_num") or self.data_size, "data_size", "TimeMonitor")
        text = (
            f"{params.get('mode', '').title()} epoch time: {milliseconds:5.3f} ms, "
            f"per step time: {milliseconds / steps:5.3f} ms"
        )
        if self.data_time and not params.dataset_sink_mode:
            text += f" (data time: {self._waited * 1000 / steps:5.3f} ms)"
        elif self.data_time and "dataset_helper" in params:
            sent = params.dataset_helper.get_send_info(run_context).epoch(params.cur_epoch_num)
            text += f" (data time: {sent['fetch_data_time']:5.3f} ms)"
        print(text, flush=True)

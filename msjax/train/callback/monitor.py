"""Callbacks that print: the loss, and the time."""

import time

import numpy as np

from ...core.operators.check import check_non_negative_int, check_positive_int
from ...core.values.tensor import Tensor
from .base import Callback


def loss_value(outputs):
    """The loss out of what a training step returned: its first Tensor, as a float (the mean of an array)."""
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

    def __init__(self, per_print_times=1):
        super().__init__()
        self._per_print_times = check_non_negative_int(per_print_times, "per_print_times", "LossMonitor")
        self._last_print_time = 0

    def step_end(self, run_context):
        """Print the loss if it is time."""
        params = run_context.original_args()
        step = params.cur_step_num
        in_epoch = (step - 1) % params.batch_num + 1
        if step <= self._last_print_time:  # training was started again
            while step <= self._last_print_time:
                self._last_print_time -= max(self._per_print_times, params.batch_num if params.dataset_sink_mode else 1)
        due = self._per_print_times != 0 and step - self._last_print_time >= self._per_print_times
        if not due:
            return  # asking for the loss would wait for the device
        loss = loss_value(params.net_outputs)
        if isinstance(loss, float) and not np.isfinite(loss):
            raise ValueError(
                f"Invalid loss, terminate training. In epoch {params.cur_epoch_num} step {in_epoch}, the loss is {loss}."
            )
        self._last_print_time = step
        print(f"epoch: {params.cur_epoch_num} step: {in_epoch}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context):
        """Print the metrics of an evaluation that ran between epochs."""
        params = run_context.original_args()
        metrics = params.get("metrics")
        if metrics:
            print(f"Eval result: epoch {params.cur_epoch_num}, metrics: {metrics}", flush=True)
        super().on_train_epoch_end(run_context)


class TimeMonitor(Callback):
    """Prints the time of each epoch and the mean time of a step.

    Args:
        data_size: print every so many steps instead of every epoch; None: the number of batches. data_time: print the
            waiting for data too.
    """

    def __init__(self, data_size=None, data_time=False):
        super().__init__()
        self.data_size, self.data_time = data_size, data_time
        if data_size is not None:
            check_positive_int(data_size, "data_size", "TimeMonitor")
        self.epoch_time = time.time()

    def epoch_begin(self, run_context):
        """Note the time."""
        self.epoch_time = time.time()

    def epoch_end(self, run_context):
        """Print the time since the epoch began."""
        milliseconds = (time.time() - self.epoch_time) * 1000
        params = run_context.original_args()
        steps = self.data_size or params.get("batch_num") or 1
        if params.get("mode") == "eval":
            print(f"Eval epoch time: {milliseconds:5.3f} ms, per step time: {milliseconds / steps:5.3f} ms", flush=True)
        else:
            print(
                f"Train epoch time: {milliseconds:5.3f} ms, per step time: {milliseconds / steps:5.3f} ms", flush=True
            )

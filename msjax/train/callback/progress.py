"""A progress bar on the terminal, where no callback prints anything itself."""

import os
import sys
from typing import TYPE_CHECKING, Any

from ...dataset.engine.progress import Progress
from .base import Callback, _handle_loss
from .monitor import LossMonitor, TimeMonitor, is_there

if TYPE_CHECKING:
    from .base import RunContext


class ProgressBar(Callback):
    """Shows steps, the loss as far as the device has computed it, the rate and the time left. It never waits for a step."""

    def __init__(self):
        super().__init__()
        self._bar = self._loss = None

    def on_train_epoch_begin(self, run_context: "RunContext"):
        """Begin a bar."""
        params = run_context.original_args()
        last = params.cur_epoch_num + params.epoch_num - 1 if self._loss is None else self._last
        self._last, self._loss = last, self._loss or ()
        self._bar = Progress(params.batch_num, f"epoch {params.cur_epoch_num}/{last}")

    def on_train_step_end(self, run_context: "RunContext"):
        """Count a step."""
        params = run_context.original_args()
        if is_there(params.net_outputs):
            self._loss = (_handle_loss(params.net_outputs),)
        if self._bar is not None:
            self._bar.note = "".join(f" loss {float(v):.4g}" for v in self._loss if isinstance(v, float))
            self._bar.step(params.cur_step_num - self._steps if params.dataset_sink_mode else 1)
        self._steps = params.cur_step_num

    def on_train_begin(self, run_context: "RunContext"):
        """Remember where the run begins."""
        self._steps = run_context.original_args().cur_step_num

    def on_train_epoch_end(self, run_context: "RunContext"):
        """End the bar."""
        self._close()

    def on_eval_begin(self, run_context: "RunContext"):
        """Begin a bar."""
        self._close()
        self._bar = Progress(run_context.original_args().batch_num, "eval")

    def on_eval_step_end(self, run_context: "RunContext"):
        """Count a batch."""
        if self._bar is not None:
            self._bar.step()

    def on_eval_end(self, run_context: "RunContext"):
        """End the bar."""
        self._close()

    def _close(self):
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __exit__(self, *error):
        self._close()


def progress_bars(callbacks: Any):
    """[ProgressBar] on a terminal where no monitor prints and `MSJAX_PROGRESS` is not 0, else []."""
    shown = sys.stderr.isatty() and os.environ.get("MSJAX_PROGRESS") != "0"
    return [ProgressBar()] if shown and not any(isinstance(c, (LossMonitor, TimeMonitor)) for c in callbacks) else []

"""Callbacks of a map: DSCallback, and WaitedDSCallback, which keeps in step with training."""

import collections
import threading
import types
from collections.abc import Sequence
from typing import Any

from ...core.spec.checking import checked
from .. import config
from ..check import check
from ..rules import PositiveInt32
from .block import Block

__all__ = ["CallbackRunner", "DSCallback", "WaitedDSCallback"]

_HOOKS = ("ds_begin", "ds_epoch_begin", "ds_epoch_end", "ds_step_begin", "ds_step_end")


class DSCallback:
    """Base of callbacks of a map; a subclass overrides some of the methods. A step is a row at that map.

    Args:
        step_size (int): the step callbacks are called every so many steps.

    Example:
        >>> import msjax.dataset as ds
        >>> class Count(ds.DSCallback):
        ...     def ds_epoch_end(self, ds_run_context):
        ...         print("rows:", ds_run_context.cur_step_num_in_epoch)
        >>> data = ds.NumpySlicesDataset([1, 2, 3], "x").map(lambda x: x, "x", callbacks=[Count()])
        >>> for row in data.create_tuple_iterator(num_epochs=1, output_numpy=True):
        ...     pass
        rows: 3
    """

    @checked
    def __init__(self, step_size: PositiveInt32 = 1):
        self.step_size = step_size

    def create_runtime_obj(self):
        """This callback, if it overrides a method.

        Raises:
            AttributeError: it overrides none.
        """
        check(
            any(_overrides(self, hook) for hook in _HOOKS),
            "Inheriting Callback class without overriding any methods, check the usage of user defined Callback.",
            AttributeError,
        )
        return self

    def ds_begin(self, ds_run_context: Any):
        """Called before the pipeline starts."""

    def ds_epoch_begin(self, ds_run_context: Any):
        """Called before an epoch."""

    def ds_epoch_end(self, ds_run_context: Any):
        """Called after an epoch."""

    def ds_step_begin(self, ds_run_context: Any):
        """Called before a step."""

    def ds_step_end(self, ds_run_context: Any):
        """Called after a step."""


class WaitedDSCallback(DSCallback):
    """Base of callbacks that wait for training: give the same object to `map(callbacks=)` and to
    `Model.train(callbacks=)`.

    A subclass overrides `sync_epoch_begin` or `sync_step_begin`.

    Args:
        step_size (int): the step callback is called every so many rows: usually the batch size.
    """

    def __init__(self, step_size: int = 1):
        super().__init__(step_size)
        self.step_event, self.epoch_event = threading.Event(), threading.Event()
        self.step_run_context = self.epoch_run_context = None
        self.training_ended = False

    def sync_epoch_begin(self, train_run_context: Any, ds_run_context: Any):
        """Called before an epoch of the dataset, after the last epoch of training has ended."""

    def sync_step_begin(self, train_run_context: Any, ds_run_context: Any):
        """Called before a step of the dataset, after the last step of training has ended."""

    def _wait(self, event, name):
        if self.training_ended:
            return
        seconds = config.get_callback_timeout()
        arrived = event.wait(timeout=seconds)
        event.clear()
        check(arrived, f"{name} timed out after {seconds} second(s).", RuntimeError)

    def ds_epoch_begin(self, ds_run_context: Any):
        if ds_run_context.cur_epoch_num > 1:
            self._wait(self.epoch_event, "ds_epoch_begin")
            self.sync_epoch_begin(self.epoch_run_context, ds_run_context)

    def ds_step_begin(self, ds_run_context: Any):
        if ds_run_context.cur_step_num > self.step_size:
            self._wait(self.step_event, "ds_step_begin")
            self.sync_step_begin(self.step_run_context, ds_run_context)

    # What Model.train calls; the methods of its Callback that are not needed here do nothing.

    def epoch_end(self, run_context: Any):
        """Called by training after an epoch."""
        self.epoch_run_context = run_context
        self.epoch_event.set()

    def step_end(self, run_context: Any):
        """Called by training after a step."""
        self.step_run_context = run_context
        self.step_event.set()

    def end(self, run_context: Any):
        """Called when training ends: nothing waits any more."""
        self.training_ended = True
        self.epoch_end(run_context)
        self.step_end(run_context)

    on_train_step_end, on_train_epoch_end, on_train_end = step_end, epoch_end, end

    def _nothing(self, run_context):
        """Called by training; nothing to do."""

    begin = epoch_begin = step_begin = _nothing
    on_train_begin = on_train_epoch_begin = on_train_step_begin = _nothing
    on_eval_begin = on_eval_end = on_eval_epoch_begin = on_eval_epoch_end = _nothing
    on_eval_step_begin = on_eval_step_end = _nothing

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return None


def _overrides(callback, hook):
    waited = {"ds_epoch_begin": "sync_epoch_begin", "ds_step_begin": "sync_step_begin"}
    if isinstance(callback, WaitedDSCallback) and hook in waited:
        if getattr(type(callback), hook) is not getattr(WaitedDSCallback, hook):
            return True
        return getattr(type(callback), waited[hook]) is not getattr(WaitedDSCallback, waited[hook])
    return getattr(type(callback), hook) is not getattr(DSCallback, hook)


class CallbackRunner:
    """Calls the callbacks of a map around the rows of one epoch, which then travel one by one."""

    def __init__(self, callbacks: Any, run: Any, node: Any, epoch: int):
        self.calls = {hook: [callback for callback in callbacks if _overrides(callback, hook)] for hook in _HOOKS}
        for callback in callbacks:
            callback.create_runtime_obj()
        # An epoch for callbacks is one of the whole pipeline, also where a repeat above runs through the map several
        # times.
        repeats = run.repeats(node)
        self.epoch, time_round = divmod(epoch, repeats)
        self.starts, self.ends = time_round == 0, time_round == repeats - 1
        self.ahead = 0 if any(isinstance(callback, WaitedDSCallback) for callback in callbacks) else 1
        self.counts = run.remember(node, lambda: {"step": 0, "in epoch": 0, "begun": False}, "callbacks")

    def _call(self, hook, epoch, step=0, in_epoch=0):
        for callback in self.calls[hook]:
            if hook.startswith("ds_step") and (in_epoch - 1) % callback.step_size:
                continue
            getattr(callback, hook)(
                types.SimpleNamespace(cur_epoch_num=epoch, cur_step_num=step, cur_step_num_in_epoch=in_epoch)
            )

    def around(self, blocks: Sequence):
        """The rows of `blocks`, one block each; a row has passed the map when the next is asked for.

        As in MindSpore a row is begun while the one before is worked on, unless a callback waits for training.
        """
        counts, epoch = self.counts, self.epoch + 1
        if not counts["begun"]:
            counts["begun"] = True
            self._call("ds_begin", 0)
        if self.starts:
            counts["in epoch"] = 0
            self._call("ds_epoch_begin", epoch, counts["step"])
        begun = collections.deque()
        for block in blocks:
            for i in range(block.count):
                counts["step"] += 1
                counts["in epoch"] += 1
                numbers = counts["step"], counts["in epoch"]
                self._call("ds_step_begin", epoch, *numbers)
                begun.append((Block([column[i : i + 1] for column in block.columns], 1), numbers))
                if len(begun) > self.ahead:
                    yield from self._finish(begun, epoch)
        while begun:
            yield from self._finish(begun, epoch)
        if self.ends:
            self._call("ds_epoch_end", epoch, counts["step"], counts["in epoch"])

    def _finish(self, begun, epoch):
        row, numbers = begun.popleft()
        yield row
        self._call("ds_step_end", epoch, *numbers)

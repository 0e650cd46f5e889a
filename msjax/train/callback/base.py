"""Callbacks: objects that `Model` calls while it trains and evaluates."""

from contextlib import ExitStack
from typing import Any

from ...core.hints import instance_of
from ...core.spec.checking import checked
from ...core.values.tensor import Tensor


class _AlsoWaitedDSCallback(type):
    """Lets dataset.WaitedDSCallback pass for a Callback: it has the methods, but the dataset package cannot import this
    one.
    """

    def __instancecheck__(cls, value):
        return super().__instancecheck__(value) or cls.__name__ == "Callback" and hasattr(value, "sync_step_begin")


class Callback(metaclass=_AlsoWaitedDSCallback):
    """Base class; override the moments of interest. Each gets a RunContext.

    Moments: `on_train_begin`, `on_train_epoch_begin`, `on_train_step_begin`, `on_train_step_end`, `on_train_epoch_end`,
        `on_train_end`, the
    same with `eval`, and the MindSpore 1.x names `begin`, `epoch_begin`, `step_begin`, `step_end`, `epoch_end`, `end`,
    which the others call by default.

    Example:
        >>> from mindspore.train import Callback
        >>> class StopAt(Callback):
        ...     def step_end(self, run_context):
        ...         if run_context.original_args().cur_step_num >= 10:
        ...             run_context.request_stop()
    """

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Called when training is over, also after an error."""

    def begin(self, run_context: "RunContext"):
        """Before training or evaluation."""

    def epoch_begin(self, run_context: "RunContext"):
        """Before each epoch."""

    def epoch_end(self, run_context: "RunContext"):
        """After each epoch."""

    def step_begin(self, run_context: "RunContext"):
        """Before each step (sunk: before each call)."""

    def step_end(self, run_context: "RunContext"):
        """After each step (sunk: after each call)."""

    def end(self, run_context: "RunContext"):
        """After training or evaluation."""


def _moment(kind, name):
    def moment(self, run_context):
        getattr(self, name)(run_context)

    moment.__name__ = f"on_{kind}_{name}"
    moment.__doc__ = (
        f"{getattr(Callback, name).__doc__[:-1]} ({kind}ing)."
        if kind == "train"
        else f"{getattr(Callback, name).__doc__[:-1]} (evaluation)."
    )
    return moment


for _kind in ("train", "eval"):
    for _name in ("begin", "epoch_begin", "epoch_end", "step_begin", "step_end", "end"):
        _made = _moment(_kind, _name)
        setattr(Callback, _made.__name__, _made)
del _kind, _name, _made


class _MissingParameter(AttributeError, KeyError):
    """As an AttributeError `hasattr` understands it; MindSpore raises KeyError."""

    __str__ = AttributeError.__str__

    def __reduce__(self):
        return KeyError, self.args


_MissingParameter.__name__ = _MissingParameter.__qualname__ = "KeyError"  # as it is shown
_MissingParameter.__module__ = "builtins"


class InternalCallbackParam(dict):
    """The values that callbacks read: a dict whose items are also attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise _MissingParameter(
                f"The callbacks' parameters have no '{name}'; there are {', '.join(sorted(self))}."
            ) from None

    def __setattr__(self, name, value):
        self[name] = value


def _handle_loss(loss):
    """The number that callbacks print for a step's result: the mean of a Tensor; of a tuple its first Tensor."""
    if isinstance(loss, (tuple, list)):
        return loss[0] if isinstance(loss[0], Tensor) else loss
    return float(loss.asnumpy().mean()) if isinstance(loss, Tensor) else loss


class RunContext:
    """The argument of a callback: the parameters of the run, and the way to stop it.

    `original_args()` has cur_epoch_num, cur_step_num (both from 1), batch_num, epoch_num, net_outputs (the loss),
    train_network, network, optimizer, loss_fn, train_dataset, mode, dataset_sink_mode, ...
    """

    @checked
    def __init__(self, original_args: dict):
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self):
        """The parameters of the run."""
        return self._original_args

    def request_stop(self):
        """Stop training after this step."""
        self._stop_requested = True

    def get_stop_requested(self):
        """Whether a stop was requested."""
        return self._stop_requested


class CallbackList(Callback):
    """Several callbacks as one: each method calls that of each callback in turn, and leaving the list (`__exit__`) leaves each."""

    def __init__(self, callbacks: Any):
        if callbacks is None:
            callbacks = []
        elif isinstance(callbacks, Callback) or not isinstance(callbacks, (list, tuple)):
            callbacks = [callbacks]
        self.callbacks = list(callbacks)
        for callback in self.callbacks:
            if not isinstance(callback, Callback):
                got = instance_of(callback) if isinstance(callback, type) else type(callback)
                raise TypeError(
                    f"When the 'callbacks' is a list, the elements in 'callbacks' must be Callback functions, but got {got}."
                )

    def __enter__(self):
        self._stack = ExitStack().__enter__()
        self.callbacks = [self._stack.enter_context(c) or c for c in self.callbacks]
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)

    def call(self, moment: Any, run_context: RunContext):
        """Call one moment on all callbacks."""
        for callback in self.callbacks:
            getattr(callback, moment)(run_context)


def _of_each(name):
    def moment(self, run_context):
        self.call(name, run_context)

    moment.__name__, moment.__doc__ = name, getattr(Callback, name).__doc__
    return moment


for _name in [n for n in vars(Callback) if n.split("_")[-1] in ("begin", "end")]:
    setattr(CallbackList, _name, _of_each(_name))
del _name

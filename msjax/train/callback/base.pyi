"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.core.hints import instance_of as instance_of
from msjax.core.spec.checking import checked as checked
from msjax.core.values.tensor import Tensor as Tensor
from msjax.train.callback import CallbackList as CallbackList
from msjax.train.callback import InternalCallbackParam as InternalCallbackParam

class Callback:
    """Base class; override the moments of interest. Each gets a RunContext."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *error) -> None: """Called when training is over, also after an error."""
    def begin(self, run_context: RunContext) -> None: """Before training or evaluation."""
    def end(self, run_context: RunContext) -> None: """After training or evaluation."""
    def epoch_begin(self, run_context: RunContext) -> None: """Before each epoch."""
    def epoch_end(self, run_context: RunContext) -> None: """After each epoch."""
    def on_eval_begin(self, run_context) -> None: """Before training or evaluation (evaluation)."""
    def on_eval_end(self, run_context) -> None: """After training or evaluation (evaluation)."""
    def on_eval_epoch_begin(self, run_context) -> None: """Before each epoch (evaluation)."""
    def on_eval_epoch_end(self, run_context) -> None: """After each epoch (evaluation)."""
    def on_eval_step_begin(self, run_context) -> None: """Before each step (sunk: before each call) (evaluation)."""
    def on_eval_step_end(self, run_context) -> None: """After each step (sunk: after each call) (evaluation)."""
    def on_train_begin(self, run_context) -> None: """Before training or evaluation (training)."""
    def on_train_end(self, run_context) -> None: """After training or evaluation (training)."""
    def on_train_epoch_begin(self, run_context) -> None: """Before each epoch (training)."""
    def on_train_epoch_end(self, run_context) -> None: """After each epoch (training)."""
    def on_train_step_begin(self, run_context) -> None: """Before each step (sunk: before each call) (training)."""
    def on_train_step_end(self, run_context) -> None: """After each step (sunk: after each call) (training)."""
    def step_begin(self, run_context: RunContext) -> None: """Before each step (sunk: before each call)."""
    def step_end(self, run_context: RunContext) -> None: """After each step (sunk: after each call)."""
class RunContext:
    """The argument of a callback: the parameters of the run, and the way to stop it."""
    def __init__(self, original_args: dict) -> None: ...
    def get_stop_requested(self) -> Any: """Whether a stop was requested."""
    def original_args(self) -> Any: """The parameters of the run."""
    def request_stop(self) -> None: """Stop training after this step."""
def __getattr__(name: str) -> Any: ...

"""The plan of a script: it runs until its first compiled training step, which is measured and never started."""

import functools
import pathlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from ..core.above import above
from ..core.trace import compile as tracing
from ..core.values.deferred import Deferred
from ..core.values.parameter import Parameter
from ..nn.optim.optimizer import Optimizer
from .measure import compile_entry, planning
from .report import plan_of

if TYPE_CHECKING:
    from .topology import Topology

_WHAT = "A plan is of the first step that writes weights: Model.train, a TrainOneStepCell, or a function of @ms.jit, in GRAPH_MODE."


class Reached(BaseException):
    """The training step of a script is about to start: no `except Exception` of the script is to catch it."""

    def __init__(self, entry: Any, arrays: Sequence):
        super().__init__()
        self.entry, self.arrays = entry, arrays


class Eager(BaseException):
    """The script's step runs operator by operator: of all that it does, the optimizer's update alone is compiled."""


class _Held:
    """A program in the place of one that would run: a training step ends the script; any other gives shapes."""

    def __init__(self, start, inner, fn, stacked):
        self.start, self.inner, self.fn, self.stacked = start, inner, fn, stacked

    def __call__(self, mut, ro, leaves, numbers):
        fn, entry = next((c.fn, e) for c, e in _entries() if e.program.start is self.start)
        if isinstance(fn, Optimizer):
            raise Eager()
        if any(isinstance(b, Parameter) and b.requires_grad for b in entry.state.written):
            cut = 1 if self.stacked else 0
            raise Reached(entry, [jax.ShapeDtypeStruct(a.shape[cut:], a.dtype) for a in leaves])
        shapes = jax.eval_shape(self.fn, *jax.tree_util.tree_map(_shape, (mut, ro, leaves, numbers)))
        return jax.tree_util.tree_map(lambda a: Deferred(a.shape, a.dtype), shapes)


def _shape(array):
    return jax.ShapeDtypeStruct(array.shape, array.dtype) if hasattr(array, "shape") else array


def _entries():
    return ((c, e) for c in tracing.instances() for kept in c.entries.values() for e in kept if not e.fallback)


def _holding(plan, closed, *state):
    """A start that runs no program: it replaces the start that `plan` returns, so that the state is laid out as for a run."""
    real = plan(closed, *state)

    def start(fn, donate=(), stacked=False):
        inner = None if real is None else real(fn, donate=donate, stacked=stacked)
        return _Held(start, inner, fn, stacked)

    start.held = real is None  # it stands for a start on one device
    if real is not None:  # how state lies, what lies in stacks, the program as it was laid out
        vars(start).update(vars(real))
    return start


def _why_eager():
    """Why of a step the optimizer's update alone is compiled."""
    fallen = [(c, e) for c in tracing.instances() for kept in c.entries.values() for e in kept if e.fallback]
    if fallen:
        compiled, entry = fallen[-1]
        return f"its step runs operator by operator, since '{compiled.name}' cannot be compiled: {entry.reason}"
    return (
        "its step runs operator by operator, and the optimizer's update alone is compiled: put forward, gradient and update "
        "into one function of @ms.jit, or set GRAPH_MODE and use TrainOneStepCell or Model.train"
    )


class NoStep(RuntimeError):
    """A script ended without a compiled training step."""


def plan_script(run: Callable, topology: "Topology", keep: Any = None):
    """The Plan of the first training step that `run()` compiles; the compiled program goes to the file `keep`.

    Raises:
        NoStep: it compiled none. NoContent: it asked for a value.
    """
    with above.answering(plan=functools.partial(_holding, above.plan)), planning(topology):
        try:
            run()
        except Reached as reached:
            entry, arrays = reached.entry, reached.arrays
        except Eager:
            raise NoStep(_why_eager()) from None
        except SystemExit as left:
            raise NoStep(
                f"it left with exit code {left.code} before a compiled training step was started. {_WHAT}"
            ) from None
        else:
            raise NoStep(f"it ended before a compiled training step was started. {_WHAT}")
        measured = compile_entry(entry, arrays, topology, entry.trace_seconds)
        if keep:
            pathlib.Path(keep).write_text(measured.text, encoding="utf-8")
        return plan_of(measured)

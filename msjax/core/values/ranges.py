"""Indices out of range, and NaNs: found with the result, by the program that computes it.

An operator's function says what its indices must lie in (`check_range`). When it is compiled for eager calls, how far the
farthest index is from the lowest allowed becomes one more output of the same program: one reduction, as unsigned numbers,
so that what is below is far away too. It is looked at as soon as the program has finished: right after the call if it has,
else at the next such call or when any Tensor is read by the host, which alone waits for it.

Programs of whole functions (`@jit`, Cells in GRAPH_MODE) check nothing; indices that are constants, or follow from constants alone, are looked
at when the program is traced.
In check mode (`set_context(check_indices=True)` or `MSJAX_CHECK=1`) those functions run operator by operator, every
operator's result is looked at before the next one starts, and an operator that makes a NaN out of numbers raises too: at the
user's line.
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ..above import above
from ..compat import Tracer
from ..settings import context
from ..settings.execution_state import change, here, within

_MOST_PENDING = 64  # so many programs may be unfinished before the oldest is waited for


class Range(NamedTuple):
    """The interval [low, high) for the indices of one argument. `errors`: the exceptions for an index below and above
    it.
    """

    operator: str
    what: str
    low: int
    high: int
    errors: tuple

    def error(self, distance: int, bits: int):
        """The exception for an index so far above `low` (modulo 2^bits), or None."""
        if distance < self.high - self.low:
            return None
        below = distance >= 1 << (bits - 1)
        found = self.low + distance - ((1 << bits) if below else 0)
        return self.errors[0 if below else 1](
            f"For '{self.operator}', the '{self.what}' must be in range [{self.low}, {self.high}), but got {found}."
        )


class NotANumber(NamedTuple):
    """An operator must not make NaNs out of numbers (check mode)."""

    operator: str

    def error(self, distance: Any, bits: Any):
        """The exception where `distance` is not 0."""
        if distance:
            return FloatingPointError(f"For '{self.operator}', the result holds NaN, although no input does.")
        return None


@jax.tree_util.register_pytree_node_class
class Checked:
    """A result with checks that are still to be evaluated: one of the `distances` for each of `checks`."""

    __slots__ = ("out", "distances", "checks")

    def __init__(self, out: Any, distances: list, checks: Sequence):
        self.out, self.distances, self.checks = out, distances, checks

    def tree_flatten(self):
        return (self.out, self.distances), self.checks

    @classmethod
    def tree_unflatten(cls, checks: Sequence, children: Sequence):
        return cls(*children, checks)


def check_range(
    indices: jax.Array,
    low: int,
    high: int,
    operator: str,
    what: str = "indices",
    errors: tuple = (RuntimeError, RuntimeError),
    unless: jax.Array | None = None,
):
    """Note that the indices must lie in [low, high); to be called by operators' functions, outside loops and branches.

    unless: an array of bools of the indices' shape; where it is True the index does not count.
    """
    notes = here().notes
    traced = isinstance(indices, Tracer) or isinstance(unless, Tracer)
    if not indices.size:
        return
    if traced and notes is None:
        indices = None if isinstance(unless, Tracer) else above.known_content(indices)
        if indices is None:
            return
    check = Range(operator, what, int(low), int(high), errors)
    if notes is None:  # constants of a function that is traced
        _look_at([before_trace(_distance, indices, low, unless)], [check])
    else:
        notes.append((check, _distance(indices, low, unless)))


def _distance(indices, low, unless):
    """How far the farthest index is from the lowest allowed, as an unsigned number."""
    if unless is not None:
        indices = jnp.where(unless, low, indices)
    wide = indices.dtype.itemsize == 8 or indices.dtype == jnp.uint32
    signed, unsigned = (jnp.int64, jnp.uint64) if wide else (jnp.int32, jnp.uint32)
    return jnp.max((indices.astype(signed) - low).astype(unsigned))


def before_trace(function: Callable, array: jax.Array, *args: Any):
    """`function(array, *args)`, computed at once where the array is a constant of what is traced: so its indices can be looked at."""
    if isinstance(array, Tracer):
        return function(array, *args)
    with jax.ensure_compile_time_eval():
        return function(array, *args)


@contextlib.contextmanager
def noting():
    """Within this context `check_range` notes: the list of (check, distance)."""
    with within(notes=[]):
        yield here().notes


def checked(pure: Callable, operator: str):
    """`pure` that returns a `Checked` if it noted a check."""

    def run(*arrays):
        with noting() as notes:
            out = pure(*arrays)
        if context.is_strict():
            notes.append((NotANumber(operator), _nan_made(arrays, out)))
        return Checked(out, [d for _, d in notes], tuple([c for c, _ in notes])) if notes else out

    run.__name__ = run.__qualname__ = pure.__name__
    return run


def _nan_made(inputs, outputs):
    """1 where an output holds NaN and no input does, else 0."""

    def any_nan(tree):
        found = jnp.asarray(False)
        for a in jax.tree_util.tree_leaves(tree):
            if jnp.issubdtype(jnp.result_type(a), jnp.inexact):
                found = found | jnp.isnan(a).any()
        return found

    return (any_nan(outputs) & ~any_nan(inputs)).astype(jnp.uint32)


def settle(result: Checked):
    """The output of a `Checked`; raises the errors that are known by now."""
    distances = result.distances
    if isinstance(distances[-1], Tracer):
        return result.out
    if here().pending:
        look()
    if context.is_strict() or distances[-1].is_ready():
        _look_at(distances, result.checks)
    else:
        if here().pending is None:
            change(pending=[])
        here().pending.append((distances, result.checks))
    return result.out


def look(wait: bool = False):
    """Raise the errors of the programs that have finished (`wait`: wait for all)."""
    waiting = here().pending
    while waiting and (wait or len(waiting) > _MOST_PENDING or waiting[0][0][-1].is_ready()):
        _look_at(*waiting.pop(0))


def pending():
    """Whether there are programs whose range flags have not been read yet."""
    return bool(here().pending)


def _look_at(distances, checks):
    for distance, check in zip(distances, checks):
        error = check.error(int(np.asarray(distance)), 8 * distance.dtype.itemsize)  # int of a jax.Array: 15 us more
        if error is not None:
            raise error


def refuse_nan(operator: str, inputs: Sequence, outputs: Sequence):
    """In check mode, for a function that is not an operator (the gradient of one): FloatingPointError for NaN from
    finite inputs. The scale of a loss is meant to be found by gradients that overflow: then NaN is no error.
    """
    if here().may_overflow:
        return
    made = _nan_made(inputs, outputs)
    if not isinstance(made, Tracer):
        _look_at([made], (NotANumber(operator),))

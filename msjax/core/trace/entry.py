"""One compiled variant of a function (Entry): its guards, the state it reads and writes, its program; or a variant that
runs eagerly (Fallback).
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from ..above import above
from ..host import wide
from ..operators import layouts, shared_buffers
from ..operators.forward import Forward
from ..values.tensor import wrap
from .ahead import compile_interruptibly
from .call_structure import join
from .interrupts import uninterrupted

if TYPE_CHECKING:
    import jax.extend

    from ..values.tensor import Tensor
    from .entry_parts import Guards, Results


def launcher(closed: "jax.extend.core.ClosedJaxpr", boxes: Sequence, inputs: Sequence):
    """How a program is started: a function (pure function, donate=, stacked=) -> callable. stacked: inputs have an axis of steps first.

    A pure function takes (written state, read state, arrays of arguments, numbers or nothing) and gives (results, written state).
    """
    found = above.plan(closed, boxes, inputs)
    return _on_one_device if found is None else found


def on_one_device(start: Callable):
    """Whether a program that is started like this is one of `jax.jit`, and no plan's."""
    return start is _on_one_device


def _on_one_device(fn, donate=(), stacked=False):
    return layouts.of_state(fn, donate)


class Entry:
    """A traced and compiled function for one signature; its parts are those of `entry_parts`."""

    __slots__ = (
        *("program", "state", "guards", "results"),
        *("shared", "trace_seconds", "first_seconds", "calls", "_on_tape"),
    )

    fallback = None

    def __init__(self, program: Any, state: Any, guards: "Guards", results: "Results", trace_seconds: float):
        self.program, self.state, self.guards, self.results = program, state, guards, results
        self.shared = False  # whether a program of other lengths serves it
        self.trace_seconds, self.first_seconds, self.calls = trace_seconds, 0.0, 0
        self._on_tape = None  # the program as an operator that a tape can note

    @property
    def name(self):
        """Name of the function."""
        return self.program.name

    def valid(self):
        """Whether nothing that the trace depended on has changed."""
        return self.guards.hold()

    def outdated(self):
        """Whether it can never be valid again."""
        return self.guards.never_again()

    def run(self, leaves: "list[Tensor]", active: Any):
        """Execute, write the new state to its boxes, make the changes to Python objects, and return the result as Tensors."""
        # The order is what makes this safe. The arguments' arrays are taken first: `taken` looks next whether the state's arrays are the boxes'
        # own, and one that was just handed out as an argument is not, so the program gets a copy to write over. From the call until `keep` the
        # boxes hold arrays that are gone, so nothing may come between (`uninterrupted` puts off Ctrl-C), and a rollback has noted the old
        # arrays before, which made them others' arrays. Changes of arguments and of Python objects come last: they see the new state, as the
        # code after the call does.
        state, results = self.state, self.results
        numbers = state.now()
        if active is not None:
            return self._run_on_tape(leaves, numbers, active)
        boxes = state.to_write()
        given = [
            b._data for b in leaves
        ]  # before it is looked at what may be written over: an argument may be state, too
        rows, mut = state.taken(boxes, self.program.donate)
        read = state.to_read()
        if self.calls == 1:
            compile_interruptibly(self.program.run, (mut, read, given, numbers))
        with uninterrupted():
            (outs, changed, made), new = self.program.run(mut, read, given, numbers)
            state.keep(boxes, rows, new)
        for i, a in zip(results.changed, changed):
            leaves[i]._assign(a)
        if results.effects is not None:
            results.effects.run([wrap(a) for a in made])
        return results.of(outs, leaves)

    def _run_on_tape(self, leaves, numbers, tape):
        if self._on_tape is None:
            jit = getattr(self.program.start, "flat", shared_buffers.program)
            self._on_tape = Forward(self.name, self._flat, residuals=True, jit=jit)
        results, written = self.results, self.state.to_write()
        boxes = [*written, *self.state.read, *leaves]
        outs = tape.run(self._on_tape, [*(b._lent for b in boxes), *numbers], [*boxes, *[None] * len(numbers)])
        n, m = results.count, len(results.changed)
        new = len(outs) - len(written)
        for i, box in zip(results.changed, outs[n : n + m]):
            leaves[i]._assign(box._data, box._var)
        for p, box in zip(written, outs[new:]):
            p._assign(box._data, None)
        if results.effects is not None:
            results.effects.run(list(outs[n + m : new]))
        return results.joined(list(outs[:n]), leaves)

    def _flat(self, *arrays):
        """The program with all inputs in a row, and all outputs."""
        m = len(self.state.written)
        r = m + len(self.state.read)
        numbers = len(arrays) - len(self.state.numbers)
        groups, new = self.program.pure(*map(list, (arrays[:m], arrays[m:r], arrays[r:numbers], arrays[numbers:])))
        return tuple([array for group in (*groups, new) for array in group])

    def memory(self):
        """Bytes that a run needs at most, or None; see `Program.memory`."""
        return self.program.memory(self.state.shapes(), len(self.state.numbers))

    @wide
    def scan(self, stacked: Sequence, steps: int):
        """Run `steps` times inside one program, over stacked inputs (leading axis: step); the result is that of the last step.

        stacked: one array for each Tensor argument. State is carried, and donated. A program that changes Python objects runs step by
        step, since each step makes its changes.
        """
        program, state = self.program, self.state
        if self.results.effects is not None:
            for i in range(steps):
                result = self.run([wrap(array[i]) for array in stacked], None)
            return result
        if program.many is None:

            def many(mut, ro, xs, numbers):
                def step(carry, x):
                    (outs, _, _), new = program.packed(carry, ro, x, numbers)
                    return new, outs

                new, outs = jax.lax.scan(step, mut, xs)
                return [o[-1] for o in outs], new

            program.many = program.started(many, stacked=True)
        numbers, boxes = state.now(), state.to_write()
        rows, mut = state.taken(boxes, program.donate)
        read = state.to_read()
        with uninterrupted():
            outs, new = program.many(mut, read, stacked, numbers)
            state.keep(boxes, rows, new)
        return join(self.results.structure, [wrap(o) for o in outs])


class Fallback:
    """A signature that runs eagerly because its trace met something that cannot be compiled.

    unset: it is a variable that only one branch, or only the body of a loop, sets.
    """

    __slots__ = ("reason", "notice", "unset", "calls")

    def __init__(self, reason: str, notice: str, unset: bool = False):
        self.reason, self.notice, self.unset, self.calls = reason, notice, unset, 0

    fallback = True

    def valid(self):
        return True

    def outdated(self):
        return False

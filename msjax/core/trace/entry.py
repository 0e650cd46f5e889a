"""One compiled variant of a function (Entry): when it holds, what state it reads and writes, how it runs; or that it runs eagerly (Fallback)."""

import operator

import jax

from .. import invalidation as versions
from ..above import above
from ..operators import random, shared_buffers
from ..operators.forward import Forward
from ..settings import context
from ..settings.execution_state import here
from ..values.ownership import contents, for_writing, hand_out, keep_all
from ..values.tensor import wrap
from .ahead import compile_interruptibly
from .call_structure import Leaf, join
from .interrupts import uninterrupted
from .stacking import whole


def launcher(closed, boxes, inputs):
    """How a program is started: a function (pure function, donate=, stacked=) -> callable. stacked: inputs have an axis of steps first.

    A pure function takes (written state, read state, arrays of arguments, numbers or nothing) and gives (results, written state).
    """
    found = above.plan(closed, boxes, inputs)
    return _on_one_device if found is None else found


def on_one_device(start):
    """Whether a program that is started like this is one of `jax.jit`, and no plan's."""
    return start is _on_one_device


def _on_one_device(fn, donate=(), stacked=False):
    return shared_buffers.program(fn, donate)


# --- one compiled variant
class Entry:
    """A traced and compiled function for one signature."""

    __slots__ = (
        "name",
        "known",
        "mut",
        "parameters",
        "ro",
        "pure",
        "executable",
        "inputs",
        "start",
        "result",
        "n_out",
        "mutated",
        "guards",
        "constants",
        "watch",
        "numbers",
        "kept",
        "effects",
        "epoch",
        "context",
        "casts",
        "modes",
        "drawn",
        "params",
        "forward",
        "scans",
        "donate",
        "trace_seconds",
        "first_seconds",
        "calls",
        "plain",
        "arrangement",
        "shared",
        "packings",
        "packed",
    )

    fallback = None

    def valid(self):
        """Whether nothing that the trace depended on has changed."""
        if (
            self.plain and here().recorder is not None
        ):  # traced without the gradients that users wrote, and a tape wants them
            return False
        for box, array in self.constants:
            if box._lent is not array:
                return False
        if not self.watch.holds():
            return False
        state = here()
        if not (_same(self.casts, state.casts) and _same(self.modes, state.modes)):
            return False
        epoch = versions.epoch  # before the look: what another thread changes meanwhile is looked at by the next call
        if self.epoch != epoch:
            for cell, state in self.guards:
                if cell._compile_state() != state:
                    return False
            for box, dtype, shape, wanted in self.params:
                if box.requires_grad is not wanted or box.dtype != dtype or box.shape != shape:
                    return False
            if self.context != context.snapshot():
                return False
            self.epoch = epoch
        return True

    def outdated(self):
        """Whether it can never be valid again: a Cell's version only grows."""
        return any(cell._compile_state()[0] != state[0] for cell, state in self.guards)

    def run(self, leaves, active):
        """Execute, write the new state to its boxes, make the changes to Python objects, and return the result as Tensors."""
        numbers = self._current()
        if active is not None:
            return self._run_on_tape(leaves, numbers, active)
        boxes = self._written()
        given = [
            b._data for b in leaves
        ]  # before it is looked at what may be written over: an argument may be state, too
        rows, mut = self._state_to_change(boxes)
        read = self._state_to_read()
        if self.calls == 1:
            compile_interruptibly(self.executable, (mut, read, given, numbers))
        with uninterrupted():
            (outs, changed, made), new = self.executable(mut, read, given, numbers)
            self._keep(boxes, rows, new)
        for i, a in zip(self.mutated, changed):
            leaves[i]._assign(a)
        if self.effects is not None:
            self.effects.run([wrap(a) for a in made])
        return wrap(outs[0]) if type(self.result) is Leaf else join(self.result, [wrap(o) for o in outs])

    def _current(self):
        """Values of the numbers that are inputs; Tensors that were re-bound take their places."""
        for boxes, position, slot in self.kept:
            boxes[position] = slot.read()
        return tuple([slot.read() for slot in self.numbers])

    def _written(self):
        """The state that the program changes. The streams of random numbers are those of the thread that runs it."""
        if not self.drawn:
            return self.mut
        boxes, streams = list(self.mut), random.streams()
        for i, own in self.drawn:
            boxes[i] = streams.get(own).box()
        return boxes

    def _state_to_change(self, boxes):
        """(rows of stacks, arrays that are given to the program): what somebody else holds is copied first."""
        log = here().rollback
        if log is not None:
            for p, a in zip(boxes, whole(boxes)):
                if log.setdefault(id(p), (p, a))[1] is a:
                    hand_out(p)
        arrays = _own_arrays if self.donate else whole
        return ((), arrays(boxes)) if self.packings is None else self.packings[0].taken(boxes, arrays)

    def _state_to_read(self):
        return whole(self.ro) if self.packings is None else self.packings[1].taken(self.ro)[1]

    def _keep(self, boxes, rows, new):
        """Write the new state to its boxes."""
        if self.packings is not None:
            self.packings[0].keep(boxes, rows, new)
            return
        keep_all(boxes, new, self.parameters)

    def _run_on_tape(self, leaves, numbers, tape):
        if self.forward is None:
            jit = getattr(self.start, "flat", shared_buffers.program)
            self.forward = Forward(self.name, self._flat, residuals=True, jit=jit)
        written = self._written()
        boxes = [*written, *self.ro, *leaves]
        outs = tape.run(self.forward, [*(b._lent for b in boxes), *numbers], [*boxes, *[None] * len(numbers)])
        n, m = self.n_out, len(self.mutated)
        state = len(outs) - len(self.mut)
        for i, box in zip(self.mutated, outs[n : n + m]):
            leaves[i]._assign(box._data, box._var)
        for p, box in zip(written, outs[state:]):
            p._assign(box._data, None)
        if self.effects is not None:
            self.effects.run(list(outs[n + m : state]))
        return join(self.result, list(outs[:n]))

    def _flat(self, *arrays):
        m = len(self.mut)
        r = m + len(self.ro)
        numbers = len(arrays) - len(self.numbers)
        groups, new = self.pure(*map(list, (arrays[:m], arrays[m:r], arrays[r:numbers], arrays[numbers:])))
        return tuple([array for group in (*groups, new) for array in group])

    def state(self):
        """The arrays of the state that the program writes, and of that which it reads; `Deferred` ones where they are not made."""
        return [contents(boxes) for boxes in (self.mut, self.ro)]

    def packed_state(self):
        """Shapes of the state as the program takes it: what equal layers have is in stacks."""
        if self.packings is None:
            return self.state()
        return [packing.shapes(boxes) for packing, boxes in zip(self.packings, (self.mut, self.ro))]

    def packed_boxes(self):
        """For each array of the packed state a box that holds it, or its first row."""
        if self.packings is None:
            return [self.mut, self.ro]
        return [packing.first(boxes) for packing, boxes in zip(self.packings, (self.mut, self.ro))]

    def memory(self):
        """Bytes that a run needs at most: inputs, outputs in places of their own, and what is kept between. None where XLA does not tell.

        XLA compiles once more to say it, unless the program is kept on disk.
        """
        lower = getattr(self.executable, "lower", None)
        if lower is None:  # started on several devices
            return None
        shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.inputs]
        at = len(shapes) - len(self.numbers)
        told = lower(*self.packed_state(), shapes[:at], tuple(shapes[at:])).compile().memory_analysis()
        if told is None:
            return None
        return (
            told.argument_size_in_bytes + told.output_size_in_bytes + told.temp_size_in_bytes - told.alias_size_in_bytes
        )

    def scan(self, stacked, steps):
        """Run `steps` times inside one program, over stacked inputs (leading axis: step); the result is that of the last step.

        stacked: one array for each Tensor argument. State is carried, and donated. A program that changes Python objects runs step by
        step, since each step makes its changes.
        """
        if self.effects is not None:
            for i in range(steps):
                result = self.run([wrap(array[i]) for array in stacked], None)
            return result
        if self.scans is None:

            def many(mut, ro, xs, numbers):
                def step(carry, x):
                    (outs, _, _), new = self.packed(carry, ro, x, numbers)
                    return new, outs

                new, outs = jax.lax.scan(step, mut, xs)
                return [o[-1] for o in outs], new

            self.scans = self.start(many, donate=(0,) if self.donate else (), stacked=True)
        numbers, written = self._current(), self._written()
        rows, mut = self._state_to_change(written)
        read = self._state_to_read()
        with uninterrupted():
            outs, new = self.scans(mut, read, stacked, numbers)
            self._keep(written, rows, new)
        return join(self.result, [wrap(o) for o in outs])


def _own_arrays(boxes):
    return for_writing(boxes, whole(boxes))


def _same(some, others):
    """Whether two tuples hold the same objects."""
    return some is others or len(some) == len(others) and all(map(operator.is_, some, others))


class Fallback:
    """A signature that runs eagerly because its trace met something that cannot be compiled."""

    __slots__ = ("reason", "notice", "calls")

    def __init__(self, reason, notice):
        self.reason, self.notice, self.calls = reason, notice, 0

    fallback = True

    def valid(self):
        return True

    def outdated(self):
        return False

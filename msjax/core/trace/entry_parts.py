"""The parts of a compiled variant: state read and written, guards, results, program."""

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from ..lowered import lowered
from ..operators import random, views
from ..process import shared
from ..settings import context
from ..settings.execution_state import here
from ..values.deferred import Deferred
from ..values.ownership import content, contents, for_writing, hand_out, keep_all
from ..values.tensor import wrap
from .call_structure import Leaf, join
from .stacking import whole

if TYPE_CHECKING:
    from .guards import Watch


class State:
    """The boxes that a program reads and writes, and the numbers outside of its arguments that are inputs.

    Args:
        written, read: lists of boxes. numbers: slots, read at each call. kept: (slot, box) of Tensors that are re-bound from call to call.
    """

    __slots__ = ("written", "read", "numbers", "kept", "packings", "_parameters", "_drawn")

    def __init__(self, written: list, read: list, numbers: Sequence, kept: list):
        self.written, self.read, self.numbers = written, read, numbers
        self.kept = [
            (boxes, i, slot) for slot, box in kept for boxes in (written, read) for i, b in enumerate(boxes) if b is box
        ]
        self.packings = None  # (of the written, of the read state), where equal layers are in stacks
        self._parameters = all([b._through_frames for b in written])
        self._drawn = [(i, b.stream) for i, b in enumerate(written) if getattr(b, "stream", None) is not None]

    def arrays(self):
        """The arrays of the written boxes, and of the read ones; `Deferred` objects for arrays that are not made."""
        return [contents(boxes) for boxes in (self.written, self.read)]

    def shapes(self):
        """Like `arrays`, in the form that the program takes: weights of equal layers as stacks."""
        if self.packings is None:
            return self.arrays()
        return [packing.shapes(boxes) for packing, boxes in zip(self.packings, (self.written, self.read))]

    def make(self):
        """Make what waits to be made, as far as it was not placed by what starts the program."""
        for packing, boxes in zip(self.packings or (), (self.written, self.read)):
            packing.lay(boxes)  # a checkpoint that is loaded next may hold slices of what is in stacks
        for box in (*self.written, *self.read):
            if type(content(box)) is Deferred:
                box._made()

    def first_boxes(self):
        """For each array of `shapes` a box that contains it, or its first row."""
        if self.packings is None:
            return [self.written, self.read]
        return [packing.first(boxes) for packing, boxes in zip(self.packings, (self.written, self.read))]

    def now(self):
        """Values of the numbers; Tensors that were re-bound take their places."""
        for boxes, position, slot in self.kept:
            boxes[position] = slot.read()
        return tuple([slot.read() for slot in self.numbers])

    def to_write(self):
        """The boxes that the program changes. The streams of random numbers are those of the thread that runs it."""
        if not self._drawn:
            return self.written
        boxes, streams = list(self.written), random.streams()
        for i, stream in self._drawn:
            boxes[i] = streams.get(stream).box()
        return boxes

    def taken(self, boxes: Sequence, donate: bool):
        """(rows of stacks, arrays for the program) of the state to write; with `donate` it may write over them, and gets copies of others'."""
        log = here().rollback
        if log is not None:  # what it may have to put back
            for p, a in zip(boxes, whole(boxes)):
                if log.setdefault(id(p), (p, a))[1] is a:
                    hand_out(p)
        arrays = _own_arrays if donate else whole
        return ((), arrays(boxes)) if self.packings is None else self.packings[0].taken(boxes, arrays)

    def to_read(self):
        """The arrays of the read state as the program takes them."""
        return whole(self.read) if self.packings is None else self.packings[1].taken(self.read)[1]

    def keep(self, boxes: Sequence, rows: list[list] | tuple, new: list):
        """Write the new state to its boxes. rows: the result of `taken`."""
        if self.packings is None:
            keep_all(boxes, new, self._parameters)
        else:
            self.packings[0].keep(boxes, rows, new)
        views.written(boxes)


def _own_arrays(boxes):
    return for_writing(boxes, whole(boxes))


class Guards:
    """The facts that a trace depended on and that are not inputs. A program is used only while all of them are
    unchanged.

    Args:
        cells: Cells that were called. constants: (box, array) whose values are in the program. parameters: boxes whose dtype, shape and
        `requires_grad` are. watch: what Python objects held. plain: whether gradients that users wrote were left out.
    """

    __slots__ = (
        "cells",
        "constants",
        "watch",
        "plain",
        "_parameters",
        "_epoch",
        "_context",
        "_casts",
        "_reading",
        "_modes",
    )

    def __init__(self, cells: dict, constants: list, parameters: list, watch: "Watch", plain: bool):
        self._epoch = shared.epoch  # before the look: a change that comes between is seen by the next call
        self.cells = [(cell, cell._compile_state()) for cell in cells]
        self.constants, self.watch, self.plain = constants, watch, plain
        self._parameters = [(b, b.dtype, b.shape, b.requires_grad) for b in parameters]
        self._context = context.snapshot()
        self._casts, self._reading, self._modes = here().casts, here().reading, here().modes

    def hold(self):
        """Whether nothing has changed."""
        # From the cheapest look to the dearest; a steady step pays a few hundred nanoseconds for all. Tensors whose values are in the program are
        # compared by identity: arrays never change, so the same array has the same values. Cells, Parameters and settings are not looked at
        # while `epoch` stands still, since whoever changes one moves it; when it has moved, everything that depends on it is compared once,
        # and if all is as it was the entry remembers the new number. So a `set_train` of another network costs one look, and no new trace.
        state = here()
        if self.plain and state.recorder is not None:  # a tape wants the gradients that users wrote
            return False
        for box, array in self.constants:
            if box._lent is not array:
                return False
        if not self.watch.holds():
            return False
        if not (_same(self._casts, state.casts) and self._reading is state.reading and _same(self._modes, state.modes)):
            return False
        epoch = shared.epoch  # before the look: what another thread changes meanwhile is looked at by the next call
        if self._epoch != epoch:
            if self.changed_cells():
                return False
            for box, dtype, shape, wanted in self._parameters:
                if box.requires_grad is not wanted or box.dtype != dtype or box.shape != shape:
                    return False
            if self._context != context.snapshot():
                return False
            self._epoch = epoch
        return True

    def changed_cells(self):
        """The Cells of which an attribute or a flag has changed."""
        return [cell for cell, state in self.cells if cell._compile_state() != state]

    def changes(self):
        """Words for what has changed."""
        cells = [f"an attribute or flag of {type(cell).__name__}" for cell in self.changed_cells()]
        values = [
            f"Parameter '{b.name}'" if b._through_frames else f"a Tensor of shape {b.shape} whose values were constants"
            for b, array in self.constants
            if b._lent is not array
        ]
        kinds = [
            f"dtype, shape or requires_grad of Parameter '{b.name}'"
            for b, dtype, shape, wanted in self._parameters
            if b.requires_grad is not wanted or b.dtype != dtype or b.shape != shape
        ]
        found = [*cells, *(slot.describe() for slot, _, _ in self.watch.changed()), *values, *kinds]
        return found or ([] if self.hold() else ["a setting"])

    def left_training(self):
        """The Cells that were in training then, and are no longer."""
        return [cell for cell, state in self.cells if state[1] and not cell.training]

    def never_again(self):
        """Whether the guards can never hold again: a Cell's version only grows."""
        return any(cell._compile_state()[0] != state[0] for cell, state in self.cells)


def _same(some, others):
    """Whether two tuples hold the same objects."""
    return some is others or len(some) == len(others) and all(map(operator.is_, some, others))


class Results:
    """The conversion of a program's outputs to the function's results.

    Args:
        structure: of the result, with a Leaf for each Tensor. count: how many Tensors. changed: places of the arguments that were changed in
        place. effects: the changes to Python objects (a Plan), or None. same: (place among the Tensors, number of the argument or the Tensor) of
        those that are not new Tensors.
    """

    __slots__ = ("structure", "count", "changed", "effects", "same")

    def __init__(self, structure: Leaf | tuple | list, count: int, changed: list, effects: Any, same: Sequence = ()):
        self.structure, self.count, self.changed, self.effects, self.same = structure, count, changed, effects, same

    def of(self, arrays: Sequence, leaves: Sequence):
        """The function's result, of the arrays in it and the Tensors among the arguments."""
        if type(self.structure) is Leaf and not self.same:
            return wrap(arrays[0])
        return self.joined([wrap(array) for array in arrays], leaves)

    def joined(self, boxes: list, leaves: Sequence):
        """The function's result, of new Tensors for all that is in it, and the Tensors among the arguments."""
        for place, origin in self.same:
            boxes[place] = leaves[origin] if type(origin) is int else origin
        return join(self.structure, boxes)


class Program:
    """The traced function as a program.

    Args:
        name: the function's. pure: (written state, read state, arguments, numbers) -> (groups of results, new state). start: what starts it
        (see `entry.launcher`). donate: whether it writes over the state. inputs: avals of arguments and numbers.
    """

    __slots__ = ("name", "pure", "start", "donate", "inputs", "packed", "run", "many")

    def __init__(self, name: str, pure: Callable, start: Callable, donate: bool, inputs: Sequence):
        self.name, self.pure, self.start, self.donate, self.inputs = name, pure, start, donate, inputs
        self.packed, self.many = pure, None  # `pure` over stacks, where equal layers are in stacks; its loop over steps
        self.run = None

    def ready(self, packed: Callable | None = None):
        """Make the function that runs the program; packed: `pure` over stacks."""
        self.packed = packed or self.pure
        self.run = self.started(self.packed)

    def started(self, pure: Callable, **how):
        """A function like `pure`, started as this one is."""
        return self.start(pure, donate=(0,) if self.donate else (), **how)

    def memory(self, state: Sequence, numbers: Sequence):
        """Peak bytes of a run: inputs, outputs that are not donated, temporary values. None if XLA does not report it.

        XLA compiles once more to say it, unless the program is kept on disk. state: shapes. numbers: how many of the inputs are numbers.
        """
        if not hasattr(self.run, "lower"):  # started on several devices
            return None
        shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.inputs]
        at = len(shapes) - numbers
        told = lowered(self.run, *state, shapes[:at], tuple(shapes[at:])).compile().memory_analysis()
        if told is None:
            return None
        return (
            told.argument_size_in_bytes + told.output_size_in_bytes + told.temp_size_in_bytes - told.alias_size_in_bytes
        )

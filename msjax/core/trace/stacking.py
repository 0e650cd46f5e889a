"""State of equal layers that goes into a folded program as stacks, and comes back so: one array for a weight of 64 layers."""

import operator
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ..values.deferred import Deferred
from ..values.ownership import content, contents, keep, not_lent, put
from ..values.parameter import Parameter
from ..values.rows import Row, Stack

if TYPE_CHECKING:
    from ..program.rolled import Rolled
    from .arrangement import Arrangement

_SHARE = 2  # bytes that are copied for the sake of stacks alone are at most such a part of the state that is in stacks
# Held while Parameters become rows of a new stack, and while a step's stacks become theirs: else what another thread reads before a step, it
# could write over the step.
_changing = threading.RLock()


def whole(boxes: Sequence):
    """The contents of boxes, as arrays."""
    held = contents(boxes)
    return [a.make() if type(a) is Row else a for a in held] if Row in map(type, held) else held


class Packing:
    """The rows of stacks among a list of boxes (`groups`, tuples of their places), and the places of the other boxes
    (`rest`).

    lies: for each group how its stack lies on several devices, or None.
    """

    __slots__ = ("groups", "lies", "picks", "rest")

    def __init__(self, boxes: Sequence, positions: Any, groups: list[tuple], alone: set, place: Callable | None = None):
        """positions: of the boxes, among the inputs of the program. groups: tuples of such positions. alone: ids of boxes for no stack.

        place: a function that says of a list of boxes how their stack is to lie: a sharding, None, or False for no stack.
        """
        at = {p: i for i, p in enumerate(positions) if type(boxes[i]) is Parameter and id(boxes[i]) not in alone}
        self.groups, self.lies = [], []
        for group in groups:
            if all(p in at for p in group):
                lies = None if place is None else place([boxes[at[p]] for p in group])
                if lies is not False:
                    self.groups.append(tuple([at[p] for p in group]))
                    self.lies.append(lies)
        inside = {i for group in self.groups for i in group}
        self.rest = [i for i in range(len(boxes)) if i not in inside]
        self.picks = [operator.itemgetter(*group) for group in self.groups]

    def stacked(self, boxes: Sequence):
        """The boxes of each stack."""
        return [[boxes[i] for i in group] for group in self.groups]

    def lay(self, boxes: Sequence):
        """Let the boxes of each stack that is for several devices be in it, before a run asks for it."""
        for pick, lies in zip(self.picks, self.lies):
            if lies is not None:
                _rows(pick(boxes), lies)

    def first(self, boxes: Sequence):
        """For each array that the program takes a box that holds it, or its first row."""
        return [*[boxes[group[0]] for group in self.groups], *[boxes[i] for i in self.rest]]

    def shapes(self, boxes: Sequence):
        """The program's inputs, as shapes and dtypes."""
        held = contents(boxes)
        first = [(len(group), held[group[0]], lies) for group, lies in zip(self.groups, self.lies)]
        stacks = [jax.ShapeDtypeStruct((count, *a.shape), a.dtype, sharding=lies) for count, a, lies in first]
        return [*stacks, *[_shape(held[i]) for i in self.rest]]

    def taken(self, boxes: Sequence, arrays_of: Callable = whole):
        """(rows of each group, arrays for the program: a stack for each group, then the result of `arrays_of` for the
        others)
        """
        rows = [_rows(pick(boxes), lies) for pick, lies in zip(self.picks, self.lies)]
        stacks = not_lent([of_group[0].stack.array for of_group in rows])
        return rows, [*stacks, *arrays_of([boxes[i] for i in self.rest])]

    def keep(self, boxes: Sequence, rows: list[list], arrays: Sequence):
        """After a run: put the new stacks and the other arrays into their boxes. rows: the result of `taken`."""
        with _changing:
            for pick, of_group, array in zip(self.picks, rows, arrays):
                of_group[0].stack.changed(array)
                for box, row in zip(pick(boxes), of_group):
                    put(box, row)
            for i, array in zip(self.rest, arrays[len(rows) :]):
                keep(boxes[i], array)


def _shape(array):
    """Shape and dtype of an array, with its sharding on several devices; an array on one device may go anywhere."""
    sharding = array.sharding if array.sharding is not None and len(array.sharding.device_set) > 1 else None
    return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=sharding)


def _rows(boxes, lies):
    """The rows of one stack, in its order, that boxes hold; where they hold something else they are given a new one."""
    held = contents(boxes)
    if type(held[0]) is Row:
        stack = held[0].stack
        if (
            stack.lies == lies
            and stack.array.shape[0] == len(held)
            and all([type(a) is Row and a.stack is stack and a.at == k for k, a in enumerate(held)])
        ):
            return held
    with _changing:
        if lies is None:
            for box, held_by in zip(boxes, held):
                if type(held_by) is Deferred and held_by.fill is None:
                    box._made()
            held = contents(boxes)
        stack = Stack(held, lies)
        rows = [Row(stack, k) for k in range(len(boxes))]
        for box, before, row in zip(boxes, held, rows):
            if content(box) is before:  # else it was assigned meanwhile, by another thread
                put(box, row)
    return rows


def program(folding: "Rolled", arrangement: "Arrangement", written: Packing, read: Packing, name: str):
    """The function (written, read, arguments, numbers) of a folded program with the state in stacks. written, read: their Packings."""
    first = len(folding.closed.jaxpr.outvars) - len(arrangement.written)  # of the outputs that are new state
    together = [tuple([first + i for i in group]) for group in written.groups]

    def pure(mut, ro, leaves, numbers=()):
        arrays, stacks = [None] * arrangement.state, []
        for packing, at, given in ((written, arrangement.written, mut), (read, arrangement.read, ro)):
            stacks += [([at[i] for i in group], stack) for group, stack in zip(packing.groups, given)]
            for i, array in zip(packing.rest, given[len(packing.groups) :]):
                arrays[at[i]] = array
        for i, shape, dtype in arrangement.unread:
            arrays[i] = jnp.zeros(shape, dtype)  # never used: XLA drops it
        outs, joined, pure.copied = folding.run([*arrays, *leaves, *numbers], stacks, together)
        groups, new = arrangement.groups(outs)
        return groups, [*joined, *[new[i] for i in written.rest]]

    pure.__name__ = pure.__qualname__ = name
    return pure


def pays(pure: Callable, shapes: tuple):
    """Whether a folded program copies little between stacks and other arrays: a copy of the weights in each run is a high price."""
    jax.eval_shape(pure, *shapes)
    stacked = sum(a.size * a.dtype.itemsize for some in shapes[:2] for a in some)
    return pure.copied * _SHARE <= stacked

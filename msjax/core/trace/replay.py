"""Repeats the changes of a trace to Python objects (its journal) after each run, with the run's values."""

import collections
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..compat import Tracer
from ..errors import Unstageable
from ..process import shared
from ..traceable import is_traceable
from ..values.tensor import Tensor, wrap
from .call_structure import NumberLeaf, Outputs, join
from .effects import Attribute, Content, Item, Journal, ModuleVariable, Variable, current
from .frame import current as current_frame
from .numbers import number


class Plan:
    """Changes to make after each run. It is made at the end of the trace, inside it.

    journal: the trace's. given: key -> what was put into a slot at the start of the trace. arrays: the list of the program's outputs,
    to which the traced values are appended. is_input: whether a Tensor is one of the boxes that the trace was given.
    """

    def __init__(self, journal: Journal, given: Mapping, arrays: Sequence, is_input: Callable):
        self.reads, self.given, self.is_input, self.changes = journal.reads, given, is_input, []
        self.new = {}  # key -> (slot, new value) of single attributes, variables and items
        take = Outputs(arrays, self._stays).take
        for key, entry in journal.entries.items():
            if isinstance(entry, Content):
                changes = self._content(entry)
            else:
                new = entry.read()
                changes = [("set", new)] if self._is_change(key, entry, new) else ()
            for how, what in changes:
                if how == "set":
                    self.new[key] = entry, what
                elif how == "put":
                    slots = [Item(entry.owner, name) for name in what]
                    self.new.update((slot.key, (slot, what[slot.name])) for slot in slots)
                try:
                    self.changes.append((entry, how, what if isinstance(what, _BYTES) else take(what)))
                except Unstageable as error:
                    raise Unstageable(f"{entry.describe()} is changed: {error.reason}") from error

    def without_values(self):
        """The plan, after it let go of traced values."""
        self.reads = self.given = self.is_input = self.new = None
        return self

    def _is_change(self, key, entry, new):
        known = key in self.reads.slots
        if isinstance(entry, Variable) and not isinstance(entry, ModuleVariable):
            if not known and key not in self.reads.dynamic:
                return False  # a variable of a function that ran in the trace
        if key in self.given:
            return new is not self.given[key]
        return new is not entry.old or not known

    def _content(self, entry):
        """[(operation, arguments)] that give a list, dict, ... the content that the trace left in it."""
        owner, old, new = entry.owner, entry.old, entry.read()
        if isinstance(owner, _BYTES):
            return [] if np.array_equal(old, new) else [("replace", new)]
        if id(owner) not in self.reads.outside:
            return []  # made by the traced function: nobody outside has it
        if isinstance(owner, dict):
            changed = {k: v for k, v in new.items() if k not in old or self._item_changed(entry, k, v)}
            changes = [("put", changed), ("remove", [k for k in old if k not in new])]
        elif isinstance(owner, set):
            changes = [
                ("update", [v for v in new if v not in old]),
                ("difference_update", [v for v in old if v not in new]),
            ]
        elif len(new) < len(old):
            changes = [("replace", new)]
        else:
            changed = {i: new[i] for i in range(len(old)) if self._item_changed(entry, i, new[i])}
            changes = [("put", changed), ("extend", new[len(old) :])]
        return [(how, what) for how, what in changes if what or how == "replace"]

    def _item_changed(self, entry, name, new):
        key = ("item", id(entry.owner), name)
        if key in self.given:
            return new is not self.given[key]
        return new is not entry.old[name] or name in entry.set_items

    def _stays(self, value):
        if not isinstance(value, Tensor):
            return id(value) in self.reads.outside
        if value._through_frames or self.is_input(value):
            return True
        return not isinstance(value._data, Tracer) and not getattr(value._var, "is_frame", False)

    def run(self, boxes: Sequence):
        """Make the changes; `boxes` are the traced values of this run, as Tensors."""
        for entry, how, structure in self.changes:
            value = structure if isinstance(structure, _BYTES) else join(structure, boxes)
            if how == "set":
                entry.set(value)
                shared.touch_attribute()
                if isinstance(entry, Attribute) and is_traceable(entry.owner):
                    entry.owner._attribute_set(entry.name)
            else:
                _HOW.get(how, getattr(type(entry.owner), how, None))(entry.owner, value)


class Inside:
    """Changes to Python objects in a transform inside a trace (a gradient, a recomputed block): they leave it as outputs of the
    transform, like the Parameters written in it, and are made again outside.

    Use it as a context around the code; then return `arrays` from the transform, and give them to `redo` outside.
    """

    def __enter__(self):
        self.journal, self.changes, self.arrays = Journal() if current() is not None else None, [], []
        if self.journal is not None:
            self.journal.__enter__()
        return self

    def __exit__(self, kind, error, traceback):
        journal = self.journal
        if journal is None:
            return False
        try:
            if kind is None:
                for entry in journal.entries.values():
                    self._take(entry)
        finally:
            journal.undo()
            journal.__exit__(kind, error, traceback)
        return False

    def _take(self, entry):
        new = entry.read()
        if new is entry.old or isinstance(new, _BYTES):
            return
        old = entry.old.values() if isinstance(entry.old, dict) else entry.old
        kept = {id(v) for v in old} if isinstance(entry, Content) else ()
        outside = self.journal.reads.outside if self.journal.reads is not None else ()
        outputs = Outputs(
            self.arrays, lambda v: id(v) in kept or id(v) in outside or getattr(v, "_through_frames", False)
        )
        structure = outputs.take(new)
        numbers = {leaf.index for leaf, _ in outputs.known.values() if type(leaf) is NumberLeaf}
        self.changes.append((entry, structure, numbers))

    def redo(self, arrays: Sequence):
        """Repeat the changes in the outer trace; `arrays` are the transform's results for `self.arrays`."""
        frame = current_frame()
        for entry, structure, numbers in self.changes:
            boxes = [number(a) if i in numbers else wrap(a, frame) for i, a in enumerate(arrays)]
            entry.write(join(structure, boxes))


_BYTES = (np.ndarray, bytearray)


def _put(owner, items):
    for name, value in items.items():
        owner[name] = value


def _remove(owner, keys):
    for k in keys:
        owner.pop(k, None)


def _replace(owner, content):
    if isinstance(owner, np.ndarray):
        owner[...] = content
    elif isinstance(owner, collections.deque):
        owner.clear()
        owner.extend(content)
    else:
        owner[:] = content


_HOW = {"put": _put, "remove": _remove, "replace": _replace}

"""Reads of a trace that are not its arguments: attributes, items of lists and dicts, variables of modules and of
enclosing functions.

`Reads` notes it while the function is traced; a `Watch` says before each run whether all of it still is as it was. What changes from
call to call (a counter, a Tensor kept between calls) becomes an input of the program instead: see `Compiled.dynamic`.

Python cannot tell when something is changed, so a guard is a look, before each run, at what was read. To keep a run cheap the looks are
graded. Numbers that grow with each change of a Cell or a setting (`core/process.py`) are compared first: while they stand still,
the guards that depend on them hold. Attributes and items are compared by identity and, where they are plain values, by value. A long
list or dict counts as data, known by identity and length; a large array of NumPy by identity, a smaller one by its bytes. Where the user's
code ran unseen (`blind`: without source, so not rewritten), what it read is not known: then an entry holds only while no attribute was
changed anywhere.
"""

import builtins
import collections
import dis
import functools
import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat import Tracer
from ..process import shared
from ..traceable import is_traceable
from ..values.tensor import Tensor
from .effects import UNSET, Attribute, Content, Item, ModuleVariable, Variable, current

if TYPE_CHECKING:
    from .effects import Journal
    from .frame import Frame

_MAX_ITEMS = 4096  # a longer list or dict is data: it is known by its identity and its length
_MAX_BYTES = 1 << 20  # a larger array of NumPy is data: it is known by its identity
_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(Ellipsis), slice, range)
NUMBERS = (int, float)
_NESTED = (list, dict, tuple, set, frozenset, collections.deque)


class Reads:
    """The reads of one trace. frame: its root frame. dynamic: key -> slot of each input."""

    def __init__(self, frame: "Frame", dynamic: dict):
        self.frame, self.dynamic = frame, dynamic
        self.slots = {}  # key -> (slot, value)
        self.contents = {}  # id -> (container, content when it was first read)
        self.arrays = {}  # id -> (array of NumPy, `_bytes_of` it when it was first read)
        self.outside = {}  # id -> container that was there before the trace, also if its content was not read
        self.functions = set()
        self.blind = False  # whether the user's code ran where its reads are not seen

    def note(self, slot: Variable | ModuleVariable | Attribute, value: Any):
        """`value` was read from a slot."""
        if slot.key not in self.slots and slot.key not in self.dynamic and current().change(slot.key) is None:
            self.slots[slot.key] = slot, value
            if isinstance(value, np.ndarray):
                self.see_array(value)

    def tensors(self):
        """Ids of the Tensors that were read from attributes, variables and containers outside of the trace."""
        found = {id(value) for _, value in self.slots.values() if isinstance(value, Tensor)}
        for _, content in self.contents.values():
            if isinstance(content, _NESTED):
                items = content.values() if isinstance(content, dict) else content
                found.update(id(item) for item in items if isinstance(item, Tensor))
        return found

    def note_function(self, fn: Callable):
        """The function is about to run: note the variables of its module and of the functions around it."""
        code, module = fn.__code__, fn.__globals__
        for name, cell in zip(code.co_freevars, fn.__closure__ or ()):
            variable = Variable(name, cell, code.co_filename)
            self.note(variable, variable.old)
        if (code, id(module)) not in self.functions:
            self.functions.add((code, id(module)))
            for name in _module_names(code):
                if name in module:
                    self.note(ModuleVariable(name, module, code.co_filename), module[name])

    def see(self, value: Any, content: bool = True):
        """A list, dict, ... was reached from outside the trace; `content`: and is looked into."""
        kind = type(value)
        if issubclass(kind, np.ndarray):
            self.see_array(value)
        if not issubclass(kind, _NESTED) or id(value) in self.contents or current().made(value):
            return
        if not issubclass(kind, (tuple, frozenset)):
            self.outside[id(value)] = value
            if not content:
                return
            change = current().change(("content", id(value)))
            old = change.old if change is not None else Content(value).old if len(value) <= _MAX_ITEMS else None
            self.contents[id(value)] = value, len(value) if old is None else old
            value = old
        if value is not None and len(value) <= _MAX_ITEMS:
            for item in value.values() if issubclass(kind, dict) else value:
                self.see(item)

    def see_array(self, array: np.ndarray):
        """An array of NumPy was reached from outside the trace: what is computed from it is in the program."""
        journal = current()
        wanted = id(array) not in self.arrays and array.nbytes <= _MAX_BYTES and not array.dtype.hasobject
        if wanted and not journal.made(array) and journal.change(("content", id(array))) is None:
            self.arrays[id(array)] = array, _bytes_of(array)


def _bytes_of(array):
    return array.shape, array.dtype, array.tobytes()


@functools.cache
def _module_names(code):
    """Names of module variables that a code object, or a function in it, loads."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names.update(_module_names(constant))
    return frozenset(names - vars(builtins).keys())


def reads():
    """The notes of the trace that runs now, or None."""
    journal = current()
    return None if journal is None else journal.reads


# --- reading, in converted code
def seen(value: Any):
    """`value`, reached by a name from outside the function."""
    notes = reads()
    if notes is not None:
        notes.see(value)
    return value


def reached(value: Any):
    """`value`, reached from outside, of which no content is read: it is appended to, or gets an item."""
    notes = reads()
    if notes is not None:
        notes.see(value, content=False)
    return value


def see_before_change(container: Any):
    """A list, dict, ... is about to change in a way that depends on its content: if it is from outside, the content is noted."""
    notes = reads()
    if notes is not None and id(container) in notes.outside:
        notes.see(container)


def item(owner: Any, key: Any):
    """`owner[key]`, of which only this item is read."""
    value = owner[key]
    notes = reads()
    if notes is not None and id(owner) in notes.outside and isinstance(key, _PLAIN) and not isinstance(key, slice):
        notes.note(Item(owner, key), value)
    return reached(value)


# --- before each run
class Watch:
    """Checks whether all values that a trace read are unchanged."""

    def __init__(self, journal: "Journal"):
        notes, made = journal.reads, journal.made
        always, cells, single = {}, {}, []
        for slot, value in notes.slots.values():
            if _traced(value) or made(value) or made(getattr(slot, "owner", None)):
                continue
            place = _dict_of(slot)
            if place is None:
                single.append((slot, value))
            else:
                groups = cells if is_traceable(getattr(slot, "owner", None)) else always
                groups.setdefault(id(place), (place, []))[1].append((slot, value))
        self.always = [_Group(place, pairs) for place, pairs in always.values()]
        self.cells = [_Group(place, pairs) for place, pairs in cells.values()]
        self.single, self.inputs = single, [(s, _description(s.read())) for s in notes.dynamic.values()]
        self.contents = [_Content(c, old, notes.dynamic) for c, old in notes.contents.values() if not made(c)]
        # one that the program itself writes would be new to each call
        arrays = [
            held for key, held in notes.arrays.items() if not made(held[0]) and not journal.change(("content", key))
        ]
        self.arrays = arrays
        self.attributes = shared.attributes
        self.blind = notes.blind

    def holds(self):
        """Whether nothing has changed. Attributes of Cells are looked at only after one was set."""
        for group in self.always:
            if not group.holds():
                return False
        for slot, value in self.single:
            if slot.read() is not value and not same(slot.read(), value):
                return False
        for content in self.contents:
            if not content.holds():
                return False
        for array, then in self.arrays:
            if _bytes_of(array) != then:
                return False
        for slot, described in self.inputs:
            if _description(slot.read()) != described:
                return False
        attributes = shared.attributes  # before the look, as in `Entry.valid`
        if self.attributes != attributes:
            if self.blind or not all(group.holds() for group in self.cells):
                return False
            self.attributes = attributes
        return True

    def changed(self):
        """[(slot, value then, value now)] of the values that differ."""
        pairs = [pair for group in (*self.always, *self.cells) for pair in zip(group.slots, group.values)]
        pairs += [*self.single, *(pair for content in self.contents for pair in content.items())]
        now = [(slot, old, slot.read()) for slot, old in pairs]
        arrays = [(_Array(array), then, _bytes_of(array)) for array, then in self.arrays]
        return [
            *((slot, old, new) for slot, old, new in now if new is not old and not same(old, new)),
            *((slot, old, new) for slot, old, new in arrays if new != old),
        ]


class _Array:
    """What an array of NumPy holds, as a slot that can be told of."""

    def __init__(self, array):
        self.key = "array", id(array)

    @staticmethod
    def describe():
        return "the content of a NumPy array"


class _Group:
    """Attributes of one object, or variables of one module: their values in one dict."""

    __slots__ = ("get", "names", "slots", "values")

    def __init__(self, place, pairs):
        self.get, self.slots = place.get, [slot for slot, _ in pairs]
        self.names = [slot.name for slot in self.slots]
        self.values = [value for _, value in pairs]

    def holds(self):
        values = self.values
        if all(map(operator.is_, map(self.get, self.names), values)):
            return True
        for i, (name, old) in enumerate(zip(self.names, values)):
            new = self.get(name, UNSET)
            if new is not old:
                if not same(old, new):
                    return False
                values[i] = new  # an equal number or text: next time its identity tells
        return True


class _Content:
    """A list, dict, set or deque that was looked into."""

    __slots__ = ("container", "old", "inputs")

    def __init__(self, container, old, dynamic):
        self.container, self.old = container, old
        self.inputs = {s.name for s in dynamic.values() if isinstance(s, Item) and s.owner is container}

    def holds(self):
        now, old = self.container, self.old
        if isinstance(old, int):
            return len(now) == old
        if len(now) != len(old):
            return False
        if isinstance(old, dict):
            return all(k in now and (now[k] is v or k in self.inputs or same(v, now[k])) for k, v in old.items())
        if isinstance(old, (set, frozenset)):
            return now == old
        if self.inputs:
            return all(a is b or i in self.inputs or same(a, b) for i, (a, b) in enumerate(zip(old, now)))
        return all(map(operator.is_, now, old)) or all(a is b or same(a, b) for a, b in zip(old, now))

    def items(self):
        """(slot, value then) of each item that is still there."""
        if isinstance(self.old, (list, dict)) and isinstance(self.container, (list, dict)):
            names = self.old if isinstance(self.old, dict) else range(min(len(self.old), len(self.container)))
            for name in names:
                if name not in self.inputs and (isinstance(self.old, list) or name in self.container):
                    yield Item(self.container, name), self.old[name]


def same(old: int | tuple, new: int | tuple):
    """Whether two objects are equal numbers, texts or nested tuples of them."""
    kind = type(old)
    if kind is not type(new):
        return False
    if kind is tuple:
        return len(old) == len(new) and all(a is b or same(a, b) for a, b in zip(old, new))
    if kind is types.MethodType:
        return old.__self__ is new.__self__ and old.__func__ is new.__func__
    return kind in _PLAIN and (old == new or kind is float and old != old and new != new)


def _description(value):
    """The part of an input that is fixed in the program: a Tensor's shape and dtype, a number's type."""
    if isinstance(value, Tensor):
        return value._through_frames, value.shape, value.dtype
    return type(value)


def _dict_of(slot):
    if isinstance(slot, ModuleVariable):
        return slot.module
    return slot.own if isinstance(slot, Attribute) and not slot.described else None


def _traced(value):
    return isinstance(value, Tensor) and not value._through_frames and isinstance(value._lent, Tracer)


def can_be_input(value: Any):
    """Whether a value can be an input of the compiled program instead of a constant."""
    if isinstance(value, Tensor):
        return not value._through_frames and not isinstance(value._lent, np.ndarray)
    return type(value) in NUMBERS

"""Journal of the changes that Python code makes while it is traced: lists, dicts, sets, attributes, shared and global
variables.

A trace runs the user's Python once a signature, but the user's program runs it at every call. So each change is noted with the old
content, taken back when the trace ends or is abandoned, and made again after each run of the compiled program, with the values of
that run (`replay`). A branch or a loop body has a journal of its own inside that of its trace; its changes are joined with those of
the other branch. (Parameters, and Tensors changed in place, are the Frame's business.)
"""

import collections
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..settings.execution_state import change, here
from ..traceable import is_traceable

if TYPE_CHECKING:
    import types

    from ..values.tensor import Tensor
    from .guards import Reads


class Unset:
    """A placeholder for a variable or an attribute without a value."""

    def __repr__(self):
        return "<unset>"


UNSET = Unset()


def current():
    """The innermost Journal, or None when nothing is being traced."""
    return here().journal


class Journal:
    """Open a Journal around a trace or a branch; afterwards `entries` lists the changes, and `undo` reverts them.

    reads: what the trace depends on (`guards.Reads`); None: a branch, which shares that of its trace. staged: whether the code is a
    branch, which a run may skip. code: the code object of the branch.
    """

    def __init__(self, reads: "Reads | None" = None, code: "types.CodeType | None" = None):
        self.entries, self.reads, self.staged, self.code = {}, reads, reads is None, code
        self.born = {}  # id -> object made in here: nobody outside sees it change

    def __enter__(self):
        self.parent = self.outside = here().journal
        if self.reads is None and self.parent is not None:
            self.reads = self.parent.reads
        change(journal=self)
        return self

    def __exit__(self, kind, error, traceback):
        change(journal=self.outside)
        return False

    def undo(self):
        """Give every container and attribute its old content back."""
        for entry in reversed(self.entries.values()):
            entry.restore()

    def forget_values(self):
        """Let go of everything that the trace made."""
        self.entries, self.born, self.reads = {}, {}, None

    def change(self, key: Any):
        """The outermost change of the slot with this key, in this journal or those around it; or None."""
        journal, found = self, None
        while journal is not None:
            found = journal.entries.get(key, found)
            journal = journal.parent
        return found

    def made(self, value: Any):
        """Whether an object was made in this trace."""
        journal = self
        while journal is not None:
            if id(value) in journal.born:
                return True
            journal = journal.parent
        return False


class Content:
    """Content of a list, dict, set, deque or NumPy array."""

    def __init__(self, owner: dict | list):
        self.owner, self.key = owner, ("content", id(owner))
        self.old = self.read()
        self.set_items = set()  # keys whose items were set, perhaps to an equal value

    def read(self):
        owner = self.owner
        if isinstance(owner, (list, collections.deque)):
            return list(owner)
        return dict(owner) if isinstance(owner, dict) else owner.copy()

    def restore(self):
        self._put(self.old)

    def write(self, content: Any):
        touch(self.owner)
        self._put(content)

    def _put(self, content):
        owner = self.owner
        if isinstance(owner, np.ndarray):
            owner[...] = content
        elif isinstance(owner, (list, bytearray)):
            owner[:] = content
        elif isinstance(owner, collections.deque):
            owner.clear()
            owner.extend(content)
        else:
            owner.clear()
            owner.update(content)

    def describe(self):
        return f"a {type(self.owner).__name__}"


class _Slot:
    """A place that holds a value. Subclasses have `read`, `set` (without a note in the journal) and `write` (with one)."""

    def enter(self, value, journal):
        """Keep a reference to `value` until the journal is undone."""
        self.old = self.read()
        journal.entries[self.key] = self
        self.set(value)

    def restore(self):
        self.set(self.old)


class Item(_Slot):
    """One item of a list or dict."""

    def __init__(self, owner: Any, name: str):
        self.owner, self.name, self.key = owner, name, ("item", id(owner), name)

    def read(self):
        try:
            return self.owner[self.name]
        except LookupError:
            return UNSET

    def enter(self, value: Any, journal: Any):
        self.write(value)

    def write(self, value: Any):
        set_item(self.owner, self.name, value)

    def describe(self):
        return f"the item {self.name!r} of a {type(self.owner).__name__}"


def own_attributes(owner: Any):
    """The dict of an object's own attributes, without descriptors of its class; {} if it has none."""
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return {}


def descriptor(owner: Any, name: str):
    """The descriptor (a property, a slot) that the class of an object has under a name, else None."""
    found = inspect.getattr_static(type(owner), name, None)
    return found if hasattr(type(found), "__set__") else None


class Attribute(_Slot):
    """One attribute of an object."""

    def __init__(self, owner: Any, name: str):
        self.owner, self.name, self.key = owner, name, ("attribute", id(owner), name)
        self.own = vars(owner) if isinstance(owner, type) else own_attributes(owner)
        self.described = descriptor(owner, name) is not None
        self.old = self.read()

    def read(self):
        return getattr(self.owner, self.name, UNSET) if self.described else self.own.get(self.name, UNSET)

    def set(self, value: Any):
        """Give the attribute a value (or none) without `__setattr__`, which may count versions or register the value."""
        if type(self.own) is dict and not self.described:
            if value is UNSET:
                self.own.pop(self.name, None)
            else:
                self.own[self.name] = value
        elif value is not UNSET:
            setattr(self.owner, self.name, value)
        elif self.read() is not UNSET:
            delattr(self.owner, self.name)

    def write(self, value: Any):
        if value is UNSET:
            delete_attribute(self.owner, self.name)
        else:
            set_attribute(self.owner, self.name, value)

    def describe(self):
        return f"the attribute '{self.name}' of a {type(self.owner).__name__}"


class Variable(_Slot):
    """A variable that blocks of a function, or several functions, share: a closure cell."""

    def __init__(self, name: str, cell: Any, filename: str):
        self.name, self.cell, self.filename, self.key = name, cell, filename, ("variable", id(cell))
        self.old = self.read()

    def read(self):
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNSET

    def write(self, value: Any):
        if value is UNSET:
            try:
                del self.cell.cell_contents
            except ValueError:
                return  # it had no value already
        else:
            self.cell.cell_contents = value

    set = write

    def describe(self):
        return f"the variable '{self.name}'"


class ModuleVariable(Variable):
    """A variable of a module."""

    def __init__(self, name: str, module: dict, filename: str):
        self.name, self.module, self.filename, self.key = name, module, filename, ("global", id(module), name)
        self.old = self.read()

    def read(self):
        return self.module.get(self.name, UNSET)

    def write(self, value: Any):
        if value is UNSET:
            self.module.pop(self.name, None)
        else:
            self.module[self.name] = value

    set = write


CONTAINERS = (list, dict, set, collections.deque, bytearray, np.ndarray)


def made(value: Any):
    """Note that `value` was made in this trace, so that its changes need no note; returns it."""
    journal = here().journal
    if journal is not None:
        journal.born[id(value)] = value
    return value


def touch(container: "int | Tensor | list"):
    """`container` is about to change: note its content if it is of a kind that can change."""
    journal = here().journal
    if journal is not None and isinstance(container, CONTAINERS) and id(container) not in journal.born:
        key = ("content", id(container))
        if key not in journal.entries:
            journal.entries[key] = Content(container)
    return container


def set_item(owner: "list[Tensor]", key: Any, value: Any):
    """`owner[key] = value`, noted."""
    touch(owner)
    owner[key] = value
    journal = here().journal
    entry = journal and journal.entries.get(("content", id(owner)))
    if entry and isinstance(key, (str, int, float, bytes)):
        entry.set_items.add(key)


def touch_variables(function: Callable, *module_names):
    """Note the variables that `function` refers to in its enclosing functions, and those of its module."""
    journal = here().journal
    if journal is not None:
        filename = function.__code__.co_filename
        noted = [Variable(n, c, filename) for n, c in zip(function.__code__.co_freevars, function.__closure__ or ())]
        noted += [ModuleVariable(n, function.__globals__, filename) for n in module_names]
        for variable in noted:
            journal.entries.setdefault(variable.key, variable)


def set_attribute(owner: Any, name: str, value: Any):
    """`owner.name = value`, noted."""
    note_attribute(owner, name)
    setattr(owner, name, value)


def delete_attribute(owner: Any, name: str):
    """`del owner.name`, noted."""
    note_attribute(owner, name)
    delattr(owner, name)


def note_attribute(owner: Any, name: str):
    """The attribute `owner.name` is about to change."""
    journal = here().journal
    if journal is None or id(owner) in journal.born:
        return
    if is_traceable(owner) and owner._keeps_name(name):
        return  # assigning to an attribute that is a Parameter writes the Parameter, which the frame keeps
    key = ("attribute", id(owner), name)
    if key not in journal.entries:
        journal.entries[key] = Attribute(owner, name)

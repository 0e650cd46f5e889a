"""Journal of what converted code changes in lists, dicts, sets and attributes while a branch or a loop body is traced.

The branch runs at trace time whether or not it will be taken, so its changes are noted with the old content, taken back
when the branch ends, and made again with the merged values. (Parameters, and Tensors changed in place, are the Frame's
business.)
"""

import collections
import contextvars

import numpy as np

from .errors import explain_unset
from .jumps import RESULT

_current = contextvars.ContextVar("msjax_journal", default=None)


class Unset:
    """Stands for a variable or an attribute without a value."""

    def __repr__(self):
        return "<unset>"


UNSET = Unset()


def current():
    """The innermost Journal, or None when no branch is being traced."""
    return _current.get()


class Journal:
    """Open one around a branch; afterwards `entries` says what was changed, and `undo` takes it back."""

    def __init__(self):
        self.entries = {}
        self.born = set()  # ids of containers made in here: nobody outside sees them change

    def __enter__(self):
        self.token = _current.set(self)
        return self

    def __exit__(self, kind, error, traceback):
        _current.reset(self.token)
        return False

    def undo(self):
        """Give every container and attribute its old content back."""
        for entry in reversed(self.entries.values()):
            entry.restore()


class Content:
    """Content of a list, dict, set, deque or NumPy array."""

    def __init__(self, owner):
        self.owner, self.key = owner, ("content", id(owner))
        self.old = self.read()

    def read(self):
        owner = self.owner
        if isinstance(owner, (list, collections.deque)):
            return list(owner)
        return dict(owner) if isinstance(owner, dict) else owner.copy()

    def restore(self):
        self._put(self.old)

    def write(self, content):
        touch(self.owner)
        self._put(content)

    def _put(self, content):
        owner = self.owner
        if isinstance(owner, (list, np.ndarray, bytearray)):
            owner[:] = content
        elif isinstance(owner, collections.deque):
            owner.clear()
            owner.extend(content)
        else:
            owner.clear()
            owner.update(content)

    def describe(self):
        return f"a {type(self.owner).__name__}"


class Attribute:
    """One attribute of an object."""

    def __init__(self, owner, name):
        self.owner, self.name, self.key = owner, name, ("attribute", id(owner), name)
        self.old = self.read()

    def read(self):
        own = getattr(self.owner, "__dict__", {})
        return own[self.name] if self.name in own else getattr(self.owner, self.name, UNSET)

    def restore(self):
        own = getattr(self.owner, "__dict__", None)
        if (
            own is not None
            and (self.name in own or not hasattr(type(self.owner), self.name))
            and not isinstance(self.owner, type)
        ):
            # Past __setattr__, which may count versions or register what it is given.
            if self.old is UNSET:
                own.pop(self.name, None)
            else:
                own[self.name] = self.old
        elif self.old is not UNSET:
            setattr(self.owner, self.name, self.old)
        elif hasattr(self.owner, self.name):
            delattr(self.owner, self.name)

    def write(self, value):
        set_attribute(self.owner, self.name, value)

    def describe(self):
        return f"the attribute '{self.name}' of a {type(self.owner).__name__}"


class Variable:
    """A variable that blocks of a function, or several functions, share: a closure cell."""

    def __init__(self, name, cell, filename):
        self.name, self.cell, self.filename, self.key = name, cell, filename, ("variable", id(cell))
        self.old = self.read()

    def read(self):
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNSET

    def write(self, value):
        if value is UNSET:
            try:
                del self.cell.cell_contents
            except ValueError:
                return  # it had no value already
        else:
            self.cell.cell_contents = value

    def restore(self):
        self.write(self.old)

    def unset(self, reason):
        """Leave it without a value; using it raises an error that gives the reason."""
        self.write(UNSET)
        self.explain(reason)

    def explain(self, reason):
        explain_unset(self.filename, self.name, reason)

    def describe(self):
        return "the returned value" if self.name == RESULT else f"the variable '{self.name}'"


class ModuleVariable(Variable):
    """A variable declared `global`."""

    def __init__(self, name, module, filename):
        self.name, self.module, self.filename, self.key = name, module, filename, ("global", id(module), name)
        self.old = self.read()

    def read(self):
        return self.module.get(self.name, UNSET)

    def write(self, value):
        if value is UNSET:
            self.module.pop(self.name, None)
        else:
            self.module[self.name] = value


CONTAINERS = (list, dict, set, collections.deque, bytearray, np.ndarray)


def made(container):
    """`container`, known to be new."""
    journal = _current.get()
    if journal is not None:
        journal.born.add(id(container))
    return container


def touch(container):
    """`container` is about to change: note its content if it is of a kind that can change."""
    journal = _current.get()
    if journal is not None and isinstance(container, CONTAINERS) and id(container) not in journal.born:
        key = ("content", id(container))
        if key not in journal.entries:
            journal.entries[key] = Content(container)
    return container


def touch_variables(function, *module_names):
    """Note the variables that `function` refers to in its enclosing functions, and those of its module."""
    journal = _current.get()
    if journal is not None:
        filename = function.__code__.co_filename
        noted = [Variable(n, c, filename) for n, c in zip(function.__code__.co_freevars, function.__closure__ or ())]
        noted += [ModuleVariable(n, function.__globals__, filename) for n in module_names]
        for variable in noted:
            journal.entries.setdefault(variable.key, variable)


def set_attribute(owner, name, value):
    """`owner.name = value`, noted."""
    _note_attribute(owner, name)
    setattr(owner, name, value)


def delete_attribute(owner, name):
    """`del owner.name`, noted."""
    _note_attribute(owner, name)
    delattr(owner, name)


def _note_attribute(owner, name):
    journal = _current.get()
    if journal is not None and id(owner) not in journal.born and ("attribute", id(owner), name) not in journal.entries:
        entry = Attribute(owner, name)
        # Assigning to an attribute that is a Parameter writes the Parameter, which the frame keeps.
        if not getattr(entry.old, "_through_frames", False):
            journal.entries[entry.key] = entry

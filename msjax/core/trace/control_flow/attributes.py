"""Attributes of objects in converted code: reads are noted, writes are applied after the run, properties are converted."""

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from ...operators.record import records
from ...traceable import is_traceable
from ...values.parameter import Parameter
from ...values.tensor import Tensor
from ..effects import (
    UNSET,
    Attribute,
    ModuleVariable,
    current,
    delete_attribute,
    descriptor,
    own_attributes,
    set_attribute,
)
from ..guards import reads, seen
from .conversion import convert

_FOREIGN = {"msjax", "jax", "jaxlib", "numpy", "scipy", "optax", "ml_dtypes", "builtins", *sys.stdlib_module_names}


def load(owner: Any, name: str, look: Callable = seen):
    """`owner.name`, noted."""
    if name == "has_key" and isinstance(owner, dict) and not hasattr(owner, name):
        return owner.__contains__  # graphs have the method of old
    notes = reads()
    if notes is None or current().made(owner):
        return getattr(owner, name)
    watched = _watched(type(owner)) if not isinstance(owner, (type, types.ModuleType)) else _watched_name(owner)
    if not watched:
        return getattr(owner, name)
    if is_traceable(owner):
        notes.frame.cells[id(owner)] = owner
    if isinstance(owner, types.ModuleType):
        value = getattr(owner, name)
        notes.note(ModuleVariable(name, vars(owner), owner.__name__), value)
        return look(value)
    if isinstance(owner, type):
        return look(_class_attribute(notes, owner, owner, name))
    found = descriptor(owner, name)
    if isinstance(found, property) and found.fget is not None and _watched(found.fget):
        return _called(found.fget, owner)
    if found is None and name in own_attributes(owner):
        value = getattr(owner, name)
        notes.note(Attribute(owner, name), value)
        return look(value)
    lazy = inspect.getattr_static(type(owner), name, None)
    if isinstance(lazy, functools.cached_property):
        set_attribute(owner, name, _called(lazy.func, owner))
        return getattr(owner, name)
    return look(_class_attribute(notes, owner, type(owner), name))


def _called(function, owner):
    return convert(function)(owner)


def _class_attribute(notes, owner, cls, name):
    value = getattr(owner, name)
    if owner is not cls and not is_traceable(owner):
        notes.note(Attribute(owner, name), UNSET)  # an attribute of its own would hide that of the class
    for base in cls.__mro__:
        if name in vars(base):
            if _watched_name(base):
                notes.note(Attribute(base, name), vars(base)[name])
            break
    return value


def has(owner: Any, name: str):
    """`hasattr(owner, name)`, noted."""
    try:
        load(owner, name)
    except AttributeError:
        notes = reads()
        if notes is not None and _watched(type(owner)) and not isinstance(owner, (type, types.ModuleType)):
            if is_traceable(owner):
                notes.frame.cells[id(owner)] = owner
            notes.note(Attribute(owner, name), UNSET)
        return False
    return True


def _watched_name(thing):
    """Whether a module or class belongs to the user."""
    return (getattr(thing, "__module__", None) or getattr(thing, "__name__", "")).partition(".")[0] not in _FOREIGN


@functools.lru_cache(4096)
def _watched(kind):
    """Whether attributes of a kind of object (or a function) are noted: those of the user's classes, and of all Traceables."""
    if isinstance(kind, type) and getattr(kind, "_is_traceable", False):
        return True
    if isinstance(kind, type) and issubclass(kind, (Tensor, types.ModuleType)):
        return False
    return kind is types.SimpleNamespace or _watched_name(kind)


def setattr_(value: Any, owner: Any, name: str):
    """`owner.name = value`."""
    found = descriptor(owner, name)
    if isinstance(found, property) and found.fset is not None:
        convert(found.fset)(owner, value)
        return
    held = None if is_traceable(owner) else getattr(owner, "__dict__", {}).get(name)
    if isinstance(held, Parameter) and isinstance(value, Tensor) and not isinstance(value, Parameter):
        records["assign"](held, value)  # as for a Cell: it stays a Parameter
    else:
        set_attribute(owner, name, value)


def delattr_(owner: Any, name: str):
    """`del owner.name`."""
    delete_attribute(owner, name)

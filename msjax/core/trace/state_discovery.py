"""Which state a function can reach: the Parameters that a trace is seeded with, so that one trace is enough in the usual case.

Looks at the Cell that owns the function, at closures, defaults, the globals that the code names, bound objects and the arguments.
What it misses is found by the trace itself, at the price of tracing again.
"""

import functools
import inspect
from collections.abc import Sequence
from typing import Any

from ..operators import random
from ..traceable import is_traceable
from ..values.parameter import Parameter
from ..values.tensor import Tensor
from .effects import own_attributes

_MAX_DEPTH = 6
_MAX_ITEMS = 4096
_PLAIN = (int, float, str, bytes, bool, complex, type(None), type, type(inspect))


def reachable_state(root: Any, args: Sequence = (), kwargs: dict | None = None):
    """Parameters within reach of `root` (a Cell or function) and the arguments: dict id -> Parameter, in order of discovery."""
    found, seen = {}, set()
    _visit(root, found, seen, 0)
    for value in (args, kwargs or {}):
        _visit(value, found, seen, 0)
    generator = random.streams().get().parameter
    if generator is not None:
        found.setdefault(id(generator), generator)
    return found


def check_names(args: Sequence, kwargs: dict, used: Sequence):
    """Compare the names of the Parameters among the arguments with those that a compiled function uses.

    Raises:
        ValueError: two of them have one name.
    """
    given = {}
    for value in (*args, *kwargs.values()):
        if isinstance(value, Parameter | list | tuple | dict):
            _visit(value, given, set(), 0)
    names = {p.name: p for p in given.values()}
    for parameter in (*given.values(), *(b for b in used if isinstance(b, Parameter))) if given else ():
        if names.get(parameter.name, parameter) is not parameter:
            raise ValueError(
                f"The parameter {parameter!r}, its name '{parameter.name}' already exists. Please set a unique name for the parameter."
            )


def _visit(value, found, seen, depth):
    if isinstance(value, _PLAIN) or id(value) in seen or depth > _MAX_DEPTH:
        return
    seen.add(id(value))
    if isinstance(value, Parameter):
        found.setdefault(id(value), value)
    elif isinstance(value, Tensor):
        return
    elif is_traceable(value):  # a Cell: its Parameters, sub-Cells and tuples of them
        for part in value._state_parts():
            _visit(part, found, seen, 0)
    elif isinstance(value, (list, tuple, set, frozenset)):
        if len(value) > _MAX_ITEMS:  # a data set, not a list of layers
            return
        for v in value:
            _visit(v, found, seen, depth + 1)
    elif isinstance(value, dict):
        for v in value.values():
            _visit(v, found, seen, depth + 1)
    elif isinstance(value, functools.partial):
        _visit((value.func, value.args, value.keywords), found, seen, depth)
    elif inspect.ismethod(value):
        _visit(value.__self__, found, seen, depth)
        _visit(value.__func__, found, seen, depth)
    elif inspect.isfunction(value):
        _visit_function(value, found, seen, depth)
    elif type(value).__module__ not in ("builtins", "numpy", "jax"):
        _visit(own_attributes(value), found, seen, depth + 1)


def _visit_function(fn, found, seen, depth):
    for cell in fn.__closure__ or ():
        try:
            _visit(cell.cell_contents, found, seen, depth + 1)
        except ValueError:  # a variable that has no value yet
            continue
    for value in (fn.__defaults__, fn.__kwdefaults__, getattr(fn, "__wrapped__", None)):
        _visit(value, found, seen, depth + 1)
    for name in _global_names(fn.__code__):
        if name in fn.__globals__:
            _visit(fn.__globals__[name], found, seen, depth + 1)


def _global_names(code):
    yield from code.co_names
    for constant in code.co_consts:
        if inspect.iscode(constant):
            yield from _global_names(constant)

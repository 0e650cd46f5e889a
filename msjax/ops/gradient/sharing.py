"""Programs that gradient functions share: a program that makes its gradient function anew in each step compiles it once.

Two functions of the same code whose closures hold the same things compute the same, whatever objects they are. What a closure holds may
change at any time, so both are compared at each call.
"""

import functools
import inspect
import random
import types
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import log
from ...core.grad.hooks import has_hooks
from ...core.trace.state_discovery import reachable_state
from ...core.traceable import is_traceable

_MOST = 8  # programs that a Cell keeps, in its attribute `_gradient_functions`: they live as long as it does
_DEPTH = 6  # of functions within closures
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_DRAWN = (random.Random, np.random.RandomState, np.random.Generator)
_COMPILED = 4  # gradient functions of one code, around other things each time, that are compiled at their first call
_LARGEST = 256  # of the counts of one code
# code or Cell -> {what it closes over: gradient functions called}
_MADE: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


def program_like(fn: Callable, body: Callable):
    """The program of an earlier gradient function of `fn` or its like, which computes what `body` computes; None if there is none."""
    kept = getattr(_owner(fn), "_gradient_functions", None)
    wanted = _meaning(body) if kept else None
    for before, program in list(kept or ()):
        if before.__code__ is body.__code__ and _meaning(before) == wanted:
            return None if _hooked(fn) else program
    return None


def first_call(fn: Callable, body: Callable, program: Any, args: tuple, kwargs: dict):
    """program(*args, **kwargs), whose program gradient functions that are made later share.

    Not if the function draws numbers in Python: each new function draws new ones, as MindSpore compiles each anew. Neither with hooks on
    Parameters, which are part of the program.
    """
    owner, before = _owner(fn), _streams()
    result = program(*args, **kwargs)
    if owner is not None and _streams() == before and not _hooked(fn):
        kept = owner.__dict__.setdefault("_gradient_functions", [])
        kept.append((body, program))
        del kept[:-_MOST]
    return result


def _hooked(fn):
    return has_hooks(reachable_state(fn).values())


def _streams():
    """Where the random streams of Python and NumPy are."""
    name, keys, *place = np.random.get_state()
    return random.getstate(), name, keys.tobytes(), place


def made_anew(fn: Callable):
    """Whether many gradient functions of the code of `fn`, around the same functions and Cells, were called and could share no program.

    Each would be compiled for a single call.
    """
    plain, *held = _held(fn)
    around = tuple(id(value) for value in held if callable(value))
    try:
        counts = _MADE.setdefault(getattr(plain, "__code__", plain), {})
    except TypeError:  # without weak references or a hash
        return False
    if len(counts) > _LARGEST:
        counts.clear()
    counts[around] = counts.get(around, 0) + 1
    if counts[around] == _COMPILED + 1:
        name = getattr(plain, "__qualname__", type(plain).__name__)
        log.warning(
            f"The gradient function of {name} is made anew again and again: it runs operator by operator, for each would be compiled for "
            "one call. Make it once, before the loop (grad_fn = mindspore.value_and_grad(...)), and call that."
        )
    return counts[around] > _COMPILED


def _held(fn):
    """[the function that `fn` is, without partials and decorators; what it is a method of; what is in its closure]."""
    while isinstance(fn, functools.partial):
        fn = fn.func
    plain = inspect.unwrap(fn)
    return [plain, getattr(plain, "__self__", None), *map(_content, getattr(plain, "__closure__", None) or ())]


def _owner(fn):
    """The Cell that keeps the programs of the gradients of `fn`: itself, the one that it is a method of, or the first in its closure."""
    return next((value for value in _held(fn) if is_traceable(value)), None)


def _content(cell):
    """What a variable of a closure holds, None where it is not set yet."""
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _meaning(value, depth=0):
    """Equal for values that mean the same to a function: numbers by type and text, functions by what they hold, others by being the same."""
    if isinstance(value, _PLAIN):
        return type(value), repr(value)
    if isinstance(value, _DRAWN) or hasattr(type(value), "__next__"):
        return object()  # gives something else at each call: nothing is like it
    if depth > _DEPTH:
        return id(value)
    if isinstance(value, (list, tuple)):
        return type(value), tuple(_meaning(item, depth) for item in value)
    if isinstance(value, functools.partial):
        parts = (value.func, value.args, tuple(value.keywords.items()))
        return functools.partial, *(_meaning(part, depth + 1) for part in parts)
    if isinstance(value, types.MethodType):
        return id(value.__self__), _meaning(value.__func__, depth + 1)
    if isinstance(value, types.FunctionType) and not vars(value):
        parts = (
            *map(_content, value.__closure__ or ()),
            value.__defaults__,
            tuple((value.__kwdefaults__ or {}).items()),
        )
        return value.__code__, id(value.__globals__), *(_meaning(part, depth + 1) for part in parts)
    settings = getattr(type(value), "_as_settings", None)
    return id(value) if settings is None else (type(value), _meaning(settings(value), depth))


__all__ = ["first_call", "made_anew", "program_like"]

"""Calls in converted code: user functions are converted in turn, builtins that inspect Tensors have staged forms."""

import functools
import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import MISSING, fields

import numpy as np

from ..effects import CONTAINERS, made, touch
from ..effects import current as current_journal
from ..frame import current as current_frame
from ..guards import see_before_change
from ..numbers import TracedNumber
from .attributes import delattr_, has, load, setattr_
from .conversion import convert, is_users
from .errors import NEEDS_STAGING, Unstageable
from .logic import and_, count, ifexp, index, not_, or_
from .ranges import range_
from .text import print_

_PLAIN_FACTORIES = (MISSING, list, dict, set, tuple)


def callee(fn: Callable):
    """The function that a call `fn(...)` in converted code runs."""
    kind = type(fn)
    if kind is types.BuiltinFunctionType:
        return _builtin(fn)
    if isinstance(fn, type):
        return _STAGED[fn] if fn in _STAGED_CLASSES else _class(fn)
    if kind is types.MethodType and not isinstance(fn.__self__, type) and _has_no_self(fn.__func__):
        return functools.partial(_call_without_self, fn)
    return convert(fn)


def _has_no_self(function):
    """Whether a function that stands in the body of a class of the user's has a first parameter of another name than `self`: no wrapper that a
    decorator put there.
    """
    code = getattr(function, "__code__", None)
    if code is None or not code.co_argcount or code.co_varnames[0] == "self":
        return False
    around = code.co_qualname.rpartition(".")[0]
    return bool(around) and not around.endswith("<locals>") and is_users(function)


def _call_without_self(method, *args, **kwargs):
    """`self.part(a, b)` of such a method: MindSpore's graphs give it a and b alone, and know the object by the name `self`. Where these do not
    fit it is a method after all.
    """
    function = method.__func__
    try:
        inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return convert(method)(*args, **kwargs)
    made = convert(function)
    if "self" in function.__code__.co_names and "self" not in function.__globals__:
        names = {**made.__globals__, "self": method.__self__}
        called = types.FunctionType(made.__code__, names, made.__name__, made.__defaults__, made.__closure__)
        called.__kwdefaults__ = made.__kwdefaults__
        made = called
    return made(*args, **kwargs)


def _class(cls):
    """A class as a constructor: its `__init__` is converted, and the new object is known to be new."""
    init = cls.__init__
    plain = type(cls) is type and cls.__new__ is object.__new__ and isinstance(init, types.FunctionType)
    if not plain or not is_users(init):
        return lambda *args, **kwargs: made(cls(*args, **kwargs))

    def construct(*args, **kwargs):
        new = made(cls.__new__(cls))
        convert(init)(new, *args, **kwargs)
        return new

    return functools.partial(_dataclass, cls) if _is_generated(init, cls) else construct


def _is_generated(init, cls):
    """Whether `dataclasses` wrote an `__init__`: there is no source to convert, and it reads nothing but its arguments."""
    owner = next(base for base in cls.__mro__ if "__init__" in vars(base))
    if "__dataclass_params__" not in vars(owner) or init.__code__.co_filename != "<string>":
        return False
    settable = cls.__dictoffset__ != 0 or not hasattr(cls, "__post_init__")
    return settable and all(f.default_factory in _PLAIN_FACTORIES for f in fields(cls))


def _dataclass(cls, *args, **kwargs):
    new = made(cls.__new__(cls))
    after = getattr(new, "__post_init__", None)
    if after is None:
        new.__init__(*args, **kwargs)
        return new
    new.__dict__["__post_init__"] = convert(after)  # found before the method
    try:
        new.__init__(*args, **kwargs)
    finally:
        del new.__dict__["__post_init__"]
    return new


def _builtin(fn):
    staged = _STAGED.get(fn) if fn.__hash__ is not None else None
    if staged is not None:
        return staged
    if current_journal() is None:
        return fn
    owner = getattr(fn, "__self__", None)
    journal = current_journal()
    if journal.staged and fn.__hash__ is not None and fn in _EFFECTS:
        raise Unstageable(f"{fn.__name__}() under a condition on a traced Tensor must happen when the program runs")
    if type(owner) in (list, tuple) and fn.__name__ in _FINDERS and current_frame() is not None:
        return functools.partial(_FINDERS[fn.__name__], owner)
    if isinstance(owner, CONTAINERS):
        if fn.__name__ == "copy":
            return lambda: made(fn())
        if isinstance(owner, dict) and fn.__name__ in ("keys", "values"):
            return lambda: tuple(fn())  # as in MindSpore's graphs
        if isinstance(owner, dict) and fn.__name__ == "items":
            return lambda: made(list(fn()))
        if fn.__name__ in _CHANGES or isinstance(owner, np.ndarray):
            if fn.__name__ not in _BLIND_CHANGES:
                see_before_change(owner)
            touch(owner)
        return fn
    return _MAKERS.get(fn, fn)


_FINDERS = {"count": count, "index": index}
# Methods that change a list, dict, set or deque; those in the second set do not look at what is in it.
_CHANGES = {
    "append",
    "extend",
    "insert",
    "pop",
    "remove",
    "clear",
    "sort",
    "reverse",
    "update",
    "setdefault",
    "popitem",
    "add",
    "discard",
}
_CHANGES |= {
    "appendleft",
    "extendleft",
    "popleft",
    "rotate",
    "difference_update",
    "intersection_update",
    "symmetric_difference_update",
}
_BLIND_CHANGES = {"append", "extend", "update", "add", "appendleft", "extendleft", "clear"}


def _getattr(owner, name, *default):
    try:
        return load(owner, name)
    except AttributeError:
        if default:
            has(owner, name)
            return default[0]
        raise


def _setattr(owner, name, value):
    setattr_(value, owner, name)


def _isinstance(value, kinds):
    if type(value) is not TracedNumber:
        return isinstance(value, kinds)
    return issubclass(value.kind, kinds)


def _fold(builtin, better):
    """min or max: the staged form compares in turn, as the builtin does."""

    def fold(*args, key=None, **kwargs):
        items = list(args[0]) if len(args) == 1 else list(args)
        try:
            return builtin(items, key=key and callee(key), **kwargs)
        except NEEDS_STAGING:
            rank = callee(key) if key else lambda item: item
            best = items[0]
            for item in items[1:]:
                best = ifexp(better(rank(item), rank(best)), lambda item=item: item, lambda best=best: best)
            return best

    return fold


def _any(items):
    return or_(lambda: False, *[lambda item=item: _as_truth(item) for item in items])


def _all(items):
    return and_(lambda: True, *[lambda item=item: _as_truth(item) for item in items])


def _as_truth(value=False):
    return not_(not_(value))


def _range(*bounds):
    made = range_(*bounds)
    return tuple(made) if type(made) is range and len(made) <= _LONGEST else made


def _given_whole(lazy):
    """A builtin that yields its items lazily: MindSpore's graphs have a tuple of all items; infinite iterators stay as
    they are.
    """

    def give(*args, **kwargs):
        made = lazy(*args, **kwargs)
        return made if any(hasattr(arg, "__next__") for arg in args) else tuple(made)

    return give


def _map(fn, *iterables):
    made = map(callee(fn), *iterables)
    if any(hasattr(items, "__next__") for items in iterables):
        return made
    return list(made) if isinstance(iterables[0], list) else tuple(made)


def _filter(fn, iterable):
    made = filter(fn and callee(fn), iterable)
    return made if hasattr(iterable, "__next__") else list(made)


def _reduce(fn, *args):
    return functools.reduce(callee(fn), *args)


_STAGED = {
    print: print_,
    getattr: _getattr,
    setattr: _setattr,
    delattr: delattr_,
    hasattr: has,
    isinstance: _isinstance,
    range: _range,
    bool: _as_truth,
    min: _fold(min, lambda a, b: a < b),
    max: _fold(max, lambda a, b: a > b),
    any: _any,
    all: _all,
    map: _map,
    filter: _filter,
    zip: _given_whole(zip),
    enumerate: _given_whole(enumerate),
    functools.reduce: _reduce,
}
_STAGED_CLASSES = {range, bool, map, filter, zip, enumerate}
_LONGEST = 1_000_000  # a longer range stays one
_EFFECTS = {input, open, sys.stdout.write, sys.stderr.write}
_MAKERS = {sorted: lambda *args, **kwargs: made(sorted(*args, **kwargs))}

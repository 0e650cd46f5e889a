"""What converted code calls: user functions are converted in turn, builtins that look into Tensors have staged forms.

The user's functions are all those outside the standard library, jax, NumPy and this package.
"""

import functools
import os
import sys
import sysconfig
import types

import numpy as np

from ..effects import CONTAINERS, made, touch
from ..effects import current as current_journal
from ..frame import current as current_frame
from ..guards import has, load, reads, see_before_change
from ..numbers import TracedNumber
from . import rewrite
from .errors import NEEDS_STAGING, Unstageable
from .ranges import range_
from .text import print_

# Packages whose code is left alone: it is made for traced values, or never sees them.
_LEFT_ALONE = {"msjax", "jax", "jaxlib", "numpy", "scipy", "optax", "ml_dtypes", "cv2", "PIL"}
_STDLIB = tuple(
    {os.path.realpath(p) + os.sep for p in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))}
)
_INSTALLED = tuple(os.path.realpath(p) + os.sep for p in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})

_RUNTIME = __name__.rpartition(".")[0] + ".runtime"  # imports this module, so it is looked up when it is needed

_converted = {}  # (code object, file: equal codes may stand in two) -> rewritten code object, or None: it stays as it is
_rewritten = set()  # code objects that the rewriting made
_unseen = set()  # code objects of the user that stay as they are, so that what they read and change is not seen
_opted_in = set()  # code objects of this package that have tests on Tensors in them


def convertible(fn):
    """Decorator for a function of msjax itself with control flow on Tensors: convert it like a user's function."""
    _opted_in.add(fn.__code__)
    return fn


def convert(fn):
    """`fn` (a function, method, partial or callable object) with staged control flow; `fn` itself where it has none."""
    kind = type(fn)
    if kind is types.FunctionType:
        return _convert_function(fn)
    if kind is types.MethodType:
        inner = convert(fn.__func__)
        return fn if inner is fn.__func__ else types.MethodType(inner, fn.__self__)
    if kind is functools.partial:
        inner = convert(fn.func)
        return fn if inner is fn.func else functools.partial(inner, *fn.args, **fn.keywords)
    call = getattr(kind, "__call__", None)
    if isinstance(call, types.FunctionType) and not isinstance(fn, type):
        inner = _convert_function(call)
        return fn if inner is call else types.MethodType(inner, fn)
    return fn


def _convert_function(fn):
    code = fn.__code__
    if code in _rewritten:
        return fn
    notes, key = reads(), (code, code.co_filename)
    if key not in _converted:
        users = code in _opted_in or _is_users(fn)
        _converted[key] = new = rewrite.rewritten_code(code, fn.__globals__) if users else None
        if users and new is None:
            _unseen.add(code)
        if new is not None:
            _rewritten.update(rewrite.nested_codes(new))
    new = _converted[key]
    if notes is not None and (new is not None or code in _unseen):
        notes.note_function(fn)
        notes.blind = notes.blind or new is None
    return fn if new is None else rewrite.function_like(fn, new, sys.modules[_RUNTIME])


def _is_users(fn):
    if (fn.__globals__.get("__name__") or "").partition(".")[0] in _LEFT_ALONE:
        return False
    path = os.path.realpath(fn.__code__.co_filename)
    return path.startswith(_INSTALLED) or not path.startswith(_STDLIB)


def resolve(fn):
    """`fn`, converted if the running trace needs that: for code that calls what it was given (Cell, grad, HyperMap)."""
    frame = current_frame()
    return convert(fn) if frame is not None and frame.converting else fn


# --- calls in converted code
def callee(fn):
    """What a call `fn(...)` in converted code calls."""
    kind = type(fn)
    if kind is types.BuiltinFunctionType:
        return _builtin(fn)
    if isinstance(fn, type):
        return _STAGED[fn] if fn in (range, bool, map, filter) else _class(fn)
    return convert(fn)


def _class(cls):
    """A class as a constructor: its `__init__` is converted, and the new object is known to be new."""
    init = cls.__init__
    plain = (
        type(cls) is type and cls.__new__ is object.__new__ and isinstance(init, types.FunctionType) and _is_users(init)
    )
    if not plain:
        return lambda *args, **kwargs: made(cls(*args, **kwargs))

    def construct(*args, **kwargs):
        new = made(cls.__new__(cls))
        convert(init)(new, *args, **kwargs)
        return new

    return construct


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
    if isinstance(owner, CONTAINERS):
        if fn.__name__ == "copy":
            return lambda: made(fn())
        if fn.__name__ in _CHANGES or isinstance(owner, np.ndarray):
            if fn.__name__ not in _BLIND_CHANGES:
                see_before_change(owner)
            touch(owner)
        return fn
    return _MAKERS.get(fn, fn)


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
    sys.modules[_RUNTIME].setattr_(value, owner, name)


def _delattr(owner, name):
    sys.modules[_RUNTIME].delattr_(owner, name)


def _isinstance(value, kinds):
    if type(value) is not TracedNumber:
        return isinstance(value, kinds)
    return issubclass(value.kind, kinds)


def _fold(builtin, better):
    """min or max: the staged form compares in turn, as the builtin does."""

    def fold(*args, key=None, **kwargs):
        runtime = sys.modules[_RUNTIME]
        items = list(args[0]) if len(args) == 1 else list(args)
        try:
            return builtin(items, key=key and callee(key), **kwargs)
        except NEEDS_STAGING:
            rank = callee(key) if key else lambda item: item
            best = items[0]
            for item in items[1:]:
                best = runtime.ifexp(better(rank(item), rank(best)), lambda item=item: item, lambda best=best: best)
            return best

    return fold


def _any(items):
    runtime = sys.modules[_RUNTIME]
    return runtime.or_(lambda: False, *[lambda item=item: _as_truth(item) for item in items])


def _all(items):
    runtime = sys.modules[_RUNTIME]
    return runtime.and_(lambda: True, *[lambda item=item: _as_truth(item) for item in items])


def _as_truth(value=False):
    runtime = sys.modules[_RUNTIME]
    return runtime.not_(runtime.not_(value))


def _map(fn, *iterables):
    return map(callee(fn), *iterables)


def _filter(fn, iterable):
    return filter(fn and callee(fn), iterable)


def _reduce(fn, *args):
    return functools.reduce(callee(fn), *args)


_STAGED = {
    print: print_,
    getattr: _getattr,
    setattr: _setattr,
    delattr: _delattr,
    hasattr: has,
    isinstance: _isinstance,
    range: range_,
    bool: _as_truth,
    min: _fold(min, lambda a, b: a < b),
    max: _fold(max, lambda a, b: a > b),
    any: _any,
    all: _all,
    map: _map,
    filter: _filter,
    functools.reduce: _reduce,
}
_EFFECTS = {input, open, sys.stdout.write, sys.stderr.write}
_MAKERS = {sorted: lambda *args, **kwargs: made(sorted(*args, **kwargs))}

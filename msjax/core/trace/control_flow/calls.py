"""What converted code calls: user functions are converted in turn, builtins that look into Tensors have staged forms.

The user's functions are all those outside the standard library, jax, NumPy and this package.
"""

import functools
import os
import sys
import sysconfig
import types

from ..frame import current as current_frame
from . import rewrite
from .errors import NEEDS_STAGING, Unstageable
from .journal import CONTAINERS, made, touch
from .journal import current as current_journal
from .ranges import range_
from .text import format_method, print_

# Packages whose code is left alone: it is made for traced values, or never sees them.
_LEFT_ALONE = {"msjax", "jax", "jaxlib", "numpy", "scipy", "optax", "ml_dtypes", "cv2", "PIL"}
_STDLIB = tuple(
    {os.path.realpath(p) + os.sep for p in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))}
)
_INSTALLED = tuple(os.path.realpath(p) + os.sep for p in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})

_RUNTIME = __name__.rpartition(".")[0] + ".runtime"  # imports this module, so it is looked up when it is needed

_converted = {}  # code object -> rewritten code object, or None: it stays as it is
_rewritten = set()  # code objects that the rewriting made
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
    if code not in _converted:
        new = rewrite.rewritten_code(code, fn.__globals__) if code in _opted_in or _is_users(fn) else None
        _converted[code] = new
        if new is not None:
            _rewritten.update(rewrite.nested_codes(new))
    new = _converted[code]
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
    if isinstance(getattr(fn, "__self__", None), str) and fn.__name__ == "format":
        return format_method(fn.__self__)
    if current_journal() is None:
        return fn
    owner = getattr(fn, "__self__", None)
    if fn in _EFFECTS:
        raise Unstageable(f"{fn.__name__}() under a condition on a traced Tensor must happen when the program runs")
    if isinstance(owner, CONTAINERS):
        touch(owner)
        return lambda *args, **kwargs: made(fn(*args, **kwargs)) if fn.__name__ == "copy" else fn(*args, **kwargs)
    return _MAKERS.get(fn, fn)


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

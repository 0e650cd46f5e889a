"""Which functions are rewritten, and the rewritten ones: each of the user's, once a code object.

The user's functions are all those outside the standard library, jax, NumPy and this package.
"""

import functools
import os
import sys
import sysconfig
import types
from collections.abc import Callable

from ...settings.execution_state import here
from ..frame import current as current_frame
from ..guards import reads
from . import rewrite

_RUNTIME = f"{__package__}.runtime"  # the module that rewritten code calls; it imports this one
# Packages whose code is left alone: it is made for traced values, or never sees them.
_LEFT_ALONE = {"msjax", "jax", "jaxlib", "numpy", "scipy", "optax", "ml_dtypes", "cv2", "PIL"}
_STDLIB = tuple(
    {os.path.realpath(p) + os.sep for p in (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))}
)
_INSTALLED = tuple(os.path.realpath(p) + os.sep for p in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")})

_converted = {}  # (code object, file: equal codes may stand in two) -> rewritten code object, or None: it stays as it is
_rewritten = set()  # code objects that the rewriting made
_unseen = set()  # code objects of the user that stay as they are, so that what they read and change is not seen
_opted_in = set()  # code objects of this package that have tests on Tensors in them


def convertible(fn: Callable):
    """Decorator for a function of msjax itself with control flow on Tensors: convert it like a user's function."""
    _opted_in.add(fn.__code__)
    return fn


def convert(fn: Callable):
    """`fn` (a function, method, partial or callable object) with staged control flow; `fn` itself if it has no control
    flow.
    """
    kind = type(fn)
    if kind is types.FunctionType:
        return _convert_function(fn)
    if kind is types.MethodType:
        inner = convert(fn.__func__)
        return fn if inner is fn.__func__ else types.MethodType(inner, fn.__self__)
    if kind is functools.partial:
        inner = convert(fn.func)
        return fn if inner is fn.func else functools.partial(inner, *fn.args, **fn.keywords)
    call = getattr(kind, "__call__", None)  # noqa: B004 - the function itself, not whether there is one
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
        users = code in _opted_in or is_users(fn)
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


def is_users(fn: Callable):
    """Whether a function is the user's."""
    if (fn.__globals__.get("__name__") or "").partition(".")[0] in _LEFT_ALONE:
        return False
    path = os.path.realpath(fn.__code__.co_filename)
    return path.startswith(_INSTALLED) or not path.startswith(_STDLIB)


def resolve(fn: Callable):
    """`fn` as code that calls a user's function runs it (Cell, grad, HyperMap): converted where the running trace needs that.

    Also where a compiled function runs operator by operator: it has the same variables, and changes the same things, as its program would.
    """
    frame = current_frame()
    return convert(fn) if (here().copying if frame is None else frame.converting) else fn

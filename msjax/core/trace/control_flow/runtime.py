"""The functions that converted code calls as `cf__.name`: each does what Python does, and stages if the condition is
traced.
"""

import builtins
import itertools
import operator
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...operators import views
from ...operators.record import records
from ...values.parameter import as_state
from ...values.tensor import Tensor
from .. import dynamic_sequence
from ..effects import made, set_attribute, set_item, touch, touch_variables
from ..frame import current as current_frame
from ..guards import item, reached, see_before_change, seen
from .attributes import delattr_, load, setattr_
from .calls import callee
from .conversion import convert
from .errors import PASS_THROUGH, Unstageable
from .logic import and_, compare, ifexp, not_, or_, truth
from .ranges import TracedRange
from .staging import stage_if, stage_while, truth_of
from .text import formatted_text, joined_text, percent_text

__all__ = [
    "PASS_THROUGH",
    "and_",
    "callee",
    "compare",
    "delattr_",
    "delitem",
    "enter",
    "for_",
    "formatted_text",
    "getitem",
    "if_",
    "ifexp",
    "inplace",
    "inplace_variable",
    "item",
    "joined_text",
    "load",
    "made",
    "not_",
    "or_",
    "own",
    "percent_text",
    "reached",
    "seen",
    "setattr_",
    "setitem",
    "setitem_through",
    "slice",
    "touch",
    "touch_variables",
    "truth",
    "while_",
]

slice = builtins.slice  # the user's module may have its own

_ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)
_UNROLL_LIMIT = 100_000  # rounds of an iterator without end after a `break` on a traced condition


# --- statements
def if_(condition: "bool | Tensor", then: Callable, orelse: Callable | None = None):
    """`if condition: then() else: orelse()`."""
    truth = truth_of(condition)
    if truth is None:
        stage_if(condition, then, orelse or _nothing)
    elif truth:
        then()
    elif orelse is not None:
        orelse()


def _nothing():
    """The `else` that is not there."""


def while_(test: Callable, body: "_Round | Callable"):
    """`while test(): body()`. Rounds with a concrete test run as they are; the first traced test stages the rest."""
    while (truth := truth_of(test())) is not False:
        if truth is None:
            stage_while(test, body)
            return
        body()


def for_(iterable: tuple[int, ...] | TracedRange, body: Callable, go_on: Callable | None = None):
    """`for item in iterable: body(item)`, while `go_on()` is true: for loops with a `break` or a `return`."""
    if isinstance(iterable, TracedRange):
        _for_traced_range(iterable, body, go_on)
        return
    iterator, staged = iter(iterable), 0
    while True:
        test = True if go_on is None else go_on()
        truth = truth_of(test)
        if truth is False:
            return
        try:
            item = next(iterator)
        except StopIteration:
            return
        if truth:
            body(item)
            continue
        staged += 1
        if staged > _UNROLL_LIMIT or isinstance(iterable, _ENDLESS):
            reason = "a loop over an endless iterator has a `break` on a traced condition; use `while`"
            raise Unstageable(reason, body.__code__.co_filename, body.__code__.co_firstlineno)
        stage_if(test, _Round(body, item), _nothing)


class _Round:
    """One round of a loop as a block without arguments; it passes for the loop's body where its place is asked for."""

    def __init__(self, body, item, call=None):
        self.call = call or (lambda: body(item))
        self.__func__, self.__code__, self.__globals__ = body, body.__code__, body.__globals__

    def __call__(self):
        self.call()


class _Counter:
    """Loop variable of a staged `for i in range(...)`."""

    def __init__(self, value):
        self.value = value


def _for_traced_range(span, body, go_on):
    counter = made(_Counter(span.start))

    def test():
        inside = span.contains(counter.value)
        return inside if go_on is None else and_(lambda: inside, go_on)

    def round_():
        now = counter.value
        set_attribute(counter, "value", span.after(now))
        body(now)

    while_(test, _Round(body, None, round_))


# --- assignment
def own(value: Any):
    """What the variable x holds when `x[i] = v` begins: as in MindSpore's graphs a Tensor of its own.

    So the attribute, the argument or the other variable that x was taken from keeps its values. A Parameter is state, and is written.
    """
    return records["identity"](value) if type(value) is Tensor and views.copies() else value


def setitem(value: Any, owner: "Tensor | list", key: Any):
    """`owner[key] = value`."""
    method = _users_method(owner, "__setitem__")
    if method is not None:
        method(key, value)
    else:
        dynamic_sequence.check_before_set(owner, key, value)
        set_item(owner, key, value)


def setitem_through(value: Any, owner: Any, key: Any, levels: int):
    """`owner[key] = value`, where the owner is an item itself, as in `x[i][j] = v`: its source Tensor is written, too.

    levels: how many items are taken from x before.
    """
    with views.writing_through(levels):
        setitem(value, owner, key)


def getitem(owner: "dict | Tensor | tuple | list[Tensor]", key: Any):
    """`owner[key]`, with the errors of MindSpore's graphs."""
    if type(owner) in _SEQUENCES:
        if type(key) is slice:
            return dynamic_sequence.take(owner, key)
        if type(key) is int and not -len(owner) <= key < len(owner):
            kind, count = type(owner).__name__.capitalize(), len(owner)
            raise IndexError(f"{kind}GetItem evaluator index should be in range[-{count}, {count}), but got {key}.")
    method = _users_method(owner, "__getitem__")
    return owner[key] if method is None else method(key)


_SEQUENCES = (list, tuple)


def _users_method(owner, name):
    """A special method that the user's class defines, converted; None where a builtin class has it."""
    method = getattr(type(owner), name, None)
    return convert(types.MethodType(method, owner)) if isinstance(method, types.FunctionType) else None


def enter(manager: Any):
    """The object that `with manager` enters: the manager, with special methods of the user's converted."""
    entry = _users_method(manager, "__enter__")
    return manager if entry is None else _Manager(entry, _users_method(manager, "__exit__"))


class _Manager:
    """A context manager of two functions."""

    def __init__(self, entry, leave):
        self.entry, self.leave = entry, leave

    def __enter__(self):
        return self.entry()

    def __exit__(self, *error):
        return self.leave(*error)


def delitem(owner: Any, key: Any):
    """`del owner[key]`."""
    see_before_change(owner)
    touch(owner)
    del owner[key]


def inplace(name: str, old: "Tensor", value: Any):
    """The value that the target of `old += value` (or of its kin) gets.

    In MindSpore's graphs a Tensor is changed in place. The statement gives the name of a list or of a NumPy array a new object with the type
    of the sum, and other names of the old object keep its values.
    """
    if isinstance(old, np.ndarray) or type(old) is list:
        return getattr(operator, _OUT_OF_PLACE[name])(old, value)
    return getattr(operator, name)(touch(old), value)


_BINARY = "add sub mul matmul truediv floordiv mod pow lshift rshift or_ xor and_".split()
_OUT_OF_PLACE = {f"i{name.strip('_')}": name for name in _BINARY}


def inplace_variable(name: str, old: "Tensor", value: Any):
    """`old += value` and its kin, for a variable. As in MindSpore's graphs, a Parameter that has a further name is written.

    Other than by an assignment to the Parameter, gradients flow through what is written: the variable is a result, not state.
    """
    new = inplace(name, old, value)
    frame = current_frame()
    if isinstance(old, Tensor) and old._through_frames and new is not old and frame is not None:
        records["assign"](old, new)
        if frame.differentiated and isinstance(new, Tensor):
            held = frame.read_box(old)
            frame.write_box(old, as_state(held, new._data.astype(held.dtype).reshape(held.shape)))
        return old
    return new

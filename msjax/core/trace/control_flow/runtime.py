"""What converted code calls as `cf__.name`: each does what Python does, and stages where the condition is traced."""

import builtins
import itertools
import operator
import types

import jax.numpy as jnp
import numpy as np

from ...values.tensor import Tensor, wrap
from .. import dynamic_sequence
from ..effects import Journal, delete_attribute, descriptor, made, set_attribute, set_item, touch, touch_variables
from ..frame import Frame
from ..frame import current as current_frame
from ..guards import item, load, reached, see_before_change, seen
from .calls import callee, convert
from .errors import NEEDS_STAGING, PASS_THROUGH, Unstageable
from .ranges import TracedRange
from .staging import bool_array, stage_if, stage_while, truth_of
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
    "item",
    "joined_text",
    "load",
    "made",
    "not_",
    "or_",
    "percent_text",
    "reached",
    "seen",
    "setattr_",
    "setitem",
    "slice",
    "touch",
    "touch_variables",
    "truth",
    "while_",
]

slice = builtins.slice  # the user's module may have its own

_OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
}
_ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)
_UNROLL_LIMIT = 100_000  # rounds of an iterator without end after a `break` on a traced condition


# --- statements
def if_(condition, then, orelse=None):
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


def while_(test, body):
    """`while test(): body()`. Rounds with a concrete test run as they are; the first traced test stages the rest."""
    while (truth := truth_of(test())) is not False:
        if truth is None:
            stage_while(test, body)
            return
        body()


def for_(iterable, body, go_on=None):
    """`for item in iterable: body(item)`, while `go_on()` holds: the loop had a `break` or a `return`."""
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


# --- expressions
def truth(condition):
    """The condition of an `assert`, which cannot be staged."""
    found = truth_of(condition)
    return bool(condition) if found is None else found


def ifexp(condition, then, orelse):
    """`then() if condition else orelse()`."""
    found = truth_of(condition)
    if found is None:
        return stage_if(condition, then, orelse)
    return then() if found else orelse()


def not_(value):
    """`not value`; a bool Tensor when it is traced."""
    found = truth_of(value)
    return wrap(~bool_array(value), current_frame()) if found is None else not found


def and_(*thunks):
    """`a and b and ...`, each evaluated when it is needed."""
    value = thunks[0]()
    for thunk in thunks[1:]:
        found = truth_of(value)
        if found is False:
            return value
        value = _both(value, thunk, True) if found is None else thunk()
    return value


def or_(*thunks):
    """`a or b or ...`, each evaluated when it is needed."""
    value = thunks[0]()
    for thunk in thunks[1:]:
        found = truth_of(value)
        if found is True:
            return value
        value = _both(value, thunk, False) if found is None else thunk()
    return value


def _both(left, thunk, conjunction):
    """`left and thunk()` (or `or`) with a traced `left`: one logical operator where both are mere truth values."""
    if _is_truth_value(left):
        frame = Frame(current_frame())
        with Journal() as journal:
            try:
                with frame:
                    right = thunk()
            except Exception:
                journal.undo()  # perhaps `left` guards it: the staged form below says what is wrong
                return _staged_both(left, thunk, conjunction)
        if not frame.written and not journal.entries and _is_truth_value(right):
            combine = jnp.logical_and if conjunction else jnp.logical_or
            return wrap(combine(bool_array(left), bool_array(right)), current_frame())
        journal.undo()
    return _staged_both(left, thunk, conjunction)


def _staged_both(left, thunk, conjunction):
    return stage_if(left, thunk, lambda: left) if conjunction else stage_if(left, lambda: left, thunk)


def _is_truth_value(value):
    array = getattr(value, "_data", value)
    return isinstance(value, bool) or (getattr(array, "dtype", None) == np.bool_ and getattr(array, "size", 0) == 1)


def compare(left, *steps):
    """`left < b() < c()`: operators and thunks in turn; also `in` and `not in`."""
    symbol, thunk = steps[0], steps[1]
    right = thunk()
    if symbol in ("in", "not in"):
        result = _contains(right, left)
        result = result if symbol == "in" else not_(result)
    else:
        result = _OPERATORS[symbol](left, right)
    if len(steps) == 2:
        return result
    return and_(lambda: result, lambda: compare(right, *steps[2:]))


def _contains(container, value):
    if isinstance(value, Tensor) and type(container) in (list, tuple) and current_frame() is not None:
        return _holds_equal(container, value)
    try:
        return value in container
    except NEEDS_STAGING:
        if isinstance(container, Tensor):
            return (container == value).any()
        if not isinstance(container, (list, tuple)):
            raise
    return or_(lambda: False, *[lambda e=e: value is e or value == e for e in container])


def _holds_equal(items, value):
    """Whether a Tensor equals one of the items, as Python says it eagerly; Tensors of several elements as MindSpore's graphs do.

    To those, what is no Tensor of their shape is unequal, where Python finds the truth of a comparison ambiguous.
    """
    if any(e is value for e in items):
        return True
    equal = [value == e for e in items if _comparable(e, value)]
    return wrap(jnp.stack([e._data.all() for e in equal]).any(), current_frame()) if equal else False


def _comparable(item, value):
    if isinstance(item, Tensor):
        return item.shape == value.shape or item.size == value.size == 1
    return isinstance(item, (bool, int, float, complex)) and value.size == 1


# --- assignment
def setattr_(value, owner, name):
    """`owner.name = value`."""
    found = descriptor(owner, name)
    if isinstance(found, property) and found.fset is not None:
        convert(found.fset)(owner, value)
    else:
        set_attribute(owner, name, value)


def delattr_(owner, name):
    """`del owner.name`."""
    delete_attribute(owner, name)


def setitem(value, owner, key):
    """`owner[key] = value`."""
    method = _users_method(owner, "__setitem__")
    if method is not None:
        method(key, value)
    else:
        dynamic_sequence.check_before_set(owner, key, value)
        set_item(owner, key, value)


def getitem(owner, key):
    """`owner[key]`; the views of a dict have items here, as in MindSpore's graphs."""
    if isinstance(owner, _VIEWS):
        return tuple(owner)[key]
    if type(owner) in _SEQUENCES:
        if type(key) is slice:
            return dynamic_sequence.take(owner, key)
        if type(key) is int and not -len(owner) <= key < len(owner):
            kind, count = type(owner).__name__.capitalize(), len(owner)
            raise IndexError(f"{kind}GetItem evaluator index should be in range[-{count}, {count}), but got {key}.")
    method = _users_method(owner, "__getitem__")
    return owner[key] if method is None else method(key)


_SEQUENCES = (list, tuple)
_VIEWS = (type({}.keys()), type({}.values()), type({}.items()))


def _users_method(owner, name):
    """A special method that the user's class defines, converted; None where a builtin class has it."""
    method = getattr(type(owner), name, None)
    return convert(types.MethodType(method, owner)) if isinstance(method, types.FunctionType) else None


def enter(manager):
    """What `with manager` enters: the manager, with special methods of the user's converted."""
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


def delitem(owner, key):
    """`del owner[key]`."""
    see_before_change(owner)
    touch(owner)
    del owner[key]


def inplace(name, old, value):
    """`old += value` and its kin, for an attribute or an item."""
    return getattr(operator, name)(touch(old), value)

"""Truth values and comparisons of converted code: as in Python, and one logical operator or a staged branch where they are traced."""

import numbers
import operator
from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...compat import Tracer
from ...operators import known
from ...values.tensor import Tensor, wrap
from ..call_structure import Mutable
from ..effects import Journal
from ..frame import Frame
from ..frame import current as current_frame
from .errors import NEEDS_STAGING
from .staging import bool_array, stage_if, truth_of

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


def truth(condition: Any):
    """The condition of an `assert`, which cannot be staged."""
    found = truth_of(condition)
    return bool(condition) if found is None else found


def ifexp(condition: Any, then: Callable, orelse: Callable):
    """`then() if condition else orelse()`."""
    found = truth_of(condition)
    if found is None:
        return stage_if(condition, then, orelse)
    return then() if found else orelse()


def not_(value: Any):
    """`not value`; a bool Tensor when it is traced."""
    found = truth_of(value)
    return wrap(~bool_array(value), current_frame()) if found is None else not found


def and_(*thunks):
    """`a and b and ...`, each evaluated when it is needed."""
    return _in_turn(thunks, True)


def or_(*thunks):
    """`a or b or ...`, each evaluated when it is needed."""
    return _in_turn(thunks, False)


def _in_turn(thunks, conjunction):
    """The first value that decides an `and` (or `or`), or the last one."""
    value = thunks[0]()
    for thunk in thunks[1:]:
        found = truth_of(value)
        if found is not None and found is not conjunction:
            return value
        value = _both(value, thunk, conjunction) if found is None else thunk()
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
            combine, halves = jnp.logical_and if conjunction else jnp.logical_or, (bool_array(left), bool_array(right))
            array = combine(*halves)
            known.note_joined(array, *[getattr(v, "_data", v) for v in (left, right)], conjunction)
            return wrap(array, current_frame())
        journal.undo()
    return _staged_both(left, thunk, conjunction)


def _staged_both(left, thunk, conjunction):
    return stage_if(left, thunk, lambda: left) if conjunction else stage_if(left, lambda: left, thunk)


def _is_truth_value(value):
    array = getattr(value, "_data", value)
    return isinstance(value, bool) or (getattr(array, "dtype", None) == np.bool_ and getattr(array, "size", 0) == 1)


def compare(left: str, *steps):
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


def alike(left: Any, right: Any):
    """Whether two constants are one to a graph of MindSpore: of one kind (True, 1 and 1.0 are three), Tensors with all of their elements.

    None where the program decides, or where a graph knows no such constants.
    """
    kinds = [next((k for k in _KINDS if isinstance(v, k)), None) for v in (left, right)]
    if None in kinds or Mutable in kinds or any(isinstance(getattr(v, "_data", None), Tracer) for v in (left, right)):
        return None
    if kinds[0] is not kinds[1]:
        return False
    if kinds[0] is Tensor:
        same = (left.dtype, left.shape) == (right.dtype, right.shape)
        return same and np.array_equal(left._data, right._data)
    if kinds[0] is dict:
        return None if left.keys() == right.keys() else False
    if kinds[0] not in (list, tuple):
        return bool(left == right)
    items = [alike(a, b) for a, b in zip(left, right)] if len(left) == len(right) else [False]
    return False if False in items else None if None in items else True


# A number that is `mutable` is none of these constants.
_KINDS = (Mutable, Tensor, (bool, np.bool_), numbers.Integral, numbers.Real, str, list, tuple, dict, type(None))


def count(items: list | tuple, value: Any):
    """`items.count(value)`."""
    found = [alike(item, value) for item in items]
    return items.count(value) if None in found else sum(found)


def index(items: list | tuple, value: Any, *limits):
    """`items.index(value)`."""
    found = [alike(item, value) for item in items]
    if None in found:
        return items.index(value, *limits)
    start, stop = (*limits, None, None)[:2]
    if True not in found[start:stop]:
        raise ValueError(f"{value!r} is not in {type(items).__name__}")
    return found.index(True, *limits)


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

    To those, what is not a Tensor of their shape is unequal, where Python finds the truth of a comparison ambiguous.
    """
    if any(e is value for e in items):
        return True
    equal = [value == e for e in items if _comparable(e, value)]
    return wrap(jnp.stack([e._data.all() for e in equal]).any(), current_frame()) if equal else False


def _comparable(item, value):
    if isinstance(item, Tensor):
        return item.shape == value.shape or item.size == value.size == 1
    return isinstance(item, (bool, int, float, complex)) and value.size == 1

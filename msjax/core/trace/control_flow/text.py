"""`print` of traced values: the text is made when the compiled program runs, once each time it passes there."""

import functools
import operator
from collections.abc import Sequence
from typing import Any

import jax

from ... import host_calls
from ...compat import Tracer
from ...values.tensor import Tensor, wrap
from ..frame import current as current_frame

_CONVERSIONS = {-1: lambda v: v, ord("s"): str, ord("r"): repr, ord("a"): ascii}


class TracedText(str):
    """A text with traced values in it, on its way to `print`; `parts` makes the real text when they are known."""

    parts = ()

    @classmethod
    def of(cls, shown: Any, parts: Sequence):
        text = cls(shown)
        text.parts = parts  # (function, values...): called with the values' content
        return text


def joined_text(*parts):
    """An f-string that is printed: strings, and (value, conversion, format spec) for each replacement field."""
    return TracedText.of("<traced>", (_join, parts)) if _holds_traced(parts) else _join(parts)


def _part(part):
    if not isinstance(part, tuple):
        return part
    value, conversion, spec = part
    return format(
        _CONVERSIONS[conversion](value), spec
    )  # a Tensor takes no spec: that is an error here, not in the callback


def _join(parts):
    return "".join(_part(p) for p in parts)


def formatted_text(template: str, *args, **kwargs):
    """`template.format(...)` that is printed."""
    if not _holds_traced((args, kwargs)):
        return template.format(*args, **kwargs)
    return TracedText.of("<traced>", (_format, template, args, kwargs))


def percent_text(template: str, values: Sequence):
    """`template % values` that is printed."""
    return TracedText.of("<traced>", (operator.mod, template, values)) if _holds_traced(values) else template % values


def _format(template, args, kwargs):
    return template.format(*args, **kwargs)


def print_(*args, **kwargs):
    """`print`; while a function is traced, the print of the program that is made."""
    if current_frame() is None:
        print(*args, **kwargs)
        return
    arrays = []
    structure = _take_apart(args, arrays)
    host_calls.tell(functools.partial(_print_now, structure, kwargs), *arrays)


def _print_now(structure, kwargs, *arrays):
    print(*_put_together(structure, arrays), **kwargs)


class _Slot:
    """The place of an array."""

    def __init__(self, index):
        self.index = index


class _Delayed:
    """A text that is made of its parts."""

    def __init__(self, parts):
        self.parts = parts


def _take_apart(value, arrays):
    if isinstance(value, (Tensor, jax.Array)):
        array = value._data if isinstance(value, Tensor) else value
        if not isinstance(array, jax.Array):
            return value
        arrays.append(array)
        return _Slot(len(arrays) - 1)
    if isinstance(value, TracedText) and value.parts:
        return _Delayed(_take_apart(value.parts, arrays))
    if type(value) in (list, tuple):
        return type(value)(_take_apart(v, arrays) for v in value)
    if type(value) is dict:
        return {k: _take_apart(v, arrays) for k, v in value.items()}
    return value


def _put_together(structure, arrays):
    if isinstance(structure, _Slot):
        return wrap(jax.numpy.asarray(arrays[structure.index]))
    if isinstance(structure, _Delayed):
        make, *values = structure.parts
        return make(*[_put_together(v, arrays) for v in values])
    if type(structure) in (list, tuple):
        return type(structure)(_put_together(v, arrays) for v in structure)
    if type(structure) is dict:
        return {k: _put_together(v, arrays) for k, v in structure.items()}
    return structure


def _holds_traced(value):
    if isinstance(value, (list, tuple)):
        return any(map(_holds_traced, value))
    if isinstance(value, dict):
        return any(map(_holds_traced, value.values()))
    return (
        isinstance(getattr(value, "_data", value), Tracer)
        or bool(getattr(value, "parts", ()))
        and isinstance(value, TracedText)
    )

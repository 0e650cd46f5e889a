"""Arguments are compared with the annotations of a function before it runs: one mechanism, one form of sentence.

The plan of a function is made when it is first called, so importing a module costs nothing.
"""

import builtins
import collections.abc
import functools
import inspect
import numbers
import operator
import types
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union, cast, get_args, get_origin

import numpy as np

from ..keywords import Signature
from ..values.dtype import Type
from .rules import CASELESS, LOOSE, Holding, Length, Loose, Raises, Rank, That, Within

# How far an argument is from what is allowed, the nearest last.
TYPE, ITEM, LENGTH, VALUE = range(4)  # ITEM: an item is of a wrong type
_SEQUENCES = {tuple: tuple, list: list, collections.abc.Sequence: (tuple, list)}
_USUAL = Raises()
LIMITS = (Holding, Length, Rank, That, Within)
# Methods whose subject in a message is the object's class: a Cell, a metric or a transform is what a user calls.
_CALLS = ("__init__", "construct", "update", "__call__", "apply", "compute")
_F = TypeVar("_F", bound=Callable)
_EXACT = {int: (int, bool), float: (float, ())}  # class -> what is of it, and what of that is not


def checked(function: _F) -> _F:
    """Decorator: arguments that the annotations of a function do not allow raise before it runs.

    Raises:
        TypeError, ValueError: an argument of a wrong type, of a wrong length or value. Defaults are not compared.

    Example:
        >>> from msjax.core.spec.checking import checked
        >>> from msjax.core.spec.rules import PositiveInt
        >>> @checked
        ... def double(count: PositiveInt):
        ...     return 2 * count
        >>> double(2)
        4
        >>> double(0)
        Traceback (most recent call last):
        ValueError: For 'double', the 'count' must be an int >= 1, but got '0' with type 'int'.
    """
    plan = None

    @functools.wraps(function)
    def checking(*args, **kwargs):
        nonlocal plan
        if plan is None:
            plan = Plan(function)
        for rule, value in zip(plan.in_order, args):
            if rule is not None and (found := rule.misfit(value)) is not None:
                plan.bind(args, kwargs)
                raise rule.error(plan.where(args), value, found)
        if plan.rest is not None:
            for value in args[len(plan.in_order) :]:
                if (found := plan.rest.misfit(value)) is not None:
                    plan.bind(args, kwargs)
                    raise plan.rest.error(plan.where(args), value, found)
        for name in kwargs:
            rule = plan.by_name.get(name)
            if rule is not None and (found := rule.misfit(kwargs[name])) is not None:
                plan.bind(args, kwargs)
                raise rule.error(plan.where(args), kwargs[name], found)
        return function(*args, **kwargs)

    checking.__wrapped__ = _Described(function)
    return cast(_F, checking)


class _Described:
    """What `inspect` finds behind a checked function: its signature, which prints plain types and is made when it is asked for."""

    __slots__ = ("__wrapped__",)

    def __init__(self, function):
        self.__wrapped__ = function

    @property
    def __signature__(self):
        found = inspect.signature(self.__wrapped__)
        if isinstance(found, Signature):
            return found
        return Signature(found.parameters.values(), return_annotation=found.return_annotation)


def compare(where: str, name: str, value: Any, annotation: Any):
    """Raises where a value that is not a parameter, such as one of a dict, does not fit an annotation.

    Example:
        >>> from msjax.core.spec.checking import compare
        >>> from msjax.core.spec.rules import PositiveInt
        >>> compare("MFCC", "n_fft", 0, PositiveInt)
        Traceback (most recent call last):
        ValueError: For 'MFCC', the 'n_fft' must be an int >= 1, but got '0' with type 'int'.
    """
    misfit = _misfit(annotation)
    found = misfit and misfit(value)
    if found is not None:
        raise Rule(name, annotation, misfit).error(where, value, found)


class Plan:
    """The rules of a function: in the order of its parameters, and by their names; `rest` is that of each of `*args`."""

    __slots__ = ("_function", "_is_method", "_name", "by_name", "in_order", "rest")

    def __init__(self, function: Callable):
        self._function = function
        parameters = [_resolved(p, function) for p in inspect.signature(function).parameters.values()]
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self.by_name = {
            p.name: rule for p in parameters if p.kind != p.VAR_POSITIONAL and (rule := rule_of(p)) is not None
        }
        self.rest = next((rule_of(p) for p in parameters if p.kind == p.VAR_POSITIONAL), None)
        self.in_order = [self.by_name.get(p.name) for p in parameters if p.kind in positional]
        self._name, self._is_method = function.__name__, function.__name__ in _CALLS

    def bind(self, args: Sequence, kwargs: dict):
        """Raises TypeError where arguments are missing, too many or unknown: that is said before what one of them is."""
        try:
            inspect.signature(self._function).bind(*args, **kwargs)
        except TypeError:
            self._function(*args, **kwargs)  # Python refuses the call in its own words

    def where(self, args: Sequence):
        """The subject of an error message: the class of the new object, or the function."""
        return type(args[0]).__name__ if self._is_method else self._name


_SHOWN = 200  # characters of a value that a message shows


class Rule:
    """The check of one parameter."""

    __slots__ = ("misfit", "_name", "_annotation")

    def __init__(self, name: str, annotation: Callable | type, misfit: Callable):
        self._name, self._annotation, self.misfit = name, annotation, misfit

    def error(self, where: str, value: Any, found: int):
        """The exception for a value that does not fit; found: TYPE, ITEM, LENGTH or VALUE."""
        raises = next((m for m in marks_of(self._annotation) if isinstance(m, Raises)), _USUAL)
        kind = raises.none if value is None else (raises.type, raises.item, raises.length, raises.value)[found]
        return kind(f"For '{where}', the '{self._name}' must be {allowed(self._annotation)}, but got {_shown(value)}.")


def _shown(value):
    if hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, np.generic):
        name = "NumPy array" if isinstance(value, np.ndarray) else type(value).__name__
        return f"a {name} of shape {tuple(value.shape)} and {value.dtype}"
    plain = isinstance(value, (bool, int, float, str, tuple, list, dict, type(None)))
    text = str(value) if plain else type(value).__name__
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    return f"'{text}' with type '{type(value).__name__}'"


def _resolved(parameter, function):
    """A parameter whose annotation, a class that its file defines later, is that class; "Stream | None" is a union."""
    text = parameter.annotation
    if not isinstance(text, str):
        return parameter
    known = {"None": None, **vars(builtins), **function.__globals__}
    names = [
        name.partition("[")[0].strip() for name in text.split("|")
    ]  # tuple[Dataset, ...]: what its items are is not compared
    if not all(isinstance(known.get(name, ""), type | None) for name in names):
        return parameter  # imported for type checkers only
    return parameter.replace(annotation=functools.reduce(operator.or_, [known[name] for name in names]))


def rule_of(parameter: inspect.Parameter):
    """The rule of an `inspect.Parameter`; None where it has none."""
    if parameter.annotation is parameter.empty or parameter.kind == parameter.VAR_KEYWORD:
        return None
    misfit = _misfit(parameter.annotation)
    return misfit and Rule(parameter.name, parameter.annotation, misfit)


def marks_of(annotation: Any):
    """The markers of an annotation, beside its types."""
    if get_origin(annotation) is Annotated:
        inner, *own = get_args(annotation)
        return [*own, *marks_of(inner)]
    if get_origin(annotation) in (Union, types.UnionType):
        return [mark for part in get_args(annotation) for mark in marks_of(part)]
    return []


def _misfit(annotation):
    """Function of a value: None where it fits, else TYPE, ITEM, LENGTH or VALUE. None for an annotation that allows everything."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation is Any or isinstance(annotation, (str, TypeVar)):
        return None
    if origin is Annotated:
        return limited(_misfit(parts[0]), parts[1:])
    if origin in (Union, types.UnionType):
        return _one_of([_misfit(p) for p in parts])
    if origin is Literal:
        return _word(parts)
    if origin in _SEQUENCES or annotation in _SEQUENCES:
        return _sequence(_SEQUENCES[origin or annotation], parts, fixed=origin is tuple and Ellipsis not in parts)
    if origin is dict:
        return _mapping(*map(_misfit, parts))
    if annotation is None:
        annotation = type(None)
    if (origin or annotation) is collections.abc.Callable:
        return lambda value: None if callable(value) else TYPE
    return _instance(origin or annotation)


def _instance(cls):
    taken, but = _EXACT.get(cls, (cls, ()))
    return lambda value: None if isinstance(value, taken) and not (but and isinstance(value, but)) else TYPE


def _word(words):
    kinds = tuple({type(w) for w in words})

    def misfit(value):
        if not isinstance(value, kinds) or isinstance(value, bool) and bool not in kinds:
            return TYPE
        return None if value in words else VALUE

    return misfit


def _one_of(misfits):
    if None in misfits:
        return None

    def misfit(value):
        nearest = TYPE
        for test in misfits:
            found = test(value)
            if found is None:
                return None
            nearest = max(nearest, found)
        return nearest

    return misfit


def _sequence(kinds, parts, fixed):
    items = [_misfit(p) for p in parts if p is not Ellipsis]

    def misfit(value):
        if not isinstance(value, kinds):
            return TYPE
        if fixed and len(value) != len(items):
            return LENGTH
        tests = items if fixed else items * len(value)
        found = [f for test, v in zip(tests, value) if test is not None and (f := test(v)) is not None]
        return max(min(found), ITEM) if found else None  # one item of a wrong type comes before others of a wrong value

    return misfit


def _mapping(key, item):
    def misfit(value):
        if not isinstance(value, dict):
            return TYPE
        pairs = [(test, part) for k, v in value.items() for test, part in ((key, k), (item, v)) if test]
        found = [f for test, part in pairs if (f := test(part)) is not None]
        return max(min(found), ITEM) if found else None

    return misfit


def limited(inner: Callable | None, marks: Sequence):
    """As `_misfit`: what fits for `inner`, and fits the marks."""
    if CASELESS in marks:
        return lambda value: inner(value.lower() if isinstance(value, str) else value)
    limits = [m for m in marks if isinstance(m, LIMITS)]
    lengths = [m for m in limits if isinstance(m, Length)]
    takes_all, takes_none = inner is None, inner is None or inner(None) is None
    if any(isinstance(m, Loose) for m in marks):
        inner = None  # what can be compared with the limits is taken
    if not limits:
        return inner

    def misfit(value):
        found = inner and inner(value)
        if value is None and not takes_none:
            return TYPE
        if found is not None or value is None and not takes_all:
            return LENGTH if found and not all(limit.holds(value) for limit in lengths) else found
        try:
            wrong = next((limit for limit in limits if not limit.holds(value)), None)
        except TypeError:  # of a type that is not compared: it has no order
            return TYPE
        if wrong is None:
            return None
        return TYPE if getattr(wrong, "is_type", False) else LENGTH if isinstance(wrong, Length) else VALUE

    return misfit


def allowed(annotation: Callable | type, count: str = ""):
    """The values that an annotation allows, in words: "an int >= 1 or a tuple of 2 items, each an int >= 1".

    count: how many items its tuples and lists have.
    """
    return " or ".join(dict.fromkeys(_phrases(annotation, count))) or "another"


_NAMES = {
    numbers.Real: "a number",
    int: "an int",
    float: "a float",
    bool: "a bool",
    str: "a str",
    type(None): "None",
    tuple: "a tuple",
    list: "a list",
    dict: "a dict",
    Type: "a dtype",
    type: "a Python type",
    np.dtype: "a NumPy dtype",
    np.ndarray: "a NumPy array",
}


def _phrases(annotation, count=""):
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        lengths = [str(m) for m in parts[1:] if isinstance(m, Length)]
        limits = [str(m) for m in parts[1:] if isinstance(m, LIMITS) and not isinstance(m, Length)]
        inner = int | float if parts[0] is float and LOOSE in parts else parts[0]
        count = "".join(lengths) or count
        if inner is Any and (limits or count):
            phrases = [f"a sequence {count}"] if count else [""]
        else:
            phrases = _phrases(inner, count)
        return [f"{phrase} {', '.join(limits)}".strip() for phrase in phrases]
    if origin in (Union, types.UnionType):
        if int in parts and bool in parts:
            parts = tuple(p for p in parts if p is not bool)  # True counts as 1: nobody needs to be told
        if int in parts and float in parts:
            parts = (numbers.Real, *[p for p in parts if p not in (int, float)])
        return [phrase for p in parts for phrase in _phrases(p, count)]
    if origin is Literal:
        return [" or ".join(map(repr, parts))] if len(parts) < 3 else [f"one of {', '.join(map(repr, parts))}"]
    if (origin or annotation) is collections.abc.Callable:
        return ["a function"]
    if (origin or annotation) in _SEQUENCES:
        return _sequence_phrases(_SEQUENCES[origin or annotation], parts, count)
    if origin is dict:
        return [f"a dict from {allowed(parts[0])} to {allowed(parts[1])} {count}".rstrip()]
    name = getattr(origin or annotation, "__name__", "another").rpartition(".")[2]
    if name == "Array":  # JAX's, which is not imported here; operators take it as a Tensor
        return ["a Tensor"]
    named = _NAMES.get(origin or annotation, f"{'an' if name[0] in 'AEIOU' else 'a'} {name}")
    return [f"{named} {count}".rstrip() if hasattr(origin or annotation, "__len__") else named]


def _sequence_phrases(kinds, parts, count):
    kinds = " or ".join(_NAMES[k] for k in (kinds if isinstance(kinds, tuple) else (kinds,)))
    items = " / ".join(dict.fromkeys(allowed(p) for p in parts if p is not Ellipsis))
    if len(parts) > 1 and Ellipsis not in parts:
        count = f"of {len(parts)} items"
    each = f"{count or 'of items'}, each {items}" if items else count
    return [f"{kinds} {each}".rstrip()]

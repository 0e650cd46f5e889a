"""Signatures as a stub writes them."""

import enum
import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msjax.core.operators.rows import Unsaid
from msjax.core.spec.type_text import annotation

__all__ = ["MADE", "annotation", "default", "parameters", "resolved", "with_others"]


MADE = '"""Made by `python -m msjax stubs`: do not edit."""'


def resolved(kind: Any, function: Callable, more: dict):
    """The type that a string annotation names, looked up in the function's module and in `more`; Any if it is in neither."""
    if not isinstance(kind, str):
        return Any if isinstance(kind, TypeVar) else kind
    module = sys.modules.get(inspect.unwrap(function).__module__)
    try:
        return eval(kind, {**more, **vars(module)})  # our own source
    except NameError:
        return Any


def default(value: Any):
    if isinstance(value, Unsaid):
        return default(value.value)
    if value is None or isinstance(value, (bool, int, str)) and not isinstance(value, enum.Enum):
        return repr(value)
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    if isinstance(value, tuple) and all(isinstance(v, (bool, int, str)) for v in value):
        return repr(value)
    return "..."


# {type of a default: annotations that admit it}
_TAKEN_BY = {
    type(None): ("None",),
    bool: ("bool", "int", "float", "complex"),
    int: ("int", "float", "complex"),
    float: ("float", "complex"),
    complex: ("complex",),
    str: ("str",),
}


def parameters(params: Iterable, first: Any = (), known: dict | None = None):
    """Text of a parameter list; `known`: {name: text of its annotation}."""
    known = known or {}
    parts, star = list(first), False
    for p in params:
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or p.kind is p.VAR_POSITIONAL
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        kind = known.get(p.name)
        if kind is None or kind == "Any":
            # a checker would take the type of a default for that of the parameter, but of None
            kind = "" if p.default is None or p.default is p.empty else ": Any"
        else:
            like = _TAKEN_BY.get(type(p.default), ())
            kind = (
                f": {kind}" if not like or any(word in kind for word in (*like, "Literal")) else f": {kind} | {like[0]}"
            )
        parts.append(f"{name}{kind}" if p.default is p.empty else f"{name}{kind}={default(p.default)}")
    return ", ".join(parts)


def with_others(own: Iterable, other: dict[str, str | None]):
    """The parameter lists of a function: with its documented parameters and other keywords for those that may be left out; one for each
    other keyword of a parameter that may not, where it and what follows are keywords; and one with all of these.
    """
    listed, required = list(own), {p.name for p in own if p.default is p.empty and p.name != "self"}
    keyword = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(new, keyword, default=...) for new, old in other.items() if old not in required]
    rest = [p for p in listed if p.kind is p.VAR_KEYWORD]
    forms = [[*(p for p in listed if p not in rest), *more, *rest]]
    instead = [{old: new} for new, old in other.items() if old in required]
    if len(together := {old: new for one in instead for old, new in one.items()}) > 1:
        instead.append(together)
    for names in instead:
        first = next(i for i, p in enumerate(listed) if p.name in names)
        given = [p.replace(name=names.get(p.name, p.name)) for p in listed if p.kind is not p.VAR_POSITIONAL]
        forms.append(
            [*given[:first], *(p if p.kind is p.VAR_KEYWORD else p.replace(kind=keyword) for p in given[first:])]
        )
    return forms

"""Signatures as a stub writes them."""

import enum
import inspect
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msjax.core.operators.rows import Unsaid
from msjax.core.spec.type_text import annotation

__all__ = ["MADE", "annotation", "default", "parameters", "resolved"]


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

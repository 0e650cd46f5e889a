"""Signatures as a stub writes them."""

import collections.abc
import enum
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, Self, TypeVar, Union, get_args, get_origin

from msjax.core import spec
from msjax.core.spec.rules import Caseless
from msjax.core.values.dtype import Type

_MARKED = {spec.LIKE: "Any", spec.ARRAY: "Tensor", spec.SEED: "Any", spec.MOVES: "float"}
_BUILT_IN = (bool, int, float, complex, str, bytes, dict, list, tuple, type, slice, set, object, Exception)
_ABSTRACT = {
    getattr(collections.abc, n): n for n in ("Callable", "Iterable", "Iterator", "Sequence", "Mapping", "Generator")
}


def annotation(kind: Any, name_of: Callable | None = None):
    """Text of the annotation of a parameter, as its users give it: Tensors, not arrays; "Any" where it says nothing.

    name_of: function of a class that gives the name it has in the stub; None for one that a stub cannot name.
    """
    if get_origin(kind) is Annotated:
        return _marked(kind, name_of)
    if get_origin(kind) in (Union, types.UnionType):
        return _union(get_args(kind), name_of)
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind)))}]"
    if kind is None or kind is type(None):
        return "None"
    if kind is Self:
        return "Self"
    if kind is spec.Key:
        return "Tensor"
    if name_of is None:  # an operator's
        if get_origin(kind) in (tuple, list):
            return "Sequence[int]"
        return kind.__name__ if kind in (bool, int, float, complex, str) else "Any"
    origin = get_origin(kind) or kind
    if origin is collections.abc.Callable:
        return "Callable[..., Any]"
    name = origin.__name__ if origin in _BUILT_IN else _ABSTRACT.get(origin)
    if name is None:
        name = name_of(origin) if isinstance(origin, type) else None
    if name is None or not get_args(kind):
        return name or "Any"
    items = ["..." if part is Ellipsis else annotation(part, name_of) for part in get_args(kind)]
    return f"{name}[{', '.join(items)}]"


def _marked(kind, name_of):
    inner, *marks = get_args(kind)
    for mark, text in _MARKED.items():
        if mark in marks:
            return text
    if spec.OPERAND in marks:
        return "Any" if inner is Any else "Tensor | complex"
    if any(isinstance(mark, Caseless) for mark in marks):
        return "str"
    text = annotation(inner, name_of)
    if spec.STATIC not in marks:
        return text
    return text if text == "Any" or "Tensor" in text else f"{text} | Tensor"  # its value is read


def _union(parts, name_of):
    if name_of is None and Type in parts:
        return "Any" if type(None) not in parts else "Any | None"
    texts = [annotation(p, name_of) for p in parts]
    return "Any" if "Any" in texts else " | ".join(dict.fromkeys(texts))


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

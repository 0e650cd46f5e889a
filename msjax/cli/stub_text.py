"""Signatures as a stub writes them."""

import enum
import types
from typing import Annotated, Any, Union, get_args, get_origin

from msjax.core import spec
from msjax.core.values.dtype import Type

_MARKED = {spec.LIKE: "Any", spec.ARRAY: "Tensor", spec.SEED: "Any", spec.MOVES: "float"}


def annotation(kind):
    """Text of the annotation of an operator's parameter, as its users give it: Tensors, not arrays; "Any" where it says nothing."""
    if get_origin(kind) is Annotated:
        inner, *marks = get_args(kind)
        for mark, text in _MARKED.items():
            if mark in marks:
                return text
        if spec.OPERAND in marks:
            return "Any" if inner is Any else "Tensor | complex"
        text = annotation(inner)
        return text if text == "Any" or "Tensor" in text else f"{text} | Tensor"  # its value is read
    if get_origin(kind) in (Union, types.UnionType):
        parts = get_args(kind)
        if Type in parts:
            return "Any" if type(None) not in parts else "Any | None"
        texts = [annotation(p) for p in parts]
        return "Any" if "Any" in texts else " | ".join(dict.fromkeys(texts))
    if get_origin(kind) in (tuple, list):
        return "Sequence[int]"
    if kind in (bool, int, float, complex, str):
        return kind.__name__
    return {type(None): "None", spec.Key: "Tensor"}.get(kind, "Any")


def default(value):
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


def parameters(params, first=(), known=None):
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
            kind = f": {kind}" if not like or any(word in kind for word in like) else f": {kind} | {like[0]}"
        parts.append(f"{name}{kind}" if p.default is p.empty else f"{name}{kind}={default(p.default)}")
    return ", ".join(parts)

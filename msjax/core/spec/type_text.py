"""Annotations as text: the types that stubs, signatures and docstrings show."""

import collections.abc
import types
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self, Union, get_args, get_origin

from ..values.dtype import Type
from . import kinds as spec
from .rules import Caseless

_MARKED = {spec.LIKE: "Any", spec.ARRAY: "Tensor", spec.SEED: "Any", spec.MOVES: "float"}
_TENSORS = ("Tensor", "COOTensor", "CSRTensor")
_BUILT_IN = (bool, int, float, complex, str, bytes, dict, list, tuple, type, slice, set, object, Exception)
_ABSTRACT = {
    getattr(collections.abc, n): n
    for n in ("Callable", "Iterable", "Iterator", "Sequence", "Mapping", "Generator", "ValuesView")
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
        if getattr(kind, "__name__", "") in _TENSORS:
            return kind.__name__
        if get_origin(kind) in (tuple, list):
            return f"Sequence[{annotation(get_args(kind)[0])}]"
        return kind.__name__ if kind in (bool, int, float, complex, str) else "Any"
    origin = get_origin(kind) or kind
    if origin is collections.abc.Callable:
        result = annotation(get_args(kind)[1], name_of) if get_args(kind) else "Any"
        return f"Callable[..., {result}]"
    name = origin.__name__ if origin in _BUILT_IN else _ABSTRACT.get(origin)
    if name is None:
        name = name_of(origin) if isinstance(origin, type) else None
    if name is None or not get_args(kind):
        return name or "Any"
    items = ["..." if part is Ellipsis else annotation(part, name_of) for part in get_args(kind)]
    if origin is list and (items[0] == "float" or "|" in items[0] or items[0].startswith("Callable")):
        items = ["Any"]  # a list of ints is no list of floats to a checker, for floats could be put into it
    return f"{name}[{', '.join(items)}]"


def _marked(kind, name_of):
    inner, *marks = get_args(kind)
    if (shown := next((mark for mark in marks if isinstance(mark, spec.Shown)), None)) is not None:
        return shown.text
    if spec.SEVERAL in marks:
        return "Tensor | Sequence[Tensor]"
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

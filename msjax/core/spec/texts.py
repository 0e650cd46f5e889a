"""Docstrings and signatures that `help` shows, completed from annotations, operator records and tables.

A docstring in the source says what a function computes. Types, defaults, other spellings, devices and differences from MindSpore are
added here, so they cannot differ from what is checked, recorded and measured.
"""

import functools
import inspect
import json
import pathlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..above import above
from ..keywords import Signature
from ..keywords import documented as parameters_of
from .checking import allowed
from .kinds import Dtype
from .type_text import annotation

_LATER = re.compile(r"(?m)^(?=[ \t]*(?:Raises|Returns|Inputs|Outputs|Attributes|Examples?|Formula|Source):)")
_DEVICES = pathlib.Path(__file__).parents[2] / "cli" / "lowering.json"  # recorded by tests/lowering.py


@functools.cache
def lowered():
    """{record or layer: {platform: why it does not lower}}, recorded by tests/lowering.py."""
    return json.loads(_DEVICES.read_text(encoding="utf-8"))


def devices(name: str):
    """The sentence about the devices of an operator or layer; "" if nobody tried.

    Example:
        >>> from msjax.core.spec.texts import devices
        >>> devices("abs")
        'Devices: runs on CPU; lowers for GPU and TPU.'
    """
    why = lowered().get(name)
    if why is None:
        return ""
    good = [title for platform, title in (("cuda", "GPU"), ("tpu", "TPU")) if platform not in why]
    bad = [f"not for {title} ({why[p]})" for p, title in (("cuda", "GPU"), ("tpu", "TPU")) if p in why]
    return f"Devices: runs on CPU; {', '.join(filter(None, [good and 'lowers for ' + ' and '.join(good), *bad]))}."


def default(value: Any):
    """A default value as Python source; `...` for a value without a short spelling."""
    text = repr(value)
    if isinstance(value, (bool, int, float, complex, str, type(None), tuple, list, np.number)):
        return text
    return text if len(text) < 40 and not text.startswith("<") else "..."


def parameter_lines(parameters: Iterable[inspect.Parameter], words: Callable = allowed):
    """Lines "name (allowed values; default)" of a list of parameters.

    words: function of an annotation that gives its text, "" for an annotation that allows everything.
    """
    lines = []
    for p in parameters:
        if p.name == "self":
            continue
        text = "" if p.annotation is p.empty or isinstance(p.annotation, str) else words(p.annotation)
        text = "" if text in ("Any", "an Any", "another") else text
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        rest = [text] if text else []
        rest += [] if p.default is p.empty else [f"default {default(p.default)}"]
        lines.append(f"    {star}{p.name}" + (f" ({'; '.join(rest)})" if rest else ""))
    return lines


def documented(text: str | None, sections: dict[str, Sequence[str]], notes: Sequence[str]):
    """A docstring with sections (title: lines) before its later ones, and with notes at its end; empty ones are left out."""
    text = inspect.cleandoc(text or "")
    added = "".join("\n".join([f"{title}:", *lines]) + "\n\n" for title, lines in sections.items() if lines)
    if added:
        place = _LATER.search(text)
        text = text[: place.start()] + added + text[place.start() :] if place else f"{text}\n\n{added}".rstrip()
    return "\n\n".join([text, *filter(None, notes)])


def of_operator(record: Any, sections: dict[str, Sequence], taken: dict, name: str, spellings: Iterable[str]):
    """The docstring of a face of an operator.

    Args:
        record: the operator's Record.
        sections: {title: parameters}.
        taken: {record parameter: parameter of the face}.
        name: of the face, "ops.relu".
        spellings: the names of all faces of the operator.
    """
    kinds = {taken.get(p.name, p.name): p.annotation for p in record.signature()}
    typed = {
        title: parameter_lines([p.replace(annotation=kinds.get(p.name, p.empty)) for p in parameters], _operand)
        for title, parameters in sections.items()
    }
    others = [other for other in spellings if other != name]
    notes = [f"Also spelled {', '.join(others)}." if others else "", devices(record.name), _differences(name)]
    return documented(record.fn.__doc__, typed, notes)


def _operand(kind):
    """The text of an annotation of an operator, with "dtype" for the types that a dtype may be given by."""
    if kind == Dtype:
        return "dtype"
    return "dtype | None" if kind == Dtype | None else annotation(kind)


def _differences(name):
    return "\n".join(f"Differs from MindSpore: {row}" for row in above.differences(name))


class ClassText:
    """The docstring of a class, completed when it is read: `Class.__doc__ = ClassText(text)`.

    text: the docstring of the source. name: of the class below `mindspore`, "nn.Dense".
    """

    def __init__(self, text: str, name: str = ""):
        self.text, self.name = text, name

    def __get__(self, instance: Any, owner: type):
        name = self.name or owner.__name__
        lines = [] if owner.__init__ is object.__init__ else parameter_lines(parameters_of(owner.__init__))
        return documented(self.text, {"Parameters": lines}, [devices(name), _differences(name)])


def complete(names: dict[str, Any], package: str):
    """Let the classes and annotated functions of a package have completed docstrings and plain signatures.

    names: {public name: value}. package: the package below `mindspore`, "nn".
    """
    for name, value in names.items():
        if isinstance(value, type) and isinstance(vars(value).get("__doc__"), str):
            value.__doc__ = ClassText(value.__doc__, f"{package}.{name}")
            if inspect.isfunction(value.__init__) and not hasattr(value, "__signature__"):
                value.__signature__ = ClassSignature()
        elif inspect.isfunction(value) and value.__annotations__:
            more = getattr(inspect.signature(value), "more", Signature.more)
            value.__signature__ = Signature.of(parameters_of(value), more)


def written(value: Any):
    """The docstring of a function or class as its source has it."""
    record = getattr(value, "_record", None)
    if record is not None and hasattr(record, "fn"):
        return inspect.getdoc(inspect.unwrap(record.fn)) or ""
    text = own_text(value) if isinstance(value, type) else None
    return inspect.cleandoc(text) if text else inspect.getdoc(value) or ""


def own_text(kind: type):
    """The docstring of a class itself as its source has it; None if the class has none of its own."""
    text = vars(kind).get("__doc__")
    return text.text if isinstance(text, ClassText) else text


class _Plain:
    """An annotation that prints as its type."""

    def __init__(self, kind):
        self.text = kind if isinstance(kind, str) else annotation(kind, lambda cls: cls.__name__)

    def __repr__(self):
        return self.text


class Default:
    """A default that prints as Python source."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return default(self.value)


def _printed(signature):
    def plain(kind):
        return kind if kind is inspect.Parameter.empty else _Plain(kind)

    parameters = [
        p.replace(annotation=plain(p.annotation), default=p.default if p.default is p.empty else Default(p.default))
        for p in signature.documented().values()
    ]
    return inspect.Signature(parameters, return_annotation=plain(signature.return_annotation))


above.printed = _printed


class ClassSignature:
    """`__signature__` of a base class: the signature of each subclass, from its constructor, made when it is read."""

    def __get__(self, instance: Any, owner: type):
        if instance is not None or owner.__init__ is object.__init__:
            raise AttributeError("__signature__")  # of an instance: `inspect` looks at `__call__`
        return Signature(parameters_of(owner.__init__)[1:])


__all__ = ["ClassSignature", "ClassText", "complete", "devices", "documented", "of_operator", "own_text", "written"]

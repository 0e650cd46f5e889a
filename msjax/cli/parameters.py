"""The parameters of a function or class in words, made from the signature and annotations that are also checked at run
time.
"""

import inspect
from typing import Any

from ..core.operators.record import Record
from ..core.spec.checking import allowed
from ..core.spec.texts import Default, default
from .stub_text import annotation as of_operator


def _signature(value):
    try:
        return inspect.signature(value)
    except (TypeError, ValueError):
        return None


def plain_signature(value: Any):
    """The parameters with their defaults, without annotations; "" where there is no signature.

    Example:
        >>> from msjax.cli.parameters import plain_signature
        >>> plain_signature(nn.Dropout1d), plain_signature(nn.Softmax)
        ('(p=0.5)', '(axis=-1)')
    """
    found = _signature(value)
    if found is None:
        return ""
    plain = [
        p.replace(annotation=p.empty, default=Default(p.default) if p.default is not p.empty else p.empty)
        for p in found.parameters.values()
    ]
    return str(inspect.Signature(plain))


def rows(value: Any):
    """(name, allowed values, default) of each parameter; "" as the second for no annotation, as the third for a
    required parameter.

    Example:
        >>> from msjax.cli.parameters import rows
        >>> rows(nn.Dropout1d)
        [('p', 'a float in [0, 1]', '0.5')]
    """
    found = _signature(value)
    if found is None:
        return []
    record = getattr(value, "_record", None)
    own = _signature(inspect.unwrap(record.fn)) if isinstance(record, Record) else None
    told = []
    for p in found.parameters.values():
        if p.name == "self":
            continue
        star = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "")
        told.append((star + p.name, _words(p, own), "" if p.default is p.empty else default(p.default)))
    return told


def _words(parameter, own):
    if parameter.annotation is not parameter.empty and not isinstance(parameter.annotation, str):
        return allowed(parameter.annotation)
    beside = own and own.parameters.get(parameter.name)
    if beside is None or beside.annotation is beside.empty:
        return ""
    text = of_operator(beside.annotation)
    return "" if text == "Any" else text

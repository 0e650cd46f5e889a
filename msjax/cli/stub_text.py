"""Signatures as a stub writes them."""

import enum


def default(value):
    if value is None or isinstance(value, (bool, int, str)) and not isinstance(value, enum.Enum):
        return repr(value)
    if isinstance(value, float) and value == value and abs(value) != float("inf"):
        return repr(value)
    if isinstance(value, tuple) and all(isinstance(v, (bool, int, str)) for v in value):
        return repr(value)
    return "..."


def parameters(params, first=()):
    """Text of a parameter list."""
    parts, star = list(first), False
    for p in params:
        if p.kind is p.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        star = star or p.kind is p.VAR_POSITIONAL
        name = {p.VAR_POSITIONAL: "*", p.VAR_KEYWORD: "**"}.get(p.kind, "") + p.name
        # a checker would take the type of a default for that of the parameter, but of None
        kind = "" if p.default is None else ": Any"
        parts.append(name if p.default is p.empty else f"{name}{kind}={default(p.default)}")
    return ", ".join(parts)

"""Settings that are checked and recorded."""

import functools
from collections.abc import Sequence
from typing import Any

values = {}  # name -> what it was set to last


def choice(name: str, argument: Any, candidates: Sequence, error: type = ValueError):
    """A function `name(argument)` that takes one of some values."""

    def setting(value):
        if not any(value is c or type(value) is type(c) and value == c for c in candidates):
            raise error(f"For '{name}', the '{argument}' must be one of {list(candidates)}, but got {value!r}.")
        values[name] = value

    setting.__name__ = setting.__qualname__ = name
    setting.__doc__ = f"Record one of {', '.join(map(str, candidates))}."
    return setting


def typed(name: str, argument: Any, kind: Any):
    """Decorator: checks the type of the only argument and records its value."""

    def wrap(check):
        @functools.wraps(check)
        def setting(value):
            if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
                raise TypeError(
                    f"For '{name}', the type of '{argument}' must be {kind.__name__}, but got {type(value).__name__}."
                )
            check(value)
            values[name] = value

        return setting

    return wrap

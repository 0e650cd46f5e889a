"""Attributes of Parameters that MindSpore's compiler reads."""

from typing import Any

import numpy as np


class Setting:
    """An attribute of Parameters that MindSpore's compiler reads: it is checked and recorded."""

    def __init__(self, kind: type | None = None, least: int | None = None):
        self.kind, self.least = kind, least

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, box, owner):
        return self if box is None else box.__dict__[self.name]

    def __set__(self, box, value):
        if self.kind is not None and (not isinstance(value, self.kind) or isinstance(value, bool) and self.kind is int):
            raise TypeError(f"The argument `{self.name}` must be {self.kind.__name__} type, but got {value!r}.")
        if self.least is not None and value < self.least:
            raise ValueError(f"The argument `{self.name}` must be >= {self.least}, but got {value}.")
        box.__dict__[self.name] = value


def checked_bool(what: str, value: Any) -> bool:
    """The value of an argument; TypeError for what is not a bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"For 'Parameter', the type of the argument '{what}' must be bool, but got {type(value).__name__}: {value!r}."
        )
    return bool(value)

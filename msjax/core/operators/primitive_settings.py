"""Which settings MindSpore's Primitives refuse when they are made: a recorded table, by the kind of value.

Only plain Python values have a kind: what else a setting may be given (NumPy's numbers, dtypes, Tensors) is judged by the operator itself.
"""

import functools
import json
import pathlib
from collections.abc import Mapping
from typing import Any

TABLE = pathlib.Path(__file__).with_name("primitive_settings.json")

PROBES = {
    "str": ("neither", ""),
    "bool": (True, False),
    "int+": (1, 2, 3, 8),
    "int0": (0,),
    "int-": (-1, -2),
    "float+": (0.25, 0.5, 1.0, 2.5, 1e-3),
    "float0": (0.0,),
    "float-": (-0.5, -2.0),
    "None": (None,),
    "tuple": tuple((1,) * n for n in range(1, 7))
    + ((0, 1), (2, 2), ((1, 1), (1, 1)), (0, 2, 3, 1), (1, 1, 2, 2), (1, 2, 2, 1)),
    "list": tuple([1] * n for n in range(1, 7))
    + ([0, 1], [2, 2], [[1, 1], [1, 1]], [0, 2, 3, 1], [1, 1, 2, 2], [1, 2, 2, 1]),
    "tuple of str": tuple(("a",) * n for n in range(1, 7)),
    "tuple of float": tuple((1.5,) * n for n in range(1, 7)),
    "negative tuple": tuple((-1,) * n for n in range(1, 7)) + ((1, -1), (-1, 1), (1, 1, 1, -1)),
}


def kind_of(value: Any):
    """The name of a value's type in the settings table; None for other types."""
    kind = type(value)
    if kind in (int, float):
        return kind.__name__ + ("+" if value > 0 else "-" if value < 0 else "0")
    if kind in (str, bool):
        return kind.__name__
    if value is None:
        return "None"
    if kind not in (tuple, list) or not value or all(type(v) is int and v == 0 for v in value):
        return None  # zeros alone say what is not wanted: what they mean depends on other settings
    if kind is tuple and all(type(v) is str for v in value):
        return "tuple of str"
    if kind is tuple and all(type(v) is float for v in value):
        return "tuple of float"
    whole = all(type(v) is int for v in value)
    if kind is tuple and whole and any(v < 0 for v in value):
        return "negative tuple"
    return kind.__name__ if whole and all(v >= 0 for v in value) else None


@functools.cache
def _table():
    return json.loads(TABLE.read_text(encoding="utf-8"))


def refused(primitive: str):
    """Setting -> (a letter for each kind of PROBES: "T" TypeError, "V" ValueError, "." taken; the words that a str may be)."""
    return {name: row if isinstance(row, list) else [row] for name, row in _table().get(primitive, {}).items()}


def check(primitive: str, rows: dict, values: Mapping):
    """Raise MindSpore's exception for an invalid value among a Primitive's settings.

    Raises:
        TypeError: a type that the setting does not take.
        ValueError: a value that it does not take.
    """
    for name, (letters, *words) in rows.items():
        value = values[name]
        kind = kind_of(value)
        letter = "." if kind is None else letters[_PLACE[kind]]
        if letter == "T":
            kinds = (kind.removeprefix("negative ").split(" ")[0] for kind, of in zip(PROBES, letters) if of != "T")
            wanted = ", ".join(dict.fromkeys(k.rstrip("+-0") for k in kinds))
            raise TypeError(
                f"For '{primitive}', the type of '{name}' must be one of [{wanted}], but got {value!r} with type "
                f"'{type(value).__name__}'."
            )
        if letter == "V" and not (kind == "str" and _is_word(value, words)):
            raise ValueError(
                f"For '{primitive}', the '{name}' must be {_wanted(kind, letters, words)}, but got {value!r}."
            )


def _is_word(value, words):
    return value in words or (value.lower() in words and value.upper() in words)  # recorded in both: any case


def _wanted(kind, letters, words):
    if words:
        return f"one of {words}"
    if kind in ("int-", "float-", "int0", "float0"):
        return "greater than 0" if letters[_PLACE[kind[:-1] + "0"]] == "V" else "at least 0"
    return "free of negative items" if kind == "negative tuple" else "of another length or kind"


_PLACE = {kind: i for i, kind in enumerate(PROBES)}

"""Which types of Tensors MindSpore's operators refuse: a recorded table.

Record -> parameter -> the types that it takes, only where MindSpore refuses others that msjax could compute with; "=" names the parameters
whose types must be the same. "first": "shapes" marks an operator that tells of shapes that do not fit before it tells of types.
The check runs where a variant of the operator is traced, after its function, so a call that has its program costs nothing.
Numbers have no type of their own, and one operator that calls the function of another is not checked.
"""

import functools
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import jax
import numpy as np

from ..values import dtype as mstype

TABLE = pathlib.Path(__file__).with_name("operand_types.json")
# The types that were tried; of others nothing is known.
TRIED = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)
SAME, FIRST = "=", "first"


@functools.cache
def _table():
    return json.loads(TABLE.read_text(encoding="utf-8"))


@functools.cache
def _numpy(name):
    return np.dtype(mstype.to_numpy(getattr(mstype, "bool_" if name == "bool" else name)))


class Rules:
    """What one operator takes.

    names: its parameters, in order. row: its row of the table. first: whether MindSpore looks at the types before the shapes.
    """

    __slots__ = ("names", "taken", "same", "first")

    def __init__(self, names: Sequence[str], row: Mapping):
        self.names, places = names, {name: i for i, name in enumerate(names)}
        self.same = [places[name] for name in row.get(SAME, "").split()]
        self.taken = {
            places[name]: frozenset(map(_numpy, row[name].split())) for name in row if name not in (SAME, FIRST)
        }
        self.first = row.get(FIRST) != "shapes"

    def check(self, given: Sequence, bools: Sequence):
        """Raise TypeError for arrays of a type that the operator does not take. bools: places of Python's bools, which are numbers."""
        given = [None if i in bools else value for i, value in enumerate(given)]
        for place, taken in self.taken.items():
            for array in _arrays(given[place]):
                if array.dtype not in taken and array.dtype in map(_numpy, TRIED):
                    wanted = ", ".join(f"Tensor[{mstype.from_numpy(d)}]" for d in map(_numpy, TRIED) if d in taken)
                    raise TypeError(
                        f"the type of '{self.names[place]}' must be one of [{wanted}], but got "
                        f"Tensor[{mstype.from_numpy(array.dtype)}]."
                    )
        found = {self.names[i]: array.dtype for i in self.same for array in _arrays(given[i])}
        if len(set(found.values())) > 1:
            told = ", ".join(f"'{name}': Tensor[{mstype.from_numpy(dtype)}]" for name, dtype in found.items())
            raise TypeError(f"the types of {_listed(found)} must be the same, but got {told}.")


def rules_of(record: str, names: Sequence[str]):
    """The Rules of an operator; None where it has none."""
    row = _table().get(record)
    return None if row is None else Rules(names, row)


def _arrays(value: Any):
    """The arrays with a type of their own in an argument."""
    if isinstance(value, (tuple, list)):
        return [array for part in value for array in _arrays(part)]
    return [value] if isinstance(value, jax.Array) and not getattr(value, "weak_type", False) else []


def _listed(names):
    first, *others = (f"'{name}'" for name in names)
    return f"{', '.join([first, *others[:-1]])} and {others[-1]}" if others else first

"""Which kinds of arguments MindSpore's operators refuse: a recorded table.

Record -> parameter -> the kinds that raise TypeError in MindSpore, in every spelling of the operator, though msjax could compute with them: a tuple or
a text for a Tensor, a float for an axis. What has no kind here is judged by the operator itself. A call that goes straight to its program
costs nothing; another is looked at once for each combination of types.
"""

import functools
import json
import pathlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat import Tracer
from ..spec import kinds as spec
from ..values.tensor import Tensor

if TYPE_CHECKING:
    from .limits import Limits

TABLE = pathlib.Path(__file__).with_name("argument_kinds.json")
_SIMPLE = {bool: "bool", int: "int", float: "float", complex: "complex", str: "text", type(None): "None", dict: "dict"}
_ITEMS = {bool: "bools", int: "ints", float: "floats", str: "texts", tuple: "tuples", list: "lists"}
# one letter of the table for each kind
LETTERS = {
    **dict(zip(_SIMPLE.values(), "bifcsNd")),
    "Tensor": "T",
    "numpy": "n",
    "other Tensor": "O",  # one of another type than int32 and int64, for a shape
    **{
        f"{kind} of {item}": letter
        for kind, letters in (("tuple", "BIFSXYZ"), ("list", "12345678"))
        for item, letter in zip((*_ITEMS.values(), "Tensors"), letters)
    },
}
_OF_LETTER = {letter: kind for kind, letter in LETTERS.items()}
_SHOWN = {"text": "string", "None": "None", "numpy": "numpy.ndarray"}
_NO_TENSORS = {"int", "float", "text", "None", "dict"}  # what takes none of these takes Tensors
_OF_SHAPES = (np.dtype("int32"), np.dtype("int64"))
_MOST = 256  # combinations of types that are remembered for one operator


def kind_of(value: Any):
    """The name of an argument's kind in the table; None for what has none.

    Example:
        >>> from msjax.core.operators.argument_kinds import kind_of
        >>> kind_of([1.5, 2.5]), kind_of("mean"), kind_of(None)
        ('list of floats', 'text', 'None')
    """
    kind = type(value)
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(value, Tensor):
        return "Tensor"
    if kind is np.ndarray:
        return "numpy"
    if kind not in (tuple, list) or not value:
        return None
    kinds = _kinds_of_items(value)
    return kinds.pop() if kinds is not None and len(kinds) == 1 else None


def _kinds_of_items(value):
    """What a list or tuple would be with each of its items alone; None where one has no kind."""
    items = {"Tensors" if isinstance(v, Tensor) else _ITEMS.get(type(v)) for v in value}
    return None if None in items else {f"{type(value).__name__} of {item}" for item in items}


def _mixture(value, refused):
    """A kind for the message about a list or tuple of several kinds of items, each of which is refused alone; None where it is not so."""
    if type(value) not in (tuple, list) or not value:
        return None
    kinds = _kinds_of_items(value)
    return max(kinds) if kinds is not None and len(kinds) > 1 and kinds <= refused else None


class Operands(tuple):
    """A tuple or list that an operator takes for a Tensor, whatever the table says: beside some of Python's operators (`x + (1, 2)`)."""


@functools.cache
def _table():
    return json.loads(TABLE.read_text(encoding="utf-8"))


class Kinds:
    """What one operator refuses.

    names: its parameters, in order. row: its row of the table.
    """

    __slots__ = ("names", "refused", "seen")

    def __init__(self, names: Sequence[str], row: Mapping):
        self.names = names
        self.refused = [
            (i, name, frozenset(_OF_LETTER[letter] for letter in row[name]))
            for i, name in enumerate(names)
            if name in row
        ]
        self.seen = set()

    def wrong(self, args: Sequence, record: Any, kwargs: Mapping | None = None):
        """The TypeError for an argument of a kind that the operator, the Record, does not take; None if there is no such argument."""
        types = tuple(map(type, args))
        if not kwargs and types in self.seen:
            return None
        listed = False
        for i, name, refused in self.refused:
            if i < len(args):
                value = args[i]
            elif kwargs and name in kwargs:
                value = kwargs[name]
            else:
                continue
            listed = listed or type(value) in (tuple, list)
            kind = kind_of(value)
            if kind == "Tensor" and "other Tensor" in refused:
                listed = True  # types of Python do not tell it
                if value._lent.dtype not in _OF_SHAPES:
                    text = f"the type of '{name}' must be a Tensor of int32 or int64, but got one of {value.dtype}."
                    return record.explain(TypeError(f"For '{record.title}', {text}"), args)
            if kind == "Tensor" and isinstance(
                value._lent, Tracer
            ):  # in compiled code a number of the program is a Tensor
                listed = True
            elif kind in refused or kind is None and (kind := _mixture(value, refused)) is not None:
                if refused >= _NO_TENSORS and "Tensor" not in refused:
                    text = f"the type of '{name}' must be a Tensor, but got {_SHOWN.get(kind, type(value).__name__)}"
                else:
                    text = f"the type of '{name}' must not be {_SHOWN.get(kind, kind)}, but got {_told(value)}."
                return record.explain(TypeError(f"For '{record.title}', {text}"), args)
        if not kwargs and not listed and len(self.seen) < _MOST:
            self.seen.add(types)
        return None


def _told(value):
    text = repr(value) if type(value) in (bool, int, float, complex, str) else type(value).__name__
    return text if len(text) < 60 else type(value).__name__


def kinds_of(record: str, names: Sequence[str]):
    """The Kinds of an operator; None where it refuses none."""
    row = _table().get(record)
    return None if row is None else Kinds(names, row)


def checking(function: Any, kinds: Kinds | None, limits: "Limits | None", record: Any):
    """A function of Tensors that looks at the kinds and the values of its arguments first; TypeError where it fails at None for a Tensor."""
    tensors = [
        (i, p.name) for i, p in enumerate(record.signature()) if spec.ARRAY in record.marks[i] and p.default is p.empty
    ]
    if kinds is None and limits is None and not tensors:
        return function

    @functools.wraps(function)
    def call(*args, **kwargs):
        wrong = kinds and kinds.wrong(args, record, kwargs)
        if wrong:
            raise wrong  # not by `refuse`: a part of the function may write Parameters
        if limits is not None:
            limits.check(args, record, kwargs)
        try:
            return function(*args, **kwargs)
        except AttributeError as error:
            for i, name in tensors:
                if i < len(args) and args[i] is None:
                    raise TypeError(
                        f"For '{record.title}', the type of '{name}' must be a Tensor, but got None."
                    ) from error
            raise

    return call


def refuse(wrong: TypeError, call: Any):
    """Raise the TypeError of the call itself, if it has one, for that says more; else the one of the table."""
    try:
        call()
    except TypeError:
        raise
    except Exception:  # it is decided already that this is a TypeError
        pass
    raise wrong

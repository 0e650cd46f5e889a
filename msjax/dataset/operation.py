"""Operation, the base class of all transforms over NumPy columns, and where random operations draw their numbers."""

import itertools
import os
import random
import threading
from collections.abc import Callable
from enum import IntEnum
from typing import Any

import numpy as np

from . import config
from .check import check
from .recorded import Recorded
from .twister import MersenneTwister

__all__ = [
    "Draws",
    "Implementation",
    "Operation",
    "as_array",
    "check",
    "draws",
    "inside",
    "numpy_draws",
    "operation_name",
    "python_draws",
    "row_stream",
]


def as_array(value: Any):
    """`value` (NumPy, msjax Tensor, PIL image, Python value) as a NumPy array; TypeError where there is none."""
    if isinstance(value, np.ndarray):
        return value
    if hasattr(value, "asnumpy"):
        return value.asnumpy()
    try:
        array = np.asarray(value)
    except ValueError:  # a ragged list
        array = None
    if array is None or array.dtype == object:
        raise TypeError(f"Invalid user input. Got {type(value)}: {value}, cannot be converted into tensor.")
    return array


class Implementation(IntEnum):
    """The library that runs an operation: OpenCV and NumPy on arrays (C), or Pillow on its images (PY)."""

    C = 0
    PY = 1


class Operation(Recorded):
    """Base of every transform.

    A subclass defines `apply(*columns)`: NumPy arrays of one row in, an array or a tuple of arrays out.

    Attributes:
        deterministic: False for an operation that draws random numbers.
        elementwise: True where `apply` on many rows stacked along a new leading axis gives the stacked results.
            The engine then runs it on whole blocks, after it has compared both ways on the first rows it meets.
    """

    deterministic = True
    elementwise = False

    def __init__(self):
        """There is nothing to set up; subclasses need not call this."""

    def __call__(self, *columns: Any) -> Any:
        """Runs the operation eagerly on one row."""
        result = self._apply_anew(*(as_array(column) for column in columns))
        return tuple(result) if isinstance(result, (tuple, list)) else result

    def _apply_anew(self, *columns):
        """`apply` outside of a map: the operation's random numbers begin with the seed."""
        if self.deterministic:
            return self.apply(*columns)
        outer, _current.draws = _current.draws, _of_a_call()
        try:
            return self.apply(*columns)
        finally:
            _current.draws = outer

    def apply(self, *columns):
        """The work itself: arrays of one row in, an array or a tuple of arrays out."""
        raise NotImplementedError(f"{type(self).__name__} has to implement apply().")

    def apply_block(self, *columns):
        """`apply` for rows stacked along a leading axis; called for elementwise operations only."""
        return self.apply(*columns)

    def _with_next(self, following):
        """A function of the columns of a row that does the work of the operation after this one too, and faster; None where there is none."""
        return None


def operation_name(operation: Any):
    """The name by which messages call an operation or a user's function."""
    if isinstance(operation, Operation):
        return type(operation).__name__
    return getattr(operation, "__qualname__", None) or type(operation).__name__


# --- the random numbers
# -------------------------------------------------------------------------------------------------
#
# MindSpore runs an operation in one of two ways, and each draws from a place of its own; so do we.
#
# Operations on arrays draw from a Mersenne twister. In a map each worker has one for each operation, with the seed of the run plus the
# number of the worker, and deals rows to workers in turn; the twisters go on from row to row and from epoch to epoch. An operation that
# another one holds has one with the seed itself. Outside of a map each call begins anew with the seed, so that with `set_seed` all calls
# of an operation give the same.
#
# Operations on Pillow's images (and a few on arrays that MindSpore writes in Python) draw from the generators of `random` and `np.random`.
# Where several workers share them MindSpore's numbers depend on the threads' times. Here each row has generators of its own then.


class Draws:
    """The Mersenne twisters of the operations of a row's worker, by the place of the operation.

    Args:
        seed_of (function): the seed of the twister at a place.
    """

    __slots__ = ("seed_of", "twisters")

    def __init__(self, seed_of: Callable):
        self.seed_of, self.twisters = seed_of, {}

    def at(self, place: tuple):
        """The twister of the operation at a place: its number in the map, then those within the ones that hold it."""
        found = self.twisters.get(place)
        if found is None:
            found = self.twisters[place] = MersenneTwister(self.seed_of(place))
        return found


class _Row(threading.local):
    draws = None  # the Draws of the row being processed; None outside a pipeline
    place = ()  # of the operation being run
    key = None  # (seed, stream) of the node where rows have generators for Python's operations of their own
    row = 0
    python = numpy = None  # those generators, once they are asked for
    seed = None  # of calls in a worker process; None: that of the settings

    def __init__(self):
        self.unseeded = None  # the Draws of calls without a seed


_current = _Row()
_entropy = itertools.count(int.from_bytes(os.urandom(7), "little"))


def fresh_seed():
    """A seed from the operating system, for pipelines without `set_seed`."""
    return next(_entropy)


def _of_a_call():
    """The Draws of a call outside of a map."""
    seed = config.fixed_seed() if _current.seed is None else _current.seed
    if seed is not None:
        return Draws(lambda place: seed)
    if _current.unseeded is None:
        _current.unseeded = Draws(lambda place: fresh_seed())
    return _current.unseeded


class inside:
    """Context of operation number `i` within the one that runs.

    Args:
        i (int): its place among those that are held.
    """

    __slots__ = ("i", "outer")

    def __init__(self, i: int):
        self.i = i

    def __enter__(self):
        self.outer = _current.place
        _current.place = (*self.outer, self.i)

    def __exit__(self, *exc):
        _current.place = self.outer
        return False


def draws():
    """The MersenneTwister that the operation that runs draws from."""
    return (_current.draws or _of_a_call()).at(_current.place)


def _row_seed(what):
    return hash((*_current.key, _current.row, *_current.place, what)) & 0xFFFFFFFF


def python_draws():
    """What an operation of MindSpore's Python layer draws from: the module `random`, or a `random.Random` of the row."""
    if _current.key is None:
        return random
    if _current.python is None:
        _current.python = random.Random(_row_seed(0))
    return _current.python


def numpy_draws():
    """The same for NumPy's numbers: the module `np.random`, or a `np.random.RandomState` of the row."""
    if _current.key is None:
        return np.random
    if _current.numpy is None:
        _current.numpy = np.random.RandomState(_row_seed(1))
    return _current.numpy


class row_stream:
    """Context in which random numbers belong to rows of one node; `at(row, place)` moves on to an operation on a row.

    Args:
        key (tuple): (seed of the run, number of the node and the epoch); None where Python's operations draw from the process's generators.
        dealing (Dealing, optional): the workers of the rows; None where operations are only called, with the seed of the settings.
    """

    __slots__ = ("dealing", "key", "outer")

    def __init__(self, key: tuple[int, int] | None, dealing: Any = None):
        self.key, self.dealing = key, dealing

    def __enter__(self):
        self.outer = (_current.key, _current.row, _current.place, _current.draws, _current.seed)
        _current.key = self.key
        return self

    def at(self, row: Any, place: int = 0):
        """Moves on to row number `row` and the operation at `place`."""
        _current.row, _current.place = row, (place,)
        _current.python = _current.numpy = None
        if self.dealing is not None:
            _current.draws, _current.seed = self.dealing.of_row(row), self.dealing.seed_of(row)

    def __exit__(self, *exc):
        _current.key, _current.row, _current.place, _current.draws, _current.seed = self.outer
        _current.python = _current.numpy = None
        return False

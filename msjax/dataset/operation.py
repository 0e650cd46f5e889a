"""Operation, the base class of all transforms over NumPy columns, and the random stream of random operations."""

import itertools
import os
import threading
from enum import IntEnum
from typing import Any

import numpy as np

from . import config
from .check import check
from .recorded import Recorded

__all__ = ["Implementation", "Operation", "as_array", "check", "operation_name", "random_state", "row_stream"]


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
        deterministic: False for an operation that draws from `random_state()`.
        elementwise: True where `apply` on many rows stacked along a new leading axis gives the stacked results.
            The engine then runs it on whole blocks, after it has compared both ways on the first rows it meets.
    """

    deterministic = True
    elementwise = False

    def __init__(self):
        """There is nothing to set up; subclasses need not call this."""

    def __call__(self, *columns: Any) -> Any:
        """Runs the operation eagerly on one row."""
        result = self.apply(*(as_array(column) for column in columns))
        return tuple(result) if isinstance(result, (tuple, list)) else result

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


# --- the random stream
# -------------------------------------------------------------------------------------------------
#
# A row's numbers depend on (seed, node, epoch, row) only, so neither the number of workers nor the order in which they
# run changes a result. Philox is counter based: pointing its counter at a row costs 3 us, seeding a PCG64 costs 15 us.


class _Row(threading.local):
    key = None  # (seed, stream) of the row being processed; None outside a pipeline
    row = place = 0  # its number, and which operation of a map works on it
    fresh = False  # the generator still has to be pointed at the row

    def __init__(self):
        self.bits = np.random.Philox(0)
        self.generator = np.random.Generator(self.bits)


_current = _Row()
_eager = {"version": None, "generator": None}
_eager_lock = threading.Lock()
_MASK = (1 << 64) - 1


class row_stream:
    """Context in which `random_state()` belongs to rows of one node; `at(row, place)` moves on to an operation on a
    row.

    Args:
        seed (int): seed of the run.
        stream (int): number of the node and the epoch, mixed by the caller.
    """

    __slots__ = ("key", "outer")

    def __init__(self, seed: int, stream: int):
        self.key = (seed & _MASK, stream & _MASK)

    def __enter__(self):
        self.outer = (_current.key, _current.row, _current.place)
        _current.key = self.key
        _current.fresh = True
        return self

    def at(self, row: Any, place: int = 0):
        """Moves on to row number `row` and the operation at `place`."""
        _current.row, _current.place = row, place
        _current.fresh = True

    def __exit__(self, *exc):
        _current.key, _current.row, _current.place = self.outer
        _current.fresh = True
        return False


def random_state():
    """The NumPy Generator that a random operation draws from.

    Inside a pipeline it belongs to the row being processed; outside it is one generator of the process, started anew by
    `dataset.config.set_seed`.
    """
    if _current.key is None:
        with _eager_lock:
            if _eager["version"] != config.seed_version():
                _eager["version"] = config.seed_version()
                _eager["generator"] = np.random.default_rng(config.fixed_seed())
            return _eager["generator"]
    if _current.fresh:
        seed, stream = _current.key
        _current.bits.state = {
            "bit_generator": "Philox",
            "state": {
                "counter": np.array([0, 0, _current.place, _current.row], np.uint64),
                "key": np.array([seed, stream], np.uint64),
            },
            "buffer": np.zeros(4, np.uint64),
            "buffer_pos": 4,
            "has_uint32": 0,
            "uinteger": 0,
        }
        _current.fresh = False
    return _current.generator


_entropy = itertools.count(int.from_bytes(os.urandom(7), "little"))


def fresh_seed():
    """A seed from the operating system, for pipelines without `set_seed`."""
    return next(_entropy)

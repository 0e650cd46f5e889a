"""Which masks are causal: those whose content is known and hides all later keys, and no others.

A causal mask is then a word to the kernels (`Hidden.causal`), and nobody reads (queries, keys) elements of it.
"""

import functools
from typing import Any

import numpy as np

from ...core.compat import Tracer
from ...core.operators import known

# Folders of operators that may be run to look at a mask: they move, compare and compute elements, and do nothing else.
_FOLDERS = ("elementwise", "index", "linalg", "reduce", "shape")
LOW = -9.9e3  # added to a score it hides the key; bfloat16 has -9,984 for -1e4
_SHORT = 128  # the masks of shorter sequences, traced, are read: they are small
_LOOK = 4096  # rows that are compared at a time


def hides_later(mask: Any, length: int, added: bool = False):
    """Whether a mask hides the keys that come after the query, and only these: True there, or `added` as -1e4 or less and 0 elsewhere.

    False for a mask whose content is not known.
    """
    if mask.shape[-2:] != (length, length):
        return False
    return _ask(mask, _added_is_later if added and mask.dtype != bool else _is_later)


def takes_from_later(mask: Any, length: int):
    """Whether a mask has 1e4 or more for the keys that come after the query, and 0 elsewhere."""
    return mask.shape[-2:] == (length, length) and mask.dtype != bool and _ask(mask, _taken_is_later)


def shows_earlier(mask: Any, length: int, as_factor: bool = False):
    """Whether a mask is not 0 for the keys that come after no query, and 0 for all others; as a factor it is 1 there."""
    return mask.shape[-2:] == (length, length) and _ask(mask, _is_earlier_one if as_factor else _is_earlier)


def is_low(array: Any):
    """Whether all elements of an array, or a number, hide a key when they are its score."""
    if isinstance(array, (int, float)):
        return array <= LOW
    return bool(array.size) and _ask(array, _all_low, 0)


def number(array: Any):
    """The element of an array that has one, as a float; False where it is not known."""
    return _ask(array, _item, 0)


def _ask(array, question, least=_SHORT):
    """The answer to a question about a content; False where it is not known, or has fewer than `least` columns."""
    if not isinstance(array, Tracer):
        return question(np.asarray(array))
    return (not least or array.shape[-1] >= least) and known.ask(array, question, _plain)


def _plain(record):
    package, room, *rest = record.fn.__module__.split(".")
    return package == "msjax" and (room == "numpy" or room == "ops" and rest[0] in _FOLDERS)


def _by_rows(same):
    """A question about all rows of a mask, asked for some rows at a time."""

    @functools.wraps(same)
    def question(mask):
        length = mask.shape[-1]
        column = np.arange(length)
        starts = range(0, length, _LOOK)
        return all(
            bool(np.all(same(mask[..., i : i + _LOOK, :], column > np.arange(length)[i : i + _LOOK, None])))
            for i in starts
        )

    return question


@_by_rows
def _is_later(mask, later):
    return mask.astype(bool) == later


@_by_rows
def _added_is_later(mask, later):
    return np.where(later, mask <= LOW, mask == 0)


@_by_rows
def _taken_is_later(mask, later):
    return np.where(later, mask >= -LOW, mask == 0)


@_by_rows
def _is_earlier(mask, later):
    return mask.astype(bool) != later


@_by_rows
def _is_earlier_one(mask, later):
    return mask == ~later


def _all_low(array):
    return bool(np.all(array <= LOW))


def _item(array):
    return float(array.item())

"""Which masks are causal: those whose content is known and hides all later keys, and no others.

A causal mask is then a word to the kernels (`Hidden.causal`), and nobody reads (queries, keys) elements of it.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.compat import Tracer
from ...core.operators import known

# Folders of operators that may be run to look at a mask: they move, compare and compute elements, and do nothing else.
_FOLDERS = ("elementwise", "index", "linalg", "reduce", "shape")
_LOW = -9.9e3  # added to a score it hides the key; bfloat16 has -9,984 for -1e4
_SHORT = 128  # the masks of shorter sequences, traced, are read: they are small
_LOOK = 4096  # rows that are compared at a time


def hides_later(mask: Any, length: int, added: bool = False):
    """Whether a mask hides the keys that come after the query, and only these: True there, or `added` as -1e4 or less and 0 elsewhere.

    False for a mask whose content is not known.
    """
    if mask.shape[-2:] != (length, length):
        return False
    question: Callable = _added_is_later if added and mask.dtype != bool else _is_later
    if isinstance(mask, Tracer):
        return length >= _SHORT and known.ask(mask, question, _plain)
    return question(np.asarray(mask))


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
    return np.where(later, mask <= _LOW, mask == 0)

"""Rows on their way into a batch; large values are put into its memory as they come."""

import functools
from typing import Any

import numpy as np

from .block import STACK_LIMIT, Block, join_column

_LARGEST = 1 << 28  # bytes of a column of a batch that are set aside before its rows are there


@functools.cache
def _expect_large_arrays():
    """Has the C library keep the memory of arrays up to 32 MB when they are freed.

    It gives memory of more than a limit back to the system, which zeroes it before it hands it out again: for pictures a tenth of
    the time that decoding takes. glibc raises its limit to the largest array that it ever freed; elsewhere this does nothing.
    """
    np.empty(32_000_000, np.uint8)


class _Shelf:
    """The array that a column of a batch becomes: large values are put there as they come, while they are in the cache."""

    def __init__(self, rows, like):
        _expect_large_arrays()
        self.array, self.filled = np.empty((rows, *like.shape), like.dtype), 0

    def put(self, column, start):
        """`column`, a list of values, as a view of the rows from `start` on; as it is where its values are not alike."""
        like, stop = self.array[0], start + len(column)
        if start != self.filled or not all(
            isinstance(value, np.ndarray) and value.shape == like.shape and value.dtype == like.dtype
            for value in column
        ):
            return column
        for i, value in enumerate(column, start):
            self.array[i] = value
        self.filled = stop
        return self.array[start:stop]


class Pending:
    """Rows waiting to be batched, in the pieces in which they arrived.

    Args:
        shelves (bool): whether large values are put where the batch will be, for nobody needs them one by one.
    """

    def __init__(self, shelves: bool):
        self._to_shelves = shelves
        self._empty()

    def _empty(self):
        self.pieces, self.shelves, self.count = [], {}, 0

    def add(self, block: Any, wanted: Any):
        """Adds rows of the batch that is next, which will have `wanted` rows."""
        if self._to_shelves:
            block = Block([self._shelved(i, column, wanted) for i, column in enumerate(block.columns)], block.count)
        self.pieces.append(block)
        self.count += block.count

    def _shelved(self, position, column, wanted):
        if not isinstance(column, list):
            return column
        first = column[0]
        if not self.count and isinstance(first, np.ndarray) and first.dtype.kind not in "USO":
            if STACK_LIMIT < first.nbytes < _LARGEST / wanted:
                self.shelves[position] = _Shelf(wanted, first)
        shelf = self.shelves.get(position)
        return column if shelf is None else shelf.put(column, self.count)

    def take(self):
        """All rows, as pieces."""
        pieces, shelves, count = self.pieces, self.shelves, self.count
        self._empty()
        if not any(shelf.filled == count for shelf in shelves.values()):
            return pieces
        columns = []
        for i, parts in enumerate(zip(*(piece.columns for piece in pieces), strict=True)):
            whole = i in shelves and shelves[i].filled == count
            columns.append(shelves[i].array[:count] if whole else join_column(parts))
        return [Block(columns, count)]

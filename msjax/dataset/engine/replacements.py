"""The rows that stand in for rows whose processing raises, see ErrorSamplesMode.REPLACE."""

from collections import deque
from collections.abc import Sequence

import numpy as np

from ..check import check
from .block import Block

_HELD = 16  # rows that MindSpore keeps of those that were processed


class Replacements:
    """Puts earlier rows of a map in the places of failed ones, in MindSpore's order.

    Copies of 16 good rows are held, the newest first; they are used from the oldest on. While all 16 are unused, a row
    that fails is replaced at once, and a good row is preceded by the replacement of one that failed before there were so
    many. Where some are used, a good row is held in the place of the oldest, and what fails is replaced later, at the
    latest at the end of the epoch. The rows stay held over epochs.
    """

    def __init__(self):
        self._held = deque()
        self._next = -1  # the place of the held row that is used next; what is newer was not used yet
        self._failed = 0

    def among(self, block: Block, kept: Sequence[int] | None, count: int):
        """Blocks of the good rows of `block`, rows `kept` of `count` (None: all), with the replacements that are due among them."""
        if not self._failed and self._next == _HELD - 1 and block.count == count:
            yield block
            return
        good = iter(block.rows())
        healthy = range(count) if kept is None else set(kept)
        rows = []
        for place in range(count):
            if place in healthy:
                row = next(good)
                rows += [*self._before(row), row]
            elif self._next == _HELD - 1:
                rows.append(self._replacement())
            else:
                self._failed += 1
        if rows:
            yield Block.of_rows(rows)

    def rest(self):
        """Blocks of the rows that replace what is left at the end of an epoch."""
        check(
            not self._failed or self._held,
            "All data is garbage and can not be replaced: each row of the dataset raised an error. Look at one of them "
            "by config.set_error_samples_mode(ErrorSamplesMode.RETURN).",
            RuntimeError,
        )
        while self._failed:
            self._failed -= 1
            yield Block.of_rows([self._replacement()])

    def _before(self, row):
        """Holds a copy of a good row; gives the replacements that stand before it."""
        due = []
        if self._next == _HELD - 1:
            if not self._failed:
                return due
            self._failed -= 1
            due.append(self._replacement())
        if len(self._held) == _HELD:
            self._held.pop()
        self._held.appendleft(tuple(value.copy() if isinstance(value, np.ndarray) else value for value in row))
        self._next += 1
        return due

    def _replacement(self):
        # MindSpore's place is unsigned where all were used: -1 is 2 ** 64 - 1, of which 3 rows take the first.
        row = self._held[self._next % 2**64 % len(self._held)]
        self._next -= 1
        return row

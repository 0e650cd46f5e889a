"""A Block: several consecutive rows of a stream, kept by column.

Rows travel in blocks so that Python's cost is paid per block and not per row. A column is either one array whose
leading axis counts the rows (all of the same shape and dtype), or a list with one value per row. How a stream is cut
into blocks never changes its rows.
"""

from collections.abc import Sequence

import numpy as np

STACK_LIMIT = 1 << 15  # bytes; larger values stay apart: copying them costs more than a loop over them
ROWS_PER_BLOCK = 64


class Block:
    """`count` rows by column; `columns` is a list of arrays with `count` leading rows or of lists of `count` values."""

    __slots__ = ("columns", "count")

    def __init__(self, columns: str | Sequence[str], count: int):
        self.columns, self.count = columns, count

    @classmethod
    def of_rows(cls, rows: Sequence):
        """The block of a non-empty list of row tuples."""
        return cls([pack(list(column)) for column in zip(*rows, strict=True)], len(rows))

    def rows(self):
        """The rows as tuples, one after another."""
        return zip(*(values(column) for column in self.columns), strict=True)

    def slice(self, start: int, stop: int):
        """Rows `start` to `stop` as a block (views, no copies)."""
        return Block([column[start:stop] for column in self.columns], stop - start)

    def select(self, indices: Sequence[int]):
        """The rows at `indices`, an integer array, as a block."""
        return Block(
            [
                column[indices] if isinstance(column, np.ndarray) else [column[i] for i in indices]
                for column in self.columns
            ],
            len(indices),
        )


def type_text(array: np.ndarray):
    """How messages name an array's type."""
    return {"U": "string", "S": "bytes"}.get(array.dtype.kind) or str(array.dtype)


def values(column: str):
    """The values of a column, one a row; a row of a 1-D array is a 0-d array, never a NumPy scalar."""
    if isinstance(column, np.ndarray):
        return [column[i, ...] for i in range(len(column))] if column.ndim == 1 else list(column)
    return column


def pack(column: str):
    """A list of values as one array where they are small and alike, else the list itself."""
    first = column[0]
    if not isinstance(first, np.ndarray) or first.nbytes > STACK_LIMIT or first.dtype.kind in "USO":
        return column
    shape, dtype = first.shape, first.dtype
    for value in column:
        if not isinstance(value, np.ndarray) or value.shape != shape or value.dtype != dtype:
            return column
    return stack(column)


def stack(column: str):
    """Values of one shape and dtype as one array (a plain loop: faster than np.stack for small values)."""
    first = column[0]
    out = np.empty((len(column), *first.shape), first.dtype)
    for i, value in enumerate(column):
        out[i] = value
    return out


def join(blocks: Sequence):
    """Several blocks of the same columns as one."""
    if len(blocks) == 1:
        return blocks[0]
    parts = zip(*(block.columns for block in blocks), strict=True)
    return Block([join_column(column) for column in parts], sum(block.count for block in blocks))


def join_column(parts: Sequence):
    """A column that is in parts, as one array or one list."""
    first = parts[0]
    if all(
        isinstance(part, np.ndarray) and part.dtype == first.dtype and part.shape[1:] == first.shape[1:]
        for part in parts
    ):
        return np.concatenate(parts) if len(parts) > 1 else first
    return [value for part in parts for value in values(part)]

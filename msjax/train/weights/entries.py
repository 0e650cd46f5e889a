"""One array of a file of weights: its shape and dtype are known, its values are read when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ...core.values.filled import Fill
from ..stored_arrays import StoredArray, cast


@dataclass(frozen=True)
class Entry:
    """An array that has not been read yet.

    Args:
        shape: The axes.
        dtype: The NumPy dtype; bfloat16 and the float8 types are those of `ml_dtypes`.
        read: Gives the values, from the file, at each call.
        part: Reads a part alone into an array; None where the file does not allow it.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    read: Callable[[], np.ndarray]
    part: Fill | None = None

    def fill(self, target: np.ndarray, index: tuple[slice, ...]) -> None:
        """Read the part `index` into an array, in its dtype."""
        if self.part is not None:
            self.part(target, index)
        else:
            cast(self.read()[index], target)

    @property
    def nbytes(self) -> int:
        """The size of the values in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize

    @classmethod
    def of(cls, array: np.ndarray) -> Entry:
        """The entry of an array that is in memory."""
        array = np.asarray(array)
        return cls(array.shape, array.dtype, lambda: array)

    @classmethod
    def stored(cls, array: StoredArray) -> Entry:
        """The entry of an array in a file."""
        return cls(array.shape, array.dtype, array.read, array.fill)

    def rows(self, begin: int, end: int) -> Entry:
        """The entry of these rows alone."""

        def part(target, index):
            self.fill(target, (slice(index[0].start + begin, index[0].stop + begin), *index[1:]))

        return Entry(
            (end - begin, *self.shape[1:]), self.dtype, lambda: self.read()[begin:end], part if self.part else None
        )

    def pieces(self) -> Iterator[np.ndarray]:
        """The values, in C order: what a writer takes."""
        yield self.read()

    def changed(self, shape: tuple[int, ...], change: Callable[[np.ndarray], np.ndarray]) -> Entry:
        """The entry whose values are `change` of these."""
        return Entry(shape, self.dtype, lambda: change(self.read()))


def flat(tree: dict, prefix: str = "") -> Iterator[tuple[str, object]]:
    """(path with dots, value) of each value in nested dicts."""
    for name, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value

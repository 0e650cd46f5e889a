"""One array of a file of weights: its shape and dtype are known, its values are read when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import jax
import numpy as np

from ...core.values.filled import Fill
from ..stored_arrays import StoredArray


@dataclass(frozen=True)
class Entry:
    """An array that has not been read yet.

    Args:
        shape: The axes.
        dtype: The NumPy dtype; bfloat16 and the float8 types are those of `ml_dtypes`.
        read: Gives the values, from the file, at each call.
        fill: Reads a part alone into an array; None where the file does not allow it.
        place: Reads each device's part straight to it, where the file does not allow more; None if it does not do that either.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    read: Callable[[], np.ndarray]
    fill: Fill | None = None
    place: Callable[[jax.sharding.Sharding], jax.Array] | None = None

    def __call__(self, target: np.ndarray) -> None:
        """Fill an array of this shape: so an entry is content that is still to be made, see `Deferred`."""
        target[...] = self.read()

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

        def fill(target, index):
            self.fill(target, (slice(index[0].start + begin, index[0].stop + begin), *index[1:]))

        shape = (end - begin, *self.shape[1:])
        return Entry(shape, self.dtype, lambda: self.read()[begin:end], fill if self.fill else None)

    def pieces(self) -> Iterator[np.ndarray]:
        """The values, in C order: what a writer takes."""
        yield self.read()

    def changed(self, shape: tuple[int, ...], change: Callable[[np.ndarray], np.ndarray]) -> Entry:
        """The entry whose values are `change` of these."""
        return Entry(shape, self.dtype, lambda: change(self.read()))


def flat(tree: Mapping, keys: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """(path, value) of each value in nested dicts."""
    for name, value in tree.items():
        if isinstance(value, Mapping):
            yield from flat(value, (*keys, name))
        else:
            yield (*keys, name), value

"""One array of a file of weights: its shape and dtype are known, its values are read when they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Entry:
    """An array that has not been read yet.

    Args:
        shape: The axes.
        dtype: The NumPy dtype; bfloat16 and the float8 types are those of `ml_dtypes`.
        read: Gives the values, from the file, at each call.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    read: Callable[[], np.ndarray]

    @property
    def nbytes(self) -> int:
        """The size of the values in bytes."""
        return math.prod(self.shape) * self.dtype.itemsize

    @classmethod
    def of(cls, array: np.ndarray) -> Entry:
        """The entry of an array that is in memory."""
        array = np.asarray(array)
        return cls(array.shape, array.dtype, lambda: array)

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

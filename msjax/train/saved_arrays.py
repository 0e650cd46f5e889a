"""Arrays on their way to a file. An array may lie on several devices; one block of it at a time is in the host's memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from ..core.errors import of_program
from ..core.values.deferred import Deferred
from ..core.values.filled import Fill, everything, shards
from ..core.values.rows import Row
from ..core.values.tensor import host_array
from ..parallel.own_parts import own_block

_BLOCK = 64 << 20  # bytes


@dataclass(frozen=True)
class SavedArray:
    """An array that is to be written.

    Args:
        shape: The length of each axis.
        dtype: The NumPy dtype.
        whole: Function that returns all values.
        fill: `fill(target, index)` writes the values at an index into an array; None if only `whole` can be called.
        held: Arrays whose memory must not be used again until all is written.
    """

    shape: tuple[int, ...]
    dtype: np.dtype
    whole: Callable[[], np.ndarray]
    fill: Fill | None = None
    held: Sequence[jax.Array] = ()

    def pieces(self) -> Iterator[np.ndarray]:
        """The values in C order, in blocks of about 64 MiB.

        Raises:
            RuntimeError: the program that computes them has failed.
        """
        try:
            if self.fill is None:
                yield self.whole()
                return
            row = max(1, math.prod(self.shape[1:]) * self.dtype.itemsize)
            count = max(1, _BLOCK // row)
            for start in range(0, self.shape[0], count):
                index = (slice(start, min(start + count, self.shape[0])), *everything(self.shape[1:]))
                block = np.empty((index[0].stop - start, *self.shape[1:]), self.dtype)
                self.fill(block, index)
                yield block
        except jax.errors.JaxRuntimeError as error:
            raise of_program(error) from None


def saved(content: Any, own: bool = False) -> SavedArray:
    """The content of a Parameter or Tensor as a SavedArray. own: of an array that is spread over processes, take the part of this
    process; otherwise the processes exchange the parts when the array is read, so all of them must write.

    Raises:
        RuntimeError: with `own`, the parts on this process's devices do not make up a block.
    """
    if type(content) is Row and not content.stack.array.is_fully_addressable:
        content = content.make()
    if type(content) is Row:
        stack, at = content.stack.array, content.at
        return _in_parts(stack, content.shape, lambda index: (slice(at, at + 1), *index))
    if isinstance(content, Deferred):
        return SavedArray(content.shape, content.dtype, content.host, content.fill if content.shape else None)
    if own and not content.is_fully_addressable:
        begins = own_block(content)
        shape = tuple([stop - start for start, stop in begins])
        return _in_parts(
            content, shape, lambda index: tuple([slice(i.start + b, i.stop + b) for i, (b, _) in zip(index, begins)])
        )
    if not content.is_fully_addressable and not content.is_fully_replicated:
        return SavedArray(content.shape, content.dtype, lambda: host_array(content), None, (content,))
    if content.is_fully_replicated:
        return SavedArray(content.shape, content.dtype, lambda: _alone(content), None, (content,))
    return _in_parts(content, content.shape, lambda index: index)


def _alone(array):
    """The values of a replicated array."""
    ((values, _),) = shards(array, everything(array.shape))
    return values


def _in_parts(array, shape, within):
    """A SavedArray of a sharded array, or of a part of it. within: function from an index of the part to that of the array."""

    def fill(target, index):
        place = within(index)
        target = target.reshape([piece.stop - piece.start for piece in place])
        for part, where in shards(array, place):
            target[where] = part

    def whole():
        values = np.empty(shape, array.dtype)
        fill(values, everything(shape))
        return values

    return SavedArray(tuple(shape), array.dtype, whole, fill if shape else None, (array,))

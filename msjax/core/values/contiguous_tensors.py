"""Several Tensors laid one after another in one memory, of which parts can be taken: `mindspore.hal.contiguous_tensors_handle`."""

import itertools

import numpy as np

from .dtype import type_size_in_bytes
from .tensor import Tensor

__all__ = ["ContiguousTensorsHandle", "combine_tensor_list_contiguous"]


def combine_tensor_list_contiguous(tensor_list: tuple[Tensor, ...] | list, enable_mem_align: bool = True):
    """The `ContiguousTensorsHandle` of some Tensors."""
    return ContiguousTensorsHandle(tensor_list, enable_mem_align)


class ContiguousTensorsHandle:
    """Copies of some Tensors, one after another without gaps.

    `handle[i]` and `handle[i:j]` are elements as the dtype of the first Tensor has them, a vector each.

    Args:
        tensor_list: list or tuple of Tensors. enable_mem_align: recorded.

    Raises:
        TypeError: arguments of other types.
    """

    def __init__(self, tensor_list: tuple[Tensor, ...] | list, enable_mem_align: bool = True):
        if not isinstance(tensor_list, (list, tuple)) or not all(isinstance(t, Tensor) for t in tensor_list):
            raise TypeError("input list must be [Tensor, ...].")
        if not isinstance(enable_mem_align, bool):
            raise TypeError("enable_mem_align must be bool.")
        width = type_size_in_bytes(tensor_list[0].dtype)
        self.tensor_list, self.enable_mem_align = tuple(tensor_list), enable_mem_align
        parts = [np.ascontiguousarray(t.asnumpy()).reshape(-1).view(np.uint8) for t in tensor_list]
        self._memory = np.concatenate(parts)
        self.before_padding_sizes = [part.size for part in parts]
        self.after_padding_sizes = list(self.before_padding_sizes)
        self.total_padding_size = self._memory.size
        self.handle_shape = self.total_padding_size / width

    def _part(self, start, end, like):
        """The bytes of a range as a Tensor of another one's dtype."""
        return Tensor(self._memory[start:end].view(like.asnumpy().dtype).copy())

    def __getitem__(self, item):
        start, end = item, item
        if isinstance(item, slice):
            start = 0 if item.start is None else item.start
            end = int(self.handle_shape) if item.stop is None else item.stop
            if not isinstance(start, int) or not isinstance(end, int):
                raise TypeError("slice input error.")
            if start < 0 or end > self.handle_shape or start >= end:
                raise ValueError("slice input error.")
        elif not isinstance(item, int):
            raise TypeError(
                f"The index of a ContiguousTensorsHandle must be an int or a slice, but got {type(item).__name__}."
            )
        elif not 0 <= item < self.handle_shape:
            raise ValueError("slice input is out of tensor_list size.")
        else:
            end = item + 1
        width = type_size_in_bytes(self.tensor_list[0].dtype)
        return self._part(start * width, end * width, self.tensor_list[0])

    def __str__(self):
        parts = "".join(f"Tensor[{i}]: {t.asnumpy()}\n" for i, t in enumerate(self.tensor_list))
        return f"Handle total size: {self.total_padding_size}\n{parts}"

    def slice_by_tensor_index(self, start: int | None = None, end: int | None = None):
        """The Tensors from `start` to `end` in one row; one Tensor if only `start` is given, all without both.

        Raises:
            TypeError: indices that are not ints. ValueError: a range that does not exist.
        """
        first = 0 if start is None else start
        last = end if end is not None else len(self.tensor_list) if start is None else start + 1
        if not isinstance(first, int) or not isinstance(last, int):
            raise TypeError("slice input error.")
        if first < 0 or last > len(self.tensor_list) or first >= last:
            raise ValueError("slice input error.")
        at = [0, *itertools.accumulate(self.after_padding_sizes)]
        return self._part(at[first], at[last], self.tensor_list[first])

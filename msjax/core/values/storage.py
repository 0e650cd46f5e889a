"""UntypedStorage: the bytes of a Tensor, as `Tensor.untyped_storage()` gives them."""

from typing import Any

import numpy as np

from .tensor import Tensor, host_array, to_array

__all__ = ["UntypedStorage"]


class UntypedStorage:
    """The content of one Tensor as bytes. It is made by `Tensor.untyped_storage()`.

    Raises:
        TypeError: it is made of anything but a Tensor.

    Example:
        >>> Tensor([1.0, 2.0]).untyped_storage().nbytes()
        8
    """

    def __init__(self, tensor: Tensor):
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"For 'UntypedStorage', use Tensor.untyped_storage(): it cannot be made of {type(tensor).__name__}."
            )
        self._tensor, self._size = tensor, tensor.nbytes

    @property
    def device(self):
        """Where the content is, as `Tensor.device` says it."""
        return self._tensor.device.split(":")[0]

    @property
    def dtype(self):
        """MindSpore dtype of the Tensor."""
        return self._tensor.dtype

    def size(self):
        """Number of bytes."""
        return self._size

    nbytes = __len__ = size

    def element_size(self):
        """Bytes of one element: 1, since they are bytes."""
        return 1

    def is_shared(self):
        """Whether other processes see the memory: False."""
        return False

    def data_ptr(self):
        """Address of the content."""
        return self._tensor.data_ptr()

    def __bytes__(self):
        return self._tensor.get_bytes()

    def copy_(self, source: Any, non_blocking: bool = False):
        """Give the Tensor the bytes of another storage of the same length, and return this storage.

        Raises:
            TypeError, ValueError: `source` is not an UntypedStorage, or has another length.
        """
        if not isinstance(source, UntypedStorage):
            raise TypeError(
                f"For 'UntypedStorage.copy_', the source must be UntypedStorage, but got {type(source).__name__}."
            )
        if source._tensor.nbytes != self._tensor.nbytes:
            raise ValueError(
                f"For 'UntypedStorage.copy_', the source must have {self._tensor.nbytes} bytes, but got "
                f"{source._tensor.nbytes}."
            )
        target = self._tensor._data
        content = np.frombuffer(bytes(source), host_array(target).dtype).reshape(target.shape)
        self._tensor._assign(to_array(content))
        return self

    def resize_(self, size: int):
        """Record another length, and return this storage. The content stays: JAX frees memory when nothing refers to it.

        Raises:
            TypeError, ValueError: `size` is not an int, or negative.
        """
        if isinstance(size, bool) or not isinstance(size, int):
            raise TypeError(f"For 'UntypedStorage.resize_', the 'size' must be int, but got {type(size).__name__}.")
        if size < 0:
            raise ValueError(f"For 'UntypedStorage.resize_', the 'size' must not be negative, but got {size}.")
        self._size = size
        return self

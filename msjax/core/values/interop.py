"""Tensors from and for others: `tensor`, DLPack, buffers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..host import wide
from . import dtype as mstype
from .tensor import Tensor, wrap

if TYPE_CHECKING:
    from .dtype import Type

__all__ = ["from_dlpack", "from_numpy", "frombuffer", "is_tensor", "swap_tensors", "tensor", "to_dlpack"]


def tensor(
    input_data: Any = None,
    dtype: "Type | None" = None,
    shape: int | Sequence[int] | None = None,
    init: Any = None,
    const_arg: bool = False,
    device: str | None = None,
) -> Tensor:
    """A Tensor of the given data; arguments as for `Tensor`.

    Example:
        >>> print(mindspore.tensor([1, 2], mindspore.float32))
        [1. 2.]
    """
    return Tensor(input_data, dtype, shape, init, const_arg, device)


tensor.Tensor = Tensor  # `mindspore.common.tensor` was the module until 2.0


def from_numpy(array: np.ndarray) -> Tensor:
    """A Tensor with the content of a NumPy array; TypeError for anything else.

    Example:
        >>> mindspore.from_numpy(np.array([1, 2]))
        Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """
    return Tensor.from_numpy(array)


def is_tensor(obj: Any):
    """Whether an object is a Tensor."""
    return isinstance(obj, Tensor)


class _Capsule:
    """The result of `to_dlpack`, for `from_dlpack` of this or another package."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **kwargs):
        return self._array.__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def to_dlpack(tensor: Tensor):
    """A DLPack exchange object of a Tensor, without a copy.

    Raises:
        TypeError: no Tensor.
    """
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For 'to_dlpack', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
    return _Capsule(tensor._data)


@wide
def from_dlpack(dlpack: Any) -> Tensor:
    """A Tensor of an object that speaks DLPack (NumPy array, torch Tensor, ...)."""
    # `copy=True` of from_dlpack itself leaves complex arrays shared with their owner, who may write them
    return wrap(jax.numpy.array(jax.numpy.from_dlpack(dlpack), copy=True))


def frombuffer(buffer: Any, *, dtype: "Type", count: int = -1, offset: int = 0) -> Tensor:
    """A Tensor of the bytes of a buffer.

    Args:
        buffer: bytes or similar.
        dtype: of the elements.
        count: number of elements, -1 for all.
        offset: bytes to skip.
    """
    return Tensor(np.frombuffer(buffer, mstype.to_numpy(dtype), count, offset))


def swap_tensors(t1: Tensor, t2: Tensor):
    """Exchange the contents of two Tensors."""
    for i, t in ((1, t1), (2, t2)):
        if not isinstance(t, Tensor):
            raise TypeError(f"For 'swap_tensors', argument {i} must be a Tensor, but got {type(t).__name__}.")
    first, second = (t1._data, t1._var), (t2._data, t2._var)
    t1._assign(*second)
    t2._assign(*first)


Tensor.from_dlpack = staticmethod(from_dlpack)
Tensor.to_dlpack = to_dlpack

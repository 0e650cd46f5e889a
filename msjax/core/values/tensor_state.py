"""Attributes of MindSpore's Tensor about memory and compiler, and the content of a Tensor without data.

The members are scripts' and MindSpore's own bookkeeping: flags that are recorded and read back. Memory is JAX's, so what
would hand out or take over addresses raises.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .dtype import Type
    from .tensor import Tensor


class Absent:
    """The content of a Tensor without data: a shape, a dtype and the reason, which any use raises.

    Args:
        sizes: one entry an axis: an int, None for an unknown length, or a Symbol. dtype: NumPy dtype. reason: what to say.
    """

    __slots__ = ("shape", "dtype", "sizes", "reason")

    def __init__(self, sizes: list | tuple, dtype: np.dtype, reason: str):
        self.sizes, self.dtype, self.reason = tuple(sizes), np.dtype(dtype), reason
        self.shape = tuple(int(s) if isinstance(s, (int, np.integer)) else -1 for s in self.sizes)

    @property
    def ndim(self):
        """Number of axes."""
        return len(self.shape)

    def _refuse(self):
        raise ValueError(f"This Tensor of shape {self.shape} and dtype {self.dtype} has no content: {self.reason}")

    def __getattr__(self, name):
        self._refuse()

    def __array__(self, dtype=None, copy=None):
        self._refuse()

    # Networks are copied with the inputs that `set_inputs` recorded.
    def copy(self):
        """Itself: it is never changed."""
        return self

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return Absent, (self.sizes, self.dtype, self.reason)

    def text(self, dtype: "Type"):
        """The Tensor's text at the prompt, in MindSpore's form."""
        content = "value=\n" if self.ndim > 1 else "value= "
        return f"Tensor(shape={list(self.shape)}, dtype={dtype}, {content})"


_UNKNOWN = (
    "it only describes an input. Give it to Cell.set_inputs or as an input_signature, and compute with a Tensor that has "
    "values: Tensor(numpy.zeros((2, 3)), mindspore.float32)."
)
_RELEASED = "Tensor.delete_() released it. Assign new content (x.data = y, x.assign_value(y)) before it is used."


def has_unknown_axes(shape: Sequence[int]):
    """Whether a shape has an axis whose length is not given (None, a negative number, a Symbol)."""
    if shape is None or isinstance(shape, (int, np.integer)):
        return False
    return any(not isinstance(s, (int, np.integer)) or s < 0 for s in shape)


def described(shape: Sequence[int], dtype: np.dtype):
    """The content of `Tensor(shape=[None, 3], dtype=...)`; without a shape the number of axes is unknown, too."""
    return Absent((-2,) if shape is None else shape, dtype, _UNKNOWN)


class TensorState:
    """The members of Tensor that only record a value, or that ask for memory that JAX manages."""

    __slots__ = ()

    init = None  # the Initializer of a Tensor that has no content yet
    init_finished = True
    init_flag = False
    param_info = None
    parent_tensor_ = None  # for users a slice knows no parent; see core/operators/views.py
    index_of_parent_ = None
    const_arg = False
    virtual_flag = False
    _offload_path = ""

    def is_init(self):
        """The flag that `set_init_flag` recorded; False at first."""
        return self.init_flag

    def set_init_flag(self, flag: bool):
        """Record whether the content was sent to the device."""
        self.init_flag = flag

    @staticmethod
    def set_param_info(tensor: "Tensor", info: Any):
        """Record the info object of a Parameter (`Parameter.param_info`) on a Tensor."""
        tensor.param_info = info

    def offload(self, file_path: str):
        """Write the content's bytes to a file, and return whether that was done; an empty path does nothing.

        The content stays in memory too, so the Tensor can be used as before.

        Raises:
            RuntimeError: the file cannot be written.
        """
        if not file_path:
            return False
        try:
            with open(file_path, "wb") as file:
                file.write(self.get_bytes())
        except OSError as error:
            raise RuntimeError(f"For 'Tensor.offload', the file cannot be written: {error}.") from error
        self._offload_path = file_path
        return True

    def offload_file_path(self):
        """The path that was given to `offload`, or an empty str."""
        return self._offload_path

    def delete_(self, non_blocking: bool = False):
        """Release the content; shape and dtype stay. Memory shared with other Tensors is freed with the last of them.

        Raises:
            ValueError: `non_blocking` is not a bool. Also whatever uses the content afterwards.
        """
        if not isinstance(non_blocking, bool):
            raise ValueError(f"The type of 'non_blocking' must be bool, but got {non_blocking}")
        self._assign(Absent(self.shape, self._data.dtype, _RELEASED))
        return self

    def set_device_address(self, address: int, shape: Sequence[int], dtype: "Type"):
        """RuntimeError: the memory is JAX's."""
        raise RuntimeError(
            "'Tensor.set_device_address' takes over memory of an Ascend device; memory here is JAX's. Exchange Tensors "
            "with other packages by mindspore.utils.from_dlpack."
        )

    @staticmethod
    def getitem_index_info(tensor: "Tensor", index: Any, is_ascend: bool = False):
        """RuntimeError: it is a plan for MindSpore's own indexing kernels."""
        raise RuntimeError(
            "'Tensor.getitem_index_info' gives a plan for MindSpore's own kernels; XLA indexes here: use tensor[index]."
        )

    @staticmethod
    def setitem_index_info(tensor: "Tensor", index: Any, value: Any, is_ascend: bool = False):
        """RuntimeError: it is a plan for MindSpore's own indexing kernels."""
        raise RuntimeError(
            "'Tensor.setitem_index_info' gives a plan for MindSpore's own kernels; XLA indexes here: use "
            "tensor[index] = value."
        )

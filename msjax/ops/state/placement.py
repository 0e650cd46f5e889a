"""Where a Tensor lives: one memory, that of the default device. Requests to move, pin or share are answered, and
change nothing."""

import jax

from ...core.compat import Tracer
from ...core.operators.record import composite, records
from ...core.values import dtype as mstype
from ...core.values import interop as exchange  # noqa: F401  gives Tensor its DLPack methods
from ...core.values.storage import UntypedStorage
from ...core.values.symbol import Symbol
from ...core.values.tensor import Tensor
from ...core.values.tensor_state import Absent


@composite(ops=False, tensor="property device")
def device(self):
    """The device's name: "CPU", "GPU" or "TPU"."""
    array = self.jax_array
    if isinstance(array, Tracer) or not hasattr(array, "devices"):
        return jax.default_backend().upper()
    return next(iter(array.devices())).platform.upper()


@composite(ops=False, tensor="data_ptr()")
def data_ptr(self):
    """Address of the content in memory, as an int."""
    return self.jax_array.unsafe_buffer_pointer()


@composite(ops=False, tensor="data_sync(need_wait=True)")
def data_sync(self, need_wait=True):
    """Wait until the content is computed."""
    if need_wait and not isinstance(self.jax_array, Tracer):
        jax.block_until_ready(self.jax_array)


@composite(ops=False, tensor="wait_pipeline()")
def wait_pipeline(self):
    """Wait until the content is computed."""
    data_sync(self)


def _answer(name, value, what):
    def method(self):
        return value

    method.__doc__ = what
    composite(method, name=f"{name}_method", ops=False, tensor=f"{name}()")


_answer("is_pinned", False, "Whether the memory is pinned: never.")
_answer("is_shared", False, "Whether the memory is shared by processes: never.")


@composite(ops=False, tensor="property is_meta")
def is_meta(self):
    """Whether there is no content: never."""
    return False


@composite(ops=False, tensor="pin_memory()")
def pin_memory(self):
    """The Tensor itself: there is nothing to pin."""
    return self


@composite(
    prim="MoveTo()(input, to, blocking=True)",
    ops="move_to(input, to='CPU', blocking=True)",
    tensor="move_to(to, blocking=True)",
)
def move_to(input, to="CPU", blocking=True):
    """A copy of the Tensor; JAX places it.

    Example:
        >>> ops.move_to(Tensor([1.0]), "CPU")
    """
    if to not in ("CPU", "GPU", "Ascend", "npu", "Ascend910"):
        raise ValueError(f"For 'move_to', the 'to' must be 'CPU', 'GPU' or 'Ascend', but got {to!r}.")
    return records["identity"](input)


@composite(ops=False, tensor="to_(device=None, non_blocking=False)", name="to_inplace")
def to_inplace(self, device=None, non_blocking=False):
    """The Tensor itself: it stays where it is."""
    return self


@composite(ops=False, tensor="new_tensor(data, *, dtype=None, device=None)")
def new_tensor(self, data, dtype=None, device=None):
    """A Tensor of the given data, in this Tensor's dtype unless one is given."""
    return Tensor(data, self.dtype if dtype is None else dtype)


@composite(ops=False, tensor="sum_to_size(*size)")
def sum_to_size(self, *size):
    """The sum over leading axes and over axes that have length 1 in `size`, so that the result has that shape."""
    size = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    extra = self.ndim - len(size)
    if extra < 0 or any(a != b and b != 1 for a, b in zip(self.shape[extra:], size)):
        raise ValueError(
            f"For 'sum_to_size', the size {size} must be one to which the shape {self.shape} can be summed up."
        )
    axes = (*range(extra), *[extra + i for i, (a, b) in enumerate(zip(self.shape[extra:], size)) if a != b])
    total = records["reduce_sum"](self, axes, True, False) if axes else self
    return records["reshape"](total, size)


@composite(ops=False, tensor=("storage()", "untyped_storage()"))
def storage(self):
    """The bytes of the content.

    Example:
        >>> Tensor([1.0, 2.0]).storage().nbytes()
        8
    """
    return UntypedStorage(self)


@composite(ops=False, tensor="property symbolic_shape")
def symbolic_shape(self):
    """The shape; for a Tensor that describes an input None, or what is known, for axes of unknown length."""
    if isinstance(self.jax_array, Absent):
        return [s.to_dict() if isinstance(s, Symbol) else s for s in self.jax_array.sizes]
    return list(self.shape)


@composite(ops=False, tensor="set_cast_dtype(dtype=None)")
def set_cast_dtype(self, dtype=None):
    """Record the dtype that mixed precision casts this Tensor to, and return it."""
    self.cast_dtype = None if dtype is None else mstype.of(dtype)
    return self

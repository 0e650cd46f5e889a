"""Where a Tensor lives: one memory, that of the default device. Requests to move, pin or share are answered, and
change nothing.
"""

from typing import Any, Literal

import jax

from ...core.compat import Tracer
from ...core.operators.record import composite, records
from ...core.operators.rows import Method, Prim, Property, args
from ...core.spec import Array, Dtype
from ...core.spec.rules import AsValue
from ...core.values import dtype as mstype
from ...core.values import interop as exchange  # noqa: F401  gives Tensor its DLPack methods
from ...core.values.storage import UntypedStorage
from ...core.values.symbol import Symbol
from ...core.values.tensor import Tensor
from ...core.values.tensor_state import Absent


@composite(ops=False, tensor=Property("device"))
def device(self: Array) -> str:
    """The device's name: "CPU", "GPU" or "TPU"."""
    array = self.jax_array
    if isinstance(array, Tracer) or not hasattr(array, "devices"):
        return jax.default_backend().upper()
    return next(iter(array.devices())).platform.upper()


@composite(ops=False, tensor="data_ptr")
def data_ptr(self: Array) -> int:
    """Address of the content in memory, as an int."""
    return self.jax_array.unsafe_buffer_pointer()


@composite(ops=False, tensor="data_sync")
def data_sync(self: Array, need_wait: bool = True):
    """Wait until the content is computed."""
    if need_wait and not isinstance(self.jax_array, Tracer):
        jax.block_until_ready(self.jax_array)


@composite(ops=False, tensor="wait_pipeline")
def wait_pipeline(self: Array):
    """Wait until the content is computed."""
    data_sync(self)


def _answer(name, value, what):
    def method(self: Array):
        return value

    method.__doc__ = what
    composite(method, name=f"{name}_method", ops=False, tensor=name)


_answer("is_pinned", False, "Whether the memory is pinned: never.")
_answer("is_shared", False, "Whether the memory is shared by processes: never.")


@composite(ops=False, tensor=Property("is_meta"))
def is_meta(self: Array):
    """Whether the Tensor has no content: always False."""
    return False


@composite(ops=False, tensor="pin_memory")
def pin_memory(self: Array) -> Array:
    """The Tensor itself: pinned memory is not needed."""
    return self


@composite(
    prim=Prim("MoveTo", call=args("input", "to", blocking=True)),
    ops=True,
    tensor=Method("move_to", args("to", blocking=True)),
)
def move_to(
    input: Any, to: AsValue[Literal["CPU", "GPU", "Ascend", "npu", "Ascend910"]] = "CPU", blocking: bool = True
):
    """A copy of the Tensor; JAX places it.

    Example:
        >>> print(ops.move_to(Tensor([1.0]), "CPU"))
        [1.]
    """
    return records["identity"](input)


@composite(ops=False, tensor="to_", name="to_inplace")
def to_inplace(self: Array, device: str | None = None, non_blocking: bool = False) -> Array:
    """The Tensor itself: it stays on its device."""
    return self


@composite(ops=False, tensor=Method("new_tensor", args("data").only(dtype=None, device=None)))
def new_tensor(self: Array, data: Any, dtype: Dtype | None = None, device: Any = None) -> Array:
    """A Tensor of the given data, in this Tensor's dtype unless one is given."""
    return Tensor(data, self.dtype if dtype is None else dtype)


@composite(ops=False, tensor="sum_to_size")
def sum_to_size(self: Array, *size: Any) -> Array:
    """The sum over leading axes and over axes that have length 1 in `size`, so that the result has that shape."""
    size = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    extra = self.ndim - len(size)
    if extra < 0 or any(a != b and b != 1 for a, b in zip(self.shape[extra:], size)):
        raise ValueError(
            f"For 'sum_to_size', the size {size} must be one to which the shape {self.shape} can be summed up."
        )
    axes = (*range(extra), *[extra + i for i, (a, b) in enumerate(zip(self.shape[extra:], size)) if a != b])
    total = records["sum"](self, axes, True) if axes else self  # whole numbers become int64
    return records["reshape"](total, size)


@composite(ops=False, tensor=("storage", "untyped_storage"))
def storage(self: Array):
    """The bytes of the content.

    Example:
        >>> Tensor([1.0, 2.0]).storage().nbytes()
        8
    """
    return UntypedStorage(self)


@composite(ops=False, tensor=Property("symbolic_shape"))
def symbolic_shape(self: Array):
    """The shape; for a Tensor that describes an input, None or the known properties for axes of unknown length."""
    if isinstance(self.jax_array, Absent):
        return [s.to_dict() if isinstance(s, Symbol) else s for s in self.jax_array.sizes]
    return list(self.shape)


@composite(ops=False, tensor="set_cast_dtype")
def set_cast_dtype(self: Array, dtype: Dtype | None = None):
    """Record the dtype that mixed precision casts this Tensor to, and return it."""
    self.cast_dtype = None if dtype is None else mstype.of(dtype)
    return self

"""The two parts of a number, and functions of dual numbers."""

from typing import TYPE_CHECKING, Any

from ... import ops
from ...core.values import dtype as mstype

if TYPE_CHECKING:
    from ...core.values.dtype import Type
    from ...core.values.tensor import Tensor


def get_x_and_y(tensor: "Tensor"):
    """Both parts: real and imaginary of complex64, else the two places of the first axis."""
    if tensor.dtype == mstype.complex64:
        return ops.real(tensor), ops.imag(tensor)
    return ops.unstack(tensor, 0)


def to_2channel(real: Any, imag: Any, dtype: "Type | None" = None):
    """One Tensor of both parts: complex64 if that is the dtype, else with a first axis of two places.

    Raises:
        ValueError: the parts have another dtype.
    """
    if dtype == mstype.complex64 and dtype is not None:
        return ops.Complex()(real, imag)
    if dtype is not None and (dtype != real.dtype or dtype != imag.dtype):
        raise ValueError(
            f"dtype must match with data type of the input tensors, but got: dtype={dtype}, real.dtype={real.dtype}, "
            f"imag.dtype={imag.dtype}"
        )
    return ops.stack((real, imag), 0)


def matmul(z1: Any, z2: Any):
    """The matrix product of two Tensors of dual numbers."""
    (a, da), (b, db) = get_x_and_y(z1), get_x_and_y(z2)
    return to_2channel(ops.matmul(a, b), ops.matmul(a, db) + ops.matmul(da, b))

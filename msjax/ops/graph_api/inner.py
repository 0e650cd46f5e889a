"""Helpers of MindSpore's functions that libraries import from `ops.function.*`."""

from typing import Any

from ...core.operators.record import records
from ...core.values import dtype as mstype


def _expand(x, ndim):
    """A Tensor with axes of 1 put before it until it has `ndim`."""
    return records["reshape"](
        x, (1,) * max(ndim - x.ndim, 0) + tuple(x.shape)
    )  # a library's Tensors may have other methods


def _check_same_type(dtype1, dtype2):
    """Whether two dtypes are one."""
    return dtype1 == dtype2


def get_square_sum(x: Any):
    """Sum of the squares of a Tensor, as a float32 Tensor of one element."""
    return (x * x).sum().astype(mstype.float32).reshape(1)


def apply_global_norm(clip_norm: Any, global_norm: Any, x: Any):
    """A gradient scaled by clip_norm / global_norm."""
    return (x * clip_norm / global_norm).astype(x.dtype)


def _deconv_output_length(pad_mode, input_length, filter_size, stride_size, dilation_size, padding):
    """Length of the result of a transposed convolution along one axis."""
    extent = filter_size + (filter_size - 1) * (dilation_size - 1)
    whole = (input_length - 1) * stride_size + extent
    if pad_mode == "valid":
        return input_length * stride_size + max(extent - stride_size, 0)
    return input_length * stride_size if pad_mode == "same" else whole - padding

"""Products of layers with a bias."""

from typing import TYPE_CHECKING, Any

from ... import ops
from ...core.operators.casts import by_lists

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


def with_bias(operator: Any, x: "Tensor", weight: "Tensor", bias: "Tensor", *rest):
    """operator(x, weight, bias, *rest). Under mixed precision by operators the bias is added apart, so in its own dtype, as in MindSpore."""
    if bias is None or not by_lists():
        return operator(x, weight, bias, *rest)
    return add_bias(operator(x, weight, None, *rest), bias)


def add_bias(out: "Tensor", bias: "Tensor"):
    """out + bias along the channels; under mixed precision by operators in the dtype of the bias."""
    return ops.bias_add(ops.cast(out, bias.dtype) if by_lists() else out, bias)

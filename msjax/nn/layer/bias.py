"""Products of layers with a bias."""

from typing import TYPE_CHECKING, Any

from ... import ops
from ...core.settings.execution_state import here

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


def with_bias(operator: Any, x: "Tensor", weight: "Tensor", bias: "Tensor", *rest):
    """operator(x, weight, bias, *rest). Under mixed precision by operators the bias is added apart, so in its own dtype, as in MindSpore."""
    if bias is None or not here().casts:
        return operator(x, weight, bias, *rest)
    return ops.bias_add(operator(x, weight, None, *rest), bias)

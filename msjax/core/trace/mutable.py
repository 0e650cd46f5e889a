"""`mutable`: Python numbers as inputs of compiled functions."""

from typing import Any

from ..values.tensor import Tensor
from . import dynamic_sequence
from .call_structure import CONTAINERS, MutableFloat, MutableInt

__all__ = ["mutable"]


def mutable(input_data: Any, dynamic_len: bool = False):
    """Make Python numbers inputs of compiled functions instead of constants, so that a new value does not compile again.

    Tensors and bools stay as they are; lists, tuples and dicts are converted inside, and have gradients in a graph. `dynamic_len` is
    accepted: a new length traces again.

    Raises:
        TypeError: something else, also in a container; `dynamic_len` for what has no length.
    """
    if not isinstance(dynamic_len, bool):
        raise TypeError(f"For 'mutable', the second input should be bool, but got: {type(dynamic_len).__name__}.")
    if dynamic_len and not isinstance(input_data, (tuple, list)):
        raise TypeError(
            "For 'mutable', when the variable_len is True, the first input should be list or tuple, but got: "
            f"{type(input_data).__name__}."
        )
    if not dynamic_len and isinstance(input_data, dynamic_sequence.DynamicLength):
        raise RuntimeError("For 'mutable', can not convert a dynamic length sequence to constant length.")
    made = _mutable(input_data, ())
    return dynamic_sequence.dynamic(made) if dynamic_len else made


def _mutable(value, around):
    """around: the containers that a value is in."""
    if isinstance(value, (Tensor, bool)):
        return value
    if isinstance(value, (int, float)):
        return MutableInt(value) if isinstance(value, int) else MutableFloat(value)
    if not isinstance(value, (tuple, list, dict)) or any(value is a for a in around):
        raise TypeError(
            "For 'mutable', the 'input_data' should be one of (bool, int, float, Tensor, tuple, list, dict) or their "
            f"nested structures with no self-reference, but got {type(value).__name__}."
        )
    around = (*around, value)
    if isinstance(value, dict):
        return CONTAINERS[dict]({k: _mutable(v, around) for k, v in value.items()})
    made = [_mutable(v, around) for v in value]
    return (
        type(value)(*made)
        if hasattr(type(value), "_fields")
        else CONTAINERS[list if isinstance(value, list) else tuple](made)
    )

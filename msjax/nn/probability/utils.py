"""Shared code of distributions and bijectors: conversion and checks of parameters, and their errors.

The names are those of MindSpore's `distribution._utils`, which subclasses in projects import.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import ops
from ...core.compat import Tracer
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor

if TYPE_CHECKING:
    from ...core.values.dtype import Type

INTEGERS = (*mstype.int_type, *mstype.uint_type)


# --- conversion
def cast_to_tensor(t: Any, hint_type: "Type" = mstype.float32):
    """A number, list, NumPy array or Tensor as a Tensor of the type; a Parameter stays a Parameter.

    Raises:
        ValueError: `t` is None.
        TypeError: `t` is a bool or something that holds no numbers.

    Example:
        >>> from mindspore.nn.probability.distribution import cast_to_tensor
        >>> print(cast_to_tensor([1, 2], mindspore.float32))
        [1. 2.]
    """
    if t is None:
        raise ValueError("Input cannot be None in cast_to_tensor")
    if isinstance(t, Parameter):
        return t
    if isinstance(t, bool):
        raise TypeError("Input cannot be Type Bool")
    if isinstance(t, (Tensor, np.ndarray, list, int, float)):
        return Tensor(t, dtype=hint_type)
    raise TypeError(f"Unable to convert input of type {type(t)} to a Tensor of type {hint_type}")


def set_param_type(args: Any, hint_type: Any):
    """The type that parameters are computed in: that of the arrays among them, else `hint_type`; float32 for integers.

    Args:
        args: dict from name to parameter.
        hint_type: dtype, or None.

    Raises:
        TypeError: two arrays differ in dtype.
    """
    common = None
    for name, arg in args.items():
        if hasattr(arg, "dtype"):
            dtype = mstype.from_numpy(arg.dtype) if isinstance(arg, np.ndarray) else arg.dtype
            if common is not None and dtype != common:
                raise TypeError(f"{name} should have the same dtype as other arguments.")
            common = dtype
    if common is None:
        return mstype.float32 if hint_type is None or hint_type in INTEGERS else hint_type
    return mstype.float32 if common in INTEGERS or common == mstype.float64 else common


def batch_shape_of(param_dict: dict):
    """The common shape of parameters; None if one of them is None."""
    if any(value is None for value in param_dict.values()):
        return None
    return np.broadcast_shapes(*(cast_to_tensor(value).shape for value in param_dict.values()))


def is_scalar_batch_of(param_dict: dict):
    """Whether all parameters that are given are Python numbers."""
    return all(value is None or isinstance(value, (int, float)) for value in param_dict.values())


def broadcast_to(x: Tensor, target: Any):
    """`x` in the shape of the Tensor `target`."""
    return x if x.shape == target.shape else ops.broadcast_to(x, target.shape)


def exp_generic(input_x: Tensor):
    """exp, of integers in float32."""
    return ops.exp(input_x)


def log_generic(input_x: Tensor):
    """log, of integers in float32."""
    return ops.log(input_x)


def log1p_generic(x: Tensor):
    """log(1 + x), computed as it reads."""
    return ops.log(x + 1.0)


def softplus(x: Tensor):
    """log(1 + exp(x)) without overflow."""
    return -ops.logsigmoid(-x)


def clamp_probs(probs: Any):
    """Probabilities moved into [eps, 1 - eps]."""
    eps = ops.eps(probs)
    return ops.clip_by_value(probs, eps, 1 - eps)


def logits_to_probs(logits: Tensor, is_binary: bool = False):
    """Probabilities of logits: their sigmoid, or softmax over the last axis."""
    return ops.sigmoid(logits) if is_binary else ops.softmax(logits, -1)


def probs_to_logits(probs: Any, is_binary: bool = False):
    """Logits of probabilities."""
    clamped = clamp_probs(probs)
    return ops.log(clamped) - ops.log(1 - clamped) if is_binary else ops.log(clamped)


# --- checks
def _known(value):
    """The values as a NumPy array; None while they are traced or not made yet."""
    if isinstance(value, Tensor):
        if value.has_init or isinstance(value.jax_array, Tracer):
            return None
        return value.asnumpy()
    return np.asarray(value)


def _require(value, holds, message, what="check_greater_zero"):
    if value is None:
        raise ValueError(f"input value cannot be None in {what}")
    known = _known(value)
    if known is not None and not np.all(holds(known)):
        raise ValueError(message)


def check_greater_equal_zero(value: Any, name: str):
    """ValueError unless all values are >= 0."""
    _require(value, lambda v: ~(v < 0), f"{name} must be greater than or equal to zero.", "check_greater_equal_zero")


def check_greater_zero(value: Any, name: str):
    """ValueError unless all values are > 0."""
    _require(value, lambda v: v > 0, f"{name} must be greater than zero.")


def check_greater(a: Tensor, b: Tensor, name_a: Any, name_b: Any):
    """ValueError unless a < b everywhere; Parameters are not looked at."""
    if a is None or b is None:
        raise ValueError("input value cannot be None in check_greater")
    if isinstance(a, Parameter) or isinstance(b, Parameter):
        return
    low, high = _known(a), _known(b)
    if low is not None and high is not None and not np.all(low < high):
        raise ValueError(f"{name_a} must be less than {name_b}")


def check_prob(p: Any):
    """ValueError unless 0 < p < 1 everywhere."""
    _require(p, lambda v: v > 0, "Probabilities must be greater than zero", "check_prob")
    _require(p, lambda v: v < 1, "Probabilities must be less than one", "check_prob")


def check_sum_equal_one(probs: Any):
    """ValueError unless the probabilities along the last axis sum to one, up to rounding."""

    def holds(values):
        total = np.sum(values, axis=-1)
        eps = np.finfo(total.dtype).eps
        return np.isclose(total, 1, rtol=10 * eps, atol=eps)

    message = "Probabilities for each category should sum to one for Categorical distribution."
    _require(probs, holds, message, "check_sum_equal_one")


def check_rank(probs: Any):
    """ValueError unless the Tensor has an axis of categories."""
    if probs is None:
        raise ValueError("input value cannot be None in check_rank")
    if np.ndim(probs) == 0:
        raise ValueError("probs for Categorical distribution must have rank >= 1.")


def check_distribution_name(name: str, expected_name: Any):
    """ValueError unless the other distribution is of the expected kind."""
    if name is None:
        raise ValueError("Input dist must be a constant which is not None.")
    if name != expected_name:
        raise ValueError(f"Expected dist input is {expected_name}, but got {name}.")


class CheckTensor:
    """`CheckTensor()(x, name)`: x if it is a Tensor or None, else a TypeError."""

    def __call__(self, x: float | Tensor, name: str):
        if x is None or isinstance(x, Tensor):
            return x
        raise TypeError(f"For {name}, input type must be a Tensor or Parameter.")


class CheckTuple:
    """`CheckTuple()(x, name)`: x if it is a tuple, else a TypeError."""

    def __call__(self, x: tuple, name: str):
        if isinstance(x, tuple):
            return x
        raise TypeError(f"For {name}, input type must be a tuple.")


# --- errors
def raise_none_error(name: str):
    """TypeError: a parameter was given neither at construction nor in the call."""
    raise TypeError(
        f"the type {name} must be subclass of Tensor. It can not be None since it is not specified during "
        "initialization."
    )


def raise_not_impl_error(name: str):
    """ValueError: a non-linear transformation must define this itself."""
    raise ValueError(f"{name} function must be implemented for non-linear transformation")


def raise_not_implemented_util(func_name: str, obj: Any, *args, **kwargs):
    """NotImplementedError: the distribution does not have this function."""
    raise NotImplementedError(f"{func_name} is not implemented for {obj} distribution.")


def raise_not_defined(func_name: str, obj: Any, *args, **kwargs):
    """ValueError for a value that is mathematically undefined."""
    raise ValueError(f"{func_name} is undefined for {obj} distribution.")


def raise_type_error(name: str, cur_type: Any, required_type: Any):
    """TypeError: a value has the wrong dtype."""
    raise TypeError(f"For {name} , the type must be or be subclass of {required_type}, but got {cur_type}")

"""MindSpore's helpers for checks (`dataset.core.validator_helpers`) and those decorators of `validators` that programs put on datasets
and transforms of their own.
"""

import functools
import inspect
from collections.abc import Sequence
from typing import Any

from .check import check, check_columns, check_integer, check_interval, check_type, check_workers
from .rules import INT32_MAX, INT64_MAX

__all__ = [
    "INT32_MAX", "INT64_MAX", "check_2tuple", "check_batch", "check_columns", "check_float32", "check_int32",
    "check_non_negative_float32", "check_non_negative_int32", "check_num_parallel_workers", "check_odd", "check_pos_float32",
    "check_pos_int32", "check_pos_int64", "check_positive", "check_random_transform_ops", "check_tensor_op", "check_uint32",
    "check_uint8", "check_valid_str", "check_value", "is_iterable", "pad_arg_name", "parse_user_args", "replace_none", "type_check",
    "type_check_list",
]  # fmt: skip

POS_INT_MIN, UINT8_MIN, UINT32_MIN, UINT64_MIN = 1, 0, 0, 0
UINT8_MAX, UINT32_MAX, UINT64_MAX = 2**8 - 1, 2**32 - 1, 2**64 - 1
INT32_MIN, INT64_MIN = -(2**31), -(2**63)
FLOAT_MAX_INTEGER, DOUBLE_MAX_INTEGER = 2**24, 2**53  # up to here every integer is a float
FLOAT_MIN_INTEGER, DOUBLE_MIN_INTEGER = -FLOAT_MAX_INTEGER, -DOUBLE_MAX_INTEGER
check_num_parallel_workers = check_workers


def is_iterable(obj: Any):
    """Whether a `for` runs over it."""
    return hasattr(type(obj), "__iter__") or hasattr(type(obj), "__getitem__")


def pad_arg_name(arg_name: str):
    """The name followed by a space; "" without a name."""
    return f"{arg_name} " if arg_name else ""


def type_check(arg: Any, types: type | tuple[type, ...], arg_name: str):
    """TypeError unless `arg` is of one of `types`; a bool does not pass for an int."""
    check_type(arg, tuple(types), arg_name)


def type_check_list(args: Sequence, types: type | tuple[type, ...], arg_names: Sequence[str]):
    """The same for each of several values; `arg_names` may be one name for all."""
    for i, arg in enumerate(args):
        type_check(arg, types, f"{arg_names}[{i}]" if isinstance(arg_names, str) else arg_names[i])


def check_value(
    value: Any,
    valid_range: Any,
    arg_name: str = "",
    left_open_interval: bool = False,
    right_open_interval: bool = False,
):
    """ValueError unless `value` lies in (low, high)."""
    check_interval(value, *valid_range, arg_name, left_open=left_open_interval, right_open=right_open_interval)


def _bounded(name, types, low, high, left_open=False):
    def checked(value, arg_name=""):
        if types == (int,):
            check_integer(value, arg_name, low, high)
        else:
            check_interval(value, low, high, arg_name, left_open=left_open)

    checked.__name__ = checked.__qualname__ = name
    checked.__doc__ = f"Raises unless the value lies in {'(' if left_open else '['}{low}, {high}]."
    return checked


check_int32 = _bounded("check_int32", (int,), INT32_MIN, INT32_MAX)
check_uint8 = _bounded("check_uint8", (int,), UINT8_MIN, UINT8_MAX)
check_uint32 = _bounded("check_uint32", (int,), UINT32_MIN, UINT32_MAX)
check_pos_int32 = _bounded("check_pos_int32", (int,), POS_INT_MIN, INT32_MAX)
check_pos_int64 = _bounded("check_pos_int64", (int,), POS_INT_MIN, INT64_MAX)
check_non_negative_int32 = _bounded("check_non_negative_int32", (int,), 0, INT32_MAX)
check_float32 = _bounded("check_float32", (float,), FLOAT_MIN_INTEGER, FLOAT_MAX_INTEGER)
check_pos_float32 = _bounded("check_pos_float32", (float,), 0, FLOAT_MAX_INTEGER, left_open=True)
check_non_negative_float32 = _bounded("check_non_negative_float32", (float,), 0, FLOAT_MAX_INTEGER)


def check_positive(value: Any, arg_name: str = ""):
    """ValueError unless it is above 0."""
    check(value > 0, f"Input {pad_arg_name(arg_name)}must be greater than 0.")


def check_odd(value: Any, arg_name: str = ""):
    """ValueError unless it is odd."""
    check(value % 2 == 1, f"Input {pad_arg_name(arg_name)}is not an odd value.")


def check_2tuple(value: Any, arg_name: str = ""):
    """ValueError unless it is a tuple of two."""
    check(isinstance(value, tuple) and len(value) == 2, f"Value {pad_arg_name(arg_name)}needs to be a 2-tuple.")


def check_valid_str(value: Any, valid_strings: Sequence[str], arg_name: str = ""):
    """Raises unless it is one of the strings."""
    type_check(value, (str,), arg_name)
    check(value in valid_strings, f"Input {pad_arg_name(arg_name)}is not within the valid set of {valid_strings}.")


def check_tensor_op(param: Any, param_name: str):
    """TypeError unless it is a transform: something that can be called."""
    message = f"{param_name} is neither a transforms op (TensorOperation) nor a callable pyfunc."
    check(callable(param) or hasattr(param, "parse"), message, TypeError)


def replace_none(value: Any, default: Any):
    """The value, or the default in the place of None."""
    return default if value is None else value


def parse_user_args(method: Any, *args, **kwargs):
    """(values of all parameters but self, {parameter: value}) of a call."""
    parameters = inspect.signature(method).parameters
    own = next(iter(parameters), None) in ("self", "cls")
    bound = inspect.signature(method).bind(*((method,) if own else ()), *args, **kwargs)
    bound.apply_defaults()
    return [bound.arguments.get(name) for name in list(parameters)[own:]], bound.arguments


def check_batch(method: Any):
    """Decorator that checks the arguments of a `batch(self, batch_size, drop_remainder=False,
    num_parallel_workers=None, **kwargs)`.
    """

    @functools.wraps(method)
    def new_method(self, *args, **kwargs):
        (batch_size, drop_remainder, num_parallel_workers, *_), _ = parse_user_args(method, *args, **kwargs)
        check(isinstance(batch_size, int) or callable(batch_size), "batch_size should either be an int or a callable.", TypeError)  # fmt: skip
        if not callable(batch_size) and batch_size != -1:
            check_pos_int32(int(batch_size), "batch_size")
        if num_parallel_workers is not None:
            check_num_parallel_workers(num_parallel_workers)
        type_check(drop_remainder, (bool,), "drop_remainder")
        return method(self, *args, **kwargs)

    return new_method


def check_random_transform_ops(method: Any):
    """Decorator of `__init__(self, transforms[, prob])`: a list of transforms that is not empty, and a probability."""

    @functools.wraps(method)
    def new_method(self, *args, **kwargs):
        values, _ = parse_user_args(method, *args, **kwargs)
        type_check(values[0], (list,), "transforms list")
        check(values[0], "transforms list can not be empty.")
        for i, transform in enumerate(values[0]):
            check_tensor_op(transform, f"transforms[{i}]")
            check(
                not isinstance(transform, type),
                f"op_list[{i}] should be a dataset processing operation instance, but got: {transform}. "
                "It may be missing parentheses for instantiation.",
            )
        if len(values) == 2:
            type_check(values[1], (float, int), "prob")
            check_value(values[1], (0, 1), "prob")
        return method(self, *args, **kwargs)

    return new_method

"""Checks of the arguments that several image operations share."""

import numbers
from collections.abc import Sequence
from typing import Any

from ..check import INT32_MAX, check, check_integer, check_interval, check_list_of, check_type
from .modes import Border, Inter

FLOAT_MAX = 16777216  # the largest float32 up to which every integer is exact; MindSpore's bound of float arguments
NUMBER = (int, float)


def check_number(value: Any, name: str, low: float = -FLOAT_MAX, high: float = FLOAT_MAX, **ends):
    """Raise unless `value` is an int or float between `low` and `high`."""
    check_type(value, NUMBER, name)
    check_interval(value, low, high, name, **ends)


def check_positive(value: Any, name: str):
    """Raise ValueError unless `value` is greater than 0."""
    check(value > 0, f"Input {name} must be greater than 0.")


def check_probability(value: Any, name: str = "prob"):
    """Raise unless `value` is a number between 0 and 1."""
    check_number(value, name, 0.0, 1.0)


def check_flag(value: Any, name: str):
    """Raise TypeError unless `value` is a bool."""
    check_type(value, bool, name)


def check_size(size: int | Sequence[int], name: str = "size"):
    """Raise unless `size` is a positive int or a (height, width) pair of them."""
    pair = isinstance(size, (list, tuple)) and len(size) == 2
    check(
        pair or isinstance(size, int) and not isinstance(size, bool),
        "Size should be a single integer or a list/tuple (h, w) of length 2.",
        TypeError,
    )
    for i, value in enumerate(size if pair else ()):
        check_integer(value, f"{name} at dim {i}", 1)
    if not pair:
        check_interval(size, 1, FLOAT_MAX, name)


def check_crop_size(size: int | Sequence[int]):
    """Raise unless `size` is a positive int or a (height, width) pair of them."""
    check_type(size, (int, list, tuple), "size")
    check_size(size)


def check_interpolation(value: Any, name: str = "interpolation"):
    """Raise TypeError unless `value` is an `Inter`."""
    check_type(value, Inter, name)


def check_border(value: Any):
    """Raise TypeError unless `value` is a `Border`."""
    check_type(value, Border, "padding_mode")


def check_fill(value: Any):
    """Raise unless `value` is a byte or a tuple of three bytes."""
    if isinstance(value, tuple) and len(value) == 3:
        for i, channel in enumerate(value):
            check_integer(channel, f"fill_value[{i}]", 0, 255)
    else:
        check(isinstance(value, int), "fill_value should be a single integer or a 3-tuple.", TypeError)
        check_integer(value, "fill_value", 0, 255)


def check_padding(padding: int | Sequence[int]):
    """Raise unless `padding` is an int, a (left/right, top/bottom) pair or (left, top, right, bottom)."""
    check_type(padding, (tuple, list, numbers.Number), "padding")
    if isinstance(padding, numbers.Number):
        check_integer(padding, "padding", 0)
        return
    check(len(padding) in (2, 4), "The size of the padding list or tuple should be 2 or 4.")
    for i, value in enumerate(padding):
        check_integer(value, f"padding[{i}]", 0)


def check_ordered(values: Any, name: str, low: float = 0, high: float = FLOAT_MAX):
    """Raise ValueError unless `values` is (min, max) within the bounds."""
    check(values[0] <= values[1], f"{name} should be in (min,max) format. Got (max,min).")
    check(
        low <= values[0] and values[1] <= high, f"Input {name} is not within the required interval of [{low}, {high}]."
    )


def check_scale_ratio(scale: float | Sequence[float], ratio: Any, max_attempts: int):
    """Raise unless the ranges of area and aspect ratio and the number of attempts of a random crop make sense."""
    if scale is not None:
        check_type(scale, (tuple, list), "scale")
        check(len(scale) == 2, "scale should be a list/tuple of length 2.", TypeError)
        check_list_of(scale, NUMBER, "scale")
        check_ordered(scale, "scale")
        check_positive(scale[1], "scale[1]")
    if ratio is not None:
        check_type(ratio, (tuple, list), "ratio")
        check(len(ratio) == 2, "ratio should be a list/tuple of length 2.", TypeError)
        for i, value in enumerate(ratio):
            check_number(value, f"ratio[{i}]", 0, left_open=True)
        check_ordered(ratio, "ratio")
    if max_attempts is not None:
        check_integer(max_attempts, "max_attempts", 1)


def check_degrees(degrees: float | Sequence[float]):
    """Raise unless `degrees` is a number that is not negative or a (min, max) pair."""
    check_type(degrees, (int, float, list, tuple), "degrees")
    if isinstance(degrees, NUMBER):
        check_number(degrees, "degrees", 0)
        return
    check(len(degrees) == 2, "If degrees is a sequence, the length must be 2.", TypeError)
    for value in degrees:
        check_number(value, "degrees")
    check(degrees[0] <= degrees[1], "degrees should be in (min,max) format. Got (max,min).")


def check_factor_range(degrees: float | Sequence[float]):
    """Raise unless `degrees` is a (min, max) pair of enhancement factors."""
    if degrees is None:
        return
    check(isinstance(degrees, (list, tuple)), "degrees must be either a tuple or a list.", TypeError)
    check_list_of(degrees, NUMBER, "degrees")
    check(len(degrees) == 2, "degrees must be a sequence with length 2.")
    for value in degrees:
        check_interval(value, 0, FLOAT_MAX, "degrees")
    check(degrees[0] <= degrees[1], "degrees should be in (min,max) format. Got (max,min).")


def check_center(center: Any):
    """Raise unless `center` is None or an (x, y) tuple."""
    if center is None:
        return
    check(isinstance(center, tuple) and len(center) == 2, "Value center needs to be a 2-tuple.")
    for value in center:
        check_number(value, "center", -(2**31), INT32_MAX)


def check_mean_std(mean: Sequence[float], std: Sequence[float]):
    """Raise unless `mean` and `std` list as many numbers between 0 and 255, no `std` being 0."""
    check_type(mean, (list, tuple), "mean")
    check_type(std, (list, tuple), "std")
    check(len(mean) == len(std), "Length of mean and std must be equal.")
    for i, value in enumerate(mean):
        check_number(value, f"mean[{i}]", 0, 255)
    for i, value in enumerate(std):
        check_number(value, f"std[{i}]", 0, 255, left_open=True)


def check_cutoff(cutoff: Any, ignore: Any):
    """Raise unless the arguments of an automatic contrast make sense."""
    check_number(cutoff, "cutoff", 0, 50, right_open=True)
    if ignore is None:
        return
    check_type(ignore, (list, tuple, int), "ignore")
    for value in ignore if isinstance(ignore, (list, tuple)) else (ignore,):
        check_integer(value, "ignore", 0, 255)

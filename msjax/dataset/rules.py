"""Rules for constructor arguments: each is a function `rule(value, name)` that raises where the value is wrong.

`keep` applies a table of them to the arguments of a constructor and stores the arguments as attributes, so that an
operation says in one line what each of its arguments may be.
"""

from collections.abc import Callable
from typing import Any

from ..core.constructor import given
from .check import INT32_MAX, check, check_interval, check_list_of, check_type

FLOAT32_EXACT = 2**24  # MindSpore keeps float arguments within the integers that a float32 holds exactly
UINT32_MAX = 2**32 - 1


def keep(operation: Any, values: dict | None = None, /, **rules):
    """Checks and stores the arguments of a constructor.

    Args:
        operation: the object whose attributes are set.
        values (dict, optional): the arguments; None: as they were given (the constructor has `with_arguments`).
        rules: argument name to rule.
    """
    values = given(operation) if values is None else values
    for name, rule in rules.items():
        rule(values[name], name)
        setattr(operation, name, values[name])


def kind(*types):
    """Rule: the value is of one of `types`; a bool does not pass for an int."""
    return lambda value, name: check_type(value, types, name)


def within(low: float, high: float, types: type | tuple[type, ...] = (float, int), left_open: bool = False):
    """Rule: a number between `low` and `high`, ends included but for an open left one."""

    def rule(value, name):
        check_type(value, types, name)
        check_interval(value, low, high, name, left_open=left_open)

    return rule


def integer(low: float, high: float = INT32_MAX):
    """Rule: an int between `low` and `high`, ends included."""
    return within(low, high, (int,))


def optional(rule: Callable):
    """Rule: None, or a value that `rule` accepts."""
    return lambda value, name: None if value is None else rule(value, name)


def one_of(*choices):
    """Rule: an int, one of `choices`."""

    def rule(value, name):
        check_type(value, int, name)
        check(value in choices, f"Argument {name} should be one of {list(choices)}, but got {value}.")

    return rule


def nonzero(low: float, high: float, types: type | tuple[type, ...]):
    """Rule: a number between `low` and `high`, ends included, except 0."""

    def rule(value, name):
        check_type(value, types, name)
        check(
            value != 0 and low <= value <= high,
            f"Input {name} is not within the required interval of [{low}, 0) and (0, {high}].",
        )

    return rule


def numbers(value: Any, name: str):
    """Rule: a list or tuple of numbers."""
    check_list_of(value, (float, int), name)
    for i, item in enumerate(value):
        real(item, f"{name}[{i}]")


boolean = kind(bool)
string = kind(str)
positive_int = integer(1)
natural = integer(0)
int32 = integer(-INT32_MAX - 1)
uint32 = integer(0, UINT32_MAX)
nonzero_int32 = nonzero(-INT32_MAX - 1, INT32_MAX, (int,))
nonzero_real = nonzero(-FLOAT32_EXACT, FLOAT32_EXACT, (float, int))
real = within(-FLOAT32_EXACT, FLOAT32_EXACT)
positive = within(0, FLOAT32_EXACT, left_open=True)
non_negative = within(0, FLOAT32_EXACT)

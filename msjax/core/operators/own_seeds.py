"""Seeds that are given to a Primitive: two Primitives with equal seeds draw the same numbers, each from the beginning, as in MindSpore."""

import itertools
import weakref
from typing import Any

import numpy as np

__all__ = ["OwnSeed", "made_own"]

_numbers = itertools.count(1)
# Those whose streams are forgotten with their Primitives: each has `forget(number)`.
keepers = weakref.WeakSet()


class OwnSeed(int):
    """A seed of one Primitive. number: which one; the streams of random numbers are told apart by it."""

    number = 0


def made_own(primitive: Any, names: tuple):
    """Make the seeds of a Primitive its own; `names`: its attributes that are seeds."""
    for name in names:
        value = getattr(primitive, name)
        if isinstance(value, np.integer) and name.startswith("seed"):  # Dropout's Seed0 may be one
            raise TypeError(
                f"For '{type(primitive).__name__}', the '{name}' must be int, but got {type(value).__name__}."
            )
    given = {name: value for name in names if type(value := getattr(primitive, name)) is int and value}
    if not given:
        return
    number = next(_numbers)
    for name, value in given.items():
        own = OwnSeed(value)
        own.number = number
        setattr(primitive, name, own)
    weakref.finalize(primitive, _forget, number).atexit = False


def _forget(number):
    for keeper in keepers:
        keeper.forget(number)

"""What the values of weights say of pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .entries import Entry
from .names import split


def have_equal_values(candidates: Sequence[Sequence[str]], source: Mapping[str, Entry]) -> bool:
    """Whether all candidates have the same values, as the names under which a file holds one tied weight."""
    first, *others = candidates
    return bool(others) and len(others) < 6 and all(
        len(names) == len(first)
        and all(source[a].shape == source[b].shape and np.array_equal(source[a].read(), source[b].read()) for a, b in zip(first, names))
        for names in others
    )  # fmt: skip


def check_variances(found: Mapping[str, str], source: Mapping[str, Entry]) -> None:
    """Raise ValueError for pairs that values disprove: a running variance is never negative.

    found: {name of a Parameter: name in the file}.
    """
    for target, name in found.items():
        if split(target)[1] in ("moving_variance", "running_var"):
            values = source[name].read()
            if values.size and not values.min() >= 0:
                raise ValueError(
                    f"'{name}' cannot be '{target}': a variance is not negative, but its least value is {values.min():.4g}."
                )

"""Annotations of parameters: `kinds` for operators, `rules` for the values of other parameters, `checking` compares arguments with them.

The names of `kinds` are here, too. They mean arrays, so JAX is imported with the first of them: datasets, whose processes do without JAX, use
the rules alone.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .kinds import *  # noqa: F403


def __getattr__(name: str):
    return getattr(importlib.import_module(".kinds", __name__), name)

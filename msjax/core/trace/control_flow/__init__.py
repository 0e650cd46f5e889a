"""Python control flow on traced Tensors: rewrite the function, stage conditions that are traced, explain why a
statement cannot be staged.
"""

from collections.abc import Callable
from typing import Any

from . import runtime
from .calls import callee
from .conversion import convert, convertible, resolve
from .errors import NEEDS_STAGING, UnsetVariable, Unstageable, as_unstageable, user_location
from .graph_errors import in_graph_words
from .staging import stage_if, truth_of

__all__ = [
    "NEEDS_STAGING",
    "Unstageable",
    "UnsetVariable",
    "as_unstageable",
    "cond",
    "convert",
    "convertible",
    "in_graph_words",
    "resolve",
    "runtime",
    "user_location",
]


def cond(condition: Any, then: Callable, orelse: Callable | None = None, both: bool = False):
    """`then()` or `orelse()`: by Python for a concrete condition, as one `lax.cond` for a traced one.

    The two are functions without arguments; Parameters that they write, and variables of the enclosing function that
    they set, come out. With `both`, which is for what no gradient passes, an accelerator may compute both sides and select. Raises
    Unstageable where their values cannot be joined.
    """
    orelse = orelse or _nothing
    truth = truth_of(condition)
    if truth is None:
        return stage_if(condition, callee(then), callee(orelse), both)
    return then() if truth else orelse()


def _nothing():
    """The branch that is not there."""

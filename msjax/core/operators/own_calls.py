"""Classes of Tensors that take the calls of operators they are given to: DTensor tells of each result how it lies on its devices.

Such a class has a function `take(record, args)`, which usually calls `plainly(record, args)` and looks at what comes out.
"""

from collections.abc import Sequence
from typing import Any

from ..settings.execution_state import here, within

KINDS = {}  # class of Tensors -> its `take`; empty in most programs, so that nothing is looked for


def taker(value: Any):
    """The `take` of the first Tensor that has one, also inside lists, tuples and dicts; None if no Tensor has one."""
    if here().plainly:
        return None
    return _find(value)


def _find(value):
    for kind, take in KINDS.items():
        if isinstance(value, kind):
            return take
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for one in inside:
        found = _find(one)
        if found is not None:
            return found
    return None


def plainly(record: Any, args: Sequence):
    """The call as of ordinary Tensors."""
    with within(plainly=True):
        return record(*args)

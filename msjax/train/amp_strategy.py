"""The strategies behind mixed precision as MindSpore's inner code names them: a level, a dtype, and two lists of operators.

`push_amp_strategy` puts one in force, `pop_amp_strategy` takes it away, `AmpDecorator` does both around a block; a Cell whose
`amp_strategy` is set always runs with it.
"""

import contextlib
import enum
import functools
import types
from typing import TYPE_CHECKING, Any

from ..core.operators.casts import casting
from ..core.settings.execution_state import change, here
from ..core.values import dtype as mstype
from ..nn.cell.cell import Cell
from . import amp_lists

if TYPE_CHECKING:
    from ..core.values.dtype import Type

__all__ = [
    "AmpDecorator",
    "AmpLevel",
    "AmpStrategy",
    "create_amp_strategy",
    "get_curr_amp_strategy",
    "operator_policy",
    "pop_amp_strategy",
    "push_amp_strategy",
    "with_operators",
]


class AmpLevel(enum.IntEnum):
    """How much is computed in lower precision."""

    AmpO0, AmpO1, AmpO2, AmpO3, AmpAuto = range(5)


def operator_policy(low: Any, high: Any, dtype: "Type", result: Any = None):
    """Function from an operator's record to (dtype to compute in, dtype of the result or None), or to None: no cast.

    low: names of operators that compute in `dtype`, None for all others. high: names of those that compute in float32.
    """
    return _policy(
        None if low is None else frozenset(map(amp_lists.canonical, low)),
        frozenset(map(amp_lists.canonical, high)),
        dtype,
        result,
    )


@functools.lru_cache
def _policy(low, high, dtype, result):
    """One function for equal arguments: compiled programs are kept by the policy that they were made under."""

    def policy(record):
        name = amp_lists.canonical(record.title)
        if low is not None and name in low:
            return dtype, result
        if name in high:
            return mstype.float32, None
        return (dtype, result) if low is None else None

    return policy


def with_operators(target: Any, policy: Any):
    """Run a function or a Cell's construct with operators cast by a policy."""
    if isinstance(target, Cell):
        target.__dict__["construct"] = with_operators(target.construct, policy)
        target._note_change()
        return target

    @functools.wraps(target)
    def run(*args, **kwargs):
        with casting(policy):
            return target(*args, **kwargs)

    return run


class AmpStrategy(types.SimpleNamespace):
    """level: AmpLevel. dtype: float16 or bfloat16. white, black: lists of operator names, or of (name, positions of its arguments)."""

    def get_amp_level(self):
        """The AmpLevel."""
        return self.level

    def get_amp_dtype(self):
        """The dtype of operators in lower precision."""
        return self.dtype

    def get_white_list(self):
        """The operators in lower precision."""
        return self.white

    def get_black_list(self):
        """The operators in float32."""
        return self.black

    def apply_to(self, target: Any):
        """Have a function or a Cell run with this strategy; returns it."""
        return with_operators(target, self.policy())

    def policy(self):
        """As `casting` takes it."""
        names = [
            [entry if isinstance(entry, str) else entry[0] for entry in entries] for entries in (self.white, self.black)
        ]
        if self.level == AmpLevel.AmpO0:
            return operator_policy((), (), self.dtype)
        if self.level in (AmpLevel.AmpO2, AmpLevel.AmpO3):
            return operator_policy(None, names[1], self.dtype)
        return operator_policy(*names, self.dtype)


def create_amp_strategy(level: str, dtype: "Type", white_list: Any, black_list: Any):
    """Create an AmpStrategy; O0 casts nothing, O1 and auto cast by the lists, O2 and O3 cast all but the black list."""
    return AmpStrategy(level=AmpLevel(level), dtype=dtype, white=list(white_list), black=list(black_list))


def push_amp_strategy(level: str, dtype: "Type", white_list: Any, black_list: Any):
    """Put a strategy in force, until `pop_amp_strategy`."""
    strategy = create_amp_strategy(level, dtype, white_list, black_list)
    context = casting(strategy.policy())
    context.__enter__()
    change(strategies=(*here().strategies, (strategy, context)))


def pop_amp_strategy():
    """End the strategy that was pushed last."""
    *outside, (_, context) = here().strategies
    change(strategies=tuple(outside))
    context.__exit__(None, None, None)


def get_curr_amp_strategy():
    """The strategy that was pushed last, or None."""
    strategies = here().strategies
    return strategies[-1][0] if strategies else None


@contextlib.contextmanager
def AmpDecorator(amp_level: str, amp_dtype: Any, white_list: Any, black_list: Any):
    """Within this context the strategy is in force."""
    push_amp_strategy(amp_level, amp_dtype, white_list, black_list)
    try:
        yield
    finally:
        pop_amp_strategy()

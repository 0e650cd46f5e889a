"""Functions and Cells whose Tensors are split over the devices: `mindspore.shard`."""

from collections.abc import Callable
from typing import Any

from ..core.keywords import Only, old_keywords
from ..core.settings.context import get_auto_parallel_context
from ..core.spec.checking import checked
from ..core.trace.frame import current
from .layout import Layout
from .shardings import call_laid, constrain_out, is_strategy, lay_by_plan, of_inputs, view

__all__ = ["shard"]


@old_keywords(device=Only("Ascend", "GPU", "CPU"), level=Only(0))
@checked
def shard(fn: Callable, in_strategy: Any, out_strategy: Any = None, parameter_plan: Any = None):
    """The function or Cell with its Tensors split over the devices: a strategy changes where they are, not the result.

    Args:
        fn: function or Cell.
        in_strategy, out_strategy: tuple of tuples of ints or of Layouts, for each Tensor.
        parameter_plan: dict from Parameter name to strategy.

    Raises:
        TypeError: arguments of the wrong kind.
    """
    _check_strategies(in_strategy, out_strategy)
    _check_plan(fn, parameter_plan)
    if parameter_plan:
        lay_by_plan(fn, parameter_plan)

    def call(*args, **kwargs):
        return call_placed(fn, in_strategy, out_strategy, args, kwargs)

    call.__name__, call.__doc__ = getattr(fn, "__name__", type(fn).__name__), fn.__doc__
    return call


def _check_strategies(in_strategy, out_strategy):
    for name, strategy in (("in_strategy", in_strategy), ("out_strategy", out_strategy)):
        if name == "out_strategy" and strategy is None:
            continue
        if not isinstance(strategy, tuple):
            words = "a tuple" if name == "in_strategy" else "None or tuple"
            raise TypeError(f"For 'Shard', the '{name}' should be {words}, but got {type(strategy).__name__}.")
        told = [one for one in strategy if one is not None]  # 2.3: None leaves it to the compiler
        for one in told:
            if not isinstance(one, (tuple, Layout)):
                raise TypeError(
                    f"The '{name}' should be a tuple(tuple(int)) or tuple(mindspore.parallel.Layout), "
                    f"but got {type(one).__name__}"
                )
            for parts in one if isinstance(one, tuple) else ():
                if not isinstance(parts, int):
                    raise TypeError(
                        f"The tuple strategy for each dimension should be tuple(int), but got {type(parts).__name__}."
                    )
        if len({isinstance(one, Layout) for one in told}) > 1:
            raise TypeError("For 'Shard', the strategy can only pass in consistent type for all dimensions.")


def _check_plan(fn, plan):
    if plan is None:
        return
    if not isinstance(plan, dict):
        raise TypeError(f"For 'Shard', the 'parameter_plan' should be a dict or None, but got {type(plan).__name__}")
    if not hasattr(fn, "parameters_and_names"):
        raise TypeError(f"If parameter_plan is set, type of fn must be mindspore.nn.Cell, but got {type(fn)}")
    for name, where in plan.items():
        if not isinstance(name, str) or not isinstance(where, (tuple, Layout)):
            raise TypeError(
                "For 'Shard', the type of each key and value in 'parameter_plan' must be str and tuple/Layout, "
                f"but got {type(name).__name__} and {type(where).__name__}"
            )


def call_placed(fn: Callable, in_strategy: Any, out_strategy: Any, args: Any, kwargs: Any):
    """A call with the Tensors among arguments and results laid out by strategies."""
    if current() is None:
        return fn(*args, **kwargs)
    if get_auto_parallel_context("parallel_mode") == "auto_parallel" and get_auto_parallel_context(
        "search_mode"
    ) not in ("sharding_propagation", ""):
        raise RuntimeError(
            "'search_mode' must be 'sharding_propagation' for 'Shard' when the 'parallel_mode' is 'auto_parallel.'"
        )
    if view() is None:
        return fn(*args, **kwargs)
    given = (in_strategy,) if is_strategy(in_strategy) else in_strategy
    shardings = [None if s is None else of_inputs("", (s,))[0] for s in given or ()]
    return constrain_out(call_laid(lambda *args: fn(*args, **kwargs), args, shardings), out_strategy)

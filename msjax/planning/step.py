"""`msjax.plan`: the plan of one call of a Cell or a function."""

from collections.abc import Callable

from .measure import measure, planning
from .report import plan_of
from .topology import Topology

__all__ = ["plan", "planned"]


def planned(topology: str = "v5e", devices: int | None = None):
    """A `with` block in which networks and optimizers are built of shapes, for a topology: 70 G weights need no memory.

    Example:
        >>> with msjax.planned("v5p:4x4x4"):  # doctest: +SKIP
        ...     step = build()
    """
    return planning(Topology(topology, devices))


def plan(step: Callable, *inputs, topology: str = "v5e", devices: int | None = None, **kwargs):
    """Memory, operations and time of a step on chips that need not be there, by their own compiler; nothing runs.

    The step is laid out over the chips by its own strategies. Build large networks within `with msjax.planned(topology):`, so that their
    Parameters stay shapes; those that exist are never read.

    Args:
        step: Cell, function, or function made by `ms.jit`.
        inputs, kwargs: what it would be called with.
        topology: "v5e:4x4", "v5p:2x2x1", "v6e:2x2", "h100:8", or a name alone for one chip.
        devices: so many chips in the nearest shape.

    Returns:
        Plan: printed as a table; `as_dict()`, `fits`, `memory`, `findings`.

    Raises:
        ValueError: an unknown topology. NoCompiler: the compiler is not installed, or locked. RuntimeError: the step is no one program.

    Example:
        >>> print(msjax.plan(step, x, y, topology="v5e"))  # doctest: +SKIP
    """
    return plan_of(measure(step, inputs, Topology(topology, devices), kwargs))

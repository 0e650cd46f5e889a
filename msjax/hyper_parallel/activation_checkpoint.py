"""Activations that are computed again in the backward: `checkpoint`, `checkpoint_wrapper`."""

import enum
from collections.abc import Callable

from ..nn.cell.cell import Cell
from ..nn.cell.recompute import recompute

__all__ = [
    "CheckpointPolicy",
    "SwapManager",
    "checkpoint",
    "checkpoint_exclude_wrapper",
    "checkpoint_wrapper",
    "swap_wrapper",
]


class CheckpointPolicy(enum.Enum):
    """The treatment of an operator's output: keep it, compute it again, or send it to the host."""

    MUST_SAVE = 0
    PREFER_SAVE = 1
    MUST_RECOMPUTE = 2
    PREFER_RECOMPUTE = 3
    MUST_SWAP = 4


def _refuse(name):
    raise RuntimeError(
        f"'{name}' moves activations between a device and the host by hand; XLA plans memory here. Leave it out, or recompute: "
        "checkpoint_wrapper(cell)."
    )


def checkpoint(function: Callable, *args, swap_inputs: bool = False, policy_fn: Callable | None = None, **kwargs):
    """`function(*args, **kwargs)`, whose intermediate values are computed again in the backward.

    Args:
        function: Cell, or function that calls Cells.
        swap_inputs: False.
        policy_fn: None: the operators inside are all computed again.

    Raises:
        RuntimeError: inputs are to be swapped, or a policy is given for each operator.

    Example:
        >>> from msjax.hyper_parallel.activation_checkpoint import checkpoint
        >>> y = checkpoint(net, x)
        >>> y.shape
        (2, 2)
    """
    if swap_inputs:
        _refuse("swap_inputs")
    if policy_fn is not None:
        raise RuntimeError(
            "A 'policy_fn' for each operator is not applied: a Cell is computed again as a whole, or not at all."
        )
    return recompute(function, *args, **kwargs)


def checkpoint_wrapper(module: Cell, checkpoint_fn: Callable | None = None, **options):
    """The Cell, set to be computed again in the backward. RuntimeError: options as of `checkpoint` that are not applied."""
    if options.get("swap_inputs"):
        _refuse("swap_inputs")
    if options.get("policy_fn") is not None:
        raise RuntimeError(
            "A 'policy_fn' for each operator is not applied: a Cell is computed again as a whole, or not at all."
        )
    if not isinstance(module, Cell):
        raise TypeError(f"For 'checkpoint_wrapper', the 'module' must be a Cell, but got {type(module).__name__}.")
    module.recompute()
    return module


def checkpoint_exclude_wrapper(module: Cell, *args, **options):
    """The Cell itself: inside of one that is computed again it is, too, which costs time and gives the same values."""
    return module


def swap_wrapper(module: Cell, *args, **options):
    """Refused: activations cannot be sent to the host by hand."""
    _refuse("swap_wrapper")


class SwapManager:
    """Refused when it is made: activations cannot be sent to the host by hand."""

    def __init__(self):
        _refuse("SwapManager")

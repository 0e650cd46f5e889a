"""`mindspore.recompute`: compute a block again in the backward instead of keeping its intermediate values."""

from collections.abc import Callable

from ...core.grad.recompute import recomputing
from ...core.spec.checking import checked
from ...core.spec.rules import Like
from ...core.trace.frame import current

__all__ = ["recompute"]


@checked
def recompute(
    block: Callable,
    *args,
    use_reentrant: Like[bool] = True,
    output_recompute: Like[bool] = False,
    early_stop: Like[bool] = True,
    context_fn: Like[Callable | None] = None,
    **kwargs,
):
    """Call a Cell or function without keeping its intermediate values for the gradient.

    Args:
        block: Cell or function.
        args, kwargs: its arguments.
        use_reentrant, output_recompute, early_stop: accepted.
        context_fn: function that gives two context managers, for the forward and the backward; the first is used.

    Raises:
        TypeError: `block` cannot be called.

    Example:
        >>> mindspore.recompute(nn.Dense(3, 4), x).shape
        (2, 4)
    """
    run = recomputing(block) if current() is not None else block
    if context_fn is None:
        return run(*args, **kwargs)
    with context_fn()[0]:
        return run(*args, **kwargs)

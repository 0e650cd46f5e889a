"""Helpers around networks."""

import contextlib

from ..core.settings.execution_state import here, within
from ..core.values.deferred import DEFERRED


@contextlib.contextmanager
def no_init_parameters():
    """Parameters made inside get no content before it is asked for, so that none is made where a checkpoint gives it.

    What is computed is the same: the content that a Parameter gets at last is that which it would have had.

    Example:
        >>> with nn.no_init_parameters():
        ...     net = nn.Dense(1000, 1000)
    """
    with within(contents=here().contents or DEFERRED):
        yield


__all__ = ["no_init_parameters"]

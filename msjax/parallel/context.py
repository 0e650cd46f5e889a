"""How many processes and devices take part, as far as training cells ask. See `communication.py` for the groups."""

import jax

from ..core.settings.context import ParallelMode, get_auto_parallel_context
from . import communication


def parallel_mode():
    """The parallel mode that the script set."""
    return get_auto_parallel_context("parallel_mode")


def data_parallel():
    """Whether gradients are to be averaged over processes."""
    return parallel_mode() in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL)


def gradients_mean():
    """Whether gradients are averaged (True) or summed."""
    return get_auto_parallel_context("gradients_mean")


def group_size():
    """Number of processes: the one set in the context, or the real one."""
    return (
        get_auto_parallel_context("device_num")
        if not communication.is_initialized()
        else communication.get_group_size()
    )


def is_distributed():
    """Whether there is more than one process."""
    return communication.is_initialized() and jax.process_count() > 1

"""Devices and groups of them: `init_process_group`, `split_group`, …

Ranks are devices: one process computes for all of them, and is rank 0.
"""

from collections.abc import Sequence
from typing import Any

import jax

from ..parallel import communication
from ..parallel.processes import world

__all__ = ["destroy_process_group", "get_backend", "get_process_group_ranks", "init_process_group", "split_group"]

EXISTING_COMM_GROUPS = {}  # name -> ranks, of groups of devices


def get_rank():
    """Number of this process among all; 0 where one process has all devices."""
    return world().rank


def get_world_size():
    """Number of devices: those of this process, or of all processes."""
    return len(jax.devices())


def init_process_group(
    backend: str | None = None,
    *,
    init_method: Any = None,
    timeout: Any = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    pg_options: Any = None,
    device_id: Any = None,
):
    """Join the communication, if this process has not yet; the launcher sets the number of processes, so the other arguments are ignored."""
    if not communication.is_initialized():
        communication.init(backend)


def destroy_process_group(group: Any = None):
    """Forget a group, or all of them."""
    if group is None:
        EXISTING_COMM_GROUPS.clear()
        communication.release()
    elif EXISTING_COMM_GROUPS.pop(group, None) is None:
        communication.destroy_group(group)


def get_process_group_ranks(group: Any = None):
    """The ranks of a group, in order; of all devices without one.

    Example:
        >>> from msjax.hyper_parallel import get_process_group_ranks
        >>> get_process_group_ranks()[0]
        0
    """
    if group in EXISTING_COMM_GROUPS:
        return list(EXISTING_COMM_GROUPS[group])
    if group is None or group.endswith("world_group"):
        return list(range(get_world_size()))
    return list(communication.get_process_group_ranks(group))


def get_backend(group: Any = None):
    """Name of the library that communicates."""
    return communication.GlobalComm.BACKEND


def split_group(
    parent_pg: Any = None,
    split_ranks: Sequence[Sequence[int]] | None = None,
    timeout: Any = None,
    pg_options: Any = None,
    group_desc: str | None = None,
):
    """Name of the group of `split_ranks` (a list of lists of ranks) that holds this process; None if none does.

    Raises:
        ValueError: there are no lists, or a rank is in two of them.
    """
    if not split_ranks:
        raise ValueError("split_ranks cannot be None or empty: give a list of lists of ranks.")
    flat = [rank for ranks in split_ranks for rank in ranks]
    if len(set(flat)) != len(flat):
        raise ValueError(f"split_ranks must name each rank once, but got {split_ranks}.")
    return next((create_group(ranks, group_desc) for ranks in split_ranks if get_rank() in ranks), None)


def create_group(rank_list: Sequence[int], group_name: str | None = None):
    """Name of a group of devices."""
    ranks = tuple(sorted(rank_list))
    name = f"{group_name or 'group'}_{'-'.join(map(str, ranks))}"
    EXISTING_COMM_GROUPS.setdefault(name, ranks)
    return name

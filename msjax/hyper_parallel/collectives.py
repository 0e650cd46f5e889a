"""Groups of devices: `init_process_group`, `split_group`, …"""

from collections.abc import Sequence
from typing import Any

from .platform import get_platform

__all__ = ["destroy_process_group", "get_backend", "get_process_group_ranks", "init_process_group", "split_group"]


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
    """Join the communication; the launcher sets the number of processes, so the other arguments are ignored."""
    get_platform().init_process_group(backend)


def destroy_process_group(group: Any = None):
    """Forget a group, or all of them."""
    get_platform().destroy_process_group(group)


def get_process_group_ranks(group: Any = None):
    """The ranks of a group; of all devices without one.

    Example:
        >>> from msjax.hyper_parallel import get_process_group_ranks
        >>> get_process_group_ranks()[0]
        0
    """
    return get_platform().get_process_group_ranks(group)


def get_backend(group: Any = None):
    """Name of the library that communicates."""
    return get_platform().get_backend(group)


def split_group(
    parent_pg: Any = None,
    split_ranks: Sequence[Sequence[int]] | None = None,
    timeout: Any = None,
    pg_options: Any = None,
    group_desc: str | None = None,
):
    """Name of the group of `split_ranks` (a list of lists of ranks) with this process. ValueError: a rank is in two
    groups.
    """
    return get_platform().split_group(parent_pg, split_ranks, timeout, pg_options, group_desc)

"""Parts of MindSpore's pipelines that are not needed here: the cache, and the wait for files of other processes."""

import types
from typing import Any

from ..check import check_integer, check_type


class DatasetCache:
    """A handle on MindSpore's cache server, which msjax does not have: pipelines with a cache read their rows again.

    Args:
        session_id (int): number of the session.
        size (int): memory limit in MB; 0: none.
        spilling (bool): whether rows may go to disk.
        hostname (str, optional): where the server runs.
        port (int, optional): its port.
        num_connections (int, optional): connections to it.
        prefetch_size (int, optional): rows ahead.
    """

    def __init__(
        self,
        session_id: int,
        size: int = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: int | None = None,
        num_connections: int | None = None,
        prefetch_size: int | None = None,
    ):
        check_integer(session_id, "session_id", 0, 2**32 - 1)
        check_integer(size, "size", 0)
        check_type(spilling, bool, "spilling")
        if hostname is not None:
            check_type(hostname, str, "hostname")
        for name, value, low in (
            ("port", port, 1025),
            ("num_connections", num_connections, 1),
            ("prefetch_size", prefetch_size, 1),
        ):
            if value is not None:
                check_integer(value, name, low, 65535 if name == "port" else 2**31 - 1)
        self.session_id, self.size, self.spilling = session_id, size, spilling
        self.hostname, self.port = hostname, port
        self.num_connections, self.prefetch_size = num_connections, prefetch_size

    def get_stat(self):
        """The statistics of the cache, which is always empty."""
        return types.SimpleNamespace(avg_cache_sz=0, num_mem_cached=0, num_disk_cached=0)


def sync_wait_for_dataset(rank_id: int, rank_size: int, current_epoch: int, obs_runtime: Any = None):
    """Waits until all processes have the files of an epoch; every process reads its own files here, so it returns at
    once.

    Args:
        rank_id (int): number of this process.
        rank_size (int): number of processes.
        current_epoch (int): the epoch.
        obs_runtime (object, optional): accepted.
    """
    for name, value in (("rank_id", rank_id), ("rank_size", rank_size), ("current_epoch", current_epoch)):
        check_integer(value, name, 0)

"""Parts of MindSpore's pipelines that are not needed here: the cache, and the wait for files of other processes."""

import types
from typing import Annotated, Any

from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ..rules import NaturalInt32, PositiveInt32, UInt32


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

    @checked
    def __init__(
        self,
        session_id: UInt32,
        size: NaturalInt32 = 0,
        spilling: bool = False,
        hostname: str | None = None,
        port: Annotated[int, Within("[1025, 65535]")] | None = None,
        num_connections: PositiveInt32 | None = None,
        prefetch_size: PositiveInt32 | None = None,
    ):
        self.session_id, self.size, self.spilling = session_id, size, spilling
        self.hostname, self.port = hostname, port
        self.num_connections, self.prefetch_size = num_connections, prefetch_size

    def get_stat(self):
        """The statistics of the cache, which is always empty."""
        return types.SimpleNamespace(avg_cache_sz=0, num_mem_cached=0, num_disk_cached=0)


@checked
def sync_wait_for_dataset(
    rank_id: NaturalInt32, rank_size: NaturalInt32, current_epoch: NaturalInt32, obs_runtime: Any = None
):
    """Waits until all processes have the files of an epoch; every process reads its own files here, so it returns at
    once.

    Args:
        rank_id (int): number of this process.
        rank_size (int): number of processes.
        current_epoch (int): the epoch.
        obs_runtime (object, optional): accepted.
    """

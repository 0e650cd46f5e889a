"""Batches of a pipeline between processes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..check import check, check_type
from .lists import to_list
from .registry import find_node, register_service


class Alone:
    """The exchange of batches between processes for a single process; msjax.parallel registers another one under
    "Peers".
    """

    @staticmethod
    def rank(group: str | None):
        """Number of this process."""
        return 0

    @staticmethod
    def send(tensors: Sequence, dst: int, group: str | None):
        """Sends Tensors to process `dst`."""
        raise RuntimeError(f"Dataset.send: there is one process only, so nothing can be sent to process {dst}.")

    @staticmethod
    def recv(src: int, group: str | None):
        """Tensors that process `src` sent."""
        raise RuntimeError(f"Dataset.recv: there is one process only, so nothing comes from process {src}.")


register_service("Peers", Alone)


class PeerBatches:
    """Sends batches of a pipeline to other processes and receives theirs."""

    def _next_batch(self):
        if self._peers is None:
            self._peers = self.create_tuple_iterator()
        batch = next(self._peers, None)
        batch = next(self._peers, None) if batch is None else batch  # the next epoch
        check(batch is not None, "There is no row in the dataset pipeline.", RuntimeError)
        return batch

    def send(self, tensor: Any = None, dst: int | list[int] = 0, group: str | None = None):
        """Sends the next batch, or `tensor` (Tensor or list of them), to the processes `dst` (int or list of them)."""
        check_type(dst, (int, list), "dst")
        tensors = self._next_batch() if tensor is None else to_list(tensor)
        for i, item in enumerate(tensors):
            check(
                not isinstance(item, np.ndarray),
                f"The data column at index: {i} is not Tensor which is not "
                "supported to send. You can remove it using the dataset.project "
                "operation.",
                RuntimeError,
            )
        for peer in to_list(dst):
            find_node("Peers").send(tensors, peer, group)

    def recv(self, src: int | list[int] = 0, group: str | None = None):
        """A batch from the process `src` (a list from several); its own next batch where that is this process."""
        check_type(src, (int, list), "src")
        peers = find_node("Peers")
        batches = [
            self._next_batch() if peer == peers.rank(group) else peers.recv(peer, group) for peer in to_list(src)
        ]
        batches = [batch[0] if len(batch) == 1 else batch for batch in batches]
        return batches[0] if len(batches) == 1 else batches

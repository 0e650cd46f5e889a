"""The work of a DataLoader for one batch, in this process or a worker."""

import contextvars
import dataclasses
import itertools
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .collate import join
from .datasets import IterableDataset

if TYPE_CHECKING:
    from ..engine.dataset import Dataset

_worker = contextvars.ContextVar("dataloader_worker", default=None)
END = "end of the data"


@dataclasses.dataclass(frozen=True)
class WorkerInfo:
    """The worker's number, the number of workers, its seed, and its copy of the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


def get_worker_info():
    """The WorkerInfo in a worker process of a DataLoader; None elsewhere."""
    return _worker.get()


class Fetcher:
    """Makes the batch (or, without batching, the sample) for given indices.

    Args:
        dataset: with random access, or an IterableDataset.
        batched (bool): whether indices come in lists.
        collate_fn (function, optional): joins a list of samples; None: as arrays, which the loader makes Tensors.
        drop_last (bool): for an IterableDataset: whether a last batch with fewer samples is dropped.
    """

    def __init__(self, dataset: "Dataset", batched: bool, collate_fn: Callable, drop_last: bool):
        self.dataset, self.batched, self.drop_last = dataset, batched, drop_last
        self.collate_fn = collate_fn or (join if batched else None)
        self.restart()

    def restart(self):
        """Begins a new epoch."""
        self.stream = iter(self.dataset) if isinstance(self.dataset, IterableDataset) else None

    def __call__(self, indices: list):
        """The batch, or END."""
        if self.stream is None:
            data = [self.dataset[index] for index in indices] if self.batched else self.dataset[indices]
        elif self.batched:
            data = list(itertools.islice(self.stream, len(indices)))
            if not data or self.drop_last and len(data) < len(indices):
                return END
        else:
            try:
                data = next(self.stream)
            except StopIteration:
                return END
        return data if self.collate_fn is None else self.collate_fn(data)


class WorkerFetcher:
    """A Fetcher in a worker process; a task is indices, or "restart"."""

    def __init__(self, dataset: "Dataset", arguments: dict, number: float, count: int, base_seed: int, init: Any):
        self.dataset, self.arguments = dataset, arguments
        self.number, self.count, self.seed, self.init = number, count, base_seed + number, init
        self.fetcher = self.info = None

    def __call__(self, task: Any):
        if self.fetcher is None:
            random.seed(self.seed)
            np.random.seed(self.seed & 0xFFFFFFFF)
            self.info = WorkerInfo(self.number, self.count, self.seed, self.dataset)
            _worker.set(self.info)
            if self.init is not None:
                self.init(self.number)
            self.fetcher = Fetcher(self.dataset, *self.arguments)
        _worker.set(self.info)  # the process may serve several loaders
        return self.fetcher.restart() if task == "restart" else self.fetcher(task)

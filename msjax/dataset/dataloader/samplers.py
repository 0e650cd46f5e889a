"""Samplers for DataLoader: iterables of indices."""

import itertools
import math
import os
from collections.abc import Iterable
from typing import Any, Generic, TypeVar

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Like, PositiveInt
from ..check import check

T_co = TypeVar("T_co", covariant=True)
_INT64 = np.iinfo(np.int64).max


class Sampler(Generic[T_co]):
    """Base of samplers: a subclass defines `__iter__()`, and `__len__()` where it is known."""

    def __init__(self, data_source: Any = None) -> None:
        """There is nothing to set up."""


class SequentialSampler(Sampler):
    """All indices of `data_source` in order."""

    def __init__(self, data_source: Any) -> None:
        super().__init__(data_source)
        self.data_source = data_source

    def __iter__(self):
        yield from range(len(self.data_source))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    """Indices of `data_source` in random order.

    Args:
        data_source (Dataset): has a length.
        replacement (bool): whether an index may come more than once.
        num_samples (int, optional): how many indices; None: as many as there are.
        generator (numpy.random.Generator, optional): what is drawn from; None: seeded by NumPy's global generator.
    """

    @checked
    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: PositiveInt | None = None,
        generator: np.random.Generator | None = None,
    ) -> None:
        super().__init__(data_source)
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples

    @property
    def num_samples(self):
        """The number of indices."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self):
        size, wanted = len(self.data_source), self.num_samples
        draw = self.generator
        if draw is None:
            draw = np.random.default_rng(np.random.randint(0, _INT64, dtype=np.int64))
        while wanted > 0:
            part = draw.integers(size, size=min(32, wanted)) if self.replacement else draw.permutation(size)[:wanted]
            yield from part.tolist()
            wanted -= len(part)

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    """Lists of `batch_size` indices of another sampler; `drop_last` drops a last one with fewer."""

    @checked
    def __init__(self, sampler: Like[Sampler | Iterable], batch_size: PositiveInt, drop_last: bool) -> None:
        super().__init__()
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        count = len(self.sampler)
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


class EndlessSampler(Sampler):
    """None forever: the index "next sample" for an iterable dataset."""

    def __iter__(self):
        return itertools.repeat(None)


class DistributedSampler(Sampler):
    """The indices of one of several processes; `set_epoch` changes the order.

    Args:
        dataset (Dataset): has a length.
        num_replicas (int, optional): number of processes; None: RANK_SIZE of the environment, or 1.
        rank (int, optional): which process; None: RANK_ID of the environment, or 0.
        shuffle (bool): whether indices are shuffled.
        seed (int): the same in all processes.
        drop_last (bool): whether the processes drop indices, instead of repeating some, to get equally many.
    """

    @checked
    def __init__(
        self,
        dataset: Any,
        num_replicas: PositiveInt | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        super().__init__(dataset)
        num_replicas = int(os.environ.get("RANK_SIZE", 1)) if num_replicas is None else num_replicas
        rank = int(os.environ.get("RANK_ID", 0)) if rank is None else rank
        check(0 <= rank < num_replicas, f"Invalid rank: {rank}, rank must be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.shuffle, self.seed, self.drop_last = shuffle, seed, drop_last
        self.epoch = 0
        size = len(dataset)
        self.num_samples = size // num_replicas if drop_last else math.ceil(size / num_replicas)
        self.total_samples = self.num_samples * num_replicas

    def __iter__(self):
        size = len(self.dataset)
        order = np.random.default_rng(self.seed + self.epoch).permutation(size) if self.shuffle else np.arange(size)
        return iter(np.resize(order, self.total_samples)[self.rank :: self.num_replicas].tolist())

    def __len__(self):
        return self.num_samples

    @checked
    def set_epoch(self, epoch: int) -> None:
        """Makes the next order that of epoch number `epoch`."""
        self.epoch = epoch

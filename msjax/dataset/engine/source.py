"""The bases of sources: rows one after another (SourceDataset), or with random access (MappableDataset)."""

import copy
import enum
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.spec.checking import checked
from ..check import check, check_sampling
from . import samplers
from .block import ROWS_PER_BLOCK, Block
from .dataset import Dataset
from .random_order import shuffle_buffer
from .samplers import Shuffle
from .workers import ordered_map

if TYPE_CHECKING:
    from .cache import DatasetCache
    from .samplers import SamplerLike

_GATHER_SECONDS = 0.002  # rows of a slow source are passed on at once, not held back until a block is full


def gather(rows: Sequence, limit: int = ROWS_PER_BLOCK):
    """Row tuples as Blocks of up to `limit` rows; slowly produced rows are passed on one by one."""
    pending, since = [], time.perf_counter()
    try:
        for row in rows:
            pending.append(row)
            if len(pending) >= limit or time.perf_counter() - since > _GATHER_SECONDS:
                yield Block.of_rows(pending)
                pending, since = [], time.perf_counter()
    except Exception:
        if pending:  # the rows before the failing one still count
            yield Block.of_rows(pending)
        raise
    if pending:
        yield Block.of_rows(pending)


class ShuffleLevel(enum.IntEnum):
    """MindSpore's numbers for the ways to shuffle files and rows."""

    FALSE = 0
    FILES = 1
    GLOBAL = 2
    INFILE = 3
    PARTIAL = 4
    ADAPTIVE = 5


def _shuffle_level(shuffle):
    check(
        shuffle is None or isinstance(shuffle, (bool, Shuffle)),
        "shuffle must be of boolean or enum of 'Shuffle' values like 'Shuffle.ADAPTIVE' or 'Shuffle.GLOBAL' or "
        "'Shuffle.PARTIAL' or 'Shuffle.FILES' or 'Shuffle.INFILE'.",
        TypeError,
    )
    if isinstance(shuffle, Shuffle):
        return ShuffleLevel[shuffle.name]
    return ShuffleLevel.FALSE if shuffle is False else ShuffleLevel.GLOBAL


class SourceDataset(Dataset):
    """Base of sources whose rows come one after another.

    A subclass defines `column_names` and `rows(epoch)`, and `source_size()` where it is known without reading all. The
    base shards (contiguous parts of equal size), shuffles and cuts to `num_samples`.

    Args:
        num_parallel_workers (int, optional): workers for reading.
        num_samples (int, optional): at most so many rows.
        shuffle (Union[bool, Shuffle], optional): None and True mean GLOBAL.
        num_shards (int, optional): number of parts the data is divided into.
        shard_id (int, optional): which part.
        cache (DatasetCache, optional): accepted.
    """

    column_names = ()
    shuffle_rows = 10000  # buffer of the global shuffle

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        num_samples: int | None = None,
        shuffle: bool | Shuffle = True,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: "DatasetCache | None" = None,
    ):
        super().__init__(num_parallel_workers=num_parallel_workers, cache=cache)
        check_sampling(num_samples=num_samples, num_shards=num_shards, shard_id=shard_id)
        self.num_samples = num_samples or 0
        self.num_shards = 1 if num_shards is None else num_shards
        self.shard_id = 0 if shard_id is None else shard_id
        self.shuffle_flag = _shuffle_level(shuffle)

    def rows(self, epoch: int = 0):
        """The rows of one epoch in order, as tuples of arrays; before sharding and sampling."""
        raise NotImplementedError(f"{type(self).__name__} has to implement rows().")

    def source_size(self):
        """Rows before sharding and sampling; None if only reading all of them tells the number."""
        return None

    def _source_rows(self):
        count = self.source_size()
        return sum(1 for _ in self.rows(0)) if count is None else count

    def _count(self):
        if self.source_size() is None and self.num_shards == 1 and self.num_samples:
            return min(self._source_rows(), self.num_samples)
        count = -(-self._source_rows() // self.num_shards)
        return min(count, self.num_samples) if self.num_samples else count

    def _shard(self, rows):
        """This shard's rows: contiguous, all shards the same number (the last ones start over from the first rows)."""
        if self.num_shards == 1:
            yield from rows
            return
        total = self._source_rows()
        per_shard = -(-total // self.num_shards)
        wanted = {(self.shard_id * per_shard + i) % total for i in range(per_shard)} if total else set()
        start = self.shard_id * per_shard
        wrapped = []
        for i, row in enumerate(rows):
            if i in wanted:
                if i >= start:
                    yield row
                else:
                    wrapped.append(row)
        yield from wrapped

    def blocks(self, run: Any, epoch: int):
        rows = self._shard(self.rows(epoch))
        blocks = gather(rows, run.block_rows)
        if self.shuffle_flag is ShuffleLevel.GLOBAL:
            blocks = shuffle_buffer(blocks, self.shuffle_rows, run.twister(self, epoch, self.get_dataset_size))
        return first_rows(blocks, self.num_samples) if self.num_samples else blocks

    def is_shuffled(self):
        return self.shuffle_flag > 0

    def is_sharded(self):
        return self.num_shards > 1


def first_rows(blocks: Sequence, count: int):
    """The first `count` rows of a stream."""
    for block in blocks:
        if block.count >= count:
            yield block if block.count == count else block.slice(0, count)
            return
        count -= block.count
        yield block


class MappableDataset(SourceDataset):
    """Base of sources with random access.

    A subclass defines `column_names`, `size()` and `row(i)`; where it can fetch many rows at once cheaper than one by
    one, also `rows_at(indices)`. The base samples, shuffles and shards, by a sampler.

    Args:
        num_parallel_workers (int, optional): threads that may call `row`.
        sampler (Union[Sampler, Iterable], optional): chooses rows; excludes the arguments below.
        num_samples (int, optional): at most so many rows.
        shuffle (bool, optional): None and True: shuffle.
        num_shards (int, optional): number of parts the data is divided into.
        shard_id (int, optional): which part.
        cache (DatasetCache, optional): accepted.

    Raises:
        RuntimeError: sampling arguments contradict one another.
    """

    _draws = samplers.Draw

    def __init__(
        self,
        num_parallel_workers: int | None = None,
        sampler: "SamplerLike | None" = None,
        num_samples: int | None = None,
        shuffle: bool | None = None,
        num_shards: int | None = None,
        shard_id: int | None = None,
        cache: "DatasetCache | None" = None,
    ):
        self._check_sampling(num_samples, shuffle, sampler, num_shards, shard_id)
        if sampler is None and not isinstance(shuffle, Shuffle):
            _shuffle_level(shuffle)
            shuffle = Shuffle.FALSE if shuffle is False else Shuffle.GLOBAL
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            num_samples=num_samples,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
            cache=cache,
        )
        self.sampler = samplers.select_sampler(num_samples, sampler, shuffle, num_shards, shard_id)

    def _check_sampling(self, num_samples, shuffle, sampler, num_shards, shard_id):
        check_sampling(
            num_samples=num_samples, shuffle=shuffle, sampler=sampler, num_shards=num_shards, shard_id=shard_id
        )

    def size(self):
        """Rows before sampling."""
        raise NotImplementedError(f"{type(self).__name__} has to implement size().")

    def row(self, index: int):
        """Row `index` as a tuple of arrays; called from several threads."""
        raise NotImplementedError(f"{type(self).__name__} has to implement row().")

    def rows_at(self, indices: Sequence[int]):
        """The rows at `indices` (int array) as a list of stacked columns; None where `row` must be called for each."""
        return None

    def _label_column(self):
        """The place of the column of labels; RuntimeError where there is none."""
        column = next(
            (i for i, name in enumerate(self.column_names) if name in ("label", "target", "task", "matches")), None
        )
        check(
            column is not None,
            f"PKSampler needs a column of labels, but {type(self).__name__} has the columns {list(self.column_names)}.",
            RuntimeError,
        )
        return column

    def class_labels(self):
        """The label of each row before sampling, an int array: PKSampler chooses by it."""
        column = self._label_column()
        return np.array([int(np.asarray(self.row(i)[column]).ravel()[0]) for i in range(self.size())])

    def source_size(self):
        return self.size()

    def _count(self):
        return self.sampler.count(self.size(), self)

    def rows(self, epoch: int = 0):
        return (self.row(i) for i in range(self.size()))

    def blocks(self, run: Any, epoch: int):
        return self._blocks_at(run, self.sampler.sample(self.size(), self._draws(run, epoch, self)))

    def _blocks_at(self, run, indices):
        parts = (indices[i : i + run.block_rows] for i in range(0, len(indices), run.block_rows))
        first = next(parts, None)
        if first is None:
            return
        columns = self.rows_at(first)
        if columns is None:
            yield from gather(
                ordered_map(run, self, self.row, (int(i) for i in indices), self.num_parallel_workers), run.block_rows
            )
            return
        yield Block(columns, len(first))
        for part in parts:
            yield Block(self.rows_at(part), len(part))

    def add_sampler(self, new_sampler: Any):
        """Adds a sampler that chooses among the rows of the present sampler."""
        self.dataset_size = None
        check(
            self.sampler is None or self.sampler.get_shuffle_mode() != Shuffle.PARTIAL,
            "When multiple samplers are used, ensure that the shuffle of the current sampler must not be "
            "Shuffle.PARTIAL.",
            RuntimeError,
        )
        check(
            new_sampler.get_shuffle_mode() in (Shuffle.GLOBAL, Shuffle.FALSE),
            "When multiple samplers are used, ensure that the shuffle of the input sampler must be Shuffle.FALSE or "
            f"Shuffle.GLOBAL, but got: {new_sampler.get_shuffle_mode()}.",
            RuntimeError,
        )
        new_sampler.add_child(self.sampler)
        self.sampler = new_sampler

    @checked
    def use_sampler(self, new_sampler: samplers.BuiltinSampler):
        """Puts `new_sampler` in the place of the present sampler."""
        self.dataset_size = None
        self.sampler = self.sampler.child_sampler
        self.add_sampler(new_sampler)

    def __copy__(self):
        new = super().__copy__()
        new.sampler = copy.copy(self.sampler)
        return new

    def _part(self, start, size, randomize):
        part = copy.copy(self)
        part._forget()
        if randomize:
            order = samplers.RandomSampler()
            order.reshuffle_each_epoch = False
            part.add_sampler(order)
        part.add_sampler(samplers.SequentialSampler(start, size))
        part.add_sampler(samplers.SequentialSampler())  # the one that use_sampler() may replace
        return part

    def is_shuffled(self):
        return self.sampler is not None and self.sampler.is_shuffled()

    def is_sharded(self):
        return self.sampler is not None and self.sampler.is_sharded()

"""The nodes that choose, order and rename rows and columns without touching their values."""

import copy
import logging
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Like, PositiveInt, That, Within
from .. import config
from ..check import check
from ..rules import INT32_MAX, Columns, NaturalInt32
from ..twister import MersenneTwister
from . import samplers
from .block import Block, values
from .node import Dataset, MappableDataset, UnionBaseDataset, first_rows, gather, to_list
from .random_order import MersenneTwister64, shuffle_buffer
from .user_error import user_error
from .workers import worker_count

if TYPE_CHECKING:
    pass

_log = logging.getLogger("msjax.dataset")


CountOrAll = Annotated[int, That("-1 or in [1, 2147483647]", lambda count: count == -1 or 0 < count <= INT32_MAX)]


class RepeatDataset(UnionBaseDataset):
    """The rows of a dataset several times; see Dataset.repeat."""

    @checked
    def __init__(self, input_dataset: Dataset, count: CountOrAll | None = None):
        super().__init__(children=input_dataset)
        self.count = -1 if count is None else count

    def _count(self):
        rows = self.children[0].get_dataset_size()
        return rows if self.count == -1 else rows * self.count

    @property
    def repeats_children(self):
        return max(self.count, 1)

    def get_repeat_count(self):
        return self.count

    def blocks(self, run: Any, epoch: int):
        done = 0
        while self.count == -1 or done < self.count:
            # Each time round is an epoch of its own for what is below: it shuffles anew.
            below = epoch * self.count + done if self.count != -1 else done
            empty = True
            for block in self.children[0].blocks(run, below):
                empty = False
                yield block
            if empty and self.count == -1:  # it would go on for ever
                return
            done += 1


class TakeDataset(UnionBaseDataset):
    """The first rows of a dataset; see Dataset.take."""

    @checked
    def __init__(self, input_dataset: Dataset, count: CountOrAll = -1):
        super().__init__(children=input_dataset)
        self.count = count

    def _count(self):
        rows = self.children[0].get_dataset_size()
        return rows if self.count == -1 else min(rows, self.count)

    def blocks(self, run: Any, epoch: int):
        blocks = self.children[0].blocks(run, epoch)
        return blocks if self.count == -1 else first_rows(blocks, self.count)


class SkipDataset(UnionBaseDataset):
    """All but the first rows of a dataset; see Dataset.skip."""

    @checked
    def __init__(self, input_dataset: Dataset, count: NaturalInt32):
        super().__init__(children=input_dataset)
        self.count = count

    def _count(self):
        return max(self.children[0].get_dataset_size() - self.count, 0)

    def blocks(self, run: Any, epoch: int):
        left = self.count
        for block in self.children[0].blocks(run, epoch):
            if left >= block.count:
                left -= block.count
                continue
            yield block.slice(left, block.count) if left else block
            left = 0


class ShuffleDataset(UnionBaseDataset):
    """The rows of a dataset in an order that a buffer makes; see Dataset.shuffle."""

    @checked
    def __init__(self, input_dataset: Dataset, buffer_size: Annotated[int, Within("[2, 2147483647]")]):
        super().__init__(children=input_dataset)
        self.buffer_size = buffer_size
        self.reshuffle_each_epoch = True
        check(not self.is_sync(), "No shuffle after sync operators.", RuntimeError)

    def _count(self):
        return self.children[0].get_dataset_size()

    def is_shuffled(self):
        return True

    def blocks(self, run: Any, epoch: int):
        if not self.reshuffle_each_epoch:
            return shuffle_buffer(self.children[0].blocks(run, epoch), self.buffer_size, MersenneTwister64(run.seed))
        return self._reshuffled(run, epoch, run.twister(self, epoch, self.children[0].get_dataset_size))

    def _reshuffled(self, run, epoch, draw):
        state = run.remember(self, lambda: {"whole": True, "next": epoch}, "state")
        if run.seeded and (not state["whole"] or state["next"] < epoch):
            # Earlier epochs were left early (by take): MindSpore runs them to their ends, drawing one number a row.
            for _ in range(epoch * self.children[0].get_dataset_size() - draw.drawn):
                draw()
        state.update(whole=False, next=epoch + 1)
        yield from shuffle_buffer(self.children[0].blocks(run, epoch), self.buffer_size, draw)
        state["whole"] = True


class FilterDataset(UnionBaseDataset):
    """The rows of a dataset for which a function is true; see Dataset.filter."""

    @checked
    def __init__(
        self,
        input_dataset: Dataset,
        predicate: Callable,
        input_columns: Columns | None = None,
        num_parallel_workers: int | None = None,
    ):
        super().__init__(children=input_dataset, num_parallel_workers=num_parallel_workers)
        self.predicate = predicate
        self.input_columns = to_list(input_columns)

    def _count(self):
        return None

    def blocks(self, run: Any, epoch: int):
        names = self.input_columns or list(self.column_names)
        taken = self._column_index(names)
        first = 0
        for block in self.children[0].blocks(run, epoch):
            kept = []
            with run.stream(self, epoch, worker_count(self.num_parallel_workers)) as stream:
                for i, row in enumerate(zip(*(values(block.columns[c]) for c in taken), strict=True)):
                    stream.at(first + i)
                    try:
                        if bool(self.predicate(*row)):
                            kept.append(i)
                    except Exception as err:
                        raise user_error(err, self.predicate, first + i, names, row) from err
            first += block.count
            if len(kept) == block.count:
                yield block
            elif kept:
                yield block.select(kept)


class RenameDataset(UnionBaseDataset):
    """A dataset with other column names; see Dataset.rename."""

    @checked
    def __init__(self, input_dataset: Dataset, input_columns: Columns, output_columns: Columns):
        check(
            len(to_list(input_columns)) == len(to_list(output_columns)),
            "Number of column in input_columns and output_columns is not equal.",
        )
        super().__init__(children=input_dataset)
        self.input_column_names, self.output_column_names = to_list(input_columns), to_list(output_columns)

    @property
    def column_names(self):
        self._column_index(self.input_column_names)
        new = dict(zip(self.input_column_names, self.output_column_names, strict=True))
        names = [new.get(name, name) for name in self.children[0].column_names]
        for name in self.output_column_names:
            check(
                names.count(name) == 1,
                "Invalid column, rename operation does not support rename one column name "
                f"into another already exist column name, existing column name is: {name}.",
                RuntimeError,
            )
        return names

    def _count(self):
        return self.children[0].get_dataset_size()

    def blocks(self, run: Any, epoch: int):
        return self.children[0].blocks(run, epoch) if self.column_names else iter(())


class ProjectDataset(UnionBaseDataset):
    """Some columns of a dataset; see Dataset.project."""

    @checked
    def __init__(self, input_dataset: Dataset, columns: Columns):
        super().__init__(children=input_dataset)
        self.columns = to_list(columns)

    @property
    def column_names(self):
        self._column_index(self.columns, "columns")
        return list(self.columns)

    def _count(self):
        return self.children[0].get_dataset_size()

    def blocks(self, run: Any, epoch: int):
        taken = self._column_index(self.columns, "columns")
        for block in self.children[0].blocks(run, epoch):
            yield Block([block.columns[i] for i in taken], block.count)


class ZipDataset(UnionBaseDataset):
    """Datasets side by side; ends with the shortest; see Dataset.zip."""

    @checked
    def __init__(self, datasets: Sequence[Dataset]):
        super().__init__(children=list(datasets))

    @property
    def column_names(self):
        names = [name for child in self.children for name in child.column_names]
        for i, name in enumerate(names):
            check(
                name not in names[:i],
                f"Invalid data, duplicate column {name} already exists when zipping datasets.",
                RuntimeError,
            )
        return names

    def _count(self):
        return min(child.get_dataset_size() for child in self.children)

    def is_sync(self):
        return any(child.is_sync() for child in self.children)

    def blocks(self, run: Any, epoch: int):
        if not self.column_names:
            return
        streams = [child.blocks(run, epoch) for child in self.children]
        heads = [None] * len(streams)
        while True:
            for i, stream in enumerate(streams):
                if heads[i] is None:
                    heads[i] = next(stream, None)
                    if heads[i] is None:
                        return
            count = min(head.count for head in heads)
            yield Block([column[:count] for head in heads for column in head.columns], count)
            heads = [head.slice(count, head.count) if head.count > count else None for head in heads]


ConcatSampler = Annotated[
    samplers.DistributedSampler | samplers.RandomSampler,
    That("without num_samples", lambda sampler: sampler.get_num_samples() is None),
]


class ConcatDataset(UnionBaseDataset):
    """Datasets one after another; see Dataset.concat."""

    def __init__(self, datasets: Sequence[Dataset]):
        for dataset in datasets:
            check(
                isinstance(dataset, Dataset),
                f"Invalid dataset, expected Dataset object, but got {type(dataset)}!",
                TypeError,
            )
        super().__init__(children=list(datasets))
        self.datasets = datasets
        self._sampler = None
        for i, child in enumerate(self.children):
            check(
                child.get_dataset_size(),
                f"There are no samples in the dataset number {i}. Please make sure there are valid samples in the "
                "dataset.",
            )

    @property
    def column_names(self):
        names = list(self.children[0].column_names)
        for child in self.children[1:]:
            check(
                list(child.column_names) == names,
                "Invalid columns, 'column name' or 'column order' of concat datasets should be the same, but got "
                f"{names} and {list(child.column_names)}.",
                RuntimeError,
            )
        return names

    def _count(self):
        rows = self._rows()
        if isinstance(self._sampler, samplers.DistributedSampler):
            return len(range(self._sampler.shard_id, rows, self._sampler.num_shards))
        return rows

    @checked
    def use_sampler(self, sampler: ConcatSampler):
        """Chooses the rows of the whole by `sampler`, a DistributedSampler (not shuffled) or a RandomSampler."""
        if isinstance(sampler, samplers.RandomSampler):
            check(not sampler.replacement, "The parameter replacement of RandomSampler must be False!")
        else:
            check(not sampler.is_shuffled(), "The parameter shuffle of DistributedSampler must be False!")
            check(sampler.num_shards > 0, "The parameter num_shards of DistributedSampler must be positive int!")
            for child in self.children:
                check(
                    not isinstance(child, MappableDataset)
                    or child.sampler is None
                    or child.sampler.get_num_samples() is None,
                    f"The parameter NumSamples of {child} is not support to be set!",
                )
                check(
                    child.get_batch_size() == 1,
                    f"The parameter {child} of concat must not be BatchDataset or PaddedBatchDataset!",
                    TypeError,
                )
        self.dataset_size = None
        self._sampler = sampler

    def __copy__(self):
        new = super().__copy__()
        new._sampler = copy.copy(self._sampler)
        return new

    def is_shuffled(self):
        return isinstance(self._sampler, samplers.RandomSampler) or super().is_shuffled()

    def is_sharded(self):
        return isinstance(self._sampler, samplers.DistributedSampler) or super().is_sharded()

    def blocks(self, run: Any, epoch: int):
        if not self.column_names:
            return
        if isinstance(self._sampler, samplers.RandomSampler):
            yield from gather(self._mixed(run, epoch))
        elif self._sampler is None:
            yield from self._chained(run, epoch, (0,) * len(self.children), 1)
        else:
            yield from self._chained(run, epoch, self._first_rows(epoch), self._sampler.num_shards)

    def _rows(self):
        return sum(child.get_dataset_size() for child in self.children)

    def _first_rows(self, epoch):
        """The first row of this shard in each child.

        As in MindSpore children with random access are counted without the others, each epoch alike; for the others the count of all rows,
        but those of a last child with random access, goes on from one epoch to the next.
        """
        sizes = [child.get_dataset_size() for child in self.children]
        random_access = [
            isinstance(child, MappableDataset) and getattr(child, "random_access", True) for child in self.children
        ]
        fixed, counted = 0, epoch * (sum(sizes) - (sizes[-1] if random_access[-1] else 0))
        for size, is_random in zip(sizes, random_access, strict=True):
            yield (self._sampler.shard_id - (fixed if is_random else counted)) % self._sampler.num_shards
            counted += size
            fixed += size if is_random else 0

    def _mixed(self, run, epoch):
        """Rows of the children, each child's in its own order: whose is next is drawn by how many they have left."""
        left = np.array([child.get_dataset_size() for child in self.children])
        twister, done = run.memory.get((id(self), "mixed"), (MersenneTwister(run.seed), 0))
        for _ in range((epoch - done) * (left.sum() + 1)):  # of epochs that an earlier run had
            twister.uniform()
        streams = [(row for block in child.blocks(run, epoch) for row in block.rows()) for child in self.children]
        while left.any():
            child = np.searchsorted(np.cumsum(left / left.sum()), twister.uniform())
            left[child] -= 1
            yield next(streams[child])
        twister.uniform()  # MindSpore draws once more to find the end
        run.memory[id(self), "mixed"] = twister, epoch + 1

    def _chained(self, run, epoch, firsts, step):
        """Every `step`-th row of each child, from its first one on."""
        kinds = None
        for child, skip in zip(self.children, firsts, strict=True):
            for block in child.blocks(run, epoch):
                row = [values(column)[0] for column in block.columns]
                found = [getattr(value, "dtype", type(value)) for value in row]
                kinds = kinds or found
                for a, b in zip(kinds, found, strict=True):
                    check(
                        a == b or getattr(a, "kind", "") == getattr(b, "kind", "-") in ("U", "S"),
                        "Concat: the data types of the two datasets to be concatenated should be the same, but got: "
                        f"{a} and {b}.",
                        RuntimeError,
                    )
                mine = range(skip, block.count, step)
                if mine:
                    yield block if step == 1 else block.select(list(mine))
                skip = (skip - block.count) % step if skip < block.count else skip - block.count


ReleaseRows = Annotated[Any, That("above 0", lambda rows: not isinstance(rows, int) or rows > 0)]


class BlockReleasePair:
    """Lets rows through until it has run out of permission, and waits for more.

    Args:
        init_release_rows (int): rows let through at the start.
        callback (function, optional): called with the data of each release.
    """

    @checked
    def __init__(self, init_release_rows: ReleaseRows, callback: Like[Callable | None] = None):
        self.row_count = -init_release_rows
        self.cv = threading.Condition()
        self.callback = callback
        self.default_rows = init_release_rows
        self.disable = False

    def __deepcopy__(self, memo):
        return self

    def reset(self):
        """Back to the start."""
        with self.cv:
            self.row_count = -self.default_rows
            self.cv.notify_all()

    @checked
    def update_batched_size(self, batch_size: ReleaseRows):
        """Rows are batched by `batch_size` afterwards: permissions count batches."""
        if isinstance(batch_size, int):
            self.row_count *= batch_size
            self.default_rows *= batch_size

    def block_func(self, stopped: Any = None):
        """Waits until a row may pass, or `stopped` (threading.Event) is set."""
        stopped = stopped or threading.Event()
        with self.cv:
            if not self.cv.wait_for(
                lambda: self.row_count < 0 or self.disable or stopped.is_set(), timeout=config.get_callback_timeout()
            ):
                _log.warning(
                    "Timeout happened in sync_wait, maybe dataset.sync_update(condition=...) is not added "
                    "after dataset.create_dict_iterator(...), now disabling lock."
                )
                self.disable = True
            self.row_count += 1
        return True

    def release_func(self, pass_rows: Any = None, data: Any = None):
        """Lets `pass_rows` more rows through, after `callback(data)`."""
        with self.cv:
            self.row_count -= self.default_rows if pass_rows is None else pass_rows
            if self.callback is not None:
                self.callback(data)
            self.cv.notify_all()

    def wake(self):
        """Has waiting threads look again."""
        with self.cv:
            self.cv.notify_all()

    def disable_lock(self):
        """Lets everything through from now on."""
        with self.cv:
            self.disable = True
            self.cv.notify_all()


class SyncWaitDataset(UnionBaseDataset):
    """The rows of a dataset, held back until training lets them through; see Dataset.sync_wait."""

    @checked
    def __init__(
        self,
        input_dataset: Dataset,
        condition_name: str,
        num_batch: PositiveInt = 1,
        callback: Like[Callable] | None = None,
    ):
        super().__init__(children=input_dataset)
        self._condition_name = condition_name
        self._pair = BlockReleasePair(num_batch, callback)
        check(
            condition_name not in self.children[0].get_sync_notifiers(),
            "Condition name is already in use.",
            RuntimeError,
        )

    def _count(self):
        return self.children[0].get_dataset_size()

    def get_sync_notifiers(self):
        return {**self.children[0].get_sync_notifiers(), self._condition_name: self._pair.release_func}

    def is_sync(self):
        return True

    def update_sync_batch_size(self, batch_size: int):
        """Sets the size of the batches that are made of the rows afterwards."""
        self._pair.update_batched_size(batch_size)

    def disable_sync(self):
        self._pair.disable_lock()

    def blocks(self, run: Any, epoch: int):
        if run.getter:
            yield from self.children[0].blocks(run, epoch)
            return
        if run.remember(self, lambda: epoch, "started") == epoch:
            self._pair.reset()
        run.on_close(self._pair.wake)
        for block in self.children[0].blocks(run, epoch):
            for i in range(block.count):
                self._pair.block_func(run.stopped)
                if run.stopped.is_set():
                    return
                yield block.slice(i, i + 1)

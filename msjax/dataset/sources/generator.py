"""GeneratorDataset: rows made by the user's Python code."""

import builtins
import inspect
import itertools
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Raises, That, Within
from ...core.values import dtype as mstype
from ..check import check, check_rows, check_sampling, check_type, is_iterable
from ..engine import samplers
from ..engine.batch import collate
from ..engine.block import Block
from ..engine.node import MappableDataset, UnionBaseDataset, gather, to_list
from ..engine.processes import ReadRow, in_processes, noted
from ..engine.run import Run
from ..engine.user_error import source_error
from ..engine.workers import ordered_map, worker_count
from ..operation import as_array
from ..rules import Columns, NumSamples, PositiveInt32
from .schema import Schema

if TYPE_CHECKING:
    from ..engine.samplers import SamplerLike


class _Again:
    """A generator object that can be run through several times."""

    def __init__(self, generator: np.random.Generator | None):
        self._rest = generator

    def __iter__(self):
        now, self._rest = itertools.tee(self._rest)
        return now


def _value(item, place):
    """One value of a user's row as an array of its own (the user may go on writing to the original)."""
    if type(item) is np.ndarray and item.dtype.kind != "O":
        return item.copy()
    if isinstance(item, (int, float, np.generic, str, bytes)):
        return np.array(item)
    if isinstance(item, dict):
        return item
    try:
        array = np.array(as_array(item))
        check(array.dtype.kind != "O", "", TypeError)
        return array
    except TypeError:
        raise TypeError(
            f"Data type of {place}the input or its converted Numpy array is expected to be int or float or "
            f"str, but got object ({type(item).__name__})."
        ) from None


def convert_row(row: Any):
    """The user code's result for a row as a tuple of arrays (or dicts)."""
    if isinstance(row, tuple):
        return tuple([_value(item, f"{i}th item of ") for i, item in enumerate(row, 1)])
    if isinstance(row, (int, float, str, bytes, np.ndarray, np.generic, dict)) or hasattr(row, "asnumpy"):
        return (_value(row, ""),)
    return tuple([_value(item, f"{i}th item of ") for i, item in enumerate(row, 1)])


class _Reader:
    """Reads row i of a source; goes to worker processes."""

    def __init__(self, source: Any, width: int):
        self.source, self.width = source, width

    def __call__(self, index):
        try:
            row = convert_row(self.source[index])
        except Exception as err:
            raise source_error(err, self.source, index) from err
        return self.check(row)

    def check(self, row: Any):
        check(
            len(row) == self.width,
            "Invalid Python function, the 'source' of 'GeneratorDataset' should return same number of NumPy arrays "
            f"as specified in column_names, the size of column_names is:{self.width} and number of returned NumPy "
            f"array is:{len(row)}",
            RuntimeError,
        )
        return row


IsSource = That(
    "something to call, to iterate over or to index",
    lambda source: callable(source) or isinstance(source, Iterable) or hasattr(source, "__getitem__"),
    is_type=True,
)


_NoPKSampler = Annotated[
    Any,
    That("another sampler than a PKSampler", lambda sampler: not isinstance(sampler, samplers.PKSampler)),
    Raises(value=RuntimeError),
]


class GeneratorDataset(MappableDataset, UnionBaseDataset):
    """Rows from user code.

    Args:
        source (Union[Random Accessible, Iterable, function]): has `__getitem__` and `__len__`, or can be iterated
            over, or is a function that gives an iterator. A row is a value or a tuple of one value per column.
        column_names (Union[str, list[str]], optional): names of the columns; needed unless there is a `schema`.
        column_types (list, optional): MindSpore types that the columns must have.
        schema (Union[str, Schema], optional): names and types of the columns.
        num_samples (int, optional): at most so many rows.
        num_parallel_workers (int): workers that read a source with random access.
        shuffle (bool, optional): None and True shuffle a source with random access.
        sampler (Union[Sampler, Iterable], optional): chooses rows of a source with random access.
        num_shards (int, optional): number of parts the data is divided into.
        shard_id (int, optional): which part.
        python_multiprocessing (bool): with more than one worker: processes instead of threads.
        max_rowsize (int, optional): accepted.
        batch_sampler (Iterable, optional): gives lists of indices, one for each batch.
        collate_fn (function, optional): makes a batch of the lists of values that `batch_sampler` chose.

    Raises:
        TypeError: `source` can be neither called nor iterated over.
        ValueError: arguments contradict one another, or need random access that `source` does not have.

    Example:
        >>> import numpy as np
        >>> import msjax.dataset as ds
        >>> def rows():
        ...     for i in range(3):
        ...         yield np.array([i, i]), i
        >>> data = ds.GeneratorDataset(rows, ["x", "label"])
        >>> [row["x"].tolist() for row in data.create_dict_iterator(num_epochs=1, output_numpy=True)]
        [[0, 0], [1, 1], [2, 2]]
    """

    @checked
    def __init__(
        self,
        source: Annotated[Any, IsSource],
        column_names: Columns | None = None,
        column_types: list | None = None,
        schema: AsValue[str | Schema | None] = None,
        num_samples: NumSamples | None = None,
        num_parallel_workers: PositiveInt32 | None = 1,
        shuffle: bool | None = None,
        sampler: "SamplerLike | None" = None,
        num_shards: PositiveInt32 | None = None,
        shard_id: int | None = None,
        python_multiprocessing: bool | None = True,
        max_rowsize: Annotated[int, Within("[-1, 2147483647]")] | None = None,
        batch_sampler: Iterable | None = None,
        collate_fn: Callable | None = None,
    ):
        check(column_names is not None or schema is not None, "Neither columns_names nor schema are provided.")
        check((num_shards is None) == (shard_id is None), "num_shards and shard_id need to be passed in together.")
        _check_samplers(
            source,
            sampler,
            num_shards,
            batch_sampler,
            collate_fn,
            (num_samples, shuffle, num_shards, shard_id, sampler),
        )
        super().__init__(
            num_parallel_workers=num_parallel_workers,
            sampler=sampler,
            num_samples=num_samples,
            shuffle=shuffle,
            num_shards=num_shards,
            shard_id=shard_id,
        )
        if isinstance(source, builtins.zip):
            source = list(source)
        self.source = _Again(source) if isinstance(source, types.GeneratorType) else source
        self.python_multiprocessing, self.max_rowsize = python_multiprocessing, max_rowsize
        self.schema = Schema(schema) if isinstance(schema, str) else schema
        self._names = to_list(column_names) if column_names is not None else list(self.schema.columns)
        if column_names is None and not column_types:
            kinds = (np.str_ if kind == "string" else kind for kind, _ in self.schema.columns.values())
        else:
            kinds = (None if kind is None else mstype.to_numpy(kind) for kind in column_types or [])
        self.column_types = [None if kind is None else np.dtype(kind) for kind in kinds]
        if batch_sampler is not None and not isinstance(batch_sampler, samplers.BuiltinSampler):
            batch_sampler = samplers.IterSampler(batch_sampler)
        self.batch_sampler, self.collate_fn = batch_sampler, collate_fn
        self._ordered = (None, ())
        self.random_access = hasattr(self.source, "__getitem__")
        if not self.random_access:
            self.sampler = None

    def _check_sampling(self, num_samples, shuffle, sampler, num_shards, shard_id):
        # A sampler contradicts the other arguments by ValueError here (see select_sampler), and a list may be limited.
        check_sampling(num_samples=num_samples, num_shards=num_shards, shard_id=shard_id)

    @property
    def column_names(self):
        return self._names

    def size(self):
        check(
            hasattr(self.source, "__len__"),
            "Attempt to construct a random access dataset, '__len__' method is required!",
            RuntimeError,
        )
        return len(self.source)

    def _length(self):
        return len(self.source) if hasattr(self.source, "__len__") else 0

    def row(self, index: int):
        return self._reader(index)

    @property
    def _reader(self):
        return _Reader(self.source, len(self._names))

    def __getitem__(self, index):
        check_type(index, (int, np.number), "index")
        check(self.random_access, "Dataset don't support randomized access.", RuntimeError)
        check(
            self.batch_sampler is None,
            "GeneratorDataset with batch_sampler does not support random access.",
            RuntimeError,
        )
        order = self._first_order()
        check(0 <= index < len(order), f"Index [{index}] exceeded the number of data samples.", RuntimeError)
        return self.source[int(order[int(index)])]

    def _first_order(self):
        """The row numbers in the order of the first epoch, the order that an index counts in, shuffled or not."""
        if self._ordered[0] is not self.sampler:
            self._ordered = self.sampler, self._row_numbers(Run(self, getter=True), 0)
        return self._ordered[1]

    def _count(self):
        if self.batch_sampler is not None:
            return self.batch_sampler.count(self._length())
        if self.random_access:
            return self.sampler.count(self.size(), self)
        if not hasattr(self.source, "__len__"):
            return None
        return min(len(self.source), self.num_samples) if self.num_samples else len(self.source)

    def get_batch_size(self):
        return 1 if self.batch_sampler is None else -1

    def is_shuffled(self):
        return self.sampler is not None and self.sampler.is_shuffled()

    def is_sharded(self):
        return self.sampler is not None and self.sampler.is_sharded()

    @checked
    def add_sampler(self, new_sampler: _NoPKSampler):
        super().add_sampler(new_sampler)

    def _part(self, start, size, randomize):
        if self.random_access and self.batch_sampler is None:
            return super()._part(start, size, randomize)
        return super(MappableDataset, self)._part(start, size, randomize)

    def _iterated(self):
        """The rows of a source without random access."""
        # Only a source without __iter__ is called: a class instance may have both.
        stream = iter(self.source if hasattr(self.source, "__iter__") else self.source())
        if self.num_samples:
            stream = itertools.islice(stream, self.num_samples)
        reader = self._reader
        for number in itertools.count():
            try:
                row = convert_row(next(stream))
            except StopIteration:
                wanted = self._count()
                if wanted is not None:
                    _check_read(number, wanted)
                return
            except Exception as err:
                raise source_error(err, self.source, number) from err
            yield reader.check(row)

    def _sampled(self, run, epoch, indices):
        """The rows at `indices`, read by as many workers as there are."""
        reader = self._reader
        workers = worker_count(self.num_parallel_workers)
        if not self.python_multiprocessing or workers == 1:
            return ordered_map(run, self, reader, indices, workers)
        dealing = run.dealing(self, epoch, workers, anew=True)

        def processes(rest):
            items = ((number, None, index) for number, index in rest)
            what = f"the source of {type(self).__name__}"
            return (row for _, row in in_processes(run, self, epoch, ReadRow(reader), what, items, workers, dealing))

        return noted(run, self, epoch, dealing, ordered_map(run, self, reader, indices, workers, processes, dealing))

    def blocks(self, run: Any, epoch: int):
        if self.batch_sampler is not None:
            yield from self._batches(run, epoch)
            return
        if not self.random_access:
            yield from self._gathered(run, self._iterated())
            return
        numbers = self._row_numbers(run, epoch)
        if self.rows_at(np.empty(0, np.int64)) is not None:
            places = np.concatenate(numbers, axis=None) if isinstance(numbers, list) else numbers
            check_rows(places, -self.size(), self.size())  # Python's own: -1 is the last row
            yield from self._blocks_at(run, places)
        else:
            yield from self._gathered(run, self._sampled(run, epoch, numbers))
        if isinstance(self.sampler, samplers.Sampler) and self.sampler.num_samples is not None:
            _check_read(len(numbers), self.sampler.num_samples)

    def _gathered(self, run, rows):
        return gather(map(self._typed, rows) if self.column_types else rows, run.block_rows)

    def _row_numbers(self, run, epoch):
        """The row numbers that the source is asked for (an int64 array), or a list of arrays where the user's sampler returns
        lists: as in 1.x, where 2.x counts more rows than lists and stops.
        """
        if isinstance(self.sampler, samplers.Sampler) and self.sampler.child_sampler is None:
            indices, sizes = self.sampler.drawn(self.size(), samplers.Draw(run, epoch, self))
            return indices if len(indices) == len(sizes) else np.split(indices, np.cumsum(sizes)[:-1])
        return self.sampler.sample(self.size(), samplers.Draw(run, epoch, self)).astype(np.int64)

    def _typed(self, row):
        check(
            len(self.column_types) == len(self._names),
            f"Invalid data type, 'column_types' of GeneratorDataset must have one for each of {self._names}, but got "
            f"{len(self.column_types)}.",
            RuntimeError,
        )
        for name, kind, value in zip(self._names, self.column_types, row, strict=True):
            check(
                kind is None or value.dtype == kind or value.dtype.kind == kind.kind == "U",
                f"Invalid data type, column '{name}' of GeneratorDataset should be {kind} as given by column_types, "
                f"but got {value.dtype}.",
                RuntimeError,
            )
        return row

    def _batches(self, run, epoch):
        sizes = []
        if isinstance(self.batch_sampler, samplers.Sampler):
            chosen, sizes = self.batch_sampler.drawn(self._length(), samplers.Draw(run, epoch, self))
        check(
            sizes and all(sizes),
            "For 'GeneratorDataset', the 'batch_sampler' must give lists of row numbers, and none of them may be empty, but it gave "
            "numbers, or an empty list.",
            RuntimeError,
        )
        batches = np.split(chosen, np.cumsum(sizes)[:-1])
        for indices in batches:
            rows = list(self._sampled(run, epoch, list(indices)))
            columns = [list(column) for column in zip(*rows, strict=True)]
            if self.collate_fn is None:
                yield Block([[collate(column, i)] for i, column in enumerate(columns)], 1)
                continue
            try:
                result = self.collate_fn(*columns)
            except Exception as err:
                raise source_error(err, self.collate_fn, indices) from err
            result = result if isinstance(result, tuple) else (result,)
            check(
                len(result) == len(self._names),
                "Invalid collate_fn, it should return as many columns as there are "
                f"column_names: {len(self._names)}, but got {len(result)}.",
                RuntimeError,
            )
            yield Block([[column if isinstance(column, dict) else np.asarray(column)] for column in result], 1)


def _check_read(number, wanted):
    check(
        number == wanted,
        f"The actual amount of data read from generator {number} is different from generator.len {wanted}, you should adjust "
        "generator.len to make them match.",
        RuntimeError,
    )


def _check_samplers(source, sampler, num_shards, batch_sampler, collate_fn, excluded):
    if sampler is not None:
        check(not isinstance(sampler, samplers.PKSampler), "GeneratorDataset doesn't support PKSampler.")
        check(
            isinstance(sampler, samplers.BuiltinSampler) or is_iterable(sampler),
            "sampler should be either iterable or from mindspore.dataset.samplers.",
            TypeError,
        )
    if batch_sampler is not None:
        check(
            all(value is None for value in excluded),
            "batch_sampler is mutually exclusive with num_samples, shuffle, num_shards, shard_id and sampler.",
        )
        check(
            isinstance(batch_sampler, (samplers.BuiltinSampler, Iterable)),
            "batch_sampler should have __getitem__ or __iter__ method.",
            TypeError,
        )
    if collate_fn is not None:
        check(batch_sampler is not None, "collate_fn can be specified only when batch_sampler is set.")
        check(callable(collate_fn), "collate_fn should be callable.", TypeError)
    if not hasattr(source, "__getitem__") or inspect.isclass(source):
        for name, value in (("sampler", sampler), ("batch_sampler", batch_sampler), ("num_shards", num_shards)):
            check(value is None, f"{name} is not supported if source does not have attribute '__getitem__'.")

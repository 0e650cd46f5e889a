"""The nodes of `batch`, `padded_batch` and `bucket_batch_by_length`."""

import inspect
import logging
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Length, PositiveInt, That
from ..check import check
from ..rules import INT32_MAX, Columns, RowSize
from .block import Block, join_column, stack, type_text, values
from .gather import Pending
from .layout import arrange, names_are_free
from .node import UnionBaseDataset, to_list
from .processes import Call, in_processes, noted
from .stream import RepeatDataset, SyncWaitDataset
from .user_error import of_user, user_error
from .workers import ordered_map, worker_count

if TYPE_CHECKING:
    from .dataset import Dataset

_log = logging.getLogger("msjax.dataset")


class BatchInfo:
    """The batch's number in the epoch and the epoch's number, for functions given to `batch`."""

    def __init__(self, batch: int = 0, epoch: int = 0):
        self._batch, self._epoch = batch, epoch

    def get_batch_num(self):
        """Number of the batch in its epoch, from 0."""
        return self._batch

    def get_epoch_num(self):
        """Number of the epoch, from 0."""
        return self._epoch


def _shape_text(shape):
    return f"<{','.join(map(str, shape))}>"


def collate(rows_of_column: Any, position: int):
    """Values of one column as one array with a new leading axis.

    Args:
        rows_of_column: a list of arrays or of dicts of them.
        position (int): the column's position, for messages.

    Raises:
        RuntimeError: shapes or types differ.
    """
    first = rows_of_column[0]
    if isinstance(first, dict):
        return {
            key: collate(
                [
                    row[key] if isinstance(row[key], (np.ndarray, dict)) else np.asarray(row[key])
                    for row in rows_of_column
                ],
                position,
            )
            for key in first
        }
    for value in rows_of_column:
        check(
            value.dtype.kind == first.dtype.kind if first.dtype.kind in "US" else value.dtype == first.dtype,
            f"Cannot batch tensors with different types in column {position}. First element had type {first.dtype} "
            f"and this element had type {value.dtype}",
            RuntimeError,
        )
        check(
            value.shape == first.shape,
            f"Cannot batch tensors with different shapes in column {position}. First element had shape "
            f"{_shape_text(first.shape)} and this element had shape {_shape_text(value.shape)}",
            RuntimeError,
        )
    return np.array(rows_of_column) if first.dtype.kind in "US" else stack(rows_of_column)


def pad_to(value: Any, shape: Sequence[int], fill: Any):
    """An array of `shape` filled with `fill` (None: 0 or empty text), with `value` in its first corner; elements of `value` beyond the shape are
    dropped.
    """
    if value.shape == tuple(shape):
        return value
    fill, kind = np.zeros((), value.dtype) if fill is None else np.asarray(fill), value.dtype.kind
    text = kind in "US"
    check(
        fill.dtype.kind == kind if text else fill.dtype.kind not in "US",
        f"PadEnd: can not pad numeric and string tensors together, but got: {type_text(fill)} and {type_text(value)}.",
        RuntimeError,
    )
    if text:
        out = np.full(shape, fill, np.promote_types(value.dtype, fill.dtype))
    else:
        with np.errstate(invalid="ignore", over="ignore"):  # float32 on the way, as in MindSpore; -1 wraps in uint8
            fill = fill.astype(np.float32)
            out = np.full(shape, (fill.astype(np.int64) if kind in "iu" else fill).astype(value.dtype))
    corner = tuple(slice(0, min(a, b)) for a, b in zip(value.shape, shape, strict=True))
    out[corner] = value[corner]
    return out


PadShape = list[PositiveInt | None]
PadInfo: TypeAlias = dict[str, tuple[PadShape | None, int | float | bool | str | bytes | None] | None]


class Padding:
    """Pads the columns of a batch as `pad_info` says."""

    def __init__(self, pad_info: dict | None, names: Sequence[str]):
        for name in pad_info:
            check(
                name in names,
                f"Invalid pad_info, column name: {name} does not exist; the columns are {list(names)}.",
                RuntimeError,
            )
        # An empty pad_info pads all columns, one that names some pads those.
        infos = pad_info if pad_info else dict.fromkeys(names)
        self.columns = [(names.index(name), *(info or (None, None))) for name, info in infos.items()]

    def __call__(self, columns: Sequence, boundary: Any = None):
        """Columns, lists of values, with the padded ones replaced.

        An axis whose size is None in a given shape gets `boundary()`, if there is one; else the batch's largest.
        """
        for i, shape, fill in self.columns:
            column = values(columns[i])
            rank = column[0].ndim
            for value in column:
                check(
                    value.ndim == rank,
                    f"Invalid data, to pad column {i} its rows must have the same number of "
                    f"dimensions, but got {rank} and {value.ndim}.",
                    RuntimeError,
                )
            check(
                shape is None or len(shape) == rank,
                f"Invalid pad_info, rank of pad_shape must match the rank of the column, but got {shape} for a value "
                f"of rank {rank}.",
                RuntimeError,
            )
            largest = [max(value.shape[axis] for value in column) for axis in range(rank)]
            wanted = [None] * rank if shape is None else shape
            if boundary is not None and shape is not None and None in shape:
                largest = [boundary()] * rank
            target = tuple(largest[axis] if size is None else size for axis, size in enumerate(wanted))
            columns[i] = [pad_to(value, target, fill) for value in column]
        return columns


def _values_of(pieces):
    return [[value for piece in pieces for value in values(piece.columns[c])] for c in range(len(pieces[0].columns))]


def _batched(pieces, position):
    """Column `position` of a batch in pieces."""
    parts = [piece.columns[position] for piece in pieces]
    column = join_column(parts)
    return column if isinstance(column, np.ndarray) else collate(column, position)


def _batch_block(pieces, padding):
    """A batch in pieces as a Block of one row, padded if there is a Padding."""
    if padding is None:
        return Block([[_batched(pieces, i)] for i in range(len(pieces[0].columns))], 1)
    return Block([[collate(values(column), i)] for i, column in enumerate(padding(_values_of(pieces)))], 1)


class _Batching(UnionBaseDataset):
    """Shared code of BatchDataset and PaddedBatchDataset: batch sizes and the collection of rows."""

    def __init__(self, input_dataset, batch_size, drop_remainder, num_parallel_workers):
        if callable(batch_size):
            check(
                len(inspect.signature(batch_size).parameters) == 1,
                "callable batch_size should take one parameter (BatchInfo).",
            )
        super().__init__(children=input_dataset, num_parallel_workers=num_parallel_workers)
        if _has(self, RepeatDataset):
            _log.warning("Repeat is located before %s, data from two epochs can be batched together.", self._verb)
        self.batch_size = 1 if callable(batch_size) else batch_size
        self.batch_size_func = batch_size if callable(batch_size) else None
        self.drop_remainder = drop_remainder
        for node in _all(self):
            if isinstance(node, SyncWaitDataset):
                node.update_sync_batch_size(batch_size)

    def get_batch_size(self):
        return -1 if self.batch_size_func else self.batch_size

    def _count(self):
        if self.batch_size_func or self.batch_size == -1:
            return None
        rows = self.children[0].get_dataset_size()
        return rows // self.batch_size if self.drop_remainder else -(-rows // self.batch_size)

    def _gathered(self, run, epoch, shelves):
        """(pieces of a batch, BatchInfo) one after another."""
        pending, number = Pending(shelves), 0

        def size():
            if self.batch_size_func is None:
                return self.batch_size
            with of_user("the function batch_size"):
                wanted = self.batch_size_func(BatchInfo(number, epoch))
            check(
                isinstance(wanted, (int, np.integer)) and wanted > 0,
                f"Invalid parameter, batch_size function should return an integer greater than 0, but got: {wanted}.",
                RuntimeError,
            )
            return int(wanted)

        wanted = size()
        for block in self.children[0].blocks(run, epoch):
            while pending.count + block.count >= wanted:
                room = wanted - pending.count
                pending.add(block.slice(0, room), wanted)
                block = block.slice(room, block.count)
                yield pending.take(), BatchInfo(number, epoch)
                number += 1
                wanted = size()
            if block.count:
                pending.add(block, wanted)
        if pending.count and not self.drop_remainder:
            yield pending.take(), BatchInfo(number, epoch)


def _all(node):
    for child in node.children:
        yield child
        yield from _all(child)


def _has(node, kind):
    return any(isinstance(below, kind) for below in _all(node))


BatchSize = Annotated[int | bool, That("-1 or in [1, 2147483647]", lambda size: size == -1 or 1 <= size <= INT32_MAX)]
STRICTLY_RISING = That("in strictly rising order", lambda values: all(map(operator.lt, values, values[1:])))


class BatchDataset(_Batching):
    """The rows of a dataset in batches; see Dataset.batch."""

    _verb = "batch"

    @checked
    def __init__(
        self,
        input_dataset: "Dataset",
        batch_size: BatchSize | Callable,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        per_batch_map: Callable | None = None,
        input_columns: Columns | None = None,
        output_columns: Columns | None = None,
        python_multiprocessing: bool = False,
        max_rowsize: RowSize | None = None,
        pad_info: PadInfo | None = None,
        column_order: Sequence[str] | None = None,
    ):
        check(
            per_batch_map is not None or input_columns is None,
            "input_columns can be specified only when per_batch_map is set.",
        )
        if input_columns is not None and per_batch_map is not None and _parameters(per_batch_map) is not None:
            check(
                len(to_list(input_columns)) == _parameters(per_batch_map) - 1,
                "The signature of per_batch_map should match with input columns.",
            )
        super().__init__(input_dataset, batch_size, drop_remainder, num_parallel_workers)
        self.per_batch_map = per_batch_map
        self.input_columns, self.output_columns = to_list(input_columns), to_list(output_columns)
        self.python_multiprocessing, self.max_rowsize = python_multiprocessing, max_rowsize
        self.pad_info = pad_info  # the 1.x form of padded_batch
        self.column_order = to_list(column_order)

    def _layout(self):
        """(positions given to per_batch_map, how many columns it gives, columns by name as `arrange` gives them)."""
        have = list(self.children[0].column_names)
        if self.per_batch_map is None:
            return [], 0, arrange(have, [], [], self.column_order)
        names = self.input_columns or have
        taken, made = self._column_index(names), self.output_columns or names
        names_are_free(have, taken, made)
        return taken, len(made), arrange(have, taken, made, self.column_order)

    @property
    def column_names(self):
        return list(self._layout()[2])

    def blocks(self, run: Any, epoch: int):
        taken, made, columns_after = self._layout()
        names, sources = list(columns_after), list(columns_after.values())
        padding = None if self.pad_info is None else Padding(self.pad_info, names)
        gathered = self._gathered(run, epoch, shelves=padding is None and self.per_batch_map is None)
        if self.per_batch_map is None:
            for pieces, _ in gathered:
                if self.column_order:
                    pieces = [Block([piece.columns[i] for _, i in sources], piece.count) for piece in pieces]
                yield _batch_block(pieces, padding)
            return

        def arguments(item):
            pieces, info = item
            lists = [[value for piece in pieces for value in values(piece.columns[i])] for i in taken]
            return (*lists, info)

        workers = worker_count(self.num_parallel_workers)

        def work(item):
            with run.stream(self, epoch, workers, dealing) as stream:
                stream.at(item[1].get_batch_num())
                try:
                    return item, self.per_batch_map(*arguments(item))
                except Exception as err:
                    raise user_error(err, self.per_batch_map, item[1].get_batch_num(), names, None) from err

        processes = dealing = None
        if self.python_multiprocessing:
            dealing = run.dealing(self, epoch, workers)

            def processes(rest):
                batches = ((number, item, arguments(item)) for number, item in rest)
                call = Call(self.per_batch_map)
                return in_processes(run, self, epoch, call, "per_batch_map", batches, workers, dealing, most=1)

        results = ordered_map(run, self, work, gathered, workers, processes, dealing)
        for (pieces, _), result in noted(run, self, epoch, dealing, results) if dealing else results:
            result = result if isinstance(result, tuple) else (result,)
            check(
                len(result) == made,
                "Invalid per_batch_map, the number of columns returned by per_batch_map should match the number of "
                f"'output_columns', but got {len(result)} columns and {made} names.",
                RuntimeError,
            )
            # arrays and dicts are batches; where one column is something else, all are rows
            of_rows = any(not isinstance(column, (np.ndarray, dict)) for column in result)
            columns = []
            for position, (side, i) in enumerate(sources):
                if side == "in":
                    columns.append([_batched(pieces, i)])
                    continue
                column = result[i]
                if of_rows:
                    column = _of_rows(column, names[position], position, sum(piece.count for piece in pieces))
                columns.append([column])
            if padding is not None:
                columns = [
                    [collate(values(column), i)] for i, column in enumerate(padding([column[0] for column in columns]))
                ]
            yield Block(columns, 1)


def _of_rows(column, name, position, rows):
    """A column that per_batch_map gave as its rows; dicts become one dict of lists, which nobody batches further."""
    check(
        isinstance(column, (list, tuple, np.ndarray)),
        "Failed to convert rows: mismatched types returned from per_batch_map function. Each column should be a list, an array or a "
        f"dict, and no dict beside a list, but got {type(column)}.",
        RuntimeError,
    )
    check(
        len(column) == rows,
        f"Invalid data, column: {name} expects: {rows} rows returned from 'per_batch_map', got: {len(column)}",
        RuntimeError,
    )
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column[0], dict):
        check(
            all(isinstance(row, dict) and row.keys() >= column[0].keys() for row in column),
            f"Invalid per_batch_map, the rows of column {name} should all be dicts with the same keys.",
            RuntimeError,
        )
        return {key: [row[key] for row in column] for key in column[0]}
    return collate(
        [value if isinstance(value, (np.ndarray, dict)) else np.asarray(value) for value in column], position
    )


def _parameters(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return None if any(p.kind is p.VAR_POSITIONAL for p in parameters) else len(parameters)


class PaddedBatchDataset(_Batching):
    """The rows of a dataset padded to one shape, in batches; see Dataset.padded_batch."""

    _verb = "padded_batch"

    @checked
    def __init__(
        self,
        input_dataset: "Dataset",
        batch_size: BatchSize | Callable,
        drop_remainder: bool = False,
        num_parallel_workers: int | None = None,
        pad_info: PadInfo | None = None,
    ):
        super().__init__(input_dataset, batch_size, drop_remainder, num_parallel_workers)
        self.pad_info = pad_info

    def blocks(self, run: Any, epoch: int):
        names = list(self.column_names)
        padding = None if self.pad_info is None else Padding(self.pad_info, names)
        for pieces, _ in self._gathered(run, epoch, shelves=padding is None):
            yield _batch_block(pieces, padding)


class BucketBatchByLengthDataset(UnionBaseDataset):
    """The rows of a dataset in batches of like length; see Dataset.bucket_batch_by_length."""

    @checked
    def __init__(
        self,
        input_dataset: "Dataset",
        column_names: Columns,
        bucket_boundaries: Annotated[list[PositiveInt], Length(at_least=1), STRICTLY_RISING],
        bucket_batch_sizes: list[PositiveInt],
        element_length_function: Callable | None = None,
        pad_info: PadInfo | None = None,
        pad_to_bucket_boundary: bool = False,
        drop_remainder: bool = False,
    ):
        check(
            len(bucket_batch_sizes) == len(bucket_boundaries) + 1,
            "bucket_batch_sizes must contain one element more than bucket_boundaries.",
        )
        check(
            len(to_list(column_names)) == 1 or element_length_function is not None,
            "If element_length_function is not specified, exactly one column name should be passed.",
        )
        super().__init__(children=input_dataset)
        self.length_columns = to_list(column_names)
        self.bucket_boundaries, self.bucket_batch_sizes = bucket_boundaries, bucket_batch_sizes
        self.element_length_function = element_length_function
        self.pad_info = pad_info or {}
        self.pad_to_bucket_boundary, self.drop_remainder = pad_to_bucket_boundary, drop_remainder

    def get_batch_size(self):
        return 1

    def _count(self):
        return None

    def _length(self, row, taken):
        if self.element_length_function is None:
            value = row[taken[0]]
            return value.shape[0] if value.ndim else 1
        with of_user("element_length_function"):
            length = self.element_length_function(*(row[i] for i in taken))
        whole = np.asarray(length)
        check(
            whole.size == 1
            and not isinstance(length, (tuple, list, float))
            and whole.dtype.kind in "iubf"
            and whole >= 0,
            f"Invalid element_length_function, it must return an integer greater than or equal to 0, but got {length!r}.",
            RuntimeError,
        )
        return int(whole.item())

    def blocks(self, run: Any, epoch: int):
        names = list(self.column_names)
        taken = self._column_index(self.length_columns, "column_names")
        padding = Padding(self.pad_info, names)
        buckets = [[] for _ in self.bucket_batch_sizes]

        def batch(bucket):
            def boundary():
                check(
                    bucket < len(self.bucket_boundaries),
                    "Invalid data, if pad_to_bucket_boundary is enabled, the rows must not be longer than the last "
                    "bucket boundary.",
                    RuntimeError,
                )
                return self.bucket_boundaries[bucket] - 1

            columns = padding(
                [list(column) for column in zip(*buckets[bucket], strict=True)],
                boundary if self.pad_to_bucket_boundary else None,
            )
            buckets[bucket] = []
            return Block([[collate(column, i)] for i, column in enumerate(columns)], 1)

        for block in self.children[0].blocks(run, epoch):
            for row in block.rows():
                bucket = int(np.searchsorted(self.bucket_boundaries, self._length(row, taken), side="right"))
                buckets[bucket].append(row)
                if len(buckets[bucket]) == self.bucket_batch_sizes[bucket]:
                    yield batch(bucket)
        if not self.drop_remainder:
            for bucket, rows in enumerate(buckets):
                if rows:
                    yield batch(bucket)

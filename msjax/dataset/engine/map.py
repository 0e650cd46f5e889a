"""The node of `Dataset.map`: runs a chain of operations over columns of each row.

Two ways through a chain give the same rows. An elementwise Operation whose input column is stacked runs on the whole
block; it does so only after the first and the last row of a block have been computed both ways and agreed to the bit,
for each shape and dtype it meets. Everything else runs row by row, in threads or processes where that pays.
"""

import contextlib
import inspect
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.spec.checking import checked, compare
from .. import config
from ..check import check
from ..config import ErrorSamplesMode
from ..debug import DebugHook
from ..operation import Implementation, Operation, as_array, operation_name
from ..rules import Columns, RowSize
from .block import Block, pack, values
from .callbacks import CallbackRunner, DSCallback
from .lanes import TRIALS, Lanes, global_draws, in_turn
from .layout import arrange
from .node import UnionBaseDataset, to_list
from .processes import MapRow, in_processes
from .replacements import Replacements
from .user_error import user_error
from .workers import Meter, in_threads, worker_count

if TYPE_CHECKING:
    from .cache import DatasetCache
    from .dataset import Dataset

_VECTOR_ROWS = 4  # a block with fewer rows is not worth the comparison
_PORTION = (
    2 << 20
)  # bytes of results that are made before they are handed on: they stay in the cache, and their memory is used again


def flatten(operations: Any):
    """A list of operations in which each container of operations (Compose) is replaced by its content."""
    flat = []
    for operation in operations:
        parts = getattr(operation, "parts", None)
        flat.extend(flatten(parts()) if parts is not None else [operation])
    return flat


def _arrays(row):
    return all(isinstance(value, np.ndarray) for value in row)


def call(operation: Any, row: tuple, on_arrays: bool = False):
    """One operation on the columns of one row, which become arrays first where it takes no others; always gives a tuple."""
    if on_arrays and not _arrays(row):
        row = tuple(map(to_column_value, row))
    if isinstance(operation, Operation) and (
        _arrays(row) or getattr(operation, "implementation", None) == Implementation.C
    ):
        result = operation.apply(*row)
    else:
        result = operation(*row)
    if isinstance(result, tuple):
        return result
    check(
        result is not None,
        f"map operation: [{operation_name(operation)}] failed. Got None from Python object.",
        RuntimeError,
    )
    return (result,)


def to_column_value(value: Any):
    """The result of a map's last operation as the value of a column: an array, or a dict as it is."""
    if isinstance(value, np.ndarray):
        return value
    check(value is not None, "map operation: [PyFunc] failed. Got None from Python object.", RuntimeError)
    if isinstance(value, dict):
        return value
    check(
        not inspect.isgenerator(value),
        "Cannot pickle <class 'generator'> object, please verify pyfunc return with numpy array",
        RuntimeError,
    )
    return as_array(value)


class Chain:
    """Operations that follow one another, and how to run them on blocks.

    Args:
        operations (list): Operations and functions.
        names (list[str]): the columns that the first one takes.
        in_processes (bool): whether the functions of Python among the operations run in processes of their own.
    """

    def __init__(self, operations: list, names: list[str], in_processes: bool = False):
        self.operations = flatten(operations)
        self.names = names
        self._agreed = {}  # (operation's place, shapes and dtypes) -> whether whole blocks give the same
        self._row_bytes = None  # what a row was seen to take at the end of the chain
        self.random = any(isinstance(each, Operation) and not each.deterministic for each in self.operations)
        python = [_in_python(each) for each in self.operations]
        self.in_python = any(python)
        # A process calls its operations as a user does, and those look at what they get.
        eager = in_processes and self.in_python
        self._on_arrays = [False] * len(python) if eager else _on_arrays(self.operations)
        # Whether whole blocks would change the order in which Python's operations draw from the global generators; None: not yet known.
        between = (_elementwise(each) and any(python[:i]) and any(python[i:]) for i, each in enumerate(self.operations))
        self.by_row = None if any(between) else False
        self._watched = 0
        following = [*self.operations[1:], None]
        # place -> what does the work of the operation there and of the next one
        self._pairs = {
            place: both
            for place, (one, other) in enumerate(zip(self.operations, following, strict=True))
            if _elementwise(one) and _elementwise(other) and (both := one._with_next(other)) is not None
        }

    def run_row(self, row: tuple, stream: Any, number: float):
        """The chain on one row, the `number`-th of its epoch; a tuple of column values."""
        for place, operation in enumerate(self.operations):
            stream.at(number, place)
            try:
                row = call(operation, row, self._on_arrays[place])
            except Exception as err:
                raise user_error(err, operation, number, self.names, row) from err
        try:
            return tuple(to_column_value(value) for value in row)
        except Exception as err:
            raise user_error(err, self.operations[-1], number, self.names, row) from err

    def _stacked(self, place, columns, count, stream):
        """The operation at `place` on whole columns, or None where that may not be done."""
        operation = self.operations[place]
        if not _elementwise(operation) or count < _VECTOR_ROWS or self.by_row:
            return None
        if not all(isinstance(column, np.ndarray) for column in columns):
            return None
        key = (place, *((column.shape[1:], column.dtype) for column in columns))
        agreed = self._agreed.get(key)
        if agreed is False:
            return None
        try:
            result = operation.apply_block(*columns)
            result = result if isinstance(result, tuple) else (result,)
            if agreed is None:
                stacked = all(isinstance(column, np.ndarray) and len(column) == count for column in result)
                self._agreed[key] = agreed = stacked and all(
                    _same(result, call(operation, tuple(column[i, ...] for column in columns)), i)
                    for i in (0, count - 1)
                )
        except Exception:  # a wrong row: going row by row says which
            return None
        return result if agreed else None

    def run_block(self, columns: Sequence, count: int, stream: Any, first: int):
        """The chain on a block whose first row is row number `first`; rows as columns, and which rows were kept."""
        if self.by_row is None:
            before = global_draws()
            result = self._run_block(columns, count, stream, first)
            self._watched += 1
            if global_draws() != before:
                self.by_row = True
            elif self._watched >= TRIALS:
                self.by_row = False
            return result
        return self._run_block(columns, count, stream, first)

    def _run_block(self, columns, count, stream, first):
        place, kept = 0, None
        while place < len(self.operations):
            result = self._stacked(place, columns, count, stream)
            if result is not None:
                columns, place = list(result), place + 1
                continue
            stop = place + (2 if place in self._pairs else 1)
            while stop < len(self.operations) and (self.by_row or not _elementwise(self.operations[stop])):
                stop += 1
            columns, kept, numbers = self._rows(place, stop, columns, count, stream, first, kept)
            count, place = len(numbers), stop
            if not count:
                return [], [], 0
        self._row_bytes = sum(_nbytes(column) for column in columns) / count
        return columns, kept, count

    def portions(self, block: Any, first: Any):
        """`block`, whose first row is row number `first`, in (pieces, first row's number) whose results are not large together."""
        start = 0
        while start < block.count:
            rows = 1 if self._row_bytes is None else max(int(_PORTION / (self._row_bytes or 1)), 1)
            stop = min(start + rows, block.count)
            yield block.slice(start, stop), first + start
            start = stop

    def _rows(self, start, stop, columns, count, stream, first, kept):
        mode = config.get_error_samples_mode()
        rows, numbers = [], []
        before = range(count) if kept is None else kept
        for i, row in zip(before, zip(*map(values, columns), strict=True), strict=True):
            try:
                place = start
                while place < stop:
                    if place in self._pairs and (both := self._pair(place, row)) is not None:
                        row, place = both, place + 2
                        continue
                    operation = self.operations[place]
                    stream.at(first + i, place)
                    row = call(operation, row, self._on_arrays[place])
                    place += 1
                if stop == len(self.operations):
                    row = tuple(map(to_column_value, row))
            except Exception as err:
                if mode == ErrorSamplesMode.RETURN:
                    raise user_error(err, operation, first + i, self.names, row) from err
                continue
            rows.append(row)
            numbers.append(i)
        if not rows:
            return [], [], numbers
        return [pack(list(column)) for column in zip(*rows, strict=True)], numbers, numbers

    def _pair(self, place, row):
        """A row after the operation at `place` and the next one, in one; None where they do not give the same so, to the bit."""
        if not _arrays(row):
            return None
        key = ("pair", place, *((value.shape, value.dtype) for value in row))
        agreed = self._agreed.get(key)
        if agreed is False:
            return None
        try:
            result = (self._pairs[place](*row),)
            if agreed is None:
                one, other = self.operations[place : place + 2]
                stacked = [value[None] for value in result]
                self._agreed[key] = agreed = _same(stacked, call(other, call(one, row)), 0)
        except Exception:  # one by one they say what is wrong
            return None
        return result if agreed else None


def _in_python(operation):
    """Whether MindSpore runs it in Python: a function of the user, or an operation that is bound to images of Pillow."""
    return (
        getattr(operation, "implementation", None if isinstance(operation, Operation) else Implementation.PY)
        == Implementation.PY
    )


def _on_arrays(operations):
    """Which operations take arrays only: MindSpore settles it before the first row.

    An operation that is bound to neither form takes images of Pillow behind one that does, and arrays behind all others: behind a function
    of the user, too, whose image of Pillow becomes an array.
    """
    settled, before = [], Implementation.C
    for operation in operations:
        if isinstance(operation, DebugHook):
            settled.append(False)
            continue
        ours = isinstance(operation, Operation)
        kind = getattr(operation, "implementation", None if ours else Implementation.C)
        before = before if kind is None else kind
        settled.append(ours and before == Implementation.C)
    return settled


def _nbytes(column):
    return column.nbytes if isinstance(column, np.ndarray) else sum(getattr(value, "nbytes", 0) for value in column)


def _elementwise(operation):
    return isinstance(operation, Operation) and operation.elementwise and operation.deterministic


def _same(columns, row, i):
    if len(columns) != len(row):
        return False
    for column, value in zip(columns, row, strict=True):
        if not isinstance(value, np.ndarray) or column.dtype != value.dtype or column.shape[1:] != value.shape:
            return False
        if column[i, ...].tobytes() != value.tobytes():
            return False
    return True


class MapDataset(UnionBaseDataset):
    """The rows of a dataset with operations applied; see Dataset.map."""

    @checked
    def __init__(
        self,
        input_dataset: "Dataset",
        operations: Any = None,
        input_columns: Any = None,
        output_columns: Columns | None = None,
        num_parallel_workers: int | None = None,
        python_multiprocessing: bool = False,
        cache: "DatasetCache | None" = None,
        callbacks: DSCallback | list[DSCallback] | None = None,
        max_rowsize: RowSize | None = None,
        offload: bool | None = None,
        column_order: Sequence[str] | None = None,
    ):
        if _names(operations) and not _names(input_columns):
            operations, input_columns = input_columns, operations  # the order of 1.0
        compare("MapDataset", "input_columns", input_columns, Columns | None)
        super().__init__(children=input_dataset, num_parallel_workers=num_parallel_workers, cache=cache)
        self.operations = to_list(operations)
        for operation in self.operations:
            check(
                not isinstance(operation, type),
                "Parameter operations's element of method map should be a dataset processing operation instance, but "
                f"got: {operation}. It may be missing parentheses for instantiation.",
            )
            check(
                callable(operation),
                "Parameter operations's element of method map should be a python function or class method which "
                f"should be callable, but got: {operation}. It doesn't need parentheses for python function or class "
                "method.",
            )
            check(
                not any(base.__name__ in ("Cell", "Primitive") for base in type(operation).__mro__),
                "Input operations should not contain network computing operator like in mindspore.nn or "
                f"mindspore.ops, got operation: {operation}",
            )
        self.callbacks = to_list(callbacks)
        self.input_columns = to_list(input_columns)
        self.output_columns = to_list(output_columns) or self.input_columns
        self.column_order = to_list(column_order)
        self.python_multiprocessing = python_multiprocessing
        self.max_rowsize, self.offload = max_rowsize, offload

    def _layout(self):
        """(positions of the inputs, their names, names of the outputs, columns by name as `arrange` gives them)."""
        have = list(self.children[0].column_names)
        names = self.input_columns or have[:1]
        taken, made = self._column_index(names), self.output_columns or names
        return taken, names, made, arrange(have, taken, made, self.column_order)

    @property
    def column_names(self):
        return list(self._layout()[3])

    def _count(self):
        if config.get_error_samples_mode() == ErrorSamplesMode.SKIP:
            return None
        return self.children[0].get_dataset_size()

    def blocks(self, run: Any, epoch: int):
        taken, names, made, columns_after = self._layout()
        sources = list(columns_after.values())
        operations = self.operations
        if config.get_debug_mode():
            operations = _with_hooks(flatten(operations), config.debug_hooks())
        chain = run.remember(self, lambda: Chain(operations, names, self.python_multiprocessing), "chain")
        replace = config.get_error_samples_mode() == ErrorSamplesMode.REPLACE
        replacements = run.remember(self, Replacements, "replacements") if replace else None
        for block, columns, kept in self._results(run, epoch, chain, taken):
            rows = block.count
            if kept is not None and not len(kept):
                block = Block([], 0)
            else:
                check(
                    len(columns) == len(made),
                    "Invalid columns, the number of columns returned in 'map' operations should match the number of "
                    f"'output_columns', but got the number of columns returned in 'map' operations: {len(columns)}, the "
                    f"number of 'output_columns': {len(made)}.",
                    RuntimeError,
                )
                if kept is not None and len(kept) != rows:
                    block = block.select(kept)
                block = Block([columns[i] if side == "out" else block.columns[i] for side, i in sources], block.count)
            if replacements:
                yield from replacements.among(block, kept, rows)
            elif block.count:
                yield block
        if replacements:
            yield from replacements.rest()

    def _results(self, run, epoch, chain, taken):
        """Blocks of the child, each with the columns that the chain made of it and the rows that it kept."""
        dealt = chain.random or self.python_multiprocessing and chain.in_python  # the rows' workers count
        if dealt and run.seeded:
            self._catch_up(run, epoch, chain, taken)
        child = self.children[0].blocks(run, epoch)
        if self.callbacks and not run.getter:
            child = CallbackRunner(self.callbacks, run, self, epoch).around(child)
        if not dealt:
            yield from self._worked(run, epoch, chain, taken, child, worker_count(self.num_parallel_workers), None)
            return
        results = self._dealt(run, epoch, chain, taken, child)
        if run.seeded:
            run.memory[(id(self), "rest")] = results
        yield from iter(results.__next__, None)

    def _catch_up(self, run, epoch, chain, taken):
        """Runs what is left of earlier epochs that were left early (by take): MindSpore runs them to their ends, drawing for each row."""
        for _ in run.memory.pop((id(self), "rest"), ()):
            continue
        passes = run.remember(self, lambda: {"next": epoch}, "passes")
        for missed in range(passes["next"], epoch):
            for _ in self._dealt(run, missed, chain, taken, self.children[0].blocks(run, missed)):
                continue
        passes["next"] = epoch + 1

    def _dealt(self, run, epoch, chain, taken, child):
        workers = worker_count(self.num_parallel_workers)
        called = self.python_multiprocessing and chain.in_python
        dealing = (run.dealing if called else run.lanes)(self, epoch, workers)
        rows = 0

        def counted():
            nonlocal rows
            for block in child:
                rows += block.count
                yield block

        yield from self._worked(run, epoch, chain, taken, counted(), workers, dealing)
        dealing.end(rows)
        run.note(self, epoch + 1, dealing)

    def _worked(self, run, epoch, chain, taken, child, workers, dealing):
        alone = (
            workers == 1
            or run.getter
            or bool(self.callbacks)
            or config.get_error_samples_mode() != ErrorSamplesMode.RETURN
        )
        lanes = dealing if isinstance(dealing, Lanes) else None
        processes = dealing if lanes is None else None
        functions = any(not isinstance(operation, Operation) for operation in chain.operations)
        meter = Meter(run.seeded and functions, processes)

        def work(piece):
            block, first = piece
            started = time.perf_counter()
            with (
                run.stream(self, epoch, workers, dealing) as stream,
                processes.global_generators(first) if processes else contextlib.nullcontext(),
            ):
                columns, kept, _ = chain.run_block([block.columns[i] for i in taken], block.count, stream, first)
            meter.add(time.perf_counter() - started, block.count)
            return block, columns, kept

        def one_by_one():
            return chain.by_row is None or (meter.on_trial if not alone else processes and workers > 1)

        pieces = _numbered(child)
        for block, first in pieces:
            while block.count and one_by_one() and not run.has(self, "processes"):
                yield from self._whole(work, block.slice(0, 1), first, lanes)
                block, first = block.slice(1, block.count), first + 1
            if not run.has(self, "processes") and (alone or not meter.worth_it()):
                for portion, number in chain.portions(block, first):
                    yield from self._whole(work, portion, number, lanes)
                continue
            singles = _singles(block, first, pieces)
            if processes:
                rows = (
                    (number, single, tuple(values(single.columns[c])[0] for c in taken)) for single, number in singles
                )
                what = f"map of column(s) {chain.names}"
                for single, row in in_processes(run, self, epoch, MapRow(chain), what, rows, workers, processes):
                    yield single, [[value] for value in row], None
                return
            if lanes:
                work, turns = in_turn(work, lambda piece: lanes.lane(piece[1]), run.stopped)
                singles = turns(singles)
            yield from in_threads(run, self, work, singles, workers)
            return

    def _whole(self, work, block, first, lanes):
        """A block in one piece; where a row of it raises, the rows before that one are still given."""
        if not block.count:
            return
        before = lanes.state if lanes else None
        try:
            result = work((block, first))
        except Exception as err:
            good = getattr(err, "row_number", first) - first
            if 0 < good < block.count:
                if lanes:
                    lanes.state = before
                yield work((block.slice(0, good), first))
            raise
        yield result


def _names(value):
    return isinstance(value, str) or isinstance(value, list) and bool(value) and isinstance(value[0], str)


def _numbered(blocks):
    first = 0
    for block in blocks:
        yield block, first
        first += block.count


def _singles(block, first, pieces):
    for i in range(block.count):
        yield block.slice(i, i + 1), first + i
    for block, first in pieces:
        for i in range(block.count):
            yield block.slice(i, i + 1), first + i


def _with_hooks(operations, hooks):
    """Operations with debug hooks before the first and after each."""

    def hook_after(name, first):
        made = []
        for hook in hooks:
            new = object.__new__(type(hook))
            new.__dict__.update(hook.__dict__)
            new.set_previous_op_name(name)
            new.set_is_first(first)
            made.append(new)
        return made

    names = [getattr(operation, "__name__", type(operation).__name__) for operation in operations]
    result = hook_after(names[0], True) if operations else []
    for operation, name in zip(operations, names):
        result.append(operation)
        if not isinstance(operation, DebugHook):
            result.extend(hook_after(name, False))
    return result

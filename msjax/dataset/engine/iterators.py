"""Iterators over a pipeline: a thread runs it ahead; rows become Tensors one ahead of the row that is given.

The only file of the package that makes Tensors, and so the only one that reaches JAX, when it is first asked for one.
Tensors are made in the consumer's thread: that does not wait for the copy to the device, and a thread in which JAX has
run keeps memory when it ends.
"""

import atexit
import collections
import copy
import logging
import threading
import weakref
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ...core.spec.checking import checked
from ...core.spec.rules import Raises, That
from .. import config
from ..check import check
from .progress import Progress
from .run import Run

if TYPE_CHECKING:
    from .dataset import Dataset

__all__ = ["DictIterator", "DummyIterator", "Iterator", "TupleIterator"]

_log = logging.getLogger("msjax.dataset")
_BYTES_AHEAD = 1 << 27
_BLOCKS_AHEAD = 2  # always allowed, however large they are


class _Channel:
    """Blocks on their way from the pipeline's thread to the iterator; bounded in rows and bytes."""

    def __init__(self, rows):
        self.changed = threading.Condition()
        self.items = collections.deque()
        self.limit = rows
        self.rows = self.bytes = 0
        self.epochs = 0  # epochs asked for so far
        self.closed = False

    def put(self, kind, content, rows=0, size=0):
        """Passes one item on; False if the reader has gone."""
        with self.changed:
            self.changed.wait_for(
                lambda: (
                    self.closed
                    or len(self.items) < _BLOCKS_AHEAD
                    or (self.rows + rows <= self.limit and self.bytes + size <= _BYTES_AHEAD)
                )
            )
            if self.closed:
                return False
            self.items.append((kind, content, rows, size))
            self.rows += rows
            self.bytes += size
            self.changed.notify_all()
            return True

    def get(self):
        with self.changed:
            # A wait without an end would not see Ctrl-C on every platform.
            while not self.items:
                self.changed.wait(1.0)
            kind, content, rows, size = self.items.popleft()
            self.rows -= rows
            self.bytes -= size
            self.changed.notify_all()
            return kind, content

    def has_rows(self):
        """Whether rows can be got without waiting."""
        with self.changed:
            return bool(self.items) and self.items[0][0] == "rows"

    def start_epoch(self):
        with self.changed:
            self.epochs += 1
            self.changed.notify_all()

    def await_epoch(self, epoch):
        """Waits until epoch number `epoch` (from 0) is requested; False if the iterator has gone."""
        with self.changed:
            self.changed.wait_for(lambda: self.closed or self.epochs > epoch)
            return not self.closed

    def close(self):
        with self.changed:
            self.closed = True
            self.items.clear()
            self.changed.notify_all()


def _skip(blocks, rows):
    for block in blocks:
        if rows >= block.count:
            rows -= block.count
            continue
        yield block.slice(rows, block.count) if rows else block
        rows = 0


def _epoch_rows(dataset, run, epoch, skip):
    """The blocks of an epoch as (list of rows, bytes)."""
    blocks = dataset.blocks(run, epoch)
    for block in _skip(blocks, skip) if skip else blocks:
        size = sum(
            column.nbytes if isinstance(column, np.ndarray) else sum(getattr(value, "nbytes", 0) for value in column)
            for column in block.columns
        )
        yield list(block.rows()), size


def _run_before(dataset, run, epoch):
    """Without fast recovery the epochs before the first one are run and dropped, so that random operations go on from them."""
    for passed in range(0 if config.get_fast_recovery() or run.goes_on else epoch):
        for _ in dataset.blocks(run, passed):
            pass


def _run_ahead(dataset, run, channel, start):
    """The pipeline's thread. It knows nothing of the iterator, so that the iterator can be collected while it runs."""
    epoch, skip = start
    asked = 0
    try:
        _run_before(dataset, run, epoch)
        while channel.await_epoch(asked):
            for rows, size in _epoch_rows(dataset, run, epoch, skip):
                if not channel.put("rows", rows, len(rows), size):
                    return
            channel.put("end", None)
            epoch, skip, asked = epoch + 1, 0, asked + 1
    # also SystemExit of user code: the consumer must hear of it, or it would wait for ever
    except BaseException as err:
        channel.put("error", err)
    finally:
        run.close()


def _shut(channel, run, thread):
    channel.close()
    run.close()
    if thread is not threading.current_thread():
        thread.join(2.0)


ITERATORS_LIST = []  # weak references to the iterators that were not stopped yet; tests of projects look into it


@atexit.register
def _cleanup():
    """Stop all iterators."""
    for reference in reversed(ITERATORS_LIST):
        iterator = reference()
        if iterator is not None:
            iterator.stop()


def _unset_iterator_cleanup():
    """Nothing: an iterator that is made after a `_cleanup` runs like any other."""


Epochs = Annotated[int, That("-1 or above 0", lambda count: count == -1 or count > 0), Raises(value=RuntimeError)]


class Iterator:
    """Base of DictIterator and TupleIterator.

    Args:
        dataset (Dataset): what to iterate over.
        num_epochs (int): how many times it can be run through; -1: any number.
        output_numpy (bool): NumPy arrays instead of Tensors.
        do_copy (bool): accepted; a row never shares memory with another.
    """

    @checked
    def __init__(
        self,
        dataset: "Dataset",
        num_epochs: Epochs = -1,
        output_numpy: bool | None = False,
        do_copy: bool | None = False,
    ):
        self.dataset = copy.copy(dataset)
        self._original = dataset
        self._num_epochs = num_epochs
        self._convert = _numpy_value if output_numpy else tensor_maker()
        self._start = (0, 0)
        step = dataset.get_init_step()
        if step:
            self._start = divmod(step, dataset.get_dataset_size())
        self._close = None
        self._col_names = None
        self._reset_state()
        ITERATORS_LIST.append(weakref.ref(self, ITERATORS_LIST.remove))

    def _reset_state(self):
        self._channel = self._error = None
        self._rows = collections.deque()  # rows that came, not yet converted
        self._ready = None  # the next row, converted
        self._epochs = self._start[0]  # epochs finished
        self._given = 0  # rows given in this epoch
        self._inside = False  # within an epoch
        self._progress = None

    def _launch(self):
        names = self.get_col_names()
        self._names = [name for name in names if not name.startswith("_meta-")]  # what sources tell operations only
        if len(self._names) < len(names):
            self.dataset = self.dataset.project(self._names)
        origin = self._original
        run = Run(self.dataset, seed=origin.next_run_seed, draws=origin.next_run_draws)
        origin.last_run_seed, origin.last_run_draws = run.seed, run.draws_at
        origin.next_run_seed = origin.next_run_draws = None
        if config.get_debug_mode():  # in this thread, so that breakpoints work
            self._channel = _Direct(self.dataset, run, self._start)
            self._close = weakref.finalize(self, run.close)
        else:
            self._channel = _Channel(config.get_prefetch_size() * (1 if self.dataset.get_batch_size() > 1 else 64))
            thread = threading.Thread(
                target=_run_ahead,
                name="msjax-dataset",
                daemon=True,
                args=(self.dataset, run, self._channel, self._start),
            )
            self._close = weakref.finalize(self, _shut, self._channel, run, thread)
            thread.start()
        self._close.atexit = False  # _cleanup does it, before threads are frozen

    def __iter__(self):
        return self

    def __next__(self):
        if self._ready is not None or self._rows:
            row = self._ready or self._converted()
            self._ready = None
            if not self._rows and self._channel is not None and self._channel.has_rows():
                self._rows.extend(self._channel.get()[1])
                # Its copy to the device runs while the consumer works on the row before.
                self._ready = self._converted()
            self._given += 1
            if self._progress is not None:
                self._progress.step()
            return self._output(row)
        if self._error is not None:
            raise self._error
        if not self._inside:
            check(
                self._num_epochs == -1 or self._epochs < self._num_epochs,
                "EOF buffer encountered. User tries to fetch data beyond the specified number of epochs. The iterator was made with "
                f"num_epochs={self._num_epochs}. Make a new one, or one with a larger num_epochs.",
                RuntimeError,
            )
            if self._channel is None:
                self._launch()
            self._channel.start_epoch()
            self._inside, self._given = True, 0
            if config.get_enable_progress():
                self._progress = Progress(self._original.dataset_size, f"epoch {self._epochs + 1}")
        kind, content = self._channel.get()
        if kind == "rows":
            self._rows.extend(content)
            return self.__next__()
        if kind == "error":
            self._error = content
            self.stop(keep=True)
            raise content
        self._inside = False
        if self._progress is not None:
            self._progress.close()
            self._progress = None
        if not self._given:
            _log.warning("No records available.")
        whole = self._epochs > self._start[0] or not self._start[1]
        if self._original.dataset_size is None and whole:
            self._original.dataset_size = self._given
        self._epochs += 1
        if self._epochs == self._num_epochs:
            self.stop(keep=True)
        raise StopIteration

    def _converted(self):
        return [self._convert(value) for value in self._rows.popleft()]

    def stop(self, keep: bool = False):
        """Ends the run: its thread stops, its workers and files are closed."""
        if self._close is not None:
            self._close()
            self._close = None
        ITERATORS_LIST[:] = [r for r in ITERATORS_LIST if r() not in (None, self)]
        if not keep:
            self._rows.clear()
            self._ready = None
            self._error = AttributeError(
                f"'{type(self).__name__}' object has no attribute '_runtime_context': the iterator does not have a running "
                "pipeline, it was stopped."
            )

    def release(self):
        """Ends the run."""
        self.stop()

    def get_col_names(self):
        """Names of the columns, a list of str."""
        if self._col_names is None:
            self._col_names = self._original.get_col_names()
        return self._col_names

    def waiting(self):
        """Rows that are ready to be given, an int."""
        queued = self._channel.rows if isinstance(self._channel, _Channel) else 0
        return len(self._rows) + (self._ready is not None) + queued

    def _reset(self, step, dataset_size):
        """Goes on at `step`, counted over all epochs of `dataset_size` steps."""
        if self._close is not None:
            self._close()
        self._start = divmod(step, dataset_size)
        self._reset_state()

    def __deepcopy__(self, memo):
        return self

    def _output(self, row):
        raise NotImplementedError(f"{type(self).__name__} has to implement _output().")


class _Direct:
    """Stands in for _Channel where the pipeline runs in the consumer's thread."""

    def __init__(self, dataset, run, start):
        _run_before(dataset, run, start[0])
        self._next = (dataset, run, *start)
        self._rows = None

    @staticmethod
    def has_rows():
        """Rows are made when they are asked for, never ahead."""
        return False

    def start_epoch(self):
        dataset, run, epoch, skip = self._next
        self._rows = _epoch_rows(dataset, run, epoch, skip)
        self._next = (dataset, run, epoch + 1, 0)

    def get(self):
        try:
            return "rows", next(self._rows)[0]
        except StopIteration:
            return "end", None
        except Exception as err:
            return "error", err


class DictIterator(Iterator):
    """Gives each row as a dict from column name to Tensor (or array)."""

    def _output(self, row):
        return dict(zip(self._names, row, strict=True))


class TupleIterator(Iterator):
    """Gives each row as a list of Tensors (or arrays).

    Args:
        columns (Union[str, list[str]], optional): which columns; None: all.
        The other arguments are those of Iterator.
    """

    def __init__(
        self,
        dataset: "Dataset",
        columns: str | list[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ):
        if columns is not None:
            dataset = dataset.project(columns)
        super().__init__(dataset, num_epochs, output_numpy, do_copy)

    def _output(self, row):
        return row


class DummyIterator:
    """Gives one row of zeros with the dataset's shapes and types."""

    def __init__(self, dataset: "Dataset", mode: Any, output_numpy: bool = False):
        self.mode = mode
        self.shapes, self.types = dataset.output_shapes(), dataset.output_types()
        self.col_names = dataset.get_col_names()
        self.output_numpy = output_numpy
        self.fetched_first = False

    def __iter__(self):
        return self

    def __next__(self):
        if self.fetched_first:
            raise StopIteration
        self.fetched_first = True
        convert = _numpy_value if self.output_numpy else tensor_maker()
        row = [convert(np.zeros(shape, dtype)) for shape, dtype in zip(self.shapes, self.types, strict=True)]
        return dict(zip(self.col_names, row, strict=True)) if self.mode == "dict" else row


def _nested(value, convert):
    """Python values (a row of dicts): arrays, numbers and texts inside are converted, None is left."""
    if isinstance(value, dict):
        return {key: _nested(item, convert) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_nested(item, convert) for item in value)
    return value if value is None else convert(np.asarray(value))


def _numpy_value(value):
    return value if isinstance(value, np.ndarray) else _nested(value, _numpy_value)


def tensor_maker():
    """A function that makes a Tensor of an array (of each array in dicts, lists and tuples); strings stay arrays."""
    from ...core.values.printing import shown_as_array  # here: everything else in the package must not reach JAX
    from ...core.values.tensor import Tensor

    def tensor(value):
        if not isinstance(value, np.ndarray):
            return _nested(value, tensor)
        return value if value.dtype.kind in "USO" else shown_as_array(Tensor(value))

    return tensor

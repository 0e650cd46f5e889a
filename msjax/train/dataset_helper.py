"""Feeding datasets to networks: batch by batch, or *sunk*: many steps in one compiled program.

A sunk step runs `lax.scan` over batches that were stacked on the host, in chunks of bounded size, so that the host is asked once for
many steps. The state is carried through and donated.
"""

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import log
from ..core.keywords import old_keywords
from ..core.settings import context
from ..core.spec.checking import checked
from ..core.spec.rules import Like
from ..core.trace.compile import Compiled
from ..core.values.tensor import Tensor, on_device, wrap
from ..dataset.engine.transfer import FetchTimes
from ..inner.compile_options import JitConfig
from ..nn.cell.cell import Cell

if TYPE_CHECKING:
    from .callback.base import RunContext

__all__ = ["DatasetHelper", "connect_network_with_dataset", "data_sink"]

_CHUNK_BYTES = 64 << 20  # of one stack of batches
_CHUNK_STEPS = 64


def _checked_sink(where, dataset_sink_mode, sink_size, epoch_num):
    if not isinstance(dataset_sink_mode, bool):
        raise TypeError(
            f"For '{where}', the 'dataset_sink_mode' must be a bool, but got {type(dataset_sink_mode).__name__}."
        )
    if isinstance(sink_size, bool) or not isinstance(sink_size, int):
        raise TypeError(f"For '{where}', the 'sink_size' must be int, but got {type(sink_size).__name__}.")
    if sink_size < -1 or sink_size == 0:
        raise ValueError(f"For '{where}', the 'sink_size' must be -1 or positive, but got sink_size {sink_size}.")
    if isinstance(epoch_num, bool) or not isinstance(epoch_num, int):
        raise TypeError(f"For '{where}', the 'epoch_num' must be int, but got {type(epoch_num).__name__}.")


class DatasetHelper:
    """Iterates over a dataset, one epoch each time it is iterated.

    Without sinking it gives tuples of Tensors. With sinking it gives an empty tuple for each `sink_size` steps: the network that
    `connect_network_with_dataset` returns takes the data itself.

    Args:
        dataset: a dataset, or any iterable of tuples. dataset_sink_mode: sink. sink_size: steps of one call; -1: the whole dataset.
        epoch_num: epochs that will be asked for.

    Example:
        >>> from mindspore.train import DatasetHelper
        >>> helper = DatasetHelper(dataset, dataset_sink_mode=False)
        >>> for inputs in helper:
        ...     value = nn.WithLossCell(net, loss)(*inputs)
    """

    def __init__(self, dataset: Any, dataset_sink_mode: bool = True, sink_size: int = -1, epoch_num: int = 1):
        _checked_sink("DatasetHelper", dataset_sink_mode, sink_size, epoch_num)
        self.dataset, self.sink_mode, self.epoch_num = dataset, dataset_sink_mode, epoch_num
        self._size = sink_size
        self._stream = self._batches = self._last = None
        self._times = FetchTimes(functools.partial(_known_length, dataset))
        if dataset_sink_mode:
            self._start_at_whole_sink()
        elif hasattr(dataset, "create_tuple_iterator"):
            # One iterator serves all epochs: a new one would begin with the same shuffle again.
            self._batches = dataset.create_tuple_iterator(num_epochs=epoch_num, do_copy=False)

    def _start_at_whole_sink(self):
        """Sunk training goes on at the end of a sink: a start within one is moved back to its begin."""
        step = self.dataset.get_init_step() if hasattr(self.dataset, "get_init_step") else 0
        if step and step % self.sink_size():
            whole = step - step % self.sink_size()
            log.warning(
                f"Init global step must be the end of the epoch in sink mode, but got: {step}. Reset it to step {whole}."
            )
            self.dataset.set_init_step(whole)

    def __iter__(self):
        if self.sink_mode:
            return iter([()] * self.sink_count())
        if self._batches is None:
            return map(as_inputs, self.dataset)
        return self._one_epoch()

    def _one_epoch(self):
        while True:
            try:  # as MindSpore does: an iterator of a dataset needs `__next__` alone
                batch = next(self._batches)
            except StopIteration:
                return
            yield (batch,) if isinstance(batch, Tensor) else batch

    def sink_size(self):
        """Steps that are sunk together; 1 without sinking."""
        if not self.sink_mode:
            return 1
        return self._size if self._size > 0 else length(self.dataset)

    def steps_of_call(self):
        """Steps that one call of the network runs: in PYNATIVE_MODE each step is a call, also in sink mode."""
        return self.sink_size() if context.is_graph_mode() else 1

    def sink_count(self):
        """Calls of the sunk network in one epoch."""
        return self.sink_size() // self.steps_of_call()

    def types_shapes(self):
        """(dtypes, shapes) of a batch."""
        batch = as_inputs(next(iter(_numpy_epochs(self.dataset, 1))))
        return [b.dtype for b in batch], [list(b.shape) for b in batch]

    def get_data_info(self):
        """(dtypes, shapes) of a batch."""
        return self.types_shapes()

    def dynamic_min_max_shapes(self):
        """Smallest and largest shapes: those of a batch."""
        shapes = self.types_shapes()[1]
        return shapes, shapes

    def stop_send(self):
        """End the data stream."""
        self._stream = self._batches = None

    def release(self):
        """End the data stream."""
        self.stop_send()

    def continue_send(self):
        """Go on with the data stream: it is continuous by itself."""

    def batches(self, count: int):
        """The next `count` batches as tuples of host arrays; epochs follow each other without a break."""
        if self._stream is None:
            self._stream = _numpy_epochs(self.dataset, -1)
        made = []
        for _ in range(count):
            batch = self._times.take(self._stream)
            if batch is None:
                raise ValueError("For 'DatasetHelper', the dataset gives no batch.")
            made.append(batch)
        self._last = made[-1] if made else self._last
        return made

    def get_send_info(self, run_context: "RunContext"):
        """The times that sunk training waited for data: `info.epoch(number)` is a dict of one epoch.

        Its `fetch_data_num` is the number of batches, `first_data_time` the seconds until the first, `fetch_data_time` the mean
        milliseconds until each further one.

        Raises:
            AttributeError: the data is not sunk. RuntimeError: the run context names no dataset.
        """
        if not self.sink_mode:
            raise AttributeError("'DatasetHelper' has send information in sink mode alone.")
        return _SendInfo(self._times.epochs, run_context.original_args())

    def last_batch(self):
        """The last batch that was sunk, as host arrays."""
        return self._last


class _SendInfo:
    """How long the batches of each epoch were waited for; see `DatasetHelper.get_send_info`."""

    def __init__(self, fetched, arguments):
        self.sink_size = arguments["batch_num"]
        dataset = next((arguments[k] for k in ("train_dataset", "valid_dataset") if arguments.get(k) is not None), None)
        if dataset is None:
            raise RuntimeError("Could not find a proper dataset to estimate dataset size.")
        self.dataset_size = dataset.get_dataset_size()
        self.info_ = {}
        for epoch, count, first, total in fetched or [(1, 0, 0, 0)]:
            mean = (total - first) / (count - 1) * 1000 if count > 1 else total
            self.info_[epoch] = {"fetch_data_num": count, "fetch_data_time": mean, "first_data_time": first}

    def epoch(self, epoch):
        """The dataset's facts about the epoch in which the training's epoch ends."""
        if self.sink_size != self.dataset_size:
            epoch = math.ceil(epoch * self.sink_size / self.dataset_size)
        return self.info_[epoch]


def length(dataset: Any):
    """Number of batches of a dataset, or of another sized iterable of batches.

    Raises:
        AttributeError: it is neither, as an array or a generator.
    """
    if hasattr(dataset, "get_dataset_size"):
        return dataset.get_dataset_size()
    if isinstance(dataset, (str, bytes, np.ndarray, Tensor)) or not hasattr(dataset, "__len__"):
        raise AttributeError(
            f"The dataset must be one of mindspore.dataset, such as GeneratorDataset(source, ['data', 'label']).batch(32), but "
            f"got {type(dataset).__name__}, which has no 'get_dataset_size'."
        )
    return len(dataset)


def _known_length(dataset):
    return length(dataset) if hasattr(dataset, "get_dataset_size") or hasattr(dataset, "__len__") else None


def reset(dataset: Any):
    """Tell a dataset that an epoch is over."""
    if hasattr(dataset, "reset"):
        dataset.reset()


def sinks():
    """Whether steps are sunk: not in a script for the CPU, as in MindSpore. One for Ascend counts its sinks as epochs wherever it runs."""
    return context.written_for() != "CPU"


def _numpy_epochs(dataset, epochs):
    """The batches of some epochs (-1: of any number, till one is empty) as tuples of host arrays."""
    iterator = dataset
    if hasattr(dataset, "create_tuple_iterator"):
        options = {"num_epochs": epochs, "do_copy": False}
        if "output_numpy" in inspect.signature(dataset.create_tuple_iterator).parameters:
            options["output_numpy"] = True
        iterator = dataset.create_tuple_iterator(**options)
    empty = False
    while epochs and not empty:
        empty = True
        for batch in iterator:
            empty = False
            yield tuple(v.asnumpy() if isinstance(v, Tensor) else np.asarray(v) for v in _columns(batch))
        epochs -= 1


def _columns(batch):
    return batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (tuple, list)) else (batch,)


def as_inputs(batch: Any):
    """A batch (tuple, list, dict or single array) as a tuple of Tensors."""
    return tuple(v if isinstance(v, Tensor) else Tensor(v) for v in _columns(batch))


def _chunks(steps, batch_bytes):
    """Lengths of stacks that make up `steps` steps: as few different ones as can be, since each length is compiled."""
    largest = max(1, min(_CHUNK_STEPS, steps, _CHUNK_BYTES // max(batch_bytes, 1)))
    for size in range(largest, max(largest // 4, 0), -1):
        if steps % size == 0:
            return [size] * (steps // size)
    return [largest] * (steps // largest) + ([steps % largest] if steps % largest else [])


class _SunkNetwork(Cell):
    """A network that fetches its own data, and runs `sink_size` steps a call."""

    def __init__(self, network, helper):
        super().__init__(auto_prefix=False)
        self.network = network
        self.__dict__["helper"] = helper

    def __call__(self, *inputs):
        if inputs:
            return self.network(*inputs)
        steps = self.helper.steps_of_call()
        first = self.helper.batches(1)
        looped = context.get_context("device_target") != "CPU"  # on a CPU one step is as fast by itself
        sizes = _chunks(steps, sum(a.nbytes for a in first[0])) if looped else [1] * steps
        for size in sizes:
            batches = first + self.helper.batches(size - len(first))
            first = []
            out = run_steps(self.network, batches)
        return out


def run_steps(network: Cell, batches: Sequence):
    """Run a network, or a compiled function, once for each batch; returns the last result. Several batches of equal shapes run in one
    program.
    """
    alike = len(batches) > 1 and len({tuple((a.shape, a.dtype) for a in batch) for batch in batches}) == 1
    entry = network.entry_for(*as_inputs(batches[0])) if alike else None
    if entry is None or entry.fallback:
        for batch in batches:
            out = network(*[wrap(on_device(a)) for a in batch])
        return out
    return entry.scan([np.stack(column) for column in zip(*batches)], len(batches))


@checked
def connect_network_with_dataset(network: Like[Cell], dataset_helper: DatasetHelper) -> Any:
    """A network that takes its data from a DatasetHelper: each call without arguments runs `sink_size` steps.

    Raises:
        RuntimeError: the helper does not sink.
    """
    if not dataset_helper.sink_mode:
        raise RuntimeError(
            "The connect_network_with_dataset is used only in sink mode: give DatasetHelper dataset_sink_mode=True."
        )
    return _SunkNetwork(network, dataset_helper)


@old_keywords(steps=None, jit=lambda given: {"jit_config": JitConfig()} if given else {})
def data_sink(
    fn: Callable, dataset: Any, sink_size: int = 1, jit_config: dict | None = None, input_signature: Any = None
) -> Callable[..., Any]:
    """Function without arguments that runs `fn` on the next `sink_size` batches of a dataset, and returns the last result.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.
    """
    _checked_sink("data_sink", True, sink_size, 1)
    if sink_size == -1:
        raise ValueError("For 'data_sink', the 'sink_size' must be positive, but got -1.")
    helper = DatasetHelper(dataset, True, sink_size)
    compiled = getattr(fn, "_compiled", None)  # what @jit made
    if compiled is None and isinstance(fn, Cell) and (jit_config is not None or context.is_graph_mode()):
        compiled = fn
    if compiled is None and jit_config is not None:
        compiled = Compiled(fn)

    @functools.wraps(fn)
    def sunk():
        batches = helper.batches(sink_size)
        if compiled is not None:
            return run_steps(compiled, batches)
        for batch in batches:
            out = fn(*as_inputs(batch))
        return out

    return sunk

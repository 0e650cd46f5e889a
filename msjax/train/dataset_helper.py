"""Feeding datasets to networks: batch by batch, or *sunk*: many steps in one compiled program.

A sunk step runs `lax.scan` over batches that were stacked on the host, in chunks of bounded size, so that the host is asked once for
many steps. The state is carried through and donated.
"""

import jax
import numpy as np

from ..core.settings.context import present_device
from ..core.trace.compile import Compiled
from ..core.values.tensor import Tensor, wrap
from ..nn.cell.cell import Cell

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
        >>> helper = DatasetHelper(dataset, dataset_sink_mode=False)
        >>> for inputs in helper:
        ...     loss = train(*inputs)
    """

    def __init__(self, dataset, dataset_sink_mode=True, sink_size=-1, epoch_num=1):
        _checked_sink("DatasetHelper", dataset_sink_mode, sink_size, epoch_num)
        self.dataset, self.sink_mode, self.epoch_num = dataset, dataset_sink_mode, epoch_num
        self._size = sink_size
        self._stream = self._epochs = None

    def __iter__(self):
        if self.sink_mode:
            return iter([()] * self.sink_count())
        return (as_inputs(batch) for batch in self._next_epoch(numpy=False))

    def _next_epoch(self, numpy):
        """The batches of the next epoch. One iterator serves all epochs: a new one would begin with the same shuffle again."""
        if not hasattr(self.dataset, "create_tuple_iterator"):
            return _epoch(self.dataset, numpy)
        if self._epochs is None:
            self._epochs = self.dataset.create_tuple_iterator(output_numpy=numpy, do_copy=False)
        return self._epochs

    def sink_size(self):
        """Steps of one call of the sunk network; 1 without sinking."""
        if not self.sink_mode:
            return 1
        return self._size if self._size > 0 else _length(self.dataset)

    def sink_count(self):
        """Calls of the sunk network in one epoch."""
        return 1 if self._size > 0 or not self.sink_mode else -(-_length(self.dataset) // self.sink_size())

    def types_shapes(self):
        """(dtypes, shapes) of a batch."""
        batch = as_inputs(next(iter(_epoch(self.dataset))))
        return [b.dtype for b in batch], [list(b.shape) for b in batch]

    def get_data_info(self):
        """(dtypes, shapes) of a batch."""
        return self.types_shapes()

    def dynamic_min_max_shapes(self):
        """Smallest and largest shapes: those of a batch."""
        shapes = self.types_shapes()[1]
        return shapes, shapes

    def stop_send(self):
        """End the data stream of sunk training."""
        self._stream = self._epochs = None

    def release(self):
        """End the data stream of sunk training."""
        self._stream = self._epochs = None

    def continue_send(self):
        """Go on with the data stream: it is continuous by itself."""

    def batches(self, count):
        """The next `count` batches as tuples of host arrays; epochs follow each other without a break."""
        made = []
        while len(made) < count:
            if self._stream is None:
                self._stream = iter(self._next_epoch(numpy=True))
            batch = next(self._stream, None)
            if batch is None:
                if not made and _length(self.dataset) == 0:
                    raise ValueError("For 'DatasetHelper', the dataset gives no batch.")
                self._stream = None
                continue
            made.append(batch)
        return made


def _length(dataset):
    return dataset.get_dataset_size() if hasattr(dataset, "get_dataset_size") else len(dataset)


def _epoch(dataset, numpy=False):
    """One epoch of batches (tuples)."""
    if hasattr(dataset, "create_tuple_iterator"):
        return dataset.create_tuple_iterator(num_epochs=1, output_numpy=numpy, do_copy=False)
    return (
        (tuple(np.asarray(v) if not isinstance(v, Tensor) else v.asnumpy() for v in row) for row in dataset)
        if numpy
        else iter(dataset)
    )


def as_inputs(batch):
    """A batch (tuple, list, dict or single array) as a tuple of Tensors."""
    values = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (tuple, list)) else (batch,)
    return tuple(v if isinstance(v, Tensor) else Tensor(v) for v in values)


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
        steps = self.helper.sink_size()
        first = self.helper.batches(1)
        if not _scans():
            out = None
            for _ in range(steps):
                batch = first.pop() if first else self.helper.batches(1)[0]
                out = self.network(*[wrap(jax.device_put(a)) for a in batch])
            return out
        out = None
        for size in _chunks(steps, sum(a.nbytes for a in first[0]) if first else 0):
            batches = first + self.helper.batches(size - len(first))
            first = []
            out = run_steps(self.network, batches)
        return out


def _scans():
    """Whether steps run in a scan: on accelerators, where asking the host for each step costs; a loop on CPU is slower inside XLA."""
    return present_device() != "CPU"


def run_steps(network, batches):
    """Run a network once for each batch, in one program where the batches are alike; returns the last result."""
    alike = len({tuple((a.shape, a.dtype) for a in batch) for batch in batches}) == 1
    entry = network.entry_for(*as_inputs(batches[0])) if alike else None
    if entry is None or entry.fallback:
        for batch in batches:
            out = network(*as_inputs(batch))
        return out
    return entry.scan([np.stack(column) for column in zip(*batches)], len(batches))


def connect_network_with_dataset(network, dataset_helper):
    """A network that takes its data from a DatasetHelper: each call without arguments runs `sink_size` steps.

    Raises:
        RuntimeError: the helper does not sink.
    """
    if not isinstance(dataset_helper, DatasetHelper):
        raise TypeError(
            f"For 'connect_network_with_dataset', the 'dataset_helper' must be a DatasetHelper, but got {type(dataset_helper).__name__}."
        )
    if not dataset_helper.sink_mode:
        raise RuntimeError(
            "The connect_network_with_dataset is used only in sink mode: give DatasetHelper dataset_sink_mode=True."
        )
    return _SunkNetwork(network, dataset_helper)


def data_sink(fn, dataset, sink_size=1, jit_config=None, input_signature=None):
    """Function without arguments that runs `fn` on the next `sink_size` batches of a dataset, and returns the last result.

    Raises:
        TypeError, ValueError: arguments of the wrong kind.
    """
    _checked_sink("data_sink", True, sink_size, 1)
    if sink_size == -1:
        raise ValueError("For 'data_sink', the 'sink_size' must be positive, but got -1.")
    helper = DatasetHelper(dataset, True, sink_size)
    run = fn if jit_config is None else Compiled(fn)

    def sunk():
        out = None
        for batch in helper.batches(sink_size):
            out = run(*as_inputs(batch))
        return out

    return sunk

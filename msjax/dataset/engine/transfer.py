"""TransferDataset: a pipeline as a queue that data sinking takes batches from."""

import functools
import time
import uuid
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ...core.spec.checking import checked
from ..check import check
from .node import Dataset

QUEUES = weakref.WeakValueDictionary()  # queue name -> TransferDataset, for `nn.GetNextSingleOp`


class FetchTimes:
    """`epochs`: [number, batches, seconds until its first batch, seconds until all] of each epoch that was taken from a pipeline."""

    def __init__(self, epoch_size: int | Callable):
        self.epochs = []
        self._epoch_size = functools.cache(epoch_size)  # batches of one epoch; None: not known

    def take(self, batches: Sequence):
        """The next batch of an iterator, or None at its end; counted."""
        began = time.perf_counter()
        batch = next(batches, None)
        if batch is not None:
            seconds = time.perf_counter() - began
            if not self.epochs or self.epochs[-1][1] == self._epoch_size():
                self.epochs.append([len(self.epochs) + 1, 0, seconds, 0.0])
            self.epochs[-1][1] += 1
            self.epochs[-1][3] += seconds
        return batch


class TransferDataset(Dataset):
    """The result of `Dataset.device_que`: the training loop takes batches from it by `next_batch`.

    Args:
        input_dataset (Dataset): the pipeline.
        send_epoch_end (bool): accepted.
        create_data_info_queue (bool): whether `get_data_info` will be asked for.
        queue_name (str): its name; "" makes one.
    """

    def __init__(
        self,
        input_dataset: Dataset,
        send_epoch_end: bool = True,
        create_data_info_queue: bool = False,
        queue_name: str = "",
    ):
        super().__init__(children=input_dataset)
        self.queue_name = queue_name or str(uuid.uuid1())
        QUEUES[self.queue_name] = self
        self.column_name = input_dataset.get_col_names()
        self._send_epoch_end = send_epoch_end
        self._create_data_info_queue = create_data_info_queue
        self._queue = None
        self._times = FetchTimes(self._count)
        self._paused = False

    def blocks(self, run: Any, epoch: int):
        return self.children[0].blocks(run, epoch)

    def _count(self):
        return self.children[0].get_dataset_size()

    def create_dict_iterator(self, num_epochs: int = -1, output_numpy: bool = False, do_copy: bool = False):
        raise RuntimeError("TransferDataset is not iterable.")

    def create_tuple_iterator(
        self,
        columns: str | Sequence[str] | None = None,
        num_epochs: int = -1,
        output_numpy: bool = False,
        do_copy: bool = False,
    ):
        raise RuntimeError("TransferDataset is not iterable.")

    def __iter__(self):
        raise RuntimeError("TransferDataset is not iterable.")

    def output_shapes(self, estimate: bool = False):
        raise RuntimeError("TransferDataset does not support obtaining output_shapes.")

    def output_types(self):
        raise RuntimeError("TransferDataset does not support obtaining output_types.")

    @checked
    def send(self, num_epochs: int = -1):
        """Starts the pipeline; `num_epochs` (int): how many epochs will be taken, -1: any number."""
        self.release()
        self._queue = self.children[0].create_tuple_iterator(num_epochs=num_epochs)
        self._times, self._paused = FetchTimes(self._count), False

    def next_batch(self):
        """The next batch as a list of Tensors, going on from epoch to epoch.

        Raises:
            RuntimeError: `send` was not called, all epochs have been taken, or the pipeline is empty.
        """
        check(self._queue is not None and not self._paused, "Data queue is not init, call send() first.", RuntimeError)
        for _ in range(2):
            batch = self._times.take(self._queue)
            if batch is not None:
                return batch
        raise RuntimeError("There is no batch in the dataset pipeline.")

    def stop_send(self):
        """Pauses: no batch is given until `continue_send`."""
        self._paused = True

    def continue_send(self):
        """Ends the pause."""
        self._paused = False

    def get_data_info(self):
        """(types, shapes) of the columns of a batch."""
        check(self._queue is not None, "Calling get_data_info with bad state.", RuntimeError)
        return self.children[0].output_types(), self.children[0].output_shapes()

    def get_mbuf_queue_size(self):
        """Batches waiting in the queue."""
        check(self._queue is not None, "Device queue is not init, call get_mbuf_queue_size failed.", RuntimeError)
        return self._queue.waiting()

    def get_send_info(self):
        """[epoch, batches taken, seconds until its first batch, seconds until all] of each epoch."""
        check(
            self._queue is not None,
            "Calling get_send_info with bad state, data queue is not initialized.",
            RuntimeError,
        )
        return self._times.epochs

    def get_offload_model(self):
        """None: no transform is left to the device."""
        check(self._queue is not None, "get_offload_model, _to_device is None", RuntimeError)

    def release(self):
        """Ends the pipeline."""
        if self._queue is not None:
            self._queue.stop()
            self._queue = None

    def _reset(self, step, dataset_size):
        if self._queue is not None:
            self._queue._reset(step, dataset_size)

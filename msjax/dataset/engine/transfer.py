"""TransferDataset: a pipeline as a queue that data sinking takes batches from."""

import uuid
import weakref

from ..check import check, check_type
from .node import Dataset

QUEUES = weakref.WeakValueDictionary()  # queue name -> TransferDataset, for `nn.GetNextSingleOp`


class TransferDataset(Dataset):
    """What `Dataset.device_que` gives: the training loop takes batches from it by `next_batch`.

    Args:
        input_dataset (Dataset): the pipeline.
        send_epoch_end (bool): accepted.
        create_data_info_queue (bool): whether `get_data_info` will be asked for.
        queue_name (str): its name; "" makes one.
    """

    def __init__(self, input_dataset, send_epoch_end=True, create_data_info_queue=False, queue_name=""):
        super().__init__(children=input_dataset)
        self.queue_name = queue_name or str(uuid.uuid1())
        QUEUES[self.queue_name] = self
        self.column_name = input_dataset.get_col_names()
        self._send_epoch_end = send_epoch_end
        self._create_data_info_queue = create_data_info_queue
        self._queue = None
        self._sent = 0
        self._paused = False

    def blocks(self, run, epoch):
        return self.children[0].blocks(run, epoch)

    def _count(self):
        return self.children[0].get_dataset_size()

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=False):
        raise RuntimeError("TransferDataset is not iterable.")

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=False):
        raise RuntimeError("TransferDataset is not iterable.")

    def __iter__(self):
        raise RuntimeError("TransferDataset is not iterable.")

    def output_shapes(self, estimate=False):
        raise RuntimeError("TransferDataset does not support obtaining output_shapes.")

    def output_types(self):
        raise RuntimeError("TransferDataset does not support obtaining output_types.")

    def send(self, num_epochs=-1):
        """Starts the pipeline; `num_epochs` (int): how many epochs will be taken, -1: any number."""
        check_type(num_epochs, int, "num_epochs")
        self.release()
        self._queue = self.children[0].create_tuple_iterator(num_epochs=num_epochs)
        self._sent, self._paused = 0, False

    def next_batch(self):
        """The next batch as a list of Tensors, going on from epoch to epoch.

        Raises:
            RuntimeError: `send` was not called, all epochs have been taken, or the pipeline is empty.
        """
        check(self._queue is not None and not self._paused, "Data queue is not init, call send() first.", RuntimeError)
        for _ in range(2):
            batch = next(self._queue, None)
            if batch is not None:
                self._sent += 1
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
        """Batches taken so far, in a list of one dict."""
        check(
            self._queue is not None,
            "Calling get_send_info with bad state, data queue is not initialized.",
            RuntimeError,
        )
        return [{"send_batches": self._sent}]

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

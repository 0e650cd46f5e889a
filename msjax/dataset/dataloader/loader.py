"""DataLoader: batches of a dataset, made here or in worker processes."""

import collections
import logging
import multiprocessing
import weakref
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Generic

import numpy as np

from ...core.spec.checking import checked, compare
from ...core.spec.rules import Like, NonNegativeInt, PositiveInt, Within
from ..check import check
from ..engine.processes import CANNOT_PICKLE, Worker, pickled
from .collate import default_convert
from .datasets import IterableDataset, T_co
from .samplers import BatchSampler, EndlessSampler, RandomSampler, SequentialSampler
from .work import END, Fetcher, WorkerFetcher

if TYPE_CHECKING:
    from ..engine.samplers import Sampler

_log = logging.getLogger("msjax.dataset")


class DataLoader(Generic[T_co]):
    """Gives the batches of a dataset.

    Args:
        dataset (Dataset): with random access, or an IterableDataset.
        batch_size (int, optional): samples a batch; None: no batches.
        shuffle (bool, optional): whether samples come in random order.
        sampler (Union[Sampler, Iterable], optional): the indices.
        batch_sampler (Union[Sampler, Iterable], optional): lists of indices, one for each batch.
        num_workers (int): worker processes; 0: in this process.
        collate_fn (function, optional): joins a list of samples; None: `default_collate`.
        pin_memory (bool): accepted; the host's memory is not pinned.
        drop_last (bool): whether a last batch with fewer samples is dropped.
        timeout (float): seconds to wait for a worker; 0: no limit.
        worker_init_fn (function, optional): called with its number in each worker.
        multiprocessing_context (Union[str, BaseContext], optional): accepted; workers are always started clean.
        generator (numpy.random.Generator, optional): what shuffling and the workers' seeds are drawn from.
        prefetch_factor (int, optional): batches that each worker makes ahead; None: 2.
        persistent_workers (bool): whether workers live on between epochs.
        in_order (bool): accepted; batches always come in order.

    Raises:
        TypeError: an argument is of the wrong type.
        ValueError: arguments contradict one another.

    Example:
        >>> import numpy as np
        >>> from msjax.dataset.dataloader import DataLoader
        >>> for batch in DataLoader(np.arange(6), batch_size=4):
        ...     print(batch)
        [0 1 2 3]
        [4 5]
    """

    @checked
    def __init__(
        self,
        dataset: Any,
        batch_size: PositiveInt | None = 1,
        shuffle: bool | None = None,
        sampler: "Sampler | Iterable | None" = None,
        batch_sampler: "Sampler | Iterable | None" = None,
        num_workers: NonNegativeInt = 0,
        collate_fn: Like[Callable] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: Annotated[int | float, Within("[0, inf]")] = 0.0,
        worker_init_fn: Like[Callable] | None = None,
        multiprocessing_context: Any = None,
        generator: np.random.Generator | None = None,
        *,
        prefetch_factor: Like[int] | None = None,
        persistent_workers: bool = False,
        in_order: bool = True,
    ) -> None:
        iterable = isinstance(dataset, IterableDataset)
        if iterable:
            self._exclude(
                "when dataset is iterable style", shuffle=shuffle, sampler=sampler, batch_sampler=batch_sampler
            )
        else:
            check(
                hasattr(dataset, "__getitem__"),
                f"{type(dataset).__name__} should implement __getitem__ method if it is map style.",
                NotImplementedError,
            )
        check(sampler is None or not shuffle, "sampler cannot be specified with shuffle.")
        if batch_sampler is not None:
            self._exclude(
                "with batch_sampler",
                batch_size=batch_size != 1 or None,
                shuffle=shuffle,
                sampler=sampler,
                drop_last=drop_last or None,
            )
        for name, value in (
            ("multiprocessing_context", multiprocessing_context),
            ("prefetch_factor", prefetch_factor),
            ("persistent_workers", persistent_workers or None),
        ):
            check(
                value is None or num_workers > 0,
                f"{name} must only be specified when num_workers is greater than 0, but got: {num_workers}.",
            )
        # Compared here, because without workers MindSpore raises ValueError for any value of these.
        start_method = str | multiprocessing.context.BaseContext | None
        compare("DataLoader", "multiprocessing_context", multiprocessing_context, start_method)
        compare("DataLoader", "prefetch_factor", prefetch_factor, PositiveInt | None)
        self.dataset, self.num_workers, self.collate_fn = dataset, num_workers, collate_fn
        self.pin_memory, self.timeout, self.worker_init_fn = pin_memory, timeout, worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.generator = np.random.default_rng() if generator is None else generator
        self.prefetch_factor = 2 if prefetch_factor is None and num_workers else prefetch_factor
        self.persistent_workers, self.in_order = persistent_workers, in_order
        if sampler is None:
            sampler = (
                EndlessSampler()
                if iterable
                else RandomSampler(dataset, generator=self.generator)
                if shuffle
                else SequentialSampler(dataset)
            )
        self.sampler = sampler
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        elif batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size, self.drop_last, self.batch_sampler = batch_size, drop_last, batch_sampler
        self._iterable, self._team = iterable, None

    @staticmethod
    def _exclude(description, **arguments):
        for name, value in arguments.items():
            check(not value, f"{name} cannot be specified {description}.")

    @property
    def _indices(self):
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    @property
    def _fetching(self):
        return self.batch_sampler is not None, self.collate_fn, self.drop_last

    def _finish(self, data):
        # What default_collate would make Tensors arrives as arrays, because a worker does not load JAX.
        return default_convert(data) if self.collate_fn is None else data

    def __iter__(self):
        if self.num_workers:
            team = self._team or _Team.of(self)
            if team is not None:
                if self.persistent_workers:
                    if self._team is not None:
                        team.restart()
                    self._team = team
                return team.batches(self)
        return self._here()

    def _here(self):
        fetch = Fetcher(self.dataset, *self._fetching)
        for indices in self._indices:
            data = fetch(indices)
            if isinstance(data, str) and data == END:
                return
            yield self._finish(data)

    def __len__(self):
        if not self._iterable:
            return len(self._indices)
        count = len(self.dataset)
        if self.batch_size is None:
            return count
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)


def _stop(workers):
    while workers:
        workers.pop().close()


class _Team:
    """The worker processes of a DataLoader."""

    def __init__(self, works):
        self.workers = []
        self.close = weakref.finalize(self, _stop, self.workers)
        for work in works:
            self.workers.append(Worker(work))

    @classmethod
    def of(cls, loader):
        """A team for `loader`; None where its dataset cannot be sent to other processes."""
        seed = int(loader.generator.integers(np.iinfo(np.int64).max))
        try:
            return cls(
                [
                    pickled(
                        WorkerFetcher(
                            loader.dataset, loader._fetching, number, loader.num_workers, seed, loader.worker_init_fn
                        )
                    )
                    for number in range(loader.num_workers)
                ]
            )
        except CANNOT_PICKLE as err:
            _log.warning(
                "The dataset of the DataLoader cannot be sent to other processes, so it is loaded in this one: %s", err
            )
            return None

    def restart(self):
        """Begins a new epoch in the same workers."""
        for worker in self.workers:
            worker.send("restart")
        for worker in self.workers:
            self._answer(worker, 0)

    def _answer(self, worker, timeout):
        try:
            kind, content, _ = worker.receive("DataLoader", timeout)
        except TimeoutError:
            raise RuntimeError(f"DataLoader timed out waiting for data after {timeout} seconds.") from None
        except RuntimeError as err:
            raise RuntimeError(f"DataLoader worker (pid(s): {worker.process.pid}) exited unexpectedly: {err}") from None
        check(
            kind == "done",
            f"Caught an error in a DataLoader worker process (pid {worker.process.pid}).\n{content}",
            RuntimeError,
        )
        return content

    def batches(self, loader):
        """The batches of an epoch."""
        indices = iter(loader._indices)
        waiting, working, turn = collections.deque(), list(self.workers), 0

        def assign():
            nonlocal turn
            if working:
                task = next(indices, END)
                if task is not END:
                    worker = working[turn % len(working)]
                    turn += 1
                    worker.send(task)
                    waiting.append(worker)

        whole = False
        try:
            for _ in range(loader.num_workers * loader.prefetch_factor):
                assign()
            while waiting:
                worker = waiting.popleft()
                data = self._answer(worker, loader.timeout)
                if isinstance(data, str) and data == END:
                    if worker in working:
                        working.remove(worker)
                        assign()
                    continue
                assign()
                yield loader._finish(data)
            whole = True
        finally:
            if not loader.persistent_workers:
                self.close()
            elif not whole:
                # Answers to the tasks already sent would be taken for those of the next epoch.
                self.close()
                loader._team = None

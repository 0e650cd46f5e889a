"""Running a function over the rows of a stream: here, in threads or in processes, in order.

Handing a row to a thread costs 20 us and more, starting a process 0.3 s, so a function is first timed on a few rows,
and workers are used only where a call is dear enough to pay for them. The result never depends on it: rows come out in
order, and random numbers belong to rows (see operation.draws).
"""

import collections
import contextlib
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from .. import config
from .lanes import TRIALS, Dealing, global_draws

if TYPE_CHECKING:
    from .dataset import Dataset
    from .run import Run

_WORTH_A_THREAD = 200e-6  # seconds a call
_WORTH_A_PROCESS = 1e-3  # seconds a call that make processes worth their start at once
_LONG_RUN = 0.5  # seconds in all calls that make them worth it for cheaper calls,
_CHEAPEST = 100e-6  # but not for those that cost less than sending the row


class Meter:
    """Decides from measured times of calls whether workers are worth their cost.

    A user's function that draws from Python's or NumPy's global generator is a case of its own where a seed is set. Its
    numbers must not depend on times: it goes to processes right after the trial, each of which has a seed, or else it
    stays in one thread.

    Args:
        watch (bool): whether to look for draws from the global generators.
        dealing (Dealing, optional): the processes, if workers are such; it sees the draws itself.
    """

    def __init__(self, watch: bool, dealing: Dealing | None = None):
        self.dealing, self.processes = dealing, dealing is not None
        self._before = global_draws() if watch and not dealing else None
        self._draws = None if watch else False
        self.calls, self.spent, self.fastest = 0, 0.0, float("inf")

    def add(self, seconds: float, calls: int = 1):
        """Counts `calls` calls that took `seconds` together."""
        self.calls += calls
        self.spent += seconds
        self.fastest = min(self.fastest, seconds / calls)

    @property
    def on_trial(self):
        """Whether too few calls have been timed."""
        return self.calls < TRIALS

    def worth_it(self):
        """Whether workers are worth their cost for the next calls."""
        if self.on_trial:
            return False
        if self._draws is None:
            self._draws = self.dealing.drew if self.dealing else global_draws() != self._before
        if self._draws:
            return self.processes
        if not self.processes:
            return self.fastest > _WORTH_A_THREAD
        return self.fastest > _WORTH_A_PROCESS or self.spent > _LONG_RUN and self.spent / self.calls > _CHEAPEST


def worker_count(requested: int | None):
    """The number of workers of a node: the given number, else the setting, limited to the number of cores."""
    if config.get_debug_mode():
        return 1
    return requested or min(config.get_num_parallel_workers(), os.cpu_count() or 1)


def ordered_map(
    run: "Run",
    owner: "Dataset",
    function: Callable,
    items: Sequence,
    requested: int | None = None,
    processes: Callable | None = None,
    dealing: Dealing | None = None,
):
    """Yields `function(item)` for each item, in order.

    Args:
        run (Run): its end stops the workers.
        owner: the node whose workers these are: they are kept from one epoch to the next.
        function: called from several threads.
        items: iterable; read by the calling thread only.
        requested (int, optional): number of workers; see `worker_count`.
        processes (function, optional): does for the remaining pairs (number, item) what this function does, in processes.
        dealing (Dealing, optional): these processes.
    """
    numbered = enumerate(items)
    workers = worker_count(requested)
    if workers > 1 and not run.getter:
        if processes and run.has(owner, "processes"):  # they have the generators' states from the epoch before
            yield from processes(numbered)
            return
        meter = Meter(run.seeded, dealing if processes else None)
        for number, item in numbered:
            started = time.perf_counter()
            with dealing.of_worker(number) if dealing else contextlib.nullcontext():
                result = function(item)
            meter.add(time.perf_counter() - started)
            yield result
            if meter.worth_it():
                rest = (item for _, item in numbered)
                yield from processes(numbered) if processes else in_threads(run, owner, function, rest, workers)
                return
    for number, item in numbered:
        with dealing.of_worker(number) if dealing else contextlib.nullcontext():
            result = function(item)
        yield result


def in_threads(run: Any, owner: Any, function: Callable, items: Sequence, threads: Any):
    """`ordered_map` in any case in threads, `threads` of them, and at most twice as many items ahead."""

    def start():
        pool = ThreadPoolExecutor(threads, thread_name_prefix="msjax-data")
        run.on_close(lambda: pool.shutdown(wait=False, cancel_futures=True))
        return pool

    pool = run.remember(owner, start, "threads")
    waiting = collections.deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()

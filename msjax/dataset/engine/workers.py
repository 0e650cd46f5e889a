"""Running a function over the rows of a stream: here, in threads, in order.

Handing a row to a thread costs 20 us and more, so a function is first timed on a few rows, and threads are used only
where a call is dear enough to pay for that. The result never depends on it: rows come out in order, and random numbers
belong to rows (see operation.random_state).
"""

from __future__ import annotations

import collections
import os
import time
from concurrent.futures import ThreadPoolExecutor

from msjax.dataset import config

_TRIALS = 4                 # calls that are timed before threads are considered
WORTH_A_THREAD = 200e-6    # seconds a call


def worker_count(requested):
    """How many workers a node may use: what it was given, else the setting, but then no more than there are cores."""
    if config.get_debug_mode():
        return 1
    return requested or min(config.get_num_parallel_workers(), os.cpu_count() or 1)


def ordered_map(run, owner, function, items, requested=None):
    """Yields `function(item)` for each item, in order.

    Args:
        run (Run): its end stops the threads.
        owner: the node whose threads these are: they are kept from one epoch to the next.
        function: called from several threads.
        items: iterable; read by the calling thread only.
        requested (int, optional): number of threads; see `worker_count`.
    """
    items = iter(items)
    threads = worker_count(requested)
    if threads > 1 and not run.getter:
        fastest = float("inf")
        for _ in range(_TRIALS):
            try:
                item = next(items)
            except StopIteration:
                return
            arrived = time.perf_counter()
            result = function(item)
            fastest = min(fastest, time.perf_counter() - arrived)
            yield result
        if fastest > WORTH_A_THREAD:
            yield from in_threads(run, owner, function, items, threads)
            return
    for item in items:
        yield function(item)


def in_threads(run, owner, function, items, threads):
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

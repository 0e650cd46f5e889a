"""Running user functions in processes, for `python_multiprocessing`.

Each worker is a fresh interpreter that gets the function by cloudpickle. Nothing is forked: a fork of a process in
which JAX runs can hang for ever. The user's script is not run again in the workers, so it needs no `if __name__ ==
"__main__"`.
"""

from __future__ import annotations

import collections
import logging
import os
import pickle
import socket
import subprocess
import sys
import time
from multiprocessing.connection import Connection

from msjax.dataset import config
from msjax.dataset.engine import worker_main
from msjax.dataset.engine.user_error import PipelineError
from msjax.dataset.engine.workers import in_threads
from msjax.dataset.operation import row_stream

_log = logging.getLogger("msjax.dataset")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_TASK_SECONDS = 0.005    # rows that take less than this travel several together
_MOST_ROWS = 32


class Worker:
    """One process and the socket to it; tasks sent to `connection` come back by `receive`.

    Args:
        work (bytes): a function of one task, pickled by cloudpickle.
        seed (int, optional): what Python's and NumPy's generators of the process are seeded with.
    """

    def __init__(self, work, seed=None):
        setup = {"work": work, "seed": seed, "path": list(sys.path), "argv": list(sys.argv), "package": _PACKAGE}
        ours, theirs = socket.socketpair()
        environment = dict(os.environ)
        environment.setdefault("JAX_PLATFORMS", "cpu")      # a worker must not take the accelerator
        try:
            self.process = subprocess.Popen([sys.executable, worker_main.__file__, str(theirs.fileno())],
                                            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=environment)
        finally:
            theirs.close()
        self.connection = Connection(ours.detach())
        worker_main.send(self.connection, setup)

    def send(self, task):
        """Hands a task over; the process works on its tasks in order."""
        worker_main.send(self.connection, task)

    def receive(self, what, timeout=None):
        """(kind, content, extra) of the oldest task; see worker_main.

        Raises:
            RuntimeError: the process has died.
            TimeoutError: no answer came within `timeout` seconds.
        """
        warn_after = config.get_multiprocessing_timeout_interval()
        started = asked = time.monotonic()
        try:
            while not self.connection.poll(min(1.0, timeout or 1.0)):
                if timeout and time.monotonic() - asked >= timeout:
                    raise TimeoutError(f"{what} gave no answer within {timeout} seconds.")
                if time.monotonic() - started > warn_after:
                    started = time.monotonic()
                    _log.warning("Has been waiting for data from worker process %d for more than %d seconds. Please "
                                 "check if the user defined function has a dead loop, or is processing too slowly.",
                                 self.process.pid, warn_after)
            return worker_main.receive(self.connection)
        except (EOFError, ConnectionResetError, BrokenPipeError):
            code = self.process.wait(5)
            raise RuntimeError(f"The dataset worker process {self.process.pid} of {what} died (exit code {code}); a "
                               "negative code is the signal that killed it, -9 often means out of memory.") from None

    def close(self):
        """Stops the process."""
        try:
            self.connection.close()
        except OSError:
            pass
        try:
            self.process.wait(0.2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def worker_is_alive(worker):
    """Whether a `multiprocessing.Process` runs; one that was closed does not."""
    try:
        return worker.is_alive()
    except ValueError:
        return False


def close_worker(worker, eof):
    """Asks a `multiprocessing.Process` to end by its Event `eof`, and ends it after two seconds."""
    if worker_is_alive(worker):
        eof.set()
        worker.join(2)
        worker.terminate()
        worker.join()
        worker.close()


def pickled(work):
    """A function as bytes for a Worker; raises where it holds what cannot be sent, such as a lock or an open file."""
    import cloudpickle  # here: only pipelines with processes need it

    return cloudpickle.dumps(work)


_MOST_BYTES = 1 << 29     # a function that holds more data than this is not copied to each worker
CANNOT_PICKLE = (TypeError, AttributeError, ValueError, pickle.PicklingError, NotImplementedError)


class ProcessPool:
    """Processes that all run the same function; tasks go round, results come back in order.

    Args:
        run (Run): its end stops the processes.
        work: function of one task, picklable by cloudpickle.
        count (int): how many processes.
        what (str): what messages call the work.
    """

    def __init__(self, run, work, count, what):
        data = pickled(work)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"it holds {len(data) >> 20} MB of data, which each process would have to copy")
        self.what = what
        self.workers = []
        run.on_close(self.close)
        seed = config.fixed_seed()
        for number in range(count):
            self.workers.append(Worker(data, None if seed is None else seed + number))

    def map(self, tasks):
        """Yields (result, seconds it took) for each task, in order."""
        waiting = collections.deque()
        turn = 0
        for task in tasks:
            worker = self.workers[turn % len(self.workers)]
            turn += 1
            try:
                worker.send(task)
            except (BrokenPipeError, ConnectionResetError):
                worker.receive(self.what)       # says how it died
                raise
            waiting.append(worker)
            if len(waiting) >= 2 * len(self.workers):
                yield self._result(waiting.popleft())
        while waiting:
            yield self._result(waiting.popleft())

    def _result(self, worker):
        kind, content, extra = worker.receive(self.what)
        if kind == "done":
            return content, extra
        error = PipelineError(content if extra is not None else
                              f"Exception thrown from user defined Python function in dataset: {self.what} failed in a "
                              "worker "
                              f"process.\n{content}")
        error.row_number = extra or 0
        raise error

    def close(self):
        """Stops the processes."""
        while self.workers:
            self.workers.pop().close()


def pool_for(run, owner, work, count, what):
    """The pool of a node, kept from epoch to epoch; None where the function cannot be sent to another process."""
    def make():
        try:
            return ProcessPool(run, work, count, what)
        except CANNOT_PICKLE as err:
            _log.warning("%s cannot be sent to another process, so threads are used instead of processes: %s", what,
                         err)
            return None

    return run.remember(owner, make, "processes")


def grouped(tasks, size):
    """Lists of consecutive tasks; `size` is a one-item list, so that it can be changed on the way."""
    group = []
    for task in tasks:
        group.append(task)
        if len(group) >= size[0]:
            yield group
            group = []
    if group:
        yield group


def ungroup(pool, groups, size):
    """Results of groups of tasks one by one; groups grow while they take little time."""
    for results, seconds in pool.map(groups):
        if seconds < _TASK_SECONDS and size[0] < _MOST_ROWS:
            size[0] *= 2
        yield from results


class _MapWork:
    """A chain on (number, row) pairs, in a worker; a task comes with the key of its epoch's stream."""

    def __init__(self, chain):
        self.chain = chain

    def __call__(self, task):
        key, group = task
        with row_stream(*key) as stream:
            return [self.chain.run_row(row, stream, number) for number, row in group]


def map_in_processes(run, node, chain, rows, epoch, count):
    """A map in processes: yields (block of one row, columns, None) like MapDataset's other ways.

    Args:
        rows: (number, block of one row, its columns for the chain) one after another.
    """
    stream = run.stream(node, epoch)
    pool = pool_for(run, node, _MapWork(chain), count, f"map of column(s) {chain.names}")
    if pool is None:
        def work(item):
            number, block, row = item
            with run.stream(node, epoch) as own:
                return block, [[value] for value in chain.run_row(row, own, number)], None
        yield from in_threads(run, node, work, rows, count)
        return
    blocks, size = collections.deque(), [1]

    def tasks():
        for group in grouped(rows, size):
            blocks.extend(block for _, block, _ in group)
            yield stream.key, [(number, row) for number, _, row in group]

    for row in ungroup(pool, tasks(), size):
        yield blocks.popleft(), [[value] for value in row], None


class _CallWork:
    """A function on argument tuples, in a worker."""

    def __init__(self, function):
        self.function = function

    def __call__(self, arguments):
        return self.function(*arguments)


def call_in_processes(run, node, function, items, arguments, count):
    """Yields (item, function(*arguments(item))) in order, computed in processes, or else in threads."""
    pool = pool_for(run, node, _CallWork(function), count, "per_batch_map")
    if pool is None:
        yield from in_threads(run, node, lambda item: (item, function(*arguments(item))), items, count)
        return
    waiting = collections.deque()

    def tasks():
        for item in items:
            waiting.append(item)
            yield arguments(item)

    for result, _ in pool.map(tasks()):
        yield waiting.popleft(), result


class _RowWork:
    """A source's rows by index, in a worker."""

    def __init__(self, read):
        self.read = read

    def __call__(self, group):
        return [self.read(index) for index in group]


def rows_in_processes(run, node, read, indices, count):
    """Yields read(index) for each index, in order, from processes, or else from threads."""
    pool = pool_for(run, node, _RowWork(read), count, f"the source of {type(node).__name__}")
    if pool is None:
        return in_threads(run, node, read, indices, count)
    size = [1]
    return ungroup(pool, grouped(indices, size), size)

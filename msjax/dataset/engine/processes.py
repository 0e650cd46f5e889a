"""Running user functions in processes, for `python_multiprocessing`.

Each worker is a fresh interpreter that gets the function by cloudpickle. Nothing is forked: a fork of a process in
which JAX runs can hang for ever. The user's script is not run again in the workers, so it needs no `if __name__ ==
"__main__"`.
"""

import collections
import contextlib
import hmac
import itertools
import logging
import os
import pickle
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from multiprocessing.connection import Connection
from typing import Any

from .. import config
from ..operation import row_stream
from . import worker_main
from .lanes import Dealing, generators_seeded, generators_state
from .user_error import PipelineError
from .workers import in_threads

_log = logging.getLogger("msjax.dataset")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_INHERITS = os.name == "posix"
_TASK_SECONDS = 0.005  # rows that take less than this travel several together
_MOST_ROWS = 32


def _started(argument, environment, **options):
    command = [sys.executable, worker_main.__file__, argument]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment, **options)


def _inheriting(environment):
    """A worker process and the socket to it, whose other end it inherits."""
    ours, theirs = socket.socketpair()
    with theirs:
        return _started(str(theirs.fileno()), environment, pass_fds=[theirs.fileno()]), ours


def _calling_back(environment):
    """The same on Windows, where a socket is not inherited: the worker connects to a local port and proves itself with
    a secret.
    """
    secret = secrets.token_bytes(32)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(1.0)
        port = server.getsockname()[1]
        process = _started(f"port {port}", {**environment, worker_main.SECRET: secret.hex()})
        while process.poll() is None:
            try:
                ours, _ = server.accept()
            except TimeoutError:
                continue
            ours.settimeout(10.0)
            with contextlib.suppress(OSError):
                if hmac.compare_digest(ours.recv(len(secret), socket.MSG_WAITALL), secret):
                    ours.settimeout(None)
                    return process, ours
            ours.close()  # somebody else called
    raise RuntimeError(f"A worker process ended with the exit code {process.returncode} before it could work.")


class Worker:
    """One process and the socket to it; tasks sent to `connection` come back by `receive`.

    Args:
        work (bytes): a function of one task, pickled by cloudpickle.
    """

    def __init__(self, work: bytes):
        setup = {"work": work, "path": list(sys.path), "argv": list(sys.argv), "package": _PACKAGE}
        environment = dict(os.environ)
        environment.setdefault("JAX_PLATFORMS", "cpu")  # a worker must not take the accelerator
        self.process, ours = (_inheriting if _INHERITS else _calling_back)(environment)
        self.connection = Connection(ours.detach())
        worker_main.send(self.connection, setup)

    def send(self, task: str):
        """Sends a task; the process works on its tasks in order."""
        worker_main.send(self.connection, task)

    def receive(self, what: str, timeout: float | None = None):
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
                    _log.warning(
                        "Has been waiting for data from worker process %d for more than %d seconds. Please "
                        "check if the user defined function has a dead loop, or is processing too slowly.",
                        self.process.pid,
                        warn_after,
                    )
            return worker_main.receive(self.connection)
        except (EOFError, ConnectionResetError, BrokenPipeError):
            code = self.process.wait(5)
            raise RuntimeError(
                f"The dataset worker process {self.process.pid} of {what} died (exit code {code}); a "
                "negative code is the signal that killed it, -9 often means out of memory."
            ) from None

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


def worker_is_alive(worker: Any):
    """Whether a `multiprocessing.Process` runs; one that was closed does not."""
    try:
        return worker.is_alive()
    except ValueError:
        return False


def close_worker(worker: Any, eof: Any):
    """Asks a `multiprocessing.Process` to end by its Event `eof`, and ends it after two seconds."""
    if worker_is_alive(worker):
        eof.set()
        worker.join(2)
        worker.terminate()
        worker.join()
        worker.close()


def pickled(work: Callable):
    """A function as bytes for a Worker; raises if it holds an object that cannot be sent, such as a lock or an open
    file.
    """
    import cloudpickle  # here: only pipelines with processes need it

    return cloudpickle.dumps(work)


_MOST_BYTES = 1 << 29  # a function that holds more data than this is not copied to each worker
CANNOT_PICKLE = (TypeError, AttributeError, ValueError, pickle.PicklingError, NotImplementedError)


class ProcessPool:
    """Processes that all run the same function; results are returned in the order of the tasks.

    Args:
        run (Run): its end stops the processes.
        work: function of one task, picklable by cloudpickle.
        count (int): how many processes.
        what (str): what messages call the work.
    """

    def __init__(self, run: Any, work: Callable, count: int, what: str):
        data = pickled(work)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"it holds {len(data) >> 20} MB of data, which each process would have to copy")
        self.what = what
        self.workers = []
        run.on_close(self.close)
        self.workers.extend(Worker(data) for _ in range(count))
        if run.stopped.is_set():  # the iterator was dropped meanwhile, and those who closed found no workers yet
            self.close()

    def map(self, tasks: Iterable):
        """Yields (result, seconds it took) for each pair (number of a worker, task), in order; a failure is a PipelineError as result."""
        waiting = collections.deque()
        for number, task in tasks:
            worker = self.workers[number]
            try:
                worker.send(task)
            except (BrokenPipeError, ConnectionResetError):
                worker.receive(self.what)  # says how it died
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
        error = PipelineError(
            content
            if extra is not None
            else f"Exception thrown from user defined Python function in dataset: {self.what} failed in a "
            f"worker process.\n{content}"
        )
        error.row_number = extra or 0
        return error, None

    def states(self, lanes: Iterable):
        """The states of the global generators of workers, by their numbers."""
        found = {}
        for lane in lanes:
            self.workers[lane].send((None, None, None, None))
            found[lane] = self._result(self.workers[lane])[0]
        return found

    def close(self):
        """Stops the processes."""
        while self.workers:
            self.workers.pop().close()


def pool_for(run: Any, owner: Any, work: Callable, count: int, what: str):
    """The pool of a node, kept from epoch to epoch; None where the function cannot be sent to another process."""

    def make():
        try:
            return ProcessPool(run, work, count, what)
        except CANNOT_PICKLE as err:
            _log.warning(
                "%s cannot be sent to another process, so threads are used instead of processes: %s", what, err
            )
            return None

    return run.remember(owner, make, "processes")


def grouped(tasks: Sequence, size: int | Sequence[int]):
    """Lists of consecutive tasks; `size` is a one-item list, so that it can be changed on the way."""
    group = []
    for task in tasks:
        group.append(task)
        if len(group) >= size[0]:
            yield group
            group = []
    if group:
        yield group


class MapRow:
    """A map's Chain on one row."""

    def __init__(self, chain: Any):
        self.chain = chain

    def __call__(self, stream: Any, number: int, row: tuple):
        return self.chain.run_row(row, stream, number)


class ReadRow:
    """A source's row by index."""

    def __init__(self, read: Callable):
        self.read = read

    def __call__(self, stream: Any, number: int, index: int):
        return self.read(index)


class Call:
    """A function on a tuple of arguments."""

    def __init__(self, function: Callable):
        self.function = function

    def __call__(self, stream: Any, number: int, arguments: tuple):
        return self.function(*arguments)


class _Work:
    """The work of a worker for one task: (key of the epoch's stream, the Dealing of its rows, states of the global generators, rows).

    Rows are pairs (number, payload). With a seed the global generators go on from row to row, beginning with the states, or with the
    worker's seed; None for rows asks for their states.
    """

    def __init__(self, each):
        self.each = each
        self.begun = False

    def __call__(self, task):
        key, dealing, states, rows = task
        if rows is None:
            return generators_state()
        results = []
        with row_stream(key, dealing) as stream:
            for number, payload in rows:
                stream.at(number)
                if not self.begun and dealing.seed is not None:
                    generators_seeded(dealing.seed_of(number), states)
                self.begun = True
                results.append(self.each(stream, number, payload))
        return results


def in_processes(
    run: Any,
    node: Any,
    epoch: int,
    each: Any,
    what: str,
    items: Iterable,
    count: int,
    dealing: Dealing,
    most: int = _MOST_ROWS,
):
    """Computes something of each item in processes, or else in threads; yields (companion, result) in order.

    Args:
        run (Run): its end stops the processes.
        node: whose processes these are.
        epoch (int): the epoch.
        each: function of (stream, number, payload), see MapRow.
        what (str): what messages call the work.
        items: (number in the epoch, companion that stays here, payload) one after another.
        count (int): how many processes.
        dealing (Dealing): which process has which item.
        most (int): at most so many items travel together to a process.
    """
    pool = pool_for(run, node, _Work(each), count, what)
    if pool is None:

        def work(item):
            number, companion, payload = item
            with run.stream(node, epoch, count, dealing) as stream:
                stream.at(number)
                return companion, each(stream, number, payload)

        yield from in_threads(run, node, work, items, count)
        return
    key, seeds, size, rounds = run.key(node, epoch), dealing.at_row(), [count], collections.deque()

    def tasks():
        for group in grouped(items, size):
            dealt = {}
            for number, _, payload in group:
                dealt.setdefault(dealing.lane(number), []).append((number, payload))
            rounds.append(([(number, companion) for number, companion, _ in group], list(dealt)))
            for lane, rows in dealt.items():
                yield lane, (key, seeds, dealing.generators.get(lane), rows)

    answers = pool.map(tasks())
    for first in answers:
        companions, lanes = rounds.popleft()
        found, longest, failures = {}, 0.0, []
        for lane, (content, seconds) in zip(lanes, itertools.chain([first], answers), strict=False):
            longest = max(longest, seconds or 0.0)
            if isinstance(content, PipelineError):
                failures.append(content)
                continue
            numbers = (number for number, _ in companions if dealing.lane(number) == lane)
            found.update(zip(numbers, content, strict=True))
        worst = min((failure.row_number for failure in failures), default=None)
        for number, companion in companions:
            if worst is not None and (number == worst or number not in found):
                raise min(failures, key=lambda failure: failure.row_number)
            yield companion, found[number]
        if longest < _TASK_SECONDS and size[0] < most * count:
            size[0] *= 2
    if dealing.seed is not None:
        dealing.generators.update(pool.states(dealing.generators))


def noted(run: Any, node: Any, epoch: int, dealing: Dealing, results: Iterable):
    """`results`, one for each row of an epoch; as it ends, its Dealing is told, and where its random numbers stand is kept."""
    rows = 0
    for result in results:
        rows += 1
        yield result
    dealing.end(rows)
    run.note(node, epoch + 1, dealing)

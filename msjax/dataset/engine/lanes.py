"""The workers of a map: which of them MindSpore gives a row to, and the random numbers that it has there."""

import contextlib
import random
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from typing import Any

import numpy as np

from ..operation import Draws, fresh_seed, row_stream

__all__ = [
    "TRIALS",
    "Dealing",
    "Lanes",
    "check_states",
    "generators_seeded",
    "generators_state",
    "global_draws",
    "in_turn",
]

TRIALS = 4  # calls that are watched before it is settled how the others run


def global_draws():
    """Where the global generators stand; another value after something was drawn."""
    numpy_state = np.random.get_state(legacy=False)["state"]
    python_state = random.getstate()[1]
    return numpy_state["pos"], int(numpy_state["key"][0]), python_state[-1], python_state[0]


def generators_state():
    """The states of Python's and NumPy's global generators."""
    return random.getstate(), np.random.get_state()


def _set_generators(state):
    (version, numbers, gauss), (name, keys, *rest) = state
    random.setstate((version, tuple(numbers), gauss))
    np.random.set_state((name, np.asarray(keys, np.uint32), *rest))


def generators_seeded(seed: int, state: tuple | None):
    """Sets the global generators to a state, or else to the seed."""
    if state is None:
        random.seed(seed)
        np.random.seed(seed & 0xFFFFFFFF)
    else:
        _set_generators(state)


class Dealing:
    """Rows that are dealt to processes in turn, each with a seed of its own.

    So MindSpore runs functions of the user in processes: process number i begins with the seed of the run plus i, for Python's and NumPy's
    global generators, and for each call of an operation. Our first rows run here, before it is known whether processes pay; the global
    generators are those of the row's process then.

    Args:
        seed (int, optional): of the run; None: nothing is fixed.
        workers (int): how many there are.
        anew (bool): each epoch begins with worker 0; else its end takes a turn, too.
    """

    def __init__(self, seed: int | None, workers: int, anew: bool = False):
        self.seed, self.workers, self.anew = seed, workers, anew
        self.turns = 0  # that were dealt before row 0
        self.generators = {}  # worker -> states of the global generators there
        self.drew = False  # whether a call has drawn from them
        self.watched = 0  # calls so far

    def lane(self, row: int):
        """The number of the worker that has the row."""
        return (self.turns + row) % self.workers

    def seed_of(self, row: int):
        """The seed of what is called while the row is worked on; None: no fixed one."""
        return None if self.seed is None else self.seed + self.lane(row)

    def of_row(self, row: int):
        """The Draws of an operation on the row."""
        seed = self.seed_of(row)
        return Draws(lambda place: fresh_seed() if seed is None else seed)

    @contextlib.contextmanager
    def of_worker(self, row: int):
        """Context in which a row's random numbers are those of its worker."""
        with row_stream(None, self) as stream, self.global_generators(row):
            stream.at(row)
            yield

    @contextlib.contextmanager
    def global_generators(self, row: int):
        """Context in which Python's and NumPy's global generators are those of the row's worker."""
        self.watched += 1
        if self.seed is None or self.watched > TRIALS and not self.drew:
            yield
            return
        outer, lane = generators_state(), self.lane(row)
        generators_seeded(self.seed + lane, self.generators.get(lane))
        before = global_draws()
        try:
            yield
        finally:
            self.drew = self.drew or global_draws() != before
            self.generators[lane] = generators_state()
            _set_generators(outer)

    def at_row(self):
        """What another process needs to know of the seeds of a row."""
        plain = Dealing(self.seed, self.workers)
        plain.turns = self.turns
        return plain

    def end(self, rows: int):
        """An epoch of so many rows has ended."""
        if not self.anew:
            self.turns += rows + 1

    @property
    def state(self):
        """All that the next rows depend on, in a form that JSON can hold."""
        generators = [
            [lane, [version, list(numbers), gauss], [name, list(map(int, keys)), *rest]]
            for lane, ((version, numbers, gauss), (name, keys, *rest)) in self.generators.items()
        ]
        return {"turns": self.turns, "generators": generators}

    @state.setter
    def state(self, state: dict):
        self.turns = state["turns"]
        self.generators = {lane: tuple(states) for lane, *states in state["generators"]}


class Lanes(Dealing):
    """Rows that are dealt to threads in turn, each with Mersenne twisters of its own that it keeps from row to row.

    So MindSpore runs the operations of a map.

    Args:
        seed (int): of the run. workers (int): how many there are.
        seeded (bool): whether the user has set the seed; else operations within others have seeds of their own.
    """

    def __init__(self, seed: int, workers: int, seeded: bool):
        super().__init__(None, workers)

        def of_lane(lane):
            def seed_of(place):
                if len(place) < 2:
                    return seed + lane
                return seed if seeded else hash((seed, lane, place))

            return Draws(seed_of)

        self._draws = [of_lane(lane) for lane in range(workers)]

    def of_row(self, row: int):
        return self._draws[self.lane(row)]

    @property
    def state(self):
        twisters = [
            [lane, _as_lists(place), *twister.state]
            for lane, draws in enumerate(self._draws)
            for place, twister in list(draws.twisters.items())
        ]
        return {"turns": self.turns, "twisters": twisters}

    @state.setter
    def state(self, state: dict):
        self.turns = state["turns"]
        for draws in self._draws:
            draws.twisters.clear()
        for lane, place, drawn, kept in state["twisters"]:
            if lane >= self.workers:
                raise ValueError(
                    f"The run that goes on had more workers than {self.workers}. Give the map the num_parallel_workers that it had."
                )
            self._draws[lane].at(_as_tuples(place)).state = (drawn, kept)


_MOST_DRAWN = 1 << 36  # numbers that a twister can be made to skip: a minute's work


def check_states(states: Any):
    """Raise TypeError or ValueError unless these can be the states of Dealings that a file kept, by the numbers of their nodes."""
    if not isinstance(states, dict):
        raise TypeError(f"the states of random numbers are a {type(states).__name__}")
    for state in states.values():
        counts = [state["turns"]]
        for lane, place, drawn, kept in state.get("twisters", ()):
            _as_tuples(place)
            counts += [lane, drawn]
            if kept is not None and not isinstance(kept, float):
                raise TypeError(f"a number that is kept must be a float, but got {kept!r}")
        for lane, (version, numbers, gauss), (name, keys, *rest) in state.get("generators", ()):
            counts.append(lane)
            random.Random().setstate((version, tuple(numbers), gauss))
            np.random.RandomState().set_state((name, np.array(keys, np.uint32), *rest))
        if not all(type(count) is int and 0 <= count <= _MOST_DRAWN for count in counts):
            raise ValueError(f"the counts of random numbers must be ints from 0 to {_MOST_DRAWN}, but got {counts}")


def _as_lists(place):
    return [_as_lists(part) if isinstance(part, tuple) else part for part in place]


def _as_tuples(place):
    return tuple(_as_tuples(part) if isinstance(part, list) else part for part in place)


class _Turn:
    """An item of a lane, which waits until the one before it is done."""

    __slots__ = ("before", "done", "item")

    def __init__(self, item, before):
        self.item, self.before, self.done = item, before, threading.Event()


def in_turn(work: Callable, lane_of: Callable, stopped: threading.Event):
    """A pair (work, items) for threads that keeps the items of one lane in order.

    Args:
        work: function of an item.
        lane_of: function that gives the lane of an item.
        stopped: set where no more results are wanted.
    """
    last: dict[int, threading.Event] = {}

    def items(given: Iterable):
        for item in given:
            lane = lane_of(item)
            turn = _Turn(item, last.get(lane))
            last[lane] = turn.done
            yield turn

    def work_in_turn(turn: Any):
        try:
            while turn.before is not None and not turn.before.wait(0.1):
                if stopped.is_set():
                    raise CancelledError
            return work(turn.item)
        finally:
            turn.done.set()

    return work_in_turn, items

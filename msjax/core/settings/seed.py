"""The global seed: one number for NumPy's stream, the initializers, the dataset package and the operators."""

import threading
from typing import Any

import numpy as np

from ..above import above
from .execution_state import change, here

_STEP, _LARGEST = 533697028, (1 << 31) - 1  # MindSpore's second seeds: measured with MindSpore 2.10


class Seeds:
    """A seed (None: none was set), by the thread that set it. taken: how many pairs initializers have asked for since.

    streams: what `random` draws from in that thread. version: grows with each setting. branches: how many other threads draw from it.
    """

    __slots__ = ("seed", "taken", "thread", "streams", "version", "branches")

    def __init__(self, thread: Any):
        self.seed, self.taken, self.thread, self.streams, self.version, self.branches = None, 0, thread, None, 0, 0

    def next_branch(self):
        """The number of another thread that draws from this seed."""
        with _lock:
            self.branches += 1
            return self.branches


# That of the process, which the main thread sets. Another thread sees it until it sets a seed itself: then it has its own, so that threads
# that train at the same time repeat one by one.
_process, _lock = Seeds(threading.main_thread().ident), threading.Lock()


def set_seed(seed: int):
    """Make a run repeatable: seeds NumPy's global stream, initializers, random operators and datasets.

    Raises:
        ValueError: `seed` is negative.
        TypeError: `seed` is not an int.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(
            f"For 'global_seed', the type of 'seed' must be int, but got '{seed}' with type {type(seed).__name__}."
        )
    if seed < 0:
        raise ValueError(f"For 'global_seed', the 'seed' must be int and must >= 0, but got '{seed}' with type 'int'.")
    restore(int(seed), 0)
    np.random.seed(int(seed) % (1 << 32))
    above.seeded(int(seed))
    above.seed_pipelines(int(seed))


def get_seed() -> int | None:
    """The number given to `set_seed`, or None."""
    return seeds().seed


def seeds():
    """The Seeds in force."""
    return here().seeds or _process


def restore(seed: int, taken: int):
    """Go on after `taken` pairs of a seed."""
    own = seeds()
    if own.thread != threading.get_ident():
        own = Seeds(threading.get_ident())
        change(seeds=own)
    with _lock:
        own.seed, own.taken, own.version, own.branches = seed, taken, own.version + 1, 0


def next_seeds():
    """The next (seed, second seed) for an initializer; (0, 0) if no seed was set."""
    own = seeds()
    if own.seed is None:
        return 0, 0
    with _lock:
        seed, taken = own.seed, own.taken
        own.taken += 1
    return seed, (seed + taken * _STEP) % _LARGEST


__all__ = ["get_seed", "set_seed"]

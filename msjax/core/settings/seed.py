"""The global seed: one number for NumPy's stream, the initializers, the dataset package and the operators."""

import threading
from typing import Any

import numpy as np

from ..above import above
from .execution_state import change, here

# MindSpore's second seeds, and what stands for a seed of 0: measured with MindSpore 2.10
_STEP, _LARGEST, _OF_ZERO = 533697028, (1 << 31) - 1, 87654321


class Seeds:
    """A seed (None: none was set), by the thread that set it. taken: how many pairs were asked for since, by (kernel, its own seed).

    streams: what `random` draws from in that thread. version: grows with each setting. branches: how many other threads draw from it.
    """

    __slots__ = ("seed", "taken", "thread", "streams", "version", "branches")

    def __init__(self, thread: Any):
        self.seed, self.taken, self.thread, self.streams, self.version, self.branches = None, {}, thread, None, 0, 0

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
        ValueError: `seed` is negative, or 2^32 or more.
        TypeError: `seed` is not an int.
    """
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(
            f"For 'global_seed', the type of 'seed' must be int, but got '{seed}' with type {type(seed).__name__}."
        )
    if seed < 0:
        raise ValueError(f"For 'global_seed', the 'seed' must be int and must >= 0, but got '{seed}' with type 'int'.")
    if seed >= 1 << 32:
        raise ValueError(f"For 'global_seed', the 'seed' must be less than 2^32, but got {seed}.")
    restore(seed, 0)
    np.random.seed(seed)
    above.seeded(seed)
    above.seed_pipelines(seed)


def get_seed() -> int | None:
    """The number given to `set_seed`, or None."""
    return seeds().seed


def seeds():
    """The Seeds in force."""
    return here().seeds or _process


def restore(seed: int, taken: int):
    """Go on after initializers have asked for `taken` pairs of a seed."""
    own = seeds()
    if own.thread != threading.get_ident():
        own = Seeds(threading.get_ident())
        change(seeds=own)
    with _lock:
        own.seed, own.taken, own.version, own.branches = seed, {_initial(seed): taken}, own.version + 1, 0


def next_seeds():
    """The next (seed, second seed) for an initializer; (0, 0) if no seed was set."""
    own = seeds()
    return (0, 0) if own.seed is None else kernel_seeds(own.seed, "init")


def initializers_seeded():
    """How many pairs initializers have asked for since the seed was set."""
    own = seeds()
    return own.taken.get(_initial(own.seed), 0)


def kernel_seeds(op_seed: int | None, kernel: str):
    """The next (seed, second seed) for a kernel whose own seed is `op_seed` (None: 0); (0, 0) if that is 0 and no seed was set.

    Raises:
        TypeError, ValueError: `op_seed` is not an int, or negative.
    """
    own, op_seed = seeds(), 0 if op_seed is None else op_seed
    first = _OF_ZERO if own.seed == 0 else own.seed or 0
    if not first and not op_seed:
        return 0, 0
    if isinstance(op_seed, bool) or not isinstance(op_seed, int):
        raise TypeError(
            f"For '{kernel}', the 'seed' must be int, but got '{op_seed}' with type {type(op_seed).__name__}."
        )
    if op_seed < 0:
        raise ValueError(f"For '{kernel}', the 'seed' must be int and must >= 0, but got '{op_seed}' with type 'int'.")
    with _lock:
        taken = own.taken.get((kernel, op_seed), 0)
        own.taken[kernel, op_seed] = taken + 1
    return first % _LARGEST, (op_seed + taken * _STEP) % _LARGEST


def _initial(seed):
    return "init", seed


__all__ = ["get_seed", "set_seed"]

"""The global seed: one number for NumPy's stream, the initializers, the dataset package and the operators."""

import numpy as np

_seed = None
_taken = 0  # pairs that initializers have asked for since `set_seed`
_STEP, _LARGEST = 533697028, (1 << 31) - 1  # MindSpore's second seeds: measured with MindSpore 2.10
# Called with the new seed by `set_seed`; the operators' generator and the dataset package register here.
listeners = []


def set_seed(seed):
    """Make a run repeatable: seeds NumPy's global stream, initializers, random operators and datasets.

    Raises:
        ValueError: `seed` is negative.
        TypeError: `seed` is no int.
    """
    global _seed, _taken
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(
            f"For 'global_seed', the type of 'seed' must be int, but got '{seed}' with type {type(seed).__name__}."
        )
    if seed < 0:
        raise ValueError(f"For 'global_seed', the 'seed' must be int and must >= 0, but got '{seed}' with type 'int'.")
    _seed, _taken = int(seed), 0
    np.random.seed(_seed % (1 << 32))
    for listener in listeners:
        listener(_seed)


def get_seed():
    """The number given to `set_seed`, or None."""
    return _seed


def next_seeds():
    """The next (seed, second seed) for an initializer; (0, 0) if no seed was set."""
    global _taken
    if _seed is None:
        return 0, 0
    second = (_seed + _taken * _STEP) % _LARGEST
    _taken += 1
    return _seed, second


__all__ = ["get_seed", "set_seed"]

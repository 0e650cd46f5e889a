"""The random numbers of samplers."""

from collections.abc import Sequence

import numpy as np

from ..twister import MersenneTwister

__all__ = ["Draw"]


class Draw:
    """The random numbers that a sampler draws in one epoch.

    run: the Run; it keeps what a sampler carries to the next epoch. epoch: counted from 0. source: PKSampler asks it for labels.
    """

    generator, ahead = MersenneTwister, 0  # what shuffles, and how far its first seed is from the run's

    def __init__(self, run: object, epoch: int, source: object):
        self.run, self.epoch, self.source = run, epoch, source

    def twister(self):
        """A Mersenne twister of the run's seed, the same in each epoch."""
        return MersenneTwister(self.run.seed)

    def shuffled(self, sampler: object, items: Sequence, seed: int | None = None, step: int = 1):
        """`items` in this epoch's order: each epoch shuffles that of the one before, with a seed larger by `step`."""
        if seed is None and not self.run.seeded:
            order = np.random.default_rng([self.run.seed, self.epoch]).permutation(len(items))
            return np.asarray(items)[order]
        first = self.run.seed + self.ahead if seed is None else seed
        done, order = self.run.memory.get((id(sampler), "order"), (-1, None))
        if done > self.epoch or order is None or len(order) != len(items):
            done, order = -1, list(items)
        while done < self.epoch:
            done += 1
            self.generator(first + step * done).shuffle(order)
        self.run.memory[id(sampler), "order"] = (done, order)
        return np.array(order, np.int64)

    def drawn(self, size: int, count: int):
        """`count` of `size` rows, each from all."""
        if not self.run.seeded:
            return np.random.default_rng([self.run.seed, self.epoch]).integers(size, size=count)
        twister = MersenneTwister(self.run.seed + self.epoch)
        return np.array([twister.below(size) for _ in range(count)], np.int64)

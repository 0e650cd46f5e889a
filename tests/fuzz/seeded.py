"""What every generator of random cases is."""

import random


class Seeded:
    """Cases of one seed, without end: `next(generator)`. A subclass draws them from `self.random`."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def __iter__(self):
        return self

"""Random numbers as the C++ standard library draws them: the ones that MindSpore's pipelines get for a seed.

MindSpore shuffles and augments with `std::mt19937` (record files: `std::minstd_rand0`) and the distributions of libstdc++. The generators are
defined to the bit, the distributions as libstdc++ implements them, so a script that calls `dataset.config.set_seed` sees the same rows here.
Sources: Matsumoto and Nishimura 1998; Lewis, Goodman and Miller 1969; libstdc++'s `bits/random.tcc` and `bits/stl_algo.h`, of which the forms
below are those before GCC 11.
"""

import functools
import math
from collections.abc import Iterable, Sequence

import numpy as np

_MASK = 2**32 - 1
_FIRST = 624  # the numbers of a seed that are kept: calls outside a pipeline begin anew each time
_float = np.float32


def _generator(seed):
    bits = np.random.MT19937()
    bits.state = np.random.RandomState(seed).get_state(legacy=False)
    return bits


@functools.lru_cache(64)
def _first_numbers(seed):
    return _generator(seed).random_raw(_FIRST).tolist()


class _Generator:
    """A callable that gives ints from 0 to `largest`, and what is drawn from it."""

    largest = 2**32 - 1
    __slots__ = ()

    def below(self, count: int):
        """`std::uniform_int_distribution(0, count - 1)`."""
        scaling = self.largest // count
        past = count * scaling
        while True:
            drawn = self()
            if drawn < past:
                return drawn // scaling

    def between(self, low: int, high: int):
        """`std::uniform_int_distribution(low, high)`: `high` can come."""
        return low + self.below(high - low + 1)

    def shuffle(self, items: list):
        """`std::shuffle` of a list, in place."""
        count = len(items)
        if count < 2:
            return
        if self.largest // count < count:
            for i in range(1, count):
                j = self.below(i + 1)
                items[i], items[j] = items[j], items[i]
            return
        i = 1
        if count % 2 == 0:
            j = self.below(2)
            items[1], items[j] = items[j], items[1]
            i = 2
        while i < count:  # one number serves two swaps
            p, q = self._two_below(i + 1, i + 2)
            items[i], items[p] = items[p], items[i]
            i += 1
            items[i], items[q] = items[q], items[i]
            i += 1

    def _two_below(self, first, second):
        """Two whole numbers, below each of the counts, from one draw."""
        return divmod(self.below(first * second), second)

    def sample(self, items: Sequence, count: int):
        """`std::sample`: `count` of the items in their order."""
        chosen, left, i = [], len(items), 0
        count = min(count, left)
        if self.largest // left >= left:
            while count and left >= 2:  # one number serves two items
                for drawn in self._two_below(left, left - 1):
                    left -= 1
                    if count and drawn < count:
                        chosen.append(items[i])
                        count -= 1
                    i += 1
        while count:
            if self.below(left) < count:
                chosen.append(items[i])
                count -= 1
            left -= 1
            i += 1
        return chosen


class MersenneTwister(_Generator):
    """`std::mt19937(seed)`: a callable that gives 32-bit ints, and the distributions that are drawn from it.

    Attributes:
        normals: the normal distribution that an operation keeps from row to row.
    """

    __slots__ = ("_at", "_before", "_bits", "_numbers", "normals", "seed")

    def __init__(self, seed: int):
        self.seed = seed & _MASK
        self._numbers, self._at, self._before = _first_numbers(self.seed), 0, 0
        self._bits = None
        self.normals = Normal()

    def __call__(self):
        at = self._at
        if at == len(self._numbers):
            self._refill()
            at = 0
        self._at = at + 1
        return self._numbers[at]

    def _refill(self):
        if self._bits is None:
            self._bits = _generator(self.seed)
            self._bits.random_raw(_FIRST, output=False)
        self._before += len(self._numbers)
        self._numbers = self._bits.random_raw(4096).tolist()

    @property
    def state(self):
        """(how many numbers were drawn, the normal number that is kept): with the seed, all that the next ones depend on."""
        return self._before + self._at, self.normals.kept

    @state.setter
    def state(self, state: Sequence):
        drawn, self.normals.kept = state
        self._numbers, self._at, self._before, self._bits = _first_numbers(self.seed), drawn, 0, None
        if drawn > _FIRST:
            self._bits = _generator(self.seed)
            self._bits.random_raw(drawn, output=False)
            self._numbers, self._at, self._before = (), 0, drawn

    def uniform(self):
        """`std::generate_canonical<double, 53>`: a float in [0, 1)."""
        low = self()
        value = (low + self() * 4294967296.0) / 18446744073709551616.0
        return value if value < 1.0 else math.nextafter(1.0, 0.0)

    def canonical32(self):
        """`std::generate_canonical<float, 24>`: a float32 in [0, 1)."""
        value = _float(self()) / _float(4294967296.0)
        return value if value < 1 else np.nextafter(_float(1), _float(0))

    def uniform32(self, low: float, high: float):
        """`std::uniform_real_distribution<float>(low, high)`: a float32."""
        low, high = _float(low), _float(high)
        return self.canonical32() * (high - low) + low

    def about_middle(self, low: float, high: float):
        """A float32 as RandomRotation and RandomSharpness draw it: the middle and a part of half the range."""
        low, high = _float(low), _float(high)
        return (high + low) / _float(2) + self.uniform32(-1.0, 1.0) * ((high - low) / _float(2))

    def chance(self, probability: float):
        """`std::bernoulli_distribution` of a probability that MindSpore keeps as float32: whether it happens."""
        return self.uniform() < float(_float(probability))


class MinimalStandard(_Generator):
    """`std::minstd_rand0(seed)`, less 1: its numbers begin at 1."""

    _prime = 2**31 - 1
    largest = _prime - 2
    __slots__ = ("_state",)

    def __init__(self, seed: int):
        self._state = seed % self._prime or 1

    def __call__(self):
        self._state = 16807 * self._state % self._prime
        return self._state - 1


class Normal:
    """`std::normal_distribution<float>`: Marsaglia's polar method makes two numbers at once and keeps one."""

    __slots__ = ("kept",)

    def __init__(self):
        self.kept = None

    def __call__(self, draw: MersenneTwister):
        """A float32 of mean 0 and standard deviation 1."""
        if self.kept is not None:
            kept, self.kept = self.kept, None
            return _float(kept)
        while True:
            x, y = (_float(2) * draw.canonical32() - _float(1) for _ in range(2))
            square = x * x + y * y
            if 0 < square <= 1:
                break
        factor = np.sqrt(_float(-2) * np.log(square) / square)
        self.kept = float(x * factor)
        return y * factor


class Gamma:
    """`std::gamma_distribution<float>(alpha, 1)`: the method of Marsaglia and Tsang (2000).

    Args:
        alpha (float): the shape.
    """

    def __init__(self, alpha: float):
        self.alpha = _float(alpha)
        self._more = self.alpha + _float(1) if self.alpha < 1 else self.alpha
        self._scale = _float(self._more - 1.0 / 3.0)
        self._slope = _float(1.0 / math.sqrt(9.0 * float(self._scale)))
        self._normal = Normal()

    def __call__(self, draw: MersenneTwister):
        """A float32."""
        while True:
            n = self._normal(draw)
            v = _float(1) + self._slope * n
            if v <= 0:
                continue
            v = v * v * v
            u = draw.canonical32()
            near = float(u) <= 1.0 - 0.0331 * float(n * n * n * n)
            if near or math.log(u) <= 0.5 * float(n) ** 2 + float(self._scale) * (1.0 - float(v) + math.log(v)):
                break
        if self.alpha == self._more:
            return self._scale * v
        u = draw.canonical32()
        while u == 0:
            u = draw.canonical32()
        return np.power(u, _float(1) / self.alpha) * self._scale * v


def first_below(count: int, seeds: Iterable[int]):
    """The first `below(count)` of a Mersenne twister of each seed."""
    state, scaling = np.random.RandomState(), MersenneTwister.largest // count
    for seed in seeds:
        state.seed(seed & _MASK)
        drawn = int.from_bytes(state.bytes(4), "little")
        yield drawn // scaling if drawn < count * scaling else MersenneTwister(seed).below(count)

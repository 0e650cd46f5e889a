"""The random numbers that MindSpore's initializers draw: one seed gives the same weights in both.

The generator is Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011). It has no state: each group of four
words is computed from its place and the seed alone. So any part of an array can be filled by itself, and threads share a large one.
Numbers are computed in float64, of ends, means and deviations in float32, as MindSpore does.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

_MULTIPLIERS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_KEY_STEPS = 0x9E3779B9, 0xBB67AE85
_WORD, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_MANTISSA, _ONE = np.uint32(0x7FFFFF), np.uint32(127 << 23)  # of a float32; the exponent of 1.0
_PI, _ROOT_2, _LEAST = (float(np.float32(x)) for x in (3.1415926, 1.4142135, 1e-7))  # MindSpore's constants are float32
_PIECE = 1 << 15  # numbers that are drawn at a time: what is computed on the way stays in a processor's cache
_ALONE = 1 << 18  # an array of so many is filled by one thread


def _words(seed, start, count):
    """`count` words (uint32) of the stream of a seed, from the word `start` on, which is a multiple of 4."""
    places = np.arange(start // 4, (start + count + 3) // 4, dtype=np.uint64)
    keys = seed & 0xFFFFFFFF, seed >> 32
    a, b = places & _LOW, places >> _WORD
    c, d = (np.full(places.size, key, np.uint64) for key in keys)
    for _ in range(10):
        first, second = a * _MULTIPLIERS[0], c * _MULTIPLIERS[1]
        b ^= second >> _WORD
        d ^= first >> _WORD
        b ^= np.uint64(keys[0])
        d ^= np.uint64(keys[1])
        first &= _LOW
        second &= _LOW
        a, b, c, d = b, second, d, first
        keys = tuple((key + step) & 0xFFFFFFFF for key, step in zip(keys, _KEY_STEPS))
    words = np.empty((places.size, 4), np.uint32)
    words[:, 0], words[:, 1], words[:, 2], words[:, 3] = a, b, c, d
    return words.reshape(-1)[:count]


def _single(*numbers):
    return [float(np.float32(number)) for number in numbers]


def uniform(low: float, high: float):
    """What draws uniformly from [low, high): a function of (seed, start, count)."""
    low, high = _single(low, high)

    def draw(seed, start, count):
        return _words(seed, start, count) * ((high - low) / 2.0**32) + low

    return draw


def normal(mean: float, sigma: float):
    """What draws from a normal distribution by pairs (Box and Muller, 1958): a function of (seed, start, count), `start` even."""
    mean, sigma = _single(mean, sigma)

    def draw(seed, start, count):
        words = _words(seed, start, count + count % 2)
        units = ((words & _MANTISSA) | _ONE).view(np.float32) - np.float32(1)
        # In place: half of the time would go into new arrays.
        length, angle = (np.maximum(part.astype(np.float64), _LEAST) for part in (units[::2], units[1::2]))
        np.log(length, out=length)
        length *= -2
        np.sqrt(length, out=length)
        length *= sigma
        angle *= 2 * _PI
        for place, part in ((0, np.cos(angle)), (1, np.sin(angle, out=angle))):
            part *= length
            part += mean
            units[place::2] = part
        return units[:count]

    return draw


def truncated_normal(mean: float, sigma: float, low: float, high: float):
    """What draws from the part of a normal distribution between two ends, by the inverse of its distribution function: a function of (seed,
    start, count).

    An interval far above the mean is drawn as its mirror image: near 1 the distribution function has no digits left. MindSpore draws
    outside the interval there.
    """
    from scipy.special import erfc, erfcinv

    mean, sigma, low, high = _single(mean, sigma, low, high)
    side, ends = 1, sorted((low, high))
    if low > mean + 5 * sigma:
        side, ends = -1, sorted((2 * mean - low, 2 * mean - high))
    below, above = (erfc(-(end - mean) / sigma / _ROOT_2) / 2 for end in ends)
    least, most = (float(np.nextafter(np.float32(a), np.float32(b))) for a, b in ((0, 2), (2, 0)))

    def draw(seed, start, count):
        share = below + _words(seed, start, count) * ((above - below) / 2.0**32)
        places = erfcinv(np.clip(2 * share, least, most)) * _ROOT_2
        return np.clip(mean - side * sigma * places, low, high)

    return draw


def fill(array: np.ndarray, draw: Callable, seed: int, start: int = 0):
    """Fill an array with what `draw` gives, from the number `start` of the stream on; several threads fill a large one."""
    flat = array.reshape(-1) if array.flags.c_contiguous else np.empty(array.size, array.dtype)
    start, skipped = start - start % 4, start % 4

    def piece(begin):
        end = min(begin + _PIECE, flat.size + skipped)
        numbers = draw(seed, start + begin, end - begin).astype(np.float32, copy=False)
        flat[max(begin - skipped, 0) : end - skipped] = numbers[skipped if not begin else 0 :]

    begins = range(0, flat.size + skipped, _PIECE)
    threads = min(8, (os.cpu_count() or 1) // 2)  # two on one core are slower than one
    if flat.size <= _ALONE or threads < 2:
        for begin in begins:
            piece(begin)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(piece, begins))
    if not array.flags.c_contiguous:
        array[...] = flat.reshape(array.shape)

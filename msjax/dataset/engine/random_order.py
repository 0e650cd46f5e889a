"""The shuffle buffer: rows in the very order that MindSpore draws for a seed.

MindSpore draws the places with `std::mt19937_64`, which is defined to the bit. Source: Nishimura 2000.
"""

from collections.abc import Callable, Sequence

import numpy as np

from .block import Block, values


class MersenneTwister64:
    """`std::mt19937_64(seed)`: a callable that gives 64-bit ints."""

    def __init__(self, seed: int | None):
        mask = 2**64 - 1
        state = [seed & mask]
        for i in range(1, 312):
            last = state[-1]
            state.append((6364136223846793005 * (last ^ (last >> 62)) + i) & mask)
        self._state = np.array(state, np.uint64)
        self._draw = iter(()).__next__
        self.drawn = 0  # numbers given so far

    def _refill(self):
        u64 = np.uint64
        mt, upper, lower = self._state, u64(0xFFFFFFFF80000000), u64(0x7FFFFFFF)

        def twist(low, high, others):
            x = (low & upper) | (high & lower)
            return others ^ (x >> u64(1)) ^ np.where(x & u64(1), u64(0xB5026F5AA96619E9), u64(0))

        # The second half uses what the first half became, so each half is one array operation.
        mt[:156] = twist(mt[:156], mt[1:157], mt[156:])
        mt[156:311] = twist(mt[156:311], mt[157:312], mt[:155])
        mt[311:] = twist(mt[311:], mt[:1], mt[155:156])
        x = mt.copy()
        x ^= (x >> u64(29)) & u64(0x5555555555555555)
        x ^= (x << u64(17)) & u64(0x71D67FFFEDA60000)
        x ^= (x << u64(37)) & u64(0xFFF7EEE000000000)
        x ^= x >> u64(43)
        self._draw = iter(x.tolist()).__next__

    def __call__(self):
        self.drawn += 1
        try:
            return self._draw()
        except StopIteration:
            self._refill()
            return self._draw()


class _Store:
    """Rows kept by position; a column is one array while its rows are alike, else a list."""

    def __init__(self, block, capacity):
        self.capacity = capacity
        self.columns = [
            np.empty((capacity, *column.shape[1:]), column.dtype)
            if isinstance(column, np.ndarray)
            else [None] * capacity
            for column in block.columns
        ]

    def put(self, block, positions):
        for c, column in enumerate(block.columns):
            kept = self.columns[c]
            if isinstance(kept, np.ndarray):
                if isinstance(column, np.ndarray) and column.shape[1:] == kept.shape[1:] and column.dtype == kept.dtype:
                    kept[positions] = column
                    continue
                kept = self.columns[c] = values(kept)
            for position, value in zip(positions, values(column), strict=True):
                kept[position] = value

    def take(self, positions):
        columns = []
        for kept in self.columns:
            if isinstance(kept, np.ndarray):
                columns.append(kept[positions])
            else:
                columns.append([kept[i] for i in positions])
                for i in positions:
                    kept[i] = None
        return Block(columns, len(positions))


def shuffle_buffer(blocks: Sequence, size: int, draw: Callable):
    """A stream shuffled through a buffer of `size` rows.

    The buffer is kept full; each step sends the row of a random slot, moves the last row there, and puts the next row
    of the stream last. Slots are positions in one store, so rows move only in and out.

    Args:
        blocks: the stream.
        size (int): rows in the buffer.
        draw: a MersenneTwister64.
    """
    store, slots, free = None, [], []
    for block in blocks:
        while block.count:
            if store is None:
                store = _Store(block, size + block.count)
                free = list(range(store.capacity - 1, -1, -1))
            part = block
            if block.count > len(free):
                part, block = block.slice(0, len(free)), block.slice(len(free), block.count)
            else:
                block = block.slice(0, 0)
            arrived = [free.pop() for _ in range(part.count)]
            store.put(part, arrived)
            fill = min(size - len(slots), part.count)
            slots.extend(arrived[:fill])
            sent = []
            for position in arrived[fill:]:
                slot = draw() % size
                sent.append(slots[slot])
                slots[slot] = slots[-1]
                slots[-1] = position
            if sent:
                yield store.take(sent)
                free.extend(sent)
    sent = []
    while slots:
        slot = draw() % len(slots)
        sent.append(slots[slot])
        slots[slot] = slots[-1]
        slots.pop()
        if len(sent) == 64 or not slots:
            yield store.take(sent)
            sent = []

"""The order in which several workers of MindSpore give the rows of several files."""

import itertools
from collections.abc import Sequence


def in_turns(parts: Sequence, workers: int):
    """Rows of parts (iterables), one of each worker in turn; worker w reads the parts w, w + workers, ... to their ends."""
    streams = [itertools.chain.from_iterable(parts[w::workers]) for w in range(workers)]
    ended = object()
    while streams:
        rows = [(stream, next(stream, ended)) for stream in streams]
        yield from (row for _, row in rows if row is not ended)
        streams = [stream for stream, row in rows if row is not ended]

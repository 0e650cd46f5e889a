"""The order in which several workers of MindSpore give the rows of several files."""

import itertools
import operator
from collections.abc import Sequence
from typing import Any


def in_turns(parts: Sequence, workers: Any, limit: int | None = None):
    """Rows of parts (iterables), one of each worker in turn; worker w reads the parts w, w + workers, ... to their ends.

    limit: only the first so many rows, counted part after part.
    """
    if limit:
        numbered = ((number, row) for number, part in enumerate(parts) for row in part)
        wanted = itertools.groupby(itertools.islice(numbered, limit), operator.itemgetter(0))
        parts = [[row for _, row in group] for _, group in wanted]
    parts = list(parts)
    streams = [itertools.chain.from_iterable(parts[w::workers]) for w in range(workers)]
    ended = object()
    while streams:
        rows = [(stream, next(stream, ended)) for stream in streams]
        yield from (row for _, row in rows if row is not ended)
        streams = [stream for stream, row in rows if row is not ended]

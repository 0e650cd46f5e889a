"""Whether the names of a pair are clearly better than those of its rivals, seen from both sides."""

from __future__ import annotations

import numpy as np

MARGIN = 0.12  # by which the names of a pair are more alike than those of the next one, to be certain
LEAST = 0.2  # as alike names must be at least, to be certain by names


def said_better(i, j, possible, said, taken) -> bool:
    """Whether more speaks for a pair, and for what its rivals have then, than for the exchange with any rival."""
    holders = {column: row for row, column in taken.items() if possible[row, column]}
    rivals = [
        (r, next((c for c, holder in holders.items() if holder == r), None)) for r in np.flatnonzero(possible[:, j])
    ]
    rivals += [(holders.get(c), c) for c in np.flatnonzero(possible[i])]
    for row, column in rivals:
        if row == i or column == j:
            continue
        if row is None or column is None:
            better = said[i, column] if row is None else said[row, j]
            if better >= said[i, j]:
                return False
        elif (
            possible[row, j]
            and possible[i, column]
            and said[i, column] + said[row, j] >= said[i, j] + said[row, column]
        ):
            return False
    return True


def by_ordinal(i, j, sources, targets, likeness) -> bool:
    """Whether the rivals of a pair, on each side, are the same words with other ordinals, and the pair has the same rank on both."""
    near = max(likeness[i, j] - MARGIN, LEAST)
    rows, columns = np.flatnonzero(likeness[:, j] > near), np.flatnonzero(likeness[i] > near)
    if likeness[i, j] < LEAST or len(rows) != len(columns) or not (likeness[np.ix_(rows, columns)] >= 0).all():
        return False
    ranks = [_ranks([side[k].words for k in chosen]) for side, chosen in ((sources, rows), (targets, columns))]
    return None not in ranks and ranks[0][list(rows).index(i)] == ranks[1][list(columns).index(j)]


def _ranks(names) -> list[int] | None:
    """The rank of each name among names that differ in one number alone; None where they differ in something else."""
    plain = {tuple(w for w in name if not w.isdigit()) for name in names}
    numbers = {tuple(w for w in name if w.isdigit()) for name in names}
    differing = {i for one in numbers for other in numbers for i, (a, b) in enumerate(zip(one, other)) if a != b}
    if len(plain) > 1 or len(numbers) < len(names) or len(set(map(len, numbers))) > 1 or len(differing) != 1:
        return None
    place = differing.pop()
    values = [int([w for w in name if w.isdigit()][place]) for name in names]
    return [sorted(values).index(value) for value in values]

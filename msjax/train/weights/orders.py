"""Orders in which networks keep the rows of q, k and v: told by no name and no shape, so a probe decides.

- Rotary: the two elements of a head that are turned together stand side by side ("pairs"), or half a head apart ("halves").
- A matrix of q, k and v has all of q first ("parts"), or q, k and v of each head together ("heads").
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .names import split
from .words import words

if TYPE_CHECKING:
    from .matching import Pair

_LARGEST = 512  # elements of a head


def reordered(value: np.ndarray, order: tuple[str, int]) -> np.ndarray:
    """The rows of a value in another order.

    Args:
        value: (rows, ...); a whole number of heads, for "parts" and "heads" of each of q, k and v.
        order: (what they become: "pairs", "halves", "parts" or "heads"; elements of a head).

    Example:
        >>> from msjax.train.weights.orders import reordered
        >>> reordered(np.arange(4), ("halves", 4)).tolist()
        [0, 2, 1, 3]
    """
    what, size = order
    heads = len(value) // (3 * size)
    cut = {
        "halves": (-1, size // 2, 2),
        "pairs": (-1, 2, size // 2),
        "parts": (1, heads, 3, size),
        "heads": (1, 3, heads, size),
    }[what]
    return value.reshape(*cut, *value.shape[1:]).swapaxes(1, 2).reshape(value.shape)


def with_orders(pairs: Sequence[Pair], rows: dict[str, int]) -> Iterator[list[Pair]]:
    """The pairs with each order that q, k and v of the whole network could have, the plain one left out.

    Args:
        rows: How many rows a Parameter has, and a weight of the file.
    """
    spelled = {p.target: set(words(split(p.target)[0])) for p in pairs}
    turned = {p.target for p in pairs if spelled[p.target] & {"q", "k", "v"} in ({"q"}, {"k"}) or len(p.sources) == 3}
    joined = {p.target for p in pairs if _is_joined(p, spelled)}
    alone = [
        rows[n] for p in pairs if p.target in turned for n in (p.sources[:2] if len(p.sources) == 3 else [p.target])
    ]
    sizes = [size for size in _sizes(alone, 1) if size % 2 == 0 and size > 2]
    wide = _sizes([rows[p.sources[0]] if p.part else rows[p.target] for p in pairs if p.target in joined], 3)
    rotary = [None, *((what, size) for size in sizes for what in ("halves", "pairs"))]
    for first in [None, *((what, size) for size in wide for what in ("parts", "heads"))]:
        for then in rotary:
            if first or then:
                yield [
                    replace(
                        p, joined=first if p.target in joined else None, rotary=then if p.target in turned else None
                    )
                    for p in pairs
                ]


def _is_joined(pair, spelled):
    """Whether q, k and v are in one matrix, on either side."""
    sides = (spelled[pair.target], *(set(words(split(name)[0])) for name in pair.sources[:1]))
    return any({"q", "k", "v"} <= side for side in sides)


def _sizes(rows, parts):
    """What a head could be as wide as, if so many rows are a whole number of `parts` times heads; the usual ones first."""
    whole = math.gcd(*rows) if rows else 0
    if whole % parts:
        return []
    found = [n for n in range(2, min(whole // parts, _LARGEST) + 1) if whole % (n * parts) == 0]
    return sorted(found, key=lambda n: (n & (n - 1) != 0, abs(n - 64)))

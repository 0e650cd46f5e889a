"""Orders in which networks keep the rows of q, k and v: told by no name and no shape, so a probe decides.

- Rotary: the two elements of a head that are turned together stand side by side ("pairs"), or half a head apart ("halves").
- A matrix of q, k and v has all of q first ("parts"), or q, k and v of each head together ("heads"). A user can say it (`Grouped`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from .names import split
from .words import words

if TYPE_CHECKING:
    from .matching import Pair

_LARGEST = 512  # elements of a head


@dataclass(frozen=True)
class Grouped:
    """Where the rows of q, k and v stand in one matrix: in equal groups, in each a part of all three.

    Args:
        groups: How many.
        spelled: The order in each, as "qkv" or "qvk".
        rows: How many rows q, k and v have.
        made: Whether the matrix is made of all of q, then k, then v; else these are made of it.
    """

    groups: int
    spelled: str
    rows: tuple[int, int, int]
    made: bool

    def changed(self, value: np.ndarray) -> np.ndarray:
        """The rows in the other order.

        Example:
            >>> from msjax.train.weights.orders import Grouped
            >>> Grouped(2, "qkv", (4, 2, 2), made=True).changed(np.arange(8)).tolist()
            [0, 1, 4, 6, 2, 3, 5, 7]
        """
        ends = dict(zip("qkv", np.cumsum(self.rows)))
        parts = {
            name: np.arange(ends[name] - n, ends[name]).reshape(self.groups, -1) for name, n in zip("qkv", self.rows)
        }
        places = np.concatenate([parts[name] for name in self.spelled], axis=1).reshape(-1)
        return value[places if self.made else np.argsort(places)]


def told_order(pairs: Sequence[Pair], order: str, rows: dict[str, int]) -> list[Pair]:
    """The pairs with the order of q, k and v that a user says.

    Args:
        order: "qkv", all of q, then k, then v; "12*qkv", the q, k and v of each of 12 heads (or of 12 heads of k and v, with the heads of q that
            share them); "4*qvk", a quarter of each at a time.
        rows: How many rows a Parameter has, and a weight of the file.

    Raises:
        ValueError: no such order; no matrix of q, k and v is cut or joined; it does not hold so many groups.
    """
    found = re.fullmatch(r"(?:(\d+)\*)?([qkv]{3})", order.replace(",", "").replace(" ", ""))
    if not found or set(found[2]) != set("qkv") or found[1] and int(found[1]) < 1:
        raise ValueError(f"The order of q, k and v must be as 'qkv', '12*qkv' or '4*qvk', but got {order!r}.")
    groups, cut = int(found[1] or 1), {}
    for pair in pairs:
        if pair.part:
            cut.setdefault(pair.sources, []).append(pair)

    def grouped(sizes, made, name):
        if any(n % groups for n in sizes):
            raise ValueError(
                f"'{name}' has {', '.join(map(str, sizes))} rows of q, k and v, which {groups} groups do not divide."
            )
        return Grouped(groups, found[2], tuple(sizes), made)

    changed = {}
    for pair in pairs:
        if len(pair.sources) == 3 and not pair.part:
            changed[pair.target] = grouped([rows[name] for name in pair.sources], True, pair.target)
    for (name, *_), parts in cut.items():
        if len(parts) == 3:
            sizes = [end - begin for begin, end in sorted(p.part for p in parts)]
            changed.update((p.target, grouped(sizes, False, name)) for p in parts)
    if not changed:
        raise ValueError("No matrix of q, k and v is cut or joined, so there is no order of q, k and v to choose.")
    return [replace(p, joined=changed[p.target]) if p.target in changed else p for p in pairs]


def reordered(value: np.ndarray, order: tuple[str, int] | Grouped) -> np.ndarray:
    """The rows of a value in another order.

    Args:
        value: (rows, ...); a whole number of heads, for "parts" and "heads" of each of q, k and v.
        order: (what they become: "pairs", "halves", "parts" or "heads"; elements of a head), or a `Grouped`.

    Example:
        >>> from msjax.train.weights.orders import reordered
        >>> reordered(np.arange(4), ("halves", 4)).tolist()
        [0, 2, 1, 3]
    """
    if isinstance(order, Grouped):
        return order.changed(value)
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
    known = any(p.joined for p in pairs)  # the user said it
    wide = [rows[p.sources[0]] if p.part else rows[p.target] for p in pairs if p.target in joined]
    wide = [] if known else _sizes(wide, 3)
    rotary = [None, *((what, size) for size in sizes for what in ("halves", "pairs"))]
    for first in [None, *((what, size) for size in wide for what in ("parts", "heads"))]:
        for then in rotary:
            if first or then:
                yield [
                    replace(
                        p,
                        joined=first if p.target in joined and not known else p.joined,
                        rotary=then if p.target in turned else None,
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

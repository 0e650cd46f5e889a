"""Layers that the file and the network list in the same order: what decides where names say nothing.

Both sides list layers in the order in which their authors made them. Where the roles and shapes of the layers run alike from the first to
the last one, each goes to the layer at its place. Layers of a role and shape that one side has more of are left out. Layers that could
have been made the other way round without a trace (q, k and v; two branches of the same layers) need more: numbers that rise on both
sides, or the same words.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .names import role, split
from .templates import squeezed
from .words import contradict, words

_DIGITS = re.compile(r"\d+")
_COUNTED = re.compile(r"(.*?)(\d+)")


class _Shaped(Protocol):
    @property
    def shape(self) -> tuple[int, ...]: ...


@dataclass
class _Layer:
    owner: str
    names: dict[str, str] = field(default_factory=dict)  # of each role
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def is_layer(self) -> bool:
        """Whether it is no single value (a token, positions), which may stand anywhere."""
        return "" not in self.names

    @property
    def kind(self) -> tuple:
        return tuple(sorted(self.shapes.items()))


def _layers(side: Mapping[str, _Shaped]) -> list[_Layer]:
    """The layers of a side in its order; what no name tells the role of is a layer of its own."""
    found: dict[str, _Layer] = {}
    for name, entry in side.items():
        what, owner = role(name, side), split(name)[0]
        if not what or (owner in found and what in found[owner].names):
            owner = name
        layer = found.setdefault(owner, _Layer(owner))
        layer.names[what] = name
        layer.shapes[what] = squeezed(entry.shape)
    return list(found.values())


def by_place(
    source: Mapping[str, _Shaped], target: Mapping[str, _Shaped], paired: Mapping[str, str]
) -> list[tuple[str, str]]:
    """(name in the file, name of a Parameter) of the layers without a partner whose place decides.

    paired: {name of a Parameter: name in the file} of what is certain. It must run in the same order, otherwise nothing is decided.
    """
    partners = {split(value)[0]: split(name)[0] for name, value in paired.items()}
    used = (set(paired.values()), set(paired))
    sides = [_layers(side) for side in (source, target)]
    free = [
        [at for at, one in enumerate(side) if one.is_layer and not used[k] & set(one.names.values())]
        for k, side in enumerate(sides)
    ]
    counts = [Counter(side[at].kind for at in own) for side, own in zip(sides, free)]
    places = [
        [at for at in own if counts[0][side[at].kind] == counts[1][side[at].kind]] for side, own in zip(sides, free)
    ]
    rows, columns = ([side[at].kind for at in own] for side, own in zip(sides, places))
    if not rows or rows != columns or not _rising(sides, [*zip(*places)], partners):
        return []
    doubtful = {
        at
        for at, (i, j) in enumerate(zip(*places))
        if contradict(*(words(side[k].owner) for side, k in zip(sides, (i, j))))
    }
    pairs = [(sides[0][i].owner, sides[1][j].owner) for i, j in zip(*places)]
    partner = ({**partners, **dict(pairs)}, {b: a for a, b in [*partners.items(), *pairs]})
    certain = (set(partners), set(partners.values()))
    alike = defaultdict(list)
    for at, kind in enumerate(rows):
        alike[kind].append(at)
    for same in alike.values():
        for one, other in itertools.combinations(same, 2):
            if _told_apart(pairs[one], pairs[other]):
                continue
            exchanged = zip(sides, [(own[one], own[other]) for own in places], partner, certain)
            if any(_free(*layers) for layers in exchanged) or _crossed(pairs[one], pairs[other]):
                doubtful |= {one, other}
    return [
        (name, sides[1][j].names[what])
        for at, (i, j) in enumerate(zip(*places))
        for what, name in sides[0][i].names.items()
        if at not in doubtful
    ]


def _rising(sides, pairs, partners) -> bool:
    """Whether the pairs, and those of layers that are certain, run in one order."""
    place = {layer.owner: at for at, layer in enumerate(sides[1])}
    certain = [
        (at, place[partners[layer.owner]])
        for at, layer in enumerate(sides[0])
        if layer.is_layer and partners.get(layer.owner) in place
    ]
    order = [j for _, j in sorted({*pairs, *certain})]
    return order == sorted(set(order))


def _differing(one: str, other: str) -> tuple[str, str]:
    """The first part in which two names differ."""
    return next(
        ((a, b) for a, b in itertools.zip_longest(one.split("."), other.split("."), fillvalue="") if a != b), ("", "")
    )


def _counted(one: str, other: str) -> tuple[str, str]:
    """The first part in which two names differ, of names that are alike but for numbers; what names of unlike blocks count says nothing."""
    return _differing(one, other) if _DIGITS.sub("", one) == _DIGITS.sub("", other) else ("", "")


def _rises(one: str, other: str) -> bool:
    """Whether two parts are one word with numbers that rise."""
    first, second = _COUNTED.fullmatch(one), _COUNTED.fullmatch(other)
    return bool(first and second and first[1] == second[1] and int(first[2]) < int(second[2]))


def _told_apart(pair: tuple[str, str], rival: tuple[str, str]) -> bool:
    """Whether the names of two pairs tell which is which: they are counted on both sides, or have the same words."""
    here, there = (_differing(one, other) for one, other in zip(pair, rival))
    same = [sorted(words(a)) == sorted(words(b)) != [] for a, b in zip(here, there)]
    return _rises(*here) and _rises(*there) or all(same)


def _free(side, two, partner, certain) -> bool:
    """Whether two layers could be exchanged, with layers around them, and the layers would run as before.

    partner: of each owner of the side. certain: its owners whose partner was known before. A neighbour that is certain, or told apart by
    its name, holds what stands around it.
    """
    i, j = two
    for back in range(min(i + 1, j - i)):
        first, second = side[i - back : j - back], side[j - back : 2 * j - i - back]
        if [one.kind for one in first] == [one.kind for one in second]:
            exchanged = [(one.owner, other.owner) for one, other in zip(first, second)]
            told = (
                _told_apart((one, partner[one]), (other, partner[other]))
                for one, other in exchanged
                if one in partner and other in partner
            )
            if not certain & set(itertools.chain(*exchanged)) and not any(told):
                return True
    return False


def _crossed(pair: tuple[str, str], rival: tuple[str, str]) -> bool:
    """Whether words speak for the exchange of the partners of two pairs, or numbers fall on one side alone."""
    here, there = (_differing(pair[k], rival[k]) for k in (0, 1))
    (a, b), (u, v) = [[Counter(words(part)) for part in parts] for parts in (here, there)]
    falls = [_rises(*reversed(_counted(pair[k], rival[k]))) for k in (0, 1)]
    return any(falls) != all(falls) or (a & v).total() + (b & u).total() > (a & u).total() + (b & v).total()

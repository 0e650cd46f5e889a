"""Pairs the weights of a file with the Parameters of a network: by roles, shapes, names, structure and values;
uncertain pairs are reported.

Weights that repeat along a number (`layers.0...`, `layers.1...`) are matched as one *template*. A pair of templates is possible where the
role, the number of repetitions and every shape agree, after at most one change (an axis of one element, a transposition, q, k and v in
one matrix). Among the possible pairs the assignment with the most alike names is taken. A pair is certain if it is the only possible
one, or if its names are clearly more alike than those of every other possible pair, seen from both sides. What is certain of a pair
(its owners and their parents) counts for the pairs that are left, until nothing new becomes certain. Where names differ in one ordinal
alone on both sides (`norm1, norm2` beside `layernorm_before, layernorm_after`), the ordinals decide. Of what is left the order of the layers
decides where it can be no other (`sequences.py`), then the blocks that the layers are in (`blocks.py`). A product and the bias beside it go
together, and products are turned as their relatives are (`orientation.py`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from .blocks import Blocks
from .entries import Entry
from .experts import of_expert, product_shape
from .names import is_embedding, role, split
from .orders import Grouped, reordered
from .orientation import Orientation
from .rivals import LEAST, MARGIN, by_ordinal, said_better
from .sequences import by_place
from .templates import Template, fits, same_role, squeezed, templates
from .values import check_variances, have_equal_values
from .words import PARTS, Likeness, contradict, pattern, words

_DIGITS = re.compile(r"\d+")
_EQUAL = 100.0  # what equal words say
ORDER = "the order of q, k and v in it"


@dataclass(frozen=True)
class Doubt:
    """Parameters whose names differ only in numbers, and their candidates by value.

    Args:
        targets: Names of the Parameters.
        candidates: Names in the file, one for each of the Parameters; the most likely come first.
        why: What is not certain where it is not which of the candidates.
    """

    targets: tuple[str, ...]
    candidates: tuple[tuple[str, ...], ...]
    why: str = ""


class UncertainMatch(ValueError):
    """Weights could not be matched with certainty.

    Attributes:
        doubts: What is not certain, with the candidates.
        guess: The pairs that are most likely, as `match` gives them.
    """

    def __init__(self, message: str, doubts: list[Doubt], guess: list[Pair]):
        super().__init__(message)
        self.doubts, self.guess = doubts, guess


@dataclass(frozen=True)
class Pair:
    """One value of a network: a Parameter, the weights it is made of, and how. The steps are done in this order.

    Args:
        target: Name of the Parameter.
        sources: Names in the file; several are joined along the first axis.
        transposed: The last two axes are exchanged.
        part: (begin, end) along the first axis; None for the whole.
        joined, rotary: Another order of the rows, as `orders.reordered` takes it; None for the file's. The first is of q, k and v in one matrix, after
            they are joined or before they are cut, the second of q and k alone, so before they are joined or after they are cut.
        why: What decided: "name", "shape", "names", "order", "joined", "tied", "map", a family's name, or "guess".
    """

    target: str
    sources: tuple[str, ...]
    transposed: bool = False
    part: tuple[int, int] | None = None
    why: str = "name"
    joined: tuple[str, int] | Grouped | None = None
    rotary: tuple[str, int] | None = None

    def entry(self, source: Mapping[str, Entry], shape: tuple[int, ...]) -> Entry:
        """The value, in the Parameter's shape; read when it is asked for."""
        parts = [source[name] for name in self.sources]
        if len(parts) == 1 and not (self.transposed or self.joined or self.rotary):
            found = parts[0] if self.part is None else parts[0].rows(*self.part)
            if found.shape == tuple(shape):  # parts of it can be read alone
                return found

        def read() -> np.ndarray:
            values = [part.read() for part in parts]
            if self.rotary and len(values) > 1:  # q and k, before v comes to them
                values[:2] = [reordered(value, self.rotary) for value in values[:2]]
            value = values[0] if len(values) == 1 else np.concatenate(values)
            if self.joined and len(values) > 1:
                value = reordered(value, self.joined)
            if self.transposed:
                value = np.swapaxes(value, -1, -2) if value.ndim > 1 else value
            if self.joined and len(values) == 1:
                value = reordered(value, self.joined)
            if self.part is not None:
                value = value[slice(*self.part)]
            if self.rotary and len(values) == 1:
                value = reordered(value, self.rotary)
            return np.ascontiguousarray(value).reshape(shape)

        return Entry(tuple(shape), parts[0].dtype, read)


def _layers(side: Mapping[str, Entry]) -> dict[str, dict[str, str]]:
    """{name of a layer: {name: role} of what it has}, of layers that have more than one; bare matrices (`in_proj_weight`) are no part of it."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for name in side:
        owner, last = split(name)
        if what := role(name, side) if not last.endswith(("_weight", "_bias")) else "":
            found[owner][name] = what
    return {owner: parts for owner, parts in found.items() if len(parts) > 1}


def match(
    source: Mapping[str, Entry], target: Mapping[str, Entry], given: Mapping[str, str] | None = None
) -> list[Pair]:
    """Pairs of a network's Parameters with the weights of a file.

    Args:
        source: The file's entries (`open_weights`).
        target: The network's Parameters, in their order, as entries.
        given: {name of a Parameter: name in the file} for what is known; it is taken as it is.

    Returns:
        A Pair for each Parameter that has a value, in the order of `target`. Parameters and weights without a partner are simply not
        in it.

    Raises:
        UncertainMatch: several pairs are possible and nothing decides between them; it has the candidates.
        ValueError: `given` names what is not there or what does not fit.

    Example:
        >>> from msjax.train.weights import Entry, match
        >>> file = {"conv1.weight": Entry.of(np.ones((4, 3, 3, 3))), "fc.weight": Entry.of(np.ones((2, 4)))}
        >>> net = {"stem.weight": Entry.of(np.ones((4, 3, 3, 3))), "head.weight": Entry.of(np.ones((2, 4)))}
        >>> [(pair.sources[0], pair.target) for pair in match(file, net)]
        [('conv1.weight', 'stem.weight'), ('fc.weight', 'head.weight')]
    """
    counted = any(role(n, target) == "counter" for n in target)
    source = {n: e for n, e in source.items() if counted or role(n, source) != "counter"}
    pairs = {p.target: p for p in _given(source, target, given or {})}
    same = _same_names(source, target)
    pairs |= {name: Pair(name, (other,), why="name") for name, other in same.items() if name not in pairs}
    search = _Search(source, target, pairs)
    search.run()
    found = [search.pairs[name] for name in target if name in search.pairs]
    check_variances({p.target: p.sources[0] for p in found}, source)
    doubts = [doubt for doubt in search.doubts if not have_equal_values(doubt.candidates, source)]
    if doubts:
        raise UncertainMatch(told(doubts), doubts, found)
    return found


def _same_names(source, target):
    """{name of a Parameter: name in the file} where both name the same layer and role (`bn.gamma`, `bn.weight`) and the shapes agree.

    Where the numbers of a name run otherwise (`conv1, conv2` beside `conv0, conv1`) equal names mean nothing.
    """
    numbers, named = [], []
    for side in (source, target):
        found, meant = defaultdict(set), {}
        for name in side:
            what = role(name, side)
            owner = split(name)[0] if what else name
            found[_uncounted(owner), what].add(_numbers(owner))
            meant[name] = owner, what
        numbers.append(found)
        named.append(meant)
    in_file = {meant: name for name, meant in named[0].items()}
    found = {}
    for name, (owner, what) in named[1].items():
        other = in_file.get((owner, what))
        here, there = (side[_uncounted(owner), what] for side in numbers)
        if other and squeezed(source[other].shape) == squeezed(target[name].shape) and (here <= there or there <= here):
            found[name] = other
    return found


def _given(source, target, given):
    for name, value in given.items():
        if name not in target:
            raise ValueError(f"The map names '{name}', which is no Parameter of the network.")
        if value not in source:
            raise ValueError(f"The map names '{value}', which is not in the file.")
        have, want = tuple(source[value].shape), tuple(target[name].shape)
        turned = len(have) == 2 and have[::-1] == want and have != want
        if squeezed(have) != squeezed(want) and not turned:
            raise ValueError(f"The map gives '{value}' {have} to '{name}' {want}: the shapes do not fit.")
        yield Pair(name, (value,), transposed=turned, why="map")


def told(doubts: list[Doubt]) -> str:
    """The assignments of weights that are not certain, as text."""

    def spelled(names):
        patterns = {pattern(name) for name in names}
        return patterns.pop() if len(names) > 1 and len(patterns) == 1 else " + ".join(names)

    lines = [
        f"  {spelled(d.targets)}: {', '.join(map(spelled, d.candidates[:6]))}" + (f" ({d.why})" if d.why else "")
        for d in doubts[:20]
    ]
    more = f"\n  ... and {len(doubts) - 20} more" if len(doubts) > 20 else ""
    return (
        f"{sum(len(d.targets) for d in doubts)} Parameters have several possible values, and neither names nor structure decide. "
        "Parameter: candidates, the most likely first\n" + "\n".join(lines) + more
    )


class _Search:
    """The pairs found so far, and the remaining candidates."""

    def __init__(self, source, target, pairs):
        self.source, self.target, self.pairs = source, target, dict(pairs)
        self.doubts: list[Doubt] = []
        self.owners: dict[str, set[str]] = defaultdict(
            set
        )  # what certain pairs say: owner in the file -> owners in the network
        self.layers = _layers(source), _layers(target)
        # of layers, from either side: a layer goes over as a whole
        self.partners: tuple[dict[str, str], dict[str, str]] = ({}, {})
        self.placed: tuple[dict[str, str], dict[str, str]] = ({}, {})  # the same of all layers
        self.blocks: Blocks | None = None  # pairs in blocks that belong together alone are possible
        self.orientation = Orientation()
        self.statistics = True  # see `fits`
        for pair in self.pairs.values():
            self._learn(pair.sources[0], pair.target)
            self._learn_turned(pair)

    def _learn(self, source: str, target: str) -> None:
        """A certain pair says that its owners belong together, and so do their parents from the end on."""
        one, other = split(source)[0], split(target)[0]
        if role(source, self.source) and role(target, self.target):
            self.placed[0][one], self.placed[1][other] = other, one
        if one in self.layers[0] and other in self.layers[1]:
            self.partners[0][one], self.partners[1][other] = other, one
        one, other = one.split("."), other.split(".")
        while one and other and one != [""] and other != [""]:
            self.owners[pattern(".".join(one))].add(pattern(".".join(other)))
            one, other = one[:-1], other[:-1]

    def _kind(self, source: str, target: str) -> str:
        """Which products are relatives of one, as `Orientation` says: one of the two may be a matrix of its own, without a layer's name for it."""
        bare = "" in (role(source, self.source), role(target, self.target))
        stack = 3 in (len(self.source[source].shape), len(self.target[target].shape))
        if of_expert(source) and of_expert(target) and (bare or stack):
            return "stack"
        return "bare" if bare else "layer"

    def _learn_turned(self, pair: Pair) -> None:
        if role(pair.target, self.target) != "table":
            for name in pair.sources:
                shape = self.source[name].shape if len(pair.sources) == 1 else self.target[pair.target].shape
                self.orientation.learn(name, tuple(shape), pair.transposed, self._kind(name, pair.target))

    def _possible_turns(self) -> None:
        """Products that fit in one way alone, whatever their partner is, tell that way of their relatives."""
        sources, targets = (templates(side, True, side) for side in (self.source, self.target))
        for s in sources:
            ways = {(fits(s, t), self._kind(s.names[0], t.names[0])) for t in targets if t.role != "table"}
            ways = {way for way in ways if way[0] is not None}
            if s.role == "weight" and len(ways) == 1:
                ((how, kind),) = ways
                self.orientation.learn(s.names[0], s.shapes[0], how == "T", kind)

    def _left(self):
        used = {name for pair in self.pairs.values() for name in pair.sources}
        return (
            {n: e for n, e in self.source.items() if n not in used},
            {n: e for n, e in self.target.items() if n not in self.pairs},
        )

    def run(self) -> None:
        """Pair the certain cases, templates first and then single names; the rest is guessed, and reported as a doubt."""
        self._possible_turns()
        self._all_certain(True)
        self._joined()
        self._all_certain(True)
        self.statistics = False
        self._all_certain(True)
        self._in_order()
        self._in_blocks()
        self._guess(True)
        self._all_certain(False)
        self._guess(False)
        self._tied()
        self._square()
        self._falling()

    def _all_certain(self, repeated: bool, by_names: bool = True) -> None:
        """Pair until nothing new becomes certain."""
        while self._certain(*self._left(), repeated, by_names):
            pass

    def _in_order(self) -> None:
        """Pair what is at the same place on both sides, and what becomes certain by it."""
        for name, other in by_place(self.source, self.target, {n: p.sources[0] for n, p in self.pairs.items()}):
            self.pairs[other] = Pair(other, (name,), why="order")
            self._learn(name, other)
            self._learn_turned(self.pairs[other])
        self._all_certain(True)

    def _in_blocks(self) -> None:
        """Pair what is left of two blocks that belong together, and what becomes certain by it."""
        while True:
            found = len(self.pairs)
            self._all_certain(False, by_names=False)
            self.blocks = Blocks(self.placed)
            self._joined()
            self._certain(*self._left(), False)
            self.blocks = None
            if len(self.pairs) == found:
                return
            self._all_certain(True)

    def _change(self, source: Template, target: Template, left: tuple[Mapping[str, Entry], ...]) -> str | None:
        """How the values of one would become the other's, as `fits` says; None where they cannot."""
        elsewhere = self.blocks is not None and not self.blocks.same(source.names[0], target.names[0])
        if elsewhere or contradict(source.words, target.words) or self._torn(source, target, left):
            return None
        return fits(source, target, self.statistics)

    def _scores(self, sources, targets):
        """(likeness, said, how) of each pair: likeness is -1 where the pair is impossible, `said` is what speaks for it, leaving out
        that words of one side are not on the other.
        """
        alike = Likeness([t.words for t in (*sources, *targets)])
        left = self._left()
        likeness, said = (np.full((len(sources), len(targets)), -1.0) for _ in range(2))
        how = {}
        for i, s in enumerate(sources):
            for j, t in enumerate(targets):
                change = self._change(s, t, left)
                if change is not None:
                    how[i, j] = change
                    evidence = self._structure(s.owner, t.owner) + self._turning(s, t, change)
                    likeness[i, j] = max(alike(s.words, t.words) + evidence, 0.0)
                    equal = sorted(s.words) == sorted(t.words)
                    said[i, j] = _EQUAL if equal else alike.common(s.words, t.words) + evidence
        return likeness, said, how

    def _torn(self, source: Template, target: Template, left: tuple[Mapping[str, Entry], ...]) -> bool:
        """Whether a pair would part what is of one layer, though the partner of its layer has a Parameter or weight for it that is left."""
        for names in zip(source.names, target.names):
            owners = [split(name)[0] for name in names]
            for side, what in enumerate((source.role, target.role)):
                partner = self.partners[side].get(owners[side])
                if partner is not None and partner != owners[1 - side]:
                    parts = self.layers[1 - side].get(partner, {})
                    if any(same_role(what, other) and name in left[1 - side] for name, other in parts.items()):
                        return True
        return False

    def _structure(self, source: str, target: str) -> float:
        """The evidence of certain pairs for two owners: shared partners count for, other partners against the pair."""
        one, other = source.split("."), target.split(".")
        total, worth = 0.0, 0.6
        while one and other:
            partners = self.owners.get(pattern(".".join(one)))
            if partners:
                total += worth if pattern(".".join(other)) in partners else -worth
                break
            one, other, worth = one[:-1], other[:-1], worth / 2
        return total

    def _turning(self, source, target, change) -> float:
        """The evidence of relatives for the way in which a product that is not square would go over."""
        shape = product_shape(source.names[0], source.shapes[0])
        if source.role not in ("weight", "") or not shape or shape[0] == shape[1] or target.role == "table":
            return 0.0
        expected = self._expected(source, target)
        return 0.0 if len(expected) != 1 or expected == {change == "T"} else -0.6

    def _expected(self, source, target) -> set[bool]:
        return self.orientation.expected(source.names[0], self._kind(source.names[0], target.names[0]))

    def _certain(self, source, target, repeated, by_names=True) -> bool:
        """Pair what is certain; whether something was. Not `by_names`: only what has one possible partner."""
        sources = templates(source, repeated, self.source)
        targets = templates(target, repeated, self.target)
        if not sources or not targets:
            return False
        likeness, said, how = self._scores(sources, targets)
        new = False
        rows, columns = linear_sum_assignment(np.where(likeness < 0, -1e3, likeness), maximize=True)
        for i, j in zip(rows, columns):
            if likeness[i, j] < 0:
                continue
            others = max(np.delete(likeness[i], j).max(initial=-1), np.delete(likeness[:, j], i).max(initial=-1))
            alone = others < 0 and not (repeated and self._elsewhere(sources[i], targets[j], sources, targets))
            clear = likeness[i, j] >= LEAST and likeness[i, j] - max(others, 0) >= MARGIN
            clear = clear and said_better(i, j, likeness >= 0, said, dict(zip(rows, columns)))
            stack = self._kind(sources[i].names[0], targets[j].names[0]) == "stack" and clear
            if how[i, j] == "T" and not (alone or stack) and True not in self._expected(sources[i], targets[j]):
                continue  # names alone do not turn a product of a layer; stacks of experts are kept either way
            if alone or by_names and (clear or by_ordinal(i, j, sources, targets, likeness)):
                self._take(sources[i], targets[j], how[i, j] == "T", "shape" if alone else "names")
                new = True
        return new

    def _elsewhere(self, source, target, sources, targets) -> bool:
        """Whether single names of other templates could be partners, too (the two sides count layers otherwise). A shape that
        nothing else has tells how both count.
        """
        rest = [
            t for t in (*sources, *targets) if t is not target and t is not source and same_role(t.role, source.role)
        ]
        return set(map(squeezed, source.shapes)) <= {squeezed(shape) for t in rest for shape in t.shapes}

    def _take(self, source, target, turned, why):
        for one, other in zip(source.names, target.names):
            self.pairs[other] = Pair(other, (one,), transposed=turned, why=why)
            self._learn(one, other)
            self._learn_turned(self.pairs[other])

    def _guess(self, repeated: bool) -> None:
        """The likeliest pairs of the rest, each with its candidates. `repeated`: of templates with several names only."""
        sources, targets = (
            templates(side, repeated, around) for side, around in zip(self._left(), (self.source, self.target))
        )
        if repeated:
            sources, targets = ([t for t in side if len(t.names) > 1] for side in (sources, targets))
        if not sources or not targets:
            return
        likeness, _, how = self._scores(sources, targets)
        order = np.abs(np.linspace(0, 1, len(sources))[:, None] - np.linspace(0, 1, len(targets))[None])
        rows, columns = linear_sum_assignment(np.where(likeness < 0, -1e3, likeness - 0.05 * order), maximize=True)
        for i, j in zip(rows, columns):
            if likeness[i, j] < 0:
                continue
            possible = sorted(np.flatnonzero(likeness[:, j] >= 0), key=lambda r: (r != i, -likeness[r, j]))
            candidates = tuple(tuple(sources[r].names) for r in possible)
            self.doubts.append(Doubt(tuple(targets[j].names), candidates))
            for one, other in zip(sources[i].names, targets[j].names):
                self.pairs[other] = Pair(other, (one,), transposed=how[i, j] == "T", why="guess")

    def _joined(self) -> None:
        """q, k and v, or gate and up, that one side keeps in one matrix."""
        source, target = self._left()
        self._join(source, target, split_up=False)
        self._join(target, source, split_up=True)

    def _join(self, many, one, split_up) -> None:
        """Groups of `many` (the three names differ in a word of `PARTS`) that together have the shape of a name of `one`."""
        for words_of_parts in PARTS:
            groups = defaultdict(dict)
            for name in many:
                spelled = words(split(name)[0])
                part = [w for w in words_of_parts if w in spelled]
                if len(part) == 1:
                    rest = tuple(w for w in spelled if w != part[0])
                    groups[rest, role(name, many)][part[0]] = name
            whole = [n for n in one if set(words_of_parts) <= set(words(n))]
            for (rest, what), group in groups.items():
                names = [group[w] for w in words_of_parts if w in group]
                if len(names) < len(words_of_parts):
                    continue
                shapes = [tuple(many[n].shape) for n in names]
                total = (sum(s[0] for s in shapes), *shapes[0][1:])
                fitting = [
                    n for n in whole
                    if tuple(one[n].shape) in (total, total[::-1]) and same_role(role(n, one), what)
                    and self._at_one_place(names[0], n, split_up) and ("cross" in rest) == ("cross" in words(n))
                ]  # fmt: skip
                if len(fitting) != 1:
                    continue
                whole.remove(fitting[0])
                turned = tuple(one[fitting[0]].shape) != total
                if split_up:
                    begin = 0
                    for name, shape in zip(names, shapes):
                        self.pairs[name] = Pair(name, (fitting[0],), turned, (begin, begin + shape[0]), "joined")
                        begin += shape[0]
                else:
                    self.pairs[fitting[0]] = Pair(fitting[0], tuple(names), turned, None, "joined")
                for name in names if split_up else fitting:
                    self._learn_turned(self.pairs[name])
                if len(names) == 3 and not _in_a_row(fitting[0], self.source if split_up else self.target):
                    for name in names if split_up else fitting:
                        self.doubts.append(Doubt((name,), (self.pairs[name].sources,), ORDER))

    def _at_one_place(self, part: str, whole: str, split_up: bool) -> bool:
        """Whether a part of a matrix and the matrix are of one layer: by their blocks, or else by their numbers."""
        if self.blocks:
            return self.blocks.same(whole, part) if split_up else self.blocks.same(part, whole)
        one, other = ([w for w in words(name) if w.isdigit()] for name in (split(part)[0], whole))
        return one == other

    def _square(self) -> None:
        """A square product is turned as its nearest relatives are; where those differ, or a bare matrix has none, it is a doubt."""
        for name, pair in list(self.pairs.items()):
            (source, *more), shape = pair.sources, self.source[pair.sources[0]].shape
            shape, kind = product_shape(source, shape), self._kind(source, name)
            roles = {role(source, self.source), role(name, self.target)}
            if pair.part or not shape or shape[0] != shape[1] or roles not in ({"weight"}, {"weight", ""}):
                continue
            expected = self.orientation.expected(source, kind)
            turned = expected == {True}
            if len(expected) == 2 or not expected and kind != "layer" or more and pair.transposed != turned:
                self.doubts.append(Doubt((name,), (pair.sources,), "turned or not"))
            elif pair.transposed != turned:
                self.pairs[name] = replace(pair, transposed=turned)

    def _falling(self) -> None:
        """Pairs by names whose numbers rise on one side and do not on the other are a doubt: the two sides count from elsewhere."""
        rows = defaultdict(list)
        for pair in self.pairs.values():
            rows[_uncounted(pair.sources[0]), _uncounted(pair.target)].append(pair)
        for row in rows.values():
            row.sort(key=lambda pair: _numbers(pair.sources[0]))
            there = [_numbers(pair.target) for pair in row]
            if there != sorted(there) and any(pair.why == "names" for pair in row):
                sources, targets = (tuple(names) for names in zip(*((pair.sources[0], pair.target) for pair in row)))
                self.doubts.append(Doubt(targets, (sources,), "numbers rise on one side alone"))

    def _tied(self) -> None:
        """An output product without a value of its own is the table of embeddings, as files that leave out the second one mean it."""
        _, target = self._left()
        tables = [n for n in self.source if is_embedding(split(n)[0]) and "position" not in words(n)]
        for name, entry in target.items():
            same = [n for n in tables if tuple(self.source[n].shape) == tuple(entry.shape)]
            if words(split(name)[0])[-1:] == ("head",) and len(same) == 1:
                self.pairs[name] = Pair(name, (same[0],), why="tied")


def _uncounted(name: str) -> str:
    return _DIGITS.sub("{}", name)


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(map(int, _DIGITS.findall(name)))


def _in_a_row(name: str, side: Iterable[str]) -> bool:
    """Whether networks that name a matrix of q, k and v so keep all of q first, then all of k, then all of v.

    Others keep the three head by head (Falcon, GPT-NeoX, InternLM2), or q, v and k (CodeGen).
    """
    parts = name.split(".")
    if "qkv_proj" in parts:
        return not any(".mlp.fc_in." in other for other in side)
    return not {"query_key_value", "queries_keys_values", "wqkv", "in_proj"} & set(parts)

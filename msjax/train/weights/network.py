"""The weights of a file for a network: matched, proved by running both networks where both can run, or refused."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from .entries import Entry
from .experts import as_the_network
from .families import family_of
from .matching import ORDER, Doubt, Pair, UncertainMatch, match, told
from .names import role
from .orders import told_order, with_orders
from .weight_norm import composed

if TYPE_CHECKING:
    from ...nn.cell.cell import Cell

_MOST_TRIES = 720  # assignments that a probe runs
_ROWS = 1024  # of a table that are compared at a time
_CLOSE = 1e-3  # how near outputs of the same weights are, relative to the largest


def match_network(
    net: Cell,
    source: Mapping[str, Entry],
    given: Mapping[str, str] | None = None,
    probe: Callable[[], float] | None = None,
    qkv_order: str | None = None,
) -> list[Pair]:
    """Pairs of a network's Parameters with the weights of a file.

    A family of networks that is known decides first, then `match`. What stays uncertain is decided by the probe, or refused.

    Args:
        net: The Cell. It keeps its values, but with a probe its Parameters get those of the pairs.
        source: The file's entries (`open_weights`).
        given: {name of a Parameter: name in the file} for what is known.
        probe: Runs both networks on the same input and gives the largest difference of their outputs, relative to the largest output.
        qkv_order: Where q, k and v stand in a matrix of all three, on the side that has it, as `orders.told_order` takes it.

    Returns:
        A Pair for each Parameter that has a value.

    Raises:
        UncertainMatch: nothing decides, or the outputs of the two networks differ.
        ValueError: less than half of the Parameters have a value: another network.
    """
    target = {p.name: Entry(tuple(p.shape), p._raw.dtype, p.asnumpy) for p in net.get_parameters()}
    source = _composed(source, target)
    known = None if given else family_of(source, target)
    doubts, guess = [], []
    if known:
        guess = known[1]
    else:
        try:
            guess = match(source, target, given)
        except UncertainMatch as uncertain:
            doubts, guess = uncertain.doubts, uncertain.guess
            if qkv_order is not None:
                doubts = [doubt for doubt in doubts if doubt.why != ORDER]
            if probe is None and doubts:
                raise UncertainMatch(told(doubts), doubts, guess) from None
    if qkv_order is not None:
        guess = told_order(guess, qkv_order, _rows(source, target))
    if 2 * len(guess) < len(target):
        raise ValueError(
            f"only {len(guess)} of the network's {len(target)} Parameters have a value among the {len(source)} weights of the file: "
            "they belong to another network."
        )
    return guess if probe is None else _proved(net, source, target, guess, doubts, probe)


def _proved(net, source, target, guess, doubts, probe):
    """The first assignment with which both networks give the same; the likeliest comes first."""
    params = {p.name: p for p in net.get_parameters()}
    nearest = np.inf
    rows = _rows(source, target)
    # The likeliest assignment with each order of the rows of q, k and v comes before other assignments.
    tries = _assignments(guess, doubts)
    likeliest = next(tries)
    tries = itertools.chain([likeliest], with_orders(likeliest, rows), tries)
    for pairs in itertools.islice(tries, _MOST_TRIES):
        for pair in pairs:
            values = pair.entry(source, target[pair.target].shape).read()
            params[pair.target].set_data(
                type(params[pair.target])(values.astype(target[pair.target].dtype), name=pair.target)
            )
        nearest = min(nearest, difference := probe())
        if difference <= _CLOSE:
            uncertain = {name for doubt in doubts for name in doubt.targets}
            return [replace(p, why="probe") if p.target in uncertain or p.joined or p.rotary else p for p in pairs]
    raise UncertainMatch(
        f"With none of the assignments that were tried do both networks give the same: the nearest differs by {nearest:.2g} of the "
        "largest output.", doubts, guess,
    )  # fmt: skip


def _composed(source, target):
    """The file's entries, as the network keeps what networks keep in several ways."""
    return as_the_network(composed(source, target), target)


def _rows(*sides):
    return {name: entry.shape[0] for side in sides for name, entry in side.items() if entry.shape}


def _assignments(guess: list[Pair], doubts: list[Doubt]):
    """The guess, then other orders of the uncertain weights; names that repeat along a number change together."""
    groups: list[list[Doubt]] = []  # that share candidates
    for doubt in doubts:
        touching = [g for g in groups if any(set(d.candidates) & set(doubt.candidates) for d in g)]
        groups = [g for g in groups if g not in touching] + [[*itertools.chain(*touching), doubt]]
    orders = []
    for group in groups:
        held = [doubt.candidates[0] for doubt in group]
        fitting = (
            order for order in itertools.permutations(held) if all(c in d.candidates for d, c in zip(group, order))
        )
        orders.append(list(itertools.islice(fitting, _MOST_TRIES)))
    for chosen in itertools.product(*orders):
        changed = {}
        for group, order in zip(groups, chosen):
            for doubt, names in zip(group, order):
                if len(names) == len(doubt.targets):  # else one Parameter of several weights, which has no other order
                    changed.update(zip(doubt.targets, names))
        yield [replace(p, sources=(changed[p.target],)) if p.target in changed else p for p in guess]


def matched(pairs: list[Pair], net: Cell, source: Mapping[str, Entry]) -> dict[str, Entry]:
    """{name of a Parameter: its value, in its shape} of a network's pairs."""
    shapes = {p.name: tuple(p.shape) for p in net.get_parameters()}
    source = _composed(source, {p.name: p for p in net.get_parameters()})
    return {pair.target: pair.entry(source, shapes[pair.target]) for pair in pairs}


def unmatched(pairs: list[Pair], net: Cell, source: Mapping[str, Entry]) -> tuple[list[str], list[str]]:
    """(Parameters without a value, weights of the file that no Parameter takes); counters of batches do not count, nor do tables that a Parameter
    takes under another name.
    """
    used = {name for pair in pairs for name in pair.sources}
    have = {pair.target for pair in pairs}
    source = _composed(source, {p.name: p for p in net.get_parameters()})
    tables = [source[name] for name in used if role(name, source) == "table"]
    return (
        [p.name for p in net.get_parameters() if p.name not in have],
        [
            n for n, entry in source.items()
            if n not in used and role(n, source) != "counter" and not any(_equal(entry, table) for table in tables)
        ],
    )  # fmt: skip


def _equal(one, other):
    """Whether two tables hold the same, of which some rows are read at a time."""
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    ranges = ((i, min(i + _ROWS, one.shape[0])) for i in range(0, one.shape[0], _ROWS))
    return all(one.rows(*r).read().tobytes() == other.rows(*r).read().tobytes() for r in ranges)

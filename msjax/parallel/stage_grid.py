"""A forward program of equal stages: its equations by stage and part of the batch, and those before and after the
stages.

Cells with a `pipeline_stage` and the parts of a `PipelineCell` leave their names on the equations that they trace (`stages.py`). Here the
equations of each part are cut into three: those before the stages (an embedding), the visits of the stages, and those behind (a head, a
loss). What the parts hand to each other (the state of random numbers) is computed before all of them.
"""

import collections
import contextlib
import dataclasses
from typing import Any

import jax.numpy as jnp

from ..core.program.counting import COUNTING
from ..core.program.folding import Repeated
from ..core.program.interpreter import scope_of
from ..core.program.links import Links, variables
from ..core.program.loops import Loop
from ..core.program.primitives import name_of
from ..core.program.repetitions import Prints
from ..core.program.sites import sites_of
from .stages import micro_batch_of, stage_of


class Unequal(Exception):
    """Why a program is not one of equal stages."""


@dataclasses.dataclass
class StageGrid:
    """A forward program in parts (of the batch) and visits (of stages).

    early, late: equations before and behind all parts. before, behind: what each part computes outside of the stages, as a Loop over the
    parts, or None. visits: for each part the Loop over its layers. layers: how many each visit of a stage has. rounds: how often each part
    visits all stages.
    """

    parts: int
    stages: int
    rounds: int
    layers: int
    early: list
    before: Loop | None
    visits: list
    behind: Loop | None
    late: list


def stage_grid(closed: Any, stages: Any):
    """The StageGrid of a closed jaxpr with so many stages.

    Raises:
        Unequal: its stages are not equal, or it has none.
    """
    return _Analysis(closed.jaxpr, stages).grid()


class _Lines:
    """Some equations of a jaxpr, and those of their results that are used elsewhere; as much of a jaxpr as `Repeated`
    reads.
    """

    def __init__(self, eqns, wanted):
        self.eqns = eqns
        self.outvars = [v for e in eqns for v in e.outvars if v in wanted]


class _Analysis:
    def __init__(self, jaxpr, stages):
        self.jaxpr, self.stages = jaxpr, stages
        self.prints = Prints(derived=True)
        scopes = [scope_of("", e) for e in jaxpr.eqns]
        self.part = list(map(micro_batch_of, scopes))
        self.stage = list(map(stage_of, scopes))
        self.links = Links(jaxpr)
        if any(e.effects for e in jaxpr.eqns):
            raise Unequal("it prints, or calls back")

    def grid(self):
        eqns, count = self.jaxpr.eqns, max((p for p in self.part if p is not None), default=-1) + 1
        if not count or all(s is None for s in self.stage):
            raise Unequal("no Cell has a pipeline_stage, or there are no parts of a batch")
        first = self._first()
        early = set(first)
        lists = self._alike([[i for i, p in enumerate(self.part) if p == part] for part in range(count)], early)
        late = self._late(lists, early)
        begin, length, visits = self._visits(lists[0])
        end = begin + length * visits
        layers = self._layers(lists[0], begin, length)
        outside = [*lists[0][:begin], *lists[0][end:]]
        self._no_layer_outside(lists[0][begin : begin + length // layers], outside)
        found = []
        for part in lists:
            lines = self._lines(part)
            loop = Repeated(lines).loop(begin, length // layers, visits * layers)
            if loop is None or not loop.carried:
                raise Unequal("its layers do not follow each other")
            found.append(loop)
        self._same_structure(found)
        return StageGrid(
            count,
            self.stages,
            visits // self.stages,
            layers,
            [e for i, e in enumerate(eqns) if i in early],
            self._over_parts([part[:begin] for part in lists]),
            found,
            self._over_parts([part[end:] for part in lists]),
            [eqns[i] for i in late],
        )

    def _first(self):
        """Equations that run before all parts: those whose results parts share, and those that depend on no part."""
        handed = set()
        for v, users in self.links.taken.items():
            maker = self.links.maker(v)
            own = None if maker is None else self.part[maker]
            if own is not None and any(i < len(self.part) and self.part[i] not in (None, own) for i in users):
                handed.add(maker)
        first = self._and_what_it_needs(handed)
        for v in variables(self.jaxpr.outvars):  # the state of random numbers, also of the last part
            maker = self.links.maker(v)
            if maker is not None and not jnp.issubdtype(v.aval.dtype, jnp.inexact):
                with contextlib.suppress(Unequal):
                    first |= self._and_what_it_needs([maker])
        for i, part in enumerate(self.part):
            if part is None and self.links.sources(i) <= first:
                first.add(i)
        return first

    def _and_what_it_needs(self, wanted):
        found = self.links.behind(wanted)
        if any(products(self.jaxpr.eqns[at]) for at in found):
            raise Unequal("one part of the batch uses a result of another part")
        return found

    def _alike(self, lists, early):
        """The equations of each part, without those that differ (which part of the batch is taken) or are taken by another part.

        These are added to `early`, and with one of them those that stand in its place in the other parts.
        """
        if len(set(map(len, lists))) > 1:
            raise Unequal("the parts of the batch have other numbers of operations")
        rows, eqns = list(zip(*lists)), self.jaxpr.eqns
        early |= self._and_what_it_needs(
            i for row in rows if len({self.prints.of(eqns[i]) for i in row}) > 1 for i in row
        )
        count = -1
        while count != len(early):
            count = len(early)
            early |= self._and_what_it_needs(i for row in rows if not early.isdisjoint(row) for i in row)
        return [[i for i in part if i not in early] for part in lists]

    def _late(self, lists, early):
        inside = {i for part in lists for i in part}
        late = [i for i in range(len(self.jaxpr.eqns)) if i not in inside and i not in early]
        for i in late:
            if any(user in inside or user in early for user in self.links.users(i)):
                raise Unequal("something between the parts of the batch is taken by a later one")
        return late

    def _visits(self, part):
        """(place of the first equation of the stages, how many one visit has, number of visits)"""
        named = [(at, self.stage[i]) for at, i in enumerate(part) if self.stage[i] is not None]
        borders = [at for (at, stage), (_, before) in zip(named[1:], named) if stage != before]
        order = [named[0][1], *[dict(named)[at] for at in borders]] if named else []
        rounds = len(order) // self.stages
        if not rounds or order != list(range(self.stages)) * rounds or len(order) < 2:
            raise Unequal(f"the layers are in the stages {order}, one after the other")
        prints = [self.prints.of(self.jaxpr.eqns[i]) for i in part]
        first, last, visits = borders[0], borders[-1], len(order)
        if visits > 2:
            lengths = {b - a for a, b in zip(borders, borders[1:])}
        else:
            lengths = {
                n
                for n in range(1, min(first, len(part) - first) + 1)
                if prints[first - n : first] == prints[first : first + n]
            }
            lengths = {max(lengths, default=0)}
        length = max(lengths)
        begin = first - length
        whole = prints[begin : last + length]
        if len(lengths) > 1 or not length or begin < 0 or whole != prints[first : first + length] * visits:
            raise Unequal("the stages have other numbers of layers, or layers that differ")
        return begin, length, visits

    def _no_layer_outside(self, layer, outside):
        """A stage with a layer more than the others has it before or behind them: all products of a layer are there, too."""
        own, others = (
            collections.Counter(p for i in numbers for p in products(self.jaxpr.eqns[i]))
            for numbers in (layer, outside)
        )
        if own and own <= others:
            raise Unequal("a stage has more layers than others")

    def _layers(self, part, begin, length):
        """How many equal layers, one after the other, a visit of a stage is."""
        prints = [self.prints.of(self.jaxpr.eqns[i]) for i in part[begin : begin + length]]
        for count in range(length, 1, -1):
            size = length // count
            if length % count == 0 and prints == prints[:size] * count:
                loop = Repeated(self._lines(part)).loop(begin, size, count)
                if loop is not None and loop.carried and any(map(products, loop.steps)):
                    return count
        return 1

    def _lines(self, numbers):
        own = set(numbers)
        eqns = [self.jaxpr.eqns[i] for i in numbers]
        return _Lines(eqns, {v for e in eqns for v in e.outvars if not own.issuperset(self.links.taken[v])})

    def _over_parts(self, lists):
        """A Loop over the parts, which hand nothing on; None for no equations."""
        if not lists[0]:
            return None
        own = [set(numbers) for numbers in lists]
        eqns = [self.jaxpr.eqns[i] for numbers in lists for i in numbers]
        wanted = {
            v for numbers, inside in zip(lists, own) for i in numbers for v in self.jaxpr.eqns[i].outvars
            if not inside.issuperset(self.links.taken[v])
        }  # fmt: skip
        loop = Repeated(_Lines(eqns, wanted)).loop(0, len(lists[0]), len(lists))
        if loop is None or loop.carried:
            raise Unequal("the equations before or after the stages differ between parts of the batch")
        return loop

    def _same_structure(self, loops):
        told = {
            (repr(sorted(loop.sources.items())), repr(loop.ends), len(loop.rows), len(loop.carried)) for loop in loops
        }
        if len(told) > 1:
            raise Unequal("the parts of the batch are not computed alike")


def products(eqn: Any):
    """A key of the products in an equation, also within calls: the primitive, shapes and dtypes."""
    found = [site.eqn for site in sites_of(eqn) if COUNTING.of(site.eqn)]
    return [(name_of(e), *[(v.aval.shape, v.aval.dtype) for v in (*e.invars, *e.outvars)]) for e in found]

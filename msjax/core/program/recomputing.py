"""Chooses values that one loop recomputes instead of reading them from another loop, where computing is cheaper than
memory traffic.

A program in one piece reads a weight, or x + 1, again where its gradient needs it. As loops the first would stack them and the second take
them from the stack. So what follows by elementwise operations and moves from what is kept anyway, from weights and from constants,
is computed in the second loop.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..compat import Literal
from .loops import Key
from .parts import called, opened
from .primitives import family_of, name_of

if TYPE_CHECKING:
    from .loops import Loop

_MOST = 12  # equations for one value
# of the elementwise primitives those that take many operations for an element
_COSTLY = frozenset(
    """acos acosh asin asinh atan atan2 atanh bessel_i0e bessel_i1e cbrt cos cosh digamma erf erf_inv erfc exp exp2 expm1 igamma
    igamma_grad_a igammac lgamma log log1p log2 logistic polygamma polynomial pow random_gamma regularized_incomplete_beta rem rsqrt sin sinh sqrt tan
    tanh zeta""".split()
)


def compute_again(loops: "list[Loop]", uses: Mapping):
    """Let loops recompute cheap values instead of reading values saved by another loop. uses: {variable: equations that
    read it}.
    """
    for second in loops:
        for first in loops:
            if first.begin < second.begin:
                others = [atoms[0] for loop in loops if loop is not second for atoms in loop.rows]
                _between(first, second, uses, {a for a in others if not isinstance(a, Literal)})


def _between(first, second, uses, others):
    """others: the first row of each list of rows that a third loop takes."""
    where = {v: (m, k) for m, of_parts in enumerate(first.made) for k, v in enumerate(of_parts)}
    wanted = {}  # row of the second loop -> (which of the made values of the first, the parts that they are of)
    for r, atoms in enumerate(second.rows):
        found = [None if isinstance(a, Literal) else where.get(a) for a in atoms]
        if all(found) and len({m for m, _ in found}) == 1:
            wanted[r] = found[0][0], [k for _, k in found]
    inside = {*range(first.begin, first.end), *range(second.begin, second.end)}
    only = {
        m
        for m, _ in wanted.values()
        if all(use in inside for v in first.made[m] for use in uses.get(v, ())) and others.isdisjoint(first.made[m])
    }
    kept = {place: m for m, place in enumerate(first.ends[1]) if m not in only}
    plans = {}
    for m in sorted(only, key=lambda m: first.ends[1][m]):
        plan = _Plan(first, kept)
        plan.end = plan.reach(first.ends[1][m])
        if plan.end is not None:
            plans[m] = plan
        else:
            kept[first.ends[1][m]] = m
    if not plans:
        return
    change = _Change(first, second)
    for r, (m, parts) in wanted.items():
        if m in plans:
            change.row(r, plans[m], parts)
    change.finish()
    gone = [m for m in plans if not any(m == n for r, (n, _) in wanted.items() if r not in change.replaced)]
    stay = [m for m in range(len(first.made)) if m not in gone]
    first.made = [first.made[m] for m in stay]
    first.ends = first.ends[0], [first.ends[1][m] for m in stay]


class _Plan:
    """The equations that compute one value of a loop's round. kept: {(step, output): number of the saved value}."""

    def __init__(self, loop, kept):
        self.loop, self.kept, self.steps, self.end = loop, kept, [], None

    def reach(self, place):
        """The source of a value within the plan, or None if it is not cheap."""
        if place in self.kept:
            return ("kept", self.kept[place])
        j, o = place
        at = next((n for n, (step, _) in enumerate(self.steps) if step == j), None)
        if at is None:
            eqn, sources = self.loop.steps[j], []
            if not _cheap(eqn):
                return None
            for i in range(len(eqn.invars)):
                source = self.loop.sources[j, i]
                if source[0] in ("carried", "early"):
                    return None
                source = self.reach(source[1:]) if source[0] == "own" else source
                if source is None or len(self.steps) >= _MOST:
                    return None
                sources.append(source)
            at = len(self.steps)
            self.steps.append((j, sources))
        return ("step", at, o)


def _cheap(eqn):
    name = name_of(eqn)
    if eqn.effects or name in ("copy", "name"):
        return False
    inner = called(eqn) if family_of(name) == "calls" else None
    if inner is not None:
        return all(map(_cheap, opened(inner)[0].eqns))
    return family_of(name) in ("elementwise", "moving", "making") and name not in _COSTLY


class _Change:
    """Changes of the second loop: rows that are computed in each round, and rows that these need."""

    def __init__(self, first, second):
        self.first, self.second, self.replaced, self.done = first, second, {}, {}
        self.rows = {tuple([Key(a) for a in atoms]): r for r, atoms in enumerate(second.rows)}
        self.constants = {Key(v): c for c, v in enumerate(second.constants)}

    def row(self, r, plan, parts):
        """Row r is computed by a plan. parts: of which part of the first loop it is, for each part of the second."""
        places = []
        for j, sources in plan.steps:
            key = (j, tuple(parts))
            if key not in self.done:
                found = [self.source(s, self.first.steps[j].invars[i], parts, places) for i, s in enumerate(sources)]
                self.done[key] = len(self.second.early)
                self.second.early.append((self.first.steps[j], found))
            places.append(self.done[key])
        self.replaced[r] = ("early", places[plan.end[1]], plan.end[2])

    def source(self, source, atom, parts, places):
        kind, *at = source
        if kind == "literal":
            return source
        if kind == "step":
            return ("early", places[at[0]], at[1])
        if kind == "constant":
            variable = self.first.constants[at[0]]
            if Key(variable) not in self.constants:
                self.constants[Key(variable)] = len(self.second.constants)
                self.second.constants.append(variable)
            return ("constant", self.constants[Key(variable)])
        atoms = self.first.rows[at[0]] if kind == "row" else self.first.made[at[0]]
        atoms = [atoms[k] for k in parts]
        key = tuple([Key(a) for a in atoms])
        if key not in self.rows:
            self.rows[key] = len(self.second.rows)
            self.second.rows.append(atoms)
        return ("row", self.rows[key])

    def finish(self):
        """Leave out the rows that nobody takes any more."""
        loop = self.second
        used = {s[1] for s in loop.sources.values() if s[0] == "row"} | {
            s[1] for _, sources in loop.early for s in sources if s[0] == "row"
        }
        used -= set(self.replaced)
        place = {r: n for n, r in enumerate(sorted(used))}

        def moved(source):
            if source[0] != "row":
                return source
            return self.replaced[source[1]] if source[1] in self.replaced else ("row", place[source[1]])

        loop.sources = {key: moved(source) for key, source in loop.sources.items()}
        loop.early = [(step, [moved(s) for s in sources]) for step, sources in loop.early]
        loop.rows = [loop.rows[r] for r in sorted(used)]

"""Equal consecutive parts of a program become the rounds of one loop: 64 layers are compiled as one.

A traced network repeats itself: layers of the same kind and shapes are the same equations again, forward, and in reverse order backward. Here
such repetitions are found in the list of equations itself, by what each equation does; where they come from does not matter, so Cells in
a CellList, a SequentialCell or a Python loop are alike. Of a repetition, what each part takes from the one before is carried, what
all take is a constant of the loop, and what each takes of its own (weights, what the forward kept for the backward) is stacked. A part
that differs ends the repetition; so does one that takes something of the part before the last, or that prints or calls back.

What an optimizer does to each weight repeats itself, too. Such parts hand nothing on and are not products: they are computed as one, on the
stacks. Weights and the state of the optimizer are then stacks from the inputs of the program to its outputs (`groups`), and who runs it may
keep them so from one run to the next.

The sums of each part are the same sums in the same order. A compiler may fuse operations within a loop otherwise than in a long program, so
results agree to rounding, not to the last bit.
"""

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from ..compat import Literal
from .counting import COUNTING
from .links import Links
from .loops import Key, Loop, keep_what_comes_in, size
from .recomputing import compute_again
from .repetitions import FEWEST, kind, repetitions
from .rolled import Rolled
from .sites import sites_of
from .together import chosen_at_the_end, is_together

if TYPE_CHECKING:
    import jax
    import jax.extend

_SMALL = 8  # bytes of an array that may be stacked without a second thought


def folded(closed: "jax.extend.core.ClosedJaxpr", state: Any = 0):
    """A function of the inputs of a closed jaxpr that returns its outputs and runs repeated equations as a loop; None if nothing repeats.

    What the program itself wants together (`together.py`) is a stack, too; then two parts are worth it.

    Args:
        closed: The program.
        state: So many of its first inputs may be kept stacked between runs: `groups` of the result says which ones together.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.program.folding import folded
        >>> def layers(x, weights):
        ...     for w in weights:
        ...         y = jnp.tanh(x @ w) * 2 + 1
        ...         x = x + jnp.sin(y) / (1 + jnp.exp(y)) - jnp.cos(y)
        ...     return x
        >>> weights = [jnp.ones((3, 3))] * 16
        >>> run = folded(jax.make_jaxpr(layers)(jnp.ones((2, 3)), weights))
        >>> [e.primitive.name for e in jax.make_jaxpr(run)(jnp.ones((2, 3)), *weights).eqns].count("scan")
        1
    """
    given = [e for e in closed.jaxpr.eqns if is_together(e)]
    if given:
        closed = chosen_at_the_end(closed)
        given = [e for e in closed.jaxpr.eqns if is_together(e)]
    fewest = 2 if given else FEWEST
    fold, found = Repeated(closed.jaxpr, fewest), repetitions(closed.jaxpr.eqns, fewest=fewest)
    loops = {r: fold.of(r) for r in found if fold.computes(r)}
    computing = [loop for loop in loops.values() if loop is not None]
    if not computing and not given:
        return None
    compute_again(computing, fold.links.taken)
    keep_what_comes_in(computing)
    stacks = _Stacks(closed.jaxpr.invars[:state], computing, given)
    for repetition in found:
        if repetition not in loops:
            loops[repetition] = fold.at_once(repetition, stacks)
    return Rolled(closed, [loops[r] for r in found if loops[r] is not None], stacks.groups(closed.jaxpr.invars))


# --- what the parts of a repetition take and give
class Repeated:
    """The repetitions of one jaxpr, as loops."""

    def __init__(self, jaxpr: "jax.extend.core.Jaxpr", fewest: int = FEWEST):
        self.eqns, self.fewest, self.links = jaxpr.eqns, fewest, Links(jaxpr)

    def computes(self, repetition: tuple[int, ...]):
        """Whether a part contains a product. A part without one is a few passes over memory, which stacking would
        double.
        """
        begin, length, _ = repetition
        return any(COUNTING.of(site.eqn) for e in self.eqns[begin : begin + length] for site in sites_of(e))

    def of(self, repetition: tuple[int, ...]):
        """The `Loop` of a repetition, or None if its parts depend on each other in another way."""
        begin, length, end = repetition
        # parts may begin at any of their equations: where the least is handed on
        offsets = sorted(
            range(min(length, end - begin - self.fewest * length + 1)),
            key=lambda o: self.crossing(begin + o + length, length),
        )
        for offset in offsets[:3]:
            count = (end - begin - offset) // length
            for skipped in (0, 1):  # the first part may take something else than those behind it
                if count - skipped >= self.fewest:
                    found = self.loop(begin + offset + skipped * length, length, count - skipped)
                    if found is not None:
                        return found
        return None

    def at_once(self, repetition: tuple[int, ...], stacks: "_Stacks"):
        """The `Loop` of a repetition whose parts pass no values on, if all its inputs are stacked already; else None."""
        begin, length, end = repetition

        def cost(offset):  # of a few parts
            found = self.loop(begin + offset, length, self.fewest)
            return stacks.cost(stacks.in_order(found).rows) if found is not None and not found.carried else float("inf")

        # an equal weight before or behind the layers is not a part of them: where the parts begin is told by what lies in stacks
        offset, least = 0, cost(0)
        for other in range(1, min(length, end - begin - self.fewest * length) + 1):
            if least and cost(other) < least:
                offset, least = other, cost(other)
        best = None
        for count in range((end - begin - offset) // length, self.fewest - 1, -1):
            found = self.loop(begin + offset, length, count)
            if found is None or found.carried or not found.rows:
                return None
            found = stacks.in_order(found)
            if best is None or stacks.cost(found.rows) < stacks.cost(best.rows):
                best = found
            if not stacks.cost(best.rows) or best.count > count + 1:
                break
        if best is None or not stacks.hold(best.rows) or best.count < FEWEST and not stacks.asked_for(best.rows):
            return None
        stacks.add(best)
        return dataclasses.replace(best, at_once=True)

    def crossing(self, at: int, length: int):
        """The number of array elements that a part hands to the next one, if a part ends before equation `at`."""
        total = 0
        for eqn in self.eqns[at - length : at]:
            for v in eqn.outvars:
                if any(at <= use < at + length for use in self.links.taken.get(v, ())):
                    total += 1 + int(np.prod(getattr(v.aval, "shape", ())))
        return total

    def loop(self, begin: int, length: int, count: int):
        """The `Loop` of `count` parts of `length` equations from `begin` on; None if a part takes something otherwise than the others."""
        eqns, end = self.eqns, begin + length * count
        inside = {}  # (equation, input) -> where in its part it comes from
        inputs = _Inputs()
        for j in range(length):
            for i in range(len(eqns[begin + j].invars)):
                atoms = [eqns[begin + k * length + j].invars[i] for k in range(count)]
                role = inputs.role(atoms, [self.origin(a, begin, length, k, end) for k, a in enumerate(atoms)])
                if role is None:
                    return None
                inside[j, i] = role
        carried, rows, constants = inputs.carried, inputs.rows, inputs.constants
        steps, last = eqns[begin : begin + length], end - length
        handed = [(first, steps[j].outvars[o], eqns[last + j].outvars[o]) for first, (_, j, o) in carried]
        if any(isinstance(first, Literal) or kind(first) != kind(new) for first, new, _ in handed):
            return None
        final, made, places = {v for _, _, v in handed}, [], []
        for j in range(length):
            for o in range(len(steps[j].outvars)):
                of_all = [eqns[begin + k * length + j].outvars[o] for k in range(count)]
                outside = [self.used_outside(v, begin + k * length, length, end) for k, v in enumerate(of_all)]
                if any(outside[:-1]) or outside[-1] and of_all[-1] not in final:
                    made.append(of_all)
                    places.append((j, o))
        return Loop(
            begin,
            end,
            count,
            [(first, after) for first, _, after in handed],
            [[key.atom for key in atoms] for atoms in rows],
            made,
            list(constants),
            steps,
            inside,
            ([(j, o) for _, (_, j, o) in carried], places),
        )

    def origin(self, atom: "jax.extend.core.Var | jax.extend.core.Literal", begin: int, length: int, k: int, end: int):
        """Where the part k takes an atom from."""
        place = None if isinstance(atom, Literal) else self.links.made.get(atom)
        if place is None or place[0] < begin:
            return ("outer",)
        part, j = divmod(place[0] - begin, length)
        if part == k:
            return ("own", j, place[1])
        return ("before", j, place[1]) if part == k - 1 else "far"

    def used_outside(self, variable: "jax.extend.core.Var", begin: int, length: int, end: int):
        """Whether a result of a part is used outside of this part and the next part of the repetition."""
        after = begin + 2 * length if begin + 2 * length <= end else begin + length
        return any(use >= after for use in self.links.taken.get(variable, ()))


class _Inputs:
    """What the parts of one repetition take, each with its number among the inputs of its kind.

    carried: (what the first part takes, where the part before makes it). rows: what each part takes of its own. constants: what all parts take.
    """

    def __init__(self):
        self.carried, self.rows, self.constants = {}, {}, {}

    def role(self, atoms, origins):
        """How a loop gets an input; None if no loop can. atoms: the input in each part. origins: `Repeated.origin` of each."""
        if "far" in origins:
            return None
        first, kinds = origins[0], {origin[0] for origin in origins[1:]} or {origins[0][0]}
        if first[0] == "outer" and kinds == {"outer"}:
            return self._from_outside(atoms)
        if first[0] == "own" and kinds == {"own"}:
            return first if all(origin == first for origin in origins) else None
        if first[0] == "outer" and kinds == {"before"}:
            second = origins[1]
            same = all(origin == second for origin in origins[1:])
            return ("carried", _number(self.carried, (atoms[0], second))) if same else None
        return None

    def _from_outside(self, atoms):
        if not all(_same(atom, atoms[0]) for atom in atoms):
            return ("row", _number(self.rows, tuple([Key(atom) for atom in atoms])))
        if isinstance(atoms[0], Literal):
            return ("literal",)
        return ("constant", _number(self.constants, atoms[0]))


def _number(numbers, key):
    """The number of a key; a new key has the next one."""
    return numbers.setdefault(key, len(numbers))


class _Stacks:
    """Which variables lie in stacks: those that loops make, and inputs that are kept so."""

    def __init__(self, inputs, loops, given=()):
        self.free, self.place, self.kept = set(inputs), {}, []
        for eqn in given:
            if len(eqn.outvars) == 1:
                self.keep(eqn.invars)
        for eqn in given:
            if len(eqn.invars) == 1:
                self.made_in_one(eqn.outvars)
        self.wanted = {key for key, _ in self.place.values()}
        loops = list(loops)
        for loop in loops:
            self.made(loop)
        rows = sorted((atoms for loop in loops for atoms in loop.rows), key=len, reverse=True)
        # a loop may leave the first or the last one to the program around it: the longest list is the stack
        for atoms in rows:
            self.keep(atoms)

    def asked_for(self, rows):
        """Whether some of these lists lie in a stack that the program itself wants."""
        places = [self.place.get(a) for atoms in rows for a in atoms if not isinstance(a, Literal)]
        return any(place and place[0] in self.wanted for place in places)

    def in_order(self, loop):
        """A loop whose parts pass no values on, with its parts in the order of the stacks that the program itself
        reads.
        """
        for atoms in loop.rows:
            places = [None if isinstance(a, Literal) else self.place.get(a) for a in atoms]
            if all(places) and places[0][0] in self.wanted and len({key for key, _ in places}) == 1:
                order = sorted(range(len(places)), key=lambda k: places[k][1])
                rows, made = ([[atoms[k] for k in order] for atoms in lists] for lists in (loop.rows, loop.made))
                return dataclasses.replace(loop, rows=rows, made=made)
        return loop

    def add(self, loop):
        """Add a loop that `hold` accepted."""
        for atoms in loop.rows:
            self.keep(atoms)
        self.made(loop)

    def made(self, loop):
        for of_parts in loop.made:
            self.made_in_one(of_parts)

    def made_in_one(self, variables):
        key = object()
        self.place.update((v, (key, k)) for k, v in enumerate(variables))

    def keep(self, atoms):
        if not self._may_keep(atoms):
            return
        inside = next((list(kept) for kept in self.kept if kept[0] in atoms), None)
        if inside is None:
            self.kept.append(atoms)
        elif len(inside) < len(atoms):  # a loop left the first or the last one to the program around it
            self.kept[[list(kept) for kept in self.kept].index(inside)] = atoms
        else:
            return
        key = object()
        self.place.update((v, (key, k)) for k, v in enumerate(atoms))

    def _may_keep(self, atoms):
        """Whether these are inputs, in no stack, or all rows of one stack in its order with others before and behind."""
        if not self._inputs(atoms) or len(set(atoms)) < len(atoms):
            return False
        places = [(i, *self.place[a]) for i, a in enumerate(atoms) if a in self.place]
        if not places:
            return True
        whole = sum(place[0] is places[0][1] for place in self.place.values()) == len(places)
        return whole and len({(i - k, key) for i, key, k in places}) == 1

    def cost(self, rows):
        """Bytes of the lists that are not consecutive rows of one stack and cannot be kept in one."""
        return sum(size(atoms[0].aval) for atoms in rows if not self._lie(atoms))

    def _lie(self, atoms):
        if self._small(atoms):
            return True
        places = [None if isinstance(a, Literal) else self.place.get(a) for a in atoms]
        if not any(places):
            return self._inputs(atoms)
        return not _breaks(places)

    @staticmethod
    def _small(atoms):
        return all(isinstance(a, Literal) or size(a.aval) <= _SMALL for a in atoms)

    def hold(self, rows):
        """Whether each of these lists consists of few pieces of stacks, or can be kept stacked, or is small."""
        return all(map(self._holds, rows))

    def _holds(self, atoms):
        if self._small(atoms):
            return True
        if any(isinstance(a, Literal) for a in atoms):
            return False
        places = [self.place.get(a) for a in atoms]
        if not any(places):
            return self._inputs(atoms)
        return self._may_keep(atoms) or _breaks(places) <= (0 if self._inputs(atoms) else 1)

    def _inputs(self, atoms):
        return all(not isinstance(a, Literal) and a in self.free for a in atoms)

    def groups(self, inputs):
        """[places of inputs that lie in one stack, in its order]"""
        where = {v: i for i, v in enumerate(inputs)}
        return [tuple([where[v] for v in atoms]) for atoms in self.kept]


def _breaks(places):
    """How often the next place is not beside the one before in the same stack."""
    return sum(not (a and b and a[0] is b[0] and abs(a[1] - b[1]) == 1) for a, b in zip(places, places[1:]))


def _same(one, other):
    if isinstance(one, Literal):
        return isinstance(other, Literal) and np.asarray(one.val).tobytes() == np.asarray(other.val).tobytes()
    return one is other

"""Equal consecutive parts of a program become the rounds of one loop: 64 layers are compiled as one.

A traced network repeats itself: layers of the same kind and shapes are the same equations again, forward, and in reverse order backward. Here
such repetitions are found in the list of equations itself, by what each equation does; where they come from does not matter, so Cells in
a CellList, a SequentialCell or a Python loop are alike. Of a repetition, what each part takes from the one before is carried, what
all take is a constant of the loop, and what each takes of its own (weights, what the forward kept for the backward) is stacked. A part
that differs ends the repetition; so does one that takes something of the part before the last, or that prints or calls back.

The sums of each part are the same sums in the same order. A compiler may fuse operations within a loop otherwise than in a long program, so
results agree to rounding, not to the last bit.
"""

import collections
import dataclasses

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compat import Literal, equation_as_fun
from .counting import COUNTING
from .parts import is_program
from .sites import sites

FEWEST = 4  # parts that are worth a loop
_CANDIDATES = 128  # distances between equal equations that are looked at


def folded(closed):
    """A function of the inputs of a closed jaxpr that gives the list of its outputs, with repetitions as loops; None where there are none.

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
    eqns = closed.jaxpr.eqns
    found = [r for r in map(_Fold(closed.jaxpr).of, _repetitions(eqns)) if r is not None]
    if not found:
        return None
    return _Folded(closed, found)


# --- finding repetitions
class _Prints:
    """Numbers for equations, equal for those that do the same."""

    def __init__(self):
        self.numbers, self.texts = {}, {}

    def of(self, eqn):
        if eqn.effects:
            return -1 - len(self.numbers) - id(eqn)  # like no other
        key = (
            eqn.primitive,
            tuple([(name, self.value(v)) for name, v in sorted(eqn.params.items())]),
            tuple([_kind(a) for a in eqn.invars]),
            tuple([_kind(a) for a in eqn.outvars]),
        )
        return self.numbers.setdefault(key, len(self.numbers))

    def value(self, value):
        if is_program(value):
            if id(value) not in self.texts:  # kept with the program, so that its id stays its own
                self.texts[id(value)] = value, str(value), tuple(map(id, getattr(value, "consts", ())))
            return self.texts[id(value)][1:]
        if isinstance(value, (list, tuple)):
            return type(value), tuple(map(self.value, value))
        try:
            hash(value)
        except TypeError:
            return id(value)
        return type(value), value


def _kind(atom):
    aval = atom.aval
    return (
        isinstance(atom, Literal),
        getattr(aval, "shape", None),
        str(getattr(aval, "dtype", aval)),
        getattr(aval, "weak_type", False),
    )


def _repetitions(eqns):
    """[(first equation, length of a part, number of parts, how far the first may be put off)], those that cover most first, without overlap."""
    prints, last, distances = _Prints(), {}, collections.Counter()
    numbers = np.array([prints.of(eqn) for eqn in eqns])
    for i, number in enumerate(numbers.tolist()):
        if number in last:
            distances[i - last[number]] += 1
        last[number] = i
    # equations that stand once in a part are as far apart as parts are long
    likely = sorted(distances, key=lambda d: -d * distances[d])[:_CANDIDATES]
    runs = []
    for length in likely:
        same = np.concatenate([[False], numbers[:-length] == numbers[length:], [False]])
        edges = np.flatnonzero(same[1:] != same[:-1])
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist()):
            count = (end - begin) // length + 1
            if count >= FEWEST:
                runs.append((count * length, -length, begin, end + length))
    taken, found = np.zeros(len(eqns), bool), []
    for _, length, begin, end in sorted(runs, reverse=True):
        if not taken[begin:end].any():
            taken[begin:end] = True
            found.append((begin, -length, end))
    return sorted(found)


# --- what the parts of a repetition take and give
@dataclasses.dataclass
class _Loop:
    """A repetition as a loop."""

    begin: int
    end: int
    count: int
    carried: list  # (what the first part takes, what the last one hands on)
    rows: list  # what is taken of its own by each part, a list in the order of parts
    made: list  # what is made by each part and taken elsewhere, likewise
    constants: list
    body: object  # function of the lists (rows, carried, constants) -> (carried, made)


class _Fold:
    """Looks at the repetitions of one jaxpr."""

    def __init__(self, jaxpr):
        self.jaxpr, self.where = jaxpr, {}
        self.uses = collections.defaultdict(list)
        for i, eqn in enumerate(jaxpr.eqns):
            self.where.update((v, (i, o)) for o, v in enumerate(eqn.outvars))
            for atom in eqn.invars:
                if not isinstance(atom, Literal):
                    self.uses[atom].append(i)
        for atom in jaxpr.outvars:
            if not isinstance(atom, Literal):
                self.uses[atom].append(len(jaxpr.eqns))

    def of(self, repetition):
        """The `_Loop` of a repetition, or None if its parts depend on each other in another way."""
        begin, length, end = repetition
        eqns = self.jaxpr.eqns
        if not any(COUNTING.of(site.eqn) for e in eqns[begin : begin + length] for site in sites_of(e)):
            return None  # without a product a part is a few passes over memory, which stacking would double
        # parts may begin at any of their equations: where the least is handed on
        offsets = sorted(
            range(min(length, end - begin - FEWEST * length + 1)),
            key=lambda o: self.crossing(begin + o + length, length),
        )
        for offset in offsets[:3]:
            count = (end - begin - offset) // length
            for skipped in (0, 1):  # the first part may take something else than those behind it
                if count - skipped >= FEWEST:
                    found = self.loop(begin + offset + skipped * length, length, count - skipped)
                    if found is not None:
                        return found
        return None

    def crossing(self, at, length):
        """Elements that are made by a part and taken by the next one, if one ends before equation `at`."""
        total = 0
        for eqn in self.jaxpr.eqns[at - length : at]:
            for v in eqn.outvars:
                if any(at <= use < at + length for use in self.uses.get(v, ())):
                    total += 1 + int(np.prod(getattr(v.aval, "shape", ())))
        return total

    def loop(self, begin, length, count):
        eqns, end = self.jaxpr.eqns, begin + length * count
        inside = {}  # (equation, input) -> where in its part it comes from
        carried, rows, constants = {}, {}, {}
        for j in range(length):
            for i, first in enumerate(eqns[begin + j].invars):
                atoms = [eqns[begin + k * length + j].invars[i] for k in range(count)]
                origins = [self.origin(a, begin, length, k, end) for k, a in enumerate(atoms)]
                if any(o == "far" for o in origins):
                    return None
                kinds = [o[0] for o in origins]
                if all(k == "own" for k in kinds):
                    if any(o != origins[0] for o in origins):
                        return None
                    inside[j, i] = origins[0]
                elif kinds[0] == "outer" and all(k == "before" for k in kinds[1:]):
                    if any(o != origins[1] for o in origins[1:]):
                        return None
                    inside[j, i] = ("carried", carried.setdefault((first, origins[1]), len(carried)))
                elif all(k == "outer" for k in kinds):
                    if all(_same(a, atoms[0]) for a in atoms):
                        inside[j, i] = (
                            ("literal", first)
                            if isinstance(first, Literal)
                            else ("constant", constants.setdefault(first, len(constants)))
                        )
                    else:
                        key = tuple([_Key(a) for a in atoms])
                        inside[j, i] = ("row", rows.setdefault(key, len(rows)))
                else:
                    return None
        steps, last = eqns[begin : begin + length], end - length
        handed = [(first, steps[j].outvars[o], eqns[last + j].outvars[o]) for first, (_, j, o) in carried]
        if any(isinstance(first, Literal) or _kind(first) != _kind(new) for first, new, _ in handed):
            return None
        final, made = {v for _, _, v in handed}, []
        for j in range(length):
            for o in range(len(steps[j].outvars)):
                of_all = [eqns[begin + k * length + j].outvars[o] for k in range(count)]
                outside = [self.used_outside(v, begin + k * length, length, end) for k, v in enumerate(of_all)]
                if any(outside[:-1]) or outside[-1] and of_all[-1] not in final:
                    made.append(of_all)
        return _Loop(
            begin,
            end,
            count,
            [(first, after) for first, _, after in handed],
            [[key.atom for key in atoms] for atoms in rows],
            made,
            list(constants),
            _body(self.jaxpr, steps, inside, [new for _, new, _ in handed], [of_all[0] for of_all in made]),
        )

    def origin(self, atom, begin, length, k, end):
        """Where the part k takes an atom from."""
        place = None if isinstance(atom, Literal) else self.where.get(atom)
        if place is None or place[0] < begin:
            return ("outer",)
        part, j = divmod(place[0] - begin, length)
        if part == k:
            return ("own", j, place[1])
        return ("before", j, place[1]) if part == k - 1 else "far"

    def used_outside(self, variable, begin, length, end):
        """Whether what a part makes is taken by something else than this part and the next one of the repetition."""
        after = begin + 2 * length if begin + 2 * length <= end else begin + length
        return any(use >= after for use in self.uses.get(variable, ()))


def sites_of(eqn):
    """The Sites of one equation and what it holds."""
    return sites(_Single(eqn))


class _Single:
    def __init__(self, eqn):
        self.eqns = [eqn]


class _Key:
    """An atom, for dictionaries: literals are equal if they are the same object."""

    def __init__(self, atom):
        self.atom = atom

    def __hash__(self):
        return id(self.atom) if isinstance(self.atom, Literal) else hash(self.atom)

    def __eq__(self, other):
        return self.atom is other.atom


def _same(one, other):
    if isinstance(one, Literal):
        return isinstance(other, Literal) and np.asarray(one.val).tobytes() == np.asarray(other.val).tobytes()
    return one is other


def _body(jaxpr, steps, inside, new, made):
    """One round: a function of the lists of rows, carried values and constants that gives (new carried values, what is made)."""
    runs = [equation_as_fun(jaxpr, step) for step in steps]

    def body(rows, carried, constants):
        known = {}
        sources = {"row": rows, "carried": carried, "constant": constants}
        for j, (step, run) in enumerate(zip(steps, runs)):
            given = []
            for i, atom in enumerate(step.invars):
                kind, *at = inside[j, i]
                if kind == "own":
                    given.append(known[steps[at[0]].outvars[at[1]]])
                elif kind == "literal":
                    given.append(atom.val)
                else:
                    given.append(sources[kind][at[0]])
            known.update(zip(step.outvars, run(given)))
        return [known[v] for v in new], [known[v] for v in made]

    return body


# --- running
class _Folded:
    """A closed jaxpr with loops in it, as a function."""

    def __init__(self, closed, loops):
        self.closed, self.loops, eqns = closed, loops, closed.jaxpr.eqns
        self.parts, at = [], 0
        for loop in loops:
            self.parts += [eqns[at : loop.begin], loop]
            at = loop.end
        self.parts.append(eqns[at:])

    def __call__(self, *arrays):
        jaxpr = self.closed.jaxpr
        known = dict(zip(jaxpr.constvars, self.closed.consts)) | dict(zip(jaxpr.invars, arrays))
        known, stacks = _Known(known), {}
        for part in self.parts:
            if isinstance(part, _Loop):
                self.loop(part, known, stacks)
                continue
            for eqn in part:  # an equation at a time: what of a stack is taken apart follows from what is asked for
                outs = equation_as_fun(jaxpr, eqn)([known.read(a) for a in eqn.invars])
                known.update(zip(eqn.outvars, outs))
        return [known.read(a) for a in jaxpr.outvars]

    @staticmethod
    def loop(loop, known, stacks):
        # backwards, where what a part takes lies in the opposite order: what the forward loop kept for the gradient
        reverse = sum(_direction(known, atoms) for atoms in loop.rows) < 0

        def ordered(of_parts):
            return of_parts[::-1] if reverse else of_parts

        rows = [_stacked(known, ordered(atoms), stacks) for atoms in loop.rows]
        constants = [known.read(v) for v in loop.constants]

        def step(carried, rows):
            return loop.body(rows, carried, constants)

        first = [known.read(f) for f, _ in loop.carried]
        carried, made = lax.scan(step, first, rows, length=loop.count, reverse=reverse)
        for of_parts, stack in zip(loop.made, made):
            known.rows.update((v, (stack, k)) for k, v in enumerate(ordered(of_parts)))
        known.update(zip([after for _, after in loop.carried], carried))


class _Known(dict):
    """Values by variable; what is a row of a stack is taken out when it is asked for."""

    def __init__(self, known):
        super().__init__(known)
        self.rows = {}

    def read(self, atom):
        if isinstance(atom, Literal):
            return atom.val
        if atom not in self:
            stack, k = self.rows[atom]
            self[atom] = lax.index_in_dim(stack, k, 0, keepdims=False)
        return self[atom]


def _direction(known, atoms):
    """How many atoms follow the one before in a stack, less those that precede it there."""
    found = [None if isinstance(a, Literal) else known.rows.get(a) for a in atoms]
    pairs = [(a[1], b[1]) for a, b in zip(found, found[1:]) if a and b and a[0] is b[0]]
    return sum((b == a + 1) - (b == a - 1) for a, b in pairs)


def _stacked(known, atoms, stacks):
    """One array with a row for each atom; what was stacked before is used again, whole or in pieces."""
    key = tuple([_Key(a) for a in atoms])
    if key in stacks:
        return stacks[key]
    if all(isinstance(a, Literal) for a in atoms):
        stacks[key] = jnp.asarray(np.stack([np.asarray(a.val, a.aval.dtype) for a in atoms]))
        return stacks[key]
    pieces = []  # [stack, first row, behind the last one]
    for atom in atoms:
        stack, k = (None, 0) if isinstance(atom, Literal) else known.rows.get(atom, (None, 0))
        if stack is None:
            pieces.append([lax.expand_dims(known.read(atom), (0,)), 0, 1])
        elif pieces and pieces[-1][0] is stack and pieces[-1][2] == k:
            pieces[-1][2] += 1
        else:
            pieces.append([stack, k, k + 1])
    pieces = [a if last - first == a.shape[0] else lax.slice_in_dim(a, first, last) for a, first, last in pieces]
    stacks[key] = pieces[0] if len(pieces) == 1 else lax.concatenate(pieces, 0)
    return stacks[key]

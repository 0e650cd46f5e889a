"""Runs a program whose repetitions became loops: stacking inputs, carrying values, unstacking outputs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ..compat import Literal
from .loops import Key, Loop, size
from .together import is_together
from .values import Values

if TYPE_CHECKING:
    import jax.extend


class Rolled:
    """A closed jaxpr with loops in it, as a function.

    groups: for each stack that may be given and taken whole, the places of the inputs that are its rows.
    """

    def __init__(self, closed: "jax.extend.core.ClosedJaxpr", loops: list[Loop], groups: list[tuple]):
        self.closed, self.loops, self.groups = closed, loops, groups
        self.parts = taken_apart(closed.jaxpr.eqns, loops)

    def __call__(self, *arrays):
        return self.run(arrays)[0]

    def run(self, arrays: Sequence, stacks: Sequence[tuple] = (), together: Sequence[tuple] = ()):
        """(outputs, stacks of outputs, bytes that were copied into stacks and out of them).

        Args:
            arrays: The inputs; None for one that is in a stack.
            stacks: Pairs of the places of inputs and the array whose rows they are.
            together: Tuples of places of outputs that are wanted as one array; in the list of outputs these are None.
        """
        jaxpr = self.closed.jaxpr
        known = _Known(self.closed, arrays)
        for places, stack in stacks:
            known.rows.update((jaxpr.invars[p], (stack, k)) for k, p in enumerate(places))
        for part in self.parts:
            if isinstance(part, Loop):
                self.loop(part, known)
                continue
            for eqn in part:
                known.together(eqn) if is_together(eqn) else known.run([eqn])
        joined = [known.stacked([jaxpr.outvars[p] for p in places]) for places in together]
        inside = {p for places in together for p in places}
        outs = [None if p in inside else known.read(a) for p, a in enumerate(jaxpr.outvars)]
        return outs, joined, known.copied

    def loop(self, loop: Loop, known: "_Known"):
        # backwards, where what a part takes lies in the opposite order: what the forward loop kept for the gradient
        reverse = not loop.at_once and sum(known.direction(atoms) for atoms in loop.rows) < 0

        def ordered(of_parts):
            return of_parts[::-1] if reverse else of_parts

        rows, pieces = [], {}  # pieces: which row -> (stack, its first row, step to the next): taken out in the round
        for i, atoms in enumerate(loop.rows):
            piece = None if loop.at_once else known.piece(ordered(atoms))
            if piece is None:
                rows.append(known.stacked(ordered(atoms)))
            else:
                pieces[i] = piece
        constants, body = [known.read(v) for v in loop.constants], loop.body()

        def step(carried, given):
            number, given = given[0], iter(given[1:])
            taken = [
                lax.dynamic_index_in_dim(pieces[i][0], pieces[i][1] + pieces[i][2] * number, 0, keepdims=False)
                if i in pieces
                else next(given)
                for i in range(len(loop.rows))
            ]
            return body(taken, carried, constants)

        first = [known.read(f) for f, _ in loop.carried]
        if loop.at_once:
            carried, made = [], jax.vmap(lambda *taken: body(list(taken), [], constants)[1])(*rows)
        else:
            numbers = jnp.arange(loop.count, dtype=jnp.int32) if pieces else None
            carried, made = lax.scan(step, first, (numbers, *rows), length=loop.count, reverse=reverse)
        for of_parts, stack in zip(loop.made, made):
            known.rows.update((v, (stack, k)) for k, v in enumerate(ordered(of_parts)))
        known.update(zip([after for _, after in loop.carried], carried))


def taken_apart(eqns: "list[jax.extend.core.JaxprEqn]", loops: list[Loop]):
    """Lists of equations and Loops, in their order."""
    parts, at = [], 0
    for loop in loops:
        parts += [eqns[at : loop.begin], loop]
        at = loop.end
    return [*parts, eqns[at:]]


class _Known(Values):
    """Values, rows of stacks among them. copied: the bytes that were moved to take rows out and to make stacks."""

    def __init__(self, closed, arrays):
        super().__init__(closed, arrays)
        self.stacks, self.copied = {}, 0

    def taken_out(self, variable):
        self.copied += size(variable.aval)
        return super().taken_out(variable)

    def place(self, atom):
        return None if isinstance(atom, Literal) else self.rows.get(atom)

    def direction(self, atoms):
        """The number of atoms that follow their predecessor in a stack, minus the number that precede it."""
        found = list(map(self.place, atoms))
        pairs = [(a[1], b[1]) for a, b in zip(found, found[1:]) if a and b and a[0] is b[0]]
        return sum((b == a + 1) - (b == a - 1) for a, b in pairs)

    def piece(self, atoms):
        """(stack, first row, step) if the atoms are neighbouring rows of one stack, in order or reversed, but not the whole stack."""
        found = list(map(self.place, atoms))
        if not all(found) or any(f[0] is not found[0][0] for f in found):
            return None
        steps, stack, first = {b[1] - a[1] for a, b in zip(found, found[1:])}, found[0][0], found[0][1]
        if steps == {1} and len(found) == stack.shape[0] or steps not in ({1}, {-1}):
            return None
        return stack, first, steps.pop()

    def together(self, eqn):
        """The arrays that an equation stacks or unstacks."""
        if len(eqn.outvars) == 1:
            self[eqn.outvars[0]] = self.stacked(eqn.invars)
        else:
            stack = self.read(eqn.invars[0])
            self.rows.update((v, (stack, k)) for k, v in enumerate(eqn.outvars))

    def stacked(self, atoms):
        """One array with a row for each atom; an existing stack is reused, whole or in pieces."""
        key = tuple([Key(a) for a in atoms])
        if key not in self.stacks:
            self.stacks[key] = self._joined(atoms)
        return self.stacks[key]

    def _joined(self, atoms):
        if all(isinstance(a, Literal) for a in atoms):
            return jnp.asarray(np.stack([np.asarray(a.val, a.aval.dtype) for a in atoms]))
        pieces = []  # [stack, first row, behind the last one]
        for atom in atoms:
            stack, k = self.place(atom) or (None, 0)
            if stack is None:
                pieces.append([lax.expand_dims(jnp.asarray(self.read(atom), atom.aval.dtype), (0,)), 0, 1])
            elif pieces and pieces[-1][0] is stack and pieces[-1][2] == k:
                pieces[-1][2] += 1
            else:
                pieces.append([stack, k, k + 1])
        pieces = [a if last - first == a.shape[0] else lax.slice_in_dim(a, first, last) for a, first, last in pieces]
        if len(pieces) == 1 and pieces[0].shape[0] == len(atoms) and self.place(atoms[0]):
            return pieces[0]
        self.copied += sum(size(a.aval) for a in atoms)
        return lax.concatenate(pieces, 0)

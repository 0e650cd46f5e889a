"""Evaluates programs: over values of any kind (`Interpreter`), or over facts about values, with loops to their fixed point (`Forward`)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..compat import Literal
from .needs import needs
from .parts import called, opened, scan_of, while_of
from .primitives import name_of

if TYPE_CHECKING:
    import jax
    import jax.extend


def scope_of(around: Any, eqn: "jax.extend.core.JaxprEqn"):
    """The name stack of an equation, appended to the name stack of the enclosing equations."""
    return f"{around}/{eqn.source_info.name_stack}"


class Interpreter:
    """Evaluates programs. A subclass defines the values, and the effect of an equation on them."""

    def literal(self, atom: "jax.extend.core.Literal"):
        """The value of a constant in an equation."""
        return atom.val

    def constant(self, value: Any, variable: "jax.extend.core.Var"):
        """The value of a constant of a program."""
        return value

    def enters(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        """Whether an equation that calls one program is replaced by that program."""
        return False

    def equation(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        """The values of an equation's outputs, as a list. around: the name stack of the enclosing equation."""
        raise NotImplementedError

    def run(
        self,
        program: "jax.extend.core.ClosedJaxpr",
        given: Sequence,
        around: Any = "",
        wanted: list[bool] | None = None,
    ):
        """The values of a program's outputs.

        wanted: for each output whether it is; then only what these need is evaluated, and the others are None. All calls must be entered then,
        since an input that a call does not need is None too.
        """
        jaxpr, constants = opened(program)
        known = dict(zip(jaxpr.constvars, map(self.constant, constants, jaxpr.constvars)))
        known.update(zip(jaxpr.invars, given))
        needed = None if wanted is None else needs(jaxpr, wanted, calls_only=True)

        def read(atom):
            if isinstance(atom, Literal):
                return self.literal(atom)
            return known[atom] if needed is None else known.get(atom)

        for eqn in jaxpr.eqns if needed is None else needed.equations:
            inputs = [read(a) for a in eqn.invars]
            inner = called(eqn)
            if inner is not None and self.enters(eqn, inputs, around):
                of_it = None if needed is None else needed.marks(eqn.outvars)
                outs = self.run(inner, inputs, scope_of(around, eqn), of_it)
            else:
                outs = self.equation(eqn, inputs, around)
            known.update(zip(eqn.outvars, outs))
        if wanted is None:
            return [read(a) for a in jaxpr.outvars]
        return [read(a) if use else None for a, use in zip(jaxpr.outvars, wanted)]


class Forward:
    """Facts about values, from a program's inputs to its outputs, and notes about its equations: an int of bits, joined by `|`.

    Facts are values that can be compared and hashed. What was found for a program and facts is kept.
    """

    nothing = False  # the fact about constants

    def __init__(self):
        self._found = {}

    def join(self, one: bool, other: Any):
        """The fact about a value that is one of two."""
        return one or other

    def enters(self, eqn: "jax.extend.core.JaxprEqn", facts: Sequence):
        """Whether the facts about the outputs of a call are those of its program."""
        return True

    def equation(self, eqn: "jax.extend.core.JaxprEqn", facts: Sequence):
        """(facts about the outputs, notes) of an equation without nested programs to inspect."""
        raise NotImplementedError

    def looped(self, eqn: "jax.extend.core.JaxprEqn", state: Sequence, notes: Sequence):
        """The notes of a while loop. state: the facts about its carried values, true before and after each round."""
        return notes

    def flow(self, program: "jax.extend.core.ClosedJaxpr", facts: Sequence):
        """(facts about the outputs, notes) of a program, by the facts about its inputs."""
        jaxpr, _ = opened(program)
        key = (id(jaxpr), tuple(facts))
        if key not in self._found:
            known, notes = dict(zip(jaxpr.invars, facts)), self.begin(jaxpr.invars, facts)
            for eqn in jaxpr.eqns:
                outs, more = self.through(eqn, self.of_atoms(eqn.invars, known))
                known.update(zip(eqn.outvars, outs))
                notes |= more
            # with the jaxpr, so that ids stay those of one
            self._found[key] = jaxpr, tuple(self.of_atoms(jaxpr.outvars, known)), notes
        return self._found[key][1:]

    def begin(self, inputs: Sequence, facts: Sequence):
        """The notes of a program before its first equation."""
        return 0

    def of_atoms(self, atoms: list, known: dict):
        """The facts about variables and literals."""
        return [self.nothing if isinstance(a, Literal) else known.get(a, self.nothing) for a in atoms]

    def through(self, eqn: "jax.extend.core.JaxprEqn", facts: Sequence):
        """(facts about the outputs, notes) of an equation."""
        if all(fact == self.nothing for fact in facts):
            return [self.nothing] * len(eqn.outvars), 0
        name, params = name_of(eqn), eqn.params
        if name == "cond":
            found = [self.flow(branch, facts[1:]) for branch in params["branches"]]
            outs, notes = list(found[0][0]), 0
            for more, note in found:
                outs, notes = [self.join(a, b) for a, b in zip(outs, more)], notes | note
            return outs, notes
        if name == "scan":
            scan = scan_of(params)
            fixed, state, rows = scan.inputs(facts)
            state, outs, notes = self.settle(scan.body, fixed, state, rows)
            return [*state, *scan.outputs(outs)[1]], notes
        if name == "while":
            loop = while_of(params)
            _, fixed, state = loop.inputs(facts)
            state, _, notes = self.settle(loop.body, fixed, state, ())
            return state, self.looped(eqn, state, notes)
        inner = called(eqn)
        if inner is not None and self.enters(eqn, facts):
            return self.flow(inner, facts)
        return self.equation(eqn, facts)

    def settle(self, body: "jax.extend.core.ClosedJaxpr", fixed: list, state: Sequence, rows: tuple):
        """(the facts about a loop's state after any number of rounds, those about the outputs of a round, notes)"""
        while True:
            outs, notes = self.flow(body, (*fixed, *state, *rows))
            grown = [self.join(a, b) for a, b in zip(state, outs)]
            if grown == list(state):
                return grown, outs, notes
            state = grown

"""Finds the equations and inputs that a program's outputs depend on, by a backward pass."""

from typing import TYPE_CHECKING

from ..compat import Literal
from .links import Links
from .parts import called, opened, scan_of, while_of
from .primitives import family_of, name_of

if TYPE_CHECKING:
    import jax
    import jax.extend


class Needs:
    """The dependencies of some outputs of a program. equations: in order; inputs: for each input whether it is needed."""

    def __init__(self, jaxpr: "jax.extend.core.Jaxpr", wanted: list[bool], calls_only: bool):
        self._read = {a for a, use in zip(jaxpr.outvars, wanted) if use and not isinstance(a, Literal)}
        kept = []
        for eqn in reversed(jaxpr.eqns):
            outs = self.marks(eqn.outvars)
            if eqn.effects or any(outs):
                kept.append(eqn)
                marks = [True] * len(eqn.invars) if eqn.effects else _of_inputs(eqn, outs, calls_only)
                self._read.update(a for a, use in zip(eqn.invars, marks) if use and not isinstance(a, Literal))
        self.equations, self.inputs = kept[::-1], self.marks(jaxpr.invars)

    def marks(self, variables: "list[jax.extend.core.Var]"):
        """For each variable whether it is needed."""
        return [v in self._read for v in variables]


def needs(program: "jax.extend.core.Jaxpr | jax.extend.core.ClosedJaxpr", wanted: list[bool], calls_only: bool = False):
    """The dependencies of the wanted outputs; equations with effects and their dependencies are always included.

    calls_only: branches and loops need all of their inputs; only calls are looked into.

    Example:
        >>> import jax
        >>> from msjax.core.program.needs import needs
        >>> needs(jax.make_jaxpr(lambda x, y: (x + 1, y * 2))(1.0, 1.0), [True, False]).inputs
        [True, False]
    """
    return Needs(opened(program)[0], wanted, calls_only)


def _of_inputs(eqn, outs, calls_only):
    """Which inputs of an equation its wanted outputs need."""
    name, params = name_of(eqn), eqn.params
    if calls_only and family_of(name) in ("branches", "loops"):
        return [True] * len(eqn.invars)
    if name == "cond":
        found = [needs(branch, outs).inputs for branch in params["branches"]]
        return [True, *[any(marks) for marks in zip(*found)]]
    if name == "scan":
        scan = scan_of(params)
        state, rows = scan.outputs(outs)
        while True:
            found = scan.inputs(needs(scan.body, [*state, *rows]).inputs)
            grown = [a or b for a, b in zip(state, found[1])]
            if grown == state:
                return [*found[0], *grown, *found[2]]
            state = grown
    if name == "while":
        loop = while_of(params)
        count = len(opened(loop.condition)[0].invars)
        test = needs(loop.condition, [True]).inputs
        fixed_of_test, state_of_test = test[: loop.for_condition], test[loop.for_condition : count]
        state = [a or b for a, b in zip(outs, state_of_test)]
        while True:
            found = needs(loop.body, state).inputs
            grown = [a or b for a, b in zip(state, found[loop.for_body :])]
            if grown == state:
                return [*fixed_of_test, *found[: loop.for_body], *grown]
            state = grown
    inner = called(eqn)
    # what has a derivative of its own is called with all that it was written for
    if inner is not None and name in ("jit", "closed_call", "call", "checkpoint"):
        return needs(inner, outs, calls_only).inputs
    return [True] * len(eqn.invars)


def used(program: "jax.extend.core.ClosedJaxpr"):
    """The variables that some equation of a program, or its outputs, take.

    Example:
        >>> import jax
        >>> from msjax.core.program.needs import used
        >>> jaxpr = jax.make_jaxpr(lambda x, y: x + 1)(1.0, 1.0).jaxpr
        >>> [v in used(jaxpr) for v in jaxpr.invars]
        [True, False]
    """
    return set(Links(opened(program)[0]).taken)

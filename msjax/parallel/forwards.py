"""A network that a step calls for its result, and again inside of a gradient, is computed once: in the gradient.

Within one mesh XLA finds equal equations itself. A pipeline of equal stages computes its forward program in another form, so here a call
notes the program, its inputs and its results, and before the step is compiled the same equations elsewhere give way to these results.
"""

from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..core.compat import Literal, jaxpr_as_fun
from ..core.program.needs import needs
from ..core.program.parts import called, opened
from ..core.program.repetitions import Prints

if TYPE_CHECKING:
    import jax.extend

_NAME = "forward_of_gradient"


def note(closed: "jax.extend.core.ClosedJaxpr", arrays: Any, values: Any):
    """That these are a program's inputs and outputs, as an equation of the trace that nothing takes."""

    def forward_of_gradient(arrays, values):
        return jaxpr_as_fun(closed)(*arrays)

    jax.jit(forward_of_gradient)(list(arrays), list(values))


def computed_once(closed: "jax.extend.core.ClosedJaxpr"):
    """The closed jaxpr without what it computes as one of its gradients does; itself where none was noted."""
    jaxpr = closed.jaxpr
    notes = {at: eqn for at, eqn in enumerate(jaxpr.eqns) if eqn.params.get("name") == _NAME and called(eqn)}
    if not notes:
        return closed
    numbers = _Numbers()
    known = numbers.begin(jaxpr, closed.consts)
    made, instead = {}, {}
    for at, eqn in enumerate(jaxpr.eqns):
        if at not in notes:
            numbers.through(eqn, known)
        made.update((v, at) for v in eqn.outvars)
    for eqn in notes.values():
        outs = numbers.outputs(called(eqn), [numbers.of(a, known) for a in eqn.invars])
        values = eqn.invars[len(eqn.invars) - len(outs) :]
        instead.update((number, v) for number, v in zip(outs, values) if not isinstance(v, Literal))

    def now(atom, at):
        if isinstance(atom, Literal):
            return atom
        found = instead.get(known.get(atom), atom)
        return found if found.aval.shape == atom.aval.shape and made.get(found, -1) < at else atom

    eqns = [
        eqn.replace(invars=[now(a, at) for a in eqn.invars]) for at, eqn in enumerate(jaxpr.eqns) if at not in notes
    ]
    outvars = [now(a, len(jaxpr.eqns)) for a in jaxpr.outvars]
    merged = jaxpr.replace(eqns=eqns, outvars=outvars)
    merged = merged.replace(eqns=needs(merged, [True] * len(outvars)).equations)
    return type(closed)(merged, closed.consts)


class _Numbers:
    """Numbers for values: equal ones are computed alike from the same inputs."""

    def __init__(self):
        self.prints, self.table = Prints(derived=False), {}

    def number(self, key):
        return self.table.setdefault(key, len(self.table))

    def begin(self, jaxpr, consts):
        known = {v: self.number(("array", id(c))) for v, c in zip(jaxpr.constvars, consts)}
        known.update((v, self.number(("input", id(v)))) for v in jaxpr.invars)
        return known

    def of(self, atom, known):
        if isinstance(atom, Literal):
            value = np.asarray(atom.val)
            return self.number(("literal", value.shape, str(value.dtype), value.tobytes()))
        return known[atom]

    def through(self, eqn, known):
        key = self.prints.of(eqn), tuple([self.of(a, known) for a in eqn.invars])
        known.update((v, self.number((key, at))) for at, v in enumerate(eqn.outvars))

    def outputs(self, program, inputs):
        jaxpr, consts = opened(program)
        known = {v: self.number(("array", id(c))) for v, c in zip(jaxpr.constvars, consts)}
        known.update(zip(jaxpr.invars, inputs))
        for eqn in jaxpr.eqns:
            self.through(eqn, known)
        return [self.of(a, known) for a in jaxpr.outvars]

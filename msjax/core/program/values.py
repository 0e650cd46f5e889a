"""The values of a program's variables while its equations run one after the other."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from jax import lax

from ..compat import Literal, equation_as_fun

if TYPE_CHECKING:
    import jax.extend


class Values(dict):
    """{variable: value}, at first of the constants and inputs of a closed jaxpr (None: an input that has no value of its own).

    rows: {variable: (array, number of its row)} of values that are taken out of an array when they are read.
    """

    def __init__(self, closed: "jax.extend.core.ClosedJaxpr", arrays: Sequence):
        super().__init__(zip(closed.jaxpr.constvars, closed.consts))
        self.update((v, a) for v, a in zip(closed.jaxpr.invars, arrays) if a is not None)
        self.rows = {}

    def read(self, atom: "jax.extend.core.Var | jax.extend.core.Literal"):
        if isinstance(atom, Literal):
            return atom.val
        if atom not in self:
            self[atom] = self.taken_out(atom)
        return self[atom]

    def taken_out(self, variable: "jax.extend.core.Var"):
        """The value of a variable that is a row of an array."""
        array, row = self.rows[variable]
        return lax.index_in_dim(array, row, 0, keepdims=False)

    def run(self, eqns: "Iterable[jax.extend.core.JaxprEqn]"):
        """Evaluate equations, each with its name stack and its line."""
        for eqn in eqns:
            self.update(zip(eqn.outvars, equation_as_fun(eqn)(list(map(self.read, eqn.invars)))))

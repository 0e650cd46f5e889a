"""Which equation of a program makes a variable, and which equations take it."""

import collections
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..compat import Literal

if TYPE_CHECKING:
    import jax.extend


class Links:
    """The variables of one program as links between its equations, which are told by their numbers.

    made: {variable: (the equation that makes it, which of its outputs it is)}; inputs and constants are not in it. taken: {variable: the
    equations that take it, in order}; `len(eqns)` stands for the outputs of the program.

    Example:
        >>> import jax
        >>> from msjax.core.program.links import Links
        >>> jaxpr = jax.make_jaxpr(lambda x: (x * 2) + x)(1.0).jaxpr
        >>> links = Links(jaxpr)
        >>> links.taken[jaxpr.invars[0]], links.made[jaxpr.outvars[0]], links.behind([1])
        ([0, 1], (1, 0), {0, 1})
    """

    def __init__(self, jaxpr: "jax.extend.core.Jaxpr"):
        self.eqns, self.made, self.taken = jaxpr.eqns, {}, collections.defaultdict(list)
        for i, eqn in enumerate(jaxpr.eqns):
            self.made.update((v, (i, o)) for o, v in enumerate(eqn.outvars))
            for v in variables(eqn.invars):
                self.taken[v].append(i)
        for v in variables(jaxpr.outvars):
            self.taken[v].append(len(jaxpr.eqns))

    def maker(self, atom: "jax.extend.core.Var | jax.extend.core.Literal"):
        """The number of the equation that makes an atom; None for literals, inputs and constants."""
        place = None if isinstance(atom, Literal) else self.made.get(atom)
        return None if place is None else place[0]

    def equation(self, atom: "jax.extend.core.Var | jax.extend.core.Literal"):
        """The equation that makes an atom; None for literals, inputs and constants."""
        maker = self.maker(atom)
        return None if maker is None else self.eqns[maker]

    def sources(self, number: int):
        """The equations that make the inputs of one."""
        return {self.made[v][0] for v in variables(self.eqns[number].invars) if v in self.made}

    def users(self, number: int):
        """The equations that take an output of one, in no order and with repetitions; `len(eqns)` for outputs of the program."""
        return [user for v in self.eqns[number].outvars for user in self.taken.get(v, ())]

    def behind(self, numbers: Iterable[int]):
        """These equations and all that they depend on, as a set."""
        found, left = set(), list(numbers)
        while left:
            at = left.pop()
            if at not in found:
                found.add(at)
                left += self.sources(at)
        return found


def variables(atoms: "Iterable[jax.extend.core.Var | jax.extend.core.Literal]"):
    """The atoms that are variables, as a list."""
    return [a for a in atoms if not isinstance(a, Literal)]

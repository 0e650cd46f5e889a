"""Programs with other equations in the places of theirs, as they stand: nothing is evaluated, and nothing traced again."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .parts import is_program, opened

if TYPE_CHECKING:
    import jax
    import jax.extend


def edited(program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr", change: Callable):
    """A program, closed or not as the given one, with the equations `change(equation)`, a list, in the place of each.

    Example:
        >>> import jax
        >>> from msjax.core.program.edited import edited
        >>> program = jax.make_jaxpr(lambda x: x + 1)(1.0)
        >>> edited(program, lambda eqn: []).jaxpr.eqns
        []
    """
    jaxpr, _ = opened(program)
    made = jaxpr.replace(eqns=[new for eqn in jaxpr.eqns for new in change(eqn)])
    return made if jaxpr is program else type(program)(made, program.consts)


def with_parameters(eqn: "jax.extend.core.JaxprEqn", programs: Callable, other: Callable):
    """An equation with `programs(value)` in the place of each program among its parameters, and `other(value)` in that of each other value.

    Both look into lists and tuples, as a condition holds its branches in one.
    """

    def new(value: Any):
        if is_program(value):
            return programs(value)
        return type(value)(map(new, value)) if type(value) in (list, tuple) else other(value)

    return eqn.replace(params={name: new(value) for name, value in eqn.params.items()})

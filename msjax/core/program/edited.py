"""Programs with other equations in the places of theirs, as they stand: nothing is evaluated, and nothing traced again."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
from jax.sharding import NamedSharding

from ..compat import Literal
from .parts import is_program, opened, parts
from .primitives import name_of

if TYPE_CHECKING:
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


def replaced(program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr", rule: Callable):
    """A program with `rule(equation)`, a list, in the place of each equation for which that is not None, in nested programs, too.

    Example:
        >>> import jax
        >>> from msjax.core.program.edited import replaced
        >>> program = jax.make_jaxpr(jax.jit(lambda x: x + 1))(1.0)
        >>> replaced(program, lambda eqn: None) is program
        True
    """
    jaxpr, _ = opened(program)
    made = {}  # {id of an equation: those in its place}
    for eqn in jaxpr.eqns:
        found = rule(eqn)
        if found is None and parts(eqn):
            new = with_parameters(eqn, lambda part: replaced(part, rule), lambda value: value)
            found = [new] if any(_changed(value, new.params[name]) for name, value in eqn.params.items()) else None
        if found is not None:
            made[id(eqn)] = found
    return edited(program, lambda eqn: made.get(id(eqn), [eqn])) if made else program


def _changed(value, new):
    """Whether a parameter has become another; lists are looked into."""
    if type(value) in (list, tuple):
        return any(map(_changed, value, new))
    return new is not value


def note_of_mesh(value: Any):
    """What a parameter notes of a mesh; None in the place of a mesh whose axes are all automatic, since that says nothing.

    JAX 0.8 notes such a mesh in some broadcasts and not in others, so equal layers would not look equal.
    """
    return None if isinstance(value, NamedSharding) and value.mesh.are_all_axes_auto else value


def without_automatic_meshes(program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr"):
    """A program without the notes of `note_of_mesh`, in nested programs, too. What a strategy asks for stays."""

    def equation(eqn):
        if name_of(eqn) == "sharding_constraint":
            return [eqn]
        return [with_parameters(eqn, without_automatic_meshes, note_of_mesh)]

    return edited(program, equation)


def in_its_place(eqn: "jax.extend.core.JaxprEqn", function: Callable, atoms: list):
    """The equations of a function of some operands of an equation, in its scope and its line."""
    shapes = [jax.ShapeDtypeStruct(a.aval.shape, a.aval.dtype, weak_type=a.aval.weak_type) for a in atoms]
    closed = jax.make_jaxpr(function)(*shapes)
    given = dict(zip(closed.jaxpr.invars, atoms, strict=True))
    return [
        each.replace(
            invars=[a if isinstance(a, Literal) else given.get(a, a) for a in each.invars], source_info=eqn.source_info
        )
        for each in closed.eqns
    ]

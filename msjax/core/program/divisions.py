"""Gradients of quotients by numbers whose squares do not fit: JAX divides by the square, and 0 / (0 + 1e-30) had the gradient NaN."""

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero

from ..compat import Literal
from .edited import in_its_place
from .primitives import name_of

if TYPE_CHECKING:
    import jax.extend


@jax.custom_jvp
def quotient(x: jax.Array, y: jax.Array):
    """x / y of two arrays of one shape, with MindSpore's derivative (dx - x / y * dy) / y."""
    return lax.div(x, y)


def _quotient_jvp(primals, tangents):
    found, (along_x, along_y) = quotient(*primals), tangents
    if isinstance(along_y, SymbolicZero):
        return found, along_y if isinstance(along_x, SymbolicZero) else quotient(along_x, primals[1])
    lost = found * along_y
    return found, quotient(-lost if isinstance(along_x, SymbolicZero) else along_x - lost, primals[1])


quotient.defjvp(_quotient_jvp, symbolic_zeros=True)


def divided_twice(eqn: "jax.extend.core.JaxprEqn"):
    """The equations in the place of a quotient of floats, whose gradient is then MindSpore's: -(dout * (x / y)) / y. None for other equations.

    Example:
        >>> import jax
        >>> from msjax.core.compat import jaxpr_as_fun
        >>> from msjax.core.program.divisions import divided_twice
        >>> from msjax.core.program.edited import replaced
        >>> program = replaced(jax.make_jaxpr(lambda y: 1e-20 / y)(1e-20), divided_twice)
        >>> print(jax.vjp(jaxpr_as_fun(program), 1e-20)[1]([1.0])[0])
        -1e+20
    """
    if name_of(eqn) != "div" or isinstance(eqn.invars[1], Literal):
        return None
    if not jnp.issubdtype(eqn.outvars[0].aval.dtype, jnp.floating):
        return None
    made = in_its_place(eqn, quotient, eqn.invars)
    return [*made[:-1], made[-1].replace(outvars=eqn.outvars)]


__all__ = ["divided_twice", "quotient"]

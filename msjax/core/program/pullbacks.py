"""The derivative of one equation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from ..compat import evaluate_equation

if TYPE_CHECKING:
    import jax.extend


def pullback(eqn: "jax.extend.core.JaxprEqn", arrays: Sequence):
    """(outputs, pull) of an equation at `arrays`: `pull` takes the cotangents of its real outputs, and gives those of its real inputs."""
    real = [is_real(v.aval) for v in eqn.invars]

    def of_reals(*reals):
        left = iter(reals)
        outs = evaluate_equation(eqn, [next(left) if use else a for a, use in zip(arrays, real)])
        return [o for o, v in zip(outs, eqn.outvars) if is_real(v.aval)], outs

    _, pull, outs = jax.vjp(of_reals, *[a for a, use in zip(arrays, real) if use], has_aux=True)
    return outs, pull


def is_real(aval: "jax.core.AbstractValue | jax.ShapeDtypeStruct"):
    """Whether values of a type have gradients: real and complex floats."""
    return jnp.issubdtype(aval.dtype, jnp.inexact)

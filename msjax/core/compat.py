"""The one place that knows how public JAX names moved between versions (jax >= 0.8)."""

import jax
from jax.errors import (
    ConcretizationTypeError,
    NonConcreteBooleanIndexError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    UnexpectedTracerError,
)
from jax.extend.core import ClosedJaxpr, Literal, jaxpr_as_fun

try:
    from jax.extend.core import get_opaque_trace_state  # jax >= 0.10
except ImportError:
    from jax.core import get_opaque_trace_state

__all__ = [
    "ConcretizationTypeError",
    "Literal",
    "TRACED_VALUE_ERRORS",
    "Tracer",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
    "evaluate_equation",
    "hoisted",
    "jaxpr_as_fun",
    "trace_state",
]

Tracer = jax.core.Tracer

# What jax raises when Python asks a traced value for its content.
TRACED_VALUE_ERRORS = (
    TracerBoolConversionError,
    ConcretizationTypeError,
    TracerIntegerConversionError,
    TracerArrayConversionError,
    NonConcreteBooleanIndexError,
)


def evaluate_equation(eqn, arrays):
    """Outputs of one equation of a jaxpr, as a list."""
    found = eqn.primitive.get_bind_params(eqn.params)
    functions, params = found if isinstance(found, tuple) else ((), found)  # a pair before jax 0.10
    outs = eqn.primitive.bind(*functions, *arrays, **params)
    return list(outs) if eqn.primitive.multiple_results else [outs]


def hoisted(closed):
    """A closed jaxpr whose constants are inputs, before its others."""
    jaxpr = closed.jaxpr
    return ClosedJaxpr(jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars]), [])


def trace_state():
    """Opaque token of the innermost jax trace; equal inside the same trace, unequal elsewhere."""
    return get_opaque_trace_state(convention="flax")

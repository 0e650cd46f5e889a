"""The one place that knows how public JAX names moved between versions (jax >= 0.8).

`jax.extend` is imported when it is first needed: with it comes Pallas, a tenth of what `import jax` takes.
"""

import functools
import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import jax
from jax.core import eval_jaxpr
from jax.errors import (
    ConcretizationTypeError,
    NonConcreteBooleanIndexError,
    TracerArrayConversionError,
    TracerBoolConversionError,
    TracerIntegerConversionError,
    UnexpectedTracerError,
)

if TYPE_CHECKING:
    import jax.extend

__all__ = [
    "ConcretizationTypeError",
    "INLINED",
    "Literal",
    "TRACED_VALUE_ERRORS",
    "Tracer",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
    "callback_logger",
    "eager_state",
    "equation_as_fun",
    "evaluate_equation",
    "hoisted",
    "jaxpr_as_fun",
    "known_options",
    "scan_counts",
    "shares_compilation",
    "trace_state",
    "leave_64_bits",
    "take_64_bits",
]

Tracer = jax.core.Tracer

# What `jax.jit(inline=)` takes for a function that becomes a part of the trace around it: what it hands through stays the same traced value.
# Since JAX 0.12 `inline=True` keeps a call in the trace, and becomes part only when the program is lowered.
INLINED = jax.Inline.JAX_EARLY if hasattr(jax, "Inline") else True

# Prints the traceback of a callback that fails, besides the exception that reaches the user: JAX has no setting for it, and it is found by
# the name of the module that logs. Where that is called otherwise one day, the traceback is printed twice.
callback_logger = logging.getLogger("jax._src.callback")

# What jax raises when Python asks a traced value for its content.
TRACED_VALUE_ERRORS = (
    TracerBoolConversionError,
    ConcretizationTypeError,
    TracerIntegerConversionError,
    TracerArrayConversionError,
    NonConcreteBooleanIndexError,
)


def scan_counts(params: Mapping):
    """(constants, carried values) of a scan's inputs; the rest are its rows."""
    if "num_consts" in params:  # before jax 0.12
        return params["num_consts"], params["num_carry"]
    constants, carried, _ = params["ft_in"].unpack()
    return len(constants.vals), len(carried.vals)


def evaluate_equation(eqn: "jax.extend.core.JaxprEqn", arrays: Sequence, **changed):
    """Outputs of one equation of a jaxpr, as a list. changed: parameters that replace its own."""
    found = eqn.primitive.get_bind_params({**eqn.params, **changed})
    functions, params = found if isinstance(found, tuple) else ((), found)  # a pair before jax 0.10
    outs = eqn.primitive.bind(*functions, *arrays, **params)
    return list(outs) if eqn.primitive.multiple_results else [outs]


def Variable(aval: jax.core.ShapedArray):  # noqa: N802  a class of JAX, which is imported when it is needed
    """A new variable of a jaxpr."""
    from jax.extend.core import Var

    return Var(aval)


@functools.cache
def _empty_program():
    return jax.make_jaxpr(lambda: ())().jaxpr


def equation_as_fun(eqn: "jax.extend.core.JaxprEqn"):
    """One equation of a jaxpr as a function from the list of its inputs to that of its outputs; it keeps its name stack and its line."""
    inputs = [Variable(atom.aval) for atom in eqn.invars]
    alone = _empty_program().replace(invars=inputs, outvars=eqn.outvars, eqns=[eqn.replace(invars=inputs)])
    return lambda arrays: eval_jaxpr(alone, (), *arrays)


def hoisted(closed: "jax.extend.core.ClosedJaxpr"):
    """A closed jaxpr whose constants are inputs, before its others."""
    jaxpr = closed.jaxpr
    return type(closed)(jaxpr.replace(constvars=[], invars=[*jaxpr.constvars, *jaxpr.invars]), [])


def jaxpr_as_fun(closed: "jax.extend.core.ClosedJaxpr"):
    """A closed jaxpr as a function of its inputs that gives a list."""
    return functools.partial(eval_jaxpr, closed.jaxpr, closed.consts)


class _Atoms(type):
    def __instancecheck__(cls, atom):
        return hasattr(atom, "val")  # a variable has none


class Literal(metaclass=_Atoms):
    """For `isinstance`: an input of an equation that is a constant, not a variable."""


@functools.cache
def shares_compilation():
    """Whether `jit(f)(x)` reuses the program that `jit(f).trace(x).lower().compile()` compiled; jax before 0.10
    compiles again.
    """
    return jax.__version_info__ >= (0, 10)


def _switches():
    """(function that turns 64 bits on in this thread and returns the old setting, function that restores the old
    setting).

    The public way is `with jax.enable_x64(True):`, in Python: 1.5 us for each operator of eager code. Its two halves are methods of the
    same object, in C++, and take 0.2 us; where they are missing, or do more than before, it is the public way.
    """
    swap, put = (getattr(jax.enable_x64, name, None) for name in ("swap_local", "set_local"))
    if swap is not None and put is not None and not getattr(jax.enable_x64, "_update_thread_local_hook", True):
        return functools.partial(swap, True), put

    def take():
        entered = jax.enable_x64(True)
        entered.__enter__()
        return entered

    return take, lambda entered: entered.__exit__(None, None, None)


take_64_bits, leave_64_bits = _switches()


@functools.cache
def _state_of_trace():
    try:
        from jax.extend.core import get_opaque_trace_state  # jax >= 0.10
    except ImportError:
        from jax.core import get_opaque_trace_state
    return functools.partial(get_opaque_trace_state, convention="flax")


def trace_state():
    """Opaque token of the innermost jax trace; equal inside the same trace, unequal elsewhere."""
    return _state_of_trace()()


@functools.cache
def eager_state():
    """The value of `trace_state` outside of all traces."""
    with jax.core.eval_context():
        return trace_state()


@functools.cache
def _knows(option, value):
    try:
        jax.jit(lambda: 0).lower().compile(compiler_options={option: value})
    except jax.errors.JaxRuntimeError:  # "No such compile option": XLA takes them away without notice
        return False
    return True


def known_options(options: dict):
    """The options among XLA's compile options that this version of jaxlib has, or None."""
    return {option: value for option, value in options.items() if _knows(option, value)} or None

"""Equations that hold a gradient of a user's own, for programs that are differentiated once.

Its rules are functions; here they are programs, so that these can be changed.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

import jax
import numpy as np

from ..compat import jaxpr_as_fun
from .edited import edited, with_parameters
from .parts import RULED, called, holds, opened
from .primitives import name_of
from .pullbacks import is_real, pullback
from .sharing import written_out

if TYPE_CHECKING:
    import jax.extend


def with_rules(eqn: "jax.extend.core.JaxprEqn", change: Callable):
    """A `custom_vjp_call` whose programs, forward and backward, are `change(program)` of those of an equation; None where they hold arrays.

    The equation is one, too, or holds one.

    Example:
        >>> import jax
        >>> from msjax.core.program.ruled import with_rules
        >>> @jax.custom_vjp
        ... def f(x):
        ...     return 2 * x
        >>> f.defvjp(lambda x: (2 * x, ()), lambda saved, g: (3 * g,))
        >>> eqn = jax.make_jaxpr(f)(1.0).eqns[0]
        >>> with_rules(eqn, lambda program: program).primitive is eqn.primitive
        True
    """
    inputs, count, shape = [_like(v.aval) for v in eqn.invars], len(eqn.outvars), None

    def forward(*arrays):
        nonlocal shape
        outs, pull = pullback(eqn, arrays)
        saved, shape = jax.tree_util.tree_flatten(pull)
        return [*outs, *saved]

    def backward(saved, cotangents):
        return jax.tree_util.tree_unflatten(shape, saved)(cotangents)

    there = _without_rules(jax.make_jaxpr(forward)(*inputs))
    targets = [_like(v.aval) for v in eqn.outvars if is_real(v.aval)]
    back = _without_rules(jax.make_jaxpr(backward)(list(map(_like, there.out_avals[count:])), targets))
    there, back = jaxpr_as_fun(change(there)), jaxpr_as_fun(change(back))
    own = called(eqn) if name_of(eqn) == "custom_vjp_call" else None
    plain = jaxpr_as_fun(change(own)) if own is not None else lambda *arrays: there(*arrays)[:count]

    @jax.custom_vjp
    def ruled(*arrays):
        return plain(*arrays)

    def ruled_forward(*arrays):
        values = there(*arrays)
        return values[:count], values[count:]

    def ruled_backward(saved, cotangents):
        found = iter(back(*saved, *[c for c, v in zip(cotangents, eqn.outvars) if is_real(v.aval)]))
        return tuple([next(found) if is_real(a) else np.zeros(a.shape, jax.dtypes.float0) for a in inputs])

    ruled.defvjp(ruled_forward, ruled_backward)
    made = jax.make_jaxpr(ruled)(*inputs)
    if made.consts or len(made.eqns) != 1 or made.eqns[0].invars != made.jaxpr.invars:
        return None
    return made.eqns[0].replace(invars=eqn.invars, outvars=eqn.outvars, source_info=eqn.source_info)


def _without_rules(closed):
    """A program that is not differentiated any more: what has a rule in it is written out, at any depth."""
    found = closed
    while any(name_of(e) in RULED for e in found.jaxpr.eqns):  # one may call another
        found = written_out(found, lambda e: name_of(e) in RULED)

    def inside(part):
        jaxpr, consts = opened(part)
        plain = _without_rules(type(closed)(jaxpr, consts))
        return plain if jaxpr is not part else plain.jaxpr if not plain.consts else part

    return edited(found, lambda e: [with_parameters(e, inside, lambda value: value)] if holds(e, *RULED) else [e])


def _like(aval):
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, weak_type=getattr(aval, "weak_type", False))

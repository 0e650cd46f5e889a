"""Equal parts of a program as calls of one function, while it is differentiated: JAX then differentiates one part, not each.

`shared` evaluates a program so, `opened` puts the equations of the parts in the place of the calls again: what comes out has the equations
that it would have had, and whoever looks at them afterwards need not know.
"""

import contextlib
import dataclasses
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

import jax
import numpy as np

from ..compat import Literal, Variable
from .folding import Repeated
from .loops import Loop
from .parts import called
from .parts import opened as of_program
from .repetitions import repetitions
from .rolled import taken_apart
from .values import Values

if TYPE_CHECKING:
    import jax.extend

_NAME = "equal_part"


def shared(closed: "jax.extend.core.ClosedJaxpr"):
    """A function of the inputs of a closed jaxpr that gives the list of its outputs; None where nothing in it repeats itself.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.program.sharing import shared
        >>> def layers(x, weights):
        ...     for w in weights:
        ...         x = jnp.tanh(x @ w) * 2
        ...     return x
        >>> weights = [jnp.ones((3, 3))] * 16
        >>> run = shared(jax.make_jaxpr(layers)(jnp.ones((2, 3)), weights))
        >>> len(jax.make_jaxpr(run)(jnp.ones((2, 3)), *weights).eqns)
        16
    """
    repeated = Repeated(closed.jaxpr)
    found = [repeated.of(r) for r in repetitions(closed.jaxpr.eqns, derived=True) if repeated.computes(r)]
    loops = [loop for loop in found if loop is not None]
    return (lambda *arrays: _run(closed, loops, arrays)) if loops else None


def _run(closed, loops, arrays):
    known = Values(closed, arrays)
    for part in taken_apart(closed.jaxpr.eqns, loops):
        if isinstance(part, Loop):
            _run_parts(part, closed.jaxpr.eqns, known)
        else:
            known.run(part)
    return list(map(known.read, closed.jaxpr.outvars))


def _run_parts(loop, eqns, known):
    scopes, inside = _scopes(loop, eqns)
    body = dataclasses.replace(loop, steps=inside).body()

    def read(atom):
        return np.asarray(atom.val, atom.aval.dtype) if isinstance(atom, Literal) else known[atom]

    def equal_part(rows, carried, constants):
        return body(rows, carried, constants)

    run, constants = jax.jit(equal_part), [known[v] for v in loop.constants]
    carried = [read(first) for first, _ in loop.carried]
    for k in range(loop.count):
        with jax.named_scope(scopes[k]) if scopes[k] else contextlib.nullcontext():
            carried, made = run([read(atoms[k]) for atoms in loop.rows], carried, constants)
        known.update(zip([of_parts[k] for of_parts in loop.made], made))
    known.update(zip([after for _, after in loop.carried], carried))


def _scopes(loop, eqns):
    """(name of the Cell that each part belongs to, the equations of the first part without it)"""
    length = len(loop.steps)
    parts = [eqns[at : at + length] for at in range(loop.begin, loop.end, length)]
    names = [_common([e.source_info.name_stack.stack for e in part]) for part in parts]
    return ["/".join(scope.name for scope in found) for found in names], [_within(e, len(names[0])) for e in parts[0]]


def _common(stacks):
    """The scopes that all name stacks begin with."""
    first, count = stacks[0], min(map(len, stacks))
    if not count or type(first[0]).__name__ != "Scope":  # a transformation: no scope can be opened for it
        return ()
    same = (all(s[i] == first[i] for s in stacks) and type(first[i]) is type(first[0]) for i in range(count))
    return first[: sum(itertools.takewhile(bool, same))]


def _within(eqn, left_out):
    """An equation without the first scopes of its name."""
    source = eqn.source_info
    return eqn.replace(source_info=source.replace(name_stack=source.name_stack[left_out:]))


def opened(closed: "jax.extend.core.ClosedJaxpr"):
    """The closed jaxpr without calls of equal parts."""
    return written_out(closed, _is_part)


def written_out(closed: "jax.extend.core.ClosedJaxpr", which: Callable):
    """The closed jaxpr in which the calls for which `which(equation)` is true are replaced by their equations."""
    if not any(map(which, closed.jaxpr.eqns)):
        return closed
    jaxpr, eqns, instead = closed.jaxpr, [], {}  # instead: variable -> the atom that takes its place
    consts = dict(zip(jaxpr.constvars, closed.consts))

    def now(atom, instead=instead):
        return atom if isinstance(atom, Literal) else instead.get(atom, atom)

    for eqn in jaxpr.eqns:
        if not which(eqn):
            eqns.append(eqn.replace(invars=list(map(now, eqn.invars))))
            continue
        inner, values = of_program(called(eqn))
        inside = dict(zip(inner.invars, map(now, eqn.invars)))
        for variable, value in zip(inner.constvars, values):
            inside[variable] = Variable(variable.aval)
            consts[inside[variable]] = value
        for e in inner.eqns:
            taken = [now(a, inside) for a in e.invars]
            inside.update((v, Variable(v.aval)) for v in e.outvars)
            source = e.source_info.replace(name_stack=eqn.source_info.name_stack + e.source_info.name_stack)
            eqns.append(e.replace(invars=taken, outvars=[inside[v] for v in e.outvars], source_info=source))
        instead.update(zip(eqn.outvars, [now(a, inside) for a in inner.outvars]))
    jaxpr = jaxpr.replace(constvars=list(consts), eqns=eqns, outvars=list(map(now, jaxpr.outvars)))
    return type(closed)(jaxpr, list(consts.values()))


def _is_part(eqn):
    return eqn.params.get("name") == _NAME and called(eqn) is not None

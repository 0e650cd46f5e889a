"""Gradients through integers: a jaxpr evaluated with its differentiated integers carried along as reals.

MindSpore differentiates integer Tensors like others: `grad(lambda x: x * x * 3)` at an int32 2 is an int32 12, and a cast passes the
cotangent on, cast to the type of its input. JAX has no tangents for integers. So a function that is differentiated is traced to a jaxpr
first, and where a differentiated value is an integer (or bool) in it, it is carried twice: exactly, as it was, and as a float64 of the
same value (exact to 2^53) that JAX differentiates. Where an integer becomes a float the cotangent is truncated, as MindSpore casts it.

`while` loops that are differentiated become loops that run in reverse (`loops.py`) on the way. A jaxpr with neither is evaluated as it
is: that costs a walk over its equations while tracing, and nothing when it runs.
"""

import itertools
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp

from ..above import above
from ..compat import jaxpr_as_fun
from ..program.cuts import of_padding
from ..program.divisions import divided_twice
from ..program.edited import replaced
from ..program.halves import summed_wide
from ..program.rows import of_arrays
from ..program.sharing import shared
from ..program.sites import reverse_only
from ..settings import context
from .carried import INTEGERS, Carrier, Reaching
from .reals import as_integer, as_real, conjugate, is_inexact, is_integral
from .winners import chosen_once

__all__ = ["jacobian", "jvp", "reaching", "vjp"]


def reaching(fn: Callable, arrays: Sequence, wanted: tuple[int, ...]):
    """(which of the wanted inputs, as a tuple of their positions, a differentiable output of `fn` depends on; which outputs those are).

    arrays: arrays, or anything with shape and dtype. Where `fn` cannot be traced, integers reach nothing.
    """
    closed = jax.make_jaxpr(lambda *a: jax.tree_util.tree_leaves(fn(*a)))(*arrays)
    reach = Reaching()
    found, outputs = [], set()
    for position in wanted:
        outs, _ = reach.flow(closed, [i == position for i in range(len(arrays))])
        if any(outs):
            found.append(position)
            outputs.update(i for i, mark in enumerate(outs) if mark)
    return tuple(found), tuple(sorted(outputs))


def vjp(fn: Callable, arrays: Sequence, boxes: Sequence = ()):
    """Value of `fn` at arrays of any dtype, and the function that pulls cotangents back.

    fn(*arrays) returns (outputs, rest): two structures of arrays, of which the first is differentiated. boxes: the Parameters that hold
    the first of the arrays, where that is known.

    Returns:
        (outputs as a flat list, which of them are differentiable, pull, rest). `pull` takes one cotangent for each differentiable output
        and returns one for each of `arrays`, in its dtype.
    """
    return _vjp(*_traced(fn, arrays), arrays, boxes)


def _traced(fn, arrays):
    """(jaxpr of a function that returns two structures, number of arrays in the first, structure of the second)"""
    note = {}

    def flat(*arrays):
        outs, rest = fn(*arrays)
        outs = jax.tree_util.tree_leaves(outs)
        rest, note["rest"] = jax.tree_util.tree_flatten(rest)
        note["outs"] = len(outs)
        return [*outs, *rest]

    closed = jax.make_jaxpr(flat)(*arrays)
    return closed, note["outs"], note["rest"]


def _for_gradients(eqn):
    """The equations in the place of one whose gradient by JAX is not MindSpore's, or None."""
    wide = summed_wide(eqn)
    return _in_any_mode(eqn) if wide is None else [*wide[:-1], *(_in_any_mode(wide[-1]) or wide[-1:])]


def _in_any_mode(eqn):
    return divided_twice(eqn) or chosen_once(eqn)


def _vjp(closed, count, structure, arrays, boxes=()):
    if context.present_device() == "TPU" or above.devices_of_trace() > 1:
        closed = of_padding(of_arrays(closed))
    closed = replaced(closed, _for_gradients)
    reach = Reaching()
    live = [is_inexact(a) for a in arrays]
    for i, array in enumerate(arrays):  # an integer counts if a differentiable output depends on it
        if is_integral(array):
            live[i] = any(reach.flow(closed, [j == i for j in range(len(arrays))])[0][:count])
    reached, rewrite = reach.flow(closed, live)
    integers = [is_integral(a) for a in arrays]
    wanted = [i for i, mark in enumerate(live) if mark]
    run = None if rewrite else above.arranged(closed, boxes) or (shared(closed) if context.folds_layers() else None)
    run = run or jaxpr_as_fun(closed)

    def of_reals(*given):
        full, reals = list(arrays), [None] * len(arrays)
        for i, real in zip(wanted, given):
            if integers[i]:
                reals[i] = real
            else:
                full[i] = real
        if not rewrite:
            values = run(*full)
            return [v for v in values[:count] if is_inexact(v)], values
        values, found = Carrier(reach).evaluate(closed, live, full, reals)
        outs = [r if r is not None else v for v, r in zip(values[:count], found) if r is not None or is_inexact(v)]
        return outs, values

    outs, pull, values = jax.vjp(of_reals, *[as_real(arrays[i]) for i in wanted], has_aux=True)
    if hasattr(run, "note"):
        run.note(arrays, values)
    differentiable = [is_inexact(v) or mark for v, mark in zip(values[:count], reached)]
    back = _Pull(wanted, [(a.shape, a.dtype) for a in arrays], [o.dtype for o in outs])
    rest = jax.tree_util.tree_unflatten(structure, values[count:])
    return values[:count], differentiable, jax.tree_util.Partial(back, pull), rest


def _has_forward_mode(closed, arrays):
    """Whether no value goes through whole numbers, and no part has a reverse mode alone; within a trace JAX tells the latter only when the
    program is lowered.
    """
    return not (Reaching().flow(closed, [True] * len(arrays))[1] & INTEGERS or reverse_only(closed))


def jvp(fn: Callable, arrays: Sequence, tangents: Sequence):
    """(outputs as a flat list, their derivatives along `tangents`, rest) of a function as for `vjp`.

    By forward mode where there is one; else from two pulls: J v is the derivative of u -> u J, which is linear, along v.
    """
    closed, count, structure = _traced(fn, arrays)
    if _has_forward_mode(closed, arrays):
        closed = replaced(closed, _in_any_mode)
        moved = [i for i, a in enumerate(arrays) if is_inexact(a)]

        def of_reals(*given):
            full = dict(enumerate(arrays)) | dict(zip(moved, given))
            values = jaxpr_as_fun(closed)(*full.values())
            return [v for v in values[:count] if is_inexact(v)], values

        directions = [tangents[i].astype(arrays[i].dtype) for i in moved]
        _, found, values = jax.jvp(of_reals, [arrays[i] for i in moved], directions, has_aux=True)
        found = iter(found)
        products = [next(found) if is_inexact(v) else jnp.zeros_like(v) for v in values[:count]]
        return values[:count], products, jax.tree_util.tree_unflatten(structure, values[count:])
    outs, differentiable, pull, rest = _vjp(closed, count, structure, arrays)
    cotangents = [jnp.zeros_like(o) for o, use in zip(outs, differentiable) if use]
    _, reached, pull_again, _ = vjp(lambda *cotangents: (pull(cotangents), ()), cotangents)
    found = iter(pull_again([t.astype(a.dtype) for t, a, use in zip(tangents, arrays, reached) if use]))
    return outs, [next(found) if use else jnp.zeros_like(o) for o, use in zip(outs, differentiable)], rest


def jacobian(fn: Callable, arrays: Sequence, forward: bool):
    """(derivatives, rest): for each output of a function, as `vjp` takes it, a list of its derivatives by all arrays, each of the shape
    output.shape + input.shape.

    forward: compute column by column, in forward mode where the program has one; else row by row.
    """
    closed, count, structure = _traced(fn, arrays)
    if forward and _has_forward_mode(closed, arrays):
        closed = replaced(closed, _in_any_mode)

        def whole(*arrays):
            values = jaxpr_as_fun(closed)(*arrays)
            return values[:count], values

        rows, values = jax.jacfwd(whole, argnums=tuple(range(len(arrays))), has_aux=True)(*arrays)
        return rows, jax.tree_util.tree_unflatten(structure, values[count:])
    outs, differentiable, pull, rest = _vjp(closed, count, structure, arrays)
    if forward:
        return _columns(arrays, outs, differentiable, pull), rest
    places = itertools.count()
    rows = []
    for out, use in zip(outs, differentiable):
        if not use:
            rows.append([jnp.zeros(out.shape + a.shape, a.dtype) for a in arrays])
            continue

        def row(cotangent, place=next(places)):
            targets = [o for o, use in zip(outs, differentiable) if use]
            return pull([cotangent if i == place else jnp.zeros_like(o) for i, o in enumerate(targets)])

        basis = jnp.eye(out.size, dtype=out.dtype).reshape(out.size, *out.shape)
        rows.append([g.reshape(out.shape + a.shape) for g, a in zip(jax.vmap(row)(basis), arrays)])
    return rows, rest


def _columns(arrays, outs, differentiable, pull):
    """Derivatives as for `jacobian`, input by input from two pulls as in `jvp`: no cotangent is cut to a whole number on the way."""
    cotangents = [jnp.zeros_like(o) for o, use in zip(outs, differentiable) if use]
    _, reached, pull_again, _ = vjp(lambda *cotangents: (pull(cotangents), ()), cotangents)
    rows = [[jnp.zeros(o.shape + a.shape, a.dtype) for a in arrays] for o in outs]
    moved = [i for i, use in enumerate(reached) if use]
    for i in moved:

        def column(tangent, i=i):
            return pull_again([tangent if j == i else jnp.zeros_like(arrays[j]) for j in moved])

        basis = jnp.eye(arrays[i].size, dtype=arrays[i].dtype).reshape(arrays[i].size, *arrays[i].shape)
        found = iter(jax.vmap(column)(basis))
        for row, out, use in zip(rows, outs, differentiable):
            if use:
                row[i] = jnp.moveaxis(next(found), 0, -1).reshape(out.shape + arrays[i].shape)
    return rows


class _Pull:
    """Cotangents of all arrays from those of the differentiable outputs; integers have integer cotangents."""

    def __init__(self, wanted, arrays, outs):
        self.wanted, self.arrays, self.outs = wanted, arrays, outs

    def __call__(self, pull, cotangents):
        given = [conjugate(as_real(c).astype(dtype)) for c, dtype in zip(cotangents, self.outs)]
        found = dict(zip(self.wanted, map(conjugate, pull(given))))
        grads = []
        for i, (shape, dtype) in enumerate(self.arrays):
            grad = found.get(i)
            if grad is None:
                grad = jnp.zeros(shape, dtype)
            grads.append(grad if grad.dtype == dtype else as_integer(grad, dtype))
        return grads

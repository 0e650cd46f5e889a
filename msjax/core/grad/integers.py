"""Gradients through integers: a jaxpr evaluated with its differentiated integers carried along as reals.

MindSpore differentiates integer Tensors like others: `grad(lambda x: x * x * 3)` at an int32 2 is an int32 12, and a cast passes the
cotangent on, cast to the type of its input. JAX has no tangents for integers. So a function that is differentiated is traced to a jaxpr
first, and where a differentiated value is an integer (or bool) in it, it is carried twice: exactly, as it was, and as a float64 of the
same value (exact to 2^53) that JAX differentiates. Where an integer becomes a float the cotangent is truncated, as MindSpore casts it.

`while` loops that are differentiated become loops that run in reverse (`loops.py`) on the way. A jaxpr with neither is evaluated as it
is: that costs a walk over its equations while tracing, and nothing when it runs.
"""

import functools
import itertools
import operator

import jax
import jax.numpy as jnp
from jax import lax

from ..compat import Literal, evaluate_equation, jaxpr_as_fun, scan_counts
from .loops import lacks_forward_mode, reversible_while

__all__ = ["as_integer", "as_real", "is_inexact", "is_integral", "jacobian", "jvp", "reaching", "vjp"]

_REAL = jnp.float64


def is_inexact(array):
    """Whether an array is floating point (bfloat16 too) or complex."""
    return _inexact(array.dtype)


@functools.cache
def _inexact(dtype):
    return jnp.issubdtype(dtype, jnp.inexact)


def is_integral(array):
    """Whether an array holds integers or bools."""
    return jnp.issubdtype(array.dtype, jnp.integer) or array.dtype == jnp.bool_


# --- between integers and the reals carried for them
def as_real(array):
    """The real that stands for an integer array; another array as it is."""
    return array.astype(_REAL) if is_integral(array) else array


def as_integer(real, dtype):
    """An integer (or bool) cotangent from a real one."""
    if dtype == jnp.bool_:
        return real != 0
    return real.astype(jnp.int64).astype(dtype)


@jax.custom_jvp
def _with_derivative_of(value, real):
    """`value`, with the derivative of `real`."""
    return value


_with_derivative_of.defjvp(lambda primals, tangents: (_with_derivative_of(*primals), tangents[1]))


@jax.custom_vjp
def _whole(real):
    """Identity whose cotangent is truncated: that of an integer is an integer."""
    return real


def _whole_backward(_, cotangent):
    return (_with_derivative_of(jnp.trunc(cotangent), cotangent),)


_whole.defvjp(lambda real: (real, None), _whole_backward)


@jax.custom_vjp
def _truth(real):
    """Identity whose cotangent is that of a bool: 1 where it is not 0."""
    return real


def _truth_backward(_, cotangent):
    return (_with_derivative_of((cotangent != 0).astype(_REAL), cotangent),)


_truth.defvjp(lambda real: (real, None), _truth_backward)


# --- which primitives pass a derivative from integers to integers
_ALL = slice(None)
_LOOP, _INTEGERS = 1, 2  # why a jaxpr is rewritten: a loop that must run in reverse, integers that are carried
_INTEGER_RULES = {  # primitive -> which of its operands are data (the others are indices, predicates)
    **dict.fromkeys(("add", "sub", "mul", "neg", "abs", "max", "min", "rem", "integer_pow", "square", "clamp"), _ALL),
    **dict.fromkeys(("reduce_sum", "reduce_max", "reduce_min", "reduce_prod", "add_any", "copy", "copy_p"), _ALL),
    **dict.fromkeys(("cumsum", "cumprod", "cummax", "cummin", "dot_general", "conv_general_dilated"), _ALL),
    **dict.fromkeys(("reshape", "broadcast_in_dim", "transpose", "squeeze", "expand_dims", "rev", "slice"), _ALL),
    **dict.fromkeys(("concatenate", "stack", "unstack", "pad", "split", "tile", "sort", "optimization_barrier"), _ALL),
    **dict.fromkeys(("reduce_window_sum", "sharding_constraint", "layout_constraint", "reshard", "name"), _ALL),
    **dict.fromkeys(("psum", "all_gather", "all_to_all", "ppermute", "reduce_scatter"), _ALL),
    **dict.fromkeys(("gather", "dynamic_slice", "top_k"), slice(0, 1)),
    "dynamic_update_slice": slice(0, 2),
    "select_n": slice(1, None),
    **dict.fromkeys(
        ("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max"), slice(0, 3, 2)
    ),
}
_SHARED_AMONG_EQUALS = (
    "max",
    "min",
    "reduce_max",
    "reduce_min",
    "cummax",
    "cummin",
    "clamp",
)  # halves for two equal ones
_SCATTERS = {
    "scatter": lax.scatter,
    "scatter-add": lax.scatter_add,
    "scatter-sub": lax.scatter_sub,
    "scatter-mul": lax.scatter_mul,
    "scatter-min": lax.scatter_min,
    "scatter-max": lax.scatter_max,
}
_CALLS = {  # primitive that calls one jaxpr -> the parameter that holds it
    "jit": "jaxpr",
    "pjit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "remat2": "jaxpr",
    "checkpoint": "jaxpr",
}


def _opened(jaxpr):
    """(jaxpr, its constants) of a jaxpr, closed or not."""
    return (jaxpr.jaxpr, jaxpr.consts) if hasattr(jaxpr, "consts") else (jaxpr, ())


class _Carrier:
    """Evaluates jaxprs with integers carried as reals. A value is *live* if it depends differentiably on what is differentiated."""

    def __init__(self):
        self.flows = {}

    # --- which values are live
    def flow(self, jaxpr, live):
        """(which outputs are live when these inputs are, whether the jaxpr must be rewritten for that)"""
        jaxpr, _ = _opened(jaxpr)
        live = tuple(live)
        key = (id(jaxpr), live)
        if key not in self.flows:
            alive = {v for v, mark in zip(jaxpr.invars, live) if mark}
            rewrite = _INTEGERS if any(is_integral(v.aval) for v in alive) else 0
            for eqn in jaxpr.eqns:
                marks = _marks(eqn.invars, alive)
                if any(marks):
                    outs, needed = self.flow_through(eqn, marks)
                    alive.update(v for v, mark in zip(eqn.outvars, outs) if mark)
                    rewrite |= needed
            self.flows[key] = jaxpr, tuple(_marks(jaxpr.outvars, alive)), rewrite  # with the jaxpr: ids stay unique
        return self.flows[key][1:]

    def flow_through(self, eqn, marks):
        """The same of one equation."""
        name, params = eqn.primitive.name, eqn.params
        if name == "convert_element_type":
            integral = is_integral(eqn.invars[0].aval) or is_integral(eqn.outvars[0].aval)
            return [True], _INTEGERS if integral else 0
        if name == "stop_gradient":
            return [False], 0
        if self.inlined(eqn, marks) and _passes_first_on(
            eqn
        ):  # the value of the first operand, the derivative of the second
            return [marks[1]], _INTEGERS if marks[1] else 0
        if name in _CALLS or self.inlined(eqn, marks):
            return self.flow(params[_CALLS.get(name, "call_jaxpr")], marks)
        if name == "cond":
            found = [self.flow(branch, marks[1:]) for branch in params["branches"]]
            outs = [any(marks) for marks in zip(*[f[0] for f in found])]
            return outs, functools.reduce(operator.or_, [f[1] for f in found])
        if name == "scan":
            constants, carries = scan_counts(params)
            state, outs, needed = self.settle(
                params["jaxpr"], marks[:constants], marks[constants:][:carries], marks[constants + carries :]
            )
            return [*state, *outs[carries:]], needed
        if name == "while":
            at = params["cond_nconsts"]
            fixed, state = marks[at:][: params["body_nconsts"]], marks[at + params["body_nconsts"] :]
            state, _, needed = self.settle(params["body_jaxpr"], fixed, state, ())
            return state, needed | _LOOP if any(state) else 0
        data = eqn.invars[_INTEGER_RULES[name]] if name in _INTEGER_RULES else eqn.invars
        live_data = marks[_INTEGER_RULES[name]] if name in _INTEGER_RULES else marks
        from_integers = name in _INTEGER_RULES and any(m and is_integral(v.aval) for v, m in zip(data, live_data))
        from_reals = any(m and is_inexact(v.aval) for v, m in zip(data, live_data))
        outs = []
        for i, out in enumerate(eqn.outvars):
            if is_integral(out.aval):
                followed = i < len(marks) and marks[i] if name in ("sort", "optimization_barrier") else from_integers
                outs.append(followed and not (name == "top_k" and i))
            else:
                outs.append(from_reals or from_integers)
        return outs, _INTEGERS if from_integers else 0

    @staticmethod
    def inlined(eqn, marks):
        """Whether a function with a derivative of its own is called with live integers, which its rule does not know."""
        return eqn.primitive.name == "custom_jvp_call" and any(
            mark and is_integral(v.aval) for v, mark in zip(eqn.invars, marks)
        )

    def settle(self, body, fixed, state, rest):
        """(which of a loop's state is live after any number of rounds, the outputs of a round, whether it must be rewritten)"""
        while True:
            outs, needed = self.flow(body, (*fixed, *state, *rest))
            grown = [a or b for a, b in zip(state, outs)]
            if grown == list(state):
                return grown, outs, needed
            state = grown

    # --- evaluation
    def evaluate(self, jaxpr, live, arrays, reals):
        """Outputs of a jaxpr, and the reals of those that are carried (None for the others).

        live: which inputs are. arrays: their exact values; reals: those of the live integers, None for the others.
        """
        jaxpr, constants = _opened(jaxpr)
        exact = dict(zip(jaxpr.constvars, constants)) | dict(zip(jaxpr.invars, arrays))
        carried = {v: r for v, r in zip(jaxpr.invars, reals) if r is not None}
        alive = {v for v, mark in zip(jaxpr.invars, live) if mark}

        def read(v):
            return v.val if isinstance(v, Literal) else exact[v]

        for eqn in jaxpr.eqns:
            marks, given = _marks(eqn.invars, alive), [read(v) for v in eqn.invars]
            outs, needed = self.flow_through(eqn, marks) if any(marks) else ((), 0)
            if needed:
                mine = [None if isinstance(v, Literal) else carried.get(v) for v in eqn.invars]
                values, found = self.rewritten(eqn, marks, outs, given, mine)
                carried.update((v, r) for v, r in zip(eqn.outvars, found) if r is not None)
            else:
                values = evaluate_equation(eqn, given)
            exact.update(zip(eqn.outvars, values))
            alive.update(v for v, mark in zip(eqn.outvars, outs) if mark)
        outs = [None if isinstance(v, Literal) else carried.get(v) for v in jaxpr.outvars]
        return [read(v) for v in jaxpr.outvars], outs

    def rewritten(self, eqn, marks, outs, given, reals):
        """(outputs, reals of the carried ones) of an equation that has to do with live integers or loops."""
        name, params = eqn.primitive.name, eqn.params
        if name == "convert_element_type":
            return _converted(eqn, given[0], reals[0])
        if name in ("remat2", "checkpoint"):
            return self.called(
                params["jaxpr"], marks, outs, given, reals, lambda fn: jax.checkpoint(fn, policy=params["policy"])
            )
        if self.inlined(eqn, marks) and _passes_first_on(eqn):
            return [given[0]], [_with_derivative_of(as_real(given[0]), reals[1])]
        if name in _CALLS or self.inlined(eqn, marks):
            return self.evaluate(params[_CALLS.get(name, "call_jaxpr")], marks, given, reals)
        if name == "cond":
            return self.branched(eqn, marks, outs, given, reals)
        if name == "scan":
            return self.scanned(params, marks, outs, given, reals)
        if name == "while":
            return self.repeated(params, marks, outs, given, reals)
        values = evaluate_equation(eqn, given)
        found = _followed(eqn, outs, given, reals)
        return values, [r if r is None else _with_derivative_of(as_real(v), r) for v, r in zip(values, found)]

    def function(self, jaxpr, live, wanted):
        """A jaxpr as a function of one flat list: arrays, then the reals of the live integers; its value likewise, for `wanted` outputs."""
        jaxpr_, _ = _opened(jaxpr)
        inputs = [mark and is_integral(v.aval) for v, mark in zip(jaxpr_.invars, live)]
        outputs = [mark and is_integral(v.aval) for v, mark in zip(jaxpr_.outvars, wanted)]

        def call(*flat):
            arrays, reals = _apart(flat, inputs)
            values, found = self.evaluate(jaxpr, live, arrays, reals)
            return [*values, *[as_real(v) if r is None else r for v, r, use in zip(values, found, outputs) if use]]

        return call, inputs, outputs

    def called(self, jaxpr, marks, outs, given, reals, transform):
        call, _, outputs = self.function(jaxpr, marks, outs)
        return _apart(transform(call)(*given, *_some(reals)), outputs)

    def branched(self, eqn, marks, outs, given, reals):
        branches = eqn.params["branches"]
        platforms = eqn.params.get("branches_platforms")
        if platforms is not None:  # forms of one operator for each platform: the one that runs here
            here = [p is None or jax.default_backend() in p for p in platforms]
            branches = (branches[here.index(True)],)
        calls = [self.function(branch, marks[1:], outs)[0] for branch in branches]
        outputs = [mark and is_integral(v.aval) for v, mark in zip(eqn.outvars, outs)]
        operands = [*given[1:], *_some(reals[1:])]
        flat = calls[0](*operands) if len(calls) == 1 else lax.switch(given[0], calls, *operands)
        return _apart(flat, outputs)

    def scanned(self, params, marks, outs, given, reals):
        constants, carries = scan_counts(params)
        start, xs_at = constants, constants + carries
        state_live = outs[:carries]
        live = (*marks[:constants], *state_live, *marks[xs_at:])
        call, inputs, outputs = self.function(params["jaxpr"], live, outs)
        fixed = given[:constants], [r for r in reals[:constants] if r is not None]
        state = given[start:xs_at], _reals_of(given[start:xs_at], reals[start:xs_at], inputs[start:xs_at])
        xs = given[xs_at:], [r for r in reals[xs_at:] if r is not None]
        kept = sum(outputs[:carries])

        def step(state, xs):
            flat = call(*fixed[0], *state[0], *xs[0], *fixed[1], *state[1], *xs[1])
            values, found = flat[: len(outputs)], flat[len(outputs) :]
            return (values[:carries], found[:kept]), (values[carries:], found[kept:])

        state, ys = lax.scan(step, state, xs, params["length"], params["reverse"], params["unroll"])
        return _apart([*state[0], *ys[0], *state[1], *ys[1]], outputs)

    def repeated(self, params, marks, outs, given, reals):
        at = params["cond_nconsts"]
        start = at + params["body_nconsts"]
        call, inputs, outputs = self.function(params["body_jaxpr"], (*marks[at:start], *outs), outs)
        test = jaxpr_as_fun(params["cond_jaxpr"])
        fixed, width = [*given[at:start], *_some(reals[at:start])], len(outs)
        state = [*given[start:], *_reals_of(given[start:], reals[start:], inputs[start - at :])]

        def step(fixed, state):
            return call(*fixed[: start - at], *state[:width], *fixed[start - at :], *state[width:])

        final = reversible_while(lambda c, s: test(*c, *s[:width])[0], step, fixed, state, given[:at])
        return _apart(final, outputs)


def _marks(variables, alive):
    return [not isinstance(v, Literal) and v in alive for v in variables]


def _passes_first_on(eqn):
    """Whether a function with a derivative of its own gives its first operand of two as it is: `as_state` does."""
    jaxpr, _ = _opened(eqn.params["call_jaxpr"])
    return len(jaxpr.invars) == 2 and not jaxpr.eqns and jaxpr.outvars == jaxpr.invars[:1]


def _some(reals):
    return [r for r in reals if r is not None]


def _reals_of(arrays, reals, wanted):
    """The reals of the wanted arrays: those that are carried, the others made."""
    return [as_real(a) if r is None else r for a, r, use in zip(arrays, reals, wanted) if use]


def _apart(flat, carried):
    """(arrays, reals or None for each) of a flat list that has the reals behind the arrays."""
    arrays, rest = list(flat[: len(carried)]), iter(flat[len(carried) :])
    return arrays, [next(rest) if mark else None for mark in carried]


def _converted(eqn, array, real):
    """A cast from or to an integer type."""
    (value,) = evaluate_equation(eqn, [array])
    source, target = eqn.invars[0].aval, eqn.outvars[0].aval
    if is_integral(target):
        real = array if real is None else real
        real = real.real if jnp.iscomplexobj(real) else real
        real = _truth(real) if source.dtype == jnp.bool_ else real
        return [value], [_with_derivative_of(as_real(value), real.astype(_REAL))]
    real = _truth(real) if source.dtype == jnp.bool_ else _whole(real)
    return [_with_derivative_of(value, real.astype(target.dtype))], [None]


def _followed(eqn, outs, given, reals):
    """The reals of the live integer outputs of a primitive on integers."""
    name, params = eqn.primitive.name, dict(eqn.params)
    data = range(len(given))[_INTEGER_RULES[name]]
    if name == "sort":  # the reals follow their integers
        extra = [i for i in data if reals[i] is not None]
        flat = eqn.primitive.bind(*given, *[reals[i] for i in extra], **params)
        found = dict(zip(extra, flat[len(given) :]))
        return [found.get(i) for i in data]
    moved = [as_real(g) if r is None else r for g, r in zip(given, reals)]
    moved = [m if i in data else g for i, (m, g) in enumerate(zip(moved, given))]
    if name in _SHARED_AMONG_EQUALS:
        moved = [_whole(m) for m in moved]
    if name in ("dot_general", "conv_general_dilated"):
        params["preferred_element_type"] = None
    if name in _SCATTERS:
        kept = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
        found = [_SCATTERS[name](*moved, **{k: params[k] for k in kept})]
    elif name == "gather":
        params["fill_value"] = 0.0
        found = [eqn.primitive.bind(*moved, **params)]
    else:
        found = eqn.primitive.bind(*moved, **params)
        found = found if eqn.primitive.multiple_results else [found]
    return [r if mark and is_integral(v.aval) else None for v, r, mark in zip(eqn.outvars, found, outs)]


# --- what the rest of the engine uses
def reaching(fn, arrays, wanted):
    """(which of the wanted inputs, as a tuple of their positions, a differentiable output of `fn` depends on; which outputs those are).

    arrays: arrays, or anything with shape and dtype. Where `fn` cannot be traced, integers reach nothing.
    """
    closed = jax.make_jaxpr(lambda *a: jax.tree_util.tree_leaves(fn(*a)))(*arrays)
    carrier = _Carrier()
    found, outputs = [], set()
    for position in wanted:
        outs, _ = carrier.flow(closed, [i == position for i in range(len(arrays))])
        if any(outs):
            found.append(position)
            outputs.update(i for i, mark in enumerate(outs) if mark)
    return tuple(found), tuple(sorted(outputs))


def vjp(fn, arrays):
    """Value of `fn` at arrays of any dtype, and the function that pulls cotangents back.

    fn(*arrays) returns (outputs, rest): two structures of arrays, of which the first is differentiated.

    Returns:
        (outputs as a flat list, which of them are differentiable, pull, rest). `pull` takes one cotangent for each differentiable output
        and returns one for each of `arrays`, in its dtype.
    """
    return _vjp(*_traced(fn, arrays), arrays)


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


def _vjp(closed, count, structure, arrays):
    carrier = _Carrier()
    live = [is_inexact(a) for a in arrays]
    for i, array in enumerate(arrays):  # an integer counts if a differentiable output depends on it
        if is_integral(array):
            live[i] = any(carrier.flow(closed, [j == i for j in range(len(arrays))])[0][:count])
    reached, rewrite = carrier.flow(closed, live)
    integers = [is_integral(a) for a in arrays]
    wanted = [i for i, mark in enumerate(live) if mark]
    run = jaxpr_as_fun(closed)

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
        values, found = carrier.evaluate(closed, live, full, reals)
        outs = [r if r is not None else v for v, r in zip(values[:count], found) if r is not None or is_inexact(v)]
        return outs, values

    outs, pull, values = jax.vjp(of_reals, *[as_real(arrays[i]) for i in wanted], has_aux=True)
    differentiable = [is_inexact(v) or mark for v, mark in zip(values[:count], reached)]
    back = _Pull(wanted, [(a.shape, a.dtype) for a in arrays], [o.dtype for o in outs])
    rest = jax.tree_util.tree_unflatten(structure, values[count:])
    return values[:count], differentiable, jax.tree_util.Partial(back, pull), rest


def jvp(fn, arrays, tangents):
    """(outputs as a flat list, their derivatives along `tangents`, rest) of a function as for `vjp`.

    By forward mode where there is one; else from two pulls: J v is the derivative of u -> u J, which is linear, along v.
    """
    closed, count, structure = _traced(fn, arrays)
    if not _Carrier().flow(closed, [True] * len(arrays))[1] & _INTEGERS:
        moved = [i for i, a in enumerate(arrays) if is_inexact(a)]

        def of_reals(*given):
            full = dict(enumerate(arrays)) | dict(zip(moved, given))
            values = jaxpr_as_fun(closed)(*full.values())
            return [v for v in values[:count] if is_inexact(v)], values

        directions = [tangents[i].astype(arrays[i].dtype) for i in moved]
        try:
            _, found, values = jax.jvp(of_reals, [arrays[i] for i in moved], directions, has_aux=True)
        except (TypeError, NotImplementedError) as error:
            if not lacks_forward_mode(error):  # something in it has a reverse mode only
                raise
        else:
            found = iter(found)
            products = [next(found) if is_inexact(v) else jnp.zeros_like(v) for v in values[:count]]
            return values[:count], products, jax.tree_util.tree_unflatten(structure, values[count:])
    outs, differentiable, pull, rest = _vjp(closed, count, structure, arrays)
    cotangents = [jnp.zeros_like(o) for o, use in zip(outs, differentiable) if use]
    _, reached, pull_again, _ = vjp(lambda *cotangents: (pull(cotangents), ()), cotangents)
    found = iter(pull_again([t.astype(a.dtype) for t, a, use in zip(tangents, arrays, reached) if use]))
    return outs, [next(found) if use else jnp.zeros_like(o) for o, use in zip(outs, differentiable)], rest


def jacobian(fn, arrays, forward):
    """(for each output of a function as for `vjp` its derivatives by all arrays, shaped output + input; rest).

    forward: column by column, where there is a forward mode; else row by row.
    """
    closed, count, structure = _traced(fn, arrays)
    if forward and not _Carrier().flow(closed, [True] * len(arrays))[1] & _INTEGERS:

        def whole(*arrays):
            values = jaxpr_as_fun(closed)(*arrays)
            return values[:count], values

        try:
            rows, values = jax.jacfwd(whole, argnums=tuple(range(len(arrays))), has_aux=True)(*arrays)
            return rows, jax.tree_util.tree_unflatten(structure, values[count:])
        except (TypeError, NotImplementedError) as error:
            if not lacks_forward_mode(error):
                raise
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


def conjugate(array):
    """A cotangent in the other convention: MindSpore's is the direction of steepest ascent, JAX's its conjugate."""
    return jnp.conj(array) if jnp.iscomplexobj(array) else array


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

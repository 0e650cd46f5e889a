"""Programs with their differentiated integers carried along as reals: which values are live, and the evaluation with both.

A value is *live* if it depends differentiably on what is differentiated. The table says which primitives pass a derivative from integers
to integers, and through which operands; what has no rule gives integers without a derivative.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import lax

from ..compat import evaluate_equation, jaxpr_as_fun
from ..program.interpreter import Forward, Interpreter
from ..program.parts import called, opened, scan_of, while_of
from ..program.primitives import name_of
from ..program.tables import Table
from .loops import reversible_while
from .reals import REAL, as_real, is_inexact, is_integral, truth, whole, with_derivative_of

if TYPE_CHECKING:
    import jax.extend

LOOP, INTEGERS = 1, 2  # why a program is rewritten: a loop that must run in reverse, integers that are carried
PASSING = Table("gradients through integers")
_PLAIN_CALLS = ("jit", "closed_call", "call", "checkpoint", "own", "jaxpr_call", "eval_jaxpr")


@dataclasses.dataclass(frozen=True)
class Way:
    """How a derivative passes a primitive of integers.

    data: which operands have a derivative, as the numbers of a slice; the others are indices and predicates. follows: each output is live as the operand in its
    place is, not as any of them. only_first: the outputs behind the first are positions. shared: among equal ones, so it is a fraction.
    carry: function (equation, operands) -> the reals of the outputs as a list; operands are reals where they are data. None: the primitive
    itself.
    """

    data: tuple = (None,)
    follows: bool = False
    only_first: bool = False
    shared: bool = False
    carry: object = None


def _in_float(eqn, operands):
    return evaluate_equation(eqn, operands, preferred_element_type=None)


def _gathered(eqn, operands):
    return evaluate_equation(eqn, operands, fill_value=0.0)


def _scattered(function):
    def carry(eqn, operands):
        kept = ("dimension_numbers", "indices_are_sorted", "unique_indices", "mode")
        return [function(*operands, **{name: eqn.params[name] for name in kept})]

    return carry


PASSING.put(
    Way(), "add", "sub", "mul", "neg", "abs", "rem", "integer_pow", "square", "add_any", "copy", "name", "pvary"
)
PASSING.put(Way(), "moving", "reduce_sum", "reduce_prod", "cumsum", "cumprod", "reduce_window_sum")
PASSING.put(Way(shared=True), "max", "min", "clamp", "reduce_max", "reduce_min", "cummax", "cummin")
PASSING.put(Way(carry=_in_float), "dot_general", "conv_general_dilated")
PASSING.put(Way(), "sharding_constraint", "layout_constraint", "reshard", "with_memory_space_constraint")
PASSING.put(Way(follows=True), "optimization_barrier", "device_put", "sort")
PASSING.put(
    Way(),
    *(
        "psum",
        "psum_invariant",
        "all_gather",
        "all_gather_invariant",
        "all_to_all",
        "ppermute",
        "pbroadcast",
        "reduce_scatter",
    ),
)
PASSING.put(Way((0, 1)), "dynamic_slice")
PASSING.put(Way((0, 1), only_first=True), "top_k")
PASSING.put(Way((0, 1), carry=_gathered), "gather")
PASSING.put(Way((0, 2)), "dynamic_update_slice")
PASSING.put(Way((1, None)), "select_n")
for _name in ("scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max"):
    PASSING.put(Way((0, 3, 2), carry=_scattered(getattr(lax, _name))), _name)

PASSING.leave(
    "flat almost everywhere, or of bits", "elementwise", "bitcast_convert_type", "reduce_and", "reduce_or", "reduce_xor"
)
PASSING.leave("gives positions", "argmax", "argmin")
PASSING.leave(
    "rewritten by `Carrier`, or entered", "convert_element_type", "stop_gradient", "own", "calls", "branches", "loops"
)
PASSING.leave(
    "of floating-point numbers only", "cumlogsumexp", "matrices", "transforms", "attention", "approx_top_k", "solvers"
)
PASSING.leave("makes no elements of others", "making", "random", "places", "tokens", "shapes", "extended types")
PASSING.leave(
    "has no derivative in JAX for floating-point numbers either", "pmax", "pmin", "pgather", "host", "opaque", "kernels"
)
PASSING.leave("combines elements by a function of its own", "reduce", "reduce_window", "select_and_scatter")
PASSING.leave(
    "no operator here makes it of integers",
    *(
        "reduce_window_max",
        "reduce_window_min",
        "select_and_gather_add",
        "select_and_scatter_add",
        "sparse",
        "references",
    ),
    *("ragged_dot_general", "scaled_dot", "scaled_matmul", "scaled_matmul_wrapper", "products", "placing", "mapped"),
    *("collectives", "split collectives"),
)


class Reaching(Forward):
    """The live values of a program, from its live inputs; the notes tell why an equation is rewritten (0: evaluated as
    it is).
    """

    def begin(self, inputs: Sequence, marks: list[bool]):
        return INTEGERS if any(mark and is_integral(v.aval) for v, mark in zip(inputs, marks)) else 0

    def enters(self, eqn: "jax.extend.core.JaxprEqn", marks: list[bool]):
        """A function with a derivative of its own is entered with live integers only, which its rule does not know."""
        name = name_of(eqn)
        if name in _PLAIN_CALLS:
            return True
        integers = any(mark and is_integral(v.aval) for v, mark in zip(eqn.invars, marks))
        return name == "custom_jvp_call" and integers and not passes_first_on(eqn)

    def looped(self, eqn: "jax.extend.core.JaxprEqn", state: Sequence, notes: Any):
        return notes | LOOP if any(state) else 0

    def equation(self, eqn: "jax.extend.core.JaxprEqn", marks: list[bool]):
        name = name_of(eqn)
        if name == "convert_element_type":
            integral = is_integral(eqn.invars[0].aval) or is_integral(eqn.outvars[0].aval)
            return [True], INTEGERS if integral else 0
        if name == "stop_gradient":
            return [False], 0
        if (
            name == "custom_jvp_call"
            and passes_first_on(eqn)
            and any(mark and is_integral(v.aval) for v, mark in zip(eqn.invars, marks))
        ):  # the value of the first operand, the derivative of the second
            return [marks[1]], INTEGERS if marks[1] else 0
        way = PASSING.of(eqn)
        data = range(len(marks))[slice(*way.data) if way else slice(None)]
        from_integers = way is not None and any(marks[i] and is_integral(eqn.invars[i].aval) for i in data)
        from_reals = any(marks[i] and is_inexact(eqn.invars[i].aval) for i in data)
        outs = []
        for i, out in enumerate(eqn.outvars):
            if not is_integral(out.aval):
                outs.append(from_reals or from_integers)
            elif way is not None and way.follows:
                outs.append(marks[i])
            else:
                outs.append(from_integers and not (way.only_first and i))
        return outs, INTEGERS if from_integers else 0


def passes_first_on(eqn: "jax.extend.core.JaxprEqn"):
    """Whether a function with a derivative of its own gives its first operand of two as it is: `as_state` does."""
    jaxpr, _ = opened(called(eqn))
    return len(jaxpr.invars) == 2 and not jaxpr.eqns and jaxpr.outvars == jaxpr.invars[:1]


@dataclasses.dataclass(frozen=True)
class _Value:
    """An exact array; the real that is carried for it, or None; whether it is live."""

    array: object
    real: object = None
    live: bool = False
    of_bool: bool = False  # half way in a cast from a bool to a float (`promote.cast`)


class Carrier(Interpreter):
    """Evaluates programs with integers carried as reals."""

    def __init__(self, reach: Reaching):
        self.reach = reach

    def evaluate(
        self,
        program: "jax.extend.core.ClosedJaxpr",
        live: list[bool] | tuple[bool, ...],
        arrays: Sequence,
        reals: Sequence,
    ):
        """Outputs of a program, and the reals of those that are carried (None for the others).

        live: which inputs are. arrays: their exact values; reals: those of the live integers, None for the others.
        """
        outs = self.run(program, [_Value(a, r, mark) for a, r, mark in zip(arrays, reals, live)])
        return [v.array for v in outs], [v.real for v in outs]

    def literal(self, atom: "jax.extend.core.Literal"):
        return _Value(atom.val)

    def constant(self, value: Any, variable: Any):
        return _Value(value)

    def enters(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        marks = [v.live for v in given]
        entered = any(marks) and name_of(eqn) != "checkpoint" and self.reach.enters(eqn, marks)
        return entered and bool(self.reach.flow(called(eqn), marks)[1])

    def equation(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        marks, arrays = [v.live for v in given], [v.array for v in given]
        outs, needed = self.reach.through(eqn, marks) if any(marks) else ([False] * len(eqn.outvars), 0)
        if not needed:
            return [_Value(a, None, mark) for a, mark in zip(evaluate_equation(eqn, arrays), outs)]
        if name_of(eqn) == "convert_element_type":
            array, real = _converted(eqn, given[0])
            half_way = eqn.invars[0].aval.dtype == jnp.bool_ and eqn.outvars[0].aval.dtype == jnp.uint8
            return [_Value(array, real, outs[0], half_way)]
        values, found = self.rewritten(eqn, marks, outs, arrays, [v.real for v in given])
        return [_Value(a, r, mark) for a, r, mark in zip(values, found, outs)]

    def rewritten(
        self, eqn: "jax.extend.core.JaxprEqn", marks: list[bool], outs: Sequence, given: Sequence, reals: Sequence
    ):
        """(outputs, reals of the carried ones) of an equation with live integers, or of a loop."""
        name, params = name_of(eqn), eqn.params
        if name == "checkpoint":
            call, _, outputs = self.function(params["jaxpr"], marks, outs)
            again = jax.checkpoint(call, policy=params["policy"], prevent_cse=params["prevent_cse"])
            return _apart(again(*given, *_some(reals)), outputs)
        if name == "custom_jvp_call":
            return [given[0]], [with_derivative_of(as_real(given[0]), reals[1])]
        if name == "cond":
            return self.branched(eqn, marks, outs, given, reals)
        if name == "scan":
            return self.scanned(params, marks, outs, given, reals)
        if name == "while":
            return self.repeated(params, marks, outs, given, reals)
        return evaluate_equation(eqn, given), _followed(eqn, outs, given, reals)

    def function(self, program: Any, live: tuple[bool, ...], wanted: Any):
        """A program as a function of one flat list: its inputs, then the reals of the live integers among them. Its result is such a list
        of the outputs, with reals for those that are `wanted`.
        """
        jaxpr, _ = opened(program)
        inputs = [mark and is_integral(v.aval) for v, mark in zip(jaxpr.invars, live)]
        outputs = [mark and is_integral(v.aval) for v, mark in zip(jaxpr.outvars, wanted)]

        def call(*flat):
            arrays, reals = _apart(flat, inputs)
            values, found = self.evaluate(program, live, arrays, reals)
            return [*values, *[as_real(v) if r is None else r for v, r, use in zip(values, found, outputs) if use]]

        return call, inputs, outputs

    def branched(self, eqn: "jax.extend.core.JaxprEqn", marks: Any, outs: Sequence, given: Sequence, reals: Sequence):
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

    def scanned(self, params: Mapping, marks: Any, outs: Sequence, given: Sequence, reals: Sequence):
        scan = scan_of(params)
        constants, _, rows_live = scan.inputs(marks)
        state_live, _ = scan.outputs(outs)
        call, inputs, outputs = self.function(scan.body, (*constants, *state_live, *rows_live), outs)
        fixed, state, rows = scan.inputs(given)
        fixed_reals, state_reals, rows_reals = scan.inputs(reals)
        state = state, _reals_of(state, state_reals, scan.inputs(inputs)[1])
        kept = sum(scan.outputs(outputs)[0])

        def step(state, rows):
            flat = call(*fixed, *state[0], *rows[0], *_some(fixed_reals), *state[1], *rows[1])
            values, found = flat[: len(outputs)], flat[len(outputs) :]
            state, rows = scan.outputs(values)
            return (state, found[:kept]), (rows, found[kept:])

        rows = rows, _some(rows_reals)
        state, rows = lax.scan(step, state, rows, params["length"], params["reverse"], params["unroll"])
        return _apart([*state[0], *rows[0], *state[1], *rows[1]], outputs)

    def repeated(self, params: Mapping, marks: Any, outs: Sequence, given: Sequence, reals: Sequence):
        loop = while_of(params)
        _, fixed_live, _ = loop.inputs(marks)
        call, inputs, outputs = self.function(loop.body, (*fixed_live, *outs), outs)
        test = jaxpr_as_fun(loop.condition)
        for_test, fixed, state = loop.inputs(given)
        _, fixed_reals, state_reals = loop.inputs(reals)
        count, width = len(fixed), len(state)
        fixed = [*fixed, *_some(fixed_reals)]
        state = [*state, *_reals_of(state, state_reals, inputs[count:])]

        def step(fixed, state):
            return call(*fixed[:count], *state[:width], *fixed[count:], *state[width:])

        final = reversible_while(lambda c, s: test(*c, *s[:width])[0], step, fixed, state, for_test)
        return _apart(final, outputs)


def _some(reals):
    return [r for r in reals if r is not None]


def _reals_of(arrays, reals, wanted):
    """The reals of the wanted arrays: those that are carried, the others made."""
    return [as_real(a) if r is None else r for a, r, use in zip(arrays, reals, wanted) if use]


def _apart(flat, carried):
    """(arrays, reals or None for each) of a flat list that has the reals behind the arrays."""
    arrays, rest = list(flat[: len(carried)]), iter(flat[len(carried) :])
    return arrays, [next(rest) if mark else None for mark in carried]


def _converted(eqn, given):
    """(array, real or None) of a cast from or to an integer type."""
    (array,) = evaluate_equation(eqn, [given.array])
    source, target, real = eqn.invars[0].aval, eqn.outvars[0].aval, given.real
    if is_integral(target):
        real = given.array if real is None else real
        real = real.real if jnp.iscomplexobj(real) else real
        real = truth(real) if source.dtype == jnp.bool_ else real
        return array, with_derivative_of(as_real(array), real.astype(REAL))
    if not given.of_bool:
        real = truth(real) if source.dtype == jnp.bool_ else whole(real)
    return with_derivative_of(array, real.astype(target.dtype)), None


def _followed(eqn, outs, given, reals):
    """The reals of the live integer outputs of a primitive on integers."""
    way = PASSING.of(eqn)
    if name_of(eqn) == "sort":  # the reals follow their integers
        extra = [i for i, real in enumerate(reals) if real is not None]
        flat = evaluate_equation(eqn, [*given, *[reals[i] for i in extra]])
        found = dict(zip(extra, flat[len(given) :]))
        return [found.get(i) for i in range(len(given))]
    moved = list(given)
    for i in range(len(given))[slice(*way.data)]:
        moved[i] = as_real(given[i]) if reals[i] is None else reals[i]
    if way.shared:
        moved = [whole(m) for m in moved]
    found = evaluate_equation(eqn, moved) if way.carry is None else way.carry(eqn, moved)
    return [r if mark and is_integral(v.aval) else None for v, r, mark in zip(eqn.outvars, found, outs)]

"""A program of one length, evaluated on longer arrays.

Every axis that is open holds the elements that count first, and behind them elements of no meaning, which must not reach those that
count. So each primitive that mixes elements along an open axis has a rule here: what it would take from behind is replaced by what
changes nothing (0 in a sum, -inf in a maximum), or what lies behind is left out of the loop. What has no rule is declined.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ...compat import evaluate_equation
from ...program.interpreter import Interpreter
from ...program.parts import scan_of, while_of
from ...program.primitives import name_of
from ...program.tables import Table
from .form import Declined, Given, Open, Program

if TYPE_CHECKING:
    from .form import Step


class _Call:
    """One step that is evaluated: arrays and shapes of its inputs, its parameters at the padded lengths."""

    def __init__(self, run, step, arrays):
        self.run, self.step, self.arrays, self.shapes = run, step, arrays, step.shapes
        self.out = step.out_shapes[0] if step.out_shapes else ()

    def param(self, name):
        """A parameter with the padded lengths in it."""
        return self.run.sized(self.step.params[name])

    def is_open(self, axis, which=0):
        return type(self.shapes[which][axis]) is Open

    def bind(self, *arrays, **changed):
        """The primitive itself, on the padded arrays."""
        step = self.step
        params = {name: self.run.sized(value) for name, value in step.params.items()}
        return evaluate_equation(_Equation(step.primitive, {**params, **changed}), arrays or self.arrays)

    def masked(self, which, axes, fill):
        """An input with `fill` in the padding along these axes."""
        return self.run.masked(self.arrays[which], self.shapes[which], axes, fill)

    def count(self, axis, which=0):
        """How many elements count along an axis."""
        return self.run.count(self.shapes[which][axis])

    def demand(self, condition, why):
        if not condition:
            raise Declined(f"'{self.step.primitive.name}' {why}")


class _Equation:
    def __init__(self, primitive, params):
        self.primitive, self.params = primitive, params


class Padded(Interpreter):
    """Evaluates a form at padded lengths.

    sizes: the padded lengths. lengths: those that count, traced. given: the form's constants that are inputs.
    """

    def __init__(self, sizes: tuple[int, ...], lengths: tuple[jax.Array, ...], given: Sequence):
        self.sizes, self.lengths, self.given = sizes, lengths, given

    def sized(self, value: Any):
        """A part of the form at the padded lengths."""
        if type(value) is Open:
            return value.at(self.sizes)
        if type(value) is Program:
            return value.source
        if isinstance(value, (list, tuple)):
            parts = [self.sized(v) for v in value]
            return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
        return value

    def count(self, length: Open):
        """How many elements count along an axis of this length: an int, or traced."""
        return length.at(self.lengths) if type(length) is Open else length

    def masked(self, array: jax.Array, shape: tuple, axes: tuple[int, ...], fill: int):
        for axis in axes:
            if type(shape[axis]) is Open:
                keep = lax.broadcasted_iota(np.int32, array.shape, axis) < self.count(shape[axis])
                array = lax.select(keep, array, jnp.full(array.shape, fill, array.dtype))
        return array

    def literal(self, atom: Any):
        return self.given[atom.index] if type(atom) is Given else atom.val

    def equation(self, step: "Step", arrays: Sequence, around: Any):
        outs = self.outputs(step, arrays)
        if any(np.shape(out) != self.sized(shape) for out, shape in zip(outs, step.out_shapes)):
            raise Declined(f"'{step.primitive.name}' has another length when it is padded")
        return outs

    def outputs(self, step: "Step", arrays: Sequence):
        if not step.opened:
            return evaluate_equation(step.eqn, arrays)
        call, rule = _Call(self, step, arrays), OPEN.of(step)
        call.demand(rule is not None, f"has no rule for an open length: {OPEN.why(name_of(step))}")
        out = rule(call)
        return out if isinstance(out, (list, tuple)) else [out]


OPEN = Table("open lengths")
_rule = OPEN.rule


@_rule("elementwise")
def _elementwise(call):
    fitting = all(n in (1, m) for shape in call.shapes if shape for n, m in zip(shape, call.out, strict=True))
    call.demand(fitting, "combines open lengths")
    return call.bind()


def _least(dtype):
    """The smallest value of a dtype: the identity of the maximum."""
    return False if dtype == np.bool_ else -np.inf if jnp.issubdtype(dtype, jnp.floating) else np.iinfo(dtype).min


def _largest(dtype):
    """The largest value of a dtype: the identity of the minimum."""
    return True if dtype == np.bool_ else np.inf if jnp.issubdtype(dtype, jnp.floating) else np.iinfo(dtype).max


_NEUTRAL = {
    "sum": lambda dtype: 0,
    "prod": lambda dtype: 1,
    "max": _least,
    "min": _largest,
    "and": lambda dtype: True if dtype == np.bool_ else -1,
    "or": lambda dtype: 0,
    "xor": lambda dtype: 0,
}


# --- what moves elements
@_rule("transpose", "squeeze", "broadcast_in_dim", "iota", "stack", "optimization_barrier")
def _as_it_is(call):
    return call.bind()


@_rule("reshape")
def _reshape(call):
    call.demand(call.step.params["dimensions"] is None, "reorders axes")
    if _rows_stay(call.shapes[0], call.out):
        return lax.reshape(call.arrays[0], call.param("new_sizes"))
    return _moved_rows(call)


def _rows_stay(before, after):
    """Whether the elements that count are still the first ones of their axis when an array is reshaped as it is."""
    places = [[i for i, n in enumerate(shape) if type(n) is Open] for shape in (before, after)]
    if len(places[0]) != len(places[1]):
        return False
    begin = [0, 0]
    for number, (i, j) in enumerate(zip(*places)):
        last = number + 1 == len(places[0])
        if math.prod(before[begin[0] : i]) != math.prod(after[begin[1] : j]) or not last and before[i] != after[j]:
            return False
        begin = [i + 1, j + 1]
    return True


def _moved_rows(call):
    """A reshaped array whose elements that count are put together anew, as rows of the last axes that stay."""
    before, after, array = call.shapes[0], call.out, call.arrays[0]
    while before and after and type(before[-1]) is int and before[-1] == after[-1]:
        before, after = before[:-1], after[:-1]
    at, step, sizes = np.int64(0), 1, call.run.sized(after)
    for axis in reversed(range(len(after))):  # the number of each row among those that count
        at, step = at + lax.broadcasted_iota(np.int64, sizes, axis) * step, step * call.run.count(after[axis])
    row, padded = np.int64(0), 1
    for n in reversed(before):  # and its place among the padded ones
        count = call.run.count(n)
        row, at, padded = row + at % count * padded, at // count, padded * call.run.sized(n)
    rows = lax.reshape(array, (padded, *array.shape[len(before) :]))
    return jnp.take(rows, row, axis=0, mode="clip")


@_rule("slice")
def _slice(call):
    (shape,), params = call.shapes, call.step.params
    start, steps = params["start_indices"], params["strides"] or (1,) * len(shape)
    (array,), out = call.arrays, call.run.sized(call.out)
    for axis, at in enumerate(start):
        if type(at) is Open:  # counted from the end
            call.demand(type(call.out[axis]) is int and steps[axis] == 1, "starts at an open length")
            array = lax.dynamic_slice_in_dim(array, call.run.count(at), out[axis], axis)
    begin = [0 if type(at) is Open else at for at in start]
    end = [b + (n - 1) * s + 1 if n else b for b, n, s in zip(begin, out, steps)]
    return lax.slice(array, begin, end, steps)


@_rule("rev")
def _rev(call):
    (array,), dims = call.arrays, call.param("dimensions")
    array = lax.rev(array, dims)
    for axis in dims:
        if call.is_open(axis):
            array = jnp.roll(array, call.count(axis) - array.shape[axis], axis)
    return array


@_rule("concatenate")
def _concatenate(call):
    axis = call.param("dimension")
    opened = [type(shape[axis]) is Open for shape in call.shapes]
    if not any(opened[:-1]):
        return call.bind()
    out = jnp.zeros(call.run.sized(call.out), call.arrays[0].dtype)
    call.demand(not jnp.issubdtype(out.dtype, jax.dtypes.extended), "joins open lengths")
    at = 0
    for array, shape in zip(call.arrays, call.shapes):  # each covers what is of no meaning in the one before
        out = lax.dynamic_update_slice_in_dim(out, array, at, axis)
        at = at + call.run.count(shape[axis])
    return out


@_rule("pad")
def _pad(call):
    (array, value), config = call.arrays, call.step.params["padding_config"]
    sizes, made = call.run.sized(call.out), []
    for axis, (low, high, inner) in enumerate(config):
        if not call.is_open(axis) and type(call.out[axis]) is not Open:
            made.append((low, high, inner))
            continue
        call.demand(type(low) is not Open and not inner, "pads before an open axis")
        if call.is_open(axis) and (type(high) is Open or high > 0):
            keep = lax.broadcasted_iota(np.int32, array.shape, axis) < call.count(axis)
            array = lax.select(keep, array, jnp.broadcast_to(value, array.shape))
        made.append((low, sizes[axis] - low - array.shape[axis], 0))
    return lax.pad(array, value, made)


@_rule("split")
def _split(call):
    call.demand(not call.is_open(call.param("axis")), "parts an open axis")
    return call.bind()


def _start(call, starts, sizes, shapes):
    """Where a slice begins: moved inwards as far as it must with the elements that count."""
    made = []
    for at, size, n in zip(starts, sizes, shapes):
        if type(n) is Open and size != n:
            call.demand(type(size) is not Open, "takes an open length of another")
            at = lax.clamp(jnp.zeros((), at.dtype), jnp.asarray(at), (call.run.count(n) - size).astype(at.dtype))
        made.append(at)
    return made


@_rule("dynamic_slice")
def _dynamic_slice(call):
    starts = _start(call, call.arrays[1:], call.step.params["slice_sizes"], call.shapes[0])
    return lax.dynamic_slice(call.arrays[0], starts, call.param("slice_sizes"))


@_rule("dynamic_update_slice")
def _dynamic_update_slice(call):
    starts = _start(call, call.arrays[2:], call.shapes[1], call.shapes[0])
    return lax.dynamic_update_slice(*call.arrays[:2], starts)


# --- what reduces
@_rule(*(f"reduce_{name}" for name in _NEUTRAL))
def _reduce(call):
    fill = _NEUTRAL[name_of(call.step).removeprefix("reduce_")](call.arrays[0].dtype)
    return call.bind(call.masked(0, call.param("axes"), fill))


@_rule("argmax", "argmin")
def _arg(call):
    fill = (_least if name_of(call.step) == "argmax" else _largest)(call.arrays[0].dtype)
    return call.bind(call.masked(0, call.param("axes"), fill))


@_rule("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp")
def _cumulative(call):
    axis, kind = call.param("axis"), name_of(call.step).removeprefix("cum")
    if not call.param("reverse"):
        return call.bind()
    fill = _least if kind == "logsumexp" else _NEUTRAL[kind]
    return call.bind(call.masked(0, [axis], fill(call.arrays[0].dtype)))


@_rule("dot_general")
def _dot(call):
    (left, right), _ = call.step.params["dimension_numbers"]
    return call.bind(call.masked(0, left, 0), call.masked(1, right, 0))


@_rule("ragged_dot_general")
def _groups(call):
    """Rows beyond the last group are of no group; those of no meaning are zeros besides."""
    zeros = [call.masked(which, range(len(call.shapes[which])), 0) for which in (0, 1)]
    call.demand(not any(type(n) is Open for n in call.shapes[2]), "has an open number of groups")
    return call.bind(*zeros, call.arrays[2])


@_rule("sort")
def _sort(call):
    axis = call.param("dimension")
    if not call.is_open(axis):
        return call.bind()
    call.demand(call.param("num_keys") == 1, "sorts an open axis by several keys")
    dtype = call.arrays[0].dtype
    last = np.nan if jnp.issubdtype(dtype, jnp.floating) else _largest(dtype)
    return call.bind(call.masked(0, [axis], last), *call.arrays[1:], is_stable=True)


@_rule("top_k")
def _top_k(call):
    axis = call.step.params.get("axis", -1)
    return call.bind(call.masked(0, [axis], _least(call.arrays[0].dtype)))


# --- windows
@_rule("conv_general_dilated")
def _convolution(call):
    numbers = call.step.params["dimension_numbers"]
    left, right = call.shapes
    call.demand(not any(type(right[axis]) is Open for axis in numbers.rhs_spec[2:]), "has a kernel of an open length")
    call.demand(type(right[numbers.rhs_spec[0]]) is not Open, "has an open number of features")
    padding = [n for numbers in call.step.params["padding"] for n in numbers]
    call.demand(not any(type(n) is Open for n in padding), "is padded by an open length")
    grouped = call.param("batch_group_count") > 1 or call.param("feature_group_count") > 1
    mixed = [axis for axis in numbers.lhs_spec[1:] if type(left[axis]) is Open]
    call.demand(not grouped or numbers.lhs_spec[1] not in mixed, "has groups of an open length")
    call.demand(
        call.param("batch_group_count") == 1 or type(left[numbers.lhs_spec[0]]) is not Open,
        "has groups of an open length",
    )
    return call.bind(call.masked(0, mixed, 0), call.masked(1, [numbers.rhs_spec[1]], 0))


@_rule("reduce_window_sum", "reduce_window_max", "reduce_window_min")
def _window(call):
    window = call.param("window_dimensions")
    mixed = [axis for axis, n in enumerate(window) if n != 1 and call.is_open(axis)]
    padding = [n for numbers in call.step.params["padding"] for n in numbers]
    call.demand(not any(type(n) is Open for n in padding), "is padded by an open length")
    fill = _NEUTRAL[name_of(call.step).removeprefix("reduce_window_")](call.arrays[0].dtype)
    return call.bind(call.masked(0, mixed, fill))


@_rule("select_and_scatter_add", "select_and_gather_add")
def _chosen_in_windows(call):
    window = call.param("window_dimensions")
    call.demand(
        not any(n != 1 and call.is_open(axis) for axis, n in enumerate(window)), "has windows along an open axis"
    )
    return call.bind()


@_rule("matrices")
def _matrices(call):
    """Matrices by matrices; the last two axes are theirs."""
    matrix = [n for shape in call.shapes for n in shape[-2:]]
    call.demand(not any(type(n) is Open for n in matrix), "has matrices of an open size")
    return call.bind()


# --- indices
_DROP = lax.GatherScatterMode.FILL_OR_DROP


def _within(call, indices, axes, sizes, mode):
    """Indices along open axes of the indexed array, changed so that "out of bounds" means outside of the real elements."""
    for part, axis in enumerate(axes):
        n = call.shapes[0][axis]
        if type(n) is not Open:
            continue
        call.demand(type(sizes[axis]) is not Open and sizes[axis] == 1, "takes a piece of an open axis")
        call.demand(
            mode in (_DROP, lax.GatherScatterMode.CLIP, lax.GatherScatterMode.PROMISE_IN_BOUNDS), f"has the mode {mode}"
        )
        last = (call.run.count(n) - 1).astype(indices.dtype)
        column = indices[..., part]
        if mode == lax.GatherScatterMode.CLIP:
            column = jnp.clip(column, 0, last)
        elif mode == _DROP:
            column = jnp.where(column > last, -1, column)
        indices = indices.at[..., part].set(column)
    return indices


@_rule("gather")
def _gather(call):
    numbers, sizes, mode = (call.step.params[name] for name in ("dimension_numbers", "slice_sizes", "mode"))
    fine = (*numbers.start_index_map, *numbers.operand_batching_dims)
    for axis, n in enumerate(call.shapes[0]):
        call.demand(type(n) is not Open or axis in fine or sizes[axis] == n, "takes a piece of an open axis")
    indices = _within(call, call.arrays[1], numbers.start_index_map, sizes, mode)
    return call.bind(call.arrays[0], indices)


@_rule("scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max")
def _scatter(call):
    numbers, mode = call.step.params["dimension_numbers"], call.step.params["mode"]
    operand, indices, updates = call.shapes
    inserted = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    windows = [axis for axis in range(len(operand)) if axis not in inserted]
    window = dict(zip(windows, numbers.update_window_dims))
    sizes = [1 if axis in inserted else updates[window[axis]] for axis in range(len(operand))]
    for axis, n in enumerate(operand):
        call.demand(
            type(n) is not Open
            or axis in (*numbers.scatter_dims_to_operand_dims, *numbers.operand_batching_dims)
            or sizes[axis] == n,
            "writes a piece of an open axis",
        )
    array = _within(call, call.arrays[1], numbers.scatter_dims_to_operand_dims, sizes, mode)
    batches = numbers.scatter_indices_batching_dims
    behind = [axis for axis in range(len(indices) - 1) if type(indices[axis]) is Open and axis not in batches]
    if behind:  # rows of no meaning write nothing
        call.demand(mode == _DROP, "writes in a way that drops nothing")
        array = call.run.masked(array, indices, behind, -1)
    return call.bind(call.arrays[0], array, call.arrays[2], indices_are_sorted=False, unique_indices=False)


# --- programs within
@_rule("cond")
def _cond(call):
    branches = [lambda *arrays, p=p: tuple(call.run.run(p, arrays)) for p in call.step.params["branches"]]
    return lax.switch(call.arrays[0], branches, *call.arrays[1:])


@_rule("while")
def _while(call):
    loop, run = while_of(call.step.params), call.run
    for_test, for_body, carried = loop.inputs(call.arrays)
    return lax.while_loop(
        lambda state: run.run(loop.condition, [*for_test, *state])[0],
        lambda state: tuple(run.run(loop.body, [*for_body, *state])),
        tuple(carried),
    )


@_rule("checkpoint")
def _checkpoint(call):
    params, run = call.step.params, call.run
    again = jax.checkpoint(
        lambda *arrays: run.run(params["jaxpr"], arrays), policy=params["policy"], prevent_cse=params["prevent_cse"]
    )
    return again(*call.arrays)


@_rule("scan")
def _scan(call):
    params, run, scan = call.step.params, call.run, scan_of(call.step.eqn.params)
    constants, carried, rows = scan.inputs(call.arrays)
    length, body = params["length"], params["jaxpr"]
    steps = run.sized(length)

    def step(carry, part):
        at, *row = part
        new, outs = scan.outputs(run.run(body, [*constants, *carry, *row]))
        if type(length) is Open:  # beyond the length that counts nothing is carried on
            new = [jnp.where(at < run.count(length), after, before) for before, after in zip(carry, new)]
        return tuple(new), tuple(outs)

    carried, rows = lax.scan(
        step,
        tuple(carried),
        (np.arange(steps, dtype=np.int32), *rows),
        length=steps,
        reverse=params["reverse"],
        unroll=params["unroll"],
    )
    return [*carried, *rows]


OPEN.leave("written out where it is called", "own", "calls")
OPEN.leave("what it draws depends on how much is drawn", "random")
OPEN.leave(
    "where arrays of several devices lie is settled for one length",
    "collectives",
    "split collectives",
    "mapped",
    "places",
)
OPEN.leave("where arrays lie is settled for one length", "placing")
OPEN.leave(
    "what is behind the elements that count would reach them",
    "transforms",
    "cumulative",
    "products",
    "windows",
    "ordering",
)
OPEN.leave("what is behind the elements that count would reach them", "attention", "reducing", "indexing", "solvers")
OPEN.leave("no operator here moves elements so", "moving", "making")
OPEN.leave(
    "nothing tells what it makes of elements that do not count",
    "opaque",
    "host",
    "kernels",
    "sparse",
    "references",
    "tokens",
)
OPEN.leave("it asks for the length itself", "shapes")
OPEN.leave("keeps arrays of another kind", "extended types", "spsolve")

__all__ = ["OPEN", "Padded"]

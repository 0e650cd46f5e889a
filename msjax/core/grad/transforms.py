"""Forward mode, whole Jacobians and vectorisation: jax transforms over frames.

They run inside a trace; called from eager code they are compiled first. Where a function cannot be traced, the eager forms below give
the same numbers: a Jacobian-vector product from two reverse passes on the tape, a Jacobian row by row, `vmap` as a loop.
"""

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ..foreign_messages import says
from ..host import wide
from ..operators.forward import Forward
from ..settings import context
from ..settings.execution_state import here
from ..trace import control_flow
from ..trace.compile import Compiled
from ..trace.frame import Frame, commit, current
from ..trace.replay import Inside
from ..values.parameter import Parameter
from ..values.tensor import wrap
from ..values.tensor_trees import described, is_tensor, map_tensors, tensor_leaves
from . import integers
from .autodiff import differentiate


def _compiled(fn, body):
    """`body` compiled when called from eager code, plain inside a trace."""
    compiled = Compiled(body, name=f"{body.__name__} of {getattr(fn, '__qualname__', type(fn).__name__)}")

    @functools.wraps(body)
    def call(*args, **kwargs):
        return body(*args, **kwargs) if current() is not None else compiled(*args, **kwargs)

    call.__wrapped__ = fn
    return call


def _is_parameter(box):
    """Whether a Tensor is a Parameter, or stands for one in a function that is mapped: what is written to it is written to the Parameter."""
    return isinstance(box, Parameter) or "_stands_for_parameter" in box.__dict__


def _standing(made, given):
    """`made`, a part or the tracer of `given`, as what stands for it."""
    if _is_parameter(given):
        made.__dict__["_stands_for_parameter"] = True
    return made


class _Pure:
    """`fn` as a pure function of the arrays of some arguments, run in a frame of its own. Restores its results and
    writes afterwards.
    """

    def __init__(self, fn, args, kwargs, positions, has_aux, returned=lambda value: value):
        self.returned = returned  # what is made of the result of `fn`
        self.fn, self.args, self.kwargs, self.positions, self.has_aux = fn, args, kwargs, positions, has_aux
        self.outer = current()
        self.given = [args[p] for p in positions]
        self.inputs = [b._data for b in tensor_leaves(self.given)]

    def __call__(self, *arrays):
        """(arrays of the primary outputs, (arrays of all outputs, written arrays, changes of Python objects))"""
        frame = Frame(self.outer)
        frame.differentiated = True
        self.effects = effects = Inside()
        with frame, effects:
            inputs = [_standing(wrap(a, frame), given) for a, given in zip(arrays, tensor_leaves(self.given))]
            leaves = iter(inputs)
            fresh = map_tensors(lambda _: next(leaves), self.given)
            call = list(self.args)
            for position, value in zip(self.positions, fresh):
                call[position] = value
            value = self.returned(control_flow.resolve(self.fn)(*call, **self.kwargs))
            self.value = described(value)
            self.primary = self.value[0] if self.has_aux else self.value
            outs = [b._data for b in tensor_leaves(value[0] if self.has_aux else value)]
            rest = [b._data for b in tensor_leaves(value)]
            self.changed = [(i, b._data) for i, (b, a) in enumerate(zip(inputs, arrays)) if b._data is not a]
        self.written, new = frame.outputs()
        return outs, (rest, new, effects.arrays)

    def finish(self, rest, new, changes):
        """The function's value in the outer frame."""
        commit(self.written, new)
        self.effects.redo(changes)
        arrays = iter(rest)
        return map_tensors(lambda _: wrap(next(arrays), self.outer), self.value)

    def like_primary(self, arrays):
        """Tensors nested as the primary output."""
        made = iter(arrays)
        return map_tensors(lambda _: wrap(next(made), self.outer), self.primary)


def _tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


# --- forward mode
def forward_product(fn: Callable, inputs: Sequence, v: Any, has_aux: bool):
    """(value, Jacobian times v[, extra values]) of `fn` at `inputs`."""
    for given in (inputs, v):
        if not (isinstance(given, (tuple, list)) and tensor_leaves(given) or is_tensor(given)):
            raise TypeError(
                f"For 'jvp', the inputs type must be a Tensor, tuple or list of Tensors, but got {type(given).__name__}."
            )
    if isinstance(v, (tuple, list)) and not isinstance(inputs, (tuple, list)) and len(v) == 1:
        raise TypeError("For 'jvp', 'v' must be a Tensor where there is one input, but got a tuple.")
    inputs, v = _tuple(inputs), _tuple(v)
    if len(inputs) != len(v):
        kind = TypeError if context.is_graph_mode() else ValueError  # a graph takes the count for a part of the type
        raise kind(f"For 'jvp', there must be one tangent for each of the {len(inputs)} inputs, but got {len(v)}.")
    for x, t in zip(tensor_leaves(inputs), tensor_leaves(v)):
        if x.shape != t.shape:
            raise ValueError(
                f"For 'jvp', the shape of each tangent must be that of its input, but got {x.shape} and {t.shape}."
            )

    @wide
    def jvp(inputs, v):
        positions = tuple(range(len(inputs)))
        if current() is None:
            value, product = _product_of_two_pulls(fn, inputs, v, has_aux)
        else:
            pure = _Pure(fn, inputs, {}, positions, has_aux)
            tangents = [b._data for b in tensor_leaves(v)]
            _, products, state = integers.jvp(pure, pure.inputs, tangents)
            value, product = pure.finish(*state), pure.like_primary(products)
        if has_aux:
            return value[0], product, value[1:] if len(value) > 2 else value[1]
        return value, product

    return _compiled(fn, jvp)(inputs, v)


def _product_of_two_pulls(fn, inputs, v, has_aux):
    """J v as the derivative of u -> u J with respect to u, in the direction v: needs reverse mode only."""
    positions = tuple(range(len(inputs)))
    value = differentiate(fn, inputs, {}, positions, [], has_aux=has_aux).value
    primary = value[0] if has_aux else value

    def pull(*u):
        sens = iter(u)
        return tuple(
            differentiate(
                fn, inputs, {}, positions, [], sens=map_tensors(lambda _: next(sens), primary), has_aux=has_aux
            ).inputs
        )

    u = [wrap(jnp.ones_like(b._data)) for b in tensor_leaves(primary)]
    products = differentiate(pull, u, {}, tuple(range(len(u))), [], sens=tuple(v)).inputs
    made = iter(tensor_leaves(products))
    return value, map_tensors(lambda _: next(made), primary)


# --- Jacobians
def forward_jacobian(fn: Callable, positions: Any, many: bool, has_aux: bool):
    """Function that computes the Jacobian by forward mode."""
    return _jacobian(fn, positions, many, has_aux, True, "jacfwd")


def reverse_jacobian(fn: Callable, positions: Any, many: bool, has_aux: bool):
    """Function that computes the Jacobian by reverse mode."""
    return _jacobian(fn, positions, many, has_aux, False, "jacrev")


def _jacobian(fn, positions, many, has_aux, forward, name):
    @wide
    def jacobian(*args, **kwargs):
        for p in positions:
            if p >= len(args):
                raise ValueError(
                    f"For '{name}', 'grad_position' {p} is out of range: the function was called with {len(args)} inputs."
                )
        if current() is None:
            by_column = forward and all(is_tensor(args[p]) and args[p].size for p in positions)
            value, rows = (_columns if by_column else _rows)(fn, args, kwargs, positions, has_aux)
        else:
            pure = _Pure(fn, args, kwargs, positions, has_aux)
            rows, state = integers.jacobian(pure, pure.inputs, forward)
            value = pure.finish(*state)
            rows = [[wrap(a, pure.outer) for a in row] for row in rows]
        packed = [tuple(row) if many else row[0] for row in rows]
        result = packed[0] if len(packed) == 1 else tuple(packed)
        return (result, value[1:] if len(value) > 2 else value[1]) if has_aux else result

    jacobian.__name__ = name
    return _compiled(fn, jacobian)


def _rows(fn, args, kwargs, positions, has_aux):
    """Jacobian on the tape, one reverse pass for each output element."""
    value = fn(*args, **kwargs)
    primary = tensor_leaves(value[0] if has_aux else value)
    blocks = []
    for i, out in enumerate(primary):
        rows = []
        for element in range(out.size):
            sens = [jnp.zeros(b.shape, b._data.dtype) for b in primary]
            sens[i] = sens[i].reshape(-1).at[element].set(1).reshape(out.shape)
            cotangents = iter([wrap(s) for s in sens])
            nested = map_tensors(lambda _, left=cotangents: next(left), value[0] if has_aux else value)
            rows.append(
                tensor_leaves(differentiate(fn, args, kwargs, positions, [], sens=nested, has_aux=has_aux).inputs)
            )
        blocks.append([_joined([r[k] for r in rows], 0, out.shape + rows[0][k].shape) for k in range(len(rows[0]))])
    return value, blocks


def _columns(fn, args, kwargs, positions, has_aux):
    """Jacobian on the tape, one product for each input element."""

    def of(*chosen):
        full = list(args)
        for p, x in zip(positions, chosen):
            full[p] = x
        return fn(*full, **kwargs)

    inputs, columns = [args[p] for p in positions], []
    for x in inputs:
        found = []
        for element in range(x.size):
            v = [jnp.zeros(i.shape, i._data.dtype) for i in inputs]
            v[len(columns)] = v[len(columns)].reshape(-1).at[element].set(1).reshape(x.shape)
            value, product = _product_of_two_pulls(of, inputs, [wrap(a) for a in v], has_aux)
            found.append(tensor_leaves(product))
        columns.append(found)
    outs = tensor_leaves(value[0] if has_aux else value)
    return value, [
        [_joined([f[i] for f in found], -1, out.shape + x.shape) for x, found in zip(inputs, columns)]
        for i, out in enumerate(outs)
    ]


def _joined(boxes, axis, shape=None):
    """Tensors along a new axis, and in another shape."""
    return _applied(_joining(axis, shape), boxes)


@functools.lru_cache(maxsize=256)
def _joining(axis, shape):
    def stack(*arrays):
        found = jnp.stack(arrays, axis)
        return found if shape is None else found.reshape(shape)

    return Forward("stack", stack, check=False)


@functools.lru_cache(maxsize=256)
def _taking(axis):
    return Forward("slice", lambda array, i: jnp.take(array, i, axis=axis), check=False)


def _applied(forward, boxes, *numbers):
    """The Tensor that a function of arrays gives; in eager code an operator, so that the gradients around it go through."""
    active = here().recorder
    if active is not None and not active.is_frame:
        return active.run(forward, [*(b._lent for b in boxes), *numbers], [*boxes, *(None for _ in numbers)])
    return wrap(forward.pure(*(b._data for b in boxes), *numbers), active)


# --- vmap
def vectorize(fn: Callable, in_axes: bool | int | tuple, out_axes: int | tuple):
    """Function that maps `fn`, or each Cell of a list over its own slice, over one axis of the arguments."""
    cells = list(fn) if isinstance(fn, (list, tuple)) or getattr(fn, "_only_holds", False) else None
    if cells is None and not callable(fn):
        raise RuntimeError(
            f"For 'vmap', the 'fn' must be a function, a Cell or a list of Cells, but got {type(fn).__name__}."
        )
    if cells is not None and len(cells) < 2:
        raise RuntimeError(f"For 'vmap', a list of Cells must hold two or more, but got {len(cells)}.")
    for name, axes in (("in_axes", in_axes), ("out_axes", out_axes)):
        _check_axes(name, axes)

    @wide
    def vmap(*args, **kwargs):
        if cells is not None:
            return _each(cells, args, kwargs, in_axes, out_axes)
        axes = _input_axes(fn, args, kwargs, in_axes, out_axes)
        if current() is None:
            return _loop(fn, args, kwargs, axes, out_axes)
        return _map_traced(fn, args, kwargs, axes, out_axes)

    return _compiled(fn if cells is None else cells[0], vmap)


def _input_axes(fn, args, kwargs, in_axes, out_axes):
    """The axis of each input array, or the error for a call that maps over nothing."""
    if not args:
        raise (RuntimeError if _can_be_called(fn, (), kwargs) else TypeError)(
            "For 'vmap', there must be an input by position to map over, but got none."
        )
    if isinstance(in_axes, (tuple, list)) and not _can_be_called(fn, args, kwargs):
        # the axes are compared with the parameters first, in MindSpore
        raise (RuntimeError if len(in_axes) == len(args) else TypeError)(
            f"For 'vmap', 'fn' can not be called with {len(args)} inputs and {len(in_axes)} 'in_axes'."
        )
    axes = _spread(in_axes, args)
    if all(a is None for a in axes):
        raise RuntimeError("For 'vmap', the 'in_axes' can not be all None: there must be an axis to map over.")
    if out_axes is None:
        raise RuntimeError("For 'vmap', the 'out_axes' can not be None alone: the results are mapped over an axis.")
    _mapped_length(args, axes)
    return axes


def _map_traced(fn, args, kwargs, axes, out_axes):
    """`vmap` inside a trace, by `jax.vmap`.

    What the function wrote comes out of the map as further results, and is written in the trace around it. A Parameter that was an argument is
    mapped as its argument was; any other Parameter is one for all rows, so its new value must be one, too.
    """
    pure = _Pure(fn, args, kwargs, tuple(range(len(args))), False, lambda value: _repeated(value, out_axes))
    given = tensor_leaves(args)

    def assigned():
        """(Parameter that the function got as an argument and wrote, its axis, its value)"""
        return [(given[i], axes[i], a) for i, a in pure.changed if _is_parameter(given[i])]

    def run(*arrays):
        outs, (_, new, _) = pure(*arrays)
        return outs, new, [a for _, _, a in assigned()]

    template = jax.eval_shape(lambda *a: jax.vmap(lambda *x: pure(*x)[0], in_axes=tuple(axes))(*a), *pure.inputs)
    leaf_axes = _spread_outputs(out_axes, pure.primary, [a.ndim for a in template])
    parameters = [p for p, _, _ in assigned()]
    out_of_vmap = leaf_axes, None, [axis for _, axis, _ in assigned()]
    try:
        outs, new, values = jax.vmap(run, in_axes=tuple(axes), out_axes=out_of_vmap)(*pure.inputs)
    except ValueError as error:
        if not says("mapped result without an axis", error):
            raise
        written = [*pure.written, *parameters]
        if not written:
            raise RuntimeError("For 'vmap', a result that is mapped has None in 'out_axes'; name its axis.") from None
        raise ValueError(
            f"For 'vmap', the Parameter '{written[0].name}' is not mapped and was assigned a mapped value; return it "
            "from the function instead, and reduce it outside."
        ) from error
    commit([*pure.written, *parameters], [*new, *values])
    if pure.effects.arrays:
        raise RuntimeError(
            "For 'vmap', a Tensor of the function was kept in an attribute, list or dict; return it from the function instead."
        )
    pure.effects.redo([])
    return pure.like_primary(outs)


# errors about axes are RuntimeErrors, as in MindSpore
def _check_axes(name, axes):
    if axes is None or (isinstance(axes, int) and not isinstance(axes, bool)):
        return
    if isinstance(axes, (tuple, list)):
        for a in axes:
            _check_axes(name, a)
        return
    raise RuntimeError(
        f"For 'vmap', the '{name}' must be int, None, or a nested tuple of them, but got {type(axes).__name__}."
    )


def _spread(axes, args):
    """One axis (or None) for each Tensor of the arguments."""
    if isinstance(axes, (tuple, list)):
        if len(axes) != len(args):
            raise RuntimeError(
                f"For 'vmap', the 'in_axes' must have one element for each of the {len(args)} inputs, but got {len(axes)}."
            )
        return [a for axis, value in zip(axes, args) for a in _spread_one(axis, value)]
    return [a for value in args for a in _spread_one(axes, value)]


def _spread_one(axis, value):
    if is_tensor(value):
        return [_checked_axis("in_axes", axis, value.ndim)]
    if isinstance(value, (tuple, list)):
        return _spread(axis if isinstance(axis, (tuple, list)) else [axis] * len(value), value)
    if axis is not None:
        raise RuntimeError(
            f"For 'vmap', an input that is mapped must be a Tensor, but got {value!r} for the axis {axis}; say None in 'in_axes'."
        )
    return []


def _checked_axis(name, axis, rank):
    """An axis of an array of that rank, or None."""
    if axis is not None and (not isinstance(axis, int) or not -rank <= axis < rank):
        raise RuntimeError(f"For 'vmap', an axis in '{name}' must be in [{-rank}, {rank}), but got {axis}.")
    return axis


def _mapped_length(args, axes):
    """How many slices there are; None where no argument is mapped."""
    sizes = {b.shape[a] for b, a in zip(tensor_leaves(args), axes) if a is not None}
    if len(sizes) > 1:
        raise RuntimeError(
            f"For 'vmap', the mapped axes of the inputs must have equal lengths, but got {sorted(sizes)}."
        )
    return next(iter(sizes), None)


def _spread_outputs(axes, primary, ranks):
    """One axis for each Tensor of the results; `ranks`: of the Tensors with the mapped axis."""
    if isinstance(axes, (tuple, list)):
        results = list(primary) if isinstance(primary, (tuple, list)) else [primary]
        if len(axes) != len(results):
            raise RuntimeError(
                f"For 'vmap', the 'out_axes' must have one element for each of the {len(results)} outputs, but got {len(axes)}."
            )
        axes = [a for axis, value in zip(axes, results) for a in _nested_axes(axis, value)]
    else:
        axes = [axes] * len(ranks)
    return [_checked_axis("out_axes", axis, rank) for axis, rank in zip(axes, ranks)]


def _can_be_called(fn, args, kwargs):
    """Whether these are all arguments that a function or a Cell needs."""
    try:
        inspect.signature(getattr(fn, "construct", fn)).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return False
    return True


def _repeated(value, axis):
    """A result with its numbers as Tensors, repeated along the mapped axis like all results that do not depend on the inputs."""
    if isinstance(value, (tuple, list)):
        made = [_repeated(v, a) for v, a in zip(value, _one_each(axis, value))]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    if isinstance(value, (int, float)) and axis is not None:
        kind = jnp.bool_ if isinstance(value, bool) else jnp.int64 if isinstance(value, int) else jnp.float32
        return wrap(jnp.asarray(value, kind), here().recorder if current() else None)
    if value is None or isinstance(value, str):
        raise (TypeError if value is not None else RuntimeError)(
            f"For 'vmap', a result must be a Tensor or a number, but got {value!r}; return Tensors or numbers only."
        )
    return value


def _nested_axes(axis, value):
    """One axis for each Tensor of a nested result."""
    if isinstance(value, (tuple, list)):
        return [a for part, v in zip(_one_each(axis, value), value) for a in _nested_axes(part, v)]
    return [axis] * len(tensor_leaves(value))


def _one_each(axis, values):
    """The axes of the parts of a result: a tuple of as many, or one for all."""
    return axis if isinstance(axis, (tuple, list)) and len(axis) == len(values) else [axis] * len(values)


def _slice(value, axes, i):
    it = iter(axes)

    def take(box):
        axis = next(it)
        if axis is None:
            return box
        return _standing(_applied(_taking(axis), [box], i), box)

    return map_tensors(take, value)


def _loop(fn, args, kwargs, axes, out_axes):
    """vmap of a function that cannot be traced: call it for each slice, and stack."""
    slices = [_slice(args, axes, i) for i in range(_mapped_length(args, axes))]
    before = [[b._data for b in tensor_leaves(part)] for part in slices]
    results = [_repeated(fn(*part, **kwargs), out_axes) for part in slices]
    after = zip(*[[b._data for b in tensor_leaves(part)] for part in slices])
    for box, axis, new, old in zip(tensor_leaves(args), axes, after, zip(*before)):
        if _is_parameter(box) and axis is not None and any(n is not o for n, o in zip(new, old)):
            commit([box], [jnp.stack(new, axis)])
    return _stack(results, out_axes)


def _stack(results, out_axes):
    leaves = [tensor_leaves(r) for r in results]
    axes = iter(_spread_outputs(out_axes, results[0], [b.ndim + 1 for b in leaves[0]]))
    columns = iter(zip(*leaves))
    return map_tensors(lambda _: _joined(list(next(columns)), next(axes)), results[0])


def _each(cells, args, kwargs, in_axes, out_axes):
    """Model ensembling: cell i gets slice i of the mapped inputs."""
    axes = _spread(in_axes, args)
    length = _mapped_length(args, axes)
    if length not in (None, len(cells)):
        raise ValueError(
            f"For 'vmap', the mapped axes must be as long as the list of Cells, {len(cells)}, but got {length}."
        )
    return _stack([cell(*_slice(args, axes, i), **kwargs) for i, cell in enumerate(cells)], out_axes)


__all__ = ["forward_jacobian", "forward_product", "reverse_jacobian", "vectorize"]

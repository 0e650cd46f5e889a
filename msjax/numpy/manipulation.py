"""Shapes, joining, splitting, padding, indexing."""

import operator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.operators.record import op, records
from ..core.operators.rows import Face, args
from ..core.spec import Array, ArrayLike, Axis, Ints, Nested, Static
from ..core.values.promote import kind_of
from ..core.values.ranges import check_range
from ..core.values.tensor import Tensor
from ..ops.elementwise.quotients import floor_quotient
from ..ops.index.gathering import clipped
from ..ops.shape.joining import counts_of
from .arrays import array, arrays, in_order, joined, np_composite, np_op, sizes


@np_op("reshape")
def _reshape(x: ArrayLike, new_shape: Static[Ints]):
    """The elements in another shape; one length may be -1.

    Example:
        >>> print(np.reshape(np.arange(6), (2, -1)))
        [[0 1 2]
         [3 4 5]]
    """
    return jnp.reshape(array(x), new_shape)


@np_op("ravel")
def _ravel(x: ArrayLike):
    """All elements along one axis."""
    return jnp.ravel(array(x))


@np_op("transpose")
def _transpose(a: ArrayLike, axes: Static[Ints | None] = None) -> Array:
    """The axes in another order, reversed by default."""
    return jnp.transpose(array(a), axes)


@np_op("swapaxes")
def _swapaxes(x: ArrayLike, axis1: Static[int], axis2: Static[int]):
    """Two axes exchanged."""
    x = array(x)
    (first,), (second,) = [in_order(operator.index(axis), x.ndim, "swapaxes") for axis in (axis1, axis2)]
    return jnp.swapaxes(x, first, second)


@np_op("moveaxis")
def _moveaxis(a: ArrayLike, source: Static[Ints], destination: Static[Ints]) -> Array:
    """Axes moved to other positions; the others stay in order."""
    return jnp.moveaxis(array(a), source, destination)


@np_op("rollaxis")
def _rollaxis(x: ArrayLike, axis: Static[Axis], start: Static[int] = 0):
    """An axis moved back until it stands before `start`."""
    return jnp.rollaxis(array(x), axis, start)


@np_op("expand_dims")
def _expand_dims(a: ArrayLike, axis: Static[Axis]) -> Array:
    """New axes of length 1."""
    return jnp.expand_dims(array(a), axis)


@np_op("squeeze")
def _squeeze(a: ArrayLike, axis: Static[Axis] = None) -> Array:
    """Without axes of length 1; other axes that are named stay."""
    a = array(a)
    return jnp.squeeze(a, tuple(i for i in in_order(axis, a.ndim, "squeeze") if a.shape[i] == 1))


def _several(xs, alike=joined):
    """A list of arrays of one dtype; an array is taken apart along its first axis."""
    return alike(*(xs if isinstance(xs, (list, tuple)) else list(array(xs))))


@np_op("concatenate")
def _concatenate(arrays: ArrayLike, axis: Static[int | None] = 0) -> Array:
    """Arrays joined along an axis; all their elements if `axis` is None.

    Example:
        >>> print(np.concatenate((np.ones(2), np.zeros(3))))
        [1. 1. 0. 0. 0.]
    """
    parts = _several(arrays)
    if axis is None:
        return jnp.concatenate([jnp.ravel(x) for x in parts])
    return jnp.concatenate([jnp.atleast_1d(x) for x in parts], axis)


@np_op("append")
def _append(arr: ArrayLike, values: ArrayLike, axis: Static[Axis] = None) -> Array:
    """`values` after the elements of `arr`, along an axis or, without one, all in a row."""
    return jnp.append(*joined(arr, values), axis=axis)


def _joining(name, join, doc):
    def run(tup: ArrayLike):
        return join(_several(tup, arrays)) if isinstance(tup, (tuple, list)) else array(tup)  # one array stays as it is

    run.__name__, run.__doc__ = name, f"{doc}\n\n    Example:\n        >>> np.{name}((np.ones(3), np.zeros(3)))\n    "
    np_op(name)(run)


_joining("hstack", jnp.hstack, "Arrays joined along the second axis, vectors along the first.")
_joining("vstack", jnp.vstack, "Arrays joined along the first axis, vectors as rows.")
_joining("dstack", jnp.dstack, "Arrays joined along the third axis.")
_joining("column_stack", jnp.column_stack, "Vectors as columns, matrices joined along the second axis.")


@np_op("stack")
def _stack(arrays: ArrayLike, axis: Static[int] = 0) -> Array:
    """Arrays of one shape joined along a new axis."""
    return jnp.stack(_several(arrays), axis)


def _parts(x, where, axis, even, name):
    x = array(x)
    axis = in_order(axis, x.ndim, name)[0]
    if isinstance(where, int):
        if where < 1:
            raise ValueError(f"For '{name}', the number of sections must be positive, but got {where}.")
        if even and x.shape[axis] % where:
            raise ValueError(
                f"For '{name}', an axis of length {x.shape[axis]} can not be split into {where} equal parts."
            )
        return tuple(jnp.array_split(x, where, axis))
    parts = list(jnp.split(x, np.asarray(where), axis))
    if any(not part.shape[axis] for part in parts):
        raise ValueError(f"For '{name}', a part would be empty: 'indices_or_sections' is {where}.")
    return parts


def _splitting(name, axis, even=True):
    def run(x: ArrayLike, indices_or_sections: Static[Ints], axis: Static[int] = axis):
        return _parts(x, indices_or_sections, axis, even, name)

    run.__name__ = name
    run.__doc__ = f"""Parts along {
        "an axis" if axis == 0 and name in ("split", "array_split") else "axis " + str(axis)
    }: that many{" equal ones" if even else ""}, or cut before the given indices.

    Example:
        >>> np.{name}(np.ones((2, 2, 2)), 2)
    """
    spec = name if name in ("split", "array_split") else Face(name, args("x", "indices_or_sections"))
    np_op(spec)(run)


_splitting("split", 0)
_splitting("array_split", 0, even=False)
_splitting("vsplit", 0)
_splitting("hsplit", 1)
_splitting("dsplit", 2)


@np_op("tile")
def _tile(a: ArrayLike, reps: Static[Ints]) -> Array:
    """The array repeated `reps` times along each axis; for a vector and two numbers the rows stay one axis as in
    `ops.tile`.
    """
    a = array(a)
    reps = (reps,) if isinstance(reps, int) else tuple(reps)
    return jnp.tile(a, reps)


@np_op("repeat")
def _repeat(a: ArrayLike, repeats: Static[Ints], axis: Static[Axis] = None) -> Array:
    """Each element repeated, along an axis or of all elements in a row."""
    return jnp.repeat(array(a), counts_of("numpy.repeat", repeats), axis)


@np_op(Face("broadcast_to", args("array", "shape"), to={"array": "array_"}))
def _broadcast_to(array_: ArrayLike, shape: Static[Ints]) -> Array:
    """The array repeated to a shape with more or longer axes."""
    return jnp.broadcast_to(array(array_), sizes(shape))


@np_op("broadcast_arrays")
def _broadcast_arrays(*args: Any):
    """The arrays in their common shape."""
    return list(jnp.broadcast_arrays(*[array(a) for a in args]))


@np_op("flip")
def _flip(m: ArrayLike, axis: Static[Axis] = None) -> Array:
    """Axes in reverse order, all by default."""
    return jnp.flip(array(m), axis)


@np_op("fliplr")
def _fliplr(m: ArrayLike) -> Array:
    """The second axis in reverse order."""
    return jnp.fliplr(array(m))


@np_op("flipud")
def _flipud(m: ArrayLike) -> Array:
    """The first axis in reverse order."""
    return jnp.flipud(array(m))


@np_op("roll")
def _roll(a: ArrayLike, shift: Static[Ints], axis: Static[Axis] = None) -> Array:
    """Elements shifted along axes; those that leave at the end come in at the start."""
    return jnp.roll(array(a), shift, axis)


@np_op("rot90")
def _rot90(a: ArrayLike, k: Static[int] = 1, axes: Static[Ints] = (0, 1)) -> Array:
    """Rotated k times by 90 degrees in the plane of two axes."""
    return jnp.rot90(array(a), k, axes)


def _at_least(name, grow):
    def run(*arys: Any) -> Array:
        made = [grow(array(a)) for a in arys]
        return made[0] if len(made) == 1 else made

    run.__name__, run.__doc__ = name, f"Each argument with {name[8]} axes or more."
    np_op(name)(run)


_at_least("atleast_1d", jnp.atleast_1d)
_at_least("atleast_2d", jnp.atleast_2d)
_at_least("atleast_3d", jnp.atleast_3d)


@np_composite("pad")
def _pad(
    arr: Any,
    pad_width: Nested,
    mode: str = "constant",
    stat_length: Ints | None = None,
    constant_values: Ints = 0,
    end_values: Ints = 0,
    reflect_type: str = "even",
    **kwargs: Any,
):
    """Elements put around an array: "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum",
    "reflect", "symmetric", "wrap", "empty", or a function of (vector, widths, axis, kwargs) as in NumPy. Keywords
    that the mode does not use are ignored.

    Example:
        >>> print(np.pad(np.ones(2), (1, 2)))
        [0. 1. 1. 0. 0.]
    """
    if callable(mode):
        user = mode

        def mode(vector, widths, axis, _):
            return user(vector, widths, axis, kwargs)

    return records["numpy_pad"](arr, pad_width, mode, stat_length, constant_values, end_values, reflect_type)


@op(name="numpy_pad", ops=False)
def _pad_array(
    arr: Array,
    pad_width: Static[Any],
    mode: str = "constant",
    stat_length: Static[Any] = None,
    constant_values: Static[int] = 0,
    end_values: Static[int] = 0,
    reflect_type: str = "even",
):
    """The array with elements around it."""
    arr = array(arr)
    options = {
        "constant": {"constant_values": constant_values},
        "linear_ramp": {"end_values": end_values},
        "reflect": {"reflect_type": reflect_type},
        "symmetric": {"reflect_type": reflect_type},
        **{name: {"stat_length": stat_length} for name in ("maximum", "mean", "median", "minimum")},
    }
    if not callable(mode) and mode not in ("edge", "wrap", "empty", *options):
        raise ValueError(f"For 'pad', unsupported 'mode': {mode!r}.")
    if mode == "constant":  # what would be cut off stays
        pad_width = jax.tree_util.tree_map(lambda width: max(width, 0), pad_width)
    return jnp.pad(arr, pad_width, mode, **({} if callable(mode) else options.get(mode, {})))


# --- taking elements
_MODES = {"raise": "clip", "clip": "clip", "wrap": "wrap"}


@np_op("take")
def _take(a: ArrayLike, indices: ArrayLike, axis: Static[Axis] = None, mode: str = "clip") -> Array:
    """Elements at the given positions of an axis, or of all elements; positions outside are clipped or, with mode
    "wrap", counted round.
    """
    if mode not in _MODES or mode == "raise":
        raise ValueError(f"For 'take', 'mode' must be 'clip' or 'wrap', but got {mode!r}.")
    a, indices = array(a), array(indices)
    length = a.size if axis is None else a.shape[axis]
    indices = indices % length if mode == "wrap" else clipped(indices, length)
    return jnp.take(a, indices, axis)


@np_op("take_along_axis")
def _take_along_axis(arr: ArrayLike, indices: ArrayLike, axis: Static[Axis]) -> Array:
    """For each position along an axis, the element of that line that `indices` names."""
    arr, indices = array(arr), array(indices)
    length = arr.size if axis is None else arr.shape[axis]
    check_range(indices, -length, length, "GatherD", "index")
    return jnp.take_along_axis(arr, indices, axis)


@np_op("choose")
def _choose(a: ArrayLike, choices: ArrayLike, mode: str = "clip") -> Array:
    """At each position the element of the array of `choices` whose number stands in a."""
    if mode not in ("clip", "wrap"):
        raise ValueError(f"For 'choose', 'mode' must be 'clip' or 'wrap', but got {mode!r}.")
    a = array(a)
    if not isinstance(choices, (list, tuple)) and not array(choices).ndim:  # one number, whatever stands in a
        return jnp.broadcast_to(array(choices), a.shape)
    return jnp.choose(a, _several(choices, arrays), mode=mode)


@np_op("select")
def _select(condlist: ArrayLike, choicelist: ArrayLike, default: ArrayLike = 0) -> Array:
    """At each position the element of the first choice whose condition holds, else `default`."""
    conditions = [array(c) for c in (condlist if isinstance(condlist, (list, tuple)) else list(array(condlist)))]
    choices = _several(choicelist, arrays)
    return jnp.select(conditions, choices, array(default).astype(choices[0].dtype))


@np_op("argwhere", dynamic=True)
def _argwhere(a: ArrayLike) -> Array:
    """Positions of the elements that are not zero, one row each."""
    return jnp.argwhere(array(a)).astype(jnp.int64)


@np_op("ravel_multi_index")
def _ravel_multi_index(multi_index: ArrayLike, dims: Static[Ints], mode: str = "clip", order: str = "C"):
    """Positions in the flattened array, as float32, of indices along each axis."""
    if order not in ("C", "F"):
        raise ValueError(f"For 'ravel_multi_index', 'order' must be 'C' or 'F', but got {order!r}.")
    indices = [array(i) for i in (multi_index if isinstance(multi_index, (list, tuple)) else list(array(multi_index)))]
    if len(indices) != len(dims):
        raise ValueError(
            f"For 'ravel_multi_index', the 'multi_index' must have {len(dims)} parts, as 'dims' has, but got {len(indices)}."
        )
    flat, step = 0, 1
    for index, length in zip(indices[::-1], dims[::-1]) if order == "C" else zip(indices, dims):
        flat = flat + (index % length if mode == "wrap" else jnp.clip(index, 0, length - 1)) * step
        step *= length
    return flat.astype(jnp.float32)


@np_op("unravel_index")
def _unravel_index(indices: ArrayLike, shape: Static[Ints], order: str = "C") -> tuple[Array, ...]:
    """Indices along each axis of positions in the flattened array."""
    if order not in ("C", "F"):
        raise ValueError(f"For 'unravel_index', 'order' must be 'C' or 'F', but got {order!r}.")
    shape, indices = (shape,) if isinstance(shape, int) else tuple(map(operator.index, shape)), array(indices)
    if kind_of(indices.dtype) < 2 and indices.dtype != np.int64:
        indices = indices.astype(np.int32)
    total = int(np.prod(shape))
    indices = jnp.where(indices > total - 1, total - 1, indices)  # what is outside counts as the last, or the first
    indices = jnp.where(indices < -total, -total, indices)
    made, step = [], 1
    for length in shape[::-1] if order == "C" else shape:
        below, step = step, step * length
        whole, part = (jnp.full((), v, indices.dtype) for v in (step, below))
        made.append(floor_quotient(indices - whole * floor_quotient(indices, whole), part))
    return tuple(made[::-1] if order == "C" else made)


# --- applying functions
def _callback(name, value):
    if not callable(value):
        raise TypeError(f"For '{name}', a function was expected, but got {type(value).__name__}.")
    return value


@np_composite("apply_along_axis")
def _apply_along_axis(func1d: Any, axis: Axis, arr: Array, *args: Any, **kwargs: Any) -> Array:
    """A function of vectors applied to each line along an axis.

    Example:
        >>> print(np.apply_along_axis(np.sum, 0, np.ones((2, 3))))
        [2. 2. 2.]
    """
    _callback("apply_along_axis", func1d)
    axis = in_order(axis, arr.ndim, "apply_along_axis")[0]
    moved = arr.moveaxis(axis, -1)
    lines = moved.reshape(-1, moved.shape[-1])
    results = [func1d(lines[i], *args, **kwargs) for i in range(lines.shape[0])]
    results = [r if isinstance(r, Tensor) else records["numpy.asarray"](r, None) for r in results]
    made = records["numpy.stack"](results, 0).reshape(*moved.shape[:-1], *results[0].shape)
    for k in range(results[0].ndim):
        made = made.moveaxis(arr.ndim - 1 + k, axis + k)
    return made


@np_composite("apply_over_axes")
def _apply_over_axes(func: Any, a: Any, axes: Ints) -> Array:
    """A function (array, axis) applied to one axis after the other; the axes stay, with length 1."""
    _callback("apply_over_axes", func)
    for axis in in_order(axes, a.ndim, "apply_over_axes"):
        made = func(a, axis)
        a = made if made.ndim == a.ndim else made.expand_dims(axis)
        if made.ndim not in (a.ndim, a.ndim - 1):
            raise ValueError("For 'apply_over_axes', the function is not returning an array of the correct shape.")
    return a


def _parted(values):
    """The items of a list; a Tensor stands for its rows."""
    return values if isinstance(values, (list, tuple)) else list(records["numpy.atleast_1d"](values))


@np_composite("piecewise")
def _piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Array:
    """At each element the function (or number) whose condition holds; one more function serves where none does.

    Example:
        >>> print(np.piecewise(np.array([-1.0, 2.0]), [np.array([True, False])], [0, lambda v: v * 10]))
        [ 0. 20.]
    """
    asarray, where = records["numpy.asarray"], records["numpy.where"]
    x = asarray(x, None)
    conditions = [asarray(c, None) for c in _parted(condlist)]
    funclist = _parted(funclist)
    if len(funclist) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            f"For 'piecewise', with {len(conditions)} conditions either {len(conditions)} or {len(conditions) + 1} "
            f"functions are expected, but got {len(funclist)}."
        )
    values = [f(x, *args, **kw) if callable(f) else f for f in funclist]
    made = values[-1] if len(values) > len(conditions) else 0
    for condition, value in list(zip(conditions, values))[::-1]:  # the first that holds decides
        made = where(condition, value, made)
    return made


__all__ = []

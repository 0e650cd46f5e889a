"""Reading by index or mask: gather, take, select, where, masked fill."""

from typing import Annotated, Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.above import above
from ...core.compat import Tracer
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.settings.context import present_device
from ...core.spec import Array, Axis, Filling, Integers, Ints, MaybeArray, Operand, Static
from ...core.spec.rules import Holding, Like, PositiveInt
from ...core.trace.frame import current
from ...core.values import dtype as mstype
from ...core.values.promote import cast, promote, result_dtype, written
from ...core.values.ranges import before_trace, check_range
from ...core.values.tensor import Tensor
from ..shape.shaping import axis_of, shape_of
from ..shapes import ANY, no_longer_beside, number_of_axes, one_value, same_shape


def positions(
    indices: Any,
    length: int,
    name: str,
    what: str = "indices",
    wraps: bool = True,
    errors: Any = (RuntimeError, RuntimeError),
):
    """Indices with negative ones counted from the end; eager code raises for those outside.

    wraps: whether negative ones are inside at all. errors: what is raised for those below and those above.
    """
    check_range(indices, -length if wraps else 0, length, name, what, errors)
    return jnp.where(indices < 0, indices + length, indices)


def columns(indices: Any):
    """The positions in each axis, of indices whose last axis counts the axes."""
    known = above.known_content(indices) if isinstance(indices, Tracer) else None
    indices = indices if known is None else known
    return [before_trace(lambda rows, axis: rows[..., axis], indices, i) for i in range(indices.shape[-1])]


def clipped(indices: Any, length: int):
    """Indices cut to the axis; negative ones down to -length count from the end, as in MindSpore (NumPy cuts them to 0)."""
    return jnp.clip(jnp.where(indices < 0, indices + length, indices), 0, length - 1)


def along(x: Any, axis: Any, index: Any, name: str, what: str = "indices", wraps: bool = True):
    """The index that picks the slices `index` of x along an axis; negative indices count from the end."""
    return (slice(None),) * axis + (positions(index, x.shape[axis], name, what, wraps),)


def element_along(x: Any, index: Any, axis: int):
    """`jnp.take_along_axis(x, index, axis)` of an index of length 1 along the axis.

    On accelerators a sum over the matching element joins passes that are made anyway, and so does its gradient, while a gather of floats would be
    a pass of its own over an array that must be written out for it; on the CPU, which reads one element alone, a gather is faster.
    """
    if present_device() == "CPU" or not jnp.issubdtype(x.dtype, jnp.floating):
        return jnp.take_along_axis(x, index, axis)
    hit = lax.broadcasted_iota(index.dtype, x.shape, axis % x.ndim) == index
    found = jnp.sum(jnp.where(hit, x, jnp.zeros((), x.dtype)), axis, keepdims=True)
    return jnp.where((index >= 0) & (index < x.shape[axis]), found, jnp.asarray(jnp.nan, x.dtype))


def with_place(x: Any, index: Any, axis: int, keepdims: bool):
    """(elements of `x`, their places as int64) for an index of length 1 along the axis, which goes if not `keepdims`."""
    value = element_along(x, index, axis)
    if not keepdims:
        value, index = jnp.squeeze(value, axis), jnp.squeeze(index, axis)
    return value, index.astype(jnp.int64)


def _integers(name, indices):
    if indices.dtype.kind not in "iu":
        raise TypeError(
            f"For '{name}', the type of the indices must be an integer type, but got "
            f"Tensor[{mstype.from_numpy(indices.dtype)}]."
        )
    return indices


def _take(x, indices, axis, name):
    """Slices along an axis; in compiled code indices outside give 0."""
    # negative indices are wrapped once: 1.2 times faster
    return x.at[along(x, axis, indices, name, "input_indices")].get(
        mode="fill", fill_value=0, wrap_negative_indices=False
    )


@op(
    prim=(
        Prim("Gather", inputs=("input_params", "input_indices", "axis")),
        Prim("GatherV2", call=args("input_params", "input_indices", "axis")),
        Prim("SparseGatherV2", call=args("input_params", "input_indices", "axis")),
    ),
    ops=True,
)
def gather(input_params: Array, input_indices: Array, axis: Static[int], batch_dims: int = 0) -> Array:
    """Slices of input_params along an axis, in the order of the indices.

    Args:
        input_params: Tensor.
        input_indices: integer Tensor (any shape).
        axis: int.
        batch_dims: leading axes that both share.

    Example:
        >>> print(ops.gather(Tensor([1.0, 2.0, 3.0]), Tensor([2, 0]), 0))
        [3. 1.]
    """
    axis = axis_of("Gather", axis, input_params.ndim)
    _integers("Gather", jnp.asarray(input_indices))
    indices = jnp.asarray(input_indices)
    if batch_dims < 0:
        batch_dims += indices.ndim
    if batch_dims > axis:
        raise ValueError(
            f"For 'Gather', the 'batch_dims' must not be greater than 'axis', but got {batch_dims} and {axis}."
        )
    if not batch_dims:
        return _take(input_params, indices, axis, "Gather")
    same_shape(
        "Gather", RuntimeError, batch=input_params.shape[:batch_dims], batch_of_the_indices=indices.shape[:batch_dims]
    )
    x, grid = input_params, []
    for d in range(batch_dims):
        grid.append(jnp.arange(x.shape[d]).reshape([-1 if i == d else 1 for i in range(indices.ndim)]))
    order = [*range(batch_dims), axis, *[d for d in range(batch_dims, x.ndim) if d != axis]]
    picked = jnp.transpose(x, order)[(*grid, positions(indices, x.shape[axis], "Gather", "input_indices"))]
    return jnp.moveaxis(picked, range(batch_dims, indices.ndim), range(axis, axis + indices.ndim - batch_dims))


@op(
    prim=Prim("GatherD", call=args("x", "dim", "index"), to={"x": "input"}),
    ops=("gather_elements", Face("gather_d", args("x", "dim", "index"), to={"x": "input"})),
    tensor="gather_elements",
    mint="gather",
)
def gather_elements(input: Array, dim: Static[int], index: Integers) -> Array:
    """The elements at `index` along one axis; in the other axes the place is that of the index itself.

    Example:
        >>> print(ops.gather_elements(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]])))
        [[2]
         [3]]
    """
    dim = axis_of("GatherD", dim, input.ndim)
    _integers("GatherD", index)
    no_longer_beside("GatherD", index.shape, input.shape, dim, ValueError)
    part = input[tuple(slice(None) if d == dim else slice(n) for d, n in enumerate(index.shape))]
    index = positions(index, input.shape[dim], "GatherD", "index")
    return element_along(part, index, dim) if index.shape[dim] == 1 else jnp.take_along_axis(part, index, dim)


@composite(ops=False, tensor="gather", name="gather_method")
def gather_method(
    self: Array,
    input_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    *,
    dim: Axis = None,
    index: MaybeArray = None,
) -> Array:
    """gather(input_indices, axis): slices along an axis; gather(dim, index): elements along an axis."""
    if index is not None:
        return records["gather_elements"](self, input_indices if dim is None else dim, index)
    if input_indices is None or axis is None:
        raise TypeError("For 'Tensor.gather', give 'input_indices' and 'axis', or 'dim' and 'index'.")
    if isinstance(input_indices, int) or isinstance(axis, Tensor) and axis.ndim:
        return records["gather_elements"](self, input_indices, axis)
    return records["gather"](self, input_indices, axis, batch_dims)


@op(
    prim=Prim("GatherNd", call=args("input_x", "indices"), to={"input_x": "input"}),
    ops=Face("gather_nd", args("input_x", "indices"), to={"input_x": "input"}),
    tensor="gather_nd",
)
def gather_nd(input: Array, indices: Integers) -> Array:
    """The parts of a Tensor that the rows of `indices` (positions in the leading axes) point to.

    Example:
        >>> print(ops.gather_nd(Tensor([[1, 2], [3, 4]]), Tensor([[0, 1], [1, 0]])))
        [2 3]
    """
    _integers("GatherNd", indices)
    if indices.ndim == 0:  # a position on the first axis
        indices = indices[None]
    depth = indices.shape[-1]
    if depth > input.ndim:
        raise ValueError(
            "For 'GatherNd', the last axis of 'indices' must not be longer than the number of axes of 'input_x', "
            f"{input.ndim}, but got {depth}."
        )
    return input[tuple(positions(c, n, "GatherNd", wraps=False) for c, n in zip(columns(indices), input.shape))]


@op(
    ops=Face("index_select", fixed={"vector": True}),
    tensor=Method("index_select", fixed={"vector": True}),
    mint=Face("index_select", args("input", "dim", "index"), to={"dim": "axis"}),
)
def index_select(input: Array, axis: Static[Axis], index: Integers, vector: bool = False) -> Array:
    """Slices along an axis, in the order of a vector of indices.

    Example:
        >>> print(ops.index_select(Tensor([[1, 2], [3, 4]]), 1, Tensor([1])))
        [[2]
         [4]]
    """
    axis = axis_of("index_select", axis, input.ndim)
    number_of_axes("index_select", 1 if vector else (0, 1), index=index.shape)
    return _take(input, _integers("index_select", index).reshape(-1), axis, "Gather")


@op(prim=Prim("EmbeddingLookup"), ops=False)
def embedding_lookup(input_params: Array, input_indices: Array, offset: Static[int]) -> Array:
    """Rows of a table at indices - offset; zeros where that is outside."""
    number_of_axes("EmbeddingLookup", (1, 2), input_params=input_params.shape)
    number_of_axes("EmbeddingLookup", range(1, ANY), input_indices=input_indices.shape)
    place = input_indices - offset
    return jnp.take(input_params, jnp.where(place < 0, input_params.shape[0], place), 0, mode="fill", fill_value=0)


def _taken(input, indices, axis, mode):
    if axis is None:
        input, axis = input.reshape(-1), 0
    axis = axis_of("take", axis, input.ndim)
    length = input.shape[axis]
    if mode == "wrap":
        indices = indices % length
    elif mode == "clip":
        indices = clipped(indices, length)
    elif mode != "raise":
        raise ValueError(f"For 'take', the 'mode' must be one of ['raise', 'wrap', 'clip'], but got {mode!r}.")
    return jnp.take(input, positions(indices, length, "take"), axis, mode="fill", fill_value=0)


@op(ops=False, tensor="take", name="take_along")
def take_along(input: Array, indices: Integers, axis: Axis = None, mode: str = "clip") -> Array:
    """Elements along an axis (of all elements in C order without one); mode is the treatment of indices outside."""
    return _taken(input, jnp.asarray(indices), axis, mode)


@op(ops=True, mint="take")
def take(input: Array, index: Integers) -> Array:
    """Elements of all elements in C order.

    Example:
        >>> print(ops.take(Tensor([[1, 2], [3, 4]]), Tensor([0, 3])))
        [1 4]
    """
    return input.reshape(-1)[positions(index, input.size, "Take", "index")]


@op(
    ops=True,
    tensor=Method("narrow", args("dim", "start", "length"), to={"dim": "axis"}),
    mint=Face("narrow", args("input", "dim", "start", "length"), to={"dim": "axis"}),
)
def narrow(input: Array, axis: Static[Axis], start: Static[Any], length: Static[int]):
    """`length` elements along an axis, from `start` on.

    Example:
        >>> print(ops.narrow(Tensor([[1, 2, 3]]), 1, 1, 2))
        [[2 3]]
    """
    axis = axis_of("narrow", axis, input.ndim)
    size = input.shape[axis]
    if not 0 <= start <= size or not 0 <= length <= size - start:
        raise ValueError(
            f"For 'narrow', 'start' and 'length' must lie within the axis of size {size}, but got start {start} and "
            f"length {length}."
        )
    return lax.slice_in_dim(input, start, start + length, axis=axis)


@op(ops=True, prim=(Prim("SliceExt"), Prim("SliceExtView")))
def slice_ext(input: Array, dim: Static[Axis], start: Static[Any], end: Static[Any], step: Static[Like[PositiveInt]]):
    """Every step-th element along an axis from `start` up to `end`; negative bounds count from the end, others are cut to the axis.

    Example:
        >>> print(ops.slice_ext(Tensor([[1, 2, 3]]), 1, 1, 3, 1))
        [[2 3]]
    """
    axis = axis_of("SliceExt", dim, input.ndim)
    start, end, step = slice(start, end, step).indices(input.shape[axis])
    return lax.slice_in_dim(input, start, max(start, end), step, axis)


@op(prim=Prim("Slice"), ops="slice")
def slice_(input_x: Array, begin: Static[Ints], size: Static[Ints]) -> Array:
    """The box that begins at `begin` and has the given size; -1 means up to the end."""
    begin, size = shape_of("Slice", begin), shape_of("Slice", size)
    if len(begin) != input_x.ndim or len(size) != input_x.ndim:
        raise ValueError(
            f"For 'Slice', 'begin' and 'size' must have one number for each of the {input_x.ndim} axes, but got "
            f"{begin} and {size}."
        )
    ends = [n if s == -1 else b + s for b, s, n in zip(begin, size, input_x.shape)]
    if any(b < 0 or e > n or e < b for b, e, n in zip(begin, ends, input_x.shape)):
        raise ValueError(
            f"For 'Slice', the box must lie inside 'input_x' of shape {input_x.shape}, but got begin {begin} and size "
            f"{size}."
        )
    return lax.slice(input_x, begin, ends)


@op(prim=Prim("StridedSlice", inputs=("input_x", "begin", "end", "strides")), ops=True)
def strided_slice(
    input_x: Array,
    begin: Static[Ints],
    end: Static[Ints],
    strides: Static[Ints],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Array:
    """x[begin:end:strides] with one number for each axis; the bits of the masks change the meaning of single numbers.

    Example:
        >>> print(ops.strided_slice(Tensor([[1, 2, 3]]), (0, 0), (1, 3), (1, 2)))
        [[1 3]]
    """
    begin, end, strides = (
        shape_of("StridedSlice", begin),
        shape_of("StridedSlice", end),
        shape_of("StridedSlice", strides),
    )
    if not len(begin) == len(end) == len(strides):
        raise ValueError(
            f"For 'StridedSlice', 'begin', 'end' and 'strides' must be of the same length, but got {begin}, {end} and "
            f"{strides}."
        )
    if any(s == 0 for s in strides):
        raise ValueError(f"For 'StridedSlice', the 'strides' must not hold 0, but got {strides}.")
    index = []
    for i, (b, e, s) in enumerate(zip(begin, end, strides)):
        bit = 1 << i
        if ellipsis_mask & bit:
            index.append(Ellipsis)
        elif new_axis_mask & bit:
            index.append(None)
        elif shrink_axis_mask & bit:
            index.append(b)
        else:
            index.append(slice(None if begin_mask & bit else b, None if end_mask & bit else e, s))
    return input_x[tuple(index)]


# --- choosing
@op(ops=True)
def where(condition: Array, input: Operand, other: Operand) -> Array:
    """input where the condition is True, other elsewhere.

    Example:
        >>> print(ops.where(Tensor([True, False]), Tensor([1.0, 2.0]), 0.0))
        [1. 0.]
    """
    x, y = promote(input, other)
    return jnp.where(jnp.asarray(condition).astype(bool), x, y)


@composite(ops=False, tensor="where", name="where_method")
def where_method(self: Array, condition: Any, y: Any):
    """The elements where the condition is True, those of y elsewhere."""
    return records["where"](condition, self, y)


@op(
    prim=Prim("Select", call=args("cond", "x", "y"), to={"x": "input", "y": "other", "cond": "condition"}),
    ops=True,
    name="select",
)
def select(condition: Annotated[Array, Holding("bool")], input: Operand, other: Operand) -> Array:
    """input where the condition is True, other elsewhere.

    Example:
        >>> print(ops.select(Tensor([True, False]), Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))
        [1. 4.]
    """
    return where(condition, input, other)


@op(
    ops=False,
    prim=Prim(
        "SelectView",
        call=args("input_tensor", "input_indices", "axis"),
        to={"input_tensor": "input", "axis": "dim", "input_indices": "index"},
    ),
    mint="select",
    name="select_index",
)
def select_index(input: Array, dim: Static[Axis], index: Operand) -> Array:
    """The slice at one index along an axis, without that axis."""
    dim = axis_of("select", dim, input.ndim)
    place = positions(jnp.asarray(index), input.shape[dim], "SelectExtView", "index", errors=(ValueError, ValueError))
    return lax.dynamic_index_in_dim(input, place, dim, keepdims=False)


@composite(ops=False, tensor="select", name="select_method")
def select_method(
    self: Array, dim: Any = None, index: Any = None, *, condition: MaybeArray = None, y: Any = None
) -> Array:
    """select(dim, index): one slice along an axis; select(condition, y): elements by condition."""
    dim, index = dim if condition is None else condition, index if y is None else y
    if dim is None or index is None:
        raise TypeError("For 'Tensor.select', give 'dim' and 'index', or 'condition' and 'y'.")
    if isinstance(dim, Tensor) and dim.dtype == mstype.bool_:
        return records["select"](dim, self, index)
    return records["select_index"](self, dim, index)


@op(
    prim=Prim("MaskedFill", call=args("input_x", "mask", "value"), to={"input_x": "input"}),
    ops=Face("masked_fill", args("input_x", "mask", "value"), to={"input_x": "input"}),
    tensor="masked_fill",
    mint="masked_fill",
)
def masked_fill(input: Array, mask: Annotated[Array, Holding("bool")], value: Filling) -> Array:
    """`value` where the mask is True, the elements elsewhere; the dtype stays.

    Example:
        >>> print(ops.masked_fill(Tensor([1.0, 2.0]), Tensor([True, False]), 0.5))
        [0.5 2. ]
    """
    one_value("MaskedFill", value)
    return jnp.where(mask, written(value, input.dtype), input)


@composite(
    prim=Prim("MaskedSelect", call=args("x", "mask"), to={"x": "input"}),
    ops=True,
    tensor="masked_select",
    mint="masked_select",
)
def masked_select(input: Array, mask: Array) -> Array:
    """The elements where the mask is True, as one axis.

    Example:
        >>> print(ops.masked_select(Tensor([1, 2, 3]), Tensor([True, False, True])))
        [1 3]
    """
    if not isinstance(input, Tensor) or not isinstance(mask, Tensor) or mask.dtype != mstype.bool_:
        raise TypeError(
            "For 'MaskedSelect', the 'input' must be a Tensor and the 'mask' a bool Tensor, but got "
            f"{getattr(input, 'dtype', type(input).__name__)} and {getattr(mask, 'dtype', type(mask).__name__)}."
        )
    try:
        shape = np.broadcast_shapes(input.shape, mask.shape)
    except ValueError:
        raise ValueError(
            f"For 'MaskedSelect', the shapes {input.shape} and {mask.shape} cannot be broadcast to one."
        ) from None
    x, chosen = (v if v.shape == shape else records["broadcast_to"](v, shape) for v in (input, mask))
    # the positions first: integers have gradients. x[chosen] writes to x where a part of it is written, the result of an operator does not
    return (x[chosen] if shape else x.reshape((-1,))[chosen.reshape((-1,))]).copy()


@op(prim=Prim("NonZero", call=args("x"), to={"x": "input"}), ops=True, tensor="argwhere", dynamic=True)
def argwhere(input: Array):
    """Positions of the elements that are not 0, one row for each.

    Example:
        >>> print(ops.argwhere(Tensor([1, 0, 2])))
        [[0]
         [2]]
    """
    return jnp.stack(jnp.nonzero(jnp.atleast_1d(input)), -1)


@op(name="nonzero_tuple", ops=False, dynamic=True)
def nonzero_tuple(input: Array):
    """Positions of the elements that are not 0, one vector for each axis."""
    return tuple(jnp.nonzero(jnp.atleast_1d(input)))


@composite(
    ops=Face("nonzero", args("input").only(as_tuple=False)),
    tensor=Method("nonzero", args().only(as_tuple=False)),
    mint=Face("nonzero", args("input").only(as_tuple=False)),
)
def nonzero(input: Array, as_tuple: bool = False):
    """Positions of the elements that are not 0: one row for each, or (as_tuple) one vector for each axis.

    Example:
        >>> print(ops.nonzero(Tensor([1, 0, 2])))
        [[0]
         [2]]
    """
    return records["nonzero_tuple" if as_tuple else "argwhere"](input)


@composite(ops=False, mint="where", name="mint_where")
def mint_where(condition: Array, input: Any = None, other: Any = None) -> Any:
    """input where the condition is True, other elsewhere; with the condition alone the positions where it is True."""
    if input is None:
        return records["nonzero_tuple"](condition)
    return records["where"](condition, input, other)


# --- limits
def _limited(x, low, high):
    """Clip; the common dtype is that of the Tensor with scalars, as for arithmetic. NaN stays, and a limit of NaN gives NaN."""
    dtype = result_dtype(*[v for v in (x, low, high) if v is not None])
    x = cast(x, dtype)
    if low is not None:
        low = cast(low, dtype)
        x = jnp.where((x < low) | (low != low), low, x)
    if high is not None:
        high = cast(high, dtype)
        x = jnp.where((x > high) | (high != high), high, x)
    return x


@op(ops=("clamp", "clip"), tensor=("clamp", "clip"), mint=("clamp", "clip"))
def clamp(input: Array, min: Operand | None = None, max: Operand | None = None) -> Array:
    """The elements limited to [min, max]; either limit may be left out.

    Raises:
        ValueError: both limits are None.

    Example:
        >>> print(ops.clamp(Tensor([1.0, 5.0, 9.0]), 2, 6))
        [2. 5. 6.]
    """
    if min is None and max is None:
        raise ValueError("For 'clamp', at least one of 'min' and 'max' must not be None.")
    if any(x is not None and jnp.result_type(x) == np.bool_ for x in (input, min, max)):
        raise ValueError("For 'clamp', 'input', 'min' and 'max' must not be bools.")
    return _limited(input, min, max)


@op(name="clip_one_by_value", ops=False)
def clip_one_by_value(x: Array, low: Operand, high: Operand):
    """The elements limited to [low, high], both cast to the dtype of x; at the limits half of the gradient passes."""
    if low is not None:
        x = jnp.maximum(x, cast(low, x.dtype))
    return x if high is None else jnp.minimum(x, cast(high, x.dtype))


@composite(ops=True)
def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None):
    """The elements of a Tensor (or of each in a list or tuple) limited to [clip_value_min, clip_value_max].

    The limits are cast to the dtype of x, and the result has that dtype. `clamp` promotes instead.

    Raises:
        ValueError: both limits are None.

    Example:
        >>> print(ops.clip_by_value(Tensor([1.0, 5.0, 9.0]), 2, 6))
        [2. 5. 6.]
    """
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', at least one of 'clip_value_min' and 'clip_value_max' must not be None.")
    record = records["clip_one_by_value"]
    if isinstance(x, (tuple, list)):
        clipped = [record(v, clip_value_min, clip_value_max) for v in x]
        return clipped if isinstance(x, list) and current() is not None else tuple(clipped)  # as HyperMap gives them
    return record(x, clip_value_min, clip_value_max)

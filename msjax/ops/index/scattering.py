"""Writing by index into a new Tensor, or into a Parameter or Tensor itself."""

from typing import Any, Literal

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.program.halves import in_float32
from ...core.spec import Array, Arrays, Axis, Filling, Integers, Ints, MaybeArray, Number, Operand, Static
from ...core.spec.rules import AnyCase, AsValue
from ...core.values.parameter import Parameter
from ...core.values.promote import cast, check_stays, written
from ...core.values.tensor import Tensor
from ..shape.shaping import axis_of, shape_of
from ..shapes import any_case, no_longer_beside, number_of_axes, one_value, same_shape
from .gathering import along, columns, positions


def _factors(x, index, updates):
    """The product of the updates of each element."""
    return jnp.ones_like(x).at[index].multiply(updates)


def _other_factors(shape, index, updates):
    """For each update the product of the others of its element: running products from both sides, as quotients fail at 0."""
    index = jnp.broadcast_arrays(*(index if isinstance(index, tuple) else (index,)))
    updates = jnp.broadcast_to(updates, index[0].shape + shape[len(index) :])
    count = index[0].size
    if not count:
        return updates
    inside, place = jnp.ones(index[0].shape, bool), jnp.zeros(index[0].shape, jnp.int32)
    for i, length in zip(index, shape, strict=False):
        inside, place = inside & (i >= 0) & (i < length), place * length + i.astype(jnp.int32)
    place = jnp.where(inside, place, -1).reshape(-1)  # what lies outside is dropped later, whatever its factor
    order = jnp.argsort(place)
    place, values = place[order], updates.reshape(count, -1)[order]
    edge, border = jnp.ones((1, 1), bool), jnp.ones((1, values.shape[1]), values.dtype)
    first = jnp.concatenate([edge, (place[1:] != place[:-1])[:, None]])
    last = jnp.concatenate([first[1:], edge])

    def join(a, b):
        return a[0] | b[0], jnp.where(b[0], b[1], a[1] * b[1])

    before = jnp.where(first, 1, jnp.concatenate([border, values[:-1]]))
    after = jnp.where(last, 1, jnp.concatenate([values[1:], border]))
    before = lax.associative_scan(join, (first, before))[1]
    after = lax.associative_scan(join, (last, after), reverse=True)[1]
    return (before * after)[jnp.argsort(order)].reshape(updates.shape)


@jax.custom_jvp
def _times(x, index, updates):
    return x * _factors(x, index, updates)


@_times.defjvp
def _times_jvp(primals, tangents):
    x, index, updates = primals
    factors = _times(jnp.ones_like(x), index, updates)
    more = x[index] * _other_factors(x.shape, index, updates) * tangents[2]
    return x * factors, tangents[0] * factors + put(jnp.zeros_like(x), index, more, "add", _SUMMED_WIDE)


@jax.custom_jvp
def _over(x, index, updates):
    return x / _factors(x, index, updates)


@_over.defjvp
def _over_jvp(primals, tangents):
    x, index, updates = primals
    factors, out = _times(jnp.ones_like(x), index, updates), _over(x, index, updates)
    return out, tangents[0] / factors - put(
        jnp.zeros_like(x), index, out[index] / updates * tangents[2], "add", _SUMMED_WIDE
    )


def _is_float(x):
    return jnp.issubdtype(x.dtype, jnp.inexact)


# how an update meets the old element; products and quotients have a gradient also where an element is hit more than
# once
_WAYS = {
    "update": lambda x, i, u: x.at[i].set(u),
    "add": lambda x, i, u: x.at[i].add(u),
    "sub": lambda x, i, u: x.at[i].add(-u),
    "mul": lambda x, i, u: _times(x, i, u) if _is_float(x) else x.at[i].multiply(u),
    "div": lambda x, i, u: _over(x, i, u) if _is_float(x) else x.at[i].divide(u),
    "max": lambda x, i, u: x.at[i].max(u),
    "min": lambda x, i, u: x.at[i].min(u),
}
_WORDS = {
    "update": "replaced by",
    "add": "increased by",
    "sub": "decreased by",
    "mul": "multiplied with",
    "div": "divided by",
    "max": "raised to at least",
    "min": "lowered to at most",
}


# MindSpore's kernels that add float16 by index add one after the other in float16
_ADDED_WIDE = (jnp.bfloat16,)
_SUMMED_WIDE = (jnp.bfloat16, jnp.float16)


def put(x, index, updates, how, halves=_ADDED_WIDE):
    """An array with the updates at an index: in the place of its elements, or added to them, ... halves: dtypes whose sums are of float32."""
    way, updates = _WAYS[how], written(updates, x.dtype)
    if how in ("add", "sub"):
        return in_float32(lambda x, updates: way(x, index, updates), x, updates, halves=halves).astype(x.dtype)
    return way(x, index, updates).astype(x.dtype)


def _nd_index(name, x, indices, errors=(RuntimeError, RuntimeError)):
    depth = indices.shape[-1] if indices.ndim else 1
    if indices.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the type of 'indices' must be an integer type, but got {indices.dtype}.")
    if depth > x.ndim:
        raise ValueError(
            f"For '{name}', the last axis of 'indices' must not be longer than the number of axes of 'input_x', "
            f"{x.ndim}, but got {depth}."
        )
    return tuple(positions(c, n, name, wraps=False, errors=errors) for c, n in zip(columns(indices), x.shape))


def _check_updates(name, x, indices, updates):
    if indices.ndim < 2:
        raise ValueError(f"For '{name}', 'indices' must have at least 2 axes, but got shape {indices.shape}.")
    wanted = indices.shape[:-1] + x.shape[indices.shape[-1] :]
    if jnp.shape(updates) != wanted:
        raise ValueError(
            f"For '{name}', the shape of 'updates' must be indices.shape[:-1] + input_x.shape[indices.shape[-1]:] = "
            f"{wanted}, but got {jnp.shape(updates)}."
        )


def _pascal(text):
    return "".join(part.capitalize() for part in text.split("_"))


def _register(how):
    """The three families of one way: on a new Tensor by positions, on a Parameter by positions, on a Parameter by
    rows.
    """
    word = _WORDS[how]
    errors = (RuntimeError, ValueError) if how == "update" else (RuntimeError, RuntimeError)

    def tensor_scatter(input_x: Array, indices: Integers, updates: Array) -> Array:
        _check_updates(f"TensorScatter{_pascal(how)}", input_x, indices, updates)
        return put(input_x, _nd_index(f"TensorScatter{_pascal(how)}", input_x, indices, errors), updates, how)

    def scatter_nd(input_x: Array, indices: Integers, updates: Operand, use_locking: bool = False) -> Array:
        check_stays(input_x, jnp.asarray(updates), "input_x", "updates")
        _check_updates(f"ScatterNd{_pascal(how)}", input_x, indices, updates)
        return put(input_x, _nd_index(f"ScatterNd{_pascal(how)}", input_x, indices, errors), updates, how)

    def scatter_rows(input_x: Array, indices: Integers, updates: Operand, use_locking: bool = False) -> Array:
        check_stays(input_x, jnp.asarray(updates), "input_x", "updates")
        wanted = jnp.shape(indices) + input_x.shape[1:]
        if jnp.shape(updates) != wanted:
            raise ValueError(
                f"For 'Scatter{_pascal(how)}', the shape of 'updates' must be indices.shape + input_x.shape[1:] = "
                f"{wanted}, but got {jnp.shape(updates)}."
            )
        index = positions(indices, input_x.shape[0], f"Scatter{_pascal(how)}", wraps=False)
        return put(input_x, (index,), updates, how)

    tensor_scatter.__doc__ = (
        f"A new Tensor in which the parts that the rows of `indices` point to are {word} the updates.\n\nExample:\n"
        f"    >>> ops.tensor_scatter_{how}(Tensor([1.0, 2.0]), Tensor([[0]]), Tensor([3.0]))\n"
    )
    scatter_nd.__doc__ = (
        f"A Parameter in which the parts that the rows of `indices` point to are {word} the updates; "
        "it is changed itself."
    )
    scatter_rows.__doc__ = f"A Parameter in which the rows `indices` are {word} the updates; it is changed itself."
    method = f"scatter_{how}" if how in ("sub", "mul", "div", "max", "min") else None
    op(
        tensor_scatter,
        name=f"tensor_scatter_{how}",
        prim=Prim(f"TensorScatter{_pascal(how)}"),
        ops=f"tensor_scatter_{how}",
        tensor=method,
    )
    locked, parts = how == "update", args("input_x", "indices", "updates")
    more = (Prim("ScatterNonAliasingAdd", call=args("input_x", "indices", "updates")),) if how == "add" else ()
    op(
        scatter_nd,
        name=f"scatter_nd_{how}",
        prim=(Prim(f"ScatterNd{_pascal(how)}", init=args(use_locking=locked), call=parts), *more),
        ops=Face(f"scatter_nd_{how}", args("input_x", "indices", "updates", use_locking=locked)),
        writes=(0,),
    )
    op(
        scatter_rows,
        name=f"scatter_{how}",
        prim=Prim(f"Scatter{_pascal(how)}", init=args(use_locking=locked), call=parts),
        ops=Face(f"scatter_{how}", args("input_x", "indices", "updates")),
        writes=(0,),
    )


for _how in _WAYS:
    _register(_how)


@op(prim=Prim("ScatterNd"), ops=True)
def scatter_nd(indices: Integers, updates: Array, shape: Static[Ints]) -> Array:
    """Zeros of the given shape with the updates added at the positions that the rows of `indices` point to.

    Example:
        >>> print(ops.scatter_nd(Tensor([[1]]), Tensor([3.0]), (3,)))
        [0. 3. 0.]
    """
    x = jnp.zeros(shape_of("ScatterNd", shape), updates.dtype)
    _check_updates("ScatterNd", x, indices, updates)
    if updates.dtype == bool:  # a sum of them says whether any is true
        return put(x, _nd_index("ScatterNd", x, indices), updates, "max")
    return put(x, _nd_index("ScatterNd", x, indices), updates, "add", _SUMMED_WIDE)


def _element_index(name, x, axis, index):
    axis = axis_of(name, axis, x.ndim)
    if index.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the type of 'indices' must be an integer type, but got {index.dtype}.")
    no_longer_beside(name, index.shape, x.shape, axis, RuntimeError)
    grid = list(jnp.meshgrid(*[jnp.arange(n) for n in index.shape], indexing="ij", sparse=True))
    grid[axis] = jnp.where(index < 0, index + x.shape[axis], index)  # those outside are left out, as documented
    return tuple(grid)


def _scatter_elements(name, x, axis, index, src, how, halves=_ADDED_WIDE):
    if jnp.ndim(src):
        if src.ndim != index.ndim or any(n < m for n, m in zip(src.shape, index.shape)):
            raise RuntimeError(
                f"For '{name}', the 'src' must be as long as the 'index' in each axis, but got shapes {src.shape} and {index.shape}."
            )
        src = src[tuple(slice(n) for n in index.shape)]
    return put(x, _element_index(name, x, axis, index), src, how, halves)


_REDUCTIONS = {"none": "update", "add": "add", "mul": "mul", "max": "max", "min": "min", "multiply": "mul"}


@op(
    prim=Prim(
        "TensorScatterElements",
        init=args(axis=0, reduction="none"),
        call=args("data", "indices", "updates"),
        to={"data": "input_x"},
    ),
    ops=True,
)
def tensor_scatter_elements(
    input_x: Array,
    indices: Integers,
    updates: Array,
    axis: int = 0,
    reduction: AsValue[AnyCase[Literal[tuple(_REDUCTIONS)]]] = "none",
) -> Array:
    """A new Tensor with the updates at `indices` along one axis; in the other axes the place is that of the update
    itself.

    Args:
        reduction: "none" (replace), "add", "mul", "max" or "min".

    Example:
        >>> ops.tensor_scatter_elements(Tensor([[1, 2], [3, 4]]), Tensor([[1], [0]]), Tensor([[7], [8]]), axis=1)
        Tensor(shape=[2, 2], dtype=Int64, value=
        [[1, 7],
         [8, 4]])
    """
    reduction = any_case(reduction)
    number_of_axes("TensorScatterElements", input_x.ndim, indices=indices.shape, updates=updates.shape)
    same_shape("TensorScatterElements", RuntimeError, indices=indices.shape, updates=updates.shape)
    return _scatter_elements("TensorScatterElements", input_x, axis, indices, updates, _REDUCTIONS[reduction])


@op(ops=True, name="scatter")
def scatter(input: Array, axis: Static[Axis], index: Integers, src: Operand) -> Array:
    """A new Tensor with the elements of `src` at `index` along one axis.

    Example:
        >>> print(ops.scatter(Tensor([[1, 2], [3, 4]]), 1, Tensor([[1], [0]]), Tensor([[7], [8]])))
        [[1 7]
         [8 4]]
    """
    if jnp.ndim(src):
        same_shape("scatter", RuntimeError, index=index.shape, src=src.shape)
    return _scatter_elements("scatter", input, axis, index, src, "update")


@op(ops=False, name="scatter_add_elements", mint="scatter_add")
def scatter_add_elements(input: Array, dim: Static[Axis], index: Integers, src: Array) -> Array:
    """A new Tensor with the elements of `src` added at `index` along one axis."""
    number_of_axes("scatter_add", input.ndim, index=index.shape, src=src.shape)
    return _scatter_elements("scatter_add", input, dim, index, src, "add", _SUMMED_WIDE)


@op(ops=False, name="scatter_mul_elements")
def scatter_mul_elements(input: Array, dim: Static[Axis], index: Integers, src: Operand):
    """A new Tensor with the elements at `index` along one axis multiplied with those of `src`."""
    return _scatter_elements("scatter", input, dim, index, src, "mul")


@composite(
    ops=False,
    tensor=Method("scatter", args("dim", "index", src=None).only(value=None, reduce=None)),
    mint=Face("scatter", args("input", "dim", "index", src=None).only(value=None, reduce=None), to={"input": "self"}),
    name="scatter_method",
)
def scatter_method(
    self: Array, dim: Axis, index: Array, src: Any = None, value: Number | None = None, reduce: Any = None
) -> Array:
    """A new Tensor with the elements of `src` (or one value) at `index` along one axis; `reduce` is None, "add" or
    "multiply".
    """
    names = {None: "scatter", "none": "scatter", "add": "scatter_add_elements", "multiply": "scatter_mul_elements"}
    if reduce not in names:
        raise ValueError(f"For 'scatter', the 'reduce' must be None, 'add' or 'multiply', but got {reduce!r}.")
    return records[names[reduce]](self, dim, index, src if value is None else value)


@composite(
    ops=False,
    tensor=Method("scatter_add", args(indices=None, updates=None, src=None).only(dim=None, index=None)),
    name="scatter_add_method",
)
def scatter_add_method(
    self: Array,
    indices: Any = None,
    updates: MaybeArray = None,
    src: MaybeArray = None,
    dim: Axis = None,
    index: MaybeArray = None,
) -> Array:
    """scatter_add(indices, updates): by positions; scatter_add(dim, index, src): along an axis."""
    if src is not None or not isinstance(indices, Tensor):
        dim, index = indices if dim is None else dim, updates if index is None else index
        if dim is None or index is None or src is None:
            raise TypeError("For 'Tensor.scatter_add', the arguments must be (dim, index, src) or (indices, updates).")
        return records["scatter_add_elements"](self, dim, index, src)
    return records["tensor_scatter_add"](self, indices, updates)


# --- rows and slices
@op(name="index_add_slices", ops=False)
def index_add_slices(x: Array, indices: Integers, y: Operand, axis: Static[Axis]):
    """A Tensor with the slices of y added to the slices `indices` along an axis."""
    axis = axis_of("IndexAdd", axis, x.ndim)
    same_shape("IndexAdd", slices=_slices(x, axis, indices), y=jnp.shape(y))
    return put(x, along(x, axis, indices, "IndexAdd", wraps=False), y, "add")


def _slices(x, axis, indices):
    """The shape of the slices of an array at these indices along an axis."""
    return (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :])


@composite(prim=Prim("IndexAdd", inputs=("x", "indices", "y")), ops=True)
def index_add(
    x: Array, indices: Array, y: Array, axis: Axis, use_lock: bool = True, check_index_bound: bool = True
) -> Array:
    """The slices of y added to the slices `indices` along an axis; a Parameter is changed itself.

    Example:
        >>> print(ops.index_add(Tensor([[1.0, 2.0]]), Tensor([0]), Tensor([[0.5]]), 1))
        [[1.5 2. ]]
    """
    out = records["index_add_slices"](x, indices, y, axis)
    if isinstance(x, Parameter):
        x._assign(out.jax_array, out._var)
    return out


@op(ops=False, name="index_add_scaled", mint=Face("index_add", args("input", "dim", "index", "source").only(alpha=1)))
def index_add_scaled(input: Array, dim: Static[Axis], index: Integers, source: Array, alpha: Operand = 1) -> Array:
    """A Tensor with alpha times the slices of source added to the slices `index` along an axis."""
    axis = axis_of("index_add", dim, input.ndim)
    same_shape("index_add", slices=_slices(input, axis, index), source=source.shape)
    return put(
        input, along(input, axis, index, "index_add", "index", wraps=False), source * cast(alpha, source.dtype), "add"
    )


@composite(
    ops=False,
    tensor=Method(
        "index_add",
        args(dim=None, index=None, source=None, use_lock=True, check_index_bound=True).only(
            alpha=1, indices=None, y=None, axis=None
        ),
    ),
    name="index_add_method",
)
def index_add_method(
    self: Array,
    dim: Any = None,
    index: Any = None,
    source: Any = None,
    use_lock: bool = True,
    check_index_bound: bool = True,
    alpha: Number = 1,
    indices: MaybeArray = None,
    y: MaybeArray = None,
    axis: Axis = None,
) -> Array:
    """index_add(dim, index, source, alpha=1), or index_add(indices, y, axis) in the older order."""
    if isinstance(dim, Tensor):
        dim, index, source = source, dim, index
    dim, index, source = (new if old is None else old for old, new in ((dim, axis), (index, indices), (source, y)))
    if dim is None or index is None or source is None:
        raise TypeError("For 'Tensor.index_add', the arguments must be (dim, index, source) or (indices, y, axis).")
    return records["index_add_scaled"](self, dim, index, source, alpha)


@op(
    prim=Prim("IndexFill", call=args("x", "dim", "indices", "value"), to={"dim": "axis", "indices": "index"}),
    ops=True,
    tensor="index_fill",
)
def index_fill(x: Array, axis: Static[Axis], index: Integers, value: Filling) -> Array:
    """A Tensor with the slices `index` along an axis filled with one value.

    Example:
        >>> print(ops.index_fill(Tensor([[1.0, 2.0]]), 1, Tensor([0]), 9.0))
        [[9. 2.]]
    """
    axis = axis_of("IndexFill", axis, x.ndim)
    number_of_axes("IndexFill", (0, 1), index=index.shape)
    one_value("IndexFill", value)
    return x.at[along(x, axis, jnp.atleast_1d(index), "IndexFill", "index")].set(written(value, x.dtype))


@op(ops=True, prim=Prim("InplaceIndexAdd", inputs=("var", "indices", "updates")), writes=(0,))
def inplace_index_add(var: Array, indices: Integers, updates: Array, axis: Static[Axis]) -> Array:
    """A Parameter with the slices of updates added to the slices `indices` along an axis; it is changed itself."""
    axis = axis_of("InplaceIndexAdd", axis, var.ndim)
    same_shape("InplaceIndexAdd", slices=_slices(var, axis, indices), updates=updates.shape)
    return put(var, along(var, axis, indices, "InplaceIndexAdd", wraps=False), updates, "add")


@op(prim=Prim("IndexPut", inputs=("x1", "x2", "indices")), ops=False)
def index_put_array(x1: Array, x2: Array, indices: Arrays, accumulate: int = 0) -> Array:
    """A Tensor with the elements at the given positions (one integer Tensor for each leading axis) replaced by x2, or
    increased.
    """
    errors = (ValueError, ValueError)
    number_of_axes(
        "IndexPut", 1, x2=x2.shape, **{f"indices[{d}]": i.shape for d, i in enumerate(indices) if i.dtype != bool}
    )
    index = tuple(
        positions(i, x1.shape[d], "IndexPut", errors=errors) if i.dtype != bool else i for d, i in enumerate(indices)
    )
    return put(x1, index, x2, "add" if accumulate else "update")


@composite(ops=False, tensor="index_put", name="index_put_method")
def index_put_method(self: Array, indices: Any, values: Array, accumulate: bool = False) -> Array:
    """A Tensor with the elements at the given positions replaced by the values, or (accumulate) increased by them."""
    return records["index_put_array"](self, values, tuple(indices), int(accumulate))


@op(ops=True, tensor="select_scatter")
def select_scatter(input: Array, src: Array, axis: Static[Axis], index: Static[int]) -> Array:
    """A Tensor with the slice at one index along an axis replaced by src.

    Example:
        >>> print(ops.select_scatter(ops.zeros((2, 2)), ops.ones((2,)), 0, 1))
        [[0. 0.]
         [1. 1.]]
    """
    if not input.ndim:
        raise IndexError("For 'select_scatter', the 'input' must have an axis, but got a number.")
    axis = axis_of("select_scatter", axis, input.ndim)
    n = input.shape[axis]
    if not -n <= index < n:  # JAX would write nothing
        raise ValueError(f"For 'select_scatter', the 'index' must be in range [{-n}, {n}), but got {index}.")
    return _put("select_scatter", input, src, (slice(None),) * axis + (index,))


@op(ops=True, tensor="slice_scatter")
def slice_scatter(
    input: Array,
    src: Array,
    axis: Static[int] = 0,
    start: Static[int | None] = None,
    end: Static[int | None] = None,
    step: Static[int] = 1,
) -> Array:
    """A Tensor with the slice [start:end:step] along an axis replaced by src.

    Example:
        >>> print(ops.slice_scatter(ops.zeros((4, 2)), ops.ones((2, 2)), 0, 1, 3))
        [[0. 0.]
         [1. 1.]
         [1. 1.]
         [0. 0.]]
    """
    if axis >= input.ndim or not input.ndim:
        raise IndexError(f"For 'slice_scatter', the 'axis' must be below {input.ndim}, but got {axis}.")
    axis = axis_of("slice_scatter", axis, input.ndim)
    return _put("slice_scatter", input, src, (slice(None),) * axis + (slice(start, end, step),))


@op(ops=True, tensor="diagonal_scatter")
def diagonal_scatter(input: Array, src: Array, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Array:
    """A Tensor with a diagonal replaced by src.

    Example:
        >>> print(ops.diagonal_scatter(ops.zeros((2, 2)), ops.ones((2,))))
        [[1. 0.]
         [0. 1.]]
    """
    moved = jnp.moveaxis(input, (dim1, dim2), (-2, -1))
    rows, columns = moved.shape[-2:]
    if not -rows < offset < columns:
        raise ValueError(f"For 'diagonal_scatter', the 'offset' must be in ({-rows}, {columns}), but got {offset}.")
    i = jnp.arange(min(rows + min(offset, 0), columns - max(offset, 0)))
    moved = _put("diagonal_scatter", moved, src, (..., i + max(-offset, 0), i + max(offset, 0)))
    return jnp.moveaxis(moved, (-2, -1), (dim1, dim2))


def _put(name, input, src, index):
    """The array with a part replaced by `src`, which is not broadcast."""
    same_shape(name, part=jax.eval_shape(lambda x: x[index], input).shape, src=src.shape)
    return input.at[index].set(cast(src, input.dtype))


@op(prim=Prim("ScatterAddWithAxis", inputs=("input_x", "indices", "updates")), ops=False)
def scatter_add_with_axis(input_x: Array, indices: Integers, updates: Array, axis: int = 0):
    """A Tensor with the updates added at `indices` along one axis."""
    same_shape("ScatterAddWithAxis", indices=indices.shape, updates=updates.shape)
    return _scatter_elements("ScatterAddWithAxis", input_x, axis, indices, updates, "add")

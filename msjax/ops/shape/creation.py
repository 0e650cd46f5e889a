"""Operators that make Tensors."""

import math
import numbers
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.arguments import plain
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Dtype, Filling, Integers, Ints, Number, Operand, Real, Static
from ...core.values import dtype as mstype
from ...core.values.promote import cast, kind_of, numpy_among, numpy_or, written
from ...core.values.ranges import check_range
from ...core.values.tensor import Tensor
from ..shapes import number_of_axes
from .shaping import axis_of, shape_of, variadic


def _size(name, size):
    size = shape_of(name, size)
    if any(s < 0 for s in size):
        raise ValueError(f"For '{name}', the elements of 'shape' must not be negative, but got {size}.")
    return size


@op(prim=Prim("Zeros", call=args("shape", dtype=None), to={"shape": "size"}), ops=True)
def zeros(size: Static[Ints], dtype: Dtype | None = None) -> Array:
    """Tensor of zeros (float32 by default).

    Example:
        >>> print(ops.zeros((2, 2), mindspore.int32))
        [[0 0]
         [0 0]]
    """
    return jnp.zeros(_size("zeros", size), numpy_or(dtype))


@op(prim=Prim("Ones"), ops=True)
def ones(shape: Static[Ints], dtype: Dtype | None = None) -> Array:
    """Tensor of ones (float32 by default).

    Example:
        >>> print(ops.ones((2, 2), mindspore.int32))
        [[1 1]
         [1 1]]
    """
    return jnp.ones(_size("ones", shape), numpy_or(dtype))


def _mint_filled(name):
    record = records[name]

    def filled(*size: Any, dtype: Dtype | None = None, device: Any = None) -> Array:
        return record(variadic(size), dtype)

    filled.__doc__ = f"Tensor of {name}; the shape as numbers or as one tuple."
    composite(filled, name=f"mint_{name}", ops=False, mint=name)


_mint_filled("zeros")
_mint_filled("ones")


@op(
    prim=(Prim("ZerosLike", call=args("x"), to={"x": "input"}),),
    ops=Face("zeros_like", args("input").only(dtype=None)),
    mint=Face("zeros_like", args("input").only(dtype=None)),
)
def zeros_like(input: Array, dtype: Dtype | None = None) -> Array:
    """Tensor of zeros in the shape (and dtype) of another.

    Example:
        >>> print(ops.zeros_like(Tensor([1, 2])))
        [0 0]
    """
    return jnp.zeros(jnp.shape(input), numpy_or(dtype, jnp.asarray(input).dtype))


@op(
    prim=(Prim("OnesLike", call=args("x"), to={"x": "input"}),),
    ops=Face("ones_like", args("input").only(dtype=None)),
    mint=Face("ones_like", args("input").only(dtype=None)),
)
def ones_like(input: Array, dtype: Dtype | None = None) -> Array:
    """Tensor of ones in the shape (and dtype) of another.

    Example:
        >>> print(ops.ones_like(Tensor([1, 2])))
        [1 1]
    """
    return jnp.ones(jnp.shape(input), numpy_or(dtype, jnp.asarray(input).dtype))


@op(ops=Face("full", args("size", "fill_value").only(dtype=None)))
def full(size: Static[Ints], fill_value: Filling, dtype: Dtype | None = None) -> Array:
    """Tensor filled with one value; int64 without a dtype, whatever the value is (1.2 becomes 1), as in MindSpore.

    Example:
        >>> print(ops.full((2, 2), 3.5, dtype=mindspore.float32))
        [[3.5 3.5]
         [3.5 3.5]]
    """
    return _filled("full", size, fill_value, mstype.int64 if dtype is None else dtype)


def _filled(name, size, value, dtype):
    weak = getattr(value, "weak_type", False) or isinstance(value, (numbers.Real, complex))
    if dtype is None and weak:
        dtype = {"b": mstype.bool_, "i": mstype.int64, "f": mstype.float32}.get(
            jnp.asarray(value).dtype.kind, mstype.complex64
        )
    value = jnp.asarray(value)
    return jnp.full(_size(name, size), cast(value, numpy_or(dtype, value.dtype)))


@op(ops=False, mint=Face("full", args("size", "fill_value").only(dtype=None)), name="mint_full")
def mint_full(size: Static[Ints], fill_value: Filling, dtype: Dtype | None = None) -> Array:
    """Tensor filled with one value; without a dtype that of the value (int64, float32, bool)."""
    return _filled("full", size, fill_value, dtype)


@op(
    ops=Face("full_like", args("input", "fill_value").only(dtype=None)),
    mint=Face("full_like", args("input", "fill_value").only(dtype=None)),
)
def full_like(input: Array, fill_value: Filling, dtype: Dtype | None = None) -> Array:
    """Tensor in the shape (and dtype) of another, filled with one value.

    Example:
        >>> print(ops.full_like(Tensor([1, 2]), 3))
        [3 3]
    """
    number_of_axes("full_like", (0, 1), fill_value=jnp.shape(fill_value))
    return jnp.full(input.shape, cast(fill_value, numpy_or(dtype, input.dtype)))


@op(ops=False, tensor="fill", name="fill_like")
def fill_like(input: Array, value: Filling):
    """Tensor in the shape and dtype of another, filled with one value."""
    return jnp.full(input.shape, written(value, input.dtype))


@op(prim=Prim("Fills"), ops=True, tensor="fills", name="fills")
def fills(x: Array, value: Filling) -> Array:
    """Tensor in the shape and dtype of another, filled with one value."""
    return fill_like(x, value)


@op(prim=Prim("Fill"), ops=True)
def fill(type: Dtype, shape: Static[Ints], value: Filling) -> Array:
    """Tensor of a dtype and shape filled with one value.

    Example:
        >>> print(ops.fill(mindspore.float32, (2, 2), 1))
        [[1. 1.]
         [1. 1.]]
    """
    return _filled("Fill", shape, value, type)


@op(prim=Prim("FillV2"), ops=False)
def fill_v2(shape: Static[Ints], value: Array):
    """Tensor of a shape filled with one value, in the value's dtype."""
    return _filled("FillV2", shape, value, None)


def _new_method(name, made):
    def method(
        self: Array, *sizes: Any, size: Ints | None = None, dtype: Dtype | None = None, device: str | None = None
    ) -> Array:
        if dtype is None and sizes and isinstance(sizes[-1], mstype.Type):
            sizes, dtype = sizes[:-1], sizes[-1]
        return records[made](variadic(sizes) if size is None else size, self.dtype if dtype is None else dtype)

    method.__doc__ = f"Tensor of {made} of the given shape, in this Tensor's dtype unless one is given."
    composite(method, name=f"{name}_method", ops=False, tensor=name)


_new_method("new_zeros", "zeros")
_new_method("new_ones", "ones")
_new_method("new_empty", "zeros")


@composite(ops=False, tensor=Method("new_full", args("size", "fill_value").only(dtype=None)))
def new_full(self: Array, size: Ints, fill_value: Number, dtype: Dtype | None = None) -> Array:
    """Tensor of the given shape filled with one value, in this Tensor's dtype unless one is given."""
    return records["full"](size, fill_value, self.dtype if dtype is None else dtype)


@composite(
    ops=False, mint=Face("empty", args("*size", dtype=None, device=None, pin_memory=False), unused=("pin_memory",))
)
def empty(*size: Any, dtype: Dtype | None = None, device: str | None = None) -> Array:
    """A Tensor with arbitrary content (zeros here)."""
    return records["zeros"](variadic(size), dtype)


@composite(
    ops=False,
    mint=Face("empty_like", args("input").only(dtype=None, device=None, pin_memory=False), unused=("pin_memory",)),
)
def empty_like(input: Array, dtype: Dtype | None = None, device: str | None = None) -> Array:
    """A Tensor with arbitrary content (zeros here) in the shape of another."""
    return records["zeros_like"](input, dtype)


@composite(ops=False, prim=Prim("Eye", call=args("n", "m", "t"), to={"t": "dtype"}))
def eye_of(n: Static[int], m: Static[int], dtype: Dtype) -> Array:
    """`eye` whose type must be given."""
    if dtype is None:
        raise TypeError("For 'Eye', the 'dtype' must be a type of MindSpore, but got None.")
    return records["eye"](n, m, dtype)


@op(ops=True, mint="eye")
def eye(n: Static[int], m: Static[int | None] = None, dtype: Dtype | None = None) -> Array:
    """Matrix with ones on the main diagonal, zeros elsewhere.

    Example:
        >>> print(ops.eye(2, 3))
        [[1. 0. 0.]
         [0. 1. 0.]]
    """
    for name, value in (("n", n), ("m", m)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise TypeError(f"For 'Eye', the '{name}' must be an int, but got {value!r}.")
        if value is not None and value < 0:
            raise ValueError(f"For 'Eye', the '{name}' must not be negative, but got {value}.")
    return jnp.eye(n, m, dtype=numpy_or(dtype))


def _number(value):
    value = plain(value)
    return value.item() if isinstance(value, np.generic) else value


def _only(value):
    """The number in a Tensor of one element, whatever its axes."""
    if isinstance(value, Tensor) and value.ndim:
        if value.size != 1:
            raise ValueError(f"Can only convert tensor with one element to number, but got {value!r}")
        value = value.reshape(())
    return _number(value)


@composite(
    ops=Face("arange", args(start=0, end=None, step=1).only(dtype=None)),
    mint=Face("arange", args(start=0, end=None, step=1).only(dtype=None)),
)
def arange(
    start: Real | Tensor = 0, end: Real | Tensor | None = None, step: Real | Tensor = 1, dtype: Dtype | None = None
) -> Array:
    """Numbers from start (included) to end (excluded) in equal steps: int64, or float32 if one of them is a float.

    Example:
        >>> print(ops.arange(1, 7, 2))
        [1 3 5]
    """
    if end is None:
        start, end = 0, start
    for value in (start, end, step):
        if isinstance(value, Tensor) and value.dtype not in (
            mstype.int32,
            mstype.int64,
            mstype.float32,
            mstype.float64,
        ):
            raise TypeError(
                f"For 'arange', a Tensor must be of int32, int64, float32 or float64, but got Tensor[{value.dtype}]."
            )
    number_of_axes(
        "arange",
        0,
        **{n: v.shape for n, v in zip(("start", "end", "step"), (start, end, step)) if isinstance(v, Tensor)},
    )
    start, end, step = _number(start), _number(end), _number(step)
    if dtype is None:
        dtype = mstype.int64 if all(isinstance(v, numbers.Integral) for v in (start, end, step)) else mstype.float32
    return _steps(start, end, step, dtype)


def _steps(start, end, step, dtype):
    if step == 0:
        raise ValueError("For 'arange', the 'step' must not be 0.")
    if (end - start) * step < 0:
        raise ValueError(
            f"For 'arange', the 'end' must be on the side of 'start' where 'step' leads, but got start {start}, end "
            f"{end}, step {step}."
        )
    count = max(math.ceil((end - start) / step), 0)
    return Tensor((start + step * np.arange(count)).astype(mstype.to_numpy(dtype)))


@composite(
    prim=Prim(
        "Range", init=args(maxlen=1000000), call=args("start", "limit", "delta"), to={"limit": "end", "delta": "step"}
    ),
    ops=("range", "tensor_range"),
    name="range_function",
)
def range_function(start: Any, end: Any, step: Any, maxlen: int = 1000000) -> Array:
    """Numbers from start (included) to end (excluded) in equal steps.

    Example:
        >>> print(ops.range(0, 6, 2))
        [0 2 4]
    """
    start, end, step = map(_only, (start, end, step))
    whole = all(
        isinstance(v, numbers.Integral) for v in (start, end, step)
    )  # MindSpore keeps no narrower type of its Tensors
    return _steps(start, end, step, mstype.int64 if whole else mstype.float32)


@op(prim=Prim("LinSpace", call=args("start", "stop", "num"), to={"stop": "end", "num": "steps"}), ops=True)
def linspace(start: Operand, end: Operand, steps: Static[Any]) -> Array:
    """`steps` numbers from start to end, both included, at equal distances.

    Example:
        >>> print(ops.linspace(1, 10, 4))
        [ 1.  4.  7. 10.]
    """
    number_of_axes("LinSpace", 0, start=jnp.shape(start), stop=jnp.shape(end))
    return _spaced(start, end, steps, None)


def _spaced(start, end, steps, dtype):
    if isinstance(steps, bool) or not isinstance(steps, int):
        raise TypeError(f"For 'linspace', the 'steps' must be an int, but got {steps!r}.")
    if steps < 1:
        raise ValueError(f"For 'linspace', the 'steps' must be positive, but got {steps}.")
    kind = [v.dtype for v in (start, end) if hasattr(v, "dtype") and not getattr(v, "weak_type", False)]
    work = kind[0] if kind and kind[0].kind == "f" else np.dtype(np.float32)
    start, end = jnp.asarray(start).astype(work)[..., None], jnp.asarray(end).astype(work)[..., None]
    step = (end - start) / max(steps - 1, 1)
    place = jnp.arange(steps)
    values = jnp.where(
        place < steps // 2 + steps % 2, start + place.astype(work) * step, end - (steps - 1 - place).astype(work) * step
    )
    return values.astype(numpy_or(dtype, work))


@op(ops=False, mint=Face("linspace", args("start", "end", "steps").only(dtype=None)), name="mint_linspace")
def mint_linspace(start: Operand, end: Operand, steps: Static[int], dtype: Dtype | None = None) -> Array:
    """`steps` numbers from start to end, both included, at equal distances."""
    return _spaced(start, end, steps, dtype)


@op(
    ops=Face("logspace", args("start", "end", "steps", base=10).only(dtype=mstype.float32)),
    prim=Prim("LogSpace", inputs=("start", "end")),
)
def logspace(
    start: Operand, end: Operand, steps: Static[int] = 10, base: int = 10, dtype: Dtype = mstype.float32
) -> Array:
    """base to the power of `steps` numbers from start to end at equal distances.

    Example:
        >>> print(ops.logspace(Tensor(1.0), Tensor(3.0), 3))
        [  10.  100. 1000.]
    """
    number_of_axes("LogSpace", 0, start=jnp.shape(start), end=jnp.shape(end))
    return jnp.power(jnp.asarray(base, jnp.float32), _spaced(start, end, steps, mstype.float32)).astype(
        mstype.to_numpy(dtype)
    )


@op(prim=Prim("OneHot", init=args(axis=-1), call=args("indices", "depth", "on_value", "off_value")), ops=True)
def one_hot(
    indices: Integers, depth: Static[Any], on_value: Operand = 1, off_value: Operand = 0, axis: int = -1
) -> Array:
    """on_value where the position along a new axis equals the index, off_value elsewhere; indices outside [0, depth)
    give none.

    Example:
        >>> print(ops.one_hot(Tensor([0, 2]), 3, 1.0, 0.0))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """
    if kind_of(indices.dtype) > 1:
        raise TypeError(f"For 'OneHot', the 'indices' must be integers, but got {mstype.from_numpy(indices.dtype)}.")
    if isinstance(depth, str):
        raise TypeError(f"For 'OneHot', the 'depth' must be an int, but got {depth!r}.")
    if depth < 0:
        raise ValueError(f"For 'OneHot', the 'depth' must not be negative, but got {depth}.")
    axis = axis_of("OneHot", axis, indices.ndim + 1)
    hot = jnp.expand_dims(indices, axis) == jnp.arange(depth, dtype=indices.dtype).reshape(
        [-1 if i == axis else 1 for i in range(indices.ndim + 1)]
    )
    on, off = (_default_type(v) for v in (on_value, off_value))
    return lax.stop_gradient(jnp.where(hot, on, off.astype(on.dtype)))  # the values get no gradient


def _default_type(value):
    """A Python number as int64, float32 or bool."""
    array = jnp.asarray(value)
    weak = getattr(value, "weak_type", False) or isinstance(value, numbers.Real)
    return (
        array.astype(np.float32)
        if weak and array.dtype.kind == "f"
        else array.astype(np.int64)
        if weak and array.dtype.kind == "i"
        else array
    )


@op(ops=False, mint="nn.functional.one_hot", dynamic=True, name="mint_one_hot")
def mint_one_hot(tensor: Array, num_classes: int = -1) -> Array:
    """1 where the position along a new last axis equals the index, 0 elsewhere; the length is the largest index + 1
    unless given.
    """
    depth = int(jnp.max(tensor)) + 1 if num_classes == -1 else num_classes
    check_range(tensor, 0, depth, "OneHotExt", "tensor")
    return one_hot(tensor, depth, jnp.asarray(1, tensor.dtype), jnp.asarray(0, tensor.dtype))


def _triangle(keep):
    def cut(input, diagonal=0):
        if input.ndim < 2:
            raise ValueError(f"For '{keep.__name__}', the rank of the input must be at least 2, but got {input.ndim}.")
        return keep(input, diagonal)

    return cut


@op(prim=Prim("Tril", init=args(diagonal=0), call=args("x"), to={"x": "input"}), ops=True, tensor="tril", mint="tril")
def tril(input: Array, diagonal: Static[int] = 0) -> Array:
    """The lower triangle of matrices, zeros above; `diagonal` moves the border.

    Example:
        >>> print(ops.tril(ops.ones((3, 3))))
        [[1. 0. 0.]
         [1. 1. 0.]
         [1. 1. 1.]]
    """
    return _triangle(jnp.tril)(input, diagonal)


@op(prim=Prim("Triu", inputs=("input",)), ops=True, tensor="triu", mint="triu")
def triu(input: Array, diagonal: Static[int] = 0) -> Array:
    """The upper triangle of matrices, zeros below; `diagonal` moves the border.

    Example:
        >>> print(ops.triu(ops.ones((3, 3))))
        [[1. 1. 1.]
         [0. 1. 1.]
         [0. 0. 1.]]
    """
    return _triangle(jnp.triu)(input, diagonal)


def _positions(name, indices, dtype):
    return jnp.asarray(np.stack(indices), numpy_among(name, dtype, "int32 int64"))


@op(
    prim=Prim("TrilIndices", init=args("row", "col", offset=0, dtype=mstype.int32), call=args()),
    ops=Face("tril_indices", args("row", "col", offset=0).only(dtype=mstype.int64)),
)
def tril_indices(row: Static[int], col: Static[int], offset: Static[int] = 0, dtype: Dtype = mstype.int64):
    """Positions of the lower triangle of a matrix, as a Tensor of two rows.

    Example:
        >>> print(ops.tril_indices(2, 3))
        [[0 1 1]
         [0 0 1]]
    """
    return _positions("tril_indices", np.tril_indices(row, offset, col), dtype)


@op(
    prim=Prim("TriuIndices", init=args("row", "col", offset=0, dtype=mstype.int32), call=args()),
    ops=Face("triu_indices", args("row", "col", offset=0).only(dtype=mstype.int64)),
)
def triu_indices(row: Static[int], col: Static[int], offset: Static[int] = 0, dtype: Dtype = mstype.int64):
    """Positions of the upper triangle of a matrix, as a Tensor of two rows.

    Example:
        >>> print(ops.triu_indices(2, 3))
        [[0 0 0 1 1]
         [0 1 2 1 2]]
    """
    return _positions("triu_indices", np.triu_indices(row, offset, col), dtype)


@op(ops=True, dynamic=True)
def sequence_mask(lengths: Array, maxlen: Static[int | None] = None) -> Array:
    """For each length a row of that many True values, then False, up to maxlen (by default the largest length).

    Example:
        >>> print(ops.sequence_mask(Tensor([1, 3]), 4))
        [[ True False False False]
         [ True  True  True False]]
    """
    count = int(jnp.max(lengths)) if maxlen is None else maxlen
    return jnp.arange(count) < jnp.expand_dims(lengths, -1)


@op(ops=True)
def vander(x: Array, N: Static[int | None] = None) -> Array:
    """Matrix whose columns are falling powers of the elements.

    Example:
        >>> print(ops.vander(Tensor([1.0, 2.0, 3.0])))
        [[1. 1. 1.]
         [4. 2. 1.]
         [9. 3. 1.]]
    """
    return jnp.vander(x, N)

"""Operators that make Tensors."""

import math

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.arguments import plain
from ...core.operators.ranges import check_range
from ...core.operators.record import composite, op, records
from ...core.values import dtype as mstype
from ...core.values.promote import kind_of
from ...core.values.tensor import Tensor
from .shaping import axis_of, shape_of, variadic


def _numpy_type(dtype, default=np.float32):
    return np.dtype(default) if dtype is None else mstype.to_numpy(dtype)


def _size(name, size):
    size = shape_of(name, size)
    if any(s < 0 for s in size):
        raise ValueError(f"For '{name}', the elements of 'shape' must not be negative, but got {size}.")
    return size


@op(prim="Zeros()(shape, dtype=None)", ops="zeros(size, dtype=None)", static=("size",))
def zeros(size, dtype=None):
    """Tensor of zeros (float32 by default).

    Example:
        >>> ops.zeros((2, 2), mindspore.int32)
    """
    return jnp.zeros(_size("zeros", size), _numpy_type(dtype))


@op(prim="Ones()(shape, dtype=None)", ops="ones(shape, dtype=None)", static=("shape",))
def ones(shape, dtype=None):
    """Tensor of ones (float32 by default).

    Example:
        >>> ops.ones((2, 2), mindspore.int32)
    """
    return jnp.ones(_size("ones", shape), _numpy_type(dtype))


def _mint_filled(name):
    record = records[name]

    def filled(*size, dtype=None, device=None):
        return record(variadic(size), dtype)

    filled.__doc__ = f"Tensor of {name}; the shape as numbers or as one tuple."
    composite(filled, name=f"mint_{name}", ops=False, mint=f"{name}(*size, dtype=None, device=None)")


_mint_filled("zeros")
_mint_filled("ones")


@op(prim=("ZerosLike()(x)",), ops="zeros_like(input, *, dtype=None)", mint="zeros_like(input, *, dtype=None)")
def zeros_like(input, dtype=None):
    """Tensor of zeros in the shape (and dtype) of another.

    Example:
        >>> ops.zeros_like(Tensor([1, 2]))
    """
    return jnp.zeros(jnp.shape(input), _numpy_type(dtype, jnp.asarray(input).dtype))


@op(prim=("OnesLike()(x)",), ops="ones_like(input, *, dtype=None)", mint="ones_like(input, *, dtype=None)")
def ones_like(input, dtype=None):
    """Tensor of ones in the shape (and dtype) of another.

    Example:
        >>> ops.ones_like(Tensor([1, 2]))
    """
    return jnp.ones(jnp.shape(input), _numpy_type(dtype, jnp.asarray(input).dtype))


@op(ops="full(size, fill_value, *, dtype=None)", operands=("fill_value",), static=("size",))
def full(size, fill_value, dtype=None):
    """Tensor filled with one value; without a dtype that of the value (int64, float32, bool).

    Example:
        >>> ops.full((2, 2), 3.0)
    """
    return _filled("full", size, fill_value, dtype)


def _filled(name, size, value, dtype):
    weak = getattr(value, "weak_type", False) or isinstance(value, (int, float, complex))
    if dtype is None and weak:
        dtype = {"b": mstype.bool_, "i": mstype.int64, "f": mstype.float32}.get(
            jnp.asarray(value).dtype.kind, mstype.complex64
        )
    value = jnp.asarray(value)
    return jnp.full(_size(name, size), value.astype(_numpy_type(dtype, value.dtype)))


@composite(ops=False, mint="full(size, fill_value, *, dtype=None)", name="mint_full")
def mint_full(size, fill_value, dtype=None):
    """Tensor filled with one value."""
    return records["full"](size, fill_value, dtype)


@op(ops="full_like(input, fill_value, *, dtype=None)", mint="full_like(input, fill_value, *, dtype=None)")
def full_like(input, fill_value, dtype=None):
    """Tensor in the shape (and dtype) of another, filled with one value.

    Example:
        >>> ops.full_like(Tensor([1, 2]), 3)
    """
    return jnp.full(input.shape, jnp.asarray(fill_value).astype(_numpy_type(dtype, input.dtype)))


@op(ops=False, tensor="fill(value)", name="fill_like")
def fill_like(input, value):
    """Tensor in the shape and dtype of another, filled with one value."""
    return jnp.full(input.shape, jnp.asarray(value).astype(input.dtype))


@op(prim="Fills()(x, value)", ops="fills(x, value)", tensor="fills(value)", name="fills")
def fills(x, value):
    """Tensor in the shape and dtype of another, filled with one value."""
    return fill_like(x, value)


@op(prim="Fill()(type, shape, value)", ops="fill(type, shape, value)", operands=("value",), static=("shape",))
def fill(type, shape, value):
    """Tensor of a dtype and shape filled with one value.

    Example:
        >>> ops.fill(mindspore.float32, (2, 2), 1)
    """
    return _filled("Fill", shape, value, type)


@op(prim="FillV2()(shape, value)", ops=False, operands=("value",), static=("shape",))
def fill_v2(shape, value):
    """Tensor of a shape filled with one value, in the value's dtype."""
    return _filled("FillV2", shape, value, None)


def _new_method(name, made):
    def method(self, *sizes, size=None, dtype=None, device=None):
        if dtype is None and sizes and isinstance(sizes[-1], mstype.Type):
            sizes, dtype = sizes[:-1], sizes[-1]
        return records[made](variadic(sizes) if size is None else size, self.dtype if dtype is None else dtype)

    method.__doc__ = f"Tensor of {made} of the given shape, in this Tensor's dtype unless one is given."
    composite(method, name=f"{name}_method", ops=False, tensor=f"{name}(*sizes, size=None, dtype=None, device=None)")


_new_method("new_zeros", "zeros")
_new_method("new_ones", "ones")
_new_method("new_empty", "zeros")


@composite(ops=False, tensor="new_full(size, fill_value, *, dtype=None)")
def new_full(self, size, fill_value, dtype=None):
    """Tensor of the given shape filled with one value, in this Tensor's dtype unless one is given."""
    return records["full"](size, fill_value, self.dtype if dtype is None else dtype)


@composite(ops=False, mint="empty(*size, dtype=None, device=None, pin_memory=False)")
def empty(*size, dtype=None, device=None):
    """Tensor whose content means nothing (it is zero here)."""
    return records["zeros"](variadic(size), dtype)


@composite(ops=False, mint="empty_like(input, *, dtype=None, device=None, pin_memory=False)")
def empty_like(input, dtype=None, device=None):
    """Tensor in the shape of another whose content means nothing (it is zero here)."""
    return records["zeros_like"](input, dtype)


@op(prim="Eye()(n, m, t)", ops="eye(n, m=None, dtype=None)", mint="eye(n, m=None, dtype=None)", static=("n", "m"))
def eye(n, m=None, dtype=None):
    """Matrix with ones on the main diagonal, zeros elsewhere.

    Example:
        >>> ops.eye(2, 3)
    """
    for name, value in (("n", n), ("m", m)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise TypeError(f"For 'Eye', the '{name}' must be an int, but got {value!r}.")
        if value is not None and value < 0:
            raise ValueError(f"For 'Eye', the '{name}' must not be negative, but got {value}.")
    return jnp.eye(n, m, dtype=_numpy_type(dtype))


def _number(value):
    value = plain(value)
    return value.item() if isinstance(value, np.generic) else value


@composite(
    ops="arange(start=0, end=None, step=1, *, dtype=None)", mint="arange(start=0, end=None, step=1, *, dtype=None)"
)
def arange(start=0, end=None, step=1, dtype=None):
    """Numbers from start (included) to end (excluded) in equal steps: int64, or float32 if one of them is a float.

    Example:
        >>> ops.arange(1, 7, 2)
    """
    if end is None:
        start, end = 0, start
    boxes = [v for v in (start, end, step) if isinstance(v, Tensor)]
    start, end, step = _number(start), _number(end), _number(step)
    if step == 0:
        raise ValueError("For 'arange', the 'step' must not be 0.")
    if dtype is None and boxes and not all(b.dtype == mstype.int64 for b in boxes):
        dtype = next((b.dtype for b in boxes if mstype.to_numpy(b.dtype).kind not in "iu"), boxes[0].dtype)
    if dtype is None:
        dtype = mstype.int64 if all(isinstance(v, int) for v in (start, end, step)) else mstype.float32
    if (end - start) * step < 0:
        raise ValueError(
            f"For 'arange', the 'end' must be on the side of 'start' where 'step' leads, but got start {start}, end "
            f"{end}, step {step}."
        )
    count = max(math.ceil((end - start) / step), 0)
    return Tensor((start + step * np.arange(count)).astype(mstype.to_numpy(dtype)))


@composite(
    prim="Range(maxlen=1000000)(start, limit, delta)",
    ops=("range(start, end, step, maxlen=1000000)", "tensor_range(start, end, step, maxlen=1000000)"),
    name="range_function",
)
def range_function(start, end, step, maxlen=1000000):
    """Numbers from start (included) to end (excluded) in equal steps.

    Example:
        >>> ops.range(0, 6, 2)
    """
    return arange(start, end, step)


@op(
    prim="LinSpace()(start, stop, num)", ops="linspace(start, end, steps)", operands=("start", "end"), static=("steps",)
)
def linspace(start, end, steps):
    """`steps` numbers from start to end, both included, at equal distances.

    Example:
        >>> ops.linspace(1, 10, 4)
    """
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
    return values.astype(_numpy_type(dtype, work))


@op(
    ops=False,
    mint="linspace(start, end, steps, *, dtype=None)",
    name="mint_linspace",
    operands=("start", "end"),
    static=("steps",),
)
def mint_linspace(start, end, steps, dtype=None):
    """`steps` numbers from start to end, both included, at equal distances."""
    return _spaced(start, end, steps, dtype)


@op(
    ops="logspace(start, end, steps, base=10, *, dtype=mindspore.float32)",
    prim="LogSpace(steps=10, base=10, dtype=mindspore.float32)(start, end)",
    operands=("start", "end"),
    static=("steps",),
)
def logspace(start, end, steps=10, base=10, dtype=mstype.float32):
    """base to the power of `steps` numbers from start to end at equal distances.

    Example:
        >>> ops.logspace(Tensor(1.0), Tensor(3.0), 3)
    """
    return jnp.power(jnp.asarray(base, jnp.float32), _spaced(start, end, steps, mstype.float32)).astype(
        mstype.to_numpy(dtype)
    )


@op(
    prim="OneHot(axis=-1)(indices, depth, on_value, off_value)",
    ops="one_hot(indices, depth, on_value=1, off_value=0, axis=-1)",
    operands=("indices", "on_value", "off_value"),
    static=("depth",),
)
def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """on_value where the position along a new axis equals the index, off_value elsewhere; indices outside [0, depth)
    give none.

    Example:
        >>> ops.one_hot(Tensor([0, 2]), 3, 1.0, 0.0)
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
    weak = getattr(value, "weak_type", False) or isinstance(value, (int, float))
    return (
        array.astype(np.float32)
        if weak and array.dtype.kind == "f"
        else array.astype(np.int64)
        if weak and array.dtype.kind == "i"
        else array
    )


@op(ops=False, mint="nn.functional.one_hot(tensor, num_classes=-1)", dynamic=True, name="mint_one_hot")
def mint_one_hot(tensor, num_classes=-1):
    """1 where the position along a new last axis equals the index, 0 elsewhere; the length is the largest index + 1
    unless given."""
    depth = int(jnp.max(tensor)) + 1 if num_classes == -1 else num_classes
    check_range(tensor, 0, depth, "OneHotExt", "tensor")
    return one_hot(tensor, depth, jnp.asarray(1, tensor.dtype), jnp.asarray(0, tensor.dtype))


def _triangle(keep):
    def cut(input, diagonal=0):
        if input.ndim < 2:
            raise ValueError(f"For '{keep.__name__}', the rank of the input must be at least 2, but got {input.ndim}.")
        return keep(input, diagonal)

    return cut


@op(
    prim="Tril(diagonal=0)(x)",
    ops="tril(input, diagonal=0)",
    tensor="tril(diagonal=0)",
    mint="tril(input, diagonal=0)",
    static=("diagonal",),
)
def tril(input, diagonal=0):
    """The lower triangle of matrices, zeros above; `diagonal` moves the border.

    Example:
        >>> ops.tril(ops.ones((3, 3)))
    """
    return _triangle(jnp.tril)(input, diagonal)


@op(
    prim="Triu(diagonal=0)(input)",
    ops="triu(input, diagonal=0)",
    tensor="triu(diagonal=0)",
    mint="triu(input, diagonal=0)",
    static=("diagonal",),
)
def triu(input, diagonal=0):
    """The upper triangle of matrices, zeros below; `diagonal` moves the border.

    Example:
        >>> ops.triu(ops.ones((3, 3)))
    """
    return _triangle(jnp.triu)(input, diagonal)


@op(
    prim="TrilIndices(row, col, offset=0, dtype=mindspore.int32)()",
    ops="tril_indices(row, col, offset=0, *, dtype=mindspore.int64)",
    static=("row", "col", "offset"),
)
def tril_indices(row, col, offset=0, dtype=mstype.int64):
    """Positions of the lower triangle of a matrix, as a Tensor of two rows.

    Example:
        >>> ops.tril_indices(2, 3)
    """
    return jnp.asarray(np.stack(np.tril_indices(row, offset, col)), mstype.to_numpy(dtype))


@op(
    prim="TriuIndices(row, col, offset=0, dtype=mindspore.int32)()",
    ops="triu_indices(row, col, offset=0, *, dtype=mindspore.int64)",
    static=("row", "col", "offset"),
)
def triu_indices(row, col, offset=0, dtype=mstype.int64):
    """Positions of the upper triangle of a matrix, as a Tensor of two rows.

    Example:
        >>> ops.triu_indices(2, 3)
    """
    return jnp.asarray(np.stack(np.triu_indices(row, offset, col)), mstype.to_numpy(dtype))


@op(ops="sequence_mask(lengths, maxlen=None)", dynamic=True, operands=("lengths",), static=("maxlen",))
def sequence_mask(lengths, maxlen=None):
    """For each length a row of so many True, then False, up to maxlen (by default the largest length).

    Example:
        >>> ops.sequence_mask(Tensor([1, 3]), 4)
    """
    count = int(jnp.max(lengths)) if maxlen is None else maxlen
    return jnp.arange(count) < jnp.expand_dims(lengths, -1)


@op(ops="vander(x, N=None)", static=("N",))
def vander(x, N=None):
    """Matrix whose columns are falling powers of the elements.

    Example:
        >>> ops.vander(Tensor([1.0, 2.0, 3.0]))
    """
    return jnp.vander(x, N)

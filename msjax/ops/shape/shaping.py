"""Operators that change the shape or the order of the axes, and those that tell the shape."""

import math

import jax.numpy as jnp
import numpy as np

from ...core.operators import views
from ...core.operators.arguments import plain
from ...core.operators.record import composite, op, records
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor


def shape_of(name, shape):
    """A shape argument as a tuple of ints: an int, a tuple or list, or a Tensor of integers."""
    shape = plain(shape)
    if isinstance(shape, (int, np.integer)) and not isinstance(shape, bool):
        return (int(shape),)
    if not isinstance(shape, tuple) or any(isinstance(s, bool) or not isinstance(s, (int, np.integer)) for s in shape):
        raise TypeError(f"For '{name}', the 'shape' must be an int, or a tuple or list of ints, but got {shape!r}.")
    return tuple(int(s) for s in shape)


def variadic(values):
    """The sizes of `f(2, 3)`, `f((2, 3))`, `f([2, 3])`."""
    return values[0] if len(values) == 1 and not isinstance(values[0], (int, np.integer)) else values


def one_named(name, named):
    """The value of `f(shape=...)`: TypeError unless there is just one."""
    if len(named) != 1:
        raise TypeError(f"{name}() takes one argument, but got {len(named)}.")
    return next(iter(named.values()))


def axis_of(name, axis, ndim):
    """An axis as an int in [0, ndim)."""
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise TypeError(f"For '{name}', the 'axis' must be an int, but got {axis!r}.")
    if not -ndim <= axis < ndim:
        raise ValueError(f"For '{name}', the 'axis' must be in range [{-ndim}, {ndim}), but got {axis}.")
    return int(axis) % ndim


@op(
    prim="Reshape()(input_x, input_shape)", ops="reshape(input, shape)", mint="reshape(input, shape)", static=("shape",)
)
def reshape(input, shape):
    """The same elements in another shape; one size may be -1, it is then computed.

    Raises:
        ValueError: the sizes do not give the number of elements.

    Example:
        >>> ops.reshape(Tensor([1, 2, 3, 4]), (2, -1))
    """
    shape = shape_of("Reshape", shape)
    known = math.prod(s for s in shape if s != -1)
    if shape.count(-1) > 1:
        raise ValueError(f"For 'Reshape', there can be at most one '-1' in 'input_shape', but got {shape}.")
    if (
        -1 not in shape
        and known != input.size
        or -1 in shape
        and (known == 0 and input.size or known and input.size % known)
    ):
        raise ValueError(
            "For 'Reshape', the product of the 'input_x' shape should be equal to product of 'input_shape', but got "
            f"product of the shape of 'input_x': {input.size}, product of 'input_shape': {abs(math.prod(shape))}."
        )
    if -1 in shape and known == 0:
        shape = tuple(0 if s == -1 else s for s in shape)
    return jnp.reshape(input, shape)


_reshape = records["reshape"]


@composite(ops=False, tensor=("reshape(*shape, **named)", "view(*shape, **named)"), name="reshape_method")
def reshape_method(self, *shape, **named):
    """The same elements in another shape, given as numbers or as one tuple."""
    if len(shape) == 1 and isinstance(shape[0], mstype.Type):
        return records["view_dtype"](self, shape[0])
    return _reshape(self, variadic(shape) if shape else named.get("shape", ()))


@composite(ops=("view_as(input, other)",), tensor=("reshape_as(other)", "view_as(other)"))
def reshape_as(input, other):
    """The same elements in the shape of another Tensor."""
    return _reshape(input, other.shape)


@composite(ops=False, tensor="resize(*new_shape)")
def resize_method(self, *new_shape):
    """Copy in a new shape: elements left over are dropped, those that lack are 0; without a shape the Tensor itself."""
    if not new_shape:
        return self
    shape = shape_of("resize", variadic(new_shape))
    return records["resize_flat"](self, shape)


@op(ops=False, static=("shape",))
def resize_flat(input, shape):
    """The first elements in a new shape, filled up with zeros."""
    count, flat = math.prod(shape), input.reshape(-1)
    flat = flat[:count] if count <= flat.size else jnp.concatenate([flat, jnp.zeros(count - flat.size, flat.dtype)])
    return flat.reshape(shape)


@op(
    prim=("Transpose()(x, perm)", "TransposeView()(input, input_perm)"),
    ops=("transpose(input, dims)", "permute(input, axis)"),
    mint="permute(input, dims)",
    static=("dims",),
)
def transpose(input, dims):
    """The axes in another order.

    Raises:
        ValueError: `dims` is no permutation of the axes.

    Example:
        >>> ops.transpose(Tensor([[1, 2], [3, 4]]), (1, 0))
    """
    dims = shape_of("Transpose", dims)
    if sorted(d % max(input.ndim, 1) for d in dims) != list(range(input.ndim)):
        raise ValueError(
            f"For 'Transpose', the 'perm' must be a permutation of the {input.ndim} axes of 'x', but got {dims}."
        )
    return jnp.transpose(input, dims)


_transpose = records["transpose"]


@composite(ops=False, tensor="transpose(*axes, dim0=None, dim1=None)", name="transpose_method")
def transpose_method(self, *axes, dim0=None, dim1=None):
    """The axes in another order: all reversed, two exchanged (two numbers), or as the permutation says."""
    if dim0 is not None:
        return records["swapaxes"](self, dim0, dim1)
    if not axes:
        return _transpose(self, tuple(reversed(range(self.ndim))))
    if len(axes) == 2:
        return records["swapaxes"](self, *axes)
    return _transpose(self, variadic(axes))


@composite(ops=False, tensor="permute(*axis)", name="permute_method")
def permute_method(self, *axis):
    """The axes in another order, given as numbers or as one tuple; without any in reverse order."""
    return _transpose(self, variadic(axis) if axis else tuple(range(self.ndim))[::-1])


@op(name="reversed_axes", ops=False, tensor="property T")
def reversed_axes(input):
    """The axes in reverse order."""
    return jnp.transpose(input)


@op(name="matrix_transpose", ops=False, tensor="property mT")
def matrix_transpose(input):
    """The last two axes exchanged."""
    return jnp.swapaxes(input, -1, -2)


@op(prim="ConjugateTranspose()(x, perm)", ops=False, static=("perm",))
def conjugate_transpose(x, perm):
    """The axes in another order, and complex numbers conjugated."""
    return jnp.conj(jnp.transpose(x, perm))


@op(ops="adjoint(x)", tensor=("adjoint()", "property mH", "property H"))
def adjoint(x):
    """The last two axes exchanged, and complex numbers conjugated.

    Example:
        >>> ops.adjoint(Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    return jnp.conj(jnp.swapaxes(x, -1, -2))


@op(
    prim="TransposeExtView()(input, dim0, dim1)",
    ops=("swapaxes(input, axis0, axis1)", "swapdims(input, dim0, dim1)"),
    tensor=("swapaxes(axis0, axis1)", "swapdims(dim0, dim1)"),
    mint=("transpose(input, dim0, dim1)", "swapaxes(input, axis0, axis1)"),
    static=("axis0", "axis1"),
)
def swapaxes(input, axis0, axis1):
    """Two axes exchanged.

    Example:
        >>> ops.swapaxes(Tensor([[1, 2], [3, 4]]), 0, 1)
    """
    return jnp.swapaxes(input, axis_of("swapaxes", axis0, input.ndim), axis_of("swapaxes", axis1, input.ndim))


@op(ops="t(input)", tensor="t()", mint="t(input)")
def t(input):
    """Transpose of a Tensor of at most two axes.

    Example:
        >>> ops.t(Tensor([[1, 2], [3, 4]]))
    """
    if input.ndim > 2:
        raise ValueError(f"For 't', the dimension of 'input' must be at most 2, but got {input.ndim}.")
    return jnp.transpose(input)


@op(
    ops=("moveaxis(x, source, destination)", "movedim(x, source, destination)"),
    tensor=("moveaxis(source, destination)", "movedim(source, destination)"),
    static=("source", "destination"),
)
def moveaxis(x, source, destination):
    """Axes moved to other places; the others keep their order.

    Example:
        >>> ops.moveaxis(ops.zeros((2, 3, 4)), 0, 2).shape
    """
    return jnp.moveaxis(x, source, destination)


@op(
    prim="ExpandDims()(input_x, axis)",
    ops=("expand_dims(input_x, axis)", "unsqueeze(input, dim)"),
    tensor=("expand_dims(axis)", "unsqueeze(dim)"),
    mint="unsqueeze(input, dim)",
    static=("axis",),
)
def expand_dims(input, axis):
    """A new axis of length 1 at the given place.

    Example:
        >>> ops.expand_dims(Tensor([1, 2]), 0)
    """
    if not isinstance(axis, (tuple, list)):
        axis_of("ExpandDims", axis, input.ndim + 1)
    return jnp.expand_dims(input, axis)


@op(prim="Squeeze(axis=())(x)", ops="squeeze(input, axis=None)", mint="squeeze(input, dim=None)", static=("axis",))
def squeeze(input, axis=None):
    """Without axes of length 1: all of them, or those of the given ones that have length 1.

    Example:
        >>> ops.squeeze(ops.zeros((1, 2, 1))).shape
    """
    if axis is None or axis == ():
        return jnp.squeeze(input)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [axis_of("Squeeze", a, input.ndim) for a in axes]
    return jnp.squeeze(input, tuple({a for a in axes if input.shape[a] == 1}))


@composite(ops=False, tensor="squeeze(*axis, **named)", name="squeeze_method")
def squeeze_method(self, *axis, **named):
    """Without axes of length 1: all of them, or the given ones."""
    wanted = variadic(axis) if axis else named.get("dim", named.get("axis", None))
    return records["squeeze"](self, wanted if wanted != () else None)


@op(
    ops="flatten(input, order='C', *, start_dim=1, end_dim=-1)",
    mint=("flatten(input, start_dim=0, end_dim=-1)", "nn.functional.flatten(input, start_dim=0, end_dim=-1)"),
    prim="Flatten()(input_x)",
)
def flatten(input, order="C", start_dim=1, end_dim=-1):
    """The axes from start_dim to end_dim as one axis; order "C" or "F" says how elements are counted.

    Example:
        >>> ops.flatten(ops.zeros((2, 3, 4))).shape
    """
    if order not in ("C", "F"):
        raise ValueError(f"For 'flatten', the 'order' must be one of ['C', 'F'], but got {order!r}.")
    if input.ndim == 0:
        return jnp.reshape(input, (1,))
    if order == "F":
        input = jnp.transpose(input)
    if input.ndim == 1 and start_dim == 1:
        start_dim = 0
    start, end = axis_of("flatten", start_dim, input.ndim), axis_of("flatten", end_dim, input.ndim)
    if start > end:
        raise ValueError(
            f"For 'flatten', the 'start_dim' must not be after the 'end_dim', but got {start_dim} and {end_dim}."
        )
    return jnp.reshape(input, (*input.shape[:start], math.prod(input.shape[start : end + 1]), *input.shape[end + 1 :]))


@composite(ops=False, tensor="flatten(order='C', end=None, *, start_dim=0, end_dim=-1)", name="flatten_method")
def flatten_method(self, order="C", end=None, start_dim=0, end_dim=-1):
    """flatten(start_dim=0, end_dim=-1), or flatten(order, *, start_dim=0, end_dim=-1) as it was called before."""
    if isinstance(order, int) and not isinstance(order, bool):
        start_dim, order = order, "C"
    return records["flatten"](self, order, start_dim, end_dim if end is None else end)


@op(ops="ravel(input)", tensor="ravel()", mint="ravel(input)")
def ravel(input):
    """All elements as one axis.

    Example:
        >>> ops.ravel(Tensor([[1, 2], [3, 4]]))
    """
    return jnp.ravel(input)


@op(
    prim=("BroadcastTo(shape)(x)", "Expand()(x, shape)"),
    ops=("broadcast_to(input, shape)", "expand(input_x, size)"),
    mint="broadcast_to(input, shape)",
    static=("shape",),
)
def broadcast_to(input, shape):
    """Repeated along axes of length 1, and along new axes in front; -1 keeps a length.

    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> ops.broadcast_to(Tensor([1, 2]), (3, 2))
    """
    shape = shape_of("BroadcastTo", shape)
    if len(shape) < input.ndim:
        raise ValueError(
            f"For 'BroadcastTo', the rank of 'shape' must be at least the rank of 'x', {input.ndim}, but got shape "
            f"{shape}."
        )
    extra = len(shape) - input.ndim
    full = tuple(s if s != -1 else input.shape[i - extra] for i, s in enumerate(shape) if s != -1 or i >= extra)
    if len(full) != len(shape):
        raise ValueError(
            f"For 'BroadcastTo', -1 in 'shape' must stand for an axis that 'x' has, but got shape {shape} for x of "
            f"shape {input.shape}."
        )
    return jnp.broadcast_to(input, full)


@composite(ops=False, tensor=("broadcast_to(*shape, **named)", "expand(*size, **named)"), name="broadcast_method")
def broadcast_method(self, *shape, **named):
    """Repeated along axes of length 1, and along new axes in front."""
    return records["broadcast_to"](self, variadic(shape) if shape else one_named("broadcast_to", named))


@composite(ops="expand_as(input, other)", tensor="expand_as(other=None, x=None)")
def expand_as(input, other=None, x=None):
    """Broadcast to the shape of another Tensor (`x` in older code)."""
    return records["broadcast_to"](input, (x if other is None else other).shape)


@op(prim="Tile()(input_x, multiples)", ops="tile(input, dims)", mint="tile(input, dims)", static=("dims",))
def tile(input, dims):
    """The whole Tensor repeated along its axes; more numbers than axes add axes in front.

    Example:
        >>> ops.tile(Tensor([1, 2]), (2, 2))
    """
    dims = shape_of("Tile", dims)
    if any(d < 0 for d in dims):
        raise ValueError(f"For 'Tile', the elements of 'multiples' must not be negative, but got {dims}.")
    return jnp.tile(input, dims)


@composite(ops=False, tensor="tile(*reps, **named)", name="tile_method")
def tile_method(self, *reps, **named):
    """The whole Tensor repeated along its axes."""
    return records["tile"](self, variadic(reps) if reps else one_named("tile", named))


@composite(ops=False, tensor="repeat(*sizes, repeats=None, axis=None)", name="repeat_method")
def repeat_method(self, *sizes, repeats=None, axis=None):
    """repeat(2, 3) repeats the whole Tensor along its axes; with `axis` each element along that axis, as in 1.x and NumPy."""
    repeats = variadic(sizes) if repeats is None else repeats
    if len(sizes) == 2 and (isinstance(sizes[0], (list, tuple)) or sizes[1] == 0 and self.ndim > 0):
        repeats, axis = sizes  # 1.x: repeat([1, 2], axis), and repeat(2, 0), as nobody wants 0 copies
    if axis is not None:
        return records["repeat_interleave"](
            self, repeats[0] if isinstance(repeats, tuple) and len(repeats) == 1 else repeats, axis
        )
    return records["tile"](self, repeats)


@op(
    prim=("ReverseV2(axis)(input_x)",),
    ops=("flip(input, dims)", "reverse(x, axis)"),
    tensor=("reverse(axis)",),
    mint="flip(input, dims)",
    static=("dims",),
)
def flip(input, dims):
    """The order of the elements reversed along axes.

    Example:
        >>> ops.flip(Tensor([[1, 2], [3, 4]]), (0,))
    """
    axes = dims if isinstance(dims, (tuple, list)) else (dims,)
    return jnp.flip(input, tuple(axis_of("flip", a, input.ndim) for a in axes))


@composite(ops=False, tensor="flip(*dims, **named)", name="flip_method")
def flip_method(self, *dims, **named):
    """The order of the elements reversed along axes."""
    return records["flip"](self, variadic(dims) if dims else one_named("flip", named))


@op(ops="fliplr(input)", tensor="fliplr()")
def fliplr(input):
    """The columns in reverse order.

    Example:
        >>> ops.fliplr(Tensor([[1, 2], [3, 4]]))
    """
    return jnp.fliplr(input)


@op(ops="flipud(input)", tensor="flipud()")
def flipud(input):
    """The rows in reverse order.

    Example:
        >>> ops.flipud(Tensor([[1, 2], [3, 4]]))
    """
    return jnp.flipud(input)


@op(ops="rot90(input, k, dims)", tensor="rot90(k, dims)", static=("k", "dims"))
def rot90(input, k, dims):
    """Turned by k right angles in the plane of two axes.

    Example:
        >>> ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1))
    """
    return jnp.rot90(input, k, tuple(dims))


@op(
    prim="Roll(shifts, dims=None)(input)",
    ops="roll(input, shifts, dims=None)",
    tensor="roll(shifts, dims=None)",
    mint="roll(input, shifts, dims=None)",
    static=("shifts", "dims"),
)
def roll(input, shifts, dims=None):
    """Elements moved along axes; those that leave at one end enter at the other.

    Example:
        >>> ops.roll(Tensor([1, 2, 3]), 1, 0)
    """
    return jnp.roll(input, shifts, dims)


@op(
    prim="ReverseSequence(seq_dim, batch_dim=0)(x, seq_lengths)",
    ops="reverse_sequence(x, seq_lengths, seq_dim, batch_dim=0)",
    tensor="reverse_sequence(seq_lengths, seq_dim=0, batch_dim=0)",
    operands=("x", "seq_lengths"),
)
def reverse_sequence(x, seq_lengths, seq_dim, batch_dim=0):
    """The first `seq_lengths[b]` elements along an axis in reverse order, for each b of another axis.

    Example:
        >>> ops.reverse_sequence(Tensor([[1, 2, 3]]), Tensor([2]), seq_dim=1)
    """
    seq_dim, batch_dim = axis_of("ReverseSequence", seq_dim, x.ndim), axis_of("ReverseSequence", batch_dim, x.ndim)
    place = jnp.arange(x.shape[seq_dim]).reshape([-1 if i == seq_dim else 1 for i in range(x.ndim)])
    length = jnp.reshape(seq_lengths, [-1 if i == batch_dim else 1 for i in range(x.ndim)])
    source = jnp.where(place < length, length - 1 - place, place)
    return jnp.take_along_axis(x, jnp.broadcast_to(source, x.shape), seq_dim)


# --- what is known of the shape while Python runs
@composite(prim="Shape()(input_x)", ops=("shape(input_x)", "shape_(x)"))
def shape(input):
    """Lengths of the axes, as a tuple of ints.

    Example:
        >>> ops.shape(Tensor([[1, 2]]))
    """
    _need_tensor("Shape", input)
    return tuple(input.shape)


@composite(
    prim=("TensorShape()(input_x)", "DynamicShape(dtype=9)(input_x)"), ops="dyn_shape(input_x)", name="dyn_shape"
)
def dyn_shape(input):
    """Lengths of the axes, as an int64 Tensor.

    Example:
        >>> ops.dyn_shape(Tensor([[1, 2]]))
    """
    _need_tensor("TensorShape", input)
    return Tensor(np.array(input.shape, np.int64))


@composite(prim="DType()(x)", ops="dtype(x)")
def dtype(x):
    """The dtype of a Tensor."""
    if not hasattr(x, "to_tuple"):  # a sparse Tensor has it
        _need_tensor("DType", x)
    return x.dtype


@composite(prim="Rank()(x)", ops="rank(input_x)", tensor=("dim()", "ndimension()"))
def rank(input):
    """Number of axes, as an int.

    Example:
        >>> ops.rank(Tensor([[1, 2]]))
    """
    _need_tensor("Rank", input)
    return input.ndim


@composite(prim="Size()(input_x)", ops=("size(input_x)", "numel(input)"), tensor=("numel()", "nelement()"))
def size(input):
    """Number of elements, as an int.

    Example:
        >>> ops.size(Tensor([[1, 2]]))
    """
    _need_tensor("Size", input)
    return input.size


@composite(ops=False, tensor="stride(dim=None)")
def stride(self, dim=None):
    """Elements to step along each axis (or one) of the memory, a list; of a view, of the memory that it looks into.

    Example:
        >>> Tensor([[1, 2, 3], [4, 5, 6]]).T.stride()
        [1, 3]
    """
    steps = views.layout(self)[0]
    return list(steps) if dim is None else steps[dim]


@composite(ops=False, tensor="storage_offset()")
def storage_offset(self):
    """Where the content begins in its memory: not 0 for a view such as x[1]."""
    return views.layout(self)[1]


@composite(ops=False, tensor="is_contiguous()")
def is_contiguous(self):
    """Whether the elements follow one another in memory: not so for a view such as x.T.

    Example:
        >>> Tensor([[1, 2], [3, 4]]).T.is_contiguous()
        False
    """
    return views.is_contiguous(self)


@composite(ops=False, tensor="contiguous()")
def contiguous(self):
    """The Tensor itself; of a view that is not contiguous, a copy that is."""
    return self if is_contiguous(self) else self.value()


def _need_tensor(name, value):
    if not isinstance(value, Tensor):
        raise TypeError(f"For '{name}', the 'input' must be a Tensor, but got {type(value).__name__}.")

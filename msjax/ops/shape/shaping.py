"""Operators that change the shape or the order of the axes, and those that tell the shape."""

import math
from typing import Any, Literal

import jax.numpy as jnp
import numpy as np

from ...core.operators import views
from ...core.operators.arguments import plain
from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, Property, args
from ...core.spec import Array, Axis, Ints, MaybeArray, Static
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..shapes import ANY, number_of_axes, same_shape


def shape_of(name: str, shape: Any):
    """A shape argument as a tuple of ints: an int, a tuple or list, or a Tensor of integers."""
    shape = plain(shape)
    if isinstance(shape, (int, np.integer)) and not isinstance(shape, bool):
        return (int(shape),)
    if not isinstance(shape, tuple) or any(isinstance(s, bool) or not isinstance(s, (int, np.integer)) for s in shape):
        raise TypeError(f"For '{name}', the 'shape' must be an int, or a tuple or list of ints, but got {shape!r}.")
    return tuple(int(s) for s in shape)


def variadic(values: Any):
    """The sizes of `f(2, 3)`, `f((2, 3))`, `f([2, 3])`."""
    return values[0] if len(values) == 1 and not isinstance(values[0], (int, np.integer)) else values


def leading(values: Any):
    """The sizes of `f(2, 3)`, `f((2, 3))`; MindSpore's methods drop what comes after a tuple."""
    return values[0] if isinstance(values[0], (tuple, list)) else variadic(values)


def one_named(name: str, named: Any):
    """The value of `f(shape=...)`: TypeError unless there is just one."""
    if len(named) != 1:
        raise TypeError(f"{name}() takes one argument, but got {len(named)}.")
    return next(iter(named.values()))


def axis_of(name: str, axis: Any, ndim: int):
    """An axis as an int in [0, ndim)."""
    if isinstance(axis, bool) or not isinstance(axis, (int, np.integer)):
        raise TypeError(f"For '{name}', the 'axis' must be an int, but got {axis!r}.")
    if not -ndim <= axis < ndim:
        raise ValueError(f"For '{name}', the 'axis' must be in range [{-ndim}, {ndim}), but got {axis}.")
    return int(axis) % ndim


@op(
    prim=Prim("Reshape", call=args("input_x", "input_shape"), to={"input_x": "input", "input_shape": "shape"}),
    ops=True,
    mint="reshape",
)
def reshape(input: Array, shape: Static[Ints]) -> Array:
    """The same elements in another shape; one size may be -1, it is then computed.

    Raises:
        ValueError: the sizes do not give the number of elements.

    Example:
        >>> print(ops.reshape(Tensor([1, 2, 3, 4]), (2, -1)))
        [[1 2]
         [3 4]]
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


@composite(ops=False, tensor=("reshape", "view"), name="reshape_method")
def reshape_method(self: Array, *shape: Any, **named: Any) -> Array:
    """The same elements in another shape, given as numbers or as one tuple."""
    if len(shape) == 1 and isinstance(shape[0], mstype.Type):
        return records["view_dtype"](self, shape[0])
    return _reshape(self, leading(shape) if shape else named.get("shape", ()))


@composite(ops=("view_as",), tensor=("reshape_as", "view_as"))
def reshape_as(input: Array, other: Array) -> Array:
    """The same elements in the shape of another Tensor."""
    return _reshape(input, other.shape)


@composite(ops=False, tensor="resize")
def resize_method(self: Array, *new_shape: Any) -> Array:
    """Copy in a new shape: surplus elements are dropped, missing ones are 0; without a shape the Tensor itself."""
    if not new_shape:
        return self
    shape = shape_of("resize", variadic(new_shape))
    return records["resize_flat"](self, shape)


@op(ops=False)
def resize_flat(input: Array, shape: Static[Any]):
    """The first elements in a new shape, filled up with zeros."""
    count, flat = math.prod(shape), input.reshape(-1)
    flat = flat[:count] if count <= flat.size else jnp.concatenate([flat, jnp.zeros(count - flat.size, flat.dtype)])
    return flat.reshape(shape)


@op(
    prim=(
        Prim("Transpose", call=args("x", "perm"), to={"x": "input", "perm": "dims"}),
        Prim("TransposeView", call=args("input", "input_perm"), to={"input_perm": "dims"}),
    ),
    ops=("transpose", Face("permute", args("input", "axis"), to={"axis": "dims"})),
    mint="permute",
)
def transpose(input: Array, dims: Static[Ints]) -> Array:
    """The axes in another order.

    Raises:
        ValueError: `dims` is not a permutation of the axes.

    Example:
        >>> print(ops.transpose(Tensor([[1, 2], [3, 4]]), (1, 0)))
        [[1 3]
         [2 4]]
    """
    dims = shape_of("Transpose", dims)
    if sorted(d % max(input.ndim, 1) for d in dims) != list(range(input.ndim)):
        raise ValueError(
            f"For 'Transpose', the 'perm' must be a permutation of the {input.ndim} axes of 'x', but got {dims}."
        )
    return jnp.transpose(input, dims)


_transpose = records["transpose"]


@composite(ops=False, tensor="transpose", name="transpose_method")
def transpose_method(self: Array, *axes: Any, dim0: int | None = None, dim1: int | None = None):
    """The axes in another order: all reversed, two exchanged (two numbers), or as the permutation says."""
    if dim0 is not None:
        return records["transpose_ext"](self, dim0, dim1)
    if axes in ((), (None,)):
        return _transpose(self, tuple(reversed(range(self.ndim))))
    if len(axes) == 2:
        return records["transpose_ext"](self, *axes)
    return _transpose(self, variadic(axes))


@composite(ops=False, tensor="permute", name="permute_method")
def permute_method(self: Array, *axis: Any):
    """The axes in another order, given as numbers or as one tuple; without any in reverse order."""
    return _transpose(self, tuple(range(self.ndim))[::-1] if axis in ((), (None,)) else leading(axis))


@op(name="reversed_axes", ops=False, tensor=Property("T"))
def reversed_axes(input: Array):
    """The axes in reverse order."""
    return jnp.transpose(input)


@op(name="matrix_transpose", ops=False, tensor=Property("mT"))
def matrix_transpose(input: Array):
    """The last two axes exchanged.

    Raises:
        ValueError: the Tensor has fewer than two axes.
    """
    if input.ndim < 2:
        raise ValueError(f"For 'mT', the Tensor must have at least 2 axes, but got shape {input.shape}.")
    return jnp.swapaxes(input, -1, -2)


@op(prim=Prim("ConjugateTranspose"), ops=False)
def conjugate_transpose(x: Array, perm: Static[Ints]) -> Array:
    """The axes in another order, and complex numbers conjugated."""
    return jnp.conj(jnp.transpose(x, perm))


@op(ops=True, tensor=("adjoint", Property("mH"), Property("H")))
def adjoint(x: Array) -> Array:
    """The last two axes exchanged, and complex numbers conjugated.

    Example:
        >>> print(ops.adjoint(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[1. 3.]
         [2. 4.]]
    """
    number_of_axes("adjoint", range(2, ANY), x=x.shape)
    return jnp.conj(jnp.swapaxes(x, -1, -2))


@op(
    ops=("swapaxes", Face("swapdims", args("input", "dim0", "dim1"), to={"dim0": "axis0", "dim1": "axis1"})),
    tensor=("swapaxes", Method("swapdims", args("dim0", "dim1"), to={"dim0": "axis0", "dim1": "axis1"})),
)
def swapaxes(input: Array, axis0: Static[int], axis1: Static[int]):
    """Two axes exchanged.

    Example:
        >>> print(ops.swapaxes(Tensor([[1, 2], [3, 4]]), 0, 1))
        [[1 3]
         [2 4]]
    """
    return jnp.swapaxes(input, axis_of("swapaxes", axis0, input.ndim), axis_of("swapaxes", axis1, input.ndim))


@op(
    prim=Prim("TransposeExtView"),
    ops=False,
    mint=("transpose", Face("swapaxes", args("input", "axis0", "axis1"), to={"axis0": "dim0", "axis1": "dim1"})),
    name="transpose_ext",
)
def transpose_ext(input: Array, dim0: Static[int], dim1: Static[int]) -> Array:
    """Two axes exchanged; a part also where they are the same."""
    rank = max(input.ndim, 1)
    axes = axis_of("transpose", dim0, rank), axis_of("transpose", dim1, rank)
    return jnp.swapaxes(input, *axes) if input.ndim else input


@op(
    ops=Face("t", fixed={"any_axes": False}),
    tensor=Method("t", fixed={"any_axes": False}),
    mint=Face("t", fixed={"any_axes": True}),
)
def t(input: Array, any_axes: bool = False) -> Array:
    """Transpose of a matrix; a Tensor of another number of axes as it is, but `mint` exchanges the first two of more.

    Example:
        >>> print(ops.t(Tensor([[1, 2], [3, 4]])))
        [[1 3]
         [2 4]]
    """
    if input.ndim == 2 or input.ndim > 2 and any_axes:
        return jnp.swapaxes(input, 0, 1)
    return input


@op(ops=("moveaxis", "movedim"), tensor=("moveaxis", "movedim"))
def moveaxis(x: Array, source: Static[Ints], destination: Static[Ints]) -> Array:
    """Axes moved to other places; the others keep their order.

    Example:
        >>> ops.moveaxis(ops.zeros((2, 3, 4)), 0, 2).shape
        (3, 4, 2)
    """
    return jnp.moveaxis(x, source, destination)


@op(
    prim=Prim("ExpandDims", call=args("input_x", "axis"), to={"input_x": "input"}),
    ops=(
        Face("expand_dims", args("input_x", "axis"), to={"input_x": "input"}),
        Face("unsqueeze", args("input", "dim"), to={"dim": "axis"}),
    ),
    tensor=("expand_dims", Method("unsqueeze", args("dim"), to={"dim": "axis"})),
    mint=Face("unsqueeze", args("input", "dim"), to={"dim": "axis"}),
)
def expand_dims(input: Array, axis: Static[Axis]) -> Array:
    """A new axis of length 1 at the given place.

    Example:
        >>> print(ops.expand_dims(Tensor([1, 2]), 0))
        [[1 2]]
    """
    if not isinstance(axis, (tuple, list)):
        axis_of("ExpandDims", axis, input.ndim + 1)
    return jnp.expand_dims(input, axis)


@op(
    prim=Prim("Squeeze", init=args(axis=()), call=args("x"), to={"x": "input"}),
    ops=True,
    mint=Face("squeeze", args("input", dim=None), to={"dim": "axis"}),
)
def squeeze(input: Array, axis: Static[Axis] = None) -> Array:
    """Without axes of length 1: all of them, or those given.

    Example:
        >>> ops.squeeze(ops.zeros((1, 2, 1))).shape
        (2,)
    """
    if axis is None or axis == () or input.ndim == 0:  # without axes there is none to leave out, whichever is asked for
        return jnp.squeeze(input)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [axis_of("Squeeze", a, input.ndim) for a in axes]
    return jnp.squeeze(input, tuple({a for a in axes if input.shape[a] == 1}))


@composite(ops=False, tensor="squeeze", name="squeeze_method")
def squeeze_method(self: Array, *axis: Any, **named: Any):
    """Without axes of length 1: all of them, or the given ones."""
    wanted = variadic(axis) if axis else named.get("dim", named.get("axis"))
    return records["squeeze"](self, wanted if wanted != () else None)


@op(ops=False, prim=Prim("Flatten", call=args("input_x"), to={"input_x": "input"}, fixed={"rows": True}))
def flatten(
    input: Array, order: Literal["C", "F"] = "C", start_dim: int = 1, end_dim: int = -1, rows: bool = False
) -> Array:
    """The axes from start_dim to end_dim as one axis; order "C" or "F" says how elements are counted. rows: two axes, the first as it is."""
    if rows and not input.ndim:
        raise RuntimeError("For 'Flatten', the input must have at least one axis, but got none.")
    if rows:
        return merged(input, 1)
    if order == "F":
        input = jnp.transpose(input)
    if input.ndim < 2 and (order == "F" or (start_dim, end_dim) == (1, -1)):
        return jnp.reshape(input, (-1,))
    ndim = max(input.ndim, 1)
    start, end = axis_of("flatten", start_dim, ndim), axis_of("flatten", end_dim, ndim)
    if start > end:
        raise ValueError(
            f"For 'flatten', the 'start_dim' must not be after the 'end_dim', but got {start_dim} and {end_dim}."
        )
    return jnp.reshape(input, (*input.shape[:start], math.prod(input.shape[start : end + 1]), *input.shape[end + 1 :]))


@composite(ops=Face("flatten", args("input", order="C").only(start_dim=1, end_dim=-1)), name="flatten_axes")
def flatten_axes(input: Array, order: Literal["C", "F"] = "C", start_dim: int = 1, end_dim: int = -1) -> Array:
    """The axes from start_dim to end_dim as one axis; order "C" or "F" says how elements are counted.

    Example:
        >>> ops.flatten(ops.zeros((2, 3, 4))).shape
        (2, 12)
    """
    return _flat(input, order, start_dim, end_dim)


@composite(ops=False, tensor="flatten", name="flatten_method")
def flatten_method(self: Array, *axes: Any, order: str = "C", start_dim: int = 0, end_dim: int = -1) -> Array:
    """flatten(start_dim=0, end_dim=-1), or flatten(order, *, start_dim=0, end_dim=-1) as it was called before."""
    if axes and not isinstance(axes[0], bool) and isinstance(axes[0], int) and len(axes) < 3:
        start_dim, end_dim = (*axes, end_dim)[:2]
    elif len(axes) == 1:
        order = axes[0]
    elif axes:
        raise TypeError(f"For 'Tensor.flatten', start_dim and end_dim must be two ints, but got {axes}.")
    return _flat(self, order, start_dim, end_dim)


@composite(
    ops=False,
    mint=(Face("flatten", args("input", start_dim=0, end_dim=-1)), "nn.functional.flatten"),
    name="mint_flatten",
)
def mint_flatten(input: Array, start_dim: int = 0, end_dim: int = -1) -> Array:
    """The axes from start_dim to end_dim, ints or Tensors of one, as one axis."""
    start_dim, end_dim = (d.item() if isinstance(d, Tensor) and not d.ndim else d for d in (start_dim, end_dim))
    axis_of("flatten", start_dim, max(input.ndim, 1))
    return _flat_view(input, "C", start_dim, end_dim)


def _flat(x, order, start_dim, end_dim):
    """All axes but the first as one is a Primitive of MindSpore, whose result is new; the others are reshapes."""
    if order == "C" and x.ndim > 1 and (start_dim, end_dim) == (1, -1):
        return records["flatten"](x)
    return _flat_view(x, order, start_dim, end_dim)


def _flat_view(*args):
    """A part of its Tensor where a reshape would be."""
    record = records["flatten"]
    return views.share(record, args, record(*args))


def merged(x: Any, start: int):
    """x with the axes from `start` on as one: -1 in a shape cannot be told where an axis before has no element."""
    return jnp.reshape(x, (*x.shape[:start], math.prod(x.shape[start:])))


@op(ops=True, tensor="ravel", mint="ravel")
def ravel(input: Array) -> Array:
    """All elements as one axis.

    Example:
        >>> print(ops.ravel(Tensor([[1, 2], [3, 4]])))
        [1 2 3 4]
    """
    return jnp.ravel(input)


@op(
    prim=(
        Prim("BroadcastTo", init=args("shape"), call=args("x"), to={"x": "input"}),
        Prim("Expand", call=args("x", "shape"), to={"x": "input"}),
    ),
    ops=("broadcast_to", Face("expand", args("input_x", "size"), to={"input_x": "input", "size": "shape"})),
    mint="broadcast_to",
)
def broadcast_to(input: Array, shape: Static[Ints]) -> Array:
    """Repeated along axes of length 1, and along new axes in front; -1 keeps a length.

    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> print(ops.broadcast_to(Tensor([1, 2]), (3, 2)))
        [[1 2]
         [1 2]
         [1 2]]
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


@composite(
    ops=False,
    tensor=("broadcast_to", Method("expand", args("*size", "**named"), to={"size": "shape"})),
    name="broadcast_method",
)
def broadcast_method(self: Array, *shape: Any, **named: Any):
    """Repeated along axes of length 1, and along new axes in front."""
    return records["broadcast_to"](self, leading(shape) if shape else one_named("broadcast_to", named))


@composite(ops=Face("expand_as", args("input", "other")), tensor="expand_as")
def expand_as(input: Array, other: MaybeArray = None, x: MaybeArray = None) -> Array:
    """Broadcast to the shape of another Tensor (`x` in older code)."""
    return records["broadcast_to"](input, (x if other is None else other).shape)


@op(
    prim=Prim("Tile", call=args("input_x", "multiples"), to={"input_x": "input", "multiples": "dims"}),
    ops=True,
    mint="tile",
)
def tile(input: Array, dims: Static[Ints]) -> Array:
    """The whole Tensor repeated along its axes; more numbers than axes add axes in front.

    Example:
        >>> print(ops.tile(Tensor([1, 2]), (2, 2)))
        [[1 2 1 2]
         [1 2 1 2]]
    """
    dims = shape_of("Tile", dims)
    if any(d < 0 for d in dims):
        raise ValueError(f"For 'Tile', the elements of 'multiples' must not be negative, but got {dims}.")
    return jnp.tile(input, dims)


@composite(ops=False, tensor="tile", name="tile_method")
def tile_method(self: Array, *reps: Any, **named: Any) -> Array:
    """The whole Tensor repeated along its axes."""
    return records["tile"](self, leading(reps) if reps else one_named("tile", named))


@composite(ops=False, tensor="repeat", name="repeat_method")
def repeat_method(self: Array, *sizes: Any, repeats: Ints | None = None, axis: Axis = None) -> Array:
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
    prim=(Prim("ReverseV2", init=args("axis"), call=args("input_x"), to={"axis": "dims", "input_x": "input"}),),
    ops=("flip", Face("reverse", args("x", "axis"), to={"x": "input", "axis": "dims"})),
    tensor=(Method("reverse", args("axis"), to={"axis": "dims"}),),
    mint="flip",
)
def flip(input: Array, dims: Static[Ints]) -> Array:
    """The order of the elements reversed along axes.

    Example:
        >>> print(ops.flip(Tensor([[1, 2], [3, 4]]), (0,)))
        [[3 4]
         [1 2]]
    """
    axes = dims if isinstance(dims, (tuple, list)) else (dims,)
    return jnp.flip(input, tuple(axis_of("flip", a, input.ndim) for a in axes))


@composite(ops=False, tensor="flip", name="flip_method")
def flip_method(self: Array, *dims: Any, **named: Any):
    """The order of the elements reversed along axes."""
    return records["flip"](self, variadic(dims) if dims else one_named("flip", named))


@op(ops=True, tensor="fliplr")
def fliplr(input: Array) -> Array:
    """The columns in reverse order.

    Example:
        >>> print(ops.fliplr(Tensor([[1, 2], [3, 4]])))
        [[2 1]
         [4 3]]
    """
    return jnp.fliplr(input)


@op(ops=True, tensor="flipud")
def flipud(input: Array) -> Array:
    """The rows in reverse order.

    Example:
        >>> print(ops.flipud(Tensor([[1, 2], [3, 4]])))
        [[3 4]
         [1 2]]
    """
    return jnp.flipud(input)


@op(ops=True, tensor="rot90")
def rot90(input: Array, k: Static[int], dims: Static[Ints]) -> Array:
    """Turned by k right angles in the plane of two axes.

    Example:
        >>> print(ops.rot90(Tensor([[1, 2], [3, 4]]), 1, (0, 1)))
        [[2 4]
         [1 3]]
    """
    if len(dims) == 2 and (dims[0] == dims[1] or abs(dims[0] - dims[1]) == input.ndim):
        raise RuntimeError(f"For 'rot90', the 'dims' must be two different axes, but got {tuple(dims)}.")
    return jnp.rot90(input, k, tuple(dims))


@op(prim=Prim("Roll", inputs=("input",)), ops=True, tensor="roll", mint="roll")
def roll(input: Array, shifts: Static[Ints], dims: Static[Ints | None] = None) -> Array:
    """Elements moved along axes; those that leave at one end enter at the other.

    Example:
        >>> print(ops.roll(Tensor([1, 2, 3]), 1, 0))
        [3 1 2]
    """
    moves, axes = (v if isinstance(v, (tuple, list)) else (v,) for v in (shifts, dims))
    if len(moves) != len(axes):
        raise ValueError(f"For 'roll', the 'shifts' and 'dims' must be of one length, but got {shifts} and {dims}.")
    return jnp.roll(input, shifts, dims)


@op(
    prim=Prim("ReverseSequence", inputs=("x", "seq_lengths")),
    ops=True,
    tensor=Method("reverse_sequence", args("seq_lengths", seq_dim=0, batch_dim=0)),
)
def reverse_sequence(x: Array, seq_lengths: Array, seq_dim: int, batch_dim: int = 0) -> Array:
    """The first `seq_lengths[b]` elements along an axis in reverse order, for each b of another axis.

    Example:
        >>> print(ops.reverse_sequence(Tensor([[1, 2, 3]]), Tensor([2]), seq_dim=1))
        [[2 1 3]]
    """
    seq_dim, batch_dim = axis_of("ReverseSequence", seq_dim, x.ndim), axis_of("ReverseSequence", batch_dim, x.ndim)
    same_shape("ReverseSequence", batch=(x.shape[batch_dim],), seq_lengths=seq_lengths.shape)
    place = jnp.arange(x.shape[seq_dim]).reshape([-1 if i == seq_dim else 1 for i in range(x.ndim)])
    length = jnp.reshape(seq_lengths, [-1 if i == batch_dim else 1 for i in range(x.ndim)])
    source = jnp.where(place < length, length - 1 - place, place)
    return jnp.take_along_axis(x, jnp.broadcast_to(source, x.shape), seq_dim)

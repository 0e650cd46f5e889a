"""Joining Tensors and taking them apart; repeating; windows of axes."""

from typing import Any, Literal

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Arrays, Axis, Ints, Static
from ...core.spec.rules import AnyCase, AsValue, PositiveInt
from ...core.values import dtype as mstype
from ...core.values.promote import promote
from ..shapes import ANY, any_case, number_of_axes
from .shaping import axis_of


def _tensors(name, tensors):
    if not isinstance(tensors, (tuple, list)):
        raise TypeError(
            f"For '{name}', the input must be a tuple or list of Tensors, but got {type(tensors).__name__}."
        )
    if not tensors:
        raise ValueError(f"For '{name}', the input must hold at least one Tensor, but got none.")
    return tensors


@op(
    prim=(
        Prim("Concat", init=args(axis=0), call=args("input_x"), to={"input_x": "tensors"}),
        Prim("ParallelConcat", call=args("values"), to={"values": "tensors"}),
    ),
    ops=("cat", "concat"),
    mint=(
        Face("cat", args("tensors", dim=0), to={"dim": "axis"}),
        Face("concat", args("tensors", dim=0), to={"dim": "axis"}),
    ),
)
def cat(tensors: Arrays, axis: Static[int] = 0) -> Array:
    """Tensors joined along an axis that they have.

    Raises:
        ValueError: shapes differ in another axis.

    Example:
        >>> print(ops.cat((Tensor([1, 2]), Tensor([3]))))
        [1 2 3]
    """
    tensors = promote(*_tensors("Concat", tensors))
    first = tensors[0]
    place = axis_of("Concat", axis, first.ndim)
    for i, t in enumerate(tensors[1:], 1):
        if t.ndim != first.ndim or any(a != b for d, (a, b) in enumerate(zip(t.shape, first.shape)) if d != place):
            raise ValueError(
                f"For 'Concat', the shapes of the inputs must agree in all axes but {axis}, but got {first.shape} for "
                f"input 0 and {t.shape} for input {i}."
            )
    return jnp.concatenate(tensors, place)


@op(ops=True, mint=Face("stack", args("tensors", dim=0), to={"dim": "axis"}))
def stack(tensors: Arrays, axis: int = 0) -> Array:
    """Tensors of one shape and dtype joined along a new axis.

    Raises:
        TypeError: dtypes differ. ValueError: shapes differ.

    Example:
        >>> print(ops.stack((Tensor([1, 2]), Tensor([3, 4])), axis=1))
        [[1 3]
         [2 4]]
    """
    tensors = [tensors] if hasattr(tensors, "ndim") else _tensors("Stack", tensors)
    tensors = [jnp.asarray(t) for t in tensors]
    first = tensors[0]
    for i, t in enumerate(tensors[1:], 1):
        if t.shape != first.shape:
            raise ValueError(
                f"For 'Stack', all inputs must have the same shape, but got {t.shape} for input {i} and {first.shape} "
                "for input 0."
            )
    for i, t in enumerate(tensors[1:], 1):
        if t.dtype != first.dtype:
            raise TypeError(
                f"For 'Stack', all inputs must have the same data type, but got input[{i}] data type = "
                f"Tensor[{mstype.from_numpy(t.dtype)}], input[0] data type = Tensor[{mstype.from_numpy(first.dtype)}]."
            )
    return jnp.stack(tensors, axis_of("Stack", axis, first.ndim + 1))


@composite(
    prim=tuple(Prim(name, init=args(axis=0), call=args("*input_x")) for name in ("Stack", "Pack")),
    ops=False,
    name="stack_inputs",
)
def stack_inputs(*input_x: Any, axis: int = 0) -> Array:
    """Tensors joined along a new axis: given as one list or tuple, or each as an argument."""
    return records["stack"](input_x[0] if len(input_x) == 1 else input_x, axis)


@op(ops=True, mint="hstack")
def hstack(tensors: Arrays) -> Array:
    """Tensors joined along the second axis (vectors along the first).

    Example:
        >>> print(ops.hstack((Tensor([1, 2]), Tensor([3]))))
        [1 2 3]
    """
    return jnp.hstack(promote(*_tensors("hstack", tensors)))


@op(ops=(Face("vstack", args("inputs"), to={"inputs": "tensors"}), "row_stack"))
def vstack(tensors: Arrays) -> Array:
    """Tensors joined along the first axis; vectors are rows.

    Example:
        >>> print(ops.vstack((Tensor([1, 2]), Tensor([3, 4]))))
        [[1 2]
         [3 4]]
    """
    return jnp.vstack(promote(*_tensors("vstack", tensors)))


@op(ops=True, mint="dstack")
def dstack(tensors: Arrays) -> Array:
    """Tensors joined along the third axis.

    Example:
        >>> print(ops.dstack((Tensor([1, 2]), Tensor([3, 4]))))
        [[[1 3]
          [2 4]]]
    """
    return jnp.dstack(promote(*_tensors("dstack", tensors)))


@op(ops=True)
def column_stack(tensors: Arrays) -> Array:
    """Tensors joined along the second axis; vectors are columns.

    Example:
        >>> print(ops.column_stack((Tensor([1, 2]), Tensor([3, 4]))))
        [[1 3]
         [2 4]]
    """
    return jnp.column_stack(promote(*_tensors("column_stack", tensors)))


@op(ops=True)
def block_diag(*inputs: Any) -> Array:
    """Matrix with the given matrices on its diagonal.

    Example:
        >>> print(ops.block_diag(Tensor([[1, 2]]), Tensor([[3], [4]])))
        [[1 2 0]
         [0 0 3]
         [0 0 4]]
    """
    blocks = [jnp.atleast_2d(b) for b in promote(*inputs)]
    rows, columns = [b.shape[0] for b in blocks], [b.shape[1] for b in blocks]
    out, r, c = jnp.zeros((sum(rows), sum(columns)), blocks[0].dtype), 0, 0
    for b in blocks:
        out = out.at[r : r + b.shape[0], c : c + b.shape[1]].set(b)
        r, c = r + b.shape[0], c + b.shape[1]
    return out


def _pieces(input, bounds, axis):
    """Slices between consecutive bounds along an axis."""
    if bounds[0] == 0 and bounds[-1] == input.shape[axis] and all(a <= b for a, b in zip(bounds, bounds[1:])):
        return tuple(lax.split(input, tuple(np.diff(bounds).tolist()), axis))  # its gradient joins; that of slices adds
    return tuple(lax.slice_in_dim(input, a, b, axis=axis) for a, b in zip(bounds[:-1], bounds[1:]))


@op(ops=True, tensor="split", mint=Face("split", args("tensor", "split_size_or_sections", dim=0), to={"dim": "axis"}))
def split(tensor: Array, split_size_or_sections: Static[Ints], axis: Static[int] = 0):
    """Pieces along an axis: of one size (the last may be smaller), or of the given sizes.

    Example:
        >>> ops.split(Tensor([1, 2, 3]), 2)
        (Tensor(shape=[2], dtype=Int64, value= [1, 2]), Tensor(shape=[1], dtype=Int64, value= [3]))
    """
    axis = axis_of("split", axis, tensor.ndim)
    length, sizes = tensor.shape[axis], split_size_or_sections
    if isinstance(sizes, bool) or not isinstance(sizes, (int, tuple, list)):
        raise TypeError(
            "For 'split', the 'split_size_or_sections' must be an int, or a tuple or list of ints, but got "
            f"{type(sizes).__name__}."
        )
    if isinstance(sizes, int):
        if sizes <= 0:
            raise ValueError(f"For 'split', the 'split_size_or_sections' must be positive, but got {sizes}.")
        bounds = [*range(0, length, sizes), length] if length else [0, 0]
    else:
        if sum(sizes) != length or any(s < 0 for s in sizes):
            raise ValueError(
                f"For 'split', the sum of 'split_size_or_sections' must be equal to {length}, the size along axis "
                f"{axis}, but got {tuple(sizes)}."
            )
        bounds = [0, *np.cumsum(sizes).tolist()]
    return _pieces(tensor, bounds, axis)


@op(
    prim=Prim("Split", init=args(axis=0, output_num=1), call=args("input_x"), to={"input_x": "x"}),
    ops=False,
    name="prim_split",
)
def prim_split(x: Array, axis: int = 0, output_num: int = 1):
    """`output_num` equal pieces along an axis."""
    axis = axis_of("Split", axis, x.ndim)
    if output_num <= 0 or x.shape[axis] % output_num:
        raise ValueError(
            f"For 'Split', the size along axis {axis} must be divisible by 'output_num', but got {x.shape[axis]} and "
            f"{output_num}."
        )
    step = x.shape[axis] // output_num
    return _pieces(x, list(range(0, x.shape[axis] + 1, step)) if step else [0] * (output_num + 1), axis)


@op(prim=Prim("SplitV", inputs=("input_x",)), ops=False, name="prim_split_v")
def prim_split_v(input_x: Array, size_splits: Ints, split_dim: int, num_split: int) -> Array:
    """Pieces of the given sizes along an axis; one size may be -1."""
    sizes, axis = list(size_splits), axis_of("SplitV", split_dim, input_x.ndim)
    if len(sizes) != num_split:
        raise ValueError(
            f"For 'SplitV', the length of 'size_splits' must be 'num_split', but got {len(sizes)} and {num_split}."
        )
    if -1 in sizes:
        sizes[sizes.index(-1)] = input_x.shape[axis] - sum(s for s in sizes if s != -1)
    return split(input_x, sizes, axis)


def _parts(name, input, indices_or_sections, axis):
    """Pieces as NumPy's array_split gives them: a number of parts, or the places to cut at."""
    axis = axis_of(name, axis, input.ndim)
    length = input.shape[axis]
    if isinstance(indices_or_sections, int):
        if indices_or_sections <= 0:
            raise ValueError(
                f"For '{name}', the 'indices_or_sections' must be positive, but got {indices_or_sections}."
            )
        each, more = divmod(length, indices_or_sections)
        bounds = [0, *np.cumsum([each + 1] * more + [each] * (indices_or_sections - more)).tolist()]
        return _pieces(input, bounds, axis)
    bounds = [0, *[min(max(i + length if i < 0 else i, 0), length) for i in indices_or_sections], length]
    return tuple(_pieces(input, [a, max(a, b)], axis)[0] for a, b in zip(bounds[:-1], bounds[1:]))


@op(ops=True, tensor="tensor_split")
def tensor_split(input: Array, indices_or_sections: Static[Ints], axis: int = 0):
    """A number of pieces of nearly equal size along an axis, or pieces cut at the given indices.

    Example:
        >>> ops.tensor_split(Tensor([1, 2, 3]), 2)
        (Tensor(shape=[2], dtype=Int64, value= [1, 2]), Tensor(shape=[1], dtype=Int64, value= [3]))
    """
    return _parts("tensor_split", input, indices_or_sections, axis)


@op(ops=True, tensor="hsplit")
def hsplit(input: Array, indices_or_sections: Static[Ints]):
    """`tensor_split` along the second axis.

    Example:
        >>> ops.hsplit(Tensor([[1, 2], [3, 4]]), 2)
        (Tensor(shape=[2, 1], dtype=Int64, value=
        [[1],
         [3]]), Tensor(shape=[2, 1], dtype=Int64, value=
        [[2],
         [4]]))
    """
    number_of_axes("hsplit", range(2, ANY), input=input.shape)
    return _parts("hsplit", input, indices_or_sections, 1)


@op(ops=True, tensor="vsplit")
def vsplit(input: Array, indices_or_sections: Static[Ints]):
    """`tensor_split` along the first axis.

    Example:
        >>> ops.vsplit(Tensor([[1, 2], [3, 4]]), 2)
        (Tensor(shape=[1, 2], dtype=Int64, value=
        [[1, 2]]), Tensor(shape=[1, 2], dtype=Int64, value=
        [[3, 4]]))
    """
    return _parts("vsplit", input, indices_or_sections, 0)


@op(ops=True, tensor="dsplit")
def dsplit(input: Array, indices_or_sections: Static[Ints]):
    """`tensor_split` along the third axis.

    Example:
        >>> ops.dsplit(ops.zeros((1, 2, 4)), 2)
        (Tensor(shape=[1, 2, 2], dtype=Float32, value=
        [[[ 0.00000000e+00,  0.00000000e+00],
          [ 0.00000000e+00,  0.00000000e+00]]]), Tensor(shape=[1, 2, 2], dtype=Float32, value=
        [[[ 0.00000000e+00,  0.00000000e+00],
          [ 0.00000000e+00,  0.00000000e+00]]]))
    """
    return _parts("dsplit", input, indices_or_sections, 2)


@op(ops=True, tensor="chunk", mint=Face("chunk", args("input", "chunks", dim=0), to={"dim": "axis"}))
def chunk(input: Array, chunks: Static[PositiveInt], axis: Static[int] = 0):
    """At most `chunks` pieces of equal size along an axis; the last may be smaller.

    Example:
        >>> ops.chunk(Tensor([1, 2, 3]), 2)
        (Tensor(shape=[2], dtype=Int64, value= [1, 2]), Tensor(shape=[1], dtype=Int64, value= [3]))
    """
    place = axis_of("chunk", axis, input.ndim)
    return split(input, max(-(-input.shape[place] // chunks), 1), place)


@op(
    prim=(
        Prim("Unstack", init=args(axis=0, num=None), call=args("input_x"), to={"input_x": "input"}),
        Prim("Unpack", init=args(axis=0, num=None), call=args("input_x"), to={"input_x": "input"}),
    ),
    ops=(
        Face("unstack", args("input_x", axis=0), to={"input_x": "input"}),
        Face("unbind", args("input", dim=0), to={"dim": "axis"}),
    ),
    tensor=Method("unbind", args(dim=0), to={"dim": "axis"}),
    mint=Face("unbind", args("input", dim=0), to={"dim": "axis"}),
)
def unstack(input: Array, axis: int = 0, num: int | None = None):
    """The slices along an axis, without that axis, as a tuple.

    Example:
        >>> ops.unstack(Tensor([[1, 2], [3, 4]]))
        (Tensor(shape=[2], dtype=Int64, value= [1, 2]), Tensor(shape=[2], dtype=Int64, value= [3, 4]))
    """
    axis = axis_of("Unstack", axis, input.ndim)
    if num is not None and num != input.shape[axis]:
        raise ValueError(f"For 'Unstack', the 'num' must be {input.shape[axis]}, the size along 'axis', but got {num}.")
    return tuple(jnp.squeeze(p, axis) for p in _pieces(input, list(range(input.shape[axis] + 1)), axis))


def counts_of(name, repeats):
    """How often each slice is repeated, as an array of integers without or with one axis."""
    counts = np.asarray(repeats)
    listed = isinstance(repeats, (list, tuple))
    if listed and not all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in repeats):
        raise TypeError(f"For '{name}', the 'repeats' must be an int or a list of ints, but got {repeats!r}.")
    if counts.size and counts.dtype.kind not in "iu":
        raise TypeError(f"For '{name}', the 'repeats' must be integers, but got {repeats!r}.")
    if not counts.size or counts.min() < 0:
        raise ValueError(f"For '{name}', the 'repeats' must not be empty or negative, but got {repeats!r}.")
    return counts


@op(name="repeat_interleave_static", ops=False)
def repeat_interleave_static(input: Array, repeats: Static[Any], axis: Static[Axis]):
    """Each element (or slice along an axis) repeated `repeats` times."""
    if axis is None:
        input, axis = input.reshape(-1), 0
    axis = axis_of("repeat_interleave", axis, input.ndim)
    counts = counts_of("repeat_interleave", repeats)
    total = int(counts.sum()) if counts.ndim and counts.size > 1 else int(counts.reshape(-1)[0]) * input.shape[axis]
    return jnp.repeat(input, jnp.asarray(counts), axis, total_repeat_length=total)


@composite(
    ops=(Face("repeat_interleave", args("input", "repeats", axis=None)),),
    tensor=Method("repeat_interleave", args("repeats", dim=None).only(output_size=None), to={"dim": "axis"}),
    mint=Face("repeat_interleave", args("input", "repeats", dim=None).only(output_size=None), to={"dim": "axis"}),
)
def repeat_interleave(input: Array, repeats: Any, axis: Axis = None, output_size: int | None = None) -> Array:
    """Each element (or slice along an axis) repeated; `repeats` is a number, or one for each.

    Example:
        >>> print(ops.repeat_interleave(Tensor([1, 2]), 2))
        [1 1 2 2]
    """
    number_of_axes("repeat_interleave", (0, 1), RuntimeError, repeats=getattr(repeats, "shape", ()))
    return records["repeat_interleave_static"](input, repeats, axis)


@op(ops=True)
def repeat_elements(x: Array, rep: Static[PositiveInt], axis: Static[int] = 0) -> Array:
    """Each slice along an axis repeated `rep` times.

    Example:
        >>> print(ops.repeat_elements(Tensor([[1, 2]]), 2, 1))
        [[1 1 2 2]]
    """
    return jnp.repeat(x, rep, axis_of("repeat_elements", axis, x.ndim))


@composite(ops=True)
def atleast_1d(inputs: Any) -> Array:
    """Tensors with at least one axis."""
    return _at_least("atleast_1d_one", inputs)


@composite(ops=True)
def atleast_2d(inputs: Any) -> Array:
    """Tensors with at least two axes; new ones are in front."""
    return _at_least("atleast_2d_one", inputs)


@composite(ops=True)
def atleast_3d(inputs: Any) -> Array:
    """Tensors with at least three axes; a matrix gets one behind, a vector one on each side."""
    return _at_least("atleast_3d_one", inputs)


def _at_least(name, inputs):
    record = records[name]
    return tuple(record(x) for x in inputs) if isinstance(inputs, (tuple, list)) else record(inputs)


def _register_one(name, fn):
    op(lambda x: fn(x), name=name, ops=False)


for _n, _fn in ((1, jnp.atleast_1d), (2, jnp.atleast_2d), (3, jnp.atleast_3d)):
    _register_one(f"atleast_{_n}d_one", _fn)


@op(prim=Prim("Meshgrid", inputs=("inputs",)), ops=False)
def meshgrid_tuple(inputs: Arrays, indexing: AsValue[AnyCase[Literal["xy", "ij"]]] = "xy"):
    """Coordinate grids of the given vectors."""
    if not isinstance(inputs, (list, tuple)):
        raise TypeError(f"For 'Meshgrid', the 'inputs' must be a tuple of Tensors, but got {type(inputs).__name__}.")
    if len({x.dtype for x in inputs}) > 1:
        raise ValueError(f"For 'Meshgrid', all Tensors must have one type, but got {[str(x.dtype) for x in inputs]}.")
    return tuple(jnp.meshgrid(*[jnp.reshape(x, -1) for x in inputs], indexing=any_case(indexing)))


@composite(ops=True)
def meshgrid(*inputs: Any, indexing: str = "xy"):
    """Coordinate grids of the given vectors; indexing "xy" (columns first) or "ij".

    Example:
        >>> ops.meshgrid(Tensor([1, 2]), Tensor([3, 4, 5]))
        (Tensor(shape=[3, 2], dtype=Int64, value=
        [[1, 2],
         [1, 2],
         [1, 2]]), Tensor(shape=[3, 2], dtype=Int64, value=
        [[3, 3],
         [4, 4],
         [5, 5]]))
    """
    return records["meshgrid_tuple"](
        list(inputs[0]) if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) else list(inputs), indexing
    )


@composite(ops=False, mint="meshgrid", name="mint_meshgrid")
def mint_meshgrid(*tensors: Any, indexing: str | None = None):
    """Coordinate grids of the given vectors; indexing "ij" (the default) or "xy"."""
    return meshgrid(*tensors, indexing=indexing or "ij")

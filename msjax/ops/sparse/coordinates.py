"""Operators on sparse Tensors given as positions (one a row), values and shape, which MindSpore has as Primitives alone.

How many values come out depends on the positions, so they run on concrete arrays.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.program.halves import segment_sum
from ...core.spec import Array, Integers, Operand


def whole(values: Any):
    """Numbers of a shape or of positions as NumPy: int64."""
    return np.asarray(values).astype(np.int64)


def ordered(indices: Any):
    """The order of positions in which their elements stand in memory."""
    return np.lexsort(whole(indices).T[::-1])


def united(*indices):
    """(distinct positions in order, the number of each given one among them)."""
    joined = np.concatenate([whole(i) for i in indices])
    distinct, place = np.unique(joined, axis=0, return_inverse=True)
    return distinct, place.reshape(-1)


def _dense_values(indices, shape, dense):
    return jnp.broadcast_to(dense, tuple(whole(shape)))[tuple(whole(indices).T)]


def _cell_wise(name, combine, what):
    def of(x1_indices: Array, x1_values: Operand, x1_shape: Operand, x2: Operand):
        return combine(x1_values, _dense_values(x1_indices, x1_shape, x2))

    of.__doc__ = f"The stored values {what} the elements of a dense Tensor at their positions."
    op(of, name=name, prim=Prim(name), ops=False, dynamic=True)


for _name, _combine, _what in (
    ("SparseDenseCwiseAdd", jnp.add, "plus"),
    ("SparseDenseCwiseMul", jnp.multiply, "times"),
    ("SparseDenseCwiseDiv", jnp.divide, "over"),
):
    _cell_wise(_name, _combine, _what)


def _of_two(name, combine, what):
    def of(
        x1_indices: Array,
        x1_values: Operand,
        x1_shape: Operand,
        x2_indices: Operand,
        x2_values: Operand,
        x2_shape: Operand,
    ):
        distinct, place = united(x1_indices, x2_indices)
        count = len(whole(x1_indices))
        first = jnp.zeros(len(distinct), x1_values.dtype).at[place[:count]].set(x1_values)
        second = jnp.zeros(len(distinct), x2_values.dtype).at[place[count:]].set(x2_values)
        return jnp.asarray(distinct), combine(first, second)

    of.__doc__ = f"The {what} of two sparse Tensors, at the positions of either; what is not stored is 0."
    face = Prim(name)
    op(of, name=name, prim=face, ops=False, dynamic=True)


_of_two("SparseSparseMaximum", jnp.maximum, "larger values")
_of_two("SparseSparseMinimum", jnp.minimum, "smaller values")


@op(prim=Prim("SparseAdd"), ops=False, dynamic=True)
def sparse_add(
    x1_indices: Array,
    x1_values: Operand,
    x1_shape: Operand,
    x2_indices: Operand,
    x2_values: Operand,
    x2_shape: Operand,
    thresh: Operand,
):
    """Sum of two sparse Tensors: positions, values, shape; sums of a magnitude below `thresh` are left out."""
    distinct, place = united(x1_indices, x2_indices)
    sums = segment_sum(jnp.concatenate([x1_values, x2_values]), place, len(distinct))
    kept = np.flatnonzero(np.abs(np.asarray(jax.lax.stop_gradient(sums))) >= np.asarray(jax.lax.stop_gradient(thresh)))
    return jnp.asarray(distinct[kept]), sums[kept], x1_shape


@op(prim=Prim("SparseAddGrad"), ops=False, dynamic=True)
def sparse_add_grad(backprop_val_grad: Array, x1_indices: Operand, x2_indices: Operand, sum_indices: Operand):
    """The gradients of the values of both summands of a sparse sum."""
    found = {tuple(p): i for i, p in enumerate(whole(sum_indices).tolist())}
    padded = jnp.concatenate([backprop_val_grad, jnp.zeros(1, backprop_val_grad.dtype)])
    return tuple(
        padded[np.array([found.get(tuple(p), -1) for p in whole(indices).tolist()], np.int64)]
        for indices in (x1_indices, x2_indices)
    )


@op(prim=Prim("SparseReorder"), ops=False, dynamic=True)
def sparse_reorder(indices: Integers, values: Operand, shape: Operand):
    """Positions and values in the order of the memory."""
    order = ordered(indices)
    return indices[order], values[order]


@op(prim=Prim("SparseReshape"), ops=False, dynamic=True)
def sparse_reshape(indices: Integers, shape: Operand, new_shape: Operand):
    """The positions that the elements have in another shape, in which one length may be -1; and that shape."""
    old, new = whole(shape), whole(new_shape)
    if (new < 0).any():
        new = np.where(new < 0, np.prod(old) // max(1, int(np.prod(new[new >= 0]))), new)
    if np.prod(old) != np.prod(new):
        raise ValueError(f"For 'SparseReshape', {tuple(old)} cannot be reshaped to {tuple(new)}.")
    flat = np.ravel_multi_index(tuple(whole(indices).T), tuple(old))
    return jnp.asarray(np.stack(np.unravel_index(flat, tuple(new)), 1).astype(np.int64)), jnp.asarray(new)


@op(
    prim=Prim("SparseToDenseV2", inputs=("indices", "output_shape", "values", "default_value")), ops=False, dynamic=True
)
def sparse_to_dense_v2(
    indices: Integers, output_shape: Operand, values: Operand, default_value: Operand, validate_indices: bool = True
):
    """The whole Tensor of positions and values (or one for all), with `default_value` elsewhere."""
    at = whole(indices)
    at = at.reshape(-1, 1) if at.ndim < 2 else at
    return jnp.full(tuple(whole(output_shape)), default_value, values.dtype).at[tuple(at.T)].set(values)


@op(prim=Prim("SparseSoftmax"), ops=False, dynamic=True)
def sparse_softmax(indices: Integers, values: Operand, shape: Operand):
    """Softmax over the stored values of each row of the last axis."""
    rows, place = united(whole(indices)[:, :-1])
    top = jax.lax.stop_gradient(jax.ops.segment_max(values, place, len(rows)))
    e = jnp.exp(values - top[place])
    return e / segment_sum(e, place, len(rows))[place]


@op(prim=Prim("SparseAddmm"), ops=False, dynamic=True)
def sparse_addmm(
    indices: Integers,
    values: Operand,
    sparse_shape: Operand,
    x2_dense: Operand,
    x3_dense: Operand,
    alpha: Operand,
    beta: Operand,
):
    """alpha * (sparse @ x2_dense) + beta * x3_dense."""
    rows, columns = whole(indices).T
    product = segment_sum(values[:, None] * x2_dense[columns], rows, int(whole(sparse_shape)[0]))
    return (alpha.reshape(-1)[0] * product + beta.reshape(-1)[0] * x3_dense).astype(x3_dense.dtype)


@op(
    prim=Prim("SparseConcat", inputs=("sp_input_indices", "sp_input_values", "sp_input_shapes")),
    ops=False,
    dynamic=True,
)
def sparse_concat(sp_input_indices: Array, sp_input_values: Operand, sp_input_shapes: Operand, concat_dim: int = 0):
    """Sparse Tensors joined along an axis: positions, values, shape."""
    shapes = [whole(s) for s in sp_input_shapes]
    axis, start, places = concat_dim % len(shapes[0]), 0, []
    for indices, shape in zip(sp_input_indices, shapes):
        places.append(whole(indices) + start * (np.arange(len(shape)) == axis))
        start += shape[axis]
    joined = np.concatenate(places)
    order = ordered(joined)
    shape = np.where(np.arange(len(shapes[0])) == axis, start, shapes[0])
    return jnp.asarray(joined[order]), jnp.concatenate(sp_input_values)[order], jnp.asarray(shape)


@op(prim=Prim("SparseSplit", inputs=("split_dim", "indices", "values", "shape")), ops=False, dynamic=True)
def sparse_split(split_dim: Array, indices: Integers, values: Operand, shape: Operand, num_split: int = 1):
    """A sparse Tensor in parts along an axis: their positions, their values, their shapes."""
    axis, lengths, places = int(np.asarray(split_dim).reshape(-1)[0]), whole(shape), whole(indices)
    short, longer = divmod(int(lengths[axis]), num_split)
    parts, start = [], 0
    for i in range(num_split):
        length = short + (i < longer)
        inside = np.flatnonzero((places[:, axis] >= start) & (places[:, axis] < start + length))
        own = np.arange(len(lengths)) == axis
        parts.append((places[inside] - start * own, values[inside], np.where(own, length, lengths)))
        start += length
    return tuple(tuple(jnp.asarray(p[k]) for p in parts) for k in range(3))


@op(prim=Prim("SparseFillEmptyRows"), ops=False, dynamic=True)
def sparse_fill_empty_rows(indices: Integers, values: Operand, dense_shape: Operand, default_value: Operand):
    """Empty rows get `default_value` in their first column: positions, values, which rows were empty, and where each value went."""
    places, lengths = whole(indices), whole(dense_shape)
    empty = np.setdiff1d(np.arange(lengths[0]), places[:, 0])
    added = np.zeros((len(empty), places.shape[1]), np.int64)
    added[:, 0] = empty
    joined = np.concatenate([places, added])
    order = np.argsort(joined[:, 0], kind="stable")
    filled = jnp.concatenate([values, jnp.full(len(empty), default_value, values.dtype)])
    where = np.argsort(order, kind="stable")[: len(places)]
    return (
        jnp.asarray(joined[order]),
        filled[order],
        jnp.asarray(np.isin(np.arange(lengths[0]), empty)),
        jnp.asarray(where.astype(np.int64)),
    )


@op(
    prim=Prim("SparseCountSparseOutput", inputs=("indices", "values", "dense_shape", "weights")),
    ops=False,
    dynamic=True,
)
def sparse_count_sparse_output(
    indices: Integers,
    values: Operand,
    dense_shape: Operand,
    weights: Operand,
    binary_output: bool = False,
    minlength: int = -1,
    maxlength: int = -1,
):
    """The number of occurrences of each value in each row (or the sum of their weights): positions (row, value),
    counts, shape.
    """
    found, lengths, counted = whole(values), whole(dense_shape), np.asarray(weights)
    rows = whole(indices)[:, 0] if len(lengths) > 1 else np.zeros(len(found), np.int64)
    kept = found < maxlength if maxlength >= 0 else np.ones(len(found), bool)
    table = {}
    for i in np.flatnonzero(kept):
        key = (rows[i], found[i])
        table[key] = 1 if binary_output else table.get(key, 0) + (counted[i] if counted.size else 1)
    width = max(int(found[kept].max(initial=-1)) + 1, minlength) if maxlength < 0 else maxlength
    keys = sorted(table)
    places = np.array(keys, np.int64).reshape(-1, 2)
    shape = np.array([lengths[0], width], np.int64)
    if len(lengths) < 2:
        places, shape = places[:, 1:], shape[1:]
    counts = np.array([table[k] for k in keys], counted.dtype if counted.size else np.int64)
    return jnp.asarray(places), jnp.asarray(counts), jnp.asarray(shape)


# --- sums of rows that positions choose
def _segments(name, count):
    def of(x, indices, segment_ids, *num_segments):
        segments = whole(segment_ids)
        length = int(np.asarray(num_segments[0]).reshape(-1)[0]) if num_segments else int(segments[-1]) + 1
        total = segment_sum(
            x[whole(indices)], segments, length, (jnp.bfloat16,)
        )  # float16 in its own dtype, as MindSpore
        share = count(np.maximum(np.bincount(segments, minlength=length), 1))
        return (total / share.reshape((-1,) + (1,) * (x.ndim - 1))).astype(x.dtype)

    for suffix, counted in (("", False), ("WithNumSegments", True)):
        made = _with_names(of, counted)
        made.__doc__ = "Rows of x at `indices`, joined by segment: their sum, mean, or sum over the root of the number."
        op(made, name=name + suffix, prim=Prim(name + suffix), ops=False, dynamic=True)


def _with_names(of, counted):
    if counted:
        return lambda x, indices, segment_ids, num_segments: of(x, indices, segment_ids, num_segments)
    return lambda x, indices, segment_ids: of(x, indices, segment_ids)


_segments("SparseSegmentSum", np.ones_like)
_segments("SparseSegmentSqrtN", np.sqrt)
_segments("SparseSegmentMean", lambda n: n)


# --- sets along the last axis
_SETS = {
    "a-b": np.setdiff1d,
    "b-a": lambda a, b: np.setdiff1d(b, a),
    "intersection": np.intersect1d,
    "union": np.union1d,
}


def _set_operation(name, operation, first, second, leading, dtype):
    if operation not in _SETS:
        raise ValueError(f"For '{name}', the 'set_operation' must be one of {list(_SETS)}, but got {operation!r}.")
    places, values, longest = [], [], 0
    for group in np.ndindex(*leading):
        made = _SETS[operation](first(group), second(group))
        places += [(*group, i) for i in range(len(made))]
        values += made.tolist()
        longest = max(longest, len(made))
    return (
        jnp.asarray(np.array(places, np.int64).reshape(-1, len(leading) + 1)),
        jnp.asarray(np.array(values, dtype)),
        jnp.asarray(np.array([*leading, longest], np.int64)),
    )


@op(prim=Prim("DenseToDenseSetOperation", inputs=("x1", "x2")), ops=False, dynamic=True)
def dense_to_dense_set_operation(x1: Array, x2: Operand, set_operation: str = "a-b", validate_indices: bool = True):
    """Difference, intersection or union of the sets along the last axis: positions, values, shape."""
    a, b = np.asarray(x1), np.asarray(x2)
    return _set_operation(
        "DenseToDenseSetOperation", set_operation, lambda g: a[g], lambda g: b[g], a.shape[:-1], a.dtype
    )


@op(
    prim=Prim("DenseToSparseSetOperation", inputs=("x1", "x2_indices", "x2_values", "x2_shape")),
    ops=False,
    dynamic=True,
)
def dense_to_sparse_set_operation(
    x1: Array,
    x2_indices: Operand,
    x2_values: Operand,
    x2_shape: Operand,
    set_operation: str = "a-b",
    validate_indices: bool = True,
):
    """The same of a dense and a sparse Tensor."""
    a, places, values = np.asarray(x1), whole(x2_indices), np.asarray(x2_values)

    def second(group):
        return values[(places[:, :-1] == np.array(group, np.int64)).all(1)]

    return _set_operation("DenseToSparseSetOperation", set_operation, lambda g: a[g], second, a.shape[:-1], a.dtype)


@op(prim=Prim("SetSize", inputs=("set_indices", "set_values", "set_shape")), ops=False, dynamic=True)
def set_size(set_indices: Array, set_values: Operand, set_shape: Operand, validate_indices: bool = True):
    """How many distinct values each set along the last axis has."""
    places, values, lengths = whole(set_indices), np.asarray(set_values), whole(set_shape)
    sizes = np.zeros(tuple(lengths[:-1]), np.int32)
    for group in np.ndindex(*sizes.shape):
        sizes[group] = len(set(values[(places[:, :-1] == np.array(group, np.int64)).all(1)].tolist()))
    return jnp.asarray(sizes)

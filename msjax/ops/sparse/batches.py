"""Operators on sparse matrices, or batches of them, given as shape, beginnings of the batches and of the rows, columns and values.

MindSpore has them as Primitives alone. How many values come out depends on the positions, so they run on concrete arrays.
"""

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.program.halves import in_float32, segment_sum
from ...core.spec import Array, Dtype, Integers, Operand, Static
from ..shapes import number_of_axes
from .coordinates import united, whole

_PARTS = ("dense_shape", "batch_pointers", "row_pointers", "col_indices", "values")
_FIRST, _SECOND = (tuple(f"{x}_{part}" for part in _PARTS) for x in ("x1", "x2"))


def _positions(shape, rows, columns):
    """Positions (batch, row, column) of the stored values."""
    number_of_axes("CSRSparseMatrix", 1, dense_shape=shape.shape, row_pointers=rows.shape, col_indices=columns.shape)
    height = int(whole(shape)[-2])
    begins = whole(rows).reshape(-1, height + 1)
    counts = np.diff(begins, axis=1)
    batch = np.repeat(np.arange(len(begins)), counts.sum(1))
    row = np.concatenate([np.repeat(np.arange(height), c) for c in counts])
    return np.stack([batch, row, whole(columns)[: len(row)]], 1)


def _matrix(shape, places, values, dtype):
    """(shape, batch pointers, row pointers, columns, values) of positions (batch, row, column) in order."""
    lengths = whole(shape)
    batches, height = (int(lengths[0]) if len(lengths) > 2 else 1), int(lengths[-2])
    counts = np.zeros((batches, height), np.int64)
    np.add.at(counts, (places[:, 0], places[:, 1]), 1)
    rows = np.concatenate([np.zeros((batches, 1), np.int64), np.cumsum(counts, 1)], 1).reshape(-1)
    pointers = np.concatenate([[0], np.cumsum(counts.sum(1))])
    whole_numbers = (jnp.asarray(np.asarray(a).astype(dtype)) for a in (lengths, pointers, rows, places[:, 2]))
    return (*whole_numbers, values)


def _with_batch(indices):
    places = whole(indices)
    return places if places.shape[1] == 3 else np.insert(places, 0, 0, axis=1)


def _dense(shape, rows, columns, values):
    lengths = tuple(whole(shape))
    places = _positions(shape, rows, columns)
    places = places if len(lengths) == 3 else places[:, 1:]
    return in_float32(lambda v: jnp.zeros(lengths, v.dtype).at[tuple(places.T)].add(v), values[: len(places)])


@op(prim=Prim("CSRSparseMatrixToDense"), ops=False, dynamic=True)
def csr_sparse_matrix_to_dense(
    x_dense_shape: Array, x_batch_pointers: Operand, x_row_pointers: Operand, x_col_indices: Operand, x_values: Operand
):
    """The whole Tensor."""
    return _dense(x_dense_shape, x_row_pointers, x_col_indices, x_values)


@op(prim=Prim("CSRSparseMatrixToSparseTensor"), ops=False, dynamic=True)
def csr_sparse_matrix_to_sparse_tensor(
    x_dense_shape: Array, x_batch_pointers: Operand, x_row_pointers: Operand, x_col_indices: Operand, x_values: Operand
):
    """Positions (one a row), values and shape."""
    places = _positions(x_dense_shape, x_row_pointers, x_col_indices)
    places = places if len(whole(x_dense_shape)) == 3 else places[:, 1:]
    return jnp.asarray(places.astype(x_col_indices.dtype)), x_values, x_dense_shape


@op(prim=Prim("SparseTensorToCSRSparseMatrix"), ops=False, dynamic=True)
def sparse_tensor_to_csr_sparse_matrix(x_indices: Array, x_values: Operand, x_dense_shape: Operand):
    """The sparse matrix of positions in order, values and shape."""
    return _matrix(x_dense_shape, _with_batch(x_indices), x_values, x_indices.dtype)


@op(prim=Prim("DenseToCSRSparseMatrix"), ops=False, dynamic=True)
def dense_to_csr_sparse_matrix(dense_input: Array, indices: Integers):
    """The elements of a Tensor at positions in order, as a sparse matrix."""
    values = dense_input[tuple(whole(indices).T)]
    return _matrix(dense_input.shape, _with_batch(indices), values, indices.dtype)


@op(prim=Prim("SparseMatrixNNZ"), ops=False, dynamic=True)
def sparse_matrix_nnz(
    x_dense_shape: Array, x_batch_pointers: Operand, x_row_pointers: Operand, x_col_indices: Operand, x_values: Operand
):
    """How many values each batch stores."""
    number_of_axes("SparseMatrixNNZ", 1, x_dense_shape=x_dense_shape.shape, x_batch_pointers=x_batch_pointers.shape)
    given = {"x_row_pointers": x_row_pointers, "x_col_indices": x_col_indices, "x_values": x_values}
    number_of_axes("SparseMatrixNNZ", 1, **{name: array.shape for name, array in given.items()})
    return jnp.asarray(np.diff(whole(x_batch_pointers)).astype(np.int32))


@op(
    prim=Prim(
        "SparseMatrixSoftmax",
        inputs=("x_dense_shape", "x_batch_pointers", "x_row_pointers", "x_col_indices", "x_values"),
    ),
    ops=False,
    dynamic=True,
)
def sparse_matrix_softmax(
    x_dense_shape: Array,
    x_batch_pointers: Operand,
    x_row_pointers: Operand,
    x_col_indices: Operand,
    x_values: Operand,
    dtype: Static[Dtype],
):
    """The same matrix with the softmax over the stored values of each row."""
    rows, place = united(_positions(x_dense_shape, x_row_pointers, x_col_indices)[:, :2])
    top = jax.lax.stop_gradient(jax.ops.segment_max(x_values, place, len(rows)))
    e = jnp.exp(x_values - top[place])
    values = e / segment_sum(e, place, len(rows))[place]
    return x_dense_shape, x_batch_pointers, x_row_pointers, x_col_indices, values


@op(
    prim=Prim(
        "SparseMatrixTranspose",
        inputs=("x_dense_shape", "x_batch_pointers", "x_row_pointers", "x_col_indices", "x_values"),
    ),
    ops=False,
    dynamic=True,
)
def sparse_matrix_transpose(
    x_dense_shape: Array,
    x_batch_pointers: Operand,
    x_row_pointers: Operand,
    x_col_indices: Operand,
    x_values: Operand,
    conjugate: bool = False,
):
    """Each matrix transposed, its values conjugated where asked."""
    places = _positions(x_dense_shape, x_row_pointers, x_col_indices)[:, [0, 2, 1]]
    order = np.lexsort(places.T[::-1])
    values = x_values[order]
    lengths = whole(x_dense_shape)
    shape = [*lengths[:-2], lengths[-1], lengths[-2]]
    return _matrix(shape, places[order], jnp.conj(values) if conjugate else values, x_dense_shape.dtype)


@op(prim=Prim("SparseMatrixAdd"), ops=False, dynamic=True)
def sparse_matrix_add(
    x1_dense_shape: Array,
    x1_batch_pointers: Operand,
    x1_row_pointers: Operand,
    x1_col_indices: Operand,
    x1_values: Operand,
    x2_dense_shape: Operand,
    x2_batch_pointers: Operand,
    x2_row_pointers: Operand,
    x2_col_indices: Operand,
    x2_values: Operand,
    alpha: Operand,
    beta: Operand,
):
    """alpha * x1 + beta * x2."""
    distinct, place = united(
        _positions(x1_dense_shape, x1_row_pointers, x1_col_indices),
        _positions(x2_dense_shape, x2_row_pointers, x2_col_indices),
    )
    values = jnp.concatenate([x1_values * alpha.astype(x1_values.dtype), x2_values * beta.astype(x2_values.dtype)])
    sums = segment_sum(values, place, len(distinct))
    return _matrix(x1_dense_shape, distinct, sums, x1_dense_shape.dtype)


def _turned(x, transpose, adjoint):
    x = jnp.swapaxes(x, -1, -2) if transpose or adjoint else x
    return jnp.conj(x) if adjoint else x


@op(prim=Prim("SparseMatrixMatMul", inputs=(*_FIRST, "x2_dense")), ops=False, dynamic=True)
def sparse_matrix_mat_mul(
    x1_dense_shape: Array,
    x1_batch_pointers: Operand,
    x1_row_pointers: Operand,
    x1_col_indices: Operand,
    x1_values: Operand,
    x2_dense: Operand,
    transpose_x1: bool = False,
    transpose_x2: bool = False,
    adjoint_x1: bool = False,
    adjoint_x2: bool = False,
    transpose_output: bool = False,
    conjugate_output: bool = False,
):
    """Product of a sparse and a dense matrix, each turned where asked."""
    first = _turned(_dense(x1_dense_shape, x1_row_pointers, x1_col_indices, x1_values), transpose_x1, adjoint_x1)
    made = first @ _turned(x2_dense, transpose_x2, adjoint_x2)
    made = jnp.swapaxes(made, -1, -2) if transpose_output else made
    return jnp.conj(made) if conjugate_output else made


@op(prim=Prim("SparseMatrixSparseMatMul", inputs=_FIRST + _SECOND), ops=False, dynamic=True)
def sparse_matrix_sparse_mat_mul(
    x1_dense_shape: Array,
    x1_batch_pointers: Operand,
    x1_row_pointers: Operand,
    x1_col_indices: Operand,
    x1_values: Operand,
    x2_dense_shape: Operand,
    x2_batch_pointers: Operand,
    x2_row_pointers: Operand,
    x2_col_indices: Operand,
    x2_values: Operand,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
):
    """Product of two sparse matrices, each turned where asked, as a sparse matrix."""
    first = _turned(_dense(x1_dense_shape, x1_row_pointers, x1_col_indices, x1_values), transpose_a, adjoint_a)
    second = _turned(_dense(x2_dense_shape, x2_row_pointers, x2_col_indices, x2_values), transpose_b, adjoint_b)
    made = first @ second
    stored = np.argwhere(np.asarray(jax.lax.stop_gradient(made)) != 0)
    return _matrix(made.shape, _with_batch(stored), made[tuple(stored.T)], x1_dense_shape.dtype)

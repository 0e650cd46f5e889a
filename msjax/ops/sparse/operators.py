"""Operators on sparse Tensors: functions of each value, sums, products, conversions."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators import faces
from ...core.operators.record import composite, functions, op, records
from ...core.values.tensor import Tensor
from ..index.gathering import positions
from .tensors import COOTensor, CSRTensor, RowTensor


def _kind(name, value, kind):
    if not isinstance(value, kind):
        raise TypeError(f"For '{name}', the input must be a {kind.__name__}, but got {type(value).__name__}.")
    return value


# --- functions of each value
_ELEMENTWISE = """abs acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor inv isfinite isinf isnan log
log1p neg relu relu6 round
sigmoid sin sinh softsign sqrt square tan tanh""".split()


@functools.cache
def _function(name):
    return faces.function(functions, _NAMES.get(name, name), "mindspore.ops")


def _elementwise(name):
    def of_coo(x):
        return _kind(f"coo_{name}", x, COOTensor)._with(_function(name)(x.values))

    def of_csr(x):
        return _kind(f"csr_{name}", x, CSRTensor)._with(_function(name)(x.values))

    for prefix, fn in (("coo", of_coo), ("csr", of_csr)):
        fn.__doc__ = f"""`ops.{_NAMES.get(name, name)}` of the stored values of a {prefix.upper()}Tensor, at the same
        positions.

    Raises:
        TypeError: x is no {prefix.upper()}Tensor.
    """
        composite(fn, name=f"{prefix}_{name}", ops=f"{prefix}_{name}(x)")


_NAMES = {"inv": "reciprocal"}
for _name in _ELEMENTWISE:
    _elementwise(_name)


# --- conversions
@op(name="sparse_to_dense", ops=False, prim="SparseToDense()(indices, values, sparse_shape)", static=("sparse_shape",))
def sparse_to_dense(indices, values, sparse_shape):
    """The whole Tensor of positions (rows of `indices`) and values; values at one position add up."""
    dense = jnp.zeros(sparse_shape, values.dtype)
    position = tuple(
        positions(indices[:, i], sparse_shape[i], "SparseToDense", wraps=False) for i in range(indices.shape[1])
    )
    return dense | dense.at[position].set(values) if values.dtype == np.bool_ else dense.at[position].add(values)


@op(name="sparse_sums", ops=False, static=("count",))
def sparse_sums(values, place, count):
    """Sums of the values that have the same place."""
    return jax.ops.segment_sum(values, place, count)


@op(name="stack_pair", ops=False)
def stack_pair(rows, columns):
    """Two vectors as columns, in the dtype of the second."""
    return jnp.stack([rows.astype(columns.dtype), columns], 1)


@op(ops="coo2csr(row_indices, height)", static=("height",))
def coo2csr(row_indices, height):
    """Where each row begins, and the last one ends, of row numbers in ascending order.

    Example:
        >>> ops.coo2csr(Tensor([0, 0, 2]), 3)
    """
    return jnp.searchsorted(row_indices, jnp.arange(height + 1, dtype=row_indices.dtype)).astype(row_indices.dtype)


def _rows(indptr, count):
    return (jnp.searchsorted(indptr, jnp.arange(count, dtype=indptr.dtype), side="right") - 1).astype(indptr.dtype)


@op(ops="csr2coo(indptr, nnz)", static=("nnz",))
def csr2coo(indptr, nnz):
    """The row number of each of `nnz` values, from where the rows begin."""
    return _rows(indptr, nnz)


@op(name="csr_dense", ops=False, static=("shape",))
def csr_dense(indptr, indices, values, shape):
    """The whole Tensor of a CSRTensor."""
    return jnp.zeros(shape, values.dtype).at[_rows(indptr, values.shape[0]), indices].add(values)


@composite(ops="csr_to_dense(csr_tensor)")
def csr_to_dense(csr_tensor):
    """The whole Tensor of a CSRTensor."""
    return _kind("csr_to_dense", csr_tensor, CSRTensor).to_dense()


@composite(ops="csr_to_coo(tensor)")
def csr_to_coo(tensor):
    """A CSRTensor as a COOTensor."""
    return _kind("csr_to_coo", tensor, CSRTensor).to_coo()


def _stored(name, tensor):
    """Positions, as NumPy, of the elements of a matrix that are not 0."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For '{name}', the input must be a Tensor, but got {type(tensor).__name__}.")
    if tensor.ndim != 2:
        raise ValueError(f"For '{name}', the input must have two axes, but got shape {tensor.shape}.")
    return np.argwhere(np.asarray(tensor.jax_array)).astype(np.int32)


@composite(ops="dense_to_sparse_coo(tensor)", tensor="to_coo()")
def dense_to_sparse_coo(tensor):
    """The elements of a matrix that are not 0, as a COOTensor.

    Example:
        >>> ops.dense_to_sparse_coo(Tensor([[1.0, 0.0], [0.0, 2.0]])).size
        2
    """
    indices = Tensor(_stored("dense_to_sparse_coo", tensor))
    return COOTensor(indices, tensor.gather_nd(indices), tensor.shape)


@composite(ops="dense_to_sparse_csr(tensor)", tensor="to_csr()")
def dense_to_sparse_csr(tensor):
    """The elements of a matrix that are not 0, as a CSRTensor."""
    _stored("dense_to_sparse_csr", tensor)
    return dense_to_sparse_coo(tensor).to_csr()


# --- parts
def _part(face, kind, attribute):
    def get(x):
        return getattr(_kind(face, x, kind), attribute)

    get.__doc__ = f"The `{attribute}` of a {kind.__name__}."
    composite(get, name=face, ops=f"{face}(x)")


for _face, _attribute in (("indices", "indices"), ("values", "values"), ("dense_shape", "shape")):
    _part(f"row_tensor_get_{_face}", RowTensor, _attribute)
for _prefix, _class, _attributes in (
    ("coo", COOTensor, ("indices", "values", "shape")),
    ("csr", CSRTensor, ("indptr", "indices", "values", "shape")),
):
    for _attribute in _attributes:
        _part(f"{_prefix}_tensor_get_{'dense_shape' if _attribute == 'shape' else _attribute}", _class, _attribute)


@composite(ops=("make_coo_tensor(indices, values, dense_shape)", "make_sparse_tensor(indices, values, dense_shape)"))
def make_coo_tensor(indices, values, dense_shape):
    """A COOTensor of positions, values and shape."""
    return COOTensor(indices, values, dense_shape)


@composite(ops="make_csr_tensor(indptr, indices, values, shape)")
def make_csr_tensor(indptr, indices, values, shape):
    """A CSRTensor of row beginnings, columns, values and shape."""
    return CSRTensor(indptr, indices, values, shape)


@composite(ops=("make_row_tensor(indices, values, dense_shape)", "make_row_tensor_inner(indices, values, dense_shape)"))
def make_row_tensor(indices, values, dense_shape):
    """A RowTensor of row numbers, rows and shape."""
    return RowTensor(indices, values, dense_shape)


@composite(ops="row_tensor_add(x1, x2)")
def row_tensor_add(x1, x2):
    """The rows of two RowTensors of one shape, in one; rows of one number add up when they are used."""
    for x in (x1, x2):
        _kind("row_tensor_add", x, RowTensor)
    return RowTensor(_joined(x1.indices, x2.indices), _joined(x1.values, x2.values), x1.shape)


@op(prim="Coalesce()(x_indices, x_values, x_shape)", ops="coalesce(x_indices, x_values, x_shape)", dynamic=True)
def coalesce(x_indices, x_values, x_shape):
    """Positions (axes, n) without repetition, in order, the sums of their values, and the shape."""
    distinct, place = np.unique(np.asarray(x_indices), axis=1, return_inverse=True)
    return jnp.asarray(distinct), jax.ops.segment_sum(x_values, place.reshape(-1), distinct.shape[1]), x_shape


# --- sums
@composite(ops="coo_add(x1, x2, thresh)")
def coo_add(x1, x2, thresh):
    """Sum of two COOTensors of one shape; values whose size is below `thresh` are left out.

    Example:
        >>> from mindspore import COOTensor
        >>> x = COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 2))
        >>> ops.coo_add(x, x, Tensor(0.0))
    """
    for x in (x1, x2):
        _kind("coo_add", x, COOTensor)
    if x1.shape != x2.shape:
        raise ValueError(f"For 'coo_add', the shapes must be the same, but got {x1.shape} and {x2.shape}.")
    total = COOTensor(_joined(x1.indices, x2.indices), _joined(x1.values, x2.values), x1.shape).coalesce()
    limit = float(thresh)
    if limit <= 0:
        return total
    kept = Tensor(np.flatnonzero(np.abs(np.asarray(total.values.jax_array)) >= limit))
    return COOTensor(total.indices[kept], total.values[kept], x1.shape)


def _joined(*tensors):
    return records["join_first"](tensors)


@op(name="join_first", ops=False)
def join_first(tensors):
    """Arrays joined along the first axis."""
    dtype = jnp.result_type(*tensors)
    return jnp.concatenate([t.astype(dtype) for t in tensors])


@composite(ops="coo_concat(sp_input, concat_dim=0)")
def coo_concat(sp_input, concat_dim=0):
    """COOTensors joined along an axis."""
    if not isinstance(sp_input, (tuple, list)) or not sp_input:
        raise TypeError(f"For 'coo_concat', the 'sp_input' must be a tuple of COOTensors, but got {sp_input!r}.")
    first = _kind("coo_concat", sp_input[0], COOTensor)
    axis, start, indices = concat_dim % first.ndim, 0, []
    for x in sp_input:
        step = np.zeros(first.ndim, np.int64)
        step[axis] = start
        indices.append(x.indices + Tensor(step).astype(x.indices.dtype))
        start += x.shape[axis]
    shape = tuple(start if i == axis else n for i, n in enumerate(first.shape))
    positions, values = _joined(*indices), _joined(*[x.values for x in sp_input])
    order = records["position_order"](positions, shape)
    return COOTensor(positions[order], values[order], shape)


@op(name="position_order", ops=False, static=("shape",))
def position_order(indices, shape):
    """The order of positions (one a row) in which their elements stand in memory."""
    steps = np.cumprod([1, *shape[:0:-1]])[::-1]
    return jnp.argsort(indices @ jnp.asarray(steps.copy(), indices.dtype))


@composite(ops="csr_add(a, b, alpha, beta)")
def csr_add(a, b, alpha, beta):
    """alpha * a + beta * b of two CSRTensors of one shape."""
    for x in (a, b):
        _kind("csr_add", x, CSRTensor)
    if a.shape != b.shape:
        raise ValueError(f"For 'csr_add', the shapes must be the same, but got {a.shape} and {b.shape}.")
    scaled = a._with((a.values * alpha).astype(a.dtype)), b._with((b.values * beta).astype(b.dtype))
    return coo_add(scaled[0].to_coo(), scaled[1].to_coo(), 0).to_csr()


# --- products
@op(name="csr_product", ops=False, residuals=True)
def csr_product(indptr, indices, values, dense):
    """Rows of sums of values times rows of a dense matrix."""
    rows = _rows(indptr, values.shape[0])
    return jax.ops.segment_sum(values[:, None] * dense[indices], rows, indptr.shape[0] - 1)


@composite(ops="csr_mv(csr_tensor, dense)")
def csr_mv(csr_tensor, dense):
    """Product of a sparse matrix with a column vector (columns, 1)."""
    x = _kind("csr_mv", csr_tensor, CSRTensor)
    if dense.ndim != 2 or dense.shape != (x.shape[1], 1):
        raise ValueError(f"For 'csr_mv', the 'dense' must have the shape ({x.shape[1]}, 1), but got {dense.shape}.")
    return records["csr_product"](x.indptr, x.indices, x.values, dense)


def _transposed(x):
    coo = x.to_coo()
    return COOTensor(coo.indices[:, ::-1], coo.values, x.shape[::-1]).to_csr()


@composite(ops="csr_mm(a, b, trans_a=False, trans_b=False, adjoint_a=False, adjoint_b=False)")
def csr_mm(a, b, trans_a=False, trans_b=False, adjoint_a=False, adjoint_b=False):
    """Product of a sparse matrix with a dense one (a Tensor) or a sparse one (a CSRTensor)."""
    a = _kind("csr_mm", a, CSRTensor)
    if adjoint_a:
        a = a._with(a.values.conj())
    a = _transposed(a) if trans_a or adjoint_a else a
    sparse = isinstance(b, CSRTensor)
    dense = b.to_dense() if sparse else b
    if adjoint_b:
        dense = dense.conj()
    dense = dense.transpose() if trans_b or adjoint_b else dense
    if a.shape[1] != dense.shape[0]:
        raise ValueError(
            f"For 'csr_mm', the columns of 'a' must be as many as the rows of 'b', but got shapes {a.shape} "
            f"and {dense.shape}."
        )
    made = records["csr_product"](a.indptr, a.indices, a.values, dense)
    return dense_to_sparse_csr(made) if sparse else made


@op(ops="csr_gather(indptr, indices, dense, sparse_shape)", static=("sparse_shape",))
def csr_gather(indptr, indices, dense, sparse_shape):
    """The elements of a dense Tensor at the positions of a CSRTensor, broadcast to its shape first."""
    return jnp.broadcast_to(dense, sparse_shape)[_rows(indptr, indices.shape[0]), indices]


@composite(ops="csr_mul(x, y)")
def csr_mul(x, y):
    """A CSRTensor times a dense Tensor that broadcasts to its shape."""
    x = _kind("csr_mul", x, CSRTensor)
    return x._with(x.values * _at(x, y))


@composite(ops="csr_div(x, y)")
def csr_div(x, y):
    """The stored values over the elements of a dense Tensor at their positions; zeros elsewhere are not divided."""
    x = _kind("csr_div", x, CSRTensor)
    return x.values / _at(x, y)


def _at(x, y):
    if not isinstance(y, Tensor) or y.ndim == 0:
        return y
    return records["csr_gather"](x.indptr, x.indices, y, x.shape)


@composite(ops="csr_reduce_sum(csr_tensor, axis)")
def csr_reduce_sum(csr_tensor, axis):
    """Sums of the rows (axis 1 or -1) or of the columns (axis 0); the axis stays, with length 1."""
    x = _kind("csr_reduce_sum", csr_tensor, CSRTensor)
    if axis not in (0, 1, -1, -2):
        raise ValueError(f"For 'csr_reduce_sum', the 'axis' must be 0, 1, -1 or -2, but got {axis}.")
    if axis in (1, -1):
        rows = records["csr2coo"](x.indptr, x.values.shape[0])
        return records["sparse_sums"](x.values, rows, x.shape[0]).expand_dims(1)
    return records["sparse_sums"](x.values, x.indices, x.shape[1]).expand_dims(0)


@op(name="csr_row_softmax", ops=False)
def csr_row_softmax(indptr, values):
    """Softmax over the stored values of each row."""
    rows, count = _rows(indptr, values.shape[0]), indptr.shape[0] - 1
    top = jax.lax.stop_gradient(jax.ops.segment_max(values, rows, count))
    e = jnp.exp(values - top[rows])
    return e / jax.ops.segment_sum(e, rows, count)[rows]


@composite(ops="csr_softmax(logits, dtype)")
def csr_softmax(logits, dtype):
    """Softmax over the stored values of each row of a CSRTensor, as `dtype`."""
    x = _kind("csr_softmax", logits, CSRTensor)
    return x._with(records["csr_row_softmax"](x.indptr, x.values.astype(dtype)))


@op(
    prim="SparseTensorDenseMatmul(adjoint_st=False, adjoint_dt=False)(indices, values, sparse_shape, dense)",
    ops=False,
    static=("sparse_shape",),
)
def sparse_tensor_dense_matmul(indices, values, sparse_shape, dense, adjoint_st=False, adjoint_dt=False):
    """Product of a sparse matrix (positions, values, shape) with a dense one."""
    rows, columns, count = indices[:, 0], indices[:, 1], sparse_shape[0]
    if adjoint_st:
        rows, columns, count, values = columns, rows, sparse_shape[1], jnp.conj(values)
    if adjoint_dt:
        dense = jnp.conj(dense).T
    return jax.ops.segment_sum(values[:, None] * dense[columns], rows, count)


@op(prim="SparseTensorDenseAdd()(x1_indices, x1_values, x1_shape, x2)", ops=False, static=("x1_shape",))
def sparse_tensor_dense_add(x1_indices, x1_values, x1_shape, x2):
    """Sum of a sparse Tensor (positions, values, shape) and a dense one."""
    return x2.at[tuple(x1_indices[:, i] for i in range(x1_indices.shape[1]))].add(x1_values)


@op(prim="SparseSlice()(indices, values, shape, start, size)", ops=False, dynamic=True)
def sparse_slice(indices, values, shape, start, size):
    """The part of a sparse Tensor that begins at `start` and has `size`: positions, values, shape."""
    inside = jnp.all((indices >= start) & (indices < start + size), axis=1)
    return indices[inside] - start, values[inside], jnp.minimum(size, jnp.maximum(shape - start, 0))

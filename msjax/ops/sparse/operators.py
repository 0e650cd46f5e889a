"""Operators on sparse Tensors: functions of each value, sums, products, conversions."""

import functools
from typing import Annotated, Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators import faces
from ...core.operators.record import composite, functions, op, records
from ...core.operators.rows import Prim
from ...core.program.halves import in_float32, segment_sum
from ...core.spec import Array, Dtype, Integers, Ints, Operand, Real, Static
from ...core.spec.rules import AsValue, NonEmpty, Raises
from ...core.values.tensor import Tensor
from ..index.gathering import positions
from ..shapes import number_of_axes
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
    def of_coo(x: COOTensor) -> COOTensor:
        return _kind(f"coo_{name}", x, COOTensor)._with(_function(name)(x.values))

    def of_csr(x: CSRTensor) -> CSRTensor:
        return _kind(f"csr_{name}", x, CSRTensor)._with(_function(name)(x.values))

    for prefix, fn in (("coo", of_coo), ("csr", of_csr)):
        fn.__doc__ = f"""`ops.{_NAMES.get(name, name)}` of the stored values of a {prefix.upper()}Tensor, at the same
        positions.

    Raises:
        TypeError: x is no {prefix.upper()}Tensor.
    """
        composite(fn, name=f"{prefix}_{name}", ops=f"{prefix}_{name}")


_NAMES = {"inv": "reciprocal"}
for _name in _ELEMENTWISE:
    _elementwise(_name)


# --- conversions
@op(name="sparse_to_dense", ops=False, prim=Prim("SparseToDense"))
def sparse_to_dense(indices: Integers, values: Array, sparse_shape: Static[Ints]) -> Array:
    """The whole Tensor of positions (rows of `indices`) and values; values at one position add up."""
    truth = values.dtype == np.bool_  # sums of bools are bools by a cast, which gradients pass
    dense = jnp.zeros(sparse_shape, np.int32 if truth else values.dtype)
    position = tuple(
        positions(indices[:, i], sparse_shape[i], "SparseToDense", wraps=False) for i in range(indices.shape[1])
    )
    return in_float32(lambda x, v: x.at[position].add(v), dense, values.astype(dense.dtype)).astype(values.dtype)


@op(name="sparse_sums", ops=False)
def sparse_sums(values: Array, place: Operand, count: Static[Any]):
    """Sums of the values that have the same place."""
    return segment_sum(values, place, count)


@op(name="stack_pair", ops=False)
def stack_pair(rows: Array, columns: Operand):
    """Two vectors as columns, in the dtype of the second."""
    return jnp.stack([rows.astype(columns.dtype), columns], 1)


@op(ops=True)
def coo2csr(row_indices: Array, height: Static[int]) -> Array:
    """Where each row begins, and the last one ends, of row numbers in ascending order.

    Example:
        >>> print(ops.coo2csr(Tensor([0, 0, 2]), 3))
        [0 2 2 3]
    """
    return jnp.searchsorted(row_indices, jnp.arange(height + 1, dtype=row_indices.dtype)).astype(row_indices.dtype)


def _rows(indptr, count):
    return (jnp.searchsorted(indptr, jnp.arange(count, dtype=indptr.dtype), side="right") - 1).astype(indptr.dtype)


@op(ops=True)
def csr2coo(indptr: Array, nnz: Static[int]) -> Array:
    """The row number of each of `nnz` values, from where the rows begin."""
    return _rows(indptr, nnz)


@op(name="csr_dense", ops=False)
def csr_dense(indptr: Array, indices: Integers, values: Operand, shape: Static[Any]):
    """The whole Tensor of a CSRTensor."""
    place = _rows(indptr, values.shape[0]), indices
    return in_float32(lambda v: jnp.zeros(shape, v.dtype).at[place].add(v), values)


@composite(ops=True)
def csr_to_dense(csr_tensor: CSRTensor) -> Array:
    """The whole Tensor of a CSRTensor."""
    return _kind("csr_to_dense", csr_tensor, CSRTensor).to_dense()


@composite(ops=True)
def csr_to_coo(tensor: CSRTensor) -> COOTensor:
    """A CSRTensor as a COOTensor."""
    return _kind("csr_to_coo", tensor, CSRTensor).to_coo()


def _stored(name, tensor):
    """Positions, as NumPy, of the elements of a matrix that are not 0."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"For '{name}', the input must be a Tensor, but got {type(tensor).__name__}.")
    if tensor.ndim != 2:
        raise ValueError(f"For '{name}', the input must have two axes, but got shape {tensor.shape}.")
    return np.argwhere(np.asarray(tensor.jax_array)).astype(np.int32)


@composite(ops=True, tensor="to_coo")
def dense_to_sparse_coo(tensor: Array) -> COOTensor:
    """The elements of a matrix that are not 0, as a COOTensor.

    Example:
        >>> ops.dense_to_sparse_coo(Tensor([[1.0, 0.0], [0.0, 2.0]])).size
        2
    """
    indices = Tensor(_stored("dense_to_sparse_coo", tensor))
    return COOTensor(indices, tensor.gather_nd(indices), tensor.shape)


@composite(ops=True, tensor="to_csr")
def dense_to_sparse_csr(tensor: Array) -> CSRTensor:
    """The elements of a matrix that are not 0, as a CSRTensor."""
    _stored("dense_to_sparse_csr", tensor)
    return dense_to_sparse_coo(tensor).to_csr()


# --- parts
def _part(face, kind, attribute):
    def get(x: Any):
        return getattr(_kind(face, x, kind), attribute)

    get.__doc__ = f"The `{attribute}` of a {kind.__name__}."
    composite(get, name=face, ops=face)


for _face, _attribute in (("indices", "indices"), ("values", "values"), ("dense_shape", "shape")):
    _part(f"row_tensor_get_{_face}", RowTensor, _attribute)
for _prefix, _class, _attributes in (
    ("coo", COOTensor, ("indices", "values", "shape")),
    ("csr", CSRTensor, ("indptr", "indices", "values", "shape")),
):
    for _attribute in _attributes:
        _part(f"{_prefix}_tensor_get_{'dense_shape' if _attribute == 'shape' else _attribute}", _class, _attribute)


@composite(ops=("make_coo_tensor", "make_sparse_tensor"))
def make_coo_tensor(indices: Any, values: Any, dense_shape: Any):
    """A COOTensor of positions, values and shape."""
    return COOTensor(indices, values, dense_shape)


@composite(ops=True)
def make_csr_tensor(indptr: Any, indices: Any, values: Any, shape: Any):
    """A CSRTensor of row beginnings, columns, values and shape."""
    return CSRTensor(indptr, indices, values, shape)


@composite(ops=("make_row_tensor", "make_row_tensor_inner"))
def make_row_tensor(indices: Any, values: Any, dense_shape: Any) -> RowTensor:
    """A RowTensor of row numbers, rows and shape."""
    return RowTensor(indices, values, dense_shape)


@composite(ops=True)
def row_tensor_add(x1: Any, x2: Any) -> RowTensor:
    """The rows of two RowTensors of one shape, in one; rows of one number add up when they are used."""
    for x in (x1, x2):
        _kind("row_tensor_add", x, RowTensor)
    return RowTensor(_joined(x1.indices, x2.indices), _joined(x1.values, x2.values), x1.shape)


@op(prim=Prim("Coalesce"), ops=True, dynamic=True)
def coalesce(x_indices: Array, x_values: Array, x_shape: Array):
    """Positions (axes, n) without repetition, in order, the sums of their values, and the shape."""
    number_of_axes("Coalesce", 2, x_indices=x_indices.shape)
    number_of_axes("Coalesce", 1, x_values=x_values.shape, x_shape=x_shape.shape)
    distinct, place = np.unique(np.asarray(x_indices), axis=1, return_inverse=True)
    return jnp.asarray(distinct), segment_sum(x_values, place.reshape(-1), distinct.shape[1]), x_shape


# --- sums
@composite(ops=True)
def coo_add(x1: COOTensor, x2: COOTensor, thresh: Operand) -> COOTensor:
    """Sum of two COOTensors of one shape; values of a magnitude below `thresh` are left out.

    Example:
        >>> from mindspore import COOTensor
        >>> x = COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 2))
        >>> ops.coo_add(x, x, Tensor(0.0))
        COOTensor(shape=[2, 2], dtype=Float32, indices=Tensor(shape=[1, 2], dtype=Int64, value=
        [[0 1]]), values=Tensor(shape=[1], dtype=Float32, value=[ 2.00000000e+00]))
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
def join_first(tensors: Array):
    """Arrays joined along the first axis."""
    dtype = jnp.result_type(*tensors)
    return jnp.concatenate([t.astype(dtype) for t in tensors])


@composite(ops=True)
def coo_concat(
    sp_input: Annotated[tuple | list, NonEmpty, Raises(length=TypeError)], concat_dim: Real = 0
) -> COOTensor:
    """COOTensors joined along an axis."""
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


@op(name="position_order", ops=False)
def position_order(indices: Integers, shape: Static[Any]):
    """The order of positions (one a row) in which their elements stand in memory."""
    steps = np.cumprod([1, *shape[:0:-1]])[::-1]
    return jnp.argsort(indices @ jnp.asarray(steps.copy(), indices.dtype))


@composite(ops=True)
def csr_add(a: CSRTensor, b: CSRTensor, alpha: Operand, beta: Operand) -> CSRTensor:
    """alpha * a + beta * b of two CSRTensors of one shape."""
    for x in (a, b):
        _kind("csr_add", x, CSRTensor)
    if a.shape != b.shape:
        raise ValueError(f"For 'csr_add', the shapes must be the same, but got {a.shape} and {b.shape}.")
    scaled = a._with((a.values * alpha).astype(a.dtype)), b._with((b.values * beta).astype(b.dtype))
    return coo_add(scaled[0].to_coo(), scaled[1].to_coo(), 0).to_csr()


# --- products
@op(name="csr_product", ops=False, residuals=True)
def csr_product(indptr: Array, indices: Integers, values: Operand, dense: Operand):
    """Rows of sums of values times rows of a dense matrix."""
    rows = _rows(indptr, values.shape[0])
    return segment_sum(values[:, None] * dense[indices], rows, indptr.shape[0] - 1)


@composite(ops=True)
def csr_mv(csr_tensor: CSRTensor, dense: Array) -> Array:
    """Product of a sparse matrix with a column vector (columns, 1)."""
    x = _kind("csr_mv", csr_tensor, CSRTensor)
    if dense.ndim != 2 or dense.shape != (x.shape[1], 1):
        raise ValueError(f"For 'csr_mv', the 'dense' must have the shape ({x.shape[1]}, 1), but got {dense.shape}.")
    return records["csr_product"](x.indptr, x.indices, x.values, dense)


def _transposed(x):
    coo = x.to_coo()
    return COOTensor(coo.indices[:, ::-1], coo.values, x.shape[::-1]).to_csr()


@composite(ops=True)
def csr_mm(
    a: CSRTensor,
    b: Array | CSRTensor,
    trans_a: bool = False,
    trans_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
):
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


@op(ops=True)
def csr_gather(indptr: Array, indices: Integers, dense: Array, sparse_shape: Static[Ints]) -> Array:
    """The elements of a dense Tensor at the positions of a CSRTensor, broadcast to its shape first."""
    return jnp.broadcast_to(dense, sparse_shape)[_rows(indptr, indices.shape[0]), indices]


@composite(ops=True)
def csr_mul(x: CSRTensor, y: Operand) -> CSRTensor:
    """A CSRTensor times a dense Tensor that broadcasts to its shape."""
    x = _kind("csr_mul", x, CSRTensor)
    return x._with(x.values * _at(x, y))


@composite(ops=True)
def csr_div(x: CSRTensor, y: Operand) -> CSRTensor:
    """A CSRTensor whose stored values are divided by the elements of a dense Tensor at their places; a zero stays, whatever it is divided by."""
    x = _kind("csr_div", x, CSRTensor)
    return x._with(x.values / _at(x, y))


def _at(x, y):
    if isinstance(y, CSRTensor):
        raise TypeError("a CSRTensor is multiplied and divided by a dense Tensor or a number, but got two CSRTensors.")
    if not isinstance(y, Tensor) or y.ndim == 0:
        return y
    return records["csr_gather"](x.indptr, x.indices, y, x.shape)


@composite(ops=True)
def csr_reduce_sum(csr_tensor: CSRTensor, axis: AsValue[Literal[0, 1, -1, -2]]) -> Array:
    """Sums of the rows (axis 1 or -1) or of the columns (axis 0); the axis stays, with length 1."""
    x = _kind("csr_reduce_sum", csr_tensor, CSRTensor)
    if axis in (1, -1):
        rows = records["csr2coo"](x.indptr, x.values.shape[0])
        return records["sparse_sums"](x.values, rows, x.shape[0]).expand_dims(1)
    return records["sparse_sums"](x.values, x.indices, x.shape[1]).expand_dims(0)


@op(name="csr_row_softmax", ops=False)
def csr_row_softmax(indptr: Array, values: Operand):
    """Softmax over the stored values of each row."""
    rows, count = _rows(indptr, values.shape[0]), indptr.shape[0] - 1
    top = jax.lax.stop_gradient(jax.ops.segment_max(values, rows, count))
    e = jnp.exp(values - top[rows])
    return e / segment_sum(e, rows, count)[rows]


@composite(ops=True)
def csr_softmax(logits: CSRTensor, dtype: Dtype) -> CSRTensor:
    """Softmax over the stored values of each row of a CSRTensor, as `dtype`."""
    x = _kind("csr_softmax", logits, CSRTensor)
    return x._with(records["csr_row_softmax"](x.indptr, x.values.astype(dtype)))


@op(prim=Prim("SparseTensorDenseMatmul", inputs=("indices", "values", "sparse_shape", "dense")), ops=False)
def sparse_tensor_dense_matmul(
    indices: Integers,
    values: Array,
    sparse_shape: Static[Ints],
    dense: Array,
    adjoint_st: bool = False,
    adjoint_dt: bool = False,
) -> Array:
    """Product of a sparse matrix (positions, values, shape) with a dense one."""
    rows, columns, count = indices[:, 0], indices[:, 1], sparse_shape[0]
    if adjoint_st:
        rows, columns, count, values = columns, rows, sparse_shape[1], jnp.conj(values)
    if adjoint_dt:
        dense = jnp.conj(dense).T
    return segment_sum(values[:, None] * dense[columns], rows, count)


@op(prim=Prim("SparseTensorDenseAdd"), ops=False)
def sparse_tensor_dense_add(x1_indices: Array, x1_values: Array, x1_shape: Static[Ints], x2: Array) -> Array:
    """Sum of a sparse Tensor (positions, values, shape) and a dense one."""
    place = tuple(x1_indices[:, i] for i in range(x1_indices.shape[1]))
    return in_float32(lambda x, v: x.at[place].add(v), x2, x1_values)


@op(prim=Prim("SparseSlice"), ops=False, dynamic=True)
def sparse_slice(indices: Integers, values: Array, shape: Array, start: Operand, size: Array):
    """The part of a sparse Tensor that begins at `start` and has `size`: positions, values, shape."""
    inside = jnp.all((indices >= start) & (indices < start + size), axis=1)
    return indices[inside] - start, values[inside], jnp.minimum(size, jnp.maximum(shape - start, 0))

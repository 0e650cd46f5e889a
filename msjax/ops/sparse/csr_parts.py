"""Operators on the parts of a CSRTensor: MindSpore's inner `ops.operations._csr_ops`, which code that libraries generate calls."""

from typing import Any

from ...core.operators.record import composite, records
from ...core.operators.rows import Prim
from ...core.spec import Array, Axis
from .operators import csr_mm, csr_mul, csr_mv, csr_reduce_sum
from .tensors import CSRTensor


@composite(prim=Prim("CSRReduceSum"), ops=False)
def csr_parts_reduce_sum(indptr: Array, indices: Array, values: Array, dense_shape: Any, axis: Axis):
    """Sums of the rows or of the columns; the axis stays, with length 1."""
    return csr_reduce_sum(CSRTensor(indptr, indices, values, dense_shape), axis)


@composite(prim=Prim("CSRMV"), ops=False)
def csr_parts_mv(indptr: Array, indices: Array, values: Array, dense_shape: Any, dense_tensor: Array):
    """Product with a column vector."""
    return csr_mv(CSRTensor(indptr, indices, values, dense_shape), dense_tensor)


@composite(prim=Prim("CSRMM"), ops=False)
def csr_parts_mm(indptr: Array, indices: Array, values: Array, dense_shape: Any, dense: Array):
    """Product with a dense matrix."""
    return csr_mm(CSRTensor(indptr, indices, values, dense_shape), dense)


@composite(prim=Prim("CSRMul"), ops=False)
def csr_parts_mul(indptr: Array, indices: Array, values: Array, dense_shape: Any, dense_tensor: Array):
    """The stored values times the elements of a dense Tensor at their positions."""
    return csr_mul(CSRTensor(indptr, indices, values, dense_shape), dense_tensor).values


@composite(prim=Prim("CSRDiv"), ops=False)
def csr_parts_div(indptr: Array, indices: Array, values: Array, dense_shape: Any, dense_tensor: Array):
    """The stored values over the elements of a dense Tensor at their positions."""
    return values / records["csr_gather"](indptr, indices, dense_tensor, dense_shape)


@composite(prim=Prim("CSRGather"), ops=False)
def csr_parts_gather(indptr: Array, indices: Array, dense: Array, dense_shape: Any):
    """The elements of a dense Tensor at the positions."""
    return records["csr_gather"](indptr, indices, dense, dense_shape)


@composite(prim=Prim("CSR2COO"), ops=False)
def csr_parts_to_rows(indptr: Array, nnz: int):
    """The row number of each of `nnz` values."""
    return records["csr2coo"](indptr, nnz)


@composite(prim=Prim("COO2CSR"), ops=False)
def csr_parts_from_rows(row_indices: Array, height: int):
    """Where each row begins, and the last one ends."""
    return records["coo2csr"](row_indices, height)

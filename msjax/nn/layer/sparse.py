"""Layers on sparse matrices."""

from typing import Annotated, Any

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import That
from ...core.values.tensor import Tensor
from ..cell.cell import Cell

Sparse = Annotated[
    Any,
    That(
        "a COOTensor", lambda value: all(hasattr(value, part) for part in ("indices", "values", "shape")), is_type=True
    ),
]


class SparseToDense(Cell):
    """The dense Tensor of a COOTensor.

    Raises:
        TypeError: the input is not a COOTensor.

    Example:
        >>> from mindspore import COOTensor
        >>> print(nn.SparseToDense()(COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 2))))
        [[0. 1.]
         [0. 0.]]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, sparse_tensor: Sparse):
        zeros = ops.zeros(tuple(sparse_tensor.shape), sparse_tensor.values.dtype)
        return ops.tensor_scatter_add(zeros, sparse_tensor.indices, sparse_tensor.values)


class SparseTensorDenseMatmul(Cell):
    """Product of a sparse matrix, given as indices (n, 2), values (n,) and its shape, with a dense one.

    Args:
        adjoint_st: transpose the sparse matrix. adjoint_dt: transpose the dense one.

    Raises:
        TypeError: an argument of the wrong kind. ValueError: shapes that do not fit.

    Example:
        >>> matmul = nn.SparseTensorDenseMatmul()
        >>> print(matmul(Tensor([[0, 1]]), Tensor([2.0]), (2, 2), Tensor([[1.0], [3.0]])))
        [[6.]
         [0.]]
    """

    @checked
    def __init__(self, adjoint_st: bool = False, adjoint_dt: bool = False):
        super().__init__()
        self.adj_st = adjoint_st
        self.adj_dt = adjoint_dt

    def construct(self, indices: Tensor, values: Tensor, sparse_shape: Any, dense: Tensor) -> Tensor:
        shape = tuple(sparse_shape.asnumpy().tolist()) if isinstance(sparse_shape, Tensor) else tuple(sparse_shape)
        if len(shape) != 2 or indices.ndim != 2 or indices.shape[1] != 2 or dense.ndim != 2:
            raise ValueError(
                f"For '{self.cls_name}', both matrices must have 2 axes and the 'indices' the shape (n, 2), but got "
                f"'sparse_shape' {shape}, 'indices' {indices.shape} and 'dense' {dense.shape}."
            )
        row, column = (1, 0) if self.adj_st else (0, 1)
        dense = dense.swapaxes(0, 1) if self.adj_dt else dense
        if dense.shape[0] != shape[column]:
            raise ValueError(
                f"For '{self.cls_name}', the rows of the dense matrix must be {shape[column]}, but got "
                f"{dense.shape[0]}."
            )
        rows = ops.gather(dense, indices[:, column], 0) * values.expand_dims(1)
        return ops.unsorted_segment_sum(rows, indices[:, row], shape[row])


__all__ = ["SparseTensorDenseMatmul", "SparseToDense"]

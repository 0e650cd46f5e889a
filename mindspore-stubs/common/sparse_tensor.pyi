"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import COOTensor as COOTensor
from msjax import CSRTensor as CSRTensor
from msjax import RowTensor as RowTensor
from msjax import RowTensor as _RowTensor
RowTensorInner = _RowTensor
from msjax import SparseTensor as SparseTensor
from msjax.ops.sparse.tensors import _INDEX_TYPES as _INDEX_TYPES
from msjax.ops.sparse.tensors import _Sparse as _Sparse
from msjax.ops.sparse.tensors import _check_shape as _check_shape
from msjax.ops.sparse.tensors import _check_tensors as _check_tensors
from msjax.ops.sparse.tensors import _of_parts as _of_parts
from msjax.ops.sparse.tensors import _positions as _positions
from msjax.ops.sparse.tensors import _shown as _shown
from msjax.common.sparse_tensor import *
from msjax.ops.sparse.tensors import *
from msjax import *
from msjax import *
from msjax.ops.sparse.tensors import *
from msjax.common.sparse_tensor import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import COOTensor as COOTensor
from msjax import CSRTensor as CSRTensor
from msjax import RowTensor as RowTensor
from msjax import RowTensor as _RowTensor
RowTensorInner = _RowTensor
from msjax import SparseTensor as SparseTensor
from msjax.ops.sparse.tensors import _INDEX_TYPES as _INDEX_TYPES
from msjax.ops.sparse.tensors import _Sparse as _Sparse
from msjax.ops.sparse.tensors import _check_shape as _check_shape
from msjax.ops.sparse.tensors import _check_tensors as _check_tensors
from msjax.ops.sparse.tensors import _of_parts as _of_parts
from msjax.ops.sparse.tensors import _positions as _positions
from msjax.ops.sparse.tensors import _shown as _shown
from typing import Any
def __getattr__(name: str) -> Any: ...

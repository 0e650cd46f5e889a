"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from msjax.dataset.transforms.py_transforms_util import *
from msjax.dataset.transforms import *
from msjax import *
from msjax import *
from msjax.dataset.transforms import *
from msjax.dataset.transforms.py_transforms_util import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.dataset.transforms.user_operations import PyTensorOperation as PyTensorOperation
from msjax.dataset.transforms.user_operations import TensorOperation as TensorOperation
from typing import Any
def __getattr__(name: str) -> Any: ...

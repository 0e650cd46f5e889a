"""Made by `python -m msjax stubs`: do not edit."""
from . import onnx_export as onnx_export
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.train.onnx import _LARGEST as _LARGEST
from msjax.train.onnx import _pool_over_pixels as _pool_over_pixels
from msjax.train.onnx import _size as _size
from msjax.train.onnx import write_onnx as write_onnx
from msjax.onnx import *
from msjax.train.onnx import *
from msjax import *
from msjax import *
from msjax.train.onnx import *
from msjax.onnx import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.train.onnx import _LARGEST as _LARGEST
from msjax.train.onnx import _pool_over_pixels as _pool_over_pixels
from msjax.train.onnx import _size as _size
from msjax.train.onnx import write_onnx as write_onnx
from typing import Any
from . import onnx_export as onnx_export
def __getattr__(name: str) -> Any: ...

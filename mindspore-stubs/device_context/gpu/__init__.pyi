"""Made by `python -m msjax stubs`: do not edit."""
from . import device as device
from . import op_precision as op_precision
from . import op_tuning as op_tuning
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.chips.gpu import conv_allow_tf32 as conv_allow_tf32
from msjax.inner.chips.gpu import conv_dgrad_algo as conv_dgrad_algo
from msjax.inner.chips.gpu import conv_fprop_algo as conv_fprop_algo
from msjax.inner.chips.gpu import conv_wgrad_algo as conv_wgrad_algo
from msjax.inner.chips.gpu import matmul_allow_tf32 as matmul_allow_tf32
from msjax.device_context.gpu import *
from msjax.inner.chips.gpu import *
from msjax import *
from msjax import *
from msjax.inner.chips.gpu import *
from msjax.device_context.gpu import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.inner.chips.gpu import conv_allow_tf32 as conv_allow_tf32
from msjax.inner.chips.gpu import conv_dgrad_algo as conv_dgrad_algo
from msjax.inner.chips.gpu import conv_fprop_algo as conv_fprop_algo
from msjax.inner.chips.gpu import conv_wgrad_algo as conv_wgrad_algo
from msjax.inner.chips.gpu import matmul_allow_tf32 as matmul_allow_tf32
from typing import Any
from . import device as device
from . import op_precision as op_precision
from . import op_tuning as op_tuning
def __getattr__(name: str) -> Any: ...

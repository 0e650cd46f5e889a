"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.hypercomplex.pooling import _BothParts as _BothParts
from msjax.nn.hypercomplex.layers import _BatchNorm as _BatchNorm
from msjax.nn.hypercomplex.layers import _BatchNormImpl as _BatchNormImpl
from msjax.nn.hypercomplex.layers import _Biased as _Biased
from msjax.nn.hypercomplex.layers import _Convolution as _Convolution
from msjax.nn.hypercomplex.layers import _Weights as _Weights
from msjax.nn.hypercomplex.layers import _check_target as _check_target
from msjax.hypercomplex.hypercomplex.hc_bn import *
from msjax.nn.hypercomplex.layers import *
from msjax.nn.hypercomplex.pooling import *
from msjax import *
from msjax import *
from msjax.nn.hypercomplex.pooling import *
from msjax.nn.hypercomplex.layers import *
from msjax.hypercomplex.hypercomplex.hc_bn import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.hypercomplex.pooling import _BothParts as _BothParts
from msjax.nn.hypercomplex.layers import _BatchNorm as _BatchNorm
from msjax.nn.hypercomplex.layers import _BatchNormImpl as _BatchNormImpl
from msjax.nn.hypercomplex.layers import _Biased as _Biased
from msjax.nn.hypercomplex.layers import _Convolution as _Convolution
from msjax.nn.hypercomplex.layers import _Weights as _Weights
from msjax.nn.hypercomplex.layers import _check_target as _check_target
from typing import Any
def __getattr__(name: str) -> Any: ...

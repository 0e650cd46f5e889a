"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.probability.bijector import _Parametric as _Parametric
from msjax.nn.probability.bijector import _inverse_softplus as _inverse_softplus
from msjax.nn.probability.bijector.invert import *
from msjax.nn.probability.bijector import *
from msjax.nn.probability import *
from msjax import *
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.bijector import *
from msjax.nn.probability.bijector.invert import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.nn.probability.bijector import _Parametric as _Parametric
from msjax.nn.probability.bijector import _inverse_softplus as _inverse_softplus
from typing import Any
def __getattr__(name: str) -> Any: ...

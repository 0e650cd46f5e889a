"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.experimental.optim.lr_scheduler import _array as _array
from msjax.experimental.optim.lr_scheduler import _check_optimizer as _check_optimizer
from msjax.experimental.optim.lr_scheduler import _number as _number
from msjax.experimental.optim.lr_scheduler import _per_group as _per_group
from msjax.nn.lr_scheduler import *
from msjax.experimental.optim.lr_scheduler import *
from msjax import *
from msjax import *
from msjax.experimental.optim.lr_scheduler import *
from msjax.nn.lr_scheduler import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.experimental.optim.lr_scheduler import _array as _array
from msjax.experimental.optim.lr_scheduler import _check_optimizer as _check_optimizer
from msjax.experimental.optim.lr_scheduler import _number as _number
from msjax.experimental.optim.lr_scheduler import _per_group as _per_group
from typing import Any
def __getattr__(name: str) -> Any: ...

"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.train.boost import _Accumulating as _Accumulating
from msjax.train.boost import _accumulate as _accumulate
from msjax.train.boost import _clear as _clear
from msjax.train.boost import _several_groups as _several_groups
from msjax.boost.adasum import *
from msjax.train.boost import *
from msjax import *
from msjax import *
from msjax.train.boost import *
from msjax.boost.adasum import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.train.boost import _Accumulating as _Accumulating
from msjax.train.boost import _accumulate as _accumulate
from msjax.train.boost import _clear as _clear
from msjax.train.boost import _several_groups as _several_groups
from typing import Any
def __getattr__(name: str) -> Any: ...

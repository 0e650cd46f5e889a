"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.scipy.optimize.minimize import _bfgs as _bfgs
from msjax.scipy.optimize.minimize import _descend as _descend
from msjax.scipy.optimize.minimize import _lagrange as _lagrange
from msjax.scipy.optimize.minimize import _lbfgs as _lbfgs
from msjax.scipy.optimize.minimize import _result as _result
from msjax import value_and_grad as value_and_grad
from msjax.scipy.optimize.minimize import *
from msjax.scipy.optimize import *
from msjax import *
from msjax import *
from msjax.scipy.optimize import *
from msjax.scipy.optimize.minimize import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.scipy.optimize.minimize import _bfgs as _bfgs
from msjax.scipy.optimize.minimize import _descend as _descend
from msjax.scipy.optimize.minimize import _lagrange as _lagrange
from msjax.scipy.optimize.minimize import _lbfgs as _lbfgs
from msjax.scipy.optimize.minimize import _result as _result
from msjax import value_and_grad as value_and_grad
from typing import Any
def __getattr__(name: str) -> Any: ...

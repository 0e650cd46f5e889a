"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.numpy import *
from msjax.numpy.fft import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax import MissingNames as _MissingNames_
_MissingNames = _MissingNames_
from msjax.numpy.fft import _frequencies as _frequencies
from msjax.numpy.fft import rfftn as _rfftn
_made = _rfftn
from msjax.numpy.fft import _several as __several
_make = __several
from msjax.numpy.fft import _name as _name
from msjax.numpy.fft import _one as _one
from msjax.numpy.fft import _several as _several
from msjax.numpy.fft import _shift as _shift
from typing import Any
def __getattr__(name: str) -> Any: ...

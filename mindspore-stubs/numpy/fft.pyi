"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.numpy import *
from msjax.numpy.fft import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.alias.names import MissingNames as MissingNames
_MissingNames = MissingNames
from msjax.numpy.fft import _frequencies as _frequencies
from msjax.numpy.fft import rfftn as rfftn
_made = rfftn
from msjax.numpy.fft import _several as _several
_make = _several
from msjax.numpy.fft import _one as _one
from msjax.numpy.fft import _several as _several
from msjax.numpy.fft import _shift as _shift

"""Made by `python -m msjax stubs`: do not edit."""
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
from msjax.numpy.fft import fft as fft
from msjax.numpy.fft import fft2 as fft2
from msjax.numpy.fft import fftfreq as fftfreq
from msjax.numpy.fft import fftn as fftn
from msjax.numpy.fft import fftshift as fftshift
from msjax.numpy.fft import hfft as hfft
from msjax.numpy.fft import hfft2 as hfft2
from msjax.numpy.fft import hfftn as hfftn
from msjax.numpy.fft import ifft as ifft
from msjax.numpy.fft import ifft2 as ifft2
from msjax.numpy.fft import ifftn as ifftn
from msjax.numpy.fft import ifftshift as ifftshift
from msjax.numpy.fft import ihfft as ihfft
from msjax.numpy.fft import ihfft2 as ihfft2
from msjax.numpy.fft import ihfftn as ihfftn
from msjax.numpy.fft import irfft as irfft
from msjax.numpy.fft import irfft2 as irfft2
from msjax.numpy.fft import irfftn as irfftn
from msjax.numpy.fft import rfft as rfft
from msjax.numpy.fft import rfft2 as rfft2
from msjax.numpy.fft import rfftfreq as rfftfreq
from msjax.numpy.fft import rfftn as rfftn
from msjax.numpy.fft import *
from msjax.numpy import *
from msjax import *
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
from msjax.numpy.fft import fft as fft
from msjax.numpy.fft import fft2 as fft2
from msjax.numpy.fft import fftfreq as fftfreq
from msjax.numpy.fft import fftn as fftn
from msjax.numpy.fft import fftshift as fftshift
from msjax.numpy.fft import hfft as hfft
from msjax.numpy.fft import hfft2 as hfft2
from msjax.numpy.fft import hfftn as hfftn
from msjax.numpy.fft import ifft as ifft
from msjax.numpy.fft import ifft2 as ifft2
from msjax.numpy.fft import ifftn as ifftn
from msjax.numpy.fft import ifftshift as ifftshift
from msjax.numpy.fft import ihfft as ihfft
from msjax.numpy.fft import ihfft2 as ihfft2
from msjax.numpy.fft import ihfftn as ihfftn
from msjax.numpy.fft import irfft as irfft
from msjax.numpy.fft import irfft2 as irfft2
from msjax.numpy.fft import irfftn as irfftn
from msjax.numpy.fft import rfft as rfft
from msjax.numpy.fft import rfft2 as rfft2
from msjax.numpy.fft import rfftfreq as rfftfreq
from msjax.numpy.fft import rfftn as rfftn
from typing import Any
def __getattr__(name: str) -> Any: ...

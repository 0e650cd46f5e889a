"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.values.dtype import *
from msjax.nn.layer.quant_observer import *
from msjax.nn.layer.quant import *
from msjax.nn.quantization import *
from msjax.compression.quant import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as no_gradient
_no_grad = no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.values.dtype import _by_printed as _by_printed
from msjax.core.values.dtype import _issubclass_ as _issubclass_
from msjax.nn.layer.quant_observer import _Observer as _Observer
from msjax.nn.layer.quant_observer import _Partial as _Partial
from msjax.nn.layer.quant import _Folded as _Folded
from msjax.nn.layer.quant import _QuantActivation as _QuantActivation
from msjax.nn.layer.quant import _QuantBinary as _QuantBinary
from msjax.nn.layer.quant import _QuantConvolution as _QuantConvolution
from msjax.nn.layer.quant import _channels as _channels
from msjax.nn.quantization.training import _AddFakeQuantAfterSubCell as _AddFakeQuantAfterSubCell
from msjax.nn.quantization.training import _AddFakeQuantInput as _AddFakeQuantInput
from . import qat as qat
from . import quant_utils as quant_utils
from . import quantizer as quantizer

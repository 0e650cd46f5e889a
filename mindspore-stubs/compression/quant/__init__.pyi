"""Made by `python -m msjax stubs`: do not edit."""
from . import qat as qat
from . import quant_utils as quant_utils
from . import quantizer as quantizer
from msjax import *
from msjax.core.values.dtype import *
from msjax.nn.layer.quant_observer import *
from msjax.nn.layer.quant import *
from msjax.nn.quantization import *
from msjax.compression.quant import *

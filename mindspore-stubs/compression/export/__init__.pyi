"""Made by `python -m msjax stubs`: do not edit."""
from . import quant_export as quant_export
from msjax import *
from msjax.core.values.dtype import *
from msjax.nn.layer.quant_observer import *
from msjax.nn.layer.quant import *
from msjax.nn.quantization import *
from msjax.compression.export import *

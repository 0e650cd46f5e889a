"""Made by `python -m msjax stubs`: do not edit."""
from . import common as common
from . import export as export
from . import quant as quant
from msjax import *
from msjax.core.values.dtype import *
from msjax.nn.layer.quant_observer import *
from msjax.nn.layer.quant import *
from msjax.nn.quantization import *
from msjax.compression import *

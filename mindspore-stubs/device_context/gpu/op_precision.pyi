"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.settings.chips.gpu import *
from msjax.device_context.gpu.op_precision import *

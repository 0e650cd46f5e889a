"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.settings.chips.ascend import *
from msjax.device_context.ascend.op_precision import *

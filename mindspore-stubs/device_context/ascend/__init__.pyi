"""Made by `python -m msjax stubs`: do not edit."""
from . import device as device
from . import op_debug as op_debug
from . import op_precision as op_precision
from . import op_tuning as op_tuning
from msjax import *
from msjax.core.settings.chips.ascend import *
from msjax.device_context.ascend import *

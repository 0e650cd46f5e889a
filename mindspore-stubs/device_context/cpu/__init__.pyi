"""Made by `python -m msjax stubs`: do not edit."""
from . import device as device
from . import op_tuning as op_tuning
from msjax import *
from msjax.core.settings.chips.cpu import *
from msjax.device_context.cpu import *

"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.settings.chips.cpu import *
from msjax.device_context.cpu.op_tuning import *

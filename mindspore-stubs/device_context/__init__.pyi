"""Made by `python -m msjax stubs`: do not edit."""
from . import ascend as ascend
from . import cpu as cpu
from . import gpu as gpu
from msjax import *
from msjax.core.settings.runtime_options import *
from msjax.core.settings.streams import *
from msjax.core.settings.device import *
from msjax.device_context import *

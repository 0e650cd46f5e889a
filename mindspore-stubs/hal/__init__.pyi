"""Made by `python -m msjax stubs`: do not edit."""
from . import contiguous_tensors_handle as contiguous_tensors_handle
from . import device as device
from . import event as event
from . import memory as memory
from . import stream as stream
from msjax import *
from msjax.core.settings.runtime_options import *
from msjax.core.settings.streams import *
from msjax.core.settings.device import *
from msjax.hal import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import device as device
from . import event as event
from . import executor as executor
from . import memory as memory
from . import stream as stream
from . import thread_bind_core as thread_bind_core
from msjax import *
from msjax.core.settings.runtime_options import *
from msjax.core.settings.streams import *
from msjax.core.settings.device import *
from msjax.runtime import *

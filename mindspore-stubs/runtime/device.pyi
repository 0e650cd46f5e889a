"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.core.settings.runtime_options import *
from msjax.core.settings.streams import *
from msjax.core.settings.device import *
from msjax.runtime.device import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import debug_hook as debug_hook
from . import pre_defined_hook as pre_defined_hook
from msjax import *
from msjax.dataset.debug import *

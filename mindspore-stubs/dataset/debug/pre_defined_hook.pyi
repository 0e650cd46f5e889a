"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.dataset.debug import *
from msjax.dataset.debug.pre_defined_hook import *

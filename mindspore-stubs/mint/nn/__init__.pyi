"""Made by `python -m msjax stubs`: do not edit."""
from . import functional as functional
from . import layer as layer
from msjax.mint.nn import *

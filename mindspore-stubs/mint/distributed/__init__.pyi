"""Made by `python -m msjax stubs`: do not edit."""
from . import distributed as distributed
from msjax.mint.distributed import *

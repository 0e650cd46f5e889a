"""Made by `python -m msjax stubs`: do not edit."""
from msjax.mint.distributed import *
from . import distributed as distributed

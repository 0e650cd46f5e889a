"""Made by `python -m msjax stubs`: do not edit."""
from msjax.parallel.comm_func import *
from msjax.parallel.comm_func import _WORLD as _WORLD
from msjax.parallel.comm_func import _made as _made
from msjax.parallel.comm_func import _same as _same
from msjax.parallel.comm_func import _shape as _shape

"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.boost import *
from msjax.boost.dim_reduce import *

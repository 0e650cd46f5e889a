"""Made by `python -m msjax stubs`: do not edit."""
from msjax.parallel.comm_func import *

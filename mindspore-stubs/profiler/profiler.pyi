"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.profiler import *
from msjax.profiler.profiler import *

"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.numpy import *
from msjax.numpy.fft import *

"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.inner import *
from msjax.experimental.optim import *
from msjax.experimental.optim.rmsprop import *

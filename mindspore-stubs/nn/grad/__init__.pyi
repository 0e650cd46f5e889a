"""Made by `python -m msjax stubs`: do not edit."""
from . import cell_grad as cell_grad
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.grad import *

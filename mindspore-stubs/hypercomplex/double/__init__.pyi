"""Made by `python -m msjax stubs`: do not edit."""
from . import double_functions as double_functions
from . import double_operators as double_operators
from . import double_relu as double_relu
from msjax import *
from msjax.nn.hypercomplex.double import *
from msjax.hypercomplex.double import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import complex_functions as complex_functions
from . import complex_operators as complex_operators
from . import complex_relu as complex_relu
from msjax import *
from msjax.nn.hypercomplex.complex import *
from msjax.hypercomplex.complex import *

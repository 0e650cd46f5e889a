"""Made by `python -m msjax stubs`: do not edit."""
from . import dual_functions as dual_functions
from . import dual_operators as dual_operators
from . import dual_relu as dual_relu
from msjax import *
from msjax.nn.hypercomplex.dual import *
from msjax.hypercomplex.dual import *

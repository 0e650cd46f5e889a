"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.hypercomplex.dual import *
from msjax.hypercomplex.dual.dual_operators import *

"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.hypercomplex.complex import *
from msjax.hypercomplex.complex.complex_relu import *

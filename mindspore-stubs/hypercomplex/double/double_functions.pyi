"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.hypercomplex.double import *
from msjax.hypercomplex.double.double_functions import *

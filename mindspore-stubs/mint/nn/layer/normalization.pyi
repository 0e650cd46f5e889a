"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.mint.nn import *
from msjax.mint.nn.layer.normalization import *

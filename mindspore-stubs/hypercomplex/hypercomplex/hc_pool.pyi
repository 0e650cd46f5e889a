"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.nn.hypercomplex.pooling import *
from msjax.nn.hypercomplex.layers import *
from msjax.hypercomplex.hypercomplex.hc_pool import *

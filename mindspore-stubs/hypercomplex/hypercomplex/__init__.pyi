"""Made by `python -m msjax stubs`: do not edit."""
from . import hc_bn as hc_bn
from . import hc_conv as hc_conv
from . import hc_dense as hc_dense
from . import hc_pool as hc_pool
from . import uniform_operator as uniform_operator
from msjax import *
from msjax.nn.hypercomplex.pooling import *
from msjax.nn.hypercomplex.layers import *
from msjax.hypercomplex.hypercomplex import *

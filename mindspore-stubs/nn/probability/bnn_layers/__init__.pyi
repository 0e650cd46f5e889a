"""Made by `python -m msjax stubs`: do not edit."""
from . import bnn_cell_wrapper as bnn_cell_wrapper
from . import conv_variational as conv_variational
from . import dense_variational as dense_variational
from . import layer_distribution as layer_distribution
from msjax import *
from msjax.nn.probability import *
from msjax.nn.probability.bnn_layers import *

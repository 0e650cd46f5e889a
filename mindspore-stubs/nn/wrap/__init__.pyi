"""Made by `python -m msjax stubs`: do not edit."""
from . import cell_wrapper as cell_wrapper
from . import grad_reducer as grad_reducer
from . import loss_scale as loss_scale
from msjax import *
from msjax.nn.inner import *
from msjax.nn import *
from msjax.nn.wrap import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import _functions as _functions
from . import activation as activation
from . import basic as basic
from . import conv as conv
from . import normalization as normalization
from . import padding as padding
from . import pooling as pooling
from msjax import *
from msjax.mint.nn import *
from msjax.mint.nn.layer import *

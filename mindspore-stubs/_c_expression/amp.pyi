"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.amp_strategy import *
from msjax._c_expression.amp import *

"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops import *
from msjax.nn.wrap.jacobian import *
from msjax.ops.function.grad.grad_func import *

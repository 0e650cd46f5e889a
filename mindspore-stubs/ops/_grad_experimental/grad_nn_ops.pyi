"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops import *
from msjax.ops._grad_experimental.grad_nn_ops import *

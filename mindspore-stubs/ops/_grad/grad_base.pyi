"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops import *
from msjax.ops.graph_api.gradient_registry import *
from msjax.ops._grad.grad_base import *

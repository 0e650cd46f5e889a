"""Made by `python -m msjax stubs`: do not edit."""
from . import grad_array_ops as grad_array_ops
from . import grad_base as grad_base
from . import grad_comm_ops as grad_comm_ops
from . import grad_math_ops as grad_math_ops
from . import grad_nn_ops as grad_nn_ops
from msjax import *
from msjax.ops import *
from msjax.ops.graph_api.gradient_registry import *
from msjax.ops._grad import *

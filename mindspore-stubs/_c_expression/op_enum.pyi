"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.ops.pyboost import *
from msjax._c_expression.op_enum import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import gen_arg_handler as gen_arg_handler
from . import gen_extend_func as gen_extend_func
from . import gen_ops_def as gen_ops_def
from . import gen_ops_prim as gen_ops_prim
from . import pyboost_inner_prim as pyboost_inner_prim
from msjax import *
from msjax.ops.generated import *
from msjax.ops import *
from msjax.ops.auto_generate import *

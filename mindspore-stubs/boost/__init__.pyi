"""Made by `python -m msjax stubs`: do not edit."""
from . import adasum as adasum
from . import base as base
from . import boost as boost
from . import boost_cell_wrapper as boost_cell_wrapper
from . import dim_reduce as dim_reduce
from . import grad_accumulation as grad_accumulation
from . import grad_freeze as grad_freeze
from . import group_loss_scale_manager as group_loss_scale_manager
from . import less_batch_normalization as less_batch_normalization
from msjax import *
from msjax.train.boost import *
from msjax.boost import *

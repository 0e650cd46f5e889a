"""Made by `python -m msjax stubs`: do not edit."""
from msjax import *
from msjax.train.boost import *
from msjax.boost.group_loss_scale_manager import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import layers as layers
from . import loss as loss
from . import moe as moe
from . import op_parallel_config as op_parallel_config
from . import transformer as transformer
from msjax.nn.transformer import *

"""Made by `python -m msjax stubs`: do not edit."""
from . import _auto_parallel_context as _auto_parallel_context
from . import _cell_wrapper as _cell_wrapper
from . import _cost_model_context as _cost_model_context
from . import _dp_allreduce_fusion as _dp_allreduce_fusion
from . import _parallel_serialization as _parallel_serialization
from . import _ps_context as _ps_context
from . import _tensor as _tensor
from . import _transformer as _transformer
from . import _utils as _utils
from . import algo_parameter_config as algo_parameter_config
from . import auto_parallel as auto_parallel
from . import checkpoint_convert as checkpoint_convert
from . import checkpoint_transform as checkpoint_transform
from . import distributed as distributed
from . import function as function
from . import nn as nn
from . import parameter_broadcast as parameter_broadcast
from . import shard as shard
from . import strategy as strategy
from . import transform_safetensors as transform_safetensors
from msjax.parallel import *

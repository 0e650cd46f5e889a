"""Made by `python -m msjax stubs`: do not edit."""
from msjax.parallel import *
from msjax.train.distributed import *
from msjax.nn.wrap.parallel import *
from msjax.parallel.context import group_size as group_size
_get_device_num = group_size
from msjax.parallel import _get_enable_parallel_optimizer as _get_enable_parallel_optimizer
from msjax.parallel import _get_full_batch as _get_full_batch
from msjax.parallel import _get_global_rank as _get_global_rank
from msjax.parallel.context import gradients_mean as gradients_mean
_get_gradients_mean = gradients_mean
from msjax.parallel import _get_loss_repeated_mean as _get_loss_repeated_mean
from msjax.parallel.context import parallel_mode as parallel_mode
_get_parallel_mode = parallel_mode
from msjax.parallel import _get_pipeline_stages as _get_pipeline_stages
from msjax.parallel import _get_stage_device_num as _get_stage_device_num
from msjax.parallel import _is_in_auto_parallel_mode as _is_in_auto_parallel_mode
from msjax.parallel.communication import is_initialized as is_initialized
_is_initialized = is_initialized
from msjax.parallel import _is_pynative_parallel as _is_pynative_parallel
from msjax.parallel import _is_sharding_propagation as _is_sharding_propagation
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

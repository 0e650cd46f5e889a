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
from . import strategy as strategy
from . import transform_safetensors as transform_safetensors
from msjax.parallel.communication import GlobalComm as GlobalComm
from msjax.parallel.context import group_size as _group_size
_get_device_num = _group_size
from msjax.parallel import _get_enable_parallel_optimizer as _get_enable_parallel_optimizer
from msjax.parallel import _get_full_batch as _get_full_batch
from msjax.parallel import _get_global_rank as _get_global_rank
from msjax.parallel.context import gradients_mean as _gradients_mean
_get_gradients_mean = _gradients_mean
from msjax.parallel import _get_loss_repeated_mean as _get_loss_repeated_mean
from msjax.parallel.context import parallel_mode as _parallel_mode
_get_parallel_mode = _parallel_mode
from msjax.parallel import _get_pipeline_stages as _get_pipeline_stages
from msjax.parallel import _get_stage_device_num as _get_stage_device_num
from msjax.parallel import _is_in_auto_parallel_mode as _is_in_auto_parallel_mode
from msjax.parallel.communication import is_initialized as _is_initialized_
_is_initialized = _is_initialized_
from msjax.parallel import _is_pynative_parallel as _is_pynative_parallel
from msjax.parallel import _is_sharding_propagation as _is_sharding_propagation
from msjax.parallel.communication import create_group as create_group
from msjax.parallel.communication import destroy_group as destroy_group
from msjax.parallel.communication import get_comm_name as get_comm_name
from msjax.parallel.communication import get_group_rank_from_world_rank as get_group_rank_from_world_rank
from msjax.parallel.communication import get_group_size as get_group_size
from msjax.parallel.communication import get_local_rank as get_local_rank
from msjax.parallel.communication import get_local_rank_size as get_local_rank_size
from msjax.parallel.communication import get_process_group_ranks as get_process_group_ranks
from msjax.parallel.communication import get_rank as get_rank
from msjax.parallel.communication import get_world_rank_from_group_rank as get_world_rank_from_group_rank
from msjax.parallel.context import gradients_mean as gradients_mean
from msjax.parallel.context import group_size as group_size
from msjax.parallel.communication import init as init
from msjax.parallel.communication import is_initialized as is_initialized
from msjax.parallel.context import parallel_mode as parallel_mode
from msjax.parallel.communication import release as release
from msjax.parallel.layout import set_op_strategy_config as set_op_strategy_config
from msjax.parallel import *
from msjax.train.distributed import *
from msjax.nn.wrap.parallel import *
from msjax.nn.wrap.parallel import *
from msjax.train.distributed import *
from msjax.parallel import *
from msjax.parallel.communication import GlobalComm as GlobalComm
from msjax.parallel.context import group_size as _group_size
_get_device_num = _group_size
from msjax.parallel import _get_enable_parallel_optimizer as _get_enable_parallel_optimizer
from msjax.parallel import _get_full_batch as _get_full_batch
from msjax.parallel import _get_global_rank as _get_global_rank
from msjax.parallel.context import gradients_mean as _gradients_mean
_get_gradients_mean = _gradients_mean
from msjax.parallel import _get_loss_repeated_mean as _get_loss_repeated_mean
from msjax.parallel.context import parallel_mode as _parallel_mode
_get_parallel_mode = _parallel_mode
from msjax.parallel import _get_pipeline_stages as _get_pipeline_stages
from msjax.parallel import _get_stage_device_num as _get_stage_device_num
from msjax.parallel import _is_in_auto_parallel_mode as _is_in_auto_parallel_mode
from msjax.parallel.communication import is_initialized as _is_initialized_
_is_initialized = _is_initialized_
from msjax.parallel import _is_pynative_parallel as _is_pynative_parallel
from msjax.parallel import _is_sharding_propagation as _is_sharding_propagation
from msjax.parallel.communication import create_group as create_group
from msjax.parallel.communication import destroy_group as destroy_group
from msjax.parallel.communication import get_comm_name as get_comm_name
from msjax.parallel.communication import get_group_rank_from_world_rank as get_group_rank_from_world_rank
from msjax.parallel.communication import get_group_size as get_group_size
from msjax.parallel.communication import get_local_rank as get_local_rank
from msjax.parallel.communication import get_local_rank_size as get_local_rank_size
from msjax.parallel.communication import get_process_group_ranks as get_process_group_ranks
from msjax.parallel.communication import get_rank as get_rank
from msjax.parallel.communication import get_world_rank_from_group_rank as get_world_rank_from_group_rank
from msjax.parallel.context import gradients_mean as gradients_mean
from msjax.parallel.context import group_size as group_size
from msjax.parallel.communication import init as init
from msjax.parallel.communication import is_initialized as is_initialized
from msjax.parallel.context import parallel_mode as parallel_mode
from msjax.parallel.communication import release as release
from msjax.parallel.layout import set_op_strategy_config as set_op_strategy_config
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
from . import strategy as strategy
from . import transform_safetensors as transform_safetensors

"""Made by `python -m msjax stubs`: do not edit."""
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.unsupported.accepted import _cost_model as _cost_model
from msjax.unsupported.accepted import _get_algo_single_loop as _get_algo_single_loop
from msjax.unsupported.accepted import _get_multi_subgraphs as _get_multi_subgraphs
from msjax.unsupported.accepted import _get_rp_matmul_mem_coef as _get_rp_matmul_mem_coef
from msjax.unsupported.accepted import _pair as _pair
from msjax.unsupported.accepted import _reset_op_id as _reset_op_id
from msjax.unsupported.accepted import _set_algo_single_loop as _set_algo_single_loop
from msjax.unsupported.accepted import _set_multi_subgraphs as _set_multi_subgraphs
from msjax.unsupported.accepted import _set_rp_matmul_mem_coef as _set_rp_matmul_mem_coef
from msjax.parallel.inner import _AUTO_PARALLEL_CONTEXT as _AUTO_PARALLEL_CONTEXT
from msjax.parallel.inner import _ExistingGroup as _ExistingGroup
from msjax.parallel.inner import _cache_enable as _cache_enable
from msjax.parallel.inner import _check_mpi_envs as _check_mpi_envs
from msjax.parallel.inner import _check_parallel_envs as _check_parallel_envs
from msjax.parallel.inner import _clear_auto_parallel_context as _clear_auto_parallel_context
from msjax.parallel.communication import create_group as _create_group
_create_group_helper = _create_group
from msjax.parallel.communication import destroy_group as _destroy_group
_destroy_group_helper = _destroy_group
from msjax.parallel.inner import _device_number_check as _device_number_check
from msjax.parallel.inner import _enable_distributed_mindrt as _enable_distributed_mindrt
from msjax.parallel.inner import _get_all_auto_parallel_context as _get_all_auto_parallel_context
from msjax import get_auto_parallel_context as _get_auto_parallel_context_
_get_auto_parallel_context = _get_auto_parallel_context_
from msjax.parallel.inner import _get_backend as _get_backend
from msjax.parallel.communication import get_comm_name as _get_comm_name
_get_comm_name_helper = _get_comm_name
from msjax.parallel.inner import _get_grad_accumulation_shard as _get_grad_accumulation_shard
from msjax.parallel.inner import _get_group as _get_group
from msjax.parallel.inner import _get_group_map as _get_group_map
from msjax.parallel.inner import _get_group_rank_from_world_rank_helper as _get_group_rank_from_world_rank_helper
from msjax.parallel.inner import _get_group_ranks as _get_group_ranks
from msjax.parallel.communication import get_local_rank as _get_local_rank
_get_local_rank_helper = _get_local_rank
from msjax.parallel.communication import get_local_rank_size as _get_local_rank_size
_get_local_size_helper = _get_local_rank_size
from msjax.parallel.context import gradients_mean as _gradients_mean
_get_mirror_mean = _gradients_mean
from msjax.parallel.inner import _get_param_list_when_first_dim_sharded as _get_param_list_when_first_dim_sharded
from msjax.parallel.inner import _get_parameter_broadcast as _get_parameter_broadcast
from msjax import get_ps_context as _get_ps_context_
_get_ps_context = _get_ps_context_
from msjax.parallel.inner import _get_ps_mode_rank as _get_ps_mode_rank
from msjax.parallel.inner import _get_rank_helper as _get_rank_helper
from msjax.parallel.inner import _get_size_helper as _get_size_helper
from msjax.parallel.communication import get_world_rank_from_group_rank as _get_world_rank_from_group_rank
_get_world_rank_from_group_rank_helper = _get_world_rank_from_group_rank
from msjax.parallel.inner import _host_distribute as _host_distribute
from msjax.parallel.inner import _init_auto_parallel_context as _init_auto_parallel_context
from msjax.parallel.inner import _is_available as _is_available
from msjax.parallel.inner import _is_hccl_available as _is_hccl_available
from msjax.parallel.inner import _is_in_data_parallel_mode as _is_in_data_parallel_mode
from msjax.parallel.inner import _is_in_hybrid_parallel_mode as _is_in_hybrid_parallel_mode
from msjax.parallel.inner import _is_hccl_available as __is_hccl_available
_is_mpi_available = __is_hccl_available
from msjax.parallel.inner import _is_hccl_available as __is_hccl_available
_is_nccl_available = __is_hccl_available
from msjax.parallel.inner import _is_parallel_mode as _is_parallel_mode
from msjax.parallel.inner import _is_ps_mode as _is_ps_mode
from msjax.parallel.inner import _is_role_pserver as _is_role_pserver
from msjax.parallel.inner import _is_role_sched as _is_role_sched
from msjax.parallel.inner import _is_role_worker as _is_role_worker
from msjax.parallel.inner import _need_to_full as _need_to_full
from msjax.parallel.inner import _parallel_predict_check as _parallel_predict_check
from msjax.parallel.inner import _parameter_broadcast_check as _parameter_broadcast_check
from msjax.parallel.inner import _recover_auto_parallel_context as _recover_auto_parallel_context
from msjax.parallel.inner import _remove_group_info as _remove_group_info
from msjax import reset_auto_parallel_context as _reset_auto_parallel_context_
_reset_auto_parallel_context = _reset_auto_parallel_context_
from msjax import reset_ps_context as _reset_ps_context_
_reset_ps_context = _reset_ps_context_
from msjax import set_auto_parallel_context as _set_auto_parallel_context_
_set_auto_parallel_context = _set_auto_parallel_context_
from msjax.parallel.inner import _set_checkpoint_load_status as _set_checkpoint_load_status
from msjax import set_ps_context as _set_ps_context_
_set_ps_context = _set_ps_context_
from msjax.parallel.inner import _to_full_shapes as _to_full_shapes
from msjax.parallel.inner import _to_full_tensor as _to_full_tensor
from msjax import get_ps_context as get_ps_context
from msjax import reset_auto_parallel_context as reset_auto_parallel_context
from msjax import reset_ps_context as reset_ps_context
from msjax import set_auto_parallel_context as set_auto_parallel_context
from msjax import set_ps_context as set_ps_context
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
from msjax.parallel.shard import *
from msjax.parallel import *
from msjax.parallel.inner import *
from msjax.unsupported.accepted import *
from msjax import *
from msjax.train.distributed import *
from msjax.nn.wrap.parallel import *
from msjax.nn.wrap.parallel import *
from msjax.train.distributed import *
from msjax import *
from msjax.unsupported.accepted import *
from msjax.parallel.inner import *
from msjax.parallel import *
from msjax.parallel.shard import *
from msjax.core.grad.custom_function import _Function as _Function
from msjax.core.values.dtype import _NullType as _NullType
from msjax.core.grad.no_gradient import no_gradient as _no_gradient
_no_grad = _no_gradient
from msjax.inner.compile_options import _no_recursive as _no_recursive
from msjax.unsupported.accepted import _cost_model as _cost_model
from msjax.unsupported.accepted import _get_algo_single_loop as _get_algo_single_loop
from msjax.unsupported.accepted import _get_multi_subgraphs as _get_multi_subgraphs
from msjax.unsupported.accepted import _get_rp_matmul_mem_coef as _get_rp_matmul_mem_coef
from msjax.unsupported.accepted import _pair as _pair
from msjax.unsupported.accepted import _reset_op_id as _reset_op_id
from msjax.unsupported.accepted import _set_algo_single_loop as _set_algo_single_loop
from msjax.unsupported.accepted import _set_multi_subgraphs as _set_multi_subgraphs
from msjax.unsupported.accepted import _set_rp_matmul_mem_coef as _set_rp_matmul_mem_coef
from msjax.parallel.inner import _AUTO_PARALLEL_CONTEXT as _AUTO_PARALLEL_CONTEXT
from msjax.parallel.inner import _ExistingGroup as _ExistingGroup
from msjax.parallel.inner import _cache_enable as _cache_enable
from msjax.parallel.inner import _check_mpi_envs as _check_mpi_envs
from msjax.parallel.inner import _check_parallel_envs as _check_parallel_envs
from msjax.parallel.inner import _clear_auto_parallel_context as _clear_auto_parallel_context
from msjax.parallel.communication import create_group as _create_group
_create_group_helper = _create_group
from msjax.parallel.communication import destroy_group as _destroy_group
_destroy_group_helper = _destroy_group
from msjax.parallel.inner import _device_number_check as _device_number_check
from msjax.parallel.inner import _enable_distributed_mindrt as _enable_distributed_mindrt
from msjax.parallel.inner import _get_all_auto_parallel_context as _get_all_auto_parallel_context
from msjax import get_auto_parallel_context as _get_auto_parallel_context_
_get_auto_parallel_context = _get_auto_parallel_context_
from msjax.parallel.inner import _get_backend as _get_backend
from msjax.parallel.communication import get_comm_name as _get_comm_name
_get_comm_name_helper = _get_comm_name
from msjax.parallel.inner import _get_grad_accumulation_shard as _get_grad_accumulation_shard
from msjax.parallel.inner import _get_group as _get_group
from msjax.parallel.inner import _get_group_map as _get_group_map
from msjax.parallel.inner import _get_group_rank_from_world_rank_helper as _get_group_rank_from_world_rank_helper
from msjax.parallel.inner import _get_group_ranks as _get_group_ranks
from msjax.parallel.communication import get_local_rank as _get_local_rank
_get_local_rank_helper = _get_local_rank
from msjax.parallel.communication import get_local_rank_size as _get_local_rank_size
_get_local_size_helper = _get_local_rank_size
from msjax.parallel.context import gradients_mean as _gradients_mean
_get_mirror_mean = _gradients_mean
from msjax.parallel.inner import _get_param_list_when_first_dim_sharded as _get_param_list_when_first_dim_sharded
from msjax.parallel.inner import _get_parameter_broadcast as _get_parameter_broadcast
from msjax import get_ps_context as _get_ps_context_
_get_ps_context = _get_ps_context_
from msjax.parallel.inner import _get_ps_mode_rank as _get_ps_mode_rank
from msjax.parallel.inner import _get_rank_helper as _get_rank_helper
from msjax.parallel.inner import _get_size_helper as _get_size_helper
from msjax.parallel.communication import get_world_rank_from_group_rank as _get_world_rank_from_group_rank
_get_world_rank_from_group_rank_helper = _get_world_rank_from_group_rank
from msjax.parallel.inner import _host_distribute as _host_distribute
from msjax.parallel.inner import _init_auto_parallel_context as _init_auto_parallel_context
from msjax.parallel.inner import _is_available as _is_available
from msjax.parallel.inner import _is_hccl_available as _is_hccl_available
from msjax.parallel.inner import _is_in_data_parallel_mode as _is_in_data_parallel_mode
from msjax.parallel.inner import _is_in_hybrid_parallel_mode as _is_in_hybrid_parallel_mode
from msjax.parallel.inner import _is_hccl_available as __is_hccl_available
_is_mpi_available = __is_hccl_available
from msjax.parallel.inner import _is_hccl_available as __is_hccl_available
_is_nccl_available = __is_hccl_available
from msjax.parallel.inner import _is_parallel_mode as _is_parallel_mode
from msjax.parallel.inner import _is_ps_mode as _is_ps_mode
from msjax.parallel.inner import _is_role_pserver as _is_role_pserver
from msjax.parallel.inner import _is_role_sched as _is_role_sched
from msjax.parallel.inner import _is_role_worker as _is_role_worker
from msjax.parallel.inner import _need_to_full as _need_to_full
from msjax.parallel.inner import _parallel_predict_check as _parallel_predict_check
from msjax.parallel.inner import _parameter_broadcast_check as _parameter_broadcast_check
from msjax.parallel.inner import _recover_auto_parallel_context as _recover_auto_parallel_context
from msjax.parallel.inner import _remove_group_info as _remove_group_info
from msjax import reset_auto_parallel_context as _reset_auto_parallel_context_
_reset_auto_parallel_context = _reset_auto_parallel_context_
from msjax import reset_ps_context as _reset_ps_context_
_reset_ps_context = _reset_ps_context_
from msjax import set_auto_parallel_context as _set_auto_parallel_context_
_set_auto_parallel_context = _set_auto_parallel_context_
from msjax.parallel.inner import _set_checkpoint_load_status as _set_checkpoint_load_status
from msjax import set_ps_context as _set_ps_context_
_set_ps_context = _set_ps_context_
from msjax.parallel.inner import _to_full_shapes as _to_full_shapes
from msjax.parallel.inner import _to_full_tensor as _to_full_tensor
from msjax import get_ps_context as get_ps_context
from msjax import reset_auto_parallel_context as reset_auto_parallel_context
from msjax import reset_ps_context as reset_ps_context
from msjax import set_auto_parallel_context as set_auto_parallel_context
from msjax import set_ps_context as set_ps_context
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
from typing import Any
def __getattr__(name: str) -> Any: ...

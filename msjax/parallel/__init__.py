"""Several devices and processes: groups, communication, and the settings that training cells read."""

from ..alias.names import MissingNames
from ..core.above import above as _above
from ..core.settings.context import ParallelMode, get_auto_parallel_context  # noqa: F401
from ..ops import serve_from_above
from . import (
    absent_devices,
    collectives,
    dealing,
    devices,
    expert_routing,
    launch,
    messages,
    ops_communication,
    parameter_server,
    processes,
    shardings,
    starts,
)
from .communication import (  # noqa: F401
    HCCL_WORLD_COMM_GROUP,
    MCCL_WORLD_COMM_GROUP,
    NCCL_WORLD_COMM_GROUP,
    GlobalComm,
    create_group,
    destroy_group,
    get_comm_name,
    get_group_rank_from_world_rank,
    get_group_size,
    get_local_rank,
    get_local_rank_size,
    get_process_group_ranks,
    get_rank,
    get_world_rank_from_group_rank,
    init,
    is_initialized,
    release,
)
from .context import data_parallel, gradients_mean, group_size, parallel_mode
from .layout import (
    Layout,
    get_algo_parameters,
    parameter_broadcast,
    reset_algo_parameters,
    set_algo_parameters,
    set_op_strategy_config,
    sync_pipeline_shared_parameters,
)
from .sharded_calls import shard

_above.plan, _above.arranged, _above.call_with_strategies = starts.plan, starts.arranged, shardings.call_primitive
_above.take_arguments, _above.close_trace = shardings.enter, launch.close
_above.remote_content, _above.waits = shardings.gather_remote, shardings.born_in_parts
_above.devices_of_trace, _above.grid_of_trace = shardings.traced_devices, shardings.traced_grid
_above.of_all = absent_devices.of_all
_above.is_apart = lambda: processes.world().size > 1 and shardings.view() is None
serve_from_above(("BatchISendIRecv", "NeighborExchange", "NeighborExchangeV2", "Receive", "Send"), messages)
serve_from_above(("Barrier", "ReduceOp", "Reshard"), collectives)
serve_from_above(("gather_into_tensor", "scatter_tensor"), dealing)
serve_from_above(("Pull", "Push"), parameter_server)
serve_from_above(ops_communication.__all__, ops_communication)

# MindSpore's own cells, and cells copied from them, ask under these names.
_get_parallel_mode = parallel_mode
_get_gradients_mean = gradients_mean
_get_device_num = group_size
_is_initialized = is_initialized


def _get_global_rank():
    return get_rank() if is_initialized() else get_auto_parallel_context("global_rank")


def _is_sharding_propagation():
    return get_auto_parallel_context("search_mode") == "sharding_propagation"


def _get_full_batch():
    return get_auto_parallel_context("full_batch")


def _get_pipeline_stages():
    return get_auto_parallel_context("pipeline_stages")


def _get_enable_parallel_optimizer():
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_loss_repeated_mean():
    return get_auto_parallel_context("loss_repeated_mean")


def _is_pynative_parallel():
    return False


def _is_in_auto_parallel_mode():
    return parallel_mode() in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _get_stage_device_num():
    return group_size() // _get_pipeline_stages()


__all__ = [
    "Layout",
    "data_parallel",
    "get_algo_parameters",
    "parameter_broadcast",
    "reset_algo_parameters",
    "set_algo_parameters",
    "shard",
    "sync_pipeline_shared_parameters",
]

__getattr__ = MissingNames(__name__)

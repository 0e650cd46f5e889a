"""Several devices and processes: groups, communication, and what training cells ask about them."""

from ..alias.names import MissingNames
from ..core.operators import primitive as _primitive
from ..core.settings.context import ParallelMode, get_auto_parallel_context  # noqa: F401
from ..core.trace import compile as _compile
from ..core.trace import entry as _entry
from ..ops import serve_from_above
from ..ops.attention import divided as _divided_attention
from . import (
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
    shard,
    sync_pipeline_shared_parameters,
)

_entry.plans.append(shardings.plan)
_primitive.placed_call = shardings.call_primitive
processes.connected.append(lambda: _compile.entrances.append(shardings.enter))
_compile.closings.append(launch.close)
_divided_attention.count, _divided_attention.grid = shardings.traced_devices, shardings.traced_grid
_divided_attention.apart = lambda: processes.world().size > 1 and shardings.view() is None
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

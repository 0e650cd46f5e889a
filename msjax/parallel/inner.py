"""Inner names of `mindspore.parallel` and `mindspore.communication` that libraries' training loops ask with."""

import math
import os
from typing import Any

from ..core.settings import parallel_context
from ..core.settings.context import ParallelMode, get_ps_context, reset_ps_context, set_ps_context
from ..core.settings.parallel_context import (
    get_auto_parallel_context,
    reset_auto_parallel_context,
    set_auto_parallel_context,
)
from . import communication, processes
from .communication import is_initialized
from .context import gradients_mean, group_size, parallel_mode

_get_mirror_mean = gradients_mean  # its name in MindSpore 1.0


# --- parallel._utils
def _device_number_check(parallel_mode, device_number):
    """ValueError if more than one device is asked for without parallel training."""
    if parallel_mode == ParallelMode.STAND_ALONE and device_number != 1:
        raise ValueError(f"If parallel_mode is stand_alone, device_number must be 1, but got {device_number}.")


def _parameter_broadcast_check(parallel_mode, parameter_broadcast):
    """ValueError if Parameters should be sent around in a mode in which they are not the same everywhere."""
    if parameter_broadcast is True and parallel_mode not in (ParallelMode.DATA_PARALLEL, ParallelMode.HYBRID_PARALLEL):
        raise ValueError(f"The parallel mode '{parallel_mode}' does not support parameter_broadcast.")


def _get_parameter_broadcast():
    """Whether the first process sends its Parameters to the others."""
    return get_auto_parallel_context("parameter_broadcast")


def _is_parallel_mode():
    """Whether several processes train in MindSpore's own parallel modes."""
    return group_size() > 1 and parallel_mode() in (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)


def _is_in_data_parallel_mode():
    """Whether the mode is data_parallel."""
    return parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode():
    """Whether the mode is hybrid_parallel."""
    return parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _get_grad_accumulation_shard():
    """Whether accumulated gradients are spread over processes."""
    return get_auto_parallel_context("parallel_optimizer_config").get("gradient_accumulation_shard", False)


def _need_to_full():
    """Whether batches are to be put together from those of all processes: each process feeds its own."""
    return False


def _to_full_shapes(shapes, device_num):
    """Shapes of the batches of all processes together."""
    return [[shape[0] * device_num, *shape[1:]] for shape in shapes]


def _to_full_tensor(elem, global_device_num, global_rank, scaling_sens=None):
    """A batch as the network takes it: it is whole already."""
    rows = list(elem) if isinstance(elem, (list, tuple)) else [elem]
    return tuple(rows if scaling_sens is None else [*rows, scaling_sens])


def _parallel_predict_check():
    """RuntimeError where MindSpore cannot predict in parallel: everything can be."""


def _init_auto_parallel_context(net):
    """Take the settings that a network carries: AutoParallel keeps its own."""


def _clear_auto_parallel_context(net):
    """Undo `_init_auto_parallel_context`."""


# --- parallel._auto_parallel_context
_AUTO_PARALLEL_CONTEXT = parallel_context.AutoParallelContext()
_set_auto_parallel_context, _get_auto_parallel_context = set_auto_parallel_context, get_auto_parallel_context
_reset_auto_parallel_context = reset_auto_parallel_context


def auto_parallel_context() -> Any:
    """The one object of these settings."""
    return _AUTO_PARALLEL_CONTEXT


def _get_all_auto_parallel_context():
    """(all settings, those of the pipeline), for `_recover_auto_parallel_context`."""
    return parallel_context.kept(), {}


def _recover_auto_parallel_context(context_value_map, pp_config):
    """Put settings back that were taken with `_get_all_auto_parallel_context`."""
    reset_auto_parallel_context()
    set_auto_parallel_context(**{name: value for name, value in context_value_map.items() if value != []})


# --- parallel._ps_context: every process is a worker
def _is_role_worker():
    """Whether this process is a worker of a parameter server."""
    return False


def _is_role_pserver():
    """Whether this process is a server."""
    return False


def _is_role_sched():
    """Whether this process only brings the others together."""
    return False


def _is_ps_mode():
    """Whether there is a parameter server: no."""
    return False


def _get_ps_mode_rank():
    """The number of this process beside a parameter server.

    Raises:
        RuntimeError: always; there is no parameter server.
    """
    raise RuntimeError("The parameter server mode training is not enabled yet.")


def _cache_enable():
    """Whether tables are cached from a parameter server: no."""
    return False


def _enable_distributed_mindrt():
    """Whether MindSpore's runtime spreads one graph over processes: no."""
    return False


def _set_checkpoint_load_status(status):
    """The parameter server is told that a checkpoint was loaded: there is none."""


_set_ps_context, _get_ps_context, _reset_ps_context = set_ps_context, get_ps_context, reset_ps_context


# --- communication._comm_helper
DEVICE_TO_BACKEND = {"Ascend": "hccl", "GPU": "nccl", "CPU": "mccl"}
DEFAULT_BACKEND = communication.Backend("hccl")
DEFAULT_WORLD_COMM_GROUP = communication.HCCL_WORLD_COMM_GROUP


def _is_available():
    """Whether processes can talk to each other."""
    return True


def _is_hccl_available():
    """Whether there is Ascend's library."""
    return False


_is_nccl_available = _is_mpi_available = _is_hccl_available


def _get_backend():
    """Name of the library that is used."""
    return "mccl"


def _get_rank_helper(group):
    """Rank in a group; 0 before `init`."""
    return communication.get_rank(group) if is_initialized() else 0


def _get_size_helper(group):
    """Size of a group; 1 before `init`."""
    return communication.get_group_size(group) if is_initialized() else 1


def _get_group_ranks(group):
    """Ranks of the members of a group."""
    return list(communication.get_process_group_ranks(group))


class _ExistingGroup:
    """The groups that `create_group` made."""

    ITEMS = communication._groups


def _get_group_map():
    """The groups that were made, {name: ranks}."""
    return {name: list(ranks) for name, ranks in communication._groups.items()}


def _remove_group_info(group_name):
    """Forget a group that was destroyed: `destroy_group` does."""


def _get_group(group):
    """Name of a group; that of all has another one for each library."""
    return communication.GlobalComm.WORLD_COMM_GROUP if group == DEFAULT_WORLD_COMM_GROUP else group


def _host_distribute():
    """Whether a launcher has started this process with others."""
    return processes.world().size > 1


def _check_parallel_envs():
    """RuntimeError where Ascend's variables are missing: they are not needed."""


def _check_mpi_envs():
    """Whether mpirun has started this process."""
    return bool(os.environ.get("OMPI_COMM_WORLD_SIZE"))


_destroy_group_helper = communication.destroy_group
_get_local_rank_helper, _get_local_size_helper = communication.get_local_rank, communication.get_local_rank_size
_create_group_helper, _get_comm_name_helper = communication.create_group, communication.get_comm_name
_get_world_rank_from_group_rank_helper = communication.get_world_rank_from_group_rank


def _get_group_rank_from_world_rank_helper(world_rank_id, group):
    """Rank in a group of the process with this rank."""
    return communication.get_group_rank_from_world_rank(world_rank_id, group)


def _get_param_list_when_first_dim_sharded(device_arrangement, first_dim_sharded_device_index, rank):
    """The ranks, one after the other, that hold the parts of a Parameter whose first axis is split over an axis of the devices (counted from
    the last one, from 1 on; 0 is all of them).
    """
    axis = len(device_arrangement) - first_dim_sharded_device_index if first_dim_sharded_device_index else 0
    count = math.prod(device_arrangement[axis:])
    first = rank // count * count
    return list(range(first, first + count))

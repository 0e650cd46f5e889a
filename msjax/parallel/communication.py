"""Processes and groups of processes, in MindSpore's words: `init`, `get_rank`, `get_group_size`, `create_group`, …

Without a launcher a process is rank 0 of 1. With one (`msjax run`, msrun, mpirun, SLURM, a rank table: see `processes.py`) `init`
connects it to the others.
"""

from .processes import connect, disconnect, world

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"


class GlobalComm:
    """Names of the group of all processes."""

    BACKEND = "nccl"
    WORLD_COMM_GROUP = NCCL_WORLD_COMM_GROUP
    INITED = False
    CHECK_ENVS = True


_groups = {}


def init(backend_name=None):
    """Take part in communication. With one process nothing is to be done.

    Raises:
        TypeError: `backend_name` is no str. RuntimeError: the backend is none of "hccl", "nccl", "mccl"; another process did
        not come in time; jax has computed before several processes were connected (call `init` first).
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise TypeError(
            f"For 'init', the argument 'backend_name' must be a string, but got the type : {type(backend_name)}"
        )
    if backend_name not in (None, "hccl", "nccl", "mccl"):
        raise RuntimeError(
            f"For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl', 'mccl', but got {backend_name}."
        )
    connect()
    GlobalComm.BACKEND = backend_name or "nccl"
    GlobalComm.WORLD_COMM_GROUP = f"{GlobalComm.BACKEND}_world_group"
    GlobalComm.INITED = True


def release():
    """Stop taking part; groups are forgotten."""
    disconnect()
    _groups.clear()
    GlobalComm.INITED = False


def is_initialized():
    """Whether `init` was called."""
    return GlobalComm.INITED


def _require_init(where):
    if not GlobalComm.INITED:
        raise RuntimeError(
            f"For '{where}', distributed communication has not been inited: call mindspore.communication.init() first."
        )


def _check_name(where, group):
    if not isinstance(group, str):
        raise TypeError(
            f"For '{where}', the argument 'group' must be type of string, but got 'group' type : {type(group)}."
        )


def _before_init(where, group):
    """Whether `init` was not called yet: then the process is alone, in any group."""
    _check_name(where, group)
    return not GlobalComm.INITED


def _check_group(where, group):
    _check_name(where, group)
    if group not in _groups and not group.endswith("world_group"):
        raise ValueError(
            f"For '{where}', there is no group '{group}'; create it with create_group. There are {[GlobalComm.WORLD_COMM_GROUP, *_groups]}."
        )


def _members(group):
    return _groups.get(group) or list(range(world().size))


def ranks_of(name, group):
    """Members of a group as a tuple; all processes for None, and for every group of a process that is alone.

    Raises:
        ValueError: there is no such group.
    """
    if group is not None and world().size > 1:
        _check_group(name, group)
    return tuple(range(world().size) if group is None else _members(group))


def get_rank(group=GlobalComm.WORLD_COMM_GROUP):
    """Number of this process in a group; 0 before `init`."""
    if _before_init("get_rank", group):
        return 0
    _check_group("get_rank", group)
    members = _members(group)
    if world().rank not in members:
        raise RuntimeError(f"For 'get_rank', this process ({world().rank}) is not in the group '{group}': {members}.")
    return members.index(world().rank)


def get_group_size(group=GlobalComm.WORLD_COMM_GROUP):
    """Number of processes in a group; 1 before `init`."""
    if _before_init("get_group_size", group):
        return 1
    _check_group("get_group_size", group)
    return len(_members(group))


def get_local_rank(group=GlobalComm.WORLD_COMM_GROUP):
    """Number of this process among those of the group on its machine."""
    if _before_init("get_local_rank", group):
        return 0
    _check_group("get_local_rank", group)
    return _beside(group).index(world().rank)


def get_local_rank_size(group=GlobalComm.WORLD_COMM_GROUP):
    """Number of processes of a group on this machine."""
    if _before_init("get_local_rank_size", group):
        return 1
    _check_group("get_local_rank_size", group)
    return len(_beside(group))


def _beside(group):
    """The members of a group that are on this machine; ranks of one machine follow each other."""
    here = world()
    first = here.rank - here.local_rank
    return [r for r in _members(group) if first <= r < first + here.local_size]


def get_world_rank_from_group_rank(group, group_rank_id):
    """Number among all processes of the process with a given number in a group."""
    _require_init("get_world_rank_from_group_rank")
    _check_group("get_world_rank_from_group_rank", group)
    return _members(group)[group_rank_id]


def get_group_rank_from_world_rank(world_rank_id, group):
    """Number in a group of the process with a given number among all."""
    _require_init("get_group_rank_from_world_rank")
    _check_group("get_group_rank_from_world_rank", group)
    return _members(group).index(world_rank_id)


def create_group(group, rank_ids, options=None):
    """Name a set of processes.

    Raises:
        TypeError, ValueError: a name that is no str, ranks that are no list, are empty, occur twice or do not exist.
    """
    _require_init("create_group")
    _check_name("create_group", group)
    if not isinstance(rank_ids, list):
        raise TypeError(
            f"For 'create_group', the argument 'rank_ids' must be type of list, but got 'rank_ids' type : {type(rank_ids)}."
        )
    if not rank_ids or len(set(rank_ids)) != len(rank_ids) or max(rank_ids) >= world().size or min(rank_ids) < 0:
        raise ValueError(
            f"For 'create_group', the argument 'rank_ids' must be different ranks below {world().size}, but got {rank_ids}."
        )
    _groups[group] = list(rank_ids)


def destroy_group(group):
    """Forget a group; the group of all processes stays (ValueError)."""
    _require_init("destroy_group")
    if isinstance(group, str) and group.endswith("world_group"):
        raise ValueError("The hccl_world_group does not support destruction.")
    _check_group("destroy_group", group)
    del _groups[group]


def get_process_group_ranks(group=GlobalComm.WORLD_COMM_GROUP):
    """Processes of a group, as their numbers among all."""
    _require_init("get_process_group_ranks")
    _check_group("get_process_group_ranks", group)
    return list(_members(group))


def get_comm_name(group):
    """Name of a group for the communication library: the group's own."""
    _check_group("get_comm_name", group)
    return group


__all__ = [
    "GlobalComm",
    "HCCL_WORLD_COMM_GROUP",
    "MCCL_WORLD_COMM_GROUP",
    "NCCL_WORLD_COMM_GROUP",
    "create_group",
    "destroy_group",
    "get_comm_name",
    "get_group_rank_from_world_rank",
    "get_group_size",
    "get_local_rank",
    "get_local_rank_size",
    "get_process_group_ranks",
    "get_rank",
    "get_world_rank_from_group_rank",
    "init",
    "release",
]

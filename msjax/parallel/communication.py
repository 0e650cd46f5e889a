"""Processes and groups of processes, in MindSpore's words: `init`, `get_rank`, `get_group_size`, `create_group`, …

Without a launcher a process is rank 0 of 1. With one (`msjax run`, msrun, mpirun, SLURM, a rank table: see `processes.py`) `init`
connects it to the others.
"""

import os
from collections.abc import Sequence
from typing import Any

from .. import log
from ..core.settings.context import present_device
from ..core.values.rank_number import RankNumber
from .processes import connect, disconnect, ranks, world

HCCL_WORLD_COMM_GROUP = "hccl_world_group"
NCCL_WORLD_COMM_GROUP = "nccl_world_group"
MCCL_WORLD_COMM_GROUP = "mccl_world_group"


class GlobalComm:
    """Names of the group of all processes."""

    BACKEND = "hccl"
    WORLD_COMM_GROUP = HCCL_WORLD_COMM_GROUP
    INITED = False
    CHECK_ENVS = True


_groups = {}


class GroupOptions:
    """Options of a group for Ascend's library, kept: `hccl_config`."""

    def __init__(self):
        self.hccl_config = {}


class Backend:
    """`Backend(name)` is the name of a communication library in lower case; ValueError for an unknown name."""

    UNDEFINED, HCCL, NCCL, MCCL = "undefined", "hccl", "nccl", "mccl"

    def __new__(cls, name: str):
        """The name, checked."""
        if not isinstance(name, str):
            raise TypeError(
                f"For 'Backend', the class variable 'name' must be a string, but got the type : {type(name)}"
            )
        found = getattr(cls, name.upper(), cls.UNDEFINED)
        if found == cls.UNDEFINED:
            raise ValueError(
                f"For 'Backend', the class variable 'name' {name} is not supported, please use hccl or nccl."
            )
        return found


def init(backend_name: str | None = None):
    """Take part in communication. With one process nothing is to be done.

    Raises:
        TypeError: `backend_name` is not a str. RuntimeError: the backend is none of "hccl", "nccl", "mccl"; another process did
        not come in time; jax has computed before several processes were connected (call `init` first).
    """
    if backend_name is not None and not isinstance(backend_name, str):
        raise TypeError(
            f"For 'init', the argument 'backend_name' must be a string, but got the type : {type(backend_name)}"
        )
    if backend_name not in (None, "hccl", "nccl", "mccl"):
        raise RuntimeError(
            "For 'init', the argument 'backend_name' must be one of 'hccl', 'nccl' and 'mccl', "
            f"but got 'backend_name' : {backend_name}"
        )
    connect()
    GlobalComm.BACKEND = backend_name or ("mccl" if present_device() == "CPU" else "nccl")
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
            "Distributed Communication has not been inited.You can't invoke this interface yet. "
            f"Please call `init()` method first. ('{where}' was called.)"
        )


def _check_name(where, group):
    if not isinstance(group, str):
        raise TypeError(
            f"For '{where}', the argument 'group' must be type of string, but got 'group' type : {type(group)}."
        )


def _before_init(where, group, variable, alone):
    """Before `init`: the launcher's value in the environment, or else the value for a single process."""
    _check_name(where, group)
    return None if GlobalComm.INITED else int(os.environ.get(variable, alone))


def _check_group(where, group):
    _check_name(where, group)
    if group not in _groups and not group.endswith("world_group"):
        raise RuntimeError(
            f"For '{where}', the group {group} does not exist; create it with create_group. "
            f"There are {[GlobalComm.WORLD_COMM_GROUP, *_groups]}."
        )


def groups():
    """{name: its ranks} of the groups that were created."""
    return _groups


def _members(group):
    return _groups.get(group) or list(range(ranks()))


_WAITS = ("barrier", "Barrier")  # collectives that send no value


def ranks_of(name: str, group: str):
    """Members of a group as a tuple; all processes for None, and for every group of a single process.

    Raises:
        ValueError: there is no such group. RuntimeError: this process stands for several ranks.
    """
    if ranks() > world().size:
        if name in _WAITS and world().size == 1:  # all ranks are this process, so all are here
            return (0,)
        raise RuntimeError(
            f"For '{name}', a script that sends values between its ranks needs a process for each of them, but this one stands for "
            f"{ranks()} (--as-ranks): start it with `python -m msjax run --worker-num {ranks()}`."
        )
    if group is not None and world().size > 1:
        _check_group(name, group)
    return tuple(range(world().size) if group is None else _members(group))


def get_rank(group: str = GlobalComm.WORLD_COMM_GROUP):
    """Number of this process in a group; before `init` RANK_ID of the environment, or 0."""
    early = _before_init("get_rank", group, "RANK_ID", 0)
    if early is not None:
        return early
    _check_group("get_rank", group)
    members = _members(group)
    if world().rank not in members:
        raise RuntimeError(f"For 'get_rank', this process ({world().rank}) is not in the group '{group}': {members}.")
    if len(members) == ranks() > world().size:
        return RankNumber(range(len(members)))
    return members.index(world().rank)


def get_group_size(group: str = GlobalComm.WORLD_COMM_GROUP):
    """Number of processes in a group (with `--as-ranks` of devices); before `init` RANK_SIZE of the environment, or 1."""
    early = _before_init("get_group_size", group, "RANK_SIZE", 1)
    if early is not None:
        return early
    _check_group("get_group_size", group)
    return len(_members(group))


def get_local_rank(group: str = GlobalComm.WORLD_COMM_GROUP):
    """Number of this process among those of the group on its machine."""
    early = _before_init("get_local_rank", group, "LOCAL_RANK", 0)
    if early is not None:
        return early
    _check_group("get_local_rank", group)
    return _beside(group).index(world().rank)


def get_local_rank_size(group: str = GlobalComm.WORLD_COMM_GROUP):
    """Number of processes of a group on this machine."""
    early = _before_init("get_local_rank_size", group, "LOCAL_RANK_SIZE", 1)
    if early is not None:
        return early
    _check_group("get_local_rank_size", group)
    return len(_beside(group))


def _beside(group):
    """The members of a group that are on this machine; ranks of one machine follow each other."""
    here = world()
    if ranks() > here.size:
        return _members(group)
    first = here.rank - here.local_rank
    return [r for r in _members(group) if first <= r < first + here.local_size]


def get_world_rank_from_group_rank(group: str, group_rank_id: int):
    """Number among all processes of the process with a given number in a group."""
    _require_init("get_world_rank_from_group_rank")
    _check_group("get_world_rank_from_group_rank", group)
    members, rank = _members(group), _int("get_world_rank_from_group_rank", "group_rank_id", group_rank_id)
    if not 0 <= rank < len(members):
        raise RuntimeError(f"Group {group} doesn't contain the group rank {rank}.")
    return members[rank]


def get_group_rank_from_world_rank(world_rank_id: int, group: str):
    """Number in a group of the process with a given number among all."""
    _require_init("get_group_rank_from_world_rank")
    _check_group("get_group_rank_from_world_rank", group)
    members, rank = _members(group), _int("get_group_rank_from_world_rank", "world_rank_id", world_rank_id)
    if rank not in members:
        raise RuntimeError(f"Group {group} doesn't contain the global rank {rank}.")
    return members.index(rank)


def _int(where, name, value):
    if not isinstance(value, int):
        raise TypeError(
            f"For '{where}', the argument '{name}' must be type of int, but got '{name}' type : {type(value)}."
        )
    return value


def create_group(group: str, rank_ids: Sequence[int], options: Any = None):
    """Name a set of processes.

    Raises:
        TypeError, ValueError: a name that is not a str, or is that of other ranks; ranks that are not a list, are empty, occur twice or do not
        exist.
    """
    _require_init("create_group")
    _check_name("create_group", group)
    if group in _groups:
        if rank_ids != _groups[group]:
            raise ValueError(
                f"The group {group} has been created, the rank_list is {_groups[group]}, "
                f"but current rank_list for the group is {rank_ids}"
            )
        log.warning(f"{group!r} group has existed.")
        return
    if not isinstance(rank_ids, list):
        raise TypeError(
            f"For 'create_group', the argument 'rank_ids' must be type of list, but got 'rank_ids' type : {type(rank_ids)}."
        )
    if not rank_ids:
        raise ValueError(
            "For 'create_group', the argument 'rank_ids' size should be greater than 1, but got 'rank_ids' size : 0."
        )
    if len(set(rank_ids)) != len(rank_ids):
        raise ValueError(f"List rank_ids in Group {group} has duplicate data!")
    if max(rank_ids) >= ranks() or min(rank_ids) < 0:
        raise ValueError(
            f"For 'create_group', the argument 'rank_ids' must be ranks below {ranks()}, but got {rank_ids}."
        )
    if not isinstance(options, (GroupOptions, type(None))):
        raise TypeError(
            "For 'create_group', the argument 'options' must be type of GroupOptions, "
            f"but got 'options' type : {type(options)}."
        )
    _groups[group] = list(rank_ids)


def destroy_group(group: str):
    """Forget a group; that of all processes stays (ValueError), and there may be none of the name (KeyError)."""
    _require_init("destroy_group")
    _check_name("destroy_group", group)
    if group.endswith("world_group"):
        raise ValueError("The world_group does not support destruction.")
    del _groups[group]


def get_process_group_ranks(group: str = GlobalComm.WORLD_COMM_GROUP):
    """Processes of a group, as their numbers among all."""
    _require_init("get_process_group_ranks")
    _check_group("get_process_group_ranks", group)
    return list(_members(group))


def get_comm_name(group: str = GlobalComm.WORLD_COMM_GROUP):
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

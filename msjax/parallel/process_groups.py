"""Communication functions that write their results into given Tensors: `mint.distributed`, and names of `ops`. A single
process is a group of one member.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from . import communication as _comm
from . import exchange as _exchange
from . import processes
from .communication import get_process_group_ranks as get_process_group_ranks
from .communication import is_initialized as is_initialized
from .group_calls import CommHandle, done, exchanged, fill, joined, many, peer, ready, single_sizes, split, value
from .object_lists import (  # noqa: F401
    all_gather_object,
    broadcast_object_list,
    gather_object,
    recv_object_list,
    scatter_object_list,
    send_object_list,
)
from .point_to_point import P2POp as P2POp
from .point_to_point import batch_isend_irecv as batch_isend_irecv
from .point_to_point import irecv as irecv
from .point_to_point import isend as isend
from .point_to_point import recv as recv
from .point_to_point import send as send
from .tcp_store import TCPStore as TCPStore

__all__ = """P2POp TCPStore all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce
all_to_all all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather
gather_object get_backend get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size
init_process_group irecv is_available is_initialized isend new_group recv recv_object_list reduce reduce_scatter
reduce_scatter_tensor reduce_scatter_tensor_uneven scatter scatter_object_list send send_object_list""".split()


# --- groups
def init_process_group(
    backend: str | None = "hccl",
    init_method: Any = None,
    timeout: float | None = None,
    world_size: int = -1,
    rank: int = -1,
    store: Any = None,
    group_name: str = "",
    pg_options: Any = None,
    device_id: Any = None,
):
    """Take part in communication; see `mindspore.communication.init`.

    Example:
        >>> mint.distributed.init_process_group()
    """
    _comm.init(backend)


def destroy_process_group(group: str | None = None):
    """Forget a group; without a name, stop taking part."""
    if group is None or group.endswith("world_group"):
        _comm.release()
    else:
        _comm.destroy_group(group)


def is_available():
    """Whether there is communication: always."""
    return True


def get_backend(group: str | None = None):
    """Name of the communication library of a group."""
    return _comm.GlobalComm.BACKEND


def get_rank(group: str | None = None):
    """Number of this process in a group."""
    return _comm.get_rank(group or _comm.GlobalComm.WORLD_COMM_GROUP)


def get_world_size(group: str | None = None):
    """Number of processes in a group."""
    return _comm.get_group_size(group or _comm.GlobalComm.WORLD_COMM_GROUP)


def get_global_rank(group: str, group_rank: Any):
    """Number among all processes of a process of a group."""
    return _comm.get_world_rank_from_group_rank(group or _comm.GlobalComm.WORLD_COMM_GROUP, group_rank)


def get_group_rank(group: str, global_rank: Any):
    """Number in a group of the process with a given number among all."""
    return _comm.get_group_rank_from_world_rank(global_rank, group or _comm.GlobalComm.WORLD_COMM_GROUP)


def new_group(
    ranks: Sequence[int] | None = None,
    timeout: float | None = None,
    backend: str | None = None,
    pg_options: Any = None,
    use_local_synchronization: bool = False,
    group_desc: Any = None,
):
    """A new group of the given processes; its name. Without any the name of the group of all."""
    if ranks is None:
        return _comm.GlobalComm.WORLD_COMM_GROUP
    ranks = list(ranks)
    if processes.world().rank not in ranks:
        return ""
    name = group_desc or "hccl_" + "_".join(map(str, ranks)) + "_group"
    _comm.create_group(name, ranks)
    return name


def barrier(group: str | None = None, async_op: bool = False, device_ids: Sequence[int] | None = None):
    """Come back when all processes of the group have come here."""
    place = ready("barrier", group=group, async_op=async_op)
    token = value("all_reduce", Tensor(0, mstype.int32), "sum", place=place)
    if not async_op:
        CommHandle((token,)).wait()
    return done(async_op, token)


# --- Tensors
def all_reduce(tensor: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False):
    """The reduction of the Tensors of all processes, written into `tensor`.

    Example:
        >>> mint.distributed.all_reduce(Tensor([1.0]))
    """
    place = ready("all_reduce", tensor, group=group, op=op, async_op=async_op)
    fill("all_reduce", tensor, value("all_reduce", tensor, op, place=place))
    return done(async_op, tensor)


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str | None = None, async_op: bool = False):
    """The reduction of the Tensors of all processes, written into that of process `dst`."""
    place = ready("reduce", tensor, group=group, op=op, async_op=async_op)
    root = peer("reduce", dst, "dst", place)
    made = value("reduce", tensor, op, root, place=place)
    if _exchange.member(place) == root:
        fill("reduce", tensor, made)
    return done(async_op, tensor)


def broadcast(tensor: Tensor, src: Tensor, group: str | None = None, async_op: bool = False):
    """The Tensor of process `src`, written into those of all."""
    place = ready("broadcast", tensor, group=group, async_op=async_op)
    fill("broadcast", tensor, value("broadcast", tensor, peer("broadcast", src, "src", place), place=place))
    return done(async_op, tensor)


def all_gather(tensor_list: Any, tensor: Tensor, group: str | None = None, async_op: bool = False):
    """The Tensors of all processes, written into those of a list; their shapes may differ."""
    place = ready("all_gather", tensor, group=group, async_op=async_op)
    many("all_gather", tensor_list, place)
    if len({t.shape for t in tensor_list}) == 1:
        whole = value("all_gather", tensor.reshape((1, *tensor.shape)), place=place)
        pieces = [whole[i] for i in range(place.size)]
    else:
        sizes = tuple(t.size for t in tensor_list)
        pieces = split(value("all_gather_pieces", joined([tensor]), sizes, place=place), sizes)
    for target, piece in zip(tensor_list, pieces):
        fill("all_gather", target, piece)
    return done(async_op, *tensor_list)


def all_gather_into_tensor(output_tensor: Any, input_tensor: Tensor, group: str | None = None, async_op: bool = False):
    """The Tensors of all processes along the first axis, written into one."""
    place = ready("all_gather_into_tensor", output_tensor, input_tensor, group=group, async_op=async_op)
    fill("all_gather_into_tensor", output_tensor, value("all_gather", input_tensor, place=place))
    return done(async_op, output_tensor)


def all_gather_into_tensor_uneven(
    output: Tensor, input: Tensor, output_split_sizes: Any = None, group: str | None = None, async_op: bool = False
):
    """As `all_gather_into_tensor`, of Tensors whose first axes differ: `output_split_sizes` are their lengths."""
    if not output_split_sizes:
        return all_gather_into_tensor(output, input, group, async_op)
    name = "all_gather_into_tensor_uneven"
    place = ready(name, output, input, group=group, async_op=async_op)
    sizes = tuple(n * math.prod(input.shape[1:]) for n in many(name, output_split_sizes, place))
    fill(name, output, value("all_gather_pieces", joined([input]), sizes, place=place))
    return done(async_op, output)


def reduce_scatter(output: Tensor, input_list: Any, op: str = "sum", group: str | None = None, async_op: bool = False):
    """The reduction of the lists of all processes, of which each keeps its item; the shapes of the items may differ."""
    place = ready("reduce_scatter", output, group=group, op=op, async_op=async_op)
    ready("reduce_scatter", *many("reduce_scatter", input_list, place))
    fill("reduce_scatter", output, _scattered(joined(input_list), [t.size for t in input_list], op, place))
    return done(async_op, output)


def _scattered(flat, sizes, op, place):
    if len(set(sizes)) == 1:
        return value("reduce_scatter", flat, op, place=place)
    return value("reduce_scatter_pieces", flat, tuple(sizes), op, place=place)


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: str = "sum", group: str | None = None, async_op: bool = False
):
    """The reduction of the Tensors of all processes, of which each keeps its slice of the first axis."""
    place = ready("reduce_scatter_tensor", output, input, group=group, op=op, async_op=async_op)
    fill("reduce_scatter_tensor", output, value("reduce_scatter", input, op, place=place))
    return done(async_op, output)


def reduce_scatter_tensor_uneven(
    output: Tensor,
    input: Tensor,
    input_split_sizes: Any = None,
    op: str = "sum",
    group: str | None = None,
    async_op: bool = False,
):
    """As `reduce_scatter_tensor`, with slices of the lengths `input_split_sizes`."""
    if not input_split_sizes:
        return reduce_scatter_tensor(output, input, op, group, async_op)
    name = "reduce_scatter_tensor_uneven"
    place = ready(name, output, input, group=group, op=op, async_op=async_op)
    sizes = [n * math.prod(input.shape[1:]) for n in many(name, input_split_sizes, place)]
    fill(name, output, _scattered(joined([input]), sizes, op, place))
    return done(async_op, output)


def gather(tensor: Tensor, gather_list: Any, dst: int = 0, group: str | None = None, async_op: bool = False):
    """The Tensors of all processes, written into the list of process `dst`."""
    place = ready("gather", tensor, group=group, async_op=async_op)
    root = peer("gather", dst, "dst", place)
    whole = value("all_gather", tensor.reshape((1, *tensor.shape)), place=place)
    if root == _exchange.member(place):
        for i, target in enumerate(many("gather", gather_list, place)):
            fill("gather", target, whole[i])
    return done(async_op, whole)


def scatter(tensor: Tensor, scatter_list: Any, src: int = 0, group: str | None = None, async_op: bool = False):
    """An item of the list of process `src` for each process, written into its Tensor."""
    place = ready("scatter", tensor, group=group, async_op=async_op)
    root, me = peer("scatter", src, "src", place), _exchange.member(place)
    if root == me:
        ready("scatter", *many("scatter", scatter_list, place))
        flat = joined(scatter_list)
    else:
        flat = _zeros(tensor.size * place.size, tensor.dtype)
    fill("scatter", tensor, value("scatter", flat, root, place=place))
    return done(async_op, tensor)


def _zeros(count, dtype):
    return Tensor(np.zeros(count, mstype.to_numpy(dtype)))


def all_to_all(output_tensor_list: Any, input_tensor_list: Any, group: str | None = None, async_op: bool = False):
    """Each process's list dealt out to all; the items that come in, written into a list."""
    place = ready("all_to_all", group=group, async_op=async_op)
    for tensors in (output_tensor_list, input_tensor_list):
        ready("all_to_all", *many("all_to_all", tensors, place))
    sizes = [t.size for t in output_tensor_list]
    came = exchanged(joined(input_tensor_list), [t.size for t in input_tensor_list], sizes, place)
    for target, piece in zip(output_tensor_list, split(came, sizes)):
        fill("all_to_all", target, piece)
    return done(async_op, *output_tensor_list)


def all_to_all_single(
    output: Tensor,
    input: Tensor,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: str | None = None,
    async_op: bool = False,
):
    """Each process's slices dealt out to all; those that come in, written into one Tensor."""
    place = ready("all_to_all_single", output, input, group=group, async_op=async_op)
    sizes = single_sizes("all_to_all_single", input, input_split_sizes, place)
    receive = single_sizes("all_to_all_single", output, output_split_sizes, place)
    fill("all_to_all_single", output, exchanged(joined([input]), sizes, receive, place))
    return done(async_op, output)

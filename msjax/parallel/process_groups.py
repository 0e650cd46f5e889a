"""Communication between processes that write their results into given Tensors: `mint.distributed`, and the names of
`ops`.

With one process a group has one member, and each function gives what it gives for that. Several processes run as one
program over a mesh of all devices, where XLA communicates; these functions refuse then (RuntimeError).
"""

import pickle

import jax

from ..core.values.tensor import Tensor
from . import communication as _comm
from .collectives import ReduceOp, alone
from .communication import get_process_group_ranks, is_initialized  # noqa: F401

__all__ = """P2POp TCPStore all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce
all_to_all all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather
gather_object get_backend get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size
init_process_group irecv is_available is_initialized isend new_group recv recv_object_list reduce reduce_scatter
reduce_scatter_tensor reduce_scatter_tensor_uneven scatter scatter_object_list send send_object_list""".split()
_REDUCTIONS = (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD)


class CommHandle:
    """What an asynchronous call returns: `wait()` comes back when the result is there."""

    def wait(self):
        """Nothing to wait for: operations on the result wait by themselves."""


def _done(async_op):
    return CommHandle() if async_op else None


def _ready(name, *tensors, group=None, op="sum"):
    """Check the arguments that all functions share."""
    alone(name)
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"For '{name}', the input must be a Tensor, but got {type(tensor).__name__}.")
    if group is not None and not isinstance(group, str):
        raise TypeError(f"For '{name}', the 'group' must be str or None, but got {type(group).__name__}.")
    if op not in _REDUCTIONS:
        raise ValueError(f"For '{name}', the 'op' must be one of {_REDUCTIONS}, but got {op!r}.")


def _one(name, values):
    if not isinstance(values, (list, tuple)) or len(values) != 1:
        raise ValueError(
            f"For '{name}', the list must have as many items as the group has processes, 1, but got {values!r}."
        )
    return values[0]


def _peer(name, rank, what):
    if rank != 0:
        raise ValueError(f"For '{name}', '{what}' must be a process of the group, which has 1, but got {rank}.")


def _copy(name, target, source):
    if not isinstance(target, Tensor):
        raise TypeError(f"For '{name}', the output must be a Tensor, but got {type(target).__name__}.")
    if target.size != source.size or target.dtype != source.dtype:
        raise ValueError(
            f"For '{name}', the output must have the shape and dtype {source.shape}, {source.dtype}, "
            f"but got {target.shape}, {target.dtype}."
        )
    given = source if target.shape == source.shape else source.reshape(target.shape)
    target._assign(given._data, given._var)


# --- groups
def init_process_group(
    backend="hccl",
    init_method=None,
    timeout=None,
    world_size=-1,
    rank=-1,
    store=None,
    group_name="",
    pg_options=None,
    device_id=None,
):
    """Take part in communication; see `mindspore.communication.init`.

    Example:
        >>> mint.distributed.init_process_group()
    """
    _comm.init(backend)


def destroy_process_group(group=None):
    """Forget a group; without a name, stop taking part."""
    if group is None or group.endswith("world_group"):
        _comm.release()
    else:
        _comm.destroy_group(group)


def is_available():
    """Whether there is communication: always."""
    return True


def get_backend(group=None):
    """Name of the communication library of a group."""
    return _comm.GlobalComm.BACKEND


def get_rank(group=None):
    """Number of this process in a group."""
    return _comm.get_rank(group or _comm.GlobalComm.WORLD_COMM_GROUP)


def get_world_size(group=None):
    """Number of processes in a group."""
    return _comm.get_group_size(group or _comm.GlobalComm.WORLD_COMM_GROUP)


def get_global_rank(group, group_rank):
    """Number among all processes of a process of a group."""
    return _comm.get_world_rank_from_group_rank(group or _comm.GlobalComm.WORLD_COMM_GROUP, group_rank)


def get_group_rank(group, global_rank):
    """Number in a group of the process with a given number among all."""
    return _comm.get_group_rank_from_world_rank(global_rank, group or _comm.GlobalComm.WORLD_COMM_GROUP)


def new_group(
    ranks=None, timeout=None, backend=None, pg_options=None, use_local_synchronization=False, group_desc=None
):
    """A new group of the given processes (all by default); its name."""
    ranks = list(range(jax.process_count())) if ranks is None else list(ranks)
    if jax.process_index() not in ranks:
        return ""
    name = group_desc or "hccl_" + "_".join(map(str, ranks)) + "_group"
    _comm.create_group(name, ranks)
    return name


def barrier(group=None, async_op=False, device_ids=None):
    """Come back when all processes of the group have come here."""
    _ready("barrier", group=group)
    return _done(async_op)


# --- Tensors
def all_reduce(tensor, op="sum", group=None, async_op=False):
    """The reduction of the Tensors of all processes, written into `tensor`.

    Example:
        >>> mint.distributed.all_reduce(Tensor([1.0]))
    """
    _ready("all_reduce", tensor, group=group, op=op)
    return _done(async_op)


def reduce(tensor, dst, op="sum", group=None, async_op=False):
    """The reduction of the Tensors of all processes, written into that of process `dst`."""
    _ready("reduce", tensor, group=group, op=op)
    _peer("reduce", dst, "dst")
    return _done(async_op)


def broadcast(tensor, src, group=None, async_op=False):
    """The Tensor of process `src`, written into those of all."""
    _ready("broadcast", tensor, group=group)
    _peer("broadcast", src, "src")
    return _done(async_op)


def all_gather(tensor_list, tensor, group=None, async_op=False):
    """The Tensors of all processes, written into those of a list."""
    _ready("all_gather", tensor, group=group)
    _copy("all_gather", _one("all_gather", tensor_list), tensor)
    return _done(async_op)


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """The Tensors of all processes along the first axis, written into one."""
    _ready("all_gather_into_tensor", output_tensor, input_tensor, group=group)
    _copy("all_gather_into_tensor", output_tensor, input_tensor)
    return _done(async_op)


def all_gather_into_tensor_uneven(output, input, output_split_sizes=None, group=None, async_op=False):
    """As `all_gather_into_tensor`, of Tensors whose first axes differ."""
    return all_gather_into_tensor(output, input, group, async_op)


def reduce_scatter(output, input_list, op="sum", group=None, async_op=False):
    """The reduction of the lists of all processes, of which each keeps its item."""
    _ready("reduce_scatter", output, group=group, op=op)
    _copy("reduce_scatter", output, _one("reduce_scatter", input_list))
    return _done(async_op)


def reduce_scatter_tensor(output, input, op="sum", group=None, async_op=False):
    """The reduction of the Tensors of all processes, of which each keeps its slice of the first axis."""
    _ready("reduce_scatter_tensor", output, input, group=group, op=op)
    _copy("reduce_scatter_tensor", output, input)
    return _done(async_op)


def reduce_scatter_tensor_uneven(output, input, input_split_sizes=None, op="sum", group=None, async_op=False):
    """As `reduce_scatter_tensor`, with slices of different lengths."""
    return reduce_scatter_tensor(output, input, op, group, async_op)


def gather(tensor, gather_list, dst=0, group=None, async_op=False):
    """The Tensors of all processes, written into the list of process `dst`."""
    _ready("gather", tensor, group=group)
    _peer("gather", dst, "dst")
    _copy("gather", _one("gather", gather_list), tensor)
    return _done(async_op)


def scatter(tensor, scatter_list, src=0, group=None, async_op=False):
    """An item of the list of process `src` for each process, written into its Tensor."""
    _ready("scatter", tensor, group=group)
    _peer("scatter", src, "src")
    _copy("scatter", tensor, _one("scatter", scatter_list))
    return _done(async_op)


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Each process's list dealt out to all; the items that come in, written into a list."""
    _ready("all_to_all", group=group)
    _copy("all_to_all", _one("all_to_all", output_tensor_list), _one("all_to_all", input_tensor_list))
    return _done(async_op)


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Each process's slices dealt out to all; those that come in, written into one Tensor."""
    _ready("all_to_all_single", output, input, group=group)
    _copy("all_to_all_single", output, input)
    return _done(async_op)


_mail = []  # what this process sent to itself and has not received yet


def send(tensor, dst=0, group=None, tag=0):
    """Send a Tensor to a process."""
    _ready("send", tensor, group=group)
    _peer("send", dst, "dst")
    _mail.append(tensor.value())


def recv(tensor, src=0, group=None, tag=0):
    """Receive a Tensor from a process, written into `tensor`; the number of the sender."""
    _ready("recv", tensor, group=group)
    _peer("recv", src, "src")
    if not _mail:
        raise RuntimeError(
            "For 'recv', nothing was sent: a single process can only receive what it sent to itself before."
        )
    _copy("recv", tensor, _mail.pop(0))
    return src


def isend(tensor, dst=0, group=None, tag=0):
    """As `send`, without waiting; a handle."""
    send(tensor, dst, group, tag)
    return CommHandle()


def irecv(tensor, src=0, group=None, tag=0):
    """As `recv`, without waiting; a handle."""
    recv(tensor, src, group, tag)
    return CommHandle()


class P2POp:
    """One sending or receiving for `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`. tensor: what is sent, or written. peer: the other process. group, tag: as for `send`.

    Example:
        >>> mint.distributed.P2POp(mint.distributed.isend, Tensor([1.0]), 0)
    """

    def __init__(self, op, tensor, peer, group=None, tag=0):
        op = getattr(op, "__wrapped__", op)  # those of `ops` stand around these
        if op not in (isend, irecv, "isend", "irecv"):
            raise ValueError(f"For 'P2POp', the 'op' must be isend or irecv, but got {op!r}.")
        if not isinstance(tensor, Tensor):
            raise TypeError(f"For 'P2POp', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
        self.op = {"isend": isend, "irecv": irecv}.get(op, op) if isinstance(op, str) else op
        self.tensor, self.peer, self.group, self.tag = tensor, peer, group, tag


def batch_isend_irecv(p2p_op_list):
    """Several sendings and receivings at once; a list of handles."""
    if not isinstance(p2p_op_list, list) or not p2p_op_list:
        raise TypeError(f"For 'batch_isend_irecv', the 'p2p_op_list' must be a list of P2POp, but got {p2p_op_list!r}.")
    ordered = sorted(p2p_op_list, key=lambda p: p.op is irecv)
    for p in ordered:
        p.op(p.tensor, p.peer, p.group, p.tag)
    return [CommHandle() for _ in p2p_op_list]


# --- objects: what can be pickled
def _sent(obj):
    return pickle.loads(pickle.dumps(obj))


def all_gather_object(object_list, obj, group=None):
    """The objects of all processes, put into a list."""
    _ready("all_gather_object", group=group)
    _one("all_gather_object", object_list)
    object_list[0] = _sent(obj)


def gather_object(obj, object_gather_list=None, dst=0, group=None):
    """The objects of all processes, put into the list of process `dst`."""
    _ready("gather_object", group=group)
    _peer("gather_object", dst, "dst")
    _one("gather_object", object_gather_list)
    object_gather_list[0] = _sent(obj)


def broadcast_object_list(object_list, src=0, group=None, device=None):
    """The list of process `src`, put into those of all."""
    _ready("broadcast_object_list", group=group)
    _peer("broadcast_object_list", src, "src")
    object_list[:] = _sent(list(object_list))


def scatter_object_list(scatter_object_output_list, scatter_object_input_list, src=0, group=None):
    """An item of the list of process `src` for each process, put first into its list."""
    _ready("scatter_object_list", group=group)
    _peer("scatter_object_list", src, "src")
    scatter_object_output_list[0] = _sent(_one("scatter_object_list", scatter_object_input_list))


def send_object_list(object_list, dst, group=None, device=None):
    """Send a list of objects to a process."""
    _ready("send_object_list", group=group)
    _peer("send_object_list", dst, "dst")
    _mail.append(_sent(list(object_list)))


def recv_object_list(object_list, src=0, group=None, device=None):
    """Receive a list of objects from a process; the number of the sender."""
    _ready("recv_object_list", group=group)
    _peer("recv_object_list", src, "src")
    if not _mail:
        raise RuntimeError("For 'recv_object_list', nothing was sent to this process.")
    object_list[:] = _mail.pop(0)
    return src


class TCPStore:
    """A store of keys and values for the processes of a program; with one process a dictionary.

    Example:
        >>> store = mint.distributed.TCPStore("127.0.0.1", 1234, is_master=True)
        >>> store.set("a", "1")
    """

    def __init__(
        self,
        host_name,
        port,
        world_size=None,
        is_master=False,
        timeout=None,
        wait_for_workers=True,
        multi_tenant=False,
        master_listen_fd=None,
        use_libuv=True,
    ):
        for name, value, kind in (("host_name", host_name, str), ("port", port, int), ("is_master", is_master, bool)):
            if not isinstance(value, kind):
                raise TypeError(
                    f"For 'TCPStore', the argument '{name}' must be type of {kind.__name__}, but got {type(value)}."
                )
        alone("TCPStore")
        self._content = {}

    def set(self, key, value):
        """Store text or bytes under a key."""
        if not isinstance(key, str) or not isinstance(value, (str, bytes)):
            raise TypeError(
                f"For 'TCPStore.set', the key must be str and the value str or bytes, but got {type(key)}, "
                f"{type(value)}."
            )
        self._content[key] = value.encode() if isinstance(value, str) else value

    def get(self, key):
        """The bytes stored under a key; KeyError if there are none."""
        return self._content[key]

    def add(self, key, amount):
        """Add to the number stored under a key (0 at first); the new number."""
        number = int(self._content.get(key, b"0")) + amount
        self._content[key] = str(number).encode()
        return number

    def delete_key(self, key):
        """Forget a key; whether it was there."""
        return self._content.pop(key, None) is not None

    def num_keys(self):
        """How many keys there are."""
        return len(self._content)

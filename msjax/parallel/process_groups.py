"""Communication between processes that write their results into given Tensors: `mint.distributed`, and the names of
`ops`. With one process a group has one member, and each function gives what it gives for that.
"""

import math
import pickle
import weakref

import jax
import jax.numpy as jnp
import numpy as np

from ..core.compat import Tracer
from ..core.operators.record import op as _op
from ..core.operators.record import records
from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from . import communication as _comm
from . import exchange as _exchange
from . import processes
from .collectives import REDUCTIONS, dealt
from .communication import get_process_group_ranks, is_initialized  # noqa: F401
from .messages import deliver
from .places import place_of
from .store import Server, Store

__all__ = """P2POp TCPStore all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce
all_to_all all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather
gather_object get_backend get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size
init_process_group irecv is_available is_initialized isend new_group recv recv_object_list reduce reduce_scatter
reduce_scatter_tensor reduce_scatter_tensor_uneven scatter scatter_object_list send send_object_list""".split()
_AVERAGE = "avg"


class CommHandle:
    """What an asynchronous call returns: `wait()` comes back when the result is there."""

    def __init__(self, tensors=()):
        self._tensors = tensors

    def wait(self):
        """Wait until the results are there (an error of the communication comes here)."""
        jax.block_until_ready([t.jax_array for t in self._tensors if not isinstance(t.jax_array, Tracer)])


def done(async_op, *tensors):
    """The handle that an asynchronous call returns; None for a call that is not."""
    return CommHandle(tensors) if async_op else None


def ready(name, *tensors, group=None, op="sum", async_op=False):
    """Check the arguments that all functions share; the Place of the group."""
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise TypeError(f"For '{name}', the input must be a Tensor, but got {type(tensor).__name__}.")
    if group is not None and not isinstance(group, str):
        raise TypeError(f"For '{name}', the 'group' must be str or None, but got {type(group).__name__}.")
    if not isinstance(async_op, bool):
        raise TypeError(f"For '{name}', the 'async_op' must be bool, but got {type(async_op).__name__}.")
    if op not in (*REDUCTIONS, _AVERAGE):
        raise ValueError(f"For '{name}', the 'op' must be one of {(*REDUCTIONS, _AVERAGE)}, but got {op!r}.")
    return place_of(name, group)


def many(name, values, place):
    """The list, checked: as many items as the group has processes."""
    if not isinstance(values, (list, tuple)) or len(values) != place.size:
        raise ValueError(
            f"For '{name}', the list must have as many items as the group has processes, {place.size}, but got {values!r}."
        )
    return values


def peer(name, rank, what, place):
    """Number in the group of a process that is given by its number among all."""
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(rank).__name__}.")
    if rank not in place.ranks:
        raise ValueError(
            f"For '{name}', '{what}' must be a process of the group, which has {place.size} ({list(place.ranks)}), but got {rank}."
        )
    return place.ranks.index(rank)


def fill(name, target, source):
    """Write a Tensor into a given one of as many elements and the same dtype."""
    if not isinstance(target, Tensor):
        raise TypeError(f"For '{name}', the output must be a Tensor, but got {type(target).__name__}.")
    if target.size != source.size or target.dtype != source.dtype:
        raise ValueError(
            f"For '{name}', the output must have the shape and dtype {source.shape}, {source.dtype}, "
            f"but got {target.shape}, {target.dtype}."
        )
    given = source if target.shape == source.shape else source.reshape(target.shape)
    target._assign(given.jax_array, given._var)


@_op(ops=False, name="communicate", operands=("x",), dynamic=True, residuals=True)
def _communicate(x, how, settings, place):
    return getattr(_exchange, how)(x, *settings, place)


def value(how, tensor, *settings, place):
    """The Tensor that a function of `exchange` makes of one; `avg` is the sum, divided."""
    if _AVERAGE in settings:
        total = value(how, tensor, *["sum" if s == _AVERAGE else s for s in settings], place=place)
        root = settings[1:] if how == "reduce" else ()
        return total if root and root[0] != _exchange.member(place) else total / place.size
    return records["communicate"](tensor, how, settings, place)


@_op(ops=False, name="deal_out", operands=("x",), dynamic=True, residuals=True)
def _deal_out(x, send, receive, place):
    return dealt(x, send, receive, place)


def exchanged(tensor, send, receive, place):
    """Pieces of a flat Tensor dealt out to all, and those that come in: numbers of elements for and from each process."""
    return records["deal_out"](tensor, tuple(send), tuple(receive), place)


def joined(tensors):
    """Tensors flat, one behind the other."""
    return records["concat_flat"](tuple(tensors))


@_op(ops=False, name="concat_flat")
def _concat_flat(tensors):
    return jnp.concatenate([t.reshape(-1) for t in tensors])


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
    """A new group of the given processes; its name. Without any the name of the group of all."""
    if ranks is None:
        return _comm.GlobalComm.WORLD_COMM_GROUP
    ranks = list(ranks)
    if processes.world().rank not in ranks:
        return ""
    name = group_desc or "hccl_" + "_".join(map(str, ranks)) + "_group"
    _comm.create_group(name, ranks)
    return name


def barrier(group=None, async_op=False, device_ids=None):
    """Come back when all processes of the group have come here."""
    place = ready("barrier", group=group, async_op=async_op)
    token = value("all_reduce", Tensor(0, mstype.int32), "sum", place=place)
    if not async_op:
        CommHandle((token,)).wait()
    return done(async_op, token)


# --- Tensors
def all_reduce(tensor, op="sum", group=None, async_op=False):
    """The reduction of the Tensors of all processes, written into `tensor`.

    Example:
        >>> mint.distributed.all_reduce(Tensor([1.0]))
    """
    place = ready("all_reduce", tensor, group=group, op=op, async_op=async_op)
    fill("all_reduce", tensor, value("all_reduce", tensor, op, place=place))
    return done(async_op, tensor)


def reduce(tensor, dst, op="sum", group=None, async_op=False):
    """The reduction of the Tensors of all processes, written into that of process `dst`."""
    place = ready("reduce", tensor, group=group, op=op, async_op=async_op)
    root = peer("reduce", dst, "dst", place)
    made = value("reduce", tensor, op, root, place=place)
    if _exchange.member(place) == root:
        fill("reduce", tensor, made)
    return done(async_op, tensor)


def broadcast(tensor, src, group=None, async_op=False):
    """The Tensor of process `src`, written into those of all."""
    place = ready("broadcast", tensor, group=group, async_op=async_op)
    fill("broadcast", tensor, value("broadcast", tensor, peer("broadcast", src, "src", place), place=place))
    return done(async_op, tensor)


def all_gather(tensor_list, tensor, group=None, async_op=False):
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


def split(tensor, sizes):
    """Pieces of a flat Tensor, of so many elements."""
    ends = np.cumsum([0, *sizes]).tolist()
    return [tensor[ends[i] : ends[i + 1]] for i in range(len(sizes))]


def all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    """The Tensors of all processes along the first axis, written into one."""
    place = ready("all_gather_into_tensor", output_tensor, input_tensor, group=group, async_op=async_op)
    fill("all_gather_into_tensor", output_tensor, value("all_gather", input_tensor, place=place))
    return done(async_op, output_tensor)


def all_gather_into_tensor_uneven(output, input, output_split_sizes=None, group=None, async_op=False):
    """As `all_gather_into_tensor`, of Tensors whose first axes differ: `output_split_sizes` are their lengths."""
    if not output_split_sizes:
        return all_gather_into_tensor(output, input, group, async_op)
    name = "all_gather_into_tensor_uneven"
    place = ready(name, output, input, group=group, async_op=async_op)
    sizes = tuple(n * math.prod(input.shape[1:]) for n in many(name, output_split_sizes, place))
    fill(name, output, value("all_gather_pieces", joined([input]), sizes, place=place))
    return done(async_op, output)


def reduce_scatter(output, input_list, op="sum", group=None, async_op=False):
    """The reduction of the lists of all processes, of which each keeps its item; the shapes of the items may differ."""
    place = ready("reduce_scatter", output, group=group, op=op, async_op=async_op)
    ready("reduce_scatter", *many("reduce_scatter", input_list, place))
    fill("reduce_scatter", output, _scattered(joined(input_list), [t.size for t in input_list], op, place))
    return done(async_op, output)


def _scattered(flat, sizes, op, place):
    if len(set(sizes)) == 1:
        return value("reduce_scatter", flat, op, place=place)
    return value("reduce_scatter_pieces", flat, tuple(sizes), op, place=place)


def reduce_scatter_tensor(output, input, op="sum", group=None, async_op=False):
    """The reduction of the Tensors of all processes, of which each keeps its slice of the first axis."""
    place = ready("reduce_scatter_tensor", output, input, group=group, op=op, async_op=async_op)
    fill("reduce_scatter_tensor", output, value("reduce_scatter", input, op, place=place))
    return done(async_op, output)


def reduce_scatter_tensor_uneven(output, input, input_split_sizes=None, op="sum", group=None, async_op=False):
    """As `reduce_scatter_tensor`, with slices of the lengths `input_split_sizes`."""
    if not input_split_sizes:
        return reduce_scatter_tensor(output, input, op, group, async_op)
    name = "reduce_scatter_tensor_uneven"
    place = ready(name, output, input, group=group, op=op, async_op=async_op)
    sizes = [n * math.prod(input.shape[1:]) for n in many(name, input_split_sizes, place)]
    fill(name, output, _scattered(joined([input]), sizes, op, place))
    return done(async_op, output)


def gather(tensor, gather_list, dst=0, group=None, async_op=False):
    """The Tensors of all processes, written into the list of process `dst`."""
    place = ready("gather", tensor, group=group, async_op=async_op)
    root = peer("gather", dst, "dst", place)
    whole = value("all_gather", tensor.reshape((1, *tensor.shape)), place=place)
    if root == _exchange.member(place):
        for i, target in enumerate(many("gather", gather_list, place)):
            fill("gather", target, whole[i])
    return done(async_op, whole)


def scatter(tensor, scatter_list, src=0, group=None, async_op=False):
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


def all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    """Each process's list dealt out to all; the items that come in, written into a list."""
    place = ready("all_to_all", group=group, async_op=async_op)
    for tensors in (output_tensor_list, input_tensor_list):
        ready("all_to_all", *many("all_to_all", tensors, place))
    sizes = [t.size for t in output_tensor_list]
    came = exchanged(joined(input_tensor_list), [t.size for t in input_tensor_list], sizes, place)
    for target, piece in zip(output_tensor_list, split(came, sizes)):
        fill("all_to_all", target, piece)
    return done(async_op, *output_tensor_list)


def single_sizes(name, tensor, sizes, place):
    """Elements of each slice of the first axis: of the given lengths, or of equal ones."""
    if not sizes:
        if tensor.shape[0] % place.size:
            raise ValueError(
                f"For '{name}', the first axis must be divisible by the number of processes, {place.size}, but got {tensor.shape}."
            )
        sizes = [tensor.shape[0] // place.size] * place.size
    return [n * math.prod(tensor.shape[1:]) for n in many(name, sizes, place)]


def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Each process's slices dealt out to all; those that come in, written into one Tensor."""
    place = ready("all_to_all_single", output, input, group=group, async_op=async_op)
    send = single_sizes("all_to_all_single", input, input_split_sizes, place)
    receive = single_sizes("all_to_all_single", output, output_split_sizes, place)
    fill("all_to_all_single", output, exchanged(joined([input]), send, receive, place))
    return done(async_op, output)


_mail = []  # what this process sent to itself and has not received yet


def send(tensor, dst=0, group=None, tag=0):
    """Send a Tensor to a process."""
    place = ready("send", tensor, group=group)
    to, me = peer("send", dst, "dst", place), _exchange.member(place)
    if to != me:
        deliver([(me, to, tensor.shape, tensor.dtype)], [tensor], place)
    elif place.size > 1:
        raise ValueError(
            "Invalid destination rank: destination rank should not be the same as the rank of the current process."
        )
    else:
        _mail.append(tensor.value())


def recv(tensor, src=0, group=None, tag=0):
    """Receive a Tensor from a process, written into `tensor`; the number of the sender."""
    place = ready("recv", tensor, group=group)
    source, me = peer("recv", src, "src", place), _exchange.member(place)
    if source != me:
        fill("recv", tensor, deliver([(source, me, tensor.shape, tensor.dtype)], [], place)[0])
        return src
    if not _mail:
        raise RuntimeError(
            "For 'recv', nothing was sent: a single process can only receive what it sent to itself before."
        )
    fill("recv", tensor, _mail.pop(0))
    return src


def isend(tensor, dst=0, group=None, tag=0):
    """As `send`, without waiting; a handle."""
    send(tensor, dst, group, tag)
    return CommHandle()


def irecv(tensor, src=0, group=None, tag=0):
    """As `recv`, without waiting; a handle."""
    recv(tensor, src, group, tag)
    return CommHandle((tensor,))


class P2POp:
    """One sending or receiving for `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`. tensor: what is sent, or written. peer: the other process. group, tag: as for `send`.

    Example:
        >>> mint.distributed.P2POp(mint.distributed.isend, Tensor([1.0]), 0)
    """

    def __init__(self, op, tensor, peer, group=None, tag=0, *, recv_dtype=None):
        name = getattr(op, "__name__", op)  # those of `ops` and `communication` stand around these
        if name not in ("isend", "irecv"):
            raise ValueError(f"For 'P2POp', the 'op' must be isend or irecv, but got {op!r}.")
        if name == "irecv" and isinstance(tensor, (tuple, list)):  # its shape
            tensor = Tensor(np.zeros(tensor, mstype.to_numpy(recv_dtype or mstype.float32)))
        if not isinstance(tensor, Tensor):
            raise TypeError(f"For 'P2POp', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
        self.op = isend if name == "isend" else irecv
        self.tensor, self.peer, self.group, self.tag = tensor, peer, group, tag


def batch_isend_irecv(p2p_op_list):
    """Several sendings and receivings at once; a list of handles."""
    if not isinstance(p2p_op_list, list) or not p2p_op_list:
        raise TypeError(f"For 'batch_isend_irecv', the 'p2p_op_list' must be a list of P2POp, but got {p2p_op_list!r}.")
    place = place_of("batch_isend_irecv", p2p_op_list[0].group)
    me, messages, sent, targets = _exchange.member(place), [], [], []
    for p in sorted(p2p_op_list, key=lambda p: p.op is irecv):
        other = peer("batch_isend_irecv", p.peer, "peer", place)
        if other == me:
            p.op(p.tensor, p.peer, p.group, p.tag)
        elif p.op is irecv:
            messages.append((other, me, p.tensor.shape, p.tensor.dtype))
            targets.append(p.tensor)
        else:
            messages.append((me, other, p.tensor.shape, p.tensor.dtype))
            sent.append(p.tensor)
    for target, came in zip(targets, deliver(messages, sent, place) if messages else ()):
        fill("batch_isend_irecv", target, came)
    return [CommHandle((p.tensor,)) for p in p2p_op_list]


# --- objects: what can be pickled
def _packed(obj):
    return np.frombuffer(pickle.dumps(obj), np.uint8)


def _unpacked(tensor):
    return pickle.loads(tensor.asnumpy().tobytes())


def _everybodys(obj, place):
    """The objects of all members."""
    packed = _packed(obj)
    sizes = value("all_gather", Tensor(np.array([packed.size], np.int32)), place=place).asnumpy().tolist()
    flat = value("all_gather_pieces", Tensor(packed), tuple(sizes), place=place)
    return [_unpacked(piece) for piece in split(flat, sizes)]


def _of_root(obj, root, place):
    """The object of one member."""
    packed = _packed(obj) if root == _exchange.member(place) else np.zeros(0, np.uint8)
    size = int(value("broadcast", Tensor(np.array([packed.size], np.int32)), root, place=place).asnumpy()[0])
    data = packed if packed.size else np.zeros(size, np.uint8)
    return _unpacked(value("broadcast", Tensor(data), root, place=place))


def all_gather_object(object_list, obj, group=None):
    """The objects of all processes, put into a list."""
    place = ready("all_gather_object", group=group)
    many("all_gather_object", object_list, place)
    object_list[:] = _everybodys(obj, place)


def gather_object(obj, object_gather_list=None, dst=0, group=None):
    """The objects of all processes, put into the list of process `dst`."""
    place = ready("gather_object", group=group)
    root = peer("gather_object", dst, "dst", place)
    if root == _exchange.member(place):
        many("gather_object", object_gather_list, place)
    gathered = _everybodys(obj, place)
    if root == _exchange.member(place):
        object_gather_list[:] = gathered


def broadcast_object_list(object_list, src=0, group=None, device=None):
    """The list of process `src`, put into those of all."""
    place = ready("broadcast_object_list", group=group)
    object_list[:] = _of_root(list(object_list), peer("broadcast_object_list", src, "src", place), place)


def scatter_object_list(scatter_object_output_list, scatter_object_input_list, src=0, group=None):
    """An item of the list of process `src` for each process, put first into its list."""
    place = ready("scatter_object_list", group=group)
    root, me = peer("scatter_object_list", src, "src", place), _exchange.member(place)
    given = list(many("scatter_object_list", scatter_object_input_list, place)) if root == me else None
    scatter_object_output_list[0] = _of_root(given, root, place)[me]


def send_object_list(object_list, dst, group=None, device=None):
    """Send a list of objects to a process."""
    place = ready("send_object_list", group=group)
    packed = Tensor(_packed(list(object_list)))
    peer("send_object_list", dst, "dst", place)
    if place.size > 1:
        send(Tensor(np.array([packed.size], np.int32)), dst, group)
    send(packed, dst, group)


def recv_object_list(object_list, src=0, group=None, device=None):
    """Receive a list of objects from a process; the number of the sender."""
    place = ready("recv_object_list", group=group)
    peer("recv_object_list", src, "src", place)
    if place.size > 1:
        size = Tensor(np.zeros(1, np.int32))
        recv(size, src, group)
        packed = Tensor(np.zeros(int(size.asnumpy()[0]), np.uint8))
        recv(packed, src, group)
    elif not _mail:
        raise RuntimeError("For 'recv_object_list', nothing was sent to this process.")
    else:
        packed = _mail.pop(0)
    object_list[:] = _unpacked(packed)
    return src


class TCPStore:
    """A store of keys and values for the processes of a program: the master keeps it, the others connect to it.

    Example:
        >>> store = mint.distributed.TCPStore("127.0.0.1", 0, is_master=True)  # 0: any port that is free
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
        patience = 300.0 if timeout is None else getattr(timeout, "total_seconds", lambda: float(timeout))()
        if is_master:
            self._server = Server("", port)
            port = self._server.port
        self._store, self._patience = Store(host_name, port, patience), patience
        weakref.finalize(self, self._store.close)

    def set(self, key, value):
        """Store text or bytes under a key."""
        if not isinstance(key, str) or not isinstance(value, (str, bytes)):
            raise TypeError(
                f"For 'TCPStore.set', the key must be str and the value str or bytes, but got {type(key)}, "
                f"{type(value)}."
            )
        self._store.set(key, value.encode() if isinstance(value, str) else value)

    def get(self, key):
        """The bytes stored under a key, waiting for them; RuntimeError if they do not come in time."""
        if not isinstance(key, str):
            raise TypeError(f"For 'TCPStore.get', the argument 'key' must be type of string, but got {type(key)}.")
        found = self._store.get(key)
        found = self._store.get(key, self._patience) if found is None else found
        if found is None:
            raise RuntimeError(
                f"For 'TCPStore.get', nobody stored the key '{key}' within {self._patience:.0f} seconds."
            )
        return found

    def add(self, key, amount):
        """Add to the number stored under a key (0 at first); the new number."""
        return self._store.add(key, amount)

    def delete_key(self, key):
        """Forget a key; whether it was there."""
        return self._store.delete(key)

    def num_keys(self):
        """How many keys there are."""
        return len(self._store.keys())

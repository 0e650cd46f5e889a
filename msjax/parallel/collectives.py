"""Communication operators. With one process a group has one member, and each gives what it gives for that: its input.

Several processes run as one program over a mesh of all devices; there gradients are reduced by XLA. These operators, which a process calls
for itself, refuse then. (The functions that write into given Tensors are in `communication.py`.)
"""

import jax
import jax.numpy as jnp

from ..core.compat import Tracer
from ..core.operators.primitive import Primitive
from ..core.operators.record import composite, op
from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from .layout import Layout

_WORLD = "hccl_world_group"


class ReduceOp:
    """Names of the reductions."""

    SUM, MAX, MIN, PROD = "sum", "max", "min", "prod"


def alone(name):
    """RuntimeError if there are other processes."""
    if jax.process_count() > 1:
        raise RuntimeError(
            f"For '{name}', {jax.process_count()} processes can not exchange Tensors one by one: run one process and let it use all devices."
        )


def _reduction(name, op):
    if not isinstance(op, str):
        raise TypeError(f"For '{name}', the 'op' must be str, but got {type(op).__name__}.")
    if op not in (ReduceOp.SUM, ReduceOp.MAX, ReduceOp.MIN, ReduceOp.PROD):
        raise ValueError(f"For '{name}', the 'op' must be one of sum, max, min, prod, but got {op}.")


def _group(name, group):
    if not isinstance(group, str):
        raise TypeError(f"For '{name}', the 'group' must be str, but got {type(group).__name__}.")
    alone(name)


@op(ops=False, prim=f"AllReduce(op='sum', group='{_WORLD}')(input_x)", name="all_reduce_prim")
def all_reduce(input_x, op="sum", group=_WORLD):
    """Reduction of the Tensors of all processes of a group."""
    _reduction("AllReduce", op)
    _group("AllReduce", group)
    return input_x


@op(ops=False, prim=f"ReduceScatter(op='sum', group='{_WORLD}')(input_x)", name="reduce_scatter_prim")
def reduce_scatter(input_x, op="sum", group=_WORLD):
    """Reduction of the Tensors of all processes, of which each process keeps its slice of the first axis."""
    _reduction("ReduceScatter", op)
    _group("ReduceScatter", group)
    return input_x


@op(
    ops=False, prim=f"Reduce(dest_rank, op='sum', group='{_WORLD}')(input_x)", name="reduce_prim", operands=("input_x",)
)
def reduce(input_x, dest_rank, op="sum", group=_WORLD):
    """Reduction of the Tensors of all processes, for one of them."""
    _reduction("Reduce", op)
    _group("Reduce", group)
    return input_x


@op(ops=False, prim=f"AllGather(group='{_WORLD}')(input_x)", name="all_gather_prim")
def all_gather(input_x, group=_WORLD):
    """Tensors of all processes, joined along the first axis."""
    _group("AllGather", group)
    return input_x


@op(
    ops=False,
    prim=(
        f"CollectiveGather(dest_rank, group='{_WORLD}')(input_x)",
        f"CollectiveScatter(src_rank=0, group='{_WORLD}')(input_x)",
    ),
    name="collective_gather",
    operands=("input_x",),
)
def collective_gather(input_x, dest_rank=0, group=_WORLD):
    """Tensors of all processes for one of them, joined along the first axis; or the reverse."""
    _group("CollectiveGather", group)
    return input_x


@op(ops=False, prim=f"Broadcast(root_rank, group='{_WORLD}')(input_x)", name="broadcast_prim", operands=())
def broadcast(input_x, root_rank=0, group=_WORLD):
    """Tensors (a tuple) of one process, for all."""
    _group("Broadcast", group)
    return input_x


@op(
    ops=False,
    prim=f"AlltoAll(split_count, split_dim, concat_dim, group='{_WORLD}')(input_x)",
    name="all_to_all_prim",
    operands=("input_x",),
)
def all_to_all(input_x, split_count, split_dim, concat_dim, group=_WORLD):
    """Exchange of slices along one axis, joined along another."""
    _group("AlltoAll", group)
    if split_count != 1:
        raise ValueError(
            f"For 'AlltoAll', the 'split_count' must be the number of processes, 1, but got {split_count}."
        )
    return jnp.concatenate(jnp.split(input_x, 1, split_dim), concat_dim)


class Barrier(Primitive):
    """Waits for all processes of a group: with one there is nobody to wait for."""

    def __init__(self, group=_WORLD):
        super().__init__()
        _group("Barrier", group)
        self.group = group

    def __call__(self):
        return Tensor(0)


# --- pieces of different lengths
def _piece(name, what, sizes, length, unit=1):
    """Check that the only size of a group of one process is the length of its one-dimensional input."""
    if len(sizes) != 1:
        raise ValueError(
            f"For '{name}', the '{what}' must have one number for each process of the group, 1, but got {sizes}."
        )
    if sizes[0] * unit != length:
        raise ValueError(
            f"For '{name}', the only process keeps all {length} elements, but '{what}' says {sizes[0] * unit}."
        )


def _flat(name, input_x, group):
    _group(name, _WORLD if group is None else group)
    if input_x.ndim != 1:
        raise ValueError(
            f"For '{name}', the 'input_x' must have one axis (flatten it first), but got the shape {input_x.shape}."
        )


def _counts(name, what, sizes):
    """Flat tuple of ints from a number, a list, or nested lists (a matrix)."""
    if isinstance(sizes, (tuple, list)):
        return tuple(n for v in sizes for n in _counts(name, what, v))
    if isinstance(sizes, bool) or not isinstance(sizes, int):
        raise TypeError(f"For '{name}', the '{what}' must hold ints, but got {type(sizes).__name__}.")
    return (sizes,)


def _or_nothing(x):
    """The array; an empty result is a scalar without meaning, as documented."""
    return x if x.size else jnp.zeros((), x.dtype)


@op(
    ops=False,
    prim=f"AllGatherV(group='{_WORLD}')(input_x, output_split_sizes)",
    name="all_gather_v",
    static=("output_split_sizes",),
)
def all_gather_v(input_x, output_split_sizes, group=_WORLD):
    """One-dimensional Tensors of all processes, of `output_split_sizes` elements each, one behind the other.

    Raises:
        ValueError: `input_x` has several axes; the sizes are not those of the group.

    Example:
        >>> ops.AllGatherV()(Tensor([0, 1, 2]), [3])
    """
    _flat("AllGatherV", input_x, group)
    _piece(
        "AllGatherV",
        "output_split_sizes",
        _counts("AllGatherV", "output_split_sizes", output_split_sizes),
        input_x.size,
    )
    return _or_nothing(input_x)


@op(
    ops=False,
    prim=f"ReduceScatterV(op='sum', group='{_WORLD}')(input_x, input_split_sizes)",
    name="reduce_scatter_v",
    static=("input_split_sizes",),
)
def reduce_scatter_v(input_x, input_split_sizes, op="sum", group=_WORLD):
    """Reduction of the one-dimensional Tensors of all processes, of which each keeps its `input_split_sizes` elements.

    Raises:
        ValueError: `op` is not one of sum, max, min; `input_x` has several axes; the sizes are not those of the group.

    Example:
        >>> ops.ReduceScatterV()(Tensor([0.0, 1.0]), [2])
    """
    _reduction("ReduceScatterV", op)
    if op == ReduceOp.PROD:
        raise ValueError("For 'ReduceScatterV', the 'op' must be one of sum, max, min, but got prod.")
    _flat("ReduceScatterV", input_x, group)
    _piece(
        "ReduceScatterV",
        "input_split_sizes",
        _counts("ReduceScatterV", "input_split_sizes", input_split_sizes),
        input_x.size,
    )
    return _or_nothing(input_x)


def _block(name, block_size):
    if isinstance(block_size, bool) or not isinstance(block_size, int):
        raise TypeError(f"For '{name}', the 'block_size' must be int, but got {type(block_size).__name__}.")


@op(
    ops=False,
    prim=f"AlltoAllV(group='{_WORLD}', block_size=1)(input_x, send_numel_list, recv_numel_list)",
    name="all_to_all_v",
    static=("send_numel_list", "recv_numel_list"),
)
def all_to_all_v(input_x, send_numel_list, recv_numel_list, group=_WORLD, block_size=1):
    """Exchange of pieces of a one-dimensional Tensor: `send_numel_list` and `recv_numel_list` count blocks for and from each process.

    Raises:
        ValueError: `input_x` has several axes; the counts are not those of the group. TypeError: `block_size` is no int.

    Example:
        >>> ops.AlltoAllV()(Tensor([0.0, 1.0, 2.0]), [3], [3])
    """
    _block("AlltoAllV", block_size)
    _flat("AlltoAllV", input_x, group)
    for what, sizes in (("send_numel_list", send_numel_list), ("recv_numel_list", recv_numel_list)):
        _piece("AlltoAllV", what, _counts("AlltoAllV", what, sizes), input_x.size, block_size)
    return _or_nothing(input_x)


@op(
    ops=False,
    prim=f"AlltoAllVC(group='{_WORLD}', block_size=1, transpose=False)(input_x, send_count_matrix)",
    name="all_to_all_vc",
    static=("send_count_matrix",),
)
def all_to_all_vc(input_x, send_count_matrix, group=_WORLD, block_size=1, transpose=False):
    """As `AlltoAllV`, with the counts of all pairs of processes in one matrix (flat or nested; `transpose`: of the way back).

    Raises:
        ValueError: `input_x` has several axes; the matrix is not that of the group. TypeError: `block_size` is no int.

    Example:
        >>> ops.AlltoAllVC()(Tensor([0.0, 1.0, 2.0]), [3])
    """
    _block("AlltoAllVC", block_size)
    _flat("AlltoAllVC", input_x, group)
    _piece(
        "AlltoAllVC",
        "send_count_matrix",
        _counts("AlltoAllVC", "send_count_matrix", send_count_matrix),
        input_x.size,
        block_size,
    )
    return _or_nothing(input_x)


# --- with a matrix product
def _fused(name, input, x2, group, world_size, bias, comm_turn, trans_input, trans_x2):
    """The product, after the checks that both fused operators share."""
    _group(name, group)
    for what, value, only in (
        ("world_size", world_size, 1),
        ("bias", bias, None),
        ("comm_turn", comm_turn, 0),
        ("trans_input", trans_input, False),
    ):
        if (value is not None) if only is None else (value != only):
            why = "the group has one process: it" if what == "world_size" else f"'{what}'"
            raise RuntimeError(f"For '{name}', {why} can only be {only!r}, but got {what}={value!r}.")
    if input.ndim != 2 or x2.ndim != 2:
        raise RuntimeError(
            f"For '{name}', the 'input' and 'x2' must have two axes, but got the shapes {input.shape} and {x2.shape}."
        )
    if input.dtype != x2.dtype:
        raise RuntimeError(
            f"For '{name}', the 'input' and 'x2' must have the same dtype, but got {input.dtype} and {x2.dtype}."
        )
    x2 = x2.T if trans_x2 else x2
    if input.shape[1] != x2.shape[0]:
        raise RuntimeError(
            f"For '{name}', the inner lengths must be equal, but got {input.shape[1]} and {x2.shape[0]}."
        )
    return input @ x2


@op(
    ops="all_gather_matmul(input, x2, group, world_size, *, bias=None, gather_index=0, gather_output=True, comm_turn=0, "
    "trans_input=False, trans_x2=False)",
    prim="AllGatherMatmul()(input, x2, group, world_size, bias=None, gather_index=0, gather_output=True, comm_turn=0, "
    "trans_input=False, trans_x2=False)",
    static=("group", "world_size"),
    residuals=True,
)
def all_gather_matmul(
    input,
    x2,
    group,
    world_size,
    bias=None,
    gather_index=0,
    gather_output=True,
    comm_turn=0,
    trans_input=False,
    trans_x2=False,
):
    """(allgather(input) @ x2, allgather(input)): (m * world_size, n) and (m * world_size, k) of `input` (m, k) and `x2` (k, n).

    Without `gather_output` the second is empty. `trans_x2`: `x2` is (n, k). The other settings have one value only.

    Raises:
        RuntimeError: shapes or dtypes that do not fit; `world_size` is not that of the group; a setting that the kernel lacks.

    Example:
        >>> ops.all_gather_matmul(x, w, "hccl_world_group", 1)[0]
    """
    if gather_index != 0:
        raise RuntimeError(f"For 'all_gather_matmul', the 'gather_index' can only be 0, but got {gather_index!r}.")
    out = _fused("all_gather_matmul", input, x2, group, world_size, bias, comm_turn, trans_input, trans_x2)
    return out, input if gather_output else jnp.zeros((0,), input.dtype)


@op(
    ops="matmul_reduce_scatter(input, x2, group, world_size, *, reduce_op='sum', bias=None, comm_turn=0, trans_input=False, "
    "trans_x2=False)",
    prim="MatmulReduceScatter()(input, x2, group, world_size, reduce_op='sum', bias=None, comm_turn=0, trans_input=False, trans_x2=False)",
    static=("group", "world_size"),
    residuals=True,
)
def matmul_reduce_scatter(
    input, x2, group, world_size, reduce_op="sum", bias=None, comm_turn=0, trans_input=False, trans_x2=False
):
    """reducescatter(input @ x2): this process's rows (m / world_size, n) of the sum of the products of all.

    Raises:
        RuntimeError: shapes or dtypes that do not fit; `world_size` is not that of the group; a setting that the kernel lacks.

    Example:
        >>> ops.matmul_reduce_scatter(x, w, "hccl_world_group", 1)
    """
    if reduce_op != ReduceOp.SUM:
        raise RuntimeError(f"For 'matmul_reduce_scatter', the 'reduce_op' can only be 'sum', but got {reduce_op!r}.")
    return _fused("matmul_reduce_scatter", input, x2, group, world_size, bias, comm_turn, trans_input, trans_x2)


# --- from one process to another: with one process, to itself
def _self(name, what, ranks):
    for rank in ranks:
        if isinstance(rank, bool) or not isinstance(rank, int):
            raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(rank).__name__}.")
        if rank != 0:
            raise ValueError(f"For '{name}', the '{what}' must be a process of the group, which has 1, but got {rank}.")


_letters = {}  # tag -> Tensors that this process sent to itself and has not received yet


class Send(Primitive):
    """Sends a Tensor to a process, where `Receive` with the same tag takes it; gives the Tensor back.

    Args:
        sr_tag: int. dest_rank: number of the receiver. group, group_back: names of the groups for the Tensor and its gradient.

    Raises:
        TypeError: the group is no str. ValueError: the receiver is not in the group. RuntimeError: in compiled code, where one
            process would wait for itself.

    Example:
        >>> ops.Send(sr_tag=0, dest_rank=0)(Tensor([1.0]))
    """

    def __init__(self, sr_tag, dest_rank, group=_WORLD, group_back=_WORLD):
        super().__init__()
        _group("Send", group)
        _self("Send", "dest_rank", (dest_rank,))
        self.sr_tag, self.rank, self.group, self.group_back = sr_tag, dest_rank, group, group_back

    def __call__(self, input_x):
        if not isinstance(input_x, Tensor):
            raise TypeError(f"For 'Send', the 'input_x' must be a Tensor, but got {type(input_x).__name__}.")
        _now("Send", input_x)
        _letters.setdefault(self.sr_tag, []).append(input_x.copy())
        return input_x


class Receive(Primitive):
    """Receives the Tensor that `Send` with the same tag sent.

    Args:
        sr_tag: int. src_rank: number of the sender. shape, dtype: those of the Tensor. group, group_back: as for `Send`.

    Raises:
        TypeError: `group` is no str, `dtype` no number type. ValueError: the sender is not in the group, or the Tensor has another
            shape or dtype. RuntimeError: nothing was sent with this tag.

    Example:
        >>> ops.Receive(sr_tag=0, src_rank=0, shape=[1], dtype=mindspore.float32)()
    """

    def __init__(self, sr_tag, src_rank, shape, dtype, group=_WORLD, group_back=_WORLD):
        super().__init__()
        _group("Receive", group)
        _self("Receive", "src_rank", (src_rank,))
        if dtype not in (*mstype.number_type, mstype.bfloat16):
            raise TypeError(f"For 'Receive', the 'dtype' must be a type of numbers, but got {dtype}.")
        self.tag, self.rank, self.shape, self.dtype, self.group, self.group_back = (
            sr_tag,
            src_rank,
            shape,
            dtype,
            group,
            group_back,
        )

    def __call__(self):
        waiting = _letters.get(self.tag)
        if not waiting:
            raise RuntimeError(
                f"For 'Receive', nothing was sent with the tag {self.tag}: one process receives what it sent to itself before."
            )
        return _as_promised("Receive", waiting.pop(0), self.shape, self.dtype)


def _now(name, tensor):
    if isinstance(tensor._data, Tracer):
        raise RuntimeError(
            f"For '{name}', one process can send to itself only outside compiled code: call it in PYNATIVE_MODE."
        )


def _as_promised(name, tensor, shape, dtype):
    if tuple(shape) != tensor.shape or dtype != tensor.dtype:
        raise ValueError(
            f"For '{name}', {tensor.dtype} of shape {tensor.shape} was sent, but {dtype} of shape {tuple(shape)} is to be received."
        )
    return tensor


def _lists(name, **given):
    for what, value in given.items():
        if not isinstance(value, (tuple, list)):
            raise TypeError(
                f"For '{name}', the type of '{what}' must be tuple or list, but got {type(value).__name__}."
            )


class BatchISendIRecv(Primitive):
    """Several sendings and receivings at once: called with the Tensors that are sent, it gives a Tensor for each operation.

    Args:
        op_types: "isend" or "irecv" each. remote_ranks: the other process of each. receive_shapes, receive_dtypes: of each "irecv".
        group: name of the group.

    Returns:
        Tuple: what was received; 0 in the place of a sending.

    Raises:
        TypeError: an argument is neither tuple nor list. ValueError: lengths, operations, ranks, shapes or dtypes that do not fit.
        RuntimeError: another number of Tensors than of sendings.

    Example:
        >>> ops.BatchISendIRecv(("isend", "irecv"), [0, 0], [()], (mindspore.float32,))((Tensor(1.0),))
    """

    def __init__(self, op_types, remote_ranks, receive_shapes=None, receive_dtypes=None, group=_WORLD):
        super().__init__()
        shapes, dtypes = receive_shapes or (), receive_dtypes or ()
        _lists(
            "BatchISendIRecv",
            op_types=op_types,
            remote_ranks=remote_ranks,
            receive_shapes=shapes,
            receive_dtypes=dtypes,
        )
        _group("BatchISendIRecv", _WORLD if group is None else group)
        for what, found, wanted in (
            ("remote_ranks", len(remote_ranks), len(op_types)),
            ("receive_dtypes", len(dtypes), len(shapes)),
            ("receive_shapes", len(shapes), list(op_types).count("irecv")),
        ):
            if found != wanted:
                raise ValueError(f"For 'BatchISendIRecv', the length of '{what}' must be {wanted}, but got {found}.")
        if not set(op_types) <= {"isend", "irecv"} or list(op_types).count("isend") != list(op_types).count("irecv"):
            raise ValueError(
                f"For 'BatchISendIRecv', each 'irecv' of the only process must have an 'isend' of its own, but got {tuple(op_types)}."
            )
        _self("BatchISendIRecv", "remote_ranks", remote_ranks)
        self.op_types, self.remote_ranks, self.receive_shapes, self.receive_dtypes = (
            op_types,
            remote_ranks,
            shapes,
            dtypes,
        )
        self.group = group

    def __call__(self, input_x):
        sent = [input_x] if isinstance(input_x, Tensor) else [x for x in input_x if x is not None]
        if len(sent) != list(self.op_types).count("isend"):
            raise RuntimeError(
                f"For 'BatchISendIRecv', there must be as many Tensors as 'isend' in 'op_types', {list(self.op_types).count('isend')}, "
                f"but got {len(sent)}."
            )
        coming = iter(
            [
                _as_promised("BatchISendIRecv", x, shape, dtype)
                for x, shape, dtype in zip(sent, self.receive_shapes, self.receive_dtypes)
            ]
        )
        return tuple(next(coming).value() if kind == "irecv" else Tensor(0.0, mstype.float32) for kind in self.op_types)


class NeighborExchange(Primitive):
    """Sends a tuple of Tensors to processes, and gives the tuple that comes in.

    Args:
        send_rank_ids, recv_rank_ids: lists of processes. recv_shapes, send_shapes: shapes of the Tensors. recv_type: their dtype.
        group: name of the group.

    Raises:
        TypeError: an argument is neither tuple nor list. ValueError: ranks, shapes or dtypes that do not fit.

    Example:
        >>> ops.NeighborExchange([0], [0], ([2],), ([2],), mindspore.float32)((Tensor([1.0, 2.0]),))
    """

    def __init__(self, send_rank_ids, recv_rank_ids, recv_shapes, send_shapes, recv_type, group=_WORLD):
        super().__init__()
        _group("NeighborExchange", group)
        _lists(
            "NeighborExchange",
            send_rank_ids=send_rank_ids,
            recv_rank_ids=recv_rank_ids,
            recv_shapes=recv_shapes,
            send_shapes=send_shapes,
        )
        _self("NeighborExchange", "send_rank_ids", send_rank_ids)
        _self("NeighborExchange", "recv_rank_ids", recv_rank_ids)
        if not len(send_rank_ids) == len(recv_rank_ids) == len(recv_shapes) == len(send_shapes):
            raise ValueError(
                "For 'NeighborExchange', the only process receives what it sends: ranks and shapes must be as many, but got "
                f"{len(send_rank_ids)}, {len(recv_rank_ids)}, {len(recv_shapes)} and {len(send_shapes)}."
            )
        self.send_rank_ids, self.recv_rank_ids, self.recv_shapes = send_rank_ids, recv_rank_ids, recv_shapes
        self.send_shapes, self.recv_type, self.group = send_shapes, recv_type, group

    def __call__(self, tensor):
        _lists("NeighborExchange", input_x=tensor)
        if len(tensor) != len(self.send_shapes):
            raise ValueError(
                f"For 'NeighborExchange', there must be {len(self.send_shapes)} Tensors, but got {len(tensor)}."
            )
        for x, shape in zip(tensor, self.send_shapes):
            _as_promised("NeighborExchange", x, shape, self.recv_type)
        return tuple(
            _as_promised("NeighborExchange", x.value(), s, self.recv_type) for x, s in zip(tensor, self.recv_shapes)
        )


class NeighborExchangeV2(Primitive):
    """Exchange of borders of images (N, C, H, W) with the processes around this one, joined to the image.

    One process has nobody around it: all ranks must be -1 (nobody), and the image comes back as it is.

    Args:
        send_rank_ids, recv_rank_ids: eight ranks, from the top clockwise. send_lens, recv_lens: four widths: top, bottom, left, right.
        data_format: "NCHW". group: name of the group.

    Raises:
        TypeError: an argument is no list. ValueError: another format, a negative width, a neighbour that there is not.

    Example:
        >>> ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW")(Tensor(numpy.ones((1, 1, 2, 2))))
    """

    def __init__(self, send_rank_ids, send_lens, recv_rank_ids, recv_lens, data_format, group=_WORLD):
        super().__init__()
        _group("NeighborExchangeV2", group)
        given = {
            "send_rank_ids": send_rank_ids,
            "send_lens": send_lens,
            "recv_rank_ids": recv_rank_ids,
            "recv_lens": recv_lens,
        }
        for what, value in given.items():
            if not isinstance(value, list):
                raise TypeError(
                    f"For 'NeighborExchangeV2', the type of '{what}' must be list, but got {type(value).__name__}."
                )
            lens = what.endswith("lens")
            if len(value) != (4 if lens else 8):
                raise ValueError(
                    f"For 'NeighborExchangeV2', the length of '{what}' must be {4 if lens else 8}, but got {len(value)}."
                )
            if any(v < 0 if lens else v != -1 for v in value):
                wanted = "widths of at least 0" if lens else "-1: the only process of the group has no neighbours"
                raise ValueError(f"For 'NeighborExchangeV2', the '{what}' must be {wanted}, but got {value}.")
        if any(recv_lens):
            raise ValueError(
                f"For 'NeighborExchangeV2', nothing comes in from nobody: 'recv_lens' must be 0, but got {recv_lens}."
            )
        if data_format != "NCHW":
            raise ValueError(f"For 'NeighborExchangeV2', the 'data_format' must be 'NCHW', but got {data_format!r}.")
        self.send_rank_ids, self.recv_rank_ids, self.send_lens, self.recv_lens = (
            send_rank_ids,
            recv_rank_ids,
            send_lens,
            recv_lens,
        )
        self.format, self.group = data_format, group

    def __call__(self, tensor):
        if tensor.ndim != 4:
            raise ValueError(
                f"For 'NeighborExchangeV2', the input must have four axes, but got the shape {tensor.shape}."
            )
        return tensor.value()


# --- layouts
class Reshard(Primitive):
    """The Tensor itself: layouts change where it lies, not what it holds.

    Args:
        in_layout, out_layout: the same tuple of Layouts. in_strategy: the strategy that follows from them.

    Raises:
        TypeError: a layout is no tuple of Layouts (or of tuples of ints).

    Example:
        >>> layout = (mindspore.Layout((1, 1), ("dp", "mp"))("dp", "mp"),)
        >>> ops.Reshard(layout, layout, ((1, 1),))(Tensor([[1.0]]))
    """

    def __init__(self, in_layout, out_layout, in_strategy):
        super().__init__()
        for what, layouts in (("in_layout", in_layout), ("out_layout", out_layout)):
            if not isinstance(layouts, tuple) or not all(isinstance(v, (tuple, Layout)) for v in layouts):
                raise TypeError(f"For 'Reshard', the '{what}' must be a tuple of Layouts, but got {layouts!r}.")
        self.in_layout, self.out_layout, self.in_strategy = in_layout, out_layout, in_strategy

    def __call__(self, tensor):
        return tensor


@composite(ops="reshard(tensor, layout)")
def reshard(tensor, layout):
    """The Tensor itself: a layout changes where it lies, not what it holds.

    Raises:
        TypeError: `layout` is no Layout.

    Example:
        >>> ops.reshard(Tensor([[1.0]]), mindspore.Layout((1, 1), ("dp", "mp"))("dp", "mp"))
    """
    if not isinstance(layout, Layout):
        raise TypeError(f"For 'reshard', the 'layout' must be a mindspore.Layout, but got {type(layout).__name__}.")
    return tensor

"""Operators that send Tensors from one process to another: `ops.Send`, `ops.Receive`, `ops.NeighborExchange`, …

What a process sends to itself lies in `_letters` until it is received. What it sends to others is an `exchange`: both sides wait.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ..core.compat import Tracer
from ..core.operators.primitive import Primitive
from ..core.operators.record import op, records
from ..core.spec import Array, Operand
from ..core.trace.frame import current
from ..core.values import dtype as mstype
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor
from . import exchange
from .places import place_of

if TYPE_CHECKING:
    from .places import Place

_WORLD = "hccl_world_group"
_letters = {}  # tag -> Tensors that this process sent to itself and has not received yet
_state = {}  # "sent": the _Sent that counts the messages of compiled programs


class _Sent(Parameter):
    """How many messages compiled programs exchanged. It is made where the first of them is traced."""

    _of_engine = True
    __hash__ = Parameter.__hash__


def _ranks(name, what, ranks, place, nobody=False):
    for rank in ranks:
        if isinstance(rank, bool) or not isinstance(rank, int):
            raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(rank).__name__}.")
        if not (-1 if nobody else 0) <= rank < place.size:
            raise ValueError(
                f"For '{name}', the '{what}' must be a process of the group, which has {place.size}, but got {rank}."
            )


@op(ops=False, name="messages", dynamic=True, residuals=True)
def _messages(sent: Array, plan: Any, place: Any):
    return exchange.exchange(tuple(sent), plan, place)


def deliver(messages: Any, tensors: Sequence[Tensor], place: "Place"):
    """Exchange Tensors: `messages` are (source, target, shape, dtype) by numbers in the group, `tensors` those from this process.

    What happens in a compiled program and leaves nothing in it is noted in a Parameter, so the program has an output in any case.
    """
    plan = tuple((s, t, tuple(shape), jnp.dtype(mstype.to_numpy(dtype))) for s, t, shape, dtype in messages)
    if current() is not None:
        if "sent" not in _state:
            with jax.ensure_compile_time_eval():
                zero = jnp.zeros((), jnp.float32)
                _state["sent"] = _Sent(zero, name="messages_sent", requires_grad=False)
        _state["sent"].set_data(_state["sent"] + 1.0)
    return records["messages"](tuple(tensors), plan, place)


class Send(Primitive):
    """Sends a Tensor to a process, where `Receive` with the same tag takes it; gives the Tensor back.

    Args:
        sr_tag: int. dest_rank: number of the receiver. group, group_back: names of the groups for the Tensor and its gradient.

    Raises:
        TypeError: the group is not a str. ValueError: the receiver is not in the group. RuntimeError: in compiled code, where one
            process would wait for itself.

    Example:
        >>> print(ops.Send(sr_tag=0, dest_rank=0)(Tensor([1.0])))
        [1.]
    """

    def __init__(self, sr_tag: Any, dest_rank: Any, group: str = _WORLD, group_back: str = _WORLD):
        super().__init__()
        self.place_ = place_of("Send", group)
        place_of("Send", group_back)
        _ranks("Send", "dest_rank", (dest_rank,), self.place_)
        self.sr_tag, self.rank, self.group, self.group_back = sr_tag, dest_rank, group, group_back

    def __call__(self, input_x: Tensor):
        if not isinstance(input_x, Tensor):
            raise TypeError(f"For 'Send', the 'input_x' must be a Tensor, but got {type(input_x).__name__}.")
        me = exchange.member(self.place_)
        if self.rank == me:
            _now("Send", input_x)
            _letters.setdefault(self.sr_tag, []).append(input_x.copy())
            return input_x
        deliver([(me, self.rank, input_x.shape, input_x.dtype)], [input_x], self.place_)
        return input_x


class Receive(Primitive):
    """Receives the Tensor that `Send` with the same tag sent.

    Args:
        sr_tag: int. src_rank: number of the sender. shape, dtype: those of the Tensor. group, group_back: as for `Send`.

    Raises:
        TypeError: `group` is not a str, `dtype` is not a number type. ValueError: the sender is not in the group, or the Tensor has another
            shape or dtype. RuntimeError: nothing was sent with this tag.

    Example:
        >>> sent = ops.Send(sr_tag=0, dest_rank=0)(Tensor([1.0]))
        >>> print(ops.Receive(sr_tag=0, src_rank=0, shape=[1], dtype=mindspore.float32)())
        [1.]
    """

    def __init__(
        self,
        sr_tag: Any,
        src_rank: Any,
        shape: Sequence[int],
        dtype: Any,
        group: str = _WORLD,
        group_back: str = _WORLD,
    ):
        super().__init__()
        self.place_ = place_of("Receive", group)
        place_of("Receive", group_back)
        _ranks("Receive", "src_rank", (src_rank,), self.place_)
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

    def __call__(self, virtual_input: Any = None):
        me = exchange.member(self.place_)
        if self.rank != me:
            return deliver([(self.rank, me, self.shape, self.dtype)], [], self.place_)[0]
        waiting = _letters.get(self.tag)
        if not waiting:
            raise RuntimeError(
                f"For 'Receive', nothing was sent with the tag {self.tag}: a single process can only receive a message that it sent to itself before."
            )
        return _as_promised("Receive", waiting.pop(0), self.shape, self.dtype)


def _now(name, tensor):
    if isinstance(tensor.jax_array, Tracer):
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
        (Tensor(shape=[], dtype=Float32, value= 0), Tensor(shape=[], dtype=Float32, value= 1))
    """

    def __init__(
        self,
        op_types: Any,
        remote_ranks: Any,
        receive_shapes: Any = None,
        receive_dtypes: Any = None,
        group: str = _WORLD,
    ):
        super().__init__()
        shapes, dtypes = receive_shapes or (), receive_dtypes or ()
        _lists(
            "BatchISendIRecv",
            op_types=op_types,
            remote_ranks=remote_ranks,
            receive_shapes=shapes,
            receive_dtypes=dtypes,
        )
        self.place_ = place_of("BatchISendIRecv", _WORLD if group is None else group)
        for what, found, wanted in (
            ("remote_ranks", len(remote_ranks), len(op_types)),
            ("receive_dtypes", len(dtypes), len(shapes)),
            ("receive_shapes", len(shapes), list(op_types).count("irecv")),
        ):
            if found != wanted:
                raise ValueError(f"For 'BatchISendIRecv', the length of '{what}' must be {wanted}, but got {found}.")
        alone = self.place_.size == 1
        if not set(op_types) <= {"isend", "irecv"}:
            raise ValueError(
                f"For 'BatchISendIRecv', the 'op_types' must be isend or irecv, but got {tuple(op_types)}."
            )
        if alone and list(op_types).count("isend") != list(op_types).count("irecv"):
            raise ValueError(
                f"For 'BatchISendIRecv', each 'irecv' of the only process must have an 'isend' of its own, but got {tuple(op_types)}."
            )
        _ranks("BatchISendIRecv", "remote_ranks", remote_ranks, self.place_)
        self.op_types, self.remote_ranks, self.receive_shapes, self.receive_dtypes = (
            op_types,
            remote_ranks,
            shapes,
            dtypes,
        )
        self.group = group

    def __call__(self, input_x: Tensor | Sequence[Tensor]):
        sent = [input_x] if isinstance(input_x, Tensor) else [x for x in input_x if x is not None]
        if len(sent) != list(self.op_types).count("isend"):
            raise RuntimeError(
                f"For 'BatchISendIRecv', there must be as many Tensors as 'isend' in 'op_types', {list(self.op_types).count('isend')}, "
                f"but got {len(sent)}."
            )
        me, out, shapes = exchange.member(self.place_), iter(sent), iter(zip(self.receive_shapes, self.receive_dtypes))
        messages, own = [], []
        for kind, other in zip(self.op_types, self.remote_ranks):
            if kind == "isend":
                x = next(out)
                messages.append((me, other, x.shape, x.dtype))
                own += [x] if other == me else []
            else:
                shape, dtype = next(shapes)
                if other == me:
                    _as_promised("BatchISendIRecv", own.pop(0) if own else sent[0], shape, dtype)
                else:
                    messages.append((other, me, shape, dtype))
        # what goes to this process itself is received where the plan says that it is sent: in the order of the sendings
        coming = iter(
            _arrived(messages, sent, self.place_, [o for k, o in zip(self.op_types, self.remote_ranks) if k == "irecv"])
        )
        return tuple(next(coming) if kind == "irecv" else Tensor(0.0, mstype.float32) for kind in self.op_types)


def _arrived(messages, tensors, place, sources):
    """The results of `deliver`, in the order of the requested sources."""
    me = exchange.member(place)
    found = {}
    for (source, _, _, _), tensor in zip([m for m in messages if m[1] == me], deliver(messages, tensors, place)):
        found.setdefault(source, []).append(tensor)
    return [found[source].pop(0) for source in sources]


class NeighborExchange(Primitive):
    """Sends a tuple of Tensors to processes, and gives the tuple that comes in.

    Args:
        send_rank_ids, recv_rank_ids: lists of processes. recv_shapes, send_shapes: shapes of the Tensors. recv_type: their dtype.
        group: name of the group.

    Raises:
        TypeError: an argument is neither tuple nor list. ValueError: ranks, shapes or dtypes that do not fit.

    Example:
        >>> ops.NeighborExchange([0], [0], ([2],), ([2],), mindspore.float32)((Tensor([1.0, 2.0]),))
        (Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00]),)
    """

    def __init__(
        self,
        send_rank_ids: Sequence[int],
        recv_rank_ids: Sequence[int],
        recv_shapes: Any,
        send_shapes: Any,
        recv_type: Any,
        group: str = _WORLD,
    ):
        super().__init__()
        self.place_ = place_of("NeighborExchange", group)
        _lists(
            "NeighborExchange",
            send_rank_ids=send_rank_ids,
            recv_rank_ids=recv_rank_ids,
            recv_shapes=recv_shapes,
            send_shapes=send_shapes,
        )
        _ranks("NeighborExchange", "send_rank_ids", send_rank_ids, self.place_)
        _ranks("NeighborExchange", "recv_rank_ids", recv_rank_ids, self.place_)
        if not (len(send_rank_ids) == len(send_shapes) and len(recv_rank_ids) == len(recv_shapes)):
            raise ValueError(
                "For 'NeighborExchange', ranks and shapes must be as many, but got "
                f"{len(send_rank_ids)}, {len(recv_rank_ids)}, {len(recv_shapes)} and {len(send_shapes)}."
            )
        self.send_rank_ids, self.recv_rank_ids, self.recv_shapes = send_rank_ids, recv_rank_ids, recv_shapes
        self.send_shapes, self.recv_type, self.group = send_shapes, recv_type, group

    def __call__(self, tensor: Sequence[Tensor]):
        _lists("NeighborExchange", input_x=tensor)
        if len(tensor) != len(self.send_shapes):
            raise ValueError(
                f"For 'NeighborExchange', there must be {len(self.send_shapes)} Tensors, but got {len(tensor)}."
            )
        for x, shape in zip(tensor, self.send_shapes):
            _as_promised("NeighborExchange", x, shape, self.recv_type)
        me = exchange.member(self.place_)
        messages = [(me, r, x.shape, x.dtype) for r, x in zip(self.send_rank_ids, tensor)]
        for r, shape in zip(self.recv_rank_ids, self.recv_shapes):
            if r != me:
                messages.append((r, me, shape, self.recv_type))
        return tuple(
            _as_promised("NeighborExchange", x, shape, self.recv_type)
            for x, shape in zip(_arrived(messages, tensor, self.place_, self.recv_rank_ids), self.recv_shapes)
        )


class NeighborExchangeV2(Primitive):
    """Exchange of borders of images (N, C, H, W) with the processes around this one, joined to the image.

    One process has nobody around it: all ranks must be -1 (nobody), and the image comes back as it is.

    Args:
        send_rank_ids, recv_rank_ids: eight ranks, from the top clockwise. send_lens, recv_lens: four widths: top, bottom, left, right.
        data_format: "NCHW". group: name of the group.

    Raises:
        TypeError: an argument is not a list. ValueError: another format, a negative width, a neighbour that does not exist.

    Example:
        >>> ops.NeighborExchangeV2([-1] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW")(Tensor(np.ones((1, 1, 2, 2))))
        Tensor(shape=[1, 1, 2, 2], dtype=Float64, value=
        [[[[ 1.00000000e+00,  1.00000000e+00],
           [ 1.00000000e+00,  1.00000000e+00]]]])
    """

    def __init__(
        self,
        send_rank_ids: Sequence[int],
        send_lens: Any,
        recv_rank_ids: Sequence[int],
        recv_lens: Any,
        data_format: Any,
        group: str = _WORLD,
    ):
        super().__init__()
        self.place_ = place_of("NeighborExchangeV2", group)
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
            if any(v < 0 for v in value) if lens else self.place_.size == 1 and set(value) != {-1}:
                wanted = "widths of at least 0" if lens else "-1: the only process of the group has no neighbours"
                raise ValueError(f"For 'NeighborExchangeV2', the '{what}' must be {wanted}, but got {value}.")
            if not lens:
                _ranks("NeighborExchangeV2", what, value, self.place_, nobody=True)
        if self.place_.size == 1 and any(recv_lens):
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

    def __call__(self, tensor: Tensor):
        if tensor.ndim != 4:
            raise ValueError(
                f"For 'NeighborExchangeV2', the input must have four axes, but got the shape {tensor.shape}."
            )
        if self.place_.size == 1:
            return tensor.value()
        return self._exchanged(tensor)

    def _exchanged(self, x):
        me, (n, c, height, width) = exchange.member(self.place_), x.shape
        top, bottom, left, right = self.send_lens
        # a side on which nobody is adds nothing to the image
        above, below, before, behind = (
            width if self.recv_rank_ids[side] != -1 else 0 for width, side in zip(self.recv_lens, (0, 4, 6, 2))
        )
        rows = {-1: slice(0, top), 0: slice(None), 1: slice(height - bottom, None)}
        columns = {-1: slice(0, left), 0: slice(None), 1: slice(width - right, None)}
        heights, widths = {-1: above, 0: height, 1: below}, {-1: before, 0: width, 1: behind}
        messages, sent, parts, sides = [], [], {(0, 0): x}, []
        for r, (i, j) in zip(self.send_rank_ids, _AROUND):
            piece = x[:, :, rows[i], columns[j]]
            if r != -1 and piece.size:
                messages.append((me, r, piece.shape, x.dtype))
                sent.append(piece)
        for r, side in zip(self.recv_rank_ids, _AROUND):
            shape = (n, c, heights[side[0]], widths[side[1]])
            if r != -1 and shape[2] and shape[3]:
                messages.append((r, me, shape, x.dtype))
                sides.append((r, side))
        for tensor, (_, side) in zip(_arrived(messages, sent, self.place_, [r for r, _ in sides]), sides):
            parts[side] = tensor
        return records["bordered"](x, parts, tuple(heights.values()), tuple(widths.values()))


# the eight neighbours, from the top clockwise: (row, column) relative to the image
_AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))


@op(ops=False, name="bordered")
def _bordered(x: Array, parts: Operand, heights: Operand, widths: Operand):
    """The image with its neighbours' borders around it; zeros without a neighbour."""
    (n, c), rows = x.shape[:2], []
    for i, height in zip((-1, 0, 1), heights):
        row = [
            parts[i, j] if (i, j) in parts else jnp.zeros((n, c, height, width), x.dtype)
            for j, width in zip((-1, 0, 1), widths)
        ]
        rows.append(jnp.concatenate(row, axis=3))
    return jnp.concatenate(rows, axis=2)

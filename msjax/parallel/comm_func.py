"""`mindspore.communication.comm_func`: communication functions that return their results as new Tensors."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.operators.arguments import plain
from ..core.values.tensor import Tensor
from . import group_calls as _calls
from . import point_to_point as _point
from . import process_groups as _groups
from .collectives import of_matrix
from .point_to_point import isend as isend
from .point_to_point import send as send

__all__ = """P2POp all_gather_into_tensor all_reduce all_to_all_single_with_output_shape all_to_all_v_c
all_to_all_with_output_shape barrier batch_isend_irecv broadcast gather_into_tensor irecv isend recv reduce
reduce_scatter_tensor scatter_tensor send""".split()
_WORLD = "hccl_world_group"


def _made(how, tensor, *settings, place, async_op=False):
    """(a new Tensor, a handle if the call is asynchronous)"""
    made = tensor.value() if place.size == 1 else _calls.value(how, tensor, *settings, place=place)
    return made, _calls.done(async_op, made)


def _shape(shape):
    return tuple(plain(shape.shape if isinstance(shape, Tensor) else shape))


def all_reduce(tensor: Tensor, op: str = "sum", group: str = _WORLD, async_op: bool = False):
    """(the reduction of the Tensors of all processes, a handle or None)

    Example:
        >>> from mindspore.communication import comm_func
        >>> print(comm_func.all_reduce(Tensor([1.0]))[0])
        [1.]
    """
    place = _calls.ready("all_reduce", tensor, group=group, op=op, async_op=async_op)
    return _made("all_reduce", tensor, op, place=place, async_op=async_op)


def all_gather_into_tensor(tensor: Tensor, group: str = _WORLD, async_op: bool = False):
    """(the Tensors of all processes along the first axis, a handle or None)"""
    place = _calls.ready("all_gather_into_tensor", tensor, group=group, async_op=async_op)
    return _made("all_gather", tensor, place=place, async_op=async_op)


def reduce_scatter_tensor(tensor: Tensor, op: str = "sum", group: str = _WORLD, async_op: bool = False):
    """(this process's slice of the reduction, a handle or None)"""
    place = _calls.ready("reduce_scatter_tensor", tensor, group=group, op=op, async_op=async_op)
    return _made("reduce_scatter", tensor, op, place=place, async_op=async_op)


def reduce(tensor: Tensor, dst: int, op: str = "sum", group: str = _WORLD):
    """The reduction of the Tensors of all processes, for process `dst`; the other processes get a zero of shape (1,)."""
    place = _calls.ready("reduce", tensor, group=group, op=op)
    return _made("reduce", tensor, op, _calls.peer("reduce", dst, "dst", place), place=place)[0]


def broadcast(tensor: Tensor, src: int = 0, group: str = _WORLD):
    """The Tensor of process `src`."""
    place = _calls.ready("broadcast", tensor, group=group)
    return _made("broadcast", tensor, _calls.peer("broadcast", src, "src", place), place=place)[0]


def scatter_tensor(tensor: Tensor, src: int = 0, group: str = _WORLD):
    """This process's slice of the Tensor of process `src`."""
    place = _calls.ready("scatter_tensor", tensor, group=group)
    return _made("scatter", tensor, _calls.peer("scatter_tensor", src, "src", place), place=place)[0]


def gather_into_tensor(tensor: Tensor, dst: int = 0, group: str = _WORLD):
    """The Tensors of all processes along the first axis, for process `dst`; a zero of shape (1,) for the other
    processes.
    """
    place = _calls.ready("gather_into_tensor", tensor, group=group)
    return _made("gather", tensor, _calls.peer("gather_into_tensor", dst, "dst", place), place=place)[0]


def recv(tensor: Tensor, src: int = 0, group: str = _WORLD, tag: int = 0):
    """Receive a Tensor from process `src`; `tensor` gives its shape and dtype."""
    received = tensor.value()
    _point.recv(received, src, group, tag)
    return received


def irecv(tensor: Tensor, src: int = 0, group: str = _WORLD, tag: int = 0):
    """(the Tensor received from process `src`, a handle); `tensor` gives its shape and dtype."""
    received = recv(tensor, src, group, tag)
    return received, _calls.CommHandle((received,))


def barrier(group: str = _WORLD):
    """Wait until all processes of the group have called it."""
    _groups.barrier(group)


def all_to_all_with_output_shape(
    output_shape_list: Any, input_tensor_list: Any, group: str | None = None, async_op: bool = False
):
    """(the items that this process receives when each sends one item of its list to each, a handle or None)"""
    name = "all_to_all_with_output_shape"
    place = _calls.ready(name, group=group, async_op=async_op)
    _calls.ready(name, *_calls.many(name, input_tensor_list, place))
    shapes = [_shape(shape) for shape in _calls.many(name, output_shape_list, place)]
    _same(name, place, input_tensor_list[0], shapes[0])
    sizes = [math.prod(shape) for shape in shapes]
    came = _calls.exchanged(_calls.joined(input_tensor_list), [t.size for t in input_tensor_list], sizes, place)
    made = tuple(piece.reshape(shape) for piece, shape in zip(_calls.split(came, sizes), shapes))
    return made, _calls.done(async_op, *made)


def all_to_all_single_with_output_shape(
    output_shape: Sequence[int],
    tensor: Tensor,
    output_split_sizes: Any = None,
    input_split_sizes: Any = None,
    group: str | None = None,
    async_op: bool = False,
):
    """(the slices that this process receives when each sends one slice to each, a handle or None)"""
    name = "all_to_all_single_with_output_shape"
    place = _calls.ready(name, tensor, group=group, async_op=async_op)
    shape = _shape(output_shape)
    _same(name, place, tensor, shape)
    sizes = _calls.single_sizes(name, tensor, input_split_sizes, place)
    lengths = output_split_sizes or [shape[0] // place.size] * place.size
    receive = [n * math.prod(shape[1:]) for n in _calls.many(name, lengths, place)]
    made = _calls.exchanged(_calls.joined([tensor]), sizes, receive, place).reshape(shape)
    return made, _calls.done(async_op, made)


def _same(name, place, tensor, shape):
    if place.size == 1 and tensor.shape != shape:
        raise ValueError(
            f"For '{name}', the output of one process has the shape of its input, {tensor.shape}, but got {shape}."
        )


class P2POp:
    """One sending or receiving for `batch_isend_irecv`.

    Args:
        op: "isend" or "irecv", or the function. tensor: what is sent; for what comes a Tensor like it, or its shape. peer: the other
        process. group: name of the group. recv_dtype: dtype of what comes, with a shape.

    Raises:
        TypeError: arguments of other kinds. ValueError: another `op`.
    """

    def __init__(
        self,
        op: str | Callable,
        tensor: Tensor,
        peer: int,
        group: str | None = None,
        tag: int = 0,
        *,
        recv_dtype: Any = None,
    ):
        name = {isend: "isend", irecv: "irecv"}.get(op, op) if callable(op) or isinstance(op, str) else op
        if not isinstance(name, str):
            raise TypeError(f"For 'P2POp', the 'op' must be str or isend or irecv, but got {type(op).__name__}.")
        if name not in ("isend", "irecv"):
            raise ValueError(f"For 'P2POp', the 'op' must be 'isend' or 'irecv', but got {op!r}.")
        if isinstance(peer, bool) or not isinstance(peer, int):
            raise TypeError(f"For 'P2POp', the 'peer' must be int, but got {type(peer).__name__}.")
        if not isinstance(tensor, Tensor):
            if name == "isend":
                raise TypeError(f"For 'P2POp', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
            if recv_dtype is None:
                raise ValueError("For 'P2POp', the shape of a received Tensor needs its 'recv_dtype'.")
        self.op, self.tensor, self.peer, self.group, self.tag, self.recv_dtype = (
            name,
            tensor,
            peer,
            group,
            tag,
            recv_dtype,
        )

    def _target(self):
        """A new Tensor for the received content, or the Tensor to send."""
        if self.op == "isend":
            return self.tensor
        shape, dtype = (
            (self.tensor.shape, self.tensor.dtype) if isinstance(self.tensor, Tensor) else (self.tensor, None)
        )
        return Tensor(np.zeros(tuple(shape)), dtype or self.recv_dtype)


def batch_isend_irecv(p2p_op_list: Any):
    """A tuple with a new Tensor for each receiving, and a zero for each sending."""
    if not isinstance(p2p_op_list, list) or not all(isinstance(p, P2POp) for p in p2p_op_list) or not p2p_op_list:
        raise TypeError(f"For 'batch_isend_irecv', the 'p2p_op_list' must be a list of P2POp, but got {p2p_op_list!r}.")
    targets = [p._target() for p in p2p_op_list]
    _point.batch_isend_irecv(
        [_point.P2POp(p.op, target, p.peer, p.group, p.tag) for p, target in zip(p2p_op_list, targets)]
    )
    return tuple(Tensor(0, target.dtype) if p.op == "isend" else target for p, target in zip(p2p_op_list, targets))


def all_to_all_v_c(
    output: Tensor, input: Tensor, send_count_matrix: Any, group: str | None = None, async_op: bool = False
):
    """Each process's slices, of the lengths in a matrix, dealt out to all; written into `output`."""
    place = _calls.ready("all_to_all_v_c", output, input, group=group, async_op=async_op)
    unit = math.prod(input.shape[1:])
    sizes = [[n * unit for n in part] for part in of_matrix("all_to_all_v_c", send_count_matrix, place)]
    came = _calls.exchanged(_calls.joined([input]), *sizes, place)
    _calls.fill("all_to_all_v_c", output, came)
    return _calls.done(async_op, output)

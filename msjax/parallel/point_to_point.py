"""Tensors from one process to another, written into given Tensors."""

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.values import dtype as mstype
from ..core.values.tensor import Tensor
from . import exchange as _exchange
from .group_calls import CommHandle, fill, peer, ready
from .messages import deliver
from .places import place_of

self_mail = []  # what this process sent to itself and has not received yet


def send(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0):
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
        self_mail.append(tensor.value())


def recv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0):
    """Receive a Tensor from a process, written into `tensor`; the number of the sender."""
    place = ready("recv", tensor, group=group)
    source, me = peer("recv", src, "src", place), _exchange.member(place)
    if source != me:
        fill("recv", tensor, deliver([(source, me, tensor.shape, tensor.dtype)], [], place)[0])
        return src
    if not self_mail:
        raise RuntimeError(
            "For 'recv', nothing was sent: a single process can only receive a message that it sent to itself before."
        )
    fill("recv", tensor, self_mail.pop(0))
    return src


def isend(tensor: Tensor, dst: int = 0, group: str | None = None, tag: int = 0):
    """As `send`, without waiting; returns a handle to wait with."""
    send(tensor, dst, group, tag)
    return CommHandle()


def irecv(tensor: Tensor, src: int = 0, group: str | None = None, tag: int = 0):
    """As `recv`, without waiting; returns a handle to wait with."""
    recv(tensor, src, group, tag)
    return CommHandle((tensor,))


class P2POp:
    """One sending or receiving for `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`. tensor: what is sent, or written. peer: the other process. group, tag: as for `send`.

    Example:
        >>> mint.distributed.P2POp(mint.distributed.isend, Tensor([1.0]), 0)
    """

    def __init__(
        self,
        op: str | Callable,
        tensor: Tensor | tuple[int, ...] | list[int],
        peer: int,
        group: str | None = None,
        tag: int = 0,
        *,
        recv_dtype: Any = None,
    ):
        name = getattr(op, "__name__", op)  # those of `ops` and `communication` stand around these
        if name not in ("isend", "irecv"):
            raise ValueError(f"For 'P2POp', the 'op' must be isend or irecv, but got {op!r}.")
        if name == "irecv" and isinstance(tensor, (tuple, list)):  # its shape
            tensor = Tensor(np.zeros(tensor, mstype.to_numpy(recv_dtype or mstype.float32)))
        if not isinstance(tensor, Tensor):
            raise TypeError(f"For 'P2POp', the 'tensor' must be a Tensor, but got {type(tensor).__name__}.")
        self.op = isend if name == "isend" else irecv
        self.tensor, self.peer, self.group, self.tag = tensor, peer, group, tag


def batch_isend_irecv(p2p_op_list: Any):
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

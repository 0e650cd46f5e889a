"""Communication of Python objects: whatever can be pickled, from processes that know the token of the run and from nobody else."""

import functools
import pickle
from typing import Any

import numpy as np

from ..core.values.tensor import Tensor
from . import exchange as _exchange
from .group_calls import many, peer, ready, split, value
from .point_to_point import recv, self_mail, send
from .processes import world
from .run_token import SIGNATURE_BYTES, new_token, run_token, sign, signed


@functools.cache
def _token(size):
    """The token of a run of so many processes; one alone has its own."""
    return run_token() if size > 1 else new_token().encode()


def _packed(obj):
    content = pickle.dumps(obj)
    return np.frombuffer(sign(_token(world().size), b"object", content) + content, np.uint8)


def _unpacked(tensor):
    told = tensor.asnumpy().tobytes()
    signature, content = told[:SIGNATURE_BYTES], told[SIGNATURE_BYTES:]
    if not signed(_token(world().size), signature, b"object", content):
        raise RuntimeError(
            "an object came from a process that does not know the token of this run: it is not unpickled."
        )
    return pickle.loads(content)


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


def all_gather_object(object_list: list, obj: Any, group: str | None = None):
    """The objects of all processes, put into a list."""
    place = ready("all_gather_object", group=group)
    many("all_gather_object", object_list, place)
    object_list[:] = _everybodys(obj, place)


def gather_object(obj: Any, object_gather_list: Any = None, dst: int = 0, group: str | None = None):
    """The objects of all processes, put into the list of process `dst`."""
    place = ready("gather_object", group=group)
    root = peer("gather_object", dst, "dst", place)
    if root == _exchange.member(place):
        many("gather_object", object_gather_list, place)
    gathered = _everybodys(obj, place)
    if root == _exchange.member(place):
        object_gather_list[:] = gathered


def broadcast_object_list(object_list: list, src: int = 0, group: str | None = None, device: str | None = None):
    """The list of process `src`, put into those of all."""
    place = ready("broadcast_object_list", group=group)
    object_list[:] = _of_root(list(object_list), peer("broadcast_object_list", src, "src", place), place)


def scatter_object_list(
    scatter_object_output_list: Any, scatter_object_input_list: Any, src: int = 0, group: str | None = None
):
    """An item of the list of process `src` for each process, put first into its list."""
    place = ready("scatter_object_list", group=group)
    root, me = peer("scatter_object_list", src, "src", place), _exchange.member(place)
    given = list(many("scatter_object_list", scatter_object_input_list, place)) if root == me else None
    scatter_object_output_list[0] = _of_root(given, root, place)[me]


def send_object_list(object_list: list, dst: int, group: str | None = None, device: str | None = None):
    """Send a list of objects to a process."""
    place = ready("send_object_list", group=group)
    packed = Tensor(_packed(list(object_list)))
    peer("send_object_list", dst, "dst", place)
    if place.size > 1:
        send(Tensor(np.array([packed.size], np.int32)), dst, group)
    send(packed, dst, group)


def recv_object_list(object_list: list, src: int = 0, group: str | None = None, device: str | None = None):
    """Receive a list of objects from a process; the number of the sender."""
    place = ready("recv_object_list", group=group)
    peer("recv_object_list", src, "src", place)
    if place.size > 1:
        size = Tensor(np.zeros(1, np.int32))
        recv(size, src, group)
        packed = Tensor(np.zeros(int(size.asnumpy()[0]), np.uint8))
        recv(packed, src, group)
    elif not self_mail:
        raise RuntimeError("For 'recv_object_list', nothing was sent to this process.")
    else:
        packed = self_mail.pop(0)
    object_list[:] = _unpacked(packed)
    return src

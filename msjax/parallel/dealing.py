"""Communication that deals whole Tensors out to processes or gathers them, written into given Tensors."""

from typing import Any

from ..core.operators.record import composite
from ..core.operators.rows import Prim
from ..core.spec import Array
from ..core.values.tensor import Tensor
from . import exchange
from . import group_calls as _calls

__all__ = ["gather_into_tensor", "scatter_tensor"]


def gather_into_tensor(
    output_tensor: Any, input_tensor: Tensor, dst: int = 0, group: str | None = None, async_op: bool = False
):
    """The Tensors of all processes along the first axis, written into that of process `dst`.

    Args:
        output_tensor: Tensor (processes * n, ...).
        input_tensor: Tensor (n, ...).
        dst: process that gets it.
        group: name of the group.
        async_op: return a handle.

    Raises:
        TypeError: arguments of other kinds. ValueError: `dst` is not in the group, or the shapes do not fit.

    Example:
        >>> out = Tensor(np.zeros((2, 2), np.float32))
        >>> ops.gather_into_tensor(out, Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    place = _calls.ready("gather_into_tensor", output_tensor, input_tensor, group=group, async_op=async_op)
    root = _calls.peer("gather_into_tensor", dst, "dst", place)
    made = _calls.value("gather", input_tensor, root, place=place)
    if exchange.member(place) == root:
        _calls.fill("gather_into_tensor", output_tensor, made)
    return _calls.done(async_op, output_tensor)


def scatter_tensor(
    output_tensor: Any, input_tensor: Tensor, src: int = 0, group: str | None = None, async_op: bool = False
):
    """A slice of the first axis of process `src`'s Tensor for each process, written into its own.

    Args:
        output_tensor: Tensor (n, ...).
        input_tensor: Tensor (processes * n, ...).
        src: process that has it.
        group: name of the group.
        async_op: return a handle.

    Raises:
        TypeError: arguments of other kinds. ValueError: `src` is not in the group, or the shapes do not fit.

    Example:
        >>> out = Tensor(np.zeros((2, 2), np.float32))
        >>> ops.scatter_tensor(out, Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    place = _calls.ready("scatter_tensor", output_tensor, input_tensor, group=group, async_op=async_op)
    root = _calls.peer("scatter_tensor", src, "src", place)
    _calls.fill("scatter_tensor", output_tensor, _calls.value("scatter", input_tensor, root, place=place))
    return _calls.done(async_op, output_tensor)


@composite(prim=Prim("_AllSwap", inputs=("tensor_in", "send_size", "recv_size")), ops=False, name="all_swap")
def all_swap(tensor_in: Array, send_size: Array, recv_size: Array, group: str = "hccl_world_group"):
    """Blocks of the first axis exchanged between all processes, joined in the order of their ranks.

    Args:
        tensor_in: Tensor (n, m).
        send_size, recv_size: int64 Tensors with the size of the block for and from each process.

    Raises:
        TypeError: arguments of other kinds. ValueError: shapes or sizes that do not fit.
    """
    place = _calls.ready("_AllSwap", tensor_in, send_size, recv_size, group=group)
    if tensor_in.ndim != 2:
        raise ValueError(f"For '_AllSwap', the 'tensor_in' must have two axes, but got shape {tensor_in.shape}.")
    for name, size in (("send_size", send_size), ("recv_size", recv_size)):
        if str(size.dtype) != "Int64":
            raise TypeError(f"For '_AllSwap', the dtype of '{name}' must be int64, but got {size.dtype}.")
        if size.shape != (place.size,):
            raise ValueError(
                f"For '_AllSwap', the '{name}' must have one element for each process, {place.size}, but got shape {size.shape}."
            )
    send, receive = send_size.tolist(), recv_size.tolist()
    if place.size > 1:
        return _calls.exchanged(_calls.joined([tensor_in]), send, receive, place).reshape((-1, tensor_in.shape[1]))
    if send != receive:
        raise ValueError(
            f"For '_AllSwap', a single process receives its own data, so both sizes must be equal, but got {send} and {receive}."
        )
    return Tensor.value(tensor_in)

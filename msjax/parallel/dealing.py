"""Communication that deals whole Tensors out to processes or gathers them, written into given Tensors; a group of one here."""

from ..core.operators.record import composite
from ..core.values.tensor import Tensor
from . import process_groups as _groups

__all__ = ["gather_into_tensor", "scatter_tensor"]


def _deal(name, output_tensor, input_tensor, peer, what, group, async_op):
    """Check the arguments, write the input into the output, and give the handle that `async_op` asks for."""
    _groups._ready(name, output_tensor, input_tensor, group=group)
    if isinstance(peer, bool) or not isinstance(peer, int):
        raise TypeError(f"For '{name}', the '{what}' must be int, but got {type(peer).__name__}.")
    if not isinstance(async_op, bool):
        raise TypeError(f"For '{name}', the 'async_op' must be bool, but got {type(async_op).__name__}.")
    _groups._peer(name, peer, what)
    _groups._copy(name, output_tensor, input_tensor)
    return _groups._done(async_op)


def gather_into_tensor(output_tensor, input_tensor, dst=0, group=None, async_op=False):
    """The Tensors of all processes along the first axis, written into that of process `dst`.

    Args:
        output_tensor: Tensor (processes * n, ...). input_tensor: Tensor (n, ...). dst: process that gets it. group: name of the group.
        async_op: return a handle.

    Raises:
        TypeError: arguments of other kinds. ValueError: `dst` is not in the group, or the shapes do not fit. RuntimeError: several processes.

    Example:
        >>> out = Tensor(np.zeros((2, 2), np.float32))
        >>> ops.gather_into_tensor(out, Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    return _deal("gather_into_tensor", output_tensor, input_tensor, dst, "dst", group, async_op)


def scatter_tensor(output_tensor, input_tensor, src=0, group=None, async_op=False):
    """A slice of the first axis of process `src`'s Tensor for each process, written into its own.

    Args:
        output_tensor: Tensor (n, ...). input_tensor: Tensor (processes * n, ...). src: process that has it. group: name of the group.
        async_op: return a handle.

    Raises:
        TypeError: arguments of other kinds. ValueError: `src` is not in the group, or the shapes do not fit. RuntimeError: several processes.

    Example:
        >>> out = Tensor(np.zeros((2, 2), np.float32))
        >>> ops.scatter_tensor(out, Tensor([[1.0, 2.0], [3.0, 4.0]]))
    """
    return _deal("scatter_tensor", output_tensor, input_tensor, src, "src", group, async_op)


@composite(prim="_AllSwap(group='hccl_world_group')(tensor_in, send_size, recv_size)", ops=False, name="all_swap")
def all_swap(tensor_in, send_size, recv_size, group="hccl_world_group"):
    """Blocks of the first axis exchanged between all processes: of one process, the Tensor as it is.

    Args:
        tensor_in: Tensor (n, m). send_size, recv_size: int64 Tensors with the size of the block for and from each process.

    Raises:
        TypeError: arguments of other kinds. ValueError: shapes or sizes that do not fit. RuntimeError: several processes.
    """
    _groups._ready("_AllSwap", tensor_in, send_size, recv_size, group=group)
    if tensor_in.ndim != 2:
        raise ValueError(f"For '_AllSwap', the 'tensor_in' must have two axes, but got shape {tensor_in.shape}.")
    for name, size in (("send_size", send_size), ("recv_size", recv_size)):
        if str(size.dtype) != "Int64":
            raise TypeError(f"For '_AllSwap', the dtype of '{name}' must be int64, but got {size.dtype}.")
        if size.shape != (1,):
            raise ValueError(
                f"For '_AllSwap', the '{name}' must have one element for each process, 1, but got shape {size.shape}."
            )
    if bool((send_size != recv_size).any()):
        raise ValueError(
            f"For '_AllSwap', one process receives what it sends, but got the sizes {send_size.tolist()} and {recv_size.tolist()}."
        )
    return Tensor.value(tensor_in)

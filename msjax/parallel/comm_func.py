"""`mindspore.communication.comm_func`: communication functions that return their results as new Tensors."""

from ..core.operators.record import plain
from ..core.values.tensor import Tensor
from . import process_groups as _groups
from .process_groups import P2POp, batch_isend_irecv, irecv, isend, send  # noqa: F401

__all__ = """P2POp all_gather_into_tensor all_reduce all_to_all_single_with_output_shape all_to_all_v_c
all_to_all_with_output_shape barrier batch_isend_irecv broadcast gather_into_tensor irecv isend recv reduce
reduce_scatter_tensor scatter_tensor send""".split()
_WORLD = "hccl_world_group"


def _given(tensor, async_op):
    """A copy of the Tensor, and a handle if the call is asynchronous."""
    return tensor.value(), _groups._done(async_op)


def _shaped(name, tensor, shape):
    shape = tuple(plain(shape.shape if isinstance(shape, Tensor) else shape))
    if tensor.shape != shape:
        raise ValueError(
            f"For '{name}', the output of one process has the shape of its input, {tensor.shape}, but got {shape}."
        )
    return tensor.value()


def all_reduce(tensor, op="sum", group=_WORLD, async_op=False):
    """(the reduction of the Tensors of all processes, a handle or None)

    Example:
        >>> comm_func.all_reduce(Tensor([1.0]))[0]
    """
    _groups._ready("all_reduce", tensor, group=group, op=op)
    return _given(tensor, async_op)


def all_gather_into_tensor(tensor, group=_WORLD, async_op=False):
    """(the Tensors of all processes along the first axis, a handle or None)"""
    _groups._ready("all_gather_into_tensor", tensor, group=group)
    return _given(tensor, async_op)


def reduce_scatter_tensor(tensor, op="sum", group=_WORLD, async_op=False):
    """(this process's slice of the reduction, a handle or None)"""
    _groups._ready("reduce_scatter_tensor", tensor, group=group, op=op)
    return _given(tensor, async_op)


def reduce(tensor, dst, op="sum", group=_WORLD):
    """The reduction of the Tensors of all processes, for process `dst`."""
    _groups._ready("reduce", tensor, group=group, op=op)
    _groups._peer("reduce", dst, "dst")
    return tensor.value()


def broadcast(tensor, src=0, group=_WORLD):
    """The Tensor of process `src`."""
    _groups._ready("broadcast", tensor, group=group)
    _groups._peer("broadcast", src, "src")
    return tensor.value()


def scatter_tensor(tensor, src=0, group=_WORLD):
    """This process's slice of the Tensor of process `src`."""
    _groups._ready("scatter_tensor", tensor, group=group)
    _groups._peer("scatter_tensor", src, "src")
    return tensor.value()


def gather_into_tensor(tensor, dst=0, group=_WORLD):
    """The Tensors of all processes along the first axis, for process `dst`."""
    _groups._ready("gather_into_tensor", tensor, group=group)
    _groups._peer("gather_into_tensor", dst, "dst")
    return tensor.value()


def recv(tensor, src=0, group=_WORLD, tag=0):
    """What process `src` sent; `tensor` gives its shape and dtype."""
    received = tensor.value()
    _groups.recv(received, src, group, tag)
    return received


def barrier(group=_WORLD):
    """Come back when all processes of the group have come here."""
    _groups.barrier(group)


def all_to_all_with_output_shape(output_shape_list, input_tensor_list, group=None, async_op=False):
    """(the items that come in when each process deals out its list, a handle or None)"""
    _groups._ready("all_to_all_with_output_shape", group=group)
    item = _groups._one("all_to_all_with_output_shape", input_tensor_list)
    shape = _groups._one("all_to_all_with_output_shape", output_shape_list)
    return (_shaped("all_to_all_with_output_shape", item, shape),), _groups._done(async_op)


def all_to_all_single_with_output_shape(
    output_shape, tensor, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False
):
    """(the slices that come in when each process deals out its Tensor, a handle or None)"""
    _groups._ready("all_to_all_single_with_output_shape", tensor, group=group)
    return _shaped("all_to_all_single_with_output_shape", tensor, output_shape), _groups._done(async_op)


def all_to_all_v_c(output, input, send_count_matrix, group=None, async_op=False):
    """Each process's slices, of the lengths in a matrix, dealt out to all; written into `output`."""
    return _groups.all_to_all_single(output, input, None, None, group, async_op)

"""`mindspore.ops.communication`: the functions of `process_groups`, which write into given Tensors, or give new ones.

`set_comm_ops_inplace` chooses. (`mint.distributed` always writes, `mindspore.communication.comm_func` always gives new ones.)
"""

import functools
from typing import TYPE_CHECKING, Any

from . import comm_func as _new
from . import group_calls as _calls
from . import process_groups as _groups
from . import processes
from .process_groups import (  # noqa: F401
    P2POp,
    TCPStore,
    destroy_process_group,
    get_backend,
    get_global_rank,
    get_group_rank,
    get_process_group_ranks,
    get_rank,
    get_world_size,
    init_process_group,
    is_available,
    is_initialized,
    new_group,
)

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor

_SWITCHED = """all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce all_to_all
all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list gather gather_object irecv isend recv
recv_object_list reduce reduce_scatter reduce_scatter_tensor reduce_scatter_tensor_uneven scatter scatter_object_list send
send_object_list""".split()
_in_place = dict.fromkeys([*_SWITCHED, "all_to_all_v_c"], True)
__all__ = [*_groups.__all__, "all_to_all_v_c", "set_comm_ops_inplace"]


def set_comm_ops_inplace(is_enable: Any, func_list: Any = None):
    """Whether communication functions write into the Tensors that they are given (at first they do), or give new ones.

    New ones come as (Tensor, handle or None); the Tensors for the results are then not used. Functions that have no such form raise
    ValueError when they are called.

    Args:
        is_enable: bool.
        func_list: names of functions; None means all.

    Raises:
        TypeError: the arguments are neither a bool nor a list. ValueError: a name that is none of these functions.

    Example:
        >>> ops.set_comm_ops_inplace(False, ["all_reduce"])
    """
    if not isinstance(is_enable, bool):
        raise TypeError(
            f"For 'set_comm_ops_inplace', the 'is_enable' must be bool, but got {type(is_enable).__name__}."
        )
    if func_list is None:
        func_list = list(_in_place)
    if not isinstance(func_list, (list, tuple)):
        raise TypeError(
            f"For 'set_comm_ops_inplace', the 'func_list' must be list or tuple, but got {type(func_list).__name__}."
        )
    for name in func_list:
        if name not in _in_place:
            raise ValueError(
                f"For 'set_comm_ops_inplace', the 'func_list' must hold names of communication functions, but got {name!r}."
            )
    _in_place.update(dict.fromkeys(func_list, is_enable))


def _require_in_place(name):
    if not _in_place[name]:
        raise ValueError(
            f"For '{name}', there is no form that gives a new Tensor: call set_comm_ops_inplace(True, ['{name}']) before."
        )


# --- the forms that give new Tensors
def _all_gather_into_tensor(output_tensor, input_tensor, group=None, async_op=False):
    return _new.all_gather_into_tensor(input_tensor, group, async_op)


def _reduce_scatter_tensor(output, input, op="sum", group=None, async_op=False):
    return _new.reduce_scatter_tensor(input, op, group, async_op)


def _all_to_all(output_tensor_list, input_tensor_list, group=None, async_op=False):
    shapes = [getattr(shape, "shape", shape) for shape in output_tensor_list]
    return _new.all_to_all_with_output_shape(shapes, input_tensor_list, group, async_op)


def _all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    shape = getattr(output, "shape", output)
    if shape is None:
        shape = (sum(output_split_sizes or input.shape[:1]), *input.shape[1:])
    return _new.all_to_all_single_with_output_shape(
        shape, input, output_split_sizes, input_split_sizes, group, async_op
    )


_NEW = {
    "all_reduce": _new.all_reduce,
    "all_gather_into_tensor": _all_gather_into_tensor,
    "reduce_scatter_tensor": _reduce_scatter_tensor,
    "all_to_all": _all_to_all,
    "all_to_all_single": _all_to_all_single,
    "recv": _new.recv,
    "irecv": _new.irecv,
    # what they give does not depend on the choice
    "send": _groups.send,
    "isend": _groups.isend,
    "barrier": _groups.barrier,
}


def _switched(name):
    """The function of `process_groups` of this name, or its form that gives new Tensors, as was chosen."""
    writing, new = getattr(_groups, name), _NEW.get(name)

    @functools.wraps(writing)
    def call(*args, **kwargs):
        if not _in_place[name] and new is not None:
            return new(*args, **kwargs)
        _require_in_place(name)
        return writing(*args, **kwargs)

    call.__module__ = __name__
    return call


for _name in _SWITCHED:
    globals()[_name] = _switched(_name)
del _name


def all_to_all_v_c(
    output: "Tensor", input: "Tensor", send_count_matrix: Any, group: str | None = None, async_op: bool = False
):
    """Slices of the first axis, of different lengths, dealt out to all processes; those that come in, written into `output`.

    Args:
        output: Tensor for the result.
        input: Tensor.
        send_count_matrix: list of ints: [i * n + j] slices go from process i to j of n.
        group: name of the group, None for all processes.
        async_op: whether to return a handle.

    Raises:
        TypeError: no Tensors, no list of ints, or one that is not that of the group. ValueError: counts or shapes that do not fit.

    Example:
        >>> output = ops.zeros(3)
        >>> ops.all_to_all_v_c(output, Tensor([0.0, 1.0, 2.0]), [3])
    """
    _require_in_place("all_to_all_v_c")
    place = _calls.ready("all_to_all_v_c", output, input, group=group, async_op=async_op)
    if not isinstance(send_count_matrix, list) or not all(type(n) is int for n in send_count_matrix):
        raise TypeError(
            f"For 'all_to_all_v_c', the 'send_count_matrix' must be a list of ints, but got {send_count_matrix!r}."
        )
    if len(send_count_matrix) != place.size**2:
        raise TypeError(
            f"For 'all_to_all_v_c', the 'send_count_matrix' must have {place.size**2} numbers, one for each pair of processes, "
            f"but got {len(send_count_matrix)}."
        )
    me, n = place.ranks.index(processes.world().rank), place.size
    sent = sum(send_count_matrix[me * n : (me + 1) * n])
    if sent != input.shape[0]:
        whose = "the only process keeps all" if n == 1 else "this process has"
        raise ValueError(f"For 'all_to_all_v_c', {whose} {input.shape[0]} slices, but 'send_count_matrix' says {sent}.")
    return _new.all_to_all_v_c(output, input, send_count_matrix, group, async_op)

"""Arrays, queues and copies of Parameters for reinforcement learning (`nn.TensorArray` of MindSpore 1.x and 2.0)."""

from typing import TYPE_CHECKING, Annotated, Any

from ..core.operators import check
from ..core.spec.checking import checked
from ..core.spec.rules import Like, NonEmpty
from ..core.values import dtype as mstype
from ..ops.state import host_tables as tables
from .cell.cell import Cell

if TYPE_CHECKING:
    from ..core.values.dtype import Type
    from ..core.values.tensor import Tensor


def _check_element(cell, dtype, size):
    check.check_subclass("dtype", dtype, (*mstype.number_type, mstype.bool_), cell.cls_name)
    check.check_non_negative_int(size, "size", cell.cls_name)


class TensorArray(Cell):
    """An array of Tensors of one shape, on the host.

    Args:
        dtype, element_shape: of its elements. dynamic_size: whether it grows. size: how many elements it has, if it does not; compiled
        code can stack such an array only. name: accepted.

    Example:
        >>> ta = nn.TensorArray(mindspore.int64, ())
        >>> ta.write(0, 1), ta.write(1, 2), ta.read(1)
        (True, True, Tensor(shape=[], dtype=Int64, value= 2))
        >>> ta.stack()
        Tensor(shape=[2], dtype=Int64, value= [1, 2])
    """

    def __init__(self, dtype: "Type", element_shape: Any, dynamic_size: bool = True, size: int = 0, name: str = "TA"):
        super().__init__()
        _check_element(self, dtype, size)
        self.handle_ = tables.TensorArray(dtype, element_shape, dynamic_size, size, name)()
        self.tensor_array_write = tables.TensorArrayWrite()
        self.tensor_array_read = tables.TensorArrayRead(dtype, element_shape)
        self.tensor_array_close = tables.TensorArrayClose()
        self.tensor_array_clear = tables.TensorArrayClear()
        self.tensor_array_stack = tables.TensorArrayStack(dtype, element_shape, dynamic_size, size)
        self.tensor_array_size = tables.TensorArraySize()

    def write(self, index: Any, value: Any):
        """Put a value at a place; True."""
        self.tensor_array_write(self.handle_, index, value)
        return True

    def read(self, index: Any):
        """The element at a place."""
        return self.tensor_array_read(self.handle_, index)

    def stack(self):
        """All elements as one Tensor."""
        return self.tensor_array_stack(self.handle_)

    def size(self):
        """The number of elements."""
        return self.tensor_array_size(self.handle_)

    def clear(self):
        """Take everything out; True."""
        self.tensor_array_clear(self.handle_)
        return True

    def close(self):
        """End the array; True."""
        self.tensor_array_close(self.handle_)
        return True


class TensorsQueue(Cell):
    """A queue of tuples of Tensors, on the host.

    Args:
        dtype: of all Tensors. shapes: of those of a tuple. size: how many tuples it holds; 0: any number. name: accepted.
    """

    @checked
    def __init__(self, dtype: "Type", shapes: Annotated[Any, NonEmpty], size: Like[int] = 0, name: Like[str] = "TQ"):
        super().__init__()
        _check_element(self, dtype, size)
        self.handle_ = tables.TensorsQueueCreate(dtype, shapes, size, name)()
        self.tensors_q_put = tables.TensorsQueuePut(dtype, shapes)
        self.tensors_q_get = tables.TensorsQueueGet(dtype, shapes)
        self.tensors_q_pop = tables.TensorsQueueGet(dtype, shapes, pop_after_get=True)
        self.tensors_q_clear = tables.TensorsQueueClear()
        self.tensors_q_close = tables.TensorsQueueClose()
        self.tensors_q_size = tables.TensorsQueueSize()

    def put(self, element: Any):
        """Put a tuple at the end; True."""
        self.tensors_q_put(self.handle_, element)
        return True

    def get(self):
        """The first tuple."""
        return self.tensors_q_get(self.handle_)

    def pop(self):
        """The first tuple, which leaves the queue."""
        return self.tensors_q_pop(self.handle_)

    def size(self):
        """The number of tuples."""
        return self.tensors_q_size(self.handle_)

    def clear(self):
        """Take everything out; True."""
        self.tensors_q_clear(self.handle_)
        return True

    def close(self):
        """End the queue; True."""
        self.tensors_q_close(self.handle_)
        return True


class BatchWrite(Cell):
    """(targets, sources): each Parameter of the first tuple takes the value of the one in the second; True."""

    def construct(self, dst: "Tensor", src: "Tensor"):
        tables.BatchAssign()(dst, src)
        return True


class BatchRead(BatchWrite):
    __doc__ = BatchWrite.__doc__

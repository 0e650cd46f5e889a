"""Properties of a Tensor that are known while Python runs: shape, dtype, rank, size, strides."""

from typing import Any

import numpy as np

from ...core.operators import views
from ...core.operators.record import composite
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Axis
from ...core.values.tensor import Tensor


# --- what is known of the shape while Python runs
@composite(
    prim=Prim("Shape", call=args("input_x"), to={"input_x": "input"}),
    ops=(Face("shape", args("input_x"), to={"input_x": "input"}), Face("shape_", args("x"), to={"x": "input"})),
)
def shape(input: Array):
    """Lengths of the axes, as a tuple of ints.

    Example:
        >>> ops.shape(Tensor([[1, 2]]))
        (1, 2)
    """
    _need_tensor("Shape", input)
    return tuple(input.shape)


@composite(
    prim=(
        Prim("TensorShape", call=args("input_x"), to={"input_x": "input"}),
        Prim("DynamicShape", init=args(dtype=9), call=args("input_x"), to={"input_x": "input"}, unused=("dtype",)),
    ),
    ops=Face("dyn_shape", args("input_x"), to={"input_x": "input"}),
    name="dyn_shape",
)
def dyn_shape(input: Array) -> Array:
    """Lengths of the axes, as an int64 Tensor.

    Example:
        >>> print(ops.dyn_shape(Tensor([[1, 2]])))
        [1 2]
    """
    _need_tensor("TensorShape", input)
    return Tensor(np.array(input.shape, np.int64))


@composite(prim=Prim("DType"), ops=True)
def dtype(x: Any):
    """The dtype of a Tensor."""
    if not hasattr(x, "to_tuple"):  # a sparse Tensor has it
        _need_tensor("DType", x)
    return x.dtype


@composite(
    prim=Prim("Rank", call=args("x"), to={"x": "input"}),
    ops=Face("rank", args("input_x"), to={"input_x": "input"}),
    tensor="ndimension",
)
def rank(input: Array):
    """Number of axes, as an int.

    Example:
        >>> ops.rank(Tensor([[1, 2]]))
        2
    """
    _need_tensor("Rank", input)
    return input.ndim


@composite(ops=False, tensor="dim", name="dim_method")
def dim_method(self: Array, *ignored: Any):
    """Number of axes, as an int; MindSpore drops whatever it is given."""
    return self.ndim


@composite(
    prim=Prim("Size", call=args("input_x"), to={"input_x": "input"}),
    ops=(Face("size", args("input_x"), to={"input_x": "input"}), "numel"),
    tensor=("numel", "nelement"),
)
def size(input: Array):
    """Number of elements, as an int.

    Example:
        >>> ops.size(Tensor([[1, 2]]))
        2
    """
    _need_tensor("Size", input)
    return input.size


@composite(ops=False, tensor="stride")
def stride(self: Array, dim: Axis = None):
    """Elements to step along each axis (or one) of the memory, a list; of a view, of the memory that it looks into.

    Example:
        >>> Tensor([[1, 2, 3], [4, 5, 6]]).T.stride()
        [1, 3]
    """
    steps = views.layout(self)[0]
    return list(steps) if dim is None else steps[dim]


@composite(ops=False, tensor="storage_offset")
def storage_offset(self: Array) -> int:
    """The position of the first element in its memory: not 0 for a view such as x[1]."""
    return views.layout(self)[1]


@composite(ops=False, tensor="is_contiguous")
def is_contiguous(self: Array) -> bool:
    """Whether the elements are contiguous in memory: not for a view such as x.T.

    Example:
        >>> Tensor([[1, 2], [3, 4]]).T.is_contiguous()
        False
    """
    return views.is_contiguous(self)


@composite(ops=False, tensor="contiguous")
def contiguous(self: Array) -> Array:
    """The Tensor itself; of a view that is not contiguous, a copy that is."""
    return self if is_contiguous(self) else self.value()


def _need_tensor(name, value):
    if not isinstance(value, Tensor):
        raise TypeError(f"For '{name}', the 'input' must be a Tensor, but got {type(value).__name__}.")

"""Softmax and its relatives as layers."""

from typing import Annotated

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import Like, Rank
from ...core.values.tensor import Tensor
from ..cell.cell import Cell


class Softmax(Cell):
    """exp(x) / sum(exp(x)) along `axis` (an int, or a tuple of them).

    Example:
        >>> print(nn.Softmax()(Tensor([1.0, 2.0])))
        [0.26894143 0.7310586 ]
    """

    @checked
    def __init__(self, axis: int | tuple | None = -1):
        super().__init__()
        self.axis = axis

    def construct(self, input: Tensor) -> Tensor:
        return ops.softmax(input, self.axis)


class LogSoftmax(Cell):
    """log(softmax(x)) along `axis`.

    Example:
        >>> print(nn.LogSoftmax()(Tensor([1.0, 2.0])))
        [-1.3132616  -0.31326163]
    """

    @checked
    def __init__(self, axis: Like[int] = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return ops.log_softmax(x, self.axis)


class LogSoftmaxExt(Cell):
    """`mint.nn.LogSoftmax`: log(softmax(x)) along `dim`; None is 0 for 0, 1 and 3 axes, else 1.

    Example:
        >>> print(mint.nn.LogSoftmax(dim=-1)(Tensor([1.0, 2.0])))
        [-1.3132616  -0.31326163]
    """

    @checked
    def __init__(self, dim: Like[int | None] = None):
        super().__init__()
        self.dim = dim

    def construct(self, x: Tensor) -> Tensor:
        return ops.log_softmax(x, (0 if x.ndim in (0, 1, 3) else 1) if self.dim is None else self.dim)


class Softmin(Cell):
    """softmax(-x) along `axis`.

    Example:
        >>> print(nn.Softmin()(Tensor([1.0, 2.0])))
        [0.7310586  0.26894143]
    """

    @checked
    def __init__(self, axis: Like[int | tuple[int, ...]] = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return ops.softmin(x, self.axis)


class Softmax2d(Cell):
    """softmax over the channels of (N, C, H, W) or (C, H, W).

    Raises:
        ValueError: x has neither 3 nor 4 axes.

    Example:
        >>> print(nn.Softmax2d()(Tensor(np.ones((1, 2, 2, 2), np.float32))))
        [[[[0.5 0.5]
           [0.5 0.5]]
        <BLANKLINE>
          [[0.5 0.5]
           [0.5 0.5]]]]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, x: Annotated[Tensor, Rank(3, 4)]) -> Tensor:
        return ops.softmax(x, -3)

"""Mathematical layers: sums of exponentials, ranges, gamma functions, products, moments, similarity."""

from typing import Annotated

import numpy as np

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import Holding, Like, That
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell


class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) over `axis`, without overflow.

    Raises:
        TypeError: an argument of the wrong kind.

    Example:
        >>> print(nn.ReduceLogSumExp(0)(Tensor([1.0, 2.0])))
        2.3132615
    """

    @checked
    def __init__(self, axis: int | tuple | list, keep_dims: bool = False):
        super().__init__()
        self.axis = axis
        self.keep_dims = keep_dims

    def construct(self, x: Tensor) -> Tensor:
        axis = tuple(range(x.ndim)) if self.axis in ((), []) else self.axis
        return ops.logsumexp(x, axis if isinstance(axis, int) else tuple(axis), self.keep_dims)


class Range(Cell):
    """The numbers start, start + delta, ... below `limit`, made once; from 0 to `start` without `limit`.

    Raises:
        ValueError: `delta` is 0.

    Example:
        >>> print(nn.Range(1, 8, 2)())
        [1 3 5 7]
    """

    @checked
    def __init__(
        self,
        start: Like[float],
        limit: Like[float | None] = None,
        delta: Annotated[Like[float], That("except 0", lambda delta: delta != 0)] | None = 1,
    ):
        super().__init__()
        data = np.arange(start, limit, delta)
        self.result_tensor = Tensor(data, dtype=mstype.float32 if data.dtype == np.float64 else mstype.int32)

    def construct(self) -> Tensor:
        return self.result_tensor


HalfOrSingle = Annotated[Tensor, Holding("float16", "float32")]


def _check_floats(cell, dtypes, **inputs):
    kinds = {}
    for what, value in inputs.items():
        check.check_type_name(what, value.dtype, dtypes, cell.cls_name)
        kinds[what] = value.dtype
    if len(set(kinds.values())) > 1:
        raise TypeError(f"For '{cell.cls_name}', the dtypes of the inputs must be the same, but got {kinds}.")


class LGamma(Cell):
    """Logarithm of the absolute value of the gamma function.

    Raises:
        TypeError: x is neither float16 nor float32.

    Example:
        >>> print(nn.LGamma()(Tensor([2.0, 3.0])))
        [0.        0.6931474]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, x: HalfOrSingle) -> Tensor:
        return ops.lgamma(x)


class DiGamma(Cell):
    """Derivative of the logarithm of the gamma function.

    Raises:
        TypeError: x is neither float16 nor float32.

    Example:
        >>> print(nn.DiGamma()(Tensor([2.0, 3.0])))
        [0.42278463 0.92278427]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, x: HalfOrSingle) -> Tensor:
        return ops.digamma(x)


class IGamma(Cell):
    """Lower regularized incomplete gamma function P(a, x).

    Raises:
        TypeError: an input is not float32.

    Example:
        >>> print(nn.IGamma()(Tensor([2.0]), Tensor([3.0])))
        [0.8008517]
    """

    def __init__(self):
        super().__init__()

    def construct(self, a: Tensor, x: Tensor) -> Tensor:
        _check_floats(self, [mstype.float32], a=a, x=x)
        return ops.igamma(a, x)


class LBeta(Cell):
    """log(gamma(x) gamma(y) / gamma(x + y)): the logarithm of the beta function, for positive x and y.

    Raises:
        TypeError: an input is neither float16 nor float32, or the two differ.

    Example:
        >>> print(nn.LBeta()(Tensor([2.0]), Tensor([3.0])))
        [-2.4849074]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor, y: Tensor) -> Tensor:
        _check_floats(self, [mstype.float16, mstype.float32], x=x, y=y)
        x, y = ops.minimum(x, y), ops.maximum(x, y)
        # lgamma(y) - lgamma(x + y) of large y by Stirling's series: the difference of two large numbers would lose all
        # digits
        large = y > 8
        safe = ops.where(large, y, ops.full_like(y, 8.0))
        leading = (x + safe - 0.5) * ops.log1p(x / safe) + x * ops.log(safe) - x
        difference = _stirling_rest(safe) - _stirling_rest(safe + x) - leading
        return ops.lgamma(x) + ops.where(large, difference, ops.lgamma(y) - ops.lgamma(x + y))


def _stirling_rest(x):
    """lgamma(x) minus its leading terms (x - 1/2) log x - x + log(2 pi) / 2, for x of at least 8."""
    square = 1 / (x * x)
    return (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square / 1680))) / x


class MatMul(Cell):
    """Matrix product with broadcast batch axes; `transpose_x1` and `transpose_x2` swap the last two axes first.

    Raises:
        TypeError: an argument is not a bool.

    Example:
        >>> nn.MatMul()(Tensor(np.ones((2, 3), np.float32)), Tensor(np.ones((3, 4), np.float32))).shape
        (2, 4)
    """

    @checked
    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False):
        super().__init__()
        self.transpose_x1 = transpose_x1
        self.transpose_x2 = transpose_x2

    def construct(self, x1: Tensor, x2: Tensor) -> Tensor:
        x1 = x1.swapaxes(-2, -1) if self.transpose_x1 and x1.ndim > 1 else x1
        x2 = x2.swapaxes(-2, -1) if self.transpose_x2 and x2.ndim > 1 else x2
        return ops.matmul(x1, x2)


class CosineSimilarity(Cell):
    """Cosine of the angle between vectors along `dim`; `eps` keeps the divisor from 0.

    Raises:
        TypeError: an input is not a Tensor.

    Example:
        >>> print(nn.layer.CosineSimilarity()(Tensor([[1.0, 2.0]]), Tensor([[2.0, 1.0]])))
        [0.8]
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8):
        super().__init__()
        self.dim, self.eps = dim, eps

    def construct(self, x1: Tensor, x2: Tensor):
        for what, value in (("x1", x1), ("x2", x2)):
            if not isinstance(value, Tensor):
                raise TypeError(f"For '{self.cls_name}', the '{what}' must be a Tensor, but got {type(value)}.")
        squares = (x1 * x1).sum(self.dim) * (x2 * x2).sum(self.dim)
        return (x1 * x2).sum(self.dim) / ops.sqrt(ops.clamp(squares, min=self.eps * self.eps))


class Moments(Cell):
    """(mean, variance) over `axis`, all axes by default.

    Raises:
        TypeError: an argument of the wrong kind, or x neither float16 nor float32.

    Example:
        >>> nn.Moments()(Tensor([1.0, 3.0]))
        (Tensor(shape=[], dtype=Float32, value= 2), Tensor(shape=[], dtype=Float32, value= 1))
    """

    @checked
    def __init__(self, axis: int | tuple[int, ...] | None = None, keep_dims: bool | None = None):
        super().__init__()
        axis = () if axis is None else axis
        self.axis = axis
        self.keep_dims = bool(keep_dims)

    @checked
    def construct(self, x: HalfOrSingle):
        axis = tuple(range(x.ndim)) if self.axis == () else self.axis
        wide = x.astype(mstype.float32)
        mean = wide.mean(axis, keep_dims=True)
        variance = ops.square(wide - ops.stop_gradient(mean)).mean(axis, keep_dims=True)
        if not self.keep_dims:
            mean, variance = mean.squeeze(axis), variance.squeeze(axis)
        return mean.astype(x.dtype), variance.astype(x.dtype)


class MatInverse(Cell):
    """Inverses of symmetric positive definite matrices.

    Raises:
        TypeError: the input is neither float16 nor float32.

    Example:
        >>> print(nn.MatInverse()(Tensor([[4.0, 0.0], [0.0, 2.0]])))
        [[0.25 0.  ]
         [0.   0.5 ]]
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, a: HalfOrSingle) -> Tensor:
        return ops.inverse(a.astype(mstype.float32)).astype(a.dtype)


class MatDet(Cell):
    """Determinants of symmetric positive definite matrices.

    Raises:
        TypeError: the input is neither float16 nor float32.

    Example:
        >>> print(nn.MatDet()(Tensor([[4.0, 0.0], [0.0, 2.0]])))
        8.0
    """

    def __init__(self):
        super().__init__()

    @checked
    def construct(self, a: HalfOrSingle) -> Tensor:
        return ops.det(a.astype(mstype.float32)).astype(a.dtype)


__all__ = [
    "DiGamma",
    "IGamma",
    "LBeta",
    "LGamma",
    "MatDet",
    "MatInverse",
    "MatMul",
    "Moments",
    "Range",
    "ReduceLogSumExp",
]

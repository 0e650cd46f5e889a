"""Dense layers, dropout, and small layers that shape or measure their input."""

import math
from typing import Annotated, Any

from ... import ops
from ...core.keywords import old_keywords
from ...core.operators.casts import by_lists
from ...core.spec.checking import checked
from ...core.spec.rules import Holding, Like, PositiveInt, PositiveReal, Within
from ...core.values import dtype as mstype
from ...core.values.dtype import Type
from ...core.values.initializer import HeUniform, Uniform, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import Activation, DType, Init
from ..cell.cell import Cell
from ..lazy_operator import Served
from .activation import activation_of
from .bias import with_bias


class Identity(Cell):
    """Returns its input; any arguments of the constructor are ignored.

    Example:
        >>> print(nn.Identity()(Tensor([1.0])))
        [1.]
    """

    def __init__(self, *args, **kwargs):
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return input


def dense_parameters(
    cell: Cell,
    n_in: int,
    n_out: int,
    weight_init: Any,
    bias_init: Any,
    has_bias: bool,
    dtype: Type,
    out_name: str = "out_channels",
    in_name: str = "in_channels",
):
    """Give `cell` the Parameters `weight` (n_out, n_in) and `bias` (n_out,); without a bias the attribute is None."""
    if isinstance(weight_init, Tensor) and weight_init.shape != (n_out, n_in):
        raise ValueError(
            f"For '{cell.cls_name}', the shape of 'weight_init' must be ('{out_name}', '{in_name}') = ({n_out}, "
            f"{n_in}), but got {weight_init.shape}."
        )
    weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
    cell.weight = Parameter(initializer(weight_init, [n_out, n_in], dtype=dtype), name="weight")
    cell.bias = None
    if has_bias:
        if isinstance(bias_init, Tensor) and bias_init.shape != (n_out,):
            raise ValueError(
                f"For '{cell.cls_name}', the shape of 'bias_init' must be ('{out_name}',) = ({n_out},), "
                f"but got {bias_init.shape}."
            )
        bias_init = Uniform(scale=1 / math.sqrt(n_in)) if bias_init is None else bias_init
        cell.bias = Parameter(initializer(bias_init, [n_out], dtype=dtype), name="bias")


class Dense(Cell):
    """activation(x @ weight.T + bias) over the last axis.

    Args:
        in_channels, out_channels: sizes of the last axis before and after.
        weight_init: initializer of the weight (out_channels, in_channels); uniform within 1 / sqrt(in_channels) by
        default.
        bias_init: initializer of the bias (out_channels,); the same by default.
        has_bias: whether there is a bias.
        activation: None, a name such as "relu", a Cell or a Primitive.
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument of the wrong kind, or initial Tensors of the wrong shape.

    Example:
        >>> nn.Dense(3, 4, activation="relu")(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    matmul = Served(lambda self: ops.MatMul(transpose_b=True))
    bias_add = Served(lambda self: ops.BiasAdd())
    reshape = Served(lambda self: ops.Reshape())
    shape_op = Served(lambda self: ops.Shape())

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init: Init = None,
        bias_init: Init = None,
        has_bias: bool = True,
        activation: Activation = None,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.has_bias = has_bias
        dense_parameters(self, in_channels, out_channels, weight_init, bias_init, has_bias, dtype)
        self.activation = activation_of(self, activation)
        self.activation_flag = self.activation is not None

    def construct(self, x: Tensor) -> Tensor:
        if not self.activation_flag and not by_lists():
            return ops.dense(x, self.weight, self.bias)
        shape = x.shape  # a bias added apart, and an activation along an axis, mean the axes of (rows, channels)
        out = with_bias(ops.dense, x if len(shape) == 2 else x.reshape(-1, shape[-1]), self.weight, self.bias)
        if self.activation_flag:
            out = self.activation(out)
        return out if len(shape) == 2 else out.reshape(*shape[:-1], out.shape[-1])

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}"
            + (", has_bias=True" if self.has_bias else "")
            + (f", activation={self.activation}" if self.activation_flag else "")
        )


class Linear(Cell):
    """`mint.nn.Linear`: x @ weight.T + bias over the last axis.

    Example:
        >>> mint.nn.Linear(3, 4)(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    @checked
    def __init__(
        self,
        in_features: PositiveInt,
        out_features: PositiveInt,
        bias: bool = True,
        weight_init: Init = None,
        bias_init: Init = None,
        dtype: DType = None,
    ):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.has_bias = bias
        dense_parameters(
            self,
            in_features,
            out_features,
            weight_init,
            bias_init,
            bias,
            dtype or mstype.float32,
            "out_features",
            "in_features",
        )

    def construct(self, x: Tensor) -> Tensor:
        return ops.dense(x, self.weight, self.bias)

    def extend_repr(self):
        return f"input_features={self.in_features}, output_features={self.out_features}" + (
            ", has_bias=True" if self.has_bias else ""
        )


class Flatten(Cell):
    """The axes from `start_dim` to `end_dim` made into one.

    Raises:
        ValueError: an axis is out of range.

    Example:
        >>> nn.Flatten()(Tensor(np.ones((2, 3, 4), np.float32))).shape
        (2, 12)
    """

    @checked
    def __init__(self, start_dim: Like[int] = 1, end_dim: Like[int] = -1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x: Tensor):
        n = max(x.ndim, 1)
        for axis in (self.start_dim, self.end_dim):
            if not -n <= axis < n:
                raise ValueError(
                    f"For '{self.cls_name}', 'start_dim' or 'end_dim' out of range: {self.start_dim}, "
                    f"{self.end_dim} for shape {x.shape}."
                )
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Unflatten(Cell):
    """Splits one axis into several: `unflattened_size` (a tuple or list of ints) replaces the length of `axis`.

    Example:
        >>> nn.Unflatten(1, (2, 3))(Tensor(np.ones((4, 6), np.float32))).shape
        (4, 2, 3)
    """

    @checked
    def __init__(self, axis: int, unflattened_size: tuple | list):
        super().__init__()
        self.axis = axis
        self.unflattened_size = tuple(unflattened_size)

    def construct(self, input_x: Tensor):
        shape, axis = input_x.shape, self.axis
        return input_x.reshape(*shape[:axis], *self.unflattened_size, *(shape[axis + 1 :] if axis != -1 else ()))


# --- dropout
class Dropout(Cell):
    """In training, sets each element to 0 with probability `p` and divides the others by 1 - p; otherwise the identity.

    Args:
        keep_prob: probability that an element stays, in (0, 1]; used when `p` is None (the 1.x spelling).
        p: probability that an element is dropped, in [0, 1).
        dtype: accepted; the input's dtype is kept.

    Raises:
        TypeError, ValueError: `keep_prob` is not a float in (0, 1], or `p` is not a number in [0, 1).

    Example:
        >>> nn.Dropout(p=0.2).set_train()(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 3)
    """

    dropout = Served(lambda self: ops.Dropout(self.keep_prob if self.p is None else 1.0 - self.p))

    @old_keywords(seed0=None, seed1=None)
    @checked
    def __init__(
        self,
        keep_prob: Annotated[float, Within("(0, 1]")] = 0.5,
        p: Annotated[int | float, Within("[0, 1)")] | None = None,
        dtype: Like[Type] = mstype.float32,
    ):
        super().__init__()
        self.p, self.keep_prob = p, keep_prob

    def construct(self, x: Tensor) -> Tensor:
        if not self.training or self.keep_prob == 1 or self.p == 0:
            return x
        return ops.dropout(x, 1 - self.keep_prob if self.p is None else self.p)

    def extend_repr(self):
        return f"keep_prob={self.keep_prob}" if self.p is None else f"p={self.p}"


class DropoutExt(Cell):
    """`mint.nn.Dropout`: as Dropout(p=p).

    Example:
        >>> mint.nn.Dropout(0.2).set_train()(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 3)
    """

    @checked
    def __init__(self, p: Like[float] = 0.5, inplace: Like[bool] = False):
        super().__init__()
        self.p, self.inplace = p, inplace

    def construct(self, input: Tensor):
        if not self.training or self.p == 0:
            return input
        return self._finish(input, self._drop(input))

    def _drop(self, input):
        return ops.dropout(input, self.p)

    def _finish(self, input, out):
        if self.inplace:
            input.assign_value(out)
        return out


class Dropout2dExt(DropoutExt):
    """`mint.nn.Dropout2d`: whole channels of (N, C, ...) are dropped.

    Example:
        >>> mint.nn.Dropout2d(0.2).set_train()(Tensor(np.ones((2, 3, 2, 2), np.float32))).shape
        (2, 3, 2, 2)
    """

    def _drop(self, input):
        return ops.dropout2d(input, self.p)


class _DropoutNd(Cell):
    """Drops whole channels in training."""

    @checked
    def __init__(self, p: Annotated[float, Within("[0, 1]")] = 0.5):
        super().__init__()
        self.prob, self.keep_prob = p, 1.0 - p

    def construct(self, x) -> Tensor:
        return x if not self.training or self.prob == 0 else self._drop(x, self.prob)


class Dropout1d(_DropoutNd):
    """In training, sets whole channels of (N, C, L) or (C, L) to 0 with probability `p`.

    Example:
        >>> nn.Dropout1d(0.5).set_train()(Tensor(np.ones((2, 3, 4), np.float32))).shape
        (2, 3, 4)
    """

    def _drop(self, x, p):
        return ops.dropout1d(x, p)


class Dropout2d(_DropoutNd):
    """In training, sets whole channels of (N, C, H, W) to 0 with probability `p`.

    Example:
        >>> nn.Dropout2d(0.5).set_train()(Tensor(np.ones((2, 3, 4, 4), np.float32))).shape
        (2, 3, 4, 4)
    """

    def _drop(self, x, p):
        return ops.dropout2d(x, p)

    def extend_repr(self):
        return f"p={self.keep_prob}"  # as MindSpore prints it


class Dropout3d(Dropout2d):
    """In training, sets whole channels of (N, C, D, H, W) to 0 with probability `p`.

    Example:
        >>> nn.Dropout3d(0.5).set_train()(Tensor(np.ones((2, 3, 2, 4, 4), np.float32))).shape
        (2, 3, 2, 4, 4)
    """

    def _drop(self, x, p):
        return ops.dropout3d(x, p)


# --- norms and one-hot
class L1Regularizer(Cell):
    """scale * sum(|weights|).

    Raises:
        TypeError, ValueError: `scale` is not a finite number greater than 0.

    Example:
        >>> print(nn.L1Regularizer(0.5)(Tensor([1.0, -2.0])))
        1.5
    """

    @checked
    def __init__(self, scale: PositiveReal):
        super().__init__()
        self.scale = Tensor(scale, dtype=mstype.float32)

    @checked
    def construct(self, weights: Annotated[Tensor, Holding(but="bool")]):
        return self.scale * ops.abs(weights).sum()


class ClipByNorm(Cell):
    """x scaled down so that its L2 norm over `axis` is at most `clip_norm`.

    Example:
        >>> print(nn.ClipByNorm()(Tensor([3.0, 4.0]), Tensor(1.0)))
        [0.6 0.8]
    """

    @checked
    def __init__(self, axis: int | tuple[int, ...] | list | None = None):
        super().__init__()
        self.axis = axis

    @checked
    def construct(self, x: Annotated[Tensor, Holding("float16", "bfloat16", "float32")], clip_norm: Tensor):
        axis = tuple(range(x.ndim)) if self.axis is None else self.axis
        squares = ops.square(x.astype(mstype.float32)).sum(axis, keepdims=True)
        norm = ops.sqrt(
            ops.where(squares > 0, squares, ops.ones_like(squares))
        )  # the gradient of sqrt at 0 is infinite
        return x.astype(squares.dtype) * clip_norm / ops.maximum(ops.where(squares > 0, norm, squares), clip_norm)


class Norm(Cell):
    """Square root of the sum of squares over `axis`.

    Example:
        >>> print(nn.Norm(axis=0)(Tensor([3.0, 4.0])))
        5.0
    """

    @checked
    def __init__(self, axis: bool | int | tuple | list | None = (), keep_dims: bool = False):
        super().__init__()
        self.axis, self.keep_dims = axis, keep_dims

    def construct(self, x: Tensor):
        axis = tuple(range(x.ndim)) if self.axis in ((), []) else self.axis
        return ops.sqrt(ops.square(x).sum(axis, keepdims=self.keep_dims))

    def extend_repr(self):
        return f"axis={self.axis}, keep_dims={self.keep_dims}"


class OneHot(Cell):
    """`on_value` at the position that each index names on a new axis of size `depth`, `off_value` elsewhere.

    Example:
        >>> print(nn.OneHot(depth=3)(Tensor([0, 2], mindspore.int32)))
        [[1. 0. 0.]
         [0. 0. 1.]]
    """

    @checked
    def __init__(
        self,
        axis: Like[int] = -1,
        depth: Like[int] = 1,
        on_value: Like[float] = 1.0,
        off_value: Like[float] = 0.0,
        dtype: Like[Type] = mstype.float32,
    ):
        super().__init__()
        self.axis, self.depth, self.dtype = axis, depth, dtype
        self.on_value, self.off_value = on_value, off_value

    def construct(self, indices: Tensor):
        return ops.one_hot(
            indices, self.depth, Tensor(self.on_value, self.dtype), Tensor(self.off_value, self.dtype), self.axis
        )


__all__ = [
    "ClipByNorm",
    "Dense",
    "Dropout",
    "Dropout1d",
    "Dropout2d",
    "Dropout2dExt",
    "Dropout3d",
    "DropoutExt",
    "Flatten",
    "Identity",
    "L1Regularizer",
    "Linear",
    "Norm",
    "OneHot",
    "Unflatten",
]

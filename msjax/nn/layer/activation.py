"""Activation functions as Cells."""

from typing import Any, Literal

import numpy as np

from ... import ops
from ...core.operators.primitive import Primitive
from ...core.spec.checking import checked
from ...core.spec.rules import Like, NonNegativeInt, PositiveInt
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import DType, Init
from ..cell.cell import Cell
from .softmaxes import LogSoftmax, LogSoftmaxExt, Softmax, Softmax2d, Softmin


class ReLU(Cell):
    """max(x, 0), elementwise.

    Example:
        >>> print(nn.ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return ops.relu(input)


class ReLU6(Cell):
    """min(max(x, 0), 6), elementwise.

    Example:
        >>> print(nn.ReLU6()(Tensor([-1.0, 8.0])))
        [0. 6.]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu6(x)


class LeakyReLU(Cell):
    """x if it is positive, else `alpha` * x.

    Example:
        >>> print(nn.LeakyReLU(0.1)(Tensor([-1.0, 2.0])))
        [-0.1  2. ]
    """

    @checked
    def __init__(self, alpha: Like[float] = 0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return ops.leaky_relu(x, self.alpha)


class RReLU(Cell):
    """x if it is positive, else x times a random number of [lower, upper).

    Raises:
        TypeError: `lower` or `upper` is not a number. ValueError: `lower` is greater than `upper`.

    Example:
        >>> nn.RReLU()(Tensor([-1.0, 2.0])).shape
        (2,)
    """

    @checked
    def __init__(self, lower: int | float = 1 / 8, upper: int | float = 1 / 3):
        super().__init__()
        if lower > upper:
            raise ValueError(
                f"For '{self.cls_name}', the 'lower' must be at most 'upper', but got lower {lower} and upper {upper}."
            )
        self.lower, self.upper = lower, upper

    def construct(self, x: Tensor):
        return ops.rrelu(x, self.lower, self.upper)


class PReLU(Cell):
    """x if it is positive, else w * x; w is a Parameter with one element, or one for each channel (axis 1).

    Args:
        channel: number of elements of w.
        w: float, list of `channel` floats, or Tensor of shape (channel,).

    Raises:
        TypeError, ValueError: `w` is of another kind or length.

    Example:
        >>> print(nn.PReLU()(Tensor([-1.0, 2.0])))
        [-0.25  2.  ]
    """

    @checked
    def __init__(self, channel: PositiveInt = 1, w: Like[float | list | Tensor] = 0.25):
        super().__init__()
        if isinstance(w, (float, np.float32)):
            w = np.full(channel, w, np.float32)
        elif isinstance(w, list):
            if len(w) != channel:
                raise ValueError(
                    f"For '{self.cls_name}', the length of the list 'w' must be 'channel', but got "
                    f"{len(w)} and {channel}."
                )
            if not all(isinstance(v, (float, np.float32)) for v in w):
                raise ValueError(f"For '{self.cls_name}', the elements of the list 'w' must be float, but got {w}.")
            w = np.array(w, np.float32)
        elif isinstance(w, Tensor):
            if w.dtype not in (mstype.float16, mstype.float32):
                raise ValueError(
                    f"For '{self.cls_name}', the dtype of 'w' must be float16 or float32, but got {w.dtype}."
                )
            if w.shape != (channel,):
                raise ValueError(f"For '{self.cls_name}', the shape of 'w' must be ({channel},), but got {w.shape}.")
        else:
            raise TypeError(
                f"For '{self.cls_name}', the 'w' must be float, list or Tensor, but got {type(w).__name__}."
            )
        self.w = Parameter(w if isinstance(w, Tensor) else Tensor(w), name="a")

    def construct(self, x: Tensor) -> Tensor:
        return ops.prelu(x, self.w.astype(x.dtype))


class PReLUExt(Cell):
    """`mint.nn.PReLU`: x if it is positive, else weight * x.

    Example:
        >>> print(mint.nn.PReLU()(Tensor([-1.0, 2.0])))
        [-0.25  2.  ]
    """

    @checked
    def __init__(self, num_parameters: Like[int] = 1, init: Init = 0.25, dtype: DType = None):
        super().__init__()
        self.weight = Parameter(Tensor(np.full(num_parameters, init, np.float32), dtype=dtype), name="weight")

    def construct(self, input: Tensor) -> Tensor:
        return ops.prelu(input, self.weight)


class ELU(Cell):
    """x if it is positive, else alpha * (exp(x) - 1).

    Example:
        >>> print(nn.ELU()(Tensor([-1.0, 2.0])))
        [-0.63212055  2.        ]
    """

    @checked
    def __init__(self, alpha: Like[float] = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return ops.elu(x, self.alpha)


class CELU(Cell):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1)).

    Example:
        >>> print(nn.CELU(2.0)(Tensor([-1.0, 2.0])))
        [-0.78693867  2.        ]
    """

    @checked
    def __init__(self, alpha: Like[float] = 1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x: Tensor) -> Tensor:
        return ops.celu(x, self.alpha)


class SeLU(Cell):
    """Self-normalizing exponential linear unit.

    Example:
        >>> print(nn.SeLU()(Tensor([-1.0, 2.0])))
        [-1.1113307  2.101402 ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.selu(input_x)


class SiLU(Cell):
    """x * sigmoid(x).

    Example:
        >>> print(nn.SiLU()(Tensor([-1.0, 2.0])))
        [-0.26894143  1.761594  ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.silu(x)


class GELU(Cell):
    """Gaussian error linear unit, by tanh (`approximate=True`) or exact.

    Example:
        >>> print(nn.GELU(approximate=False)(Tensor([-1.0, 2.0])))
        [-0.15865527  1.9544997 ]
    """

    @checked
    def __init__(self, approximate: bool = True):
        super().__init__()
        self.approximate = "tanh" if approximate else "none"

    def construct(self, x: Tensor) -> Tensor:
        return ops.gelu(x, approximate=self.approximate)


class FastGelu(Cell):
    """A cheap approximation of GELU.

    Example:
        >>> print(nn.FastGelu()(Tensor([-1.0, 2.0])))
        [-0.15420423  1.9356586 ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.fast_gelu(x)


class Mish(Cell):
    """x * tanh(log(1 + exp(x))).

    Example:
        >>> print(nn.Mish()(Tensor([-1.0, 2.0])))
        [-0.30340144  1.943959  ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.mish(input_x)


class HSwish(Cell):
    """x * relu6(x + 3) / 6.

    Example:
        >>> print(nn.HSwish()(Tensor([-1.0, 2.0])))
        [-0.33333334  1.6666666 ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return ops.hardswish(input)


class HSigmoid(Cell):
    """min(max((x + 3) / 6, 0), 1).

    Example:
        >>> print(nn.HSigmoid()(Tensor([-1.0, 2.0])))
        [0.33333334 0.8333333 ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input: Tensor) -> Tensor:
        return ops.hardsigmoid(input)


class Sigmoid(Cell):
    """1 / (1 + exp(-x)).

    Example:
        >>> print(nn.Sigmoid()(Tensor([-1.0, 2.0])))
        [0.26894143 0.880797  ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.sigmoid(x)


class LogSigmoid(Cell):
    """log(sigmoid(x)).

    Example:
        >>> print(nn.LogSigmoid()(Tensor([-1.0, 2.0])))
        [-1.3132617 -0.126928 ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.logsigmoid(input_x)


class Tanh(Cell):
    """Hyperbolic tangent.

    Example:
        >>> print(nn.Tanh()(Tensor([-1.0, 2.0])))
        [-0.7615942  0.9640276]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(x)


class Tanhshrink(Cell):
    """x - tanh(x).

    Example:
        >>> print(nn.Tanhshrink()(Tensor([-1.0, 2.0])))
        [-0.23840582  1.0359724 ]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanhshrink(x)


class Hardtanh(Cell):
    """x clipped to [min_val, max_val].

    Raises:
        ValueError: `min_val` is not less than `max_val`.

    Example:
        >>> print(nn.Hardtanh()(Tensor([-2.0, 0.5])))
        [-1.   0.5]
    """

    @checked
    def __init__(self, min_val: Like[float] = -1.0, max_val: Like[float] = 1.0):
        super().__init__()
        if min_val >= max_val:
            raise ValueError(
                f"For '{self.cls_name}', the 'min_val' must be less than 'max_val', but got {min_val} and {max_val}."
            )
        self.min_val, self.max_val = min_val, max_val

    def construct(self, x: Tensor) -> Tensor:
        return ops.hardtanh(x, self.min_val, self.max_val)


class Softsign(Cell):
    """x / (1 + |x|).

    Example:
        >>> print(nn.Softsign()(Tensor([-1.0, 2.0])))
        [-0.5        0.6666667]
    """

    def __init__(self):
        super().__init__()

    def construct(self, x: Tensor) -> Tensor:
        return ops.softsign(x)


class SoftShrink(Cell):
    """x moved towards 0 by `lambd`; 0 where |x| is at most `lambd`.

    Example:
        >>> print(nn.SoftShrink()(Tensor([-1.0, 0.2])))
        [-0.5  0. ]
    """

    @checked
    def __init__(self, lambd: bool | int | float | None = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input: Tensor) -> Tensor:
        return ops.softshrink(input, self.lambd)


class HShrink(Cell):
    """x where |x| is greater than `lambd`, 0 elsewhere.

    Example:
        >>> print(nn.HShrink()(Tensor([-1.0, 0.2])))
        [-1.  0.]
    """

    @checked
    def __init__(self, lambd: bool | int | float | None = 0.5):
        super().__init__()
        self.lambd = lambd

    def construct(self, input: Tensor) -> Tensor:
        return ops.hardshrink(input, self.lambd)


class Threshold(Cell):
    """x if it is greater than `threshold`, else `value`.

    Example:
        >>> print(nn.Threshold(0.1, 20)(Tensor([0.0, 0.2])))
        [20.   0.2]
    """

    @checked
    def __init__(self, threshold: Like[float], value: Like[float]):
        super().__init__()
        self.threshold, self.value = threshold, value

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.threshold(input_x, self.threshold, self.value)


class GLU(Cell):
    """The first half of x along `axis` times sigmoid of the second half.

    Example:
        >>> print(nn.GLU()(Tensor([[1.0, 2.0, 3.0, 4.0]])))
        [[0.95257413 1.9640275 ]]
    """

    @checked
    def __init__(self, axis: Like[int] = -1):
        super().__init__()
        self.axis = axis

    def construct(self, x: Tensor) -> Tensor:
        return ops.glu(x, self.axis)


class LRN(Cell):
    """Local response normalization over neighbouring channels (Krizhevsky et al., 2012).

    Example:
        >>> print(nn.LRN()(Tensor(np.ones((1, 4, 1, 1), np.float32))))
        [[[[0.4472136]]
        <BLANKLINE>
          [[0.4472136]]
        <BLANKLINE>
          [[0.4472136]]
        <BLANKLINE>
          [[0.4472136]]]]
    """

    @checked
    def __init__(
        self,
        depth_radius: NonNegativeInt = 5,
        bias: float = 1.0,
        alpha: float = 1.0,
        beta: float = 0.5,
        norm_region: Literal["ACROSS_CHANNELS"] = "ACROSS_CHANNELS",
    ):
        super().__init__()
        self.depth_radius, self.bias, self.alpha, self.beta = depth_radius, bias, alpha, beta
        self.norm_region = norm_region

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.lrn(input_x, self.depth_radius, self.bias, self.alpha, self.beta, self.norm_region)


_activation = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "logsoftmaxExt": LogSoftmaxExt,
    "relu": ReLU,
    "relu6": ReLU6,
    "rrelu": RReLU,
    "silu": SiLU,
    "tanh": Tanh,
    "tanhshrink": Tanhshrink,
    "hardtanh": Hardtanh,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "softsign": Softsign,
    "prelu": PReLU,
    "preluExt": PReLUExt,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink,
    "hshrink": HShrink,
    "threshold": Threshold,
    "mish": Mish,
}


def get_activation(name: str, prim_name: str | None = None):
    """The activation Cell for a name such as "relu" or "softmax"; None for None.

    Raises:
        KeyError: no activation has this name.

    Example:
        >>> nn.get_activation("relu")
        ReLU()
    """
    if name is None:
        return None
    if name not in _activation:
        start = f"For '{prim_name}', the" if prim_name else "The"
        raise KeyError(f"{start} 'name' must be in {list(_activation)}, but got {name}.")
    return _activation[name]()


def activation_of(cell: Cell, activation: Any):
    """The activation of a layer, given as a name, a Cell, a Primitive or None.

    Raises:
        KeyError: no activation has this name.
        TypeError: any other object.
    """
    if isinstance(activation, str):
        return get_activation(activation)
    if activation is not None and not isinstance(activation, (Cell, Primitive)):
        raise TypeError(
            f"For '{cell.cls_name}', the 'activation' must be str, Cell or Primitive, but got {type(activation).__name__}."
        )
    return activation


__all__ = [*sorted({cls.__name__ for cls in _activation.values()} | {"CELU", "GLU", "LRN", "SeLU"}), "get_activation"]

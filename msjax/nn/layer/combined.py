"""Layers made of others: with normalization and activation, bilinear, distributed over time."""

import math
from typing import Annotated

from ... import ops
from ...core.operators.primitive import Primitive
from ...core.spec.checking import checked
from ...core.spec.rules import Like, PositiveInt, Rank, TypedPair
from ...core.values import dtype as mstype
from ...core.values.initializer import Uniform, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import Activation, DType, Init, PadMode
from ..cell.cell import Cell
from .activation import LeakyReLU, activation_of
from .basic import Dense
from .conv import Conv2d
from .normalization import BatchNorm1d, BatchNorm2d


class _BnAct(Cell):
    """A layer, then batch normalization and an activation if asked for."""

    def _set(self, normalization, out_channels, has_bn, momentum, eps, activation, alpha, after_fake):
        self.has_bn = has_bn
        self.has_act = activation is not None
        self.after_fake = after_fake
        if has_bn:
            self.batchnorm = normalization(out_channels, eps, momentum)
        if activation == "leakyrelu":
            self.activation = LeakyReLU(alpha)
            return
        self.activation = activation_of(self, activation)

    def _finish(self, x):
        x = self.batchnorm(x) if self.has_bn else x
        return self.activation(x) if self.has_act else x


class Conv2dBnAct(_BnAct):
    """Conv2d, then BatchNorm2d (`has_bn`) and an activation (a name, a Cell or a Primitive); arguments as for these.

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> nn.Conv2dBnAct(3, 8, 3, has_bn=True, activation="relu")(Tensor(np.ones((1, 3, 4, 4), np.float32))).shape
        (1, 8, 4, 4)
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: TypedPair[PositiveInt],
        stride: TypedPair[PositiveInt] = 1,
        pad_mode: PadMode = "same",
        padding: Like[int | tuple] = 0,
        dilation: TypedPair[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bn: bool = False,
        momentum: Like[float] = 0.997,
        eps: Like[float] = 1e-5,
        activation: Activation = None,
        alpha: Like[float] = 0.2,
        after_fake: bool = True,
    ):
        super().__init__()
        self.conv = Conv2d(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            pad_mode,
            padding,
            dilation,
            group,
            has_bias,
            weight_init,
            bias_init,
        )
        self._set(BatchNorm2d, out_channels, has_bn, momentum, eps, activation, alpha, after_fake)

    def construct(self, x: Tensor) -> Tensor:
        return self._finish(self.conv(x))


class DenseBnAct(_BnAct):
    """Dense, then BatchNorm1d (`has_bn`) and an activation (a name, a Cell or a Primitive); arguments as for these.

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> nn.DenseBnAct(3, 4, has_bn=True, activation="relu")(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
        has_bn: bool = False,
        momentum: Like[float] = 0.9,
        eps: Like[float] = 1e-5,
        activation: Activation = None,
        alpha: Like[float] = 0.2,
        after_fake: bool = True,
    ):
        super().__init__()
        self.dense = Dense(in_channels, out_channels, weight_init, bias_init, has_bias)
        self._set(BatchNorm1d, out_channels, has_bn, momentum, eps, activation, alpha, after_fake)

    def construct(self, x: Tensor) -> Tensor:
        return self._finish(self.dense(x))


class BiDense(Cell):
    """input1 A input2 + bias, with a matrix A for each output channel.

    Args:
        in1_channels, in2_channels, out_channels: sizes of the last axes.
        weight_init: initializer of the weight (out, in1, in2); uniform within 1 / sqrt(in1_channels) by default.
        bias_init: initializer of the bias (out,); the same by default.
        has_bias: whether there is a bias.
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument or input of the wrong kind or shape.

    Example:
        >>> nn.BiDense(2, 3, 4)(Tensor(np.ones((5, 2), np.float32)), Tensor(np.ones((5, 3), np.float32))).shape
        (5, 4)
    """

    @checked
    def __init__(
        self,
        in1_channels: PositiveInt,
        in2_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init: Init = None,
        bias_init: Init = None,
        has_bias: bool = True,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        name = self.cls_name
        self.in1_channels = in1_channels
        self.in2_channels = in2_channels
        self.out_channels = out_channels
        self.has_bias = has_bias
        shape = (out_channels, in1_channels, in2_channels)
        for what, init, wanted in (("weight_init", weight_init, shape), ("bias_init", bias_init, shape[:1])):
            if isinstance(init, Tensor) and init.shape != wanted:
                raise ValueError(f"For '{name}', the shape of '{what}' must be {wanted}, but got {init.shape}.")
        bound = 1 / math.sqrt(in1_channels)
        self.weight = Parameter(
            initializer(Uniform(bound) if weight_init is None else weight_init, shape, dtype=dtype), "weight"
        )
        self.bias = None
        if has_bias:
            self.bias = Parameter(
                initializer(Uniform(bound) if bias_init is None else bias_init, [out_channels], dtype=dtype),
                name="bias",
            )

    def construct(self, input1: Tensor, input2: Tensor) -> Tensor:
        name = self.cls_name
        for what, value, channels in (("input1", input1, self.in1_channels), ("input2", input2, self.in2_channels)):
            if not isinstance(value, Tensor):
                raise TypeError(f"For '{name}', the '{what}' must be Tensor, but got '{type(value).__name__}'.")
            if value.shape[-1] != channels:
                raise ValueError(
                    f"For '{name}', the last axis of '{what}' must be {channels}, but got shape {value.shape}."
                )
        if input1.shape[:-1] != input2.shape[:-1]:
            raise ValueError(
                f"For '{name}', the dimensions except the last of 'input1' must be same as 'input2', but "
                f"got {input1.shape} and {input2.shape}."
            )
        return ops.bidense(input1, input2, self.weight, self.bias)

    def extend_repr(self):
        return (
            f"in1_channels={self.in1_channels}, in2_channels={self.in2_channels}, "
            f"output_channels={self.out_channels}" + (", has_bias=True" if self.has_bias else "")
        )


class TimeDistributed(Cell):
    """Applies a layer to each step of an axis of time.

    Args:
        layer: Cell or Primitive.
        time_axis: the axis of time.
        reshape_with_axis: axis that the time is joined with for one call of the layer; None calls it once a step.

    Raises:
        TypeError: an argument or the layer's result is of the wrong kind. ValueError: an input with fewer than 3
        axes, or an axis that the
            layer does not keep.

    Example:
        >>> layer = nn.TimeDistributed(nn.Dense(3, 2), time_axis=1, reshape_with_axis=0)
        >>> layer(Tensor(np.ones((4, 5, 3), np.float32))).shape
        (4, 5, 2)
    """

    @checked
    def __init__(self, layer: Cell | Primitive, time_axis: int, reshape_with_axis: int | None = None):
        super().__init__()
        self.time_axis = time_axis
        self.reshape_with_axis = reshape_with_axis
        self.layer = layer

    @checked
    def construct(self, inputs: Annotated[Tensor, Rank(at_least=3)]) -> Tensor:
        time = self.time_axis % inputs.ndim
        if self.reshape_with_axis is None:
            outs = [self._call(step) for step in ops.unstack(inputs, time)]
            if time > outs[0].ndim:
                raise ValueError(
                    f"For '{self.cls_name}', the 'time_axis' must be in range of [{-outs[0].ndim - 1}, "
                    f"{outs[0].ndim}], but got {time}."
                )
            return ops.stack(outs, time)
        return self._joined(inputs, time, self.reshape_with_axis % inputs.ndim)

    def _joined(self, inputs, time, other):
        """Time moved beside the other axis, both joined for the call, and parted again after it."""
        last = inputs.ndim - 1
        beside = last - 1 if other == last else other + 1 if time > other else other - 1
        order = [axis for axis in range(inputs.ndim) if axis != time]
        order.insert(beside, time)
        inputs = inputs.transpose(*order)
        at = min(beside, other)
        pair = inputs.shape[at : at + 2]
        joined = inputs.reshape(*inputs.shape[:at], pair[0] * pair[1], *inputs.shape[at + 2 :])
        out = self._call(joined)
        if at >= out.ndim or out.shape[at] != joined.shape[at]:
            raise ValueError(
                f"For '{self.cls_name}', the layer must keep axis {at} when 'reshape_with_axis' is "
                f"given, but made {out.shape} of {joined.shape}."
            )
        return out.reshape(*out.shape[:at], *pair, *out.shape[at + 1 :])

    def _call(self, x):
        out = self.layer(x)
        if not isinstance(out, Tensor):
            raise TypeError(
                f"For '{self.cls_name}', the result of the layer must be a Tensor, but got {type(out).__name__}."
            )
        return out


__all__ = ["BiDense", "Conv2dBnAct", "DenseBnAct", "TimeDistributed"]

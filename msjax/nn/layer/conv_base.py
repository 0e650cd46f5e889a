"""The base of all convolution layers: arguments, Parameters, printed form, checks."""

import math
from typing import Any

import numpy as np

from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, NonNegativeInt, PositiveInt
from ...core.values import dtype as mstype
from ...core.values.initializer import HeUniform, Uniform, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import DType, ImageFormat, Init, PadMode
from ..cell.cell import Cell


class ConvolutionBase(Cell):
    """Arguments, Parameters and printed form of all convolutions.

    Args:
        in_channels, out_channels: channels of input and output.
        kernel_size, stride, dilation: ints, or one int for each spatial axis.
        pad_mode: "same" (output = ceil(input / stride)), "valid" (no padding) or "pad" (`padding` zeros on each side).
        padding: int, or a tuple with a number for each side.
        group: number of groups that the channels are convolved in separately.
        has_bias: whether a bias is added.
        weight_init, bias_init: initializers; uniform within 1 / sqrt(fan_in) by default.
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, or channels that `group` does not divide.
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: tuple[PositiveInt, ...],
        stride: tuple[PositiveInt, ...],
        pad_mode: AsValue[PadMode],
        padding: NonNegativeInt | tuple[NonNegativeInt, ...],
        dilation: tuple[PositiveInt, ...],
        group: PositiveInt,
        has_bias: bool,
        weight_init: Init,
        bias_init: Init,
        data_format: ImageFormat = "NCHW",
        transposed: Like[bool] = False,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        name = self.cls_name
        self.in_channels, self.out_channels, self.group, self.has_bias = in_channels, out_channels, group, has_bias
        self.kernel_size, self.stride, self.dilation = kernel_size, stride, dilation
        self.pad_mode, self.data_format = pad_mode, data_format
        if padding not in (0, (0,) * 4, (0,) * 6) and pad_mode != "pad":
            raise ValueError(
                f"For '{name}', the 'padding' must be zero when 'pad_mode' is not 'pad', but got "
                f"'padding': {padding}, 'pad_mode': {pad_mode}."
            )
        self.padding = padding
        for what, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                raise ValueError(
                    f"For '{name}', the '{what}' must be divisible by 'group', but got '{what}': "
                    f"{channels} and 'group': {group}."
                )
        if transposed:
            shape = [in_channels, out_channels // group, *kernel_size]
        elif self.data_format == "NHWC":
            shape = [out_channels, *kernel_size, in_channels // group]
        else:
            shape = [out_channels, in_channels // group, *kernel_size]
        self.weight_init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(self.weight_init, shape, dtype=dtype), name="weight")
        self.bias_init = bias_init
        self.bias = None
        if has_bias:
            if bias_init is None:
                self.bias_init = Uniform(1 / math.sqrt(shape[1] * math.prod(shape[2:])))
            self.bias = Parameter(initializer(self.bias_init, [out_channels], dtype=dtype), name="bias")

    def construct(self, *inputs):
        raise NotImplementedError(f"'{self.cls_name}' must define 'construct'.")

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, has_bias={self.has_bias}, weight_init={self.weight_init}, "
            f"bias_init={self.bias_init}, format={self.data_format}"
        )


def with_height(weight_init: Any, cell_name: str):
    """Give a 1-D convolution's weight an axis of height 1: Parameters have the 2-D form, as in MindSpore."""
    if not isinstance(weight_init, Tensor):
        return weight_init
    check.check_equal_int(weight_init.ndim, 3, "weight_init_shape", cell_name)
    return Tensor(np.expand_dims(weight_init.asnumpy(), 2), weight_init.dtype)

"""Convolution layers in one, two and three dimensions."""

from typing import TYPE_CHECKING

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, NonNegativeInt, PositiveInt, Triple, TypedPair
from ...core.values import dtype as mstype
from ..arguments import DType, ImageFormat, Init, PadMode, Sides2d, Sides3d
from ..lazy_operator import Served
from .bias import with_bias
from .conv_base import ConvolutionBase, with_height

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class Conv2d(ConvolutionBase):
    __doc__ = (
        """Convolution of (N, C_in, H, W) with a weight of (C_out, C_in / group, kH, kW).
    """
        + ConvolutionBase.__doc__.split("\n", 1)[1]
        + """
    Example:
        >>> nn.Conv2d(3, 8, 3, pad_mode="valid")(Tensor(np.ones((1, 3, 8, 8), np.float32))).shape
        (1, 8, 6, 6)
    """
    )

    conv2d = Served(
        lambda self: ops.Conv2D(
            out_channel=self.out_channels,
            kernel_size=self.kernel_size,
            mode=1,
            pad_mode=self.pad_mode,
            pad=self.padding,
            stride=self.stride,
            dilation=self.dilation,
            group=self.group,
            data_format=self.data_format,
        )
    )
    bias_add = Served(lambda self: ops.BiasAdd(data_format=self.data_format))

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: TypedPair[PositiveInt],
        stride: TypedPair[PositiveInt] = 1,
        pad_mode: PadMode = "same",
        padding: Sides2d = 0,
        dilation: TypedPair[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
        data_format: ImageFormat = "NCHW",
        dtype: DType = mstype.float32,
    ):
        super().__init__(
            in_channels,
            out_channels,
            check.twice(kernel_size),
            check.twice(stride),
            pad_mode,
            padding,
            check.twice(dilation),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype=dtype,
        )

    def construct(self, x: "Tensor"):
        if self.data_format == "NHWC":
            out = with_bias(
                ops.conv2d,
                x.transpose(0, 3, 1, 2),
                self.weight.transpose(0, 3, 1, 2),
                self.bias,
                self.stride,
                self.pad_mode,
                self.padding,
                self.dilation,
                self.group,
            )
            return out.transpose(0, 2, 3, 1)
        return with_bias(
            ops.conv2d, x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )


class Conv1d(ConvolutionBase):
    __doc__ = (
        """Convolution of (N, C_in, L); the weight is (C_out, C_in / group, 1, k).
    """
        + ConvolutionBase.__doc__.split("\n", 1)[1]
        + """
    Example:
        >>> nn.Conv1d(3, 8, 3)(Tensor(np.ones((1, 3, 8), np.float32))).shape
        (1, 8, 8)
    """
    )

    conv2d = Served(
        lambda self: ops.Conv2D(
            out_channel=self.out_channels,
            kernel_size=self.kernel_size,
            mode=1,
            pad_mode=self.pad_mode,
            pad=self.padding,
            stride=self.stride,
            dilation=self.dilation,
            group=self.group,
        )
    )
    bias_add = Served(lambda self: ops.BiasAdd())
    expand_dims = Served(lambda self: ops.ExpandDims())
    squeeze = Served(lambda self: ops.Squeeze(2))

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: PositiveInt,
        stride: PositiveInt = 1,
        pad_mode: AsValue[PadMode] = "same",
        padding: NonNegativeInt = 0,
        dilation: PositiveInt = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
        dtype: DType = mstype.float32,
    ):
        super().__init__(
            in_channels,
            out_channels,
            (1, kernel_size),
            (1, stride),
            pad_mode,
            padding,
            (1, dilation),
            group,
            has_bias,
            with_height(weight_init, type(self).__name__),
            bias_init,
            dtype=dtype,
        )
        self.padding = (0, 0, padding, padding)

    def construct(self, x: "Tensor"):
        out = with_bias(
            ops.conv2d,
            x.expand_dims(2),
            self.weight,
            self.bias,
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
        )
        return out.squeeze(2)


class Conv3d(ConvolutionBase):
    __doc__ = (
        """Convolution of (N, C_in, D, H, W) with a weight of (C_out, C_in / group, kD, kH, kW).
    """
        + ConvolutionBase.__doc__.split("\n", 1)[1]
        + """
    Example:
        >>> nn.Conv3d(3, 8, 3)(Tensor(np.ones((1, 3, 4, 8, 8), np.float32))).shape
        (1, 8, 4, 8, 8)
    """
    )

    conv3d = Served(
        lambda self: ops.Conv3D(
            out_channel=self.out_channels,
            kernel_size=self.kernel_size,
            mode=1,
            pad_mode=self.pad_mode,
            pad=self.padding,
            stride=self.stride,
            dilation=self.dilation,
            group=self.group,
            data_format=self.data_format,
        )
    )
    bias_add = Served(lambda self: ops.BiasAdd(data_format=self.data_format))

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: Triple[PositiveInt],
        stride: Triple[PositiveInt] = 1,
        pad_mode: PadMode = "same",
        padding: Sides3d = 0,
        dilation: Triple[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
        data_format: ImageFormat = "NCDHW",
        dtype: DType = mstype.float32,
    ):
        super().__init__(
            in_channels,
            out_channels,
            check.triple(kernel_size),
            check.triple(stride),
            pad_mode,
            padding,
            check.triple(dilation),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype=dtype,
        )

    def construct(self, x: "Tensor"):
        return with_bias(
            ops.conv3d, x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )


__all__ = ["Conv1d", "Conv2d", "Conv3d"]

"""Transposed convolution layers in one, two and three dimensions."""

from typing import Annotated

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, NonNegativeInt, Pair, PositiveInt, Rank, Triple, TypedPair
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ...ops.conv.functions import transposed_length
from ...ops.shapes import number_of_axes
from ..arguments import DType, ImageFormat, Init, PadMode, Sides2d, Sides3d
from ..lazy_operator import Served
from .bias import add_bias
from .conv_base import ConvolutionBase, with_height


class _ConvTranspose(ConvolutionBase):
    """Convolutions whose weight is (C_in, C_out / group, ...); their operator is the gradient of a convolution."""

    conv2d_transpose = Served(
        lambda self: ops.Conv2DTranspose(
            out_channel=self.in_channels,
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

    def _transpose(self, x):
        """(N, C_in, H, W) to (N, C_out, H', W')."""
        top, bottom, left, right = (self.padding,) * 4 if isinstance(self.padding, int) else self.padding
        sizes = [
            transposed_length(self.pad_mode, *axis)
            for axis in zip(x.shape[2:], self.kernel_size, self.stride, self.dilation, (top + bottom, left + right))
        ]
        out = self.conv2d_transpose(x, self.weight, (x.shape[0], self.out_channels, *sizes))
        return out if self.bias is None else add_bias(out, self.bias)


class Conv2dTranspose(_ConvTranspose):
    """Transposed convolution of (N, C_in, H, W), with a weight of (C_in, C_out / group, kH, kW).

    Args: as for Conv2d; output_padding: zeros added below and right of the output (an int, or two), only with
    pad_mode "pad".

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.

    Example:
        >>> nn.Conv2dTranspose(3, 8, 2, stride=2)(Tensor(np.ones((1, 3, 4, 4), np.float32))).shape
        (1, 8, 8, 8)
    """

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: TypedPair[PositiveInt],
        stride: TypedPair[PositiveInt] = 1,
        pad_mode: AsValue[PadMode] = "same",
        padding: Sides2d = 0,
        output_padding: Pair[int] = 0,
        dilation: TypedPair[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = None,
        bias_init: Init = None,
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
            transposed=True,
            dtype=dtype,
        )
        self.output_padding = output_padding

    def construct(self, x: "Tensor"):
        number_of_axes(self.cls_name, 4, x=x.shape)
        out = self._transpose(x)
        extra = check.twice(self.output_padding)
        if extra == (0, 0):
            return out
        for more, stride, dilation in zip(extra, self.stride, self.dilation):
            if not 0 <= more < max(stride, dilation):
                raise ValueError(
                    f"For '{self.cls_name}', the 'output_padding' must be in range of [0, max(stride, "
                    f"dilation)), but got {self.output_padding}."
                )
        if self.pad_mode != "pad":
            raise ValueError(
                f"For '{self.cls_name}', the 'pad_mode' must be 'pad' when 'output_padding' is not zero, "
                f"but got '{self.pad_mode}'."
            )
        return ops.Pad(((0, 0), (0, 0), (0, extra[0]), (0, extra[1])))(out)


class Conv1dTranspose(_ConvTranspose):
    """Transposed convolution of (N, C_in, L), with a weight of (C_in, C_out / group, 1, k).

    Args: as for Conv1d.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, or x does not have 3 axes.

    Example:
        >>> nn.Conv1dTranspose(3, 8, 2, stride=2)(Tensor(np.ones((1, 3, 4), np.float32))).shape
        (1, 8, 8)
    """

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
            transposed=True,
            dtype=dtype,
        )
        self.padding = (0, 0, padding, padding)

    @checked
    def construct(self, x: Annotated[Tensor, Rank(3)]):
        return self._transpose(x.expand_dims(2)).squeeze(2)


class Conv3dTranspose(ConvolutionBase):
    """Transposed convolution of (N, C_in, D, H, W), with a weight of (C_in, C_out / group, kD, kH, kW).

    Args: as for Conv3d; output_padding: zeros added behind each axis of the output (an int, or three).

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.

    Example:
        >>> nn.Conv3dTranspose(3, 8, 2, stride=2)(Tensor(np.ones((1, 3, 2, 4, 4), np.float32))).shape
        (1, 8, 4, 8, 8)
    """

    conv3d_transpose = Served(
        lambda self: ops.Conv3DTranspose(
            in_channel=self.in_channels,
            out_channel=self.out_channels,
            kernel_size=self.kernel_size,
            mode=1,
            pad_mode=self.pad_mode,
            pad=self.padding,
            stride=self.stride,
            dilation=self.dilation,
            group=self.group,
            output_padding=self.output_padding,
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
        output_padding: Triple[NonNegativeInt] = 0,
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
            transposed=True,
            dtype=dtype,
        )
        self.output_padding = check.triple(output_padding)
        if pad_mode != "pad" and any(self.output_padding):
            raise ValueError(
                f"For '{self.cls_name}', the 'output_padding' must be zero or (0, 0, 0) when 'pad_mode' is not \"pad\", but got "
                f"'output_padding' is {self.output_padding} and 'pad_mode' is {pad_mode}."
            )
        for extra, step, gap in zip(self.output_padding, self.stride, self.dilation):
            check.check_int_range(extra, 0, max(step, gap), check.INC_LEFT, "output_padding", self.cls_name)

    def construct(self, x: "Tensor"):
        out = self.conv3d_transpose(x, self.weight)
        return out if self.bias is None else add_bias(out, self.bias)


__all__ = ["Conv1dTranspose", "Conv2dTranspose", "Conv3dTranspose"]

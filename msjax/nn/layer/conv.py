"""Convolution layers in one, two and three dimensions, and their transposes."""

import math

import numpy as np

from ... import ops
from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.initializer import HeUniform, Uniform, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..lazy_operator import Served


class _Conv(Cell):
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

    def __init__(
        self,
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
        data_format="NCHW",
        transposed=False,
        dtype=mstype.float32,
    ):
        super().__init__()
        name = self.cls_name
        self.in_channels = check.check_positive_int(in_channels, "in_channels", name)
        self.out_channels = check.check_positive_int(out_channels, "out_channels", name)
        self.kernel_size, self.stride, self.dilation = kernel_size, stride, dilation
        self.pad_mode = check.check_string(pad_mode, ["valid", "same", "pad"], "pad_mode", name)
        self.data_format = check.check_string(data_format, ["NCHW", "NHWC", "NCDHW"], "format", name)
        if isinstance(padding, int):
            check.check_non_negative_int(padding, "padding", name)
        elif isinstance(padding, tuple):
            for pad in padding:
                check.check_non_negative_int(pad, "padding item", name)
        else:
            raise TypeError(
                f"For '{name}', the type of 'padding' must be int or tuple(int), but got {type(padding).__name__}."
            )
        if padding not in (0, (0,) * 4, (0,) * 6) and pad_mode != "pad":
            raise ValueError(
                f"For '{name}', the 'padding' must be zero when 'pad_mode' is not 'pad', but got "
                f"'padding': {padding}, 'pad_mode': {pad_mode}."
            )
        self.padding = padding
        self.group = check.check_positive_int(group, "group", name)
        self.has_bias = check.check_bool(has_bias, "has_bias", name)
        for what, values in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
            for value in values:
                check.check_positive_int(value, f"{what} item", name)
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


def _divisible(in_channels, out_channels, group, name):
    check.check_positive_int(group, "group", name)
    if isinstance(in_channels, int) and isinstance(out_channels, int) and (in_channels % group or out_channels % group):
        raise ValueError(
            f"The argument 'group' should be divisible by 'in_channels' and 'out_channels', but got group:{group}, "
            f"in_channels:{in_channels}, out_channels:{out_channels}."
        )


class Conv2d(_Conv):
    __doc__ = (
        """Convolution of (N, C_in, H, W) with a weight of (C_out, C_in / group, kH, kW).
    """
        + _Conv.__doc__.split("\n", 1)[1]
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

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_init=None,
        bias_init=None,
        data_format="NCHW",
        dtype=mstype.float32,
    ):
        name = type(self).__name__
        _divisible(in_channels, out_channels, group, name)
        if isinstance(padding, tuple):
            check.check_equal_int(len(padding), 4, "padding size", name)
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

    def construct(self, x):
        if self.data_format == "NHWC":
            out = ops.conv2d(
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
        return ops.conv2d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )


def _check_1d(cell_name, kernel_size, stride, padding, dilation):
    for what, value, check_value in (
        ("kernel_size", kernel_size, check.check_positive_int),
        ("stride", stride, check.check_positive_int),
        ("padding", padding, check.check_non_negative_int),
        ("dilation", dilation, check.check_positive_int),
    ):
        check.check_value_type(what, value, [int], cell_name)
        check_value(value, what, cell_name)


def _with_height(weight_init, cell_name):
    """A Tensor given as weight of a 1-D convolution gets an axis of height 1: Parameters are those of the 2-D form,
    as in MindSpore."""
    if not isinstance(weight_init, Tensor):
        return weight_init
    check.check_equal_int(weight_init.ndim, 3, "weight_init_shape", cell_name)
    return Tensor(np.expand_dims(weight_init.asnumpy(), 2), weight_init.dtype)


class Conv1d(_Conv):
    __doc__ = (
        """Convolution of (N, C_in, L); the weight is (C_out, C_in / group, 1, k).
    """
        + _Conv.__doc__.split("\n", 1)[1]
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

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_init=None,
        bias_init=None,
        dtype=mstype.float32,
    ):
        name = type(self).__name__
        _check_1d(name, kernel_size, stride, padding, dilation)
        _divisible(in_channels, out_channels, group, name)
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
            _with_height(weight_init, name),
            bias_init,
            dtype=dtype,
        )
        self.padding = (0, 0, padding, padding)

    def construct(self, x):
        out = ops.conv2d(
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


def _three(what, value, cell_name, positive=True):
    return check._check_3d_int_or_tuple(what, value, cell_name, greater_zero=positive)


def _check_padding(padding, count, cell_name):
    check.check_value_type("padding", padding, (int, tuple), cell_name)
    if isinstance(padding, tuple):
        check.check_equal_int(len(padding), count, "padding size", cell_name)


class Conv3d(_Conv):
    __doc__ = (
        """Convolution of (N, C_in, D, H, W) with a weight of (C_out, C_in / group, kD, kH, kW).
    """
        + _Conv.__doc__.split("\n", 1)[1]
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

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_init=None,
        bias_init=None,
        data_format="NCDHW",
        dtype=mstype.float32,
    ):
        name = type(self).__name__
        _divisible(in_channels, out_channels, group, name)
        _check_padding(padding, 6, name)
        super().__init__(
            in_channels,
            out_channels,
            _three("kernel_size", kernel_size, name),
            _three("stride", stride, name),
            pad_mode,
            padding,
            _three("dilation", dilation, name),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            dtype=dtype,
        )

    def construct(self, x):
        return ops.conv3d(
            x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation, self.group
        )


# --- transposed
def transposed_length(pad_mode, length, kernel, stride, dilation, padding):
    """Output length of a transposed convolution along one axis; `padding` is the sum of both sides."""
    span = dilation * (kernel - 1) + 1
    if pad_mode == "same":
        return length * stride
    if pad_mode == "valid":
        return length * stride + max(span - stride, 0)
    return length * stride - padding + span - stride


class _ConvTranspose(_Conv):
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
        return out if self.bias is None else ops.bias_add(out, self.bias)


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

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        output_padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_init=None,
        bias_init=None,
        dtype=mstype.float32,
    ):
        name = type(self).__name__
        _check_padding(padding, 4, name)
        check.check_value_type("output_padding", output_padding, (int, tuple), name)
        if isinstance(output_padding, tuple):
            check.check_equal_int(len(output_padding), 2, "output_padding size", name)
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

    def construct(self, x):
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
        TypeError, ValueError: an argument of the wrong kind or range, or x has not 3 axes.

    Example:
        >>> nn.Conv1dTranspose(3, 8, 2, stride=2)(Tensor(np.ones((1, 3, 4), np.float32))).shape
        (1, 8, 8)
    """

    expand_dims = Served(lambda self: ops.ExpandDims())
    squeeze = Served(lambda self: ops.Squeeze(2))

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        has_bias=False,
        weight_init=None,
        bias_init=None,
        dtype=mstype.float32,
    ):
        name = type(self).__name__
        _check_1d(name, kernel_size, stride, padding, dilation)
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
            _with_height(weight_init, name),
            bias_init,
            transposed=True,
            dtype=dtype,
        )
        self.padding = (0, 0, padding, padding)

    def construct(self, x):
        if x.ndim != 3:
            raise ValueError(f"For '{self.cls_name}', the dimension of input must be 3d, but got {x.ndim}.")
        return self._transpose(x.expand_dims(2)).squeeze(2)


class Conv3dTranspose(_Conv):
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

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        pad_mode="same",
        padding=0,
        dilation=1,
        group=1,
        output_padding=0,
        has_bias=False,
        weight_init=None,
        bias_init=None,
        data_format="NCDHW",
        dtype=mstype.float32,
    ):
        name = type(self).__name__
        _divisible(in_channels, out_channels, group, name)
        _check_padding(padding, 6, name)
        super().__init__(
            in_channels,
            out_channels,
            _three("kernel_size", kernel_size, name),
            _three("stride", stride, name),
            pad_mode,
            padding,
            _three("dilation", dilation, name),
            group,
            has_bias,
            weight_init,
            bias_init,
            data_format,
            transposed=True,
            dtype=dtype,
        )
        self.output_padding = _three("output_padding", output_padding, name, positive=False)

    def construct(self, x):
        out = self.conv3d_transpose(x, self.weight)
        return out if self.bias is None else ops.bias_add(out, self.bias)


__all__ = ["Conv1d", "Conv1dTranspose", "Conv2d", "Conv2dTranspose", "Conv3d", "Conv3dTranspose"]

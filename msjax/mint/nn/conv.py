"""Convolution layers with PyTorch's arguments."""

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like
from ...core.values import dtype as mstype
from ...core.values.initializer import HeUniform, Uniform, initializer
from ...core.values.parameter import Parameter
from ...nn.cell.cell import Cell
from . import functional as F

if TYPE_CHECKING:
    from ...core.values.dtype import Type
    from ...core.values.tensor import Tensor

_MODES = ("zeros", "reflect", "replicate", "circular")


def _each(value, n, name, cell):
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return (int(value),) * n
    if isinstance(value, (tuple, list)) and len(value) in (1, n):
        return tuple(int(v) for v in value) * (n // len(value))
    raise ValueError(f"For '{cell.cls_name}', the '{name}' must be an int or a tuple of {n} ints, but got {value!r}.")


class _Conv(Cell):
    """Convolution of (N, C, ...) or (C, ...) with the Parameters `weight` and `bias`, uniform within 1 / sqrt(fan in).

    Args:
        in_channels, out_channels: numbers of channels; both multiples of `groups`.
        kernel_size, stride, padding, dilation: int, or one int for each spatial axis; `padding` may be "same" or
            "valid".
        groups: number of independent groups of channels.
        bias: whether there is a bias.
        padding_mode: "zeros", "reflect", "replicate" or "circular".
        dtype: dtype of the Parameters, float32 by default.

    Raises:
        ValueError: channels that `groups` does not divide, an unknown padding, or "same" with a stride.
    """

    _axes = 2

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        dilation=1,
        groups=1,
        bias=True,
        padding_mode="zeros",
        dtype=None,
    ):
        super().__init__()
        self._prepare(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode)
        self._make([out_channels, in_channels // groups, *self.kernel_size], bias, dtype)

    def _prepare(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode):
        n, name = self._axes, self.cls_name
        self.in_channels = check.check_non_negative_int(in_channels, "in_channels", name)
        self.out_channels = check.check_non_negative_int(out_channels, "out_channels", name)
        self.groups = check.check_positive_int(groups, "groups", name)
        for what, count in (("in_channels", in_channels), ("out_channels", out_channels)):
            if count % groups:
                raise ValueError(
                    f"For '{name}', the '{what}' must be divisible by 'groups', but got {count} and {groups}."
                )
        self.kernel_size, self.stride, self.dilation = (
            _each(v, n, what, self)
            for v, what in ((kernel_size, "kernel_size"), (stride, "stride"), (dilation, "dilation"))
        )
        for what in ("kernel_size", "stride", "dilation"):
            for v in getattr(self, what):
                check.check_positive_int(v, f"{what} item", name)
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(
                    f"For '{name}', the value of 'padding' must be one of ('same', 'valid'), but got {padding}."
                )
            if padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError(
                    f"For '{name}', padding='same' is not supported for strided convolutions, but got stride "
                    f"{self.stride}."
                )
            self.padding = padding
        else:
            self.padding = _each(padding, n, "padding", self)
        if padding_mode not in _MODES:
            raise ValueError(
                f"For '{name}', the value of 'padding_mode' must be one of {_MODES}, but got {padding_mode}."
            )
        self.padding_mode = padding_mode

    def _make(self, shape, bias, dtype):
        dtype = dtype or mstype.float32
        self.weight = Parameter(initializer(HeUniform(math.sqrt(5)), shape, dtype=dtype), name="weight")
        fan_in = math.prod(shape[1:])
        self.bias = None
        if check.check_bool(bias, "bias", self.cls_name):
            self.bias = Parameter(
                initializer(Uniform(1 / math.sqrt(fan_in)) if fan_in else "zeros", [self.out_channels], dtype=dtype),
                name="bias",
            )

    def _widths(self):
        """Padding of the last axis first, as `pad` takes it."""
        widths = []
        for i in reversed(range(self._axes)):
            if self.padding == "same":
                total = self.dilation[i] * (self.kernel_size[i] - 1)
                widths += [total // 2, total - total // 2]
            else:
                widths += [0, 0] if self.padding == "valid" else [self.padding[i]] * 2
        return widths

    def construct(self, input):
        convolve = getattr(F, f"conv{self._axes}d")
        if self.padding_mode == "zeros":
            return convolve(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
        return convolve(
            F.pad(input, self._widths(), self.padding_mode),
            self.weight,
            self.bias,
            self.stride,
            0,
            self.dilation,
            self.groups,
        )

    def extend_repr(self):
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, padding={self.padding}, dilation={self.dilation}, groups={self.groups}, "
            f"bias={self.bias is not None}"
        )


class Conv1d(_Conv):
    __doc__ = (
        _Conv.__doc__
        + """
    Example:
        >>> mint.nn.Conv1d(3, 4, 2)(mint.ones((1, 3, 8))).shape
        (1, 4, 7)
    """
    )
    _axes = 1


class Conv2d(_Conv):
    __doc__ = (
        _Conv.__doc__
        + """
    Example:
        >>> mint.nn.Conv2d(3, 4, 3, padding=1)(mint.ones((1, 3, 8, 8))).shape
        (1, 4, 8, 8)
    """
    )


class Conv3d(_Conv):
    __doc__ = (
        _Conv.__doc__
        + """
    Example:
        >>> mint.nn.Conv3d(3, 4, 2)(mint.ones((1, 3, 4, 4, 4))).shape
        (1, 4, 3, 3, 3)
    """
    )
    _axes = 3


class ConvTranspose2d(_Conv):
    """Transposed convolution of (N, C, H, W) or (C, H, W); the weight is (in_channels, out_channels / groups, height,
    width).

    Args:
        in_channels, out_channels, kernel_size, stride, padding, groups, bias, dilation, dtype: as for `Conv2d`.
        output_padding: rows and columns added at the end.
        padding_mode: "zeros".

    Raises:
        ValueError: another `padding_mode`, or an `output_size` that the arguments cannot give.

    Example:
        >>> mint.nn.ConvTranspose2d(3, 4, 2, 2)(mint.ones((1, 3, 8, 8))).shape
        (1, 4, 16, 16)
    """

    @checked
    def __init__(
        self,
        in_channels: Like[int],
        out_channels: Like[int],
        kernel_size: Like[int | tuple],
        stride: Like[int | tuple] = 1,
        padding: Like[int | tuple | str] = 0,
        output_padding: Like[int | tuple] = 0,
        groups: Like[int] = 1,
        bias: Like[bool] = True,
        dilation: Like[int | tuple] = 1,
        padding_mode: AsValue[Literal["zeros"]] = "zeros",
        dtype: "Type | None" = None,
    ):
        Cell.__init__(self)
        self._prepare(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode)
        self.output_padding = _each(output_padding, 2, "output_padding", self)
        self._make([in_channels, out_channels // groups, *self.kernel_size], bias, dtype)

    def construct(self, input: "Tensor", output_size: "Tensor | None" = None):
        more = self.output_padding
        if output_size is not None:
            least = [
                (length - 1) * s - 2 * p + d * (k - 1) + 1
                for length, s, p, d, k in zip(
                    input.shape[-2:], self.stride, self.padding, self.dilation, self.kernel_size
                )
            ]
            more = tuple(wanted - low for wanted, low in zip(tuple(output_size)[-2:], least))
            if any(not 0 <= m < s for m, s in zip(more, self.stride)):
                most = [low + s - 1 for low, s in zip(least, self.stride)]
                raise ValueError(
                    f"For '{self.cls_name}', the 'output_size' must be between {least} and {most} for an input of "
                    f"shape {input.shape}, but got {output_size}."
                )
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, more, self.groups, self.dilation
        )

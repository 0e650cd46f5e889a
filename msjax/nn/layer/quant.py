"""Layers of networks that learn to compute in few bits (quantization aware training): `nn.layer.quant` of MindSpore 1.x.

Values stay float32: an observer rounds them to the numbers that few bits can hold, and passes gradients on as they are. The layers
are made by `QuantizationAwareTraining` (`nn/quantization/training.py`), or by hand. Formulas: https://arxiv.org/abs/1712.05877, and
for learned ranges https://arxiv.org/abs/1902.08153.
"""

import functools
from typing import Any

import numpy as np

from ... import ops
from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.dtype import QuantDtype
from ...core.values.initializer import initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from .activation import ReLU, ReLU6, activation_of
from .bias import add_bias
from .conv_base import ConvolutionBase
from .normalization import BatchNorm2d
from .quant_observer import quant_config_default

__all__ = [
    "Conv2dBnFoldQuantOneConv",
    "Conv2dBnFoldQuant",
    "Conv2dBnWithoutFoldQuant",
    "Conv2dQuant",
    "DenseQuant",
    "ActQuant",
    "TensorAddQuant",
    "MulQuant",
]


class _QuantConvolution(ConvolutionBase):
    """A 2-D convolution whose weight is rounded.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init: as
            for Conv2d.
        quant_config: the observers of weights and of activations, from `create_quant_config`.
        quant_dtype: not used; the observer knows.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.
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
    ):
        sizes = [check.twice(size) for size in (kernel_size, stride)]
        super().__init__(
            in_channels,
            out_channels,
            *sizes,
            pad_mode,
            padding,
            check.twice(dilation),
            group,
            has_bias,
            weight_init,
            bias_init,
        )
        self.conv = ops.Conv2D(
            out_channels, self.kernel_size, 1, pad_mode, padding, self.stride, self.dilation, group=group
        )

    def _observe_weight(self, quant_config):
        self.fake_quant_weight = quant_config.weight(channel_axis=0, num_channels=self.out_channels)

    def _with_bias(self, x):
        return add_bias(x, self.bias) if self.has_bias else x

    def _sizes_repr(self):
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}"
        )

    def extend_repr(self):
        return f"{self._sizes_repr()}, has_bias={self.has_bias}"

    @staticmethod
    def _arguments_of(convolution):
        names = (
            "in_channels out_channels kernel_size stride pad_mode padding dilation group has_bias weight_init bias_init"
        )
        given = {name: getattr(convolution, name) for name in names.split()}
        return given if given["bias_init"] is not None else given | {"bias_init": "zeros"}


class Conv2dQuant(_QuantConvolution):
    __doc__ = (
        _QuantConvolution.__doc__
        + """
    Example:
        >>> nn.Conv2dQuant(1, 1, 2, pad_mode="valid", weight_init="ones")(Tensor(np.ones((1, 1, 2, 2), np.float32)))
        Tensor(shape=[1, 1, 1, 1], dtype=Float32, value=
        [[[[3.95294189e+00]]]])
    """
    )

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple,
        stride: int | tuple = 1,
        pad_mode: str = "same",
        padding: int | tuple = 0,
        dilation: int | tuple = 1,
        group: int = 1,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        sizes = (in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group)
        super().__init__(*sizes, has_bias, weight_init, bias_init)
        self._observe_weight(quant_config)

    @classmethod
    def from_float(cls, conv: Any, quant_config: Any):
        """A new layer of the sizes of a Conv2d."""
        return cls(**cls._arguments_of(conv), quant_config=quant_config)

    def construct(self, x: Tensor):
        return self._with_bias(self.conv(x, self.fake_quant_weight(self.weight)))


class Conv2dBnWithoutFoldQuant(_QuantConvolution):
    __doc__ = (
        _QuantConvolution.__doc__.replace("is rounded.", "is rounded, then BatchNorm2d.")
        + """
    Example:
        >>> nn.Conv2dBnWithoutFoldQuant(1, 4, 3)(Tensor(np.ones((1, 1, 8, 8), np.float32))).shape
        (1, 4, 8, 8)
    """
    )

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple,
        stride: int | tuple = 1,
        pad_mode: str = "same",
        padding: int | tuple = 0,
        dilation: int | tuple = 1,
        group: int = 1,
        has_bias: bool = False,
        eps: float = 1e-5,
        momentum: float = 0.997,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        quant_config: Any = quant_config_default,
    ):
        sizes = (in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group)
        super().__init__(*sizes, has_bias, weight_init, bias_init)
        self._observe_weight(quant_config)
        self.batchnorm = BatchNorm2d(out_channels, eps=eps, momentum=momentum)

    @classmethod
    def from_float(cls, convbn: Any, quant_config: Any):
        """A new layer of the sizes of a Conv2dBnAct."""
        given = cls._arguments_of(convbn.conv)
        if convbn.has_bn:
            given |= {"eps": convbn.batchnorm.eps, "momentum": 1 - convbn.batchnorm.momentum}
        return cls(**given, quant_config=quant_config)

    def construct(self, x: Tensor):
        return self.batchnorm(self._with_bias(self.conv(x, self.fake_quant_weight(self.weight))))


class _Folded(_QuantConvolution):
    """A convolution and its batch normalization as one, with the rounded weight `weight * gamma / sqrt(variance + eps)`.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias, weight_init, bias_init: as
            for Conv2d.
        eps, momentum, beta_init, gamma_init, mean_init, var_init: of the normalization, as for BatchNorm2d.
        fake: whether the weight is rounded. quant_config: the observers, from `create_quant_config`.
        quant_dtype: not used; the observer knows.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.
    """

    def _fold(self, eps, beta_init, gamma_init, mean_init, var_init, fake, quant_config):
        self.eps, self.fake, self.quant_config = eps, fake, quant_config
        channels = [self.out_channels]
        self.gamma = Parameter(initializer(gamma_init, channels), name="gamma")
        self.beta = Parameter(initializer(beta_init, channels), name="beta")
        self.moving_mean = Parameter(initializer(mean_init, channels), name="moving_mean", requires_grad=False)
        self.moving_variance = Parameter(initializer(var_init, channels), name="moving_variance", requires_grad=False)
        self._observe_weight(quant_config)

    def _folded_weight(self, deviation):
        weight = self.weight * (self.gamma / deviation).reshape(-1, 1, 1, 1)
        return self.fake_quant_weight(weight) if self.fake else weight

    @classmethod
    def _arguments_with_norm(cls, convbn, quant_config):
        given = cls._arguments_of(convbn.conv) | {"quant_config": quant_config, "fake": True}
        if convbn.has_bn:
            norm = convbn.batchnorm
            given |= {"eps": norm.eps, "momentum": 1 - norm.momentum, "beta_init": norm.beta_init}
            given |= {
                "gamma_init": norm.gamma_init,
                "mean_init": norm.moving_mean_init,
                "var_init": norm.moving_var_init,
            }
        return given


def _channels(values):
    return values.reshape(1, -1, 1, 1)


class Conv2dBnFoldQuantOneConv(_Folded):
    __doc__ = (
        _Folded.__doc__.replace(
            "eps)`.", "eps)` of the moving variance; the normalization then has the batch's statistics in training."
        )
        + """
    Example:
        >>> nn.Conv2dBnFoldQuantOneConv(1, 4, 3)(Tensor(np.ones((1, 1, 8, 8), np.float32))).shape
        (1, 4, 8, 8)
    """
    )

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple,
        stride: int | tuple = 1,
        pad_mode: str = "same",
        padding: int | tuple = 0,
        dilation: int | tuple = 1,
        group: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.997,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        beta_init: str = "zeros",
        gamma_init: str = "ones",
        mean_init: str = "zeros",
        var_init: str = "ones",
        fake: bool = True,
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        sizes = (in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group)
        super().__init__(*sizes, has_bias, weight_init, bias_init)
        self._fold(eps, beta_init, gamma_init, mean_init, var_init, fake, quant_config)
        self.momentum, self.freeze_bn = 1 - momentum, False
        self.bn_train = ops.BatchNorm(is_training=True, epsilon=eps, momentum=self.momentum)
        self.bn_infer = ops.BatchNorm(is_training=False, epsilon=eps)

    @classmethod
    def from_float(cls, convbn: Any, quant_config: Any):
        """A new layer of the sizes of a Conv2dBnAct."""
        return cls(**cls._arguments_with_norm(convbn, quant_config))

    def extend_repr(self):
        return f"{self._sizes_repr()}, fake={self.fake}, momentum={self.momentum}"

    def construct(self, x: Tensor):
        deviation = ops.sqrt(self.moving_variance + self.eps)
        out = self.conv(x, self._folded_weight(deviation))
        if self.freeze_bn:
            return out + _channels(self.beta - self.gamma * self.moving_mean / deviation)
        out = out / _channels(self.gamma / deviation)
        normalize = self.bn_train if self.training else self.bn_infer
        return normalize(out, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]


class Conv2dBnFoldQuant(_Folded):
    __doc__ = (
        _Folded.__doc__.replace(
            "eps)`.",
            "eps)` of the moving variance. A first convolution gives the batch's\n"
            "    statistics, by which the result of the second is corrected in the first `freeze_bn` steps of training.",
        )
        + """
    Example:
        >>> nn.Conv2dBnFoldQuant(1, 4, 3)(Tensor(np.ones((1, 1, 8, 8), np.float32))).shape
        (1, 4, 8, 8)
    """
    )

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple,
        stride: int | tuple = 1,
        pad_mode: str = "same",
        padding: int | tuple = 0,
        dilation: int | tuple = 1,
        group: int = 1,
        eps: float = 1e-5,
        momentum: float = 0.997,
        has_bias: bool = False,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        beta_init: str = "zeros",
        gamma_init: str = "ones",
        mean_init: str = "zeros",
        var_init: str = "ones",
        fake: bool = True,
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
        freeze_bn: int = 100000,
    ):
        sizes = (in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group)
        super().__init__(*sizes, has_bias, weight_init, bias_init)
        self._fold(eps, beta_init, gamma_init, mean_init, var_init, fake, quant_config)
        self.momentum, self.freeze_bn, self.quant_dtype = momentum, freeze_bn, quant_dtype
        self.step = Parameter(Tensor(np.zeros(1, np.int32)), name="step", requires_grad=False)

    @classmethod
    def from_float(cls, convbn: Any, quant_config: Any, extra_args: Any):
        """A new layer of the sizes of a Conv2dBnAct; extra_args: more arguments, as a dict."""
        return cls(**{**cls._arguments_with_norm(convbn, quant_config), **extra_args})

    def extend_repr(self):
        return f"{self._sizes_repr()}, fake={self.fake}, freeze_bn={self.freeze_bn}, momentum={self.momentum}"

    def _statistics(self, x):
        """(mean, deviation) of the batch, (0, 1) once they are frozen; until then the moving ones follow them."""
        learns = self.step < self.freeze_bn
        mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
        count = x.size // x.shape[1]
        unbiased = variance * (count / max(count - 1, 1))
        for moving, seen in ((self.moving_mean, mean), (self.moving_variance, unbiased)):
            follows = self.momentum * moving + (1 - self.momentum) * seen
            ops.assign(moving, ops.select(learns, ops.stop_gradient(follows), moving))
        deviation = ops.sqrt(variance + self.eps)
        return ops.select(learns, mean, ops.zeros_like(mean)), ops.select(learns, deviation, ops.ones_like(deviation))

    def construct(self, x: Tensor):
        running_mean, running_deviation = self.moving_mean + 0.0, ops.sqrt(self.moving_variance + self.eps)
        frozen = self.beta - self.gamma * running_mean / running_deviation
        if not self.training:
            return self._with_bias(self.conv(x, self._folded_weight(running_deviation))) + _channels(frozen)
        mean, deviation = self._statistics(self._with_bias(self.conv(x, self.weight)))
        out = self._with_bias(self.conv(x, self._folded_weight(running_deviation)))
        learns = self.step < self.freeze_bn
        factor = ops.select(learns, running_deviation / deviation, ops.ones_like(deviation))
        offset = ops.select(learns, self.beta - self.gamma * mean / deviation, frozen)
        ops.assign(self.step, self.step + Tensor(1, mstype.int32))
        return out * _channels(factor) + _channels(offset)


class DenseQuant(Cell):
    """A fully connected layer whose weight is rounded.

    Args:
        in_channels, out_channels, weight_init, bias_init, has_bias, activation: as for Dense.
        quant_config: the observers of weights and of activations, from `create_quant_config`.
        quant_dtype: not used; the observer knows.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.

    Example:
        >>> nn.DenseQuant(2, 1, weight_init="ones")(Tensor([[1.0, 5.0], [3.0, 4.0]]))
        Tensor(shape=[2, 1], dtype=Float32, value=
        [[5.92941284e+00],
         [6.91764832e+00]])
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        weight_init: Any = "normal",
        bias_init: Any = "zeros",
        has_bias: bool = True,
        activation: Any = None,
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__()
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.has_bias = has_bias
        shapes = {"weight": (weight_init, (out_channels, in_channels)), "bias": (bias_init, (out_channels,))}
        for name, (given, shape) in shapes.items():
            if isinstance(given, Tensor) and given.shape != shape and (has_bias or name == "weight"):
                raise ValueError(
                    f"For '{self.cls_name}', the shape of '{name}_init' must be {shape}, but got {given.shape}."
                )
        self.weight = Parameter(initializer(weight_init, shapes["weight"][1]), name="weight")
        if has_bias:
            self.bias = Parameter(initializer(bias_init, shapes["bias"][1]), name="bias")
        self.activation = activation_of(self, activation)
        self.activation_flag = self.activation is not None
        self.matmul = ops.MatMul(transpose_b=True)
        self.fake_quant_weight = quant_config.weight(channel_axis=0, num_channels=out_channels)

    @classmethod
    def from_float(cls, dense: Any, quant_config: Any):
        """A new layer with the values and the activation of a Dense."""
        given = (dense.weight, dense.bias if dense.has_bias else "zeros", dense.has_bias, dense.activation)
        return cls(dense.in_channels, dense.out_channels, *given, quant_config=quant_config)

    def construct(self, x: Tensor):
        out = self.matmul(x, self.fake_quant_weight(self.weight))
        out = add_bias(out, self.bias) if self.has_bias else out
        return self.activation(out) if self.activation_flag else out

    def extend_repr(self):
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, weight={self.weight}, has_bias={self.has_bias}"
        text += f", bias={self.bias}" if self.has_bias else ""
        return text + (f", activation={self.activation}" if self.activation_flag else "")


class _QuantActivation(Cell):
    """An activation whose result is rounded."""

    def get_origin(self):
        """The activation itself; NotImplementedError unless a subclass says it."""
        raise NotImplementedError


class ActQuant(_QuantActivation):
    """An activation, then rounding.

    Args:
        activation: the Cell. ema, ema_decay: of the observers. fake_before: whether its input is rounded, too.
        quant_config: the observers, from `create_quant_config`. quant_dtype: the numbers that there are.

    Raises:
        TypeError, ValueError: `activation` is not a Cell, `fake_before` is not a bool.

    Example:
        >>> nn.ActQuant(nn.ReLU())(Tensor([[1.0, -2.0]]))
        Tensor(shape=[1, 2], dtype=Float32, value=
        [[9.88235474e-01, 0.00000000e+00]])
    """

    def __init__(
        self,
        activation: Any,
        ema: bool = False,
        ema_decay: float = 0.999,
        fake_before: bool = False,
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__()
        self.act = check.check_isinstance("activation", activation, Cell)
        self.fake_before = fake_before
        made = functools.partial(
            quant_config.activation, min_init=-6, max_init=6, ema=ema, ema_decay=ema_decay, quant_dtype=quant_dtype
        )
        if fake_before:
            self.fake_quant_act_before = made()
        preset = quant_config.activation.p.keywords
        self.neg_trunc = preset.get("mode") == "LEARNED_SCALE" and type(activation) in (ReLU, ReLU6)
        self.narrow_range = not self.neg_trunc and preset.get("narrow_range", False)
        self.fake_quant_act = made(neg_trunc=self.neg_trunc, narrow_range=self.narrow_range)

    def construct(self, x: Tensor):
        x = self.fake_quant_act_before(x) if self.fake_before else x
        return self.fake_quant_act(self.act(x))

    def get_origin(self):
        """The activation itself."""
        return self.act


class _QuantBinary(Cell):
    """Two Tensors to one, whose values are rounded; the range is a moving average.

    Args:
        ema_decay: how much of the range stays in a step. quant_config: the observers. quant_dtype: the numbers that there are.
    """

    def __init__(self, ema_decay=0.999, quant_config=quant_config_default, quant_dtype=QuantDtype.INT8):
        super().__init__()
        self.fake_quant_act = quant_config.activation(
            min_init=-6, max_init=6, ema=True, ema_decay=ema_decay, quant_dtype=quant_dtype
        )


class TensorAddQuant(_QuantBinary):
    __doc__ = (
        _QuantBinary.__doc__.replace("Two Tensors to one, whose", "A sum whose")
        + """
    Example:
        >>> nn.TensorAddQuant()(Tensor([1.0, 2.0]), Tensor([1.0, 1.0]))
        Tensor(shape=[2], dtype=Float32, value= [1.97647095e+00, 3.01176453e+00])
    """
    )

    def __init__(
        self,
        ema_decay: float = 0.999,
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__(ema_decay, quant_config, quant_dtype)
        self.add = ops.Add()

    def construct(self, x1: Tensor, x2: Tensor):
        return self.fake_quant_act(self.add(x1, x2))


class MulQuant(_QuantBinary):
    __doc__ = (
        _QuantBinary.__doc__.replace("Two Tensors to one, whose", "A product whose")
        + """
    Example:
        >>> nn.MulQuant()(Tensor([1.0, 2.0]), Tensor([2.0, 2.0]))
        Tensor(shape=[2], dtype=Float32, value= [1.97647095e+00, 4.00000048e+00])
    """
    )

    def __init__(
        self,
        ema_decay: float = 0.999,
        quant_config: Any = quant_config_default,
        quant_dtype: QuantDtype = QuantDtype.INT8,
    ):
        super().__init__(ema_decay, quant_config, quant_dtype)
        self.mul = ops.Mul()

    def construct(self, x1: Tensor, x2: Tensor):
        return self.fake_quant_act(self.mul(x1, x2))

"""Convolution, dense layer and batch normalization of numbers of two parts; the algebra is the first argument of each."""

import inspect
from typing import Any, Literal

from ... import log as logger
from ... import ops
from ...core.operators import check
from ...core.settings import context
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, NonNegativeInt, PositiveInt, Triple, TypedPair
from ...core.values import dtype as mstype
from ...core.values.initializer import initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import ImageFormat, Init, PadMode, Sides2d, Sides3d
from ..cell.cell import Cell
from .parts import get_x_and_y, to_2channel


def of_numbers(name: str, layer: Cell, algebra: Any, option: Any = None, other: Any = None):
    """The class `name` of one kind of number: `layer` with its algebra, or with the other one if the option is set.

    Its Parameters have the names that MindSpore's have: they lie below `op`. Statistics of a batch normalization are kept unless it
    is told otherwise.
    """
    parameters = [
        p.replace(default=True) if p.name == "use_batch_statistics" else p
        for p in list(inspect.signature(layer).parameters.values())[1:]
    ]
    if option:
        names = [p.name for p in parameters]
        at = names.index("use_batch_statistics") + 1 if "use_batch_statistics" in names else len(names)
        parameters.insert(at, inspect.Parameter(option, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=False))
    signature = inspect.Signature(parameters)

    def __init__(self, *args, **kwargs):
        Cell.__init__(self)
        given = signature.bind(*args, **kwargs)
        given.apply_defaults()
        settings = given.arguments
        chosen = other if option and settings.pop(option, False) else algebra
        self.op = layer(chosen, **settings)

    def construct(self, u):
        return self.op(u)

    body = {"__init__": __init__, "construct": construct, "__signature__": signature, "__doc__": layer.__doc__}
    return type(name, (Cell,), body | {"__module__": inspect.currentframe().f_back.f_globals["__name__"]})


def _check_target(cell, data_format):
    if data_format == "NHWC" and context.get_context("device_target") != "GPU":
        raise ValueError(f"For '{cell.cls_name}', the 'NHWC' format only support in GPU target.")


class _Weights(Cell):
    """The two parts of a weight; a Tensor gives both, any other initializer each."""

    def __init__(self, weight_init, shape):
        super().__init__()
        both = get_x_and_y(weight_init) if isinstance(weight_init, Tensor) else (weight_init,) * 2
        self.weight_x = Parameter(initializer(both[0], shape), name="weight_x")
        self.weight_y = Parameter(initializer(both[1], shape), name="weight_y")


class _Biased(Cell):
    """Base class of convolutions and dense layers: one dtype for all given Tensors, and the bias."""

    def _keep_bias(self, has_bias, bias_init, channels):
        self.bias_x = self.bias_y = None
        if not has_bias:
            return
        both = (bias_init,) * 2
        if isinstance(bias_init, Tensor):
            if self.dtype is not None and self.dtype != bias_init.dtype:
                raise TypeError(
                    "Data type of the weight_init tensor and the bias init tensor must be equal, but got "
                    f"weight_init.dtype={self.dtype} and bias_init.dtype={bias_init.dtype}"
                )
            self.dtype, both = bias_init.dtype, get_x_and_y(bias_init)
        self.bias_x = Parameter(initializer(both[0], [channels]), name="bias_x")
        self.bias_y = Parameter(initializer(both[1], [channels]), name="bias_y")

    def _check_dtype(self, u):
        if self.dtype is not None and self.dtype != u.dtype:
            raise TypeError(
                "dtype must be equal to the data type of the inputs tensor, but got: "
                f"dtype={self.dtype} and inputs.dtype={u.dtype}"
            )

    def _add_bias(self, x, y):
        if self.bias_x is None:
            return x, y
        return ops.bias_add(x, self.bias_x), ops.bias_add(y, self.bias_y)


class _Convolution(_Biased):
    """Arguments as of the layer of `nn` with the same name.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range; Tensors of different dtypes.
    """

    @checked
    def __init__(
        self,
        algebra: Any,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: tuple[PositiveInt, ...],
        stride: tuple[PositiveInt, ...],
        pad_mode: Like[PadMode],
        padding: NonNegativeInt | tuple[NonNegativeInt, ...],
        dilation: tuple[PositiveInt, ...],
        group: PositiveInt,
        has_bias: bool,
        weight_init: Init,
        bias_init: Init,
        data_format: ImageFormat = "NCHW",
    ):
        super().__init__()
        name = self.cls_name
        self.in_channels, self.out_channels, self.group, self.has_bias = in_channels, out_channels, group, has_bias
        self.kernel_size, self.stride, self.dilation = kernel_size, stride, dilation
        self.pad_mode, self.weight_init, self.bias_init = pad_mode, weight_init, bias_init
        self.data_format, self.padding = data_format, padding
        _check_target(self, data_format)
        for what, channels in (("in_channels", in_channels), ("out_channels", out_channels)):
            if channels % group:
                raise ValueError(f"Attr '{what}' of {name} Op must be divisible by attr 'group' of {name} Op.")
        each = in_channels // group
        shape = [out_channels, *kernel_size, each] if data_format == "NHWC" else [out_channels, each, *kernel_size]
        self.dtype = weight_init.dtype if isinstance(weight_init, Tensor) else None
        self.algebra, self.conv_impl = algebra, _Weights(weight_init, shape)
        self._keep_bias(has_bias, bias_init, out_channels)
        if not has_bias and bias_init != "zeros":
            logger.warning("Value of 'has_bias' is False, value of 'bias_init' will be ignored.")

    def _convolve(self, x, weight):
        options = (None, self.stride, self.pad_mode, self.padding, self.dilation, self.group)
        if self.data_format == "NHWC":
            out = ops.conv2d(x.transpose(0, 3, 1, 2), weight.transpose(0, 3, 1, 2), *options)
            return out.transpose(0, 2, 3, 1)
        return (ops.conv3d if self.data_format == "NCDHW" else ops.conv2d)(x, weight, *options)

    def _both(self, x, y):
        weights = self.conv_impl.weight_x, self.conv_impl.weight_y
        x, y = self.algebra.convolution(self._convolve, x, y, *weights, self.data_format.find("C"))
        if self.data_format == "NHWC" and self.bias_x is not None:
            return x + self.bias_x, y + self.bias_y
        return self._add_bias(x, y)

    def construct(self, u):
        self._check_dtype(u)
        return to_2channel(*self._both(*get_x_and_y(u)), u.dtype)

    def extend_repr(self):
        names = "kernel_size stride pad_mode padding dilation group has_bias weight_init bias_init"
        return (
            f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
            + ", ".join(f"{name}={getattr(self, name)}" for name in names.split())
            + f", format={self.data_format}"
        )


class Conv2d(_Convolution):
    __doc__ = "Convolution over two axes. " + _Convolution.__doc__

    @checked
    def __init__(
        self,
        conv_impl: Any,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: TypedPair[PositiveInt],
        stride: TypedPair[PositiveInt] = 1,
        pad_mode: Like[PadMode] = "same",
        padding: Sides2d = 0,
        dilation: TypedPair[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        data_format: ImageFormat = "NCHW",
    ):
        sizes = check.twice(kernel_size), check.twice(stride), pad_mode, padding, check.twice(dilation)
        super().__init__(
            conv_impl, in_channels, out_channels, *sizes, group, has_bias, weight_init, bias_init, data_format
        )


class Conv1d(_Convolution):
    __doc__ = "Convolution over one axis; the weight has a height of one. " + _Convolution.__doc__

    @checked
    def __init__(
        self,
        conv_impl: Any,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: PositiveInt,
        stride: PositiveInt = 1,
        pad_mode: Like[PadMode] = "same",
        padding: NonNegativeInt = 0,
        dilation: PositiveInt = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
    ):
        if isinstance(weight_init, Tensor):
            weight_init = ops.expand_dims(weight_init, -2)
        sizes = (1, kernel_size), (1, stride), pad_mode, padding, (1, dilation)
        super().__init__(conv_impl, in_channels, out_channels, *sizes, group, has_bias, weight_init, bias_init)
        self.padding = (0, 0, padding, padding)

    def _both(self, x, y):
        if x.ndim != 3:
            raise ValueError(f"For '{self.cls_name}', the dimension of input must be 3d, but got {x.ndim}.")
        x, y = super()._both(ops.expand_dims(x, 2), ops.expand_dims(y, 2))
        return ops.squeeze(x, 2), ops.squeeze(y, 2)


class Conv3d(_Convolution):
    __doc__ = "Convolution over three axes. " + _Convolution.__doc__

    @checked
    def __init__(
        self,
        conv_impl: Any,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        kernel_size: Triple[PositiveInt],
        stride: Triple[PositiveInt] = 1,
        pad_mode: Like[PadMode] = "same",
        padding: Sides3d = 0,
        dilation: Triple[PositiveInt] = 1,
        group: PositiveInt = 1,
        has_bias: bool = False,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        data_format: ImageFormat = "NCDHW",
    ):
        sizes = check.triple(kernel_size), check.triple(stride), pad_mode, padding, check.triple(dilation)
        super().__init__(
            conv_impl, in_channels, out_channels, *sizes, group, has_bias, weight_init, bias_init, data_format
        )

    def _both(self, x, y):
        if x.ndim != 5:
            raise ValueError(f"For {self.cls_name}, input should be 5 dims, but got shape {x.shape}.")
        return super()._both(x, y)


class Dense(_Biased):
    """Densely connected layer of the last axis, with weights of (out_channels, in_channels).

    Raises:
        TypeError, ValueError: an argument or a Tensor of the wrong kind or shape.
    """

    @checked
    def __init__(
        self,
        dense_impl: Any,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        weight_init: Init = "normal",
        bias_init: Init = "zeros",
        has_bias: bool = True,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        self.dtype = weight_init.dtype if isinstance(weight_init, Tensor) else None
        self._check_given(weight_init, "weight_init", (out_channels, in_channels))
        self.algebra, self.dense_impl = dense_impl, _Weights(weight_init, [out_channels, in_channels])
        self._check_given(bias_init if has_bias else None, "bias_init", (out_channels,))
        self._keep_bias(has_bias, bias_init, out_channels)

    def _check_given(self, given, what, shape):
        if not isinstance(given, Tensor):
            return
        wanted = shape if given.dtype == mstype.complex64 else (2, *shape)
        if tuple(given.shape) != wanted:
            raise ValueError(
                f"For '{self.cls_name}', {what.replace('_', ' ')} shape error. The shape of '{what}' must be {wanted}, "
                f"but got {given.shape}."
            )

    def construct(self, u: Tensor):
        self._check_dtype(u)
        least = 2 if u.dtype == mstype.complex64 else 3
        if u.ndim < least or (least == 3 and u.shape[0] != 2):
            also = ", and the first dimension should be 2" if least == 3 else ""
            raise ValueError(
                f"For '{self.cls_name}', the dimension of 'x' should not be less than {least}{also}, but got {u.shape}."
            )
        weights = self.dense_impl.weight_x, self.dense_impl.weight_y
        x, y = get_x_and_y(u)
        flat = [ops.reshape(part, (-1, x.shape[-1])) for part in (x, y)]
        both = self.algebra.weighted(lambda part, weight: ops.matmul(part, weight.T), *flat, *weights)
        both = [ops.reshape(part, (*x.shape[:-1], self.out_channels)) for part in self._add_bias(*both)]
        return to_2channel(*both, u.dtype)

    def extend_repr(self):
        bias = f", has_bias={self.has_bias}" if self.has_bias else ""
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}{bias}"


class _BatchNormImpl(Cell):
    """The Parameters of a batch normalization."""

    def __init__(self, affine, gamma_init, beta_init, features):
        super().__init__()
        for name, init in (("scale", gamma_init), ("shift", beta_init)):
            for part in ("x", "y"):
                value = Parameter(initializer(init, features), name=f"{name}_{part}", requires_grad=affine)
                setattr(self, f"{name}_{part}", value)


class _BatchNorm(Cell):
    """Batch normalization; the variance is the mean of the squared norm, which the algebra gives.

    As in MindSpore the statistics of the batch are used, and none are kept, unless `use_batch_statistics` is set; then they are
    kept while training, and used otherwise.

    Raises:
        TypeError, ValueError: an argument or a Tensor of the wrong kind or range.
    """

    _ranks = ()

    @checked
    def __init__(
        self,
        bn_impl: Any,
        num_features: PositiveInt,
        eps: Like[float] = 1e-5,
        momentum: Like[float] = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: AsValue[bool | None] = None,
        data_format: AsValue[Literal["NCHW", "NHWC"]] = "NCHW",
    ):
        super().__init__()
        if not 0 <= momentum <= 1:
            raise ValueError(
                f"For '{self.cls_name}', the 'momentum' must be a number in range [0, 1], but got {momentum}."
            )
        self.format = data_format
        _check_target(self, data_format)
        self.algebra, self.num_features, self.eps, self.affine = bn_impl, num_features, eps, affine
        self.use_batch_statistics, self.momentum = use_batch_statistics, 1.0 - momentum
        self.bn_impl = _BatchNormImpl(affine, gamma_init, beta_init, num_features)
        for attribute, kept, init in (
            ("moving_mean_x", "mean_x", moving_mean_init),
            ("moving_mean_y", "mean_y", moving_mean_init),
            ("moving_sigma2", "sigma2", moving_var_init),
        ):
            setattr(self, attribute, Parameter(initializer(init, num_features), name=kept, requires_grad=False))

    def construct(self, u):
        ranks = self._ranks if u.dtype == mstype.complex64 else tuple(r + 1 for r in self._ranks)
        if u.dtype not in (mstype.float16, mstype.float32, mstype.complex64):
            raise TypeError(f"Only float16, float32 and complex64 data types are supported, but got {u.dtype}.")
        if u.ndim not in ranks:
            allowed = "-".join(str(r) for r in sorted(ranks))
            raise ValueError(f"For '{self.cls_name}', the in_shape must have {allowed} dims, but got {u.ndim}.")
        x, y = get_x_and_y(u)
        axis = self.format.find("C") if self.format == "NCHW" else x.ndim - 1
        others = tuple(i for i in range(x.ndim) if i != axis)
        wide = [1] * x.ndim
        wide[axis] = self.num_features

        def along(value):
            return ops.reshape(value, wide)

        if self.training or not self.use_batch_statistics:
            means = [ops.mean(part, others) for part in (x, y)]
            x, y = (part - along(mean) for part, mean in zip((x, y), means))
            variance = ops.mean(self.algebra.square_norm(x, y), others) + self.eps
            if self.use_batch_statistics:
                kept = (self.moving_mean_x, self.moving_mean_y, self.moving_sigma2)
                for parameter, value in zip(kept, (*means, variance)):
                    ops.assign(parameter, parameter * (1 - self.momentum) + value * self.momentum)
        else:
            x, y = x - along(self.moving_mean_x), y - along(self.moving_mean_y)
            variance = self.moving_sigma2
        sigma = ops.sqrt(variance)
        if not self.affine:
            return to_2channel(x / along(sigma), y / along(sigma), u.dtype)
        own = self.bn_impl
        scales = along(own.scale_x / sigma), along(own.scale_y / sigma)
        x, y = self.algebra.product(ops.mul, x, y, *scales)
        return to_2channel(x + along(own.shift_x), y + along(own.shift_y), u.dtype)


class BatchNorm1d(_BatchNorm):
    __doc__ = "Of (2, N, C) or (2, N, C, L). " + _BatchNorm.__doc__
    _ranks = (2, 3)

    def __init__(
        self,
        bn_impl: Any,
        num_features: PositiveInt,
        eps: Like[float] = 1e-5,
        momentum: Like[float] = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: AsValue[bool | None] = None,
    ):
        inits = gamma_init, beta_init, moving_mean_init, moving_var_init
        super().__init__(bn_impl, num_features, eps, momentum, affine, *inits, use_batch_statistics)


class BatchNorm2d(_BatchNorm):
    __doc__ = "Of (2, N, C, H, W). " + _BatchNorm.__doc__
    _ranks = (4,)


class BatchNorm3d(Cell):
    __doc__ = "Of (2, N, C, D, H, W). " + _BatchNorm.__doc__

    @checked
    def __init__(
        self,
        bn_impl: Any,
        num_features: PositiveInt,
        eps: Like[float] = 1e-5,
        momentum: Like[float] = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: AsValue[bool | None] = None,
        data_format: AsValue[Literal["NCDHW"]] = "NCDHW",
    ):
        super().__init__()
        self.format = data_format
        inits = gamma_init, beta_init, moving_mean_init, moving_var_init
        self.bn2d = BatchNorm2d(bn_impl, num_features, eps, momentum, affine, *inits, use_batch_statistics)

    def construct(self, u: Tensor):
        rank = 5 if u.dtype == mstype.complex64 else 6
        if u.ndim != rank:
            raise ValueError(
                f"For '{self.cls_name}', the input_shape must be {rank}-dimensional, but got the length of "
                f"input_shape: {u.ndim}."
            )
        *before, depth, height, width = u.shape
        return ops.reshape(self.bn2d(ops.reshape(u, (*before, depth * height, width))), u.shape)

"""Normalization layers: batch, layer, group, instance."""

import numbers
from itertools import chain
from typing import Annotated, Literal

import numpy as np

from ... import ops
from ...core.keywords import Only, old_keywords
from ...core.operators import check
from ...core.operators.record import records
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Length, Like, PositiveInt, Rank, Within
from ...core.values import dtype as mstype
from ...core.values.initializer import Initializer, initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...parallel import communication
from ...parallel.gradients import batch_norm_step_across
from ...parallel.places import place
from ..arguments import DType, Init
from ..cell.cell import Cell
from ..lazy_operator import Served

_step, _infer = records["batch_norm_step"], records["batch_norm_infer"]


def _check_axes(cell, x, allowed):
    if x.ndim not in allowed:
        raise ValueError(
            f"For '{cell.cls_name}', the in_shape must have {' or '.join(map(str, allowed))} dims, but got {x.ndim}."
        )


def _affine_parameters(cell, size, gamma_init, beta_init, affine, dtype):
    cell.gamma = Parameter(initializer(gamma_init, size, dtype=dtype), name="gamma", requires_grad=affine)
    cell.beta = Parameter(initializer(beta_init, size, dtype=dtype), name="beta", requires_grad=affine)


def _moving_parameters(cell, size, mean_init, variance_init, dtype):
    cell.moving_mean = Parameter(initializer(mean_init, size, dtype=dtype), name="mean", requires_grad=False)
    cell.moving_variance = Parameter(
        initializer(variance_init, size, dtype=dtype), name="variance", requires_grad=False
    )


def _statistics_repr(cell, momentum):
    return (
        f"num_features={cell.num_features}, eps={cell.eps}, momentum={momentum}, gamma={cell.gamma}, beta={cell.beta}, "
        f"moving_mean={cell.moving_mean}, moving_variance={cell.moving_variance}"
    )


class _BatchNorm(Cell):
    """Batch normalization (Ioffe and Szegedy, 2015) per channel: (x - mean) / sqrt(variance + eps) * gamma + beta.

    In training the statistics are those of the batch, and the moving ones follow:
    moving = momentum * moving + (1 - momentum) * batch. In evaluation the moving ones are used.

    Args:
        num_features: number of channels.
        eps: added to the variance.
        momentum: how much of the moving statistics stays, in [0, 1].
        affine: whether gamma and beta are trained.
        gamma_init, beta_init, moving_mean_init, moving_var_init: initializers.
        use_batch_statistics: True or False to use the statistics of the batch, or the moving ones, always; None to go
        by `training`.
        data_format: "NCHW" or "NHWC".
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, or x with another number of axes.
    """

    _axes = (2, 3, 4, 5)
    bn_train = Served(
        lambda self: ops.BatchNorm(is_training=True, epsilon=self.eps, momentum=self.momentum, data_format=self.format)
    )
    bn_infer = Served(lambda self: ops.BatchNorm(is_training=False, epsilon=self.eps, data_format=self.format))

    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: Like[float] = 1e-5,
        momentum: Annotated[Like[float], Within("[0, 1]")] = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: AsValue[bool | None] = None,
        data_format: AsValue[Literal["NCHW", "NHWC"]] = "NCHW",
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.use_batch_statistics, self.format = use_batch_statistics, data_format
        self.num_features, self.eps = num_features, eps
        self.beta_init, self.gamma_init = beta_init, gamma_init
        self.moving_mean_init, self.moving_var_init = moving_mean_init, moving_var_init
        _moving_parameters(self, num_features, moving_mean_init, moving_var_init, dtype)
        _affine_parameters(self, num_features, gamma_init, beta_init, affine, dtype)
        self.momentum = 1.0 - momentum  # the weight of the batch, as the operator takes it

    def construct(self, x):
        _check_axes(self, x, self._axes)
        if self.format == "NHWC" and x.ndim == 4:
            return self._normalize(x.transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1)
        return self._normalize(x)

    def _normalize(self, x):
        """Of (N, C, ...)."""
        if x.shape[1] != self.num_features:
            raise ValueError(
                f"For '{self.cls_name}', 'num_features' must be the number of channels of the input, "
                f"{x.shape[1]}, but got {self.num_features}."
            )
        if self.training if self.use_batch_statistics is None else self.use_batch_statistics:
            return _step(self.moving_mean, self.moving_variance, x, self.gamma, self.beta, self.momentum, self.eps)[0]
        return _infer(x, self.gamma, self.beta, self.moving_mean, self.moving_variance, self.eps)

    def extend_repr(self):
        return _statistics_repr(self, 1.0 - self.momentum)


class BatchNorm1d(_BatchNorm):
    __doc__ = (
        _BatchNorm.__doc__
        + """
    Example:
        >>> nn.BatchNorm1d(4)(Tensor(np.ones((2, 4), np.float32)))
    """
    )
    _axes = (2, 3)


class BatchNorm2d(_BatchNorm):
    __doc__ = (
        _BatchNorm.__doc__
        + """
    Example:
        >>> nn.BatchNorm2d(3)(Tensor(np.ones((1, 3, 2, 2), np.float32)))
    """
    )
    _axes = (4,)


class BatchNorm3d(Cell):
    """Batch normalization of (N, C, D, H, W); arguments as for BatchNorm2d, which it holds as `bn2d`.

    Raises:
        ValueError: x does not have 5 axes.

    Example:
        >>> nn.BatchNorm3d(3)(Tensor(np.ones((1, 3, 2, 2, 2), np.float32))).shape
        (1, 3, 2, 2, 2)
    """

    @old_keywords(data_format=Only("NCDHW"))
    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: Like[float] = 1e-5,
        momentum: Like[float] = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: AsValue[bool | None] = None,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.bn2d = BatchNorm2d(
            num_features,
            eps,
            momentum,
            affine,
            gamma_init,
            beta_init,
            moving_mean_init,
            moving_var_init,
            use_batch_statistics,
            dtype=dtype,
        )

    @checked
    def construct(self, x: Annotated[Tensor, Rank(5)]) -> Tensor:
        n, c, d, h, w = x.shape
        return self.bn2d(x.reshape(n, c, d * h, w)).reshape(x.shape)


class SyncBatchNorm(_BatchNorm):
    """Batch normalization with the statistics of all processes of a group; for one process as BatchNorm2d.

    Args: as for BatchNorm2d; process_groups: None for all processes, 0 for this one alone, or a list of lists of ranks.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, a rank that occurs twice, or x with neither 2
        nor 4 axes.

    Example:
        >>> print(nn.SyncBatchNorm(3)(Tensor(np.ones((1, 3, 2, 2), np.float32))))
        [[[[0.99999505 0.99999505]
           [0.99999505 0.99999505]]
        <BLANKLINE>
          [[0.99999505 0.99999505]
           [0.99999505 0.99999505]]
        <BLANKLINE>
          [[0.99999505 0.99999505]
           [0.99999505 0.99999505]]]]
    """

    _axes = (2, 4)
    _place = None  # the group whose statistics count; None: this process alone

    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: Like[float] = 1e-5,
        momentum: Like[float] = 0.9,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        moving_mean_init: Init = "zeros",
        moving_var_init: Init = "ones",
        use_batch_statistics: AsValue[bool | None] = None,
        process_groups: Like[list | None] = None,
        dtype: DType = mstype.float32,
    ):
        super().__init__(
            num_features,
            eps,
            momentum,
            affine,
            gamma_init,
            beta_init,
            moving_mean_init,
            moving_var_init,
            use_batch_statistics,
            dtype=dtype,
        )
        self.process_groups, self.is_global, self.group_name = process_groups, False, None
        if process_groups == 0:
            return
        if process_groups is not None:
            check.check_isinstance("process_groups", process_groups, list)
            ranks = list(chain(*process_groups))
            for rank in ranks:
                check.check_int_range(
                    rank, 0, communication.get_group_size(), check.INC_LEFT, "rank id in process_groups", self.cls_name
                )
            if len(set(ranks)) != len(ranks):
                raise ValueError(
                    f"For '{self.cls_name}', a rank must not occur twice in 'process_groups', but got {process_groups}."
                )
        here = communication.get_rank()
        groups = [g for g in process_groups or () if here in g]
        if process_groups is None or groups:
            size = communication.get_group_size()
            self._place = place(tuple(groups[0]) if groups else tuple(range(size)), size)

    def _normalize(self, x):
        batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if not batch or self._place is None or self._place.size == 1:
            return super()._normalize(x)
        return batch_norm_step_across(
            self.moving_mean, self.moving_variance, x, self.gamma, self.beta, self.momentum, self.eps, self._place
        )


class LayerNorm(Cell):
    """Layer normalization (Ba et al., 2016) over the axes from `begin_norm_axis` on.

    Args:
        normalized_shape: sizes of gamma and beta, a tuple or list of ints.
        begin_norm_axis: first axis of x that the statistics are taken over.
        begin_params_axis: first axis of x that gamma and beta go along.
        gamma_init, beta_init: initializers.
        epsilon: added to the variance.
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: `normalized_shape` is not a tuple or list, or empty.

    Example:
        >>> print(nn.LayerNorm((4,))(Tensor(np.ones((2, 4), np.float32))))
        [[0. 0. 0. 0.]
         [0. 0. 0. 0.]]
    """

    layer_norm = Served(
        lambda self: ops.LayerNorm(
            begin_norm_axis=self.begin_norm_axis, begin_params_axis=self.begin_params_axis, epsilon=self.epsilon
        )
    )

    @checked
    def __init__(
        self,
        normalized_shape: Annotated[tuple | list, Length(at_least=1)],
        begin_norm_axis: Like[int] = -1,
        begin_params_axis: Like[int] = -1,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        epsilon: Like[float] = 1e-7,
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.normalized_shape, self.epsilon = normalized_shape, epsilon
        self.begin_norm_axis, self.begin_params_axis = begin_norm_axis, begin_params_axis
        _affine_parameters(self, normalized_shape, gamma_init, beta_init, True, dtype)

    def construct(self, input_x: Tensor) -> Tensor:
        gamma, beta = self.gamma, self.beta
        if gamma.dtype != input_x.dtype:
            gamma, beta = gamma.astype(input_x.dtype), beta.astype(input_x.dtype)
        return self.layer_norm(input_x, gamma, beta)[0]

    def extend_repr(self):
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma{self.gamma}, beta={self.beta}"
        )


class LayerNormExt(Cell):
    """`mint.nn.LayerNorm`: layer normalization over the last axes, whose sizes are `normalized_shape`.

    Example:
        >>> print(mint.nn.LayerNorm(4)(Tensor(np.ones((2, 4), np.float32))))
        [[0. 0. 0. 0.]
         [0. 0. 0. 0.]]
    """

    @checked
    def __init__(
        self,
        normalized_shape: numbers.Integral | Annotated[tuple | list, Length(at_least=1)],
        eps: Like[float] = 1e-5,
        elementwise_affine: Like[bool] = True,
        bias: Like[bool] = True,
        dtype: DType = None,
    ):
        super().__init__()
        if isinstance(normalized_shape, numbers.Integral):
            normalized_shape = (normalized_shape,)
        self.normalized_shape, self.eps, self.elementwise_affine = tuple(normalized_shape), eps, elementwise_affine
        dtype = mstype.float32 if dtype is None else dtype
        self.weight = self.bias = None
        if elementwise_affine:
            self.weight = Parameter(Tensor(np.ones(self.normalized_shape), dtype), name="weight")
            if bias:
                self.bias = Parameter(Tensor(np.zeros(self.normalized_shape), dtype), name="bias")

    def construct(self, input: Tensor) -> Tensor:
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self):
        return f"normalized_shape={self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Cell):
    """Group normalization (Wu and He, 2018): statistics over groups of channels.

    Args:
        num_groups: number of groups; divides `num_channels`.
        num_channels: size of axis 1 of x.
        eps: added to the variance.
        affine: whether gamma and beta are trained.
        gamma_init, beta_init: initializers.
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, or x with another number of channels.

    Example:
        >>> print(nn.GroupNorm(2, 4)(Tensor(np.ones((1, 4, 2, 2), np.float32))))
        [[[[0. 0.]
           [0. 0.]]
        <BLANKLINE>
          [[0. 0.]
           [0. 0.]]
        <BLANKLINE>
          [[0. 0.]
           [0. 0.]]
        <BLANKLINE>
          [[0. 0.]
           [0. 0.]]]]
    """

    @checked
    def __init__(
        self,
        num_groups: PositiveInt,
        num_channels: PositiveInt,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Init = "ones",
        beta_init: Init = "zeros",
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        self.num_groups = num_groups
        self.num_channels = num_channels
        if num_channels % num_groups:
            raise ValueError(
                f"For '{self.cls_name}', the 'num_channels' must be divided by 'num_groups', but got 'num_channels': "
                f"{num_channels}, 'num_groups': {num_groups}."
            )
        self.eps = eps
        self.affine = affine
        _affine_parameters(self, num_channels, gamma_init, beta_init, affine, dtype)

    def construct(self, x: Tensor) -> Tensor:
        if x.ndim < 2 or x.shape[1] != self.num_channels:
            raise ValueError(
                f"For '{self.cls_name}', the second axis of 'x' must be 'num_channels' = "
                f"{self.num_channels}, but got shape {x.shape}."
            )
        return self._cal_output(x)

    def _cal_output(self, x):
        """The result; subclasses of programs put another in its place."""
        return ops.group_norm(x, self.num_groups, self.gamma.astype(x.dtype), self.beta.astype(x.dtype), self.eps)

    def extend_repr(self):
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(Cell):
    """Instance normalization (Ulyanov et al., 2017): statistics of each channel of each sample.

    Args:
        num_features: number of channels.
        eps: added to the variance.
        momentum: how much of the batch goes into the moving statistics, in [0, 1].
        affine: whether gamma and beta are trained.
        gamma_init, beta_init: initializers.
        dtype: dtype of the Parameters.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range, or x with another number of axes.
    """

    @checked
    def __init__(
        self,
        num_features: PositiveInt,
        eps: Annotated[float, Within("(0, 1]")] = 1e-5,
        momentum: Annotated[float, Within("[0, 1]")] = 0.1,
        affine: bool = True,
        gamma_init: Tensor | numbers.Number | str | Initializer = "ones",
        beta_init: Tensor | numbers.Number | str | Initializer = "zeros",
        dtype: DType = mstype.float32,
    ):
        super().__init__()
        for what, value in (("gamma_init", gamma_init), ("beta_init", beta_init)):
            if isinstance(value, Tensor) and value.dtype != mstype.float32:
                raise TypeError(f"For '{self.cls_name}', the type of '{what}' must be float32, but got {value.dtype}.")
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        _moving_parameters(self, num_features, "zeros", "ones", dtype)
        _affine_parameters(self, num_features, gamma_init, beta_init, affine, dtype)

    instance_bn = Served(lambda self: ops.InstanceNorm(epsilon=self.eps, momentum=self.momentum))

    def construct(self, x):
        _check_axes(self, x, self._axes)
        return self.instance_bn(x, self.gamma, self.beta, self.moving_mean, self.moving_variance)[0]

    def extend_repr(self):
        return _statistics_repr(self, self.momentum)


class InstanceNorm1d(_InstanceNorm):
    __doc__ = (
        _InstanceNorm.__doc__
        + """
    Example:
        >>> nn.InstanceNorm1d(3)(Tensor(np.ones((2, 3, 4), np.float32)))
    """
    )
    _axes = (3,)


class InstanceNorm2d(_InstanceNorm):
    __doc__ = (
        _InstanceNorm.__doc__
        + """
    Example:
        >>> nn.InstanceNorm2d(3)(Tensor(np.ones((2, 3, 4, 4), np.float32)))
    """
    )
    _axes = (4,)


class InstanceNorm3d(_InstanceNorm):
    __doc__ = (
        _InstanceNorm.__doc__
        + """
    Example:
        >>> nn.InstanceNorm3d(3)(Tensor(np.ones((2, 3, 4, 4, 4), np.float32)))
    """
    )
    _axes = (5,)


__all__ = [
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "GroupNorm",
    "InstanceNorm1d",
    "InstanceNorm2d",
    "InstanceNorm3d",
    "LayerNorm",
    "LayerNormExt",
    "SyncBatchNorm",
]

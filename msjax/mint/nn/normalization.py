"""Normalization layers with PyTorch's Parameter names: weight, bias, running_mean, running_var, num_batches_tracked."""

from typing import TYPE_CHECKING

import numpy as np

from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.initializer import initializer
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...nn.cell.cell import Cell
from ...parallel.gradients import batch_norm_step_across
from ...parallel.places import place_of
from . import functional as F

if TYPE_CHECKING:
    from ...core.values.dtype import Type


class _BatchNorm(Cell):
    """Batch normalization per channel: (x - mean) / sqrt(variance + eps) * weight + bias.

    In training the statistics are those of the batch, and running = (1 - momentum) * running + momentum * batch.

    Args:
        num_features: number of channels.
        eps: added to the variance.
        momentum: weight of the batch in the running statistics; None for their plain mean.
        affine: whether there are `weight` and `bias`.
        track_running_stats: whether running statistics are kept and used in evaluation.
        dtype: dtype of the Parameters, float32 by default.

    Raises:
        ValueError: x with another number of axes.
    """

    _axes = (4,)

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, dtype=None):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats, self.dtype = affine, track_running_stats, dtype or mstype.float32
        self.weight = self.bias = self.running_mean = self.running_var = self.num_batches_tracked = None
        if affine:
            self.weight = Parameter(initializer("ones", [num_features], self.dtype), name="weight")
            self.bias = Parameter(initializer("zeros", [num_features], self.dtype), name="bias")
        if track_running_stats:
            self.running_mean = Parameter(
                initializer("zeros", [num_features], self.dtype), name="running_mean", requires_grad=False
            )
            self.running_var = Parameter(
                initializer("ones", [num_features], self.dtype), name="running_var", requires_grad=False
            )
            self.num_batches_tracked = Parameter(
                Tensor(0, mstype.int64), name="num_batches_tracked", requires_grad=False
            )

    def reset_running_stats(self):
        """Reset the running statistics: mean 0, variance 1."""
        if self.track_running_stats:
            for parameter, value in ((self.running_mean, 0), (self.running_var, 1), (self.num_batches_tracked, 0)):
                parameter.set_data(Tensor(np.full(parameter.shape, value), parameter.dtype))

    def reset_parameters(self):
        """Weight 1, bias 0, and the running statistics forgotten."""
        self.reset_running_stats()
        if self.affine:
            self.weight.set_data(Tensor(np.ones(self.num_features), self.dtype))
            self.bias.set_data(Tensor(np.zeros(self.num_features), self.dtype))

    def _check_input_dim(self, input):
        if input.ndim not in self._axes:
            expected = " or ".join(f"{n}D" for n in self._axes)
            raise ValueError(
                f"For '{self.cls_name}', expected {expected} input, but got {input.ndim}D input of shape {input.shape}."
            )

    def construct(self, input):
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked += 1
            if self.momentum is None:
                momentum = 1.0 / self.num_batches_tracked.astype(mstype.float32)
        of_batch = self.training or self.running_mean is None
        tracked = self.running_mean is not None
        return F.batch_norm(
            input,
            self.running_mean if tracked else None,
            self.running_var if tracked else None,
            self.weight,
            self.bias,
            of_batch,
            momentum,
            self.eps,
        )

    def extend_repr(self):
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    __doc__ = (
        _BatchNorm.__doc__
        + """
    Example:
        >>> mint.nn.BatchNorm1d(4)(mint.ones((2, 4)))
    """
    )
    _axes = (2, 3)


class BatchNorm2d(_BatchNorm):
    __doc__ = (
        _BatchNorm.__doc__
        + """
    Example:
        >>> mint.nn.BatchNorm2d(3)(mint.ones((1, 3, 2, 2)))
    """
    )


class BatchNorm3d(_BatchNorm):
    __doc__ = (
        _BatchNorm.__doc__
        + """
    Example:
        >>> mint.nn.BatchNorm3d(3)(mint.ones((1, 3, 2, 2, 2)))
    """
    )
    _axes = (5,)


class SyncBatchNorm(_BatchNorm):
    __doc__ = (
        _BatchNorm.__doc__
        + """
    In training the statistics are those of the batches of all processes of `process_group` (a name; None: all). Several
    processes need `affine`, `track_running_stats` and a number for `momentum` (RuntimeError).

    Example:
        >>> mint.nn.SyncBatchNorm(3)(mint.ones((1, 3, 2, 2)))
    """
    )
    _axes = (2, 3, 4, 5)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        process_group: str | None = None,
        dtype: "Type | None" = None,
    ):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, dtype)
        self.process_group = process_group
        self._place = place_of("SyncBatchNorm", process_group)

    def construct(self, input: Tensor):
        if self._place.size == 1 or not self.training:
            return super().construct(input)
        self._check_input_dim(input)
        if not self.affine or not self.track_running_stats or self.momentum is None:
            raise RuntimeError(
                "For 'SyncBatchNorm', several processes need affine=True, track_running_stats=True and a number for 'momentum'."
            )
        self.num_batches_tracked += 1
        return batch_norm_step_across(
            self.running_mean, self.running_var, input, self.weight, self.bias, self.momentum, self.eps, self._place
        )


class GroupNorm(Cell):
    """Normalization over groups of channels (Wu and He, 2018), times `weight` plus `bias` per channel.

    Args:
        num_groups, num_channels: the groups, and the channels (axis 1), a multiple of them.
        eps: added to the variance.
        affine: whether `weight` and `bias` are trained.
        dtype: dtype of the Parameters, float32 by default.

    Raises:
        ValueError: `num_groups` does not divide `num_channels`. TypeError: an argument of the wrong kind.

    Example:
        >>> print(mint.nn.GroupNorm(2, 4)(mint.ones((1, 4, 2, 2))))
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

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: "Type | None" = None
    ):
        super().__init__()
        self.num_groups = check.check_positive_int(num_groups, "num_groups", self.cls_name)
        self.num_channels = check.check_positive_int(num_channels, "num_channels", self.cls_name)
        if num_channels % num_groups:
            raise ValueError(
                f"For '{self.cls_name}', the 'num_channels' must be divided by 'num_groups', but got 'num_channels': "
                f"{num_channels}, 'num_groups': {num_groups}."
            )
        self.eps = check.check_value_type("eps", eps, (float,), self.cls_name)
        self.affine = check.check_bool(affine, "affine", self.cls_name)
        dtype = dtype or mstype.float32
        self.weight = Parameter(initializer("ones", [num_channels], dtype), name="weight", requires_grad=affine)
        self.bias = Parameter(initializer("zeros", [num_channels], dtype), name="bias", requires_grad=affine)

    def construct(self, input: Tensor) -> Tensor:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extend_repr(self):
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}, eps={self.eps}, affine={self.affine}"

"""Bayesian layers: weights with a distribution, drawn anew in every call, and the loss that trains them."""

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, PositiveInt, Raises, Within
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from ..layer.activation import get_activation
from ..layer.conv_base import ConvolutionBase
from .distribution import Normal

if TYPE_CHECKING:
    from ...core.values.dtype import Type


class NormalPrior(Cell):
    """Normal prior of weights; called like a distribution, `prior("kl_loss", "Normal", mean, sd)`.

    Args:
        dtype: a float type. mean, std: numbers, std > 0.

    Example:
        >>> print(nn.probability.bnn_layers.NormalPrior()("sd"))
        0.1
    """

    def __init__(self, dtype: "Type" = mstype.float32, mean: Any = 0, std: float = 0.1):
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs):
        return self.normal(*inputs)


Deviation = Annotated[int | float, Within("[0, inf]"), Raises(value=TypeError)]
NonNegativeReal = Annotated[int | float, Within("[0, inf]")]


class NormalPosterior(Cell):
    """Normal posterior of weights with trained mean and deviation; called like a distribution.

    The deviation is 1e-6 + log(1 + exp(untransformed_std)), so it stays positive.

    Args:
        name: str, start of the Parameters' names. shape: tuple or list. dtype: a float type.
        loc_mean, loc_std: the mean starts from normal numbers of these.
        untransformed_scale_mean, untransformed_scale_std: the same for `untransformed_std`.

    Raises:
        TypeError: an argument of the wrong kind.

    Example:
        >>> nn.probability.bnn_layers.NormalPosterior("weight", [2, 3])("sample").shape
        (2, 3)
    """

    @checked
    def __init__(
        self,
        name: str,
        shape: tuple | list,
        dtype: "Type" = mstype.float32,
        loc_mean: int | float = 0,
        loc_std: Deviation = 0.1,
        untransformed_scale_mean: int | float = -5,
        untransformed_scale_std: Deviation = 0.1,
    ):
        super().__init__()
        self.mean = Parameter(Tensor(np.random.normal(loc_mean, loc_std, shape), dtype), name=f"{name}_mean")
        start = np.random.normal(untransformed_scale_mean, untransformed_scale_std, shape)
        self.untransformed_std = Parameter(Tensor(start, dtype), name=f"{name}_untransformed_std")
        self.normal = Normal()

    def _std_trans(self, std_pre):
        return 1e-6 + ops.log(ops.exp(std_pre) + 1)

    def construct(self, *inputs):
        return self.normal(*inputs, mean=self.mean, sd=self._std_trans(self.untransformed_std))


def normal_post_fn(name: str, shape: tuple):
    """The NormalPosterior that layers use by default."""
    return NormalPosterior(name=name, shape=shape)


def _check_normal(cell, arg_name):
    for name in cell.name_cells():
        if name != "normal":
            raise TypeError(f"The type of distribution of `{arg_name}` must be `normal`")
    return cell


def check_prior(prior_fn: Any, arg_name: str):
    """The prior that `prior_fn` is or makes; TypeError unless it is one normal distribution with parameters."""
    prior = _check_normal(prior_fn if isinstance(prior_fn, Cell) else prior_fn(), arg_name)
    for normal in prior.name_cells().values():
        if not all(isinstance(value, Tensor) for value in (normal._mean_value, normal._sd_value)):
            raise TypeError(f"The input form of `{arg_name}` is incorrect")
    return prior


def check_posterior(posterior_fn: Any, shape: tuple, param_name: str, arg_name: str):
    """The posterior that `posterior_fn` makes for a weight; TypeError unless it is one normal distribution."""
    try:
        posterior = posterior_fn(shape=shape, name=param_name)
    except TypeError as error:
        raise TypeError(f"The type of `{arg_name}` must be `NormalPosterior`") from error
    return _check_normal(posterior, arg_name)


class _Variational:
    """Base of the Bayesian layers: priors and posteriors of weight and bias, and the divergence between them."""

    def _set_distributions(self, weight_shape, weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn):
        wanted = [("weight", weight_shape, weight_prior_fn, weight_posterior_fn)]
        if self.has_bias:
            wanted.append(("bias", [self.out_channels], bias_prior_fn, bias_posterior_fn))
        for what, shape, prior_fn, posterior_fn in wanted:
            setattr(self, f"{what}_prior", check_prior(prior_fn, f"{what}_prior_fn"))
            posterior = check_posterior(posterior_fn, shape, f"bnn_{what}", f"{what}_posterior_fn")
            setattr(self, f"{what}_posterior", posterior)

    def _distributions_repr(self):
        text = (
            f"weight_mean={self.weight_posterior.mean}, weight_std={self.weight_posterior.untransformed_std}, "
            f"has_bias={self.has_bias}"
        )
        if self.has_bias:
            text += f", bias_mean={self.bias_posterior.mean}, bias_std={self.bias_posterior.untransformed_std}"
        return text

    def apply_variational_bias(self, inputs):
        """`inputs` plus a bias drawn from its posterior."""
        return ops.bias_add(inputs, self.bias_posterior("sample"))

    def compute_kl_loss(self):
        """KL divergence of the posteriors from the priors, summed: a scalar."""
        pairs = [(self.weight_prior, self.weight_posterior)]
        if self.has_bias:
            pairs.append((self.bias_prior, self.bias_posterior))
        losses = [
            ops.sum(prior("kl_loss", posterior("get_dist_type"), *posterior("get_dist_args")))
            for prior, posterior in pairs
        ]
        return sum(losses[1:], losses[0])


_PRIORS = """weight_prior_fn, bias_prior_fn: NormalPrior, or a Cell or function like it.
        weight_posterior_fn, bias_posterior_fn: function of `shape=` and `name=` that gives a NormalPosterior.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or range.
    """


class ConvReparam(_Variational, ConvolutionBase):
    __doc__ = f"""2-D convolution whose weight is drawn from its posterior in every call.

    Args:
        in_channels, out_channels, kernel_size, stride, pad_mode, padding, dilation, group, has_bias: as for
            `nn.Conv2d`.
        {_PRIORS}
    Example:
        >>> nn.probability.bnn_layers.ConvReparam(3, 4, 3)(Tensor(np.ones((1, 3, 8, 8), np.float32))).shape
        (1, 4, 8, 8)
    """

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
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = normal_post_fn,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = normal_post_fn,
    ):
        ConvolutionBase.__init__(
            self,
            in_channels,
            out_channels,
            check.twice(kernel_size),
            check.twice(stride),
            pad_mode,
            padding,
            check.twice(dilation),
            group,
            has_bias,
            "normal",
            "zeros",
        )
        for unused in (self.weight, self.bias):  # MindSpore has them in its checkpoints
            if unused is not None:
                unused.requires_grad = False
        self.shape = [out_channels, in_channels // group, *self.kernel_size]
        self._set_distributions(self.shape, weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)

    def _apply_variational_weight(self, inputs):
        return ops.conv2d(
            inputs,
            self.weight_posterior("sample"),
            None,
            self.stride,
            self.pad_mode,
            self.padding,
            self.dilation,
            self.group,
        )

    def construct(self, inputs: Tensor):
        outputs = self._apply_variational_weight(inputs)
        return self.apply_variational_bias(outputs) if self.has_bias else outputs

    def extend_repr(self):
        return (
            f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
            f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
            f"group={self.group}, {self._distributions_repr()}"
        )


class _DenseVariational(_Variational, Cell):
    """Base class of the Bayesian dense layers."""

    @checked
    def __init__(
        self,
        in_channels: PositiveInt,
        out_channels: PositiveInt,
        activation: AsValue[str | Cell] | None = None,
        has_bias: bool = True,
        weight_prior_fn=NormalPrior,
        weight_posterior_fn=normal_post_fn,
        bias_prior_fn=NormalPrior,
        bias_posterior_fn=normal_post_fn,
    ):
        super().__init__()
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, has_bias
        self._set_distributions(
            [out_channels, in_channels], weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn
        )
        self.activation_flag = bool(activation)
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, x):
        outputs = self._apply_variational_weight(x)
        if self.has_bias:
            outputs = self.apply_variational_bias(outputs)
        return self.activation(outputs) if self.activation_flag else outputs

    def extend_repr(self):
        text = f"in_channels={self.in_channels}, out_channels={self.out_channels}, {self._distributions_repr()}"
        return text + (f", activation={self.activation}" if self.activation_flag else "")


_DENSE = f"""
    Args:
        in_channels, out_channels: sizes of the last axis of input and output.
        activation: str, Cell or None. has_bias: bool.
        {_PRIORS}"""


class DenseReparam(_DenseVariational):
    __doc__ = f"""Dense layer whose weight is drawn from its posterior in every call.
    {_DENSE}
    Example:
        >>> nn.probability.bnn_layers.DenseReparam(3, 4)(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    def _apply_variational_weight(self, inputs):
        return ops.matmul(inputs, self.weight_posterior("sample").T)


class DenseLocalReparam(_DenseVariational):
    __doc__ = f"""Dense layer that draws its outputs from the normal distribution that the weights' posterior gives.
    {_DENSE}
    Example:
        >>> nn.probability.bnn_layers.DenseLocalReparam(3, 4)(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        activation: Any = None,
        has_bias: bool = True,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = normal_post_fn,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = normal_post_fn,
    ):
        super().__init__(
            in_channels,
            out_channels,
            activation,
            has_bias,
            weight_prior_fn,
            weight_posterior_fn,
            bias_prior_fn,
            bias_posterior_fn,
        )
        self.normal = Normal()

    def _apply_variational_weight(self, inputs):
        mean = ops.matmul(inputs, self.weight_posterior("mean").T)
        variance = ops.matmul(ops.square(inputs), ops.square(self.weight_posterior("sd")).T)
        return self.normal("sample", mean=mean, sd=ops.sqrt(variance))


class WithBNNLossCell(Cell):
    """Loss of a network with Bayesian layers: dnn_factor * loss + bnn_factor * sum of the layers' divergences.

    Args:
        backbone: Cell from data to predictions. loss_fn: Cell of predictions and labels.
        dnn_factor, bnn_factor: numbers >= 0.

    Raises:
        TypeError, ValueError: a factor is not a number, or negative.

    Example:
        >>> net = nn.probability.bnn_layers.DenseReparam(3, 2)
        >>> loss = nn.probability.bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 1, 0.1)
        >>> loss(Tensor(np.ones((4, 3), np.float32)), Tensor(np.ones((4, 2), np.float32)))
    """

    @checked
    def __init__(self, backbone: Any, loss_fn: Any, dnn_factor: NonNegativeReal = 1, bnn_factor: NonNegativeReal = 1):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor
        self.kl_loss = []
        self._add_kl_loss(backbone)

    backbone_network = property(lambda self: self._backbone, doc="The network without its loss.")

    def _add_kl_loss(self, net):
        if isinstance(net, _Variational):
            self.kl_loss.append(net.compute_kl_loss)
            return
        for layer in net.name_cells().values():
            self._add_kl_loss(layer)

    def construct(self, x: Tensor, label: Tensor):
        kl_loss = 0
        for compute in self.kl_loss:
            kl_loss += compute()
        return self._loss_fn(self._backbone(x), label) * self.dnn_factor + kl_loss * self.bnn_factor


__all__ = ["ConvReparam", "DenseLocalReparam", "DenseReparam", "NormalPosterior", "NormalPrior", "WithBNNLossCell"]

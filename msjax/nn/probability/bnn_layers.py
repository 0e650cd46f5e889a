"""Bayesian layers: weights are drawn from a trained normal distribution at each call (Blundell et al., 2015)."""
import numpy as np

from ... import ops
from ...core import check
from ...core import dtype as mstype
from ...core.parameter import Parameter
from ...core.tensor import Tensor
from ..cell import Cell
from ..layer.activation import get_activation
from ..layer.conv import _Conv
from .distribution import Normal


class NormalPrior(Cell):
    """A normal distribution with fixed parameters, called as a distribution is.

    Example:
        >>> nn.probability.bnn_layers.NormalPrior()("mean")
    """

    def __init__(self, dtype=mstype.float32, mean=0, std=0.1):
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs):
        return self.normal(*inputs)


def _number(what, value, least=None):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or (least is not None and value < least):
        raise TypeError(f"For 'NormalPosterior', the '{what}' must be int or float" + ("" if least is None
                                                                                       else f" of at least {least}")
                        + f", but got {value!r}.")


class NormalPosterior(Cell):
    """A normal distribution with trained mean and standard deviation log(1 + exp(untransformed_std)).

    Args:
        name: put before the Parameters' names. shape: of the Parameters. dtype: of the Parameters.
        loc_mean, loc_std: of the normal draws for the mean.
        untransformed_scale_mean, untransformed_scale_std: of those for the untransformed standard deviation.

    Raises:
        TypeError: an argument of the wrong kind.

    Example:
        >>> nn.probability.bnn_layers.NormalPosterior("weight", (2, 3))("sample").shape
        (2, 3)
    """

    def __init__(self, name, shape, dtype=mstype.float32, loc_mean=0, loc_std=0.1, untransformed_scale_mean=-5,
                 untransformed_scale_std=0.1):
        super().__init__()
        if not isinstance(name, str):
            raise TypeError(f"For 'NormalPosterior', the 'name' must be str, but got {type(name).__name__}.")
        if not isinstance(shape, (tuple, list)):
            raise TypeError(f"For 'NormalPosterior', the 'shape' must be tuple or list, but got "
                            f"{type(shape).__name__}.")
        _number("loc_mean", loc_mean)
        _number("untransformed_scale_mean", untransformed_scale_mean)
        _number("loc_std", loc_std, 0)
        _number("untransformed_scale_std", untransformed_scale_std, 0)

        def drawn(mean, std, suffix):
            return Parameter(Tensor(np.random.normal(mean, std, shape), dtype=dtype), name=name + suffix)
        self.mean = drawn(loc_mean, loc_std, "_mean")
        self.untransformed_std = drawn(untransformed_scale_mean, untransformed_scale_std, "_untransformed_std")
        self.normal = Normal()

    def construct(self, name, *inputs):
        return self.normal(name, *inputs, mean=self.mean, sd=ops.softplus(self.untransformed_std) + 1e-6)


def normal_post_fn(name, shape):
    """The usual posterior: `NormalPosterior(name, shape)`."""
    return NormalPosterior(name=name, shape=shape)


def _prior(made, what):
    """A prior out of a class, a function without arguments, or a Cell."""
    made = made if isinstance(made, Cell) else made()
    if not isinstance(made, Cell):
        raise TypeError(f"The '{what}' must be a Cell, or make one, but got {type(made).__name__}.")
    return made


def _posterior(make, shape, name, what):
    if not callable(make):
        raise TypeError(f"The '{what}' must be a function of 'name' and 'shape', but got {type(make).__name__}.")
    made = make(shape=shape, name=name)
    if not isinstance(made, Cell):
        raise TypeError(f"The '{what}' must make a Cell, but made {type(made).__name__}.")
    return made


class _Variational:
    """What the Bayesian layers share: priors, posteriors, and the divergence between them."""

    def _distributions(self, shape, weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn):
        self.weight_prior = _prior(weight_prior_fn, "weight_prior_fn")
        self.weight_posterior = _posterior(weight_posterior_fn, shape, "bnn_weight", "weight_posterior_fn")
        if self.has_bias:
            self.bias_prior = _prior(bias_prior_fn, "bias_prior_fn")
            self.bias_posterior = _posterior(bias_posterior_fn, shape[:1], "bnn_bias", "bias_posterior_fn")

    def apply_variational_bias(self, inputs):
        """The inputs plus a drawn bias."""
        return ops.bias_add(inputs, self.bias_posterior("sample"))

    def compute_kl_loss(self):
        """Sum of the divergences between priors and posteriors."""
        pairs = [(self.weight_prior, self.weight_posterior)]
        if self.has_bias:
            pairs.append((self.bias_prior, self.bias_posterior))
        return sum(prior("kl_loss", post("get_dist_type"), *post("get_dist_args")).sum() for prior, post in pairs)

    def _distribution_repr(self):
        parts = [f"weight_mean={self.weight_posterior.mean}", f"weight_std={self.weight_posterior.untransformed_std}",
                 f"has_bias={self.has_bias}"]
        if self.has_bias:
            parts += [f"bias_mean={self.bias_posterior.mean}", f"bias_std={self.bias_posterior.untransformed_std}"]
        return ", ".join(parts)


class DenseReparam(Cell, _Variational):
    """Dense layer with drawn weights.

    Args:
        in_channels, out_channels, activation, has_bias: as for Dense.
        weight_prior_fn, bias_prior_fn: priors; Cells, or what makes them.
        weight_posterior_fn, bias_posterior_fn: functions of `name` and `shape` that make the posteriors.

    Raises:
        TypeError, ValueError: an argument of the wrong kind.

    Example:
        >>> nn.probability.bnn_layers.DenseReparam(3, 4)(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    def __init__(self, in_channels, out_channels, activation=None, has_bias=True, weight_prior_fn=NormalPrior,
                 weight_posterior_fn=normal_post_fn, bias_prior_fn=NormalPrior, bias_posterior_fn=normal_post_fn):
        super().__init__()
        self.in_channels = check.check_positive_int(in_channels, "in_channels", self.cls_name)
        self.out_channels = check.check_positive_int(out_channels, "out_channels", self.cls_name)
        self.has_bias = check.check_bool(has_bias, "has_bias", self.cls_name)
        self._distributions([out_channels, in_channels], weight_prior_fn, weight_posterior_fn, bias_prior_fn,
                            bias_posterior_fn)
        if activation and not isinstance(activation, (str, Cell)):
            raise ValueError(f"For '{self.cls_name}', the 'activation' must be str or Cell, but got "
                             f"{type(activation).__name__}.")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation
        self.activation_flag = bool(activation)

    def _apply_variational_weight(self, inputs):
        return ops.dense(inputs, self.weight_posterior("sample"))

    def construct(self, x):
        out = self._apply_variational_weight(x)
        out = self.apply_variational_bias(out) if self.has_bias else out
        return self.activation(out) if self.activation_flag else out

    def extend_repr(self):
        return f"in_channels={self.in_channels}, out_channels={self.out_channels}, {self._distribution_repr()}" \
            + (f", activation={self.activation}" if self.activation_flag else "")


class DenseLocalReparam(DenseReparam):
    """Dense layer that draws its results instead of its weights (Kingma et al., 2015); arguments as for DenseReparam.

    Example:
        >>> nn.probability.bnn_layers.DenseLocalReparam(3, 4)(Tensor(np.ones((2, 3), np.float32))).shape
        (2, 4)
    """

    def _apply_variational_weight(self, inputs):
        mean = ops.dense(inputs, self.weight_posterior("mean"))
        variance = ops.dense(ops.square(inputs), ops.square(self.weight_posterior("sd")))
        return mean + ops.sqrt(variance) * ops.standard_normal(mean.shape)


class ConvReparam(_Conv, _Variational):
    """Convolution with drawn weights; arguments as for Conv2d and DenseReparam.

    Example:
        >>> nn.probability.bnn_layers.ConvReparam(3, 4, 3)(Tensor(np.ones((1, 3, 8, 8), np.float32))).shape
        (1, 4, 8, 8)
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1,
                 has_bias=False, weight_prior_fn=NormalPrior, weight_posterior_fn=normal_post_fn,
                 bias_prior_fn=NormalPrior,
                 bias_posterior_fn=normal_post_fn):
        super().__init__(in_channels, out_channels, check.twice(kernel_size), check.twice(stride), pad_mode, padding,
                         check.twice(dilation), group, has_bias, "normal", "zeros")
        self.weight.requires_grad = False
        if has_bias:
            self.bias.requires_grad = False
        self._distributions(list(self.weight.shape), weight_prior_fn, weight_posterior_fn, bias_prior_fn,
                            bias_posterior_fn)

    def construct(self, inputs):
        out = ops.conv2d(inputs, self.weight_posterior("sample"), None, self.stride, self.pad_mode, self.padding,
                         self.dilation, self.group)
        return self.apply_variational_bias(out) if self.has_bias else out

    def extend_repr(self):
        return (f"in_channels={self.in_channels}, out_channels={self.out_channels}, kernel_size={self.kernel_size}, "
                f"stride={self.stride}, pad_mode={self.pad_mode}, padding={self.padding}, dilation={self.dilation}, "
                f"group={self.group}, {self._distribution_repr()}")


class WithBNNLossCell(Cell):
    """Loss of a Bayesian network: dnn_factor * loss_fn(backbone(x), label) + bnn_factor * divergences of its layers.

    Raises:
        TypeError, ValueError: a factor that is no number, or negative.

    Example:
        >>> nn.probability.bnn_layers.WithBNNLossCell(net, nn.MSELoss(), 1, 0.001)
    """

    def __init__(self, backbone, loss_fn, dnn_factor=1, bnn_factor=1):
        super().__init__(auto_prefix=False)
        for what, value in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            check.check_value_type(what, value, [int, float], self.cls_name)
            if value < 0:
                raise ValueError(f"For '{self.cls_name}', the '{what}' must not be negative, but got {value}.")
        self._backbone, self._loss_fn = backbone, loss_fn
        self.dnn_factor, self.bnn_factor = dnn_factor, bnn_factor

    backbone_network = property(lambda self: self._backbone, doc="The network without its loss.")

    def construct(self, x, label):
        loss = self._loss_fn(self._backbone(x), label) * self.dnn_factor
        for _, cell in self._backbone.cells_and_names():
            if isinstance(cell, _Variational):
                loss = loss + cell.compute_kl_loss() * self.bnn_factor
        return loss


__all__ = ["ConvReparam", "DenseLocalReparam", "DenseReparam", "NormalPosterior", "NormalPrior", "WithBNNLossCell"]

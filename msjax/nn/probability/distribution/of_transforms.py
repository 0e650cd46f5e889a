"""The families that are transforms of another one, with closed forms of their own: Gumbel and LogNormal."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .... import ops
from ....core.operators import check
from ....core.values import dtype as mstype
from .. import bijector as changes
from .. import utils
from ..transformed import TransformedDistribution
from .continuous import Normal, Uniform
from .family import FLOATS, Family, Field, divergence, entropy_plus_kl, sampler, statistic

if TYPE_CHECKING:
    from ....core.values.dtype import Type


class LogNormal(Family, TransformedDistribution):
    """Distribution of exp(x) for a normally distributed x.

    Args:
        loc, scale: mean and standard deviation of x: number, list, array, Tensor or None; scale > 0.
        seed: int >= 0. dtype: a float type. name: str.

    Raises:
        TypeError, ValueError: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import LogNormal
        >>> print(LogNormal(0.0, 1.0).cdf(Tensor([1.0])))
        [0.5]
    """

    kind = "LogNormal"
    fields = (Field("loc"), Field("scale"))

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: int | None = 0,
        dtype: "Type" = mstype.float32,
        name: str = "LogNormal",
    ):
        TransformedDistribution.__init__(self, changes.Exp(), Normal(loc, scale, dtype=dtype), seed, name)
        self._reset_parameters()
        self._set_parameters({"loc": loc, "scale": scale})

    @statistic
    def _mean(self, loc, scale):
        return ops.exp(loc + 0.5 * ops.square(scale))

    @statistic
    def _mode(self, loc, scale):
        return ops.exp(loc - ops.square(scale))

    @statistic
    def _var(self, loc, scale):
        var = ops.square(scale)
        return ops.expm1(var) * ops.exp(2.0 * loc + var)

    @statistic
    def _entropy(self, loc, scale):
        return loc + 0.5 + ops.log(scale) + 0.5 * math.log(2 * math.pi)

    def _log_prob(self, value, *args, **kwargs):
        parameters = self._spec("_log_prob", args, kwargs)
        before = self.distribution.log_prob(self.bijector.inverse(value), *parameters)
        return before + self.bijector.inverse_log_jacobian(value)

    def _cdf(self, value, *args, **kwargs):
        parameters = self._spec("_cdf", args, kwargs)
        positive = value > 0
        inner = self.bijector.inverse(ops.where(positive, value, ops.ones_like(value)))
        cdf = self.distribution.cdf(inner, *parameters)
        return ops.where(positive, cdf, ops.zeros_like(cdf))

    @divergence
    def _kl_loss(self, own, other):
        return self.distribution.kl_loss("Normal", *other, *own)

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, loc, scale):
        return ops.exp(ops.normal(shape, loc, scale, self.seed))


class Gumbel(Family, TransformedDistribution):
    """Gumbel distribution. Its functions take no parameters in a call.

    Args:
        loc, scale: float, array or Tensor of a float type; scale > 0.
        seed: int >= 0. dtype: a float type. name: str.

    Raises:
        TypeError, ValueError: a parameter is not a float, or `scale` is not positive.

    Example:
        >>> from mindspore.nn.probability.distribution import Gumbel
        >>> print(Gumbel(0.0, 1.0).cdf(Tensor([0.0])))
        [0.36787945]
    """

    kind = "Gumbel"
    fields = LogNormal.fields

    def __init__(
        self, loc: Any, scale: Any, seed: int | None = 0, dtype: "Type" = mstype.float32, name: str = "Gumbel"
    ):
        check.check_type_name("dtype", dtype, FLOATS, type(self).__name__)
        cdf = changes.GumbelCDF(loc, scale)
        TransformedDistribution.__init__(self, changes.Invert(cdf), Uniform(0.0, 1.0, dtype=dtype), seed, name)
        self._reset_parameters()
        self._set_parameters({"loc": loc, "scale": scale})
        self._gumbel_bijector = cdf

    def _both(self):
        """loc and scale in the shape of one draw."""
        return (ops.broadcast_to(p, self.broadcast_shape) for p in (self.loc, self.scale))

    def _mean(self):
        return self.loc + self.scale * float(np.euler_gamma)

    def _mode(self):
        return next(self._both())

    def _sd(self):
        _, scale = self._both()
        return scale * (math.pi / math.sqrt(6))

    def _entropy(self):
        _, scale = self._both()
        return 1.0 + ops.log(scale) + float(np.euler_gamma)

    def _log_prob(self, value):
        z = (self._value(value) - self.loc) / self.scale
        return -(z + ops.exp(-z)) - ops.log(self.scale)

    def _cdf(self, value):
        return self._gumbel_bijector.forward(self._value(value))

    def _kl_loss(self, dist, loc_b, scale_b):
        utils.check_distribution_name(dist, self.kind)
        loc_b, scale_b = (
            self._check_value(v, n).astype(self.parameter_type) for v, n in ((loc_b, "loc_b"), (scale_b, "scale_b"))
        )
        ratio, shift = self.scale / scale_b, (self.loc - loc_b) / scale_b
        return (
            -ops.log(ratio)
            + float(np.euler_gamma) * (ratio - 1.0)
            + shift
            + ops.expm1(-shift + ops.lgamma(ratio + 1.0))
        )

    def _cross_entropy(self, dist, loc_b, scale_b):
        return self._entropy() + self._kl_loss(dist, loc_b, scale_b)

    def _sample(self, shape=()):
        shape = self.checktuple(shape, "shape") + self.broadcast_shape
        noise = self._uniform_positive(shape).astype(self.dtype)
        return self.bijector.forward(noise)

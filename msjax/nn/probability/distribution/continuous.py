"""Continuous distributions."""
import math

import numpy as np

from .... import ops
from ....core import dtype as mstype
from .base import Distribution, arguments

_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_EULER = 0.5772156649015329


def _nan_unless(condition, value):
    return ops.where(condition, value, ops.full_like(value, math.nan))


class Normal(Distribution):
    """Normal distribution.

    Args:
        mean, sd: parameters. seed: of the samples. dtype: of the values. name: printed name.

    Raises:
        ValueError: `sd` is not positive.

    Example:
        >>> nn.probability.distribution.Normal(3.0, 4.0).prob(Tensor([1.0]))
    """

    _names, _shown = ("mean", "sd"), ("mean", "standard deviation")

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="Normal"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    def _check(self, mean, sd):
        self._need(sd > 0, "the 'sd' must be greater than zero")

    def _log_prob(self, x, mean, sd):
        return -0.5 * ops.square((x - mean) / sd) - ops.log(sd) - _HALF_LOG_2PI

    def _cdf(self, x, mean, sd):
        return 0.5 * ops.erfc(-(x - mean) / (sd * math.sqrt(2)))

    def _survival(self, x, mean, sd):
        return 0.5 * ops.erfc((x - mean) / (sd * math.sqrt(2)))

    def _mean(self, mean, sd):
        return mean

    _mode = _mean

    def _sd(self, mean, sd):
        return sd

    def _entropy(self, mean, sd):
        return ops.log(sd) + (_HALF_LOG_2PI + 0.5)

    def _kl(self, mean, sd, other, other_sd):
        return 0.5 * ops.square((mean - other) / other_sd) + 0.5 * ops.expm1(2 * (ops.log(sd) - ops.log(other_sd))) \
            - (ops.log(sd) - ops.log(other_sd))

    def _draw(self, shape, mean, sd):
        return ops.standard_normal(shape, self.seed or None) * sd + mean


class LogNormal(Normal):
    """Distribution of exp(x) for a normal x with mean `loc` and standard deviation `scale`.

    Example:
        >>> nn.probability.distribution.LogNormal(0.0, 1.0).prob(Tensor([1.0]))
    """

    _names, _shown = ("loc", "scale"), None

    def __init__(self, loc=None, scale=None, seed=0, dtype=mstype.float32, name="LogNormal"):
        Distribution.__init__(self, seed, dtype, name, arguments(locals(), *self._names))

    loc = property(lambda self: self._own[0], doc="Mean of the logarithm.")
    scale = property(lambda self: self._own[1], doc="Standard deviation of the logarithm.")

    def _log_prob(self, x, loc, scale):
        return super()._log_prob(ops.log(x), loc, scale) - ops.log(x)

    def _cdf(self, x, loc, scale):
        return super()._cdf(ops.log(x), loc, scale)

    def _survival(self, x, loc, scale):
        return super()._survival(ops.log(x), loc, scale)

    def _mean(self, loc, scale):
        return ops.exp(loc + 0.5 * ops.square(scale))

    def _mode(self, loc, scale):
        return ops.exp(loc - ops.square(scale))

    def _var(self, loc, scale):
        return ops.expm1(ops.square(scale)) * ops.exp(2 * loc + ops.square(scale))

    def _sd(self, loc, scale):
        return ops.sqrt(self._var(loc, scale))

    def _entropy(self, loc, scale):
        return loc + super()._entropy(loc, scale)

    def _draw(self, shape, loc, scale):
        return ops.exp(super()._draw(shape, loc, scale))


class Uniform(Distribution):
    """Uniform distribution on [low, high].

    Raises:
        ValueError: `low` is not less than `high`.

    Example:
        >>> nn.probability.distribution.Uniform(0.0, 1.0).prob(Tensor([0.5]))
    """

    _names = ("low", "high")

    def __init__(self, low=None, high=None, seed=None, dtype=mstype.float32, name="Uniform"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    low = property(lambda self: self._own[0], doc="Lower limit.")
    high = property(lambda self: self._own[1], doc="Upper limit.")

    def _check(self, low, high):
        self._need(low < high, "the 'low' must be less than 'high'")

    def _prob(self, x, low, high):
        inside = ops.logical_and(x >= low, x <= high)
        density = ops.broadcast_to(1 / (high - low), inside.shape)
        return ops.where(inside, density, ops.zeros_like(density))

    def _cdf(self, x, low, high):
        return ops.clamp((x - low) / (high - low), 0.0, 1.0)

    def _mean(self, low, high):
        return (low + high) / 2

    def _mode(self, low, high):
        return low

    def _sd(self, low, high):
        return (high - low) / math.sqrt(12)

    def _entropy(self, low, high):
        return ops.log(high - low)

    def _kl(self, low, high, other_low, other_high):
        inside = ops.logical_and(low >= other_low, high <= other_high)
        value = ops.log(other_high - other_low) - ops.log(high - low)
        return ops.where(inside, value, ops.full_like(value, math.inf))

    def _draw(self, shape, low, high):
        return ops.rand(*shape, dtype=self.parameter_type, seed=self.seed or None) * (high - low) + low


class Exponential(Distribution):
    """Exponential distribution.

    Raises:
        ValueError: `rate` is not positive.

    Example:
        >>> nn.probability.distribution.Exponential(0.5).prob(Tensor([1.0]))
    """

    _names = ("rate",)

    def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Exponential"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    rate = property(lambda self: self._own[0], doc="Rate.")

    def _check(self, rate):
        self._need(rate > 0, "the 'rate' must be greater than zero")

    def _log_prob(self, x, rate):
        value = ops.log(rate) - rate * x
        return ops.where(x >= 0, value, ops.full_like(value, -math.inf))

    def _cdf(self, x, rate):
        return -ops.expm1(-rate * ops.relu(x))

    def _log_survival(self, x, rate):
        return -rate * ops.relu(x)

    def _survival(self, x, rate):
        return ops.exp(self._log_survival(x, rate))

    def _mean(self, rate):
        return 1 / rate

    _sd = _mean

    def _mode(self, rate):
        return ops.zeros_like(rate)

    def _entropy(self, rate):
        return 1 - ops.log(rate)

    def _kl(self, rate, other):
        return ops.log(rate) - ops.log(other) + other / rate - 1

    def _draw(self, shape, rate):
        return -ops.log1p(-ops.rand(*shape, dtype=self.parameter_type, seed=self.seed or None)) / rate


class _LocationScale(Distribution):
    """Distributions with a location and a scale."""

    _names = ("loc", "scale")
    loc = property(lambda self: self._own[0], doc="Location.")
    scale = property(lambda self: self._own[1], doc="Scale.")

    def _check(self, loc, scale):
        self._need(scale > 0, "the 'scale' must be greater than zero")

    def _mode(self, loc, scale):
        return loc

    def _uniform(self, shape):
        """In (0, 1), away from the ends."""
        u = ops.rand(*shape, dtype=self.parameter_type, seed=self.seed or None)
        return ops.clamp(u, float(np.finfo(np.float32).tiny), 1 - 2.0 ** -24)


class Logistic(_LocationScale):
    """Logistic distribution.

    Example:
        >>> nn.probability.distribution.Logistic(3.0, 4.0).prob(Tensor([1.0]))
    """

    def __init__(self, loc=None, scale=None, seed=None, dtype=mstype.float32, name="Logistic"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    def _log_prob(self, x, loc, scale):
        z = (x - loc) / scale
        return -z - 2 * ops.softplus(-z) - ops.log(scale)

    def _cdf(self, x, loc, scale):
        return ops.sigmoid((x - loc) / scale)

    def _log_cdf(self, x, loc, scale):
        return -ops.softplus(-(x - loc) / scale)

    def _survival(self, x, loc, scale):
        return ops.sigmoid(-(x - loc) / scale)

    def _log_survival(self, x, loc, scale):
        return -ops.softplus((x - loc) / scale)

    def _mean(self, loc, scale):
        return loc

    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(3))

    def _entropy(self, loc, scale):
        return ops.log(scale) + 2

    def _draw(self, shape, loc, scale):
        u = self._uniform(shape)
        return loc + scale * (ops.log(u) - ops.log1p(-u))


class Cauchy(_LocationScale):
    """Cauchy distribution; it has neither mean nor variance.

    Example:
        >>> nn.probability.distribution.Cauchy(3.0, 4.0).prob(Tensor([1.0]))
    """

    def __init__(self, loc=None, scale=None, seed=None, dtype=mstype.float32, name="Cauchy"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    _sd = _var = None

    def _log_prob(self, x, loc, scale):
        return -math.log(math.pi) - ops.log(scale) - ops.log1p(ops.square((x - loc) / scale))

    def _cdf(self, x, loc, scale):
        return ops.atan((x - loc) / scale) * (1 / math.pi) + 0.5

    def _entropy(self, loc, scale):
        return ops.log(scale) + math.log(4 * math.pi)

    def _kl(self, loc, scale, other, other_scale):
        return ops.log((ops.square(scale + other_scale) + ops.square(loc - other)) / (4 * scale * other_scale))

    def _draw(self, shape, loc, scale):
        return loc + scale * ops.tan(math.pi * (self._uniform(shape) - 0.5))


class Gumbel(_LocationScale):
    """Gumbel's distribution.

    Example:
        >>> nn.probability.distribution.Gumbel(0.0, 1.0).prob(Tensor([1.0]))
    """

    def __init__(self, loc, scale, seed=0, dtype=mstype.float32, name="Gumbel"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    def _log_prob(self, x, loc, scale):
        z = (x - loc) / scale
        return -(z + ops.exp(-z)) - ops.log(scale)

    def _log_cdf(self, x, loc, scale):
        return -ops.exp(-(x - loc) / scale)

    def _cdf(self, x, loc, scale):
        return ops.exp(self._log_cdf(x, loc, scale))

    def _mean(self, loc, scale):
        return loc + _EULER * scale

    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(6))

    def _entropy(self, loc, scale):
        return ops.log(scale) + (1 + _EULER)

    def _kl(self, loc, scale, other, other_scale):
        ratio = scale / other_scale
        return ops.log(other_scale) - ops.log(scale) + _EULER * (ratio - 1) \
            + ops.expm1((other - loc) / other_scale + ops.lgamma(ratio + 1)) + (loc - other) / other_scale

    def _draw(self, shape, loc, scale):
        return loc - scale * ops.log(-ops.log(self._uniform(shape)))


class Gamma(Distribution):
    """Gamma distribution.

    Raises:
        ValueError: a parameter is not positive.

    Example:
        >>> nn.probability.distribution.Gamma([3.0], [4.0]).prob(Tensor([1.0]))
    """

    _names = ("concentration", "rate")

    def __init__(self, concentration=None, rate=None, seed=None, dtype=mstype.float32, name="Gamma"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    concentration = property(lambda self: self._own[0], doc="Concentration.")
    rate = property(lambda self: self._own[1], doc="Rate.")

    def _check(self, concentration, rate):
        self._need(concentration > 0, "the 'concentration' must be greater than zero")
        self._need(rate > 0, "the 'rate' must be greater than zero")

    def _log_prob(self, x, c, r):
        return (c - 1) * ops.log(x) + c * ops.log(r) - r * x - ops.lgamma(c)

    def _cdf(self, x, c, r):
        shape = np.broadcast_shapes(x.shape, c.shape, r.shape)
        return ops.igamma(ops.broadcast_to(c, shape), ops.broadcast_to(r * x, shape))

    def _mean(self, c, r):
        return c / r

    def _var(self, c, r):
        return c / ops.square(r)

    def _mode(self, c, r):
        return _nan_unless(c > 1, (c - 1) / r)

    def _entropy(self, c, r):
        return c - ops.log(r) + ops.lgamma(c) + (1 - c) * ops.digamma(c)

    def _kl(self, c, r, other, other_rate):
        return (c - other) * ops.digamma(c) + ops.lgamma(other) - ops.lgamma(c) \
            + other * (ops.log(r) - ops.log(other_rate)) \
            + c * (other_rate / r - 1)

    def _draw(self, shape, c, r):
        batch = np.broadcast_shapes(c.shape, r.shape)
        lead = tuple(shape[:len(shape) - len(batch)])
        return ops.gamma(lead, ops.broadcast_to(c, batch), ops.broadcast_to(r, batch), self.seed or None)


class Beta(Distribution):
    """Beta distribution on (0, 1).

    Raises:
        ValueError: a parameter is not positive.

    Example:
        >>> nn.probability.distribution.Beta([3.0], [1.0]).prob(Tensor([0.5]))
    """

    _names = ("concentration1", "concentration0")

    def __init__(self, concentration1=None, concentration0=None, seed=None, dtype=mstype.float32, name="Beta"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    concentration1 = property(lambda self: self._own[0], doc="Exponent of x plus 1.")
    concentration0 = property(lambda self: self._own[1], doc="Exponent of 1 - x plus 1.")

    def _check(self, a, b):
        self._need(a > 0, "the 'concentration1' must be greater than zero")
        self._need(b > 0, "the 'concentration0' must be greater than zero")

    @staticmethod
    def _log_beta(a, b):
        return ops.lgamma(a) + ops.lgamma(b) - ops.lgamma(a + b)

    def _log_prob(self, x, a, b):
        return (a - 1) * ops.log(x) + (b - 1) * ops.log1p(-x) - self._log_beta(a, b)

    def _cdf(self, x, a, b):
        shape = np.broadcast_shapes(x.shape, a.shape, b.shape)
        return ops.Betainc()(*(ops.broadcast_to(t, shape) for t in (a, b, x)))

    def _mean(self, a, b):
        return a / (a + b)

    def _var(self, a, b):
        return a * b / (ops.square(a + b) * (a + b + 1))

    def _mode(self, a, b):
        return _nan_unless(ops.logical_and(a > 1, b > 1), (a - 1) / (a + b - 2))

    def _entropy(self, a, b):
        inside = (a - 1) * ops.digamma(a) + (b - 1) * ops.digamma(b) - (a + b - 2) * ops.digamma(a + b)
        return self._log_beta(a, b) - inside

    def _kl(self, a, b, other_a, other_b):
        return self._log_beta(other_a, other_b) - self._log_beta(a, b) - (other_a - a) * ops.digamma(a) \
            - (other_b - b) * ops.digamma(b) + (other_a - a + other_b - b) * ops.digamma(a + b)

    def _draw(self, shape, a, b):
        batch = np.broadcast_shapes(a.shape, b.shape)
        lead = tuple(shape[:len(shape) - len(batch)])
        one = ops.ones(batch, self.parameter_type)
        x, y = (ops.gamma(lead, ops.broadcast_to(c, batch), one, self.seed or None) for c in (a, b))
        return x / (x + y)


class _DensityOnly(Distribution):
    """Distributions of which MindSpore has the density only."""

    def _check(self, *parameters):
        self._need(parameters[-1] > 0, "the 'sd' must be greater than zero")


class HalfNormal(_DensityOnly):
    """Distribution of |x - mean| + mean for a normal x; `log_prob` only.

    Example:
        >>> nn.probability.distribution.HalfNormal(0.0, 1.0).log_prob(Tensor([1.0]))
    """

    _names, _shown = ("mean", "sd"), ("mean", "standard deviation")

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="HalfNormal"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    def _log_prob(self, x, mean, sd):
        value = 0.5 * math.log(2 / math.pi) - ops.log(sd) - 0.5 * ops.square((x - mean) / sd)
        return ops.where(x >= mean, value, ops.full_like(value, -math.inf))


class Laplace(_DensityOnly):
    """Laplace distribution; `log_prob` only.

    Example:
        >>> nn.probability.distribution.Laplace(0.0, 1.0).log_prob(Tensor([1.0]))
    """

    _names, _shown = ("mean", "sd"), ("mean", "standard deviation")

    def __init__(self, mean=None, sd=None, seed=None, dtype=mstype.float32, name="Laplace"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    def _log_prob(self, x, mean, sd):
        return -ops.abs((x - mean) / sd) - math.log(2) - ops.log(sd)


class StudentT(_DensityOnly):
    """Student's t distribution with `df` degrees of freedom; `log_prob` only.

    Example:
        >>> nn.probability.distribution.StudentT(3.0, 0.0, 1.0).log_prob(Tensor([1.0]))
    """

    _names, _shown = ("df", "mean", "sd"), ("df", "mean", "standard deviation")

    def __init__(self, df=None, mean=None, sd=None, seed=None, dtype=mstype.float32, name="StudentT"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    def _log_prob(self, x, df, mean, sd):
        z = (x - mean) / sd
        constant = ops.log(ops.abs(sd)) + 0.5 * ops.log(df) + 0.5 * math.log(math.pi) + ops.lgamma(0.5 * df) \
            - ops.lgamma(0.5 * (df + 1))
        return -0.5 * (df + 1) * ops.log1p(ops.square(z) / df) - constant


__all__ = ["Beta", "Cauchy", "Exponential", "Gamma", "Gumbel", "HalfNormal", "Laplace", "LogNormal", "Logistic",
           "Normal",
           "StudentT", "Uniform"]

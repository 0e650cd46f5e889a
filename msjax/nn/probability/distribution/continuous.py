"""The continuous families."""

import math
from typing import Any

import numpy as np

from .... import ops
from ....core.constructor import with_arguments
from ....core.values import dtype as mstype
from ....core.values.dtype import Type
from .. import utils
from .family import Family, Field, divergence, entropy_plus_kl, of_value, sampler, statistic


def _log_beta(a, b):
    return ops.lgamma(a) + ops.lgamma(b) - ops.lgamma(a + b)


class Normal(Family):
    """Normal distribution.

    Args:
        mean, sd: number, list, array, Tensor or None (then every call must give it); sd > 0.
        seed: int >= 0 or None. dtype: a float type. name: str.

    Raises:
        TypeError, ValueError: `dtype` is not a float type, `sd` is not positive, or the parameters do not go together.

    Example:
        >>> from mindspore.nn.probability.distribution import Normal
        >>> print(Normal(0.0, 1.0).cdf(Tensor([0.0])))
        [0.5]
    """

    kind = "Normal"
    fields = (Field("mean", "mean", "_mean_value"), Field("sd", "standard deviation", "_sd_value", positive="Standard deviation"))  # fmt: skip

    @with_arguments
    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: Type = mstype.float32, name: str = "Normal"):  # fmt: skip
        self._declare()

    @statistic
    def _mean(self, mean, sd):
        return mean

    @statistic
    def _mode(self, mean, sd):
        return mean

    @statistic
    def _sd(self, mean, sd):
        return sd

    @statistic
    def _entropy(self, mean, sd):
        return self._number(0.5 * math.log(2 * math.pi * math.e)) + ops.log(sd)

    @of_value
    def _log_prob(self, value, mean, sd):
        constant = self._number(-0.5 * math.log(2 * math.pi), self.dtype)
        return -0.5 * ops.square((value - mean) / sd) + (constant - ops.log(sd))

    @of_value
    def _cdf(self, value, mean, sd):
        return 0.5 * (1.0 + ops.erf((value - mean) / (sd * self._number(math.sqrt(2)))))

    @divergence
    def _kl_loss(self, own, other):
        (mean, sd), (mean_b, sd_b) = own, other
        log_ratio = ops.log(sd) - ops.log(sd_b)
        return 0.5 * ops.square(mean / sd_b - mean_b / sd_b) + 0.5 * ops.expm1(2 * log_ratio) - log_ratio

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, mean, sd):
        return ops.normal(shape, mean, sd, self.seed)


class HalfNormal(Family):
    """Normal distribution cut off below its mean: the density of values >= 0 only.

    Args, Raises: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import HalfNormal
        >>> print(HalfNormal(0.0, 1.0).prob(Tensor([0.0, 1.0])))
        [0.7978846  0.48394147]
    """

    fields = Normal.fields

    @with_arguments
    def __init__(self, mean: Any = None, sd: Any = None, seed: int | None = None, dtype: Type = mstype.float32, name: str = "HalfNormal"):  # fmt: skip
        self._declare()

    @of_value
    def _prob(self, value, mean, sd):
        density = self._number(math.sqrt(2 / math.pi)) / sd * ops.exp(-0.5 * ops.square((value - mean) / sd))
        return density * (value >= 0).astype(self.dtype)


class Laplace(Family):
    """Laplace distribution around `mean` with scale `sd`: log density only.

    Args, Raises: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import Laplace
        >>> print(Laplace(0.0, 1.0).log_prob(Tensor([0.0])))
        [-0.6931472]
    """

    fields = Normal.fields

    @with_arguments
    def __init__(
        self,
        mean: Any = None,
        sd: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Laplace",
    ):
        self._declare()

    @of_value
    def _log_prob(self, value, mean, sd):
        return -1.0 * ops.abs((value - mean) / sd) - ops.log(2.0 * sd)


class StudentT(Family):
    """Student's t-distribution: log density only.

    Args:
        df: degrees of freedom > 0. mean, sd: location and scale > 0. The rest: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import StudentT
        >>> print(StudentT(3.0, 0.0, 1.0).log_prob(Tensor([0.0])))
        [-1.0008892]
    """

    fields = (Field("df", "df", "_df_value", positive="Degrees of freedom"), *Normal.fields)

    @with_arguments
    def __init__(
        self,
        df: Any = None,
        mean: Any = None,
        sd: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "StudentT",
    ):
        self._declare()

    @of_value
    def _log_prob(self, value, df, mean, sd):
        kernel = -0.5 * (df + 1.0) * ops.log1p(ops.square((value - mean) / sd) / df)
        norm = ops.log(ops.abs(sd)) + 0.5 * ops.log(df) + 0.5 * math.log(math.pi)
        return kernel - (norm + ops.lgamma(0.5 * df) - ops.lgamma(0.5 * (df + 1.0)))


class Uniform(Family):
    """Uniform distribution on [low, high].

    Args:
        low, high: number, list, array, Tensor or None; low < high. The rest: as for `Normal`.

    Raises:
        ValueError: low >= high.

    Example:
        >>> from mindspore.nn.probability.distribution import Uniform
        >>> print(Uniform(0.0, 2.0).prob(Tensor([1.0, 3.0])))
        [0.5 0. ]
    """

    kind = "Uniform"
    fields = (Field("low"), Field("high"))

    @with_arguments
    def __init__(
        self,
        low: Any = None,
        high: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Uniform",
    ):
        self._declare()
        if self.low is not None and self.high is not None:
            utils.check_greater(self.low, self.high, "low", "high")

    @statistic
    def _range(self, low, high):
        return high - low

    @statistic
    def _mean(self, low, high):
        return (low + high) / 2.0

    @statistic
    def _var(self, low, high):
        return ops.square(high - low) / 12.0

    @statistic
    def _entropy(self, low, high):
        return ops.log(high - low)

    @of_value
    def _prob(self, value, low, high):
        inside = ops.logical_and(value >= low, value <= high)
        return ops.where(inside, ops.exp(-ops.log(high - low)), ops.zeros_like(value - low))

    @of_value
    def _cdf(self, value, low, high):
        part = (value - low) / (high - low)
        below = ops.where(value < low, ops.zeros_like(part), part)
        return ops.where(value < high, below, ops.ones_like(part))

    @divergence
    def _kl_loss(self, own, other):
        (low, high), (low_b, high_b) = own, other
        kl = ops.log(high_b - low_b) - ops.log(high - low)
        return ops.where(ops.logical_and(low_b <= low, high <= high_b), kl, ops.full_like(kl, np.inf))

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, low, high):
        return (high - low) * self._uniform(shape) + low


class Exponential(Family):
    """Exponential distribution.

    Args:
        rate: number, list, array, Tensor or None; > 0. The rest: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import Exponential
        >>> float(Exponential(0.5).mean())
        2.0
    """

    kind = "Exponential"
    fields = (Field("rate", positive="rate"),)

    @with_arguments
    def __init__(
        self, rate: Any = None, seed: int | None = None, dtype: Type = mstype.float32, name: str = "Exponential"
    ):
        self._declare()

    @statistic
    def _mean(self, rate):
        return 1.0 / rate

    _sd = _mean

    @statistic
    def _mode(self, rate):
        return ops.zeros(rate.shape, self.dtype)

    @statistic
    def _entropy(self, rate):
        return 1.0 - ops.log(rate)

    @of_value
    def _log_prob(self, value, rate):
        inside = ops.log(rate) - rate * value
        return ops.where(value < 0, ops.full_like(inside, -np.inf), inside)

    @of_value
    def _cdf(self, value, rate):
        inside = 1.0 - ops.exp(-1.0 * rate * value)
        return ops.where(value < 0, ops.zeros_like(inside), inside)

    @of_value
    def _log_survival(self, value, rate):
        inside = -1.0 * rate * value
        return ops.where(value < 0, ops.zeros_like(inside), inside)

    @divergence
    def _kl_loss(self, own, other):
        (rate,), (rate_b,) = own, other
        return ops.log(rate) - ops.log(rate_b) + rate_b / rate - 1.0

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, rate):
        return -(ops.log(self._uniform_positive(shape)) / rate)


class Gamma(Family):
    """Gamma distribution.

    Args:
        concentration, rate: list, array, Tensor or None, no single numbers; > 0. The rest: as for `Normal`.

    Raises:
        TypeError: a parameter is a Python number.

    Example:
        >>> from mindspore.nn.probability.distribution import Gamma
        >>> print(Gamma([3.0], [2.0]).mean())
        [1.5]
    """

    kind = "Gamma"
    fields = (
        Field("concentration", positive="concentration", refused=(int, float)),
        Field("rate", positive="rate", refused=(int, float)),
    )

    @with_arguments
    def __init__(
        self,
        concentration: Any = None,
        rate: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Gamma",
    ):
        self._declare()

    @statistic
    def _mean(self, concentration, rate):
        return concentration / rate

    @statistic
    def _var(self, concentration, rate):
        return concentration / ops.square(rate)

    @statistic
    def _sd(self, concentration, rate):
        return ops.sqrt(concentration) / rate

    @statistic
    def _mode(self, concentration, rate):
        mode = (concentration - 1.0) / rate
        return ops.where(concentration > 1.0, mode, ops.full_like(mode, np.nan))

    @statistic
    def _entropy(self, concentration, rate):
        bend = (1.0 - concentration) * ops.digamma(concentration)
        return concentration - ops.log(rate) + ops.lgamma(concentration) + bend

    @of_value
    def _log_prob(self, value, concentration, rate):
        norm = ops.lgamma(concentration) - concentration * ops.log(rate)
        return (concentration - 1.0) * ops.log(value) - rate * value - norm

    @of_value
    def _cdf(self, value, concentration, rate):
        return ops.igamma(concentration, rate * value)

    @divergence
    def _kl_loss(self, own, other):
        (a, rate), (a_b, rate_b) = own, other
        return (
            (a - a_b) * ops.digamma(a)
            + ops.lgamma(a_b)
            - ops.lgamma(a)
            + a_b * (ops.log(rate) - ops.log(rate_b))
            + a * (rate_b / rate - 1.0)
        )

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, concentration, rate):
        return ops.gamma((), ops.broadcast_to(concentration, shape), rate, self.seed)


class Beta(Family):
    """Beta distribution on (0, 1).

    Args:
        concentration1, concentration0: list, array, Tensor or None, no single float; > 0: the alpha and the beta.
        The rest: as for `Normal`.

    Raises:
        TypeError: a parameter is a Python float.

    Example:
        >>> from mindspore.nn.probability.distribution import Beta
        >>> print(Beta([3.0], [2.0]).mean())
        [0.6]
    """

    kind = "Beta"
    fields = (
        Field("concentration1", positive="concentration1", refused=(float,)),
        Field("concentration0", positive="concentration0", refused=(float,)),
    )

    @with_arguments
    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Beta",
    ):
        self._declare()

    @statistic
    def _mean(self, a, b):
        return a / (a + b)

    @statistic
    def _var(self, a, b):
        return a * b / (ops.square(a + b) * (a + b + 1.0))

    @statistic
    def _mode(self, a, b):
        mode = (a - 1.0) / (a + b - 2.0)
        return ops.where(ops.logical_and(a > 1.0, b > 1.0), mode, ops.full_like(mode, np.nan))

    @statistic
    def _entropy(self, a, b):
        return (
            _log_beta(a, b)
            - (a - 1.0) * ops.digamma(a)
            - (b - 1.0) * ops.digamma(b)
            + (a + b - 2.0) * ops.digamma(a + b)
        )

    @of_value
    def _log_prob(self, value, a, b):
        return (a - 1.0) * ops.log(value) + (b - 1.0) * ops.log1p(-value) - _log_beta(a, b)

    @of_value
    def _cdf(self, value, a, b):
        shape = np.broadcast_shapes(value.shape, a.shape)
        return ops.Betainc()(*(ops.broadcast_to(x, shape) for x in (a, b, value)))

    @divergence
    def _kl_loss(self, own, other):
        (a, b), (a_b, b_b) = own, other
        return (
            _log_beta(a_b, b_b)
            - _log_beta(a, b)
            - ops.digamma(a) * (a_b - a)
            - ops.digamma(b) * (b_b - b)
            + ops.digamma(a + b) * (a_b + b_b - a - b)
        )

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, a, b):
        first, second = (ops.gamma((), ops.broadcast_to(x, shape), self._number(1.0), self.seed) for x in (a, b))
        return first / (first + second)


class Cauchy(Family):
    """Cauchy distribution; mean, sd and var are undefined.

    Args:
        loc, scale: number, list, array, Tensor or None; scale > 0. The rest: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import Cauchy
        >>> print(Cauchy(0.0, 1.0).cdf(Tensor([0.0])))
        [0.5]
    """

    kind = "Cauchy"
    fields = (Field("loc", "location"), Field("scale", positive="scale"))

    @with_arguments
    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Cauchy",
    ):
        self._declare()

    def _mean(self, *args, **kwargs):
        utils.raise_not_defined("mean", "Cauchy")

    def _sd(self, *args, **kwargs):
        utils.raise_not_defined("standard deviation", "Cauchy")

    def _var(self, *args, **kwargs):
        utils.raise_not_defined("variance", "Cauchy")

    @statistic
    def _mode(self, loc, scale):
        return loc

    @statistic
    def _entropy(self, loc, scale):
        return ops.log(scale) + math.log(4 * math.pi)

    @of_value
    def _log_prob(self, value, loc, scale):
        return -1 * ops.log1p(ops.square((value - loc) / scale)) - ops.log(math.pi * scale)

    @of_value
    def _cdf(self, value, loc, scale):
        return ops.atan((value - loc) / scale) / math.pi + 0.5

    @of_value
    def _log_cdf(self, value, loc, scale):
        return ops.log1p(2.0 * ops.atan((value - loc) / scale) / math.pi) - self._number(math.log(2))

    def _quantile(self, p, loc=None, scale=None):
        loc, scale = self._check_param_type(loc, scale)
        return loc + scale * ops.tan(math.pi * (p - 0.5))

    @divergence
    def _kl_loss(self, own, other):
        (loc, scale), (loc_b, scale_b) = own, other
        spread = ops.square(scale + scale_b) + ops.square(loc - loc_b)
        return ops.log(spread) - self._number(math.log(4)) - ops.log(scale) - ops.log(scale_b)

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, loc, scale):
        return self._quantile(self._uniform(shape), loc, scale)


class Logistic(Family):
    """Logistic distribution.

    Args:
        loc, scale: number, list, array, Tensor or None; scale > 0. The rest: as for `Normal`.

    Example:
        >>> from mindspore.nn.probability.distribution import Logistic
        >>> print(Logistic(0.0, 1.0).cdf(Tensor([0.0])))
        [0.5]
    """

    kind = "Logistic"
    fields = Cauchy.fields

    @with_arguments
    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        seed: int | None = None,
        dtype: Type = mstype.float32,
        name: str = "Logistic",
    ):
        self._declare()

    @statistic
    def _mean(self, loc, scale):
        return loc

    _mode = _mean

    @statistic
    def _sd(self, loc, scale):
        return scale * (math.pi / math.sqrt(3))

    @statistic
    def _entropy(self, loc, scale):
        return ops.log(scale) + 2.0

    @of_value
    def _log_prob(self, value, loc, scale):
        z = (value - loc) / scale
        return -z - 2.0 * utils.softplus(-z) - ops.log(scale)

    @of_value
    def _cdf(self, value, loc, scale):
        return ops.sigmoid((value - loc) / scale)

    @of_value
    def _log_cdf(self, value, loc, scale):
        return -utils.softplus(-((value - loc) / scale))

    @of_value
    def _survival_function(self, value, loc, scale):
        return ops.sigmoid(-((value - loc) / scale))

    @of_value
    def _log_survival(self, value, loc, scale):
        return -utils.softplus((value - loc) / scale)

    @sampler
    def _sample(self, shape, loc, scale):
        noise = self._uniform_positive(shape)
        return (ops.log(noise) - ops.log1p(-noise)) * scale + loc

"""The discrete families."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .... import ops
from ....core.constructor import with_arguments
from ....core.values import dtype as mstype
from .. import utils
from .family import NUMBERS, Family, Field, divergence, entropy_plus_kl, of_value, sampler, statistic

if TYPE_CHECKING:
    from ....core.values.dtype import Type


def _within(condition, value, outside):
    """`value` where the condition holds, else the number `outside`."""
    return ops.where(condition, value, ops.full_like(value, outside))


class Bernoulli(Family):
    """Bernoulli distribution: 1 with probability `probs`, else 0.

    Args:
        probs: number, list, array, Tensor or None; in (0, 1).
        seed: int >= 0 or None. dtype: a number type. name: str.

    Raises:
        TypeError, ValueError: `dtype` is not a number type, or a probability is not in (0, 1).

    Example:
        >>> from mindspore.nn.probability.distribution import Bernoulli
        >>> print(Bernoulli(0.5).log_prob(Tensor([1.0])))
        [-0.6931472]
    """

    kind = "Bernoulli"
    dtypes = NUMBERS
    value_like_parameters = True
    fields = (Field("probs", given="probs1"),)

    @with_arguments
    def __init__(
        self, probs: Any = None, seed: int | None = None, dtype: "Type" = mstype.int32, name: str = "Bernoulli"
    ):
        self._declare()
        if self.probs is not None:
            utils.check_prob(self.probs)

    @statistic
    def _mean(self, probs):
        return probs

    @statistic
    def _mode(self, probs):
        return (probs > 0.5).astype(self.dtype)

    @statistic
    def _var(self, probs):
        return ops.exp(ops.log(1.0 - probs) + ops.log(probs))

    @statistic
    def _entropy(self, probs):
        no = 1.0 - probs
        return -(no * ops.log(no)) - probs * ops.log(probs)

    @of_value
    def _log_prob(self, value, probs):
        probs = utils.clamp_probs(probs)
        return ops.log(probs) * value + ops.log(1.0 - probs) * (1.0 - value)

    @of_value
    def _cdf(self, value, probs):
        value = ops.floor(value)
        start = (1.0 - probs) * ops.ones_like(value)
        return _within(value < 1.0, _within(value >= 0.0, start, 0.0), 1.0)

    @divergence
    def _kl_loss(self, own, other):
        (yes,), (yes_b,) = own, other
        no, no_b = 1.0 - yes, 1.0 - yes_b
        return yes * ops.log(yes / yes_b) + no * ops.log(no / no_b)

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, probs):
        return self._uniform(shape) < probs


class Geometric(Family):
    """Geometric distribution: number of failures before the first success.

    Args, Raises: as for `Bernoulli`; `probs` is the probability of success.

    Example:
        >>> from mindspore.nn.probability.distribution import Geometric
        >>> print(Geometric(0.5).mean())
        1.0
    """

    kind = "Geometric"
    dtypes = NUMBERS
    value_like_parameters = True
    fields = Bernoulli.fields

    @with_arguments
    def __init__(
        self, probs: Any = None, seed: int | None = None, dtype: "Type" = mstype.int32, name: str = "Geometric"
    ):
        self._declare()
        if self.probs is not None:
            utils.check_prob(self.probs)

    @statistic
    def _mean(self, probs):
        return (1.0 - probs) / probs

    @statistic
    def _mode(self, probs):
        return ops.zeros(probs.shape, self.dtype)

    @statistic
    def _var(self, probs):
        return (1.0 - probs) / ops.square(probs)

    @statistic
    def _entropy(self, probs):
        no = 1.0 - probs
        return (-no * ops.log(no) - probs * ops.log(probs)) / probs

    @of_value
    def _prob(self, value, probs):
        value = ops.floor(value)
        return _within(value >= 0.0, ops.exp(ops.log(1.0 - probs) * value + ops.log(probs)), 0.0)

    @of_value
    def _log_prob(self, value, probs):
        value = ops.floor(value)
        return _within(value >= 0.0, ops.log(1.0 - probs) * value + ops.log(probs), -np.inf)

    @of_value
    def _cdf(self, value, probs):
        value = ops.floor(value)
        return _within(value >= 0.0, 1.0 - ops.pow(1.0 - probs, value + 1.0), 0.0)

    @divergence
    def _kl_loss(self, own, other):
        (yes,), (yes_b,) = own, other
        no, no_b = 1.0 - yes, 1.0 - yes_b
        return ops.log(yes / yes_b) + no / yes * ops.log(no / no_b)

    _cross_entropy = entropy_plus_kl

    @sampler
    def _sample(self, shape, probs):
        return ops.floor(ops.log(self._uniform_positive(shape)) / ops.log(1.0 - probs))


class Poisson(Family):
    """Poisson distribution.

    Args:
        rate: list, array, Tensor or None, no single number; > 0. The rest: as for `Bernoulli`.

    Raises:
        TypeError: `rate` is a Python number.

    Example:
        >>> from mindspore.nn.probability.distribution import Poisson
        >>> print(Poisson([2.0]).log_prob(Tensor([1.0])))
        [-1.3068528]
    """

    kind = "Poisson"
    dtypes = NUMBERS
    fields = (Field("rate", positive="rate", refused=(int, float)),)

    @with_arguments
    def __init__(
        self, rate: Any = None, seed: int | None = None, dtype: "Type" = mstype.float32, name: str = "Poisson"
    ):
        self._declare()

    @statistic
    def _mean(self, rate):
        return rate

    _var = _mean

    @statistic
    def _mode(self, rate):
        return ops.floor(rate)

    @of_value
    def _log_prob(self, value, rate):
        log_rate, count = ops.log(rate), ops.relu(value)
        inside = log_rate * count - ops.lgamma((count + 1.0).astype(self.parameter_type))
        return _within(value >= 0, inside, -np.inf) - ops.exp(log_rate)

    @of_value
    def _cdf(self, value, rate):
        count = (1.0 + ops.relu(value)).astype(self.parameter_type)
        return _within(value >= 0, 1.0 - ops.igamma(count, rate), 0.0)

    @sampler
    def _sample(self, shape, rate):
        return ops.poisson((), ops.broadcast_to(rate.astype(mstype.float32), shape), self.seed)


class Categorical(Family):
    """Categorical distribution over the last axis of `probs`.

    Args:
        probs: list, array, Tensor or None, of at least one axis; each in (0, 1), along the last axis of sum 1.
        The rest: as for `Bernoulli`.

    Raises:
        ValueError: no axis, a probability that is not in (0, 1), or a sum that is not 1.

    Example:
        >>> from mindspore.nn.probability.distribution import Categorical
        >>> print(Categorical([0.25, 0.75]).log_prob(Tensor([0, 1])))
        [-1.3862944 -0.2876821]
    """

    kind = "Categorical"
    dtypes = NUMBERS
    value_like_parameters = True
    fields = (Field("probs"),)

    @with_arguments
    def __init__(
        self, probs: Any = None, seed: int | None = None, dtype: "Type" = mstype.int32, name: str = "Categorical"
    ):
        self._declare()
        if self.probs is not None:
            utils.check_rank(self.probs)
            utils.check_prob(self.probs)
            utils.check_sum_equal_one(probs)
            self._is_scalar_batch = self._is_scalar_batch or self.probs.ndim == 1
            self._broadcast_shape = self._broadcast_shape[:-1]

    def _index(self, probs):
        return ops.arange(probs.shape[-1]).astype(mstype.float32)

    @statistic
    def _mean(self, probs):
        return ops.sum(self._index(probs) * probs, -1, True)

    @statistic
    def _mode(self, probs):
        return ops.argmax(probs, -1).astype(self.dtype)

    @statistic
    def _var(self, probs):
        index = self._index(probs)
        return ops.sum(ops.square(index) * probs, -1, True) - ops.square(ops.sum(index * probs, -1, True))

    @statistic
    def _entropy(self, probs):
        return -ops.sum(ops.log(probs) * probs, -1).squeeze()

    @divergence
    def _kl_loss(self, own, other):
        a, b = (ops.log_softmax(ops.log(p), -1) for p in (own[0], other[0]))
        return ops.sum(ops.exp(a) * (a - b), -1).squeeze()

    _cross_entropy = entropy_plus_kl

    def _at(self, value, table):
        """(entry of the table (..., classes) for each value's class, the whole number of each value)"""
        value = ops.where(ops.logical_and(value < 0, value > -1), ops.zeros_like(value), ops.floor(value))
        last = table.shape[-1] - 1
        shape = np.broadcast_shapes(value.shape, table.shape[:-1])
        value = ops.broadcast_to(value, shape)
        index = ops.clip_by_value(value, 0.0, float(last)).astype(mstype.int32).expand_dims(-1)
        return ops.gather_elements(ops.broadcast_to(table, (*shape, last + 1)), -1, index).squeeze(-1), value

    @of_value
    def _log_prob(self, value, probs):
        found, value = self._at(value, ops.log(probs))
        return _within(ops.logical_and(value >= 0, value <= probs.shape[-1] - 1), found, np.nan)

    @of_value
    def _cdf(self, value, probs):
        found, value = self._at(value, ops.cumsum(probs, -1))
        return _within(value >= 0, found, 0.0)

    def _sample(self, shape=(), probs=None):
        shape = self.checktuple(shape, "shape")
        probs = self._check_param_type(probs)
        draws = ops.multinomial(probs.reshape(-1, probs.shape[-1]), int(np.prod(shape)), True, self.seed)
        return ops.stop_gradient(draws.T.reshape(shape + probs.shape[:-1]).astype(self.dtype))

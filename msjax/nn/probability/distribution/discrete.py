"""Discrete distributions."""
import numpy as np

from .... import ops
from ....core import dtype as mstype
from .base import Distribution, arguments


class Bernoulli(Distribution):
    """1 with probability `probs`, else 0.

    Raises:
        ValueError: `probs` is not between 0 and 1.

    Example:
        >>> nn.probability.distribution.Bernoulli(0.5).prob(Tensor([1], mindspore.int32))
    """

    _names, _discrete = ("probs",), True

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Bernoulli"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    probs = property(lambda self: self._own[0], doc="Probability of 1.")

    def _check(self, probs):
        self._need((probs > 0) & (probs < 1), "the 'probs' must be greater than zero and less than one")

    def _log_prob(self, x, p):
        return x * ops.log(p) + (1 - x) * ops.log1p(-p)

    def _cdf(self, x, p):
        middle = ops.broadcast_to(1 - p, np.broadcast_shapes(x.shape, p.shape))
        return ops.where(x < 0, ops.zeros_like(middle), ops.where(x < 1, middle, ops.ones_like(middle)))

    def _mean(self, p):
        return p

    def _mode(self, p):
        return (p > 0.5).astype(self.dtype)

    def _var(self, p):
        return p * (1 - p)

    def _entropy(self, p):
        return -(p * ops.log(p) + (1 - p) * ops.log1p(-p))

    def _kl(self, p, q):
        return p * (ops.log(p) - ops.log(q)) + (1 - p) * (ops.log1p(-p) - ops.log1p(-q))

    def _draw(self, shape, p):
        return ops.rand(*shape, dtype=self.parameter_type, seed=self.seed or None) < p


class Geometric(Distribution):
    """Failures before the first success, which has probability `probs`.

    Raises:
        ValueError: `probs` is not between 0 and 1.

    Example:
        >>> nn.probability.distribution.Geometric(0.5).prob(Tensor([1], mindspore.int32))
    """

    _names, _discrete = ("probs",), True

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Geometric"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    probs = property(lambda self: self._own[0], doc="Probability of success.")
    _check = Bernoulli._check

    def _log_prob(self, x, p):
        value = ops.log1p(-p) * x + ops.log(p)
        return ops.where(x < 0, ops.full_like(value, -np.inf), value)

    def _cdf(self, x, p):
        value = 1 - ops.exp(ops.log1p(-p) * (ops.floor(x) + 1))
        return ops.where(x < 0, ops.zeros_like(value), value)

    def _mean(self, p):
        return (1 - p) / p

    def _mode(self, p):
        return ops.zeros_like(p).astype(self.dtype)

    def _var(self, p):
        return (1 - p) / ops.square(p)

    def _entropy(self, p):
        return -((1 - p) * ops.log1p(-p) + p * ops.log(p)) / p

    def _kl(self, p, q):
        return ops.log(p) - ops.log(q) + (1 - p) / p * (ops.log1p(-p) - ops.log1p(-q))

    def _draw(self, shape, p):
        u = ops.rand(*shape, dtype=self.parameter_type, seed=self.seed or None)
        return ops.floor(ops.log1p(-u) / ops.log1p(-p))


class Poisson(Distribution):
    """Poisson distribution.

    Raises:
        ValueError: `rate` is not positive.

    Example:
        >>> nn.probability.distribution.Poisson([0.5]).prob(Tensor([1], mindspore.int32))
    """

    _names, _discrete = ("rate",), True

    def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Poisson"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    rate = property(lambda self: self._own[0], doc="Rate.")

    def _check(self, rate):
        self._need(rate > 0, "the 'rate' must be greater than zero")

    def _log_prob(self, x, rate):
        return x * ops.log(rate) - ops.lgamma(x + 1) - rate

    def _cdf(self, x, rate):
        shape = np.broadcast_shapes(x.shape, rate.shape)
        steps = ops.relu(ops.floor(x)) + 1
        value = 1 - ops.igamma(ops.broadcast_to(steps, shape), ops.broadcast_to(rate, shape))
        return ops.where(x < 0, ops.zeros_like(value), value)

    def _mean(self, rate):
        return rate

    _var = _mean

    def _mode(self, rate):
        return ops.floor(rate)

    def _draw(self, shape, rate):
        lead = tuple(shape[:len(shape) - rate.ndim])
        return ops.random_poisson(lead, rate, self.seed or None, dtype=mstype.float32)


class Categorical(Distribution):
    """A number i with probability probs[..., i]; the probabilities are made to sum to 1.

    Raises:
        ValueError: a probability is not between 0 and 1, or they do not sum to 1.

    Example:
        >>> nn.probability.distribution.Categorical([0.2, 0.1, 0.7]).prob(Tensor([0, 1], mindspore.int32))
    """

    _names, _discrete, _event = ("probs",), True, True

    def __init__(self, probs=None, seed=None, dtype=mstype.int32, name="Categorical"):
        super().__init__(seed, dtype, name, arguments(locals(), *self._names))

    probs = property(lambda self: self._own[0], doc="Probabilities.")

    def _check(self, probs):
        self._need(probs.ndim > 0, "the 'probs' must have at least one axis")
        self._need((probs > 0) & (probs < 1), "the 'probs' must be greater than zero and less than one")
        self._need(np.abs(probs.sum(-1) - 1) < 1e-3, "the 'probs' of each row must sum to one")

    def _picked(self, table, x):
        """table[..., x], and whether x is a category."""
        inside = ops.logical_and(x >= 0, x < table.shape[-1])
        index = ops.where(inside, x, ops.zeros_like(x)).astype(mstype.int32)
        hot = ops.one_hot(index, table.shape[-1]).astype(table.dtype)
        return (hot * table).sum(-1), inside

    def _prob(self, x, p):
        value, inside = self._picked(p, x)
        return ops.where(inside, value, ops.zeros_like(value))

    def _cdf(self, x, p):
        value, _ = self._picked(ops.cumsum(p, -1), ops.clamp(ops.floor(x), 0, p.shape[-1] - 1))
        value = ops.where(x < 0, ops.zeros_like(value), value)
        return ops.where(x >= p.shape[-1] - 1, ops.ones_like(value), value)

    def _numbers(self, p):
        return ops.arange(p.shape[-1]).astype(p.dtype)

    def _mean(self, p):                                # the last axis stays, with length one, as in MindSpore
        return (self._numbers(p) * p).sum(-1, keepdims=True)

    def _mode(self, p):
        return p.argmax(-1).astype(self.dtype)

    def _var(self, p):
        return (ops.square(self._numbers(p)) * p).sum(-1, keepdims=True) - ops.square(self._mean(p))

    def _entropy(self, p):
        return -(p * ops.log(p)).sum(-1)

    def _kl(self, p, q):
        return (p * (ops.log(p) - ops.log(q))).sum(-1)

    def _batch(self, parameters):
        return parameters[0].shape[:-1]

    def _draw(self, shape, p):
        u = ops.rand(*shape, 1, dtype=self.parameter_type, seed=self.seed or None)
        return ops.minimum((u >= ops.cumsum(p, -1)).astype(mstype.int32).sum(-1), p.shape[-1] - 1)

    def extend_repr(self):
        rows = self.batch_shape[:-1]
        return f"batch_shape = {rows}" if rows else f"probs = {self._own[0]}"


__all__ = ["Bernoulli", "Categorical", "Geometric", "Poisson"]

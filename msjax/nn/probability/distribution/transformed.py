"""The distribution of a map of random values."""
from ..bijector import Bijector
from .base import Distribution


class TransformedDistribution(Distribution):
    """Distribution of bijector.forward(x) for x of `distribution`.

    Raises:
        TypeError: an argument of the wrong kind.

    Example:
        >>> bijector, distribution = nn.probability.bijector, nn.probability.distribution
        >>> distribution.TransformedDistribution(bijector.Exp(), distribution.Normal(0.0, 1.0)).prob(Tensor([1.0]))
    """

    def __init__(self, bijector, distribution, seed=None, name="transformed_distribution"):
        if not isinstance(bijector, Bijector):
            raise TypeError(f"For 'TransformedDistribution', the 'bijector' must be a Bijector, but got "
                            f"{type(bijector).__name__}.")
        if not isinstance(distribution, Distribution):
            raise TypeError(f"For 'TransformedDistribution', the 'distribution' must be a Distribution, but got "
                            f"{type(distribution).__name__}.")
        super().__init__(distribution.seed if seed is None else seed, distribution.dtype, name, distribution.parameters)
        self._bijector, self._distribution = bijector, distribution
        self.is_linear_transformation = bijector.is_constant_jacobian

    bijector = property(lambda self: self._bijector, doc="The map.")
    distribution = property(lambda self: self._distribution, doc="The distribution of what is mapped.")

    def log_prob(self, value, *args, **kwargs):
        """Logarithm of the density."""
        x = self._bijector.inverse(self._value(value))
        return self._distribution.log_prob(x, *args, **kwargs) + self._bijector.inverse_log_jacobian(self._value(value))

    def prob(self, value, *args, **kwargs):
        """Density."""
        return self.log_prob(value, *args, **kwargs).exp()

    def cdf(self, value, *args, **kwargs):
        """Probability of values up to this one, for an increasing map."""
        return self._distribution.cdf(self._bijector.inverse(self._value(value)), *args, **kwargs)

    def log_cdf(self, value, *args, **kwargs):
        """Logarithm of `cdf`."""
        return self._distribution.log_cdf(self._bijector.inverse(self._value(value)), *args, **kwargs)

    def survival_function(self, value, *args, **kwargs):
        """1 - `cdf`."""
        return self._distribution.survival_function(self._bijector.inverse(self._value(value)), *args, **kwargs)

    def log_survival(self, value, *args, **kwargs):
        """Logarithm of `survival_function`."""
        return self._distribution.log_survival(self._bijector.inverse(self._value(value)), *args, **kwargs)

    def sample(self, shape=(), *args, **kwargs):
        """Random values."""
        return self._bijector.forward(self._distribution.sample(shape, *args, **kwargs))

    def _number(self, what, args, kwargs):
        if what == "mean" and self.is_linear_transformation:
            return self._bijector.forward(self._distribution.mean(*args, **kwargs))
        raise NotImplementedError(f"For '{self.name}', '{what}' has no closed form.")

    def extend_repr(self):
        return ""


__all__ = ["TransformedDistribution"]

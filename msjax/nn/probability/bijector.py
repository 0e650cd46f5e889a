"""Invertible maps with the logarithm of their Jacobian."""
import numpy as np

from ... import ops
from ...core import dtype as mstype
from ...core.tensor import Tensor
from ..cell import Cell

_OPERATIONS = ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian")


def parameter(value, what, dtype=mstype.float32):
    """A Tensor of a distribution's or bijector's parameter; None stays None."""
    if value is None:
        return None
    if isinstance(value, (str, dict)) or value is True or value is False:
        raise TypeError(f"Unable to convert input '{what}' of type {type(value)} to a Tensor of type {dtype}")
    return value.astype(dtype) if isinstance(value, Tensor) else Tensor(value, dtype)


class Bijector(Cell):
    """Base class: a subclass defines `_forward`, `_inverse`, `_forward_log_jacobian` and `_inverse_log_jacobian`.

    A bijector is called with the name of an operation, or with a distribution, which gives the transformed one.

    Args:
        is_constant_jacobian, is_injective: properties of the map. name: printed name. dtype: of the values.
        param: dict of the parameters.

    Example:
        >>> nn.probability.bijector.Exp().forward(Tensor([1.0]))
    """

    def __init__(self, is_constant_jacobian=False, is_injective=True, name=None, dtype=None, param=None):
        super().__init__()
        self._about = {"is_constant_jacobian": is_constant_jacobian, "is_injective": is_injective,
                       "name": name or type(self).__name__, "dtype": dtype, "parameters": dict(param or {})}

    name = property(lambda self: self._about["name"], doc="Name.")
    dtype = property(lambda self: self._about["dtype"], doc="dtype of the values, or None.")
    parameters = property(lambda self: self._about["parameters"], doc="Dict of the parameters.")
    is_constant_jacobian = property(lambda self: self._about["is_constant_jacobian"], doc="Whether the Jacobian is "
                                                                                          "constant.")
    is_injective = property(lambda self: self._about["is_injective"], doc="Whether the map is one to one.")
    batch_shape = property(lambda self: broadcast_shape(*self.parameters.values()), doc="Shape of the parameters.")
    is_scalar_batch = property(lambda self: self.batch_shape == (), doc="Whether all parameters are scalars.")

    def shape_mapping(self, shape):
        """Shape of the result for a value of shape `shape`: the map goes element by element."""
        return shape

    def cast_param_by_value(self, value, para):
        """A parameter in the dtype of a value."""
        return para.astype(value.dtype)

    @staticmethod
    def _value(value, what):
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{what}', input type must be a Tensor or Parameter, but got {type(value).__name__}.")
        return value if value.dtype in mstype.float_type else value.astype(mstype.float32)

    def forward(self, value, *args, **kwargs):
        """The map."""
        return self._forward(self._value(value, "forward"), *args, **kwargs)

    def inverse(self, value, *args, **kwargs):
        """The inverse map."""
        return self._inverse(self._value(value, "inverse"), *args, **kwargs)

    def forward_log_jacobian(self, value, *args, **kwargs):
        """log |d forward(x) / dx|."""
        return self._forward_log_jacobian(self._value(value, "forward_log_jacobian"), *args, **kwargs)

    def inverse_log_jacobian(self, value, *args, **kwargs):
        """log |d inverse(y) / dy|."""
        return self._inverse_log_jacobian(self._value(value, "inverse_log_jacobian"), *args, **kwargs)

    def construct(self, name, *args, **kwargs):
        if not isinstance(name, str):
            from .distribution import TransformedDistribution  # made of bijectors, so it is above them
            return TransformedDistribution(self, name)
        if name not in _OPERATIONS:
            raise ValueError(f"For '{self.name}', the operation must be one of {_OPERATIONS}, but got '{name}'.")
        return getattr(self, name)(*args, **kwargs)

    def __call__(self, name, *args, **kwargs):
        return super().__call__(name, *args, **kwargs) if isinstance(name, str) else self.construct(name)

    def extend_repr(self):
        return ", ".join(f"{name} = {value}" for name, value in self.parameters.items())


def broadcast_shape(*tensors):
    """Common shape of Tensors, None left out."""
    return np.broadcast_shapes(*[t.shape for t in tensors if isinstance(t, Tensor)])


class Exp(Bijector):
    """exp(x).

    Example:
        >>> nn.probability.bijector.Exp().forward(Tensor([1.0]))
    """

    def __init__(self, name="Exp"):
        super().__init__(name=name)

    def _forward(self, x):
        return ops.exp(x)

    def _inverse(self, y):
        return ops.log(y)

    def _forward_log_jacobian(self, x):
        return x

    def _inverse_log_jacobian(self, y):
        return -ops.log(y)

    def extend_repr(self):
        return "exp"


class _WithParameters(Bijector):
    """A bijector whose parameters are attributes."""

    def __init__(self, name, **parameters):
        made = {what: parameter(value, what) for what, value in parameters.items()}
        super().__init__(name=name, dtype=mstype.float32, param=made)
        self._made = made

    def _get(self, what, x):
        return self.cast_param_by_value(x, self._made[what])


class Softplus(_WithParameters):
    """log(1 + exp(sharpness * x)) / sharpness.

    Example:
        >>> nn.probability.bijector.Softplus(2.0).forward(Tensor([1.0]))
    """

    def __init__(self, sharpness=1.0, name="Softplus"):
        super().__init__(name, sharpness=sharpness)

    sharpness = property(lambda self: self._made["sharpness"], doc="Sharpness.")

    def _forward(self, x):
        k = self._get("sharpness", x)
        return ops.softplus(k * x) / k

    def _inverse(self, y):
        k = self._get("sharpness", y)
        return y + ops.log(-ops.expm1(-k * y)) / k

    def _forward_log_jacobian(self, x):
        return -ops.softplus(-self._get("sharpness", x) * x)

    def _inverse_log_jacobian(self, y):
        return -ops.log(-ops.expm1(-self._get("sharpness", y) * y))


class ScalarAffine(_WithParameters):
    """scale * x + shift.

    Example:
        >>> nn.probability.bijector.ScalarAffine(2.0, 1.0).forward(Tensor([1.0]))
    """

    def __init__(self, scale=1.0, shift=0.0, name="ScalarAffine"):
        super().__init__(name, scale=scale, shift=shift)
        self._about["is_constant_jacobian"] = True

    scale = property(lambda self: self._made["scale"], doc="Factor.")
    shift = property(lambda self: self._made["shift"], doc="What is added.")

    def _forward(self, x):
        return self._get("scale", x) * x + self._get("shift", x)

    def _inverse(self, y):
        return (y - self._get("shift", y)) / self._get("scale", y)

    def _forward_log_jacobian(self, x):
        return ops.log(ops.abs(self._get("scale", x)))

    def _inverse_log_jacobian(self, y):
        return -ops.log(ops.abs(self._get("scale", y)))


class PowerTransform(_WithParameters):
    """(1 + x * power) ** (1 / power); exp(x) for power 0.

    Raises:
        ValueError: `power` is negative.

    Example:
        >>> nn.probability.bijector.PowerTransform(0.5).forward(Tensor([1.0]))
    """

    def __init__(self, power=0.0, name="PowerTransform"):
        super().__init__(name, power=power)
        if (self._made["power"].asnumpy() < 0).any():
            raise ValueError(f"For '{self.name}', the 'power' must not be negative, but got {power}.")

    power = property(lambda self: self._made["power"], doc="Power.")

    def _choose(self, x, at_zero, elsewhere):
        """`elsewhere(power)` where the power is not 0, with 1 in the place of 0 so that it stays finite."""
        c = self._get("power", x)
        zero = c == 0
        other = elsewhere(ops.where(zero, ops.ones_like(c), c))
        return ops.where(zero, at_zero, other)

    def _forward(self, x):
        return self._choose(x, ops.exp(x), lambda c: ops.exp(ops.log1p(x * c) / c))

    def _inverse(self, y):
        return self._choose(y, ops.log(y), lambda c: ops.expm1(ops.log(y) * c) / c)

    def _forward_log_jacobian(self, x):
        return self._choose(x, x, lambda c: (1 / c - 1) * ops.log1p(x * c))

    def _inverse_log_jacobian(self, y):
        return (self._get("power", y) - 1) * ops.log(y)


class GumbelCDF(_WithParameters):
    """exp(-exp(-(x - loc) / scale)), the distribution function of Gumbel's distribution.

    Example:
        >>> nn.probability.bijector.GumbelCDF(1.0, 2.0).forward(Tensor([1.0]))
    """

    def __init__(self, loc=0.0, scale=1.0, name="GumbelCDF"):
        super().__init__(name, loc=loc, scale=scale)

    loc = property(lambda self: self._made["loc"], doc="Location.")
    scale = property(lambda self: self._made["scale"], doc="Scale.")

    def _forward(self, x):
        return ops.exp(-ops.exp(-(x - self._get("loc", x)) / self._get("scale", x)))

    def _inverse(self, y):
        return self._get("loc", y) - self._get("scale", y) * ops.log(-ops.log(y))

    def _forward_log_jacobian(self, x):
        z = (x - self._get("loc", x)) / self._get("scale", x)
        return -z - ops.exp(-z) - ops.log(self._get("scale", x))

    def _inverse_log_jacobian(self, y):
        return ops.log(self._get("scale", y) / (-ops.log(y) * y))


class Invert(Bijector):
    """The inverse of a bijector.

    Raises:
        TypeError: `bijector` is none.

    Example:
        >>> bijector = nn.probability.bijector
        >>> bijector.Invert(bijector.Exp()).forward(Tensor([2.0]))
    """

    def __init__(self, bijector, name=""):
        if not isinstance(bijector, Bijector):
            raise TypeError(f"For 'Invert', the 'bijector' must be a Bijector, but got {type(bijector).__name__}.")
        super().__init__(bijector.is_constant_jacobian, bijector.is_injective, name or f"Invert{bijector.name}",
                         bijector.dtype, bijector.parameters)
        self._bijector = bijector

    bijector = property(lambda self: self._bijector, doc="The bijector that is inverted.")

    def _forward(self, x):
        return self._bijector.inverse(x)

    def _inverse(self, y):
        return self._bijector.forward(y)

    def _forward_log_jacobian(self, x):
        return self._bijector.inverse_log_jacobian(x)

    def _inverse_log_jacobian(self, y):
        return self._bijector.forward_log_jacobian(y)

    def extend_repr(self):
        return ""


__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]

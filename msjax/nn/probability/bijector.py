"""The changes of variable: Exp, GumbelCDF, Invert, PowerTransform, ScalarAffine, Softplus."""

from typing import TYPE_CHECKING, Any

from ... import ops
from ...core.constructor import given, with_arguments
from ...core.spec.checking import checked
from . import utils
from .transformed import Bijector

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class _Parametric(Bijector):
    """A change of variable with parameters: formulas see a checked value and the parameters in its dtype.

    fields: names of the parameters, as of the constructor.
    """

    fields = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for name in cls.__dict__.get("fields", ()):
            setattr(
                cls,
                name,
                property(lambda self, name=f"_{name}": getattr(self, name), doc=f"The parameter '{name}', a Tensor."),
            )

    def _declare(self, is_constant_jacobian=False):
        """All of the constructor, from its arguments."""
        values = given(self)
        param = {**values, "param_dict": {name: values[name] for name in self.fields}}
        Bijector.__init__(self, is_constant_jacobian, True, values["name"], None, param)
        for name in self.fields:
            setattr(self, f"_{name}", self._add_parameter(values[name], name))

    def extend_repr(self):
        if not self.is_scalar_batch:
            return f"batch_shape = {self.batch_shape}"
        return ", ".join(f"{name} = {getattr(self, name)}" for name in self.fields)

    def _local(self, value):
        value = self._check_value_dtype(value)
        return value, *(self.cast_param_by_value(value, getattr(self, f"_{name}")) for name in self.fields)


class PowerTransform(_Parametric):
    """f(x) = (1 + power * x) ** (1 / power), which is exp(x) for power 0.

    Args:
        power: float, array or Tensor of a float type, >= 0. name: str.

    Raises:
        TypeError: `power` is not a float. ValueError: it is negative.

    Example:
        >>> from mindspore.nn.probability.bijector import PowerTransform
        >>> print(PowerTransform(0.5).forward(Tensor([0.0, 1.0])))
        [1.   2.25]
    """

    fields = ("power",)

    @with_arguments
    def __init__(self, power: Any = 0.0, name: str = "PowerTransform"):
        self._declare()
        utils.check_greater_equal_zero(self._power, "Power")

    def _safe(self, value):
        """(value in the full shape, whether the power is 0, a power that can be divided by)"""
        value, power = self._local(value)
        value, power = value * ops.ones_like(power), power * ops.ones_like(value)
        zero = power == 0
        return value, zero, ops.where(zero, ops.ones_like(power), power)

    def _forward(self, x):
        x, zero, power = self._safe(x)
        inner = ops.where(zero, ops.zeros_like(x), x * power)  # where it is not taken, it must not overflow
        return ops.where(zero, ops.exp(x), ops.exp(ops.log1p(inner) / power))

    def _inverse(self, y):
        y, zero, power = self._safe(y)
        return ops.where(zero, ops.log(y), ops.expm1(ops.log(y) * power) / power)

    def _forward_log_jacobian(self, x):
        x, zero, power = self._safe(x)
        inner = ops.where(zero, ops.zeros_like(x), x * power)
        return ops.where(zero, x, (1.0 / power - 1) * ops.log1p(inner))

    def _inverse_log_jacobian(self, y):
        y, power = self._local(y)
        return (power - 1) * ops.log(y)


class Exp(PowerTransform):
    """f(x) = exp(x).

    Example:
        >>> from mindspore.nn.probability.bijector import Exp
        >>> print(Exp().forward(Tensor([0.0, 1.0])))
        [1.        2.7182817]
    """

    def __init__(self, name: str = "Exp"):
        super().__init__(name=name)

    def extend_repr(self):
        return "exp"


class ScalarAffine(_Parametric):
    """f(x) = scale * x + shift.

    Args:
        scale, shift: float, array or Tensor of one float type. name: str.

    Raises:
        TypeError: a parameter is not a float, or they differ in dtype.

    Example:
        >>> from mindspore.nn.probability.bijector import ScalarAffine
        >>> print(ScalarAffine(2.0, 1.0).forward(Tensor([0.0, 1.0])))
        [1. 3.]
    """

    fields = ("scale", "shift")

    @with_arguments
    def __init__(self, scale: Any = 1.0, shift: Any = 0.0, name: str = "ScalarAffine"):
        self._declare(is_constant_jacobian=True)

    def _forward(self, x):
        x, scale, shift = self._local(x)
        return scale * x + shift * ops.ones_like(x)

    def _inverse(self, y):
        y, scale, shift = self._local(y)
        return (y - shift) / scale

    def _forward_log_jacobian(self, x):
        return ops.log(ops.abs(self._local(x)[1]))

    def _inverse_log_jacobian(self, y):
        return -1.0 * ops.log(ops.abs(self._local(y)[1]))


def _inverse_softplus(y):
    return y + ops.log(-ops.expm1(-y))


class Softplus(_Parametric):
    """f(x) = log(1 + exp(sharpness * x)) / sharpness.

    Args:
        sharpness: float, array or Tensor of a float type. name: str.

    Raises:
        TypeError: `sharpness` is not a float.

    Example:
        >>> from mindspore.nn.probability.bijector import Softplus
        >>> print(Softplus(2.0).forward(Tensor([0.0, 1.0])))
        [0.3465736 1.063464 ]
    """

    fields = ("sharpness",)

    @with_arguments
    def __init__(self, sharpness: Any = 1.0, name: str = "Softplus"):
        self._declare()

    def _forward(self, x):
        x, sharpness = self._local(x)
        return utils.softplus(sharpness * x) / sharpness

    def _inverse(self, y):
        y, sharpness = self._local(y)
        return _inverse_softplus(sharpness * y) / sharpness

    def _forward_log_jacobian(self, x):
        x, sharpness = self._local(x)
        return ops.logsigmoid(sharpness * x)

    def _inverse_log_jacobian(self, y):
        y, sharpness = self._local(y)
        return -ops.log(-ops.expm1(-(sharpness * y)))


class GumbelCDF(_Parametric):
    """f(x) = exp(-exp(-(x - loc) / scale)), the cdf of the Gumbel distribution.

    Args:
        loc, scale: float, array or Tensor of one float type; scale > 0. name: str.

    Raises:
        TypeError: a parameter is not a float, or they differ in dtype. ValueError: `scale` is not positive.

    Example:
        >>> from mindspore.nn.probability.bijector import GumbelCDF
        >>> print(GumbelCDF(0.0, 1.0).forward(Tensor([0.0, 1.0])))
        [0.36787945 0.6922006 ]
    """

    fields = ("loc", "scale")

    @with_arguments
    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, name: str = "GumbelCDF"):
        self._declare()
        utils.check_greater_zero(self._scale, "scale")

    def _forward(self, x):
        x, loc, scale = self._local(x)
        return ops.exp(-ops.exp(-((x - loc) / scale)))

    def _inverse(self, y):
        y, loc, scale = self._local(y)
        return loc - scale * ops.log(-ops.log(y))

    def _forward_log_jacobian(self, x):
        x, loc, scale = self._local(x)
        z = (x - loc) / scale
        return -z - ops.exp(-z) - ops.log(scale)

    def _inverse_log_jacobian(self, y):
        y, _, scale = self._local(y)
        return ops.log(scale / (-1.0 * y * ops.log(y)))


class Invert(Bijector):
    """The inverse map of another one.

    Args:
        bijector: Bijector. name: str, by default "Invert" and the other's name.

    Raises:
        TypeError: `bijector` is none.

    Example:
        >>> from mindspore.nn.probability.bijector import Exp, Invert
        >>> print(Invert(Exp()).forward(Tensor([1.0, 2.0])))
        [0.        0.6931472]
    """

    @checked
    def __init__(self, bijector: Bijector, name: Any = ""):
        name = name or f"Invert{bijector.name}"
        super().__init__(
            bijector.is_constant_jacobian,
            bijector.is_injective,
            name,
            bijector.dtype,
            {"bijector": bijector, "name": name},
        )
        self._bijector = bijector
        self._batch_shape, self._is_scalar_batch = bijector.batch_shape, bijector.is_scalar_batch

    bijector = property(lambda self: self._bijector, doc="The map that is inverted.")

    def forward(self, x: "Tensor"):
        """The inverse map of the bijector that this one inverts."""
        return self.bijector.inverse(x)

    def inverse(self, y: "Tensor"):
        """The forward map of the bijector that this one inverts."""
        return self.bijector.forward(y)

    def forward_log_jacobian(self, x: "Tensor"):
        """log |df(x) / dx|."""
        return self.bijector.inverse_log_jacobian(x)

    def inverse_log_jacobian(self, y: "Tensor"):
        """log |dx / dy| at y."""
        return self.bijector.forward_log_jacobian(y)


__all__ = ["Bijector", "Exp", "GumbelCDF", "Invert", "PowerTransform", "ScalarAffine", "Softplus"]

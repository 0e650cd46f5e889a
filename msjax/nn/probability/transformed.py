"""A change of variable, and the distribution that it makes of another one."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ... import ops
from ...core.operators import check
from ...core.spec.checking import checked, compare
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ..cell.cell import Cell
from . import utils
from .distribution.distribution import Distribution

if TYPE_CHECKING:
    from ...core.values.dtype import Type


class Bijector(Cell):
    """Base class of changes of variable; a subclass defines `_forward`, `_inverse` and their log Jacobians.

    Functions can be called by name, `bijector("forward", x)`; `bijector(distribution)` gives a TransformedDistribution.

    Args:
        is_constant_jacobian, is_injective: bool, what is known of the map.
        name: str. dtype: a float type that values must have, or None for any.
        param: dict of the arguments of the constructor; `param["param_dict"]` holds the parameters by name.

    Raises:
        TypeError: an argument of the wrong kind.

    Example:
        >>> print(nn.probability.bijector.Exp()("forward", Tensor([0.0, 1.0])))
        [1.        2.7182817]
    """

    checktensor = utils.CheckTensor()
    exp, log = staticmethod(utils.exp_generic), staticmethod(utils.log_generic)

    @checked
    def __init__(
        self,
        is_constant_jacobian: bool = False,
        is_injective: bool = True,
        name: str | None = None,
        dtype: "Type | None" = None,
        param: dict | None = None,
    ):
        super().__init__()
        compare(type(self).__name__, "name", name, str)  # its default is none, as in MindSpore
        if dtype is not None:
            check.check_type_name("dtype", dtype, mstype.float_type, type(self).__name__)
        self._name, self._dtype = name, dtype
        self._parameters = {k: v for k, v in (param or {}).items() if k not in ("self", "param") and k[0] != "_"}
        self.default_parameters, self.parameter_names, self.common_dtype = [], [], None
        known = self._parameters.get("param_dict")
        self._batch_shape = None if known is None else utils.batch_shape_of(known)
        self._is_scalar_batch = known is not None and utils.is_scalar_batch_of(known)
        self._is_constant_jacobian, self._is_injective = is_constant_jacobian, is_injective

    name = property(lambda self: self._name, doc="The name given at construction.")
    dtype = property(lambda self: self._dtype, doc="dtype that values must have, or None.")
    parameters = property(lambda self: self._parameters, doc="Dict of the arguments of the constructor.")
    is_constant_jacobian = property(lambda self: self._is_constant_jacobian, doc="Whether the map is linear.")
    is_injective = property(lambda self: self._is_injective, doc="Whether the map is one to one.")
    batch_shape = property(lambda self: self._batch_shape, doc="Common shape of the parameters, or None.")
    is_scalar_batch = property(lambda self: self._is_scalar_batch, doc="Whether all parameters are Python numbers.")

    def _add_parameter(self, value, name):
        """Note a parameter, and return it as a Tensor of a float type."""
        if isinstance(value, bool) or value is None:
            raise TypeError(f"{name} cannot be type {type(value)}")
        tensor = Tensor(value)
        if self.dtype is not None:
            if tensor.dtype != self.dtype:
                raise TypeError(f"{name} should have the same dtype as the bijector's dtype.")
        else:
            self.common_dtype = self.common_dtype or tensor.dtype
            if tensor.dtype != self.common_dtype:
                raise TypeError(f"{name} should have the same dtype as other arguments.")
            check.check_type_name(f"dtype of {name}", tensor.dtype, mstype.float_type, type(self).__name__)
        self.default_parameters.append(value)
        self.parameter_names.append(name)
        return tensor

    def _check_value(self, value, name):
        return self.checktensor(value, name)

    def _check_value_dtype(self, value):
        """`value` if it is a Tensor of the right dtype, else a TypeError."""
        what = "input value of bijector"
        if self.checktensor(value, what) is None:
            raise TypeError(f"For {what}, input type must be a Tensor or Parameter.")
        if self.dtype is None and value.dtype not in mstype.float_type:
            utils.raise_type_error(what, value.dtype, "Float")
        if self.dtype is not None and value.dtype != self.dtype:
            utils.raise_type_error(what, value.dtype, self.dtype)
        return value

    def cast_param_by_value(self, value: Any, para: Any):
        """The parameter in the value's dtype."""
        return para.astype(value.dtype)

    def shape_mapping(self, shape: tuple):
        """Shape of the result for values of a shape."""
        return self._shape_mapping(shape)

    def _shape_mapping(self, shape):
        return np.broadcast_shapes(tuple(shape), self.batch_shape or ())

    def forward(self, value: Any, *args, **kwargs):
        """y = f(x)."""
        return self._forward(value, *args, **kwargs)

    def inverse(self, value: Any, *args, **kwargs):
        """x with f(x) = y."""
        return self._inverse(value, *args, **kwargs)

    def forward_log_jacobian(self, value: Any, *args, **kwargs):
        """log |df(x) / dx|."""
        return self._forward_log_jacobian(value, *args, **kwargs)

    def inverse_log_jacobian(self, value: Any, *args, **kwargs):
        """log |dx / dy| at y."""
        return self._inverse_log_jacobian(value, *args, **kwargs)

    def __call__(self, *args, **kwargs):
        if args and isinstance(args[0], Distribution):
            return TransformedDistribution(self, args[0])
        return super().__call__(*args, **kwargs)

    def construct(self, name: str, *args, **kwargs):
        """The function `name` of the bijector."""
        if name not in ("forward", "inverse", "forward_log_jacobian", "inverse_log_jacobian"):
            raise Exception("Invalid name")
        return getattr(self, name)(*args, **kwargs)


class TransformedDistribution(Distribution):
    """The distribution of f(x), where x has a known distribution.

    Args:
        bijector: Bijector, the f. distribution: Distribution of x, of a float type.
        seed: int >= 0 or None. name: str.

    Raises:
        TypeError: an argument of the wrong kind.

    Example:
        >>> from mindspore.nn.probability.distribution import TransformedDistribution
        >>> normal = nn.probability.distribution.Normal(0.0, 1.0)
        >>> print(TransformedDistribution(nn.probability.bijector.Exp(), normal).cdf(Tensor([1.0])))
        [0.5]
    """

    @checked
    def __init__(
        self,
        bijector: Bijector,
        distribution: Distribution,
        seed: int | None = None,
        name: str = "transformed_distribution",
    ):
        param = {"bijector": bijector, "distribution": distribution, "seed": seed, "name": name}
        check.check_type_name("dtype", distribution.dtype, mstype.float_type, type(self).__name__)
        super().__init__(seed, distribution.dtype, name, param)
        self._bijector, self._distribution = bijector, distribution
        self._is_linear_transformation = bijector.is_constant_jacobian
        self._is_scalar_batch = distribution.is_scalar_batch and bijector.is_scalar_batch
        self._batch_shape = distribution.batch_shape
        self.default_parameters = distribution.default_parameters
        self.parameter_names = distribution.parameter_names
        self.parameter_type = distribution.parameter_type
        self._broadcast_shape = self._broadcast_bijector_dist()

    bijector = property(lambda self: self._bijector, doc="The change of variable.")
    distribution = property(lambda self: self._distribution, doc="The distribution that is transformed.")
    is_linear_transformation = property(lambda self: self._is_linear_transformation, doc="Whether f is linear.")

    def _broadcast_bijector_dist(self):
        if self.batch_shape is None or self.bijector.batch_shape is None:
            return None
        return np.broadcast_shapes(self.batch_shape, self.bijector.batch_shape)

    def _cdf(self, value, *args, **kwargs):
        return self.distribution.cdf(self.bijector.inverse(value), *args, **kwargs)

    def _log_cdf(self, value, *args, **kwargs):
        return ops.log(self._cdf(value, *args, **kwargs))

    def _survival_function(self, value, *args, **kwargs):
        return 1.0 - self._cdf(value, *args, **kwargs)

    def _log_survival(self, value, *args, **kwargs):
        return ops.log(self._survival_function(value, *args, **kwargs))

    def _log_prob(self, value, *args, **kwargs):
        before = self.distribution.log_prob(self.bijector.inverse(value), *args, **kwargs)
        after = before + self.bijector.inverse_log_jacobian(value)
        return ops.where(before == -np.inf, before * ops.ones_like(after), after)  # -inf + inf is not a number

    def _prob(self, value, *args, **kwargs):
        return ops.exp(self._log_prob(value, *args, **kwargs))

    def _sample(self, *args, **kwargs):
        return self.bijector.forward(self.distribution.sample(*args, **kwargs))

    def _mean(self, *args, **kwargs):
        if not self.is_linear_transformation:
            utils.raise_not_impl_error("mean")
        return self.bijector.forward(self.distribution.mean(*args, **kwargs))

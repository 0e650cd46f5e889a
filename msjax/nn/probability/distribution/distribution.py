"""Distribution: the base class; functions that a distribution does not define follow from those that it defines."""

from typing import TYPE_CHECKING, Any

import numpy as np

from .... import ops
from ....core.spec.checking import checked
from ....core.spec.rules import NonNegativeInt
from ....core.values.tensor import Tensor
from ...cell.cell import Cell
from ...lazy_operator import Served
from .. import utils

if TYPE_CHECKING:
    from ....core.values.dtype import Type

# Public function: the ways to get it, best first: (method that must be there, what is done with its result).
_SAME, _ONE_MINUS = (lambda x: x), (lambda x: 1.0 - x)
_WAYS = {
    "prob": (("_prob", _SAME), ("_log_prob", utils.exp_generic)),
    "log_prob": (("_log_prob", _SAME), ("_prob", utils.log_generic)),
    "sd": (("_sd", _SAME), ("_var", lambda x: ops.sqrt(x))),
    "var": (("_var", _SAME), ("_sd", lambda x: ops.square(x))),
    "cdf": (
        ("_cdf", _SAME),
        ("_log_cdf", utils.exp_generic),
        ("_survival_function", _ONE_MINUS),
        ("_log_survival", lambda x: 1.0 - ops.exp(x)),
    ),
    "survival_function": (
        ("_survival_function", _SAME),
        ("_log_survival", utils.exp_generic),
        ("_cdf", _ONE_MINUS),
        ("_log_cdf", lambda x: 1.0 - ops.exp(x)),
    ),
    "log_cdf": (
        ("_log_cdf", _SAME),
        ("_cdf", utils.log_generic),
        ("_survival_function", lambda x: ops.log(1.0 - x)),
        ("_log_survival", lambda x: ops.log(1.0 - ops.exp(x))),
    ),
    "log_survival": (
        ("_log_survival", _SAME),
        ("_survival_function", utils.log_generic),
        ("_cdf", lambda x: ops.log(1.0 - x)),
        ("_log_cdf", lambda x: ops.log(1.0 - ops.exp(x))),
    ),
    "cross_entropy": (("_cross_entropy", _SAME),),
}


class Distribution(Cell):
    """Base class of distributions. A subclass defines `_mean`, `_log_prob`, `_sample`, ... as far as it has them.

    Every function can be called by its name too: `dist("log_prob", value)`. Parameters can be given at construction or,
    as Tensors, in every call after the function's own arguments; those of a call do not change the distribution.

    Args:
        seed: int >= 0 or None; 0 and None draw from the default generator.
        dtype: dtype of what is drawn.
        name: str.
        param: dict of the arguments of the constructor; `param["param_dict"]` holds the parameters by name.

    Raises:
        TypeError, ValueError: arguments of the wrong kind; parameters of different dtypes or shapes.

    Example:
        >>> dist = nn.probability.distribution.Normal(0.0, 2.0)
        >>> dist.log_prob(Tensor([0.0, 1.0])), dist("sd")
        (Tensor(shape=[2], dtype=Float32, value= [-1.61208570e+00, -1.73708570e+00]), Tensor(shape=[], dtype=Float32, value= 2))
    """

    checktensor, checktuple = utils.CheckTensor(), utils.CheckTuple()
    broadcast = staticmethod(utils.broadcast_to)
    exp = exp_base = staticmethod(utils.exp_generic)
    log = log_base = staticmethod(utils.log_generic)
    cast_base = Served(lambda self: ops.Cast())
    dtype_base = Served(lambda self: ops.DType())
    shape_base = Served(lambda self: ops.Shape())
    sq_base = Served(lambda self: ops.Square())
    sqrt_base = Served(lambda self: ops.Sqrt())

    @checked
    def __init__(self, seed: NonNegativeInt | None, dtype: "Type", name: str, param: dict):
        super().__init__()
        seed = 0 if seed is None else seed
        self._name, self._seed, self._dtype = name, seed, dtype
        self._parameters = {k: v for k, v in param.items() if k != "self" and not k.startswith("_")}
        self._reset_parameters()
        if "distribution" not in self._parameters:  # a transformed one has those of what it transforms
            parameters = self._parameters.get("param_dict", {})
            self.parameter_type = utils.set_param_type(parameters, dtype)
            self._batch_shape = self._calc_batch_shape()
            self._is_scalar_batch = self._check_is_scalar_batch()
            self._broadcast_shape = self._batch_shape

    name = property(lambda self: self._name, doc="The name given at construction.")
    dtype = property(lambda self: self._dtype, doc="dtype of what is drawn.")
    seed = property(lambda self: self._seed, doc="The seed, 0 if none was given.")
    parameters = property(lambda self: self._parameters, doc="Dict of the arguments of the constructor.")
    is_scalar_batch = property(lambda self: self._is_scalar_batch, doc="Whether all parameters are Python numbers.")
    batch_shape = property(lambda self: self._batch_shape, doc="Common shape of the parameters, or None.")
    broadcast_shape = property(lambda self: self._broadcast_shape, doc="Shape of one draw, or None.")

    # --- parameters
    def _reset_parameters(self):
        self.default_parameters, self.parameter_names = [], []

    def _add_parameter(self, value, name):
        """Note a parameter, and return it as a Tensor of `parameter_type`; None stays None."""
        tensor = None if value is None else utils.cast_to_tensor(value, self.parameter_type)
        self.default_parameters.append(tensor)
        self.parameter_names.append(name)
        return tensor

    def _check_param_type(self, *args):
        """The parameters of one call in `parameter_type` and their common shape; those of construction where `args` has
        None. One alone comes as it is, several as a tuple.
        """
        found = []
        for arg, name, default in zip(args, self.parameter_names, self.default_parameters):
            if arg is None:
                arg = default if default is not None else utils.raise_none_error(name)
            found.append(self.checktensor(arg, name))
        for other in found[1:]:
            if other.dtype != found[0].dtype:
                raise TypeError(
                    f"For '{self.name}', the parameters should have the same dtype, but got "
                    f"{found[0].dtype} and {other.dtype}."
                )
        shape = np.broadcast_shapes(*(p.shape for p in found))
        cast = [p if p.dtype == self.parameter_type else p.astype(self.parameter_type) for p in found]
        out = tuple(p if p.shape == shape else ops.broadcast_to(p, shape) for p in cast)
        return out[0] if len(out) == 1 else out

    def _check_value(self, value, name):
        return self.checktensor(value, name)

    def _check_is_scalar_batch(self):
        return utils.is_scalar_batch_of(self.parameters.get("param_dict", {}))

    def _calc_batch_shape(self):
        return utils.batch_shape_of(self.parameters.get("param_dict", {}))

    # --- what a subclass may define
    def _raise_not_implemented_error(self, func_name):
        return lambda *args, **kwargs: utils.raise_not_implemented_util(func_name, self.name)

    def _missing(name):
        def method(self, *args, **kwargs):
            utils.raise_not_implemented_util(name, self.name)

        method.__name__ = f"_{name}"
        return method

    _mean, _mode, _entropy, _kl_loss, _sample, _get_dist_args, _get_dist_type = map(
        _missing, ("mean", "mode", "entropy", "kl_loss", "sample", "get_dist_args", "get_dist_type")
    )
    del _missing

    def _call(self, name, *args, **kwargs):
        """The function of this name, by the first of its ways that the class has."""
        for method, then in _WAYS[name]:
            if hasattr(self, method):
                return then(getattr(self, method)(*args, **kwargs))
        return utils.raise_not_implemented_util(name, self.name)

    def _call_prob(self, *args, **kwargs):
        return self._call("prob", *args, **kwargs)

    def _call_log_prob(self, *args, **kwargs):
        return self._call("log_prob", *args, **kwargs)

    def _call_cdf(self, *args, **kwargs):
        return self._call("cdf", *args, **kwargs)

    def _call_survival(self, *args, **kwargs):
        return self._call("survival_function", *args, **kwargs)

    def _call_log_cdf(self, *args, **kwargs):
        return self._call("log_cdf", *args, **kwargs)

    def _call_log_survival(self, *args, **kwargs):
        return self._call("log_survival", *args, **kwargs)

    def _call_sd(self, *args, **kwargs):
        return self._call("sd", *args, **kwargs)

    def _call_var(self, *args, **kwargs):
        return self._call("var", *args, **kwargs)

    def _call_cross_entropy(self, *args, **kwargs):
        return self._call("cross_entropy", *args, **kwargs)

    def _calc_cross_entropy(self, dist, *args, **kwargs):
        return self._entropy(*args, **kwargs) + self._kl_loss(dist, *args, **kwargs)

    # --- functions of a value
    def prob(self, value: Any, *args, **kwargs) -> Tensor:
        """Density (or probability) at `value`; parameters may follow, as in all functions here."""
        return self._call_prob(value, *args, **kwargs)

    def log_prob(self, value: Any, *args, **kwargs) -> Tensor:
        """Logarithm of the density (or probability) at `value`."""
        return self._call_log_prob(value, *args, **kwargs)

    def cdf(self, value: Any, *args, **kwargs) -> Tensor:
        """Probability of a draw <= `value`."""
        return self._call_cdf(value, *args, **kwargs)

    def log_cdf(self, value: Any, *args, **kwargs) -> Tensor:
        """Logarithm of the probability of a draw <= `value`."""
        return self._call_log_cdf(value, *args, **kwargs)

    def survival_function(self, value: Any, *args, **kwargs) -> Tensor:
        """Probability of a draw > `value`."""
        return self._call_survival(value, *args, **kwargs)

    def log_survival(self, value: Any, *args, **kwargs) -> Tensor:
        """Logarithm of the probability of a draw > `value`."""
        return self._call_log_survival(value, *args, **kwargs)

    # --- statistics
    def mean(self, *args, **kwargs) -> Tensor:
        """Expected value."""
        return self._mean(*args, **kwargs)

    def mode(self, *args, **kwargs) -> Tensor:
        """The most probable value."""
        return self._mode(*args, **kwargs)

    def sd(self, *args, **kwargs) -> Tensor:
        """Standard deviation."""
        return self._call_sd(*args, **kwargs)

    def var(self, *args, **kwargs) -> Tensor:
        """Variance."""
        return self._call_var(*args, **kwargs)

    def entropy(self, *args, **kwargs) -> Tensor:
        """Shannon entropy in nats."""
        return self._entropy(*args, **kwargs)

    # --- against another distribution
    def kl_loss(self, dist: Any, *args, **kwargs) -> Tensor:
        """Kullback-Leibler divergence KL(self || other): the other's class name (a str), and its parameters."""
        return self._kl_loss(dist, *args, **kwargs)

    def cross_entropy(self, dist: Any, *args, **kwargs) -> Tensor:
        """Cross entropy of this and another distribution; arguments as for `kl_loss`."""
        return self._call_cross_entropy(dist, *args, **kwargs)

    # --- drawing and description
    def sample(self, *args, **kwargs) -> Tensor:
        """Random numbers: `sample(shape=(), *parameters)` gives `shape` followed by the shape of the parameters."""
        return self._sample(*args, **kwargs)

    def get_dist_args(self, *args, **kwargs) -> Any:
        """The given parameters, with the constructor's values for those that are None."""
        return self._get_dist_args(*args, **kwargs)

    def get_dist_type(self) -> Any:
        """The kind of the distribution, as `kl_loss` takes it."""
        return self._get_dist_type()

    def construct(self, name: str, *args, **kwargs):
        """The function `name` of the distribution."""
        if name not in _NAMED:
            utils.raise_not_implemented_util(name, self.name)
        return getattr(self, _NAMED[name])(*args, **kwargs)


_NAMED = {
    **{name: f"_call_{name.removesuffix('_function')}" for name in _WAYS},
    **{name: f"_{name}" for name in ("kl_loss", "mean", "mode", "entropy", "sample", "get_dist_args", "get_dist_type")},
}

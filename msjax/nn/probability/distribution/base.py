"""Distribution: what all distributions offer, made of the few functions that each of them defines."""
import numpy as np

from .... import ops
from ....core import dtype as mstype
from ....core.tensor import Tensor
from ...cell import Cell
from ..bijector import broadcast_shape, parameter


class Distribution(Cell):
    """Base class. Parameters given to the constructor may be replaced, or left out there and given, in each call.

    A subclass names its parameters in `_names` and defines functions of them: `_log_prob(value, *parameters)` or
    `_prob`, `_cdf`,
    `_mean`, `_mode`, `_sd` or `_var`, `_entropy`, `_kl(*own, *other)`, `_draw(shape, *parameters)`.

    Args:
        seed: of the samples. dtype: of the values. name: printed name. param: dict of the parameters.

    Raises:
        TypeError, ValueError: parameters or values of the wrong kind or range.

    Example:
        >>> nn.probability.distribution.Normal(0.0, 1.0).log_prob(Tensor([1.0]))
    """

    _names = ()
    _shown = None                # printed names, where they differ

    def __init__(self, seed, dtype, name, param):
        super().__init__()
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise TypeError(f"For '{name}', the 'seed' must be an int, but got {type(seed).__name__}.")
        allowed = mstype.int_type if self._discrete else ()
        if dtype not in mstype.float_type and dtype not in allowed:
            raise TypeError(f"For '{name}', the 'dtype' should be one of "
                            f"{[str(t) for t in (*allowed, *mstype.float_type)]}, "
                            f"but got {dtype}.")
        self._about = {"name": name, "dtype": dtype, "seed": seed or 0, "parameters": dict(param)}
        self.parameter_type = dtype if dtype in mstype.float_type else mstype.float32
        self._own = [parameter(param.get(what), what, self.parameter_type) for what in self._names]
        if all(p is not None for p in self._own):
            self._check(*[p.asnumpy() for p in self._own])

    _discrete = False
    name = property(lambda self: self._about["name"], doc="Name.")
    dtype = property(lambda self: self._about["dtype"], doc="dtype of the values.")
    seed = property(lambda self: self._about["seed"], doc="Seed of the samples; 0 for MindSpore's stream.")
    parameters = property(lambda self: self._about["parameters"], doc="Dict of the arguments.")
    batch_shape = property(lambda self: broadcast_shape(*self._own), doc="Common shape of the parameters.")
    broadcast_shape = property(lambda self: broadcast_shape(*self._own), doc="Common shape of the parameters.")
    is_scalar_batch = property(lambda self: self.batch_shape == (), doc="Whether all parameters are scalars.")

    def _check(self, *parameters):
        """ValueError for NumPy parameters out of range."""

    def _need(self, condition, text):
        if not np.all(condition):
            raise ValueError(f"For '{self.name}', {text}.")

    def _given(self, args, kwargs):
        """The parameters: those of the call before those of the constructor."""
        given = [*args, *[None] * (len(self._names) - len(args))]
        for what, value in kwargs.items():
            given[self._names.index(what)] = value
        made = []
        for what, own, value in zip(self._names, self._own, given):
            value = own if value is None else parameter(value, what, self.parameter_type)
            if value is None:
                raise TypeError(f"For '{self.name}', the type of '{what}' must be Tensor: it is not specified in the "
                                "constructor, "
                                "so it can not be None.")
            made.append(value)
        return made

    def _value(self, value):
        if not isinstance(value, Tensor):
            raise TypeError(f"For '{self.name}', the 'value' must be a Tensor or Parameter, but got "
                            f"{type(value).__name__}.")
        return value.astype(self.parameter_type)

    # --- functions of a value
    def prob(self, value, *args, **kwargs):
        """Density, or probability of a discrete value."""
        return self._prob(self._value(value), *self._given(args, kwargs))

    def log_prob(self, value, *args, **kwargs):
        """Logarithm of the density or probability."""
        return self._log_prob(self._value(value), *self._given(args, kwargs))

    def cdf(self, value, *args, **kwargs):
        """Probability of values up to this one."""
        return self._cdf(self._value(value), *self._given(args, kwargs))

    def log_cdf(self, value, *args, **kwargs):
        """Logarithm of `cdf`."""
        return self._log_cdf(self._value(value), *self._given(args, kwargs))

    def survival_function(self, value, *args, **kwargs):
        """Probability of values above this one."""
        return self._survival(self._value(value), *self._given(args, kwargs))

    def log_survival(self, value, *args, **kwargs):
        """Logarithm of `survival_function`."""
        return self._log_survival(self._value(value), *self._given(args, kwargs))

    def _prob(self, x, *p):
        return ops.exp(self._log_prob(x, *p))

    def _log_prob(self, x, *p):
        return ops.log(self._prob(x, *p))

    def _cdf(self, x, *p):
        raise NotImplementedError(f"For '{self.name}', 'cdf' has no closed form.")

    def _log_cdf(self, x, *p):
        return ops.log(self._cdf(x, *p))

    def _survival(self, x, *p):
        return 1.0 - self._cdf(x, *p)

    def _log_survival(self, x, *p):
        return ops.log(self._survival(x, *p))

    # --- numbers
    def mean(self, *args, **kwargs):
        """Expected value."""
        return self._number("mean", args, kwargs)

    def mode(self, *args, **kwargs):
        """Most likely value."""
        return self._number("mode", args, kwargs)

    def sd(self, *args, **kwargs):
        """Standard deviation."""
        return self._number("sd", args, kwargs)

    def var(self, *args, **kwargs):
        """Variance."""
        return self._number("var", args, kwargs)

    def entropy(self, *args, **kwargs):
        """Entropy, in nats."""
        return self._number("entropy", args, kwargs)

    def _number(self, what, args, kwargs):
        function = getattr(self, f"_{what}", None)
        if function is None:
            raise ValueError(f"{what} is undefined for {self.name} distribution.")
        parameters = self._given(args, kwargs)
        out = function(*parameters)
        return out if self._event else ops.broadcast_to(out, broadcast_shape(*parameters))

    _event = False               # whether the last axis of the parameters is one distribution

    def _sd(self, *p):
        return ops.sqrt(self._var(*p))

    def _var(self, *p):
        return ops.square(self._sd(*p))

    # --- two distributions
    def kl_loss(self, dist, *args, **kwargs):
        """Kullback-Leibler divergence to a distribution of the same kind, whose parameters come first, then
        replacements of the own.

        Raises:
            ValueError: another kind of distribution.
        """
        other, own = self._pair(dist, args, kwargs)
        return self._kl(*own, *other)

    def cross_entropy(self, dist, *args, **kwargs):
        """`entropy` plus `kl_loss`."""
        other, own = self._pair(dist, args, kwargs)
        return self._entropy(*own) + self._kl(*own, *other)

    def _pair(self, dist, args, kwargs):
        if not isinstance(dist, str) or dist != type(self).__name__:
            raise ValueError(f"For '{self.name}', the 'dist' must be '{type(self).__name__}', but got {dist!r}.")
        count = len(self._names)
        values = [*args, *kwargs.values()]
        if len(values) < count:
            raise TypeError(f"For '{self.name}', the parameters {self._names} of the other distribution must be "
                            f"given, but got {len(values)}.")
        return [parameter(v, what, self.parameter_type) for v,
                what in zip(values, self._names)], self._given(values[count:], {})

    # --- samples
    def sample(self, shape=(), *args, **kwargs):
        """Random values of shape `shape` and that of the parameters behind it."""
        parameters = self._given(args, kwargs)
        batch = self._batch(parameters)
        out = self._draw((*((shape,) if isinstance(shape, int) else shape), *batch), *parameters)
        return out.astype(self.dtype)

    def _batch(self, parameters):
        return broadcast_shape(*parameters)

    # --- as a Cell
    def construct(self, name, *args, **kwargs):
        return getattr(self, name)(*args, **kwargs)

    def get_dist_type(self, *args, **kwargs):
        """Name of the kind of distribution."""
        return type(self).__name__

    _get_dist_type = get_dist_type

    def get_dist_args(self, *args, **kwargs):
        """Tuple of the parameters."""
        return tuple(self._given(args, kwargs))

    _get_dist_args = get_dist_args

    def extend_repr(self):
        shown = self._shown or self._names
        return ", ".join(f"{what} = {value}" for what, value in zip(shown, self._own)) if self.is_scalar_batch else \
            f"batch_shape = {self.batch_shape}"


def arguments(scope, *names):
    """The `param` dict of a distribution out of the locals of its constructor."""
    return {name: scope[name] for name in names}

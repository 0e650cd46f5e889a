"""A family of distributions as a table of its parameters and the formulas between them.

    class Exponential(Family):
        fields = (Field("rate", positive="rate"),)

        @with_arguments
        def __init__(self, rate=None, seed=None, dtype=mstype.float32, name="Exponential"):
            self._declare()

        @statistic def _mean(self, rate):
            return 1.0 / rate

The decorators turn a formula into the method that MindSpore has: parameters of the call or of construction, checked, in
one dtype and shape.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .... import ops
from ....core.constructor import given
from ....core.operators import check
from ....core.values import dtype as mstype
from ....core.values.tensor import Tensor
from .. import utils
from .distribution import Distribution

FLOATS = mstype.float_type
NUMBERS = (*mstype.int_type, *mstype.uint_type, *mstype.float_type)


@dataclass(frozen=True)
class Field:
    """One parameter of a family.

    name: at construction. label: in the printed form. attribute: where its Tensor stands. given: its name in a call.
    positive: what an error calls it if it must be > 0. refused: Python types that are refused at construction.
    """

    name: str
    label: str = ""
    attribute: str = ""
    given: str = ""
    positive: str = ""
    refused: tuple = ()

    def __post_init__(self):
        for field, default in (("label", self.name), ("attribute", f"_{self.name}"), ("given", self.name)):
            if not getattr(self, field):
                object.__setattr__(self, field, default)


def bind(function: Callable, names: Sequence[str], required: Any, args: Any, kwargs: dict):
    """The values for `names`, None where none is given; TypeErrors as Python words them."""
    if len(args) > len(names):
        raise TypeError(f"{function}() takes at most {len(names)} arguments, but {len(args)} were given")
    values = dict(zip(names, args))
    for name, value in kwargs.items():
        if name not in names:
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
        if name in values:
            raise TypeError(f"{function}() got multiple values for argument '{name}'")
        values[name] = value
    for name in names[:required]:
        if name not in values:
            raise TypeError(f"{function}() missing a required argument: '{name}'")
    return [values.get(name) for name in names]


class Family(Distribution):
    """Base class of the families; see the module's docstring."""

    fields = ()
    dtypes = FLOATS  # that a draw may have
    kind = None  # what `get_dist_type` answers; None: neither it nor `get_dist_args` is there
    value_like_parameters = False  # a value is computed with in `parameter_type` instead of `dtype`

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for field in cls.__dict__.get("fields", ()):
            if field.attribute == f"_{field.name}":
                value = property(
                    lambda self, attribute=field.attribute: getattr(self, attribute),
                    doc=f"The parameter '{field.name}', a Tensor or None.",
                )
                setattr(cls, field.name, value)

    def _declare(self):
        """All of the constructor, from its arguments."""
        values = given(self)
        check.check_type_name("dtype", values["dtype"], self.dtypes, type(self).__name__)
        for field in self.fields:
            if isinstance(values[field.name], field.refused):
                raise TypeError(f"Input {field.name} can't be scalar")
        param_dict = {field.name: values[field.name] for field in self.fields}
        param = {**values, "param_dict": param_dict}
        Distribution.__init__(self, values["seed"], values["dtype"], values["name"], param)
        self._set_parameters(param_dict)

    def _set_parameters(self, param_dict):
        for field in self.fields:
            value = self._add_parameter(param_dict[field.name], field.name)
            setattr(self, field.attribute, value)
            if field.positive and value is not None:
                utils.check_greater_zero(value, field.positive)

    def extend_repr(self):
        if not self.kind:
            return ""
        if not self.is_scalar_batch:
            return f"batch_shape = {self.broadcast_shape}"
        return ", ".join(f"{f.label} = {getattr(self, f.attribute)}" for f in self.fields)

    # --- the arguments of a call
    @property
    def _given_names(self):
        return tuple(field.given for field in self.fields)

    def _spec(self, function, args, kwargs):
        """The parameters of one call, as a tuple."""
        found = self._check_param_type(*bind(function, self._given_names, 0, args, kwargs))
        return found if isinstance(found, tuple) else (found,)

    def _value(self, value):
        value = self._check_value(value, "value")
        if value is None:
            raise TypeError("For value, input type must be a Tensor or Parameter.")
        return value.astype(self.parameter_type if self.value_like_parameters else self.dtype)

    def _two(self, function, args, kwargs):
        """(parameters of the other distribution, own ones or Nones) of `kl_loss` and `cross_entropy`."""
        names = self._given_names
        own_too = {f"{name}_a": name for name in names}  # some families of MindSpore call the own ones so
        kwargs = {own_too.get(k, k): v for k, v in kwargs.items()}
        values = bind(function, (*(f"{n}_b" for n in names), *names), len(names), args, kwargs)
        return values[: len(names)], values[len(names) :]

    # --- what needs no formula
    def _get_dist_type(self, *args, **kwargs):
        return self.kind or super()._get_dist_type()

    def _get_dist_args(self, *args, **kwargs):
        if not self.kind:
            return super()._get_dist_args()
        found = bind("get_dist_args", self._given_names, 0, args, kwargs)
        return tuple(
            getattr(self, f.attribute) if v is None else self.checktensor(v, f.name) for f, v in zip(self.fields, found)
        )

    # --- for the formulas
    def _number(self, value, dtype=mstype.float32):
        return Tensor(value, dtype)

    def _uniform(self, shape, low=0.0):
        """float32 numbers uniform in [low, 1)."""
        return ops.uniform(shape, self._number(low), self._number(1.0), self.seed)

    def _uniform_positive(self, shape):
        """float32 numbers uniform in (0, 1), for logarithms."""
        return self._uniform(shape, float(np.finfo(np.float32).tiny))


# --- formulas to methods
def statistic(formula: Callable):
    """`formula(self, *parameters)` as a method that takes parameters."""

    @functools.wraps(formula)
    def method(self, *args, **kwargs):
        return formula(self, *self._spec(formula.__name__, args, kwargs))

    return method


def of_value(formula: Callable):
    """`formula(self, value, *parameters)` as a method that takes a value and parameters."""

    @functools.wraps(formula)
    def method(self, value, *args, **kwargs):
        return formula(self, self._value(value), *self._spec(formula.__name__, args, kwargs))

    return method


def divergence(formula: Callable):
    """`formula(self, own, other)`, two tuples of parameters, as `_kl_loss`."""

    @functools.wraps(formula)
    def method(self, dist, *args, **kwargs):
        utils.check_distribution_name(dist, self.kind)
        other, own = self._two(formula.__name__, args, kwargs)
        for name, value in zip(self._given_names, other):
            if value is None:
                raise TypeError(f"For {name}_b, input type must be a Tensor or Parameter.")
            self._check_value(value, f"{name}_b")
        own = self._spec(formula.__name__, own, {})
        return formula(self, own, tuple(value.astype(self.parameter_type) for value in other))

    return method


def entropy_plus_kl(self: Any, dist: Any, *args, **kwargs):
    """`_cross_entropy` of every family that has an entropy and a divergence."""
    utils.check_distribution_name(dist, self.kind)
    other, own = self._two("_cross_entropy", args, kwargs)
    return self._entropy(*own) + self._kl_loss(dist, *other, *own)


def sampler(formula: Callable):
    """`formula(self, shape of the result, *parameters)` as `_sample`."""

    @functools.wraps(formula)
    def method(self, *args, **kwargs):
        shape, *spec = bind("_sample", ("shape", *self._given_names), 0, args, kwargs)
        shape = self.checktuple(() if shape is None else shape, "shape")
        parameters = self._spec("_sample", spec, {})
        return formula(self, shape + parameters[0].shape, *parameters).astype(self.dtype)

    return method

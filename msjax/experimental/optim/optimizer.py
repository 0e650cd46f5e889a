"""Optimizer of `mindspore.experimental`: Parameter groups with all their options in dicts, as PyTorch has them."""

import collections
from collections.abc import Mapping, Sequence
from typing import Any

import optax

from ... import log
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor
from ...nn.optim.adapter import OptaxCell, check_fit, dense
from ...nn.optim.groups import parameter_list
from ...optim import decayed_weights


class ParameterGroup(dict):
    """Options of one group. A changed option counts from the next step on.

    rate: the Parameter whose value is the learning rate of a step. It is the "lr" that the optimizer made, until a user sets another:
    a number reads back as it was given, and is held by a Parameter of the group, so that a new one compiles nothing.
    """

    def __init__(self, owner: Any, options: Any):
        super().__init__(options)
        self._owner = owner
        self.rate, self._number = options["lr"], None

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if key == "lr":
            before, self.rate = self.rate, self._held(value)
            if self.rate is before:
                return
        self._owner._note_change()

    def _held(self, rate):
        if isinstance(rate, Parameter):
            return rate
        value = Tensor(rate, mstype.float32).reshape(())
        if self._number is None:
            self._number = Parameter(value, name=self.rate.name)
        else:
            self._number.set_data(value)
        return self._number

    def __delitem__(self, key):
        super().__delitem__(key)
        self._owner._note_change()

    def setdefault(self, key: str, default: Any = None):
        """The option, set to `default` where it is not there."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *args, **kwargs):
        """Set several options."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __reduce__(self):
        return dict, (dict(self),)


class Optimizer(OptaxCell):
    """Base class: groups of Parameters, each with its own options.

    Args:
        params: list of Parameters, or of dicts with "params" and options. defaults: dict of the options that a group
        does not give.

    A subclass gives `transformation(learning_rate, group)` (see `msjax.optim.experimental`) and lists its state in `_state`, or
    overrides `construct(gradients)`.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, a Parameter in two groups.

    Example:
        >>> from mindspore import experimental
        >>> optimizer = experimental.optim.SGD([{"params": net.trainable_params(), "lr": 0.01}], lr=0.1, momentum=0.9)
        >>> optimizer.param_groups[0]["weight_decay"] = 0.1
    """

    _state = ()  # (attribute, prefix of the names, first value) of what is kept for each Parameter
    _scalars = ()  # (attribute, prefix, first value) of scalars for each, not in checkpoints
    _counter = None  # (attribute, first value) of the number of steps
    _state_fields = {"count": "_counter_parameter"}
    _no_tuple = ValueError
    _decays_gradients = True  # weight decay is added to the gradients

    def __init__(self, params: Any, defaults: dict):
        super().__init__(auto_prefix=False)
        groups = parameter_list(params, "params")
        self.defaults = defaults
        self.state = collections.defaultdict(dict)
        self.param_groups, self.lrs, self.group_start_id = [], [], [0]
        self.__dict__["parameters"] = ()
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)
        self.parameters = ParameterTuple(self.parameters)
        self._make_state()

    def _make_state(self):
        """Parameters for the state of those Parameters that have none yet."""
        if self._counter_first:
            self._make_counter()
        for attribute, prefix, init in self._state:
            had = self.__dict__.get(attribute, ())
            setattr(self, attribute, ParameterTuple((*had, *self._clone(self.parameters[len(had) :], prefix, init))))
        for attribute, prefix, first in self._scalars:
            had = self.__dict__.setdefault(attribute, [])
            had += [
                Parameter(Tensor(first, mstype.float32), name=f"{prefix}_{p.name}") for p in self.parameters[len(had) :]
            ]
        self._make_counter()

    @property
    def _counter_parameter(self):
        """The Parameter that counts the steps, or None."""
        return None if self._counter is None else getattr(self, self._counter[0])

    def _make_counter(self):
        if self._counter is not None and self._counter[0] not in self._params:
            setattr(self, self._counter[0], Parameter(Tensor(self._counter[1]), name=self._counter[0]))

    _counter_first = False  # the order in which MindSpore makes counter and state, which is that of checkpoints

    def _clone(self, params, prefix, init="zeros"):
        return ParameterTuple(params).clone(prefix, self.defaults.get(init, init))

    def __repr__(self):
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [
                f"    {key}: {group[key].value() if isinstance(group[key], Parameter) else group[key]}"
                for key in sorted(group)
                if key != "params"
            ]
        return "\n".join([*lines, ")"])

    __str__ = __repr__

    @checked
    def add_param_group(self, param_group: dict):
        """Add a group: a dict with "params" and options; missing options have the defaults."""
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "Optimizer parameters need to be organized in ordered collections, but the ordering of tensors in "
                "sets will change between runs. Please use a list instead."
            )
        params = [params] if isinstance(params, Parameter) else list(params)
        for param in params:
            if not isinstance(param, Parameter):
                raise TypeError(f"Optimizer can only optimize Parameters, but one of the params is {type(param)}")
        if len(params) != len(set(params)):
            log.warning("Optimizer contains a parameter group with duplicate parameters.")
        if not {id(p) for p in params}.isdisjoint(id(p) for p in self.parameters):
            raise ValueError("some parameters appear in more than one parameter group.")
        options = {**param_group, "params": params}
        for name, default in self.defaults.items():
            options.setdefault(name, default)
        rate = self._rate(options.get("lr"), f"learning_rate_group_{len(self.param_groups)}")
        self.lrs.append(rate)
        options["lr"] = rate
        options["weight_decay"] = self._decay(options.get("weight_decay", 0.0))
        self.param_groups.append(ParameterGroup(self, options))
        self.group_start_id.append(self.group_start_id[-1] + len(params))
        if isinstance(self.parameters, ParameterTuple):  # added to a finished optimizer
            self.parameters = ParameterTuple((*self.parameters, *params))
            self._make_state()
        else:
            self.__dict__["parameters"] = (*self.parameters, *params)

    def _rate(self, rate, name):
        if isinstance(rate, (float, int)):
            return Parameter(
                Tensor(check.check_non_negative_float(float(rate), "learning rate", self.cls_name), mstype.float32),
                name=name,
            )
        if not isinstance(rate, Tensor):
            raise TypeError(
                f"For 'Optimizer', the argument 'learning_rate' must be int, float or Tensor, but got {type(rate)}."
            )
        if rate.ndim:
            raise ValueError("For 'Optimizer', if 'learning_rate' is a Tensor, then it should be scalar Tensor")
        return Parameter(rate.astype(mstype.float32), name=name)

    def _decay(self, decay):
        if not isinstance(decay, (float, int)):
            raise TypeError(f"For 'Optimizer', the argument 'Weight_decay' must be int or float.but got {type(decay)}")
        return check.check_non_negative_float(float(decay), "weight_decay", self.cls_name)

    # --- the step
    def transformation(self, learning_rate: Any, group: dict):
        """The optax transformation of one group (a dict of options) at a learning rate; an optimizer that overrides `construct` has
        none.
        """
        raise NotImplementedError(
            f"For 'Optimizer', '{type(self).__name__}' must define 'construct(gradients)', "
            "which updates 'self.parameters'."
        )

    def construct(self, gradients: Sequence[Tensor]):
        """Update the Parameters from their gradients (a tuple in the order of `parameters`)."""
        gradients = gradients[: len(self.parameters)]  # more are left out, as in MindSpore
        check_fit(self, gradients, self.parameters)
        self._run_transformation(
            self._whole_transformation(), [dense(g, p) for g, p in zip(gradients, self.parameters)]
        )
        return True

    def implementation(self, group_id: int, gradients: Sequence[Tensor]):
        """Write the step of one group alone, for subclasses. `gradients` are those of all Parameters."""
        alone = [self._of_group(g) if k == group_id else optax.set_to_zero() for k, g in enumerate(self.param_groups)]
        self._run_transformation(self._by_group(alone), [dense(g, p) for g, p in zip(gradients, self.parameters)])

    @property
    def _group_numbers(self):
        """The number of the group of each Parameter."""
        return [k for k, group in enumerate(self.param_groups) for _ in group["params"]]

    def _whole_transformation(self):
        """The transformation of all groups with their present options."""
        return self._by_group([self._of_group(group) for group in self.param_groups])

    def _of_group(self, group):
        parts = [optax.scale(-1.0)] if group.get("maximize") else []
        if self._decays_gradients and group["weight_decay"]:
            parts.append(decayed_weights(group["weight_decay"]))
        core = self.transformation(_rate_of(group).jax_array.reshape(()), group)
        return optax.chain(*parts, core) if parts else core

    def as_optax(self):
        """The transformation that this optimizer runs, an `optax.GradientTransformationExtraArgs`, each group with its present options.

        The pytree is a dict with the names of the Parameters, or a list or tuple in their order; with one group any pytree.

        Raises:
            NotImplementedError: the optimizer has a `construct` of its own.
        """
        return self._whole_transformation() if type(self).construct is Optimizer.construct else super().as_optax()


def _rate_of(group):
    """The learning rate of a group as a Tensor; a user may have put a plain dict among the groups."""
    rate = group.rate if isinstance(group, ParameterGroup) else group["lr"]
    return rate if isinstance(rate, Tensor) else Tensor(rate, mstype.float32)


def check_not_less_than(arg_value: Any, arg_name: str, prim: Any, value: Any = 0.0):
    """ValueError unless arg_value >= value."""
    if arg_value < value:
        raise ValueError(f"For {prim}, the {arg_name} must be greater than or equal to {value}, but got {arg_value}.")


def check_not_less_than_without_equal(arg_value: Any, arg_name: str, prim: Any, value: Any = 0.0):
    """ValueError unless arg_value > value."""
    if arg_value <= value:
        raise ValueError(f"For {prim}, the {arg_name} must be greater than {value}, but got {arg_value}.")


def check_ranges(
    name: str,
    positive: Mapping | Sequence = (),
    not_negative: Mapping | Sequence = (),
    betas: tuple[float, float] | None = None,
):
    """The checks above for several arguments, given as dicts; each of `betas` must be in [0, 1)."""
    for what, value in dict(positive).items():
        check_not_less_than_without_equal(value, what, name)
    for what, value in dict(not_negative).items():
        check_not_less_than(value, what, name)
    for i, beta in enumerate(betas or ()):
        check.check_float_range(beta, 0.0, 1.0, check.INC_LEFT, f"betas[{i}]", name)


def check_adam(lr: float | Tensor, betas: tuple[float, float], eps: float, weight_decay: float):
    """ValueError unless all are >= 0 and the betas below 1: the checks of Adam and AdamW."""
    for what, value in (("learning rate", lr), ("epsilon value", eps)):
        if value < 0.0:
            raise ValueError(f"Invalid {what}: {value}")
    for i, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {beta}")
    if weight_decay < 0.0:
        raise ValueError(f"Invalid weight_decay value: {weight_decay}")


__all__ = ["Optimizer"]

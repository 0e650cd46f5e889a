"""Optimizer: MindSpore's face of an optax transformation.

The Cell keeps Parameter groups, learning rates that change, weight decay, and named state that goes into checkpoints. The mathematics is a
transformation of `msjax.optim` for each group.
"""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ... import ops
from ...core.spec.checking import checked
from ...core.spec.rules import Within
from ...core.trace.frame import Frame, current
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor, wrap
from ...optim import centralize, decayed_weights
from ...optim.parts import is_decayed
from ...optim.schedules import listed
from ..cell.cell import Cell
from ..container import CellList
from ..lazy_operator import Served
from ..schedule.learning_rate_schedule import LearningRateSchedule
from .adapter import OptaxCell, check_fit, dense, rows_of, sparse_rows
from .groups import check_group, check_new, in_order, parameter_list

_HOME = __name__.partition(".")[0] + "."


class Optimizer(OptaxCell):
    """Base class of optimizers.

    Args:
        learning_rate: number, Tensor, list or 1-D Tensor of a rate for each step, or a LearningRateSchedule.
        parameters: list of Parameters, or of groups: dicts with "params" and optional "lr", "weight_decay",
        "grad_centralization";
            one dict with "order_params" alone fixes the order.
        weight_decay: number or Cell; added to the gradients of Parameters whose name has no "beta" or "gamma" in it
        (without groups).
        loss_scale: gradients are divided by it.

    A subclass either gives `transformation(learning_rate)` (of `msjax.optim`) or overrides `construct(gradients)`.

    Raises:
        TypeError, ValueError, KeyError, RuntimeError: arguments of the wrong kind, as MindSpore's.
    """

    parameters: ParameterTuple

    _names_family = ("Optimizer", "Cell")

    @checked
    def __init__(
        self,
        learning_rate: Any,
        parameters: Any,
        weight_decay: Any = 0.0,
        loss_scale: Annotated[bool | int | float, Within("(0, inf)")] = 1.0,
    ):
        super().__init__(auto_prefix=False)
        parameters = parameter_list(parameters, "parameters")
        if not all(isinstance(x, Parameter) for x in parameters) and not all(isinstance(x, dict) for x in parameters):
            raise TypeError(
                "For 'Optimizer', all elements of the argument 'parameters' must be 'Parameter' or "
                "'dict', please check the 'parameters'."
            )
        if isinstance(loss_scale, int):
            loss_scale = float(loss_scale)
        self.loss_scale = loss_scale
        self.need_scale = loss_scale != 1.0
        self.reciprocal_scale = Tensor(1.0 / loss_scale, mstype.float32)
        self.dynamic_weight_decay = self.dynamic_lr = False
        self.is_group = self.is_group_lr = self.is_group_params_ordered = self.grad_centralization = False
        self._unique, self.use_parallel, self._target = True, False, "CPU"
        self.global_step = Parameter(Tensor([0], mstype.int32), name="global_step")
        self.global_step_increase_tensor = Tensor([1], mstype.int32)
        learning_rate = self._preprocess_single_lr(learning_rate)
        if isinstance(parameters[0], dict):
            self._init_groups(parameters, learning_rate, weight_decay)
        else:
            self._init_single(parameters, learning_rate, weight_decay)
        for p in self._parameters:  # level 3 of ZeRO splits them, also where the optimizer keeps no state
            p.__dict__["_of_optimizer"] = True
        self.param_length = len(self._parameters)
        self.optim_filter = (True,) * self.param_length

    # --- arguments; inner names are MindSpore's, for optimizers of users call and replace them
    def _preprocess_single_lr(self, rate):
        """A learning rate as a float, a scalar Tensor, a 1-D Tensor (one value a step) or a schedule."""
        if isinstance(rate, (float, int)):  # True is 1, as in MindSpore
            if not 0 <= rate < np.inf:  # NaN neither
                raise ValueError(
                    f"For '{self.cls_name}', the 'learning rate' must be float and must >= 0, but got "
                    f"'{float(rate)}' with type 'float'."
                )
            return float(rate)
        if isinstance(rate, Tensor) and rate.ndim == 0:
            return Tensor(rate.asnumpy(), mstype.float32)
        self.dynamic_lr = True
        if isinstance(rate, LearningRateSchedule):
            return rate
        if isinstance(rate, Tensor):
            if rate.ndim > 1:
                raise ValueError(
                    f"For 'Optimizer', if 'learning_rate' is Tensor type, then the dimension of it "
                    f"should be 0 or 1, but got {rate.ndim}."
                )
            return Tensor(rate.asnumpy(), mstype.float32)
        if isinstance(rate, Iterable):
            rate = list(rate)
            if any(isinstance(r, str) for r in rate):
                raise ValueError(
                    f"For '{self.cls_name}', the 'learning_rate' must be a number, a list of numbers, a Tensor or a LearningRateSchedule, "
                    f"but got {rate!r}."
                )
            return Tensor(np.array(rate).astype(np.float32))
        raise TypeError(
            "For 'Optimizer', the argument 'learning_rate' must be int, float, Tensor, Iterable or "
            f"LearningRateSchedule, but got {type(rate)}."
        )

    def _build_single_lr(self, rate, name):
        """The Parameter or Cell that holds a checked learning rate."""
        if isinstance(rate, float):
            rate = Tensor(rate, mstype.float32)
        if isinstance(rate, Tensor):
            if rate.ndim == 1:
                return _IteratorLearningRate(rate, name)
            rate = Parameter(rate, name=name)
            return _ConvertToCell(rate) if self.is_group_lr and self.dynamic_lr else rate
        return rate

    def _preprocess_weight_decay(self, decay):
        if isinstance(decay, (float, int)):
            if not 0 <= decay < np.inf:
                raise ValueError(
                    f"For '{self.cls_name}', the 'weight_decay' must be float and must >= 0, but got "
                    f"'{float(decay)}' with type 'float'."
                )
            return float(decay) * self.loss_scale
        if isinstance(decay, Cell):
            self.dynamic_weight_decay = True
            return _WrappedWeightDecay(decay, self.loss_scale)
        raise TypeError(
            f"For 'Optimizer', the argument 'Weight_decay' must be int, float or Cell.but got {type(decay)}"
        )

    def _init_single(self, parameters, learning_rate, weight_decay):
        decay = self._preprocess_weight_decay(weight_decay)
        self.learning_rate = self._build_single_lr(learning_rate, "learning_rate")
        self.parameters = ParameterTuple(parameters)
        self._parameters = self.parameters
        self.decay_flags = tuple(is_decayed(p.name) for p in parameters)
        self.dynamic_decay_flags = isinstance(decay, Cell)
        self.exec_weight_decay = isinstance(decay, Cell) or decay > 0
        self.weight_decay = decay if isinstance(decay, Cell) else Tensor(decay, mstype.float32)
        self.grad_centralization_flags = (False,) * len(parameters)
        self._group_numbers, self._group_firsts = (0,) * len(parameters), (0,)

    def _init_groups(self, groups, learning_rate, weight_decay):
        self.is_group = True
        self._check_groups(groups, learning_rate)
        default_rate = self._build_single_lr(learning_rate, "learning_rate")
        rows = self._group_rows(groups, default_rate, weight_decay)
        self._number_groups(rows)
        columns = map(list, zip(*rows))
        self.group_params, self.group_lr, self.group_weight_decay, self.group_grad_centralization = columns
        if self.is_group_lr:
            cells = self.dynamic_lr
            self.learning_rate = CellList(self.group_lr, auto_prefix=False) if cells else ParameterTuple(self.group_lr)
        else:
            self.learning_rate = default_rate
        self.parameters = ParameterTuple(self.group_params)
        self._parameters = self.parameters
        self.dynamic_decay_flags = tuple(isinstance(d, Cell) for d in self.group_weight_decay)
        self.decay_flags = tuple(isinstance(d, Cell) or d > 0 for d in self.group_weight_decay)
        self.weight_decay = tuple(
            d if isinstance(d, Cell) else Tensor(d, mstype.float32) for d in self.group_weight_decay
        )
        self.exec_weight_decay = any(self.decay_flags)
        self.grad_centralization_flags = tuple(self.group_grad_centralization)

    def _group_rows(self, groups, default_rate, weight_decay):
        """[(Parameter, learning rate, weight decay, whether its gradients are centralized)], in the order of "order_params" if it is given."""
        rows, order, seen = [], None, {}
        for number, group in enumerate(groups):
            if "order_params" in group:
                order = list(group["order_params"])
                continue
            rate = default_rate
            if "lr" in group:
                rate = self._build_single_lr(self._preprocess_single_lr(group["lr"]), f"learning_rate_group_{number}")
            decay = self._preprocess_weight_decay(group.get("weight_decay", weight_decay))
            centralize = group.get("grad_centralization", False)
            if not isinstance(centralize, bool):
                raise TypeError(
                    f"For 'Optimizer', the 'gradients_centralization' must be bool type, but got {type(centralize)}."
                )
            self.grad_centralization = centralize if "grad_centralization" in group else self.grad_centralization
            for param in group["params"]:
                check_new(param, group, seen)
                seen[param.name] = param
                rows.append((param, rate, decay, centralize))
        return in_order(rows, order) if order else rows

    def _number_groups(self, rows):
        """Parameters with the same options make one group of the transformation, however the user grouped them."""
        keys = [
            (id(rate), decay if isinstance(decay, float) else id(decay), centralized)
            for _, rate, decay, centralized in rows
        ]
        firsts = {}  # options -> the first Parameter that has them
        for i, key in enumerate(keys):
            firsts.setdefault(key, i)
        numbers = {key: number for number, key in enumerate(firsts)}
        self._group_firsts = tuple(firsts.values())
        self._group_numbers = tuple(numbers[key] for key in keys)

    def _check_groups(self, groups, learning_rate):
        steps = learning_rate.size if isinstance(learning_rate, Tensor) and learning_rate.ndim == 1 else 0
        for group in groups:
            check_group(group)
            if "order_params" in group:
                self.is_group_params_ordered = True
                continue
            if "lr" in group:
                self.is_group_lr = True
                if isinstance(group["lr"], Iterator):  # it is read twice, here and when the group is made
                    group["lr"] = list(group["lr"])
                rate = self._preprocess_single_lr(group["lr"])
                if isinstance(rate, Tensor) and rate.ndim == 1:
                    if steps and rate.size != steps:
                        raise ValueError(
                            "For 'Optimizer', the Tensor type dynamic learning rate in group must be the same size as "
                            "the argument 'learning_rate'."
                        )
                    steps = rate.size

    # --- the step
    # For subclasses. True: weight decay is an argument of the transformation, instead of being added to the gradients.
    _decoupled = False
    # True: rows that a sparse gradient does not name keep their state too.
    _lazy_rows = False
    # Whether a call returns (True, ...), one for each Parameter; else True.
    _answers_each = True
    # The methods that the gradients go through first.
    _gradient_steps = ("decay_weight", "gradients_centralization", "scale_grad")

    def transformation(self, learning_rate: Any):
        """The optax transformation of a group of Parameters at a learning rate (a function of the count); with `_decoupled` its weight
        decay and mask are further arguments. Optimizers that override `construct` have none.
        """
        raise NotImplementedError(
            f"For 'Optimizer', '{type(self).__name__}' must define 'construct(gradients)', "
            "which updates 'self.parameters'."
        )

    def construct(self, gradients: Sequence[Tensor]):
        """Update the Parameters from their gradients (a tuple in the order of `parameters`)."""
        check_fit(self, gradients, self._parameters)
        rows = [sparse_rows(g, p) for g, p in zip(gradients, self._parameters)]
        gradients = tuple(dense(g, p) for g, p in zip(gradients, self._parameters))
        for name in self._gradient_steps:
            gradients = getattr(self, name)(gradients)
        lazy = self._lazy_rows and any(r is not True for r in rows)
        self._run_transformation(self._core_transformation(_now), gradients, **({"rows": rows} if lazy else {}))
        return (True,) * len(gradients) if self._answers_each else True

    def _run_transformation(self, transformation, gradients, **extra):
        before = self.global_step.jax_array
        super()._run_transformation(transformation, gradients, **extra)
        if self.global_step.jax_array is before:  # the state of the transformation has a number of its own
            self.global_step._assign(before + jnp.int32(1))

    def _core_transformation(self, when):
        """The step of all groups, without the earlier changes to gradients. when: see `_now`."""
        rates = self._of_groups(self.get_lr, when)
        if not self._decoupled:
            return self._by_group([self.transformation(rate) for rate in rates])
        decays = self._of_groups(self.get_weight_decay, when)
        flags = [self.is_group and not self.decay_flags[i] for i in self._group_firsts]
        mask = None if self.is_group else self._decay_mask
        groups = [self.transformation(r, 0.0 if none else d, mask) for r, d, none in zip(rates, decays, flags)]
        return self._by_group(groups)

    def _of_groups(self, read, when):
        """The value of `read()` (one value, or a tuple with one for each Parameter) as a function of the count for each
        group.
        """
        return [when(self, read, i) for i in self._group_firsts]

    def _decay_mask(self, params):
        """Which leaves weight decay takes in, where there are no groups."""
        rows, names = rows_of(params, self, alike=True)
        by_name = self.decay_flags == tuple(is_decayed(p.name) for p in self.parameters)
        flags = [is_decayed(name) if by_name else self.decay_flags[row] for row, name in zip(rows, names)]
        return jax.tree.unflatten(jax.tree.structure(params), flags)

    def _decay_part(self, when):
        decays = self._of_groups(self.get_weight_decay, when)
        if not self.is_group:
            return decayed_weights(decays[0], self._decay_mask)
        flags = [self.decay_flags[i] for i in self._group_firsts]
        return self._by_group([decayed_weights(d if f else 0.0) for d, f in zip(decays, flags)])

    def _centralization_part(self):
        flags = [self.grad_centralization_flags[i] for i in self._group_firsts]
        return self._by_group([centralize() if f else optax.identity() for f in flags])

    def _scale_part(self):
        return optax.scale(1.0 / self.loss_scale)

    def as_optax(self):
        """The transformation that this optimizer runs, an `optax.GradientTransformationExtraArgs`.

        The pytree is a dict with the names of the Parameters (as `msjax.functional` gives it), or a list or tuple in their
        order. An optimizer without groups takes any pytree; weight decay then passes over the leaves with "beta" or "gamma"
        in their path, as it passes over such Parameters.

        Raises:
            NotImplementedError: the step of this optimizer is not a function of gradients, state and Parameters alone.
        """
        own = [
            n for n in ("construct", *self._gradient_steps) if not getattr(type(self), n).__module__.startswith(_HOME)
        ]
        if own or type(self).construct is not Optimizer.construct:
            return super().as_optax()
        parts = []
        if "decay_weight" in self._gradient_steps and self.exec_weight_decay:
            parts.append(self._decay_part(_later))
        if "gradients_centralization" in self._gradient_steps and any(self.grad_centralization_flags):
            parts.append(self._centralization_part())
        if "scale_grad" in self._gradient_steps and self.need_scale:
            parts.append(self._scale_part())
        core = self._core_transformation(_later)
        return optax.chain(*parts, core) if parts else core

    # --- pieces for optimizers with a `construct` of their own
    map_ = Served(lambda self: ops.Map())
    map_reverse = Served(lambda self: ops.Map(None, True))
    hyper_map = Served(lambda self: ops.HyperMap())
    hyper_map_reverse = Served(lambda self: ops.HyperMap(None, True))
    assignadd = Served(lambda self: ops.AssignAdd())
    # 1.x: which Parameters a server or a cache of rows holds: none here
    ps_parameters = Served(lambda self: (False,) * len(self.parameters))
    cache_enable = Served(lambda self: (False,) * len(self.parameters))

    def flatten_gradients(self, gradients: Sequence[Tensor]):
        """The gradients as they are: memory is not flattened here."""
        return gradients

    def decay_weight(self, gradients: Sequence[Tensor]):
        """Gradients plus weight decay times the Parameters."""
        if not self.exec_weight_decay or not any(self.decay_flags):
            return gradients
        return self._transformed(self._decay_part(_now), gradients)

    def gradients_centralization(self, gradients: Sequence[Tensor]):
        """Gradients of groups with `grad_centralization`, minus their mean over all axes but the first (Yong et al.,
        2020).
        """
        if not any(self.grad_centralization_flags):
            return gradients
        return self._transformed(self._centralization_part(), gradients)

    def scale_grad(self, gradients: Sequence[Tensor]):
        """Gradients divided by the loss scale."""
        return self._transformed(self._scale_part(), gradients) if self.need_scale else gradients

    def get_weight_decay(self):
        """Weight decay of this step: a Tensor, or with groups a tuple with one for each Parameter."""
        if not self.dynamic_weight_decay:
            return self.weight_decay
        if self.is_group:
            return tuple(
                d(self.global_step) if flag else d for d, flag in zip(self.weight_decay, self.dynamic_decay_flags)
            )
        return self.weight_decay(self.global_step)

    def get_lr(self):
        """Learning rate of this step: a Tensor, or with group rates a tuple with one for each Parameter."""
        if not self.dynamic_lr:
            return self.learning_rate
        if self.is_group_lr:
            return tuple(rate(self.global_step).reshape(()) for rate in self.learning_rate)
        return self.learning_rate(self.global_step).reshape(())

    def _is_dynamic_lr_or_weight_decay(self):
        """Whether the step decides the learning rate or the weight decay: optimizers of users count `global_step` only then."""
        return self.dynamic_lr or self.dynamic_weight_decay

    @checked
    def get_lr_parameter(self, param: Parameter | list):
        """The learning rate Parameter (or schedule) that one Parameter, or each of a list, is trained with."""
        found = []
        ids = [id(p) for p in self._parameters]
        for p in param if isinstance(param, list) else [param]:
            if not isinstance(p, Parameter):
                raise TypeError(
                    f"For '{type(self).__name__}', the type of 'parameter' should be 'Parameter', but got type '{type(p).__name__}'."
                )
            if id(p) not in ids:
                raise ValueError(
                    f"For 'get_lr_parameter', the parameter {p.name} is not in optimizer, please check "
                    "whether the argument 'param' is correct."
                )
            rate = self.learning_rate[ids.index(id(p))] if self.is_group_lr else self.learning_rate
            found.append(rate.learning_rate if isinstance(rate, (_ConvertToCell, _IteratorLearningRate)) else rate)
        return found if isinstance(param, list) else found[0]

    def broadcast_params(self, optim_result: Any):
        """Parameters are the same on every device already: returns them, in one tuple."""
        return [tuple(self._parameters)]

    @property
    def unique(self):
        """Whether rows of sparse gradients are made unique first."""
        return self._unique

    @unique.setter
    @checked
    def unique(self, value: bool):
        self.__dict__["_unique"] = value

    @property
    def target(self):
        """Where sparse updates run; recorded."""
        return self._target

    @target.setter
    @checked
    def target(self, value: Literal["CPU", "Ascend", "GPU"]):
        self.__dict__["_target"] = value

    def _set_base_target(self, value):
        self.target = value

    def _grad_sparse_indices_deduplicate(self, gradients):
        """Sparse gradients are joined by rows where they are used: gives them as they are."""
        return gradients

    def _clones(self, prefix, init="zeros"):
        """State like the Parameters: a ParameterTuple named `prefix.<parameter name>`."""
        return self._parameters.clone(prefix=prefix, init=init)


def betas_of(optimizer: Cell):
    """beta1, beta2 and eps of an optimizer: its constructor's arguments, or the attributes that a subclass with its own
    `__init__` set.
    """
    given = optimizer.__dict__.get("_betas")
    if given is not None:
        return given
    own = (getattr(optimizer, name) for name in ("beta1", "beta2", "eps"))
    return tuple(b.jax_array.reshape(()) if isinstance(b, Tensor) else b for b in own)


def opt_init_args_register(fn: Callable):
    """Decorator of an optimizer's `__init__`: keeps its arguments as `init_params`, `init_learning_rate` and
    `init_args`.
    """

    @functools.wraps(fn)
    def init(self, *args, **kwargs):
        bound = inspect.signature(fn).bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = dict(list(bound.arguments.items())[1:])
        rate = arguments.pop("learning_rate", None)
        if isinstance(rate, Tensor):
            rate = rate.asnumpy().tolist()
        params = arguments.pop("params", None)
        inner = arguments.pop("optimizer", None)
        if isinstance(inner, Optimizer):
            params = getattr(inner, "init_params", {}).get("params")
        rate = None if isinstance(rate, Cell) else rate
        kept = {"init_params": {"params": params}, "init_learning_rate": rate, "init_args": arguments}
        fn(self, *args, **kwargs)
        self.__dict__.update(kept)

    return init


def _now(optimizer, read, index):
    """A function of the count that returns, for the Parameter of an index, the value of `read()` at the optimizer's own
    step.
    """
    value = _chosen(read(), index)
    return lambda count: value


def _later(optimizer, read, index):
    """The same for any count: `read()` then sees it as the optimizer's `global_step`."""

    def at(count):
        with Frame(current()) as frame:
            frame.given(optimizer.global_step, jnp.asarray(count, jnp.int32).reshape(1))
            return _chosen(read(), index)

    return at


def _chosen(values, index):
    value = values[index] if isinstance(values, (tuple, list)) else values
    return (value if isinstance(value, Tensor) else Tensor(value, mstype.float32)).jax_array.reshape(())


class _ConvertToCell(Cell):
    """A constant learning rate in the form of a schedule, for groups that mix both."""

    def __init__(self, learning_rate):
        super().__init__(auto_prefix=False)
        self.learning_rate = learning_rate

    def construct(self, global_step):
        return wrap(self.learning_rate.jax_array + 0)


class _IteratorLearningRate(LearningRateSchedule):
    """One learning rate for each step; after the last step the last one stays."""

    def __init__(self, learning_rate, name):
        super().__init__(auto_prefix=False)
        self.learning_rate = Parameter(learning_rate, name=name)

    def construct(self, global_step):
        if not self.learning_rate.size:
            raise RuntimeError(
                "For 'Optimizer', the list 'learning_rate' has no learning rate for the step: it is empty."
            )
        return wrap(listed(self.learning_rate.jax_array)(global_step.jax_array))


class _WrappedWeightDecay(Cell):
    """A weight decay schedule, scaled like the loss."""

    def __init__(self, weight_decay, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        self.weight_decay, self.loss_scale = weight_decay, loss_scale

    def construct(self, global_step):
        return wrap(self.weight_decay(global_step).jax_array.reshape(()) * self.loss_scale)


__all__ = ["Optimizer", "opt_init_args_register"]

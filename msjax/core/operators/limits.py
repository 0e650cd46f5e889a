"""The values that the parameters of operators take, where annotations say it: `AsValue[Literal["none", "tanh"]]`, `Like[PositiveInt]`.

The types of `core/spec/kinds.py` in the same signature are not compared here: the operators' tables and functions judge them.
"""

import types
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union, get_args, get_origin

import jax

from ..spec.checking import LIMITS, limited, marks_of, rule_of
from ..spec.kinds import plain_types
from ..spec.rules import Holding, Raises, Rank
from ..values.tensor import Tensor

if TYPE_CHECKING:
    import inspect

_LIMITS = (*LIMITS, Raises)
_OF_TENSORS = (Holding, Rank)  # `input: Annotated[Array, Rank(2)]`


class Limits:
    """Of one operator. rules: (position, name, `spec.checking.Rule`, function) of the parameters that have a rule; the function says of a
    Tensor what `Rule.misfit` says of other values, None where Tensors are left to the operator.
    """

    __slots__ = ("rules",)

    def __init__(self, rules: list):
        self.rules = rules

    def check(self, args: Sequence, record: Any, kwargs: Mapping | None = None):
        """Raise for an argument that its annotation does not allow. record: the Record."""
        for i, name, rule, of_tensor in self.rules:
            value = args[i] if i < len(args) else (kwargs or {}).get(name)
            if value is None and i >= len(args):
                continue
            misfit = of_tensor if isinstance(value, (Tensor, jax.Array)) else rule.misfit
            found = misfit and misfit(value)
            if found is not None:
                raise record.explain(rule.error(record.title, value, found), args)


def limits_of(parameters: "Iterable[inspect.Parameter]"):
    """The Limits of an operator with these parameters; None where no annotation limits the values."""
    rules = [(i, p.name, *_rules(p)) for i, p in enumerate(parameters) if _has_limits(p.annotation)]
    return Limits(rules) if rules else None


def _rules(parameter):
    """(rule, function of a Tensor) of a parameter."""
    rule = rule_of(parameter)
    marks = [mark for mark in marks_of(parameter.annotation) if isinstance(mark, _OF_TENSORS)]
    if not marks or Tensor in plain_types(parameter.annotation):
        return rule, rule.misfit if Tensor in plain_types(parameter.annotation) else None
    rule.misfit = lambda value: None  # the types of what is no Tensor are judged by the operator's table
    return rule, limited(None, marks)


def _has_limits(annotation: Any):
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return any(isinstance(mark, _LIMITS) for mark in parts[1:]) or _has_limits(parts[0])
    if origin in (Union, types.UnionType):
        return any(map(_has_limits, parts))
    return origin is Literal

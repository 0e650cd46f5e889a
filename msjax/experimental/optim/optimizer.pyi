"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.core.spec.checking import checked as checked
from msjax.core.values.parameter import Parameter as Parameter
from msjax.core.values.parameter import ParameterTuple as ParameterTuple
from msjax.core.values.tensor import Tensor as Tensor
from msjax.nn.optim.adapter import OptaxCell as OptaxCell
from msjax.nn.optim.adapter import check_fit as check_fit
from msjax.nn.optim.adapter import dense as dense
from msjax.nn.optim.groups import parameter_list as parameter_list
from msjax.optim.parts import decayed_weights as decayed_weights
ParameterGroup: Any
check_adam: Any
check_not_less_than: Any
check_not_less_than_without_equal: Any
check_ranges: Any

from msjax.nn.cell.cell import Cell as Cell
class Optimizer(Cell):
    """Base class: groups of Parameters, each with its own options."""
    def __call__(self, gradients: tuple, *args) -> Any: ...
    def __init__(self, params, defaults: dict) -> None: ...
    def add_param_group(self, param_group: dict) -> None: """Add a group: a dict with 'params' and options; missing options have the defaults."""
    def as_optax(self) -> Any: """The transformation that this optimizer runs, an `optax.GradientTransformationExtraArgs`, each group with its present options."""
    def implementation(self, group_id: int, gradients: Sequence[Tensor]) -> None: """Write the step of one group alone, for subclasses. `gradients` are those of all Parameters."""
    def transformation(self, learning_rate, group: dict) -> Any: """The optax transformation of one group (a dict of options) at a learning rate; an optimizer that overrides `construct` has"""
def __getattr__(name: str) -> Any: ...

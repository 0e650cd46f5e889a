"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax.core.spec.checking import checked as checked
from msjax.core.spec.rules import Within as Within
from msjax.core.trace.frame import Frame as Frame
from msjax.core.trace.frame import current as current
from msjax.core.values.parameter import Parameter as Parameter
from msjax.core.values.parameter import ParameterTuple as ParameterTuple
from msjax.core.values.tensor import Tensor as Tensor
from msjax.core.values.tensor import wrap as wrap
from msjax.nn import CellList as CellList
from msjax.nn import LearningRateSchedule as LearningRateSchedule
from msjax.nn import opt_init_args_register as opt_init_args_register
from msjax.nn.cell.cell import Cell as Cell
from msjax.nn.lazy_operator import Served as Served
from msjax.nn.optim.adapter import OptaxCell as OptaxCell
from msjax.nn.optim.adapter import check_fit as check_fit
from msjax.nn.optim.adapter import dense as dense
from msjax.nn.optim.adapter import rows_of as rows_of
from msjax.nn.optim.adapter import sparse_rows as sparse_rows
from msjax.nn.optim.groups import check_group as check_group
from msjax.nn.optim.groups import check_new as check_new
from msjax.nn.optim.groups import in_order as in_order
from msjax.nn.optim.groups import parameter_list as parameter_list
from msjax.optim.parts import centralize as centralize
from msjax.optim.parts import decayed_weights as decayed_weights
from msjax.optim.parts import is_decayed as is_decayed
from msjax.optim.schedules import listed as listed
betas_of: Any

from msjax.nn.cell.cell import Cell as Cell
class Optimizer(Cell):
    """Base class of optimizers."""
    def __call__(self, gradients: tuple, *args) -> Any: ...
    def __init__(self, learning_rate, parameters, weight_decay: Any=0.0, loss_scale: bool | int | float=1.0) -> None: ...
    def as_optax(self) -> Any: """The transformation that this optimizer runs, an `optax.GradientTransformationExtraArgs`."""
    assignadd: Any
    def broadcast_params(self, optim_result) -> list[tuple[Any, ...]]: """Parameters are the same on every device already: returns them, in one tuple."""
    cache_enable: Any
    def decay_weight(self, gradients: Sequence[Tensor]) -> Any: """Gradients plus weight decay times the Parameters."""
    def flatten_gradients(self, gradients: Sequence[Tensor]) -> Any: """The gradients as they are: memory is not flattened here."""
    def get_lr(self) -> Any: """Learning rate of this step: a Tensor, or with group rates a tuple with one for each Parameter."""
    def get_lr_parameter(self, param: Parameter | list) -> Any: """The learning rate Parameter (or schedule) that one Parameter, or each of a list, is trained with."""
    def get_weight_decay(self) -> Any: """Weight decay of this step: a Tensor, or with groups a tuple with one for each Parameter."""
    def gradients_centralization(self, gradients: Sequence[Tensor]) -> Any: """Gradients of groups with `grad_centralization`, minus their mean over all axes but the first (Yong et al.,"""
    hyper_map: Any
    hyper_map_reverse: Any
    map_: Any
    map_reverse: Any
    ps_parameters: Any
    def scale_grad(self, gradients: Sequence[Tensor]) -> Any: """Gradients divided by the loss scale."""
    @property
    def target(self) -> Any: ...
    @target.setter
    def target(self, value) -> None: ...
    def transformation(self, learning_rate) -> Any: """The optax transformation of a group of Parameters at a learning rate (a function of the count); with `_decoupled` its weight"""
    @property
    def unique(self) -> Any: ...
    @unique.setter
    def unique(self, value) -> None: ...
    parameters: ParameterTuple
def __getattr__(name: str) -> Any: ...

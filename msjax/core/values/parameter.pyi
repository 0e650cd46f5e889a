"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload
from msjax import get_ps_context as get_ps_context
from msjax.core.errors import Unstageable as Unstageable
from msjax.core.settings.context import note_host_memory as note_host_memory
from msjax.core.values.copies import own_copy as own_copy
from msjax.core.values.deferred import Deferred as Deferred
from msjax.core.values.deferred import of_initializer as of_initializer
from msjax.core.values.deferred import shape_alone as shape_alone
from msjax.core.values.deferred import value_of as value_of
from msjax.core.values.filled import try_to_fill as try_to_fill
from msjax.core.values.initializer import initializer as initializer
from msjax.core.values.ownership import content as content
from msjax.core.values.ownership import hand_out as hand_out
from msjax.core.values.ownership import keep as keep
from msjax.core.values.ownership import put as put
from msjax.core.values.parameter_settings import Setting as Setting
from msjax.core.values.parameter_settings import checked_bool as checked_bool
from msjax.core.values.rows import Row as Row
from msjax.core.values.tensor import Tensor as Tensor
from msjax.core.values.tensor import converted as converted
from msjax.core.values.tensor import device_array as device_array
from msjax.core.values.tensor import flatten as flatten
from msjax.core.values.tensor import host_array as host_array
from msjax.core.values.tensor import to_array as to_array
from msjax.core.values.tensor import unflatten as unflatten
from msjax.core.values.tensor import wrap as wrap
as_state: Any
is_generated_name: Any

from msjax.core.values.dtype import Type as Type
import numpy as np
from msjax.core.values.tensor import Tensor as Tensor
class Parameter(Tensor):
    """A Tensor with a name, which optimizers update and checkpoints store."""
    def __getattr__(self, name) -> Any: ...
    def __init__(self, default_input: float | Tensor | np.ndarray | list, name: str | None=None, requires_grad: bool=True, layerwise_parallel: bool=False, parallel_optimizer: bool=True, storage_format: str='', device: str | None=None) -> None: ...
    def add_pipeline_stage(self, stage: int) -> None: """Record a pipeline stage that uses the Parameter. TypeError for a value that is not an int, or negative."""
    def asnumpy(self) -> np.ndarray: """Content as a NumPy array: a copy that may be written."""
    def assign_value(self, value) -> Self: """Replace the content by that of a Tensor of the same dtype, and return the Parameter."""
    def assign_value_cpp(self, value) -> Self: """Replace the content by that of a Tensor of the same dtype, and return the Parameter."""
    cache_enable: Any
    @property
    def cache_shape(self) -> Any: ...
    @cache_shape.setter
    def cache_shape(self, value) -> None: ...
    def clone(self, init: Any='same') -> Any: """A new Parameter of the same shape, dtype and flags."""
    comm_fusion: Any
    @property
    def data(self) -> Any: ...
    @data.setter
    def data(self, value) -> None: ...
    @property
    def dtype(self) -> Type: ...
    @property
    def has_init(self) -> bool: ...
    def init_data(self, layout=None, set_sliced: bool=False) -> Self: """The Parameter itself: content exists since it was made."""
    @property
    def inited_param(self) -> None: ...
    @property
    def is_init(self) -> Any: ...
    @is_init.setter
    def is_init(self, value) -> None: ...
    key: Any
    layerwise_parallel: Any
    @property
    def name(self) -> str: ...
    @name.setter
    def name(self, value) -> None: ...
    parallel_optimizer: Any
    parallel_optimizer_comm_recompute: Any
    @property
    def param_info(self) -> Any: ...
    @param_info.setter
    def param_info(self, value) -> None: ...
    @property
    def requires_grad(self) -> Any: ...
    @requires_grad.setter
    def requires_grad(self, value) -> None: ...
    def set_data(self, data: Tensor | float, slice_shape: bool=False) -> Self: """Replace the content; the dtype stays, the shape becomes that of `data` (with or without `slice_shape`)."""
    def set_dtype(self, dtype: Type) -> Type: """Change the dtype in place, and return the dtype."""
    def set_param_fl(self, push_to_server: bool=False, pull_from_server: bool=False, requires_aggr: bool=True) -> None: """Record the federated-learning flags."""
    def set_param_ps(self, init_in_server: bool=False) -> None: """Record that a parameter server would keep it; see `set_ps_context`. RuntimeError without `enable_ps`."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    sliced: Any
    def value(self) -> Tensor: """A Tensor with the present content."""
    push_weight_to_server: Any
    pull_weight_from_server: Any
    requires_aggr: Any
    is_param_ps: Any
    init_in_server: Any
class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters whose names differ."""
    def clone(self, prefix: str, init: Any='same') -> ParameterTuple: """Copies of all Parameters with `prefix.` before their names; `init` as for `Parameter.clone`."""
def __getattr__(name: str) -> Any: ...

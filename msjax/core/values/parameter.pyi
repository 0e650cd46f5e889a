"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, overload

from msjax import Type as Type
import numpy as np
from msjax.core.values.tensor import Tensor as Tensor
class Parameter(Tensor):
    """A Tensor with a name, which optimizers update and checkpoints store."""
    def __getattr__(self, name): ...
    def __init__(self, default_input: int | Tensor | np.ndarray, name: str | None=None, requires_grad: bool=True, layerwise_parallel: bool=False, parallel_optimizer: bool=True, storage_format: str='', device: str | None=None) -> None: ...
    def add_pipeline_stage(self, stage: int): """Record a pipeline stage that uses the Parameter. TypeError for a value that is not an int, or negative."""
    def asnumpy(self) -> np.ndarray: """Content as a NumPy array: a copy that may be written."""
    def assign_value(self, value): """Replace the content by that of a Tensor of the same dtype, and return the Parameter."""
    def assign_value_cpp(self, value): """Replace the content by that of a Tensor of the same dtype, and return the Parameter."""
    cache_enable: Any
    @property
    def cache_shape(self) -> Any: ...
    @cache_shape.setter
    def cache_shape(self, value) -> None: ...
    def clone(self, init: Any='same'): """A new Parameter of the same shape, dtype and flags."""
    comm_fusion: Any
    @property
    def data(self) -> Any: ...
    @data.setter
    def data(self, value) -> None: ...
    @property
    def dtype(self) -> Type: ...
    @property
    def has_init(self) -> bool: ...
    def init_data(self, layout=None, set_sliced: bool=False): """The Parameter itself: content exists since it was made."""
    @property
    def inited_param(self) -> Any: ...
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
    def set_data(self, data: Tensor, slice_shape: bool=False): """Replace the content; the dtype stays, the shape becomes that of `data` (with or without `slice_shape`)."""
    def set_dtype(self, dtype: Type): """Change the dtype in place."""
    def set_param_fl(self, push_to_server: bool=False, pull_from_server: bool=False, requires_aggr: bool=True): """Record the federated-learning flags."""
    def set_param_ps(self, init_in_server: bool=False): """Record that a parameter server would keep it; see `set_ps_context`. RuntimeError without `enable_ps`."""
    @property
    def shape(self) -> tuple[int, ...]: ...
    sliced: Any
    def value(self) -> Tensor: """A Tensor with the present content."""
class ParameterTuple(tuple[Parameter, ...]):
    """A tuple of Parameters whose names differ."""
    def clone(self, prefix: str, init: Any='same'): """Copies of all Parameters with `prefix.` before their names; `init` as for `Parameter.clone`."""
def __getattr__(name: str) -> Any: ...

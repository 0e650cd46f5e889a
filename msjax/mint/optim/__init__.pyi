"""Made by `python -m msjax stubs`: do not edit."""
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from typing import Any, Literal, Self, TypeVar, overload

from msjax.core.values.tensor import Tensor as Tensor
from msjax.experimental.optim.optimizer import Optimizer as Optimizer
class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015)."""
    def __init__(self, params, lr: float | Tensor=0.001, betas: tuple[float, float]=..., eps: float=1e-08, weight_decay: float=0.0, amsgrad: bool=False, *, maximize: bool=False) -> None: ...
    def add_param_group(self, param_group) -> None: """Add a group: a dict with 'params' and options; missing options have the defaults."""
    @property
    def max_exp_avg_sq(self) -> list[Any]: ...
    def transformation(self, learning_rate, group) -> Any: ...
class AdamW(Optimizer):
    """AdamW (Loshchilov and Hutter, 2019): Adam whose weight decay shrinks the Parameters."""
    def __init__(self, params, lr: float | Tensor=0.001, betas: tuple[float, float]=..., eps: float=1e-08, weight_decay: float=0.01, amsgrad: bool=False, *, maximize: bool=False) -> None: ...
    def add_param_group(self, param_group) -> None: """Add a group: a dict with 'params' and options; missing options have the defaults."""
    @property
    def max_exp_avg_sq(self) -> list[Any]: ...
    def transformation(self, learning_rate, group: dict) -> Any: ...
class FusedAdamW(AdamW):
    """AdamW in one program for all Parameters, as every optimizer here is."""
    def __init__(self, params, lr: float | Tensor=0.001, betas: tuple[float, float]=..., eps: float=1e-08, weight_decay: float=0.01, amsgrad: bool=False, *, maximize: bool=False) -> None: ...
    def contiguous_params(self, start_id: int, end_id: int, param_group: dict) -> None: """Accepted: XLA lays out the memory of one program for all Parameters."""
    def inject_group_amsgrad_states(self) -> None: """Check that the groups agree in `amsgrad` (ValueError); their states are made with them."""
    def set_contiguous_params(self) -> None: """Accepted: XLA lays out the memory of one program for all Parameters."""
class SGD(Optimizer):
    """Stochastic gradient descent whose momentum buffer starts as the first gradient."""
    def __init__(self, params, lr: float | Tensor, momentum: float=0, dampening: float=0, weight_decay: float=0, nesterov: bool=False, *, maximize: bool=False) -> None: ...
    def transformation(self, learning_rate, group: dict) -> Any: ...

"""Made by `python -m msjax stubs`: do not edit."""
from typing import Any

from msjax.nn import Cell as Cell
class Adam(Cell):
    """Adam (Kingma and Ba, 2015)."""
    def __call__(self, gradients, *args): ...
    def __init__(self, params, lr: Any=0.001, betas: Any=..., eps: Any=1e-08, weight_decay: Any=0.0, amsgrad: Any=False, *, maximize: Any=False) -> None: ...
    def add_param_group(self, param_group): """Add a group: a dict with 'params' and options; what it does not give is taken from the defaults."""
    def as_optax(self): """This optimizer as an `optax.GradientTransformation`, each group with its options: the trajectory is that of the Cell."""
    def implementation(self, group_id, gradients): """What the step of one group writes: pairs (Parameter, new array). `gradients` are those of all Parameters."""
    def rule(self, group): ...
class AdamW(Cell):
    """AdamW (Loshchilov and Hutter, 2019): Adam whose weight decay shrinks the Parameters."""
    def __call__(self, gradients, *args): ...
    def __init__(self, params, lr: Any=0.001, betas: Any=..., eps: Any=1e-08, weight_decay: Any=0.01, amsgrad: Any=False, *, maximize: Any=False) -> None: ...
    def add_param_group(self, param_group): """Add a group: a dict with 'params' and options; what it does not give is taken from the defaults."""
    def as_optax(self): """This optimizer as an `optax.GradientTransformation`, each group with its options: the trajectory is that of the Cell."""
    def implementation(self, group_id, gradients): """What the step of one group writes: pairs (Parameter, new array). `gradients` are those of all Parameters."""
    def rule(self, group): ...
class FusedAdamW(AdamW):
    """AdamW in one program for all Parameters, as every optimizer here is."""
    def __init__(self, params, lr: Any=0.001, betas: Any=..., eps: Any=1e-08, weight_decay: Any=0.01, amsgrad: Any=False, *, maximize: Any=False) -> None: ...
    def contiguous_params(self, start_id, end_id, param_group): """Accepted: XLA lays out the memory of one program for all Parameters."""
    def inject_group_amsgrad_states(self): """Check that the groups agree in `amsgrad` (ValueError); their states are made with them."""
    def set_contiguous_params(self): """Accepted: XLA lays out the memory of one program for all Parameters."""
class SGD(Cell):
    """Stochastic gradient descent whose momentum buffer starts as the first gradient."""
    def __call__(self, gradients, *args): ...
    def __init__(self, params, lr, momentum: Any=0, dampening: Any=0, weight_decay: Any=0, nesterov: Any=False, *, maximize: Any=False) -> None: ...
    def add_param_group(self, param_group): """Add a group: a dict with 'params' and options; what it does not give is taken from the defaults."""
    def as_optax(self): """This optimizer as an `optax.GradientTransformation`, each group with its options: the trajectory is that of the Cell."""
    def implementation(self, group_id, gradients): """What the step of one group writes: pairs (Parameter, new array). `gradients` are those of all Parameters."""
    def rule(self, group): ...

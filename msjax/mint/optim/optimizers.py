"""Adam, AdamW, FusedAdamW and SGD with the arguments, and the numbers, of PyTorch."""

from typing import Any

import numpy as np

from ...core.operators import check
from ...core.values.tensor import Tensor
from ...experimental.optim.adam import MOMENTS, check_types
from ...experimental.optim.adaptive import check_nesterov, check_not_negative
from ...experimental.optim.optimizer import Optimizer, check_adam
from ...optim import mint as optim

__all__ = ["Adam", "AdamW", "FusedAdamW", "SGD"]


class _Adam(Optimizer):
    """Adam with epsilon added after the bias correction. The largest second moment (amsgrad) is an option of the
    group, as its state.
    """

    _state = MOMENTS
    _counter = ("state_step", np.zeros(1, np.float32))
    _sequences = (tuple,)

    def __init__(self, params, lr, betas, eps, weight_decay, amsgrad, maximize):
        check_types(self.cls_name, lr, betas, eps, weight_decay, amsgrad, maximize, self._sequences)
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(
            params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
        )

    def add_param_group(self, param_group):
        """Add a group: a dict with "params" and options; missing options have the defaults."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        if group["amsgrad"]:
            group["max_exp_avg_sq"] = self._clone(group["params"], "max_exp_avg_sq")

    @property
    def max_exp_avg_sq(self):
        """The largest second moments so far: a Parameter for each one trained, or None where its group keeps none."""
        return [p for group in self.param_groups for p in group.get("max_exp_avg_sq", [None] * len(group["params"]))]

    def transformation(self, learning_rate, group):
        return optim.adam(learning_rate, group["betas"], group["eps"], amsgrad=group["amsgrad"])


class Adam(_Adam):
    """Adam (Kingma and Ba, 2015).

    Args:
        params: Parameters or groups of them. lr: float >= 0. betas: decay of the two moments, in [0, 1). eps: >= 0.
        weight_decay: added to the gradients. amsgrad: divide by the largest second moment so far. maximize: climb
        instead of descending.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.

    Example:
        >>> mint.optim.Adam(net.trainable_params(), lr=1e-3)
        Adam (
        Parameter Group 0
            amsgrad: False
            betas: (0.9, 0.999)
            eps: 1e-08
            lr: 0.001
            maximize: False
            weight_decay: 0.0
        )
    """

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)


class AdamW(_Adam):
    """AdamW (Loshchilov and Hutter, 2019): Adam whose weight decay shrinks the Parameters.

    Args: as for Adam. The state `state_step` starts from -1, as MindSpore's does.
    """

    _counter, _decays_gradients = ("state_step", np.full(1, -1, np.float32)), False
    _first_count = -1

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize)

    def transformation(self, learning_rate: Any, group: dict):
        return optim.adamw(learning_rate, group["betas"], group["eps"], group["weight_decay"], group["amsgrad"])


class FusedAdamW(AdamW):
    """AdamW in one program for all Parameters, as every optimizer here is.

    Args: as for AdamW; `betas` may be a list, and all groups must agree in `amsgrad`.
    """

    _sequences = (tuple, list)

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        params = list(params) if isinstance(params, (list, tuple)) else params
        flags = (
            [bool(g.get("amsgrad", amsgrad)) for g in params if isinstance(g, dict)] if isinstance(params, list) else []
        )
        if len(set(flags)) > 1:
            raise ValueError(
                "FusedAdamW does not support mixed amsgrad across param_groups. Found amsgrad flags per group: "
                f"{flags}. Please keep amsgrad consistent."
            )
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)

    def inject_group_amsgrad_states(self):
        """Check that the groups agree in `amsgrad` (ValueError); their states are made with them."""
        flags = [bool(group["amsgrad"]) for group in self.param_groups]
        if len(set(flags)) > 1:
            raise ValueError(
                f"FusedAdamW does not support mixed amsgrad across param_groups, but the groups have {flags}."
            )

    def contiguous_params(self, start_id: int, end_id: int, param_group: dict):
        """Accepted: XLA lays out the memory of one program for all Parameters."""

    def set_contiguous_params(self):
        """Accepted: XLA lays out the memory of one program for all Parameters."""


class SGD(Optimizer):
    """Stochastic gradient descent whose momentum buffer starts as the first gradient.

    Args:
        params: Parameters or groups of them. lr: >= 0. momentum: >= 0. dampening: part of the gradient that the
        buffer leaves out.
        weight_decay: added to the gradients. nesterov: needs momentum > 0 and dampening 0. maximize: climb instead of
        descending.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _state, _counter = (("momentum_buf", "momentum_buf", "zeros"),), ("step_t", np.int32(0))

    def __init__(
        self,
        params: Any,
        lr: float | Tensor,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ):
        check.check_value_type("lr", lr, [float, int, bool, Tensor], self.cls_name)
        for what, value in (("momentum", momentum), ("weight_decay", weight_decay), ("dampening", dampening)):
            check.check_value_type(what, value, [float, int, bool], self.cls_name)
        for what, value in (("nesterov", nesterov), ("maximize", maximize)):
            check.check_value_type(what, value, [bool], self.cls_name)
        check_not_negative(learning_rate=lr, momentum=momentum, weight_decay=weight_decay)
        super().__init__(
            params,
            dict(
                lr=lr,
                momentum=momentum,
                weight_decay=weight_decay,
                dampening=dampening,
                nesterov=nesterov,
                maximize=maximize,
            ),
        )
        check_nesterov(nesterov, momentum, dampening)

    def transformation(self, learning_rate: Any, group: dict):
        return optim.sgd(learning_rate, group["momentum"], group["dampening"], nesterov=group["nesterov"])

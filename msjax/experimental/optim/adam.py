"""Adam and its relatives with torch-like arguments: Adam, AdamW, Adamax, NAdam, RAdam."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...core.operators import check
from ...optim import experimental as optim
from .optimizer import Optimizer, check_adam, check_ranges

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor

MOMENTS = (("exp_avg", "exp_avg", "zeros"), ("exp_avg_sq", "exp_avg_sq", "zeros"))
_LARGEST = ("max_exp_avg_sq", "max_exp_avg_sq", "zeros")


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015), with epsilon added to sqrt(v) before the bias correction.

    Args:
        params: Parameters or groups of them. lr: >= 0. betas: decay of the two moments, in [0, 1). eps: >= 0.
        weight_decay: added to the gradients. amsgrad: divide by the largest second moment so far. maximize: climb
        instead of descending.

    Raises:
        ValueError: arguments out of range.

    Example:
        >>> from mindspore import experimental
        >>> experimental.optim.Adam(net.trainable_params(), lr=1e-3)
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

    _state, _counter = (*MOMENTS, _LARGEST), ("state_step", np.int32(0))

    def __init__(
        self,
        params: Any,
        lr: "float | Tensor" = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(
            params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
        )

    def transformation(self, learning_rate: Any, group: dict):
        return optim.adam(learning_rate, group["betas"], group["eps"], amsgrad=group["amsgrad"])


class AdamW(Optimizer):
    """AdamW (Loshchilov and Hutter, 2019): Adam whose weight decay shrinks the Parameters.

    Args: as for Adam.
    """

    _broadcasts = True

    _state, _counter, _decays_gradients = (*MOMENTS, _LARGEST), ("state_step", np.int32(0)), False

    def __init__(
        self,
        params: Any,
        lr: "float | Tensor" = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(
            params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
        )

    def transformation(self, learning_rate: Any, group: dict):
        return optim.adamw(learning_rate, group["betas"], group["eps"], group["weight_decay"], group["amsgrad"])


def check_types(
    name: str,
    lr: "float | Tensor",
    betas: tuple[float, float],
    eps: float,
    weight_decay: float,
    amsgrad: bool,
    maximize: bool,
    sequences: Any = (tuple,),
):
    """TypeError unless floats, a pair of floats, bools."""
    check.check_value_type("betas", betas, list(sequences), name)
    check.check("betas size", len(betas), "", [2], check.IN, name)
    for what, value in (
        ("betas[0]", betas[0]),
        ("betas[1]", betas[1]),
        ("eps", eps),
        ("weight_decay", weight_decay),
        ("lr", lr),
    ):
        check.check_value_type(what, value, [float], name)
    for what, value in (("amsgrad", amsgrad), ("maximize", maximize)):
        check.check_value_type(what, value, [bool], name)


class SpeedAdamW(Optimizer):
    """AdamW as one fused step; the state has a float32 step and no largest second moment.

    Args: as for AdamW; `amsgrad` must be False.
    """

    _state, _counter, _decays_gradients = MOMENTS, ("state_step", np.zeros(1, np.float32)), False

    def __init__(
        self,
        params: Any,
        lr: "float | Tensor" = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ):
        check_types(self.cls_name, lr, betas, eps, weight_decay, amsgrad, maximize)
        check_adam(lr, betas, eps, weight_decay)
        super().__init__(
            params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize)
        )

    def transformation(self, learning_rate: Any, group: dict):
        if group["amsgrad"]:
            raise ValueError("For SpeedAdamW, the value of amsgrad can only be False.")
        return optim.adamw(learning_rate, group["betas"], group["eps"], group["weight_decay"])


class Adamax(Optimizer):
    """AdaMax (Kingma and Ba, 2015): the second moment is a decaying maximum of |g| + eps.

    Args: as for Adam, without amsgrad; lr and eps must be positive.
    """

    _state = (("exp_avg", "exp_avg", "zeros"), ("exp_inf", "exp_inf", "zeros"))
    _counter, _counter_first = ("step_t", np.int32(0)), True

    def __init__(
        self,
        params: Any,
        lr: "float | Tensor" = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        *,
        maximize: bool = False,
    ):
        check_ranges(self.cls_name, {"lr": lr, "eps": eps}, {"weight_decay": weight_decay}, betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def transformation(self, learning_rate: Any, group: dict):
        return optim.adamax(learning_rate, group["betas"], group["eps"])


class NAdam(Optimizer):
    """NAdam (Dozat, 2016): Adam with Nesterov momentum.

    Args: as for Adam, without amsgrad and maximize; lr and eps must be positive. momentum_decay: how fast the
    momentum grows, >= 0.
    """

    _broadcasts = True

    _state, _counter, _counter_first, _scalars = (
        MOMENTS,
        ("step_t", np.int32(0)),
        True,
        (("mu_product", "mu_product", 1.0),),
    )

    def __init__(
        self,
        params: Any,
        lr: "float | Tensor" = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum_decay: float = 4e-3,
    ):
        check_ranges(
            self.cls_name,
            {"lr": lr, "eps": eps},
            {"weight_decay": weight_decay, "momentum_decay": momentum_decay},
            betas,
        )
        super().__init__(
            params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, momentum_decay=momentum_decay)
        )

    def transformation(self, learning_rate: Any, group: dict):
        return optim.nadam(learning_rate, group["betas"], group["eps"], momentum_decay=group["momentum_decay"])


class RAdam(Optimizer):
    """RAdam (Liu et al., 2020): plain momentum until the second moment can be trusted.

    Args: as for Adam, without amsgrad and maximize; lr and eps must be positive.
    """

    _broadcasts = True

    _state, _counter, _counter_first = MOMENTS, ("step_t", np.int32(0)), True

    def __init__(
        self,
        params: Any,
        lr: "float | Tensor" = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ):
        check_ranges(self.cls_name, {"lr": lr, "eps": eps}, {"weight_decay": weight_decay}, betas)
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def transformation(self, learning_rate: Any, group: dict):
        return optim.radam(learning_rate, group["betas"], group["eps"])

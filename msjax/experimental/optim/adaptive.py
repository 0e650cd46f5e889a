"""The other optimizers with torch-like arguments: SGD, Adagrad, Adadelta, RMSprop, Rprop, ASGD."""

from typing import Annotated, Any

import numpy as np

from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import Like, Within
from ...core.values.tensor import Tensor
from ...optim import experimental as optim
from .optimizer import Optimizer, check_not_less_than_without_equal, check_ranges

_STEP = ("step_t", np.int32(0))


def check_nesterov(nesterov: bool, momentum: float, dampening: float):
    """ValueError for Nesterov momentum without momentum or with dampening."""
    if nesterov and (momentum <= 0.0 or dampening != 0.0):
        raise ValueError(
            "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but got "
            f"'momentum' {momentum}, 'dampening' {dampening}"
        )


def check_not_negative(**values):
    """ValueError for a negative number."""
    for what, value in values.items():
        if value < 0.0:
            raise ValueError(
                f"Invalid {what.replace('_rate', ' rate')}{'' if what.endswith('rate') else ' value'}: {value}"
            )


class SGD(Optimizer):
    """Stochastic gradient descent with momentum, dampening and Nesterov momentum.

    Args:
        params: Parameters or groups of them. lr: >= 0. momentum: >= 0. dampening: part of the gradient that the
        accumulator leaves out.
        weight_decay: added to the gradients. nesterov: needs momentum > 0 and dampening 0. maximize: climb instead of
        descending.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _no_shape = RuntimeError

    _state = (("accum", "accum", "zeros"), ("stat", "stat", "ones"))

    @checked
    def __init__(
        self,
        params: Any,
        lr: Like[float | Tensor],
        momentum: Annotated[int | float, Within("[0, inf)")] = 0,
        dampening: Like[float] = 0,
        weight_decay: Like[float] = 0.0,
        nesterov: Like[bool] = False,
        *,
        maximize: Like[bool] = False,
    ):
        check.check_value_type("lr", lr, [float, int, Tensor], self.cls_name)
        check_not_negative(learning_rate=lr)
        for what, value in (("nesterov", nesterov), ("maximize", maximize)):
            check.check_value_type(what, value, [bool], self.cls_name)
        super().__init__(
            params,
            dict(
                lr=lr,
                momentum=float(momentum),
                dampening=dampening,
                weight_decay=weight_decay,
                nesterov=nesterov,
                maximize=maximize,
                grad_centralization=False,
            ),
        )
        for group in self.param_groups:
            check.check_value_type("dampening", group["dampening"], [int, float], self.cls_name)
            group["dampening"] = float(group["dampening"])
        check_nesterov(nesterov, momentum, dampening)

    def transformation(self, learning_rate: Any, group: dict):
        return optim.sgd(learning_rate, group["momentum"], group["dampening"], group["nesterov"])


class Adagrad(Optimizer):
    """Adagrad (Duchi et al., 2011) whose learning rate falls with the number of steps.

    Args:
        params: Parameters or groups of them. lr: > 0. lr_decay: lr / (1 + steps lr_decay). weight_decay: added to the
        gradients.
        initial_accumulator_value: >= 0. eps: > 0. maximize: climb instead of descending.

    Raises:
        ValueError: arguments out of range.
    """

    _state, _counter = (("accum", "accum", "initial_accumulator_value"),), _STEP

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0.0,
        weight_decay: float = 0.0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        *,
        maximize: bool = False,
    ):
        check_ranges(
            self.cls_name,
            {"lr": lr, "eps": eps},
            {
                "lr_decay": lr_decay,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
            },
        )
        super().__init__(
            params,
            dict(
                lr=lr,
                lr_decay=lr_decay,
                eps=eps,
                weight_decay=weight_decay,
                initial_accumulator_value=initial_accumulator_value,
                maximize=maximize,
            ),
        )

    def transformation(self, learning_rate: Any, group: dict):
        return optim.adagrad(
            learning_rate,
            group["lr_decay"],
            initial_accumulator_value=group["initial_accumulator_value"],
            eps=group["eps"],
        )


class Adadelta(Optimizer):
    """Adadelta (Zeiler, 2012).

    Args:
        params: Parameters or groups of them. lr: > 0. rho: decay of the two means, in [0, 1]. eps: > 0. weight_decay:
        added to the gradients. maximize: climb instead of descending.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _state = (("accum", "accum", 0), ("accum_update", "accum_update", 0))

    @checked
    def __init__(
        self,
        params: Any,
        lr: Like[float | Tensor] = 1.0,
        rho: Annotated[float, Within("[0, 1]")] = 0.9,
        eps: Like[float] = 1e-6,
        weight_decay: Like[float] = 0.0,
        *,
        maximize: Like[bool] = False,
    ):
        check_ranges(self.cls_name, {"lr": lr, "eps": eps}, {"weight_decay": weight_decay})
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps, weight_decay=weight_decay, maximize=maximize))

    def transformation(self, learning_rate: Any, group: dict):
        return optim.adadelta(learning_rate, group["rho"], group["eps"])


class RMSprop(Optimizer):
    """RMSprop (Hinton, 2012), with epsilon added to the root.

    Args:
        params: Parameters or groups of them. lr: > 0. alpha: decay of the mean square, >= 0. eps: > 0. weight_decay:
        added to the gradients. momentum: >= 0. centered: divide by the standard deviation of the gradient. maximize:
        climb instead of descending.

    Raises:
        ValueError: arguments out of range.
    """

    _broadcasts = True

    _state = (
        ("mean_grad", "mean_grad", "zeros"),
        ("mean_square", "mean_square", "zeros"),
        ("moment", "moment", "zeros"),
    )

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        momentum: float = 0.0,
        centered: bool = False,
        maximize: bool = False,
    ):
        check_ranges(
            self.cls_name, {"lr": lr, "eps": eps}, {"alpha": alpha, "momentum": momentum, "weight_decay": weight_decay}
        )
        super().__init__(
            params,
            dict(
                lr=lr,
                momentum=momentum,
                alpha=alpha,
                eps=eps,
                centered=centered,
                weight_decay=weight_decay,
                maximize=maximize,
            ),
        )

    def transformation(self, learning_rate: Any, group: dict):
        return optim.rmsprop(
            learning_rate, group["alpha"], group["eps"], momentum=group["momentum"], centered=group["centered"]
        )


class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993).

    Args:
        params: Parameters or groups of them. lr: first step, > 0. etas: factors (down, up) in (0, 1) and above 1.
        step_sizes: (smallest, largest) step. maximize: climb instead of descending.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _broadcasts = True

    _state, _counter = (("prev", "prev", "zeros"), ("step_size", "step_size", "zeros")), _STEP

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        maximize: bool = False,
    ):
        check_ranges(self.cls_name, {"lr": lr})
        check_not_less_than_without_equal(etas[1], "etas[1]", self.cls_name, 1.0)
        check.check_float_range(etas[0], 0.0, 1.0, check.INC_NEITHER, "etas[0]", self.cls_name)
        super().__init__(params, dict(lr=lr, etas=etas, step_sizes=step_sizes, maximize=maximize))

    def transformation(self, learning_rate: Any, group: dict):
        return optim.rprop(learning_rate, group["etas"], group["step_sizes"])


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992); the averages are the Parameters `ax`.

    Args:
        params: Parameters or groups of them. lr: > 0. lambd: decay of the Parameters. alpha: power with which the rate
        falls. t0: step at which averaging starts. weight_decay: added to the gradients. maximize: climb instead of
        descending.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _broadcasts = _takes_double = True

    _state, _counter, _scalars = (("ax", "ax", "zeros"),), _STEP, (("mu", "mu", 1.0), ("eta", "eta", 0.0))

    def __init__(
        self,
        params: Any,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0.0,
        maximize: bool = False,
    ):
        check_ranges(self.cls_name, {"lr": lr}, {"weight_decay": weight_decay})
        for what, value in (("lambd", lambd), ("t0", t0)):
            if not isinstance(value, float):
                raise TypeError(f"For 'ASGD', the type of {what} must be float, but got {type(value)}.")
        super().__init__(
            params, dict(lr=lr, lambd=lambd, alpha=alpha, t0=t0, weight_decay=weight_decay, maximize=maximize)
        )

    def transformation(self, learning_rate: Any, group: dict):
        return optim.asgd(learning_rate, group["lambd"], group["alpha"], group["t0"])

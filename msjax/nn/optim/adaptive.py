"""Optimizers that scale each element by its past gradients: Adagrad, Adadelta, RMSProp, FTRL, ProximalAdagrad."""

from typing import Annotated, Any

from ... import ops, optim
from ...core.operators import check
from ...core.spec.checking import checked
from ...core.spec.rules import NonNegativeFloat, PositiveFloat, Within
from ...core.values import dtype as mstype
from ...core.values.tensor import Tensor
from ...ops import SparseApplyFtrl, SparseApplyProximalAdagrad
from ..arguments import Decay, LossScale, Parameters, Rate, StrictRate
from ..lazy_operator import Served
from .optimizer import Optimizer, opt_init_args_register


class Adagrad(Optimizer):
    """Adagrad (Duchi et al., 2011): accum += g^2; p -= lr g / sqrt(accum).

    Args:
        params: Parameters or groups of them. accum: first value of the accumulators, >= 0. learning_rate: see
        Optimizer.
        update_slots: whether the accumulators change. loss_scale, weight_decay: see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, a negative `accum`.
    """

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        accum: NonNegativeFloat = 0.1,
        learning_rate: Rate = 0.001,
        update_slots: bool = True,
        loss_scale: LossScale = 1.0,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._options = accum, update_slots
        self.update_slots = update_slots
        self.accum = self._clones("accum", accum)

    def transformation(self, learning_rate: Any):
        return optim.adagrad(learning_rate, *self._options)


class Adadelta(Optimizer):
    """Adadelta (Zeiler, 2012): steps in the proportion of past changes to past gradients.

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. rho: decay of the two means, in [0, 1].
        epsilon: >= 0.
        loss_scale, weight_decay: see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 1.0,
        rho: Annotated[float, Within("[0, 1]")] = 0.9,
        epsilon: NonNegativeFloat = 1e-6,
        loss_scale: LossScale = 1.0,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.rho, self.epsilon = rho, epsilon
        self.accum = self._clones("accum", 0)
        self.accum_update = self._clones("accum_update", 0)

    def transformation(self, learning_rate: Any):
        return optim.adadelta(learning_rate, self.rho, self.epsilon)


class RMSProp(Optimizer):
    """RMSProp (Hinton, 2012) with momentum: ms = decay ms + (1 - decay) g^2; v = momentum v + lr g / sqrt(ms +
    epsilon); p -= v.

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. decay: of the mean square, >= 0. momentum:
        >= 0. epsilon: > 0.
        use_locking: accepted. centered: divide by the standard deviation of the gradient. loss_scale, weight_decay:
        see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    opt = Served(lambda self: (ops.ApplyCenteredRMSProp if self.centered else ops.ApplyRMSProp)(self.use_locking))

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 0.1,
        decay: NonNegativeFloat = 0.9,
        momentum: NonNegativeFloat = 0.0,
        epsilon: PositiveFloat = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        loss_scale: LossScale = 1.0,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.decay, self.momentum, self.epsilon, self.centered = decay, momentum, epsilon, centered
        self.use_locking = use_locking
        if centered:
            self.mg = self._clones("mean_grad")
        self.ms = self._clones("mean_square", "ones")
        self.moment = self._clones("moment")

    def transformation(self, learning_rate: Any):
        return optim.rmsprop(learning_rate, self.decay, self.momentum, self.epsilon, self.centered)


class FTRL(Optimizer):
    """FTRL-proximal (McMahan et al., 2013), for sparse linear models.

    Args:
        params: Parameters or groups of them. initial_accum: first value of the squared gradients' sum, >= 0.
        learning_rate: float > 0.
        lr_power: <= 0. l1, l2: regularization, >= 0. use_locking: accepted. loss_scale: see Optimizer. weight_decay:
        for all Parameters.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range; learning rates that change, or differ between
        groups.
    """

    _lazy_rows = True

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        initial_accum: NonNegativeFloat = 0.1,
        learning_rate: StrictRate = 0.001,
        lr_power: Annotated[float, Within("(-inf, 0]")] = -0.5,
        l1: NonNegativeFloat = 0.0,
        l2: NonNegativeFloat = 0.0,
        use_locking: bool = False,
        loss_scale: LossScale = 1.0,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if self.dynamic_lr or self.is_group_lr:
            raise ValueError(
                "For 'FTRL', dynamic learning rate and group learning rate are currently not supported in FTRL, they "
                f"should all be false, but got dynamic learning rate {self.dynamic_lr} and group learning rate "
                f"{self.is_group_lr}."
            )
        check.check_value_type("learning_rate", learning_rate, [float], self.cls_name)
        check.check_number("learning_rate", learning_rate, 0.0, check.GT, self.cls_name)
        self._options = initial_accum, lr_power, l1, l2
        self.l1, self.l2, self.lr_power, self.use_locking = l1, l2, lr_power, use_locking
        # for programs that give it attributes
        self.sparse_opt = SparseApplyFtrl(learning_rate, l1, l2, lr_power, use_locking)
        self.moments = self._clones("moments", initial_accum)
        self.linear = self._clones("linear")
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length

    def transformation(self, learning_rate: Any):
        return optim.ftrl(learning_rate, *self._options)


class ProximalAdagrad(Optimizer):
    """Proximal Adagrad (Duchi and Singer, 2009): Adagrad's step, then shrinkage by L1 and L2 regularization.

    Args:
        params: Parameters or groups of them. accum: first value of the accumulators, >= 0. learning_rate: see
        Optimizer.
        l1, l2: regularization, >= 0. use_locking: accepted. loss_scale, weight_decay: see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _lazy_rows = True

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        accum: NonNegativeFloat = 0.1,
        learning_rate: Rate = 0.001,
        l1: NonNegativeFloat = 0.0,
        l2: NonNegativeFloat = 0.0,
        use_locking: bool = False,
        loss_scale: LossScale = 1.0,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._options = accum, l1, l2
        self.l1, self.l2, self.use_locking = Tensor(l1, mstype.float32), Tensor(l2, mstype.float32), use_locking
        self.sparse_opt = SparseApplyProximalAdagrad(use_locking)  # as above
        self.accum = self._clones("accum", accum)

    def transformation(self, learning_rate: Any):
        return optim.proximal_adagrad(learning_rate, *self._options)

"""Momentum and SGD."""
from ...core import dtype as mstype
from ...core.parameter import Parameter
from ...core.tensor import Tensor
from . import rules
from .optimizer import Optimizer


def _number(name, what, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"For '{name}', the type of '{what}' must be float, but got {type(value).__name__}.")
    if value < 0.0:
        raise ValueError(f"For '{name}', the argument '{what}' must be at least 0.0, but got {value}.")
    return float(value)


class Momentum(Optimizer):
    """Stochastic gradient descent with momentum: v = momentum v + g; p -= lr v (Sutskever et al., 2013).

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. momentum: number >= 0.
        weight_decay, loss_scale: see Optimizer. use_nesterov: step along g + momentum v.

    Example:
        >>> nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
    """

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not isinstance(momentum, Tensor):
            momentum = _number(self.cls_name, "momentum", momentum)
        if not isinstance(use_nesterov, bool):
            raise TypeError(f"For '{self.cls_name}', the type of 'use_nesterov' must be bool, but got {type(use_nesterov).__name__}.")
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.params = self.parameters
        self.use_nesterov, self._initial = use_nesterov, float(momentum)
        self.moments = self._clones("moments")

    def rule(self):
        return rules.momentum(self.use_nesterov, self._initial)


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum, dampening and Nesterov momentum if wanted.

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer; 0.1 by default. momentum: number >= 0.
        dampening: part of the gradient that the accumulator leaves out. weight_decay: added for every Parameter.
        nesterov: needs momentum > 0 and dampening 0. loss_scale: see Optimizer.
    """

    def __init__(self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum = _number(self.cls_name, "momentum", momentum)
        if isinstance(dampening, bool) or not isinstance(dampening, (int, float)):
            raise TypeError(f"For '{self.cls_name}', the type of 'dampening' must be float, but got {type(dampening).__name__}.")
        if dampening < 0.0:
            raise ValueError(f"For '{self.cls_name}', the argument 'dampening' must be at least 0.0, but got {dampening}")
        if not isinstance(nesterov, bool):
            raise TypeError(f"For '{self.cls_name}', the type of 'nesterov' must be bool, but got {type(nesterov).__name__}.")
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(f"For '{self.cls_name}', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, "
                             f"but got 'momentum' {momentum}, 'dampening' {dampening}.")
        self.dampening, self.nesterov, self._initial = float(dampening), nesterov, momentum
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.accum = self._clones("accum")
        self.stat = self._clones("stat", init="ones")
        # SGD decays every Parameter of a plain list, also those named beta and gamma
        if not self.is_group:
            self.decay_flags = (True,) * self.param_length

    def rule(self):
        return rules.sgd(self.dampening, self.nesterov, self._initial)


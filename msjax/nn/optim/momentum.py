"""Momentum and SGD."""

from typing import Annotated, Any

from ... import ops, optim
from ...core.spec.checking import checked
from ...core.spec.rules import Like, NotBelow0
from ...core.trace.frame import known_zero
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ..arguments import Decay, LossScale, Parameters, Rate
from ..lazy_operator import Served
from .optimizer import Optimizer, opt_init_args_register


class Momentum(Optimizer):
    """Stochastic gradient descent with momentum: v = momentum v + g; p -= lr v (Sutskever et al., 2013).

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. momentum: float >= 0.
        weight_decay, loss_scale: see Optimizer. use_nesterov: step along g + momentum v.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, a negative momentum.

    Example:
        >>> nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
        Momentum()
    """

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate,
        momentum: Annotated[float | Tensor, NotBelow0],
        weight_decay: Decay = 0.0,
        loss_scale: LossScale = 1.0,
        use_nesterov: bool = False,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.params = self.parameters
        self.use_nesterov = use_nesterov
        self.moments = self._clones("moments")

    _state_fields = {**Optimizer._state_fields, "trace": "moments"}

    def transformation(self, learning_rate: Any):
        return optim.momentum(learning_rate, _value(self.momentum), self.use_nesterov)


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum, dampening and Nesterov momentum if wanted.

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer; 0.1 by default. momentum: number >= 0.
        dampening: part of the gradient that the accumulator leaves out. weight_decay: see Optimizer.
        nesterov: needs momentum > 0 and dampening 0. loss_scale: see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind, Nesterov momentum with dampening or without momentum.
    """

    _no_shape = RuntimeError

    # one for each Parameter, as MindSpore's own `construct` takes them
    opt = Served(lambda self: (ops.SGD(self.dampening, 0.0, self.nesterov),) * len(self._parameters))

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 0.1,
        momentum: Like[float] = 0.0,
        dampening: Like[float] = 0.0,
        weight_decay: Decay = 0.0,
        nesterov: bool = False,
        loss_scale: LossScale = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        momentum, dampening = self._number("momentum", momentum), self._number("dampening", dampening)
        if nesterov and (momentum <= 0.0 or dampening != 0.0):
            raise ValueError(
                "For 'SGD', if 'nesterov' is true, 'momentum' must be > 0.0 and 'dampening' must equal to 0.0, but "
                f"got 'momentum' {momentum}, 'dampening' {dampening}."
            )
        if self.dynamic_weight_decay:
            raise TypeError(
                "For 'SGD', dynamic weight decay is currently not supported, the argument 'weight_decay' or "
                "'weight_decay' set in grouped 'params' must be float or int type."
            )
        self.dampening, self.nesterov = dampening, nesterov
        self.momentum = Parameter(Tensor(momentum, mstype.float32), name="momentum")
        self.accum = self._clones("accum")
        self.stat = self._clones("stat", init="ones")

    @staticmethod
    def _number(what, value):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TypeError(f"For 'SGD', the argument '{what}' must be float type, but got {type(value)}.")
        if value < 0.0:
            raise ValueError(f"For 'SGD', the argument '{what}' must be at least 0.0, but got {float(value)}.")
        return float(value)

    def transformation(self, learning_rate: Any):
        return optim.sgd(learning_rate, _value(self.momentum), self.dampening, self.nesterov)


def _value(momentum):
    """The value of a Parameter: 0 where it is known to be 0, for then the step is simpler."""
    return 0.0 if known_zero(momentum) else momentum.jax_array

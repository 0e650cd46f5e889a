"""Averaged SGD, and Rprop, which looks at signs alone."""

from typing import Annotated, Any

from ... import optim
from ...core.spec.checking import checked
from ...core.spec.rules import That, Within
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor
from ..arguments import Beta, Decay, Parameters, Rate
from .optimizer import Optimizer, opt_init_args_register


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992); the averages are the Parameters `ax`.

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. lambd: decay of the Parameters. alpha:
        power with which the rate falls. t0: step at which averaging starts. weight_decay: see Optimizer.

    Raises:
        TypeError: `lambd`, `alpha` or `t0` is not a float.
    """

    _broadcasts = _takes_double = True
    _answers_each = False

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self._options = lambd, alpha, t0
        self.lambd, self.alpha = lambd, alpha
        self.mu = ParameterTuple(Parameter(Tensor(1.0, mstype.float32), name=f"mu_{p.name}") for p in self.parameters)
        self.eta = ParameterTuple(Parameter(Tensor(0.0, mstype.float32), name=f"eta_{p.name}") for p in self.parameters)
        self.ax = self._clones("ax_")

    def transformation(self, learning_rate: Any):
        return optim.asgd(learning_rate, *self._options)


Steps = Annotated[tuple[float, float], That("whose first is not above its second", lambda sizes: sizes[0] <= sizes[1])]


class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun, 1993): each element has its own step, which grows while the
    gradient keeps its sign.

    Args:
        params: Parameters or groups of them. learning_rate: first step. etas: factors (down, up) in (0, 1) and above 1.
        step_sizes: (smallest, largest) step. weight_decay: see Optimizer.

    Raises:
        TypeError, ValueError: arguments of the wrong kind or range.
    """

    _broadcasts = _takes_double = True
    _answers_each = False

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 0.1,
        etas: tuple[Beta, Annotated[float, Within("(1, inf)")]] = (0.5, 1.2),
        step_sizes: Steps = (1e-6, 50.0),
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self.etaminus, self.etaplus = etas
        self.step_size_min, self.step_size_max = step_sizes
        self.prev = self._clones("prev")
        self.step_size = self._clones("step_size")

    def transformation(self, learning_rate: Any):
        etas, step_sizes = (self.etaminus, self.etaplus), (self.step_size_min, self.step_size_max)
        return optim.rprop(learning_rate, etas, step_sizes)

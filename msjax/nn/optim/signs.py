"""Averaged SGD, and Rprop, which looks at signs alone."""

from ... import optim
from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter, ParameterTuple
from ...core.values.tensor import Tensor
from .optimizer import Optimizer, opt_init_args_register


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992); the averages are the Parameters `ax`.

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. lambd: decay of the Parameters. alpha:
        power with which the rate falls. t0: step at which averaging starts. weight_decay: see Optimizer.

    Raises:
        TypeError: `lambd`, `alpha` or `t0` is no float.
    """

    _broadcasts = _takes_double = True

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, lambd=1e-4, alpha=0.75, t0=1e6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for what, value in (("lambd", lambd), ("alpha", alpha), ("t0", t0)):
            check.check_value_type(what, value, [float], self.cls_name)
        self._options = lambd, alpha, t0
        self.lambd, self.alpha = lambd, alpha
        self.mu = ParameterTuple(Parameter(Tensor(1.0, mstype.float32), name=f"mu_{p.name}") for p in self.parameters)
        self.eta = ParameterTuple(Parameter(Tensor(0.0, mstype.float32), name=f"eta_{p.name}") for p in self.parameters)
        self.ax = self._clones("ax_")

    def transformation(self, learning_rate):
        return optim.asgd(learning_rate, *self._options)


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

    @opt_init_args_register
    def __init__(self, params, learning_rate=0.1, etas=(0.5, 1.2), step_sizes=(1e-6, 50.0), weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        for what, pair in (("etas", etas), ("step_sizes", step_sizes)):
            if not isinstance(pair, tuple):
                raise TypeError(f"For Rprop, {what} must be a tuple, but got {type(pair)}.")
            if len(pair) != 2:
                raise ValueError(f"For Rprop, {what} must be a tuple with the size of 2, but got {len(pair)}.")
        if step_sizes[0] > step_sizes[1]:
            raise ValueError(
                "For Rprop, maximal step size should not be less than minimal step size, "
                f"but got {step_sizes[0]} > {step_sizes[1]}."
            )
        check.check_float_range(etas[0], 0.0, 1.0, check.INC_NEITHER, "etaminus", self.cls_name)
        check.check_value_type("etaplus", etas[1], [float], self.cls_name)
        if etas[1] <= 1.0:
            raise ValueError(f"For Rprop, etaplus must be greater than 1.0, but got etaplus {etas[1]}.")
        for what, value in zip(("min_step_sizes", "max_step_sizes"), step_sizes):
            check.check_value_type(what, value, [float], self.cls_name)
        self.etaminus, self.etaplus = etas
        self.step_size_min, self.step_size_max = step_sizes
        self.prev = self._clones("prev")
        self.step_size = self._clones("step_size")

    def transformation(self, learning_rate):
        etas, step_sizes = (self.etaminus, self.etaplus), (self.step_size_min, self.step_size_max)
        return optim.rprop(learning_rate, etas, step_sizes)

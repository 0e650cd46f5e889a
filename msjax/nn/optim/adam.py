"""Adam and AdamWeightDecay."""
from ...core import dtype as mstype
from ...core.parameter import Parameter
from ...core.tensor import Tensor
from . import rules
from .optimizer import Optimizer


def check_betas(name, beta1, beta2, eps):
    """TypeError or ValueError unless 0 < beta < 1 and eps > 0."""
    for what, value in (("beta1", beta1), ("beta2", beta2), ("eps", eps)):
        if not isinstance(value, float):
            raise TypeError(f"For '{name}', the type of '{what}' must be float, but got {type(value).__name__}.")
    for what, value in (("beta1", beta1), ("beta2", beta2)):
        if not 0.0 < value < 1.0:
            raise ValueError(f"For '{name}', the '{what}' must be float and in range of (0.0, 1.0), but got {value}.")
    if eps <= 0:
        raise ValueError(f"For '{name}', the 'eps' must be float and must > 0, but got {eps}.")


class Adam(Optimizer):
    """Adam (Kingma and Ba, 2015): lr_t = lr sqrt(1 - beta2^t) / (1 - beta1^t); p -= lr_t m / (sqrt(v) + eps).

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. beta1, beta2: decay of the two moments, in (0, 1). eps: > 0.
        use_locking: accepted. use_nesterov: look ahead along the first moment. use_amsgrad: keep the largest second moment.
        weight_decay, loss_scale: see Optimizer. use_lazy, use_offload (keywords): update only rows with gradients; on the host.
    """

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False, use_nesterov=False,
                 weight_decay=0.0, loss_scale=1.0, use_amsgrad=False, **kwargs):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check_betas(self.cls_name, beta1, beta2, eps)
        unknown = set(kwargs) - {"use_lazy", "use_offload"}
        if unknown:
            raise ValueError(f"For 'Adam', the keyword {sorted(unknown)[0]} is not recognized; there are 'use_lazy' and 'use_offload'.")
        for what, value in (("use_locking", use_locking), ("use_nesterov", use_nesterov), ("use_amsgrad", use_amsgrad), *kwargs.items()):
            if not isinstance(value, bool):
                raise TypeError(f"For '{self.cls_name}', the type of '{what}' must be bool, but got {type(value).__name__}.")
        self.beta1, self.beta2, self.eps, self.use_nesterov, self.use_amsgrad = beta1, beta2, eps, use_nesterov, use_amsgrad
        self.beta1_power = Parameter(Tensor(1.0, mstype.float32), name="beta1_power")
        self.beta2_power = Parameter(Tensor(1.0, mstype.float32), name="beta2_power")
        self.moment1 = self._clones("moment1")
        self.moment2 = self._clones("moment2")
        if use_amsgrad:
            self.vhat = self._clones("vhat")

    def rule(self):
        if self.use_amsgrad:
            return rules.amsgrad(self.beta1, self.beta2, self.eps)
        return rules.adam(self.beta1, self.beta2, self.eps, self.use_nesterov)


class AdamWeightDecay(Optimizer):
    """Adam without bias correction and with decoupled weight decay, as BERT trains (Loshchilov and Hutter, 2019).

    Args: as for Adam; `weight_decay` is applied to the Parameters instead of their gradients.
    """

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        check_betas(self.cls_name, beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = Tensor([beta1], mstype.float32), Tensor([beta2], mstype.float32), Tensor([eps], mstype.float32)
        self._betas = beta1, beta2, eps
        self.moments1 = self._clones("adam_m")
        self.moments2 = self._clones("adam_v")

    def decay_weight(self, gradients):
        """The gradients as they are: the rule decays the Parameters."""
        return gradients

    def rule(self):
        decay = self.get_weight_decay()
        decays = decay if isinstance(decay, tuple) else (decay,) * self.param_length
        return rules.adam_weight_decay(*self._betas, [d._data.reshape(()) if flag else None for d, flag in zip(decays, self.decay_flags)])

"""Adam and its relatives: AdamWeightDecay, AdamOffload, LazyAdam, AdaMax."""

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from ... import ops, optim
from ...core.operators import check
from ...core.settings.context import note_host_memory
from ...core.spec.checking import checked
from ...core.spec.rules import PositiveFloat
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...ops import FusedSparseAdam, FusedSparseLazyAdam
from ..arguments import Beta, Decay, LossScale, Parameters, Rate, StrictDecay
from ..lazy_operator import Served
from .optimizer import Optimizer, betas_of, opt_init_args_register

_NOT_CENTRALIZED = ("decay_weight", "scale_grad")


class _Adam(Optimizer):
    """State that the forms of Adam share."""

    def _init_moments(self, beta1, beta2, eps, power_shape, **flags):
        for what, value in flags.items():
            setattr(self, what, value)
        self._betas = beta1, beta2, eps
        self.beta1, self.beta2, self.eps = (Tensor(x, mstype.float32) for x in self._betas)
        self.beta1_power = Parameter(Tensor(np.ones(power_shape, np.float32)), name="beta1_power")
        self.beta2_power = Parameter(Tensor(np.ones(power_shape, np.float32)), name="beta2_power")
        self.moment1 = self._clones("moment1")
        self.moment2 = self._clones("moment2")

    use_amsgrad = False

    def transformation(self, learning_rate):
        return optim.adam(learning_rate, *betas_of(self), self.use_nesterov and not self.use_amsgrad, self.use_amsgrad)


class AdamOptions(TypedDict, total=False):
    """Further keywords of Adam."""

    use_lazy: bool
    use_offload: bool


class Adam(_Adam):
    """Adam (Kingma and Ba, 2015): lr_t = lr sqrt(1 - beta2^t) / (1 - beta1^t); p -= lr_t m / (sqrt(v) + eps).

    Args:
        params: Parameters or groups of them. learning_rate: see Optimizer. beta1, beta2: decay of the two moments, in
        (0, 1). eps: > 0.
        use_locking: accepted. use_nesterov: look ahead along the first moment. use_amsgrad: divide by the largest
        second moment so far.
        weight_decay, loss_scale: see Optimizer. Keywords: use_lazy, rows that a sparse gradient does not name keep
        their moments; use_offload, accepted (memory is managed by XLA).

    Raises:
        KeyError, TypeError, ValueError: an unknown keyword, arguments of the wrong kind, use_lazy together with
        use_offload, either with use_amsgrad.

    Example:
        >>> nn.Adam(net.trainable_params(), learning_rate=1e-3)
        Adam()
    """

    opt = Served(
        lambda self: (
            ops.ApplyAdamWithAmsgradV2(self.use_locking)
            if self.use_amsgrad
            else (ops.AdamNoUpdateParam if self.use_offload else ops.Adam)(self.use_locking, self.use_nesterov)
        )
    )

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Decay = 0.0,
        loss_scale: LossScale = 1.0,
        use_amsgrad: bool = False,
        **kwargs: Unpack[AdamOptions],
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if set(kwargs) - {"use_lazy", "use_offload"}:
            raise KeyError(
                f"For 'Adam', invalid keys are passed as kwargs, supported keys are 'use_lazy' and"
                f"'use_offload', but got {kwargs.keys()}."
            )
        use_lazy, use_offload = kwargs.get("use_lazy", False), kwargs.get("use_offload", False)
        for what, value in (("use_lazy", use_lazy), ("use_offload", use_offload)):
            check.check_value_type(what, value, [bool], self.cls_name)
        if use_lazy and use_offload:
            raise ValueError(
                "For 'Adam', 'use_lazy' and 'use_offload' can not both be True, but got use_lazy=True, "
                "use_offload=True."
            )
        if use_amsgrad and (use_lazy or use_offload):
            raise ValueError(
                "For lazy Adam and Adam with offload, there is no parameter named 'use_amsgrad', but got "
                "use_amsgrad=True."
            )
        self._init_moments(
            beta1, beta2, eps, (), use_locking=use_locking, use_nesterov=use_nesterov, use_amsgrad=use_amsgrad
        )
        self.sparse_opt = FusedSparseAdam(use_locking, use_nesterov)  # for programs that give it attributes
        self.use_lazy, self.use_offload, self._lazy_rows = use_lazy, use_offload, use_lazy
        if use_offload:
            note_host_memory("Adam(use_offload=True)")
            self._gradient_steps = _NOT_CENTRALIZED
        if use_amsgrad:
            self.vhat = self._clones("vhat")


class LazyAdam(_Adam):
    """Adam that leaves the rows which a sparse gradient does not name as they are, moments too.

    Args: as for Adam.
    """

    _lazy_rows = True

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: StrictDecay = 0.0,
        loss_scale: LossScale = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        check.check_value_type("weight_decay", weight_decay, [float], self.cls_name)
        self._init_moments(beta1, beta2, eps, (1,), use_locking=use_locking, use_nesterov=use_nesterov)
        self.sparse_opt = FusedSparseLazyAdam(use_locking, use_nesterov)  # for programs that give it attributes


class AdamOffload(_Adam):
    """Adam as it runs on the host in MindSpore; here memory is managed by XLA, and the step is Adam's.

    Args: as for Adam. Gradients are not centralized.
    """

    _gradient_steps = _NOT_CENTRALIZED

    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: Decay = 0.0,
        loss_scale: LossScale = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        note_host_memory("AdamOffload")
        self._init_moments(beta1, beta2, eps, (1,), use_locking=use_locking, use_nesterov=use_nesterov)
        self.params = self.parameters


class AdamWeightDecay(Optimizer):
    """Adam without bias correction and with decoupled weight decay, as BERT trains (Loshchilov and Hutter, 2019).

    Args: as for Adam; `weight_decay` is applied to the Parameters instead of their gradients.
    """

    _takes_double = _decoupled = True
    _gradient_steps = ()

    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 1e-3,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-6,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self._betas = beta1, beta2, eps
        self.beta1, self.beta2, self.eps = (Tensor([x], mstype.float32) for x in self._betas)
        self.moments1 = self._clones("adam_m")
        self.moments2 = self._clones("adam_v")

    def decay_weight(self, gradients: Sequence[Tensor]):
        """The gradients as they are: the Parameters are decayed."""
        return gradients

    def transformation(self, learning_rate: Any, weight_decay: Any, mask: Tensor):
        return optim.adam_weight_decay(learning_rate, *betas_of(self), weight_decay, mask)


class AdaMax(Optimizer):
    """AdaMax (Kingma and Ba, 2015): Adam whose second moment is a decaying maximum of |g|.

    Args: as for Adam.
    """

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate = 0.001,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-08,
        weight_decay: Decay = 0.0,
        loss_scale: LossScale = 1.0,
    ):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self._betas = beta1, beta2, eps
        self.beta1, self.beta2, self.eps = (Tensor(x, mstype.float32) for x in self._betas)
        self.beta1_power = Parameter(Tensor([1.0], mstype.float32), name="beta1_power")
        self.moment1 = self._clones("moment1")
        self.moment2 = self._clones("moment2")

    def transformation(self, learning_rate: Any):
        return optim.adamax(learning_rate, *betas_of(self))


__all__ = ["AdaMax", "Adam", "AdamOffload", "AdamWeightDecay", "LazyAdam"]

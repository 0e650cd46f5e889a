"""Optimizers that scale the step of each Parameter by its norm, for large batches: Lamb and LARS."""

from collections.abc import Sequence
from typing import Any

import optax

from ... import ops, optim
from ...core.spec.checking import checked
from ...core.spec.rules import Function, PositiveFloat
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...optim.layerwise import is_scaled
from ..arguments import Beta, Decay, Parameters, Rate
from .adapter import check_fit
from .optimizer import Optimizer, _later, _now, betas_of, opt_init_args_register


class Lamb(Optimizer):
    """LAMB (You et al., 2020): Adam's direction plus weight decay, with the norm of the Parameter.

    Args: as for AdamWeightDecay.
    """

    _decoupled = True
    _gradient_steps = ("gradients_centralization",)

    @opt_init_args_register
    @checked
    def __init__(
        self,
        params: Parameters,
        learning_rate: Rate,
        beta1: Beta = 0.9,
        beta2: Beta = 0.999,
        eps: PositiveFloat = 1e-6,
        weight_decay: Decay = 0.0,
    ):
        super().__init__(learning_rate, params, weight_decay)
        self._betas = beta1, beta2, eps
        self.beta1, self.beta2, self.eps = (Tensor([x], mstype.float32) for x in self._betas)
        self.params = self.parameters
        self.moments1 = self._clones("lamb_m")
        self.moments2 = self._clones("lamb_v")

    def decay_weight(self, gradients: Sequence[Tensor]):
        """The gradients as they are: the Parameters are decayed."""
        return gradients

    def transformation(self, learning_rate: Any, weight_decay: Any, mask: Tensor):
        return optim.lamb(learning_rate, *betas_of(self), weight_decay, mask)


def _filter(param):
    return is_scaled(param.name)


class LARS(Optimizer):
    """LARS (You et al., 2017) around another optimizer: gradients are scaled with the ratio of the norms of Parameter
    and gradient.

    Args:
        optimizer: the Optimizer that takes the scaled gradients; its weight decay and loss scale move here. epsilon:
        keeps the denominator from 0. coefficient: trust in the ratio. use_clip: at most the learning rate. lars_filter:
        which Parameters are scaled; by default not those with "LayerNorm" or "bias" in their name.

    Raises:
        TypeError: arguments of the wrong kind. ValueError: `use_clip` with groups whose learning rates change.

    Example:
        >>> nn.LARS(nn.Momentum(net.trainable_params(), 0.1, 0.9), epsilon=1e-08, coefficient=0.02)
        LARS(
          (opt): Momentum()
        )
    """

    @opt_init_args_register
    @checked
    def __init__(
        self,
        optimizer: Optimizer,
        epsilon: float = 1e-05,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Function = _filter,
    ):
        super().__init__(0.0, [Parameter(Tensor(0.0), name="fake_param")])
        self.opt = optimizer
        for name in (
            "dynamic_decay_flags",
            "dynamic_weight_decay",
            "weight_decay",
            "global_step",
            "parameters",
            "is_group",
            "decay_flags",
            "reciprocal_scale",
            "need_scale",
            "loss_scale",
        ):
            setattr(self, name, getattr(optimizer, name))
        self._parameters = self.parameters
        self.param_length = len(self.parameters)
        self.use_clip = use_clip
        self.lars_flag = tuple(lars_filter(x) for x in self.parameters)
        self.learning_rate = Parameter(Tensor(0.0, mstype.float32), name="fake_lr")
        self.lars = ops.LARSUpdate(epsilon, coefficient, use_clip)
        if use_clip:
            self.is_group_lr, self.dynamic_lr = optimizer.is_group_lr, optimizer.dynamic_lr
            self.origin_learning_rate = optimizer.learning_rate
            if self.is_group_lr and self.dynamic_lr:
                raise ValueError(
                    "For 'LARS', if the argument 'use_clip' is set to True, then the dynamic learning rate and group "
                    "learning rate cannot both be true."
                )
        optimizer.dynamic_decay_flags = (False,) * self.param_length if self.is_group else False
        optimizer.decay_flags = (False,) * self.param_length
        optimizer.dynamic_weight_decay = optimizer.exec_weight_decay = optimizer.need_scale = False
        optimizer.reciprocal_scale = 1.0
        keys = list(zip(optimizer._group_numbers, self.decay_flags, self.lars_flag))
        firsts = {key: i for i, key in reversed(list(enumerate(keys)))}
        self._group_firsts, self._group_numbers = tuple(firsts.values()), tuple(list(firsts).index(key) for key in keys)
        self._options = epsilon, coefficient, use_clip

    def get_lr(self):
        """Learning rate of the inner optimizer; with groups a tuple."""
        return self.opt.get_lr()

    def construct(self, gradients: Sequence[Tensor]):
        check_fit(self, gradients, self.parameters)
        return self.opt(self._transformed(self._scaling(_now), self.scale_grad(gradients)))

    def _scaling(self, when):
        """The scaling of the gradients before the inner optimizer. when: see `Optimizer._core`."""
        rates = self._of_groups(self.get_lr, when) if self.use_clip else [0.0] * len(self._group_firsts)
        decays = self._of_groups(self.get_weight_decay, when)
        groups = []
        for i, rate, decay in zip(self._group_firsts, rates, decays):
            # the optimizer multiplied the decay by the loss scale, for gradients that are not divided yet
            decay = (lambda count, d=decay: d(count) / self.loss_scale) if self.decay_flags[i] else 0.0
            scaling = optim.scale_by_lars(*self._options, None, rate, decay)
            groups.append(scaling if self.lars_flag[i] else optax.identity())
        return self._by_group(groups)

    def as_optax(self):
        """As `Optimizer.as_optax`: the scaling, then the inner optimizer. The pytree must be that of the Parameters."""
        parts = [self._scale_part()] if self.need_scale else []
        return optax.chain(*parts, self._scaling(_later), self.opt.as_optax())


__all__ = ["LARS", "Lamb"]

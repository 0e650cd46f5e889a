"""Optimizers that scale the step of each Parameter by its norm, for large batches: Lamb and LARS."""

from ... import ops
from ...core.operators import check
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor, wrap
from . import rules
from .adam import check_betas
from .as_optax import as_optax, twin_of
from .optimizer import Optimizer, opt_init_args_register
from .step import check_fit, wide


class Lamb(Optimizer):
    """LAMB (You et al., 2020): Adam's direction plus weight decay, with the norm of the Parameter.

    Args: as for AdamWeightDecay.
    """

    @opt_init_args_register
    def __init__(self, params, learning_rate, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        check_betas(self.cls_name, beta1, beta2, eps)
        self._betas = beta1, beta2, eps
        self.beta1, self.beta2, self.eps = (Tensor([x], mstype.float32) for x in self._betas)
        self.params = self.parameters
        self.moments1 = self._clones("lamb_m")
        self.moments2 = self._clones("lamb_v")

    def _prepared(self, gradients):
        return self.gradients_centralization(gradients)  # the rule decays the Parameters

    def decay_weight(self, gradients):
        """The gradients as they are: the Parameters are decayed."""
        return gradients

    def rule(self):
        return rules.lamb(*self._betas, self._decays())


def _filter(param):
    return "LayerNorm" not in param.name and "bias" not in param.name


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
    """

    @opt_init_args_register
    def __init__(self, optimizer, epsilon=1e-05, coefficient=0.001, use_clip=False, lars_filter=_filter):
        super().__init__(0.0, [Parameter(Tensor(0.0), name="fake_param")])
        check.check_value_type("optimizer", optimizer, Optimizer, self.cls_name)
        check.check_value_type("epsilon", epsilon, [float], self.cls_name)
        check.check_value_type("coefficient", coefficient, [float], self.cls_name)
        check.check_value_type("use_clip", use_clip, [bool], self.cls_name)
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

    def rule(self):
        raise NotImplementedError(
            "For 'LARS', there is no transformation of its own: it scales the gradients of the "
            "optimizer that it was given."
        )

    def get_lr(self):
        """Learning rate of the inner optimizer; with groups a tuple."""
        return self.opt.get_lr()

    def construct(self, gradients):
        check_fit(self, gradients, self.parameters)
        return self.opt(self._scaled_gradients(gradients))

    def _scaled_gradients(self, gradients):
        gradients = self.scale_grad(gradients)
        decay = self.get_weight_decay()
        decays = decay if isinstance(decay, tuple) else (decay,) * self.param_length
        rate = self.get_lr() if self.use_clip else self.learning_rate
        rates = rate if isinstance(rate, tuple) else (rate,) * self.param_length
        return tuple(
            self._scaled(*row) if row[-1] else row[0]
            for row in zip(gradients, self.parameters, decays, rates, self.decay_flags, self.lars_flag)
        )

    def as_optax(self):
        """As `Optimizer.as_optax`: the scaling, then the inner optimizer. The pytree must be that of the Parameters."""
        inner = self.opt.as_optax()

        def step(rows, names, count, values, gradients, state):
            params = {self.parameters[i].name: v for i, v in zip(rows, values)}
            if count is None:
                return values, inner.init(params)
            twin = twin_of(self, rows, count, values)
            twin.__dict__["opt"] = twin_of(self.opt, rows, count, values)
            scaled = twin._scaled_gradients(tuple(map(wrap, gradients)))
            updates, state = inner.update(dict(zip(params, (g.jax_array for g in scaled))), state, params)
            return [wide(v) + updates[name] for name, v in params.items()], state

        return as_optax(self, step, alike=False)

    def _scaled(self, gradient, param, decay, rate, decayed, _):
        squares = [wrap((x.jax_array.astype("float32") ** 2).sum()) for x in (param, gradient)]
        return self.lars(
            param, gradient, *squares, decay.reshape(()) / self.loss_scale if decayed else Tensor(0.0), rate.reshape(())
        )


__all__ = ["LARS", "Lamb"]

"""Optimizer steps as operators: they write the Parameter and its states, and return what MindSpore returns."""

import jax.numpy as jnp

from ...core.operators.record import op
from ...optim import formulas


def _like(array, *values):
    """Values in the dtype of an array."""
    return [jnp.asarray(v).astype(array.dtype) for v in values]


@op(prim="ApplyGradientDescent()(var, alpha, delta)", ops=False, writes=(0,))
def apply_gradient_descent(var, alpha, delta):
    """var -= alpha * delta."""
    alpha, delta = _like(var, alpha, delta)
    return var - alpha * delta


def _momentum(var, accum, lr, grad, momentum, nesterov):
    change, accum = formulas.momentum(grad, lr, accum, momentum, nesterov)
    return var - change, accum


@op(
    prim="ApplyMomentum(use_nesterov=False, use_locking=False, gradient_scale=1.0)(variable, accumulation, "
    "learning_rate, gradient, momentum)",
    ops=False,
    writes=(0, 1),
)
def apply_momentum(
    variable, accumulation, learning_rate, gradient, momentum, use_nesterov=False, use_locking=False, gradient_scale=1.0
):
    """accumulation = accumulation * momentum + gradient; variable -= learning_rate * accumulation (or Nesterov's
    form)."""
    lr, grad, rate = _like(variable, learning_rate, gradient, momentum)
    var, accum = _momentum(variable, accumulation, lr, grad * gradient_scale, rate, use_nesterov)
    return var, accum.astype(accumulation.dtype), var


@op(
    prim="FusedWeightScaleApplyMomentum()(weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, "
    "momentum)",
    ops=False,
    writes=(2, 3),
)
def fused_weight_scale_apply_momentum(
    weight_decay, loss_scale, variable, accumulation, learning_rate, gradient, momentum
):
    """The momentum step on gradient * loss_scale + weight_decay * variable."""
    decay, scale, lr, grad, rate = _like(variable, weight_decay, loss_scale, learning_rate, gradient, momentum)
    var, accum = _momentum(variable, accumulation, lr, grad * scale + decay * variable, rate, False)
    return var, accum.astype(accumulation.dtype), var


@op(
    prim="ApplyKerasMomentum(use_locking=False, use_nesterov=False)(var, accum, lr, grad, momentum)",
    ops=False,
    writes=(0, 1),
)
def apply_keras_momentum(var, accum, lr, grad, momentum, use_locking=False, use_nesterov=False):
    """accum = accum * momentum - grad * lr; var += accum (or Nesterov's form)."""
    lr, grad, rate = _like(var, lr, grad, momentum)
    accum = accum * rate - grad * lr
    return var + (accum * rate - grad * lr if use_nesterov else accum), accum


@op(
    prim="SGD(dampening=0.0, weight_decay=0.0, nesterov=False)(parameters, gradient, learning_rate, accum, momentum, "
    "stat)",
    ops=False,
    writes=(0, 3, 5),
)
def sgd_step(
    parameters, gradient, learning_rate, accum, momentum, stat, dampening=0.0, weight_decay=0.0, nesterov=False
):
    """The step of stochastic gradient descent with momentum; `stat` is positive before the first step, in which there
    is no dampening."""
    lr, grad, rate = _like(parameters, learning_rate, gradient, momentum)
    grad = grad + parameters * weight_decay
    change, accumulated, stat = formulas.sgd(grad, lr, accum, stat, rate, dampening, nesterov)
    var = parameters - change
    return var, accumulated.astype(accum.dtype), stat, var


@op(
    prim="Adam(use_locking=False, use_nesterov=False)(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, "
    "gradient)",
    ops=False,
    writes=(0, 1, 2),
)
def adam_step(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_locking=False, use_nesterov=False
):
    """The step of Adam: moments of the gradient and its square, corrected for their start at 0."""
    b1p, b2p, lr, beta1, beta2, epsilon, grad = _like(
        var, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient
    )
    change, m, v = formulas.adam(grad, lr, m, v, b1p, b2p, beta1, beta2, epsilon, use_nesterov)
    return var - change, m, v


@op(
    prim="AdamNoUpdateParam(use_locking=False, use_nesterov=False)(m, v, beta1_power, beta2_power, lr, beta1, beta2, "
    "epsilon, gradient)",
    ops=False,
    writes=(0, 1),
)
def adam_no_update_param(
    m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient, use_locking=False, use_nesterov=False
):
    """The step of Adam without applying it: the moments are written, the change of the Parameter is returned."""
    b1p, b2p, lr, beta1, beta2, epsilon, grad = _like(m, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)
    change, m, v = formulas.adam(grad, lr, m, v, b1p, b2p, beta1, beta2, epsilon, use_nesterov)
    return m, v, -change


@op(ops=False, name="corrected_adam")
def corrected_adam(var, m, v, largest, gradient, number, lr, beta1, beta2, epsilon):
    """(var, m, v, largest v) after a step of Adam as published (https://arxiv.org/abs/1412.6980): epsilon is added after the bias
    correction. number: of this step, from 1. largest: v's largest so far, which takes v's place (amsgrad), or None."""
    change, *moments = formulas.corrected_adam(gradient, lr, m, v, largest, number, beta1, beta2, epsilon)
    return var - change, *moments


def _adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, grad):
    lr, beta1, beta2, epsilon, decay, grad = (
        jnp.asarray(x).astype(m.dtype) for x in (lr, beta1, beta2, epsilon, decay, grad)
    )
    wide = var.astype(m.dtype)
    change, m, v = formulas.adam_weight_decay(wide, grad, lr, m, v, beta1, beta2, epsilon, decay)
    return (wide - change).astype(var.dtype), m, v


@op(
    prim="AdamWeightDecay(use_locking=False)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)",
    ops=False,
    writes=(0, 1, 2),
)
def adam_weight_decay_step(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, use_locking=False):
    """The step of Adam with decoupled weight decay, without bias correction."""
    return _adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)


@op(
    prim="FusedCastAdamWeightDecay(use_locking=False)(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, "
    "global_norm)",
    ops=False,
    writes=(0, 1, 2),
)
def fused_cast_adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient, global_norm, use_locking=False):
    """The step of Adam with weight decay on a gradient that is divided by the global norm."""
    return _adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient / global_norm)


@op(
    prim="ApplyAdamWithAmsgrad(beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False)(var, m, v, vhat, "
    "beta1_power, beta2_power, lr, grad)",
    ops=False,
    writes=(0, 1, 2, 3),
    operands=("var", "m", "v", "vhat", "beta1_power", "beta2_power", "lr", "grad"),
)
def apply_adam_with_amsgrad(
    var, m, v, vhat, beta1_power, beta2_power, lr, grad, beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False
):
    """The step of Adam that divides by the largest second moment so far."""
    b1p, b2p, lr, grad, beta1, beta2, epsilon = _like(var, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon)
    change, *moments = formulas.amsgrad(grad, lr, m, v, vhat, b1p, b2p, beta1, beta2, epsilon)
    return var - change, *moments


@op(
    prim="ApplyAdamWithAmsgradV2(use_locking=False)(var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, "
    "epsilon, grad)",
    ops=False,
    writes=(0, 1, 2, 3),
)
def apply_adam_with_amsgrad_v2(
    var, m, v, vhat, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, use_locking=False
):
    """The step of Adam that divides by the largest second moment so far."""
    return apply_adam_with_amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon)


@op(prim="ApplyAdaMax()(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad)", ops=False, writes=(0, 1, 2))
def apply_ada_max(var, m, v, beta1_power, lr, beta1, beta2, epsilon, grad):
    """The step of AdaMax: the second moment is a decaying maximum."""
    b1p, lr, beta1, beta2, epsilon, grad = _like(var, beta1_power, lr, beta1, beta2, epsilon, grad)
    change, m, v = formulas.adamax(grad, lr, m, v, b1p, beta1, beta2, epsilon)
    return var - change, m, v


@op(prim="ApplyAdadelta()(var, accum, accum_update, lr, rho, epsilon, grad)", ops=False, writes=(0, 1, 2))
def apply_adadelta(var, accum, accum_update, lr, rho, epsilon, grad):
    """The step of Adadelta."""
    lr, rho, epsilon, grad = _like(var, lr, rho, epsilon, grad)
    change, *means = formulas.adadelta(grad, lr, accum, accum_update, rho, epsilon)
    return var - change, *means


@op(prim="ApplyAdagrad(update_slots=True)(var, accum, lr, grad)", ops=False, writes=(0, 1))
def apply_adagrad(var, accum, lr, grad, update_slots=True):
    """The step of Adagrad: accum += grad ** 2; var -= lr * grad / sqrt(accum)."""
    lr, grad = _like(var, lr, grad)
    change, accum = formulas.adagrad(grad, lr, accum, update_slots)
    return var - change, accum


@op(
    prim="ApplyAdagradV2(epsilon, update_slots=True)(var, accum, lr, grad)",
    ops=False,
    writes=(0, 1),
    operands=("var", "accum", "lr", "grad"),
)
def apply_adagrad_v2(var, accum, lr, grad, epsilon, update_slots=True):
    """The step of Adagrad with epsilon added to the root."""
    lr, grad = _like(var, lr, grad)
    change, accum = formulas.adagrad_with_epsilon(grad, lr, accum, epsilon, update_slots)
    return var - change, accum


@op(
    prim="ApplyAdagradDA(use_locking=False)(var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, "
    "l2, global_step)",
    ops=False,
    writes=(0, 1, 2),
)
def apply_adagrad_da(
    var, gradient_accumulator, gradient_squared_accumulator, grad, lr, l1, l2, global_step, use_locking=False
):
    """The step of Adagrad by dual averaging, with L1 and L2 regularization."""
    grad, lr, l1, l2, step = _like(var, grad, lr, l1, l2, global_step)
    total, squares = gradient_accumulator + grad, gradient_squared_accumulator + grad * grad
    top = jnp.where(l1 > 0, formulas.shrunk(total, l1 * step), total)
    var = -lr * top / (l2 * step * lr + jnp.sqrt(squares))
    return var, total, squares, var


def _sign_step(var, m, lr, beta, grad, factor):
    m = formulas.decayed(m, grad, beta)
    return var - lr * factor(jnp.sign(grad) * jnp.sign(m)) * grad, m


@op(prim="ApplyAddSign()(var, m, lr, alpha, sign_decay, beta, grad)", ops=False, writes=(0, 1))
def apply_add_sign(var, m, lr, alpha, sign_decay, beta, grad):
    """The step of AddSign: larger where gradient and moment have the same sign."""
    lr, alpha, decay, beta, grad = _like(var, lr, alpha, sign_decay, beta, grad)
    return _sign_step(var, m, lr, beta, grad, lambda s: alpha + decay * s)


@op(prim="ApplyPowerSign()(var, m, lr, logbase, sign_decay, beta, grad)", ops=False, writes=(0, 1))
def apply_power_sign(var, m, lr, logbase, sign_decay, beta, grad):
    """The step of PowerSign: larger where gradient and moment have the same sign."""
    lr, base, decay, beta, grad = _like(var, lr, logbase, sign_decay, beta, grad)
    return _sign_step(var, m, lr, beta, grad, lambda s: jnp.exp(base * decay * s))


@op(
    prim="ApplyRMSProp(use_locking=False)(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon)",
    ops=False,
    writes=(0, 1, 2),
    operands=("var", "mean_square", "moment", "learning_rate", "grad", "decay", "momentum", "epsilon"),
)
def apply_rms_prop(var, mean_square, moment, learning_rate, grad, decay, momentum, epsilon, use_locking=False):
    """The step of RMSProp with momentum."""
    lr, grad, decay, rate, epsilon = _like(var, learning_rate, grad, decay, momentum, epsilon)
    moment, square = formulas.rmsprop(grad, lr, mean_square, moment, decay, rate, epsilon)
    return var - moment, square, moment, var - moment


@op(
    prim="ApplyCenteredRMSProp(use_locking=False)(var, mean_gradient, mean_square, moment, grad, learning_rate, "
    "decay, momentum, epsilon)",
    ops=False,
    writes=(0, 1, 2, 3),
)
def apply_centered_rms_prop(
    var, mean_gradient, mean_square, moment, grad, learning_rate, decay, momentum, epsilon, use_locking=False
):
    """The step of RMSProp with momentum, on the variance of the gradient."""
    grad, lr, decay, rate, epsilon = _like(var, grad, learning_rate, decay, momentum, epsilon)
    moment, mean, square = formulas.centered_rmsprop(grad, lr, mean_gradient, mean_square, moment, decay, rate, epsilon)
    return var - moment, mean, square, moment, var - moment


def _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, shrinkage=0.0):
    new, accum, linear = formulas.ftrl(var, grad, lr, accum, linear, l1, l2, lr_power, shrinkage)
    return new.astype(var.dtype), accum, linear


@op(prim="ApplyFtrl(use_locking=False)(var, accum, linear, grad, lr, l1, l2, lr_power)", ops=False, writes=(0, 1, 2))
def apply_ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, use_locking=False):
    """The step of FTRL-proximal."""
    grad, lr, l1, l2, power = _like(var, grad, lr, l1, l2, lr_power)
    var, accum, linear = _ftrl(var, accum, linear, grad, lr, l1, l2, power)
    return var, accum, linear, var


@op(prim="ApplyProximalGradientDescent()(var, alpha, l1, l2, delta)", ops=False, writes=(0,))
def apply_proximal_gradient_descent(var, alpha, l1, l2, delta):
    """The step of proximal gradient descent with L1 and L2 regularization."""
    alpha, l1, l2, delta = _like(var, alpha, l1, l2, delta)
    return formulas.shrunk(var - alpha * delta, alpha * l1) / (1 + alpha * l2)


@op(prim="ApplyProximalAdagrad(use_locking=False)(var, accum, lr, l1, l2, grad)", ops=False, writes=(0, 1))
def apply_proximal_adagrad(var, accum, lr, l1, l2, grad, use_locking=False):
    """The step of proximal Adagrad with L1 and L2 regularization, which follow the adapted learning rate as
    MindSpore's kernel has it."""
    lr, l1, l2, grad = _like(var, lr, l1, l2, grad)
    return formulas.proximal_adagrad(var, grad, lr, accum, l1, l2)


@op(
    prim="LARSUpdate(epsilon=1e-05, hyperpara=0.001, use_clip=False)(weight, gradient, norm_weight, norm_gradient, "
    "weight_decay, learning_rate)",
    ops=False,
    operands=("weight", "gradient", "norm_weight", "norm_gradient", "weight_decay", "learning_rate"),
)
def lars_update(
    weight,
    gradient,
    norm_weight,
    norm_gradient,
    weight_decay,
    learning_rate,
    epsilon=1e-05,
    hyperpara=0.001,
    use_clip=False,
):
    """Gradient scaled layer by layer with the ratio of the norms of weight and gradient."""
    scaled = formulas.lars(
        weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate, epsilon, hyperpara, use_clip
    )
    return scaled.astype(gradient.dtype)


# --- sparse: only the rows `indices` take part; gradients of equal rows are added first
def _summed(grad, indices, var):
    """(gradient rows added up by their index, mask of the rows that occur)"""
    rows = var.shape[0]
    if grad.shape != (*indices.shape[:1], *var.shape[1:]):
        raise ValueError(
            f"the shape of 'grad' must be that of 'indices' and a row of 'var', {(*indices.shape[:1], *var.shape[1:])}, "
            f"but got {grad.shape}."
        )
    total = jnp.zeros((rows, *grad.shape[1:]), grad.dtype).at[indices].add(grad)
    present = jnp.zeros((rows,), bool).at[indices].set(True)
    return total, present.reshape((-1,) + (1,) * (grad.ndim - 1))


def _where(present, new, old):
    return tuple(jnp.where(present, n, o) for n, o in zip(new, old))


@op(
    prim="FusedSparseAdam(use_locking=False, use_nesterov=False)(var, m, v, beta1_power, beta2_power, lr, beta1, "
    "beta2, epsilon, grad, indices)",
    ops=False,
    writes=(0, 1, 2),
)
def fused_sparse_adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, indices, use_locking=False, use_nesterov=False
):
    """The step of Adam with a gradient of some rows; the other rows have gradient 0."""
    total, _ = _summed(grad, indices, var)
    return adam_step(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, total, False, use_nesterov)


@op(
    prim="FusedSparseLazyAdam(use_locking=False, use_nesterov=False)(var, m, v, beta1_power, beta2_power, lr, beta1, "
    "beta2, epsilon, grad, indices)",
    ops=False,
    writes=(0, 1, 2),
)
def fused_sparse_lazy_adam(
    var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, grad, indices, use_locking=False, use_nesterov=False
):
    """The step of Adam on some rows; the other rows stay as they are."""
    total, present = _summed(grad, indices, var)
    return _where(
        present,
        adam_step(var, m, v, beta1_power, beta2_power, lr, beta1, beta2, epsilon, total, False, use_nesterov),
        (var, m, v),
    )


@op(
    prim=(
        "FusedSparseFtrl(lr, l1, l2, lr_power, use_locking=False)(var, accum, linear, grad, indices)",
        "SparseApplyFtrl(lr, l1, l2, lr_power, use_locking=False)(var, accum, linear, grad, indices)",
    ),
    ops=False,
    writes=(0, 1, 2),
    operands=("var", "accum", "linear", "grad", "indices"),
)
def sparse_ftrl(var, accum, linear, grad, indices, lr, l1, l2, lr_power, use_locking=False):
    """The step of FTRL-proximal on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, _ftrl(var, accum, linear, total, lr, l1, l2, lr_power), (var, accum, linear))


@op(
    prim="SparseApplyFtrlV2(lr, l1, l2, l2_shrinkage, lr_power, use_locking=False)(var, accum, linear, grad, indices)",
    ops=False,
    writes=(0, 1, 2),
    operands=("var", "accum", "linear", "grad", "indices"),
)
def sparse_ftrl_v2(var, accum, linear, grad, indices, lr, l1, l2, l2_shrinkage, lr_power, use_locking=False):
    """The step of FTRL-proximal with L2 shrinkage on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, _ftrl(var, accum, linear, total, lr, l1, l2, lr_power, l2_shrinkage), (var, accum, linear))


@op(
    prim=(
        "FusedSparseProximalAdagrad(use_locking=False)(var, accum, lr, l1, l2, grad, indices)",
        "SparseApplyProximalAdagrad(use_locking=False)(var, accum, lr, l1, l2, grad, indices)",
    ),
    ops=False,
    writes=(0, 1),
)
def sparse_proximal_adagrad(var, accum, lr, l1, l2, grad, indices, use_locking=False):
    """The step of proximal Adagrad on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, apply_proximal_adagrad(var, accum, lr, l1, l2, total), (var, accum))


@op(
    prim="SparseApplyAdagrad(lr, update_slots=True, use_locking=False)(var, accum, grad, indices)",
    ops=False,
    writes=(0, 1),
    operands=("var", "accum", "grad", "indices"),
)
def sparse_adagrad(var, accum, grad, indices, lr, update_slots=True, use_locking=False):
    """The step of Adagrad on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, apply_adagrad(var, accum, lr, total, update_slots), (var, accum))


@op(
    prim="SparseApplyAdagradV2(lr, epsilon, use_locking=False, update_slots=True)(var, accum, grad, indices)",
    ops=False,
    writes=(0, 1),
    operands=("var", "accum", "grad", "indices"),
)
def sparse_adagrad_v2(var, accum, grad, indices, lr, epsilon, use_locking=False, update_slots=True):
    """The step of Adagrad with epsilon on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, apply_adagrad_v2(var, accum, lr, total, epsilon, update_slots), (var, accum))


@op(
    prim="SparseApplyAdadelta(epsilon, use_locking=False)(var, accum, accum_update, lr, rho, grad, indices)",
    ops=False,
    writes=(0, 1, 2),
    operands=("var", "accum", "accum_update", "lr", "rho", "grad", "indices"),
)
def sparse_adadelta(var, accum, accum_update, lr, rho, grad, indices, epsilon, use_locking=False):
    """The step of Adadelta on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(
        present, apply_adadelta(var, accum, accum_update, lr, rho, epsilon, total), (var, accum, accum_update)
    )


@op(
    prim="SparseApplyRMSProp(rho, momentum, epsilon, use_locking=False)(var, ms, mom, lr, grad, indices)",
    ops=False,
    writes=(0, 1, 2),
    operands=("var", "ms", "mom", "lr", "grad", "indices"),
)
def sparse_rms_prop(var, ms, mom, lr, grad, indices, rho, momentum, epsilon, use_locking=False):
    """The step of RMSProp on some rows."""
    total, present = _summed(grad, indices, var)
    return _where(present, apply_rms_prop(var, ms, mom, lr, total, rho, momentum, epsilon)[:3], (var, ms, mom))

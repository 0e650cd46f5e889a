"""Optimizer steps as operators: they write the Parameter and its states, and return the same results as MindSpore's."""

import functools
import inspect

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim, args
from ...core.spec import Array, Number, Operand
from ...core.values.promote import check_stays
from ...optim import formulas
from ..shapes import number_of_axes, same_shape

# rates that are Tensors, and no numbers
_RATES = (
    *("learning_rate", "momentum", "weight_decay", "loss_scale", "beta1_power", "beta2_power", "lr", "beta1", "beta2"),
    "epsilon",
)


def _update(**faces):
    """`op` for a step: states and gradients have the shape of the variable and no wider type, rates are one number."""

    def register(fn):
        params = list(inspect.signature(fn).parameters.values())
        whole = [i for i, p in enumerate(params) if p.annotation is Array and p.name not in _RATES]
        rates = [i for i, p in enumerate(params) if p.annotation is Operand or p.name in _RATES]
        first = faces["writes"][0]

        @functools.wraps(fn)
        def checked(*given):
            variable, name = given[first], params[first].name
            for i in whole:
                value, own = jnp.asarray(given[i]), params[i].name
                if value.shape != variable.shape:
                    raise ValueError(
                        f"the shape of '{own}' must be that of '{name}', {variable.shape}, but got {value.shape}."
                    )
                if i not in faces["writes"] and value.dtype.kind in "fc":
                    check_stays(variable, value, name, own)
            for i in rates:
                value, own = jnp.asarray(given[i]), params[i].name
                if value.shape not in ((), (1,)):
                    raise ValueError(f"'{own}' must be one number, but got an array of shape {value.shape}.")
                if value.dtype.kind == "c":
                    raise TypeError(f"the type of '{own}' must be a real number's, but got complex.")
            return fn(*given)

        op(checked, **faces)
        return fn

    return register


def _like(array, *values):
    """Values in the dtype of an array."""
    return [jnp.asarray(v).astype(array.dtype) for v in values]


@_update(prim=Prim("ApplyGradientDescent"), ops=False, writes=(0,))
def apply_gradient_descent(var: Array, alpha: Operand, delta: Array) -> Array:
    """var -= alpha * delta."""
    alpha, delta = _like(var, alpha, delta)
    return var - alpha * delta


def _momentum(var, accum, lr, grad, momentum, nesterov):
    change, accum = formulas.momentum(grad, lr, accum, momentum, nesterov)
    return var - change, accum


@_update(
    prim=Prim(
        "ApplyMomentum",
        init=args(use_nesterov=False, use_locking=False, gradient_scale=1.0),
        call=args("variable", "accumulation", "learning_rate", "gradient", "momentum"),
    ),
    ops=False,
    writes=(0, 1),
)
def apply_momentum(
    variable: Array,
    accumulation: Array,
    learning_rate: Operand,
    gradient: Array,
    momentum: Operand,
    use_nesterov: bool = False,
    use_locking: bool = False,
    gradient_scale: Number = 1.0,
):
    """accumulation = accumulation * momentum + gradient; variable -= learning_rate * accumulation, or Nesterov's form."""
    lr, grad, rate = _like(variable, learning_rate, gradient, momentum)
    var, accum = _momentum(variable, accumulation, lr, grad * gradient_scale, rate, use_nesterov)
    return var, accum.astype(accumulation.dtype), var


@_update(prim=Prim("FusedWeightScaleApplyMomentum"), ops=False, writes=(2, 3))
def fused_weight_scale_apply_momentum(
    weight_decay: Array,
    loss_scale: Array,
    variable: Array,
    accumulation: Array,
    learning_rate: Operand,
    gradient: Array,
    momentum: Operand,
):
    """The momentum step on gradient * loss_scale + weight_decay * variable."""
    decay, scale, lr, grad, rate = _like(variable, weight_decay, loss_scale, learning_rate, gradient, momentum)
    var, accum = _momentum(variable, accumulation, lr, grad * scale + decay * variable, rate, False)
    return var, accum.astype(accumulation.dtype), var


@_update(
    prim=Prim(
        "ApplyKerasMomentum",
        init=args(use_locking=False, use_nesterov=False),
        call=args("var", "accum", "lr", "grad", "momentum"),
    ),
    ops=False,
    writes=(0, 1),
)
def apply_keras_momentum(
    var: Array,
    accum: Array,
    lr: Operand,
    grad: Array,
    momentum: Operand,
    use_locking: bool = False,
    use_nesterov: bool = False,
):
    """accum = accum * momentum - grad * lr; var += accum (or Nesterov's form)."""
    number_of_axes("ApplyKerasMomentum", 0, lr=jnp.shape(lr), momentum=jnp.shape(momentum))
    lr, grad, rate = _like(var, lr, grad, momentum)
    accum = accum * rate - grad * lr
    return var + (accum * rate - grad * lr if use_nesterov else accum), accum


@_update(
    prim=Prim(
        "SGD",
        init=args(dampening=0.0, weight_decay=0.0, nesterov=False),
        call=args("parameters", "gradient", "learning_rate", "accum", "momentum", "stat"),
    ),
    ops=False,
    writes=(0, 3, 5),
)
def sgd_step(
    parameters: Array,
    gradient: Array,
    learning_rate: Array,
    accum: Array,
    momentum: Array,
    stat: Array,
    dampening: Number = 0.0,
    weight_decay: Number = 0.0,
    nesterov: bool = False,
):
    """The step of stochastic gradient descent with momentum; `stat` is positive before the first step, in which there is no dampening."""
    lr, grad, rate = _like(parameters, learning_rate, gradient, momentum)
    grad = grad + parameters * weight_decay
    change, accumulated, stat = formulas.sgd(grad, lr, accum, stat, rate, dampening, nesterov)
    var = parameters - change
    return var, accumulated.astype(accum.dtype), stat, var


@_update(
    prim=Prim(
        "Adam",
        init=args(use_locking=False, use_nesterov=False),
        call=args("var", "m", "v", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "gradient"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def adam_step(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    gradient: Array,
    use_locking: bool = False,
    use_nesterov: bool = False,
):
    """The step of Adam: moments of the gradient and its square, corrected for their start at 0."""
    b1p, b2p, lr, beta1, beta2, epsilon, grad = _like(
        var, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient
    )
    change, m, v = formulas.adam(grad, lr, m, v, b1p, b2p, beta1, beta2, epsilon, use_nesterov)
    return var - change, m, v


@_update(
    prim=Prim(
        "AdamNoUpdateParam",
        init=args(use_locking=False, use_nesterov=False),
        call=args("m", "v", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "gradient"),
    ),
    ops=False,
    writes=(0, 1),
)
def adam_no_update_param(
    m: Array,
    v: Array,
    beta1_power: Array,
    beta2_power: Array,
    lr: Array,
    beta1: Array,
    beta2: Array,
    epsilon: Array,
    gradient: Array,
    use_locking: bool = False,
    use_nesterov: bool = False,
):
    """The step of Adam without applying it: the moments are written, the change of the Parameter is returned."""
    b1p, b2p, lr, beta1, beta2, epsilon, grad = _like(m, beta1_power, beta2_power, lr, beta1, beta2, epsilon, gradient)
    change, m, v = formulas.adam(grad, lr, m, v, b1p, b2p, beta1, beta2, epsilon, use_nesterov)
    return m, v, -change


@op(ops=False, name="corrected_adam")
def corrected_adam(
    var: Array,
    m: Operand,
    v: Operand,
    largest: Operand,
    gradient: Operand,
    number: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
):
    """(var, m, v, largest v) after a step of Adam as published (https://arxiv.org/abs/1412.6980): epsilon is added after the bias
    correction. number: of this step, from 1. largest: v's largest so far, which takes v's place (amsgrad), or None.
    """
    change, *moments = formulas.corrected_adam(gradient, lr, m, v, largest, number, beta1, beta2, epsilon)
    return var - change, *moments


def _adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, grad):
    lr, beta1, beta2, epsilon, decay, grad = (
        jnp.asarray(x).astype(m.dtype) for x in (lr, beta1, beta2, epsilon, decay, grad)
    )
    wide = var.astype(m.dtype)
    change, m, v = formulas.adam_weight_decay(wide, grad, lr, m, v, beta1, beta2, epsilon, decay)
    return (wide - change).astype(var.dtype), m, v


@_update(
    prim=Prim(
        "AdamWeightDecay",
        init=args(use_locking=False),
        call=args("var", "m", "v", "lr", "beta1", "beta2", "epsilon", "decay", "gradient"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def adam_weight_decay_step(
    var: Array,
    m: Array,
    v: Array,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    decay: Operand,
    gradient: Array,
    use_locking: bool = False,
):
    """The step of Adam with decoupled weight decay, without bias correction."""
    return _adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient)


@_update(
    prim=Prim(
        "FusedCastAdamWeightDecay",
        init=args(use_locking=False),
        call=args("var", "m", "v", "lr", "beta1", "beta2", "epsilon", "decay", "gradient", "global_norm"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def fused_cast_adam_weight_decay(
    var: Array,
    m: Array,
    v: Array,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    decay: Operand,
    gradient: Array,
    global_norm: Operand,
    use_locking: bool = False,
):
    """The step of Adam with weight decay on a gradient that is divided by the global norm."""
    return _adam_weight_decay(var, m, v, lr, beta1, beta2, epsilon, decay, gradient / global_norm)


@_update(
    prim=Prim(
        "ApplyAdamWithAmsgrad",
        init=args(beta1=0.9, beta2=0.999, epsilon=1e-08, use_locking=False),
        call=args("var", "m", "v", "vhat", "beta1_power", "beta2_power", "lr", "grad"),
    ),
    ops=False,
    writes=(0, 1, 2, 3),
)
def apply_adam_with_amsgrad(
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    grad: Array,
    beta1: Number = 0.9,
    beta2: Number = 0.999,
    epsilon: Number = 1e-08,
    use_locking: bool = False,
):
    """The step of Adam that divides by the largest second moment so far."""
    b1p, b2p, lr, grad, beta1, beta2, epsilon = _like(var, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon)
    change, *moments = formulas.amsgrad(grad, lr, m, v, vhat, b1p, b2p, beta1, beta2, epsilon)
    return var - change, *moments


@_update(
    prim=Prim(
        "ApplyAdamWithAmsgradV2",
        init=args(use_locking=False),
        call=args("var", "m", "v", "vhat", "beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon", "grad"),
    ),
    ops=False,
    writes=(0, 1, 2, 3),
)
def apply_adam_with_amsgrad_v2(
    var: Array,
    m: Array,
    v: Array,
    vhat: Array,
    beta1_power: Operand,
    beta2_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    grad: Array,
    use_locking: bool = False,
):
    """The step of Adam that divides by the largest second moment so far."""
    return apply_adam_with_amsgrad(var, m, v, vhat, beta1_power, beta2_power, lr, grad, beta1, beta2, epsilon)


@_update(prim=Prim("ApplyAdaMax"), ops=False, writes=(0, 1, 2))
def apply_ada_max(
    var: Array,
    m: Array,
    v: Array,
    beta1_power: Operand,
    lr: Operand,
    beta1: Operand,
    beta2: Operand,
    epsilon: Operand,
    grad: Array,
):
    """The step of AdaMax: the second moment is a decaying maximum."""
    b1p, lr, beta1, beta2, epsilon, grad = _like(var, beta1_power, lr, beta1, beta2, epsilon, grad)
    change, m, v = formulas.adamax(grad, lr, m, v, b1p, beta1, beta2, epsilon)
    return var - change, m, v


@_update(prim=Prim("ApplyAdadelta"), ops=False, writes=(0, 1, 2))
def apply_adadelta(
    var: Array, accum: Array, accum_update: Array, lr: Operand, rho: Operand, epsilon: Operand, grad: Array
):
    """The step of Adadelta."""
    lr, rho, epsilon, grad = _like(var, lr, rho, epsilon, grad)
    change, *means = formulas.adadelta(grad, lr, accum, accum_update, rho, epsilon)
    return var - change, *means


@_update(
    prim=Prim("ApplyAdagrad", init=args(update_slots=True), call=args("var", "accum", "lr", "grad")),
    ops=False,
    writes=(0, 1),
)
def apply_adagrad(var: Array, accum: Array, lr: Operand, grad: Array, update_slots: bool = True):
    """The step of Adagrad: accum += grad ** 2; var -= lr * grad / sqrt(accum)."""
    lr, grad = _like(var, lr, grad)
    change, accum = formulas.adagrad(grad, lr, accum, update_slots)
    return var - change, accum


@_update(
    prim=Prim("ApplyAdagradV2", init=args("epsilon", update_slots=True), call=args("var", "accum", "lr", "grad")),
    ops=False,
    writes=(0, 1),
)
def apply_adagrad_v2(var: Array, accum: Array, lr: Operand, grad: Array, epsilon: Number, update_slots: bool = True):
    """The step of Adagrad with epsilon added to the root."""
    lr, grad = _like(var, lr, grad)
    change, accum = formulas.adagrad_with_epsilon(grad, lr, accum, epsilon, update_slots)
    return var - change, accum


@_update(
    prim=Prim(
        "ApplyAdagradDA",
        init=args(use_locking=False),
        call=args(
            "var", "gradient_accumulator", "gradient_squared_accumulator", "grad", "lr", "l1", "l2", "global_step"
        ),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def apply_adagrad_da(
    var: Array,
    gradient_accumulator: Array,
    gradient_squared_accumulator: Array,
    grad: Array,
    lr: Operand,
    l1: Operand,
    l2: Operand,
    global_step: Operand,
    use_locking: bool = False,
):
    """The step of Adagrad by dual averaging, with L1 and L2 regularization."""
    given = {"lr": lr, "l1": l1, "l2": l2, "global_step": global_step}
    number_of_axes("ApplyAdagradDA", 0, **{name: jnp.shape(value) for name, value in given.items()})
    grad, lr, l1, l2, step = _like(var, grad, lr, l1, l2, global_step)
    total, squares = gradient_accumulator + grad, gradient_squared_accumulator + grad * grad
    top = jnp.where(l1 > 0, formulas.shrunk(total, l1 * step), total)
    var = -lr * top / (l2 * step * lr + jnp.sqrt(squares))
    return var, total, squares, var


def _sign_step(var, m, lr, beta, grad, factor):
    m = formulas.decayed(m, grad, beta)
    return var - lr * factor(jnp.sign(grad) * jnp.sign(m)) * grad, m


@_update(prim=Prim("ApplyAddSign"), ops=False, writes=(0, 1))
def apply_add_sign(var: Array, m: Array, lr: Operand, alpha: Operand, sign_decay: Operand, beta: Operand, grad: Array):
    """The step of AddSign: larger where gradient and moment have the same sign."""
    lr, alpha, decay, beta, grad = _like(var, lr, alpha, sign_decay, beta, grad)
    return _sign_step(var, m, lr, beta, grad, lambda s: alpha + decay * s)


@_update(prim=Prim("ApplyPowerSign"), ops=False, writes=(0, 1))
def apply_power_sign(
    var: Array, m: Array, lr: Operand, logbase: Operand, sign_decay: Operand, beta: Operand, grad: Array
):
    """The step of PowerSign: larger where gradient and moment have the same sign."""
    lr, base, decay, beta, grad = _like(var, lr, logbase, sign_decay, beta, grad)
    return _sign_step(var, m, lr, beta, grad, lambda s: jnp.exp(base * decay * s))


@_update(
    prim=Prim(
        "ApplyRMSProp",
        init=args(use_locking=False),
        call=args("var", "mean_square", "moment", "learning_rate", "grad", "decay", "momentum", "epsilon"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def apply_rms_prop(
    var: Array,
    mean_square: Array,
    moment: Array,
    learning_rate: Operand,
    grad: Array,
    decay: Operand,
    momentum: Operand,
    epsilon: Operand,
    use_locking: bool = False,
):
    """The step of RMSProp with momentum."""
    lr, grad, decay, rate, epsilon = _like(var, learning_rate, grad, decay, momentum, epsilon)
    moment, square = formulas.rmsprop(grad, lr, mean_square, moment, decay, rate, epsilon)
    return var - moment, square, moment, var - moment


@_update(
    prim=Prim(
        "ApplyCenteredRMSProp",
        init=args(use_locking=False),
        call=args(
            "var", "mean_gradient", "mean_square", "moment", "grad", "learning_rate", "decay", "momentum", "epsilon"
        ),
    ),
    ops=False,
    writes=(0, 1, 2, 3),
)
def apply_centered_rms_prop(
    var: Array,
    mean_gradient: Array,
    mean_square: Array,
    moment: Array,
    grad: Array,
    learning_rate: Operand,
    decay: Operand,
    momentum: Operand,
    epsilon: Operand,
    use_locking: bool = False,
):
    """The step of RMSProp with momentum, on the variance of the gradient."""
    grad, lr, decay, rate, epsilon = _like(var, grad, learning_rate, decay, momentum, epsilon)
    moment, mean, square = formulas.centered_rmsprop(grad, lr, mean_gradient, mean_square, moment, decay, rate, epsilon)
    return var - moment, mean, square, moment, var - moment


def _ftrl(var, accum, linear, grad, lr, l1, l2, lr_power, shrinkage=0.0):
    new, accum, linear = formulas.ftrl(var, grad, lr, accum, linear, l1, l2, lr_power, shrinkage)
    return new.astype(var.dtype), accum, linear


@_update(
    prim=Prim(
        "ApplyFtrl",
        init=args(use_locking=False),
        call=args("var", "accum", "linear", "grad", "lr", "l1", "l2", "lr_power"),
    ),
    ops=False,
    writes=(0, 1, 2),
)
def apply_ftrl(
    var: Array,
    accum: Array,
    linear: Array,
    grad: Array,
    lr: Operand,
    l1: Operand,
    l2: Operand,
    lr_power: Operand,
    use_locking: bool = False,
):
    """The step of FTRL-proximal."""
    grad, lr, l1, l2, power = _like(var, grad, lr, l1, l2, lr_power)
    var, accum, linear = _ftrl(var, accum, linear, grad, lr, l1, l2, power)
    return var, accum, linear, var


@_update(prim=Prim("ApplyProximalGradientDescent"), ops=False, writes=(0,))
def apply_proximal_gradient_descent(var: Array, alpha: Operand, l1: Operand, l2: Operand, delta: Array) -> Array:
    """The step of proximal gradient descent with L1 and L2 regularization."""
    alpha, l1, l2, delta = _like(var, alpha, l1, l2, delta)
    return formulas.shrunk(var - alpha * delta, alpha * l1) / (1 + alpha * l2)


@_update(
    prim=Prim(
        "ApplyProximalAdagrad", init=args(use_locking=False), call=args("var", "accum", "lr", "l1", "l2", "grad")
    ),
    ops=False,
    writes=(0, 1),
)
def apply_proximal_adagrad(
    var: Array, accum: Array, lr: Operand, l1: Operand, l2: Operand, grad: Array, use_locking: bool = False
):
    """The step of proximal Adagrad with L1 and L2 regularization, which follow the adapted learning rate as in MindSpore's kernel."""
    lr, l1, l2, grad = _like(var, lr, l1, l2, grad)
    return formulas.proximal_adagrad(var, grad, lr, accum, l1, l2)


@op(
    prim=Prim(
        "LARSUpdate", inputs=("weight", "gradient", "norm_weight", "norm_gradient", "weight_decay", "learning_rate")
    ),
    ops=False,
)
def lars_update(
    weight: Array,
    gradient: Array,
    norm_weight: Array,
    norm_gradient: Array,
    weight_decay: Operand,
    learning_rate: Operand,
    epsilon: Number = 1e-05,
    hyperpara: Number = 0.001,
    use_clip: bool = False,
) -> Array:
    """Gradient scaled layer by layer with the ratio of the norms of weight and gradient."""
    same_shape("LARSUpdate", weight=weight.shape, gradient=gradient.shape)
    same_shape("LARSUpdate", norm_weight=norm_weight.shape, norm_gradient=norm_gradient.shape)
    scaled = formulas.lars(
        weight, gradient, norm_weight, norm_gradient, weight_decay, learning_rate, epsilon, hyperpara, use_clip
    )
    return scaled.astype(gradient.dtype)

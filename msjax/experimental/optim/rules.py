"""Rules (see `nn.optim.rules`) of the optimizers that take torch-like arguments, in `experimental.optim` and
`mint.optim`.

Each is made for one group of Parameters: its options are keywords. `step` below is the number of this step, from 1.
"""

import jax.numpy as jnp
import numpy as np

from ...nn.optim.rules import counted, elementwise, filled, ones, zeros
from ...ops.optim.updates import adam_step, apply_adadelta, apply_adagrad_v2, corrected_adam, sgd_step

_ONE = np.float32(1)


def _f32(*numbers):
    return [np.float32(n) for n in numbers]


def _number(shared):
    """The step's number from the one shared scalar, as float32."""
    (value,) = shared.values()
    return value.astype(jnp.float32)


def sgd(momentum, dampening, nesterov):
    """SGD as `nn.SGD`: without dampening in the first step."""
    momentum = np.float32(momentum)

    def step(p, g, r, accum, stat):
        if momentum == 0:
            return p - r * g, accum, stat
        return sgd_step(p, g, r, accum, momentum, stat, dampening, 0.0, nesterov)[:3]

    return elementwise(step, {"accum": zeros, "stat": ones})


def momentum_buffer(momentum, dampening, nesterov):
    """SGD whose momentum buffer starts as the first gradient."""
    momentum, dampening = _f32(momentum, dampening)

    def step(p, g, r, buffer, *, step_t):
        if momentum == 0:
            return p - r * g, buffer
        buffer = jnp.where(step_t == 1, g, buffer * momentum + g * (_ONE - dampening))
        return p - r * (g + momentum * buffer if nesterov else buffer), buffer

    return elementwise(step, {"momentum_buf": zeros}, counted("step_t"))


def adam(beta1, beta2, eps, amsgrad):
    """Adam with epsilon added to sqrt(v) before the bias correction; with amsgrad the largest second moment takes v's
    place."""
    beta1, beta2, eps = _f32(beta1, beta2, eps)

    def step(p, g, r, m, v, top, **shared):
        n = _number(shared)
        powers = beta1**n, beta2**n
        new, m, v = adam_step(p, m, v, *powers, r, beta1, beta2, eps, g)
        if amsgrad:
            top = jnp.maximum(top, v)
            new = p - r * jnp.sqrt(_ONE - powers[1]) / (_ONE - powers[0]) * m / (jnp.sqrt(top) + eps)
        return new, m, v, top

    return elementwise(step, {"exp_avg": zeros, "exp_avg_sq": zeros, "max_exp_avg_sq": zeros}, counted("state_step"))


def _corrected(beta1, beta2, eps, weight_decay, amsgrad, decoupled, first=0):
    """Step of Adam as published: epsilon is added after the bias correction. decoupled: weight decay shrinks the
    Parameter (AdamW)."""
    beta1, beta2, eps, decay = _f32(beta1, beta2, eps, weight_decay)

    def step(p, g, r, m, v, *top, **shared):
        n = _number(shared) - np.float32(first)
        if decoupled:
            p = p * (_ONE - r * decay)
        p, m, v, largest = corrected_adam(p, m, v, top[0] if amsgrad else None, g, n, r, beta1, beta2, eps)
        return p, m, v, *((largest,) if amsgrad else top)

    return step


def adamw(beta1, beta2, eps, weight_decay, amsgrad):
    """AdamW (Loshchilov and Hutter, 2019)."""
    fields = {"exp_avg": zeros, "exp_avg_sq": zeros, "max_exp_avg_sq": zeros}
    return elementwise(_corrected(beta1, beta2, eps, weight_decay, amsgrad, True), fields, counted("state_step"))


def mint_adam(beta1, beta2, eps, weight_decay, amsgrad, decoupled, first=0):
    """Adam and AdamW of `mint.optim`: the largest second moment is kept only where it is used. first: what
    `state_step` starts from."""
    fields = {"exp_avg": zeros, "exp_avg_sq": zeros, **({"max_exp_avg_sq": zeros} if amsgrad else {})}
    return elementwise(
        _corrected(beta1, beta2, eps, weight_decay, amsgrad, decoupled, first),
        fields,
        {"state_step": (np.float32(first), lambda n: n + _ONE)},
    )


def adagrad(lr_decay, eps, initial_accumulator_value):
    """Adagrad whose learning rate falls with the number of steps."""
    decay = np.float32(lr_decay)

    def step(p, g, r, accum, *, step_t):
        past = (step_t - 1).astype(jnp.float32)
        return apply_adagrad_v2(p, accum, r / (_ONE + past * decay), g, np.float32(eps))

    return elementwise(step, {"accum": filled(initial_accumulator_value)}, counted("step_t"))


def adadelta(rho, eps):
    """Adadelta (Zeiler, 2012)."""
    rho, eps = _f32(rho, eps)

    def step(p, g, r, accum, accum_update):
        return apply_adadelta(p, accum, accum_update, r, rho, eps, g)

    return elementwise(step, {"accum": zeros, "accum_update": zeros})


def adamax(beta1, beta2, eps):
    """AdaMax (Kingma and Ba, 2015), with epsilon added to |g| before the maximum is taken."""
    beta1, beta2, eps = _f32(beta1, beta2, eps)

    def step(p, g, r, m, top, **shared):
        m = m * beta1 + g * (_ONE - beta1)
        top = jnp.maximum(top * beta2, jnp.abs(g) + eps)
        return p - r / (_ONE - beta1 ** _number(shared)) * m / top, m, top

    return elementwise(step, {"exp_avg": zeros, "exp_inf": zeros}, counted("step_t"))


def nadam(beta1, beta2, eps, momentum_decay):
    """NAdam (Dozat, 2016): Adam with Nesterov momentum."""
    beta1, beta2, eps, decay = _f32(beta1, beta2, eps, momentum_decay)
    half, base = _f32(0.5, 0.96)

    def step(p, g, r, m, v, product, **shared):
        n = _number(shared)
        mu, following = (beta1 * (_ONE - half * base ** (k * decay)) for k in (n, n + _ONE))
        product = product * mu
        m = m * beta1 + g * (_ONE - beta1)
        v = v * beta2 + g * g * (_ONE - beta2)
        below = jnp.sqrt(v / (_ONE - beta2**n)) + eps
        p = p - r * (_ONE - mu) / (_ONE - product) * g / below
        return p - r * following / (_ONE - product * following) * m / below, m, v, product

    return elementwise(
        step, {"exp_avg": zeros, "exp_avg_sq": zeros, "mu_product": lambda p: jnp.float32(1)}, counted("step_t")
    )


def radam(beta1, beta2, eps):
    """RAdam (Liu et al., 2020): plain momentum until the second moment can be trusted."""
    limit, rate_of_decay = _f32(2 / (1 - beta2) - 1, np.log(beta2) if beta2 else -np.inf)
    beta1, beta2, eps = _f32(beta1, beta2, eps)
    two, four = _f32(2, 4)

    def step(p, g, r, m, v, **shared):
        n = _number(shared)
        m = m * beta1 + g * (_ONE - beta1)
        v = v * beta2 + g * g * (_ONE - beta2)
        missing = -jnp.expm1(n * rate_of_decay)  # 1 - beta2 ** n; subtracting would cost rho three digits
        rho = limit - two * n * (_ONE - missing) / missing
        trusted = rho > 5
        safe = jnp.where(trusted, rho, np.float32(6))
        rectified = jnp.sqrt((safe - four) * (safe - two) * limit / ((limit - four) * (limit - two) * safe))
        factor = jnp.where(trusted, jnp.sqrt(missing) / (jnp.sqrt(v) + eps) * rectified, _ONE)
        return p - m / (_ONE - beta1**n) * r * factor, m, v

    return elementwise(step, {"exp_avg": zeros, "exp_avg_sq": zeros}, counted("step_t"))


def rmsprop(alpha, eps, momentum, centered):
    """RMSprop (Hinton, 2012) with epsilon added to the root."""
    alpha, eps, momentum = _f32(alpha, eps, momentum)

    def step(p, g, r, mean, square, moment):
        square = square * alpha + g * g * (_ONE - alpha)
        below = square
        if centered:
            mean = mean * alpha + g * (_ONE - alpha)
            below = square - mean * mean
        direction = g / (jnp.sqrt(below) + eps)
        if momentum > 0:
            direction = moment = moment * momentum + direction
        return p - r * direction, mean, square, moment

    return elementwise(step, {"mean_grad": zeros, "mean_square": zeros, "moment": zeros})

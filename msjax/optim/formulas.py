"""The steps of MindSpore's optimizers on one array: pure functions, shared by the transformations of this package and by the
operators of `msjax.ops` (`ops.Adam`, `ops.ApplyMomentum`, ...).

Arguments in this order: the parameter where it is needed, gradient, learning rate, state, numbers. The first result is the *change*,
which is subtracted from the parameter, or, where the text says so, the new parameter; the new state follows. All arrays have one
dtype. The order of the operations is that of MindSpore's kernels, so that the rounding is theirs.
"""

import jax
import jax.numpy as jnp
from jax import lax

Array = jax.Array | float
Step = tuple[jax.Array, ...]


def decayed(old: Array, new: Array, rate: Array) -> jax.Array:
    """rate * old + (1 - rate) * new, rounded as MindSpore's kernels round it."""
    return old + (new - old) * (1 - rate)


def momentum(g: Array, rate: Array, accum: Array, momentum: Array, nesterov: bool = False) -> Step:
    """(change, accum): accum = momentum accum + g; with `nesterov` the change looks one step ahead."""
    accum = accum * momentum + g
    return rate * (g + momentum * accum if nesterov else accum), accum


def sgd(
    g: Array, rate: Array, accum: Array, stat: Array, momentum: Array, dampening: float = 0.0, nesterov: bool = False
) -> Step:
    """(change, accum, stat); `stat` is positive before the first step, in which there is no dampening. A momentum of 0 leaves the state."""
    new = jnp.where(stat > 0, g, accum * momentum + g * (1 - dampening))
    moving = momentum != 0
    change = rate * jnp.where(moving, g + new * momentum if nesterov else new, g)
    return change, jnp.where(moving, new, accum), jnp.where(moving, jnp.zeros_like(stat), stat)


def adam(
    g: Array,
    rate: Array,
    m: Array,
    v: Array,
    power1: Array,
    power2: Array,
    beta1: Array,
    beta2: Array,
    eps: Array,
    nesterov: bool = False,
) -> Step:
    """(change, m, v) of Adam (https://arxiv.org/abs/1412.6980) with epsilon added to sqrt(v) before the bias correction.

    power1, power2: beta ** number of the step.
    """
    rate = rate * jnp.sqrt(1 - power2) / (1 - power1)
    m, v = decayed(m, g, beta1), decayed(v, g * g, beta2)
    top = m * beta1 + (1 - beta1) * g if nesterov else m
    return rate * top / (jnp.sqrt(v) + eps), m, v


def amsgrad(
    g: Array,
    rate: Array,
    m: Array,
    v: Array,
    largest: Array,
    power1: Array,
    power2: Array,
    beta1: Array,
    beta2: Array,
    eps: Array,
) -> Step:
    """(change, m, v, largest): Adam that divides by the largest second moment so far (Reddi et al., 2018)."""
    rate = rate * jnp.sqrt(1 - power2) / (1 - power1)
    m, v = decayed(m, g, beta1), decayed(v, g * g, beta2)
    largest = jnp.maximum(largest, v)
    return rate * m / (jnp.sqrt(largest) + eps), m, v, largest


def corrected_adam(
    g: Array,
    rate: Array,
    m: Array,
    v: Array,
    largest: Array | None,
    number: Array,
    beta1: Array,
    beta2: Array,
    eps: Array,
) -> Step:
    """(change, m, v, largest) of Adam as published: epsilon is added after the bias correction.

    number: of the step, from 1. largest: v's largest so far, which takes v's place (amsgrad), or None.
    """
    m = m * beta1 + g * (1 - beta1)
    v = v * beta2 + g * g * (1 - beta2)
    largest = v if largest is None else jnp.maximum(largest, v)
    below = jnp.sqrt(largest) / jnp.sqrt(1 - beta2**number) + eps
    return m / below * (rate / (1 - beta1**number)), m, v, largest


def adam_weight_decay(
    p: Array, g: Array, rate: Array, m: Array, v: Array, beta1: Array, beta2: Array, eps: Array, decay: Array
) -> Step:
    """(change, m, v) of Adam without bias correction, with decoupled weight decay."""
    m, v = decayed(m, g, beta1), decayed(v, g * g, beta2)
    return rate * (m / (jnp.sqrt(v) + eps) + decay * p), m, v


def adamax(g: Array, rate: Array, m: Array, v: Array, power1: Array, beta1: Array, beta2: Array, eps: Array) -> Step:
    """(change, m, v) of AdaMax: the second moment is a decaying maximum of |g|."""
    m, v = decayed(m, g, beta1), jnp.maximum(beta2 * v, jnp.abs(g))
    return rate / (1 - power1) * m / (v + eps), m, v


def adadelta(g: Array, rate: Array, accum: Array, accum_update: Array, rho: Array, eps: Array) -> Step:
    """(change, accum, accum_update) of Adadelta (https://arxiv.org/abs/1212.5701)."""
    accum = decayed(accum, g * g, rho)
    update = jnp.sqrt(accum_update + eps) * lax.rsqrt(accum + eps) * g
    return rate * update, accum, decayed(accum_update, update * update, rho)


def adagrad(g: Array, rate: Array, accum: Array, update_slots: bool = True) -> Step:
    """(change, accum): accum += g ** 2 (with `update_slots`); the change is rate * g / sqrt(accum)."""
    accum = accum + g * g if update_slots else accum
    return rate * g * lax.rsqrt(accum), accum


def adagrad_with_epsilon(g: Array, rate: Array, accum: Array, eps: Array, update_slots: bool = True) -> Step:
    """(change, accum) of Adagrad with epsilon added to the root."""
    accum = accum + g * g if update_slots else accum
    return rate * g / (jnp.sqrt(accum) + eps), accum


def rmsprop(g: Array, rate: Array, square: Array, moment: Array, decay: Array, momentum: Array, eps: Array) -> Step:
    """(change, square): the change is the new moment too."""
    square = decayed(square, g * g, decay)
    return momentum * moment + rate * g * lax.rsqrt(square + eps), square


def centered_rmsprop(
    g: Array, rate: Array, mean: Array, square: Array, moment: Array, decay: Array, momentum: Array, eps: Array
) -> Step:
    """(change, mean, square): RMSProp on the variance of the gradient; the change is the new moment too."""
    mean, square = decayed(mean, g, decay), decayed(square, g * g, decay)
    return momentum * moment + rate * g * lax.rsqrt(square - mean * mean + eps), mean, square


def ftrl(
    p: Array,
    g: Array,
    rate: Array,
    accum: Array,
    linear: Array,
    l1: Array,
    l2: Array,
    power: Array,
    shrinkage: Array = 0.0,
) -> Step:
    """(new parameter, accum, linear) of FTRL-proximal (McMahan et al., 2013)."""
    total = accum + g * g
    shaped = g + 2 * shrinkage * p
    sigma = (jnp.power(total, -power) - jnp.power(accum, -power)) / rate
    linear = linear + shaped - sigma * p
    kept = (jnp.sign(linear) * l1 - linear) / (jnp.power(total, -power) / rate + 2 * l2)
    return jnp.where(jnp.abs(linear) > l1, kept, jnp.zeros_like(kept)), total, linear


def shrunk(x: Array, limit: Array) -> jax.Array:
    """x moved towards 0 by a limit."""
    return jnp.sign(x) * jnp.maximum(jnp.abs(x) - limit, 0)


def proximal_adagrad(p: Array, g: Array, rate: Array, accum: Array, l1: Array, l2: Array) -> Step:
    """(new parameter, accum) of Adagrad with L1 and L2 regularization, which follow the adapted learning rate as MindSpore's kernel
    has it.
    """
    accum = accum + g * g
    rate = rate * lax.rsqrt(accum)
    return shrunk(p - rate * g, rate * l1) / (1 + rate * l2), accum


def lars(
    p: Array,
    g: Array,
    p_square: Array,
    g_square: Array,
    decay: Array,
    rate: Array,
    epsilon: Array,
    coefficient: Array,
    use_clip: bool = False,
) -> jax.Array:
    """The gradient scaled with the ratio of the norms of parameter and gradient, whose squares are given (https://arxiv.org/abs/1708.03888)."""
    of_p, of_g = jnp.sqrt(p_square), jnp.sqrt(g_square)
    ratio = coefficient * of_p / (of_g + decay * of_p + epsilon)
    if use_clip:
        ratio = jnp.clip(ratio / rate, 0, 1)
    return ratio * (g + decay * p)

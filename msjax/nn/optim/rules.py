"""The mathematics of the optimizers, as optax transformations on lists of arrays.

A Rule is an `optax.GradientTransformationExtraArgs` whose state is a NamedTuple: its fields are the names of the Parameters that
MindSpore keeps in checkpoints. `update(gradients, state, params, learning_rate=[one for each])` returns (updates, new state); updates
are added to the params. Where optax has MindSpore's formula it is used; where they differ (Adam's epsilon, Nesterov, ...) MindSpore's stands here.
"""
from typing import NamedTuple

import jax.numpy as jnp
import optax


class Rule(NamedTuple):
    """init, update, and the NamedTuple class of the state."""
    init: object
    update: object
    state: type

    @property
    def state_fields(self):
        """Names of the state's Parameters."""
        return self.state._fields

    def as_transformation(self):
        """The rule as optax has it."""
        return optax.GradientTransformationExtraArgs(self.init, self.update)


def zeros_like(params):
    """A list of zero arrays like the given ones."""
    return [jnp.zeros_like(p) for p in params]


def _rate(rate, array):
    return rate.astype(array.dtype)


class MomentumState(NamedTuple):
    momentum: object
    moments: list


def momentum(use_nesterov, initial=0.9):
    """Momentum (Sutskever et al., 2013): v = momentum v + g; p -= lr v, with Nesterov p -= lr (g + momentum v)."""
    def init(params):
        return MomentumState(jnp.float32(initial), zeros_like(params))

    def update(gradients, state, params, *, learning_rate):
        mu = state.momentum
        moments = [m * mu.astype(m.dtype) + g for m, g in zip(state.moments, gradients)]
        if use_nesterov:
            updates = [-(g * _rate(r, g) + m * mu.astype(m.dtype) * _rate(r, g)) for m, g, r in zip(moments, gradients, learning_rate)]
        else:
            updates = [-(m * _rate(r, m)) for m, r in zip(moments, learning_rate)]
        return updates, MomentumState(mu, moments)
    return Rule(init, update, MomentumState)


class SGDState(NamedTuple):
    momentum: object
    accum: list
    stat: list


def sgd(dampening, nesterov, initial=0.0):
    """SGD with momentum and dampening. `stat` is 1 until a Parameter's first step, in which the accumulator takes the gradient undamped."""
    def init(params):
        return SGDState(jnp.float32(initial), zeros_like(params), [jnp.ones_like(p) for p in params])

    def update(gradients, state, params, *, learning_rate):
        mu = state.momentum
        accum, stat, updates = [], [], []
        for g, a, s, r in zip(gradients, state.accum, state.stat, learning_rate):
            m = mu.astype(g.dtype)
            new = jnp.where(s > 0, g, a * m + (1.0 - dampening) * g)
            step = g + new * m if nesterov else new
            # without momentum the accumulator plays no part
            accum.append(jnp.where(m > 0, new, a))
            stat.append(jnp.where(m > 0, jnp.zeros_like(s), s))
            updates.append(-_rate(r, g) * jnp.where(m > 0, step, g))
        return updates, SGDState(mu, accum, stat)
    return Rule(init, update, SGDState)


class AdamState(NamedTuple):
    beta1_power: object
    beta2_power: object
    moment1: list
    moment2: list


def adam(beta1, beta2, eps, use_nesterov=False):
    """Adam (Kingma and Ba, 2015) with epsilon added to sqrt(v) before the bias correction, as MindSpore's kernel has it."""
    def init(params):
        return AdamState(jnp.float32(1), jnp.float32(1), zeros_like(params), zeros_like(params))

    def update(gradients, state, params, *, learning_rate):
        power1, power2 = state.beta1_power * beta1, state.beta2_power * beta2
        correction = jnp.sqrt(1 - power2) / (1 - power1)
        moment1, moment2, updates = [], [], []
        for g, m, v, r in zip(gradients, state.moment1, state.moment2, learning_rate):
            g = g.astype(m.dtype)
            m = m + (g - m) * (1 - beta1)
            v = v + (g * g - v) * (1 - beta2)
            step = (r * correction).astype(m.dtype)
            top = m * beta1 + (1 - beta1) * g if use_nesterov else m
            updates.append(-(step * top / (jnp.sqrt(v) + eps)))
            moment1.append(m)
            moment2.append(v)
        return updates, AdamState(power1, power2, moment1, moment2)
    return Rule(init, update, AdamState)


class AdamWeightDecayState(NamedTuple):
    moments1: list
    moments2: list


def adam_weight_decay(beta1, beta2, eps, decays):
    """Adam without bias correction, with decoupled weight decay (Loshchilov and Hutter, 2019), as BERT trains.

    decays: weight decay (a scalar array) of each parameter, or None where it is not decayed.
    """
    def init(params):
        return AdamWeightDecayState(*[[jnp.zeros(p.shape, jnp.float32) for p in params] for _ in range(2)])

    def update(gradients, state, params, *, learning_rate):
        moments1, moments2, updates = [], [], []
        decay = decays if len(decays) == len(params) else [decays[0]] * len(params)
        for g, p, m, v, r, d in zip(gradients, params, state.moments1, state.moments2, learning_rate, decay):
            g, p = g.astype(jnp.float32), p.astype(jnp.float32)
            m = beta1 * m + (1 - beta1) * g
            v = beta2 * v + (1 - beta2) * (g * g)
            step = m / (jnp.sqrt(v) + eps)
            if d is not None:
                step = step + d * p
            updates.append(-(r * step))
            moments1.append(m)
            moments2.append(v)
        return updates, AdamWeightDecayState(moments1, moments2)
    return Rule(init, update, AdamWeightDecayState)


class AMSGradState(NamedTuple):
    beta1_power: object
    beta2_power: object
    moment1: list
    moment2: list
    vhat: list


def amsgrad(beta1, beta2, eps):
    """Adam that divides by the largest second moment so far (Reddi et al., 2018)."""
    plain = adam(beta1, beta2, eps)

    def init(params):
        return AMSGradState(*plain.init(params), zeros_like(params))

    def update(gradients, state, params, *, learning_rate):
        _, new = plain.update(gradients, AdamState(*state[:4]), params, learning_rate=learning_rate)
        correction = jnp.sqrt(1 - new.beta2_power) / (1 - new.beta1_power)
        vhat = [jnp.maximum(h, v) for h, v in zip(state.vhat, new.moment2)]
        updates = [-((r * correction).astype(m.dtype) * m / (jnp.sqrt(h) + eps)) for m, h, r in zip(new.moment1, vhat, learning_rate)]
        return updates, AMSGradState(*new, vhat)
    return Rule(init, update, AMSGradState)

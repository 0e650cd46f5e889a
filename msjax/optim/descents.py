"""Momentum and SGD, with the numbers of `mindspore.nn`."""

from typing import Any, NamedTuple

import jax
import optax

from . import formulas
from .building import (
    Mask,
    Number,
    Rate,
    Transformation,
    check_nesterov,
    f32,
    in_float32,
    is_zero,
    ones,
    ranges,
    stepwise,
    zeros,
)
from .parts import after_decay


class SGDState(NamedTuple):
    """count: steps made. accum: the accumulated gradients. stat: 1 before the first step, 0 after it."""

    count: jax.Array
    accum: Any
    stat: Any


def momentum(
    learning_rate: Rate, momentum: Number = 0.9, use_nesterov: bool = False, weight_decay: Rate = 0.0, mask: Mask = None
) -> Transformation:
    """Gradient descent with momentum (Sutskever et al., 2013) as `nn.Momentum` computes it: v = momentum v + g; update = -learning_rate v,
    or with `use_nesterov` -learning_rate (g + momentum v). It is `optax.trace`, whose rounding is MindSpore's.

    Args:
        learning_rate: number, or schedule.
        momentum: 0 or more.
        use_nesterov: look one step ahead.
        weight_decay: added to the gradients; number or schedule.
        mask: which parameters are decayed, as `optax.masked` takes it.

    Raises:
        ValueError: a negative momentum.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.momentum(0.5, 0.5)
        >>> params = jnp.float32([1.0, 2.0])
        >>> updates, state = transformation.update(params, transformation.init(params), params)
        >>> print(updates, transformation.update(params, state, params)[0])
        [-0.5 -1. ] [-0.75 -1.5 ]
    """
    ranges("momentum", not_negative={"momentum": momentum})
    decay = momentum if is_zero(momentum) else f32(momentum)
    trace = optax.trace(decay, use_nesterov)
    return after_decay(in_float32(optax.chain(trace, descent(learning_rate))), weight_decay, mask)


def descent(learning_rate: Rate) -> optax.GradientTransformation:
    """-learning_rate times the gradients, in float32."""
    if callable(learning_rate):
        return optax.scale_by_learning_rate(learning_rate)
    return optax.scale_by_learning_rate(f32(learning_rate))


def sgd(
    learning_rate: Rate = 0.1,
    momentum: Number = 0.0,
    dampening: Number = 0.0,
    nesterov: bool = False,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Stochastic gradient descent as `nn.SGD` and `experimental.optim.SGD` compute it: accum = momentum accum + (1 - dampening) g;
    update = -learning_rate accum. In the first step of a parameter accum is g, undamped. A momentum of 0 keeps no state.

    Args:
        learning_rate: number, or schedule.
        momentum: 0 or more.
        dampening: part of the gradient that accum leaves out.
        nesterov: look ahead; needs a momentum, and no dampening.
        weight_decay, mask: as for `momentum`.

    Raises:
        ValueError: a negative momentum; `nesterov` without momentum, or with dampening.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.sgd(0.5, 0.5, dampening=0.5)
        >>> params = jnp.float32([1.0, 2.0])
        >>> updates, state = transformation.update(params, transformation.init(params), params)
        >>> print(updates, transformation.update(params, state, params)[0])
        [-0.5 -1. ] [-0.5 -1. ]
    """
    ranges("sgd", not_negative={"momentum": momentum, "dampening": dampening})
    if nesterov:
        check_nesterov("sgd", momentum, dampening)
    if is_zero(momentum):
        return after_decay(in_float32(descent(learning_rate)), weight_decay, mask)
    rate_of_accum = f32(momentum)

    def step(p, g, r, accum, stat, *, number):
        change, accum, stat = formulas.sgd(g, r, accum, stat, rate_of_accum.astype(p.dtype), dampening, nesterov)
        return -change, accum, stat

    inner = stepwise(SGDState, step, learning_rate, {"accum": zeros, "stat": ones})
    return after_decay(inner, weight_decay, mask)

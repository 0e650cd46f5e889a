"""Averaged SGD, and Rprop, which looks at signs alone."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .building import Mask, Number, Rate, Transformation, f32, ranges, scalar, stepwise, zeros
from .parts import after_decay


class ASGDState(NamedTuple):
    """count: steps made. mu, eta: weight of the average and rate of the next step, one number for each parameter. ax: the averages."""

    count: jax.Array
    mu: Any
    eta: Any
    ax: Any


class RpropState(NamedTuple):
    """count: steps made. prev: the last gradients. step_size: the step of each element."""

    count: jax.Array
    prev: Any
    step_size: Any


def asgd(
    learning_rate: Rate = 0.1,
    lambd: Number = 1e-4,
    alpha: Number = 0.75,
    t0: Number = 1e6,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Averaged stochastic gradient descent (Polyak and Juditsky, 1992) as `nn.ASGD` and `experimental.optim.ASGD` compute it; the averages
    are the field `ax` of the state.

    Args:
        learning_rate: number, or schedule.
        lambd: decay of the parameters.
        alpha: power with which the rate falls.
        t0: step at which the averaging starts.
        weight_decay: added to the gradients; number or schedule.
        mask: which parameters are decayed.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.asgd(0.5, lambd=0.0)
        >>> params = jnp.float32([1.0, 2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5 -1. ]
    """
    lambd, alpha, t0 = map(f32, (lambd, alpha, t0))
    one = np.float32(1)

    def step(p, g, r, mu, eta, ax, *, number):
        count = number.astype(jnp.float32)
        eta = jnp.where(count == 1, r, eta)
        new = p * (one - lambd * eta) - eta * g
        ax = jnp.where(mu != 1, ax + (new - ax) * mu, new)
        return new - p, one / jnp.maximum(one, count - t0), r / (one + lambd * r * count) ** alpha, ax

    inner = stepwise(ASGDState, step, learning_rate, {"mu": scalar(1), "eta": scalar(0), "ax": zeros})
    return after_decay(inner, weight_decay, mask)


def rprop(
    learning_rate: Rate = 0.1,
    etas: tuple[float, float] = (0.5, 1.2),
    step_sizes: tuple[float, float] = (1e-6, 50.0),
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Resilient backpropagation (Riedmiller and Braun, 1993) as `nn.Rprop` and `experimental.optim.Rprop` compute it: the step of each
    element grows while its gradient keeps its sign, and shrinks when it turns.

    Args:
        learning_rate: first step; number, or schedule.
        etas: factors (down, up), in (0, 1) and above 1.
        step_sizes: (smallest, largest) step.
        weight_decay, mask: as for `asgd`.

    Raises:
        ValueError: factors out of their ranges, a smallest step above the largest.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.rprop(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> updates, state = transformation.update(params, transformation.init(params), params)
        >>> print(updates, transformation.update(params, state, params)[0])
        [-0.5  0.5] [-0.6  0.6]
    """
    if not 0 < etas[0] < 1 < etas[1] or step_sizes[0] > step_sizes[1]:
        raise ValueError(
            "For 'optim.rprop', 'etas' must be a factor in (0, 1) and one above 1, and 'step_sizes' must grow, but got "
            f"{etas} and {step_sizes}."
        )
    ranges("rprop", not_negative={"step_sizes[0]": step_sizes[0]})
    minus, plus, smallest, largest = map(f32, (*etas, *step_sizes))

    def step(p, g, r, previous, size, *, number):
        size = jnp.where(number == 1, jnp.ones_like(size) * r, size)
        turn = jnp.sign(g * previous)
        factor = jnp.where(turn > 0, plus, jnp.where(turn < 0, minus, np.float32(1)))
        size = jnp.clip(size * factor, smallest, largest)
        g = jnp.where(turn < 0, jnp.zeros_like(g), g)
        return -(jnp.sign(g) * size), g, size

    inner = stepwise(RpropState, step, learning_rate, {"prev": zeros, "step_size": zeros})
    return after_decay(inner, weight_decay, mask)

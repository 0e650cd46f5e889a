"""The optimizers of `mindspore.mint.optim` as optax transformations: the numbers of PyTorch.

To climb instead of descending (MindSpore's `maximize`), chain `optax.scale(-1.0)` before.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .building import (
    Mask,
    Number,
    Rate,
    Transformation,
    check_nesterov,
    f32,
    in_float32,
    is_zero,
    ranges,
    stepwise,
    zeros,
)
from .descents import descent
from .experimental import adamw, published_adam
from .parts import after_decay

__all__ = ["adam", "adamw", "sgd"]


class BufferState(NamedTuple):
    """count: steps made. momentum_buf: the momentum."""

    count: jax.Array
    momentum_buf: Any


def adam(
    learning_rate: Rate = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    amsgrad: bool = False,
    mask: Mask = None,
) -> Transformation:
    """Adam as published (https://arxiv.org/abs/1412.6980), as `mint.optim.Adam` computes it: epsilon is added after the bias correction.

    Args:
        learning_rate: number, or schedule.
        betas: decay of the two moments, in [0, 1).
        eps: 0 or more.
        weight_decay: added to the gradients; number or schedule.
        amsgrad: divide by the largest second moment so far.
        mask: which parameters are decayed.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.mint.adam(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5  0.5]
    """
    ranges("mint.adam", not_negative={"eps": eps}, below_one={"betas[0]": betas[0], "betas[1]": betas[1]})
    return after_decay(published_adam(learning_rate, betas, eps, amsgrad, 0.0, None), weight_decay, mask)


def sgd(
    learning_rate: Rate,
    momentum: Number = 0.0,
    dampening: Number = 0.0,
    weight_decay: Rate = 0.0,
    nesterov: bool = False,
    mask: Mask = None,
) -> Transformation:
    """Stochastic gradient descent as `mint.optim.SGD` computes it: the momentum buffer starts as the first gradient. A momentum of 0 keeps
    no state.

    Args:
        learning_rate: number, or schedule.
        momentum: 0 or more.
        dampening: part of the gradient that the buffer leaves out.
        weight_decay, mask: as for `adam`.
        nesterov: look ahead; needs a momentum, and no dampening.

    Raises:
        ValueError: a negative momentum; `nesterov` without momentum, or with dampening.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.mint.sgd(0.5, 0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> updates, state = transformation.update(params, transformation.init(params), params)
        >>> print(updates, transformation.update(params, state, params)[0])
        [-0.5  1. ] [-0.75  1.5 ]
    """
    ranges("mint.sgd", not_negative={"momentum": momentum})
    if nesterov:
        check_nesterov("mint.sgd", momentum, dampening)
    if is_zero(momentum):
        return after_decay(in_float32(descent(learning_rate)), weight_decay, mask)
    momentum, kept = f32(momentum), np.float32(1) - f32(dampening)

    def step(p, g, r, buffer, *, number):
        buffer = jnp.where(number == 1, g, buffer * momentum + g * kept)
        return -(r * (g + momentum * buffer if nesterov else buffer)), buffer

    return after_decay(stepwise(BufferState, step, learning_rate, {"momentum_buf": zeros}), weight_decay, mask)

"""Steps that are scaled with the norm of each parameter, for large batches: LAMB and LARS."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from . import formulas
from .adam_family import MomentsState
from .building import (
    Mask,
    Number,
    Rate,
    Transformation,
    f32,
    in_float32,
    masked_numbers,
    ranges,
    rate_at,
    stepwise,
    zeros,
)
from .parts import path_name


def lamb(
    learning_rate: Rate,
    beta1: Number = 0.9,
    beta2: Number = 0.999,
    eps: Number = 1e-6,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """LAMB (You et al., https://arxiv.org/abs/1904.00962) as `nn.Lamb` computes it: Adam's direction plus weight decay times the
    parameter, scaled to the norm of the parameter.

    Args:
        learning_rate: number, or schedule.
        beta1, beta2: decay of the two moments, in [0, 1).
        eps: above 0.
        weight_decay: number or schedule.
        mask: which parameters are decayed; `without_beta_and_gamma` is MindSpore's choice.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.lamb(0.5)
        >>> params = jnp.float32([3.0, 4.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-1.767767 -1.767767]
    """
    ranges("lamb", positive={"eps": eps}, below_one={"beta1": beta1, "beta2": beta2})
    beta1, beta2, eps = map(f32, (beta1, beta2, eps))
    one = np.float32(1)

    def step(p, g, r, m, v, decay, *, number):
        count = number.astype(jnp.float32)
        m = beta1 * m + (one - beta1) * g
        v = beta2 * v + (one - beta2) * g * g
        direction = m / (one - beta1**count) / (jnp.sqrt(v / (one - beta2**count)) + eps)
        direction = direction + decay.astype(p.dtype) * p
        size, length = jnp.sqrt(jnp.sum(p * p)), jnp.sqrt(jnp.sum(direction * direction))
        ratio = jnp.where((size > 0) & (length > 0), size / jnp.where(length > 0, length, one), one)
        return -(r * ratio * direction), m, v

    fields = {"moments1": zeros, "moments2": zeros}
    return stepwise(MomentsState, step, learning_rate, fields, decay=(weight_decay, mask))


class LarsState(NamedTuple):
    """count: steps made so far."""

    count: jax.Array


def without_bias_and_layer_norm(params: Any) -> Any:
    """The mask of `nn.LARS`: False for paths that contain "bias" or "LayerNorm".

    Example:
        >>> from msjax import optim
        >>> print(optim.without_bias_and_layer_norm({"bias": 1.0, "weight": 2.0}))
        {'bias': False, 'weight': True}
    """
    return jax.tree_util.tree_map_with_path(lambda path, _: is_scaled(path_name(path)), params)


def is_scaled(name: str) -> bool:
    """Whether `nn.LARS` scales the gradient of a parameter of this name."""
    return "LayerNorm" not in name and "bias" not in name


def scale_by_lars(
    epsilon: Number = 1e-5,
    coefficient: Number = 0.001,
    use_clip: bool = False,
    mask: Mask = without_bias_and_layer_norm,
    learning_rate: Rate = 0.0,
    weight_decay: Rate = 0.0,
    decay_mask: Mask = None,
) -> Transformation:
    """Gradients scaled with the ratio of the norms of parameter and gradient (You et al., https://arxiv.org/abs/1708.03888), as `nn.LARS`
    computes it; chain an optimizer behind it: `optax.chain(optim.scale_by_lars(), optim.momentum(0.1))`.

    scaled = ratio (g + weight_decay p), where ratio = coefficient |p| / (|g| + weight_decay |p| + epsilon).

    Args:
        epsilon: keeps the denominator from 0.
        coefficient: trust in the ratio.
        use_clip: at most `learning_rate`, that of the optimizer behind.
        mask: which parameters' gradients are scaled; the others pass.
        weight_decay: number or schedule.
        decay_mask: which parameters are decayed.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.scale_by_lars(coefficient=0.5)
        >>> params, gradients = {"weight": jnp.float32([3.0, 4.0])}, {"weight": jnp.float32([0.0, 2.0])}
        >>> print(transformation.update(gradients, transformation.init(params), params)[0]["weight"])
        [0.        2.4999876]
    """
    epsilon, coefficient = f32(epsilon), f32(coefficient)

    def init(params: Any) -> LarsState:
        return LarsState(jnp.zeros((), jnp.int32))

    def update(gradients: Any, state: LarsState, params: Any = None, **_: Any) -> tuple[Any, LarsState]:
        if params is None:
            raise ValueError("The transformation needs the parameters: call update(gradients, state, params).")
        leaves, tree = jax.tree.flatten(gradients)
        rate = rate_at(learning_rate, state.count)
        decays = masked_numbers(rate_at(weight_decay, state.count), decay_mask, params, tree)
        chosen = masked_numbers(np.float32(1), mask, params, tree)
        new = [
            formulas.lars(p, g, jnp.sum(p * p), jnp.sum(g * g), d, rate, epsilon, coefficient, use_clip)
            if scaled
            else g
            for g, p, d, scaled in zip(leaves, tree.flatten_up_to(params), decays, chosen)
        ]
        return tree.unflatten(new), LarsState(optax.safe_increment(state.count))

    return in_float32(Transformation(init, update))

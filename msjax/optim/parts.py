"""MindSpore's changes to gradients before the step, as transformations: weight decay, centralization, and the masks of
their parameters.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from .building import Mask, Rate, Transformation, is_zero, masked_numbers, rate_at


class DecayState(NamedTuple):
    """count: steps made so far."""

    count: jax.Array


def decayed_weights(weight_decay: Rate, mask: Mask = None) -> Transformation:
    """Gradients plus weight decay times the parameters.

    Args:
        weight_decay: number, or a schedule.
        mask: which parameters are decayed, as `optax.masked` takes it; None for all.

    A number is `optax.add_decayed_weights`. A schedule is written out here: that of optax 0.2.6 does not advance its count, and the sum
    is rounded to the dtype of the gradient, as MindSpore does.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.decayed_weights(0.5)
        >>> params = jnp.float32([2.0, 4.0])
        >>> print(transformation.update(jnp.ones(2, jnp.float32), transformation.init(params), params)[0])
        [2. 3.]
    """
    if not callable(weight_decay):
        if is_zero(weight_decay):
            return optax.with_extra_args_support(optax.identity())
        return optax.with_extra_args_support(optax.add_decayed_weights(weight_decay, mask))

    def init(params: Any) -> DecayState:
        return DecayState(jnp.zeros((), jnp.int32))

    def update(gradients: Any, state: DecayState, params: Any = None, **_: Any) -> tuple[Any, DecayState]:
        if params is None:
            raise ValueError("The transformation needs the parameters: call update(gradients, state, params).")
        leaves, tree = jax.tree.flatten(gradients)
        decays = masked_numbers(rate_at(weight_decay, state.count), mask, params, tree)
        new = [
            g if is_zero(d) else (g + p * d.astype(p.dtype)).astype(g.dtype)
            for g, p, d in zip(leaves, tree.flatten_up_to(params), decays)
        ]
        return tree.unflatten(new), DecayState(optax.safe_increment(state.count))

    return Transformation(init, update)


def centralize() -> Transformation:
    """Gradients of two or more axes minus their mean over all axes but the first (https://arxiv.org/abs/2004.01461).

    `optax.centralize`, except that a gradient whose second axis is not a multiple of 16 stays as it is: MindSpore's kernel works on blocks
    of 16 and leaves those out.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> gradients = {"short": jnp.float32([[1.0, 3.0]]), "long": jnp.float32([[1.0, 3.0] * 8])}
        >>> updates, _ = optim.centralize().update(gradients, optim.centralize().init(gradients))
        >>> print(updates["short"], updates["long"][0, :2])
        [[1. 3.]] [-1.  1.]
    """
    return optax.masked(
        optax.centralize(), lambda tree: jax.tree.map(lambda g: g.ndim > 1 and g.shape[1] % 16 == 0, tree)
    )


def without_beta_and_gamma(params: Any) -> Any:
    """The mask of MindSpore's weight decay without groups: False for paths that contain "beta" or "gamma".

    Example:
        >>> from msjax import optim
        >>> print(optim.without_beta_and_gamma({"norm": {"gamma": 1.0}, "weight": 2.0}))
        {'norm': {'gamma': False}, 'weight': True}
    """
    return jax.tree_util.tree_map_with_path(lambda path, _: is_decayed(path_name(path)), params)


def is_decayed(name: str) -> bool:
    """Whether weight decay without groups takes in a parameter of this name."""
    return "beta" not in name and "gamma" not in name


def path_name(path: str) -> str:
    """The path of a leaf with dots between its keys, as MindSpore names Parameters."""
    return ".".join(str(getattr(k, "key", getattr(k, "name", getattr(k, "idx", k)))) for k in path)


def after_decay(inner: Transformation, weight_decay: Rate, mask: Mask) -> Transformation:
    """A transformation of gradients to which weight decay was added; the transformation itself where there is none."""
    return inner if is_zero(weight_decay) else optax.chain(decayed_weights(weight_decay, mask), inner)

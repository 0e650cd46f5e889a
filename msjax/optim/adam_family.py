"""Adam and its relatives, with the numbers of `mindspore.nn`."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import formulas
from .building import Mask, Number, Rate, Transformation, f32, ranges, stepwise, times, zeros
from .parts import after_decay


class AdamState(NamedTuple):
    """count: steps made. beta1_power, beta2_power: beta ** count. moment1, moment2: means of g and g ** 2. vhat: largest moment2, or None."""

    count: jax.Array
    beta1_power: jax.Array
    beta2_power: jax.Array
    moment1: Any
    moment2: Any
    vhat: Any = None


class MomentsState(NamedTuple):
    """count: steps made. moments1, moments2: means of g and g ** 2."""

    count: jax.Array
    moments1: Any
    moments2: Any


class AdaMaxState(NamedTuple):
    """count: steps made. beta1_power: beta1 ** count. moment1: mean of g. moment2: decaying maximum of |g|."""

    count: jax.Array
    beta1_power: jax.Array
    moment1: Any
    moment2: Any


def adam(
    learning_rate: Rate = 1e-3,
    beta1: Number = 0.9,
    beta2: Number = 0.999,
    eps: Number = 1e-8,
    use_nesterov: bool = False,
    use_amsgrad: bool = False,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Adam (Kingma and Ba, https://arxiv.org/abs/1412.6980) as `nn.Adam` computes it.

    rate = learning_rate sqrt(1 - beta2^t) / (1 - beta1^t); update = -rate m / (sqrt(v) + eps): epsilon is added before the bias
    correction, where `optax.adam` adds it after.

    Args:
        learning_rate: number, or schedule (function of the count).
        beta1, beta2: decay of the two moments, in [0, 1).
        eps: above 0.
        use_nesterov: look ahead along the first moment.
        use_amsgrad: divide by the largest second moment so far.
        weight_decay: added to the gradients; number or schedule.
        mask: which parameters are decayed, as `optax.masked` takes it.

    Raises:
        ValueError: a number out of its range; `use_nesterov` together with `use_amsgrad`.

    Example:
        >>> import jax.numpy as jnp, optax
        >>> from msjax import optim
        >>> transformation = optim.adam(0.1)
        >>> params = {"w": jnp.float32([1.0, 2.0])}
        >>> state = transformation.init(params)
        >>> updates, state = transformation.update({"w": jnp.float32([0.5, -3.0])}, state, params)
        >>> print(optax.apply_updates(params, updates)["w"])
        [0.90000004 2.1       ]
    """
    ranges("adam", positive={"eps": eps}, below_one={"beta1": beta1, "beta2": beta2})
    if use_nesterov and use_amsgrad:
        raise ValueError("For 'optim.adam', 'use_nesterov' and 'use_amsgrad' can not both be True.")
    beta1, beta2, eps = map(f32, (beta1, beta2, eps))

    def plain(p, g, r, m, v, *, beta1_power, beta2_power, number):
        change, m, v = formulas.adam(g, r, m, v, beta1_power, beta2_power, beta1, beta2, eps, use_nesterov)
        return -change, m, v

    def with_largest(p, g, r, m, v, top, *, beta1_power, beta2_power, number):
        change, *moments = formulas.amsgrad(g, r, m, v, top, beta1_power, beta2_power, beta1, beta2, eps)
        return -change, *moments

    fields = {"moment1": zeros, "moment2": zeros, **({"vhat": zeros} if use_amsgrad else {})}
    powers = {"beta1_power": (np.float32(1), times(beta1)), "beta2_power": (np.float32(1), times(beta2))}
    inner = stepwise(AdamState, with_largest if use_amsgrad else plain, learning_rate, fields, powers)
    return after_decay(inner, weight_decay, mask)


def _float32_zeros(param: jax.Array) -> jax.Array:
    return jnp.zeros_like(param, jnp.float32)


def adam_weight_decay(
    learning_rate: Rate = 1e-3,
    beta1: Number = 0.9,
    beta2: Number = 0.999,
    eps: Number = 1e-6,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Adam without bias correction, with decoupled weight decay (https://arxiv.org/abs/1711.05101), as `nn.AdamWeightDecay` computes it
    and BERT trains. update = -learning_rate (m / (sqrt(v) + eps) + weight_decay p); the moments are float32.

    Args:
        learning_rate: number, or schedule.
        beta1, beta2: decay of the two moments, in [0, 1).
        eps: above 0.
        weight_decay: number or schedule.
        mask: which parameters are decayed; `without_beta_and_gamma` is MindSpore's choice.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp, optax
        >>> from msjax import optim
        >>> transformation = optim.adam_weight_decay(0.01, weight_decay=0.1, mask=optim.without_beta_and_gamma)
        >>> params = {"weight": jnp.ones(2, jnp.float32), "gamma": jnp.ones(2, jnp.float32)}
        >>> state = transformation.init(params)
        >>> updates, state = transformation.update(params, state, params)
        >>> print(updates["weight"], updates["gamma"])
        [-0.03262199 -0.03262199] [-0.03162199 -0.03162199]
    """
    ranges("adam_weight_decay", positive={"eps": eps}, below_one={"beta1": beta1, "beta2": beta2})
    beta1, beta2, eps = map(f32, (beta1, beta2, eps))

    def step(p, g, r, m, v, decay, *, number):
        change, m, v = formulas.adam_weight_decay(p, g, r, m, v, beta1, beta2, eps, decay)
        return -change, m, v

    fields = {"moments1": _float32_zeros, "moments2": _float32_zeros}
    return stepwise(MomentsState, step, learning_rate, fields, decay=(weight_decay, mask))


def adamax(
    learning_rate: Rate = 1e-3,
    beta1: Number = 0.9,
    beta2: Number = 0.999,
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """AdaMax (https://arxiv.org/abs/1412.6980, section 7.1) as `nn.AdaMax` computes it: update = -learning_rate / (1 - beta1^t) m / (v + eps),
    where v is the decaying maximum of |g|.

    Args:
        learning_rate: number, or schedule.
        beta1, beta2: decays, in [0, 1).
        eps: above 0.
        weight_decay, mask: as for `adam`.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.adamax(0.5)
        >>> params = jnp.float32([1.0, 2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5 -0.5]
    """
    ranges("adamax", positive={"eps": eps}, below_one={"beta1": beta1, "beta2": beta2})
    beta1, beta2, eps = map(f32, (beta1, beta2, eps))

    def step(p, g, r, m, v, *, beta1_power, number):
        change, m, v = formulas.adamax(g, r, m, v, beta1_power, beta1, beta2, eps)
        return -change, m, v

    fields, powers = {"moment1": zeros, "moment2": zeros}, {"beta1_power": (np.float32(1), times(beta1))}
    return after_decay(stepwise(AdaMaxState, step, learning_rate, fields, powers), weight_decay, mask)

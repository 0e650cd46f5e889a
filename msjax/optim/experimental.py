"""The optimizers of `mindspore.experimental.optim`, which take PyTorch's arguments, as optax transformations with MindSpore's numbers.

Those that compute what `mindspore.nn` computes are the functions of `msjax.optim` themselves: SGD, Adadelta, ASGD, Rprop.

All take `weight_decay`, which is added to the gradients (`adamw`: shrinks the parameters), and `mask`, which says what is decayed. To climb
instead of descending (MindSpore's `maximize`), chain `optax.scale(-1.0)` before.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import formulas
from .adaptive import AdagradState, adadelta
from .building import Mask, Number, Rate, Transformation, f32, filled, is_zero, ranges, scalar, stepwise, zeros
from .descents import sgd
from .parts import after_decay
from .signs import asgd, rprop

__all__ = ["adadelta", "adagrad", "adam", "adamax", "adamw", "asgd", "nadam", "radam", "rmsprop", "rprop", "sgd"]
_ONE = np.float32(1)


class MomentsState(NamedTuple):
    """count: steps made. exp_avg, exp_avg_sq: means of g and g ** 2. max_exp_avg_sq: largest exp_avg_sq, or None."""

    count: jax.Array
    exp_avg: Any
    exp_avg_sq: Any
    max_exp_avg_sq: Any = None


class AdamaxState(NamedTuple):
    """count: steps made. exp_avg: mean of g. exp_inf: decaying maximum of |g|."""

    count: jax.Array
    exp_avg: Any
    exp_inf: Any


class NAdamState(NamedTuple):
    """count: steps made. exp_avg, exp_avg_sq: means of g and g ** 2. mu_product: product of the momenta, one for each parameter."""

    count: jax.Array
    exp_avg: Any
    exp_avg_sq: Any
    mu_product: Any


class RMSpropState(NamedTuple):
    """count: steps made. mean_square: mean of g ** 2. mean_grad: mean of g, or None. moment: momentum, or None."""

    count: jax.Array
    mean_square: Any
    mean_grad: Any = None
    moment: Any = None


_MOMENTS = {"exp_avg": zeros, "exp_avg_sq": zeros}


def moments(amsgrad: bool) -> dict[str, Callable[[jax.Array], jax.Array]]:
    """First state of the forms of Adam."""
    return {**_MOMENTS, "max_exp_avg_sq": zeros} if amsgrad else _MOMENTS


def adam(
    learning_rate: Rate = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    amsgrad: bool = False,
    mask: Mask = None,
) -> Transformation:
    """Adam (https://arxiv.org/abs/1412.6980) as `experimental.optim.Adam` computes it: epsilon is added before the bias correction, as in
    `msjax.optim.adam`; with `amsgrad` the largest second moment takes the place of the second moment.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.adam(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.49999982  0.49999994]
    """
    ranges("experimental.adam", not_negative={"eps": eps}, below_one={"betas[0]": betas[0], "betas[1]": betas[1]})
    beta1, beta2, eps = map(f32, (*betas, eps))

    def step(p, g, r, m, v, *top, number):
        n = number.astype(jnp.float32)
        powers = beta1**n, beta2**n
        change, m, v = formulas.adam(g, r, m, v, *powers, beta1, beta2, eps)
        if top:
            top = (jnp.maximum(top[0], v),)
            change = r * jnp.sqrt(_ONE - powers[1]) / (_ONE - powers[0]) * m / (jnp.sqrt(top[0]) + eps)
        return -change, m, v, *top

    return after_decay(stepwise(MomentsState, step, learning_rate, moments(amsgrad)), weight_decay, mask)


def published_adam(
    learning_rate: Rate, betas: tuple[float, float], eps: Number, amsgrad: bool, decoupled: Rate, mask: Mask
) -> Transformation:
    """Adam as published: epsilon is added after the bias correction. decoupled: weight decay that shrinks the parameters (AdamW)."""
    beta1, beta2, eps = map(f32, (*betas, eps))
    plain = is_zero(decoupled)

    def step(p, g, r, m, v, *rest, number):
        largest, decay = (rest[0] if amsgrad else None), rest[-1] if rest else None
        shrunk = p if plain else p * (_ONE - r * decay)
        change, *new = formulas.corrected_adam(g, r, m, v, largest, number.astype(jnp.float32), beta1, beta2, eps)
        update = -change if plain else shrunk - change - p
        return update, *(new if amsgrad else new[:2])

    decay = None if plain else (decoupled, mask)
    return stepwise(MomentsState, step, learning_rate, moments(amsgrad), decay=decay)


def adamw(
    learning_rate: Rate = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: Number = 1e-8,
    weight_decay: Rate = 1e-2,
    amsgrad: bool = False,
    mask: Mask = None,
) -> Transformation:
    """AdamW (Loshchilov and Hutter, https://arxiv.org/abs/1711.05101) as `experimental.optim.AdamW` and `mint.optim.AdamW` compute it:
    p *= 1 - learning_rate weight_decay, then Adam with epsilon added after the bias correction.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.adamw(0.5, weight_decay=0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.75  1.  ]
    """
    ranges("experimental.adamw", not_negative={"eps": eps}, below_one={"betas[0]": betas[0], "betas[1]": betas[1]})
    return published_adam(learning_rate, betas, eps, amsgrad, weight_decay, mask)


def adagrad(
    learning_rate: Rate = 1e-2,
    lr_decay: Number = 0.0,
    weight_decay: Rate = 0.0,
    initial_accumulator_value: float = 0.0,
    eps: Number = 1e-10,
    mask: Mask = None,
) -> Transformation:
    """Adagrad (Duchi et al., 2011) as `experimental.optim.Adagrad` computes it: update = -rate g / (sqrt(accum) + eps), where rate =
    learning_rate / (1 + steps made * lr_decay).

    Raises:
        ValueError: a negative number.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.adagrad(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5  0.5]
    """
    first = initial_accumulator_value
    ranges("experimental.adagrad", not_negative={"lr_decay": lr_decay, "eps": eps, "initial_accumulator_value": first})
    decay, eps = f32(lr_decay), f32(eps)

    def step(p, g, r, accum, *, number):
        past = (number - 1).astype(jnp.float32)
        change, accum = formulas.adagrad_with_epsilon(g, r / (_ONE + past * decay), accum, eps)
        return -change, accum

    return after_decay(stepwise(AdagradState, step, learning_rate, {"accum": filled(first)}), weight_decay, mask)


def adamax(
    learning_rate: Rate = 2e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """AdaMax (https://arxiv.org/abs/1412.6980) as `experimental.optim.Adamax` computes it: epsilon is added to |g| before the maximum.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.adamax(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5  0.5]
    """
    ranges("experimental.adamax", not_negative={"eps": eps}, below_one={"betas[0]": betas[0], "betas[1]": betas[1]})
    beta1, beta2, eps = map(f32, (*betas, eps))

    def step(p, g, r, m, top, *, number):
        m = m * beta1 + g * (_ONE - beta1)
        top = jnp.maximum(top * beta2, jnp.abs(g) + eps)
        return -(r / (_ONE - beta1 ** number.astype(jnp.float32)) * m / top), m, top

    return after_decay(
        stepwise(AdamaxState, step, learning_rate, {"exp_avg": zeros, "exp_inf": zeros}), weight_decay, mask
    )


def nadam(
    learning_rate: Rate = 2e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    momentum_decay: Number = 4e-3,
    mask: Mask = None,
) -> Transformation:
    """NAdam (Dozat, 2016) as `experimental.optim.NAdam` computes it: Adam with Nesterov momentum, whose momentum grows with the steps.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.nadam(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5282259  0.5282259]
    """
    ranges(
        "experimental.nadam",
        not_negative={"eps": eps, "momentum_decay": momentum_decay},
        below_one={"betas[0]": betas[0], "betas[1]": betas[1]},
    )
    beta1, beta2, eps, decay = map(f32, (*betas, eps, momentum_decay))
    half, base = map(f32, (0.5, 0.96))

    def step(p, g, r, m, v, product, *, number):
        n = number.astype(jnp.float32)
        mu, following = (beta1 * (_ONE - half * base ** (k * decay)) for k in (n, n + _ONE))
        product = product * mu
        m = m * beta1 + g * (_ONE - beta1)
        v = v * beta2 + g * g * (_ONE - beta2)
        below = jnp.sqrt(v / (_ONE - beta2**n)) + eps
        new = p - r * (_ONE - mu) / (_ONE - product) * g / below
        return new - r * following / (_ONE - product * following) * m / below - p, m, v, product

    fields = {**_MOMENTS, "mu_product": scalar(1)}
    return after_decay(stepwise(NAdamState, step, learning_rate, fields), weight_decay, mask)


def radam(
    learning_rate: Rate = 1e-3,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """RAdam (Liu et al., https://arxiv.org/abs/1908.03265) as `experimental.optim.RAdam` documents it: plain momentum until the second
    moment can be trusted.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.radam(0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5  1. ]
    """
    ranges("experimental.radam", not_negative={"eps": eps}, below_one={"betas[0]": betas[0], "betas[1]": betas[1]})
    limit, rate_of_decay = map(f32, (2 / (1 - betas[1]) - 1, np.log(betas[1]) if betas[1] else -np.inf))
    beta1, beta2, eps = map(f32, (*betas, eps))
    two, four = map(f32, (2, 4))

    def step(p, g, r, m, v, *, number):
        n = number.astype(jnp.float32)
        m = m * beta1 + g * (_ONE - beta1)
        v = v * beta2 + g * g * (_ONE - beta2)
        missing = -jnp.expm1(n * rate_of_decay)  # 1 - beta2 ** n; subtracting would cost rho three digits
        rho = limit - two * n * (_ONE - missing) / missing
        trusted = rho > 5
        safe = jnp.where(trusted, rho, np.float32(6))
        rectified = jnp.sqrt((safe - four) * (safe - two) * limit / ((limit - four) * (limit - two) * safe))
        factor = jnp.where(trusted, jnp.sqrt(missing) / (jnp.sqrt(v) + eps) * rectified, _ONE)
        return -(m / (_ONE - beta1**n) * r * factor), m, v

    return after_decay(stepwise(MomentsState, step, learning_rate, _MOMENTS), weight_decay, mask)


def rmsprop(
    learning_rate: Rate = 1e-2,
    alpha: Number = 0.99,
    eps: Number = 1e-8,
    weight_decay: Rate = 0.0,
    momentum: Number = 0.0,
    centered: bool = False,
    mask: Mask = None,
) -> Transformation:
    """RMSprop (Hinton, 2012) as `experimental.optim.RMSprop` computes it, with epsilon added to the root.

    Raises:
        ValueError: a negative number.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.experimental.rmsprop(0.5, alpha=0.75)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-1.  1.]
    """
    ranges("experimental.rmsprop", not_negative={"alpha": alpha, "eps": eps, "momentum": momentum})
    moving = not is_zero(momentum)
    alpha, eps, momentum = map(f32, (alpha, eps, momentum))

    def step(p, g, r, square, *rest, number):
        square = square * alpha + g * g * (_ONE - alpha)
        below, new = square, []
        if centered:
            mean = rest[0] * alpha + g * (_ONE - alpha)
            below = square - mean * mean
            new.append(mean)
        direction = g / (jnp.sqrt(below) + eps)
        if moving:
            direction = rest[-1] * momentum + direction
            new.append(direction)
        return -(r * direction), square, *new

    fields = {
        "mean_square": zeros,
        **({"mean_grad": zeros} if centered else {}),
        **({"moment": zeros} if moving else {}),
    }
    return after_decay(stepwise(RMSpropState, step, learning_rate, fields), weight_decay, mask)

"""Steps that scale each element by its past gradients, with the numbers of `mindspore.nn`."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from . import formulas
from .building import Mask, Number, Rate, Transformation, f32, filled, is_zero, ones, ranges, stepwise, zeros
from .parts import after_decay


class AdagradState(NamedTuple):
    """count: steps made. accum: sum of g ** 2."""

    count: jax.Array
    accum: Any


class AdadeltaState(NamedTuple):
    """count: steps made. accum: mean of g ** 2. accum_update: mean of the squared updates."""

    count: jax.Array
    accum: Any
    accum_update: Any


class RMSPropState(NamedTuple):
    """count: steps made. ms: mean of g ** 2. moment: the last change. mg: mean of g, or None."""

    count: jax.Array
    ms: Any
    moment: Any
    mg: Any = None


class FtrlState(NamedTuple):
    """count: steps made. moments: sum of g ** 2. linear: the linear terms."""

    count: jax.Array
    moments: Any
    linear: Any


def adagrad(
    learning_rate: Rate = 0.001,
    accum: float = 0.1,
    update_slots: bool = True,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Adagrad (Duchi et al., 2011) as `nn.Adagrad` computes it: accum += g^2; update = -learning_rate g / sqrt(accum).

    Args:
        learning_rate: number, or schedule.
        accum: first value of the sums, 0 or more.
        update_slots: whether the sums change.
        weight_decay: added to the gradients; number or schedule.
        mask: which parameters are decayed, as `optax.masked` takes it.

    Raises:
        ValueError: a negative `accum`.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.adagrad(0.5, accum=0.0)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5  0.5]
    """
    ranges("adagrad", not_negative={"accum": accum})

    def step(p, g, r, total, *, number):
        change, total = formulas.adagrad(g, r, total, update_slots)
        return -change, total

    return after_decay(stepwise(AdagradState, step, learning_rate, {"accum": filled(accum)}), weight_decay, mask)


def adadelta(
    learning_rate: Rate = 1.0, rho: Number = 0.9, epsilon: Number = 1e-6, weight_decay: Rate = 0.0, mask: Mask = None
) -> Transformation:
    """Adadelta (Zeiler, https://arxiv.org/abs/1212.5701) as `nn.Adadelta` and `experimental.optim.Adadelta` compute it.

    Args:
        learning_rate: number, or schedule.
        rho: decay of the two means.
        epsilon: 0 or more.
        weight_decay, mask: as for `adagrad`.

    Raises:
        ValueError: a negative number.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.adadelta(1.0, epsilon=0.1)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.7071067  0.8944271]
    """
    ranges("adadelta", not_negative={"rho": rho, "epsilon": epsilon})
    rho, epsilon = f32(rho), f32(epsilon)

    def step(p, g, r, accum, accum_update, *, number):
        change, *means = formulas.adadelta(g, r, accum, accum_update, rho, epsilon)
        return -change, *means

    inner = stepwise(AdadeltaState, step, learning_rate, {"accum": zeros, "accum_update": zeros})
    return after_decay(inner, weight_decay, mask)


def rmsprop(
    learning_rate: Rate = 0.1,
    decay: Number = 0.9,
    momentum: Number = 0.0,
    epsilon: Number = 1e-10,
    centered: bool = False,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """RMSProp (Hinton, 2012) as `nn.RMSProp` computes it: ms = decay ms + (1 - decay) g^2, from 1; moment = momentum moment +
    learning_rate g / sqrt(ms + epsilon); update = -moment.

    Args:
        learning_rate: number, or schedule.
        decay: of the means, 0 or more.
        momentum: 0 or more.
        epsilon: above 0.
        centered: divide by the standard deviation of the gradient.
        weight_decay, mask: as for `adagrad`.

    Raises:
        ValueError: a number out of its range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.rmsprop(0.5, decay=0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> print(transformation.update(params, transformation.init(params), params)[0])
        [-0.5        0.6324555]
    """
    ranges("rmsprop", positive={"epsilon": epsilon}, not_negative={"decay": decay, "momentum": momentum})
    absent = is_zero(momentum)
    decay, momentum, epsilon = map(f32, (decay, momentum, epsilon))

    def past(moment):
        """The last change, which a momentum of 0 need not read."""
        return jnp.zeros((), moment.dtype) if absent else moment

    def plain(p, g, r, square, moment, *, number):
        change, square = formulas.rmsprop(g, r, square, past(moment), decay, momentum, epsilon)
        return -change, square, change

    def on_variance(p, g, r, square, moment, mean, *, number):
        change, mean, square = formulas.centered_rmsprop(g, r, mean, square, past(moment), decay, momentum, epsilon)
        return -change, square, change, mean

    fields = {"ms": ones, "moment": zeros, **({"mg": zeros} if centered else {})}
    inner = stepwise(RMSPropState, on_variance if centered else plain, learning_rate, fields)
    return after_decay(inner, weight_decay, mask)


def ftrl(
    learning_rate: Rate = 0.001,
    initial_accum: float = 0.1,
    lr_power: Number = -0.5,
    l1: Number = 0.0,
    l2: Number = 0.0,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """FTRL-proximal (McMahan et al., 2013) as `nn.FTRL` computes it, for sparse linear models: L1 regularization sets
    small weights to exactly 0.

    Args:
        learning_rate: number, or schedule.
        initial_accum: first value of the sums of g^2, 0 or more.
        lr_power: power with which the rate falls.
        l1, l2: regularization, 0 or more.
        weight_decay, mask: as for `adagrad`.

    Raises:
        ValueError: a negative number.

    Example:
        >>> import jax.numpy as jnp, optax
        >>> from msjax import optim
        >>> transformation = optim.ftrl(0.5, l1=0.5)
        >>> params = jnp.float32([0.1, -2.0])
        >>> updates, _ = transformation.update(params, transformation.init(params), params)
        >>> print(optax.apply_updates(params, updates))
        [ 0.        -1.0703214]
    """
    ranges("ftrl", not_negative={"initial_accum": initial_accum, "l1": l1, "l2": l2})
    power, l1, l2 = map(f32, (lr_power, l1, l2))

    def step(p, g, r, accum, linear, *, number):
        new, accum, linear = formulas.ftrl(p, g, r, accum, linear, l1, l2, power)
        return new - p, accum, linear

    inner = stepwise(FtrlState, step, learning_rate, {"moments": filled(initial_accum), "linear": zeros})
    return after_decay(inner, weight_decay, mask)


def proximal_adagrad(
    learning_rate: Rate = 0.001,
    accum: float = 0.1,
    l1: Number = 0.0,
    l2: Number = 0.0,
    weight_decay: Rate = 0.0,
    mask: Mask = None,
) -> Transformation:
    """Proximal Adagrad (Duchi and Singer, 2009) as `nn.ProximalAdagrad` computes it: Adagrad's step, then shrinkage by L1 and L2.

    Args:
        learning_rate: number, or schedule.
        accum: first value of the sums of g^2, 0 or more.
        l1, l2: regularization, 0 or more.
        weight_decay, mask: as for `adagrad`.

    Raises:
        ValueError: a negative number.

    Example:
        >>> import jax.numpy as jnp, optax
        >>> from msjax import optim
        >>> transformation = optim.proximal_adagrad(0.5, accum=0.0, l1=0.5)
        >>> params = jnp.float32([1.0, -2.0])
        >>> updates, _ = transformation.update(params, transformation.init(params), params)
        >>> print(optax.apply_updates(params, updates))
        [ 0.25  -1.375]
    """
    ranges("proximal_adagrad", not_negative={"accum": accum, "l1": l1, "l2": l2})
    l1, l2 = f32(l1), f32(l2)

    def step(p, g, r, total, *, number):
        new, total = formulas.proximal_adagrad(p, g, r, total, l1, l2)
        return new - p, total

    return after_decay(stepwise(AdagradState, step, learning_rate, {"accum": filled(accum)}), weight_decay, mask)

"""AdaFactor: Adam's second moments of matrices kept as row and column means."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from .building import Number, Rate, Transformation, f32, is_zero, ranges, stepwise, zeros


class AdaFactorState(NamedTuple):
    """count: steps made. exp_avg: first moments, or None. exp_avg_sq_row, exp_avg_sq_col: means of g ** 2 over the last, and the last axis
    but one, of parameters of two axes or more. exp_avg_sq: of the others.
    """

    count: jax.Array
    exp_avg_sq_row: Any
    exp_avg_sq_col: Any
    exp_avg_sq: Any
    exp_avg: Any = None


def adafactor(
    learning_rate: Rate | None = None,
    eps: tuple[float, float] = (1e-30, 1e-3),
    clip_threshold: float = 1.0,
    decay_rate: float = 0.8,
    beta1: float = 0.9,
    weight_decay: Number = 0.0,
    scale_parameter: bool = True,
    relative_step: bool = True,
    warmup_init: bool = False,
    compression: bool = False,
) -> Transformation:
    """AdaFactor (Shazeer and Stern, https://arxiv.org/abs/1804.04235) as `nn.AdaFactor` computes it.

    Args:
        learning_rate: None for the relative step, else number or schedule.
        eps: (added to g^2, smallest norm of a parameter).
        clip_threshold: largest root mean square of a step.
        decay_rate: power with which the second moment's decay grows, in (0, 1).
        beta1: decay of the first moment; 0 keeps none.
        weight_decay: shrinks the parameters.
        scale_parameter: scale the rate with the norm of the parameter.
        relative_step: rate min(0.01, 1 / sqrt(number of the step)).
        warmup_init: start it at 1e-6 times the number.
        compression: second moments of vectors in float16.

    Raises:
        ValueError: a learning rate together with `relative_step`, or neither; `warmup_init` without `relative_step`; a number out of range.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax import optim
        >>> transformation = optim.adafactor(beta1=0.0)
        >>> params = jnp.ones((2, 3), jnp.float32)
        >>> state = transformation.init(params)
        >>> print(
        ...     state.exp_avg_sq_row.shape,
        ...     state.exp_avg_sq_col.shape,
        ...     transformation.update(params, state, params)[0][0],
        ... )
        (2,) (3,) [-0.01 -0.01 -0.01]
    """
    if (learning_rate is None) != relative_step or warmup_init > relative_step:
        raise ValueError(
            "For 'optim.adafactor', give a 'learning_rate', or 'relative_step' (which 'warmup_init' needs), but got "
            f"learning_rate={learning_rate}, relative_step={relative_step}, warmup_init={warmup_init}."
        )
    ranges("adafactor", not_negative={"eps[0]": eps[0], "eps[1]": eps[1]}, below_one={"beta1": beta1})
    small, floor = map(f32, eps)
    one = np.float32(1)

    def rms(x):
        return jnp.sqrt(jnp.mean(x * x))

    def kept(of_matrix, of_vector, half=False):
        def make(p):
            shape = of_matrix(p.shape) if p.ndim > 1 else of_vector(p.shape)
            return jnp.zeros(shape, jnp.float16 if half and compression and p.ndim < 2 else p.dtype)

        return make

    def step(p, g, rate, row, column, square, *mean, number):
        count = number.astype(p.dtype)
        if relative_step:
            rate = jnp.minimum(np.float32(1e-6) * count if warmup_init else np.float32(0.01), one / jnp.sqrt(count))
        if scale_parameter:
            rate = rate * jnp.maximum(floor, rms(p))
        beta2 = one - count ** f32(-decay_rate)
        energy = g * g + small
        if p.ndim > 1:
            row = row * beta2 + jnp.mean(energy, axis=-1) * (one - beta2)
            column = column * beta2 + jnp.mean(energy, axis=-2) * (one - beta2)
            of_row = one / jnp.sqrt(row / jnp.mean(row, axis=-1, keepdims=True))
            scale = of_row[..., None] * (one / jnp.sqrt(column))[..., None, :]
        else:
            square = square * beta2 + energy * (one - beta2)
            scale = one / jnp.sqrt(square)
        change = scale * g
        change = change / jnp.maximum(rms(change) / f32(clip_threshold), one) * rate
        if mean:
            change = mean[0] * f32(beta1) + change * f32(1 - beta1)
            mean = (change,)
        if is_zero(weight_decay):
            return -change, row, column, square, *mean
        return p - p * f32(weight_decay) * rate - change - p, row, column, square, *mean

    fields = {
        "exp_avg_sq_row": kept(lambda s: s[:-1], lambda s: (1,)),
        "exp_avg_sq_col": kept(lambda s: s[:-2] + s[-1:], lambda s: (1,)),
        "exp_avg_sq": kept(lambda s: (1,), lambda s: s, half=True),
        **({} if is_zero(beta1) else {"exp_avg": zeros}),
    }
    return stepwise(AdaFactorState, step, 0.0 if learning_rate is None else learning_rate, fields)

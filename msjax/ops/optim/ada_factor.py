"""AdaFactor's step as one operator (the optimizer itself is `nn.AdaFactor`)."""

from typing import Any

import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Number, Operand, Static

_CALL = (
    "epsilon",
    "clip_threshold",
    "beta1",
    "beta2",
    "weight_decay",
    "learning_rate",
    "gradient",
    "param",
    "exp_avg",
    "exp_avg_sq_row",
    "exp_avg_sq_col",
    "exp_avg_sq",
)


def _root_mean_square(x):
    return jnp.sqrt(jnp.mean(x * x))


def _step(
    epsilon,
    clip_threshold,
    beta1,
    beta2,
    weight_decay,
    learning_rate,
    gradient,
    param,
    exp_avg,
    exp_avg_sq_row,
    exp_avg_sq_col,
    exp_avg_sq,
    enable_scale_parameter,
    enable_first_moment,
    enable_weight_decay,
):
    """New (param, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq), computed in float32."""
    if gradient.shape != param.shape:
        raise ValueError(
            f"For 'FusedAdaFactor', the 'gradient' must have the shape of 'param', {param.shape}, but got {gradient.shape}."
        )
    small, least = (
        jnp.asarray(e, jnp.float32)
        for e in (epsilon if isinstance(epsilon, (tuple, list)) else (epsilon[0], epsilon[1]))
    )
    clip, b1, b2, decay, rate = (
        jnp.asarray(v).reshape(()).astype(jnp.float32)
        for v in (clip_threshold, beta1, beta2, weight_decay, learning_rate)
    )
    old, grad, mean, row, column, full = (
        x.astype(jnp.float32) for x in (param, gradient, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)
    )
    square = grad * grad + small
    if param.ndim >= 2:
        row = row * b2 + jnp.mean(square, -1) * (1 - b2)
        column = column * b2 + jnp.mean(square, -2) * (1 - b2)
        share = row / jnp.mean(row, -1, keepdims=True)
        update = grad / jnp.sqrt(share)[..., None] / jnp.sqrt(column)[..., None, :]
    else:
        full = full * b2 + square * (1 - b2)
        update = grad / jnp.sqrt(full)
    if enable_scale_parameter:
        rate = rate * jnp.maximum(least, _root_mean_square(old))
    update = update / jnp.maximum(1, _root_mean_square(update) / clip) * rate
    if enable_first_moment:
        mean = mean * b1 + update * (1 - b1)
        update = mean
    if enable_weight_decay:
        old = old - old * decay * rate
    new = (old - update, mean, row, column, full)
    made = tuple(n.astype(x.dtype) for n, x in zip(new, (param, exp_avg, exp_avg_sq_row, exp_avg_sq_col, exp_avg_sq)))
    return *made, made[0]


@op(prim=Prim("FusedAdaFactor", inputs=_CALL), ops=False, writes=(7, 8, 9, 10, 11))
def fused_ada_factor(
    epsilon: Static[Any],
    clip_threshold: Operand,
    beta1: Operand,
    beta2: Operand,
    weight_decay: Operand,
    learning_rate: Operand,
    gradient: Array,
    param: Array,
    exp_avg: Array,
    exp_avg_sq_row: Array,
    exp_avg_sq_col: Array,
    exp_avg_sq: Array,
    enable_scale_parameter: bool = False,
    enable_first_moment: bool = False,
    enable_weight_decay: bool = False,
):
    """One step of AdaFactor (Shazeer and Stern, 2018) on `param` and its states, in place; the new values of `param`.

    Args:
        epsilon: Tensor or tuple of two: added to squares, least factor of the rate.
        clip_threshold: greatest root mean square of the update.
        beta1, beta2: rates of the moments.
        weight_decay, learning_rate: numbers.
        gradient, param, exp_avg: of one shape.
        exp_avg_sq_row, exp_avg_sq_col: second moments without the last, without the last but one axis (param of two axes or more).
        exp_avg_sq: second moments (param of one axis).
        enable_scale_parameter: the rate is multiplied by the root mean square of `param`.
        enable_first_moment, enable_weight_decay: whether `exp_avg` and `weight_decay` count.

    Raises:
        ValueError: gradient and param have different shapes.

    Example:
        >>> param, mean = Parameter(ops.ones((2, 3)), name="param"), Parameter(ops.zeros((2, 3)), name="mean")
        >>> row, column = Parameter(ops.zeros(2), name="row"), Parameter(ops.zeros(3), name="column")
        >>> grad, full = ops.ones((2, 3)), Parameter(ops.zeros((2, 3)), name="full")
        >>> ops.FusedAdaFactor()((1e-30, 1e-3), 1.0, 0.9, 0.8, 0.0, 0.03, grad, param, mean, row, column, full)
        Tensor(shape=[2, 3], dtype=Float32, value=
        [[ 9.70000029e-01,  9.70000029e-01,  9.70000029e-01],
         [ 9.70000029e-01,  9.70000029e-01,  9.70000029e-01]])
    """
    return _step(
        epsilon,
        clip_threshold,
        beta1,
        beta2,
        weight_decay,
        learning_rate,
        gradient,
        param,
        exp_avg,
        exp_avg_sq_row,
        exp_avg_sq_col,
        exp_avg_sq,
        enable_scale_parameter,
        enable_first_moment,
        enable_weight_decay,
    )


@op(prim=Prim("FusedAdaFactorWithGlobalNorm", inputs=(*_CALL, "global_norm")), ops=False, writes=(7, 8, 9, 10, 11))
def fused_ada_factor_with_global_norm(
    epsilon: Static[Number],
    clip_threshold: Operand,
    beta1: Operand,
    beta2: Operand,
    weight_decay: Operand,
    learning_rate: Operand,
    gradient: Operand,
    param: Operand,
    exp_avg: Operand,
    exp_avg_sq_row: Operand,
    exp_avg_sq_col: Operand,
    exp_avg_sq: Operand,
    global_norm: Operand,
    enable_scale_parameter: bool = False,
    enable_first_moment: bool = False,
    enable_weight_decay: bool = False,
):
    """`FusedAdaFactor` with the gradient divided by `global_norm`."""
    gradient = gradient.astype(jnp.float32) / jnp.asarray(global_norm).reshape(()).astype(jnp.float32)
    return _step(
        epsilon,
        clip_threshold,
        beta1,
        beta2,
        weight_decay,
        learning_rate,
        gradient,
        param,
        exp_avg,
        exp_avg_sq_row,
        exp_avg_sq_col,
        exp_avg_sq,
        enable_scale_parameter,
        enable_first_moment,
        enable_weight_decay,
    )

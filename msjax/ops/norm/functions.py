"""Normalisation operators on top of `norm`: batch, instance, group, root mean square, local response, unit length."""

import math
from typing import Any, Literal

import jax.numpy as jnp
from jax import lax

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, MaybeArray, Number, Operand, Static
from ...core.spec.rules import AsValue, Like, NonNegativeInt, OfType
from ..dtypes import floats_only
from ..shapes import channels_last, number_of_axes
from .kernels import _per_channel, mean_or_zero, moments, normalize, statistics, wide

_step, _infer, _train = records["batch_norm_step"], records["batch_norm_infer"], records["batch_norm_train"]


def _check_batch_norm(name, x, weight):
    number_of_axes(name, 1, weight=weight.shape)
    channels = weight.shape[0]
    if x.ndim < 2:
        raise ValueError(f"For '{name}', the input must have at least two axes, but got shape {tuple(x.shape)}.")
    if x.shape[1] != channels:
        raise ValueError(
            f"For '{name}', the input's channels and the size of 'weight' must be equal, but got {x.shape[1]} and {channels}."
        )


@composite(
    ops=Face(
        "batch_norm",
        args("input_x", "running_mean", "running_var", "weight", "bias", training=False, momentum=0.1, eps=1e-05),
        to={"input_x": "input"},
    )
)
def batch_norm(
    input: Array,
    running_mean: Array,
    running_var: Array,
    weight: Array,
    bias: Array,
    training: bool = False,
    momentum: Number = 0.1,
    eps: Number = 1e-5,
):
    """(x - mean) / sqrt(variance + eps) * weight + bias for each channel of an (N, C, ...) array.

    In training mean and variance are those of the batch, and the running ones move the part `momentum` towards them (they are
    assigned); otherwise the running ones are used.

    Example:
        >>> x = Tensor(np.ones((2, 3), np.float32))
        >>> running_mean, bias = ops.zeros(3), ops.zeros(3)
        >>> running_var, weight = ops.ones(3), ops.ones(3)
        >>> print(ops.batch_norm(x, running_mean, running_var, weight, bias))
        [[0.99999505 0.99999505 0.99999505]
         [0.99999505 0.99999505 0.99999505]]
    """
    number_of_axes("BatchNorm", range(2, 5), input_x=input.shape)
    return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


def _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps):
    _check_batch_norm("batch_norm", input, weight)
    if training:
        return _step(running_mean, running_var, input, weight, bias, momentum, eps)[0]
    return _infer(input, weight, bias, running_mean, running_var, eps)


@composite(ops=False, mint="nn.functional.batch_norm", name="mint_batch_norm")
def mint_batch_norm(
    input: Array,
    running_mean: Array,
    running_var: Array,
    weight: MaybeArray = None,
    bias: MaybeArray = None,
    training: bool = False,
    momentum: Number = 0.1,
    eps: Number = 1e-5,
) -> Array:
    """As `ops.batch_norm`; weight, bias and (in training) the running statistics may be None."""
    channels = input.shape[1]
    weight = records["ones"]((channels,), input.dtype) if weight is None else weight
    bias = records["zeros"]((channels,), input.dtype) if bias is None else bias
    if training and running_mean is None:
        return _train(input, weight, bias, eps)[0]
    return _batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@composite(prim=Prim("BatchNorm", inputs=("input_x", "scale", "bias", "mean", "variance")), ops=False)
def batch_norm_primitive(
    input_x: Array,
    scale: Array,
    bias: Array,
    mean: Array,
    variance: Array,
    is_training: bool = False,
    epsilon: Number = 1e-5,
    momentum: Number = 0.1,
    data_format: str = "NCHW",
):
    """(normalised x, mean, variance, mean, variance): those of the batch in training, which `mean` and `variance` then follow, else the given ones."""
    number_of_axes("BatchNorm", range(2, 5), input_x=input_x.shape)
    given = {"scale": scale, "bias": bias, "mean": mean, "variance": variance}
    number_of_axes("BatchNorm", 1, **{name: array.shape for name, array in given.items()})
    last = channels_last(data_format)
    x = input_x.transpose(0, input_x.ndim - 1, *range(1, input_x.ndim - 1)) if last else input_x
    _check_batch_norm("BatchNorm", x, scale)
    if is_training:
        out, batch_mean, batch_variance = _step(mean, variance, x, scale, bias, momentum, epsilon)
    else:
        out, batch_mean, batch_variance = _infer(x, scale, bias, mean, variance, epsilon), mean, variance
    if last:
        out = out.transpose(0, *range(2, out.ndim), 1)
    return out, batch_mean, batch_variance, batch_mean, batch_variance


@op(ops=False, mint="batch_norm_stats")
def batch_norm_stats(input: Array, eps: Static[Number]):
    """(mean, 1 / sqrt(variance + eps)) of each channel."""
    mean, variance = moments(wide(input), (0, *range(2, input.ndim)))
    return mean.reshape(-1), lax.rsqrt(variance + eps).reshape(-1)


@op(ops=False, mint="batch_norm_elemt")
def batch_norm_elemt(
    input: Array,
    weight: Any = None,
    bias: Number | None = None,
    mean: Number | None = None,
    invstd: Any = None,
    eps: Number = 1e-5,
):
    """(x - mean) * invstd * weight + bias for each channel."""
    out = (wide(input) - _per_channel(mean, input)) * _per_channel(invstd, input)
    out = out if weight is None else out * _per_channel(weight, input)
    return (out if bias is None else out + _per_channel(bias, input)).astype(input.dtype)


@op(name="gathered_statistics", ops=False)
def gathered_statistics(input: Array, mean: Operand, invstd: Operand, eps: Number, counts: Any):
    """(mean, 1 / sqrt(variance + eps), unbiased variance) of each channel from those of several parts."""
    counts = counts.astype(mean.dtype)[:, None]
    total = jnp.sum(counts)
    joint = jnp.sum(mean * counts, 0) / total
    square = jnp.sum((1 / jnp.square(invstd) - eps + jnp.square(mean - joint)) * counts, 0)
    return joint, lax.rsqrt(square / total + eps), square / (total - 1)


@composite(ops=False, mint="batch_norm_gather_stats_with_counts")
def batch_norm_gather_stats_with_counts(
    input: Any,
    mean: Number,
    invstd: Any,
    running_mean: Any = None,
    running_var: Any = None,
    momentum: Number = 0.1,
    eps: Number = 1e-5,
    counts: Any = None,
):
    """(mean, 1 / sqrt(variance + eps)) from those of several parts with `counts` elements each; the running statistics follow."""
    joint, reciprocal, variance = records["gathered_statistics"](input, mean, invstd, eps, counts)
    for running, new in ((running_mean, joint), (running_var, variance)):
        if running is not None:
            running.assign_value(running * (1 - momentum) + new * momentum)
    return joint, reciprocal


# --- groups and instances
def _grouped(x, groups, eps):
    folded = wide(x).reshape(x.shape[0], groups, math.prod(x.shape[1:]) // groups)
    return normalize(folded, (2,), eps).reshape(x.shape)


@op(ops=True, mint="nn.functional.group_norm", residuals=True)
def group_norm(
    input: Array,
    num_groups: OfType[Static[int]],
    weight: MaybeArray = None,
    bias: MaybeArray = None,
    eps: Number = 1e-5,
) -> Array:
    """Normalisation over groups of channels and all places of an (N, C, ...) array (Wu and He, 2018); weight and bias are per channel.

    Example:
        >>> ops.group_norm(Tensor(np.ones((2, 8, 3), np.float32)), 4).shape
        (2, 8, 3)
    """
    floats_only("GroupNorm", input=input)
    number_of_axes("GroupNorm", range(2, 9), RuntimeError, input=input.shape)
    for what, array in (("weight", weight), ("bias", bias)):
        if array is not None and array.ndim == 0:
            raise TypeError(
                f"For 'group_norm', the '{what}' must be a Tensor with one number for each channel, but got one number."
            )
    if num_groups < 1 or input.shape[1] % num_groups:
        raise ValueError(
            f"For 'group_norm', the channels must be a multiple of 'num_groups', but got {input.shape[1]} and {num_groups}."
        )
    out = _grouped(input, num_groups, eps)
    if weight is not None:
        out = out * _per_channel(weight.astype(out.dtype), input)
    if bias is not None:
        out = out + _per_channel(bias.astype(out.dtype), input)
    return out.astype(input.dtype)


@op(name="instance_norm_step", ops=False, writes=(0, 1), residuals=True)
def instance_norm_step(
    mean: Array, variance: Operand, input_x: Operand, gamma: Operand, beta: Operand, momentum: Number, epsilon: Number
):
    """A training step: moved statistics, then (normalised x, mean and 1 / sqrt(variance + eps) of each instance)."""
    floats_only("InstanceNorm", input_x=input_x)
    x = wide(input_x)
    axes = tuple(range(2, x.ndim))
    own_mean, own_variance = moments(x, axes)
    out = normalize(x, axes, epsilon) * _per_channel(gamma.astype(x.dtype), x) + _per_channel(beta.astype(x.dtype), x)
    count = math.prod(x.shape[2:])
    mean_of_batch, variance_of_batch = (mean_or_zero(each, (0,)).reshape(-1) for each in (own_mean, own_variance))
    batch = (mean_of_batch, variance_of_batch * (count / max(count - 1, 1)))
    moved = [
        lax.stop_gradient(old + (new.astype(old.dtype) - old) * momentum) for old, new in zip((mean, variance), batch)
    ]
    own = statistics(own_mean.reshape(-1), lax.rsqrt(own_variance + epsilon).reshape(-1))
    return *moved, out.astype(input_x.dtype), *own


@composite(prim=Prim("InstanceNorm", inputs=("input_x", "gamma", "beta", "mean", "variance")), ops=False)
def instance_norm(
    input_x: Any,
    gamma: Number,
    beta: Number,
    mean: Number,
    variance: Any,
    epsilon: Number = 1e-5,
    momentum: Number = 0.1,
):
    """(x normalised over the places of each instance and channel, the means, the reciprocal deviations); `mean` and `variance` follow."""
    return records["instance_norm_step"](mean, variance, input_x, gamma, beta, momentum, epsilon)


# --- root mean square
def _rms(x, gamma, epsilon):
    floats_only("RmsNorm", x=x)
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    wide_x = wide(x)
    reciprocal = lax.rsqrt(jnp.mean(jnp.square(wide_x), axes, keepdims=True) + epsilon)
    return (wide_x * reciprocal * gamma.astype(wide_x.dtype)).astype(x.dtype), reciprocal


@op(ops=True, prim=Prim("RmsNorm", inputs=("x", "gamma")), residuals=True)
def rms_norm(x: Array, gamma: Array, epsilon: Number = 1e-6) -> tuple[Array, Array]:
    """(x / sqrt(mean(x^2) + epsilon) * gamma, the reciprocal root) over the last axes, those of gamma (Zhang and Sennrich, 2019).

    Example:
        >>> ops.rms_norm(Tensor([[3.0, 4.0]]), Tensor([1.0, 1.0]))[0]
        Tensor(shape=[1, 2], dtype=Float32, value=
        [[8.48528087e-01, 1.13137078e+00]])
    """
    if x.ndim < gamma.ndim or x.shape[x.ndim - gamma.ndim :] != gamma.shape:
        raise ValueError(
            f"For 'RmsNorm', the shape of 'gamma' must be that of the last axes of 'x', but got {tuple(gamma.shape)} and {tuple(x.shape)}."
        )
    return _rms(x, gamma, epsilon)


@op(ops=True, residuals=True)
def add_rms_norm(x1: Array, x2: Array, gamma: Array, epsilon: Number = 1e-6):
    """(`rms_norm` of x1 + x2, the reciprocal root, x1 + x2)"""
    total = x1 + x2
    return *_rms(total, gamma, epsilon), total


@op(ops=True, residuals=True)
def add_layer_norm(
    x1: Array, x2: Array, gamma: Array, beta: Array, epsilon: Number = 1e-5, additional_output: bool = False
):
    """(layer normalisation of x1 + x2 over the axes of gamma, mean, reciprocal deviation, x1 + x2)"""
    total = x1 + x2
    floats_only("AddLayerNorm", x1=total)
    x = wide(total)
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    mean, variance = moments(x, axes)
    out = normalize(x, axes, epsilon) * gamma.astype(x.dtype) + beta.astype(x.dtype)
    return (
        out.astype(total.dtype),
        *statistics(mean, lax.rsqrt(variance + epsilon)),
        total if additional_output else jnp.zeros_like(total),
    )


# --- local response and unit length
@op(ops=True, prim=Prim("LRN", inputs=("x",)))
def lrn(
    x: Array,
    depth_radius: Like[NonNegativeInt] = 5,
    bias: Number = 1.0,
    alpha: Number = 1.0,
    beta: Number = 0.5,
    norm_region: AsValue[Literal["ACROSS_CHANNELS"]] = "ACROSS_CHANNELS",
) -> Array:
    """x / (bias + alpha * sum of squares over the 2 * depth_radius + 1 nearest channels) ** beta (Krizhevsky et al., 2012)."""
    number_of_axes("LRN", 4, x=x.shape)
    floats_only("LRN", x=x)
    channels, wide = (
        jnp.arange(x.shape[1]),
        x.astype(jnp.promote_types(x.dtype, jnp.float32)),
    )  # squares may be too large
    near = (jnp.abs(channels[:, None] - channels) <= depth_radius).astype(wide.dtype)
    total = jnp.moveaxis(jnp.tensordot(jnp.square(wide), near, ((1,), (0,)), precision=lax.Precision.HIGHEST), -1, 1)
    return (wide / (bias + alpha * total) ** beta).astype(x.dtype)


@op(ops=False, mint="nn.functional.normalize")
def unit_norm(input: Array, p: Number = 2.0, dim: int = 1, eps: Number = 1e-12) -> Array:
    """input / max(p-norm along `dim`, eps)."""
    size = jnp.abs(input)
    if p == 2:
        square = jnp.sum(jnp.square(size), dim, keepdims=True)
        norm = jnp.where(square > 0, jnp.sqrt(jnp.where(square > 0, square, 1)), 0)
    elif p == math.inf:
        norm = jnp.max(size, dim, keepdims=True)
    else:
        norm = jnp.sum(size**p, dim, keepdims=True) ** (1 / p)
    return input / jnp.maximum(norm, eps).astype(input.dtype)

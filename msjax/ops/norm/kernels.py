"""Normalisation: batch, layer, group, instance, RMS; all compute statistics in float32 at least."""

import functools
import math
from collections.abc import Sequence
from typing import Annotated

import jax
import jax.numpy as jnp
from jax import lax

from ...core.operators.quotients import exact_mean
from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, MaybeArray, Number, Operand, Shown
from ..dtypes import floats_only, only
from ..shapes import ANY, number_of_axes, same_shape

_BATCH_NORM_TYPES = "float16 bfloat16 float32"  # what BatchNorm normalises


def _wide_type(x):
    return jnp.dtype("float32") if x.dtype in (jnp.float16, jnp.bfloat16) else x.dtype


def wide(x: jax.Array):
    """float32 for narrower floats: sums of float16 overflow and lose digits."""
    return x.astype(_wide_type(x))


def moments(x: jax.Array, axes: Sequence[int]):
    """(mean, variance) over axes, kept as axes of length one; 0 where there is no element, as MindSpore's kernels have it.

    Two passes: E[x^2] - E[x]^2 in one loses digits where the values lie far from 0, and XLA makes it no faster.
    """
    mean = mean_or_zero(x, axes, keepdims=True)
    return mean, mean_or_zero(jnp.square(x - mean), axes, keepdims=True)


def mean_or_zero(x: jax.Array, axes: Sequence[int], keepdims: bool = False):
    """The mean over axes; 0 of no elements: with NaN an empty batch would end the moving statistics of a network."""
    mean = exact_mean if math.prod(x.shape[each] for each in axes) else jnp.sum
    return mean(x, tuple(axes), keepdims=keepdims)


def statistics(*values: jax.Array):
    """Statistics as further results of a layer: as in MindSpore, no gradient comes back through them."""
    return lax.stop_gradient(values)


def _per_channel(v, x):
    same_shape("normalization", channels=x.shape[1:2], scale_shift_mean_or_variance=v.shape)
    return v.reshape((1, -1) + (1,) * (x.ndim - 2))


@op(ops=False, residuals=True)
def batch_norm_train(x: Array, gamma: Operand, beta: Operand, eps: Number = 1e-5):
    """(normalised x, batch mean, batch variance (biased)) of an (N, C, ...) array, per channel."""
    return _by_batch(x, gamma, beta, _of_type(eps, _wide_type(x)))


def _of_type(number, dtype):
    """A Python number, or a scalar input of the program, in the dtype of the arrays that it meets."""
    return number.astype(dtype) if isinstance(number, jax.Array) else dtype.type(number)


# jit: layers of the same shapes are traced and differentiated once
@jax.jit
def _by_batch(x, gamma, beta, eps):
    wide_x = wide(x)
    axes = (0, *range(2, x.ndim))
    mean, variance = moments(wide_x, axes)
    scale = lax.rsqrt(variance + eps) * _per_channel(gamma.astype(wide_x.dtype), x)
    out = (wide_x - mean) * scale + _per_channel(beta.astype(wide_x.dtype), x)
    return out.astype(x.dtype), *statistics(mean.reshape(-1), variance.reshape(-1))


@op(ops=False, writes=(0, 1), residuals=True)
def batch_norm_step(
    moving_mean: Array,
    moving_variance: Operand,
    x: Operand,
    gamma: Operand,
    beta: Operand,
    momentum: Number = 0.1,
    eps: Number = 1e-5,
):
    """A training step of batch normalisation: as `batch_norm_train`, and the moving statistics go the part `momentum` towards the batch's.

    The moving variance follows the unbiased one, as in MindSpore.
    """
    only("BatchNorm", _BATCH_NORM_TYPES, input_x=x)
    out, mean, variance = batch_norm_train(x, gamma, beta, eps)
    count = x.size // x.shape[1]
    batch = (mean, variance * (count / max(count - 1, 1)))
    moved = [
        _towards(old, new, _of_type(momentum, old.dtype)) for old, new in zip((moving_mean, moving_variance), batch)
    ]
    return *moved, out, mean, variance


@jax.jit
def _towards(old, new, part):
    return lax.stop_gradient(old + (new.astype(old.dtype) - old) * part)


@op(ops=False)
def batch_norm_infer(x: Array, gamma: Operand, beta: Operand, mean: Operand, variance: Operand, eps: Number = 1e-5):
    """x normalised with given statistics, per channel; the statistics get no gradient."""
    only("BatchNorm", _BATCH_NORM_TYPES, input_x=x)
    wide_x = wide(x)
    for values in (gamma, beta, mean, variance):
        same_shape("BatchNorm", channels=x.shape[1:2], scale_bias_mean_or_variance=values.shape)
    mean, variance = lax.stop_gradient((mean, variance))
    scale = gamma.astype(wide_x.dtype) * lax.rsqrt(variance.astype(wide_x.dtype) + eps)
    shift = beta.astype(wide_x.dtype) - mean.astype(wide_x.dtype) * scale
    return (wide_x * _per_channel(scale, x) + _per_channel(shift, x)).astype(x.dtype)


def normalize(x: jax.Array, axes: Sequence[int], eps: float):
    """(x - mean) / sqrt(variance + eps) over axes; the gradient reuses the normalised values."""
    return _traced_once(x, axes, jnp.asarray(eps, x.dtype))


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def _normalize(x, axes, eps):
    return _normalize_forward(x, axes, eps)[0]


def _normalize_forward(x, axes, eps):
    mean, variance = moments(x, axes)
    rstd = lax.rsqrt(variance + eps)
    out = (x - mean) * rstd
    return out, (out, rstd)


def _normalize_backward(axes, saved, g):
    out, rstd = saved
    return rstd * (g - jnp.mean(g, axes, keepdims=True) - out * jnp.mean(g * out, axes, keepdims=True)), None


_normalize.defvjp(_normalize_forward, _normalize_backward)
_traced_once = jax.jit(_normalize, static_argnums=1)


@op(prim=Prim("LayerNorm", inputs=("input_x", "gamma", "beta")), ops=False, residuals=True)
def layer_norm_stats(
    input_x: Array,
    gamma: Array,
    beta: Array,
    begin_norm_axis: int = 1,
    begin_params_axis: int = 1,
    epsilon: Number = 1e-7,
):
    """(layer normalised x, mean, variance) over the axes from `begin_norm_axis` on."""
    floats_only("LayerNorm", input_x=input_x)
    x = wide(input_x)
    number_of_axes("LayerNorm", range(1, ANY), input_x=x.shape)
    for what, axis in (("begin_norm_axis", begin_norm_axis), ("begin_params_axis", begin_params_axis)):
        if not -1 <= axis < x.ndim:
            raise RuntimeError(
                f"For primitive[LayerNorm], input_x's rank is {x.ndim}, while the '{what}' value should be in the range "
                f"[-1, {x.ndim}), but got {axis}"
            )
    first = begin_norm_axis % x.ndim
    axes = tuple(range(first, x.ndim))
    mean, variance = moments(x, axes)
    out = normalize(x, axes, epsilon)
    start = begin_params_axis % x.ndim
    for name, given in (("gamma", gamma), ("beta", beta)):
        trimmed = given.shape[: x.ndim - start] if given.size == math.prod(x.shape[start:]) else given.shape
        same_shape("LayerNorm", **{"input_x": x.shape[start:], name: trimmed})  # further axes of one do not count
    shape = (1,) * start + tuple(x.shape[start:])
    out = out * gamma.astype(x.dtype).reshape(shape) + beta.astype(x.dtype).reshape(shape)
    return out.astype(input_x.dtype), *statistics(mean, variance)


_LAYER_NORM = args("input", "normalized_shape", weight=None, bias=None, eps=1e-05)


@op(
    residuals=True,
    ops=Face("layer_norm", _LAYER_NORM, to={"weight": "gamma", "bias": "beta"}),
    mint=Face("nn.functional.layer_norm", _LAYER_NORM, to={"weight": "gamma", "bias": "beta"}),
)
def layer_norm(
    input: Array,
    normalized_shape: Annotated[Operand, Shown("int | Sequence[int]")],
    gamma: MaybeArray = None,
    beta: MaybeArray = None,
    eps: Number = 1e-5,
) -> Array:
    """Layer normalisation over the last axes, whose sizes are `normalized_shape` (Ba et al., 2016).

    Example:
        >>> print(ops.layer_norm(Tensor(np.ones((2, 768), np.float32)), (768,), ops.ones(768), ops.zeros(768)))
        [[0. 0. 0. ... 0. 0. 0.]
         [0. 0. 0. ... 0. 0. 0.]]
    """
    sizes = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if tuple(input.shape[input.ndim - len(sizes) :]) != sizes:
        raise ValueError(
            f"For 'layer_norm', the last axes of the input must be {sizes}, but got shape {tuple(input.shape)}."
        )
    for factor in (gamma, beta):
        if factor is not None:
            same_shape("layer_norm", RuntimeError, normalized_shape=sizes, gamma_or_beta=factor.shape)
    floats_only("layer_norm", input=input)
    x = wide(input)
    out = normalize(x, tuple(range(x.ndim - len(sizes), x.ndim)), eps)
    if gamma is not None:
        out = out * gamma.astype(x.dtype)
    if beta is not None:
        out = out + beta.astype(x.dtype)
    return out.astype(input.dtype)

"""The additions of data parallel training to a step: gradients over all processes in few collectives, and statistics of
the whole batch.
"""

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
from jax import lax

from ..core.operators.record import op, records
from ..core.settings.context import get_auto_parallel_context
from ..core.spec import Array, Operand
from . import exchange
from .places import place_of

if TYPE_CHECKING:
    from .places import Place

_BUCKET = 64 * 2**20  # bytes of one fused collective, as `fusion_threshold` (in MB) has it by default
_HALVES = (jnp.float16, jnp.bfloat16)


def _buckets(arrays, limit):
    """Lists of positions whose arrays go together: of one dtype, in order, up to `limit` bytes."""
    found, open_ = [], {}
    for i, array in enumerate(arrays):
        size = array.size * array.dtype.itemsize
        bucket = open_.get(array.dtype)
        if bucket is None or bucket[1] + size > limit:
            bucket = open_[array.dtype] = [[], 0]
            found.append(bucket[0])
        bucket[0].append(i)
        bucket[1] += size
    return found


@op(ops=False, name="reduce_gradients", dynamic=True, residuals=True)
def _reduce_gradients(gradients: Array, scale: Operand, place: Any, limit: Any):
    """Sum over the processes times `scale`, of many arrays at once: they lie one behind the other in few large messages.

    Halves are summed in float32, as MindSpore does.
    """
    dtypes = [g.dtype for g in gradients]
    given = [g.astype(jnp.float32) if g.dtype in _HALVES else g for g in gradients]
    out = [None] * len(given)
    for bucket in _buckets(given, limit):
        flat = jnp.concatenate([given[i].reshape(-1) for i in bucket])
        total, start = exchange.all_reduce(flat, "sum", place), 0
        for i in bucket:
            part = lax.slice_in_dim(total, start, start + given[i].size).reshape(given[i].shape)
            out[i] = (part if scale == 1.0 else part * jnp.asarray(scale, part.dtype)).astype(dtypes[i])
            start += given[i].size
    return tuple(out)


def reduced(gradients: Any, place: "Place", scale: float = 1.0):
    """Gradients (Tensors) summed over the processes of a group, times `scale`."""
    limit = get_auto_parallel_context("fusion_threshold") * 2**20 or _BUCKET
    return tuple(records["reduce_gradients"](tuple(gradients), float(scale), place, limit))


def broadcast_parameters(parameters: Any, root: int = 0):
    """Give all processes the Parameters of one; of one process they are the same already."""
    place = place_of("broadcast_parameters", None)
    if place.size > 1:
        for parameter, value in zip(parameters, records["broadcast_prim"](tuple(parameters), root)):
            parameter.set_data(value)


@op(ops=False, name="batch_norm_step_across", writes=(0, 1), dynamic=True, residuals=True)
def _batch_norm_step_across(
    moving_mean: Array,
    moving_variance: Operand,
    x: Operand,
    gamma: Operand,
    beta: Operand,
    momentum: Operand,
    eps: Operand,
    place: Operand,
):
    """A training step of batch normalisation with the statistics of the batches of all processes, weighted by their sizes."""
    axes = (0, *range(2, x.ndim))
    wide = x.astype(jnp.float32)
    count = jnp.full((1,), x.size // x.shape[1], jnp.float32)
    sums = exchange.all_reduce(jnp.concatenate([wide.sum(axes), count]), "sum", place)
    total = lax.stop_gradient(sums[-1])
    shape = (1, -1, *[1] * (x.ndim - 2))
    mean = sums[:-1] / total
    centred = wide - mean.reshape(shape)
    variance = exchange.all_reduce((centred * centred).sum(axes), "sum", place) / total
    scaled = centred * lax.rsqrt(variance + eps).reshape(shape)
    out = scaled * gamma.astype(jnp.float32).reshape(shape) + beta.astype(jnp.float32).reshape(shape)
    batch = (mean, variance * (total / jnp.maximum(total - 1, 1)))
    moved = [
        lax.stop_gradient(old + (new.astype(old.dtype) - old) * momentum)
        for old, new in zip((moving_mean, moving_variance), batch)
    ]
    return *moved, out.astype(x.dtype)


def batch_norm_step_across(
    moving_mean: jax.Array,
    moving_variance: jax.Array,
    x: Any,
    gamma: jax.Array,
    beta: jax.Array,
    momentum: float,
    eps: float,
    place: "Place",
):
    """Normalised `x` (N, C, ...), with the statistics of all processes of a group; the moving ones (Parameters) follow."""
    return records["batch_norm_step_across"](moving_mean, moving_variance, x, gamma, beta, momentum, eps, place)

"""Attention by the kernels that JAX has for TPU (Pallas) and for NVIDIA's GPUs (cuDNN): neither keeps the scores."""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.above import above
from ...core.settings.context import present_device

_LANES = 128  # lengths, and heads that are longer, are padded to a multiple of it on TPU
_LARGEST = 1 << 28  # elements of a mask or bias that is made whole
_FAR = np.float32(-1e30)  # added to scores of hidden pairs: typed, for a Python number would be float64 in the program
_NOWHERE = -1  # sequence of keys that no query sees


def kernel(query: jax.Array, key: jax.Array, value: jax.Array, hidden: Any, biases: Sequence, kept: Any):
    """The function (query, key, value, scale, biases, hidden) -> out for the device and these inputs, or None."""
    device = present_device()
    if device == "CPU" or kept is not None or above.is_apart():
        return None
    if device == "TPU" and _suits_tpu(query, key, value, hidden, biases):
        return on_tpu
    if device == "GPU" and _suits_cudnn(query, key, value, hidden) and _cudnn_is_there():
        return by_cudnn
    return None


def _cudnn_is_there():
    """Whether there is an NVIDIA device, the default one or not: JAX asks it for its version when it traces."""
    try:
        return bool(jax.devices("cuda"))
    except RuntimeError:
        return False


def _float(array, *names):
    return array.dtype in [jnp.dtype(n) for n in names]


def _suits_tpu(query, key, value, hidden, biases):
    if not _float(query, "float32", "bfloat16", "float16") or value.shape[-1] != query.shape[-1]:
        return False
    if min(query.shape[2], key.shape[2]) < _LANES:
        return False
    pairs = query.shape[0] * query.shape[1] * query.shape[2] * key.shape[2]
    return pairs <= _LARGEST or not (biases or _matrices(hidden, query.shape[0]) or _ranges(hidden))


def _suits_cudnn(query, key, value, hidden):
    width = query.shape[-1]
    return (
        _float(query, "bfloat16", "float16")
        and key.dtype == value.dtype == query.dtype
        and width == value.shape[-1]
        and width % 8 == 0
        and width <= 128
        and hidden.row is None
    )


def _ranges(hidden):
    """Whether `last` or `first` hide more than later keys."""
    return hidden.last is not None and not hidden.causal or hidden.first is not None


def _matrices(hidden, batch):
    """The masks that have a row for each query."""
    return [m for m in hidden.dense if not _of_keys(m, batch)]


def _of_keys(mask, batch):
    """Whether a mask is of keys alone."""
    mask = mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
    return mask.shape[1] == mask.shape[2] == 1


def _scaled(query, scale):
    """(query, scale) with a scale that is a Python number, as the kernels need it."""
    if isinstance(scale, (int, float)) and scale:
        return query, float(scale)
    return (query * scale).astype(query.dtype), 1.0


def _padded(x, sizes, fill=0):
    return jnp.pad(x, [(0, s - n) for s, n in zip(sizes, x.shape)], constant_values=fill)


def on_tpu(query: jax.Array, key: jax.Array, value: jax.Array, scale: Any, biases: Sequence, hidden: Any):
    """By the flash attention of JAX's Pallas kernels for TPU."""
    from jax.experimental.pallas.ops.tpu import flash_attention as pallas  # 0.3 s, which other devices need not wait

    batch, heads, queries, width = query.shape
    keys, dtype = key.shape[2], query.dtype
    key, value = (jnp.repeat(x, heads // key.shape[1], 1) for x in (key, value))
    q_size, k_size, w_size = (-(-n // _LANES) * _LANES for n in (queries, keys, width))
    if width < _LANES:  # the kernel takes short heads as they are: padded ones would be moved twice as often
        w_size = width
    inner = jnp.float32 if dtype == jnp.float16 else dtype  # TPU has no float16
    query, scale = _scaled(query, scale)
    q = _padded(query.astype(inner), (batch, heads, q_size, w_size))
    k, v = (_padded(x.astype(inner), (batch, heads, k_size, w_size)) for x in (key, value))

    row = jnp.zeros((1, queries), jnp.int32) if hidden.row is None else hidden.row[None].astype(jnp.int32)
    column = jnp.zeros((1, keys), jnp.int32) if hidden.column is None else hidden.column[None].astype(jnp.int32)
    for mask in hidden.dense:
        if _of_keys(mask, batch):
            column = jnp.where(mask.reshape(-1, keys), _NOWHERE, column)
    apart = hidden.row is not None or k_size != keys or any(_of_keys(m, batch) for m in hidden.dense)
    segments = None
    if apart:
        row, column = jnp.broadcast_to(row, (batch, queries)), jnp.broadcast_to(column, (batch, keys))
        segments = pallas.SegmentIds(
            _padded(row, (batch, q_size), _NOWHERE - 1), _padded(column, (batch, k_size), _NOWHERE)
        )

    added = None
    whole = (batch, heads, queries, keys)
    for bias in biases:
        term = jnp.maximum(bias.value(bias.array), _FAR)  # the kernel's sums of infinities would be NaN
        added = term if added is None else added + term
    mask = hidden._replace(dense=tuple(_matrices(hidden, batch)), row=None, column=None)
    mask = mask._replace(last=None) if hidden.causal else mask
    mask = mask.part(keys)
    if mask is not None:
        added = jnp.where(mask, _FAR, np.float32(0) if added is None else added)
    if added is not None:
        # the kernel scales what it has added, too
        added = _padded(jnp.broadcast_to(added / scale, whole), (batch, heads, q_size, k_size))
    out = _pallas(q, k, v, added, segments, hidden.causal, scale)[:, :, :queries, :width].astype(dtype)
    seen = hidden.causal and not hidden.dense and hidden.row is None  # each query sees its own place at least
    mask = None if seen else hidden.part(keys)
    if mask is not None:  # the kernel gives the mean of all values where every key is hidden
        out = jnp.where(jnp.all(mask, -1, keepdims=True), jnp.zeros((), dtype), out)
    return out


@functools.partial(jax.custom_vjp, nondiff_argnums=(5, 6))
def _pallas(q, k, v, added, segments, causal, scale):
    return _pallas_forward(q, k, v, added, segments, causal, scale)[0]


def _pallas_forward(q, k, v, added, segments, causal, scale):
    from jax.experimental.pallas.ops.tpu.flash_attention import flash_attention  # as above

    with jax.enable_x64(False):  # its index arithmetic is made of Python numbers, which must be 32-bit on TPU
        return jax.vjp(lambda *a: flash_attention(*a, segments, causal=causal, sm_scale=scale), q, k, v, added)


def _pallas_backward(causal, scale, pull, cotangent):
    with jax.enable_x64(False):
        return *pull(cotangent), None


_pallas.defvjp(_pallas_forward, _pallas_backward)


def by_cudnn(query: jax.Array, key: jax.Array, value: jax.Array, scale: Any, biases: Sequence, hidden: Any):
    """By cuDNN's fused attention."""
    keys, causal = key.shape[2], hidden.causal and query.shape[2] == key.shape[2]
    mask = (hidden._replace(last=None) if causal else hidden).part(keys)
    bias = functools.reduce(lambda a, b: a + b, [b.value(b.array) for b in biases]) if biases else None
    if mask is not None:
        mask = ~mask.reshape((1,) * (4 - mask.ndim) + mask.shape)
    query, scale = _scaled(query, scale)
    q, k, v = (x.transpose(0, 2, 1, 3) for x in (query, key, value))
    out = jax.nn.dot_product_attention(
        q,
        k,
        v,
        None if bias is None else bias.astype(query.dtype),
        mask,
        scale=scale,
        is_causal=causal,
        implementation="cudnn",
    ).transpose(0, 2, 1, 3)
    if mask is not None:
        out = jnp.where(jnp.any(mask, -1, keepdims=True), out, jnp.zeros((), out.dtype))
    return out

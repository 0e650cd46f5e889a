"""Adaptive pooling: the output's size is given, window i covers floor(i L / out) to ceil((i + 1) L / out)."""

import jax.numpy as jnp
import numpy as np
from jax import lax

from ...core.operators.quotients import exact_quotient
from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Nested, Static
from ..shape.shaping import merged
from .functions import _unbatched, at_positions, batched


# --- adaptive: the output's size is given, window i covers floor(i L / out) to ceil((i + 1) L / out)
def _sizes(name, output_size, size):
    values = (output_size,) * len(size) if isinstance(output_size, int) or output_size is None else tuple(output_size)
    if len(values) != len(size):
        raise ValueError(
            f"For '{name}', the 'output_size' must be one number or {len(size)} numbers, but got {output_size}."
        )
    made = tuple(length if v is None or v == -1 else v for v, length in zip(values, size))
    if any(isinstance(v, bool) or not isinstance(v, int) for v in made):
        raise TypeError(f"For '{name}', the 'output_size' must be int or a tuple of int, but got {output_size}.")
    if any(v < (1 if len(size) == 1 else 0) for v in made):
        raise ValueError(f"For '{name}', the 'output_size' must be positive, but got {output_size}.")
    return made


def _adaptive_bounds(length, out):
    starts = np.arange(out) * length // out
    return starts, -(-(np.arange(1, out + 1) * length) // out)


def _adaptive_mean(name, n, input, output_size, unbatched=True):
    x, added = batched(name, input, n, unbatched)
    out = x if x.dtype not in (jnp.float16, jnp.bfloat16) else x.astype(jnp.float32)
    counts = np.ones((), np.int64)  # elements of each window
    for axis, size in enumerate(_sizes(name, output_size, x.shape[2:]), 2):
        length = x.shape[axis]
        if size == 0:
            out, count = jnp.zeros((*out.shape[:axis], 0, *out.shape[axis + 1 :]), out.dtype), np.ones((), np.int64)
        elif length % size == 0:
            out = jnp.sum(out.reshape(*out.shape[:axis], size, length // size, *out.shape[axis + 1 :]), axis + 1)
            count = np.asarray(length // size)
        else:
            starts, ends = _adaptive_bounds(length, size)
            place = np.arange(length)[:, None]
            inside = jnp.asarray((place >= starts) & (place < ends), out.dtype)
            out = jnp.moveaxis(jnp.tensordot(out, inside, ((axis,), (0,)), precision=lax.Precision.HIGHEST), -1, axis)
            count = (ends - starts).reshape(-1, *[1] * (x.ndim - 1 - axis))
        counts = counts * count
    out = exact_quotient(out, counts.astype(out.dtype))
    return _unbatched(out.astype(input.dtype), added)


def _adaptive_max(name, n, input, output_size, unbatched=True):
    """(maxima, flat positions)"""
    x, added = batched(name, input, n, unbatched)
    sizes = _sizes(name, output_size, x.shape[2:])
    if 0 in sizes:
        shape = (*x.shape[:2], *sizes)
        return _unbatched((jnp.zeros(shape, x.dtype), jnp.zeros(shape, jnp.int64)), added)
    taps, out, length = [], lax.stop_gradient(x), x.shape[2:]
    for axis, size in enumerate(sizes):
        starts, ends = _adaptive_bounds(length[axis], size)
        inside = np.minimum(starts[:, None] + np.arange((ends - starts).max()), ends[:, None] - 1)
        taps.append(inside)  # a short window repeats its last element
        out = jnp.take(out, jnp.asarray(inside), axis=2 + 2 * axis)
    order = (0, 1, *(2 + 2 * i for i in range(n)), *(3 + 2 * i for i in range(n)))
    windows = merged(out.transpose(order), 2 + n)
    positions = np.zeros((1,) * (2 * n), np.int64)
    for axis, inside in enumerate(taps):
        shape = [1] * (2 * n)
        shape[axis], shape[n + axis] = inside.shape
        positions = positions * length[axis] + inside.reshape(shape)
    positions = jnp.asarray(positions.reshape(*sizes, -1))
    best = jnp.argmax(windows, -1)
    flat = jnp.take_along_axis(jnp.broadcast_to(positions, windows.shape), best[..., None], -1)[..., 0]
    return _unbatched((at_positions(x, flat), flat), added)


@op(
    ops=Face("adaptive_avg_pool1d", fixed={"unbatched": False}),
    mint=Face("nn.functional.adaptive_avg_pool1d", fixed={"unbatched": True}),
)
def adaptive_avg_pool1d(input: Array, output_size: Static[int], unbatched: bool = True) -> Array:
    """Means that make an (N, C, L) array, in `mint` also a (C, L) array, `output_size` long."""
    return _adaptive_mean("adaptive_avg_pool1d", 1, input, output_size, unbatched)


@op(
    prim=Prim("AdaptiveAvgPool2D", init=args("output_size"), call=args("x"), to={"x": "input"}),
    ops=("adaptive_avg_pool2d", "adaptive_avg_pool2d_ext"),
    mint="nn.functional.adaptive_avg_pool2d",
)
def adaptive_avg_pool2d(input: Array, output_size: Static[Nested]) -> Array:
    """Means that give an (N, C, H, W) or (C, H, W) array the size `output_size` = (H', W') or one number; None keeps an axis.

    Example:
        >>> ops.adaptive_avg_pool2d(Tensor(np.ones((1, 3, 4, 4), np.float32)), 1).shape
        (1, 3, 1, 1)
    """
    return _adaptive_mean("adaptive_avg_pool2d", 2, input, output_size)


@op(
    prim=Prim("AdaptiveAvgPool3D", init=args("output_size"), call=args("x"), to={"x": "input"}),
    ops=True,
    mint=("nn.functional.adaptive_avg_pool3d", "nn.functional.adaptive_avg_pool3d_ext"),
)
def adaptive_avg_pool3d(input: Array, output_size: Static[Nested]) -> Array:
    """Means that give an (N, C, D, H, W) or (C, D, H, W) array the size `output_size`; None keeps an axis."""
    return _adaptive_mean("adaptive_avg_pool3d", 3, input, output_size)


@op(
    ops=Face("adaptive_max_pool1d", args("input", "output_size"), fixed={"unbatched": False}),
    mint=Face("nn.functional.adaptive_max_pool1d", fixed={"unbatched": True}),
    residuals=True,
)
def adaptive_max_pool1d(input: Array, output_size: Static[int], return_indices: bool = False, unbatched: bool = True):
    """Maxima that make an (N, C, L) array, in `mint` also a (C, L) array, `output_size` long."""
    out = _adaptive_max("adaptive_max_pool1d", 1, input, output_size, unbatched)
    return out if return_indices else out[0]


@op(ops=True, mint="nn.functional.adaptive_max_pool2d", residuals=True)
def adaptive_max_pool2d(input: Array, output_size: Static[Nested], return_indices: bool = False) -> Array:
    """Maxima that give an (N, C, H, W) or (C, H, W) array the size `output_size`; None keeps an axis."""
    out = _adaptive_max("adaptive_max_pool2d", 2, input, output_size)
    return out if return_indices else out[0]


@op(prim=Prim("AdaptiveMaxPool2D", inputs=("input",)), ops=False, residuals=True)
def adaptive_max_pool2d_primitive(input: Array, output_size: Static[Nested]) -> tuple[Array, Array]:
    """(maxima, flat positions) that give an (N, C, H, W) or (C, H, W) array the size `output_size`."""
    return _adaptive_max("AdaptiveMaxPool2D", 2, input, output_size)


@op(ops=True, residuals=True)
def adaptive_max_pool3d(input: Array, output_size: Static[Nested], return_indices: bool = False):
    """Maxima that give an (N, C, D, H, W) or (C, D, H, W) array the size `output_size`; positions are int32."""
    out, positions = _adaptive_max("adaptive_max_pool3d", 3, input, output_size)
    return (out, positions.astype(jnp.int32)) if return_indices else out


@op(prim=Prim("AdaptiveMaxPool3D"), ops=False, residuals=True)
def adaptive_max_pool3d_primitive(x: Array, output_size: Static[Nested]):
    """(maxima, flat positions as int32) of an (N, C, D, H, W) or (C, D, H, W) array."""
    out, positions = _adaptive_max("AdaptiveMaxPool3D", 3, x, output_size)
    return out, positions.astype(jnp.int32)

"""Pooling over windows of random sizes (Graham, 2015): FractionalMaxPool, FractionalAvgPool, and the forms with fixed kernels."""

import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Prim, args
from ...core.spec import Array, Ints, Key, MaybeArray, Reals, Seed, Static
from ..conv.kernels import spread
from ..shape.shaping import merged
from .functions import at_positions, batched
from .windows import lowest


# --- fixed kernels at random places
def _starts(u, length, out, kernel):
    """(N, C, out) first elements of the windows, from random numbers u (N, C)."""
    if out == 1:
        return jnp.full((*u.shape, 1), length - kernel, jnp.int32)
    alpha = jnp.asarray((length - kernel) / (out - 1), u.dtype)
    index = jnp.arange(out - 1, dtype=u.dtype)
    places = jnp.trunc((index + u[..., None]) * alpha) - jnp.trunc(u[..., None] * alpha)
    return jnp.concatenate([places.astype(jnp.int32), jnp.full((*u.shape, 1), length - kernel, jnp.int32)], -1)


def _fixed(name, n, x, samples, kernel, out):
    """(maxima, flat positions) of an (N, C, ...) array."""
    kernel, out = spread(kernel, n, "kernel_size"), spread(out, n, "output_size")
    size = x.shape[2:]
    if any(o + k - 1 > length for o, k, length in zip(out, kernel, size)):
        raise ValueError(
            f"For '{name}', the output {out} with kernel {kernel} is too large for the input of shape {tuple(x.shape)}."
        )
    samples = jnp.broadcast_to(samples, (*x.shape[:2], n))
    flat = jnp.zeros((*x.shape[:2], *(1,) * (2 * n)), jnp.int32)
    for axis in range(n):  # the first random number is for the width of an image, but for the depth of a volume
        start = _starts(samples[..., 1 - axis if n == 2 else axis], size[axis], out[axis], kernel[axis])
        line = start[..., None] + jnp.arange(kernel[axis])
        shape = [*x.shape[:2], *(1,) * (2 * n)]
        shape[2 + axis], shape[2 + n + axis] = out[axis], kernel[axis]
        flat = flat * size[axis] + line.reshape(shape)
    windows = merged(at_positions(jax.lax.stop_gradient(x), flat), 2 + n)
    flat = flat.reshape(windows.shape)
    positions = jnp.take_along_axis(flat, jnp.argmax(windows, -1)[..., None], -1)[..., 0]
    return at_positions(x, positions), positions.astype(jnp.int64)


@op(prim=Prim("FractionalMaxPoolWithFixedKsize", inputs=("input_x", "random_samples")), ops=False, residuals=True)
def fractional_max_pool_with_fixed_ksize(
    input_x: Array, random_samples: Array, ksize: Static[Ints], output_shape: Static[Ints], data_format: str = "NCHW"
):
    """(maxima, flat positions) of windows of one size at random places; random_samples (N, C, 2) lie in [0, 1)."""
    return _fixed("FractionalMaxPoolWithFixedKsize", 2, input_x, random_samples, ksize, output_shape)


@op(prim=Prim("FractionalMaxPool3DWithFixedKsize", inputs=("x", "random_samples")), ops=False, residuals=True)
def fractional_max_pool3d_with_fixed_ksize(
    x: Array, random_samples: Array, ksize: Static[Any], output_shape: Static[Ints], data_format: str = "NCDHW"
):
    """(maxima, flat positions) of 3-D windows of one size at random places; random_samples (N, C, 3) lie in [0, 1)."""
    last = data_format == "NDHWC"
    batch, added = batched("FractionalMaxPool3DWithFixedKsize", jnp.moveaxis(x, -1, -4) if last else x, 3)
    out = _fixed("FractionalMaxPool3DWithFixedKsize", 3, batch, random_samples, ksize, output_shape)
    out = tuple(o[0] for o in out) if added else out
    return tuple(jnp.moveaxis(o, -4, -1) for o in out) if last else out


def _function(n):
    name = f"fractional_max_pool{n}d"

    def run(
        input: Array,
        kernel_size: Ints,
        output_size: Ints | None = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: MaybeArray = None,
    ):
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"For {name}, 'output_size' and 'output_ratio' can not be None at the same time, but got {output_ratio} and {output_size} ."
            )
        if output_size is None:
            ratio = (output_ratio,) * n if isinstance(output_ratio, float) else tuple(output_ratio)
            if any(not 0 < r < 1 for r in ratio):
                raise ValueError(f"For '{name}', the 'output_ratio' must be in range (0, 1), but got {output_ratio}.")
            output_size = tuple(int(length * r) for length, r in zip(input.shape[-n:], ratio))
        added = input.ndim == n + 1
        x = input.expand_dims(0) if added else input
        if _random_samples is None:
            _random_samples = records["rand"].fn(*x.shape[:2], n, dtype=x.dtype)
        record = records["fractional_max_pool_with_fixed_ksize" if n == 2 else "fractional_max_pool3d_with_fixed_ksize"]
        out = record(x, _random_samples, kernel_size, output_size)
        out = tuple(o[0] for o in out) if added else out
        return out if return_indices else out[0]

    run.__name__ = name
    run.__doc__ = f"Maxima over {n}-D windows of one size at random places; give `output_size` or `output_ratio` (parts of the input's size)."
    return run


for _n in (2, 3):
    composite(_function(_n), ops=f"fractional_max_pool{_n}d")


# --- windows of random sizes
def _bounds(key, length, out, pseudo_random):
    """(out + 1,) ends of the windows along an axis."""
    if pseudo_random:
        alpha, whole = length / out, length // out
        most = min((whole + 2) / alpha - 1, (length + 1 - whole) / alpha - (out - 1))
        u = jax.random.uniform(key, (), jnp.float64) * most
        inner = jnp.ceil(alpha * (jnp.arange(1, out) + u)) - 1
        return jnp.concatenate([jnp.zeros(1), inner, jnp.full(1, length)]).astype(jnp.int64)
    sizes = jax.random.permutation(key, jnp.asarray(length // out + (np.arange(out) < length % out)))
    return jnp.concatenate([jnp.zeros(1, sizes.dtype), jnp.cumsum(sizes)]).astype(jnp.int64)


def _random_windows(name, key, x, pooling_ratio, pseudo_random, overlapping, reduce, fill, seeds, deterministic):
    if len(pooling_ratio) != 4 or pooling_ratio[0] != 1 or pooling_ratio[3] != 1 or any(r < 1 for r in pooling_ratio):
        raise ValueError(
            f"For '{name}', the 'pooling_ratio' must be (1, a, b, 1) with a and b of at least 1, but got {pooling_ratio}."
        )
    key = jax.random.key(seeds[0] * 65537 + seeds[1]) if deterministic else key
    bounds = []
    for axis, part in zip((1, 2), jax.random.split(key)):
        length, ratio = x.shape[axis], pooling_ratio[axis]
        out = math.floor(length / ratio)
        ends = _bounds(part, length, out, pseudo_random)
        bounds.append(ends)
        widest = min(int(math.ceil(ratio)) + 2 + overlapping, length)
        line = ends[:-1, None] + jnp.arange(widest)
        stop = jnp.minimum(ends[1:, None] + (1 if overlapping else 0), length)
        shape = [1] * (x.ndim + 1)
        shape[axis], shape[axis + 1] = line.shape
        inside = (line < stop).reshape(shape)
        x = jnp.take(x, jnp.minimum(line, length - 1), axis)
        x = reduce(jnp.where(inside, x, fill), axis + 1, inside)
    return x, *bounds


@op(
    random=True,
    prim=Prim(
        "FractionalMaxPool",
        init=args("pooling_ratio", pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0),
        call=args("x"),
    ),
    ops=False,
)
def fractional_max_pool(
    key: Key,
    x: Array,
    pooling_ratio: Reals = (1, 1, 1, 1),
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: Seed = 0,
    seed2: Seed = 0,
):
    """(maxima, ends of the rows, ends of the columns) over windows of random sizes of an (N, H, W, C) array."""
    return _random_windows(
        "FractionalMaxPool",
        key,
        x,
        tuple(pooling_ratio),
        pseudo_random,
        overlapping,
        lambda v, axis, inside: jnp.max(v, axis),
        lowest(x.dtype),
        (seed, seed2),
        deterministic,
    )


@op(
    random=True,
    prim=Prim(
        "FractionalAvgPool",
        init=args("pooling_ratio", pseudo_random=False, overlapping=False, deterministic=False, seed=0, seed2=0),
        call=args("x"),
    ),
    ops=False,
)
def fractional_avg_pool(
    key: Key,
    x: Array,
    pooling_ratio: Reals = (1, 1, 1, 1),
    pseudo_random: bool = False,
    overlapping: bool = False,
    deterministic: bool = False,
    seed: Seed = 0,
    seed2: Seed = 0,
):
    """(means, ends of the rows, ends of the columns) over windows of random sizes of an (N, H, W, C) array."""
    return _random_windows(
        "FractionalAvgPool",
        key,
        x,
        tuple(pooling_ratio),
        pseudo_random,
        overlapping,
        lambda v, axis, inside: (jnp.sum(v, axis) / jnp.sum(inside, axis)).astype(v.dtype),
        0,
        (seed, seed2),
        deterministic,
    )

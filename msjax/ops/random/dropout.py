"""Dropout. The mask comes from a hash of (key, position) that XLA fuses into the multiplication, on the CPU 20 times cheaper than drawing
from Threefry.

The hash is two rounds of the 32-bit finalizer with the lowest known bias (lowbias32, C. Wellons, 2018: mean avalanche bias 0.17 of 1),
keyed before each round. The tests check its moments, serial correlation and the independence of neighbouring keys.
"""

import numbers
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Face, Prim, args
from ...core.spec import Array, Key, Number, Seed, Static
from ..dtypes import floats_only
from .seed_rules import FunctionSeed


def _mix(x):
    x = (x ^ (x >> 16)) * jnp.uint32(0x7FEB352D)
    x = (x ^ (x >> 15)) * jnp.uint32(0x846CA68B)
    return x ^ (x >> 16)


def hashed_bits(key: jax.Array, shape: Sequence[int], whole: Any = None, first: Any = 0):
    """uint32 noise of a shape, from a PRNG key and the position.

    whole, first: for a block of a larger array, the shape of that one, and the number of the block's first element in it.
    """
    words = jax.random.key_data(key).reshape(-1)
    index = jnp.zeros(shape, jnp.uint32) if whole is None else jnp.full(shape, first, jnp.uint32)
    stride = 1
    for axis in range(len(shape) - 1, -1, -1):
        index = index + jax.lax.broadcasted_iota(jnp.uint32, shape, axis) * jnp.uint32(stride % (1 << 32))
        stride *= (whole or shape)[axis]
    return _mix(_mix(index * jnp.uint32(0x9E3779B9) + words[0]) ^ words[1])


def keep_mask(key: jax.Array, keep: Any, shape: Sequence[int], whole: Any = None, first: Any = 0):
    """bool mask that is True with probability `keep`; the same on every device. whole, first: see `hashed_bits`.

    `jax.random.bernoulli` counts in 64 bits and scales by float64 numbers while 64-bit types are on, which TPU does not have.
    """
    return hashed_bits(key, shape, whole, first) < jnp.uint32(min(round(keep * 2.0**32), 2**32 - 1))


def drop(key: jax.Array, x: jax.Array, p: float, mask_shape: tuple[int, ...] | None = None):
    """(x with elements dropped with probability p and the rest scaled by 1 / (1 - p), mask)"""
    if p == 0:
        return x, jnp.ones(mask_shape or x.shape, bool)
    if p == 1:
        return jnp.zeros_like(x), jnp.zeros(mask_shape or x.shape, bool)
    mask = keep_mask(key, 1 - p, mask_shape or x.shape)
    return jnp.where(mask, x * jnp.asarray(1 / (1 - p), x.dtype), 0).astype(x.dtype), mask


def _check(name, x, p, training=True):
    if training:  # outside of it any dtype comes back as it is
        floats_only(name, input=x)
    if isinstance(p, bool) or not isinstance(p, numbers.Real):
        raise TypeError(f"For '{name}', the 'p' must be float, but got {type(p).__name__}.")
    if not 0 <= p <= 1:
        raise ValueError(f"For '{name}', the 'p' must be in range of [0, 1], but got {p}.")


@op(
    random=True,
    mint=Face("nn.functional.dropout", args("input", p=0.5, training=True, inplace=False), in_place="inplace"),
)
def dropout(key: Key, input: Array, p: Number = 0.5, training: bool = True, seed: FunctionSeed = None) -> Array:
    """Set each element to zero with probability p and scale the others by 1 / (1 - p); nothing when not training.

    Calls with a `seed` draw from a stream of its own. Example:
        >>> ops.dropout(x, p=0.1).shape
        (2, 3)
    """
    _check("dropout", input, p, training)
    if not training:
        return input
    return drop(key, input, p)[0]


@op(random=True, ops=False, prim=Prim("Dropout", inputs=("x",)), name="dropout_with_mask")
def dropout_with_mask(key: Key, x: Array, keep_prob: Number = 0.5, Seed0: Seed = 0, Seed1: Seed = 0):
    """(x after dropout, mask as float)"""
    _check("Dropout", x, keep_prob)
    out, mask = drop(key, x, 1 - keep_prob)
    return out, mask.astype(x.dtype)


@op(random=True, ops=False, name="dropout_and_mask")
def dropout_and_mask(key: Key, input: Array, p: Static[Number] = 0.5, generator: Seed = None):
    """(the Tensor as `dropout` gives it, a uint8 Tensor with 1 where an element was kept)"""
    _check("DropoutExt", input, p)
    out, mask = drop(key, input, p)
    return out, mask.astype(jnp.uint8)


def _channel_dropout(n):
    ranks = (2, 3) if n == 1 else (n + 2,)  # only one of 1 axis may be without a batch

    def run(key: Key, input: Array, p: Number = 0.5, training: bool = True) -> Array:
        name = f"dropout{n}d"
        _check(name, input, p, training)
        if not training:
            return input
        if input.ndim not in ranks:
            raise ValueError(
                f"For '{name}', the input must have {' or '.join(map(str, ranks))} axes, but got shape {tuple(input.shape)}."
            )
        batch = 1 if input.ndim == n + 1 else 2
        return drop(key, input, p, (*input.shape[:batch], *(1,) * (input.ndim - batch)))[0]

    run.__doc__ = f"Dropout of whole channels of an (N, C, ...) array with {n} spatial axes."
    run.__name__ = f"dropout{n}d"
    return run


for _n in (1, 2, 3):
    op(
        _channel_dropout(_n),
        random=True,
        mint=Face("nn.functional.dropout2d", args("input", p=0.5, training=True, inplace=False), in_place="inplace")
        if _n == 2
        else None,
    )

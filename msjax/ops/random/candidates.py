"""Sampled classes for losses over many classes, and the Primitives of dropout that carry their mask."""

import math
from typing import Any

import jax
import jax.numpy as jnp

from ...core.operators.record import op
from ...core.operators.rows import Prim
from ...core.spec import Array, Key, Number, Operand, Seed, Static
from .dropout import _check, drop, keep_mask
from .seed_rules import GivenSeed


def _distinct(key, logits, count, true, remove_hits):
    """`count` different numbers, likelier ones first (Gumbel)."""
    noise = logits + jax.random.gumbel(key, logits.shape, jnp.float32)
    if remove_hits:
        noise = noise.at[true.reshape(-1)].set(-jnp.inf)
    return jax.lax.top_k(noise, count)[1]


def _sampled(name, types, key, true_classes, num_true, num_sampled, unique, range_max, probability, remove_hits=False):
    """(sampled classes, expected counts of the true ones, expected counts of the sampled ones)"""
    if true_classes.dtype not in types:
        raise TypeError(
            f"For '{name}', the dtype of 'true_classes' must be one of {types}, but got {true_classes.dtype}."
        )
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise ValueError(
            f"For '{name}', the 'true_classes' must have shape (batch, {num_true}), but got {tuple(true_classes.shape)}."
        )
    if unique and num_sampled > range_max:
        raise ValueError(
            f"For '{name}', with 'unique' the 'num_sampled' must be at most 'range_max', but got {num_sampled} and {range_max}."
        )
    logits = jnp.log(probability(jnp.arange(range_max, dtype=jnp.float32)))
    if unique:
        found = _distinct(key, logits, num_sampled, true_classes, remove_hits)
        tries = float(num_sampled)
    else:
        found = jax.random.categorical(key, logits, shape=(num_sampled,))
        tries = float(num_sampled)

    def expected(classes):
        chance = probability(classes.astype(jnp.float32))
        return -jnp.expm1(tries * jnp.log1p(-chance)) if unique else chance * tries

    return found.astype(true_classes.dtype), expected(true_classes), expected(found)


def _zipfian(range_max):
    return lambda c: (jnp.log(c + 2) - jnp.log(c + 1)) / math.log(range_max + 1)


@op(random=True, ops=True, prim=Prim("LogUniformCandidateSampler", inputs=("true_classes",)))
def log_uniform_candidate_sampler(
    key: Key,
    true_classes: Array,
    num_true: int = 1,
    num_sampled: int = 5,
    unique: bool = True,
    range_max: int = 5,
    seed: GivenSeed = 0,
):
    """(classes sampled from log((c + 2) / (c + 1)) / log(range_max + 1), expected counts of the true (batch, num_true), of the sampled ones)"""
    return _sampled(
        "LogUniformCandidateSampler",
        ("int64",),
        key,
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        _zipfian(range_max),
    )


@op(random=True, ops=True, prim=Prim("UniformCandidateSampler", inputs=("true_classes",)))
def uniform_candidate_sampler(
    key: Key,
    true_classes: Array,
    num_true: Static[int],
    num_sampled: Static[int],
    unique: Static[bool],
    range_max: Static[int],
    seed: GivenSeed = 0,
    remove_accidental_hits: bool = False,
):
    """(classes sampled evenly, expected counts of the true (batch, num_true), of the sampled ones)"""
    return _sampled(
        "UniformCandidateSampler",
        ("int32", "int64"),
        key,
        true_classes,
        num_true,
        num_sampled,
        unique,
        range_max,
        lambda c: jnp.full(c.shape, 1 / range_max, jnp.float32),
        remove_accidental_hits,
    )


def _channels(name, key, x, keep_prob, axes):
    values = x.astype(jnp.float32) if jnp.issubdtype(x.dtype, jnp.signedinteger) else x
    _check(name, values, keep_prob)
    if x.ndim != axes:
        raise ValueError(f"For '{name}', the input must have {axes} axes, but got shape {tuple(x.shape)}.")
    out, mask = drop(key, values, 1 - keep_prob, (*x.shape[:2], *(1,) * (axes - 2)))
    return out.astype(x.dtype), jnp.broadcast_to(mask, x.shape)


@op(random=True, prim=Prim("Dropout2D", inputs=("x",)), ops=False)
def dropout2d_with_mask(key: Key, x: Array, keep_prob: Number = 0.5):
    """(x with whole channels dropped, bool mask) of an (N, C, H, W) array."""
    return _channels("Dropout2D", key, x, keep_prob, 4)


@op(random=True, prim=Prim("Dropout3D", inputs=("x",)), ops=False)
def dropout3d_with_mask(key: Key, x: Array, keep_prob: Number = 0.5):
    """(x with whole channels dropped, bool mask) of an (N, C, D, H, W) array."""
    return _channels("Dropout3D", key, x, keep_prob, 5)


@op(random=True, prim=Prim("DropoutGenMask", inputs=("shape", "keep_prob")), ops=False)
def dropout_gen_mask(key: Key, shape: Static[Any], keep_prob: Static[Any], Seed0: Seed = 0, Seed1: Seed = 0):
    """uint8 array of bits, eight elements to a byte (padded to 128 elements), that are 1 with probability `keep_prob`."""
    count = math.prod(shape)
    bits = keep_mask(key, float(keep_prob), (-(-count // 128) * 16, 8))
    return jnp.sum(bits.astype(jnp.uint8) << jnp.arange(8, dtype=jnp.uint8), -1, dtype=jnp.uint8)


@op(prim=Prim("DropoutDoMask"), ops=False)
def dropout_do_mask(x: Array, mask: Array, keep_prob: Operand):
    """x / keep_prob where the bit of `DropoutGenMask` is 1, else 0."""
    bits = ((mask[:, None] >> jnp.arange(8, dtype=jnp.uint8)) & 1).reshape(-1)[: x.size].reshape(x.shape)
    return jnp.where(bits == 1, x / keep_prob, 0).astype(x.dtype)

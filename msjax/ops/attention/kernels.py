"""Attention proper: softmax(scale * Q K^T + bias, hidden) V in the form that suits the lengths and the device.

Short: one formula. Long: the same formula over blocks of queries, whose scores the gradient computes again, so that memory grows with
the length and not with its square. On TPU JAX's Pallas kernel, on CUDA cuDNN's where there is such a device. Which pairs are hidden is
kept as a description (`Hidden`), of which a block makes its part.
"""

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from ...core.settings.context import present_device
from ..random.dropout import keep_mask
from . import accelerators, divided
from .masks import hides_later

_MOST = 1 << 22  # scores that one formula may hold: 16 MB; beyond that blocks are faster on the CPU, too
_BLOCK = 1 << 20  # scores of a block
_ROWS = 64  # queries of a block at least; before it has fewer, the sequences of a batch come one after the other
_OUT = np.float32(-1e38)  # score of a hidden pair; typed, for a Python number would be float64 in the program


class Hidden(NamedTuple):
    """The masked pairs (query, key): pairs that any of these masks.

    last, first: (queries,), the farthest key that is visible, and the nearest. prefix: (B, 1, 1, 1), keys before it are visible beyond
    `last`. place: (keys,), what `last` and `first` count, where it is not 0, 1, .... row, column: (queries,) and (keys,), the sequences
    that they are of; those of others are hidden. dense: bool arrays that broadcast to (B, N, queries, keys). causal: whether `last` is
    each query's own place and nothing else is given but `dense`, `row` and `column`.
    """

    last: Any = None
    first: Any = None
    prefix: Any = None
    place: Any = None
    row: Any = None
    column: Any = None
    dense: tuple = ()
    causal: bool = False

    def also(self, *dense):
        """With more pairs hidden."""
        return self._replace(dense=(*self.dense, *dense))

    def part(self, keys: int, start: int = 0, rows: Any = None):
        """bool array of the masked keys of `rows` queries (None: all) from `start` on; None if nothing is masked."""

        def own(x, axis=0):
            x = jnp.asarray(x)
            return x if rows is None else jax.lax.dynamic_slice_in_dim(x, start, rows, axis)

        place = jnp.arange(keys, dtype=jnp.int32) if self.place is None else self.place
        found = [m if m.shape[-2] == 1 else own(m, -2) for m in self.dense]
        if self.last is not None:
            beyond = place > own(self.last)[:, None]
            found.append(beyond if self.prefix is None else beyond & (place >= self.prefix))
        if self.first is not None:
            found.append(place < own(self.first)[:, None])
        if self.row is not None:
            found.append(own(self.row)[:, None] != self.column)
        return functools.reduce(lambda a, b: a | b, found) if found else None

    def of(self, sequence: int, batch: int):
        """The part of one sequence of the batch."""
        return self._replace(
            prefix=None if self.prefix is None else _one(self.prefix, sequence, batch),
            dense=tuple(_one(m, sequence, batch) for m in self.dense),
        )


class Kept(NamedTuple):
    """Dropout of the weights: `bits` (B, N, queries, keys / 8), uint8, a set bit keeps; or the `key` that a mask is drawn from.

    whole, at: where this is a part of an attention (B, N, queries, keys), the shape of that one, and the number of the part's first
    sequence, head and query.
    """

    probability: float
    bits: Any = None
    key: Any = None
    whole: Any = None
    at: Any = (0, 0, 0)

    def part(self, shape: Any, start: int = 0, rows: Any = None):
        """bool mask (B, N, rows, keys) of the whole `shape`."""
        batch, heads, queries, keys = shape
        if self.bits is None:
            whole, (sequence, head, query) = self.whole or shape, self.at
            strides = (math.prod(whole[1:]), math.prod(whole[2:]), keys)
            first = sum(_modulo(a, b) for a, b in zip((sequence, head, query), strides)) + _modulo(start, keys)
            return keep_mask(self.key, self.probability, (batch, heads, rows or queries, keys), whole, first)
        bits = self.bits if rows is None else jax.lax.dynamic_slice_in_dim(self.bits, start, rows, -2)
        each = (bits[..., None] >> jnp.arange(8, dtype=jnp.uint8)) & 1
        return each.reshape(*bits.shape[:-1], -1)[..., :keys].astype(bool)

    def of(self, sequence: int, shape: Any):
        """The part of one sequence of the batch, of attention of this shape."""
        bits = self.bits if self.bits is None else _one(self.bits, sequence, shape[0])
        return self._replace(bits=bits, whole=self.whole or shape, at=(self.at[0] + sequence, *self.at[1:]))


def _modulo(a, b):
    """a * b modulo 2^32."""
    return jnp.asarray(a, jnp.uint32) * jnp.uint32(b % (1 << 32))


def _one(x, sequence, batch):
    return x if x.ndim < 4 or x.shape[0] != batch or batch == 1 else jax.lax.dynamic_slice_in_dim(x, sequence, 1, 0)


class Bias(NamedTuple):
    """A term of the scores, times `factor`: (1, 1, queries, keys), each axis of that or another length; a bool array is
    -inf where True.
    """

    array: Any
    factor: Any = None

    def value(self, array: jax.Array):
        """`array`, this bias or a block of it, as float32."""
        if array.dtype == bool:
            return jnp.where(array, np.float32(-np.inf), np.float32(0))
        return array.astype(jnp.float32) * (1 if self.factor is None else self.factor)


class Inputs(NamedTuple):
    """The inputs of attention.

    query, key, value: (B, N, S, D); key and value may have fewer heads. scale: of the scores. biases: Biases that are added to them. hidden:
    a Hidden, or None. kept: a Kept, or None. layout: in which axes the query came, for which a strategy was given (see `divided.py`).
    """

    query: jax.Array
    key: jax.Array
    value: jax.Array
    scale: Any
    biases: Sequence = ()
    hidden: Any = None
    kept: Any = None
    layout: str = "BNSD"

    def ready(self):
        """With biases of all four axes, and a mask that is seen to be causal as `Hidden.causal`."""
        biases, hidden = recognised(self.biases, self.hidden or Hidden(), self.query.shape[2], self.key.shape[2])
        return self._replace(biases=[b._replace(array=four_axes(b.array)) for b in biases], hidden=hidden)

    def kernel(self):
        """The device's own kernel for them, or None."""
        return accelerators.kernel(self.query, self.key, self.value, self.hidden, self.biases, self.kept)

    def is_formula(self):
        """Whether the scores are so few that one formula holds them all, on one device."""
        return _few(self.query.shape, self.key.shape) and not divided.in_a_ring(self.layout)


def attend(of: Inputs):
    """(out (B, N, S, D), softmax maximum, softmax sum), the softmax in float32.

    Example:
        >>> from msjax.ops.attention.kernels import Hidden, Inputs, attend
        >>> array = np.ones((1, 2, 4, 8), np.float32)
        >>> attend(Inputs(array, array, array, 0.125, hidden=Hidden(last=np.arange(4))))[0].shape
        (1, 2, 4, 8)
    """
    *arrays, layout = of = of.ready()
    return _attend(*arrays) if of.is_formula() else divided.over_devices(_attend, _attend, layout, *arrays)


def four_axes(array: jax.Array):
    """An array that broadcasts to (B, N, queries, keys) with all four axes."""
    return array.reshape((1,) * (4 - array.ndim) + array.shape)


def recognised(biases: Sequence, hidden: Any, queries: int, keys: int):
    """(biases, hidden) in which masks with known content that hide all later keys, and no others, are `Hidden.causal`.

    Nothing is assumed of a mask without known content, such as an argument of the program (see `masks.py`).
    """
    if queries != keys or any(x is not None for x in (hidden.first, hidden.prefix, hidden.place)):
        return biases, hidden
    if hidden.last is not None and not hidden.causal:
        return biases, hidden
    later = [b for b in biases if b.factor is None and hides_later(b.array, queries, added=True)]
    dense = [m for m in hidden.dense if hides_later(m, queries)]
    if not later and not dense:
        return biases, hidden
    hidden = hidden._replace(
        last=np.arange(queries, dtype=np.int32),
        causal=True,
        dense=tuple(m for m in hidden.dense if not any(m is d for d in dense)),
    )
    return [b for b in biases if not any(b is one for one in later)], hidden


def _few(queries, keys):
    """Whether the scores are so few that one formula holds them all."""
    return math.prod(queries[:3]) * keys[2] <= _MOST


def _attend(query, key, value, scale, biases, hidden, kept):
    groups = query.shape[1] // key.shape[1]
    if groups > 1:
        key, value = jnp.repeat(key, groups, 1), jnp.repeat(value, groups, 1)
    if not _few(query.shape, key.shape):
        return _in_blocks(query, key, value, scale, biases, hidden, kept)
    shape = (*query.shape[:3], key.shape[2])
    added = [b.value(b.array) for b in biases]
    return _formula(query, key, value, scale, added, hidden.part(shape[-1]), kept and kept.part(shape), kept)


def better_fused(queries: int, keys: int):
    """Whether heads of shape `queries` (B, N, S, D) and `keys` (B, N, S, D) are attended to by more than the one formula here."""
    return present_device() != "CPU" or not _few(queries, keys)


def attention(of: Inputs):
    """The first result of `attend`, by the device's own kernel if there is one."""
    *arrays, layout = of = of.ready()
    kernel = of.kernel()
    if kernel is accelerators.by_cudnn and not divided.in_a_ring(layout):  # which JAX divides itself
        return kernel(*arrays[:-1])
    if kernel is None and of.is_formula():
        return _attend(*arrays)[0]
    return divided.over_devices(_by_kernel, _attend, layout, *arrays)


def _by_kernel(query, key, value, scale, biases, hidden, kept):
    """Attention on one device."""
    kernel = accelerators.kernel(query, key, value, hidden, biases, kept)
    if kernel is not None:
        return kernel(query, key, value, scale, biases, hidden)
    return _attend(query, key, value, scale, biases, hidden, kept)[0]


def attention_with_statistics(of: Inputs):
    """The results of `attend`, the first by the device's own kernel if there is one.

    A kernel does not tell maximum and sum: they are computed beside it, without a gradient, and a program that does not use them drops them.
    """
    of = of.ready()
    if of.kernel() is None:
        return attend(of)
    query, key = jax.lax.stop_gradient((of.query, of.key))
    top, total = attend(of._replace(query=query, key=key, value=key[..., :1], kept=None))[1:]
    return attention(of), jax.lax.stop_gradient(top), jax.lax.stop_gradient(total)


def _formula(query, key, value, scale, added, mask, keep, kept):
    scores = jnp.einsum("bnqd,bnkd->bnqk", query, key, preferred_element_type=jnp.float32) * scale
    for bias in added:
        scores = scores + bias.astype(scores.dtype)
    if mask is not None:
        scores = jnp.where(mask, _OUT, scores)
    top = jax.lax.stop_gradient(jnp.max(scores, -1, keepdims=True))
    weights = jnp.exp(scores - top)
    if mask is not None:
        weights = jnp.where(mask, np.float32(0), weights)
    total = jnp.sum(weights, -1, keepdims=True)
    weights = weights / jnp.where(total == 0, np.float32(1), total)
    if keep is not None:
        weights = jnp.where(keep, weights / kept.probability, np.float32(0))
    return jnp.einsum("bnqk,bnkd->bnqd", weights.astype(query.dtype), value), top, total


def _in_blocks(query, key, value, scale, biases, hidden, kept):
    """`attend` over blocks of queries, and over the sequences of the batch where a block would have few rows."""
    batch, heads, queries, _ = query.shape
    if batch > 1 and batch * heads * key.shape[2] * _ROWS > _BLOCK:

        def of_one(sequence):
            q, k, v = (jax.lax.dynamic_slice_in_dim(x, sequence, 1, 0) for x in (query, key, value))
            own = [b._replace(array=_one(b.array, sequence, batch)) for b in biases]
            return _rows(
                q,
                k,
                v,
                scale,
                own,
                hidden.of(sequence, batch),
                kept and kept.of(sequence, (batch, heads, queries, key.shape[2])),
            )

        out = jax.lax.map(of_one, jnp.arange(batch, dtype=jnp.int32))
        return tuple(x.reshape(batch, *x.shape[2:]) for x in out)
    return _rows(query, key, value, scale, biases, hidden, kept)


def _rows(query, key, value, scale, biases, hidden, kept):
    """`attend` over blocks of queries."""
    batch, heads, queries, _ = query.shape
    keys = key.shape[2]
    size = min(queries, max(_ROWS, _BLOCK // (batch * heads * keys)))
    count = queries // size
    shape = (batch, heads, queries, keys)

    def block(start, rows, q, parts):
        added = [b.value(p) for b, p in zip(biases, parts)]
        mask = hidden.part(keys, start, rows)
        return _formula(q, key, value, scale, added, mask, kept and kept.part(shape, start, rows), kept)

    def split(x):
        x = x[:, :, : count * size]
        return jnp.moveaxis(x.reshape(*x.shape[:2], count, size, x.shape[-1]), 2, 0)

    along = [b.array.shape[2] != 1 for b in biases]  # whether the bias has a row for each query

    @functools.partial(jax.checkpoint, prevent_cse=False)  # in a loop nothing can be merged with the gradient's copy
    def step(part):
        start, q, *rows = part
        rows = iter(rows)
        return block(start, size, q, [next(rows) if a else b.array for a, b in zip(along, biases)])

    starts = jnp.arange(count, dtype=jnp.int32) * size
    blocks = jax.lax.map(step, (starts, split(query), *[split(b.array) for a, b in zip(along, biases) if a]))
    whole = [jnp.moveaxis(x, 0, 2).reshape(*x.shape[1:3], count * size, x.shape[-1]) for x in blocks]
    done = count * size
    if done == queries:
        return tuple(whole)
    last = block(
        done,
        queries - done,
        query[:, :, done:],
        [b.array[:, :, done:] if a else b.array for a, b in zip(along, biases)],
    )
    return tuple(jnp.concatenate([a, b], 2) for a, b in zip(whole, last))

"""Attention on the devices of a mesh: each computes its own sequences and heads, by the kernel or the blocks that it would have alone.

XLA's partitioner can divide neither a kernel nor a loop over blocks: it would gather all that they read. So attention runs in
`shard_map`, over the axes that the strategy of the operator names for the batch, the heads and the queries; without a strategy the
batch is divided, and the heads by what is left of the devices.

Where the strategy divides the keys as it divides the queries (or says `add_prim_attr("enable_ring_attention", True)`), no device ever has all
keys: they go round the devices, a part at a time, and each adds what it finds to its own queries' softmax (ring attention).
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import PartitionSpec

from ...core.above import above
from ...core.settings.execution_state import here

_AXES = {  # of batch, heads and queries in the layouts of a query
    "BSH": (0, 2, 1),
    "SBH": (1, 2, 0),
    "BNSD": (0, 1, 2),
    "BSND": (0, 2, 1),
    "TND": (None, 1, None),
    "BNSD_BSND": (0, 1, 2),
    "NSD": (None, 0, 1),
    "SH": (None, 1, 0),
}


class Places(NamedTuple):
    """A mesh and its axes over which batch, heads and queries are divided: tuples of names. ring: whether keys are divided as queries."""

    mesh: Any
    batch: tuple = ()
    heads: tuple = ()
    queries: tuple = ()
    ring: bool = False

    def parts(self, names: Any):
        """Into how many parts these axes divide."""
        return math.prod(self.mesh.shape[name] for name in names)

    def fitting(self, batch: int, heads: int, queries: int, keys: int):
        """The axes that divide evenly."""
        wanted = (self.batch, batch), (self.heads, heads), (self.queries, queries)
        fit = [names if length % self.parts(names) == 0 else () for names, length in wanted]
        return Places(self.mesh, *fit, self.ring and bool(fit[2]) and keys % self.parts(fit[2]) == 0)


def _places(layout, batch, heads):
    told = here().parts
    if told is None:
        devices = above.devices_of_trace()
        rows = math.gcd(batch, devices)
        return Places(above.grid_of_trace((rows, math.gcd(heads, devices // rows))), ("axis0",), ("axis1",))
    found = _axes_of(told, layout)
    keys = here().keys
    return Places(told.mesh, *found, keys is not None and bool(found[2]) and _axes_of(keys, layout)[2] == found[2])


def _axes_of(sharding, layout):
    """The names of the axes of the mesh over which batch, heads and queries (or keys) are divided."""
    spec = [(names,) if isinstance(names, str) else names or () for names in sharding.spec]
    return [spec[a] if a is not None and a < len(spec) else () for a in _AXES[layout]]


def in_a_ring(layout: Any):
    """Whether the strategy of the operator divides keys as queries."""
    told = here().parts
    return told is not None and above.devices_of_trace() > 1 and _places(layout, 1, 1).ring


def over_devices(
    attend: Callable,
    by_parts: Callable,
    layout: Any,
    query: jax.Array,
    key: jax.Array,
    value: jax.Array,
    scale: Any,
    biases: Sequence,
    hidden: Any,
    kept: Any,
):
    """`attend(query, key, value, scale, biases, hidden, kept)`, divided; on one device as it is.

    attend gives an array, or several, each with batch, heads and queries as its first axes. by_parts: the same, which gives the maximum and
    the sum of the softmax, too: for keys that come in parts.
    """
    if above.devices_of_trace() < 2:
        return attend(query, key, value, scale, biases, hidden, kept)
    batch, heads, queries, _ = query.shape
    at = _places(layout, batch, key.shape[1]).fitting(batch, heads, queries, key.shape[2])
    ring = at.ring and kept is None  # the mask of dropout is that of all keys
    if key.shape[1] % at.parts(at.heads):
        key, value = (jnp.repeat(x, heads // key.shape[1], 1) for x in (key, value))
    whole = (batch, heads, queries, key.shape[2])
    rows = PartitionSpec(at.batch, at.heads, at.queries)
    dense = [m.reshape((1,) * (4 - m.ndim) + m.shape) for m in hidden.dense]
    inputs = _Inputs(at)
    inputs.of_arrays(query, key, value, rows, rows if ring else PartitionSpec(at.batch, at.heads))
    inputs.of_scores(scale, biases, dense)
    inputs.of_mask(hidden)
    if kept is not None:
        inputs.of_dropout(kept)
    several = attend is by_parts

    def part(given):
        own = [given[f"pairs {i}"] for i in range(len(biases) + len(dense))]
        added = [
            b._replace(array=a, factor=given.get(f"factor {i}", b.factor)) for i, (b, a) in enumerate(zip(biases, own))
        ]
        replaced = {name: given[name] for name in _OF_MASK if name in given}
        mask = hidden._replace(
            dense=tuple(own[len(biases) :]), causal=hidden.causal and not at.queries, **replaced
        )  # of a part of the queries causality is told by `last`
        scale_here = given.get("scale", scale)
        if ring:
            step = functools.partial(by_parts, scale=scale_here, kept=None)
            found = _around(step, at, given["query"], given["key"], given["value"], added, mask)
            return found if several else found[0]
        left = None if kept is None else _own_dropout(kept, given, at, whole)
        return attend(given["query"], given["key"], given["value"], scale_here, added, mask, left)

    # the names of axes are not followed through kernels
    return jax.shard_map(part, mesh=at.mesh, in_specs=(inputs.lies,), out_specs=rows, check_vma=False)(inputs.given)


_OF_MASK = ("last", "first", "prefix", "place", "row", "column")  # arrays of a `Hidden` besides the dense masks


class _Inputs:
    """The arrays that attention takes into a `shard_map`, and how each lies on the mesh.

    What is None, or a number of Python, is no input: the function of a part has it as it is.
    """

    def __init__(self, at):
        self.at, self.given, self.lies = at, {}, {}

    def take(self, name, array, spec):
        if array is not None:
            self.given[name], self.lies[name] = array, spec

    def pairs(self, array):
        """How an array lies that broadcasts to (batch, heads, queries, keys): an axis of length one is on all devices."""
        names = (self.at.batch, self.at.heads, self.at.queries)
        return PartitionSpec(*(n if size != 1 else None for n, size in zip(names, array.shape)))

    def of_arrays(self, query, key, value, rows, of_keys):
        self.take("query", query, rows)
        self.take("key", key, of_keys)
        self.take("value", value, of_keys)

    def of_scores(self, scale, biases, dense):
        """What is added to the scores, and by what they are multiplied."""
        for i, array in enumerate([*(b.array for b in biases), *dense]):
            self.take(f"pairs {i}", array, self.pairs(array))
        for i, bias in enumerate(biases):
            self.take(f"factor {i}", bias.factor if isinstance(bias.factor, jax.Array) else None, PartitionSpec())
        self.take("scale", scale if isinstance(scale, jax.Array) else None, PartitionSpec())

    def of_mask(self, hidden):
        along = PartitionSpec(self.at.queries)
        self.take("prefix", hidden.prefix, PartitionSpec(self.at.batch))
        self.take("row", hidden.row, along)
        self.take("column", hidden.column, PartitionSpec())
        self.take("place", hidden.place, PartitionSpec())
        for name in ("last", "first"):
            array = getattr(hidden, name)
            self.take(name, array if self.at.queries or isinstance(array, jax.Array) else None, along)

    def of_dropout(self, kept):
        self.take("bits", kept.bits, None if kept.bits is None else self.pairs(kept.bits))
        self.take("random", None if kept.key is None else jax.random.key_data(kept.key), PartitionSpec())


def _own_dropout(kept, given, at, whole):
    """The dropout of this device's part: it draws what one device would draw there. whole: lengths of batch, heads, queries and keys."""
    starts = [_index(at.mesh, n) * (size // at.parts(n)) for n, size in zip(at[1:4], whole)]
    random = jax.random.wrap_key_data(given["random"], impl=_kind(kept.key)) if "random" in given else None
    return kept._replace(bits=given.get("bits"), key=random, whole=whole, at=tuple(starts))


def _around(attend, at, query, key, value, biases, hidden):
    """(out, maximum, sum) of this device's queries and of all keys, which come from one device after the other."""
    count, own, width = at.parts(at.queries), _index(at.mesh, at.queries).astype(jnp.int32), key.shape[2]
    pairs = [(i, (i + 1) % count) for i in range(count)]

    def columns(array, start):
        return array if array.shape[-1] == 1 else jax.lax.dynamic_slice_in_dim(array, start, width, array.ndim - 1)

    @functools.partial(jax.checkpoint, prevent_cse=False)  # the scores of a part are computed again for the gradient
    def part(start, key, value):
        place = start + jnp.arange(width, dtype=jnp.int32) if hidden.place is None else columns(hidden.place, start)
        mask = hidden._replace(
            place=place,
            column=None if hidden.column is None else columns(hidden.column, start),
            dense=tuple(columns(m, start) for m in hidden.dense),
        )
        added = [b._replace(array=columns(b.array, start)) for b in biases]
        return attend(query, key, value, biases=added, hidden=mask)

    def turn(state, number):
        key, value, out, top, total = state
        new, high, amount = part((own - number) % count * width, key, value)
        both = jax.lax.stop_gradient(jnp.maximum(top, high))
        before, now = total * jnp.exp(top - both), amount * jnp.exp(high - both)
        total = before + now
        weight = jnp.where(total == 0, np.float32(1), total)
        out = out * (before / weight) + new.astype(jnp.float32) * (now / weight)
        key, value = (jax.lax.ppermute(x, at.queries, pairs) for x in (key, value))
        return (key, value, out, both, total), None

    rows = (*query.shape[:3], 1)
    nothing = jnp.zeros((*rows[:3], value.shape[3]), jnp.float32)
    start = key, value, nothing, jnp.full(rows, np.float32(-1e38)), jnp.zeros(rows, jnp.float32)
    (_, _, out, top, total), _ = jax.lax.scan(turn, start, jnp.arange(count, dtype=jnp.int32))
    return out.astype(query.dtype), top, total


def _kind(key):
    """The implementation of a key, or None for one of plain numbers."""
    return jax.random.key_impl(key) if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else None


def _index(mesh, names):
    """Which part this device has of an axis that is divided over these axes of the mesh."""
    found = jnp.uint32(0)
    for name in names:
        found = found * jnp.uint32(mesh.shape[name]) + jax.lax.axis_index(name).astype(jnp.uint32)
    return found

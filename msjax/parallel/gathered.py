"""New weights that are computed in parts and kept whole, as a TPU's compiler writes them without copies.

With ZeRO's levels 1 and 2 each device computes its part of a new weight, and the parts are gathered. That compiler lets no collective write into
memory that the step was given: it copies the old weight when the step begins, keeps the copy until the new one is computed, and copies the gathered
weight over the old one. The gathered weight therefore goes through a pass that changes nothing and may write there: the copy at the beginning is gone, and
so is the memory that it takes all through the step. Few weights are left alone: the compiler gathers them in the chip's fast memory.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
from jax import lax

_LARGE = 1 << 20  # bytes on a device: a copy of less costs nothing
_FAST = 1 << 27  # bytes of the fast memory of a chip


def written(fn: Callable, state: Sequence[Any]):
    """`fn(state, ...) -> (results, new state)`, whose gathered arrays of new state are written by a pass of their own.

    state: the arrays, or their shapes, as they lie over the devices.
    """
    places = _gathered(state)
    if not places:
        return fn

    @functools.wraps(fn)
    def passed(state, *others):
        results, new = fn(state, *others)
        return results, [
            rounded_as_it_is(lax.with_sharding_constraint(a, places[i])) if i in places and a is not state[i] else a
            for i, a in enumerate(new)
        ]

    return passed


def _gathered(state):
    """{place: how it lies} of the large arrays of which another of their shape, an optimizer's state, lies in more parts."""
    parts: dict[tuple, int] = {}
    for array in state:
        parts[array.shape] = max(parts.get(array.shape, 0), _parts(array))
    found = {
        i: array
        for i, array in enumerate(state)
        if jnp.issubdtype(array.dtype, jnp.floating) and _parts(array) < parts[array.shape] and _held(array) >= _LARGE
    }
    return {i: a.sharding for i, a in found.items()} if sum(map(_held, found.values())) >= _FAST else {}


def _held(array):
    """Bytes on a device."""
    return math.prod(array.sharding.shard_shape(array.shape)) * array.dtype.itemsize


def _parts(array):
    return math.prod(array.shape) // max(1, math.prod(array.sharding.shard_shape(array.shape)))


def rounded_as_it_is(array):
    """The array, rounded to the precision that it has: no number changes."""
    kind = jnp.finfo(array.dtype)
    return lax.reduce_precision(array, kind.nexp, kind.nmant)

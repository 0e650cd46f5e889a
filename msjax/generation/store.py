"""Where keys or values of all slots lie between the steps: one array for each that a network keeps, changed in place."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ..core.settings.context import present_device

# Kinds of storage besides the network's own dtype, and the largest number that each can hold.
QUANTISED = {"int8": (jnp.int8, 127.0), "float8": (jnp.float8_e4m3fn, 448.0)}
# A TPU pads a shorter last axis to so many elements.
_LANES = 128


@dataclasses.dataclass(frozen=True)
class Store:
    """The layout of one array of keys or values: which axis counts slots, and which counts tokens.

    Args:
        shape: that of one prompt's keys; the slots and tokens in it are not used. dtype: that of the network.
        slot_axis, token_axis: places of the two. kind: None for the network's dtype, "int8" or "float8"; these have a scale for each token and
            head, so their error is that of one rounding.
        written: whether steps write to the array.

    The compiler of TPUs gives the inputs of a program the order of axes that pads least, and copies an array whose changes want another order before
    the steps and back after them. So an array with a short last axis is stored with its tokens last there, if steps write to it.
    """

    shape: tuple
    dtype: object
    slot_axis: int
    token_axis: int
    kind: str | None = None
    written: bool = True

    def _last(self, size):
        """Whether the tokens of an array whose last axis has `size` elements are stored last."""
        short = size < _LANES and self.slot_axis < self.token_axis
        return short and self.written and present_device() == "TPU"

    def _laid(self, array):
        """An array as the network has it, in the order in which it is stored."""
        return jnp.moveaxis(array, self.token_axis, -1) if self._last(array.shape[-1]) else array

    def empty(self, slots: int, length: int):
        """The arrays of a cache in which nothing is yet: one, or with its scales two."""
        shape = list(self.shape)
        shape[self.slot_axis], shape[self.token_axis] = slots, length
        if self.kind is None:
            return (self._laid(jnp.zeros(shape, self.dtype)),)
        arrays = jnp.zeros(shape, QUANTISED[self.kind][0]), jnp.zeros((*shape[:-1], 1), jnp.float32)
        return tuple(map(self._laid, arrays))

    def _stored(self, new):
        if self.kind is None:
            return (new.astype(self.dtype),)
        dtype, largest = QUANTISED[self.kind]
        new = new.astype(jnp.float32)
        scale = jnp.max(jnp.abs(new), axis=-1, keepdims=True) / largest
        scaled = new / jnp.where(scale == 0, 1, scale)
        return (jnp.round(scaled) if self.kind == "int8" else scaled).astype(dtype), scale

    def put(self, arrays: Sequence, new: Any, slots: jax.Array, places: jax.Array):
        """The arrays with new keys (rows, ..., tokens, ...) of the slots `slots` (rows,), from the places (rows,) on; changed in place."""
        return tuple(self._changed(a, p, slots, places) for a, p in zip(arrays, self._stored(new)))

    def _changed(self, array, new, slots, places):
        """`put` of one array."""
        if self._last(new.shape[-1]) or new.shape[self.token_axis] == 1 and present_device() == "TPU":
            return _one_after_the_other([(self, array, new)], slots, places)[0]
        rows = new.shape[self.slot_axis]
        if new.shape[self.token_axis] == 1 and rows > 1:
            return self._scattered(array, new, slots, places)
        for row in range(rows):
            array = self._row_changed(array, new, self.token_axis, row, slots, places)
        return array

    def _row_changed(self, array, laid, axis, row, slots, places):
        """An array with the new keys of one row. laid: those of all rows as they are stored; axis: the one of their tokens."""
        start = [jnp.int32(0)] * laid.ndim
        start[self.slot_axis], start[axis] = slots[row], places[row]
        return lax.dynamic_update_slice(array, lax.dynamic_slice_in_dim(laid, row, 1, axis=self.slot_axis), start)

    def _scattered(self, array, new, slots, places):
        """One new token of each row in its place: one change, where one after the other the compiler would repeat the last one for each who looks
        at the result, and copy the array to do so.
        """
        index = [slice(None)] * array.ndim
        index[self.slot_axis], index[self.token_axis] = slots, places
        first, second = sorted((self.slot_axis, self.token_axis))
        behind = self.slot_axis - (self.token_axis < self.slot_axis)
        new = jnp.moveaxis(new.squeeze(self.token_axis), behind, first if second == first + 1 else 0)
        return array.at[tuple(index)].set(new, mode="promise_in_bounds", unique_indices=True)

    def view(self, arrays: Sequence, length: int, zero: jax.Array):
        """The first `length` tokens of all slots, in the network's dtype.

        zero: 0 as the program computes it: where the compiler knows that a part starts at 0, it copies the whole to make the change in it and the
        part at once.
        """
        parts = []
        for array, size in zip(arrays, (self.shape[-1], 1)):  # what is stored, and its scales
            last = self._last(size)
            axis = array.ndim - 1 if last else self.token_axis
            if length < array.shape[axis]:
                array = lax.dynamic_slice_in_dim(array, zero, length, axis=axis)
            parts.append(jnp.moveaxis(array, -1, self.token_axis) if last else array)
        return self._read(parts)

    def _read(self, parts):
        """What is stored, in the network's dtype."""
        if self.kind is None:
            return parts[0]
        return (parts[0].astype(jnp.float32) * parts[1]).astype(self.dtype)

    @property
    def late(self):
        """Whether a step stores its tokens when all is read, by `put_late`: on a TPU."""
        return present_device() == "TPU"

    def seen(self, arrays: Sequence, new: Any, places: jax.Array, length: int):
        """The first `length` tokens of all slots, with one new token a row at `places` that is not stored yet: see `put_late`."""
        old, new = self.view(arrays, length, jnp.minimum(places[0], 0)), self._read(self._stored(new))
        place = jnp.expand_dims(places, [axis for axis in range(old.ndim) if axis != self.slot_axis])
        here = lax.broadcasted_iota(jnp.int32, old.shape, self.token_axis) == place
        return jnp.where(here, new, old)

    def step(self, arrays: Sequence, new: Any, slots: jax.Array, places: jax.Array, length: int):
        """(arrays with one new token a row, the first `length` tokens of all). Of a store that is `late` the arrays are as they were."""
        if self.late:
            return arrays, self.seen(arrays, new, places, length)
        arrays = self.put(arrays, new, slots, places)
        return arrays, self.view(arrays, length, jnp.minimum(places[0], 0))

    def step_alone(self, length: int):
        """`step` of a row that is a batch of one, function(arrays, new, place), which under `jax.vmap` is one `step` of all rows."""
        axis = self.slot_axis

        @jax.custom_batching.custom_vmap
        def one(arrays, new, place):
            return self.step(arrays, new, jnp.zeros(1, jnp.int32), place[None], length)

        @one.def_vmap
        def all_rows(count, batched, arrays, new, place):
            def rows(x):
                return jnp.moveaxis(x.squeeze(axis + 1), 0, axis)

            def alone(x):
                return jnp.expand_dims(jnp.moveaxis(x, axis, 0), axis + 1)

            slots = jnp.arange(count, dtype=jnp.int32)
            arrays, seen = self.step(tuple(map(rows, arrays)), rows(new), slots, place, length)
            return (tuple(map(alone, arrays)), alone(seen)), (tuple(True for _ in arrays), True)

        return one

    def reordered(self, arrays: Sequence, slots: Any):
        """The arrays with slot i holding the former content of slot `slots[i]`: beams that replace others."""
        return tuple(jnp.take(a, slots, axis=self.slot_axis) for a in arrays)


def each_alone(
    stores: Sequence[Store],
    cache: Sequence,
    places: jax.Array,
    view: int,
    row: Callable,
    given: Sequence,
    axes: Sequence,
):
    """(scores, cache) of a step in which each row is a batch of one.

    row: function(arrays, place (1,), put, *given) that gives (scores (1, ...), arrays), where `put(number of a store, arrays, new)` is `Store.step`.
    given: what else it takes of each row; axes: which axis counts the rows, as for `jax.vmap`.
    """
    steps = [store.step_alone(view) for store in stores]
    slot_axes = [tuple(store.slot_axis for _ in arrays) for store, arrays in zip(stores, cache)]
    late_axes = {index: store.slot_axis for index, store in enumerate(stores) if store.late}

    def one(cache, place, *given):
        alone = [tuple(jnp.expand_dims(a, s.slot_axis) for a in arrays) for s, arrays in zip(stores, cache)]
        late = {}

        def put(index, arrays, new):
            if index in late_axes:
                late[index] = new.squeeze(late_axes[index])
            return steps[index](arrays, new, place)

        scores, kept = row(alone, place[None], put, *given)
        return scores[0], [tuple(a.squeeze(s.slot_axis) for a in arrays) for s, arrays in zip(stores, kept)], late

    inside, outside = (slot_axes, 0, *axes), (0, slot_axes, late_axes)
    scores, kept, late = jax.vmap(one, in_axes=inside, out_axes=outside)(cache, places, *given)
    kept = [cache[i] if i in late else arrays for i, arrays in enumerate(kept)]
    return put_late(stores, kept, late, jnp.arange(len(places), dtype=jnp.int32), places, scores)


def put_late(
    stores: Sequence[Store], cache: Sequence, new: dict, slots: jax.Array, places: jax.Array, scores: jax.Array
):
    """(scores, cache with the new tokens {number of the store: keys}), stored when all is read of which the scores are made.

    So a step of a TPU does it. An array that is changed and then read is moved to the fast memory and back, as long as it fits there, which is
    three times what reading it takes.
    """
    if not new:
        return scores, cache
    scores, cache = lax.optimization_barrier((scores, list(cache)))
    parts = {i: stores[i]._stored(keys) for i, keys in new.items()}
    flat = [(stores[i], array, part) for i in new for array, part in zip(cache[i], parts[i])]
    changed = iter(_one_after_the_other(flat, slots, places))
    for i in new:
        cache[i] = tuple(next(changed) for _ in parts[i])
    return scores, cache


def _one_after_the_other(given, slots, places):
    """The arrays of (store, array, new keys), one row after the other in a loop.

    A loop takes any order of axes; written out, or as a scatter, the changes want slots or tokens to be first. The compiler writes out a loop that
    it knows to have one round, so the count is 0 more as the program computes it.
    """
    store, _, new = given[0]
    count = new.shape[store.slot_axis] + jnp.minimum(places[0], 0).astype(jnp.int32)

    laid = [
        (s, s._laid(new), new.ndim - 1 if s._last(new.shape[-1]) else s.token_axis) for s, _, new in given
    ]  # before the loop, so that nothing in it is turned

    def one(row, arrays):
        return [s._row_changed(array, new, axis, row, slots, places) for (s, new, axis), array in zip(laid, arrays)]

    return lax.fori_loop(jnp.int32(0), count, one, [array for _, array, _ in given])


def stores_of(shapes: Sequence, more_rows: Sequence, more_tokens: Sequence, kind: Any):
    """The Stores of the keys that a network gave, told by how their shapes follow the rows and the tokens of its input.

    Args:
        shapes: for each array its shape and dtype for some rows and tokens.
        more_rows, more_tokens: the same with more of them.

    Raises:
        ValueError: an array has no axis that follows the tokens, or more than one.
    """
    return [store_of(*arrays, kind) for arrays in zip(shapes, more_rows, more_tokens)]


def store_of(one: Any, more_rows: Any, more_tokens: Any, kind: Any, *, fixed: bool = False, written: bool = True):
    """The Store of one array, as for `stores_of`. fixed: none of its axes follows the tokens, which are its last but one. written: as for `Store`."""
    by_rows, by_tokens = _longer(one, more_rows), [len(one.shape) - 2] if fixed else _longer(one, more_tokens)
    if len(by_rows) != 1 or len(by_tokens) != 1 or by_tokens[0] == len(one.shape) - 1 or by_rows == by_tokens:
        raise ValueError(f"an array that the network keeps, of shape {one.shape}, does not grow with the tokens alone")
    return Store(one.shape, jax.dtypes.canonicalize_dtype(one.dtype), by_rows[0], by_tokens[0], kind, written)


def _longer(one, more):
    """The axes whose length differs."""
    return [axis for axis, (length, other) in enumerate(zip(one.shape, more.shape)) if length != other]

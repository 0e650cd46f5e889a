"""Arrays made part by part: each part is filled in the host's memory and goes to its devices before the next one is begun.

A filler is a function `fill(target, index)` that writes one part of an array, in the dtype of `target`, into this NumPy array; `index` has a
slice (of step 1) for each axis. So a weight in a file goes to many devices without being whole in memory.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np

from ..host import wide

Fill = Callable[[np.ndarray, tuple[slice, ...]], None]
_ALIGNMENT = 64  # bytes: JAX takes over memory of the CPU that begins at a multiple of this, and copies other memory


def aligned(shape: Sequence[int], dtype: Any) -> np.ndarray:
    """An empty array that JAX takes over on the CPU, without a copy."""
    return _at(shape, np.dtype(dtype), 0)


def _at(shape, dtype, offset):
    size = math.prod(shape) * dtype.itemsize
    memory = np.empty(size + 2 * _ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % _ALIGNMENT + offset
    return memory[begin : begin + size].view(dtype).reshape(shape)


def everything(shape: Sequence[int]) -> tuple[slice, ...]:
    """The index of a whole array."""
    return tuple([slice(0, length) for length in shape])


def try_to_fill(fill: Fill, shape: Sequence[int], dtype: Any) -> None:
    """Fill no element, before something is given up for the content: what is wrong with the whole (a file that was written over) raises here."""
    if shape:
        fill(np.empty([0] * len(shape), dtype), (slice(0, 0),) * len(shape))


@wide
def placed(shape: Sequence[int], dtype: Any, sharding: jax.sharding.Sharding, fill: Fill) -> jax.Array:
    """A jax.Array that lies as `sharding` says. Beside it there is never more than one part in memory."""
    shape, dtype, places, part = tuple(shape), np.dtype(dtype), {}, None
    for device, index in sharding.addressable_devices_indices_map(shape).items():
        place = tuple([piece.indices(length)[:2] for piece, length in zip(index, shape)])
        places.setdefault(place, []).append(device)
    arrays = []
    for place, devices in places.items():
        extent = tuple([end - begin for begin, end in place])
        if part is None or part.shape != extent:
            # not aligned, so that JAX copies it: only memory of its own is written over by a step, and this is filled again
            part = _at(extent, dtype, 16)
        fill(part, tuple([slice(*ends) for ends in place]))
        arrays += jax.block_until_ready([jax.device_put(part, device) for device in devices])
    return jax.make_array_from_single_device_arrays(shape, sharding, arrays)


class Filled:
    """The content of a `Deferred` of which single parts can be made: `fill(target, index)`."""

    def __init__(self, fill: Fill):
        self.fill = fill


def filler(array: Any) -> Fill | None:
    """Function (target, index) that fills a part of an array, or of content that is not made yet; None where only the whole can be made."""
    if not isinstance(array, jax.Array):
        return getattr(array, "fill", None)
    if not array.is_fully_addressable:
        return None

    def copy(target, index):
        for part, place in shards(array, index):
            target[place] = part

    return copy


def shards(array: jax.Array, index: tuple[slice, ...]) -> Iterator[tuple[np.ndarray, tuple[slice, ...]]]:
    """(values, their place within `index`) of the parts of an array that make up this index, as far as they lie in this process.

    JAX keeps the copy that it makes of an accelerator's memory with the Array that was asked; here an Array is asked that nobody keeps.
    """
    seen = set()
    for shard in array.addressable_shards:
        ends = tuple([s.indices(n)[:2] for s, n in zip(shard.index, array.shape)])
        cut = [(max(b, i.start), min(e, i.stop)) for (b, e), i in zip(ends, index)]
        if ends in seen or any(b >= e for b, e in cut):
            continue
        seen.add(ends)
        alone = jax.make_array_from_single_device_arrays(
            shard.data.shape, jax.sharding.SingleDeviceSharding(shard.device), [shard.data]
        )
        inside = tuple([slice(b - begin, e - begin) for (b, e), (begin, _) in zip(cut, ends)])
        if shard.device.platform != "cpu" and inside != everything(alone.shape):  # no more than this leaves the device
            values = np.asarray(jax.lax.dynamic_slice(alone, [i.start for i in inside], [b - a for a, b in cut]))
        else:
            values = np.asarray(alone)[inside]
        yield values, tuple([slice(b - i.start, e - i.start) for (b, e), i in zip(cut, index)])


def stacked(fills: Sequence[Fill]) -> Fill:
    """Arrays of equal shapes as the rows of one."""

    def fill(target, index):
        for number in range(index[0].start, index[0].stop):
            fills[number](target[number - index[0].start], index[1:])

    return fill

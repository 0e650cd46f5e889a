"""A process's own part of an array that is split over several: the block of its devices, for files of one rank."""

import math
from collections.abc import Sequence
from typing import Any

import jax

from ..core.values.filled import Fill


def _block(sharding, shape):
    """The slices of the block that the devices of this process hold together; None where it has gaps."""
    held = {
        tuple(s.indices(n)[:2] for s, n in zip(index, shape))
        for index in sharding.addressable_devices_indices_map(shape).values()
    }
    block = [(min(start for start, _ in axis), max(stop for _, stop in axis)) for axis in zip(*held)]
    covered = sum(math.prod(stop - start for start, stop in part) for part in held)
    return block if covered == math.prod(stop - start for start, stop in block) else None


def own_block(array: jax.Array) -> list[tuple[int, int]]:
    """(begin, end) along each axis of the block of an array that this process holds.

    Raises:
        RuntimeError: what its devices hold is not a block.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax.parallel.own_parts import own_block
        >>> own_block(jnp.ones((2, 3)))
        [(0, 2), (0, 3)]
    """
    block = _block(array.sharding, array.shape)
    if block is None:
        raise RuntimeError(
            f"the devices of this process hold parts of an array of shape {array.shape} that do not lie beside each other, so they can not "
            "be saved as one slice: save it whole (integrated_save=True), or with msjax.train.sharded_checkpoint.save_sharded."
        )
    return block


def of_own_part(held: Sequence[int], fill: Fill, sharding: Any, shape: Sequence[int]) -> Fill | None:
    """What fills the parts of this process in a global array, of what fills its block; None if `held` is not the block's shape."""
    block = _block(sharding, shape)
    if block is None or tuple(held) != tuple(stop - start for start, stop in block):
        return None
    return lambda target, index: fill(target, _within(index, block, shape))


def _within(index, block, shape):
    """Slices of an array as slices of a block of it."""
    ends = [s.indices(n)[:2] for s, n in zip(index, shape)]
    return tuple(slice(start - first, stop - first) for (start, stop), (first, _) in zip(ends, block))

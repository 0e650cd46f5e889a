"""Rows of stacks: Parameters of equal layers that a folded program keeps in one array from one run to the next.

Such a Parameter holds a `Row`: a stack, and the place in it. Who asks for the content gets an array of its own. Nobody gets the array of the
stack, so a program may write its new state over it. Reading changes no Parameter; assigning puts another array in the place of the row.
"""

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import SingleDeviceSharding

from ..host import wide
from .deferred import Deferred, Pieces, of_array
from .filled import filler, placed, stacked
from .tensor import host_array, on_device

if TYPE_CHECKING:
    from .dtype import Type


@jax.jit
def _row(stack, at):
    return lax.dynamic_index_in_dim(stack, at, 0, keepdims=False)


@functools.partial(jax.jit, donate_argnums=0)
def _with_row(stack, array, at):
    return lax.dynamic_update_index_in_dim(stack, array, at, 0)


def joined(arrays: Sequence):
    """Arrays as the rows of one."""
    fills = [filler(a) for a in arrays]
    if all(fills) and any(isinstance(a, Deferred) for a in arrays):  # of a file: no row is made on its own
        shape = len(arrays), *arrays[0].shape
        return placed(shape, arrays[0].dtype, SingleDeviceSharding(jax.local_devices()[0]), stacked(fills))
    arrays = [a.make() if isinstance(a, Deferred) else a for a in arrays]
    if {device.platform for device in arrays[0].devices()} == {"cpu"}:  # memory of the host: no program is needed
        return on_device(np.stack([np.asarray(a) for a in arrays]))
    # a row at a time: one small program for each shape, and no second copy of all rows on the way
    stack = jnp.zeros((len(arrays), *arrays[0].shape), arrays[0].dtype)
    for at, array in enumerate(arrays):
        stack = _with_row(stack, array, np.int32(at))
    return stack


def spread(arrays: Sequence, sharding: Any):
    """One array with this sharding, whose rows are arrays or contents that are not made yet. At most one row at a time is in memory as a
    whole; if all rows can be made part by part, none is.
    """
    fills = [filler(a) for a in arrays]
    if all(fills) and any(isinstance(a, Deferred) for a in arrays):
        return placed((len(arrays), *arrays[0].shape), arrays[0].dtype, sharding, stacked(fills))
    pieces = Pieces((len(arrays), *arrays[0].shape), arrays[0].dtype, sharding)
    for at, array in enumerate(arrays):
        if pieces.wants(at, at + 1):
            pieces.take(at, (array.host() if isinstance(array, Deferred) else host_array(array))[None])
    return pieces.array()


class Stack:
    """Arrays of equal shapes in one.

    now: (the array, {place: what was made of that row for those who asked}). A step puts a new pair there, so another thread that reads
    sees the rows of before or those of after it. lies: how it was put on several devices, or None.
    """

    __slots__ = ("lies", "now")

    @wide
    def __init__(self, arrays: Sequence, lies: Any = None):
        self.lies, self.now = lies, (joined(arrays) if lies is None else spread(arrays, lies), {})

    @property
    def array(self):
        """All rows."""
        return self.now[0]

    def changed(self, array: jax.Array):
        """Take the rows of a later step."""
        self.now = array, {}


class Row(Deferred):
    """Content of a Parameter that is a row of a stack."""

    __slots__ = ("at", "stack")

    def __init__(self, stack: Stack, at: int):
        super().__init__(stack.array.shape[1:], stack.array.dtype)
        self.stack, self.at = stack, at

    @wide
    def make(self, sharding: Any = None):
        """The present content as an array of its own; the same one until the stack changes."""
        array, made = self.stack.now
        found = made.get(self.at)
        if found is None:
            found = made.setdefault(self.at, _row(array, np.int32(self.at)))
        return found if sharding is None else jax.device_put(found, sharding)

    def host(self):
        """The present content as a NumPy array of its own. No other copy of it is kept."""
        array, made = self.stack.now
        return np.array(array[self.at] if made.get(self.at) is None else made[self.at])

    def astype(self, dtype: "Type"):
        """The present content in another dtype."""
        return of_array(self.make()).astype(dtype)

    def lying(self, sharding: Any):
        """The present content with a place."""
        return of_array(self.make()).lying(sharding)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.host(), dtype)


UNMADE = (Deferred, Row)

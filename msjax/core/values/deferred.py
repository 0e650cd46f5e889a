"""Deferred: content that is not made yet. A Parameter is then an initializer, a shape and a dtype; it is made when its place is known.

`within(contents=...)` of the `ExecutionState` says what Parameters made in the block hold: None, their content at once; DEFERRED, what
makes it, until it is asked for, or placed on devices; SHAPES, the same, and nothing large is ever made: for programs that are
compiled and not run (`msjax.plan`).
"""

import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ..above import above
from ..host import wide
from ..settings.execution_state import here, within
from .filled import aligned, everything, placed

DEFERRED, SHAPES = "deferred", "shapes"
SMALL = 1 << 20  # bytes up to which content is made also where shapes are enough: counters, rates, tables of positions


class NoContent(RuntimeError):
    """A value was asked for that a program which is only planned does not have."""


class Deferred(jax.ShapeDtypeStruct):
    """An array that is still to be made: its shape and dtype, and the initializer that fills it, with the number it drew.

    init: a callable that fills a NumPy array in place, or an object that fills parts of it alone by `fill` (see `filled.py`: an array of a
    file), or that makes it lie as a sharding says by `place`; None where the content is gone, since only its shape was wanted.
    filled: dtype that the initializer fills; content is cast to `dtype` afterwards.
    """

    __slots__ = ("filled", "init")

    def __init__(
        self,
        shape: tuple[int, ...],
        dtype: np.dtype,
        init: Any = None,
        filled: Callable | None = None,
        sharding: jax.sharding.Sharding | None = None,
    ):
        super().__init__(tuple(shape), dtype, sharding=sharding)
        self.init, self.filled = init, np.dtype(dtype if filled is None else filled)

    @property
    def nbytes(self):
        """Bytes of the whole array."""
        return self.size * self.dtype.itemsize

    def __array__(self, dtype=None, copy=None):
        made = value_of(self, "a Tensor")
        return np.asarray(made if dtype is None else made.astype(dtype))

    @property
    def fill(self):
        """What fills a part alone; None where the content is only made whole."""
        return getattr(self.init, "fill", None)

    def astype(self, dtype: Any):
        """The same content, cast when it is made."""
        if self.dtype not in (self.filled, dtype):  # cast once already: what that lost stays lost
            return Deferred(self.shape, dtype, Content(self), self.dtype)
        return Deferred(self.shape, dtype, self.init, self.filled)

    def lying(self, sharding: jax.sharding.Sharding):
        """The same content with a place."""
        return Deferred(self.shape, self.dtype, self.init, self.filled, sharding)

    def host(self):
        """The content as a NumPy array of its own."""
        if self.init is None:
            raise NoContent(
                f"the content of an array of shape {list(self.shape)} was not kept: only its shape was wanted."
            )
        if self.fill is not None:
            content = aligned(self.shape, self.dtype)
            self.fill(content, everything(self.shape))
            return content
        content = np.zeros(self.shape, self.filled)
        self.init(content)
        return content.astype(self.dtype, copy=False)

    @wide
    def make(self, sharding: jax.sharding.Sharding | None = None):
        """The content as a jax.Array, on one device or as a sharding places it. Of a constant only the parts are made that lie here."""
        if sharding is None:
            return jax.device_put(self.host())
        if self.fill is not None:
            return placed(self.shape, self.dtype, sharding, self.fill)
        place = getattr(self.init, "place", None)
        if place is not None:
            return place(sharding).astype(self.filled).astype(self.dtype)
        value = getattr(self.init, "constant", None)
        if value is not None:
            return jax.make_array_from_callback(
                self.shape, sharding, lambda index: np.full(_part(self.shape, index), value, self.dtype)
            )
        if type(self.init) is Seeded and self.shape:
            pieces = Pieces(self.shape, self.dtype, sharding, self.filled)
            self.init(pieces)
            return pieces.array()
        host = self.host()
        return jax.make_array_from_callback(self.shape, sharding, lambda index: host[index])


_BLOCK = 1 << 20  # elements that are drawn at a time


def blocks(array: np.ndarray):
    """(number of the first element, rows of an array) for some rows at a time, in their order."""
    if not isinstance(array, np.ndarray):
        yield from array.blocks()
    else:
        yield 0, array


class Pieces:
    """A placeholder for an array that is filled along its first axis, of which only the parts of this process's devices
    are kept.

    An initializer that can fill a part alone fills `blocks`; others assign `[...]`.
    """

    def __init__(self, shape: Any, dtype: Any, sharding: jax.sharding.Sharding, filled: Callable | None = None):
        self.shape, self.dtype, self.sharding = tuple(shape), dtype, sharding
        self.size, self.filled = math.prod(shape), dtype if filled is None else filled
        found = sharding.addressable_devices_indices_map(self.shape)
        self.places = {
            device: tuple([piece.indices(length)[:2] for piece, length in zip(index, self.shape)])
            for device, index in found.items()
        }
        self.parts = {p: np.empty([end - begin for begin, end in p], dtype) for p in self.places.values()}

    def blocks(self):
        """(number of the first element, an array to be filled) for some rows at a time: of rows that a device has."""
        rows = max(1, _BLOCK * self.shape[0] // max(self.size, 1))
        for start in range(0, self.shape[0], rows):
            end = min(start + rows, self.shape[0])
            if self.wants(start, end):
                block = np.empty((end - start, *self.shape[1:]), self.filled)
                yield start * (self.size // self.shape[0]), block
                self.take(start, block)

    def __setitem__(self, index, content):
        self.take(0, np.broadcast_to(np.asarray(content, self.filled), self.shape))

    def wants(self, start: int, end: int):
        """Whether a device has something of these rows."""
        return any(place[0][0] < end and start < place[0][1] for place in self.parts)

    def take(self, start: Any, block: Any):
        """The rows from `start` on."""
        for place, part in self.parts.items():
            begin, end = max(start, place[0][0]), min(start + len(block), place[0][1])
            if begin < end:
                inside = tuple([slice(*p) for p in place[1:]])
                part[begin - place[0][0] : end - place[0][0]] = block[(slice(begin - start, end - start), *inside)]

    def array(self):
        """The array of all devices. The parts are gone afterwards: each one when its devices have it."""
        arrays = []
        for place in list(self.parts):
            part = self.parts.pop(place)
            devices = [device for device, its in self.places.items() if its == place]
            arrays += jax.block_until_ready([jax.device_put(part, device) for device in devices])
        return jax.make_array_from_single_device_arrays(self.shape, self.sharding, arrays)


class Seeded:
    """An initializer with the number that it draws from NumPy's global stream, drawn now: it fills alike whenever it is called."""

    def __init__(self, init: Any):
        self.init, self.constant = init, getattr(init, "constant", None)
        self.seed = int(np.random.randint(1, 1 << 63, dtype=np.int64)) if init.draws else None

    def __call__(self, array: Any):
        with within(drawn=self.seed):
            self.init(array)


def mode():
    """The content of Parameters that are created now: None (real arrays), DEFERRED or SHAPES."""
    return here().contents or (DEFERRED if above.waits() else None)


def of_initializer(init: Any, shape: tuple[int, ...], dtype: np.dtype):
    """(Deferred content of an initializer, the initializer), or None if the array is to be made now.

    An initializer of the user's own may draw as it likes from NumPy's global stream, so its content is made at once.
    """
    how = mode()
    if how is None:
        return None
    if not isinstance(init, Seeded):
        if getattr(init, "can_wait", False):
            init.check(shape)
            init = Seeded(init)
        elif how is DEFERRED:
            return None
    return Deferred(shape, dtype, init), init


def of_array(array: Any):
    """A Deferred with the content of an array."""
    return Deferred(array.shape, array.dtype, Content(array))


class Content:
    """Fills with a copy of an array, or of content that is not made yet."""

    def __init__(self, array: Any):
        self.array = array

    def __call__(self, content):
        content[...] = self.array.host() if isinstance(self.array, Deferred) else np.asarray(self.array)


def shape_alone(array: jax.Array):
    """The array; where shapes are enough and it is large, a Deferred without content."""
    if here().contents is SHAPES and isinstance(array, jax.Array) and array.size * array.dtype.itemsize > SMALL:
        return Deferred(array.shape, array.dtype)
    return array


def value_of(content: Any, what: str):
    """The array of a Deferred. NoContent for a large array where only shapes are wanted; `what` is the operation that
    asks.
    """
    if here().contents is SHAPES and (content.init is None or content.nbytes > SMALL and content.fill is None):
        raise NoContent(
            f"the value of {what} (shape {list(content.shape)}, {content.nbytes:,} bytes) is read, but a plan computes no values, "
            "only shapes. Read values after the training step, or in a branch that the plan does not run."
        )
    return content.make()


def _part(shape, index):
    return tuple(len(range(*piece.indices(length))) for piece, length in zip(index, shape))

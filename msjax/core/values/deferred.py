"""Deferred: content that is not made yet. A Parameter is then an initializer, a shape and a dtype; it is made when its place is known.

`within(contents=...)` of the `ExecutionState` says what Parameters made in the block hold: None, their content at once; DEFERRED, what
makes it, until it is asked for, or placed on devices; SHAPES, the same, and nothing large is ever made: for programs that are
compiled and not run (`msjax.plan`).
"""

import jax
import numpy as np

from ..above import above
from ..host import wide
from ..settings.execution_state import here, within

DEFERRED, SHAPES = "deferred", "shapes"
SMALL = 1 << 20  # bytes up to which content is made also where shapes are enough: counters, rates, tables of positions


class NoContent(RuntimeError):
    """A value was asked for that a program which is only planned does not have."""


class Deferred(jax.ShapeDtypeStruct):
    """An array that is still to be made: its shape and dtype, and the initializer that fills it, with the number it drew.

    init: a callable that fills a NumPy array in place; None where the content is gone, since only its shape was wanted.
    filled: dtype that the initializer fills; content is cast to `dtype` afterwards.
    """

    __slots__ = ("filled", "init")

    def __init__(self, shape, dtype, init=None, filled=None, sharding=None):
        super().__init__(tuple(shape), dtype, sharding=sharding)
        self.init, self.filled = init, np.dtype(dtype if filled is None else filled)

    @property
    def nbytes(self):
        """Bytes of the whole array."""
        return self.size * self.dtype.itemsize

    def __array__(self, dtype=None, copy=None):
        made = value_of(self, "a Tensor")
        return np.asarray(made if dtype is None else made.astype(dtype))

    def astype(self, dtype):
        """The same content, cast when it is made."""
        return Deferred(self.shape, dtype, self.init, self.filled)

    def lying(self, sharding):
        """The same content with a place."""
        return Deferred(self.shape, self.dtype, self.init, self.filled, sharding)

    def host(self):
        """The content as a NumPy array of its own."""
        if self.init is None:
            raise NoContent(
                f"the content of an array of shape {list(self.shape)} was not kept: only its shape was wanted."
            )
        content = np.zeros(self.shape, self.filled)
        self.init(content)
        return content.astype(self.dtype, copy=False)

    @wide
    def make(self, sharding=None):
        """The content as a jax.Array, on one device or as a sharding places it. Of a constant only the parts are made that lie here."""
        if sharding is None:
            return jax.device_put(self.host())
        value = getattr(self.init, "constant", None)
        if value is not None:
            return jax.make_array_from_callback(
                self.shape, sharding, lambda index: np.full(_part(self.shape, index), value, self.dtype)
            )
        host = self.host()
        return jax.make_array_from_callback(self.shape, sharding, lambda index: host[index])


class Seeded:
    """An initializer with the number that it draws from NumPy's global stream, drawn now: it fills alike whenever it is called."""

    def __init__(self, init):
        self.init, self.constant = init, getattr(init, "constant", None)
        self.seed = int(np.random.randint(1, 1 << 63, dtype=np.int64)) if init.draws else None

    def __call__(self, array):
        with within(drawn=self.seed):
            self.init(array)


def mode():
    """What Parameters that are made now hold: None, DEFERRED or SHAPES."""
    return here().contents or (DEFERRED if above.waits() else None)


def of_initializer(init, shape, dtype):
    """(Deferred content of an initializer, what fills the same again), or None where it is to be made now.

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


def of_array(array):
    """A Deferred with the content of an array."""
    return Deferred(array.shape, array.dtype, _Copied(array))


class _Copied:
    """Fills with a copy of an array."""

    def __init__(self, array):
        self.array = array

    def __call__(self, content):
        content[...] = np.asarray(self.array)


def shape_alone(array):
    """The array; where shapes are enough and it is large, a Deferred without content."""
    if here().contents is SHAPES and isinstance(array, jax.Array) and array.size * array.dtype.itemsize > SMALL:
        return Deferred(array.shape, array.dtype)
    return array


def value_of(content, what):
    """The array that a Deferred stands for. NoContent: where shapes are enough, for a large one; `what` is asked for it."""
    if here().contents is SHAPES and (content.nbytes > SMALL or content.init is None):
        raise NoContent(
            f"the value of {what} (shape {list(content.shape)}, {content.nbytes:,} bytes) is asked for, but a plan makes no values: "
            "it has shapes alone. Ask for values after the training step, or behind a condition that the plan does not meet."
        )
    return content.make()


def _part(shape, index):
    return tuple(len(range(*piece.indices(length))) for piece, length in zip(index, shape))

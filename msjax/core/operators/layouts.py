"""Programs whose state lies in the device's memory as their compiler wants it.

An array of a TPU lies in tiles over two of its axes. JAX takes the same two for all arrays of a shape, which are the wrong ones for the weights of a
convolution as MindSpore has them: the step then copies weight and moments on the way in and on the way out. A state that only the step itself
writes may as well lie the other way, so the compiler is asked (`Layout.AUTO`), and what comes from elsewhere is laid so once.
"""

import contextlib
import functools
import math
import weakref
from typing import Any

import jax
import jax.numpy as jnp
from jax.experimental.layout import Format, Layout

from ..compat import Tracer
from ..settings.context import present_device
from . import shared_buffers

_FEWEST_AXES = 2  # a vector lies in one way
_TILE, _LARGE, _MOST_WASTE = (8, 128), 1 << 20, 1.1  # of a TPU; bytes; what a layout may take of what the closest takes


def of_state(fn, donate=()):
    """A started program `fn(state, ...) -> (results, state)` on one device: on a TPU the compiler chooses the layout of
    donated state.

    Args:
        fn: The program.
        donate: numbers of the arguments that it may write over.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax.core.operators.layouts import of_state
        >>> of_state(lambda state, x: ((x,), [s + x for s in state]))([jnp.ones(2)], 1.0)[1]
        [Array([2., 2.], dtype=float32)]
    """
    if donate == (0,) and present_device() == "TPU":
        return AsCompiled(fn)
    return shared_buffers.program(fn, donate)


class AsCompiled:
    """`jax.jit(fn)` for arguments of one signature, whose first argument is donated and has the layout that the
    compiler chooses.

    The new state stands before the results in the program, since JAX writes an output over the first input of its shape. The state stands in it from
    its end: TPU's compiler orders a program by its results, one after the other, and gradients come from the last layer to the first. With a
    table first, what its new value needs of no other (the gradient of its own norm) was computed before all else, and kept in the slow memory.
    """

    def __init__(self, fn):
        self.__wrapped__ = fn
        self._compiled = self._formats = None
        self._known = []  # weak references to the arrays that are known to lie right

    def lies(self, state):
        """How each array of the state is to lie: as the compiler chooses, unless there is but one way, or a choice would waste memory."""
        return [None if a.ndim < _FEWEST_AXES or _may_waste(a) else Format(Layout.AUTO) for a in state]

    def trace(self, state, *others):
        """As `jax.jit(...).trace`."""
        state = list(state)[::-1]
        lies = self.lies(state)

        def turned(state, *others):
            results, new = self.__wrapped__(state[::-1], *others)
            return new[::-1], results

        turned.__name__ = turned.__qualname__ = getattr(self.__wrapped__, "__name__", "step")
        given, made = (list(lies), *[None] * len(others)), (list(lies), None)
        return jax.jit(turned, donate_argnums=0, in_shardings=given, out_shardings=made).trace(
            list(map(_shape, state)), *others
        )

    def lower(self, *given):
        """As `jax.jit(...).lower`."""
        return self.trace(*given).lower()

    def take(self, compiled):
        """Use a program that `lower(...).compile()` returned."""
        self._compiled = compiled
        self._formats = jax.tree_util.tree_leaves(
            compiled.input_formats[0], is_leaf=lambda f: f is None or isinstance(f, Format)
        )

    def __call__(self, state, *others):
        if self._compiled is None:
            self.take(self.lower(state, *others).compile())
        leaves, tree = jax.tree_util.tree_flatten((list(state)[::-1], *others))
        new, results = self._compiled(*jax.tree_util.tree_unflatten(tree, self._laid(leaves)))
        self._known[: len(new)] = map(weakref.ref, new)
        return results, new[::-1]

    def _laid(self, arrays):
        """Arrays that lie as the program takes them."""
        known = self._known or [_nothing] * len(arrays)
        found = [a if k() is a else _lying(a, f) for a, k, f in zip(arrays, known, self._formats)]
        self._known = [weakref.ref(a) if isinstance(a, jax.Array) else _nothing for a in found]
        return found


def _may_waste(array):
    """Whether the wrong one of the two layouts of a large matrix takes more memory than the usual one.

    Tiles are filled up: a table of 64 columns takes twice its size by rows, which a compiler that looks at its gathers alone would choose, and the
    step of its optimizer moves as much.
    """
    if array.ndim != 2 or array.size * array.dtype.itemsize < _LARGE:
        return False
    by_rows, by_columns = (
        math.prod(-(-n // t) * t for n, t in zip(order, _TILE)) for order in (array.shape, array.shape[::-1])
    )
    return max(by_rows, by_columns) > _MOST_WASTE * min(by_rows, by_columns)


def _shape(array):
    """An array as its shape, since one that has a place of its own would say how it lies."""
    if not isinstance(array, jax.Array):
        return array
    return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=array.sharding if array.committed else None)


def _nothing():
    return None


def _lying(array, wanted):
    """An array in this memory layout; numbers and NumPy arrays keep theirs."""
    if not isinstance(array, jax.Array) or wanted is None or wanted.layout is None:
        return array
    with contextlib.suppress(AttributeError, NotImplementedError):  # a back end without layouts
        if array.format.layout == wanted.layout:
            return array
    return jax.device_put(array, Format(wanted.layout, array.sharding))


def moved(array: Any, place: Any, **options):
    """`jax.device_put(array, place, **options)` of an array that may lie as a compiler chose.

    JAX copies such an array to another device as it lies, and programs there read it as one that lies as usual: wrong numbers, without
    an error (JAX 0.8.0 and 0.10.2 on the CPU; docs/compiler_bugs.md). So it is laid as usual before.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.operators.layouts import moved
        >>> moved(jnp.ones((1, 2), jnp.float32), jax.devices()[0])
        Array([[1., 1.]], dtype=float32)
    """
    return jax.device_put(usual(array), place, **options)


def usual(array: Any):
    """The array, or a copy of it that lies as JAX lays arrays of its shape.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax.core.operators.layouts import usual
        >>> usual(jnp.ones(1, jnp.float32))
        Array([1.], dtype=float32)
    """
    if not isinstance(array, jax.Array) or isinstance(array, Tracer) or array.ndim < _FEWEST_AXES:
        return array
    with contextlib.suppress(AttributeError, NotImplementedError):  # a back end without layouts
        if array.format.layout != _of_others(array.shape, array.dtype, array.sharding):
            return _copied(array)
    return array


@functools.lru_cache(maxsize=1024)
def _of_others(shape, dtype, sharding):
    """How JAX lays an array of this shape, if nobody says how it is to lie."""
    array = jax.ShapeDtypeStruct(shape, dtype, sharding=sharding)
    if next(iter(sharding.device_set)).platform == "tpu":
        return _copied.lower(array).compile().output_formats.layout
    return Layout(tuple(range(len(shape))), ())


@jax.jit
def _copied(array):
    return jnp.copy(array)

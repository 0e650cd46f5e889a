"""Reads and replaces values inside compiled functions while they run, so that `msjax diff --graph` can compare each
Cell.
"""

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import jax
import numpy as np

from ..core import host_calls
from ..core.trace.frame import current
from ..core.values.tensor import wrap

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor


class CompiledValues:
    """Sends values of a compiled function to the host each time it runs, in the order of the program.

    Example:
        >>> from msjax.cli.compiled_values import CompiledValues
        >>> CompiledValues().tracing()
        False
    """

    def tracing(self):
        """Whether a function is being compiled."""
        return current() is not None

    def kept(self, tensor: "Tensor"):
        """A copy of a Tensor that later writes do not change."""
        return wrap(tensor.jax_array)

    def told(self, function: Callable, values: Sequence):
        """Call `function(arrays)` whenever the program reaches this place. It returns nothing, so gradients are not
        affected.
        """
        arrays = [getattr(value, "jax_array", value) for value in values]
        host_calls.tell(lambda *given: function(list(given)), *arrays)

    def asked(self, function: Callable, tensor: "Tensor"):
        """A Tensor with the result of `function(array)`, called whenever the program reaches this place."""
        array = jax.lax.stop_gradient(tensor.jax_array)
        out = jax.ShapeDtypeStruct(array.shape, array.dtype)

        def ask(given):
            return np.asarray(function(given)).astype(given.dtype).reshape(given.shape)

        return wrap(host_calls.ask(ask, out, array, ordered=True))

    def jit(self, old: Callable, after: Callable):
        """`old`, which is `jit`, for functions that end with `after()` when they are called from outside."""

        def decorate(fn=None, *args, **kwargs):
            made = old(fn, *args, **kwargs)
            if isinstance(fn, type):
                return made
            return ending(made) if callable(fn) else lambda f: ending(made(f))

        def ending(function):
            @functools.wraps(function)
            def call(*args, **kwargs):
                out = function(*args, **kwargs)
                if not self.tracing():
                    after()
                return out

            return call

        return decorate

    def done(self):
        """Wait until all running programs have sent their values."""
        jax.effects_barrier()

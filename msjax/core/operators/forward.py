"""One compiled variant of an operator, and the wrapping of its results as Tensors."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax import lax

from ..host import wide_unless_owned
from ..values import ranges
from ..values.tensor import on_device, wrap
from .eager_jit import eager_jit


class Forward:
    """One compiled variant of a function: `call` runs it, and returns a `Checked` if it checks indices; `tape.py` adds
    the functions for gradients.

    pure: the function of arrays. residuals: under a tape it saves what the backward needs. traceable: whether it can be compiled (if the
    shape of a result depends on values it cannot). jit: how functions of arrays are compiled. check: whether it looks at indices.
    written: how many results, the first ones, go into arguments. fresh: it was traced since a tape looked. ahead: shapes of its arrays ->
    Future of a backward that is being compiled.
    """

    __slots__ = (
        *("name", "pure", "call", "residuals", "traceable", "jit", "backwards", "saving"),
        *("written", "fresh", "ahead"),
    )

    def __init__(
        self,
        name: str,
        pure: Callable,
        residuals: bool = False,
        traceable: bool = True,
        jit: Callable | None = None,
        check: bool = True,
        written: int = 0,
    ):
        self.name, self.pure, self.residuals, self.traceable = name, pure, residuals, traceable
        self.jit = (jit or functools.partial(eager_jit, heavy=residuals)) if traceable else wide_unless_owned
        self.written, self.fresh, self.ahead = written, False, None
        self.call = self.jit(ranges.checked(self.noted(pure), name) if check else pure)
        self.backwards, self.saving = {}, {}

    def settled(self, arrays: Sequence):
        """The program of all further calls with arrays of such types, or None; see `eager_jit`."""
        settled = getattr(self.call, "settled", None)
        return None if settled is None else settled(arrays)

    def noted(self, pure: Callable):
        """`pure`, with its traces recorded."""

        def run(*arrays):
            self.fresh = True
            return pure(*arrays)

        run.__name__ = run.__qualname__ = getattr(pure, "__name__", self.name)
        return run


def strong(out: Any):
    """Outputs without weak types: a Tensor's dtype is always its own."""
    if isinstance(out, jax.Array):
        return lax.convert_element_type(out, out.dtype) if getattr(out, "weak_type", False) else out
    if isinstance(out, (tuple, list)):
        made = [strong(o) for o in out]
        return type(out)(*made) if hasattr(out, "_fields") else type(out)(made)
    if isinstance(out, (np.ndarray, np.generic)):
        return on_device(np.asarray(out))
    return out


ARRAYS = set()  # classes that were seen to be arrays: `isinstance(x, jax.Array)` runs Python code of JAX each time


def is_array(value: Any):
    """Whether a value is a JAX array; notes its class."""
    if not isinstance(value, jax.Array):
        return False
    ARRAYS.add(type(value))
    return True


def wrap_tree(out: Any, owner: Any = None):
    """Tensors around all arrays of a nested result."""
    if isinstance(out, jax.Array):
        return wrap(out, owner)
    if isinstance(out, (tuple, list)):
        made = [wrap_tree(o, owner) for o in out]
        return type(out)(*made) if hasattr(out, "_fields") else type(out)(made)
    return out

"""MindSpore's hybrid language: `kernel` gives a Python function its words (`output_tensor`, `grid`, `block_realize`, ...), and NumPy runs it."""

import contextlib
import functools
import itertools
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["kernel", "ms_kernel"]


def _buffer(shape, dtype="float32", scope="global"):
    return np.zeros(shape, dtype)


class _Scope(contextlib.nullcontext):
    """`with block_realize(c):`, `with attr(...):` tell a compiler of loops; here they mean nothing."""

    def __call__(self, *args, **kwargs):
        return self


_WORDS = {
    **dict.fromkeys(("allocate", "output_tensor"), _buffer),
    **dict.fromkeys(("range", "serial", "vectorize", "parallel", "reduce"), range),
    "grid": lambda extents: itertools.product(*map(range, extents)),
    **{name: _Scope() for name in ("attr", "block_realize")},
    **{
        name: getattr(np, name)
        for name in (
            *(
                "sqrt",
                "sign",
                "log",
                "tanh",
                "exp",
                "abs",
                "power",
                "isnan",
                "sin",
                "cos",
                "isinf",
                "isfinite",
                "expm1",
            ),
            *("floor", "ceil", "trunc", "round", "int8", "int16", "int32", "int64", "float16", "float32", "float64"),
        )
    },
    "atan": np.arctan,
    "atan2": np.arctan2,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": math.erf,
    "ceil_div": lambda a, b: (a + b - 1) // b,
}


def kernel(fn: Callable | None = None, reg_info: Any = None, compile_attrs: Any = None):
    """Decorator of a function in the hybrid language: it runs as Python on NumPy arrays, also as `ops.Custom` of it.

    Example:
        >>> @mindspore.ops.kernel
        ... def twice(a):
        ...     c = output_tensor(a.shape, a.dtype)
        ...     for i in range(a.shape[0]):
        ...         c[i] = a[i] * 2
        ...     return c
        >>> print(twice(np.array([1.0, 2.0])))
        [2. 4.]
    """

    def made(function):
        @functools.wraps(function)
        def run(*args):
            names = {**function.__globals__, **_WORDS}  # not in the user's module, as there
            code, defaults, cells = function.__code__, function.__defaults__, function.__closure__
            return types.FunctionType(code, names, function.__name__, defaults, cells)(*args)

        run.ms_kernel_flag = True
        return run

    return made if fn is None else made(fn)


ms_kernel = kernel

"""`ops._tracefunc`: MindSpore 2.0 to 2.2 packed the operators of a decorated function into one graph. Here a compiled
function contains its calls anyway.
"""

from collections.abc import Callable

__all__ = ["PackFunc", "trace"]


def trace(fn: Callable):
    """The function itself: inside a compiled function its calls are compiled as well."""
    return fn


class PackFunc:
    """Calls a function; `unique_key` and `is_pynative_mode` chose its graph."""

    def __init__(self, fun: Callable, unique_key: str = "", is_pynative_mode: bool = True):
        self.fun, self.unique_key, self.is_pynative_mode = fun, unique_key, is_pynative_mode

    def __call__(self, *args, **kwargs):
        return self.fun(*args, **kwargs)

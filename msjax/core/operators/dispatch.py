"""MsDispatchMode: an object that gets every operator call, to log, count or change it."""

import contextlib

from ..settings.context import dispatch_modes
from ..trace import invalidation as versions

__all__ = ["MsDispatchMode"]


class OpFunc:
    """An operator as `__ms_dispatch__` gets it: `name`, and the call itself."""

    __slots__ = ("name", "_record")

    def __init__(self, record):
        self.name, self._record = record.title, record

    def __call__(self, *args, **kwargs):
        return self._record(*args, **kwargs)

    def __repr__(self):
        return f"OpFunc({self.name})"


class MsDispatchMode(contextlib.ContextDecorator):
    """Within `with mode:` (or in a function decorated with it) every operator call goes to the mode's `__ms_dispatch__`.

    A subclass overrides that method. `func(*args)` in it runs the operator, through the modes outside this one. Functions made of
    several operators show those; a compiled function is traced again under a mode.

    Raises:
        TypeError: the subclass's method does not take (func, args, kwargs).

    Example:
        >>> class Log(mindspore.MsDispatchMode):
        ...     def __ms_dispatch__(self, func, args, kwargs=None):
        ...         print(func.name)
        ...         return func(*args)
        >>> with Log():
        ...     y = Tensor([1.0]) + Tensor([2.0])
        Add
    """

    def __enter__(self):
        dispatch_modes.append(self)
        versions.touch()
        return self

    def __exit__(self, *error):
        dispatch_modes.remove(self)
        versions.touch()
        return False

    def __ms_dispatch__(self, func, args, kwargs=None):
        """What a call gives: here what the operator gives. func: the operator. args: its arguments, in order. kwargs: None."""
        return func(*args)

    def _intercept(self, record, args):
        modes = dispatch_modes[:]
        dispatch_modes[:] = modes[: modes.index(self)]
        try:
            return self.__ms_dispatch__(OpFunc(record), args, None)
        finally:
            dispatch_modes[:] = modes

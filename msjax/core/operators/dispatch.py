"""MsDispatchMode: an object that gets every operator call, to log, count or change it."""

import contextlib
from typing import Any

from ..settings.execution_state import change, here, within

__all__ = ["MsDispatchMode"]


class OpFunc:
    """An operator as `__ms_dispatch__` gets it: `name`, and the call itself."""

    __slots__ = ("name", "_record")

    def __init__(self, record: Any):
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
        change(modes=(*here().modes, self))
        return self

    def __exit__(self, *error):
        modes = here().modes
        at = _position(self, modes)
        change(modes=(*modes[:at], *modes[at + 1 :]))
        return False

    def __ms_dispatch__(self, func, args, kwargs=None):
        """The result of a call: here the operator's own result. func: the operator. args: its arguments, in order.
        kwargs: None.
        """
        return func(*args)

    def _intercept(self, record, args):
        modes = here().modes
        with within(modes=modes[: _position(self, modes)]):
            return self.__ms_dispatch__(OpFunc(record), args, None)


def _position(mode, modes):
    """Where a mode stands among those in force."""
    return next(i for i, m in enumerate(modes) if m is mode)

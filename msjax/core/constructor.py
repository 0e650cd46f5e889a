"""The arguments of a constructor as a dict: for classes that check or keep each of them by a rule of its name."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

_F = TypeVar("_F", bound=Callable)


def with_arguments(init: _F) -> _F:
    """Decorator of `__init__`: while it runs, `given(self)` are its arguments by name, those with defaults too.

    Example:
        >>> from msjax.core.constructor import given, with_arguments
        >>> class Point:
        ...     @with_arguments
        ...     def __init__(self, x, y=0):
        ...         self.place = given(self)
        >>> Point(1).place
        {'x': 1, 'y': 0}
    """

    @functools.wraps(init)
    def constructor(self, *args, **kwargs):
        try:
            call = _signature(init).bind(self, *args, **kwargs)
        except TypeError:
            return init(self, *args, **kwargs)  # Python says what is wrong with them
        call.apply_defaults()
        own = vars(self)
        outer = own.get("_given")  # of a subclass, whose constructor calls this one
        own["_given"] = dict(list(call.arguments.items())[1:])
        try:
            init(self, *args, **kwargs)
        finally:
            if outer is None:
                own.pop("_given", None)
            else:
                own["_given"] = outer

    return cast(_F, constructor)


_signature = functools.cache(inspect.signature)


def given(instance: Any):
    """The arguments of the constructor that runs (see `with_arguments`), a new dict."""
    return dict(vars(instance)["_given"])


def keep(instance: Any):
    """Makes the arguments of the constructor that runs attributes of the new object."""
    vars(instance).update(given(instance))

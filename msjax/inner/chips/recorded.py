"""Settings that are checked and recorded."""

import functools
import inspect
from collections.abc import Callable

from ...core.spec.checking import checked

values = {}  # name -> what it was set to last


def recorded(function: Callable):
    """Decorator of a function with one parameter: its argument is compared with the annotation, and kept in `values` when the function
    has run.
    """
    compared, signature = checked(function), inspect.signature(function)

    @functools.wraps(function)
    def setting(*args, **kwargs):
        compared(*args, **kwargs)
        (values[function.__name__],) = signature.bind(*args, **kwargs).arguments.values()

    return setting

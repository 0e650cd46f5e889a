"""Parameters that are True or False: which values a face takes for them."""

from collections.abc import Sequence

import numpy as np

_FLAGS = ("keepdim", "keepdims", "keep_dims")
_NUMPY_FLAGS = ("endpoint", "retstep", "rowvar", "sparse", "assume_unique", "return_indices", "equal_nan")


def flag_checks(name: str, params: Sequence, module: str):
    """(position, name, function that raises for a value that is not a bool) of each parameter of a face whose default
    is a bool.
    """
    checks = []
    for i, p in enumerate(params):
        check = _no_bool if p.name in _FLAGS else _no_flag
        if module == "mindspore.numpy":
            check = _numpy_check(name, p.name)
        if check and type(p.default) is bool:
            checks.append((i, p.name, check))
    return checks


def _numpy_check(name, parameter):
    """Which check mindspore.numpy has for a parameter that is True or False: each of its functions was written on its own."""
    if parameter not in _FLAGS:
        return _no_bool if parameter in _NUMPY_FLAGS and name != "allclose" else None
    if name in ("sometrue", "nanmax", "nanmin"):
        return _no_integer
    return None if name.startswith("nan") else _no_bool


def _no_bool(name, parameter, value):
    if not isinstance(value, np.bool_):
        raise TypeError(f"For '{name}', the type of '{parameter}' must be bool, but got {type(value).__name__}.")


def _no_integer(name, parameter, value):
    if not isinstance(value, int):
        _no_bool(name, parameter, value)


def _no_flag(name, parameter, value):
    """Functions accept numbers and None for a flag (a parameter whose default is a bool), and raise for other values."""
    if isinstance(value, (str, tuple, list, dict, float)):
        _no_bool(name, parameter, value)

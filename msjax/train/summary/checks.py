"""Checks of the arguments of summaries and train steps, with the messages of MindSpore's training modules."""

import os
from typing import Any


def check_value_type(arg_name: str, arg_value: Any, valid_types: Any):
    """The value; TypeError if it is of none of the types (True is not an int)."""
    kinds = tuple(valid_types) if isinstance(valid_types, (list, tuple)) else (valid_types,)
    if not isinstance(arg_value, kinds) or (isinstance(arg_value, bool) and bool not in kinds):
        raise TypeError(
            f"For `{arg_name}` the type should be a valid type of {[k.__name__ for k in kinds]}, "
            f"but got {type(arg_value).__name__}."
        )
    return arg_value


def make_folder(path: Any, name: str):
    """The full path of a folder, which is made; TypeError for anything but a path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"The {name} is invalid, the type should be string.")
    if not str(path).strip():
        raise ValueError(f"The {name} is invalid, it should be non-blank.")
    path = os.path.realpath(path)
    if os.path.isfile(path):
        raise NotADirectoryError(f"The path({path}) is a file path, it should be a directory path.")
    os.makedirs(path, mode=0o700, exist_ok=True)
    return path

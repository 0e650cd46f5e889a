"""The user's line: where in the user's code something happens, for errors and warnings that name it."""

import os
import sys
import warnings
from typing import TYPE_CHECKING

import jax

if TYPE_CHECKING:
    import types

_HIDDEN = (
    os.path.dirname(os.path.dirname(__file__)) + os.sep,
    os.path.dirname(jax.__file__) + os.sep,
    "<face ",  # functions that are made of records
)


def is_users(frame: "types.FrameType"):
    """Whether a Python frame runs the user's code: none of this package, and none of JAX."""
    return not frame.f_code.co_filename.startswith(_HIDDEN)


def users_frame():
    """The innermost Python frame of the user's code, or None."""
    frame = sys._getframe(1)
    while frame is not None and not is_users(frame):
        frame = frame.f_back
    return frame


def warn(message: str):
    """A RuntimeWarning that names the innermost line of the user's code."""
    frame = users_frame()
    if frame is None:
        warnings.warn(message, RuntimeWarning, stacklevel=2)
        return
    names = frame.f_globals
    warnings.warn_explicit(
        message, RuntimeWarning, frame.f_code.co_filename, frame.f_lineno,
        module=names.get("__name__"), registry=names.setdefault("__warningregistry__", {}),
    )  # fmt: skip

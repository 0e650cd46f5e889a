"""Tracebacks for the people who wrote the script: their own frames and the message, without ours and those of JAX.

`MSJAX_TRACEBACK=full` shows everything. The exception itself keeps all its frames until it is shown, so a debugger that is
started where it is raised sees them.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
import threading
from pathlib import Path
from types import TracebackType

_PACKAGE = str(Path(__file__).resolve().parents[1]) + os.sep
_LAUNCHER = str(Path(__file__).with_name("script.py"))
_PYTHON = str(Path(os.__file__).resolve().parent) + os.sep
_ENGINES = ("jax", "jaxlib", "optax")
_LIBRARIES = ("numpy", "ml_dtypes", "cloudpickle", "cv2", "PIL", "scipy")


def _folders(packages: tuple[str, ...]) -> tuple[str, ...]:
    specs = [importlib.util.find_spec(package) for package in packages]
    return tuple(
        str(Path(folder)) + os.sep
        for spec in specs
        if spec is not None
        for folder in spec.submodule_search_locations or ()
    )


def wants_all() -> bool:
    """Whether the user asked for all frames."""
    return os.environ.get("MSJAX_TRACEBACK", "").lower() == "full"


class _Places:
    """Which files are whose; found when the first error is shown."""

    def __init__(self) -> None:
        self.ours = (_PACKAGE, *_folders(_ENGINES))
        self.between = _folders(_LIBRARIES)

    def is_ours(self, file: str) -> bool:
        return file.startswith((*self.ours, "<face "))  # "<face ": what `core.operators.faces` makes

    def is_between(self, file: str) -> bool:
        """Whether a file belongs to Python or a library that we call: its frames hide if ours are around them."""
        if file.startswith("<frozen "):
            return True
        if file.startswith(_PYTHON) and "site-packages" not in file:
            return True
        return file.startswith(self.between)


@functools.cache
def _place() -> _Places:
    return _Places()


def users_frames(traceback: TracebackType | None) -> TracebackType | None:
    """A new traceback with the user's frames only; without such frames, all frames of the script's run."""
    entries = list(_entries(traceback))
    files = [entry.tb_frame.f_code.co_filename for entry in entries]
    start = max((i + 1 for i, file in enumerate(files) if file == _LAUNCHER), default=0)
    place, kept, hidden = _place(), [], False
    for entry, file in zip(entries[start:], files[start:]):
        hidden = place.is_ours(file) or (hidden and place.is_between(file))
        if not hidden:
            kept.append(entry)
    made = None
    for entry in reversed(kept or entries[start:]):
        made = TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made


def _entries(traceback: TracebackType | None):
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _began_with_us(error: BaseException) -> bool:
    """Whether an exception was caught by our own code: the frame that caught it is the outermost one it has."""
    return error.__traceback__ is not None and _place().is_ours(error.__traceback__.tb_frame.f_code.co_filename)


def _has_users_frame(error: BaseException) -> bool:
    place = _place()
    files = [entry.tb_frame.f_code.co_filename for entry in _entries(error.__traceback__)]
    return any(not place.is_ours(file) and not place.is_between(file) for file in files)


def tidy(error: BaseException) -> BaseException:
    """Remove frames that are not the user's from an exception about to be shown, from its cause and its context.

    An exception that our own code caught on the way is left out, unless it is the named cause and comes from the user's code.

    Example:
        >>> from msjax.alias.tracebacks import tidy
        >>> try:
        ...     Tensor([1.0]).reshape(7)
        ... except ValueError as error:
        ...     print(tidy(error).__traceback__.tb_next is None)
        True
    """
    if wants_all():
        return error
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        cause, context = current.__cause__, current.__context__
        if cause is not None and _began_with_us(cause) and not _has_users_frame(cause):
            current.__cause__ = cause = None
            current.__suppress_context__ = True
        if cause is None and context is not None and not current.__suppress_context__ and _began_with_us(context):
            current.__suppress_context__ = True
        following = cause if cause is not None else None if current.__suppress_context__ else context
        current.__traceback__ = users_frames(current.__traceback__)
        current = following
    return error


def _tidied(show):
    """An exception hook for `sys.excepthook` that shows the traceback without msjax's frames."""

    def hook(kind, value, traceback):
        if value is None:
            show(kind, value, traceback)
            return
        tidy(value)
        show(kind, value, value.__traceback__)

    hook.shows = show
    return hook


def _thread_hook(show):
    def hook(args):
        if args.exc_value is not None and args.exc_type is not SystemExit:
            tidy(args.exc_value)
            args = threading.ExceptHookArgs((args.exc_type, args.exc_value, args.exc_value.__traceback__, args.thread))
        show(args)

    hook.shows = show
    return hook


def install() -> None:
    """Let the interpreter print exceptions tidied, in all threads; a hook that the user sets later gets them as they are."""
    if not hasattr(sys.excepthook, "shows"):
        sys.excepthook = _tidied(sys.excepthook)
    if not hasattr(threading.excepthook, "shows"):
        threading.excepthook = _thread_hook(threading.excepthook)


def uninstall() -> None:
    """Undo `install()`, where nobody else has put a hook on top."""
    sys.excepthook = getattr(sys.excepthook, "shows", sys.excepthook)
    threading.excepthook = getattr(threading.excepthook, "shows", threading.excepthook)

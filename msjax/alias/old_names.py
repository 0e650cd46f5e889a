"""Names that scripts of MindSpore 1's time use and that Python, NumPy, SciPy and Pillow no longer have: given back, with a notice.

MindSpore 1 ran on Python 3.7 to 3.9; JAX needs a newer one, and that needs newer libraries.
"""

from __future__ import annotations

import collections
import collections.abc
import importlib.util
import platform
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from msjax.alias import old_modules, old_numpy

if TYPE_CHECKING:
    import types

_PYTHON = {
    collections: lambda name: (
        (getattr(collections.abc, name), f"collections.abc.{name}") if name in collections.abc.__all__ else None
    ),
    time: {"clock": (time.perf_counter, "time.perf_counter")}.get,
}
_PRINTED = "1.25"  # the style of the last NumPy 1 that changed it
_PILLOW = {"ANTIALIAS": "LANCZOS", "LINEAR": "BILINEAR", "CUBIC": "BICUBIC"}


def lend(module: types.ModuleType, owner: str, find: Callable) -> None:
    """Let a module have the names for which `find` gives (value, how it is written today); it gives None for all others.

    A name that the module itself has stays what it is. The first that is asked for is told on stderr, with its `owner`.
    """
    own = vars(module).get("__getattr__")
    if hasattr(own, "before"):
        return
    told = []

    def __getattr__(name):
        found = find(name)
        if found is None:
            if own is not None:
                return own(name)
            raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}", name=name, obj=module)
        value, today = found
        if not told:
            told.append(name)
            now = f" (today: {today})" if today else ""
            short = "np" if module.__name__ == "numpy" else module.__name__
            sys.stderr.write(
                f"msjax: {short}.{name}{now} is not in {owner}; this script gets it, and other old names, back.\n"
            )
        setattr(module, name, value)
        given.append(name)
        return value

    given = []
    __getattr__.before = own
    module.__getattr__ = __getattr__
    _lent.append((module, __getattr__, given))


_lent = []  # (module, the function that it was given, the names that it has by it)
_array_before = []  # NumPy's own `array`
_printed_before = []  # NumPy's style of printing before ours


def give_back() -> None:
    """Restore removed names such as `np.int`, `np.product`, `collections.Iterable`, `time.clock`, `Image.ANTIALIAS`, `scipy.sqrt`
    and `numpy.lib.shape_base`.

    Only names that the library at hand does not have are added; the first of each library that is asked for is told on stderr.
    NumPy's numbers print as they did, too: `[1.5]`, not `[np.float32(1.5)]`; and `np.array(x, copy=False)` copies where it has to.

    Example:
        >>> from msjax.alias.old_names import give_back
        >>> give_back()
        >>> import numpy as np
        >>> [np.float32(1.5)]
        [1.5]
        >>> np.find_common_type([np.float32], [np.int64]).name
        'float32'
    """
    import numpy

    lend(numpy, f"NumPy {numpy.__version__}", old_numpy.find)
    if not _printed_before:
        _printed_before.append(numpy.get_printoptions()["legacy"])
        numpy.set_printoptions(legacy=_PRINTED)
    if not _array_before:
        _array_before.append(numpy.array)
        numpy.array = old_numpy.array_of_numpy_1(numpy.array, _tell_of_copies())
    if not any(isinstance(finder, old_modules.OldModules) for finder in sys.meta_path):
        sys.meta_path.append(old_modules.OldModules(lend))
    for module, find in _PYTHON.items():
        lend(module, f"Python {platform.python_version()}", find)
    for name, lend_to in _LATER.items():
        if name in sys.modules:
            lend_to(sys.modules[name])
        elif not any(isinstance(finder, _WhenItComes) and finder.name == name for finder in sys.meta_path):
            sys.meta_path.insert(0, _WhenItComes(name, lend_to))


def take_back() -> None:
    """Undo `give_back`: remove the names again, and print NumPy values as before."""
    while _lent:
        module, function, names = _lent.pop()
        if vars(module).get("__getattr__") is function:
            if function.before is None:
                del module.__getattr__
            else:
                module.__getattr__ = function.before
        for name in names:
            vars(module).pop(name, None)
    while _printed_before:
        import numpy

        numpy.set_printoptions(legacy=_printed_before.pop())
    while _array_before:
        import numpy

        numpy.array = _array_before.pop()
    ours = (old_modules.OldModules, _WhenItComes)
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, ours)]


def _tell_of_copies():
    told = []

    def tell():
        if not told:
            told.append(True)
            sys.stderr.write(
                "msjax: np.array(..., copy=False) refuses in NumPy 2 where a copy is needed (today: np.asarray); this script gets the copy.\n"
            )

    return tell


def _lend_to_pillow(image) -> None:
    def find(name):
        return (getattr(image, _PILLOW[name]), f"PIL.Image.{_PILLOW[name]}") if name in _PILLOW else None

    lend(image, f"Pillow {sys.modules['PIL'].__version__}", find)


def _lend_to_scipy(scipy) -> None:
    """The names of NumPy that SciPy had until 1.12; roots and logarithms are those that give complex numbers for negative ones."""
    import numpy

    homes = ((numpy.emath, "numpy.emath"), (numpy, "numpy"), (numpy.random, "numpy.random"))

    def find(name):
        if name in scipy.__all__:
            return None
        for home, today in homes:
            if home is numpy.random and name not in ("rand", "randn"):
                continue
            value = vars(home).get(name)
            if name in home.__all__ and value is not None and not isinstance(value, type(sys)):
                return value, f"{today}.{name}"
        return None

    lend(scipy, f"SciPy {scipy.__version__}", find)


_LATER = {
    "PIL.Image": _lend_to_pillow,
    "scipy": _lend_to_scipy,
}  # lent names when they are imported, which nobody pays for before


class _WhenItComes:
    """Waits on `sys.meta_path` for the first import of a module."""

    def __init__(self, name: str, lend_to: Callable):
        self.name, self.lend_to = name, lend_to

    def find_spec(self, name, path=None, target=None):
        """The spec of the module, which is lent the names after it has run."""
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module

            def exec_module(module):
                run(module)
                self.lend_to(module)

            spec.loader.exec_module = exec_module
        return spec

"""Modules of NumPy 1 that NumPy 2 renamed or took away, and that editors once put into scripts: `from numpy.lib.shape_base import expand_dims`.

See `old_names`; a module is made when it is first asked for, and only where NumPy itself has none.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.machinery
import os
import pathlib
import pickle
import types
from collections.abc import Sequence
from typing import Any

_LIB = (
    "arraypad arraysetops arrayterator function_base histograms index_tricks nanfunctions npyio polynomial shape_base twodim_base "
    "type_check ufunclike utils"
)
# old path -> where NumPy 2 keeps what was in it; what is not there is looked for in numpy itself
_TODAY = {
    **{f"numpy.lib.{name}": f"numpy.lib._{name}_impl" for name in _LIB.split()},
    "numpy.fft.helper": "numpy.fft._helper",
    "numpy.fft.pocketfft": "numpy.fft._pocketfft",
    "numpy.linalg.linalg": "numpy.linalg._linalg",
    **{f"numpy.core.{name}": f"numpy._core.{name}" for name in ("memmap", "_methods", "_exceptions")},
    "numpy.compat": "",
    "numpy.compat.py3k": "",
}
_COMPAT = {
    "basestring": str, "unicode": str, "bytes": bytes, "long": int, "integer_types": (int,), "pickle": pickle, "Path": pathlib.Path,
    "os_fspath": os.fspath, "os_PathLike": os.PathLike, "contextlib_nullcontext": contextlib.nullcontext,
    "is_pathlib_path": lambda x: isinstance(x, pathlib.Path), "asunicode": lambda x: x.decode("latin1") if isinstance(x, bytes) else str(x),
    "asstr": lambda x: x.decode("latin1") if isinstance(x, bytes) else str(x),
    "asbytes": lambda x: x if isinstance(x, bytes) else str(x).encode("latin1"),
}  # fmt: skip


class OldModules:
    """A finder at the end of `sys.meta_path`, so that a module which NumPy has stays NumPy's."""

    def __init__(self, lend: Any):
        self._lend = lend

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None):
        """The spec of one of the old modules."""
        if name not in _TODAY:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=name == "numpy.compat")

    def create_module(self, spec: Any):
        """A module whose names are looked up on first use."""
        import numpy

        module = types.ModuleType(spec.name)
        self._lend(module, f"NumPy {numpy.__version__}", _found(_TODAY[spec.name]))
        return module

    def exec_module(self, module: types.ModuleType):
        """Nothing to execute."""


def _found(today):
    """The search of `lend`: name -> (value, how it is written today), None for a name that nobody has."""
    homes = ["numpy"]
    with contextlib.suppress(ImportError):
        homes.insert(0, importlib.import_module(today).__name__ if today else "numpy")

    def find(name):
        if not today:
            return (_COMPAT[name], "") if name in _COMPAT else None
        if name.startswith("__"):
            return None
        for home in map(importlib.import_module, homes):
            value = getattr(home, name, None)
            if value is not None:
                return value, f"np.{name}" if home.__name__ == "numpy" else ""
        return None

    return find

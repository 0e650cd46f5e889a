"""msjax: the MindSpore API on JAX. Under `python -m msjax script.py`, `import mindspore` gives this module.

Importing it starts no device. Packages (`nn`, `train`, `dataset`, …) and most names are loaded when they are first asked for.
"""

import importlib
import os

from . import huge_pages as _huge_pages  # first: it may start the process anew
from . import ops  # attaches the operators to Tensor
from . import parallel as _parallel  # adds communication to the operators
from .alias.finder import TOLD as __version__
from .alias.finder import install, uninstall
from .alias.names import MissingNames
from .alias.notebook import load_ipython_extension, unload_ipython_extension
from .core import host as _host
from .core.above import above as _above
from .core.operators.primitive import constexpr
from .core.settings import compile_cache as _compile_cache
from .core.settings import context
from .core.settings.seed import get_seed, set_seed
from .core.trace.compile import jit
from .core.trace.mutable import mutable
from .core.values import dtype
from .core.values.parameter import Parameter, ParameterTuple
from .core.values.tensor import Tensor

_PACKAGES = {
    name: name
    for name in (
        "dataset",
        "experimental",
        "log",
        "mindrecord",
        "mint",
        "multiprocessing",
        "nn",
        "numpy",
        "ops",
        "optim",
        "parallel",
        "scipy",
        "train",
        "utils",
    )
}
_PACKAGES |= {
    "amp": "train.amp",
    "boost": "train.boost",
    "communication": "parallel",
    "graph": "unsupported.graph",
    "profiler": "train.profiler",
    "rewrite": "rewrite",
}
_OWN = (
    "Parameter",
    "ParameterTuple",
    "Tensor",
    "context",
    "dtype",
    "get_seed",
    "install",
    "jit",
    "mutable",
    "constexpr",
    "ops",
    "set_seed",
    "uninstall",
)
# Where the names of `mindspore` itself live, in the order in which they are looked up: each module's `__all__` counts.
_HOMES = (
    "core.values.dtype",
    "core.settings.context",
    "core.trace.compile",
    "core.trace.mutable",
    "inner.compile_options",
    "core.settings.seed",
    "core.operators.random",
    "core.trace.explain",
    "core.trace.lowering",
    "ops.custom.register",
    "core.values.interop",
    "core.settings.device",
    "inner.streams",
    "inner.runtime_options",
    "core.grad.custom_function",
    "core.values.storage",
    "core.values.symbol",
    "ops.gradient.functions",
    "ops.sparse.tensors",
    "log",
    "parallel",
    "parallel.devices",
    "mindrecord",
    "nn",
    "nn.cell.functional",
    "nn.cell.from_jax",
    "nn.cell.recompute",
    "rewrite",
    "train",
    "train.network_summary",
    "generation",
    "utils",
    "planning.step",
)
pytest_plugins = ("msjax.alias.pytest_plugin",)  # what `pytest -p msjax` loads
_NOT_FOR_STAR = {"mindrecord", "nn"}  # MindSpore lists these names in their packages alone

_ALONE = {"reshard": "nn.wrap.parallel"}  # names of modules that do not belong to `mindspore` as a whole
_missing = MissingNames(__name__)


def _strategy_files():
    settings = [
        context.get_auto_parallel_context(f"strategy_ckpt_{what}") for what in ("save_file", "load_file", "config")
    ]
    if any((*settings[:2], settings[2].get("save_file"), settings[2].get("load_file"))):
        importlib.import_module(".train.strategy_files", __package__)


def _differences(name):
    return importlib.import_module(".cli.known_differences", __package__).differences(name)


_above.before_layout = _strategy_files
_above.differences = _differences
if os.environ.get("MSJAX") == "1":  # a process that `python -m msjax` started is msjax's own, too
    _host.own()
if os.environ.get("MSJAX_CACHE_DIR"):  # named by the user; by itself importing keeps no programs
    _compile_cache.start()


def __getattr__(name):
    if name in _PACKAGES and (package := _module(_PACKAGES[name])) is not None:
        if __name__ != __package__:  # the alias holds: its finder knows what it has to add to a package
            importlib.import_module(f"{__name__}.{name}")
        return package
    if name in ("bool", "float", "int"):  # dtypes; kept out of `__all__` so that `import *` leaves Python's own alone
        return getattr(dtype, name)
    if name == "__all__":  # made when asked for: it loads every home
        return [
            *_OWN,
            *(n for home in _HOMES if home not in _NOT_FOR_STAR for n in getattr(_module(home), "__all__", ())),
        ]
    if name in _ALONE:
        return getattr(_module(_ALONE[name]), name)
    if not name.startswith("__"):
        for home in _HOMES:
            module = _module(home)
            if module is not None and name in module.__all__:
                found = globals()[name] = getattr(module, name)
                return found
    return _missing(name)


def _module(name):
    try:
        return importlib.import_module(f".{name}", __package__)  # while the alias holds, `__name__` is "mindspore"
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith(__package__):
            raise
        return None


def __dir__():
    names = {*globals(), *_PACKAGES}
    for home in _HOMES:
        names.update(getattr(_module(home), "__all__", ()))
    return sorted(names)

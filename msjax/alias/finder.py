"""`import mindspore` gives msjax: the finder on `sys.meta_path`, and how it is switched on and off."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import runpy
import sys
import threading
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from msjax.alias import carried, children, companions, old_names, tracebacks
from msjax.alias.names import LOADING, GuardedPackage, MissingNames, View, missing_module
from msjax.alias.paths import HOME, NAME, PATHS

VERSION = "2.10.0"  # the MindSpore release whose API msjax gives
TOLD = (
    os.environ.get("MSJAX_VERSION") or VERSION
)  # what programs are told: some ask for an older one, or cannot read this one

_lock = threading.Lock()


def _guard(path: str) -> None:
    """Keep the import of `path` from hiding a function of the same name in the package above it."""
    parent, _, leaf = path.rpartition(".")
    package = sys.modules.get(parent)
    if type(package) is ModuleType and not isinstance(vars(package).get(leaf, package), ModuleType):
        package.__class__ = GuardedPackage


class _SameModule(Loader):
    """Gives the msjax module itself under a second name."""

    def __init__(self, module: str):
        self.module = module

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        with LOADING:
            module = importlib.import_module(self.module)
        self.spec = module.__spec__
        _guard(spec.name)
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has just put the alias's spec into the module: it must go on naming the real module,
        # for reload, pickle and relative imports.
        module.__spec__ = self.spec
        if self.module == HOME:
            module.__name__ = NAME  # libraries choose their back end by this name
        # Also for those that came with the package: `from mindspore import nn` does not ask the finder again.
        same = {path.modules[0] for path in PATHS.values() if path.same}
        served = same if self.module == HOME else {self.module}
        for name in same & sys.modules.keys():
            vars(sys.modules[name]).setdefault("__getattr__", MissingNames(name))
        for path in _behind_folders(served):
            importlib.import_module(path)  # takes the folder's place in the package


def _behind_folders(packages: set[str]) -> list[str]:
    """Paths of views that an attribute would not reach: `mindspore.nn.layer`, where the package `msjax.nn` has a folder `layer`."""
    found = []
    for path, row in PATHS.items():
        parent, _, leaf = path.rpartition(".")
        above = PATHS.get(parent)
        if above is not None and above.same and not row.same and above.modules[0] in packages & sys.modules.keys():
            if type(vars(sys.modules[above.modules[0]]).get(leaf)) is ModuleType:
                found.append(path)
    return found


class _ViewOf(Loader):
    """Makes the view for a path that several msjax modules serve."""

    def __init__(self, modules: tuple[str, ...]):
        self.modules = modules

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        _guard(spec.name)
        return View(spec.name, self.modules)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run: names are looked up when they are asked for."""


class _Distribution(importlib.metadata.Distribution):
    """The answer of `importlib.metadata` for the distribution `mindspore`."""

    def read_text(self, filename: str) -> str | None:
        if filename == "METADATA":
            return (
                f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {TOLD}\n"
                f"Summary: the MindSpore API on JAX, given by {HOME}\n"
            )
        return None

    def locate_file(self, path) -> Path:
        return Path(importlib.util.find_spec(HOME).origin).parent / path


class Finder(MetaPathFinder):
    """Finds `mindspore` and every path below it, and companions that nobody has installed; nothing else."""

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != NAME and not fullname.startswith(NAME + "."):
            return _companion(fullname) if companions.is_ours(fullname) else None
        row = PATHS.get(fullname)
        # Raise and do not return None: the next finder would look into msjax's own folder and load its modules twice.
        if row is None:
            raise missing_module(fullname)
        if not row.same:
            return ModuleSpec(fullname, _ViewOf(row.modules), is_package=True)
        if not _exists(row.modules[0]):
            raise missing_module(fullname)
        return ModuleSpec(fullname, _SameModule(row.modules[0]), origin=HOME)

    def find_distributions(self, context: Any = importlib.metadata.DistributionFinder.Context()):
        """The hook that importlib.metadata calls: it reports `mindspore` as installed, in the version whose API is
        served.
        """
        if context.name is None or context.name.lower() == NAME:
            yield _Distribution()


FINDER = Finder()


def _companion(fullname: str) -> ModuleSpec:
    served = companions.ROWS.get(fullname)
    if served is None:
        raise ModuleNotFoundError(
            f"No module named '{fullname}': msjax gives parts of this package alone, {sorted(companions.ROWS)}.",
            name=fullname,
        )
    if isinstance(served, str):
        return ModuleSpec(fullname, _SameModule(served), origin=HOME, is_package=fullname in companions.NAMES)
    return ModuleSpec(fullname, _ViewOf(served), is_package=True)


def _exists(module: str) -> bool:
    """Whether there is such a module; looks into the folders and imports nothing, for Python holds the import lock meanwhile."""
    if module in sys.modules:
        return True
    folders = sys.modules[HOME].__path__
    for part in module.split(".")[1:]:
        spec = PathFinder.find_spec(part, folders)
        if spec is None:
            return False
        folders = spec.submodule_search_locations or []
    return True


def is_installed() -> bool:
    """Whether `import mindspore` means msjax at present."""
    return FINDER in sys.meta_path


def install() -> None:
    """Make `import mindspore`, and every module path below it, mean msjax in this process.

    It holds in processes that this one starts, too, by multiprocessing or by `subprocess.run([sys.executable, ...])`. Errors are
    then shown with the user's frames alone (`MSJAX_TRACEBACK=full` shows all). Calling it again does nothing; `uninstall()` undoes it.
    Under `python -m msjax` scripts are given names back, too, that libraries no longer have (`np.float_`, `collections.Iterable`).

    Raises:
        ImportError: MindSpore itself was imported before.

    Example:
        >>> import msjax
        >>> msjax.install()
        >>> import mindspore
        >>> mindspore is msjax
        True
        >>> msjax.uninstall()
    """
    with _lock:
        if is_installed():
            return
        loaded = sys.modules.get(NAME)
        if loaded is not None:
            where = getattr(loaded, "__file__", None) or "an unknown place"
            raise ImportError(
                f"msjax cannot stand in for '{NAME}': it was imported already, from {where}. Run the script with "
                f"`python -m msjax SCRIPT`, or call msjax.install() before anything imports '{NAME}'.",
                name=NAME,
            )
        sys.meta_path[:] = [
            finder for finder in sys.meta_path if type(finder).__name__ != "FirstImport"
        ]  # of `child.py`
        sys.meta_path.insert(0, FINDER)
        import multiprocessing.spawn  # 10 ms that only the alias needs

        if not hasattr(multiprocessing.spawn.get_preparation_data, "__wrapped__"):
            multiprocessing.spawn.get_preparation_data = _with_alias(multiprocessing.spawn.get_preparation_data)
        carried.offer()
        children.inherit()
        if not tracebacks.wants_all():
            tracebacks.install()


class _InstallInChild:
    """Unpickling it in a child process installs the alias there; see `child.py`."""

    def __reduce__(self):
        return runpy.run_path, (str(Path(__file__).with_name("child.py")),)


def _with_alias(get_preparation_data):
    """Let processes that multiprocessing starts anew ("spawn", "forkserver") have the alias before the script runs."""

    @functools.wraps(get_preparation_data)
    def get(name):
        data = get_preparation_data(name)
        return {"msjax": _InstallInChild(), **data} if is_installed() else data

    return get


def uninstall() -> None:
    """Undo `install()`: a later `import mindspore` finds MindSpore itself, if there is one.

    Names that were imported already stay what they are.
    """
    with _lock:
        if not is_installed():
            return
        sys.meta_path.remove(FINDER)
        multiprocessing = sys.modules["multiprocessing.spawn"]
        get = multiprocessing.get_preparation_data
        multiprocessing.get_preparation_data = getattr(get, "__wrapped__", get)
        carried.withdraw()
        old_names.take_back()
        children.leave()
        tracebacks.uninstall()
        sys.modules[HOME].__name__ = HOME
        ours = {NAME, *(name for name in companions.NAMES if companions.is_ours(name))}
        for name in [n for n in sys.modules if n.partition(".")[0] in ours]:
            del sys.modules[name]

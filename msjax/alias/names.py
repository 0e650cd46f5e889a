"""Errors for a name or a module path that does not exist; the message suggests the nearest existing name."""

from __future__ import annotations

import difflib
import importlib
import opcode
import sys
import threading
from collections.abc import Iterable
from types import FrameType, ModuleType

from msjax.alias.paths import ALSO, HOME, NAME, PATHS, STARRED, children

# Where a name may live that was looked for in the wrong package, nearest first.
_PUBLIC = (
    "",
    ".nn",
    ".ops",
    ".mint",
    ".mint.nn",
    ".mint.nn.functional",
    ".train",
    ".dataset",
    ".dataset.vision",
    ".dataset.transforms",
    ".numpy",
    ".parallel",
    ".core.initializer",
)

_DEVICE = "There is no device of its own here: mindspore.set_context(device_target=...) says where everything runs"
# Public module -> {what PyTorch or Keras calls it there: what serves instead}.
_OTHERS_NAMES = {
    f"{NAME}.nn": {
        "Module": "It is 'Cell', whose method is 'construct'", "ModuleList": "It is 'CellList'", "ModuleDict": "It is 'CellDict'",
        "Sequential": "It is 'SequentialCell'", "Parameter": "It is 'mindspore.Parameter'", "Model": "It is 'mindspore.Model'",
        "ParameterList": "It is 'mindspore.ParameterTuple'", "init": "It is 'mindspore.common.initializer'",
        "functional": "Functions are in 'mindspore.ops' and 'mindspore.mint.nn.functional'", "Layer": "It is 'Cell'",
    },
    NAME: {
        "no_grad": "Gradients come from functions: mindspore.value_and_grad(forward, None, params); without it there are none",
        "cuda": _DEVICE, "device": _DEVICE, "manual_seed": "It is 'set_seed'", "from_numpy": "It is 'Tensor.from_numpy'",
        "optim": "Optimizers are in 'mindspore.nn' and 'mindspore.mint.optim'", "utils": "Data is in 'mindspore.dataset'",
        "sigmoid": "It is 'mindspore.ops.sigmoid'", "FloatTensor": "It is Tensor(..., mindspore.float32)",
        "LongTensor": "It is Tensor(..., mindspore.int64)", "save": "It is 'save_checkpoint'", "load_state_dict": "It is 'load_param_into_net'",
        "autograd": "Gradients come from functions: 'mindspore.grad', 'mindspore.value_and_grad'", "compile": "It is 'mindspore.jit'",
    },
}  # fmt: skip

_IMPORT_FROM = opcode.opmap["IMPORT_FROM"]

# Threads that enter one package by different modules may each hold what the other waits for; Python then hands out half-made modules.
LOADING = threading.RLock()


def real_name(module: str):
    """The name under which a module was created: while the alias is installed, `__name__` of msjax is "mindspore"."""
    return module.__spec__.name if module.__spec__ is not None else module.__name__


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that reads most like `name`, whatever its case; None if there is none near."""
    spelled: dict[str, list[str]] = {}
    for candidate in candidates:
        spelled.setdefault(candidate.lower(), []).append(candidate)
    found = difflib.get_close_matches(name.lower(), spelled, n=1, cutoff=0.6)
    if not found:
        return None
    return max(spelled[found[0]], key=lambda candidate: difflib.SequenceMatcher(None, name, candidate).ratio())


def public_name(module: str) -> str:
    """The name under which a user knows an msjax module: `mindspore.dtype` for `msjax.core.values.dtype` under the alias."""
    if NAME not in sys.modules or not module.startswith(HOME):
        return module
    names = [path.name for path in PATHS.values() if path.same and path.modules[0] == module]
    return min(names, key=lambda path: (path.count("."), len(path)), default=NAME + module[len(HOME) :])


def _elsewhere(module: str, name: str) -> str | None:
    for suffix in _PUBLIC:
        other = sys.modules.get(HOME + suffix)
        if other is None or real_name(other) == module or name.startswith("_"):
            continue
        # `dir` of the package itself would load every package, perhaps in the middle of an import
        if name in (vars(other) if real_name(other) == HOME else dir(other)):
            return public_name(real_name(other))
    return None


def missing_name(
    module_name: str, name: str, candidates: Iterable[str], *, hint: str = "", caller: FrameType | None = None
) -> Exception:
    """The error for `name`, which `module_name` does not have.

    Args:
        module_name: `__name__` of the module.
        name: What was asked for.
        candidates: The names that there are.
        hint: What else to say.
        caller: The frame that asked. If it stands in a `from module import name`, the error is an ImportError
            (Python would replace the text of an AttributeError by its own), else an AttributeError.

    Example:
        >>> from msjax.alias.names import missing_name
        >>> raise missing_name("mindspore.nn", "Dens", ["Dense", "Conv2d"])
        Traceback (most recent call last):
        AttributeError: module 'mindspore.nn' has no attribute 'Dens'; the nearest is 'Dense'.
    """
    module = public_name(module_name)
    candidates = [c for c in candidates if not c.startswith("_") or name.startswith("_")]
    text = ""
    if called := _OTHERS_NAMES.get(module, {}).get(name):
        text = f". {called}"
    elif name[:1].isupper() and any(c.lower() == name.lower() for c in candidates):  # a class, not a function
        text = f"; the nearest is '{nearest(name, candidates)}'"
    elif elsewhere := _elsewhere(module_name, name):
        text = f"; '{name}' is in {elsewhere}"
    elif near := nearest(name, candidates):
        text = f"; the nearest is '{near}'"
    text += f". {hint}" if hint else "."
    return _error(module, name, text, caller)


def _error(module: str, name: str, text: str, caller: FrameType | None) -> Exception:
    # The `__getattr__` of a package may have passed the question on: who asked stands above it.
    while caller is not None and caller.f_code.co_name == "__getattr__":
        caller = caller.f_back
    if caller is not None and caller.f_code.co_code[caller.f_lasti] == _IMPORT_FROM:
        return ImportError(f"cannot import name '{name}' from '{module}'{text}", name=module)
    return AttributeError(f"module '{module}' has no attribute '{name}'{text}", name=name)


def _imported(names: Iterable[str]) -> list[ModuleType]:
    """The modules of these names; those that msjax does not have are left out."""
    found = []
    for name in names:
        try:
            with LOADING:
                found.append(importlib.import_module(name))
        except ModuleNotFoundError as error:
            # Anything else that is missing is the user's matter.
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise
    return found


def _refused(module: str, name: str):
    """A stand-in for an inner name of MindSpore that raises when it is used; None for other names."""
    table = importlib.import_module(f"{HOME}.unsupported.inner")
    if (found := table.find(module, name)) is not None:
        return found
    paths = [module]
    # packages have names that users know; but the C++ core is a leaf of MindSpore's, with a few modules in it
    if not hasattr(sys.modules.get(module), "__path__") or module == "mindspore._c_expression":
        paths += [path.name for path in PATHS.values() if path.same and path.modules[0] == module]
    return next((found for path in paths if (found := table.inner(path, name)) is not None), None)


class MissingNames:
    """The `__getattr__` of a package: gives MindSpore's inner modules (`nn.wrap`), else raises `missing_name`.

    A package with a `__getattr__` of its own returns what this gives for the names that it does not know.

    Example:
        >>> from msjax.alias.names import MissingNames
        >>> missing = MissingNames("msjax.nn")  # `__getattr__ = MissingNames(__name__)` in the package's __init__.py
        >>> missing("Dens")
        Traceback (most recent call last):
        AttributeError: module 'mindspore.nn' has no attribute 'Dens'; the nearest is 'Dense'
    """

    def __init__(self, module_name: str, hint: str = ""):
        self.module_name = module_name
        self.hint = hint
        self.children: dict[str, str] | None = None

    def __call__(self, name: str):
        if name.startswith("__"):
            raise AttributeError(f"module '{self.module_name}' has no attribute '{name}'", name=name)
        caller = sys._getframe(1)
        if NAME in sys.modules:
            if self.children is None:
                self.children = children(self.module_name)
            # MindSpore's C++ module can be imported from, but is not an attribute: code tells the real MindSpore by it.
            if name in self.children and name != "_c_expression":
                try:
                    return importlib.import_module(self.children[name])
                except ModuleNotFoundError as error:  # `hasattr` must answer no
                    if error.name != self.children[name]:
                        raise
                    raise _error(public_name(self.module_name), name, f": {error}", caller) from None
        for module in _imported(ALSO.get(self.module_name, ())):
            if name in getattr(module, "__all__", ()):
                return getattr(module, name)
        if (refused := _refused(self.module_name, name)) is not None:
            return refused
        candidates = [*dir(sys.modules[self.module_name]), *(self.children or ())]
        raise missing_name(self.module_name, name, candidates, hint=self.hint, caller=caller)


def missing_module(path: str) -> ModuleNotFoundError:
    """The error for a module path that MindSpore does not have, or that nothing serves."""
    row = PATHS.get(path)
    if row is not None:
        text = f"No module named '{path}': it is served by '{row.modules[0]}', which this msjax does not have."
    else:
        parent, _, leaf = path.rpartition(".")
        siblings = {p.rpartition(".")[2]: p for p in PATHS if p.rpartition(".")[0] == parent}
        anywhere = {p.rpartition(".")[2]: p for p in reversed(PATHS)}  # of two with one name the upper one
        near = siblings.get(nearest(leaf, siblings) or "") or anywhere.get(nearest(leaf, anywhere) or "")
        text = f"No module named '{path}'" + (f"; the nearest is '{near}'." if near else ".")
    return ModuleNotFoundError(text, name=path)


def _nothing(name: str) -> None:
    return None


class View(ModuleType):
    """A module that offers the names of other modules, the first that has a name wins.

    It stands for a MindSpore path whose names msjax keeps in several places.
    """

    def __init__(self, name: str, modules: tuple[str, ...]):
        super().__init__(name, f"The names that MindSpore has in {name}.")
        self.__path__: list[str] = []
        self.__modules__ = modules

    def _served_by(self) -> list[ModuleType]:
        return _imported(self.__modules__)

    def __getattr__(self, name: str):
        if name == "__all__":
            return self._public()
        if name.startswith("__") and name != "__version__":
            raise AttributeError(f"module '{self.__name__}' has no attribute '{name}'", name=name)
        modules = self._served_by()
        path = f"{self.__name__}.{name}"
        for module in modules:
            # A MindSpore module of that name goes before what a module here merely imported.
            if name in vars(module) and (path not in PATHS or name in vars(module).get("__all__", (name,))):
                return vars(module)[name]
        if path in PATHS:
            return importlib.import_module(path)
        for module in modules:
            # made on demand, as operators are
            if "__getattr__" in vars(module) and (name in getattr(module, "__all__", ()) or name in dir(module)):
                return getattr(module, name)
        for module in modules:  # names by a rule, which no list holds
            if (found := vars(module).get("by_rule", _nothing)(name)) is not None:
                return found
        if (refused := _refused(self.__name__, name)) is not None:
            return refused
        own = [n for module in modules if real_name(module) != HOME for n in dir(module)] or dir(modules[-1])
        own += [path.rpartition(".")[2] for path in PATHS if path.startswith(f"{self.__name__}.")]
        raise missing_name(self.__name__, name, own, caller=sys._getframe(1))

    def __setattr__(self, name: str, value) -> None:
        # The import of `mindspore.common.mutable` must not hide the function `mutable` that `mindspore.common` offers.
        if type(value) is View and value.__name__ == f"{self.__name__}.{name}" and name in self._public():
            return
        super().__setattr__(name, value)

    def _public(self) -> list[str]:
        names = dict.fromkeys(STARRED.get(self.__name__, ()))
        for module in self._served_by():
            if real_name(module) != HOME or len(self.__modules__) <= 2:
                listed = getattr(module, "__all__", None)
                names |= dict.fromkeys(listed if listed is not None else (n for n in vars(module) if n[0] != "_"))
        return list(names)

    def __dir__(self):
        return sorted({*super().__dir__(), *self._public()})


class GuardedPackage(ModuleType):
    """An msjax package that has a name which is also a MindSpore module: `parallel.shard` stays the function.

    The import system binds each submodule to its parent after loading; a module that is bound so would hide the name.
    """

    def __setattr__(self, name: str, value) -> None:
        if isinstance(value, ModuleType) and not isinstance(self.__dict__.get(name, value), ModuleType):
            return
        super().__setattr__(name, value)

"""Stubs of `import mindspore` and of every module path below it: each takes its names from the modules of msjax that serve it."""

import ast
import functools
import importlib
import inspect
import sys

import msjax
from msjax.alias.paths import ALSO, HOME, NAME, PATHS
from msjax.core.values.dtype import Type

from .package_stubs import bound_names, description_of, gathered, import_lines, module_of
from .stub_text import MADE

# Names with an underscore that the engine and modules of MindSpore have. All others of the engine stay out of the stubs.
_ALSO_MINDSPORES = frozenset(
    (
        *(
            "_Buffer",
            "_Function",
            "_NullType",
            "_TensorMeta",
            "_assignment",
            "_calculate_in_and_out",
            "_check_3d_int_or_tuple",
        ),
        *("_expand_tuple", "_get_mode", "_get_unique_parameter_key", "_init_random_normal", "_init_random_uniform"),
        *("_init_truncated_normal", "_issubclass_", "_register", "_truncated_normal"),
    )
)


def alias_stubs(own_stubs):
    """{path in the stub package: text}: `import mindspore`, and every module path below it, for type checkers and editors.

    own_stubs: the paths of the stubs of msjax itself.
    """
    msjax.install()
    with_stubs = frozenset(
        module_of(path.removesuffix(".pyi").removesuffix("__init__").strip("/").replace("/", ".")) for path in own_stubs
    )
    rows = {NAME: (HOME,), **{path: row.modules for path, row in PATHS.items()}}
    parents = {path.rpartition(".")[0] for path in rows}
    made = {}
    for path, modules in rows.items():
        parts = path.split(".")[1:]
        file = "/".join([*parts, "__init__.pyi"]) if path in parents or not parts else "/".join(parts) + ".pyi"
        below = sorted(p.rpartition(".")[2] for p in rows if p.rpartition(".")[0] == path)
        also = [more for module in modules for more in ALSO.get(module, ())]
        lines = [f"from {module} import *" for module in (*modules, *also)]
        named = _named(modules, with_stubs)
        # a function may have the name of the module that it is in: `mindspore.nn.optim.thor` is the function
        own = {name: f"from . import {name} as {name}" for name in below if not _is_function(path, name)}
        runtime = importlib.import_module(path)
        untold = [n for n in ("bool", "float", "int") if isinstance(getattr(runtime, n, None), Type)]
        untold += [name for module in modules for name in _unseen(module, with_stubs)]
        last = [*own.values(), *(f"{name}: Any" for name in untold)]
        if path == NAME:
            last.append(f"from {HOME} import __version__ as __version__")
        elif not PATHS[path].same or any(hasattr(sys.modules.get(module), "by_rule") for module in modules):
            # inner modules have names that no list holds; in public ones a wrong name is told
            last.append("def __getattr__(name: str) -> Any: ...")
        if any("Any" in line for line in last):
            last.insert(0, "from typing import Any")
        # mypy takes the first of two declarations, pyright the last: what wins stands at both ends
        stars = lines if len(lines) == 1 else [*lines, *reversed(lines)]
        made[file] = "\n".join([MADE, *own.values(), *named, *stars, *named, *last]) + "\n"
    return made


def _is_function(path, name):
    value = getattr(importlib.import_module(path), name, None)
    return callable(value) and not inspect.ismodule(value)


@functools.cache
def _unseen(module, with_stubs):
    """The public names of a module without a stub that no line of its source binds."""
    if module in with_stubs:
        return []
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:  # an object that stands for a module
        return []
    bound = bound_names(found)
    return [
        n for n in dir(found) if n[0] != "_" and n.isidentifier() and n not in bound and _is_made(getattr(found, n))
    ]


def _is_made(value):
    """Whether no module holds a function under the name that it says it has."""
    home = sys.modules.get(getattr(value, "__module__", None) or "")
    return inspect.isroutine(value) and getattr(home, value.__name__, None) is not value


def _named(modules, with_stubs):
    """Import lines for names that `import *` does not give as programs use them: with an underscore, outside a module's `__all__`, or
    described in the stub of a package. A checker takes two descriptions of a class for two classes.

    modules: those that serve a path, the first that has a name wins.
    """
    lines, above = [], set()
    for module in modules:
        of_names = _lines_by_name(module, with_stubs)
        own = [line for name in sorted(of_names.keys() - above) for line in of_names[name]]
        lines, above = own + lines, above | of_names.keys()
    return lines


@functools.cache
def _is_literal(module):
    """Whether the source of a module writes its `__all__` out."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):  # made while the package runs
        return True
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return isinstance(node.value, ast.List) and all(isinstance(item, ast.Constant) for item in node.value.elts)
    return True


@functools.cache
def _lines_by_name(module, with_stubs):
    """{name of a module: import lines}"""
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError:  # an object that stands for a module
        return {}
    listed = getattr(found, "__all__", None)
    late = {n for n in bound_names(found) if hasattr(found, n)}  # declared, and made by the module's `__getattr__`
    names = sorted(n for n in {*dir(found), *late} if n[:2] != "__" and n.isidentifier())
    return {name: _name_lines(module, getattr(found, name), name, listed, with_stubs) for name in names}


def _name_lines(module, value, name, listed, with_stubs):
    """The import lines for one name of a module, none if `import *` gives it."""
    home, own = str(getattr(value, "__module__", None)), getattr(value, "__name__", "")
    starred = name[0] != "_" and (listed is None or name in listed)
    late = name not in vars(sys.modules[module])
    inside = (
        name[0] == "_" or module != HOME and (late or f"{home}.".startswith(f"{module}."))
    )  # not what the module itself imports
    if starred and {home, module} & with_stubs or not starred and not inside:
        return []
    if listed is not None and starred and not _is_literal(module):  # mypy reads no list that is computed
        return import_lines(module, name, name)
    place = description_of(value, gathered()[2])
    if place is not None:
        return import_lines(*place, name)
    engines = name[0] == "_" and name == own and home.startswith("msjax.core.")
    if starred or engines and name not in _ALSO_MINDSPORES:
        return []
    if home.startswith("msjax.") and getattr(sys.modules.get(home), own, None) is value:
        return import_lines(home, own, name)
    # a table, say: its module is known by its source alone
    bound = module not in with_stubs and not inspect.ismodule(value) and name in bound_names(sys.modules[module])
    return import_lines(module, name, name) if bound else []

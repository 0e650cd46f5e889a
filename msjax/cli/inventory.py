"""The public names of MindSpore, and whether msjax serves each of them.

`api_names.json.gz` holds every public name of MindSpore 2.10 with its parameters, and the other names (most of 1.x)
that two or more public projects use.
"""

import ast
import enum
import functools
import gzip
import importlib
import importlib.resources
import inspect
import json
import textwrap
from typing import Any

from msjax.core.keywords import documented, renamed

from .deviations import PARTIAL


@functools.cache
def inventory():
    """{"version", "modules": {module: {name: [alias of, parameters, members]}}, "old": {name: projects}}"""
    packed = importlib.resources.files(__package__).joinpath("api_names.json.gz").read_bytes()
    return json.loads(gzip.decompress(packed))


@functools.cache
def _meanings(path):
    """All objects that a dotted path can mean: an attribute, a module of that path, or both
    (`mindspore.common.tensor`).
    """
    head, _, tail = path.rpartition(".")
    found = []
    for owner in _meanings(head) if head else ():
        if inspect.ismodule(owner) or inspect.isclass(owner):
            value = getattr(owner, tail, _NOTHING)
            if value is not _NOTHING:
                found.append(value)
    if not head or any(inspect.ismodule(owner) for owner in _meanings(head)):
        try:
            module = importlib.import_module(path)
        except ImportError:
            return found
        if not any(module is value for value in found):
            found.append(module)
    return found


_NOTHING = object()


@functools.cache
def resolve(path: str):
    """(object, parts of the path that name it) as far as the path goes through modules and classes; None if a part is
    missing.

    `import mindspore` must mean msjax when this is called.
    """
    parts = path.split(".")
    for i in range(1, len(parts) + 1):
        found = _meanings(".".join(parts[:i]))
        if not found:
            return None
        if i < len(parts) and not any(inspect.ismodule(value) or inspect.isclass(value) for value in found):
            return found[0], i  # an attribute of an instance or a function: not ours to judge
    return found[0], len(parts)


def parameters(found: Any):
    """Names of the parameters that a callable takes by its documentation; None if that can not be told or it takes any."""
    if isinstance(found, enum.EnumMeta):  # what an enumeration takes is Python's and differs between its versions
        return None
    try:
        given = documented(found)
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_KEYWORD for p in given) and not hasattr(found, "_record"):
        return None
    return [p.name for p in given]


def takes(found: Any, keyword: str):
    """Whether a callable takes a keyword, of MindSpore 1.x, too."""
    names = parameters(found)
    if names is None or keyword in inspect.signature(found).parameters:
        return True
    return isinstance(found, type) and keyword in renamed(found.__init__)  # a class's signature does not tell them


def refusal(found: Any):
    """The reason, in one sentence, of a name that only raises; "" for a name that works.

    A function refuses if it ends in a `raise` (or a call of a refusing helper) and returns nothing; a class if making one does.
    """
    row = getattr(found, "_row", None)
    if row is not None and hasattr(row, "why"):
        return f"it {row.why}; instead: {row.use}"
    made = found.__dict__.get("__init__") if isinstance(found, type) else getattr(found, "__func__", found)
    if not inspect.isfunction(made) or not (made.__module__ or "").startswith("msjax."):
        return ""  # a table (of initializers, of modes) refuses nothing
    return (
        inspect.cleandoc(made.__doc__ or found.__doc__ or "it is refused").partition("\n")[0] if _refuses(made) else ""
    )


@functools.cache
def _refuses(made):
    """Whether a function only refuses."""
    try:
        (tree,) = ast.parse(textwrap.dedent(inspect.getsource(made))).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return False
    last = tree.body[-1] if isinstance(tree, ast.FunctionDef) else None
    called = getattr(getattr(last, "value", None), "func", None)
    refuses = isinstance(last, ast.Raise) or "refuse" in getattr(called, "id", "")
    if not refuses or any(isinstance(n, (ast.Return, ast.Yield)) for n in ast.walk(tree)):
        return False
    # what a class of the user's overrides refuses nothing
    return made.__name__ not in ("construct", "__call__", "bprop") and "subclass" not in (made.__doc__ or "")


def status(path: str, wanted: str = ""):
    """("supported" | "partial" | "missing", reason): `wanted` are the parameter names of MindSpore."""
    found = resolve(path)
    if found is None:
        return "missing", ""
    reason = PARTIAL.get(path.removeprefix("mindspore."))
    if reason:
        return "partial", reason
    names = parameters(found[0]) if wanted and callable(found[0]) else None
    lacking = [w for w in wanted.split() if names is not None and w not in names]
    return ("partial", "without " + ", ".join(lacking)) if lacking else ("supported", "")

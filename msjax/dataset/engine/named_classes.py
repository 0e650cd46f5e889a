"""The closed table of classes that a serialized pipeline may name, made from the public names of this package.

A file gives two strings, a module and a class. They are only ever a key of this table: nothing is imported by a name that a file
gives, and no attribute is looked up by one.
"""

import enum
import functools
import importlib

import numpy as np

from ..check import check
from ..operation import Operation
from .node import Dataset, find_node
from .samplers import BuiltinSampler

__all__ = ["named_class", "named_node", "plain_dtype", "refuse"]

# the part of the package behind "msjax.dataset." -> the modules whose public classes may be named
_FACES = {
    "audio": ("audio",),
    "engine": ("engine.samplers", "engine.source"),
    "sources": ("sources.graph", "sources.mindrecord", "sources.schema"),
    "text": ("text",),
    "transforms": ("transforms", "transforms.c_transforms", "transforms.py_transforms"),
    "vision": ("vision", "vision.c_transforms", "vision.py_transforms"),
}
_REACHING = {  # nodes that do more than read the files they are given
    "ArgoverseDataset": "writes what it has read beside the data",
    "InMemoryGraphDataset": "writes what it has read beside the data",
    "OBSMindDataset": "connects to a server that the file would name",
}


def refuse(what: str):
    """Raise the error for a serialized pipeline that cannot be read.

    Raises:
        RuntimeError: always.
    """
    raise RuntimeError(f"Invalid json content, try to serialize dataset again: {what}.")


@functools.cache
def _table(family):
    found = {}
    for name in _FACES[family]:
        for value in vars(importlib.import_module(f"{__package__.rpartition('.')[0]}.{name}")).values():
            if _may_be_named(value):
                found[value.__module__, value.__qualname__] = value
    return found


def _may_be_named(value):
    return (
        isinstance(value, type)
        and value.__module__.startswith("msjax.dataset.")
        and (issubclass(value, (Operation, BuiltinSampler, enum.Enum)) or value.__name__ == "Schema")
    )


def named_class(module: str, name: str, kind: type | tuple[type, ...]):
    """The class of the table that a file names.

    Args:
        module (str): its module, as `serialize` writes it.
        name (str): its name.
        kind (Union[type, tuple[type]]): what it has to be: Operation, BuiltinSampler, enum.Enum, or object.

    Raises:
        RuntimeError: the table has no such class.
    """
    parts = module.split(".") if isinstance(module, str) else []
    found = None
    if parts[:2] == ["msjax", "dataset"] and len(parts) > 2 and parts[2] in _FACES and isinstance(name, str):
        found = _table(parts[2]).get((module, name))
    if found is None or not issubclass(found, kind):
        refuse(f"{module}.{name} is not one of the classes that a pipeline may name")
    return found


def named_node(name: str):
    """The class of the node that a file names.

    Raises:
        RuntimeError: there is none of this package, or it does more than read.
    """
    try:
        found = find_node(name)
    except (KeyError, TypeError):
        found = None
    own = isinstance(found, type) and issubclass(found, Dataset) and found.__module__.startswith("msjax.dataset.")
    if not own:
        refuse(f"{name!r} is not one of the datasets that a pipeline may name")
    check(name not in _REACHING, f"For 'deserialize', {name} {_REACHING.get(name)}: build it in Python.", RuntimeError)
    return found


def plain_dtype(text: str):
    """The dtype that a file names: of numbers or texts, without fields, sub-arrays and objects.

    Raises:
        RuntimeError: it is another one.
    """
    try:
        found = np.dtype(text) if isinstance(text, str) and len(text) < 32 else None
    except (TypeError, ValueError):
        found = None
    if found is None or found.kind not in "biufcSU" or found.subdtype is not None:
        refuse(f"{str(text)[:32]!r} is not a dtype of arrays")
    return found

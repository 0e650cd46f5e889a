"""Modules that offer the operators under another spelling: `mindspore.mint`, `mindspore.numpy` and their submodules.

Such a module holds no operators, only names: `__getattr__`, `__dir__ = spelled(__name__, table, "nn.functional.")`.
"""

import sys
from collections.abc import Callable, Mapping, Sequence

from . import faces


def spelled(
    module_name: str, table: Mapping, prefix: str = "", missing: Callable | None = None, same_as: Sequence = ()
):
    """(`__getattr__`, `__dir__`) of a module whose functions are the faces of one table.

    Args:
        module_name: `__name__` of the module; its own public names come first.
        table: `record.mint_functions` or `record.numpy_functions`.
        prefix: what stands before the module's names in the table: "linalg.".
        missing: called with a name that the module does not have (raises).
        same_as: names that the module takes from the table without the prefix.

    Example:
        >>> from msjax.core.operators.namespaces import spelled
        >>> from msjax.core.operators.record import mint_functions
        >>> get, names = spelled(mint.__name__, mint_functions)
        >>> "add" in names()
        True
    """
    public = "mindspore" + module_name[module_name.index(".") :]

    def key(name):
        if prefix + name in table and "." not in name:
            return prefix + name
        return name if name in same_as and name in table else None

    def listed():
        own = sys.modules[module_name].__dict__
        names = {n for n in own if not n.startswith("_")}
        names.update(k[len(prefix) :] for k in table if k.startswith(prefix) and "." not in k[len(prefix) :])
        names.update(n for n in same_as if n in table)
        return names

    def __getattr__(name):  # the search for who asked goes by that name
        if name == "__all__":
            return sorted(n for n in listed() if not n.startswith("_"))
        full = key(name)
        if full is None:
            if missing is not None:
                return missing(name)
            raise AttributeError(f"module '{public}' has no attribute '{name}'", name=name)
        made = faces.function(table, full, public)
        setattr(sys.modules[module_name], name, made)
        return made

    def __dir__():
        return sorted({*sys.modules[module_name].__dict__, *listed()})

    return __getattr__, __dir__


__all__ = []

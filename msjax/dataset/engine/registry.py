"""The classes of nodes by name, and services that Dataset methods need: so that these can be used without importing their files."""

from typing import Any

_NODES = {}


def register_node(cls: type):
    """Makes the class of a node known under its name; the first of a name stays."""
    _NODES.setdefault(cls.__name__, cls)


def find_node(name: str):
    """The class of the node called `name`."""
    return _NODES[name]


def register_service(name: str, service: Any):
    """Makes `service` known to Dataset methods that need a part which is itself built on Dataset (serializing)."""
    _NODES[name] = service

"""From nodes back to source, and from source to a network."""

import ast
import copy
import itertools
import linecache
import os
from typing import TYPE_CHECKING

from .. import nn
from .parse import Names

if TYPE_CHECKING:
    from .symbol_tree import SymbolTree

__all__ = ["Generator"]

_FOLDER = "rewritten_network"
_numbers = itertools.count()  # each network has a file of its own: its source is read again when it is compiled
_INIT = """\
    def __init__(self, obj):
        nn.Cell.__init__(self)
        for key, value in obj.__dict__.items():
            self.__dict__[key] = value
"""


class Generator:
    """Writes the classes and functions that a SymbolTree stands for.

    Args:
        tree: the SymbolTree.
    """

    def __init__(self, tree: "SymbolTree"):
        self.tree = tree
        self.pieces = []  # (source, globals, name): what is defined, what is used comes first
        self.classes, self._names = {}, Names()  # id of a SymbolTree -> name of its class
        self._class(tree)

    def code(self):
        """All source in one text."""
        origins = dict.fromkeys((type(tree.network).__module__, type(tree.network).__name__) for tree in self._trees())
        head = ["import mindspore", "from mindspore import nn"]
        head += [f"from {module} import {name}" for module, name in origins if module != "__main__"]
        return "\n".join([*head, "", "", "\n\n".join(source for source, *_ in self.pieces)])

    def save(self, file_name: str | None = None):
        """Write the source; returns the path."""
        path = file_name or os.path.join(_FOLDER, f"{self.classes[id(self.tree)]}_{os.getpid()}_{next(_numbers)}.py")
        if os.path.dirname(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.code())
        linecache.checkcache(path)
        return os.path.abspath(path)

    def network(self, file_name: str | None = None):
        """Run the source, and make the network of its class."""
        path, text = self.save(file_name), self.code()
        made = {}
        for source, scope, name in self.pieces:
            start = text[: text.index(source)].count("\n")
            names = {**scope, **made, "__name__": "rewritten_network"}
            exec(compile("\n" * start + source, path, "exec"), names)
            made[name] = names[name]
        new = {}
        for tree in self._trees():
            new[id(tree.network)] = _instance(made[self.classes[id(tree)]], tree.network)
        for cell in [*new.values(), *self.tree.network.cells()]:
            _exchange(cell, new, set())
        changed = new[id(self.tree.network)]
        changed.update_parameters_name()  # of inserted Cells, below networks and in containers: by their paths, as in MindSpore
        return changed

    def _trees(self):
        """The SymbolTrees of all networks, each once."""
        found = {id(self.tree): self.tree}
        for node in self.tree.body.walk():
            if node.tree is not None:
                found.setdefault(id(node.tree), node.tree)
        return list(found.values())

    def _class(self, tree):
        """The class of a SymbolTree, after those that it uses."""
        if id(tree) in self.classes:
            return
        origin = type(tree.network)
        self.classes[id(tree)] = name = self._names.unique(f"{origin.__name__}Opt")
        scope = {**tree.scope, "nn": nn, origin.__name__: origin}
        methods = self._functions(tree.body, scope)
        construct = _definition("construct", tree.body.definition, tree.body, 4)
        base = "nn.Cell" if origin is nn.Cell else f"{origin.__name__}, nn.Cell"
        self.pieces.append(("\n".join([f"class {name}({base}):", _INIT, *methods, construct]), scope, name))

    def _functions(self, block, scope):
        """Define the classes and the changed functions that a block uses; returns the source of methods."""
        methods = []
        for node in block.nodes:
            if node.tree is not None:
                self._class(node.tree)
            for inner in node.blocks:
                if inner.function is None:
                    methods += self._functions(inner, scope)
                    continue
                method = inner.is_method()
                own = scope if method else {**inner.function.__globals__}
                methods += self._functions(inner, own)
                if inner.is_changed():
                    node.function = f"self.{node.name}" if method else node.name
                    source = _definition(node.name, inner.definition, inner, 4 if method else 0)
                    if method:
                        methods.append(source)
                    else:
                        self.pieces.append((source, own, node.name))
        scope.update(block.root.globals)
        return methods


def _definition(name, definition, block, indent):
    """The source of a function with the statements of a block."""
    head = copy.copy(definition)
    head.name, head.body = name, [ast.Pass()]
    lines = [line for node in block.nodes for line in node.lines(indent + 4)]
    body = lines or [" " * (indent + 4) + "pass"]
    return "\n".join([" " * indent + ast.unparse(head).rsplit("\n", 1)[0], *body]) + "\n"


def _instance(cls, network):
    """An object of a generated class with all that a network has."""
    new = cls(network)
    new.__dict__.update(_compiled=None, _gradient_functions=[])  # the programs of the old source
    new.__dict__["_cells"] = network._cells.copy()
    new._note_change()
    return new


def _exchange(cell, new, seen):
    """Put the new networks in the place of the old ones among the Cells of a Cell."""
    if id(cell) in seen:
        return
    seen.add(id(cell))
    for name, child in list(cell._cells.items()):
        if child is not None and id(child) in new and new[id(child)] is not cell:
            cell._cells[name] = new[id(child)]
            cell._note_change()
        if isinstance(child, nn.Cell):
            _exchange(cell._cells[name], new, seen)

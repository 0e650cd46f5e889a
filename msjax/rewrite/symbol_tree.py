"""SymbolTree: the source of a network as a list of nodes that can be inserted, erased and replaced."""

import sys
import types
from collections import namedtuple
from collections.abc import Callable
from typing import Annotated, Any

from ..core.operators.check import check_value_type
from ..core.spec.checking import checked
from ..core.spec.rules import That
from ..nn import Cell
from ..nn.container import _name_place
from . import settings as symbol_tree_builder  # noqa: F401  MindSpore has it as a module below this one
from .generate import Generator
from .node import Node
from .parse import Names, Parser, function_source
from .values import NodeType, as_target

__all__ = ["Position", "SymbolTree"]

Position = namedtuple("Position", "node before")
Position.__doc__ = """Where to insert: from `SymbolTree.before` and `SymbolTree.after`."""

_PACKAGE = __name__.partition(".")[0]


class SymbolTree:
    """The statements of a network's `construct`, with their reads, writes and calls.

    Statements can be inserted, erased and replaced; `get_network` gives a network that runs the changed source with the Cells and
    Parameters of the old one. Calls within calls are taken apart (`relu(fc1(x))` becomes two nodes); networks of the user, their methods
    and functions, `SequentialCell` and the bodies of `if`, `for` and `while` are read, too.

    Made by `SymbolTree.create`.

    Example:
        >>> from mindspore.rewrite import SymbolTree
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.fc, self.relu = nn.Dense(3, 4), nn.ReLU()
        ...
        ...     def construct(self, x):
        ...         return self.relu(self.fc(x))
        >>> tree = SymbolTree.create(Net())
        >>> tree.erase("relu")
        <Node relu: relu_var = self.relu(fc_var)>
        >>> net = tree.get_network()
    """

    def __new__(cls, handler: Any):
        check_value_type("handler", handler, [SymbolTree], "SymbolTree")
        return handler

    @classmethod
    @checked
    def create(cls, network: Cell):
        """Read a network.

        Raises:
            TypeError: `network` is not a Cell. RuntimeError: its `construct` has no source, or has decorators.
        """
        tree = cls._read(network, {})
        if tree is None:
            raise RuntimeError(
                f"For 'SymbolTree', the source of '{type(network).__name__}.construct' can not be read: it must be defined with "
                "'def' in a file, without decorators."
            )
        return tree

    @classmethod
    def _read(cls, network, known):
        if id(network) in known:
            return known[id(network)]
        construct = type(network).construct
        owner = next(c for c in type(network).__mro__ if "construct" in vars(c))
        definition = function_source(construct, owner)
        if definition is None:
            return None
        tree = known[id(network)] = object.__new__(cls)
        tree.network, tree._known = network, known
        tree.names, tree.variables = Names(), Names()
        tree.file_name, tree.scope, tree._reading = None, construct.__globals__, []
        tree.body = Parser(tree, construct, definition).block()
        return tree

    def subtree(self, network: Cell):
        """The SymbolTree of a network that this one calls; None where it has no source."""
        return self._read(network, self._known)

    def body_of(self, function: Callable):
        """[Block] of a method of the network or of a function of the user; [] for all others."""
        method = isinstance(function, types.MethodType) and function.__self__ is self.network
        plain = function.__func__ if method else function
        if not isinstance(plain, types.FunctionType) or plain in self._reading or not _of_user(plain):
            return []
        owner = next((c for c in type(self.network).__mro__ if plain.__name__ in vars(c)), None) if method else None
        definition = function_source(plain, owner)
        if definition is None:
            return []
        self._reading.append(plain)
        block = Parser(self, plain, definition).block(function)
        self._reading.pop()
        return [block]

    # --- looking
    def get_handler(self):
        """The SymbolTree itself."""
        return self

    def get_origin_network(self):
        """The network that was read."""
        return self.network

    @checked
    def nodes(self, all_nodes: bool = False):
        """Iterate over the nodes of `construct`; with `all_nodes` also those within functions, branches and sub-networks."""
        yield from list(self.body.walk()) if all_nodes else list(self.body.nodes)

    @checked
    def all_nodes(self, subtree_nodes: bool = True):
        """list of all nodes, with or without those of sub-networks."""
        return list(self.body.walk(subtree_nodes))

    @checked
    def get_node(self, node_name: str):
        """The node of that name, or None."""
        return next((node for node in self.all_nodes(False) if node.name == node_name), None)

    def get_inputs(self):
        """The nodes of the arguments of `construct`."""
        return [node for node in self.body.nodes if node.kind is NodeType.Input]

    @checked
    def unique_name(self, name: str = "output"):
        """A name for a variable that nothing else in `construct` has: `name`, or `name_1`, `name_2`, ..."""
        return self.variables.unique(name)

    # --- changing
    def _own(self, node):
        """The node (given itself or by name) of this tree."""
        check_value_type("node", node, [Node, str], "SymbolTree")
        found = self.get_node(node) if isinstance(node, str) else node
        if found is None or found.block is None or found.block.tree is not self:
            name = node if isinstance(node, str) else node.name
            raise RuntimeError(f"Node is not belong to current SymbolTree: {name}.")
        return found

    def before(self, node: Node):
        """The Position before a node (given itself or by name)."""
        return Position(self._own(node), True)

    def after(self, node: Node):
        """The Position after a node (given itself or by name)."""
        return Position(self._own(node), False)

    @checked
    def insert(
        self,
        position: Position,
        node: Annotated[
            Node, That("that stands in no SymbolTree: erase it there first", lambda node: node.block is None)
        ],
    ):
        """Insert a node.

        Args:
            position: from `before` or `after`.
            node: from `Node.create_call_cell` or `Node.create_call_function`.

        Returns: the node.

        Raises:
            TypeError: wrong types. ValueError: the position is one of another SymbolTree, or the node stands in one already.
        """
        block = position.node.block
        if block is None or block.tree is not self:
            raise ValueError("For 'insert', the 'position' does not belong to the current SymbolTree.")
        index = block.nodes.index(position.node) + (not position.before)
        while index < len(block.nodes) and block.nodes[index].name.startswith("else_node"):
            index += 1  # an `else` stays with its `if`
        self._adopt(node, block)
        block.add(node, index)
        self._rebuild(block)
        return node

    def _adopt(self, node, block):
        """Give a new node its name, and the network the Cell that it calls."""
        if block.container is not None and not isinstance(node.instance, Cell):
            raise TypeError(
                f"A {type(block.container).__name__} holds Cells only: the node {node.name} cannot stand in it, since it calls "
                f"{'a function' if node.instance is None else f'the Primitive {type(node.instance).__name__}'}. Put it into a Cell."
            )
        wanted = node.name
        node.name = self.names.unique(wanted)
        while node.kind is not NodeType.CallFunction and hasattr(self.network, node.name):
            node.name = self.names.unique(wanted)
        for target in node.targets:
            self.variables.use(target.value)
        if node.kind is NodeType.CallFunction:
            node.function = block.name_for(node.name, node.instance)
        elif node.instance is not None and block.container is None:
            setattr(self.network, node.name, node.instance)
            if not block.is_method():
                node.function = block.name_for(node.name, node.instance)
        elif block.container is not None:
            node.instance.update_parameters_name(f"{_name_place(block.container._cells)[1]}{node.name}.")
        if node.kind is NodeType.Tree:
            node.tree = self.subtree(node.instance)

    def erase(self, node: Node):
        """Remove a node (given itself or by name) and return it. Other nodes must write its results.

        Raises:
            TypeError: wrong type. RuntimeError: it is not in this SymbolTree.
        """
        node = self._own(node)
        block, node.block = node.block, None
        block.nodes.remove(node)
        self._rebuild(block)
        return node

    @checked
    def replace(self, old_node: Node, new_nodes: list[Node] | tuple[Node, ...]):
        """Put nodes in the place of a node; returns the last of them.

        Raises:
            TypeError: wrong types. RuntimeError: `old_node` is not in this SymbolTree.
        """
        for node in new_nodes:
            check_value_type("new_nodes", node, [Node], "SymbolTree")
        last = old_node
        for node in new_nodes:
            last = self.insert(self.after(last), node)
        self.erase(old_node)
        return last

    def _rebuild(self, block):
        """A block was changed: so is the container whose Cells it lists."""
        block.changed = True
        if block.container is not None:
            cells = block.container._cells
            cells.clear()
            cells.update((str(i), node.instance) for i, node in enumerate(block.nodes))
            block.container._note_change()

    @checked
    def set_output(self, index: int, return_value: str):
        """Return another variable.

        Args:
            index: which of the returned values.
            return_value: name of the variable.

        Returns: the node of `return`.
        """
        output = next(node for node in reversed(self.body.nodes) if node.kind is NodeType.Output)
        provider = output.get_arg_providers().get(0)
        values = provider[0] if provider is not None and provider[0].name.startswith("tuple") else output
        values.set_arg(index, as_target(return_value))
        return output

    @checked
    def flatten_nodes(
        self,
        node: Annotated[Node, That("of control flow", lambda node: node.kind is NodeType.ControlFlow)],
        erase_nodes_after_return: bool = False,
    ):
        """Put the statements within control flow in its place, for a branch that is always taken.

        Args:
            node: a node of control flow.
            erase_nodes_after_return: erase what follows a `return` among them.
        """
        node = self._own(node)
        block, inner = node.block, node.blocks[0].nodes
        index = block.nodes.index(node)
        returned = next((i for i, n in enumerate(inner) if n.kind is NodeType.Output), None)
        block.nodes[index : index + 1] = inner
        for moved in inner:
            moved.block = block
        if returned is not None and erase_nodes_after_return:
            del block.nodes[index + returned + 1 :]
        self._rebuild(block)

    def flatten_static_if_control_flow(self):
        """Decide each `if` whose condition is known before the network runs (`if self.training_head:`) and keep the branch taken."""
        for node in self.all_nodes(False):
            if node.block is not None and node in node.block.nodes and node.name.startswith("if_node"):
                self._decide(node)

    def _decide(self, node):
        try:
            taken = bool(self._static(node, node.args[0]))
        except _NotStatic:
            return
        block = node.block
        other = block.nodes[block.nodes.index(node) + 1 :][:1]
        other = other[0] if other and other[0].name.startswith("else_node") else None
        for branch, keep in ((node, taken), (other, not taken)):
            if branch is not None and keep:
                self.flatten_nodes(branch, erase_nodes_after_return=True)
            elif branch is not None and branch in block.nodes:
                block.nodes.remove(branch)
        self._rebuild(block)

    def _static(self, node, value):
        """A value as it is before the network runs."""
        provider = node.block.provider(node, value)
        if provider is None:
            if value.scope.partition(".")[0] != "self" and not value.source()[:1].isdigit():
                if value.source() not in ("True", "False", "None"):
                    raise _NotStatic
            return eval(value.source(), {"self": self.network})
        node = provider[0]
        if node.kind is not NodeType.MathOps and not node.name.endswith("_assign"):
            raise _NotStatic
        values = {f"_{i}": self._static(node, arg) for i, arg in enumerate(node.args)}
        return eval(node.render(list(values), {}), values)

    # --- results
    def get_code(self):
        """The source of the network as it stands now."""
        return Generator(self).code()

    def get_network(self):
        """A network of the source as it stands now, with the Cells and Parameters of the old one, which should not be used any more.

        Its source is written to the folder `rewritten_network`, so that messages and debuggers show it.
        """
        return Generator(self).network(self.file_name)

    @checked
    def set_saved_file_name(self, file_name: str):
        """The file that `get_network` and `save_network_to_file` write; ".py" is added where it is missing."""
        self.file_name = file_name if file_name.endswith(".py") else file_name + ".py"

    def get_saved_file_name(self):
        """The value of `set_saved_file_name`, or None."""
        return self.file_name

    def save_network_to_file(self):
        """Write the source of the network as it stands now."""
        Generator(self).save(self.file_name)

    @checked
    def print_node_tabulate(self, all_nodes: bool = False):
        """Print a table of the nodes: kind, name, source, which node gives each argument, which nodes read each target."""
        rows = [("node type", "name", "codes", "arg providers", "target users")]
        for node in self.nodes(all_nodes):
            providers = {i: (other.name, k) for i, (other, k) in node.get_arg_providers().items()}
            users = {i: [(other.name, k) for other, k in found] for i, found in node.get_target_users().items()}
            rows.append((str(node.kind), node.name, node.source(), str(providers), str(users)))
        widths = [max(len(line) for row in rows for line in row[i].split("\n")) for i in range(len(rows[0]))]
        rows.insert(1, tuple("-" * width for width in widths))
        for row in rows:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())

    def dump(self):
        """Print the source of `construct`, each statement with the name of its node."""
        for node in self.nodes(True):
            print(f"{node.name}: {node.source()}")


class _NotStatic(Exception):
    """A value is only known when the network runs."""


def _of_user(function):
    """Whether a function is one of the user, not of this package, of Python or of an installed library."""
    root = function.__module__.partition(".")[0] if function.__module__ else ""
    installed = "site-packages" in function.__code__.co_filename
    return root not in (_PACKAGE, "mindspore") and root not in sys.stdlib_module_names and not installed

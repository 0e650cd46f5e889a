"""Node: one statement of a network's source, with its reads, writes and call."""

import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.operators.check import check_value_type
from ..core.operators.primitive import Primitive
from ..core.spec.checking import checked
from ..nn import Cell, CellList, SequentialCell
from . import settings
from .values import NodeType, ScopedValue, as_target

if TYPE_CHECKING:
    from .symbol_tree import SymbolTree

__all__ = ["Block", "Node"]

_FUNCTIONS = (types.FunctionType, type, types.BuiltinFunctionType, types.MethodType)


class Block:
    """Statements in a row: the body of `construct`, of a function, of a branch, or the Cells of a container.

    Args:
        tree: the SymbolTree. root: the block of the function that a branch belongs to; None for the function's own.

    Attributes:
        nodes: list of Node. changed: whether a node was inserted, erased or given other arguments.
        function, definition: the function and its parsed source, None for `construct`. container: the SequentialCell or CellList whose
        Cells it lists. globals: names that inserted nodes need.
    """

    def __init__(self, tree: "SymbolTree", root: Any = None):
        self.tree, self.root = tree, root or self
        self.nodes, self.changed = [], False
        self.function = self.definition = self.container = None
        self.globals = {}

    def add(self, node: "Node", index: int | None = None):
        node.block = self
        self.nodes.insert(len(self.nodes) if index is None else index, node)

    def provider(self, node: "Node", value: Any):
        """(node, number of its target) that wrote `value` last before `node`; None if that is not in this block."""
        for earlier in reversed(self.nodes[: self.nodes.index(node)]):
            if value in earlier.targets:
                return earlier, earlier.targets.index(value)
        return None

    def walk(self, subtrees: bool = True):
        """All nodes, also those within functions, branches, containers and (`subtrees`) networks of the user."""
        for node in self.nodes:
            yield node
            for block in node.blocks:
                yield from block.walk(subtrees)
            if subtrees and node.tree is not None:
                yield from node.tree.body.walk()

    def is_changed(self):
        """Whether this block, or one within it, was changed."""
        return self.changed or any(block.is_changed() for node in self.nodes for block in node.blocks)

    def is_method(self):
        """Whether `self` means the network here."""
        return self.root.function is None or isinstance(self.root.function, types.MethodType)

    def name_for(self, name: str, value: Any):
        """A global name by which statements of this block reach an object."""
        taken = {
            **self.tree.scope,
            **(self.root.function.__globals__ if not self.is_method() else {}),
            **self.root.globals,
        }
        while taken.get(name, value) is not value:
            name = self.tree.variables.unique(name)
        self.root.globals[name] = value
        return name


class Node:
    """A statement of a network: the call of a Cell, an operator or a function, arithmetic, an input, a return.

    Made by `SymbolTree.create` for each statement, and by `Node.create_call_cell` and `Node.create_call_function`.

    Example:
        >>> from mindspore.rewrite import SymbolTree
        >>> tree = SymbolTree.create(nn.SequentialCell(nn.ReLU()))
        >>> [node.get_name() for node in tree.nodes()]
        ['input_input_data', 'values', 'for_node', 'return']
    """

    def __new__(cls, node: "Node"):
        check_value_type("node", node, [Node], "Node")
        return node

    @classmethod
    def make(
        cls,
        kind: NodeType,
        name: str,
        targets: str | Sequence = (),
        args: Sequence = (),
        kwargs: dict | None = None,
        instance: Any = None,
        render: Callable | None = None,
        blocks: Sequence = (),
        tree: "SymbolTree | None" = None,
    ):
        """A node. `render(args, kwargs)` gives the source of its right side, or of its head, from the texts of its arguments."""
        self = object.__new__(cls)
        self.kind, self.name, self.instance = kind, name, instance
        self.targets, self.args, self.kwargs = list(targets), list(args), dict(kwargs or {})
        self.render, self.blocks, self.tree = render, list(blocks), tree
        self.block, self.function, self.providers = None, None, {}
        called = kind in (NodeType.CallCell, NodeType.CallPrimitive) and instance is not None
        self.attributes = _attributes_of(instance) if called else {}
        return self

    @staticmethod
    @checked
    def create_call_cell(
        cell: Cell | Primitive,
        targets: str | Sequence,
        args: Sequence | None = None,
        kwargs: dict | None = None,
        name: str = "",
        is_sub_net: bool = False,
    ):
        """The statement `targets = self.name(*args, **kwargs)`.

        Args:
            cell: Cell or Primitive that is called; inserting the node makes it an attribute of the network.
            targets: list of str or ScopedValue.
            args: list of ScopedValue.
            kwargs: dict of ScopedValue.
            name: of the node and of the attribute; made unique when it is inserted. Default: from the type of `cell`.
            is_sub_net: whether the Cell's own source is read, so that its statements can be changed, too.

        Raises:
            TypeError: an argument has another type.
        """
        targets, args, kwargs = _checked(targets, args, kwargs, "Node")
        kind = (
            NodeType.CallPrimitive
            if isinstance(cell, Primitive)
            else kind_of_cell(cell)
            if is_sub_net
            else NodeType.CallCell
        )
        node = Node.make(kind, name or type(cell).__name__, targets, args, kwargs, cell)
        node.render = lambda a, k: call_text(node.function or f"self.{node.name}", a, k)
        return node

    @staticmethod
    def create_call_function(
        function: Callable, targets: str | Sequence, args: Sequence | None = None, kwargs: dict | None = None
    ):
        """The statement `targets = function(*args, **kwargs)`. The function's own source is not read.

        Raises:
            TypeError: an argument has another type.
        """
        if not isinstance(function, _FUNCTIONS) and not callable(function):
            check_value_type("function", function, [types.FunctionType, type], "create_call_function")
        targets, args, kwargs = _checked(targets, args, kwargs, "create_call_function")
        name = getattr(function, "__name__", type(function).__name__)
        node = Node.make(NodeType.CallFunction, name, targets, args, kwargs, function)
        node.render = lambda a, k: call_text(node.function or name, a, k)
        return node

    @staticmethod
    @checked
    def create_input(param_name: str, default: Any = None):
        """An argument of `construct`, with its default."""
        if default is not None:
            check_value_type("default", default, [ScopedValue], "Node")
        node = Node.make(NodeType.Input, f"input_{param_name}", [as_target(param_name)])
        node.attributes["default"] = None if default is None else default.source()
        return node

    def __repr__(self):
        return f"<Node {self.name}: {self.source() or self.kind.name}>"

    # --- what it is
    def get_handler(self):
        """The node itself."""
        return self

    def get_name(self):
        """Its name, unique within the SymbolTree."""
        return self.name

    def get_node_type(self):
        """NodeType."""
        return self.kind

    def get_instance(self):
        """The Cell, Primitive or function that is called, or None."""
        return self.instance

    def get_instance_type(self):
        """The type of the called Cell or Primitive, the called function, or NoneType."""
        if isinstance(self.instance, (types.FunctionType, type)):
            return self.instance
        return type(self.instance)

    def get_symbol_tree(self):
        """The SymbolTree that it belongs to, or None."""
        return self.block.tree if self.block is not None else None

    def get_sub_tree(self):
        """The SymbolTree of the network that it calls.

        Raises:
            TypeError: it calls no network of the user.
        """
        if self.kind is not NodeType.Tree:
            raise TypeError(f"For get_sub_tree, the type of node should be 'NodeType.Tree', but got {self.kind}.")
        return self.tree

    # --- what toolkits ask the handler for
    def get_belong_symbol_tree(self):
        """The SymbolTree that it belongs to, or None."""
        return self.get_symbol_tree()

    @property
    def symbol_tree(self):
        """The SymbolTree of the network that it calls: only such nodes have it."""
        if self.kind is not NodeType.Tree:
            raise AttributeError(f"'{self.kind}' node has no attribute 'symbol_tree': it calls no network of the user")
        return self.tree

    def nodes(self):
        """list of the nodes within: of a container's Cells, of a function's statements, of a branch or a loop.

        Raises:
            TypeError: it has none of its own. Those of a network that it calls are in `symbol_tree`.
        """
        if not self.blocks:
            raise TypeError(f"For 'nodes', the type of node should be 'NodeType.CellContainer', but got {self.kind}.")
        return list(self.blocks[0].nodes)

    @property
    def node_list(self):
        """list of the nodes within."""
        return self.nodes()

    @checked
    def get_node(self, node_name: str):
        """The node within that has a name, or None."""
        return next((node for node in self.nodes() if node.name == node_name), None)

    @checked
    def set_arg_providers(self, index: int, provider: Any):
        """Say which (node, number of its target) gives an argument; for the first Cell of a container, whose arguments are the container's."""
        self.providers[index] = provider

    # --- what it reads and writes
    def get_targets(self):
        """list of ScopedValue that it writes."""
        return list(self.targets)

    def get_args(self):
        """list of ScopedValue: its arguments."""
        return list(self.args)

    def get_kwargs(self):
        """dict of ScopedValue: its arguments by name."""
        return dict(self.kwargs)

    def values(self):
        """All that it reads, arguments by name last."""
        return [*self.args, *self.kwargs.values()]

    def get_arg_providers(self):
        """{number of an argument: (the node that wrote it, number of that node's target)}."""
        found = (
            {} if self.block is None else {i: self.block.provider(self, value) for i, value in enumerate(self.values())}
        )
        return {i: provider for i, provider in (found | self.providers).items() if provider is not None}

    @checked
    def get_target_users(self, index: int = -1):
        """{number of a target: [(node that reads it, number of its argument)]}, or the list for one target."""
        users = {i: [] for i in range(len(self.targets))}
        for later in self.block.nodes if self.block is not None else ():
            for position, (provider, target) in later.get_arg_providers().items():
                if provider is self:
                    users[target].append((later, position))
        return users if index == -1 else users[index]

    def get_inputs(self):
        """The nodes whose results it reads."""
        return list(dict.fromkeys(provider for provider, _ in self.get_arg_providers().values()))

    def get_users(self):
        """The nodes that read its results."""
        return list(dict.fromkeys(user for users in self.get_target_users().values() for user, _ in users))

    @checked
    def set_arg(self, index: int, arg: ScopedValue | str):
        """Read something else.

        Args:
            index: number of the argument.
            arg: ScopedValue, or the name of a variable.

        Raises:
            TypeError: wrong types. ValueError: there are fewer arguments.
        """
        total = len(self.args) + len(self.kwargs)
        if not 0 <= index < total:
            raise ValueError(f"The 'index' must be in range of [0, {total}), but got {index} with type 'int'.")
        if index < len(self.args):
            self.args[index] = as_target(arg)
        else:
            self.kwargs[list(self.kwargs)[index - len(self.args)]] = as_target(arg)
        if self.block is not None:
            self.block.changed = True

    @checked
    def set_arg_by_node(self, arg_idx: int, src_node: "Node", out_idx: int | None = None):
        """Read a target of another node.

        Args:
            arg_idx: number of the argument.
            src_node: Node.
            out_idx: number of its target; needed if it has several.

        Raises:
            TypeError: wrong types. ValueError: a number out of range, or `out_idx` missing.
        """
        if out_idx is None:
            if len(src_node.targets) != 1:
                raise ValueError(
                    f"For 'set_arg_by_node', node {src_node.name} has {len(src_node.targets)} outputs: give 'out_idx'."
                )
            out_idx = 0
        if not 0 <= out_idx < len(src_node.targets):
            raise ValueError(f"The 'out_idx' must be in range of [0, {len(src_node.targets)}), but got {out_idx}.")
        self.set_arg(arg_idx, src_node.targets[out_idx])

    # --- the attributes of what it calls, and notes of the user
    @checked
    def set_attribute(self, key: str, value: Any):
        """Keep a value of yours with the node."""
        self.attributes[key] = value

    @checked
    def get_attribute(self, key: str):
        """The value that `set_attribute` kept, or the attribute of the called Cell or Primitive; None for others."""
        return self.attributes.get(key)

    def get_attributes(self):
        """All attributes of `get_attribute`; `cls` is the type of the called object."""
        return self.attributes

    # --- its source
    def source(self):
        """The first line of its source, "" for an input."""
        if self.kind is NodeType.Input:
            return ""
        text = self.render([v.source() for v in self.args], {k: v.source() for k, v in self.kwargs.items()})
        if self.targets and self.kind is not NodeType.ControlFlow:
            return f"{', '.join(t.source() for t in self.targets)} = {text}"
        return text

    def lines(self, indent: Any):
        """Its source, indented; the body of control flow too."""
        text = self.source()
        lines = [" " * indent + line for line in text.split("\n")] if text else []
        if self.kind is NodeType.ControlFlow:
            body = [line for node in self.blocks[0].nodes for line in node.lines(indent + 4)]
            lines += body or [" " * (indent + 4) + "pass"]
        return lines


def _attributes_of(instance):
    """The public attributes of a Cell or Primitive as they are now."""
    return {k: v for k, v in vars(instance).items() if not k.startswith("_")} | {"cls": type(instance)}


def _checked(targets, args, kwargs, caller):
    """Targets, arguments and keywords of a new node, with MindSpore's errors."""
    check_value_type("targets", targets, [list, tuple], caller)
    check_value_type("args", args, [list, tuple, type(None)], caller)
    check_value_type("kwargs", kwargs, [dict, type(None)], caller)
    for target in targets:
        check_value_type("targets", target, [ScopedValue, str], caller)
    for arg in args or ():
        check_value_type("args", arg, [ScopedValue], caller)
    for key, value in (kwargs or {}).items():
        check_value_type("kwargs", key, [str], caller)
        check_value_type("kwargs", value, [ScopedValue], caller)
    return [as_target(t) for t in targets], list(args or ()), dict(kwargs or {})


def call_text(function: str, args: Sequence, kwargs: dict):
    """The text of a call."""
    return f"{function}({', '.join([*args, *(f'{name}={text}' for name, text in kwargs.items())])})"


def kind_of_cell(cell: Cell):
    """CellContainer, Tree (a network whose source is the user's) or CallCell."""
    if type(cell) in (SequentialCell, CellList) or isinstance(
        cell, tuple(settings.AssignParser.types_for_cell_container)
    ):
        return NodeType.CellContainer
    if isinstance(cell, tuple(settings._subtree_black_list)):
        return NodeType.CallCell
    own = type(cell).__module__.partition(".")[0] in (__name__.partition(".")[0], "mindspore")
    return NodeType.CallCell if own else NodeType.Tree

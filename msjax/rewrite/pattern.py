"""PatternEngine: find Cells or operators that follow each other, and put others in their place."""

import builtins
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ..core.operators.check import check_value_type
from ..core.operators.primitive import Primitive
from ..nn import Cell
from .node import Node
from .symbol_tree import SymbolTree
from .values import NodeType

__all__ = ["PatternEngine", "PatternNode", "Replacement", "VarNode"]


class PatternNode:
    """A node of a pattern: the type of a Cell or Primitive, and the patterns of its inputs.

    Args:
        pattern_node_name: by which the match is found in the result. match_type: the type. inputs: list of PatternNode.
    """

    def __init__(
        self,
        pattern_node_name: str,
        match_type: builtins.type = type(None),
        inputs: "Sequence[PatternNode] | None" = None,
    ):
        check_value_type("pattern_node_name", pattern_node_name, [str], "PatternNode")
        self._name, self._type = pattern_node_name, match_type
        self.set_inputs(inputs or [])

    @staticmethod
    def from_node(node: Any):
        """The pattern of one node."""
        check_value_type("node", node, [Node], "PatternNode")
        matched = node.get_instance_type() if node.get_node_type() is NodeType.CallCell else type(None)
        return PatternNode(str(node.get_targets()[0]), matched)

    @staticmethod
    def create_pattern_from_node(node: Any):
        """The pattern of a node and of all that it reads."""
        pattern = PatternNode.from_node(node)
        pattern.set_inputs([PatternNode.create_pattern_from_node(n) for n in node.get_inputs()])
        return pattern

    @staticmethod
    def create_pattern_from_list(type_list: Sequence[builtins.type]):
        """The pattern of types that follow each other."""
        check_value_type("type_list", type_list, [list], "PatternNode")
        last = None
        for i, cell_type in enumerate(type_list):
            last = PatternNode(f"{i}-{cell_type}", cell_type, [] if last is None else [last])
        return last

    def add_input(self, node: Any):
        """Add the pattern of something that it reads."""
        check_value_type("node", node, [PatternNode], "PatternNode")
        self._inputs.append(node)

    def set_inputs(self, inputs: "Sequence[PatternNode]"):
        """Set the patterns of its inputs."""
        check_value_type("inputs", inputs, [list], "PatternNode")
        for node in inputs:
            check_value_type("inputs", node, [PatternNode], "PatternNode")
        self._inputs = inputs

    def get_inputs(self):
        """The patterns of its inputs."""
        return self._inputs

    def match(self, node: Node):
        """Whether a node calls this type."""
        check_value_type("node", node, [Node], "PatternNode")
        return self._type == node.get_instance_type()

    def name(self):
        """Its name."""
        return self._name

    def type(self):
        """The type that it matches."""
        return self._type


class VarNode(PatternNode):
    """A node of a pattern that anything matches."""

    def __init__(self):
        super().__init__("placeholder", Cell, [])

    def match(self, node: Node):
        return node is not None


class Replacement:
    """The replacement of a PatternEngine's matches: subclasses override `build`."""

    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched: dict):
        """The new nodes.

        Args:
            pattern: PatternNode, the last of the pattern.
            is_chain_pattern: whether it was given as a list of types.
            matched: OrderedDict from the names of PatternNodes to the nodes found.

        Returns: list of Node, for `SymbolTree.replace`; empty to leave all as it is.
        """
        raise NotImplementedError(f"For '{type(self).__name__}', override 'build'.")

    def __call__(self, pattern: PatternNode, is_chain_pattern: bool, matched: dict):
        return self.build(pattern, is_chain_pattern, matched)


class PatternEngine:
    """Finds a pattern in a SymbolTree and replaces it.

    Args:
        pattern: PatternNode, or a list of types of Cells and Primitives that follow each other.
        replacement: Replacement; None to only look.

    Example:
        >>> from mindspore.rewrite import Node, PatternEngine, Replacement, SymbolTree
        >>> class Wider(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         node = matched[pattern.name()]
        ...         return [Node.create_call_cell(nn.GELU(), node.get_targets(), node.get_args(), name="gelu")]
        >>> tree = SymbolTree.create(nn.Dense(3, 4, activation="relu"))
        >>> PatternEngine([nn.ReLU], Wider()).apply(tree)
        True
    """

    def __init__(self, pattern: PatternNode | list[builtins.type], replacement: Replacement | None = None):
        check_value_type("replacement", replacement, [Replacement, type(None)], "PatternEngine")
        check_value_type("pattern", pattern, [PatternNode, list], "PatternEngine")
        self._is_chain, self._replacement = isinstance(pattern, list), replacement
        if isinstance(pattern, list):
            for found in pattern:
                if not (isinstance(found, type) and issubclass(found, (Cell, Primitive))):
                    raise TypeError(f"The type of 'pattern' should be one of [Cell, Primitive], but got {found!r}.")
            pattern = PatternNode.create_pattern_from_list(pattern)
        self._pattern: PatternNode = pattern

    def pattern(self) -> PatternNode:
        """PatternNode: the last of the pattern."""
        return self._pattern

    def apply(self, stree: SymbolTree):
        """Replace all that matches, in sub-networks and containers too.

        Returns: whether anything was replaced.

        Raises:
            TypeError: `stree` is not a SymbolTree.
        """
        check_value_type("stree", stree, [SymbolTree], "PatternEngine")
        return self._apply(stree, stree.body)

    def _apply(self, tree, block):
        changed = False
        for node in list(block.nodes):
            if node.tree is not None:
                changed |= self.apply(node.tree)
            for inner in node.blocks:
                changed |= self._apply(tree, inner)
            if node.block is None:
                continue  # replaced with one after it
            matched = self._match(self._pattern, node)
            if matched is None or self._replacement is None or not self._closed(node, matched.values()):
                continue
            new = self._replacement(self._pattern, self._is_chain, matched)
            if new:
                tree.replace(node, new)
                for other in matched.values():
                    if other is not node and other.get_node_type() is not NodeType.Input and other.block is not None:
                        tree.erase(other)
                changed = True
        return changed

    def _match(self, pattern, node):
        """OrderedDict of the nodes that match a pattern which ends with `node`, or None."""
        if not pattern.match(node):
            return None
        matched = OrderedDict()
        inputs = _before(node)
        if pattern.get_inputs():
            if len(inputs) != len(pattern.get_inputs()):
                return None
            for wanted, given in zip(pattern.get_inputs(), inputs):
                if isinstance(wanted, VarNode):
                    continue
                found = self._match(wanted, given)
                if found is None:
                    return None
                matched.update(found)
        matched[pattern.name()] = node
        return matched

    @staticmethod
    def _closed(last, matched):
        """Whether only matched nodes read the results of all matched nodes but the last: these are erased."""
        return all(user in matched for node in matched if node is not last for user in _after(node))


def _before(node):
    """The nodes that a node reads; in a container, the Cell before it."""
    if node.block.container is None:
        return node.get_inputs()
    index = node.block.nodes.index(node)
    return node.block.nodes[index - 1 : index] if index else []


def _after(node):
    """The nodes that read a node; in a container, the Cell after it."""
    if node.block.container is None:
        return node.get_users()
    index = node.block.nodes.index(node)
    return node.block.nodes[index + 1 : index + 2]

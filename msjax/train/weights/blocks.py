"""Blocks of a file and of a network that belong together, as their layers say that have a partner.

`stages.0.blocks.1` belongs to `layer1.1` where the partners of its layers are those layers of `layer1.1` that have one. The two sides need
not nest their blocks alike: of a block, the smallest one that holds the partners of its layers is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping


class Blocks:
    """The blocks of both sides, by the pairs of layers so far.

    Args:
        partners: {name of a layer in the file: its partner in the network}, and the other way round.

    Example:
        >>> from msjax.train.weights.blocks import Blocks
        >>> pairs = {"stages.0.blocks.1.conv1": "layer1.1.conv1"}
        >>> blocks = Blocks((pairs, {other: one for one, other in pairs.items()}))
        >>> blocks.same("stages.0.blocks.1.norm", "layer1.1.bn"), blocks.same("stages.0.blocks.2.norm", "layer1.1.bn")
        (True, False)
    """

    def __init__(self, partners: tuple[Mapping[str, str], Mapping[str, str]]):
        self._partners = partners
        self._below = tuple(_layers_of_blocks(side) for side in partners)
        self._found: tuple[dict[str, str | None], ...] = ({}, {})  # of layers: the block of the other side

    def same(self, one: str, other: str) -> bool:
        """Whether a layer of the file and one of the network are in blocks that belong together."""
        return self._holds(0, one, other) and self._holds(1, other, one)

    def _holds(self, side: int, layer: str, other: str) -> bool:
        if layer not in self._found[side]:
            self._found[side][layer] = self._partner(side, layer)
        block = self._found[side][layer]
        return block is not None and other.startswith(f"{block}.")

    def _partner(self, side: int, layer: str) -> str | None:
        """The block of the other side that belongs to the innermost block around a layer that has one."""
        for block in _around(layer):
            if layers := self._below[side].get(block):
                found = _smallest([self._partners[side][name] for name in layers])
                fitting = list(
                    itertools.takewhile(lambda other: self._leads_back(side, other, layers), [found, *_around(found)])
                )
                if found and fitting:  # layers of one block within this one tell the block around their partners, too
                    return fitting[0] if _smallest(layers) == block else fitting[-1]
        return None

    def _leads_back(self, side: int, block: str, layers: list[str]) -> bool:
        """Whether the partners of the layers in a block of the other side are these layers."""
        return {self._partners[1 - side][name] for name in self._below[1 - side].get(block, ())} == set(layers)


def _layers_of_blocks(layers: Mapping[str, str]) -> dict[str, list[str]]:
    """{name of a block: the layers in it, at any depth}."""
    found: dict[str, list[str]] = {}
    for layer in layers:
        for block in _around(layer):
            found.setdefault(block, []).append(layer)
    return found


def _around(layer: str) -> Iterator[str]:
    """The blocks around a layer, the innermost first."""
    while layer := layer.rpartition(".")[0]:
        yield layer


def _smallest(layers: list[str]) -> str:
    """The smallest block around all of the layers; "" for the whole network."""
    return next((block for block in _around(layers[0]) if all(name.startswith(f"{block}.") for name in layers)), "")

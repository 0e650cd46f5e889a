"""Which products of a file are turned: told by relatives, for a square one has the same shape both ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from .experts import product_shape
from .names import is_embedding, split
from .words import pattern


class Orientation:
    """What is known of the products of a file: whether they are turned in the network.

    kind: "layer"; "bare" of a product in a matrix without a layer (`text_projection`, `w1`) beside one of a layer (`fc1.weight`), or "stack" of
    experts. A product tells of its own kind alone.
    """

    def __init__(self):
        self._known: dict[tuple[str, str], set[bool]] = defaultdict(set)

    def learn(self, name: str, shape: tuple[int, ...], turned: bool, kind: str = "layer") -> None:
        """A product of this shape in the file is turned, or is not; square ones and tables of embeddings tell nothing."""
        owner = split(name)[0]
        if (shape := product_shape(name, shape)) and shape[0] != shape[1] and not is_embedding(owner):
            for place in _places(owner):
                self._known[place, kind].add(turned)

    def expected(self, name: str, kind: str = "layer") -> set[bool]:
        """What the nearest relatives are; empty where none is known, both where they differ."""
        return next((self._known[p, kind] for p in _places(split(name)[0]) if (p, kind) in self._known), set())


def _places(owner: str) -> Iterator[str]:
    """The owner, and all that it is in."""
    parts = pattern(owner).split(".") if owner else []
    for n in range(len(parts), -1, -1):
        yield ".".join(parts[:n])

"""One iteration over a pipeline: its seed, the numbers of its nodes, and the resources to close when it ends."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import config
from ..operation import fresh_seed, row_stream
from .block import ROWS_PER_BLOCK
from .random_order import MersenneTwister64

if TYPE_CHECKING:
    from .dataset import Dataset


class Run:
    """State that all nodes of one running pipeline share.

    Args:
        root: the node that is iterated over; its tree gets numbers in depth-first order.
        getter: True while only shapes, types or a size are asked for: no worker processes, no user callbacks.
        block_rows (int): sources cut their rows into blocks of so many.
        seed (int): of the run that this one goes on with, where no seed was set; None: a fresh one.
    """

    def __init__(
        self, root: "Dataset", getter: bool = False, block_rows: int = ROWS_PER_BLOCK, seed: int | None = None
    ):
        fixed = config.fixed_seed()
        self.seeded = fixed is not None
        self.seed = fixed if self.seeded else fresh_seed() if seed is None else seed
        self.getter = getter
        self.block_rows = block_rows
        self.stopped = threading.Event()
        self.memory = {}  # what a node or a sampler carries from one epoch to the next
        self._numbers, self._repeats = {}, {}
        self._closers = []
        self._number(root)

    def _number(self, node, repeats=1):
        self._numbers[id(node)] = len(self._numbers)
        self._repeats[id(node)] = repeats
        for child in node.children:
            self._number(child, repeats * node.repeats_children)

    def repeats(self, node: Any):
        """The number of passes over a node in one epoch of the whole pipeline; the node counts each pass as an epoch."""
        return self._repeats.get(id(node), 1)

    def stream(self, node: Any, epoch: int):
        """The row_stream of a node in an epoch: the source of its random operations' numbers."""
        return row_stream(self.seed, (self._numbers.get(id(node), 0) << 40) + epoch)

    def remember(self, owner: Any, make: Callable, what: str = ""):
        """Cache the result of `make()` for `owner`; `what` names one of several cached values of an owner."""
        key = (id(owner), what)
        if key not in self.memory:
            self.memory[key] = make()
        return self.memory[key]

    def twister(self, owner: Any, epoch: int, rows: Sequence):
        """The MersenneTwister64 that a buffer of `owner` draws from in an epoch, one number a row.

        With a seed it goes on from one epoch to the next, as in MindSpore. rows: function that gives the rows of an epoch, asked when
        the run begins with a later one.
        """
        if not self.seeded:
            return MersenneTwister64(self.seed + epoch)
        draw = self.remember(owner, lambda: MersenneTwister64(self.seed), "draw")
        if not draw.drawn and epoch:
            for _ in range(epoch * rows()):
                draw()
        return draw

    def on_close(self, closer: Callable):
        """Has `closer()` called when the run ends, however it ends."""
        self._closers.append(closer)

    def close(self):
        """Ends the run: workers stop, files and processes are closed."""
        self.stopped.set()
        while self._closers:
            self._closers.pop()()

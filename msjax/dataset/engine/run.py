"""One iteration over a pipeline: its seed, the numbers of its nodes, and the resources to close when it ends."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import config
from ..operation import fresh_seed, row_stream
from .block import ROWS_PER_BLOCK
from .lanes import Dealing, Lanes
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
        draws (dict): of that run, where its random numbers stood: see `draws_at`.
    """

    def __init__(
        self,
        root: "Dataset",
        getter: bool = False,
        block_rows: int = ROWS_PER_BLOCK,
        seed: int | None = None,
        draws: dict | None = None,
    ):
        fixed = config.fixed_seed()
        self.seeded = fixed is not None
        self.seed = fixed if self.seeded else fresh_seed() if seed is None else seed
        self.getter = getter
        self.block_rows = block_rows
        self.stopped = threading.Event()
        self.memory = {}  # what a node or a sampler carries from one epoch to the next
        self.draws_at = {}  # epoch of the whole pipeline -> number of a node, as text -> the state of its Dealing as the epoch begins
        self.goes_on = bool(draws)  # the random numbers of an earlier run are known
        self._resumed = dict(draws or {})
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

    def key(self, node: Any, epoch: int):
        """What tells an epoch of a node from all others."""
        return self.seed, (self._numbers.get(id(node), 0) << 40) + epoch

    def stream(self, node: Any, epoch: int, workers: int, dealing: Dealing | None = None):
        """The row_stream of a node in an epoch: the source of its random operations' numbers."""
        alone = workers == 1 and not self.getter
        return row_stream(None if alone else self.key(node, epoch), dealing)

    def lanes(self, node: Any, epoch: int, workers: int):
        """The Lanes of a map as `epoch` of it begins."""
        return self._dealt(node, epoch, lambda: Lanes(self.seed & 0xFFFFFFFF, workers, self.seeded))

    def dealing(self, node: Any, epoch: int, workers: int, anew: bool = False):
        """The Dealing of a node whose functions run in processes as `epoch` of it begins; anew: see there."""
        return self._dealt(node, epoch, lambda: Dealing(self.seed if self.seeded else None, workers, anew))

    def _dealt(self, node, epoch, make):
        def made():
            new = make()
            state = self._resumed.pop(self._name(node), None)
            if epoch and state:  # an earlier run has had the epochs before
                new.state = state
            return new

        dealing = self.remember(node, made, "dealing")
        self.note(node, epoch, dealing)
        return dealing

    def _name(self, node):
        return str(self._numbers.get(id(node), 0))

    def note(self, node: Any, epoch: int, dealing: Dealing):
        """Keeps where the random numbers of a node stand as an epoch of it begins, for a run that goes on from there."""
        whole, part = divmod(epoch, self.repeats(node))
        if not part:
            self.draws_at.setdefault(whole, {})[self._name(node)] = dealing.state
            for old in [epoch for epoch in self.draws_at if epoch < whole - 1]:
                del self.draws_at[old]

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

    def has(self, owner: Any, what: str):
        """Whether there is a cached value of that name for `owner`, and it is not None."""
        return self.memory.get((id(owner), what)) is not None

    def on_close(self, closer: Callable):
        """Has `closer()` called when the run ends, however it ends."""
        self._closers.append(closer)

    def close(self):
        """Ends the run: workers stop, files and processes are closed."""
        self.stopped.set()
        while self._closers:
            self._closers.pop()()

"""The state that all threads of the process share and change: one place for it, with a reason for each.

Everything else that changes belongs to a thread (`settings/execution_state.py`), to the object that it is about, or is one of the tables
that `tests/core/test_process_state.py` lists: registers that imports fill, and caches, whose entries hold for everyone.
"""

import itertools


class Process:
    """The fields, and what they are at the start.

    Compiled functions ask two numbers whether they must look at what they depend on. Who changes something does so first and then takes a
    number; who checks reads the number first and then looks. No number is given twice: with `epoch += 1` a thread that is slow to store its sum
    would bring a number back that a check has seen, and the next change would have the number of that check.
    """

    __slots__ = (
        *("owned", "computes", "forked", "forgetting", "epoch", "attributes"),
        *("changes", "values", "unnamed", "tables", "graphs"),
    )

    def __init__(self):
        # JAX has one setting for 64 bits, one collector of garbage is Python's: whether they are msjax's own (`core/host.py`)
        self.owned = False
        self.computes = False  # whether JAX has computed
        self.forked = False  # whether the process was forked from one in which JAX has computed, whose threads it lacks
        self.forgetting = []  # functions by which a forked process forgets what was compiled, so that its calls are refused
        # Cells and Parameters are seen by all threads, and so are their changes
        self.epoch = 0  # the last change of the structure or a flag of a Cell, of `requires_grad`, of a setting
        self.attributes = 0  # the last change of a plain attribute of a Cell
        # counters, of what has no number twice in a process; `next` of one is safe among threads
        self.changes = itertools.count(1)  # for `epoch`, `attributes`, and versions of Cells
        self.values = itertools.count(1)  # tokens by which tapes know values: a Tensor may come from another thread
        self.unnamed = itertools.count(2)  # Parameters without names; importing MindSpore makes the first one
        self.tables = itertools.count()  # tables of a parameter server
        self.graphs = itertools.count()  # graph files that were written: their names begin with it

    def new_number(self):
        """A number of changes that was never given before."""
        return next(self.changes)

    def touch(self):
        """Something changed that compiled functions depend on."""
        self.epoch = next(self.changes)

    def touch_attribute(self):
        """A plain attribute of a Cell was set."""
        self.attributes = next(self.changes)


shared = Process()

"""The state of one execution: the only place for values that differ between threads and asyncio tasks.

A state is never changed: `change` and `within` put another in its place, for the code that runs in this context. So a thread that
was started with a copied context goes on from there by itself. A new thread begins with an empty state.

What is process-wide, and why: settings of JAX and of devices (JAX has one of each), numbers of changes (`core/process.py`),
registers that are filled by imports, and caches, whose entries hold for everyone.
"""

import contextvars


class ExecutionState:
    """The fields, and their initial values."""

    __slots__ = (
        "recorder",
        "rollback",
        "journal",
        "notes",
        "pending",
        "casts",
        "reading",
        "modes",
        "settings",
        "seeds",
        "streams",
        "device",
        "exact",
        "overflow",
        "may_overflow",
        "collectives",
        "copying",
        "passing_on",
        "through",
        "strategies",
        "network",
        "writer",
        "switched_off",
        "contents",
        "drawn",
        "parts",
        "keys",
        "plainly",
        "bound_groups",
        "split_calls",
        "own_backward",
        "of_all",
    )

    def __init__(self):
        self.recorder = None  # the innermost Frame or eager Tape
        self.rollback = None  # id -> (box, array at entry) of the open Rollback
        self.journal = None  # the innermost Journal of changes to Python objects
        self.notes = None  # the range checks of the operator that is being compiled
        self.pending = None  # [(distances, checks)] of programs that were still running when they were called
        self.casts = ()  # mixed precision by operator, innermost last (see `casts.casting`)
        self.reading = None  # the dtype that Parameters are read in: that of the Cell of `to_float` that runs
        self.modes = ()  # objects that get every operator call, innermost last (see `dispatch.py`)
        self.settings = None  # own settings of `set_context`; None: those of the process
        self.seeds = None  # own seed of `set_seed`; None: that of the process
        self.streams = None  # streams of random numbers
        self.device = None  # the kind of device that programs are being made for, if it is not the one that is there
        self.exact = False  # whether float32 products are computed in full because MindSpore's are (see `products.py`)
        self.overflow = None  # gradients of eager code since the overflow register was cleared
        self.may_overflow = (
            False  # whether a step with a scaled loss takes gradients: it leaves those out that overflow
        )
        self.collectives = ()  # what orders the collectives of a trace
        self.copying = False  # whether slices are copies (see `views.py`)
        self.through = (
            0  # how many items the statement that runs is known to take before it stores: 1 for `x[i][j] = v`
        )
        self.passing_on = False  # whether a change in place is being passed on to views
        self.strategies = ()  # (strategy of mixed precision, what takes it away), innermost last
        self.network = None  # the network that checkpoints are loaded into
        self.writer = None  # the thread that writes a checkpoint in the background
        self.contents = None  # whether new Parameters hold their content, or what makes it (see `values/deferred.py`)
        self.drawn = None  # the number from which an initializer draws its content, if it was drawn before
        self.parts = (
            None  # the sharding of the first input of the Primitive that is being called, where a strategy says it
        )
        self.keys = None  # the same of its second input, for attention, whose keys go round the devices if they are divided as the queries
        self.plainly = (
            False  # whether Tensors that take their own calls are Tensors like all others (see `own_calls.py`)
        )
        self.bound_groups = None  # name of a group -> its Place, within code that each device of a mesh runs for itself
        self.split_calls = None  # the operators with strategies that a function with a gradient of its own has called
        self.own_backward = False  # whether a `bprop` of the user's is being traced
        self.of_all = False  # whether what is traced for devices that are not there got the inputs of all of them
        self.switched_off = None  # the `no_gradient` that `_pynative_executor.set_enable_grad(False)` entered

    def but(self, **changes):
        """The same state with other values of some fields."""
        made = _new(ExecutionState)
        # line by line: a loop takes three times as long, and every call of an eager Cell comes here
        made.recorder = self.recorder
        made.rollback = self.rollback
        made.journal = self.journal
        made.notes = self.notes
        made.pending = self.pending
        made.casts = self.casts
        made.reading = self.reading
        made.modes = self.modes
        made.settings = self.settings
        made.seeds = self.seeds
        made.streams = self.streams
        made.device = self.device
        made.exact = self.exact
        made.overflow = self.overflow
        made.may_overflow = self.may_overflow
        made.collectives = self.collectives
        made.copying = self.copying
        made.passing_on = self.passing_on
        made.through = self.through
        made.strategies = self.strategies
        made.network = self.network
        made.writer = self.writer
        made.switched_off = self.switched_off
        made.contents = self.contents
        made.drawn = self.drawn
        made.parts = self.parts
        made.keys = self.keys
        made.plainly = self.plainly
        made.bound_groups = self.bound_groups
        made.split_calls = self.split_calls
        made.own_backward = self.own_backward
        made.of_all = self.of_all
        for name, value in changes.items():
            setattr(made, name, value)
        return made


_new = object.__new__
_current = contextvars.ContextVar("msjax_execution", default=ExecutionState())  # noqa: B039  a state is never changed

here = _current.get  # the state of the code that calls it
put = _current.set


def change(**fields):
    """Set fields, until they are set again."""
    put(here().but(**fields))


class within:
    """`with within(field=value):` sets fields for a block; afterwards these fields have their old values, and other
    fields keep the values set in the block.
    """

    __slots__ = ("fields", "before", "inside")

    def __init__(self, **fields):
        self.fields = fields

    def __enter__(self):
        self.before = here()
        self.inside = self.before.but(**self.fields)
        put(self.inside)

    def __exit__(self, *error):
        if here() is self.inside:  # the usual case, without a copy
            put(self.before)
        else:
            change(**{name: getattr(self.before, name) for name in self.fields})
        return False

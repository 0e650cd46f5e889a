"""`jax.jit` for the operators of eager code, with XLA's cheaper code generator where compiling costs more than it gains.

Eager programs are small: a loop over elements, or a library call between a few copies. On the CPU XLA writes each loop through its fusion
emitters (MLIR passes, then LLVM: 40 to 60 ms a kernel); the older emitter takes half of that or less, gives the same bits, and the
program runs as fast. Its kernels are slower where elements change places: scatters (2 times), transposes fused with other work (up to 11
times). A program that is not divided for threads takes LLVM a tenth less.
"""

import concurrent.futures
import functools
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from ..compat import Tracer, eager_state, shares_compilation, trace_state
from ..host import computes, refuse_if_forked, wide, wide_unless_owned
from ..program.sites import sites
from ..settings.context import present_device
from . import by_numpy, eager_options, shared_buffers

if TYPE_CHECKING:
    from .shared_buffers import _Program

CALLS_BY_NUMPY = 8  # with arrays of the same types: a program of XLA's would pay after some hundred
_MOST_FEW = 256  # kinds of arrays that an operator's calls are counted for
_MOST_READY = 4096
_THREADS = max(1, min(4, (os.cpu_count() or 2) - 1))  # that compile
_turns = threading.Lock()  # of threads that note what is compiled; held for no longer than that
_at_once = []  # who asks for programs from the first call on: see `compile_at_once`


class _Ready(set):
    """Kinds of arrays whose calls go straight to their program. A forked process forgets them, so that its calls come to `refuse_if_forked`."""

    __slots__ = ()
    __hash__ = object.__hash__


_all_ready = weakref.WeakSet()


def _forget_ready():
    for ready in _all_ready:
        ready.clear()


class _Few:
    """Calls for one signature. The first few are computed by NumPy; a program is compiled in the background and takes over when it is ready."""

    __slots__ = ("by_numpy", "left", "begun", "compiling")

    def __init__(self, by_numpy):
        self.by_numpy, self.left, self.begun, self.compiling = by_numpy, CALLS_BY_NUMPY, False, None

    def begin(self):
        """True for the first thread that asks: it starts to compile. Threads may lose counts of calls to each other, which only delays the start."""
        with _turns:
            first, self.begun = not self.begun, True
        return first


def eager_jit(fn: Callable, heavy: bool):
    """`jax.jit(fn)` for eager calls.

    heavy: its time goes to library calls (convolutions, products), not to loops.
    """
    programs = _Programs(fn, heavy)
    ready = programs.ready

    def call(*arrays):
        # asked before the call: an exception in a call's trace would have JAX take its slow path for all later ones (60 us instead of 4)
        if _kinds(arrays) not in ready:
            return programs.first_calls(arrays)
        try:
            return programs.chosen(*arrays)
        except ValueError:
            if trace_state() == eager_state():
                raise
            return programs.plain(*arrays)  # within a jax trace a program cannot have compiler options of its own

    run = wide_unless_owned(call)
    run.ahead, run.settled = wide(programs.ahead), programs.settled
    return run


class _Programs:
    """The programs of one function: by NumPy at first, then compiled, with options or without.

    plain: `jax.jit(fn)`, for calls within traces of JAX, and for devices that are not CPU. chosen: what serves most calls; None before the first
    one, for importing msjax starts no device. few: by the types of the arrays. ready: kinds of arrays whose calls need no look at `few`.
    careful: kinds of arrays -> the program without fusions, where one would overwrite what it reads.
    """

    __slots__ = ("fn", "heavy", "plain", "chosen", "options", "few", "ready", "careful")

    def __init__(self, fn: Callable, heavy: bool):
        self.fn, self.heavy, self.plain, self.chosen, self.options = fn, heavy, jax.jit(fn), None, None
        self.few, self.ready, self.careful = {}, _Ready(), {}
        _all_ready.add(self.ready)

    def start(self, arrays: Sequence):
        """Choose the options, at the first call outside of traces of JAX."""
        computes(_forget_ready)
        if present_device() != "CPU":
            self.chosen = self.plain
            return
        cheap = self.heavy or not _moves_elements(self.plain.trace(*arrays).jaxpr)
        self.options = eager_options.cheap() if cheap else eager_options.whole()
        self.chosen = jax.jit(self.fn, compiler_options=self.options)

    def as_few(self, arrays: Sequence):
        """The `_Few` for these arrays, or None if a program is to be compiled at once."""
        types, few = _types(arrays), self.few
        calls = few.get(types)
        if calls is None:
            found = by_numpy.plan(self.chosen.trace(*arrays))
            if found is not None:
                with _turns:
                    while len(few) >= _MOST_FEW:
                        del few[next(iter(few))]  # the oldest
                    calls = few.setdefault(types, _Few(found))
        return calls

    def let_pass(self, kinds: tuple, traced: Any, lower: Callable):
        """From now on, calls with arrays of these kinds run the program."""
        # before JAX 0.10 the look would compile each program twice
        other = shared_buffers.unfused(traced, lower, self.options) if shares_compilation() else None
        if len(self.ready) + len(self.careful) >= _MOST_READY:
            self.ready.clear()
            self.careful.clear()
        if other is None:
            self.ready.add(kinds)
        else:
            self.careful[kinds] = jax.jit(self.fn, compiler_options=other)

    def to_program(self, kinds: tuple, arrays: Sequence):
        """Let such calls pass, and return the program that serves them."""
        traced = self.chosen.trace(*arrays)
        self.let_pass(kinds, traced, traced.lower)
        return self.careful.get(kinds, self.chosen)

    def first_calls(self, arrays: Sequence):
        """A call whose kinds of arrays are not known to be ready."""
        refuse_if_forked()
        if self.chosen is self.plain or trace_state() != eager_state():
            return self.plain(*arrays)
        if self.chosen is None:
            self.start(arrays)
            if self.chosen is self.plain:
                return self.plain(*arrays)
        kinds = _kinds(arrays)
        if kinds in self.careful:
            return self.careful[kinds](*arrays)
        calls = self.as_few(arrays)
        if calls is None:
            return self.to_program(kinds, arrays)(*arrays)
        if _at_once or not all(map(_is_here, jax.tree.leaves(arrays))):
            return self.chosen(*arrays)
        calls.left -= 1
        if calls.left < 0:
            if calls.begin():
                calls.compiling = _compilers().submit(self.chosen.trace(*arrays).lower().compile)
            compiling = calls.compiling  # None where another thread is about to begin
            if not shares_compilation() or compiling is not None and compiling.done():
                with _turns:
                    self.few.pop(_types(arrays), None)
                return self.to_program(kinds, arrays)(*arrays)
        return calls.by_numpy(*arrays)

    def ahead(self, *arrays):
        """The function that compiles the program for these arrays, or None if no program is needed yet."""
        if self.chosen is None:
            self.start(arrays)
        kinds = _kinds(arrays)
        known = self.chosen is self.plain or kinds in self.ready
        if not known and (kinds in self.careful or self.as_few(arrays) is not None):
            return None
        traced = self.chosen.trace(*arrays)
        lowered = traced.lower()  # here: Python and its settings are this thread's

        def compiling():
            lowered.compile()
            if not known:
                self.let_pass(kinds, traced, lambda: lowered)

        return compiling

    def settled(self, arrays: Sequence):
        """The program of all further calls with arrays of such kinds, or None if that is not decided yet.

        In a trace of JAX's it raises ValueError where it cannot be compiled as a part of that: `eager_jit`'s function serves such a call.
        """
        if self.chosen is None or self.chosen is not self.plain and _kinds(arrays) not in self.ready:
            return None
        return wide_unless_owned(self.chosen)


def _kinds(arrays):
    """A cheap first key of a call (a quarter of a microsecond): the abstract values of arrays, and the classes of other arguments."""
    return tuple([getattr(a, "aval", None) or type(a) for a in arrays])


def _types(arrays):
    leaves, tree = jax.tree.flatten(arrays)
    return tree, *map(jax.typeof, leaves)


def _is_here(array):
    """Whether it lies where NumPy's results are put: on the default device, and not because it was sent there."""
    return not isinstance(array, jax.Array) or not isinstance(array, Tracer) and not array.committed


def _moves_elements(closed):
    """Whether a program scatters, or transposes among other work."""
    names = [site.name for site in sites(closed)]
    return any(name.startswith("scatter") for name in names) or "transpose" in names and len(names) > 1


def compile_at_once(who: Any, on: bool = True):
    """Turn off NumPy for first calls while `who` wants it: a profile shows programs under the names of operators."""
    if on:
        _at_once.append(who)
    elif who in _at_once:
        _at_once.remove(who)


# --- ahead of need
@functools.cache
def _compilers():
    """Threads that compile while Python goes on: XLA does not hold the GIL. One core stays for Python."""
    return concurrent.futures.ThreadPoolExecutor(_THREADS, thread_name_prefix="msjax-compile")


def finish_compiling():
    """Wait until nothing is compiled in other threads any more."""
    all_are_free = threading.Barrier(_THREADS + 1)
    for _ in range(_THREADS):
        _compilers().submit(all_are_free.wait)
    all_are_free.wait()


def compile_ahead(jitted: "Callable | _Program", arrays: Sequence):
    """Start to compile an `eager_jit` function for these arrays in another thread; returns a Future to wait for before
    the call, or None.
    """
    ahead = getattr(jitted, "ahead", None)
    if ahead is None or not shares_compilation() or any(isinstance(a, Tracer) for a in jax.tree.leaves(arrays)):
        return None
    try:
        compiling = ahead(*arrays)
    except Exception:  # a function without gradient: the call says so, if it comes
        return None
    return _compilers().submit(compiling)

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
    plain = jax.jit(fn)
    few, ready = {}, set()  # by the types of the arrays; kinds of arrays whose calls need no look at `few`
    careful = {}  # kinds of arrays -> the program without fusions, where one would overwrite what it reads

    def choose(*arrays):
        """The first call outside of jax traces."""
        if trace_state() != eager_state():
            return plain(*arrays)
        start(arrays)
        return call(*arrays)

    def start(arrays):
        """Choose the options; not when msjax is imported, for that starts no device."""
        nonlocal chosen, options
        computes(ready.clear)
        if present_device() != "CPU":
            chosen = plain
            return
        cheap = heavy or not _moves_elements(plain.trace(*arrays).jaxpr)
        options = eager_options.cheap() if cheap else eager_options.whole()
        chosen = jax.jit(fn, compiler_options=options)

    def as_few(arrays):
        """The `_Few` for these arrays, or None if a program is to be compiled at once."""
        types = _types(arrays)
        calls = few.get(types)
        if calls is None:
            found = by_numpy.plan(chosen.trace(*arrays))
            if found is not None:
                with _turns:
                    while len(few) >= _MOST_FEW:
                        del few[next(iter(few))]  # the oldest
                    calls = few.setdefault(types, _Few(found))
        return calls

    def let_pass(kinds, traced, lower):
        """From now on, calls with arrays of these kinds run the program."""
        # before JAX 0.10 the look would compile each program twice
        other = shared_buffers.unfused(traced, lower, options) if shares_compilation() else None
        if len(ready) + len(careful) >= _MOST_READY:
            ready.clear()
            careful.clear()
        if other is None:
            ready.add(kinds)
        else:
            careful[kinds] = jax.jit(fn, compiler_options=other)

    def to_program(kinds, arrays):
        """Trace the program for these arrays, decide whether it may run without checks, and return the function that serves them."""
        traced = chosen.trace(*arrays)
        let_pass(kinds, traced, traced.lower)
        return careful.get(kinds, chosen)

    def first_calls(arrays):
        refuse_if_forked()
        if chosen is choose or chosen is plain or trace_state() != eager_state():
            return (choose if chosen is choose else plain)(*arrays)
        kinds = _kinds(arrays)
        if kinds in careful:
            return careful[kinds](*arrays)
        calls = as_few(arrays)
        if calls is None:
            return to_program(kinds, arrays)(*arrays)
        if _at_once or not all(map(_is_here, jax.tree.leaves(arrays))):
            return chosen(*arrays)
        calls.left -= 1
        if calls.left < 0:
            if calls.begin():
                calls.compiling = _compilers().submit(chosen.trace(*arrays).lower().compile)
            compiling = calls.compiling  # None where another thread is about to begin
            if not shares_compilation() or compiling is not None and compiling.done():
                with _turns:
                    few.pop(_types(arrays), None)
                return to_program(kinds, arrays)(*arrays)
        return calls.by_numpy(*arrays)

    def call(*arrays):
        # asked before the call: an exception in a call's trace would have JAX take its slow path for all later ones (60 us instead of 4)
        if _kinds(arrays) not in ready:
            return first_calls(arrays)
        try:
            return chosen(*arrays)
        except ValueError:
            if trace_state() == eager_state():
                raise
            return plain(*arrays)  # within a jax trace a program cannot have compiler options of its own

    def ahead(*arrays):
        """The function that compiles the program for these arrays, or None if no program is needed yet."""
        if chosen is choose:
            start(arrays)
        kinds = _kinds(arrays)
        known = chosen is plain or kinds in ready
        if not known and (kinds in careful or as_few(arrays) is not None):
            return None
        traced = chosen.trace(*arrays)
        lowered = traced.lower()  # here: Python and its settings are this thread's

        def compiling():
            lowered.compile()
            if not known:
                let_pass(kinds, traced, lambda: lowered)

        return compiling

    chosen, options = choose, None
    run = wide_unless_owned(call)
    run.ahead = wide(ahead)
    return run


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

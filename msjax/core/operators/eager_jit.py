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

import jax

from ..compat import Tracer, eager_state, shares_compilation, trace_state
from ..settings.context import present_device
from . import by_numpy, eager_options

CALLS_BY_NUMPY = 8  # with arrays of the same types: a program of XLA's would pay after some hundred
_MOST_KINDS = 256  # of arrays that an operator's calls are counted for
_MOST_SEEN = 4096
_THREADS = max(1, min(4, (os.cpu_count() or 2) - 1))  # that compile
_COMPILED = object()
_at_once = []  # who asks for programs from the first call on: see `compile_at_once`


class _NewShape(Exception):
    """Raised in a trace: such arrays were not seen before."""


_admitting = threading.local()  # .now: what this thread traces may be new


class _Few:
    """Calls with one kind of arrays, as long as they are few: by NumPy. Then a program is compiled beside them, and takes over when it is there."""

    __slots__ = ("by_numpy", "left", "compiling")

    def __init__(self, by_numpy):
        self.by_numpy, self.left, self.compiling = by_numpy, CALLS_BY_NUMPY, None


def eager_jit(fn, heavy):
    """`jax.jit(fn)` for eager calls.

    heavy: its time goes to library calls (convolutions, products), not to loops.
    """
    plain = jax.jit(fn)
    few, seen = {}, set()  # by the types of the arrays

    def noticing(*arrays):
        types = _types(arrays)
        if getattr(_admitting, "now", False):
            seen.add(types)
        elif types not in seen:
            raise _NewShape
        return fn(*arrays)

    noticing.__name__ = noticing.__qualname__ = fn.__name__

    def choose(*arrays):
        """The first call outside of jax traces."""
        if trace_state() != eager_state():
            return plain(*arrays)
        start(arrays)
        return call(*arrays)

    def start(arrays):
        """Choose the options; not when msjax is imported, for that starts no device."""
        nonlocal chosen
        if present_device() != "CPU":
            chosen = plain
            return
        cheap = heavy or not _moves_elements(plain.trace(*arrays).jaxpr)
        chosen = jax.jit(noticing, compiler_options=eager_options.cheap() if cheap else eager_options.whole())

    def first_call(arrays):
        """What is known of arrays of such types that came for the first time: a `_Few`, or None where a program is to be compiled at once."""
        types = _types(arrays)
        while len(few) >= _MOST_KINDS:
            oldest = next(iter(few))
            few.pop(oldest, None)
            seen.discard(oldest)
        if len(seen) >= _MOST_SEEN:
            seen.clear()  # what is compiled is not asked for again
        seen.add(types)
        _admitting.now = True
        try:
            traced = chosen.trace(*arrays)
        finally:
            _admitting.now = False
        found = by_numpy.plan(traced)
        if found is not None:
            found = few[types] = _Few(found)
        return found

    def run_few(arrays):
        """The result by NumPy, or `_COMPILED`."""
        types = _types(arrays)
        calls = few.get(types)
        if calls is None or _at_once or not all(map(_is_here, jax.tree.leaves(arrays))):
            return _COMPILED
        calls.left -= 1
        if calls.left < 0:
            if calls.compiling is None:
                calls.compiling = _compilers().submit(chosen.trace(*arrays).lower().compile)
            if not shares_compilation() or calls.compiling.done():
                few.pop(types, None)
                return _COMPILED
        return calls.by_numpy(*arrays)

    def call(*arrays):
        if few and (out := run_few(arrays)) is not _COMPILED:
            return out
        try:
            return chosen(*arrays)
        except _NewShape:
            if trace_state() != eager_state():
                return plain(*arrays)
            first_call(arrays)
            return call(*arrays)
        except ValueError:
            if trace_state() == eager_state():
                raise
            return plain(*arrays)  # within a jax trace a program cannot have compiler options of its own

    def ahead(*arrays):
        """What compiles the program for such arrays, or None where none is needed yet."""
        if chosen is choose:
            start(arrays)
        if chosen is not plain:
            types = _types(arrays)
            if types in few or types not in seen and first_call(arrays) is not None:
                return None
        return chosen.trace(*arrays).lower().compile

    chosen = choose
    call.ahead = ahead
    return call


def _types(arrays):
    leaves, tree = jax.tree.flatten(arrays)
    return tree, *map(jax.typeof, leaves)


def _is_here(array):
    """Whether it lies where NumPy's results are put: on the default device, and not because it was sent there."""
    return not isinstance(array, jax.Array) or not isinstance(array, Tracer) and not array.committed


def _moves_elements(closed):
    """Whether a program scatters, or transposes among other work."""
    names = [eqn.primitive.name for eqn in closed.jaxpr.eqns]
    nested = [eqn.params["jaxpr"] for eqn in closed.jaxpr.eqns if hasattr(eqn.params.get("jaxpr"), "jaxpr")]
    scatters = any(name.startswith("scatter") for name in names)
    return scatters or "transpose" in names and len(names) > 1 or any(map(_moves_elements, nested))


def compile_at_once(who, on=True):
    """Let no call be computed by NumPy while `who` wants it so: a profile shows programs, under the names of operators."""
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


def compile_ahead(jitted, arrays):
    """Begin to compile what `eager_jit` gave for such arrays, in another thread: a Future, to be waited for before the call; or None."""
    ahead = getattr(jitted, "ahead", None)
    if ahead is None or not shares_compilation() or any(isinstance(a, Tracer) for a in jax.tree.leaves(arrays)):
        return None
    try:
        compiling = ahead(*arrays)
    except Exception:  # a function without gradient: the call says so, if it comes
        return None
    return _compilers().submit(compiling)

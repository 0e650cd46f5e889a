"""`jax.jit` for the operators of eager code, with XLA's cheaper code generator where compiling costs more than it gains.

Eager programs are small: a loop over elements, or a library call between a few copies. On the CPU XLA writes each loop through its fusion
emitters (MLIR passes, then LLVM: 40 to 60 ms a kernel); the older emitter takes half of that or less, gives the same bits, and the
program runs as fast. Its kernels are slower where elements change places: scatters (2 times), transposes fused with other work (up to 11
times). A program that is not divided for threads takes LLVM a tenth less.
"""

import concurrent.futures
import functools
import os

import jax

from ..compat import Tracer, eager_state, known_options, shares_compilation, trace_state
from ..settings.context import present_device

_WHOLE = {"xla_cpu_parallel_codegen_split_count": 1}
_CHEAP = {"xla_cpu_use_fusion_emitters": False, **_WHOLE}


def eager_jit(fn, heavy):
    """`jax.jit(fn)` for eager calls.

    heavy: its time goes to library calls (convolutions, products), not to loops.
    """
    plain = jax.jit(fn)

    def choose(*arrays):
        """The first call outside of jax traces."""
        nonlocal chosen
        if trace_state() != eager_state():
            return plain(*arrays)
        chosen = options_for(arrays)
        return chosen(*arrays)

    def options_for(arrays):
        """Chosen at the first call: importing starts no device."""
        if present_device() != "CPU":
            return plain
        cheap = heavy or not _moves_elements(plain.trace(*arrays).jaxpr)
        return jax.jit(fn, compiler_options=known_options(_CHEAP if cheap else _WHOLE))

    def call(*arrays):
        try:
            return chosen(*arrays)
        except ValueError:
            if trace_state() == eager_state():
                raise
            return plain(*arrays)  # within a jax trace a program cannot have compiler options of its own

    def ahead(*arrays):
        """What compiles the program for such arrays."""
        nonlocal chosen
        if chosen is choose:
            chosen = options_for(arrays)
        return chosen.trace(*arrays).lower().compile

    chosen = choose
    call.ahead = ahead
    return call


def _moves_elements(closed):
    """Whether a program scatters, or transposes among other work."""
    names = [eqn.primitive.name for eqn in closed.jaxpr.eqns]
    nested = [eqn.params["jaxpr"] for eqn in closed.jaxpr.eqns if hasattr(eqn.params.get("jaxpr"), "jaxpr")]
    scatters = any(name.startswith("scatter") for name in names)
    return scatters or "transpose" in names and len(names) > 1 or any(map(_moves_elements, nested))


# --- ahead of need
@functools.cache
def _compilers():
    """Threads that compile while Python goes on: XLA does not hold the GIL. One core stays for Python."""
    count = max(1, min(4, (os.cpu_count() or 2) - 1))
    return concurrent.futures.ThreadPoolExecutor(count, thread_name_prefix="msjax-compile")


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

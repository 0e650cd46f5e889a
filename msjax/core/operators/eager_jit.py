"""`jax.jit` for the operators of eager code, with XLA's cheaper code generator where compiling costs more than it gains.

A program of one convolution or normalization is a library call between a few copies. On the CPU XLA writes each copy through its
fusion emitters (MLIR passes, then LLVM: 40 to 60 ms a kernel); the older emitter takes a third of that and the program runs as fast:
the first eager step of a ResNet-18 took 15.2 s of CPU with the one, 8.7 s with the other.
"""

import jax

from ..compat import eager_state, trace_state
from ..settings.context import present_device

_CHEAP = {"xla_cpu_use_fusion_emitters": False}


def eager_jit(fn, heavy):
    """`jax.jit(fn)` for eager calls.

    heavy: the operator runs long enough (residuals are saved for its backward) that looking for an outside jax trace does not show. Only
    outside of any can a program have compiler options of its own.
    """
    if not heavy or present_device() != "CPU":
        return jax.jit(fn)
    alone, nested = jax.jit(fn, compiler_options=_CHEAP), jax.jit(fn)

    def call(*arrays):
        return (alone if trace_state() == eager_state() else nested)(*arrays)

    return call

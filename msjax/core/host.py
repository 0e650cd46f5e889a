"""The process in which msjax runs: a host's, in which it is a guest, or its own.

In a host process (`import msjax` in any program) nothing of the process is changed by importing. JAX's types of 64 bits, which
MindSpore's semantics need, are on in msjax's own calls alone: each operator of eager code, each call of a Cell or a compiled function,
each gradient; so a user's `jnp.ones(3)` is what the user's settings of JAX say, and in `construct` it is what MindSpore says.

Under `python -m msjax` the process is msjax's own: 64 bits are on for all of it, at no cost for a call; compiled programs are kept
between runs, errors are shown without JAX's frames, and the garbage collector passes over what was imported.
"""

import functools
import gc
import logging
import os
from collections.abc import Callable

import jax

from .compat import leave_64_bits, take_64_bits
from .process import shared


def is_owned():
    """Whether the process is msjax's own."""
    return shared.owned


def own():
    """Declare the process msjax's own, before its first computation, as `python -m msjax` does. It cannot be undone."""
    if shared.owned:
        return
    shared.owned = True
    jax.config.update("jax_enable_x64", True)
    if "JAX_TRACEBACK_FILTERING" not in os.environ:
        # Errors are shown by alias/tracebacks.py, without JAX's frames. JAX's own filter would do it again, and takes
        # milliseconds for each error that passes through a trace, caught or not.
        jax.config.update("jax_traceback_filtering", "off")
    # JAX reports of each function that it traces, and XLA compiles, to a program whose own root logger asks for all; MindSpore's compiler
    # reports nothing to Python's loggers. Whoever asks for JAX's, by JAX_LOGGING_LEVEL or for this logger, has them.
    logger = logging.getLogger("jax")
    if logger.level == logging.NOTSET and jax.config.jax_logging_level in (None, "", "NOTSET"):
        logger.setLevel(logging.WARNING)
    if not gc.get_freeze_count():
        _freeze()


def _freeze():
    """Exempt the modules imported so far from garbage collection: the first full collection would walk all of JAX in
    the middle of the first step.
    """
    gc.freeze()
    frozen = gc.get_freeze_count()

    def thaw(phase, info):
        """After it all is as if nothing had been frozen, unless the user has frozen more."""
        if phase == "stop" and info["generation"] == 2:
            gc.callbacks.remove(thaw)
            if gc.get_freeze_count() <= frozen:
                gc.unfreeze()

    gc.callbacks.append(thaw)


class Wide:
    """`with Wide():` JAX's types of 64 bits are on in this thread; afterwards all is as it was."""

    __slots__ = ("before",)

    def __enter__(self):
        self.before = take_64_bits()

    def __exit__(self, *error):
        leave_64_bits(self.before)


def wide(fn: Callable):
    """`fn`, within which JAX's types of 64 bits are on."""

    @functools.wraps(fn)
    def call(*args, **kwargs):
        before = take_64_bits()
        try:
            return fn(*args, **kwargs)
        finally:
            leave_64_bits(before)

    return call


def wide_unless_owned(fn: Callable):
    """The same for a function of arrays that is called for each operator of eager code; in a process of our own it is `fn` itself."""
    if shared.owned:
        return fn

    def call(*arrays):
        before = take_64_bits()
        try:
            return fn(*arrays)
        finally:
            leave_64_bits(before)

    return call


def computes(forget: Callable | None = None):
    """JAX is about to compute in this process. `forget` is called in each process that is forked from it."""
    if not shared.computes and hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_in_child)
    shared.computes = True
    if forget is not None and forget not in shared.forgetting:
        shared.forgetting.append(forget)


def _in_child():
    shared.forked = True
    for forget in shared.forgetting:
        forget()


def refuse_if_forked():
    """A process that was forked after JAX has computed lacks JAX's threads, and would wait for them without end.

    Raises:
        RuntimeError: this is such a process.
    """
    if shared.forked:
        raise RuntimeError(
            f"The process {os.getpid()} was forked from a process in which JAX had already computed. Threads do not survive a fork, so a "
            "computation would hang. Call multiprocessing.set_start_method('spawn') at the start of the program, or fork before anything "
            "is computed. Code that uses NumPy only, such as datasets, works in a forked process."
        )

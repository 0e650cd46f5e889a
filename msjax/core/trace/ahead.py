"""The first call of a program compiles it, in minutes for a large one. XLA does not listen to Ctrl-C; so another thread compiles, and the
main thread waits in a way that Ctrl-C ends.
"""

import atexit
import contextlib
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..operators.shared_buffers import _Program

_LOOK = 0.2  # seconds; Windows notices Ctrl-C between waits only
_left = []  # threads that nobody waits for any more


def compile_interruptibly(program: "_Program", arguments: tuple):
    """Compile a `jax.jit` function, or one like it, for these arguments, so that its next call finds the program; an error is left to that call.

    A program that keeps what it runs itself is given it (`take`). Ctrl-C raises KeyboardInterrupt at once. The thread then ends its compilation unheard.
    """
    lower = getattr(program, "lower", None)
    if lower is None or threading.current_thread() is not threading.main_thread():
        return
    done = threading.Event()

    def work(lowered):
        try:
            with contextlib.suppress(Exception):  # the call that follows meets it again, and tells it
                getattr(program, "take", _nothing)(lowered.compile())
        finally:
            done.set()

    with contextlib.suppress(Exception):
        lowered = lower(*arguments)
        thread = threading.Thread(target=work, args=(lowered,), daemon=True, name="msjax-compile")
        thread.start()
        try:
            while not done.wait(_LOOK):
                continue
        except BaseException:
            _left.append(thread)
            raise


def _nothing(compiled):
    """JAX finds it by itself."""


@atexit.register
def _leave():
    """End the process where a thread still compiles: XLA aborts when Python ends under it.

    A program that ends by an error ends at once, with the exit code that Python gives. Another one waits for the compiler.
    """
    compiling = [thread for thread in _left if thread.is_alive()]
    error = getattr(sys, "last_value", None)
    if not compiling or error is None:
        for thread in compiling:
            thread.join()
        return
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    if isinstance(error, KeyboardInterrupt):  # as Python ends: by the signal
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    os._exit(1)

"""Python's own parser, by one thread at a time."""

import ast
import threading

_lock = threading.RLock()  # the collector may run code that parses, too
_TRIES = 5


def parse(text: str, filename: str = "<unknown>", mode: str = "exec"):
    """`ast.parse`, thread-safe. CPython 3.11 shares the recursion depth of the parser between threads, so two parses at
    once can end in a SystemError: a lock keeps our own threads apart, and a parse that other code disturbs is repeated.
    """
    with _lock:
        for _ in range(_TRIES - 1):
            try:
                return ast.parse(text, filename, mode)
            except SystemError:
                continue
        return ast.parse(text, filename, mode)

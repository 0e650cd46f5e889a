"""Python's own parser, by one thread at a time."""

import ast
import threading

_lock = threading.RLock()  # the collector may run code that parses, too
_TRIES = 5


def parse(text: str, filename: str = "<unknown>", mode: str = "exec"):
    """`ast.parse`. In CPython 3.11 a thread that parses while another does can end in a SystemError (its depth of recursion is counted
    for all together): the lock keeps our own threads apart, and what other code parses meanwhile is tried again."""
    with _lock:
        for _ in range(_TRIES - 1):
            try:
                return ast.parse(text, filename, mode)
            except SystemError:
                continue
        return ast.parse(text, filename, mode)

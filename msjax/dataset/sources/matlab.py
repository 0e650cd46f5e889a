"""Arrays in MATLAB's files, by SciPy, in a process of its own: its reader crashes over some damaged files."""

import atexit
import contextlib
import json
import math
import os
import struct
import subprocess
import sys
import threading
from typing import Any

import numpy as np

from ...files.archives import unpack_limit
from . import matlab_process
from .base import expect_file

_lock = threading.Lock()
_readers: list["_Reader"] = []  # at most one that this process uses, the last
_of_parents: list[
    "_Reader"
] = []  # those of the process that this one was forked from: kept, so that they are not waited for


class _Refused(ValueError):
    """What SciPy said against a file."""


class _Reader:
    """The process that reads, and lives on between files."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, matlab_process.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},  # each thread reserves memory
        )
        self.tell(list(sys.path))

    def tell(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def frame(self, most):
        """Bytes of the next frame; EOFError where the process ended, ValueError where it is longer than allowed."""
        (size,) = struct.unpack("<Q", self.exactly(8))
        if size > most:
            raise ValueError(f"it has {size} bytes, more than {most}")
        return self.exactly(size)

    def exactly(self, size):
        found = self.process.stdout.read(size)
        if len(found) < size:
            raise EOFError
        return found

    def close(self):
        """Ends the process."""
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):  # what it has not read
            self.process.stdin.close()
        self.process.stdout.close()


def _reader():
    if not _readers:
        _readers.append(_Reader())
        atexit.register(close)
    return _readers[-1]


def close():
    """End the process that reads, if there is one; the next file starts another."""
    atexit.unregister(close)
    while _readers:
        _readers.pop().close()


def _forget():
    global _lock
    _lock = threading.Lock()
    _of_parents.extend(_readers)
    _readers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def read_matlab(path: str, what: str, wanted: Any):
    """An array of a MATLAB file; structures have a field for each name, cells are arrays of objects, sparse arrays become dense ones.

    Args:
        path (str): the file. what (str): what was expected there. wanted (str): name of the array.

    Raises:
        RuntimeError: the file is missing, damaged or too large, or has no such array.
    """
    path = expect_file(path, what)
    most = unpack_limit(os.path.getsize(path))
    with _lock:
        try:
            return _asked(_reader(), os.path.abspath(path), wanted, most)
        except _Refused as error:
            reason, cause = str(error), error
        except (EOFError, OSError) as error:
            code = _readers[-1].process.wait() if _readers else None
            reason, cause = f"SciPy's reader crashed over it, with exit code {code}", error
            close()
        except (ValueError, TypeError, LookupError) as error:
            reason, cause = repr(error), error
            close()  # what is left of its answer must not be taken for the next
        except BaseException:
            close()
            raise
    raise RuntimeError(f"Invalid file, {path} is damaged: {what} was expected there ({reason}).") from cause


def _asked(reader, path, wanted, most):
    reader.tell({"path": path, "name": wanted, "most": most})
    head = json.loads(reader.frame(most))
    if "error" in head:
        raise _Refused(head["error"])
    return _built(head, reader, most)


def _built(head, reader, most):
    """The array that a head describes, of the frames that follow."""
    shape = tuple(head["shape"])
    if "fields" in head:
        array = np.empty(shape, [(name, object) for name in head["fields"]])
        for name, field in head["fields"].items():
            array[name] = _built(field, reader, most)
        return array
    if "items" in head:
        array = np.empty(math.prod(shape), object)
        for i, item in enumerate(head["items"]):
            array[i] = _built(item, reader, most)
        return array.reshape(shape)
    array = np.frombuffer(reader.frame(most), np.dtype(head["dtype"])).reshape(shape)
    return array.copy()

"""What the process that reads MATLAB's files runs: SciPy's reader crashes over some damaged files, and takes this process with it.

Started by path, in a fresh interpreter. It takes one line of JSON for each array (path, name, the most bytes it may take) and answers with a
frame: the length of a head, the head (JSON), and the bytes of the arrays that the head describes. An end of its input ends it.
"""

import json
import os
import struct
import sys
from typing import Any

BESIDE = 256 << 20  # bytes that reading takes besides the arrays: what was imported, and SciPy's own copies


def _bound_memory(most):
    """No allocation beyond `most` bytes from now on; SciPy then raises MemoryError."""
    try:
        import resource
    except ImportError:  # Windows
        return
    with open("/proc/self/statm") if os.path.exists("/proc/self/statm") else open(os.devnull) as file:
        pages = file.read().split()
    used = int(pages[5]) * resource.getpagesize() if pages else 1 << 30
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = used + BESIDE + most
    resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def plain(value: Any, buffers: list):
    """A description of an array for JSON; the bytes of its numbers go to `buffers`. Sparse arrays become dense ones."""
    import numpy as np

    if hasattr(value, "toarray"):
        value = value.toarray()
    array = np.asarray(value)
    if array.dtype.names:
        fields = {name: plain(array[name], buffers) for name in array.dtype.names}
        return {"shape": array.shape, "fields": fields}
    if array.dtype.kind == "O":
        return {"shape": array.shape, "items": [plain(item, buffers) for item in array.reshape(-1)]}
    if array.dtype.kind not in "biufcSU":
        raise TypeError(f"it has elements of {array.dtype}")
    buffers.append(np.ascontiguousarray(array).tobytes())
    return {"shape": array.shape, "dtype": array.dtype.str}


def _read(path, name, most):
    """(description, buffers) of an array; what the file says of its sizes is held against the bound first."""
    import math

    from scipy.io import loadmat, whosmat

    sizes = {each: math.prod(shape) for each, shape, _ in whosmat(path)}
    if sizes.get(name, 0) > most:
        raise ValueError(f"its array '{name}' has {sizes[name]} elements, the file {os.path.getsize(path)} bytes")
    buffers: list = []
    return plain(loadmat(path, variable_names=[name])[name], buffers), buffers


def _serve():
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not come between the answers
    sys.path[:] = json.loads(sys.stdin.buffer.readline())
    import scipy.io  # noqa: F401

    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            _bound_memory(3 * asked["most"])
            description, buffers = _read(asked["path"], asked["name"], asked["most"])
        except Exception as error:  # SciPy raises whatever it meets in a damaged file
            description, buffers = {"error": f"{type(error).__name__}({str(error)[:500]!r})"}, []
        head = json.dumps(description).encode()
        answers.write(struct.pack("<Q", len(head)) + head)
        for buffer in buffers:
            answers.write(struct.pack("<Q", len(buffer)) + buffer)
        answers.flush()


if __name__ == "__main__":
    _serve()

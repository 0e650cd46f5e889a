"""The program of a worker process: takes tasks from a socket, sends results back.

Started by path, in a fresh interpreter, never by a fork. The packages are put in place without running their
`__init__`, so that the parts of the dataset package that a function needs come in without JAX and without the rest;
only a user function that imports mindspore brings that in.
"""

import importlib
import importlib.util
import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
import types
from multiprocessing.connection import Connection
from typing import Any

SECRET = "MSJAX_WORKER_SECRET"  # a variable of the environment


def send(connection: Any, content: str):
    """Sends an object; its arrays go after it, not through the pickle."""
    buffers = []
    data = pickle.dumps(content, 5, buffer_callback=buffers.append)
    raws = [buffer.raw() for buffer in buffers]
    connection.send_bytes(struct.pack(f"<{len(raws) + 1}Q", len(data), *(raw.nbytes for raw in raws)))
    connection.send_bytes(data)
    for raw in raws:
        connection.send_bytes(raw)


def receive(connection: Any):
    """The object that the other side sent, with writable arrays."""
    header = connection.recv_bytes()
    sizes = struct.unpack(f"<{len(header) // 8}Q", header)
    data = connection.recv_bytes()
    buffers = []
    for size in sizes[1:]:
        buffer = bytearray(size)
        if size:
            connection.recv_bytes_into(buffer)
        else:
            connection.recv_bytes()
        buffers.append(buffer)
    return pickle.loads(data, buffers=buffers)


class _AliasOnDemand:
    """Finder that makes `import mindspore` mean msjax the first time it is asked for."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] != "mindspore":
            return None
        sys.meta_path.remove(cls)
        sys.modules["msjax"].install()
        return importlib.util.find_spec(name)


def _light_package(name, folder):
    """Puts the package `name` in `sys.modules`.

    Its parts can be imported one by one; when one of its other names is asked for, it is loaded in earnest.
    """
    parts = {"core", "dataset", "mindrecord"}
    if "." in name:
        parts = {file.partition(".")[0] for file in os.listdir(folder)}
    package = types.ModuleType(name)
    package.__path__ = [folder]
    package.__file__ = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location(name, package.__file__, submodule_search_locations=[folder])
    package.__spec__ = spec

    def load(attribute):
        if attribute.startswith("__") or "__getattr__" not in vars(package):
            raise AttributeError(f"module '{name}' has no attribute {attribute!r}")
        if attribute in parts and importlib.util.find_spec(f"{name}.{attribute}") is not None:
            return importlib.import_module(f"{name}.{attribute}")
        del package.__getattr__
        spec.loader.exec_module(package)
        return getattr(package, attribute)

    package.__getattr__ = load
    sys.modules[name] = package
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, package)


def _connected(handle):
    """The connection to the parent: a descriptor that was inherited, or "port N", which is called."""
    if handle.isdigit():
        return Connection(int(handle))
    import socket

    called = socket.create_connection(("127.0.0.1", int(handle.split()[1])), 60)
    called.settimeout(None)
    called.sendall(bytes.fromhex(os.environ.pop(SECRET)))
    return Connection(called.detach())


def main(handle: Any):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair: it closes the socket
    connection = _connected(handle)
    setup = receive(connection)
    sys.path[:] = setup["path"]
    sys.argv[:] = setup["argv"]
    _light_package("msjax", setup["package"])
    for name in ("dataset", "dataset.engine"):
        _light_package(f"msjax.{name}", os.path.join(setup["package"], *name.split(".")))
    sys.meta_path.insert(0, _AliasOnDemand)

    tasks = queue.SimpleQueue()

    def read():
        # Tasks are read while one is worked on: else both sides could wait for the other to read.
        try:
            while True:
                tasks.put(receive(connection))
        except (EOFError, OSError):
            os._exit(0)  # the parent is gone or has closed the pipeline

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    work = None
    while True:
        task = tasks.get()
        started = time.perf_counter()
        try:
            if work is None:
                work = pickle.loads(setup["work"])
            reply = ("done", work(task), time.perf_counter() - started)
        except BaseException as err:
            reply = _failure(err)
        try:
            send(connection, reply)
        except (BrokenPipeError, ConnectionResetError):
            os._exit(0)
        except Exception as err:  # what the function gave cannot be pickled
            send(connection, _failure(err))


def _failure(err):
    import traceback

    text = str(err) if hasattr(err, "row_number") else "".join(traceback.format_exception(err))
    return "failed", text, getattr(err, "row_number", None)


if __name__ == "__main__":
    main(sys.argv[1])

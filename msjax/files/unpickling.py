"""The only place of the package that reads pickles from files. It builds plain containers, and the classes in the
caller's table.

The interpreter of opcodes is the standard library's own in Python, and not the one in C, which allocates what an opcode announces before it
looks whether it is there. What a pickle asks for is a key of a closed table; of NumPy's arrays it gets ours, made from dtype, shape and
bytes: NumPy's own `__setstate__` believes flags that a file may set as it likes.
"""

import collections
import io
import math
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

__all__ = ["NUMPY", "PickledArray", "Refused", "unpickle"]


class Refused(pickle.UnpicklingError):
    """A pickle asks for a class or an operation that is not allowed."""


class PickledDtype:
    """A dtype in a pickle: its letters, and later its byte order."""

    def __init__(self, text: bytes, *_):
        text = text.decode("latin-1") if isinstance(text, bytes) else text
        if not isinstance(text, str) or len(text) > 12:
            raise Refused(f"{str(text)[:32]!r} is not a dtype of numbers or text")
        try:
            self.value = np.dtype(text)
        except TypeError:
            raise Refused(f"{text!r} is not a dtype") from None
        if self.value.kind not in "biufcSU" or self.value.subdtype is not None:
            raise Refused(f"the dtype {text!r} holds something other than numbers and text")

    def set_state(self, state: Any):
        """Take the byte order of NumPy's state (version, order, sub-array, names, fields, ...); more than that is refused."""
        if not isinstance(state, tuple) or len(state) < 5 or any(part is not None for part in state[2:5]):
            raise Refused("a dtype with fields")
        order = state[1].decode("latin-1") if isinstance(state[1], bytes) else state[1]
        if order not in ("<", ">", "=", "|"):
            raise Refused(f"{str(order)[:8]!r} is not a byte order")
        self.value = self.value.newbyteorder(order)


class PickledArray:
    """An array in a pickle; `np.asarray` gives the array."""

    def __init__(self, *_):
        self.value = np.empty(0)

    def set_state(self, state: Any):
        """Take NumPy's state: (version, shape, dtype, whether in Fortran's order, bytes)."""
        if not isinstance(state, tuple) or len(state) != 5:
            raise Refused("an array whose state is not NumPy's")
        _, shape, kind, fortran, content = state
        self.value = _array(content, kind, shape, "F" if fortran else "C")

    def __array__(self, dtype=None, copy=None):
        return np.array(self.value, dtype=dtype, copy=copy)


def _array(content, kind, shape, order="C"):
    if isinstance(content, str):  # how Python 2 wrote bytes
        content = content.encode("latin-1")
    if not isinstance(content, (bytes, bytearray)) or not isinstance(kind, PickledDtype):
        raise Refused("an array that is not made of bytes and a dtype")
    if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape) or len(shape) > 32:
        raise Refused("an array whose shape is not a tuple of lengths")
    if math.prod(shape) * kind.value.itemsize != len(content):
        raise Refused(f"an array of shape {shape} and {kind.value} in {len(content)} bytes")
    return (
        np.frombuffer(content, kind.value).reshape(shape, order=order) if len(content) else np.empty(shape, kind.value)
    )


def _from_buffer(content, kind, shape, order):
    made = PickledArray()
    made.value = _array(content, kind, shape, "F" if order == "F" else "C")
    return made


def _encode(text, coding):
    """Bytes of Python 3 in a pickle of protocol 2."""
    if coding not in ("latin1", "latin-1") or not isinstance(text, str):
        raise Refused(f"the coding {str(coding)[:16]!r}")
    return text.encode("latin-1")


class _ArrayKind:
    """Stands where a pickle says that it wants a plain `numpy.ndarray`."""


# what arrays, dtypes and numbers of NumPy are made of
NUMPY = {
    ("numpy", "ndarray"): _ArrayKind,
    ("numpy", "dtype"): PickledDtype,
    ("_codecs", "encode"): _encode,
    ("__builtin__", "bytes"): lambda: b"",  # the empty one, in protocol 2
    ("builtins", "bytes"): lambda: b"",
} | {
    (f"numpy.{core}.{module}", name): make
    for core in ("core", "_core")
    for module, name, make in (
        ("multiarray", "_reconstruct", PickledArray),
        ("multiarray", "scalar", lambda kind, content: _array(content, kind, ())[()]),
        ("numeric", "_frombuffer", _from_buffer),
    )
}


class _Unpickler(pickle._Unpickler):
    """Reads containers, text, numbers, and the classes of the table."""

    dispatch = dict(pickle._Unpickler.dispatch)

    def __init__(self, stream, allowed, load, encoding):
        super().__init__(stream, encoding=encoding)
        self.allowed, self.persistent = allowed, load

    def find_class(self, module, name):
        try:
            return self.allowed[module, name]
        except (KeyError, TypeError):
            raise Refused(f"it asks for {module}.{name}, which is not plain data") from None

    def persistent_load(self, about):
        if self.persistent is None:
            raise Refused("it refers to something outside the file")
        return self.persistent(about)

    def _call(self):
        """REDUCE: only functions of the table are called."""
        args, function = self.stack.pop(), self.stack.pop()
        if not isinstance(args, tuple) or not any(function is made for made in self.allowed.values()):
            raise Refused("it calls a function that is not part of plain data")
        self.append(function(*args))

    def _build(self):
        """BUILD: dtypes and arrays take their state; the notes that PyTorch hangs on a dict are left out."""
        state, made = self.stack.pop(), self.stack[-1]
        if isinstance(made, (PickledArray, PickledDtype)):
            made.set_state(state)
        elif not isinstance(made, collections.OrderedDict):
            raise Refused(f"it sets the state of a {type(made).__name__}")

    def _new(self):
        """NEWOBJ: as REDUCE."""
        self._call()

    def _refuse(self):
        raise Refused("it makes objects in a way that plain data does not need")

    def _append_one(self):
        """APPEND."""
        value = self.stack.pop()
        self._list().append(value)

    def _append_many(self):
        """APPENDS."""
        values = self.pop_mark()
        self._list().extend(values)

    def _list(self):
        if type(self.stack[-1]) is not list:
            raise Refused(f"it appends to a {type(self.stack[-1]).__name__}")
        return self.stack[-1]

    def _set_one(self):
        """SETITEM."""
        value, key = self.stack.pop(), self.stack.pop()
        self._dict()[key] = value

    def _set_many(self):
        """SETITEMS."""
        items = self.pop_mark()
        self._dict().update(zip(items[::2], items[1::2], strict=True))

    def _dict(self):
        if not isinstance(self.stack[-1], dict):
            raise Refused(f"it sets items of a {type(self.stack[-1]).__name__}")
        return self.stack[-1]

    dispatch |= {
        pickle.REDUCE[0]: _call,
        pickle.BUILD[0]: _build,
        pickle.NEWOBJ[0]: _new,
        pickle.APPEND[0]: _append_one,
        pickle.APPENDS[0]: _append_many,
        pickle.SETITEM[0]: _set_one,
        pickle.SETITEMS[0]: _set_many,
    } | dict.fromkeys((code[0] for code in (
        pickle.INST, pickle.OBJ, pickle.NEWOBJ_EX, pickle.EXT1, pickle.EXT2, pickle.EXT4,
        pickle.ADDITEMS, pickle.NEXT_BUFFER, pickle.READONLY_BUFFER,
    )), _refuse)  # fmt: skip


def unpickle(content: bytes, allowed: Mapping = NUMPY, load: Callable | None = None, encoding: str = "ASCII"):
    """The plain data of a pickle.

    Args:
        content (bytes): the pickle. allowed (dict): what it may ask for, (module, name) -> what it gets. load (function): makes what stands
            outside the pickle, from what the pickle says of it; None refuses. encoding (str): of texts that Python 2 wrote.

    Raises:
        Refused: it asks for something else; `str` says what. Nothing of the kind is imported, looked up or run.
        pickle.UnpicklingError: it is damaged.

    Example:
        >>> import pickle
        >>> from msjax.files.unpickling import unpickle
        >>> unpickle(pickle.dumps({"a": [1, 2]}))
        {'a': [1, 2]}
    """
    try:
        return _Unpickler(io.BytesIO(content), allowed, load, encoding).load()
    except pickle.UnpicklingError:
        raise
    except Exception as error:  # the standard library says that a damaged pickle may raise anything
        raise pickle.UnpicklingError(f"it is damaged ({type(error).__name__}: {error})") from error

"""Archives and compressed files, read with a bound: a small file can not fill the memory.

What is unpacked may take 4 times the file and 256 MiB besides; `MSJAX_UNPACK_BYTES` in the environment is another number for the 256 MiB.
"""

import gzip
import io
import math
import os
import struct
import zipfile
import zlib
from collections.abc import Sequence

import numpy as np

__all__ = ["TooLarge", "Unpacking", "gunzip", "is_zip", "npz_headers", "read_npz", "unpack_limit"]

_TIMES, _BESIDE = 4, 256 << 20
_PIECE = 1 << 20
_HEAD = 1 << 17  # the longest header of an array, and more


class TooLarge(ValueError):
    """A file unpacks to more than its bound."""


def unpack_limit(size: int):
    """Bytes that a file of `size` bytes may unpack to."""
    text = os.environ.get("MSJAX_UNPACK_BYTES", "")
    return _TIMES * size + (int(text) if text.isdigit() else _BESIDE)


def _check(path, size, wanted):
    if wanted > unpack_limit(size):
        raise TooLarge(
            f"{path} has {size} bytes and would unpack to {wanted} or more, above the bound of {unpack_limit(size)}. If you trust it, "
            "set MSJAX_UNPACK_BYTES in the environment to the bytes that it may take."
        )


class Unpacking:
    """The members of a zip archive, read within one bound for all of them.

    Args:
        path (Union[str, BytesIO]): the archive.
        size (int): bytes of the file that it came from, which the bound is made of; None: its own.

    Raises:
        ValueError: it is not a zip archive, or a member is damaged; TooLarge: its members take more than the bound.
        KeyError: it has no such member.
    """

    def __init__(self, path: str | os.PathLike, size: int | None = None):
        self.name = "the archive" if isinstance(path, io.BytesIO) else os.fspath(path)
        own = len(path.getbuffer()) if isinstance(path, io.BytesIO) else os.path.getsize(path)
        self.size = own if size is None else size
        self.used = 0
        with _as_value_errors(self.name):
            self._archive = zipfile.ZipFile(path)
        self.names = self._archive.namelist()

    def read(self, name: str):
        """The content of a member; its declared size is charged to the limit before it is read."""
        info = self._archive.getinfo(name)
        self.used += info.file_size
        _check(self.name, self.size, self.used)
        with _as_value_errors(self.name):
            return self._archive.read(info)

    def head(self, name: str):
        """The begin of a member, enough for a header."""
        with _as_value_errors(self.name), self._archive.open(name) as stream:
            return stream.read(_HEAD)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._archive.close()


def is_zip(path: str | os.PathLike):
    """Whether a file is a zip archive."""
    return zipfile.is_zipfile(path)


class _as_value_errors:
    """Context in which whatever the standard library raises for a damaged archive becomes a ValueError."""

    _DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, struct.error, OSError)

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, self._DAMAGE) and not isinstance(error, FileNotFoundError):
            raise ValueError(f"{self.name} is not a zip archive, or is damaged: {error}") from error
        if isinstance(error, (UnicodeDecodeError, IndexError, OverflowError)):
            raise ValueError(f"{self.name} is damaged: {error}") from error


def read_npz(path: str | os.PathLike, names: Sequence[str] | None = None, size: int | None = None):
    """The arrays of an `.npz` file by name. An array is made only where its header fits the bytes that are there.

    Args:
        path (Union[str, BytesIO]): the file. names (Sequence[str]): which; None: all. size (int): see `Unpacking`.

    Raises:
        ValueError: the file is damaged, or holds Python objects. TooLarge: see `Unpacking`. KeyError: it lacks a name.
    """
    with Unpacking(path, size) as archive:
        wanted = [n.removesuffix(".npy") for n in archive.names] if names is None else names
        members = {n.removesuffix(".npy"): n for n in archive.names}
        return {name: _npy(archive.read(members[name]), f"'{name}' of {archive.name}") for name in wanted}


def npz_headers(path: str | os.PathLike):
    """(shape, dtype) of the arrays of an `.npz` file by name; the arrays are not read.

    Raises:
        ValueError: as `read_npz`.
    """
    with Unpacking(path) as archive:
        return {
            name.removesuffix(".npy"): _npy_header(io.BytesIO(archive.head(name)), f"'{name}' of {archive.name}")[::2]
            for name in archive.names
        }


def _npy_header(stream, where):
    """(shape, whether in Fortran's order, dtype)"""
    try:
        version = np.lib.format.read_magic(stream)
        reader = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
        shape, fortran, kind = reader(stream)
    except Exception as error:  # NumPy reads the header as Python's literals, which fail in many ways
        raise ValueError(f"{where} is not a NumPy array: {error}") from error
    if kind.hasobject:
        raise ValueError(f"{where} holds Python objects, which are pickles: they are not read.")
    if not all(type(length) is int and length >= 0 for length in shape):
        raise ValueError(f"{where} has the shape {shape}.")
    return shape, fortran, kind


def _npy(content, where):
    stream = io.BytesIO(content)
    shape, fortran, kind = _npy_header(stream, where)
    count, left = math.prod(shape), len(content) - stream.tell()
    if count and not kind.itemsize:  # NumPy would give each text of no length one place
        raise ValueError(f"{where} has {count} elements of no bytes each, which no array is saved with.")
    if count * kind.itemsize != left:
        raise ValueError(
            f"{where} is damaged: {kind} of shape {shape} takes {count * kind.itemsize} bytes, {left} are there."
        )
    array = np.frombuffer(content, kind, count, stream.tell()) if left else np.empty(count, kind)
    return array.reshape(shape, order="F" if fortran else "C").copy(order="K")


def gunzip(path: str | os.PathLike):
    """The content of a gzipped file.

    Raises:
        TooLarge: it is more than the bound. OSError, EOFError, zlib.error: it is damaged.
    """
    size, content = os.path.getsize(path), bytearray()
    with gzip.open(path, "rb") as stream:
        while piece := stream.read(_PIECE):
            content += piece
            _check(path, size, len(content))
    return content

"""TFRecord files without TensorFlow: the framing of the records and the ``Example`` message in them.

A record is its length (8 bytes, little endian), a checksum of the length (4 bytes), the data, a checksum of the data
(4 bytes). Lengths are checked against the file; checksums are not, as in MindSpore. An ``Example`` is a protocol
buffer: ``features`` (1) -> map entries ``feature`` (1) of key (1) and value (2); a value is a ``bytes_list`` (1), a
``float_list`` (2) or an ``int64_list`` (3), each with its items under number 1.
"""

import gzip
import os
import struct
import zlib
from typing import Any

import numpy as np

from ..files.archives import unpack_limit

_HEAD = struct.Struct("<QI")
_VARINT, _FIXED64, _SIZED, _FIXED32 = 0, 1, 2, 5
_MAX_RECORD = 1 << 31  # a protocol buffer may not be larger
_KINDS = {1: "bytes", 2: "float", 3: "int64"}


def open_records(path: str, compression: str = ""):
    """A binary stream over the records of a file.

    Args:
        path: the file.
        compression: "", "GZIP" or "ZLIB".
    """
    if compression == "GZIP":
        return gzip.open(path, "rb")
    if compression == "ZLIB":
        return _ZlibStream(path)
    return open(path, "rb")


class _ZlibStream:
    """Reads a zlib file piece by piece."""

    def __init__(self, path):
        self._file = open(path, "rb")
        self._zlib, self._rest = zlib.decompressobj(), b""

    def read(self, size):
        while len(self._rest) < size and (data := self._file.read(1 << 16)):
            self._rest += self._zlib.decompress(data)
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()


def read_records(path: str, compression: str = ""):
    """Yield the data of each record of a file, as bytes.

    Raises:
        RuntimeError: the file cannot be read, is compressed otherwise than told, or is cut short.
    """
    size = os.path.getsize(path)
    limit = min(_MAX_RECORD, unpack_limit(size)) if compression else size
    try:
        with open_records(path, compression) as stream:
            while head := stream.read(_HEAD.size):
                if len(head) < _HEAD.size or (size := _HEAD.unpack(head)[0]) > limit:
                    raise _damaged(path, compression, "the length of a record is wrong")
                data = stream.read(size)
                if len(data) < size or len(stream.read(4)) < 4:
                    raise _damaged(path, compression, "the last record is cut short")
                yield data
    except (OSError, EOFError, zlib.error) as error:
        raise _damaged(path, compression, str(error)) from error


def count_records(path: str, compression: str = ""):
    """Number of records in a file; only the lengths are read where the file is not compressed."""
    if compression:
        return sum(1 for _ in read_records(path, compression))
    count, size = 0, os.path.getsize(path)
    with open(path, "rb") as stream:
        at = 0
        while at < size:
            head = stream.read(_HEAD.size)
            at += _HEAD.size + (_HEAD.unpack(head)[0] if len(head) == _HEAD.size else size) + 4
            if at > size:
                raise _damaged(path, compression, "the last record is cut short")
            stream.seek(at)
            count += 1
    return count


def _damaged(path, compression, reason):
    kind = f"TFRecord file with {compression} compression" if compression else "TFRecord file without compression"
    return RuntimeError(f"Invalid TFRecord file: {path}, {reason}. A {kind} was expected there.")


def _varint(data, at):
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("a number does not end")


def _fields(data):
    """Yield (number, wire type, value) of a message; a sized value is a memoryview."""
    at, end = 0, len(data)
    while at < end:
        key, at = _varint(data, at)
        wire = key & 7
        if wire == _VARINT:
            value, at = _varint(data, at)
        elif wire == _SIZED:
            size, at = _varint(data, at)
            value, at = data[at : at + size], at + size
        elif wire in (_FIXED32, _FIXED64):
            size = 4 if wire == _FIXED32 else 8
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(f"unknown wire type {wire}")
        if at > end:
            raise ValueError("a field is cut short")
        yield key >> 3, wire, value


def _varints(data):
    """All numbers of a packed list, as int64."""
    data = np.frombuffer(data, np.uint8)
    last = data < 0x80
    if data.size and not last[-1]:
        raise ValueError("a list of integers is cut short")
    if last.all():
        return data.astype(np.int64)
    ends = np.nonzero(last)[0]
    starts = np.concatenate([[0], ends[:-1] + 1])
    place = np.arange(data.size) - np.repeat(starts, ends - starts + 1)
    parts = (data & 0x7F).astype(np.uint64) << (7 * place).astype(np.uint64)
    return np.add.reduceat(parts, starts).view(np.int64)


def _items(kind, data):
    """Values of one list message."""
    if kind == "bytes":
        return [bytes(value) for number, _, value in _fields(data) if number == 1]
    chunks = []
    for number, wire, value in _fields(data):
        if number != 1:
            continue
        if kind == "float":
            chunks.append(np.frombuffer(value, "<f4"))
        elif wire == _SIZED:
            chunks.append(_varints(value))
        else:
            chunks.append(np.array([value & (1 << 64) - 1], np.uint64).view(np.int64))
    if not chunks:
        return np.empty(0, np.float32 if kind == "float" else np.int64)
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def parse_example(data: Any, wanted: Any = None):
    """Features of an ``Example``.

    Args:
        data: bytes of the message.
        wanted: names to decode; None for all.

    Returns:
        dict from a name to (kind, values): kind "bytes" with a list of bytes, "float" with a float32 array, "int64"
        with an int64 array, or None with an empty list for a feature without a value.

    Raises:
        ValueError: the message is damaged.
    """
    features = {}
    try:
        for number, _, body in _fields(memoryview(data)):
            if number != 1:
                continue
            for _, _, entry in _fields(body):
                name, feature = "", b""
                for part, _, value in _fields(entry):
                    if part == 1:
                        name = str(value, "utf-8")
                    elif part == 2:
                        feature = value
                if wanted is not None and name not in wanted:
                    continue
                features[name] = (None, [])
                for part, _, value in _fields(feature):
                    if part in _KINDS:
                        features[name] = (_KINDS[part], _items(_KINDS[part], value))
    except (IndexError, ValueError, TypeError) as error:
        raise ValueError(f"Invalid TFRecord data, a record is not an Example message: {error}.") from error
    return features

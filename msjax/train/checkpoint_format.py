"""MindSpore's checkpoint files, `.ckpt`, as pure functions from and to NumPy arrays.

A `.ckpt` is the protobuf message `Checkpoint`: repeated `Value {tag, TensorProto {dims, tensor_type, tensor_content}}`,
all lengths and integers as varints (https://protobuf.dev/programming-guides/encoding). A tensor above 512 MiB is a run
of values with the same tag. After it may stand `crc_num` and the CRC-32 of all before it, ten bytes, big endian. An
encrypted file is a row of frames, see `msjax.train.checkpoint_cipher`.
"""

from __future__ import annotations

import contextlib
import glob
import math
import os
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from .. import log
from ..core.values import dtype
from . import checkpoint_cipher as cipher
from .protobuf import Damaged, field, fields, integers, next_field, number_field, text, varint
from .stored_arrays import Source, StoredArray, unreadable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

STRING = "str"  # the type of a Python string
MAP = "mapparameter"  # the type of a MapParameter: arrays of keys, values, status
SLICE_BYTES = 512 * 1024 * 1024
_CRC_MARK = b"crc_num"
_CRC_BYTES = 10
_SECONDS_TO_LOCK = 60  # from the making of a temporary file to its lock, with room
CRC_FAILED = "The crc check has failed: the file is damaged."
NO_CRC = "For 'load_checkpoint', the file %s does not contain the crc code, please check the file."
# Type name in a file -> NumPy dtype. Int4 holds two numbers in a byte: NumPy sees the bytes.
NUMPY_TYPES: dict[str, np.dtype] = {
    str(kind): np.dtype(dtype.to_numpy(kind))
    for kind in vars(dtype).values()
    if isinstance(kind, dtype.Number) and hasattr(kind, "itemsize")
} | {"Int4": np.dtype(np.int8)}
_MAP_TYPES = {kind.name: kind for kind in NUMPY_TYPES.values()}  # as the arrays of a MapParameter name them
_TYPE_NAMES = {kind: name for name, kind in NUMPY_TYPES.items() if name != "Int4"}
Entry = tuple[str, Any, str]


def type_name(array: np.ndarray) -> str:
    """The name that MindSpore writes for the dtype of an array: "Float32", "BFloat16", ...

    Raises:
        TypeError: MindSpore has no such type.

    Example:
        >>> from msjax.train.checkpoint_format import type_name
        >>> type_name(np.zeros(2, np.float16))
        'Float16'
    """
    name = _TYPE_NAMES.get(array.dtype.newbyteorder("="))
    if name is None:
        raise TypeError(
            f"For 'save_checkpoint', the dtype of the data must be one of {sorted(NUMPY_TYPES)}, but got {array.dtype}."
        )
    return name


def write(
    path: str | os.PathLike,
    entries: Iterable[Entry],
    crc_check: bool = False,
    enc_key: bytes | None = None,
    enc_mode: str = "AES-GCM",
    written: Callable[[str], None] | None = None,
) -> None:
    """Write a `.ckpt` file; to a temporary name in the same folder first, so that a failure leaves an old file alone.

    Args:
        path: The file.
        entries: (name, array or `SavedArray`, type name); a string with type name "str"; for a MapParameter the arrays of keys, values
            and status, with type name "mapparameter".
        crc_check: Append the CRC-32 of the content. An encrypted file has none (MindSpore could not read it back), its
            frames are authenticated or padded.
        enc_key: 16, 24 or 32 bytes to encrypt with.
        enc_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        written: Is called with each name when its entry is no longer needed.

    Raises:
        ValueError: A wrong key or mode.
        TypeError: An array does not fit its type name.
        OSError: The file cannot be written.

    Example:
        >>> from msjax.train.checkpoint_format import read, write
        >>> write("net.ckpt", [("fc.weight", np.ones((2, 3), np.float32), "Float32"), ("note", "first", "str")])
        >>> read("net.ckpt")["fc.weight"][0].shape
        (2, 3)
    """
    pieces = _encoded(entries, written or (lambda name: None))
    if enc_key is not None:
        cipher.check(enc_key, enc_mode, "save_checkpoint")
        replace_file(path, lambda file: file.writelines(cipher.encrypt(pieces, enc_key, enc_mode)))
        return

    def write_plain(file: IO[bytes]) -> None:
        crc = 0
        for piece in pieces:
            if crc_check:
                crc = zlib.crc32(piece, crc)
            file.write(piece)
        if crc_check:
            file.write(_CRC_MARK + crc.to_bytes(_CRC_BYTES, "big"))

    replace_file(path, write_plain)


def replace_file(path: str | os.PathLike, write_to: Callable[[IO[bytes]], None]) -> None:
    """Write a file beside `path`, and put it in its place when it is whole. What killed writers of `path` left is removed."""
    path = Path(path)
    for left in path.parent.glob(f".{glob.escape(path.name)}.????????.tmp"):
        _remove_if_left(left)
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            _try_lock(file)
            write_to(file)
        os.chmod(temporary, 0o400)  # as MindSpore leaves its files
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _try_lock(file: IO[bytes]) -> bool:
    """Whether nobody else writes the file: who does holds its lock, and a process that ends, however it does, holds none."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held, or a file system without locks
        return False
    return True


def _remove_if_left(temporary: Path) -> None:
    with contextlib.suppress(OSError):  # another writer may have removed it
        if time.time() - temporary.stat().st_mtime < _SECONDS_TO_LOCK:
            return
        with open(temporary, "rb") as file:
            if _try_lock(file):
                temporary.unlink()


def _encoded(entries: Iterable[Entry], written: Callable[[str], None]) -> Iterator[bytes | memoryview]:
    for entry in entries:
        yield from _encode(*entry)
        written(entry[0])


def _encode(name: str, data: Any, kind: str) -> Iterator[bytes | memoryview]:
    """The bytes of one entry, in pieces; big arrays are not copied."""
    tag = field(1, name.encode())
    if kind == MAP:
        arrays = [np.asarray(array) for array in data]
        tensors = b"".join(
            field(1, _tensor(array.shape, array.dtype.name, array.nbytes) + bytes(raw_bytes(array))) for array in arrays
        )
        yield field(1, tag + field(3, tensors))
        return
    if kind == STRING:
        # MindSpore writes what NumPy holds: four bytes a character, and one zero character for the empty string.
        content = (data or "\0").encode("utf-32-le")
        yield _value(tag, (0,), kind, len(content)) + content
        return
    array = data if hasattr(data, "pieces") else np.asarray(data)
    expected = NUMPY_TYPES.get(kind)
    if expected is None or array.dtype.itemsize != expected.itemsize:
        raise TypeError(
            f"For 'save_checkpoint', the data of parameter '{name}' must fit the type {kind}, "
            f"but got dtype {array.dtype}."
        )
    left = math.prod(array.shape) * array.dtype.itemsize
    content, piece = pieces_of(array), memoryview(b"")
    yield _value(tag, array.shape, kind, room := min(left, SLICE_BYTES))
    while left:
        if not room:
            yield _value(tag, array.shape, kind, room := min(left, SLICE_BYTES))
        piece = piece or next(content)
        part = piece[:room]
        yield part
        piece, left, room = piece[len(part) :], left - len(part), room - len(part)


def pieces_of(array: Any) -> Iterator[memoryview]:
    """The bytes of an array or SavedArray, some at a time."""
    return (raw_bytes(piece) for piece in (array.pieces() if hasattr(array, "pieces") else (array,)))


def raw_bytes(array: np.ndarray) -> memoryview:
    """The little-endian bytes of an array in C order, without a copy where it lies so."""
    array = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return memoryview(array.reshape(-1).view(np.uint8))


def _value(tag: bytes, shape: Iterable[int], kind: str, size: int) -> bytes:
    """The bytes of a `Value` before its content, which has this size."""
    head = _tensor(shape, kind, size)
    tensor = varint(2 << 3 | 2) + varint(len(head) + size) + head
    return varint(1 << 3 | 2) + varint(len(tag) + len(tensor) + size) + tag + tensor


def _tensor(shape: Iterable[int], kind: str, size: int) -> bytes:
    """The bytes of a TensorProto before its content, which has this size."""
    dims = b"".join(number_field(1, axis) for axis in shape)
    return dims + field(2, kind.encode()) + varint(3 << 3 | 2) + varint(size)


def read(
    path: str | os.PathLike,
    crc_check: bool = False,
    dec_key: bytes | None = None,
    dec_mode: str = "AES-GCM",
    choose: Callable[[str], bool] | None = None,
) -> dict[str, tuple[Any, str]]:
    """Read a `.ckpt` file.

    Args:
        path: The file.
        crc_check: Compare the CRC-32 at the end of the file, if there is one.
        dec_key: The key it was encrypted with.
        dec_mode: "AES-GCM", "AES-CBC" or "SM4-CBC".
        choose: Which names to read; all if None.

    Returns:
        name -> (array, type name), in the order of the file; a string with "str"; a list of arrays with "mapparameter".
        Arrays are new, aligned for devices to take them over.

    Raises:
        ValueError: The file is cut, damaged or encrypted, or the key is wrong; the message names file and fault.
        OSError: It cannot be read.

    Example:
        >>> from msjax.train.checkpoint_format import read, write
        >>> write("net.ckpt", [("step", np.array(7), "Int64")])
        >>> read("net.ckpt")
        {'step': (array(7), 'Int64')}
    """
    result: dict[str, tuple[Any, str]] = {}
    for name, value, kind in stored(path, crc_check, dec_key, dec_mode):
        if choose is None or choose(name):
            result[name] = value.read() if isinstance(value, StoredArray) else value, kind
    return result


def stored(
    path: str | os.PathLike, crc_check: bool = False, dec_key: bytes | None = None, dec_mode: str = "AES-GCM"
) -> list[tuple[str, StoredArray | str | list[np.ndarray], str]]:
    """(name, value, type name) of all that is in a `.ckpt` file, in its order: as `read`, of which arrays are not read yet.

    Raises:
        ValueError: The file is cut, damaged or encrypted, or the key is wrong; the message names file and fault.
        OSError: It cannot be read.
    """
    try:
        source = Source(path)
        data = source.content()
        if not data:
            raise Damaged("It is empty.")
        if dec_key is not None:
            cipher.check(dec_key, dec_mode, "load_checkpoint")
            try:
                source = Source(path, cipher.decrypt(data, dec_key, dec_mode))
            except cipher.NotDecrypted as error:
                raise Damaged(str(error)) from None
            data = source.content()
        elif cipher.is_encrypted(data):
            raise Damaged("It is encrypted, please pass in the correct 'dec_key'.")
        begin = _address(data)
        found = []
        for run in _runs(_checked(source, data, crc_check)):
            name, kind = run[0][:2]
            if kind == MAP:
                value = _joined_map(run)
            elif kind == STRING:
                value = _joined_text(run)
            else:
                pieces = [(_address(content) - begin, len(content)) for *_, content in run if len(content)]
                value = StoredArray(source, pieces, *_layout(run))
            found.append((name, value, kind))
        return found
    except Damaged as damage:
        raise unreadable(path, damage) from None


def _address(data: memoryview) -> int:
    return np.frombuffer(data, np.uint8).ctypes.data


def _checked(source: Source, data: memoryview, crc_check: bool) -> memoryview:
    """The content without the CRC at its end."""
    mark = len(data) - _CRC_BYTES - len(_CRC_MARK)
    if mark < 0 or data[mark : mark + len(_CRC_MARK)] != _CRC_MARK:
        if crc_check:
            log.warning(NO_CRC, source.path)
        return data
    if crc_check:
        crc = 0
        for block in source.blocks(mark):
            crc = zlib.crc32(block, crc)
        if crc != int.from_bytes(data[-_CRC_BYTES:], "big"):
            raise Damaged(CRC_FAILED)
    return data[:mark]


def _runs(data: memoryview) -> Iterator[list[tuple]]:
    """The values of one tag that follow one another: the slices of one tensor."""
    count = at = 0
    run: list[tuple] = []
    while at < len(data):
        start = at
        number, wire, value, at = next_field(data, at, f"entry {count} at byte {start}")
        if number != 1 or wire != 2:
            raise Damaged(f"The file is not a checkpoint, or is damaged: byte {start} does not begin a parameter.")
        part = _parameter(value, start)
        if run and (run[0][0] != part[0] or run[0][1] != part[1]):
            yield run
            run = []
        run.append(part)
        count += 1
    if run:
        yield run


def _parameter(data: memoryview, start: int) -> tuple:
    """(name, "mapparameter", tensors) or (name, type name, dims, content) of one `Value` message."""
    name = tensor = maps = None
    where = f"the parameter at byte {start}"
    for number, content in fields(data, where):
        if number == 1:
            name = text(content, where)
            where = f"parameter '{name}'"
        elif number == 2:
            tensor = _tensor_fields(content, where)
        elif number == 3:
            maps = [_tensor_fields(part, where) for number, part in fields(content, where) if number == 1]
    if name is None or (tensor is None) == (maps is None):
        raise Damaged(f"The file is damaged in {where}.")
    return (name, MAP, maps) if maps is not None else (name, *tensor)


def _tensor_fields(data: memoryview, where: str) -> tuple[str, list[int], memoryview]:
    kind = content = None
    dims: list[int] = []
    for number, value in fields(data, where):
        if number == 1:
            dims += integers(value, where)
        elif number == 2:
            kind = text(value, where)
        elif number == 3:
            content = value
    if kind is None or not isinstance(content, memoryview) or any(size >> 63 for size in dims):
        raise Damaged(f"The file is damaged in {where}.")
    return kind, dims, content


def _joined_text(run: list[tuple]) -> str:
    """The string whose slices are in `run`."""
    try:
        return b"".join(content for *_, content in run).decode("utf-32-le").rstrip("\0")
    except UnicodeDecodeError:
        raise Damaged(f"The file is damaged in parameter '{run[0][0]}': its content is not text.") from None


def _layout(run: list[tuple]) -> tuple[tuple[int, ...], np.dtype]:
    """Axes and dtype of the tensor whose slices are in `run`, which must fill it."""
    name, kind, dims, _ = run[0]
    size = sum(len(content) for *_, content in run)
    numpy_type = NUMPY_TYPES.get(kind)
    if numpy_type is None:
        raise Damaged(f"Parameter '{name}' has the type '{kind}', which must be one of {sorted(NUMPY_TYPES)}.")
    if dims == [0] and size:  # so 1.x wrote a scalar
        dims = []
    if size != math.prod(dims) * numpy_type.itemsize:
        raise Damaged(
            f"The file is damaged in parameter '{name}': {kind} of shape {tuple(dims)} takes "
            f"{math.prod(dims) * numpy_type.itemsize} bytes, {size} are there."
        )
    return tuple(dims), numpy_type


def _joined_map(run: list[tuple]) -> list[np.ndarray]:
    """Keys, values and status of a MapParameter: its slices follow one another along the first axis."""
    name = run[0][0]
    columns = []
    for tensors in zip(*(tensors for _, _, tensors in run)):
        try:
            parts = [np.frombuffer(content, _MAP_TYPES[kind]).reshape(dims) for kind, dims, content in tensors]
            columns.append(np.concatenate(parts))
        except KeyError as error:
            raise Damaged(f"The file is damaged in parameter '{name}': {error} is not a type of arrays.") from None
        except (TypeError, ValueError) as error:
            raise Damaged(f"The file is damaged in parameter '{name}': {error}.") from None
    return columns

"""`.safetensors` files, as pure functions from paths to NumPy arrays."""

from __future__ import annotations

import io
import json
import math
import mmap
import os
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import ml_dtypes
import numpy as np

from .. import log
from .checkpoint_format import (
    CRC_FAILED,
    MAP,
    NO_CRC,
    STRING,
    Entry,
    Source,
    aligned,
    raw_bytes,
    replace_file,
    type_name,
    unreadable,
)


def write_safetensors(
    path: str | os.PathLike, entries: Iterable[Entry], crc_check: bool = False, remove_redundancy: bool | None = None
) -> None:
    """Write a `.safetensors` file as MindSpore does: names sorted, its marks in the metadata.

    Args:
        path: The file.
        entries: (name, array, type name); the format has neither strings nor MapParameters.
        crc_check: Put the CRC-32 of names and data into the metadata.
        remove_redundancy: What to note about it, if anything.

    Raises:
        ImportError: safetensors is not installed.
        TypeError: An entry is no array.
        OSError: The file cannot be written.
    """
    safetensors = _safetensors("save_checkpoint")
    metadata = {"format": "ms"}
    if remove_redundancy is not None:
        metadata["remove_redundancy"] = str(remove_redundancy)
    arrays, crc = {}, 0
    for name, data, kind in sorted(entries, key=lambda entry: entry[0]):
        if kind in (STRING, MAP):
            raise TypeError(
                f"For 'save_checkpoint', when 'format' is 'safetensors', the data of '{name}' must be "
                f"a Tensor, but got {'a string' if kind == STRING else 'a MapParameter'}."
            )
        if kind == "Int4":
            metadata[name] = kind
        arrays[name] = np.ascontiguousarray(data).reshape(np.shape(data))
        if crc_check:
            crc = _safetensors_crc(name, arrays[name], crc)
    if crc_check:
        metadata["crc_num"] = str(crc)
    replace_file(path, lambda file: safetensors.numpy.save_file(arrays, file.name, metadata=metadata))


def read_safetensors(
    path: str | os.PathLike | io.BytesIO,
    crc_check: bool = False,
    choose: Callable[[str], bool] | None = None,
    keep: Callable[[str, Any, str], None] | None = None,
) -> tuple[dict[str, tuple[np.ndarray, str]], dict[str, str]]:
    """Read a `.safetensors` file.

    Args:
        path: The file, or its content.
        crc_check: Compare the CRC-32 in its metadata, if there is one.
        choose: Which names to read; all if None.
        keep: Takes each (name, array, type name) when it is read; then only the metadata are returned.

    Returns:
        name -> (array, type name), sorted by name; and the metadata.

    Raises:
        ImportError: safetensors is not installed.
        ValueError: The file is cut or damaged; the message names it.
    """
    result, crc = {}, 0
    keep = keep or (lambda name, value, kind: result.update({name: (value, kind)}))
    if isinstance(path, io.BytesIO):
        with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
            file.write(path.getbuffer())
            file.flush()
            return read_safetensors(file.name, crc_check, choose, keep)
    names, metadata = _names(path)
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        data, source = memoryview(mapped), Source(mapped, file.fileno())
        begin, header = _header(data)
        for name in names:
            chosen = choose is None or choose(name)
            if not chosen and not crc_check:
                continue
            about = header[name]
            start, end = about["data_offsets"]
            array = aligned(about["shape"], _safetensors_type(path, name, about["dtype"]))
            source.copy(data[begin + start : begin + end], array.reshape(-1).view(np.uint8))
            if crc_check:
                crc = _safetensors_crc(name, array, crc)
            if chosen:
                keep(name, array, metadata[name] if name in metadata else type_name(array))
    if crc_check and "crc_num" not in metadata:
        log.warning(NO_CRC, path)
    elif crc_check and metadata["crc_num"] != str(crc):
        raise unreadable(path, CRC_FAILED)
    return result, metadata


def written_by(path: str | os.PathLike) -> tuple[str, set[str]]:
    """(the framework that a file's metadata name, "" where they name none; the names of its arrays)."""
    names, metadata = _names(path)
    return metadata.get("format", ""), set(names)


def contents(path: str | os.PathLike) -> Iterator[tuple[str, tuple[int, ...], np.dtype, Callable[[], np.ndarray]]]:
    """(name, shape, dtype, function that reads the values) of each tensor of a file, in the order of their places in it.

    Raises:
        ImportError: safetensors is not installed.
        ValueError: The file is cut or damaged; the message names it.
    """
    names, _ = _names(path)
    with open(path, "rb") as file:
        begin, header = _header(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
    for name in sorted(names, key=lambda n: header[n]["data_offsets"]):
        kind = _safetensors_type(path, name, header[name]["dtype"])
        shape, (start, _) = tuple(header[name]["shape"]), header[name]["data_offsets"]

        def read(shape=shape, kind=kind, start=start) -> np.ndarray:
            count = math.prod(shape)
            with open(path, "rb") as file:
                file.seek(begin + start)
                values = np.fromfile(file, kind, count)
            if values.size < count:
                raise unreadable(path, "It became shorter while it was read.")
            return values.reshape(shape)

        yield name, shape, kind, read


def _names(path: str | os.PathLike) -> tuple[list[str], dict[str, str]]:
    """Sorted names and the metadata; the library checks the whole header."""
    safetensors = _safetensors("load_checkpoint")
    try:
        with safetensors.safe_open(os.fspath(path), framework="np") as file:
            return sorted(file.keys()), file.metadata() or {}
    except safetensors.SafetensorError as error:
        raise unreadable(path, f"The file is cut or damaged: {error}.") from None


def _header(data: memoryview) -> tuple[int, dict[str, Any]]:
    """Where the values begin, and name -> {"dtype", "shape", "data_offsets"}."""
    begin = 8 + int.from_bytes(data[:8], "little")
    return begin, json.loads(bytes(data[8:begin]))


# dtype in a safetensors file -> NumPy dtype
_SAFETENSORS_TYPES = {
    "BOOL": "bool", "U8": "uint8", "I8": "int8", "U16": "uint16", "I16": "int16", "U32": "uint32", "I32": "int32",
    "U64": "uint64", "I64": "int64", "F16": "float16", "F32": "float32", "F64": "float64", "C64": "complex64",
    "BF16": "bfloat16", "F8_E4M3": "float8_e4m3fn", "F8_E5M2": "float8_e5m2",
}  # fmt: skip


def _safetensors_type(path: str | os.PathLike, name: str, kind: str) -> np.dtype:
    if kind not in _SAFETENSORS_TYPES:
        raise unreadable(path, f"'{name}' has the type '{kind}', which must be one of {sorted(_SAFETENSORS_TYPES)}.")
    return np.dtype(getattr(ml_dtypes, _SAFETENSORS_TYPES[kind], _SAFETENSORS_TYPES[kind]))


_ZEROS = 1 << 31  # more of them MindSpore could hardly hold, and a file must not keep us busy for minutes


def _safetensors_crc(name: str, array: np.ndarray, crc: int) -> int:
    """Go on with the CRC-32 over one array.

    MindSpore takes `bytes(array)`, which for an integer scalar is not its bytes but that many zero bytes.
    """
    crc = zlib.crc32(name.encode(), crc)
    if array.ndim or array.dtype.kind not in "iu" or not 0 <= array < _ZEROS:
        return zlib.crc32(raw_bytes(array), crc)
    left, zeros = int(array), bytes(1 << 20)
    while left > 0:
        crc = zlib.crc32(zeros[:left], crc)
        left -= len(zeros)
    return crc


def _safetensors(caller: str):
    try:
        import safetensors  # an extra, and only this format needs it
        import safetensors.numpy
    except ImportError as error:
        raise ImportError(
            f"For '{caller}', the format 'safetensors' needs the package safetensors: pip install 'msjax[safetensors]'."
        ) from error
    return safetensors

"""`.safetensors` files, as pure functions from paths to NumPy arrays."""

from __future__ import annotations

import io
import json
import math
import os
import tempfile
import zlib
from collections.abc import Callable, Iterable
from typing import IO, Any

import ml_dtypes
import numpy as np

from .. import log
from .checkpoint_format import CRC_FAILED, MAP, NO_CRC, STRING, Entry, pieces_of, replace_file, type_name
from .stored_arrays import Source, StoredArray, unreadable


def write_safetensors(
    path: str | os.PathLike,
    entries: Iterable[Entry],
    crc_check: bool = False,
    remove_redundancy: bool | None = None,
    written: Callable[[str], None] | None = None,
) -> None:
    """Write a `.safetensors` file with the marks that MindSpore puts into its metadata.

    Args:
        path: The file.
        entries: (name, array or `SavedArray`, type name); the format has neither strings nor MapParameters.
        crc_check: Put the CRC-32 of names and data into the metadata.
        remove_redundancy: What to note about it, if anything.
        written: Is called with each name when its entry is no longer needed.

    Raises:
        TypeError: An entry is not an array, or the format does not know its dtype.
        OSError: The file cannot be written.
    """
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
        if data.dtype.newbyteorder("=") not in _TYPE_NAMES:
            raise TypeError(
                f"For 'save_checkpoint', when 'format' is 'safetensors', the dtype of '{name}' must be one of "
                f"{sorted(map(str, _TYPE_NAMES))}, but got {data.dtype}."
            )
        if kind == "Int4":
            metadata[name] = kind
        arrays[name] = data
        if crc_check:
            crc = _safetensors_crc(name, data, crc)
    if crc_check:
        metadata["crc_num"] = str(crc)
    # larger elements first, so that all are aligned
    order = sorted(arrays.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))
    header, at = {"__metadata__": metadata}, 0
    for name, array in order:
        end = at + math.prod(array.shape) * array.dtype.itemsize
        about = {"dtype": _TYPE_NAMES[array.dtype.newbyteorder("=")], "shape": array.shape, "data_offsets": (at, end)}
        header[name], at = about, end
    begin = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    begin += b" " * (-len(begin) % 8)

    def write(file: IO[bytes]) -> None:
        file.write(len(begin).to_bytes(8, "little") + begin)
        for name, array in order:
            file.writelines(pieces_of(array))
            if written is not None:
                written(name)

    replace_file(path, write)


def read_safetensors(
    path: str | os.PathLike, crc_check: bool = False, choose: Callable[[str], bool] | None = None
) -> tuple[dict[str, tuple[np.ndarray, str]], dict[str, str]]:
    """Read a `.safetensors` file.

    Args:
        path: The file.
        crc_check: Compare the CRC-32 in its metadata, if there is one.
        choose: Which names to read; all if None.

    Returns:
        name -> (array, type name), sorted by name; and the metadata.

    Raises:
        ImportError: safetensors is not installed.
        ValueError: The file is cut or damaged; the message names it.
    """
    found, metadata = stored_safetensors(path, crc_check)
    return {n: (array.read(), kind) for n, array, kind in found if choose is None or choose(n)}, metadata


def stored_safetensors(
    path: str | os.PathLike | io.BytesIO, crc_check: bool = False
) -> tuple[list[tuple[str, StoredArray, str]], dict[str, str]]:
    """([(name, array that is not read yet, type name)], sorted by name; and the metadata) of a `.safetensors` file, or of its content.

    Raises:
        ImportError: safetensors is not installed.
        ValueError: The file is cut or damaged; the message names it.
    """
    if isinstance(path, io.BytesIO):
        with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
            file.write(path.getbuffer())
            file.flush()
            return stored_safetensors(file.name, crc_check)
    source = Source(path)
    data = source.content()
    names, metadata = _names(path)
    begin, header = _header(data)
    found, crc = [], 0
    for name in names:
        about = header.get(name)
        if about is None:
            raise unreadable(path, _REPLACED)
        start, end = about["data_offsets"]
        kind = _safetensors_type(path, name, about["dtype"])
        array = StoredArray(source, [(begin + start, end - start)], tuple(about["shape"]), kind)
        if array.nbytes != end - start or begin + end > len(data):
            raise unreadable(path, _REPLACED)
        if crc_check:
            crc = _safetensors_crc(name, array.read(), crc)
        found.append((name, array, metadata[name] if name in metadata else type_name(array)))
    if crc_check and "crc_num" not in metadata:
        log.warning(NO_CRC, path)
    elif crc_check and metadata["crc_num"] != str(crc):
        raise unreadable(path, CRC_FAILED)
    return found, metadata


def written_by(path: str | os.PathLike) -> tuple[str, set[str]]:
    """(the framework that a file's metadata name, "" where they name none; the names of its arrays)."""
    names, metadata = _names(path)
    return metadata.get("format", ""), set(names)


def _names(path: str | os.PathLike) -> tuple[list[str], dict[str, str]]:
    """Sorted names and the metadata; the library checks the whole header."""
    safetensors = _safetensors()
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


_TYPE_NAMES = {np.dtype(getattr(ml_dtypes, kind, kind)): name for name, kind in _SAFETENSORS_TYPES.items()}


def _safetensors_type(path: str | os.PathLike, name: str, kind: str) -> np.dtype:
    if kind not in _SAFETENSORS_TYPES:
        raise unreadable(path, f"'{name}' has the type '{kind}', which must be one of {sorted(_SAFETENSORS_TYPES)}.")
    return np.dtype(getattr(ml_dtypes, _SAFETENSORS_TYPES[kind], _SAFETENSORS_TYPES[kind]))


_REPLACED = "It was replaced while it was opened. Load it again."
_ZEROS = 1 << 31  # more of them MindSpore could hardly hold, and a file must not keep us busy for minutes


def _safetensors_crc(name: str, array: Any, crc: int) -> int:
    """Go on with the CRC-32 over one array.

    MindSpore takes `bytes(array)`, which for an integer scalar is not its bytes but that many zero bytes.
    """
    crc = zlib.crc32(name.encode(), crc)
    if not array.shape and array.dtype.kind in "iu":
        (value,) = (np.frombuffer(piece, array.dtype)[0] for piece in pieces_of(array))
        if 0 <= value < _ZEROS:
            left, zeros = int(value), bytes(1 << 20)
            while left > 0:
                crc = zlib.crc32(zeros[:left], crc)
                left -= len(zeros)
            return crc
    for piece in pieces_of(array):
        crc = zlib.crc32(piece, crc)
    return crc


def _safetensors():
    try:
        import safetensors  # an extra, and only this format needs it
    except ImportError as error:
        raise ImportError(
            "For 'load_checkpoint', the format 'safetensors' needs the package safetensors: pip install 'msjax[safetensors]'."
        ) from error
    return safetensors

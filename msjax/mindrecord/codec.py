"""Bytes of one row: MessagePack for the scalar fields, packed integers and joined columns for the array fields.

A row has two parts. The *raw* part holds the scalar fields as a MessagePack map with sorted keys. The *blob* part holds
the bytes and array fields in the sorted order of their names: with one such field its bytes alone, with several each
behind its length (8 bytes, big endian). Integer arrays are packed to the least number of bytes for each element.
"""

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

_LENGTH = struct.Struct(">Q")
_COUNT = struct.Struct(">I")
# An empty blob part is written as these bytes: a page chunk may not be empty.
NO_BLOB = bytes(4)
# The raw part of a row that has no scalar fields.
NO_RAW = {"id": 0}


# For unpacking: the four width codes in a byte, and by code the bytes that are there and the bits that are not.
_CODES = np.arange(256, dtype=np.uint8)[:, None] >> np.array([6, 4, 2, 0], np.uint8) & 3
_PRESENT = np.arange(8) < np.array([1, 2, 4, 8])[:, None]
_MISSING_BITS = np.array([56, 48, 32, 0])


def pack_map(fields: Sequence):
    """MessagePack form of a flat dict of str, int, float, bool, None, keys sorted, each value in its shortest form."""
    out = bytearray()
    _pack_size(out, len(fields), 0x80, 15, None, 0xDE)
    for key in sorted(fields):
        _pack_value(out, key)
        _pack_value(out, fields[key])
    return bytes(out)


def _pack_size(out, size, fixed, fixed_max, code8, code16):
    if size <= fixed_max:
        out.append(fixed | size)
    elif code8 is not None and size <= 0xFF:
        out += struct.pack(">BB", code8, size)
    elif size <= 0xFFFF:
        out += struct.pack(">BH", code16, size)
    else:
        out += struct.pack(">BI", code16 + 1, size)


def _pack_value(out, value):
    if value is None:
        out.append(0xC0)
    elif isinstance(value, bool):
        out.append(0xC3 if value else 0xC2)
    elif isinstance(value, int):
        _pack_int(out, value)
    elif isinstance(value, float):
        # Single precision where it loses nothing; the comparison is false for NaN, and infinity is outside the range.
        single = abs(value) <= 3.4028234663852886e38 and struct.unpack(">f", struct.pack(">f", value))[0] == value
        out += struct.pack(">Bf", 0xCA, value) if single else struct.pack(">Bd", 0xCB, value)
    else:
        data = value.encode("utf-8")
        _pack_size(out, len(data), 0xA0, 31, 0xD9, 0xDA)
        out += data


def _pack_int(out, value):
    if 0 <= value < 128:
        out.append(value)
    elif -32 <= value < 0:
        out.append(value & 0xFF)
    elif value >= 0:
        for code, kind, limit in ((0xCC, "B", 8), (0xCD, "H", 16), (0xCE, "I", 32), (0xCF, "Q", 64)):
            if value < 1 << limit:
                out += struct.pack(f">B{kind}", code, value)
                return
        raise OverflowError(f"{value} needs more than 64 bits.")
    else:
        for code, kind, limit in ((0xD0, "b", 7), (0xD1, "h", 15), (0xD2, "i", 31), (0xD3, "q", 63)):
            if value >= -(1 << limit):
                out += struct.pack(f">B{kind}", code, value)
                return
        raise OverflowError(f"{value} needs more than 64 bits.")


_FIXED = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
_SIZED = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDE: ">H", 0xDF: ">I", 0xDC: ">H", 0xDD: ">I"}
_CONSTANT = {0xC0: None, 0xC2: False, 0xC3: True}


def unpack(data: Any):
    """The Python value whose MessagePack form is `data`.

    Raises:
        ValueError: `data` is cut short or has a code that records never use.
    """
    try:
        return _unpack_at(data, 0)[0]
    except (struct.error, IndexError, UnicodeDecodeError, RecursionError, TypeError) as error:
        raise ValueError(f"Invalid data, the raw part of a row is damaged: {error}.") from error


def _unpack_at(data, at):
    code = data[at]
    at += 1
    if code < 0x80:
        return code, at
    if code >= 0xE0:
        return code - 256, at
    if code in _CONSTANT:
        return _CONSTANT[code], at
    if code in _FIXED:
        kind = _FIXED[code]
        return struct.unpack_from(kind, data, at)[0], at + struct.calcsize(kind)
    if code in _SIZED:
        kind = _SIZED[code]
        size = struct.unpack_from(kind, data, at)[0]
        at += struct.calcsize(kind)
    elif code < 0xA0:
        size = code & 0x0F
    elif code < 0xC0:
        size = code & 0x1F
    else:
        raise ValueError(f"Invalid data, the raw part of a row has an unknown code 0x{code:02x}.")
    if 0xA0 <= code < 0xC0 or code in (0xD9, 0xDA, 0xDB):
        if at + size > len(data):
            raise IndexError("a string is cut short")
        return bytes(data[at : at + size]).decode("utf-8"), at + size
    if 0x90 <= code < 0xA0 or code in (0xDC, 0xDD):
        items = []
        for _ in range(size):
            item, at = _unpack_at(data, at)
            items.append(item)
        return items, at
    fields = {}
    for _ in range(size):
        key, at = _unpack_at(data, at)
        fields[key], at = _unpack_at(data, at)
    return fields, at


def pack_integers(values: Sequence):
    """Packed form of an integer array: count (4 bytes), 2 bits of width code for each element, then the elements.

    The codes 0, 1, 2, 3 stand for 1, 2, 4, 8 bytes (little endian, signed); the first element has the highest bits.
    """
    values = np.ascontiguousarray(values, np.int64).reshape(-1)
    codes = np.zeros(values.size, np.uint8)
    for bits in (7, 15, 31):
        codes += (values >= 1 << bits) | (values < -(1 << bits))
    padded = np.zeros(-(-values.size // 4) * 4, np.uint8)
    padded[: values.size] = codes
    groups = padded.reshape(-1, 4)
    bitmap = groups[:, 0] << 6 | groups[:, 1] << 4 | groups[:, 2] << 2 | groups[:, 3]
    wide = values.astype("<i8").view(np.uint8).reshape(-1, 8)
    kept = wide[np.arange(8) < (1 << codes)[:, None]]
    return _COUNT.pack(values.size) + bitmap.astype(np.uint8).tobytes() + kept.tobytes()


def unpack_integers(data: Any, dtype: Any):
    """Inverse of `pack_integers`, as a flat array of `dtype` (int32 or int64)."""
    if len(data) < 4:
        raise ValueError("Invalid data, a packed integer column is cut short.")
    count = _COUNT.unpack_from(data)[0]
    if -(-count // 4) + count > len(data) - 4:  # each element has a byte at least
        raise ValueError("Invalid data, a packed integer column is cut short.")
    data = np.frombuffer(data, np.uint8, offset=4)
    codes = _CODES[data[: -(-count // 4)]].reshape(-1)[:count]
    present = _PRESENT[codes]
    wide = np.zeros(present.shape, np.uint8)
    try:
        wide[present] = data[-(-count // 4) :]
    except (ValueError, IndexError) as error:
        raise ValueError("Invalid data, a packed integer column is cut short.") from error
    if len(codes) != count:
        raise ValueError("Invalid data, a packed integer column is cut short.")
    missing = _MISSING_BITS[codes]  # shifted out and back, which carries the sign into them
    values = wide.view("<i8").reshape(-1)
    return (values << missing >> missing).astype(dtype, copy=False)


def is_packed(field: str):
    """True where a field of the schema is an integer array, which is stored packed."""
    return "shape" in field and field["type"] in ("int32", "int64")


def join_blob(row: dict, blob_fields: Sequence[str], schema: dict):
    """Blob part of one row, and the number of bytes that packing saved.

    Args:
        row: dict with a value for each of `blob_fields` (bytes or array).
        blob_fields: names, sorted.
        schema: the fields of the schema.
    """
    columns, saved = [], 0
    for name in blob_fields:
        value = row[name]
        if isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value, schema[name]["type"])
            if is_packed(schema[name]):
                packed = pack_integers(value)
                saved += value.nbytes - len(packed)
                value = packed
            else:
                value = value.tobytes()
        columns.append(bytes(value))
    if len(columns) == 1:
        return columns[0], saved
    return b"".join(part for column in columns for part in (_LENGTH.pack(len(column)), column)), saved


def split_blob(blob: np.ndarray, blob_fields: Sequence[str], wanted: Any, schema: Any):
    """Values of the `wanted` blob fields of a row: bytes, or arrays where the schema gives a shape.

    Raises:
        ValueError: the blob is cut short, or a column does not fit the shape in the schema.
    """
    if len(blob_fields) == 1:
        return {blob_fields[0]: _column(blob, schema[blob_fields[0]], blob_fields[0])} if wanted else {}
    values, at = {}, 0
    for name in blob_fields:
        if at + 8 > len(blob):
            raise ValueError("Invalid data, the blob part of a row is cut short.")
        size = _LENGTH.unpack_from(blob, at)[0]
        at += 8
        if name in wanted:
            if at + size > len(blob):
                raise ValueError("Invalid data, the blob part of a row is cut short.")
            values[name] = _column(blob[at : at + size], schema[name], name)
        at += size
    return values


def _column(data, field, name):
    if "shape" not in field:
        return data
    array = unpack_integers(data, field["type"]) if is_packed(field) else np.frombuffer(data, field["type"])
    try:
        return array.reshape(field["shape"])
    except ValueError as error:
        raise ValueError(
            f"Invalid data, column '{name}' has {array.size} elements, which do not fit the shape "
            f"{field['shape']} in the schema."
        ) from error

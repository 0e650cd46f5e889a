"""The wire format of protocol buffers, of which checkpoints, strategies, networks and summaries are made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Damaged(ValueError):
    """The damage in a file's content; the reader adds the file's name."""


def field(number: int, content: bytes) -> bytes:
    """A field of bytes: text, a packed list, or a message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def number_field(number: int, value: int) -> bytes:
    """A field of one number; a negative one takes ten bytes."""
    return varint(number << 3) + varint(value & (1 << 64) - 1)


def varint(value: int) -> bytes:
    """A number, seven bits a byte, the low ones first."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data: Any, where: str) -> Iterator[tuple[int, Any]]:
    """The fields of a message; `data` is a number where the file has one instead."""
    if not isinstance(data, memoryview):
        raise Damaged(f"The file is damaged in {where}.")
    at = 0
    while at < len(data):
        number, _, value, at = next_field(data, at, where)
        yield number, value


def next_field(data: memoryview, at: int, where: str) -> tuple[int, int, Any, int]:
    """(number, wire type, value, position after it) of the field that begins at `at`."""
    key, at = read_varint(data, at, where)
    number, wire = key >> 3, key & 7
    if wire == 0:
        value, at = read_varint(data, at, where)
        return number, wire, value, at
    if wire == 2:
        size, at = read_varint(data, at, where)
    elif wire in (1, 5):
        size = 8 if wire == 1 else 4
    else:
        raise Damaged(f"The file is not a checkpoint or is damaged in {where}.")
    if at + size > len(data):
        raise Damaged(f"The file is cut or damaged in {where}: {size} bytes are announced, {len(data) - at} are left.")
    return number, wire, data[at : at + size], at + size


def text(value: Any, where: str) -> str:
    """The text of a field."""
    try:
        return str(value, "utf-8")
    except (UnicodeDecodeError, TypeError):  # TypeError: a number
        raise Damaged(f"The file is damaged in {where}: a name is not text.") from None


def integers(value: Any, where: str) -> list[int]:
    """The numbers of a repeated field, which come one by one or packed."""
    return [value] if isinstance(value, int) else varints(value, where)


def varints(data: memoryview, where: str) -> list[int]:
    """The numbers of a packed field."""
    made, at = [], 0
    while at < len(data):
        value, at = read_varint(data, at, where)
        made.append(value)
    return made


def read_varint(data: memoryview, at: int, where: str) -> tuple[int, int]:
    """(number, position after it)"""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise Damaged(f"The file is cut or damaged in {where}: it ends within a number.")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise Damaged(f"The file is not a checkpoint or is damaged in {where}: a number does not end.")

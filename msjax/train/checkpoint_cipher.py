"""Encryption of checkpoint files: a row of the frames of `msjax.mindrecord.cipher`, each of up to 64 MiB of content."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from msjax.mindrecord import cipher

_CONTENT = 64 * 1024 * 1024


class NotDecrypted(Exception):
    """The content is not encrypted in that mode, is damaged, or the key is another one."""


def check(key: bytes, mode: str, caller: str) -> None:
    """Raise TypeError or ValueError for a key or a mode that does not exist."""
    side = "enc" if caller == "save_checkpoint" else "dec"
    if not isinstance(key, bytes):
        raise TypeError(f"For '{caller}', the type of '{side}_key' must be bytes, but got {type(key).__name__}.")
    if mode not in cipher.MAGIC:
        raise ValueError(f"For '{caller}', the '{side}_mode' must be one of {list(cipher.MAGIC)}, but got {mode!r}.")
    if len(key) not in cipher.KEY_BYTES[mode]:
        lengths = ", ".join(map(str, cipher.KEY_BYTES[mode]))
        raise ValueError(
            f"For '{caller}', the length of '{side}_key' must be {lengths} bytes for {mode}, but got {len(key)}."
        )


def is_encrypted(data: memoryview) -> bool:
    """Whether a file begins as an encrypted one."""
    return len(data) >= 4 and struct.unpack_from("<I", data)[0] in cipher.MAGIC.values()


def encrypt(pieces: Iterable[bytes | memoryview], key: bytes, mode: str) -> Iterator[bytes]:
    """The frames of a content that comes in pieces."""
    content = bytearray()
    for piece in pieces:
        # A piece may be many times a frame: take it apart, so that little is held twice.
        for start in range(0, len(piece), _CONTENT):
            content += piece[start : start + _CONTENT]
            while len(content) >= _CONTENT:
                yield cipher.encrypt(bytes(content[:_CONTENT]), key, mode)
                del content[:_CONTENT]
    if content:
        yield cipher.encrypt(bytes(content), key, mode)


def decrypt(data: memoryview, key: bytes, mode: str) -> bytearray:
    """The content of all frames.

    Raises:
        NotDecrypted: See there.
    """
    content, at = bytearray(), 0
    while at < len(data):
        head = 4 + cipher.TAG_BYTES[mode]
        if len(data) < at + head + 4 or struct.unpack_from("<I", data, at)[0] != cipher.MAGIC[mode]:
            raise NotDecrypted(f"The file is not an encrypted {mode} file, or it is damaged.")
        end = at + head + 4 + struct.unpack_from("<I", data, at + head)[0]
        plain = cipher.decrypt(bytes(data[at:end]), key, mode) if end <= len(data) else None
        if plain is None:
            raise NotDecrypted(
                "The file may be encrypted with another key or tempered with: "
                "please pass in the correct 'dec_key' and 'dec_mode'."
            )
        content += plain
        at = end
    return content

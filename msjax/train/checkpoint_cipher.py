"""Encryption of checkpoint files, in the frames that MindSpore writes.

A frame holds up to 64 MiB of content; numbers are 4 bytes, little endian:
magic number of the mode, for AES-GCM a tag of 16 bytes, length of the rest, length of the initial value and the value,
length of the cipher text and the text.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator

_CONTENT = 64 * 1024 * 1024
_MAGIC = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
_TAG = {"AES-GCM": 16, "AES-CBC": 0, "SM4-CBC": 0}
_KEY_BYTES = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}
_IV = 16


class NotDecrypted(Exception):
    """The content is not encrypted in that mode, is damaged, or the key is another one."""


def check(key: bytes, mode: str, caller: str) -> None:
    """Raise TypeError or ValueError for a key or a mode that does not exist."""
    side = "enc" if caller == "save_checkpoint" else "dec"
    if not isinstance(key, bytes):
        raise TypeError(f"For '{caller}', the type of '{side}_key' must be bytes, but got {type(key).__name__}.")
    if mode not in _MAGIC:
        raise ValueError(f"For '{caller}', the '{side}_mode' must be one of {list(_MAGIC)}, but got {mode!r}.")
    if len(key) not in _KEY_BYTES[mode]:
        lengths = ", ".join(map(str, _KEY_BYTES[mode]))
        raise ValueError(
            f"For '{caller}', the length of '{side}_key' must be {lengths} bytes for {mode}, but got {len(key)}."
        )


def is_encrypted(data: memoryview) -> bool:
    """Whether a file begins as an encrypted one."""
    return len(data) >= 4 and struct.unpack_from("<I", data)[0] in _MAGIC.values()


def encrypt(pieces: Iterable[bytes | memoryview], key: bytes, mode: str) -> Iterator[bytes]:
    """The frames of a content that comes in pieces."""
    content = bytearray()
    for piece in pieces:
        # A piece may be many times a frame: take it apart, so that little is held twice.
        for start in range(0, len(piece), _CONTENT):
            content += piece[start : start + _CONTENT]
            while len(content) >= _CONTENT:
                yield _encrypted(bytes(content[:_CONTENT]), key, mode)
                del content[:_CONTENT]
    if content:
        yield _encrypted(bytes(content), key, mode)


def decrypt(data: memoryview, key: bytes, mode: str) -> bytearray:
    """The content of all frames.

    Raises:
        NotDecrypted: See there.
    """
    content, at = bytearray(), 0
    while at < len(data):
        head = 4 + _TAG[mode]
        if len(data) < at + head + 4 or struct.unpack_from("<I", data, at)[0] != _MAGIC[mode]:
            raise NotDecrypted(f"The file is not an encrypted {mode} file, or it is damaged.")
        end = at + head + 4 + struct.unpack_from("<I", data, at + head)[0]
        plain = _decrypted(bytes(data[at:end]), key, mode) if end <= len(data) else None
        if plain is None:
            raise NotDecrypted(
                "The file may be encrypted with another key or tempered with: "
                "please pass in the correct 'dec_key' and 'dec_mode'."
            )
        content += plain
        at = end
    return content


def _encrypted(content: bytes, key: bytes, mode: str) -> bytes:
    if mode == "AES-GCM":
        return _gcm().encrypt(content, key)
    initial = os.urandom(_IV)
    padding = 16 - len(content) % 16
    encryptor = _block_cipher(key, mode, initial).encryptor()
    text = encryptor.update(content + bytes([padding]) * padding) + encryptor.finalize()
    rest = struct.pack("<I", _IV) + initial + struct.pack("<I", len(text)) + text
    return struct.pack("<II", _MAGIC[mode], len(rest)) + rest


def _decrypted(frame: bytes, key: bytes, mode: str) -> bytes | None:
    if mode == "AES-GCM":
        return _gcm().decrypt(frame, key)
    begin = 12 + _IV + 4
    if len(frame) < begin or struct.unpack_from("<I", frame, 8)[0] != _IV:
        return None
    text = frame[begin:]
    if struct.unpack_from("<I", frame, begin - 4)[0] != len(text) or not text or len(text) % 16:
        return None
    decryptor = _block_cipher(key, mode, frame[12 : 12 + _IV]).decryptor()
    content = decryptor.update(text) + decryptor.finalize()
    padding = content[-1]
    intact = 1 <= padding <= 16 and content.endswith(bytes([padding]) * padding)
    return content[:-padding] if intact else None


def _gcm():
    from msjax.mindrecord import aes  # the same frames as record files; loaded only where somebody encrypts

    return aes


def _block_cipher(key: bytes, mode: str, initial: bytes):
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # an extra
    except ImportError as error:
        raise ImportError(
            f"The mode {mode} of encrypted checkpoints needs the package cryptography: pip install 'msjax[crypto]'."
        ) from error
    algorithm = algorithms.AES if mode == "AES-CBC" else algorithms.SM4
    return Cipher(algorithm(key), modes.CBC(initial))

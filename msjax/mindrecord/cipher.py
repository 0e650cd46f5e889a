"""Encrypted frames, as MindSpore writes them into record files and checkpoints. The ciphers are those of `cryptography`.

A frame is, with numbers of 4 bytes, little endian: magic number of the mode, for AES-GCM a tag of 16 bytes, length of the
rest, length of the initial value and the value, length of the cipher text and the text. AES-GCM takes the first 12 bytes of
the initial value as its nonce; the others pad as PKCS #7.
"""

import os
import struct

MAGIC = {"AES-GCM": 0x7F3A5ED8, "AES-CBC": 0x7F3A5ED9, "SM4-CBC": 0x7F3A5EDA}
KEY_BYTES = {"AES-GCM": (16, 24, 32), "AES-CBC": (16, 24, 32), "SM4-CBC": (16,)}
TAG_BYTES = {"AES-GCM": 16, "AES-CBC": 0, "SM4-CBC": 0}
_INITIAL_BYTES, _NONCE_BYTES = 16, 12


def encrypt(content: bytes, key: bytes, mode: str = "AES-GCM"):
    """One frame of a content (bytes) under a key (bytes, see `KEY_BYTES`).

    Raises:
        ImportError: cryptography is not installed.

    Example:
        >>> from msjax.mindrecord.cipher import decrypt, encrypt
        >>> decrypt(encrypt(b"content", b"0123456789012345"), b"0123456789012345")
        b'content'
    """
    _, aead, padding, _ = _library()
    initial = os.urandom(_INITIAL_BYTES)
    if mode == "AES-GCM":
        sealed = aead.AESGCM(key).encrypt(initial[:_NONCE_BYTES], content, None)
        text, tag = sealed[:-16], sealed[-16:]
    else:
        padder = padding.PKCS7(128).padder()
        encryptor = _chained(key, mode, initial).encryptor()
        text, tag = encryptor.update(padder.update(content) + padder.finalize()) + encryptor.finalize(), b""
    rest = struct.pack("<I", _INITIAL_BYTES) + initial + struct.pack("<I", len(text)) + text
    return struct.pack("<I", MAGIC[mode]) + tag + struct.pack("<I", len(rest)) + rest


def decrypt(frame: bytes, key: bytes, mode: str = "AES-GCM"):
    """Inverse of `encrypt`; None where the frame is damaged, or the key or the mode is another one.

    Raises:
        ImportError: cryptography is not installed.
    """
    begin = 4 + TAG_BYTES[mode]  # of the length of the rest
    text_begin = begin + 8 + _INITIAL_BYTES + 4
    if len(frame) < text_begin or struct.unpack_from("<I", frame)[0] != MAGIC[mode]:
        return None
    if struct.unpack_from("<I", frame, begin + 4)[0] != _INITIAL_BYTES:
        return None
    initial, text = frame[begin + 8 : text_begin - 4], frame[text_begin:]
    if struct.unpack_from("<I", frame, text_begin - 4)[0] != len(text):
        return None
    _, aead, padding, exceptions = _library()
    if mode == "AES-GCM":
        try:
            return aead.AESGCM(key).decrypt(initial[:_NONCE_BYTES], text + frame[4:begin], None)
        except exceptions.InvalidTag:
            return None
    decryptor = _chained(key, mode, initial).decryptor()
    unpadder = padding.PKCS7(128).unpadder()
    try:
        return unpadder.update(decryptor.update(text) + decryptor.finalize()) + unpadder.finalize()
    except ValueError:  # no whole blocks, or no padding at the end
        return None


def _chained(key, mode, initial):
    """The cipher of a mode in which each block is chained to the one before."""
    ciphers = _library()[0]
    algorithm = ciphers.algorithms.AES if mode == "AES-CBC" else ciphers.algorithms.SM4
    return ciphers.Cipher(algorithm(key), ciphers.modes.CBC(initial))


def _library():
    """The modules of `cryptography` that are needed: an extra, and only encrypted files need it."""
    try:
        from cryptography import exceptions
        from cryptography.hazmat.primitives import ciphers, padding
        from cryptography.hazmat.primitives.ciphers import aead, algorithms, modes  # noqa: F401  attributes of `ciphers`
    except ImportError as error:
        raise ImportError("Encrypted files need the package cryptography: pip install 'msjax[crypto]'.") from error
    return ciphers, aead, padding, exceptions

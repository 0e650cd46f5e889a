"""Encryption of record files: the key and modes of the process, and whole files to and from their encrypted form.

An encrypted file is blocks (4 bytes length, big endian, then the block), a length of 0, the name of the mode (7 bytes)
and the word ``ENCRYPT``. It is decrypted into a folder ``.decrypt_mindrecord`` beside it while it is in use.
"""

import os
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable

from . import cipher
from .constants import check_record_file

_FLAG = b"ENCRYPT"
_CUSTOM = "UDF-ENC"
_MODES = ("AES-GCM",)
_BLOCK = 64 * 1024 * 1024
_FOLDER = ".decrypt_mindrecord"
_lock = threading.Lock()
_settings = {"key": None, "enc": "AES-GCM", "dec": None}


def set_enc_key(enc_key: str):
    """Set the key that record files are encrypted with when written and decrypted with when read.

    Args:
        enc_key (str): 16, 24 or 32 characters; None switches encryption off.

    Raises:
        ValueError: `enc_key` is not a str of such a length.

    Examples:
        >>> from msjax.mindrecord import set_enc_key
        >>> set_enc_key("0123456789012345")
        >>> set_enc_key(None)
    """
    if enc_key is not None:
        if not isinstance(enc_key, str):
            raise ValueError("The input enc_key is not str.")
        if len(enc_key) not in (16, 24, 32):
            raise ValueError("The length of input enc_key is not 16, 24, 32.")
    _settings["key"] = enc_key


def set_enc_mode(enc_mode: str | Callable = "AES-GCM"):
    """Set how record files are encrypted.

    Args:
        enc_mode (Union[str, function], optional): ``"AES-GCM"`` or a function of
            (file, file size, encrypted file, key). Default: ``"AES-GCM"``.

    Raises:
        ValueError: `enc_mode` is neither.

    Examples:
        >>> from msjax.mindrecord import set_enc_mode
        >>> set_enc_mode("AES-GCM")
    """
    _settings["enc"] = _mode(enc_mode, "enc_mode")


def set_dec_mode(dec_mode: str | Callable = "AES-GCM"):
    """Set how record files are decrypted.

    Args:
        dec_mode (Union[str, function], optional): ``"AES-GCM"``, a function of (file, file size, decrypted file, key),
            or None for the mode of `set_enc_mode`. Default: ``"AES-GCM"``.

    Raises:
        ValueError: `dec_mode` is none of these.

    Examples:
        >>> from msjax.mindrecord import set_dec_mode
        >>> set_dec_mode("AES-GCM")
    """
    _settings["dec"] = None if dec_mode is None else _mode(dec_mode, "dec_mode")


def _mode(mode, name):
    if callable(mode):
        return mode
    if not isinstance(mode, str):
        raise ValueError(f"The input {name} is not str.")
    if mode not in _MODES:
        raise ValueError(f"The input {name} is invalid.")
    return mode


def get_enc_key():
    """The key of `set_enc_key`, or None."""
    return _settings["key"]


def get_dec_mode():
    """The mode that files are decrypted in."""
    if _settings["dec"] is None:
        if callable(_settings["enc"]):
            raise RuntimeError("You use custom encryption, so you must also define custom decryption.")
        return _settings["enc"]
    return _settings["dec"]


def _mode_name(mode):
    return _CUSTOM if callable(mode) else mode


def encrypt_in_place(path: str):
    """Replace the file at `path` by its encrypted form, where a key is set."""
    key, mode = get_enc_key(), _settings["enc"]
    if key is None:
        return
    target = path + ".encrypt"
    try:
        with open(path, "rb") as plain, open(target, "wb") as out:
            if callable(mode):
                mode(plain, os.path.getsize(path), out, key)
            else:
                while data := plain.read(_BLOCK):
                    block = cipher.encrypt(data, key.encode())
                    out.write(len(block).to_bytes(4, "big") + block)
            out.write(bytes(4) + _mode_name(mode).encode() + _FLAG)
        os.chmod(target, 0o600)
        os.replace(target, path)
    except BaseException:
        if os.path.exists(target):
            os.remove(target)
        raise


def is_encrypted(path: str):
    """Whether the file at `path` ends as an encrypted one.

    Raises:
        RuntimeError: there is no such file, or it is encrypted without a key being set, or the reverse.
    """
    size = check_record_file(path)
    with open(path, "rb") as stream:
        stream.seek(size - len(_FLAG))
        encrypted = stream.read() == _FLAG
    if encrypted and get_enc_key() is None:
        raise RuntimeError(
            f"The mindrecord file {path} is encrypted. You need to configure "
            f"'mindspore.mindrecord.set_enc_key(...)' and 'mindspore.mindrecord.set_enc_mode(...)' "
            f"for decryption."
        )
    if not encrypted and get_enc_key() is not None:
        raise RuntimeError(
            f"The mindrecord file {path} is not encrypted. You can set 'mindspore.mindrecord.set_enc_key(None)' to "
            "disable the decryption."
        )
    return encrypted


def _decrypt(path, target):
    """Write the decrypted form of the file at `path` to `target`."""
    mode, key = get_dec_mode(), get_enc_key()
    wrong = RuntimeError(f"Failed to decrypt data of {path}, please check if enc_key and enc_mode / dec_mode is valid.")
    size = os.path.getsize(path)
    with open(path, "rb") as stream, open(target, "wb") as out:
        stream.seek(size - len(_FLAG) - len(_CUSTOM))
        if stream.read(len(_CUSTOM)) != _mode_name(mode).encode():
            raise wrong
        stream.seek(0)
        if callable(mode):
            mode(stream, size - len(_FLAG), out, key)
            return
        while length := int.from_bytes(stream.read(4), "big", signed=True):
            if not 0 < length <= size - stream.tell():
                raise RuntimeError(
                    f"Invalid encrypted block length {length} in file: {path} at offset: {stream.tell() - 4}."
                )
            data = cipher.decrypt(stream.read(length), key.encode())
            if data is None:
                raise wrong
            out.write(data)


def decrypt_in_place(path: str):
    """Replace an encrypted record file and its index by their plain forms."""
    for name in (path, path + ".db"):
        if is_encrypted(name):
            _decrypt(name, name + ".decrypt")
            os.replace(name + ".decrypt", name)


class PlainFiles:
    """Record files in a form that can be read: the files themselves, or decrypted copies that live as long as this.

    Args:
        paths (list[str]): record files.

    Attributes:
        paths (list[str]): the files to read.
    """

    def __init__(self, paths: list[str]):
        encrypted = [all([is_encrypted(path), is_encrypted(path + ".db")]) for path in paths]
        self.paths = list(paths)
        self.close = lambda: None
        if not any(encrypted):
            return
        root = os.path.join(os.path.dirname(os.path.realpath(paths[0])), _FOLDER)
        with _lock:
            os.makedirs(root, mode=0o700, exist_ok=True)
            folder = tempfile.mkdtemp(dir=root)
        self.close = weakref.finalize(self, _remove, folder, root)
        try:
            for number, path in enumerate(paths):
                if encrypted[number]:
                    place = os.path.join(folder, str(number))
                    os.mkdir(place)
                    copy = os.path.join(place, os.path.basename(path))
                    _decrypt(path, copy)
                    _decrypt(path + ".db", copy + ".db")
                    self.paths[number] = copy
        except BaseException:
            self.close()
            raise


def _remove(folder, root):
    with _lock:
        shutil.rmtree(folder, ignore_errors=True)
        if os.path.isdir(root) and not os.listdir(root):
            os.rmdir(root)

"""PyTorch's files of weights (`.pth`, `.pt`, `.bin`): read without PyTorch and without executing anything; written by PyTorch.

A file is a zip archive of one pickle and one member for each storage. Only what tensors are made of is looked up in the pickle;
anything else is an error. https://pytorch.org/docs/stable/notes/serialization.html
"""

from __future__ import annotations

import collections
import math
import os
import pickle
from collections.abc import Callable

import ml_dtypes
import numpy as np

from ...files.archives import Unpacking, is_zip
from ...files.unpickling import Refused, unpickle
from .entries import Entry, flat

SUFFIXES = (".pth", ".pt", ".bin")
_STORAGES = {
    "FloatStorage": "float32", "DoubleStorage": "float64", "HalfStorage": "float16", "BFloat16Storage": "bfloat16",
    "LongStorage": "int64", "IntStorage": "int32", "ShortStorage": "int16", "CharStorage": "int8", "ByteStorage": "uint8",
    "BoolStorage": "bool", "ComplexFloatStorage": "complex64", "ComplexDoubleStorage": "complex128", "UntypedStorage": "uint8",
    "Float8_e4m3fnStorage": "float8_e4m3fn", "Float8_e5m2Storage": "float8_e5m2",
}  # fmt: skip
_DTYPES = {"float8_e4m3fn": "float8_e4m3fn", "float8_e5m2": "float8_e5m2", "uint16": "uint16", "uint32": "uint32"}
_WRAPPERS = ("state_dict", "model", "model_state_dict")  # what training scripts put a state_dict under


def _dtype(kind: str) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, kind, kind))


class _Storage:
    """One storage of a file: how to read it, not its content."""

    def __init__(self, path: str, member: str, dtype: np.dtype, count: int):
        self.path, self.member, self.dtype, self.count = path, member, dtype, count

    def read(self, dtype: np.dtype) -> np.ndarray:
        try:
            with Unpacking(self.path) as archive:
                return np.frombuffer(archive.read(self.member), dtype)
        except KeyError as error:
            raise ValueError(f"{self.path} can not be read: {error}.") from error


def _tensor(storage: _Storage, offset: int, size: tuple, stride: tuple, *_: object) -> Entry:
    """torch._utils._rebuild_tensor_v2"""
    return _strided(storage, storage.dtype, storage.count, offset, size, stride)


def _tensor_of_dtype(storage: _Storage, offset: int, size: tuple, stride: tuple, _grad: bool, _hooks: object, dtype: object, *_: object) -> Entry:  # fmt: skip
    """torch._utils._rebuild_tensor_v3: a dtype that has no storage class."""
    if not isinstance(storage, _Storage) or not isinstance(dtype, np.dtype):
        raise ValueError(f"a tensor is of {dtype!r}")
    return _strided(storage, dtype, storage.count * storage.dtype.itemsize // dtype.itemsize, offset, size, stride)


def _strided(storage: object, dtype: np.dtype, count: int, offset: object, size: object, stride: object) -> Entry:
    numbers = [offset, *size, *stride] if isinstance(size, tuple) and isinstance(stride, tuple) else [None]
    if not isinstance(storage, _Storage) or not all(type(n) is int and n >= 0 for n in numbers):
        raise ValueError("a tensor is not made of a storage, an offset, sizes and strides")
    if len(size) != len(stride):
        raise ValueError("a tensor has another number of sizes than of strides")
    last = offset + sum((n - 1) * s for n, s in zip(size, stride)) if all(size) else offset - 1
    if last >= count:
        raise ValueError("a tensor reaches past its storage")
    if math.prod(size) > count:
        raise ValueError("a tensor repeats the elements of its storage")

    def read() -> np.ndarray:
        content = storage.read(dtype)
        if last >= content.size:
            raise ValueError(f"{storage.path} can not be read: the storage {storage.member} is shorter than it says.")
        steps = [s * dtype.itemsize for s in stride]
        return np.ascontiguousarray(np.lib.stride_tricks.as_strided(content[offset:], size, steps))

    return Entry(size, dtype, read)


def _first(data: object, *_: object) -> object:
    """torch._utils._rebuild_parameter"""
    return data


def _plain_dict(*_: object) -> dict:
    """collections.defaultdict as a plain dict: its default factory is not needed here."""
    return {}


_ALLOWED = {
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_tensor_v3"): _tensor_of_dtype,
    ("torch._utils", "_rebuild_parameter"): _first,
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "defaultdict"): _plain_dict,
}
_ALLOWED |= {("torch", name): _dtype(kind) for name, kind in _STORAGES.items()}
_ALLOWED |= {("torch.storage", "UntypedStorage"): np.dtype(np.uint8)}
_ALLOWED |= {("torch", name): _dtype(kind) for name, kind in _DTYPES.items()}


def _storage_of(path: str, folder: str) -> Callable[[tuple], _Storage]:
    """Makes the storages that a pickle refers to."""

    def load(about: tuple) -> _Storage:
        kind, dtype, key, _, count = about[:5]
        if kind != "storage" or not isinstance(dtype, np.dtype) or type(count) is not int:
            raise Refused(f"it holds a {kind!r} of {dtype!r}")
        return _Storage(path, f"{folder}/data/{key}", dtype, count)

    return load


def open_torch(path: str) -> dict[str, Entry]:
    """The tensors of a file, in its order.

    Raises:
        ValueError: a file of another kind, a damaged one, or one that holds more than tensors.
    """
    if not is_zip(path):
        raise ValueError(
            f"{path} is not a file of PyTorch 1.6 or later (a zip archive). Load it in PyTorch and save it again."
        )
    try:
        with Unpacking(path) as archive:
            found = [n for n in archive.names if n.endswith("/data.pkl")]
            if len(found) != 1:
                raise ValueError(f"it has {len(found)} files data.pkl")
            content = unpickle(archive.read(found[0]), _ALLOWED, _storage_of(path, found[0].rpartition("/")[0]))
    except Refused as error:
        raise ValueError(
            f"{path} can not be read: {error}. Save the state_dict alone (torch.save(net.state_dict(), ...))."
        ) from error
    except (pickle.UnpicklingError, ValueError, KeyError) as error:
        raise ValueError(f"{path} can not be read: {error}.") from error
    for wrapper in _WRAPPERS:
        if isinstance(content, dict) and isinstance(content.get(wrapper), dict):
            content = content[wrapper]
    found = (
        {".".join(map(str, n)): v for n, v in flat(content) if isinstance(v, Entry)}
        if isinstance(content, dict)
        else {}
    )
    if not found:
        raise ValueError(f"{path} holds no dict of tensors.")
    return found


def write_torch(path: str, arrays: dict[str, np.ndarray]) -> None:
    """Write a file as `torch.save` of a dict of tensors does.

    Raises:
        ImportError: PyTorch is not installed.
    """
    try:
        import torch  # only to write its own format
    except ImportError as error:
        raise ImportError(f"{path} is written by PyTorch: pip install torch. Or write .safetensors.") from error
    plain = {1: np.uint8, 2: np.int16}

    def tensor(array):
        array = np.ascontiguousarray(array).reshape(array.shape)
        if array.dtype.kind != "V":
            return torch.from_numpy(array if array.flags.writeable else array.copy())
        bits = torch.from_numpy(array.view(plain[array.dtype.itemsize]).copy())
        return bits.view(getattr(torch, array.dtype.name))

    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        torch.save({name: tensor(array) for name, array in arrays.items()}, temporary)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)

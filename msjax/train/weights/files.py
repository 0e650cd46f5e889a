"""Files of weights as dicts from names to entries: opened without reading the values, written array by array.

| file | read | written |
|---|---|---|
| `.ckpt` of MindSpore | yes | yes, one array in memory at a time |
| `.safetensors`; its index, or a folder with one (Hugging Face) | yes | yes, one array in memory at a time |
| `.pth`, `.pt`, `.bin` of PyTorch; its index, or a folder with one | yes, nothing is executed | by PyTorch, if it is installed |
| `.npz` | yes | yes, one array at a time |
| a folder of Orbax | yes | yes, whole |
| `.mindir` of MindSpore | yes, whole | no |
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable, Mapping

import numpy as np

from ...files.archives import npz_headers, read_npz
from .. import checkpoint_format as files
from .. import safetensors_format
from ..mindir import is_mindir, read_mindir
from ..stored_arrays import StoredArray
from .entries import Entry
from .orbax_folders import open_orbax, write_orbax
from .torch_files import SUFFIXES as TORCH
from .torch_files import open_torch, write_torch

_INDEXES = ("model.safetensors.index.json", "pytorch_model.bin.index.json")
_SINGLE = ("model.safetensors", "pytorch_model.bin")
_KINDS = ".ckpt, .safetensors, .npz, .pth, .pt, .bin, an index (.index.json), .mindir of MindSpore"


def open_weights(path: str | os.PathLike) -> dict[str, Entry]:
    """The arrays of a file or folder, in its order; values are read one by one when they are asked for.

    What else is in a file (strings, MapParameters) is left out.

    Args:
        path: A file of one of the kinds above, an index of shards, or a folder of Hugging Face or Orbax.

    Raises:
        ValueError: an unknown kind of file, or a damaged one. ImportError: the package that reads it is missing.

    Example:
        >>> from msjax.train.weights import open_weights, write_weights
        >>> write_weights("net.ckpt", {"fc.weight": np.ones((2, 3), np.float32)})
        >>> entry = open_weights("net.ckpt")["fc.weight"]
        >>> entry.shape, entry.dtype, float(entry.read().sum())
        ((2, 3), dtype('float32'), 6.0)
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise ValueError(f"There is no file {path}.")
    if os.path.isdir(path):
        return _folder(path)
    if path.endswith(".index.json"):
        return _shards(path)
    if path.endswith(".ckpt"):
        found = files.stored(path)
        return {n: Entry.stored(array) for n, array, _ in found if isinstance(array, StoredArray)}
    if path.endswith(".safetensors"):
        found = sorted(safetensors_format.stored_safetensors(path)[0], key=lambda item: item[1].runs[0])
        return {n: Entry.stored(array) for n, array, _ in found}
    if path.endswith(".npz"):
        return _npz(path)
    if path.endswith(TORCH):
        return open_torch(path)
    if is_mindir(path):
        return {name: Entry.of(array) for name, array in read_mindir(path).weights.items()}
    raise ValueError(f"{path} is none of {_KINDS}, and no folder of Hugging Face or Orbax.")


def read_weights(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """The arrays of a file or folder, in its order.

    Raises:
        ValueError: an unknown kind of file, or a damaged one. ImportError: the package that reads it is missing.
    """
    return {name: entry.read() for name, entry in open_weights(path).items()}


def _folder(path: str) -> dict[str, Entry]:
    for name in (*_INDEXES, *_SINGLE):
        inside = os.path.join(path, name)
        if os.path.exists(inside):
            return open_weights(inside)
    loose = sorted(n for n in os.listdir(path) if n.endswith((".safetensors", *TORCH)))
    if loose:
        raise ValueError(
            f"{path} has no {' or '.join((*_INDEXES, *_SINGLE))} that says which of its files belong together: {', '.join(loose[:5])}."
            " Name one file, or the index."
        )
    return open_orbax(path)


def _shards(path: str) -> dict[str, Entry]:
    """The arrays of all files that an index of Hugging Face names."""
    try:
        with open(path, encoding="utf-8") as file:
            where = json.load(file)["weight_map"]
        shards = dict.fromkeys(where.values())
        if not where or not all(
            type(s) is str and s == os.path.basename(s) and s.endswith((".safetensors", *TORCH)) for s in shards
        ):
            raise ValueError("its files must stand beside it")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not an index of files of weights: {error}.") from None
    opened = {}
    for shard in shards:
        beside = os.path.join(os.path.dirname(path), shard)
        if not os.path.exists(beside):
            raise ValueError(f"{path} names the file {shard}, which is not beside it: it was not copied whole.")
        opened[shard] = open_weights(beside)
    missing = [name for name, shard in where.items() if name not in opened[shard]]
    if missing:
        raise ValueError(f"{path} says that {where[missing[0]]} holds '{missing[0]}', and it does not.")
    return {name: opened[shard][name] for name, shard in where.items()}


def _npz(path: str) -> dict[str, Entry]:
    return {name: Entry(shape, kind, _npz_reader(path, name)) for name, (shape, kind) in npz_headers(path).items()}


def _npz_reader(path: str, name: str) -> Callable[[], np.ndarray]:
    return lambda: read_npz(path, [name])[name]


def write_weights(
    path: str | os.PathLike, arrays: Mapping[str, np.ndarray | Entry], shard_bytes: int | None = None
) -> None:
    """Write arrays to a file of the kind that its name says; a name without suffix is a folder of Orbax.

    A name that ends in `.index.json` (`model.safetensors.index.json`, `pytorch_model.bin.index.json`) is written as Hugging Face does:
    shards of at most `shard_bytes` beside it. An old file stays as it was until the new one is whole.

    Args:
        path: The file.
        arrays: Names with arrays or entries; an entry is read when its turn comes.
        shard_bytes: The most that one shard holds; 5,000,000,000 if None. Only for an index.

    Raises:
        ValueError: a kind that is only read, or one that does not know a dtype. ImportError: the package that writes it is missing.
    """
    path = os.fspath(path)
    entries = {name: a if isinstance(a, Entry) else Entry.of(a) for name, a in arrays.items()}
    if path.endswith(".index.json"):
        _write_shards(path, entries, shard_bytes or 5_000_000_000)
    elif shard_bytes is not None:
        raise ValueError(f"{path} is one file: name an index (model.safetensors.index.json) to write shards.")
    elif path.endswith(".ckpt"):
        kinds = {
            name: files.type_name(entry) for name, entry in entries.items()
        }  # an unknown dtype before the first byte
        files.write(path, ((name, entry, kinds[name]) for name, entry in entries.items()))
    elif path.endswith(".safetensors"):
        safetensors_format.write_safetensors(path, [(n, e, files.type_name(e)) for n, e in entries.items()])
    elif path.endswith(".npz"):
        _write_npz(path, entries)
    elif path.endswith(TORCH):
        write_torch(path, {name: entry.read() for name, entry in entries.items()})
    elif not os.path.splitext(path)[1]:
        write_orbax(path, {name: entry.read() for name, entry in entries.items()})
    else:
        raise ValueError(
            f"{path} can not be written: use .ckpt, .safetensors, .npz, .pth, .pt, .bin, model.safetensors.index.json, "
            "or a name without suffix for Orbax."
        )


def _write_shards(path: str, entries: dict[str, Entry], limit: int) -> None:
    stem = os.path.basename(path).removesuffix(".index.json")
    base, suffix = os.path.splitext(stem)
    if suffix not in (".safetensors", *TORCH):
        raise ValueError(f"{path} must be model.safetensors.index.json or pytorch_model.bin.index.json.")
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)  # an index has a folder of its own
    shards: list[dict[str, Entry]] = [{}]
    size = 0
    for name, entry in entries.items():
        if size and size + entry.nbytes > limit:
            shards.append({})
            size = 0
        shards[-1][name], size = entry, size + entry.nbytes
    where = {}
    for i, shard in enumerate(shards, 1):
        file = f"{base}-{i:05d}-of-{len(shards):05d}{suffix}"
        write_weights(os.path.join(os.path.dirname(path), file), shard)
        where.update(dict.fromkeys(shard, file))
    index = {"metadata": {"total_size": sum(e.nbytes for e in entries.values())}, "weight_map": where}
    files.replace_file(path, lambda out: out.write(json.dumps(index, indent=2).encode()))


def _write_npz(path: str, entries: dict[str, Entry]) -> None:
    for name, entry in entries.items():
        if entry.dtype.kind == "V":
            raise ValueError(f"'{name}' is {entry.dtype}, which .npz files do not know: write .safetensors.")

    def write(file) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            for name, entry in entries.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, entry.read(), allow_pickle=False)

    files.replace_file(path, write)

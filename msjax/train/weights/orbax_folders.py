"""Folders of Orbax: of what lies in them one array is read at a time, and each device's part straight to it."""

import os
from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from .entries import Entry, flat


def open_orbax(path: str | os.PathLike) -> dict[str, Entry]:
    """The arrays of a folder; their names are paths with dots.

    Raises:
        ValueError: it is not a folder of Orbax. ImportError: Orbax is not installed.
    """
    orbax, folder = _orbax(), os.path.abspath(path)
    with orbax.PyTreeCheckpointer() as reader:
        try:
            about = reader.metadata(folder)
        except (OSError, ValueError) as error:
            raise ValueError(f"{path} is not a folder of weights that Orbax can read: {error}") from None
    tree = getattr(about, "item_metadata", about)
    tree = getattr(tree, "tree", tree)
    if not isinstance(tree, Mapping):
        raise ValueError(f"{path} is not a folder of weights that Orbax can read: it has no description of arrays.")
    return {".".join(keys): _entry(folder, keys, found) for keys, found in flat(tree)}


def write_orbax(path: str | os.PathLike, arrays: Mapping[str, np.ndarray]) -> None:
    """Write arrays to a new folder.

    Raises:
        ValueError: the folder is there. ImportError: Orbax is not installed.
    """
    with _orbax().PyTreeCheckpointer() as writer:
        writer.save(os.path.abspath(path), dict(arrays))


def _entry(folder, keys, about):
    shape, dtype = tuple(getattr(about, "shape", None) or ()), np.dtype(about.dtype)
    kind = _orbax().RestoreArgs(restore_type=np.ndarray)

    def place(sharding):
        return _restored(folder, keys, shape, dtype, _orbax().ArrayRestoreArgs(sharding=sharding, dtype=dtype))

    return Entry(shape, dtype, lambda: np.asarray(_restored(folder, keys, shape, dtype, kind)), None, place)


def _restored(folder, keys, shape, dtype, how) -> Any:
    """One array of a folder."""
    orbax = _orbax()
    arguments = orbax.args.PyTreeRestore(
        item=_nested(keys, jax.ShapeDtypeStruct(shape, dtype)), restore_args=_nested(keys, how), partial_restore=True
    )
    with orbax.PyTreeCheckpointer() as reader:
        found = reader.restore(folder, args=arguments)
    for key in keys:
        found = found[key]
    return found


def _nested(keys, value):
    for key in reversed(keys):
        value = {key: value}
    return value


def _orbax():
    try:
        import orbax.checkpoint  # only for its folders
    except ImportError as error:
        raise ImportError("Folders of Orbax need the package orbax-checkpoint: pip install 'msjax[orbax]'.") from error
    return orbax.checkpoint

"""Checkpoints of DTensors: `save` and `load` of a dict, layouts as files, and slices from one layout to another."""

import json
import math
import os
import pathlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..core.host import wide
from ..core.values.parameter import Parameter
from ..core.values.tensor import Tensor, on_device
from ..nn.cell.cell import Cell
from .dtensor import DTensor
from .platform import get_platform

if TYPE_CHECKING:
    from .layout import Layout

__all__ = [
    "ReshardHandler",
    "combine_layout",
    "get_current_layout",
    "get_global_layout",
    "infer_intersection",
    "infer_slice_area_by_rank",
    "load",
    "load_checkpoint",
    "load_layout",
    "rank_id_to_dev_id_list",
    "save",
    "save_checkpoint",
    "save_layout",
]

_TENSORS, _VALUES = "__0_0.safetensors", "values.json"


# --- a dict of Tensors as a folder
def save(
    state_dict: dict,
    *,
    checkpoint_id: str | os.PathLike,
    no_dist: bool = False,
    use_collectives: bool = True,
    **options,
):
    """Write a dict of Tensors (DTensors as wholes) and of plain values, also nested, to a folder; returns the written
    names.

    Args:
        state_dict: dict.
        checkpoint_id: path of the folder. The others are for several processes.

    Raises:
        TypeError: a value that is neither a Tensor nor can be written as JSON.

    Example:
        >>> from msjax.hyper_parallel.checkpoint import save
        >>> save({"w": Tensor([1.0])}, checkpoint_id="folder")
        ['w']
    """
    folder = pathlib.Path(checkpoint_id)
    folder.mkdir(parents=True, exist_ok=True)
    flat = _flat(state_dict)
    tensors = {name: _whole(value) for name, value in flat.items() if isinstance(value, Tensor)}
    rest = {name: value for name, value in flat.items() if name not in tensors}
    text = json.dumps(rest)  # before anything is written
    platform = get_platform()
    platform.save_checkpoint(
        [{"name": n, "data": Parameter(t, name=n)} for n, t in tensors.items()], str(folder / _TENSORS)
    )
    (folder / _VALUES).write_text(text)
    return sorted(flat)


def load(
    state_dict: dict,
    *,
    checkpoint_id: str | os.PathLike,
    no_dist: bool = False,
    use_collectives: bool = True,
    **options,
):
    """Fill a dict of Tensors from a folder that `save` wrote, each in its present layout; plain values are replaced.

    Args:
        state_dict: dict as it was given to `save`, on any mesh.
        checkpoint_id: path of the folder.

    Raises:
        ValueError: a name that is missing in the folder, or a shape that differs.
    """
    folder = pathlib.Path(checkpoint_id)
    found = dict(get_platform().load_checkpoint(str(folder / _TENSORS)))
    rest = json.loads((folder / _VALUES).read_text(encoding="utf-8"))
    if not isinstance(rest, dict):
        raise ValueError(f"For 'load', {folder / _VALUES} must hold a JSON object of names and values.")
    flat = _flat(state_dict)
    missing = sorted(name for name, value in flat.items() if name not in (found if isinstance(value, Tensor) else rest))
    if missing:
        raise ValueError(
            f"For 'load', these names are not in the checkpoint {folder}: {missing}. There are {sorted(found)}."
        )
    for name, target in flat.items():
        if isinstance(target, Tensor) and tuple(found[name].shape) != tuple(target.shape):
            raise ValueError(
                f"For 'load', '{name}' has the shape {target.shape}, but {tuple(found[name].shape)} in the checkpoint {folder}."
            )
    for name, target in flat.items():
        if not isinstance(target, Tensor):
            _put(state_dict, name.split("."), rest[name])
            continue
        held = target.jax_array
        array = found[name].asnumpy().astype(held.dtype)
        target._assign(wide(jax.device_put)(array, held.sharding) if isinstance(target, DTensor) else on_device(array))


def _flat(state, prefix=""):
    found = {}
    for name, value in state.items():
        if isinstance(value, dict):
            found.update(_flat(value, f"{prefix}{name}."))
        else:
            found[f"{prefix}{name}"] = value
    return found


def _put(state, path, value):
    for cut in range(1, len(path) + 1):  # names have dots of their own
        name, rest = ".".join(path[:cut]), path[cut:]
        if not rest and name in state:
            state[name] = value
            return
        if rest and isinstance(state.get(name), dict):
            _put(state[name], rest, value)
            return


def _whole(value):
    return value.full_tensor() if isinstance(value, DTensor) else value


# --- one file
def _check_file(path, who):
    if not pathlib.Path(path).suffix:
        raise ValueError(f"{who} file_path should contains file name, but got {path}.")


def save_checkpoint(save_obj: Cell | dict, file_path: str | os.PathLike):
    """Write the Parameters of a Cell, or a dict, to a safetensors file; folders are made. ValueError: the path names no file."""
    _check_file(file_path, "Saver")
    pathlib.Path(file_path).parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(save_obj, (Cell, dict)):
        save_obj = save_obj._params
    pairs = save_obj.items() if isinstance(save_obj, dict) else save_obj.parameters_and_names()
    rows = [{"name": name, "data": Parameter(_whole(value), name=name)} for name, value in pairs]
    get_platform().save_checkpoint(rows, str(file_path))


def load_checkpoint(file_path: str | os.PathLike):
    """Dict from name to Parameter, of a safetensors file. ValueError: the path names no file."""
    _check_file(file_path, "Loader")
    return get_platform().load_checkpoint(str(file_path))


# --- layouts
def get_current_layout(cell: Cell):
    """{rank: {name of a Parameter: its layout, as a dict with `type` and `full_shape`}} of this process."""
    found = {}
    for _, parameter in get_platform().parameters_dict(cell):
        layout = getattr(parameter, "layout", None)
        if layout:
            found[parameter.name] = {**layout.to_dict(), "type": str(parameter.dtype), "full_shape": parameter.shape}
    return {str(get_platform().get_rank()): found}


def get_global_layout(cell: Cell):
    """As `get_current_layout`, of all processes."""
    return get_current_layout(cell)


def save_layout(layout_dict: dict[str, Any], file_path: str | os.PathLike):
    """Write layouts to a file."""
    pathlib.Path(file_path).write_text(json.dumps(layout_dict, ensure_ascii=False), encoding="utf-8")


def load_layout(file_path: str | os.PathLike):
    """The layouts of a file."""
    return json.loads(pathlib.Path(file_path).read_text(encoding="utf-8"))


def combine_layout(directory: str | os.PathLike):
    """The layouts of all `.layout` files of a folder. ValueError: two files tell of one rank."""
    found = {}
    for name in sorted(os.listdir(directory)):
        if name.endswith(".layout"):
            for rank, parameters in load_layout(os.path.join(directory, name)).items():
                if rank in found:
                    raise ValueError("rank_id in files must be unique")
                found[rank] = parameters
    return found


# --- slices from one layout to another
def rank_id_to_dev_id_list(mesh_shape: Sequence[int], rank_id: int):
    """The position of a rank in a mesh."""
    return [int(i) for i in np.unravel_index(rank_id, mesh_shape)]


def infer_slice_area_by_rank(
    mesh_shape: Sequence[int], tensor_map: Sequence[int | tuple[int, ...]], rank_id: int, full_shape: Sequence[int]
):
    """((start, stop) for each axis) of the part of a rank. ValueError: an axis that does not divide."""
    where, area = rank_id_to_dev_id_list(mesh_shape, rank_id), []
    for length, places in zip(full_shape, tensor_map):
        number, parts = 0, 1
        for place in places if isinstance(places, (tuple, list)) else (places,):
            if place != -1:
                number = number * mesh_shape[-place - 1] + where[-place - 1]
                parts *= mesh_shape[-place - 1]
        if length % parts:
            raise ValueError(f"Shape can not divided: an axis of {full_shape} has {length} elements for {parts} parts.")
        area.append((number * (length // parts), (number + 1) * (length // parts)))
    return tuple(area)


def infer_intersection(area_a: Sequence[tuple[int, int]], area_b: Sequence[tuple[int, int]]):
    """The intersection of two areas, or None."""
    common = tuple((max(a[0], b[0]), min(a[1], b[1])) for a, b in zip(area_a, area_b))
    return common if all(start < stop for start, stop in common) else None


def _described(layout, name, dim):
    if layout is None:
        return (1,), (0,) * dim, [0]
    told = layout.to_dict()
    for key in ("mesh_shape", "tensor_map", "rank_list"):
        if not isinstance(told[key], (tuple, list)):
            raise TypeError(f"Layout {name} {key} must be tuple or list, but got {type(told[key]).__name__}")
    if len(told["rank_list"]) != math.prod(told["mesh_shape"]):
        raise ValueError(
            f"Layout {name} rank_list size ({len(told['rank_list'])}) must match device count ({math.prod(told['mesh_shape'])})"
        )
    return told["mesh_shape"], told["tensor_map"], list(told["rank_list"])


class ReshardHandler:
    """Which slices of which ranks make the slice of one rank in another layout.

    Args:
        param_name: for messages. full_shape: of the whole. from_layout, to_layout: Layouts, or None for whole on rank 0.
        to_rank_id: the rank whose slice is wanted.

    Raises:
        ValueError: no layout at all; `to_rank_id` is not in `to_layout`.
    """

    def __init__(
        self,
        param_name: str,
        full_shape: Sequence[int],
        from_layout: "Layout | dict",
        to_layout: "Layout | dict",
        to_rank_id: int,
    ):
        dim = len(full_shape)
        self.param_name, self.full_shape = param_name, full_shape
        self.from_mesh_shape, self.from_tensor_map, self.from_rank_list = _described(from_layout, "from_layout", dim)
        self.to_mesh_shape, self.to_tensor_map, self.to_rank_list = _described(to_layout, "to_layout", dim)
        if from_layout is None and to_layout is None:
            raise ValueError("`from_layout` and `to_layout` cannot both be None.")
        self.to_rank_id = to_rank_id if to_layout is not None else 0
        if self.to_rank_id not in self.to_rank_list:
            raise ValueError("Input to_rank_id is not in to_rank_list.")
        self.to_area, self.global_union_area_map = None, {}

    def infer_all_tensor_offset(self):
        """{rank: the slice to take of its part, as (start, stop) for each axis}; `global_union_area_map` has them in the whole."""
        number = self.to_rank_list.index(self.to_rank_id)
        self.to_area = infer_slice_area_by_rank(self.to_mesh_shape, self.to_tensor_map, number, self.full_shape)
        found, seen = {}, set()
        self.global_union_area_map = {}
        for inner, rank in enumerate(self.from_rank_list):
            area = infer_slice_area_by_rank(self.from_mesh_shape, self.from_tensor_map, inner, self.full_shape)
            common = infer_intersection(area, self.to_area)
            if common is None or area in seen:  # others hold the same part
                continue
            seen.add(area)
            self.global_union_area_map[rank] = common
            found[rank] = tuple((c[0] - a[0], c[1] - a[0]) for c, a in zip(common, area))
        return found

    def get_real_tensor(self, from_tensor_map: dict[int, Any]):
        """The slice, put together of {rank: NumPy array}. ValueError: one is missing, or has another shape."""
        if not from_tensor_map:
            raise ValueError("Input from_tensor_map cannot be empty")
        for rank, area in self.global_union_area_map.items():
            if rank not in from_tensor_map:
                raise ValueError(
                    f"Missing slice data from rank {rank}. Please provide all slices of infer_all_tensor_offset."
                )
            wanted = tuple(stop - start for start, stop in area)
            if from_tensor_map[rank].shape != wanted:
                raise ValueError(
                    f"Slice from rank {rank} has incorrect shape. Expected {wanted}, got {from_tensor_map[rank].shape}."
                )
        first = next(iter(from_tensor_map.values()))
        whole = np.zeros([stop - start for start, stop in self.to_area], first.dtype)
        for rank, area in self.global_union_area_map.items():
            at = tuple(slice(a[0] - t[0], a[1] - t[0]) for a, t in zip(area, self.to_area))
            whole[at] = from_tensor_map[rank]
        return whole

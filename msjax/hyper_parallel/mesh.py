"""A grid of devices with names for its axes.

In one process all devices compute one program, so a part of a mesh (`mesh["tp"]`) is a view of the whole: a Tensor that is split over
"tp" alone is the same on all devices along the other axes.
"""

import functools
import math
import os
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import AxisType, Mesh

from ..core.values.tensor import Tensor
from ..parallel.processes import world
from .platform import get_platform, ranks_of_rows

__all__ = ["DeviceMesh", "init_device_mesh"]

platform = get_platform()
_group_map = {}  # name of a group -> the group
_DEVICE_MESH_MAP = {}


@functools.lru_cache(maxsize=64)
def _devices(ranks, shape, names):
    """The mesh of JAX's over the devices of these numbers."""
    if world().size > 1:
        raise RuntimeError(
            f"hyper_parallel computes with Tensors on all devices of one process, and this is one of {world().size} processes. Start one "
            "process for all devices (python -m msjax script.py, without msrun)."
        )
    there = jax.devices()
    if max(ranks) >= len(there):
        raise ValueError(
            f"The mesh {shape} names device {max(ranks)}, and there are {len(there)} devices. "
            "XLA_FLAGS=--xla_force_host_platform_device_count=8 makes 8 of a CPU."
        )
    grid = np.array([there[rank] for rank in ranks]).reshape(shape)
    return Mesh(grid, names, axis_types=(AxisType.Auto,) * len(names))


class DeviceMesh:
    """Devices in a grid.

    Args:
        device_type: "npu", "gpu", "cpu": recorded. mesh: numbers of devices, as a nested list, array or Tensor.
        mesh_dim_names: a name for each axis.

    Raises:
        TypeError, ValueError: `mesh` is nothing of the kind or has no axis; as many names as axes are needed, all different.

    Example:
        >>> from msjax.hyper_parallel import DeviceMesh
        >>> mesh = DeviceMesh("cpu", [[0, 1], [2, 3]], mesh_dim_names=("dp", "tp"))
        >>> mesh["tp"].rank_list
        (0, 1)
    """

    def __init__(
        self,
        device_type: str,
        mesh: Sequence | np.ndarray | Tensor | None,
        *,
        mesh_dim_names: Sequence[str] | None = None,
        _init_backend: bool = True,
    ):
        self._device_type = device_type
        self._grid = self._as_grid(mesh)
        if self._grid.ndim == 0:
            raise ValueError("mesh must be at least 1-dimensional")
        self._mesh_shape = self._grid.shape
        self._rank_list = tuple(self._grid.ravel().tolist())
        self._mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names else None
        self._check_names()
        self._rank = platform.get_rank()
        self._parts, self._flattened, self._sub_mesh = {}, {}, []
        self._root_mesh, self._axes = None, None
        if _init_backend:
            platform.init_process_group()
            self._dim_group_names = [self._make_group(axis) for axis in range(self.ndim)]

    def _check_names(self):
        names = self._mesh_dim_names
        if names is None:
            return
        if len(names) != self.ndim:
            raise ValueError(f"mesh dimensions ({self.ndim}) should be equal to mesh_dim_names length ({len(names)})")
        if len(set(names)) != len(names):
            raise ValueError(f"Each element of mesh_dim_names {names} should be different")
        if "interleaved_parallel" in names[:-1]:
            raise ValueError(
                "'interleaved_parallel' should be at the last dim of mesh_dim_names, means virtual sharding."
            )

    @staticmethod
    def _as_grid(mesh):
        if isinstance(mesh, Tensor):
            return mesh.asnumpy().astype(np.int32)
        if isinstance(mesh, (list, tuple)):
            return np.array([m.asnumpy() if isinstance(m, Tensor) else m for m in mesh], np.int32)
        if not isinstance(mesh, np.ndarray):
            raise TypeError(f"mesh must be Tensor, list, tuple or numpy array, but got {type(mesh)}")
        return mesh.astype(np.int32)

    def _make_group(self, axis, name=None):
        """Name of the group of devices along an axis that holds this process."""
        rows = np.moveaxis(self._grid, axis, -1).reshape(-1, self._mesh_shape[axis])
        split = sorted(sorted(row) for row in rows.tolist())
        own = next((row for row in split if self._rank in row), None)
        for known, group in _group_map.items():
            if own is not None and list(platform.get_process_group_ranks(group)) == own:
                return known
        name = name or (self._mesh_dim_names[axis] if self._mesh_dim_names else f"dim_{axis}")
        return _note(platform.split_group(split_ranks=split, group_desc=f"mesh_{name}"))

    # --- what it is
    @property
    def mesh(self):
        """The numbers of the devices, as a Tensor."""
        return Tensor(self._grid)

    @property
    def device_type(self):
        """The kind of device, as it was given."""
        return self._device_type

    @property
    def rank(self):
        """Number of this process."""
        return self._rank

    @property
    def mesh_shape(self):
        """Lengths of the axes."""
        return self._mesh_shape

    shape = mesh_shape

    @property
    def mesh_dim_names(self):
        """Names of the axes, or None."""
        return self._mesh_dim_names

    @property
    def rank_list(self):
        """Numbers of the devices, in order."""
        return self._rank_list

    @property
    def ndim(self):
        """Number of axes."""
        return len(self._mesh_shape)

    def size(self, mesh_dim: int | str | None = None):
        """Number of devices, along one axis or of all."""
        return math.prod(self._mesh_shape) if mesh_dim is None else self._mesh_shape[self._axis(mesh_dim)]

    @property
    def root_mesh(self):
        """The mesh that this one is a part of, or None."""
        return self._root_mesh

    @root_mesh.setter
    def root_mesh(self, mesh: "DeviceMesh"):
        self._root_mesh = mesh

    @property
    def sub_mesh(self):
        """The parts that were taken of it."""
        return self._sub_mesh

    def _root(self):
        return self if self._root_mesh is None else self._root_mesh._root()

    # --- JAX's side
    @property
    def jax_mesh(self):
        """The mesh of JAX's that programs run over: that of the whole grid, also for a part of it."""
        root = self._root()
        return _devices(root._rank_list, root._mesh_shape, root.axis_names)

    @property
    def axis_names(self):
        """A name for each axis, made up where none was given."""
        return self._mesh_dim_names or tuple(f"dim_{i}" for i in range(self.ndim))

    @property
    def axes(self):
        """For each axis the corresponding axes of `jax_mesh`."""
        return self._axes or tuple((name,) for name in self.axis_names)

    # --- parts
    def __getitem__(self, sub_mesh_dim_names):
        if not self._mesh_dim_names:
            raise RuntimeError("Cannot slice a DeviceMesh without mesh_dim_names!")
        names = (sub_mesh_dim_names,) if isinstance(sub_mesh_dim_names, str) else sub_mesh_dim_names
        if not isinstance(names, tuple):
            raise TypeError(f"sub_mesh_dim_names must be str or tuple, but got {type(names)}")
        if not names:
            raise ValueError("sub_mesh_dim_names cannot be empty")
        flattened = self._root()._flattened
        if len(names) == 1 and names[0] in flattened and names[0] not in self._mesh_dim_names:
            return flattened[names[0]]
        for name in names:
            if name not in self._mesh_dim_names and name not in flattened:
                raise KeyError(
                    f"Dimension name '{name}' not found in mesh_dim_names {self._mesh_dim_names} or flattened ones {list(flattened)}"
                )
        merged = [name for name in names if name not in self._mesh_dim_names]
        if merged:
            raise ValueError(f"Flattened dimensions {merged} can only be taken one by one, but got {names}.")
        at = [self._mesh_dim_names.index(name) for name in names]
        if at != sorted(at):
            raise ValueError(
                f"sub_mesh_dim_names {names} must follow the order of original mesh_dim_names {self._mesh_dim_names}"
            )
        if len(names) == self.ndim:
            return self
        if names not in self._parts:
            self._parts[names] = self._part(names, at)
        return self._parts[names]

    def _part(self, names, at):
        where = self._coordinate()
        grid = self._grid[tuple(slice(None) if i in at else where[i] for i in range(self.ndim))]
        part = DeviceMesh(self._device_type, grid, mesh_dim_names=names, _init_backend=False)
        part._root_mesh, part._axes = self._root(), tuple(self.axes[i] for i in at)
        if hasattr(self, "_dim_group_names"):
            part._dim_group_names = [self._dim_group_names[i] for i in at]
        self._sub_mesh.append(part)
        return part

    def flatten(self, mesh_dim_name: str | None = None):
        """The devices along one axis, which is then known to the whole mesh by its name ("dp_tp" without one).

        Raises:
            ValueError: the whole mesh has an axis of that name.
        """
        name, root = mesh_dim_name or "_".join(self.axis_names), self._root()
        if self.ndim == 1 and name in self.axis_names:
            return self
        if name in root.axis_names:
            raise ValueError(f"{name} already exists for submesh of the {root}: give the flattened axis another name.")
        if name in root._flattened:
            return root._flattened[name]
        flat = DeviceMesh(self._device_type, self._grid.ravel(), mesh_dim_names=(name,), _init_backend=False)
        flat._root_mesh, flat._axes = root, (tuple(axis for axes in self.axes for axis in axes),)
        if hasattr(self, "_dim_group_names"):
            flat._dim_group_names = [flat._make_group(0, name)]
        root._flattened[name] = flat
        root._sub_mesh.append(flat)
        return flat

    def get_flatten_mapping(self):
        """Dict from name to flattened mesh."""
        return self._flattened

    def add_flatten_mapping(self, name: str, mesh: "DeviceMesh"):
        """Note a flattened mesh."""
        self._flattened[name] = mesh

    # --- groups and positions
    def _axis(self, mesh_dim):
        """Number of an axis that is given by number or name."""
        if isinstance(mesh_dim, str):
            if self._mesh_dim_names is None:
                raise ValueError(f"DeviceMesh mesh_dim_names is not set, string mesh_dim {mesh_dim}, is not support.")
            if mesh_dim not in self._mesh_dim_names:
                raise ValueError(f"mesh_dim '{mesh_dim}' not found in mesh_dim_names {self._mesh_dim_names}")
            return self._mesh_dim_names.index(mesh_dim)
        if not isinstance(mesh_dim, int) or not 0 <= mesh_dim < self.ndim:
            raise ValueError(f"mesh_dim must be an integer in range [0, {self.ndim}), but got {mesh_dim}")
        return mesh_dim

    def _one_axis(self, mesh_dim):
        if mesh_dim is None and self.ndim > 1:
            raise RuntimeError(
                f"Found the DeviceMesh have {self.ndim} dimensions. "
                "Optional kwarg `mesh_dim` needs to be specified when device_mesh.ndim > 1."
            )
        return 0 if mesh_dim is None else self._axis(mesh_dim)

    def get_group(self, mesh_dim: int | str | None = None):
        """The group of devices along an axis through this process.

        Raises:
            RuntimeError: the mesh was made without groups; several axes and none is named. ValueError: there is no such axis.
        """
        if not hasattr(self, "_dim_group_names"):
            raise RuntimeError("DeviceMesh process groups not initialized!")
        flattened = self._root()._flattened
        if isinstance(mesh_dim, str) and mesh_dim in flattened and mesh_dim not in self.axis_names:
            return flattened[mesh_dim].get_group()
        return _group_map[self._dim_group_names[self._one_axis(mesh_dim)]]

    get_comm_group_by_axis = get_group

    def get_all_groups(self):
        """The groups of all axes."""
        return [self.get_group(axis) for axis in range(self.ndim)]

    @staticmethod
    def from_group(
        group: Any,
        device_type: str,
        mesh: Sequence | np.ndarray | Tensor | None = None,
        mesh_dim_names: Sequence[str] | None = None,
    ):
        """A mesh over the devices of a group, or of a list of groups, one for each axis of `mesh`.

        Raises:
            ValueError: `mesh` is missing, or does not fit the groups.
        """
        if isinstance(group, list):
            if not group:
                raise ValueError("Expect at least one group be specified.")
            if mesh is None:
                raise ValueError("mesh_shape is must specified when group is a list.")
            grid = DeviceMesh._as_grid(mesh)
            if grid.ndim != len(group):
                raise ValueError("mesh dimensions must match group dimensions.")
        else:
            group, ranks = [group], platform.get_process_group_ranks(group)
            if mesh is not None and DeviceMesh._as_grid(mesh).tolist() != ranks:
                raise ValueError(f"Invalid mesh_shape {mesh} for 1D group with ranks {ranks}")
            grid = np.array(ranks, np.int32)
        made = DeviceMesh(device_type, grid, mesh_dim_names=mesh_dim_names, _init_backend=False)
        made._dim_group_names = [_note(g) for g in group]
        return made

    def _coordinate(self):
        where = np.argwhere(self._grid == self._rank)
        if not len(where):
            raise ValueError(f"Current rank {self._rank} not found in rank_list {self._rank_list}")
        return tuple(int(i) for i in where[0])

    def get_coordinate(self):
        """The position of this process in the grid; None outside of it."""
        return list(self._coordinate()) if self._rank in self._rank_list else None

    def get_local_rank(self, mesh_dim: int | str | None = None):
        """Where this process stands along an axis.

        Raises:
            RuntimeError: several axes and none is named. ValueError: no such axis; the process is not in the mesh.
        """
        return self._coordinate()[self._one_axis(mesh_dim)]

    def axis_id(self, axis: str | int):
        """Number of an axis counted from the last; -1 for "None"."""
        return -1 if axis == "None" else self.ndim - 1 - self.axis_index(axis)

    def axis_index(self, axis: str | int):
        """Number of an axis."""
        if axis not in self.axis_names:
            raise ValueError(
                f"The axis name must be one of mesh shape mesh dim name {self.axis_names}), but got {axis}"
            )
        return self.axis_names.index(axis)

    def get_device_num_along_axis(self, axis: str | int):
        """Length of an axis."""
        if axis not in self.axis_names:
            raise ValueError(f"The axis must be one of device mesh dim name: {self.axis_names}, but got {axis}")
        return self._mesh_shape[self.axis_names.index(axis)]

    def get_rank_list_along_axis(self, mesh_dim: int | str):
        """The ranks along an axis through this process."""
        return self.get_devices_for_axis(mesh_dim, self._rank)

    def get_devices_for_axis(self, mesh_dim: int | str, rank: int):
        """The ranks along an axis through a given one."""
        return ranks_of_rows(self._grid, self._axis(mesh_dim), rank)

    def get_global_shape(self, slice_shape: Sequence[int], tensor_map: Sequence[int | tuple[int, ...]]):
        """The shape of the whole Tensor from the shape of a part, `slice_shape`; `tensor_map` as in a Layout."""
        if tensor_map is None:
            raise ValueError("tensor_map is not set. Please configure the tensor map by calling the layout.")
        if len(slice_shape) != len(tensor_map):
            raise ValueError(
                f"Length of slice_shape ({len(slice_shape)}) must match the length of tensor_map ({len(tensor_map)})."
            )
        whole = []
        for length, places in zip(slice_shape, tensor_map):
            places = places if isinstance(places, tuple) else (places,)
            whole.append(length * math.prod(self._mesh_shape[self.ndim - 1 - p] for p in places if p != -1))
        return tuple(whole)

    def to_hash(self):
        """A hashable key that is equal for equal meshes."""
        return self._mesh_shape, self._mesh_dim_names, (self._rank_list[0], self._rank_list[-1])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __repr__(self):
        return (
            f"DeviceMesh(device_type='{self._device_type}', mesh_shape={self._mesh_shape}, "
            f"mesh_dim_names={self._mesh_dim_names}, rank_list={self._rank_list})"
        )

    def __deepcopy__(self, memo):
        return self


def _note(group):
    """Name of a group, which `_group_map` knows from now on."""
    if group is None:
        return None
    name = group if isinstance(group, str) else group.group_name
    _group_map[name] = group
    return name


def _create_device_mesh(device_type, mesh_shape, *, mesh_dim_names=None, rank_list, init_backend=True):
    """The mesh of these devices, made when it is first asked for."""
    names = tuple(mesh_dim_names) if mesh_dim_names else None
    key = (tuple(mesh_shape), names, tuple(rank_list), bool(init_backend))
    if key not in _DEVICE_MESH_MAP:
        _DEVICE_MESH_MAP[key] = DeviceMesh(
            device_type, np.array(rank_list).reshape(mesh_shape), mesh_dim_names=names, _init_backend=init_backend
        )
    return _DEVICE_MESH_MAP[key]


def init_device_mesh(
    device_type: str,
    mesh_shape: Sequence[int],
    *,
    mesh_dim_names: Sequence[str] | None = None,
    rank_list: Sequence[int] | None = None,
    init_backend: bool = True,
):
    """A grid of all devices, in the order of their numbers; the same call gives the same mesh.

    Args:
        device_type: recorded.
        mesh_shape: tuple of ints.
        mesh_dim_names: a name for each axis.
        rank_list: other numbers of devices.
        init_backend: whether groups are made.

    Raises:
        ValueError: `rank_list` does not have as many numbers as the mesh has places; names as in DeviceMesh.

    Example:
        >>> from msjax.hyper_parallel import init_device_mesh
        >>> init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp")).mesh_shape
        (1, 1)
    """
    total = math.prod(mesh_shape)
    if rank_list is None:
        rank = platform.get_rank()
        start = 0 if os.environ.get("MS_SIMULATION_LEVEL") is None and rank < total else rank - rank % total
        rank_list = range(start, start + total)
    elif len(rank_list) != total:
        raise ValueError(f"rank_list length ({len(rank_list)}) must equal mesh size ({total})")
    return _create_device_mesh(
        device_type,
        tuple(mesh_shape),
        mesh_dim_names=mesh_dim_names,
        rank_list=tuple(rank_list),
        init_backend=init_backend,
    )

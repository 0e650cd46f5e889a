"""Layout: how a Tensor lies on a mesh, in MindSpore's words (a name for each axis of the Tensor) and in placements (one for each axis of the mesh)."""

import copy
import math
from collections.abc import Sequence
from typing import Literal

from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, Like, NonNegativeInt
from ..parallel.processes import world
from .mesh import DeviceMesh, _create_device_mesh
from .placements import Partial, Placement, Replicate, Shard

__all__ = ["Layout"]

_REDUCTIONS = ("sum", "max", "min", "avg", "prod", "all", None)


class Layout:
    """A mesh with names; called with a name for each axis of a Tensor, or with placements, it is the layout of one.

    Args:
        mesh_shape: tuple of ints. alias_name: a name for each axis of the mesh. rank_list: numbers of the devices.
        init_backend: whether groups are made.

    Raises:
        ValueError: an axis that does not exist, or that is used twice.

    Example:
        >>> from msjax.hyper_parallel import Layout
        >>> Layout((2, 2), ("dp", "tp"), init_backend=False)("dp", "None").to_dict()["tensor_map"]
        (1, -1)
    """

    def __init__(
        self,
        mesh_shape: Sequence[int],
        alias_name: Sequence[str],
        rank_list: Sequence[int] | None = None,
        init_backend: bool = True,
    ):
        ranks = tuple(rank_list) if rank_list else tuple(range(math.prod(mesh_shape)))
        self._start(
            _create_device_mesh(
                "npu", mesh_shape, mesh_dim_names=alias_name, rank_list=ranks, init_backend=init_backend
            )
        )

    def _start(self, mesh):
        self._mesh, self._rank_list = mesh, mesh.rank_list
        self._tensor_map = self._alias_tensor_map = self._placements = None
        self._partial = [None] * mesh.ndim

    @classmethod
    def from_device_mesh(cls, device_mesh: DeviceMesh):
        """A Layout of a mesh, to be called."""
        made = cls.__new__(cls)
        made._start(device_mesh)
        return made

    def __call__(self, *alias_tensor_map):
        made = copy.copy(self)
        made._partial = list(self._partial)
        given = alias_tensor_map
        if len(given) == 1 and isinstance(given[0], (list, tuple)) and given[0] and isinstance(given[0][0], Placement):
            given = tuple(given[0])
        if (
            len(given) == 1
            and isinstance(given[0], tuple)
            and not isinstance(given[0], str)
            and given[0]
            and "None" in given[0]
        ):
            given = given[0]
        if given and isinstance(given[0], Placement):
            made._placements = tuple(given)
            return made
        used = []
        made._alias_tensor_map = tuple(given)
        made._tensor_map = tuple(self._place(one, used) for one in given)
        made.tensor_map_to_placement()
        return made

    def _place(self, name, used):
        if isinstance(name, (tuple, list)):
            return tuple(self._place(part, used) for part in name)
        if name == "None":
            return -1
        if name not in self.alias_name:
            raise ValueError(f"The axis {name} is not found in {self.alias_name}")
        if name in used:
            raise ValueError(f"The axis {name} has been set more than one in {self.alias_name}")
        used.append(name)
        return self._mesh.axis_id(name)

    def to_dict(self):
        """The layout as a dict. ValueError: it was not called yet."""
        if self._tensor_map is None:
            raise ValueError("The tensor_map of layout is None")
        return {
            "mesh_shape": self.mesh_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": "interleaved_parallel" in self._mesh.axis_names,
            "alias_name": self.alias_name,
            "rank_list": self._rank_list,
        }

    # --- the two ways to say it
    @checked
    def placement_to_tensor_map(self, dim: NonNegativeInt):
        """Take over the placements for a Tensor of `dim` axes; the list of axes of the mesh, counted from the last, -1 for none.

        Raises:
            ValueError: `dim` is negative; an axis that the Tensor does not have, or that is split twice.
        """
        places = [-1] * dim
        for number, placement in enumerate(self._placements):
            if isinstance(placement, Partial):
                self._partial[number] = placement.reduce_op.lower()
            elif isinstance(placement, Shard) and dim:
                at = placement.dim
                if not -dim <= at < dim:
                    raise ValueError(f"Shard dimension {at} is out of bounds for tensor of dimension {dim}")
                if places[at] != -1:
                    raise ValueError(f"Dimension {at} has been sharded by Mesh axis {self._mesh.ndim - 1 - places[at]}")
                places[at] = self._mesh.ndim - 1 - number
        self.set_tensor_map(tuple(places))
        self._alias_tensor_map = self._names()
        return places

    def _names(self):
        names = self._mesh.mesh_dim_names
        name = lambda p: "None" if p == -1 or names is None else names[len(names) - 1 - p]  # noqa: E731
        return tuple(tuple(map(name, p)) if isinstance(p, tuple) else name(p) for p in self._tensor_map)

    def tensor_map_to_placement(self):
        """The placements that correspond to the map. ValueError without a map."""
        if self._tensor_map is None:
            raise ValueError("The tensor_map is None, cannot transform to placements.")
        found = [Replicate()] * self._mesh.ndim
        for axis, places in enumerate(self._tensor_map):
            for place in places if isinstance(places, tuple) else (places,):
                if place != -1:
                    found[self._mesh.ndim - 1 - place] = Shard(axis)
        for number, reduce_op in enumerate(self._partial):
            if reduce_op is not None:
                found[number] = Partial(reduce_op)
        self._placements = found
        return found

    # --- what it is
    @property
    def mesh(self):
        """The mesh."""
        return self._mesh

    @property
    def mesh_shape(self):
        """Lengths of the mesh's axes."""
        return self._mesh.mesh_shape

    @property
    def alias_name(self):
        """Names of the mesh's axes."""
        return self._mesh.mesh_dim_names

    @property
    def rank_list(self):
        """Numbers of the devices."""
        return self._rank_list

    @rank_list.setter
    def rank_list(self, ranks: Sequence[int]):
        self._rank_list = ranks

    @property
    def alias_tensor_map(self):
        """For each axis of the Tensor the name of an axis of the mesh, or "None"."""
        return self._alias_tensor_map

    def set_alias_tensor_map(self, alias_tensor_map: Sequence[str | tuple[str, ...]]):
        """Set `alias_tensor_map`."""
        self._alias_tensor_map = alias_tensor_map

    @property
    def placements(self):
        """A placement for each axis of the mesh."""
        return self._placements

    def set_placements(self, placements: Sequence[Placement]):
        """Set `placements`."""
        self._placements = placements

    @property
    def tensor_map(self):
        """For each axis of the Tensor an axis of the mesh, counted from the last; -1 for none."""
        return self._tensor_map

    def set_tensor_map(self, tensor_map: Sequence[int | tuple[int, ...]]):
        """Set `tensor_map`."""
        self._tensor_map = tensor_map

    @property
    def partial(self):
        """For each axis of the mesh the pending reduction along it, or None."""
        return self._partial

    @checked
    def set_partial_by_dev_axis(self, axis: Like[str], op: AsValue[Literal[tuple(_REDUCTIONS)]]):
        """Mark a pending reduction along an axis of the mesh. ValueError: an unknown reduction, or an axis that splits
        the Tensor.
        """
        if self.is_dev_axis_apply_shard(axis):
            raise ValueError("Partial dim must be replicate.")
        self._partial[self._mesh.axis_index(axis)] = op
        self.tensor_map_to_placement()

    def get_partial_by_dev_id(self, axis: str):
        """The reduction along an axis of the mesh, or None."""
        return self._partial[self._mesh.axis_index(axis)]

    def _used(self):
        return [
            p for places in self._tensor_map for p in (places if isinstance(places, tuple) else (places,)) if p != -1
        ]

    def is_dev_axis_apply_shard(self, axis: str):
        """Whether an axis of the mesh splits the Tensor."""
        return self._mesh.axis_id(axis) in self._used()

    def get_dev_axis_apply_shard_axis(self, axis: str):
        """The axis of the Tensor that an axis of the mesh splits, or None."""
        for number, names in enumerate(self._alias_tensor_map):
            if axis == names or isinstance(names, tuple) and axis in names:
                return number
        return None

    def reset_partial(self):
        """Remove all pending reductions."""
        self._partial = [None] * self._mesh.ndim
        self.tensor_map_to_placement()

    def is_partial(self):
        """Whether a reduction is pending along any axis."""
        return any(self._partial)

    def get_global_shape(self, slice_shape: Sequence[int]):
        """The shape of the whole Tensor from the shape of a part, `slice_shape`."""
        return self._mesh.get_global_shape(slice_shape, self._tensor_map)

    def get_devices_for_axis(self, axis: str, rank: int):
        """The ranks along an axis through one of them."""
        return self._mesh.get_devices_for_axis(axis, rank)

    def get_comm_group_by_axis(self, axis: str):
        """The group of devices along an axis."""
        return self._mesh.get_comm_group_by_axis(axis)

    def repeat_num(self):
        """The number of devices with the same part; -1 if the mesh is not that of the last devices. ValueError without
        a map.
        """
        if self._tensor_map is None:
            raise ValueError(
                f"The tensor_map is None, the mesh_shape is {self.mesh_shape}, alias_name is {self.alias_name}"
            )
        if world().size > 1 and self._rank_list[-1] != world().size - 1:
            return -1
        return math.prod(self.mesh_shape) // math.prod(self.mesh_shape[self._mesh.ndim - 1 - p] for p in self._used())

    @property
    def compact_str(self):
        """A str that is equal for equal layouts."""
        return str((self._tensor_map, self._partial, *self._mesh.to_hash()))

    def update_compact_str(self):
        """Nothing: it is made when it is asked for."""

    def to_string(self):
        """The layout for people."""
        named = "Not configured" if self._tensor_map is None else self._names()
        virtual = "Yes" if "interleaved_parallel" in self._mesh.axis_names else "No"
        lines = (
            "Layout Configuration:",
            f"  Mesh shape: {self.mesh_shape}",
            f"  Alias Names: {self.alias_name}",
            f"  Partial: {self._partial}",
            f"  Tensor Map: {named}",
            f"  Interleaved Parallel: {virtual}",
            f"  Rank List: {self._rank_list}",
        )
        return "\n".join(lines)

    __str__ = to_string

    def __repr__(self):
        return f"<Layout at {hex(id(self))}>"

    def __eq__(self, other):
        if not isinstance(other, Layout):
            return False
        mine, its = (
            (x.mesh_shape, x.alias_name, x._partial, tuple(x._rank_list), x._tensor_map) for x in (self, other)
        )
        return mine == its

    __hash__ = None


def layout_of(mesh: DeviceMesh, placements: Sequence[Placement], dim: int):
    """The Layout of a Tensor of `dim` axes."""
    made = Layout.from_device_mesh(mesh)(tuple(placements))
    made.placement_to_tensor_map(dim)
    return made


def as_layout(value: Layout | Sequence[Placement], mesh: DeviceMesh):
    """The Layout that is meant by a Layout, by placements, or by names of axes."""
    if isinstance(value, Layout):
        return value
    made = Layout.from_device_mesh(mesh)
    return made(tuple(value)) if value and isinstance(value[0], Placement) else made(*value)


__all__ += ["DeviceMesh"]

_build_layout = layout_of  # the name that tests of hyper_parallel call

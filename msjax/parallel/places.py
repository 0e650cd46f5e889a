"""The group over which a collective runs, as XLA wants it: an axis of a mesh, and lists of the positions that belong together."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from ..core.settings.execution_state import here as state
from . import communication
from .processes import world

AXIS = "rank"


@functools.lru_cache(maxsize=8)
def _mesh(size):
    """All processes, one device each, along one axis in the order of their ranks."""
    first = {}
    for device in jax.devices():
        first.setdefault(device.process_index, device)
    return jax.sharding.Mesh(np.array([first[r] for r in range(size)]), (AXIS,))


def mesh_of_all():
    """The mesh of all processes of the run, one device each: over it each runs its own program."""
    return _mesh(world().size)


@functools.cache
def mesh_of_devices():
    """All devices of all processes along one axis, those of a process beside each other, in the order of the ranks."""
    return jax.sharding.Mesh(np.array(sorted(jax.devices(), key=lambda d: (d.process_index, d.id))), (AXIS,))


@dataclasses.dataclass(frozen=True)
class Place:
    """A group within `axis`. `groups` are tuples of positions that cover the axis; `ranks` are those of the group meant.

    inside: the axis is bound already (in a `shard_map`), and each position computes for its own group of `groups`. Otherwise this
    process computes for `ranks`, and the other groups are only there to complete the axis.
    """

    ranks: tuple
    groups: tuple
    axis: str = AXIS
    inside: bool = False

    @property
    def size(self):
        """Number of members."""
        return len(self.ranks)

    @property
    def index_groups(self):
        """The `axis_index_groups` of `jax.lax` collectives: None for the whole axis in order."""
        whole = len(self.groups) == 1 and list(self.ranks) == list(range(self.size))
        return None if whole else [list(g) for g in self.groups]

    @property
    def even(self):
        """Whether all groups are as large as this one, as XLA demands of a gather."""
        return all(len(g) == self.size for g in self.groups)

    def index(self):
        """Number of the computing process in its group: a traced scalar, so that all compute one program."""
        table = np.zeros(sum(map(len, self.groups)), np.int32)
        for group in self.groups:
            table[list(group)] = range(len(group))
        return jax.numpy.asarray(table)[jax.lax.axis_index(self.axis)]

    def index_of(self, name: str, what: str, rank: int):
        """Number in the group of a process that is given by its number among all.

        Raises:
            ValueError: the process is not in the group. name, what: the function and its argument, for the message.
        """
        if rank not in self.ranks:
            raise ValueError(
                f"For '{name}', the '{what}' must be a process of the group, which has {self.size} ({list(self.ranks)}), but got {rank}."
            )
        return self.ranks.index(rank)

    @property
    def mesh(self):
        """The mesh of all processes."""
        return _mesh(sum(map(len, self.groups)))


@functools.lru_cache(maxsize=4096)
def place(ranks: Sequence[int], size: Any):
    """The Place of these ranks among `size` processes; the others are put into groups of the same size where that goes."""
    rest = [r for r in range(size) if r not in ranks]
    step = len(ranks) if len(rest) % len(ranks) == 0 else 1
    return Place(ranks, (ranks, *(tuple(rest[i : i + step]) for i in range(0, len(rest), step))))


def place_of(name: str, group: str):
    """The Place of a group by its name; None is the group of all.

    Raises:
        TypeError, ValueError: the name is not a str, there is no such group. RuntimeError: this process is not in it.
    """
    if group is not None and not isinstance(group, str):
        raise TypeError(f"For '{name}', the 'group' must be str, but got {type(group).__name__}.")
    bound = state().bound_groups
    if bound is not None:
        if group is not None and group not in bound and not group.endswith("world_group"):
            raise ValueError(
                f"For '{name}', the group '{group}' is not one of the mesh over which this function runs: {[g for g in bound if g]}."
            )
        return bound.get(group, bound[None])
    ranks, here = communication.ranks_of(name, group), world()
    if here.rank not in ranks:
        raise RuntimeError(f"For '{name}', this process ({here.rank}) is not in the group '{group}': {list(ranks)}.")
    return place(ranks, here.size)

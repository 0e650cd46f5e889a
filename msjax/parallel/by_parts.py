"""A function of the user's own that each device runs with its own parts of the Tensors: `ops.Morph` with Layouts.

MindSpore puts the function into each device's program, where Tensors are slices, and where the function communicates over groups of ranks.
Here the program of all devices has a part in which each device computes for itself. Ranks are the devices in order. A group is found again
among the axes of the devices: each device communicates within its own copy of the group that rank 0 is in.
"""

import math
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, AxisType, Mesh, PartitionSpec

from ..core.operators import own_calls
from ..core.operators.record import op, records
from ..core.settings.execution_state import within
from ..core.spec import Array
from ..core.trace.frame import Frame, current
from ..core.values.tensor import Tensor, wrap
from . import communication, open_parts
from .device_axes import prime_factors
from .layout import Layout
from .places import Place


def takes(primitive: Any):
    """Whether a call of this Primitive is one of parts: a Morph that has Layouts for all Tensors that go in and come out."""
    told = (primitive.in_strategy, primitive.out_strategy)
    return primitive.name == "Morph" and all(t and all(isinstance(s, Layout) for s in t) for t in told)


def run(call: Callable, args: Any, ins: Any, outs: Any, mesh: Any):
    """What `call(*args)` gives if each device runs it with its own parts.

    ins, outs: Layouts of the Tensors in order. mesh: all devices of the program.

    Raises:
        RuntimeError: the function assigns a Parameter or a Tensor, or gives other results than there are Layouts. ValueError: a group that is none
        of whole axes of the devices.
    """
    tensors = [a for a in args if isinstance(a, Tensor)]
    if len(ins) == len(args):  # what is not a Tensor (None) needs no Layout
        ins = [one for a, one in zip(args, ins) if isinstance(a, Tensor)]
    grid = _Grid(mesh, [*ins, *outs])
    body = _Body(call, args, grid, ins, outs)
    made = own_calls.plainly(records["by_parts"], (tuple(tensors), body))
    made = made if isinstance(made, tuple) else (made,)
    return made[0] if body.one else tuple(made)


@op(ops=False, name="by_parts")
def _by_parts(arrays: Array, program: Any):
    made = program(*arrays)
    return made if len(made) > 1 else made[0]


class _Grid:
    """The devices with an axis for each prime factor of the Layouts' matrices, so that groups of ranks are axes."""

    def __init__(self, mesh, layouts):
        cuts = {1, mesh.size}
        for layout in layouts:
            told = layout.to_dict()
            matrix = told["device_matrix"][:-1] if told["interleaved_parallel"] else told["device_matrix"]
            repeat = mesh.size // math.prod(matrix)
            for i in range(len(matrix) + 1):
                cuts.add(repeat * math.prod(matrix[i:]))
        for cut in sorted(cuts):
            if any(max(c, cut) % min(c, cut) for c in cuts):
                raise ValueError(
                    f"the Layouts of a Morph divide {mesh.size} devices in ways that do not fit each other."
                )
        steps = sorted(cuts, reverse=True)
        shape = [f for large, small in zip(steps, steps[1:]) for f in prime_factors(large // small)]
        self.shape, self.names = shape, tuple(f"part{i}" for i in range(len(shape)))
        self.steps = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
        types = (AxisType.Auto,) * len(shape)
        self.mesh = (
            AbstractMesh(tuple(shape), self.names, axis_types=types)
            if isinstance(mesh, AbstractMesh)
            else Mesh(mesh.devices.reshape(shape), self.names, axis_types=types)
        )

    def between(self, large, small):
        """Names of the axes from a step (exclusive) down to another (inclusive)."""
        return [n for n, s in zip(self.names, self.steps) if small <= s < large]

    def spec(self, layout):
        """The PartitionSpec of a Layout."""
        told = layout.to_dict()
        matrix = told["device_matrix"]
        if told["interleaved_parallel"]:
            matrix = (*matrix[:-1], 1)
        repeat, found = math.prod(self.shape) // math.prod(matrix), []
        for place in told["tensor_map"]:
            names = []
            for axis in place if isinstance(place, tuple) else (place,):
                if axis != -1:
                    small = repeat * math.prod(matrix[len(matrix) - axis :])
                    names += self.between(small * matrix[len(matrix) - 1 - axis], small)
            found.append(tuple(names) or None)
        return PartitionSpec(*found)

    def place(self, ranks):
        """The Place of a group: the axes along which its members differ."""
        offsets = [r - min(ranks) for r in ranks]
        axes, shape = [], []
        for name, step, size in zip(self.names, self.steps, self.shape):
            if step in offsets:
                axes.append(name)
                shape.append((step, size))
        whole = np.zeros((), int)
        for step, size in shape:
            whole = whole[..., None] + step * np.arange(size)
        if whole.reshape(-1).tolist() != offsets or min(ranks) % math.prod(self.shape):
            raise ValueError(
                f"the group of the ranks {list(ranks)} is none of whole axes of the {math.prod(self.shape)} devices {self.shape}."
            )
        numbers = tuple(range(len(ranks)))
        return Place(numbers, (numbers,), axes[0] if len(axes) == 1 else tuple(axes), True)


class _Places:
    """Names of groups -> Places, made when they are asked for. "ranks" and None are all devices.

    exchanges: the exchanges of this trace whose lengths the program computes; None until it is known that there are some.
    """

    def __init__(self, grid, exchanges):
        self.grid, self.exchanges = grid, exchanges

    def __contains__(self, name):
        return name is None or name == "ranks" or name in communication.groups()

    def __iter__(self):
        return iter(communication.groups())

    def __getitem__(self, name):
        ranks = communication.groups().get(name)
        return self.grid.place(range(math.prod(self.grid.shape)) if ranks is None else ranks)

    def get(self, name, default=None):
        """The Place of a group; of all devices for a name that is none of a group."""
        found = name in self
        return self[name] if found else default


class _Body:
    def __init__(self, call, args, grid, ins, outs):
        self.call, self.args, self.grid = call, args, grid
        self.ins, self.outs = [grid.spec(i) for i in ins], [grid.spec(o) for o in outs]
        self.one = None

    def __call__(self, *arrays):
        run = jax.shard_map(
            self._on_parts, mesh=self.grid.mesh, in_specs=tuple(self.ins), out_specs=tuple(self.outs), check_vma=False
        )
        return run(*arrays)

    def _on_parts(self, *parts):
        try:
            return self._once(parts, None)
        except open_parts.Opens:
            pass
        try:
            return open_parts.run(self._once, parts)
        except open_parts.Opens as error:
            raise NotImplementedError(str(error)) from error

    def _once(self, parts, exchanges):
        """The results of a function of one device's parts. exchanges: the lengths of what comes in, where the program computes them."""
        given = iter(parts)
        frame = Frame(current())
        with frame, within(bound_groups=_Places(self.grid, exchanges), plainly=True):
            args = [wrap(next(given), frame) if isinstance(a, Tensor) else a for a in self.args]
            out = self.call(*args)
        own = [a.jax_array for a in args if isinstance(a, Tensor)]
        if frame.written or any(now is not part for now, part in zip(own, parts)):
            raise RuntimeError(
                "For 'Morph' with Layouts, the function assigns a Parameter or a Tensor: return the value, and assign it outside."
            )
        self.one = not isinstance(out, tuple)
        out = (out,) if self.one else out
        if len(out) != len(self.outs):
            raise RuntimeError(
                f"For 'Morph', there are {len(self.outs)} Layouts for {len(out)} results: give one for each."
            )
        return tuple(value.jax_array for value in out)

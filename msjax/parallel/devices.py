"""One process that uses several devices, with no change to the script: compiled functions run on all of them, with the
results of one device.

Parameters and state are whole on each device, Tensors that a program gets are split along their first axis, and XLA's partitioner
(GSPMD) makes one program of the whole batch of it: BatchNorm, losses and dropout masks are those of the whole batch. PYNATIVE code
runs on the first device. Chosen by `python -m msjax --devices all`, `MSJAX_DEVICES=all`, or `msjax.set_devices("all")`.
"""

import atexit
import collections
import contextlib
import functools
import os
import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from .. import log
from ..core.operators import layouts, shared_buffers
from ..core.process import shared
from ..core.settings import context
from ..core.settings.execution_state import here
from ..core.spec.checking import checked
from ..core.spec.rules import AsValue, PositiveInt, That
from ..core.values.copies import in_parts
from ..core.values.deferred import SHAPES
from . import gathered, launch
from .launch import kept_shardings
from .processes import world

__all__ = ["set_devices"]

# Forced devices of a CPU share one pool of threads. With as many threads as cores, those that wait for each other in a collective leave none
# for a convolution that another one computes: XLA hangs. It reads this when the first device is asked for.
_forced = re.search(r"xla_force_host_platform_device_count=(\d+)", os.environ.get("XLA_FLAGS", ""))
if _forced:
    os.environ.setdefault("PJRT_NPROC", str(int(_forced[1]) * 2 + (os.cpu_count() or 1)))
AXIS = "device"
_state = {"count": None, "chosen": False, "said": set(), "started": False, "topology": None}


Devices = AsValue[
    PositiveInt | Annotated[str, That("'all'", lambda text: text == "all" or text.isdigit() and int(text) > 0)]
]


@checked
def set_devices(count: Devices):
    """Let compiled programs of this process run on `count` of its devices, or "all".

    Raises:
        ValueError: there are not as many. RuntimeError: this is one of several processes, each of which has its own device.

    Example:
        >>> msjax.set_devices("all")
    """
    there = len(jax.local_devices())
    if isinstance(count, str) and count.isdigit():
        count = int(count)
    if count != "all" and count > there:
        several = " (XLA_FLAGS=--xla_force_host_platform_device_count=8 makes 8 of a CPU)" if there == 1 else ""
        raise ValueError(f"For 'set_devices', there are {there} devices{several}, but got {count}.")
    if world().size > 1 and count != 1:
        raise RuntimeError("For 'set_devices', this is one of several processes, each of which has its own device.")
    _state.update(count=there if count == "all" else count, chosen=True)
    if _state["count"] > 1 and not _state["started"]:
        atexit.register(_tell_if_unused)
    context.set_device_count(_state["count"])
    shared.touch()


def _tell_if_unused():
    if not _state["started"] and _state["count"] > 1:
        print(
            f"[msjax] nothing was compiled (PYNATIVE_MODE without jit), so all ran on the first of {_state['count']} devices.",
            flush=True,
        )


@contextlib.contextmanager
def pretending(devices: Any):
    """A `with` block in which programs are made for these devices, which need not be there: a list of a compiler's devices."""
    before, _state["topology"] = _state["topology"], tuple(devices)
    shared.touch()
    try:
        yield
    finally:
        _state["topology"] = before
        shared.touch()


def get_devices():
    """How many devices compiled programs of this process run on."""
    if _state["topology"] is not None:
        return len(_state["topology"])
    if _state["count"] is None:
        asked = os.environ.get("MSJAX_DEVICES")
        if asked and world().size == 1:
            set_devices(asked)
        else:
            _state["count"] = 1
    return _state["count"]


@functools.lru_cache(maxsize=8)
def _mesh(devices):
    return Mesh(np.array(devices), (AXIS,))


def local_mesh(wanted: int = 1):
    """The devices of this process along one axis; None where programs run on one.

    wanted: how many a script says that there are (`device_num`): if nobody chose a number, so many are used, where they are there.
    """
    count = get_devices()
    if count == 1 and wanted > 1 and not _state["chosen"] and len(jax.local_devices()) >= wanted:
        count = wanted
    return _mesh(_state["topology"] or tuple(jax.local_devices()[:count])) if count > 1 else None


def once(text: str):
    """Say something the first time."""
    if text not in _state["said"]:
        _state["said"].add(text)
        log.warning(text)


def begin():
    """Note that a program was compiled for several devices."""
    _state["started"] = True


def _in_parts(array):
    return len(array.sharding.device_set) > 1 and not array.sharding.is_fully_replicated


def _divides(sharding, shape):
    try:
        sharding.shard_shape(tuple(shape))
    except ValueError:
        return False
    return True


class Start:
    """A program `fn(state, read-only state, inputs, *numbers) -> (results, state)` over the devices of a mesh: a global view.

    State lies as it lies, or whole on each device; numbers and results are whole. Inputs lie as the strategies of the operators that take
    them say, `arguments` {number: sharding}, and those of as many rows are split likewise; without strategies, all along their first axis.
    Where `arguments` is None they are whole, too: the program takes them apart itself.
    """

    def __init__(self, mesh: Any, arguments: Any, fn: Callable, donate: tuple = (), stacked: bool = False):
        begin()
        self.arguments = arguments
        self.mesh, self.fn, self.donate, self.axis = mesh, fn, donate, 1 if stacked else 0
        self.whole, self.programs, self.parts = NamedSharding(mesh, PartitionSpec()), {}, None
        self.split = NamedSharding(mesh, PartitionSpec(*[None] * self.axis, mesh.axis_names[0]))

    def _placed(self, mut, ro, leaves, *numbers):
        state = [*mut, *ro]
        placed = [self._on_mesh(a, s) for a, s in zip(state, self.parts or [self.whole] * len(state))]
        if (
            self.parts is None and here().contents is not SHAPES
        ):  # later calls put what was loaded meanwhile where it was
            self.parts = [a.sharding if isinstance(a, jax.Array) and _in_parts(a) else self.whole for a in placed]
        return (
            placed[: len(mut)],
            placed[len(mut) :],
            [self._input(a, sharding) for a, sharding in zip(leaves, self._lies(leaves))],
            *numbers,  # of Python: jit puts them on all devices
        )

    def _on_mesh(self, array, lies):
        """Arrays on several devices stay as they lie; others are laid so. Of a program that will not run, shapes are enough."""
        if here().contents is SHAPES:
            placed = isinstance(array, jax.ShapeDtypeStruct) and array.sharding is not None
            return array if placed else jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=self.whole)
        if isinstance(array, jax.ShapeDtypeStruct):
            return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=array.sharding or self.whole)
        if len(array.sharding.device_set) > 1:
            return self._named_alike(array)
        if lies is not self.whole:
            return in_parts(array, lies)
        if world().size > 1:
            return launch.to_mesh(array, self.whole)
        found = launch.twin_of(array, self.whole)
        return layouts.moved(array, self.whole, may_alias=False) if found is None else found

    def _named_alike(self, array):
        """What is whole on each device lies as `whole` says, which is how it comes out: with other names of axes jit would compile once more."""
        sharding = array.sharding
        if sharding == self.whole or not sharding.is_fully_replicated or sharding.device_set != self.whole.device_set:
            return array
        return jax.make_array_from_single_device_arrays(
            array.shape, self.whole, [s.data for s in array.addressable_shards]
        )

    def _input(self, array, sharding):
        if here().contents is SHAPES:
            return jax.ShapeDtypeStruct(array.shape, array.dtype, sharding=sharding)
        there = array.sharding.device_set if isinstance(array, jax.Array) else ()  # a sunk step gets NumPy arrays
        if len(there) > 1 and there == set(self.mesh.devices.flat):
            return array
        if world().size > 1:  # each process has the whole batch (`full_batch`)
            array = launch.to_mesh(array, self.whole)
            return array if sharding is self.whole else layouts.moved(array, sharding)
        return layouts.moved(array, sharding)

    def _lies(self, leaves):
        """How inputs are to lie."""
        if self.arguments is None:
            return [self.whole] * len(leaves)
        told, rows = {}, None
        for number, sharding in self.arguments.items():
            spec = [*[None] * self.axis, *sharding.spec]
            found = NamedSharding(sharding.mesh, PartitionSpec(*spec))
            if _divides(found, leaves[number].shape):
                told[number] = found
                rows = rows or (leaves[number].shape[self.axis], found.mesh, spec[self.axis])
        batch = self._batch(leaves) if rows is None else rows[0]
        split = self.split
        if rows is not None:
            split = NamedSharding(rows[1], PartitionSpec(*[None] * self.axis, rows[2]))
        along = [a.ndim > self.axis and a.shape[self.axis] == batch for a in leaves]
        return [told.get(i) or (split if rowwise else self.whole) for i, rowwise in enumerate(along)]

    def _batch(self, leaves):
        """The length along which inputs are split: the most frequent one, if it is a multiple of the number of devices."""
        lengths = collections.Counter(a.shape[self.axis] for a in leaves if a.ndim > self.axis)
        if not lengths:
            return None
        length, count = lengths.most_common(1)[0][0], self.mesh.size
        if length % count == 0:
            return length
        once(f"{length} rows can not be split evenly over {count} devices: each of them computes them all.")
        return None

    def _program(self, mut):
        kept = kept_shardings(mut)
        found = self.programs.get(kept)
        if found is None:
            wanted = [sharding or self.whole for sharding in kept]
            fn = gathered.written(self.fn, mut) if context.present_device() == "TPU" else self.fn
            found = shared_buffers.program(fn, self.donate, out_shardings=(self.whole, wanted))
            self.programs[kept] = found
        return found

    def trace(self, *given):
        """As `jax.jit(...).trace`, with the arrays of a call."""
        placed = self._placed(*given)
        return self._program(placed[0]).trace(*placed)

    def lower(self, *given):
        """As `jax.jit(...).lower`, with the arrays of a call."""
        return self.trace(*given).lower()

    def __call__(self, mut: Sequence, *given):
        placed = self._placed(mut, *given)
        launch.forget(mut)
        out, new = self._program(placed[0])(*placed)
        return jax.tree_util.tree_map(launch.to_local, out), [
            launch.state_to_local(a) if a.sharding.is_fully_replicated else a for a in new
        ]

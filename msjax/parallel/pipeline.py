"""Pipelines: each stage of a program on devices of its own, the parts of a batch one after the other through all of them.

The program is traced whole, as always, cut by `stages.py`, and each task compiled for the devices of its stage; strategies within a
stage are XLA's to lay out. In one process the tasks are handed to the devices in the order of the schedule, and run side by side.
Of several processes each runs the tasks of its own stage, and gives what the next one needs in a message between the two.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec

from ..core.compat import Literal
from ..core.host import wide
from ..core.operators import layouts
from ..core.settings.context import get_auto_parallel_context
from ..core.values.deferred import Deferred
from ..core.values.ownership import keep
from . import agreement, devices, launch, stage_ring, stages
from .device_axes import prime_factors
from .processes import world


def count():
    """How many stages there are, as `set_auto_parallel_context(pipeline_stages=)` says."""
    return get_auto_parallel_context("pipeline_stages")


@functools.lru_cache(maxsize=64)
def mesh_of(whole: Any, number: int, of: Any):
    """The devices of a stage: the `number`-th of `of` equal parts of a mesh."""
    every = whole.devices.reshape(-1)
    if every.size % of:
        raise ValueError(f"{every.size} devices can not be divided into {of} stages of a pipeline (pipeline_stages).")
    size = every.size // of
    shape = prime_factors(size) or [1]  # axes in which each even split of the devices can be written down
    return Mesh(every[number * size : (number + 1) * size].reshape(shape), tuple(f"part{i}" for i in range(len(shape))))


def own_stage():
    """The stage of this process; None if one process has them all."""
    return world().rank // (world().size // count()) if world().size > 1 and count() > 1 else None


def concrete(sharding: Any, mesh: Any):
    """A sharding for the devices of a stage, from one that was made for any of them; or for those of all stages, the same on each."""
    if isinstance(sharding.mesh, AbstractMesh) and not isinstance(mesh, AbstractMesh):
        if sharding.mesh.size < mesh.size:
            return stage_ring.on_stages(sharding, mesh, mesh.size // sharding.mesh.size)
        grid = Mesh(mesh.devices.reshape(sharding.mesh.axis_sizes), sharding.mesh.axis_names)
        return NamedSharding(grid, sharding.spec)
    return sharding


def split_first(mesh: Any, shape: Sequence[int]):
    """Along the first axis, as far as that goes evenly; else whole."""
    if shape and mesh.size > 1 and shape[0] and shape[0] % mesh.size == 0:
        return NamedSharding(mesh, PartitionSpec(mesh.axis_names))
    return NamedSharding(mesh, PartitionSpec())


class Start:
    """A program `fn(state, read-only state, inputs, *numbers) -> (results, state)` as a pipeline; see `devices.Start`.

    mesh: all devices. boxes: the state. wishes(mesh, boxes): how state is to lie on the devices of a stage, {id of a box: sharding};
    tell(mesh, boxes, wishes, stage) says it to others. State that is not made yet (Deferred) is made on the devices of its stage, and by
    another process, which has other stages, not at all.
    """

    def __init__(
        self, mesh: Any, boxes: Any, wishes: Any, tell: Any, fn: Callable, donate: tuple = (), stacked: bool = False
    ):
        devices.begin()
        self.mesh, self.fn, self.boxes, self.wishes, self.tell = mesh, fn, boxes, wishes, tell
        self.donate, self.stacked = bool(donate), stacked
        self.number, self.mine, self.cuts = count(), own_stage(), {}

    def stage(self, number: int):
        """The devices of a stage."""
        return mesh_of(self.mesh, number, self.number)

    def __call__(self, mut: Sequence, ro: Sequence, leaves: Sequence, *numbers):
        if not self.stacked:
            return self._step(mut, ro, leaves, numbers)
        out = None
        for i in range(leaves[0].shape[0]):
            out, mut = self._step(mut, ro, [a[i] for a in leaves], numbers)
        return out, mut

    def _step(self, mut, ro, leaves, numbers):
        flat, tree = jax.tree_util.tree_flatten((leaves, numbers))
        key = *((a.shape, a.dtype) for a in (*mut, *ro)), *((*_type(a), _in_parts(a)) for a in flat)
        cut = self.cuts.get(key)
        if cut is None:
            cut = self.cuts[key] = _Cut(self, len(mut), [*mut, *ro], flat, tree)
        return cut.run([*mut, *ro], flat)

    def texts(self):
        """Pairs (name of a program, its compiled HLO), for the stages of this process, as far as they have run."""
        return [(name, made.as_text()) for cut in self.cuts.values() for name, made in cut.programs]


def _type(value):
    return jnp.shape(value), jnp.result_type(value)


def _in_parts(array):
    return isinstance(array, jax.Array) and len(array.sharding.device_set) > 1


class _Cut:
    """A program for one signature, cut and compiled. Values are numbers, arrays are kept by (value, stage)."""

    def __init__(self, start, n_mut, state, flat, tree):
        self.start, self.mine, self.n_mut = start, start.mine, n_mut
        self.program = stages.Program(self._trace(state, flat, tree))
        self.state, self.leaves = self.program.inputs[: len(state)], self.program.inputs[len(state) :]
        homes = self._homes({b.name: v for b, v in zip(start.boxes, self.state) if hasattr(b, "name")})
        self.where = stages.place(self.program, self.state, homes)
        gpipe = get_auto_parallel_context("pipeline_config").get("pipeline_scheduler") == "gpipe"
        self.plan = stages.Plan(self.program, self.where, start.number, "gpipe" if gpipe else "1f1b")
        self.results, self.new = self.plan.results[: self.n_results], self.plan.results[self.n_results :]
        self.lies = {v: a.sharding for v, a in zip(self.leaves, flat) if _in_parts(a)}
        for number in range(start.number):
            boxes = {v: b for v, b in zip(self.state, start.boxes) if self.where[v] == number}
            wishes = start.wishes(start.stage(number), list(boxes.values()))
            if self.mine in (None, number):
                start.tell(start.stage(number), list(boxes.values()), wishes, number)
            for value, box in boxes.items():
                self.lies[value] = wishes.get(id(box)) or NamedSharding(start.stage(number), PartitionSpec())
        self._find_moves()
        self._compile()

    def _trace(self, state, flat, tree):
        def program(state, flat):
            leaves, numbers = jax.tree_util.tree_unflatten(tree, flat)
            out, new = self.start.fn(state[: self.n_mut], state[self.n_mut :], leaves, *numbers)
            made, self.shape = jax.tree_util.tree_flatten(out)
            self.n_results = len(made)
            return [*made, *new]

        return jax.make_jaxpr(program)(
            [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in state], [jax.ShapeDtypeStruct(*_type(a)) for a in flat]
        )

    def _homes(self, names):
        """The state of an optimizer is where its weight is first used: {input: stage}, by the names of both."""
        homes = stages.first_uses(self.program, names.values())
        for name, value in names.items():
            weight = names.get(name.partition(".")[2])
            if value not in homes and weight in homes and self._shape(weight) == self._shape(value):
                homes[value] = homes[weight]
        return homes

    def _shape(self, value):
        return tuple(self.program.avals[value].shape)

    def _border(self, value, number):
        """How a value lies on the devices of a stage that it goes to, or comes from.

        Within one process as XLA left it where it was made. Another process cannot know that: it is told whole, or split.
        """
        mesh = self.start.stage(number)
        if self.mine is None:
            left = self.have[value]
            return NamedSharding(Mesh(mesh.devices.reshape(left.mesh.devices.shape), left.mesh.axis_names), left.spec)
        return NamedSharding(mesh, PartitionSpec()) if value in self.told else split_first(mesh, self._shape(value))

    def _find_moves(self):
        """The values that move from stage to stage, the task that each must precede, and the task after which each can
        be freed.
        """
        plan, where, seen = self.plan, self.where, set()
        self.told = {v for v in self.results if not isinstance(v, Literal) and v in where}
        self.moves, self.last = {}, {}
        for at in plan.order:
            task = plan.tasks[at]
            for value in task.inputs:
                home = where.get(value, task.stage)
                if home != task.stage and (value, task.stage) not in seen:
                    seen.add((value, task.stage))
                    self.moves.setdefault(at, []).append((value, home, task.stage))
                    self.last[value, home] = at
                self.last[value, task.stage] = at
        self.after = []
        for old, new in zip(self.state, self.new):
            if (
                not isinstance(new, Literal)
                and where.get(new, where[old]) != where[old]
                and (new, where[old]) not in seen
            ):
                seen.add((new, where[old]))
                self.after.append((new, where[new], where[old]))
        if self.mine is not None:
            for value in sorted(self.told):
                for number in range(self.start.number):
                    if number != where[value] and (value, number) not in seen:
                        seen.add((value, number))
                        self.after.append((value, where[value], number))
        kept = {v for v in (*self.results, *self.new) if not isinstance(v, Literal)}
        ends = {}
        for (value, number), at in self.last.items():
            if value not in kept and value in where:
                ends.setdefault(at, []).append((value, number))
        self.ends = ends

    def _compile(self):
        """Compile in the order of the schedule, since a task takes the output of an earlier one in the layout that XLA
        chose.
        """
        plan, avals, have = self.plan, self.program.avals, dict(self.lies)
        self.have, self.compiled, self.programs, known = have, {}, [], {}
        wanted = {
            v: NamedSharding(self.start.stage(self.where[v]), PartitionSpec()) for v in self.told if v not in self.lies
        }
        if self.mine is not None:
            crossing = {v for moves in (*self.moves.values(), self.after) for v, _, _ in moves}
            wanted.update((v, self._border(v, self.where[v])) for v in crossing if v not in self.lies)
        for old, new in zip(self.state, self.new):
            if not isinstance(new, Literal) and self.where.get(new) == self.where[old] and new not in self.lies:
                wanted.setdefault(new, self.lies[old])
        changed = dict(zip(self.new, self.state)) if self.start.donate else {}
        for at in plan.order:
            task = plan.tasks[at]
            if self.mine not in (None, task.stage):
                continue
            mesh = self.start.stage(task.stage)
            given, donate = [], []
            olds = {changed[v] for v in task.outputs if v in changed and wanted.get(v) == self.lies[changed[v]]}
            for i, value in enumerate(task.inputs):
                if value not in self.where:
                    whole = NamedSharding(mesh, PartitionSpec())
                    sharding = have.get((value, task.stage)) or self.lies.get(value) or whole
                elif self.where[value] == task.stage:
                    sharding = have[value]
                    if (
                        value in olds
                        and self.last[value, task.stage] == at
                        and value not in self.told
                        and value not in self.new
                    ):
                        donate.append(i)
                else:
                    sharding = self._border(value, task.stage)
                given.append(jax.ShapeDtypeStruct(avals[value].shape, avals[value].dtype, sharding=sharding))
            fn = plan.function(task, functools.partial(_spread, mesh))
            wishes = [wanted.get(v) for v in task.outputs]
            lowered = jax.jit(fn, out_shardings=wishes, donate_argnums=donate).lower(*given)
            key = task.stage, lowered.as_text()
            made = known.get(key)
            if made is None:
                made = known[key] = lowered.compile()
                self.programs.append((fn.__name__, made))
            for value, sharding in zip(task.outputs, made.output_shardings):
                have[value if task.kind != "batch" else (value, task.stage)] = sharding
            self.compiled[at] = made
        if self.mine is not None:
            agreement.meet(tuple(range(world().size)))

    # --- running
    def run(self, state, flat):
        """(results, new written state) of one step."""
        mine, where, plan, held = self.mine, self.where, self.plan, {}
        for i, (value, array) in enumerate(zip(self.state, state)):
            if mine in (None, where[value]):
                held[value, where[value]] = placed = _put(array, self.lies[value])
                if i >= self.n_mut and isinstance(
                    array, Deferred
                ):  # nothing is written back: the next step finds it made
                    keep(self.start.boxes[i], _local(placed))
        batch = dict(zip(self.leaves, flat))
        launch.forget(state[: self.n_mut])
        for at in plan.order:
            for move in self.moves.get(at, ()):
                self._move(held, *move)
            task = plan.tasks[at]
            if mine in (None, task.stage):
                given = [
                    self._batch(held, batch, v, task.stage) if v not in where else held[v, task.stage]
                    for v in task.inputs
                ]
                made = self.compiled[at](*given)
                held.update(((v, task.stage), a) for v, a in zip(task.outputs, made))
                del given, made
            for key in self.ends.get(at, ()):
                held.pop(key, None)
        for move in self.after:
            self._move(held, *move)
        new = [self._kept(held, batch, i, state) for i in range(self.n_mut)]
        return jax.tree_util.tree_unflatten(self.shape, [self._result(held, batch, v) for v in self.results]), new

    def _batch(self, held, batch, value, number):
        """An input, on the devices of a stage."""
        if (value, number) not in held:
            array, aval = batch[value], self.program.avals[value]
            if value not in self.lies:
                array = np.asarray(array, aval.dtype) if not isinstance(array, jax.Array) else array
                array = _put(array, NamedSharding(self.start.stage(number), PartitionSpec()))
            held[value, number] = array
        return held[value, number]

    def _move(self, held, value, source, target):
        there, here = self._border(value, target), self._border(value, source)
        if self.mine is None:
            held[value, target] = jax.device_put(held[value, source], there)
        elif self.mine in (source, target):
            aval, piece = self.program.avals[value], None
            if self.mine == source:
                array = held[value, source]
                array = array if array.sharding == here else _relay(here)(array)
                piece = array.addressable_data(0)
            local = here.shard_shape(self._shape(value))
            came = _message(here.mesh, there.mesh, tuple(local), aval.dtype)(piece)
            if self.mine == target:
                held[value, target] = jax.make_array_from_single_device_arrays(self._shape(value), there, [came])

    def _kept(self, held, batch, i, state):
        """The new value of the i-th written state; state that another process keeps stays as it is here."""
        old, new = self.state[i], self.new[i]
        number = self.where[old]
        if self.mine not in (None, number):
            return state[i]
        if isinstance(new, Literal):
            array = jnp.full(self._shape(old), new.val, self.program.avals[old].dtype)
        else:
            array = held[new, number] if new in self.where else self._batch(held, batch, new, number)
        return _local(_put(array, self.lies[old]))

    def _result(self, held, batch, value):
        if isinstance(value, Literal):
            return jnp.asarray(value.val)
        number = self.mine if self.mine is not None else self.where.get(value, 0)
        if value in batch and (value, number) not in held:
            return jnp.asarray(batch[value])
        array = held[value, number]
        if value in self.new:  # the Parameter's own, which the next step writes over
            array = jnp.copy(array)
        if not array.sharding.is_fully_replicated:
            array = _relay(NamedSharding(self.start.stage(number), PartitionSpec()))(array)
        return jax.device_put(array.addressable_data(0), jax.local_devices()[0])


def _local(array):
    return launch.state_to_local(array) if array.sharding.is_fully_replicated else array


@wide
def _put(array, sharding):
    """An array in this layout; results of a program over the same devices are reused without a copy, deferred content is made there."""
    if isinstance(array, Deferred):
        return array.make(sharding)
    if isinstance(array, jax.Array):
        if array.sharding == sharding:
            return array
        found = launch.twin_of(array, sharding)
        if found is not None:
            return found
    if sharding.is_fully_addressable:
        return layouts.moved(array, sharding, may_alias=False)
    if isinstance(array, jax.Array) and not array.is_fully_addressable:
        return _relay(sharding)(array)
    whole = np.asarray(array)
    return jax.make_array_from_callback(whole.shape, sharding, lambda index: whole[index])


@functools.lru_cache(maxsize=256)
def _relay(sharding):
    return jax.jit(lambda array: array, out_shardings=sharding)


def _spread(mesh, array):
    """A part of the batch, split over the devices of its stage."""
    sharding = split_first(mesh, array.shape)
    return array if sharding.is_fully_replicated else jax.lax.with_sharding_constraint(array, sharding)


@functools.lru_cache(maxsize=1024)
def _message(source, target, shape, dtype):
    """A function from this process's array (None: it receives one) to the received array: pieces go from each device to
    its counterpart.
    """
    mesh = Mesh(np.stack([source.devices.reshape(-1), target.devices.reshape(-1)]), ("end", "device"))
    split = NamedSharding(mesh, PartitionSpec(("end", "device")))

    def move(array):
        return jax.lax.ppermute(array, "end", [(0, 1)])

    program = jax.jit(jax.shard_map(move, mesh=mesh, in_specs=split.spec, out_specs=split.spec, check_vma=False))
    device = mesh.local_devices[0]

    def send(piece):
        piece = jnp.zeros(shape, dtype) if piece is None else piece
        piece = jax.device_put(piece[None], device)
        given = jax.make_array_from_single_device_arrays((mesh.size, *shape), split, [piece])
        return program(given).addressable_data(0)[0]

    return send

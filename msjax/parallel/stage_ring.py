"""A pipeline as one program: the stages are the places of a mesh axis, and activations move around them as around a
ring.

The weights of equal layers are the rows of one array that is split over the axis "stage", so a stage has its own alone. A loop over ticks
computes all stages at once, each for another part of the batch, and then passes what came out to the next stage (`lax.ppermute`). The parts
wait split over the stages, too: with each tick they move on by one towards the first stage, and the results take their places from behind.
What stands before and behind the stages is computed for all parts at once, split over the stages by parts. JAX differentiates the loop.

With several rounds (interleaving) a stage has layers from several places of the network, and what leaves the last stage enters the first one again.
"""

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec

from ..core.compat import Literal, Variable
from ..core.program.edited import edited, note_of_mesh, with_parameters
from ..core.program.loops import size
from ..core.program.parts import RULED, holds, opened
from ..core.program.primitives import name_of
from ..core.program.ruled import with_rules
from ..core.program.together import together
from ..core.program.values import Values
from .stage_grid import Unequal
from .stage_sums import Sums

STAGE = "stage"
_FREE = PartitionSpec.UNCONSTRAINED
_LARGE = 1 << 20  # bytes of a part of the batch from which on it matters how parts are sent to their stages
_UNROLLED = 8  # at most so many layers of a visit are written out


# --- meshes
def stage_mesh(mesh: Any, stages: Any, shape: Sequence[int], names: Sequence[str]):
    """The devices of a mesh, first by stage, then as a grid of this shape."""
    return Mesh(mesh.devices.reshape(stages, *shape), (STAGE, *names))


def on_stages(sharding: Any, mesh: Any, stages: Any):
    """A sharding over the devices of any stage as one over all devices, the same on each stage."""
    own = sharding.mesh
    return NamedSharding(stage_mesh(mesh, stages, own.axis_sizes, own.axis_names), sharding.spec)


def over_all_stages(closed: Any, mesh: Any, stages: Any):
    """A program with constraints for the devices of any stage, as one for all devices: those of each stage do the same.

    Raises:
        Unequal: a gradient that a user wrote has strategies, and holds arrays.
    """
    known = {}

    def lies(v, constraint):
        if not isinstance(v, NamedSharding) or not isinstance(v.mesh, AbstractMesh) or v.mesh.empty:
            return v  # a mesh without axes says nothing: what is computed from constants notes one
        if STAGE in v.mesh.axis_names:
            return v  # of a part that is on all stages already
        if constraint:
            return on_stages(v, mesh, stages)
        if note_of_mesh(v) is None:
            return None
        own = v.mesh  # what an operation inside of a `shard_map` notes of its result
        sizes, names = (stages, *own.axis_sizes), (STAGE, *own.axis_names)
        around = AbstractMesh(sizes, names, axis_types=(own.axis_types[0], *own.axis_types))
        return NamedSharding(around, v.spec)

    def equation(eqn):
        name = name_of(eqn)  # a `shard_map` has "manual_axes" before jax 0.10
        own = name == "shard_map" and isinstance(eqn.params["mesh"], AbstractMesh)
        ruled = own and "manual_axes" not in eqn.params and holds(eqn, *RULED)
        if ruled or name in RULED and holds(eqn, "shard_map", "sharding_constraint"):
            made = with_rules(eqn, program)  # rules hold programs, too
            if made is None:
                raise Unequal(
                    "a gradient that somebody wrote has strategies, or runs on each device for itself, and holds arrays"
                )
            return [made]
        if own:
            return [_each_for_itself(eqn, mesh, stages)]
        return [with_parameters(eqn, program, lambda v: lies(v, name == "sharding_constraint"))]

    def program(found):
        if id(found) not in known:
            known[id(found)] = found, edited(found, equation)  # with the program, so that its id stays its own
        return known[id(found)][1]

    return program(closed)


def _each_for_itself(eqn, mesh, stages):
    """A `shard_map` over the devices of any stage, as one over all devices: those of a stage do as they did.

    Newer versions of JAX note the mesh of each equation and value in it, too.
    """
    own, params = eqn.params["mesh"], eqn.params
    whole = stage_mesh(mesh, stages, own.axis_sizes, own.axis_names)
    if "manual_axes" in params:
        return eqn.replace(params={**params, "mesh": whole, "manual_axes": frozenset({*params["manual_axes"], STAGE})})
    axes = {*params["newly_manual_axes"], STAGE}
    like = jax.shard_map(
        lambda x: x + 1,
        mesh=whole,
        in_specs=PartitionSpec(),
        out_specs=PartitionSpec(),
        axis_names=axes,
        check_vma=params["check_vma"],
    )
    (like,) = jax.make_jaxpr(like)(0.0).eqns
    (inside,) = like.params["jaxpr"].eqns
    new = {"mesh": whole, "newly_manual_axes": frozenset(axes), "jaxpr": _within(params["jaxpr"], inside)}
    return eqn.replace(params=params | new)


def _within(program, like):
    """A program whose equations and values note the mesh that an equation `like` notes."""
    jaxpr, _ = opened(program)
    mesh, known = like.outvars[0].aval.sharding.mesh, {}

    def lies(value):
        if isinstance(value, AbstractMesh):
            return mesh
        if isinstance(value, jax.core.ShapedArray):
            return value.update(sharding=lies(value.sharding))
        return NamedSharding(mesh, value.spec) if isinstance(value, NamedSharding) else value

    def there(atom):
        aval = lies(atom.aval)
        if aval is atom.aval:
            return atom
        if isinstance(atom, Literal):
            return type(atom)(np.asarray(atom.val), aval)
        return known.setdefault(atom, Variable(aval))

    def equation(eqn):
        kernel = name_of(eqn) == "pallas_call"  # its program knows no mesh, its results do
        eqn = with_parameters(eqn, lambda part: part if kernel else _within(part, like), lies)
        return eqn.replace(invars=list(map(there, eqn.invars)), outvars=list(map(there, eqn.outvars)), ctx=like.ctx)

    made = jaxpr.replace(
        constvars=list(map(there, jaxpr.constvars)),
        invars=list(map(there, jaxpr.invars)),
        outvars=list(map(there, jaxpr.outvars)),
        eqns=list(map(equation, jaxpr.eqns)),
    )
    return made if jaxpr is program else type(program)(made, program.consts)


# --- what is known while the program is evaluated
class _Values(Values):
    """Values; those of all parts of the batch lie in one array, filled up to a multiple of the stages."""

    def __init__(self, closed, arrays, length):
        super().__init__(closed, arrays)
        self.length, self.stacks = length, {}
        self.makers = {v: e for e in closed.jaxpr.eqns for v in e.outvars}

    def stacked(self, atoms):
        """One array of all parts' values."""
        key = _key(atoms)
        if key not in self.stacks:
            found = self._cut_from(atoms)
            if found is None:
                found = jnp.stack([_array(self.read(a), a) for a in atoms])
            self.stacks[key] = _filled(found, self.length)
        return self.stacks[key]

    def _cut_from(self, atoms):
        """The stack of values that are cut one after the other from the first axis of one array: that array, in another shape.

        XLA would send what each device has of each slice on its own. None: they are no such values.
        """
        cuts = [None if isinstance(a, Literal) else self.makers.get(a) for a in atoms]
        if size(atoms[0].aval) < _LARGE:
            return None
        if any(c is None or name_of(c) != "slice" or c.invars[0] is not cuts[0].invars[0] for c in cuts):
            return None
        source, length = cuts[0].invars[0], atoms[0].aval.shape[:1]
        first = cuts[0].params["start_indices"]
        for at, cut in enumerate(cuts):
            begin, strides = cut.params["start_indices"], cut.params["strides"]
            if strides is not None and set(strides) != {1} or atoms[at].aval.shape[1:] != source.aval.shape[1:]:
                return None
            if atoms[at].aval.shape[:1] != length or begin[0] != first[0] + at * length[0]:
                return None
        whole = lax.slice_in_dim(self.read(source), first[0], first[0] + len(cuts) * length[0])
        return whole.reshape(len(cuts), *atoms[0].aval.shape)

    def put(self, variables, array):
        """The parts' values, from one array."""
        self.stacks[_key(variables)] = array
        self.rows.update((v, (array, at)) for at, v in enumerate(variables))


def _filled(rows, length):
    """An array with its last row repeated, up to so many rows."""
    return jnp.concatenate([rows, *[rows[-1:]] * (length - len(rows))]) if len(rows) < length else rows


def _key(atoms):
    return tuple([id(a) if isinstance(a, Literal) else a for a in atoms])


def _array(value, atom):
    return value if isinstance(value, jax.Array) else jnp.asarray(value, atom.aval.dtype)


def _through(layer, carried, rows, count):
    """What all layers make of the carried values, one after the other: (the last values, what each layer makes).

    A loop writes the gradients of its layers before they are added to those of other ticks, so few layers are written out.
    """
    few = next(n for n in range(min(_UNROLLED, count), 0, -1) if count % n == 0)

    def layers(carried, rows):
        made = []
        for at in range(few):
            own = jax.tree_util.tree_map(lambda r: lax.index_in_dim(r, at, 0, keepdims=False), rows)  # noqa: B023
            carried, more = layer(carried, own)
            made.append(more)
        return carried, jax.tree_util.tree_map(lambda *of_layers: jnp.stack(of_layers), *made)

    if few == count:
        return layers(carried, rows)
    divided = jax.tree_util.tree_map(lambda r: r.reshape(-1, few, *r.shape[1:]), rows)
    carried, made = lax.scan(layers, carried, divided, length=count // few)
    return carried, jax.tree_util.tree_map(lambda m: m.reshape(-1, *m.shape[2:]), made)


def _like(atom):
    return jax.ShapeDtypeStruct(atom.aval.shape, atom.aval.dtype, weak_type=atom.aval.weak_type)


def _same(atoms):
    if all(isinstance(a, Literal) for a in atoms):
        return len({np.asarray(a.val).tobytes() for a in atoms}) == 1
    return len(set(_key(atoms))) == 1


# --- the program
class Ring:
    """A function of the inputs of a closed jaxpr that computes it as a StageGrid on a mesh.

    again: whether the layers are computed again for the gradient, so that only what goes from layer to layer is kept. note: what is
    called with its inputs and outputs.
    """

    def __init__(self, closed: Any, grid: Any, mesh: Any, again: Any, note: Any):
        self.note = note
        self.closed, self.grid, self.again = closed, grid, again
        self.mesh = stage_mesh(mesh, grid.stages, (mesh.size // grid.stages,), ("others",))
        self.slots = -(-grid.parts // grid.stages)  # of parts, on each stage
        # in several rounds a part must not come back to the first stage before that is free
        self.flow = grid.parts if grid.rounds == 1 else max(grid.parts, grid.stages)
        self.ticks = self.flow * grid.rounds + grid.stages - 1

    def __call__(self, *arrays):
        grid = self.grid
        values = _Values(self.closed, arrays, self.slots * grid.stages)
        values.run(grid.early)
        self._over_parts(grid.before, values)
        self._visits(values)
        self._over_parts(grid.behind, values)
        values.run(grid.late)
        return [values.read(a) for a in self.closed.jaxpr.outvars]

    def _split(self, array, axis=0):
        """Split over the stages along an axis; how it lies on the devices of each is left to XLA."""
        spec = [_FREE] * array.ndim
        spec[axis] = STAGE
        return lax.with_sharding_constraint(array, NamedSharding(self.mesh, PartitionSpec(*spec)))

    def _spread(self, array):
        """The parts' values, split over the stages, and each part over the devices of its stage along its first axis,
        if that divides evenly.
        """
        others = self.mesh.shape["others"]
        if array.ndim < 2 or not array.shape[1] or array.shape[1] % others:
            return self._split(array)
        spec = PartitionSpec(STAGE, "others", *[_FREE] * (array.ndim - 2))
        return lax.with_sharding_constraint(array, NamedSharding(self.mesh, spec))

    def _over_parts(self, loop, values):
        if loop is None:
            return
        rows = [self._spread(values.stacked(atoms)) for atoms in loop.rows]
        constants, body = [values.read(v) for v in loop.constants], loop.body()

        def one(rows):
            return body(rows, [], constants)[1]

        if rows:
            made = jax.vmap(one, spmd_axis_name=STAGE)(rows)
        else:  # the same for all parts
            made = [jnp.broadcast_to(a, (values.length, *jnp.shape(a))) for a in one(rows)]
        for of_parts, array in zip(loop.made, made):
            values.put(of_parts, self._split(array))

    # --- the stages
    def _visits(self, values):
        grid, loops = self.grid, self.grid.visits
        first = loops[0]
        weights, own = {}, {}  # which row -> [stage, round, layer, ...]; [stage, part, round, layer, ...]
        for i in range(len(first.rows)):
            of_parts = [loop.rows[i] for loop in loops]
            if all(_same(atoms) for atoms in zip(*of_parts)):
                weights[i] = self._weight(values, of_parts[0])
            else:
                own[i] = self._of_parts(values, of_parts)
        shared, differing = {}, {}
        for i in range(len(first.constants)):
            atoms = [loop.constants[i] for loop in loops]
            if _same(atoms):
                shared[i] = values.read(atoms[0])
            else:
                differing[i] = values.stacked(atoms)
        given = [values.stacked([loop.carried[i][0] for loop in loops]) for i in range(len(first.carried))]
        waiting = [self._split(a.reshape(grid.stages, self.slots, *a.shape[1:])) for a in given]
        sums = self._sums(first, weights)
        copies = {i: shares.copies(weights[i], 3) for i, shares in sums.shares.items()}
        weights = {i: w for i, w in weights.items() if i in sums.whole}
        results, made = self._run(sums, waiting, (weights, copies), own, shared, differing)
        for i, array in enumerate(results):
            values.put([loop.carried[i][1] for loop in loops], array)
        for i, array in enumerate(made):  # [tick, stage, layer, ...]
            for layer in range(first.count):
                visit, at = divmod(layer, grid.layers)
                turn, stage = divmod(visit, grid.stages)
                start = turn * self.flow + stage
                rows = array[start : start + grid.parts, stage, at]
                values.put([loop.made[i][layer] for loop in loops], self._split(_filled(rows, values.length)))

    def _in_order(self, of_layers):
        """The layers' values, by stage, round and layer of a visit."""
        grid = self.grid
        places = np.arange(len(of_layers)).reshape(grid.rounds, grid.stages, grid.layers).transpose(1, 0, 2)
        return [of_layers[i] for i in places.ravel()]

    def _by_stage(self, array, *axes):
        grid = self.grid
        return self._split(array.reshape(grid.stages, grid.rounds, grid.layers, *array.shape[1:]))

    def _weight(self, values, atoms):
        rows = [_array(values.read(a), a) for a in self._in_order(atoms)]
        return self._by_stage(self._split(together(rows)))

    def _of_parts(self, values, of_parts):
        arrays = [
            self._by_stage(jnp.stack([_array(values.read(a), a) for a in self._in_order(atoms)])) for atoms in of_parts
        ]
        return self._split(jnp.stack(arrays, 1))

    def _sums(self, loop, weights):
        """A layer: a program of its rows, carried values and constants, one after the other."""
        lists = [
            [_like(atoms[0]) for atoms in loop.rows],
            [_like(a) for a, _ in loop.carried],
            list(map(_like, loop.constants)),
        ]
        closed = jax.make_jaxpr(loop.body())(*lists)
        carried = closed.jaxpr.invars[len(lists[0]) :][: len(lists[1])]
        return Sums(closed, list(weights), self.mesh, "others", carried)

    def _run(self, sums, waiting, weights, own, shared, differing):
        grid, stages = self.grid, self.grid.stages
        numbers = self._split(jnp.arange(stages, dtype=jnp.int32))

        def visit(number, carried, weights, own, tick):
            since = tick - number
            turn = jnp.clip(since // self.flow, 0, grid.rounds - 1)
            part = jnp.clip(since % self.flow, 0, grid.parts - 1)
            whole, copies = jax.tree_util.tree_map(lambda w: _at(w, turn), weights)
            rows = whole | {i: _at(_at(o, part), turn) for i, o in own.items()}
            constants = shared | {i: _at(a, part) for i, a in differing.items()}
            constants = [constants[i] for i in range(len(constants))]

            def layer(carried, given):
                rows, copies = given
                # None: taken as copies alone, or by nothing
                rows = [rows.get(i) for i in range(len(grid.visits[0].rows))]
                outs = sums([*rows, *carried, *constants], copies)
                return outs[: len(carried)], outs[len(carried) :]

            # what is kept of a layer is what came into it
            return _through(
                jax.checkpoint(layer, prevent_cse=False) if self.again else layer, carried, (rows, copies), grid.layers
            )

        visits = jax.vmap(visit, in_axes=(0, 0, 0, 0, None), spmd_axis_name=STAGE)

        def tick(state, now):
            passed, waiting, coming = state
            slot = now % self.slots
            fresh = [lax.dynamic_index_in_dim(a, slot, 1, keepdims=False) for a in waiting]
            entering = fresh
            if coming:
                back = [lax.dynamic_index_in_dim(a, now % self.flow, 1, keepdims=False) for a in coming]
                entering = [jnp.where(now < self.flow, a, b) for a, b in zip(fresh, back)]
            carried = [self._chosen(0, a, b) for a, b in zip(entering, passed)]
            new, made = visits(numbers, carried, weights, own, now)
            new = list(map(self._split, new))
            passed = [self._moved(a, 1) for a in new]
            moved = [self._chosen(stages - 1, a, self._moved(b, -1)) for a, b in zip(new, fresh)]
            waiting = [lax.dynamic_update_index_in_dim(a, m, slot, 1) for a, m in zip(waiting, moved)]
            place = (now - (stages - 1)) % self.flow
            coming = [lax.dynamic_update_index_in_dim(a, p, place, 1) for a, p in zip(coming, passed)]
            return (passed, list(map(self._split, waiting)), coming), list(
                map(functools.partial(self._split, axis=0), made)
            )

        # idle ticks compute with what is there: real values, so that no gradient of theirs is 0 times infinite
        passed = [a[:, 0] for a in waiting]
        coming = [] if grid.rounds == 1 else [
            self._split(jnp.broadcast_to(a[:, :1], (stages, self.flow, *a.shape[2:]))) for a in waiting
        ]  # fmt: skip
        (_, waiting, _), made = lax.scan(tick, (passed, waiting, coming), jnp.arange(self.ticks, dtype=jnp.int32))
        return [self._arrived(a) for a in waiting], made

    def _chosen(self, stage, there, elsewhere):
        """One array on this stage, another one on the others."""
        at = lax.broadcasted_iota(jnp.int32, (self.grid.stages, *[1] * (there.ndim - 1)), 0)
        return jnp.where(at == stage, there, elsewhere)

    def _moved(self, array, by):
        """Each stage's values, moved to the next stage (1) or the one before (-1)."""
        stages = self.grid.stages
        pairs = [(i, (i + by) % stages) for i in range(stages)]
        move = jax.shard_map(
            lambda a: lax.ppermute(a, STAGE, pairs), mesh=self.mesh, in_specs=PartitionSpec(STAGE),
            out_specs=PartitionSpec(STAGE), axis_names={STAGE},
        )  # fmt: skip
        return move(array)

    def _arrived(self, waiting):
        """The outputs, in the order of the parts: those of the last ticks, one tick in each slot."""
        length = self.grid.stages * self.slots
        turned = jnp.roll(waiting, -((self.ticks - length) % self.slots), 1)
        out = turned.reshape(length, *waiting.shape[2:])
        # all ticks of the last round that bring a part, filled up in front: the parts come first
        return self._split(jnp.roll(out, -(length - self.grid.parts), 0) if length != self.grid.parts else out)


def _at(array, index):
    return array[0] if array.shape[0] == 1 else lax.dynamic_index_in_dim(array, index, 0, keepdims=False)

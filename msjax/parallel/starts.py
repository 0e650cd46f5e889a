"""How programs on several devices start: as a global view, as a pipeline, over the processes of their collectives, or as usual."""

import functools
import math
from typing import TYPE_CHECKING, Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

from .. import log
from ..core.above import above
from ..core.program.interpreter import scope_of
from ..core.program.primitives import name_of
from ..core.program.sharing import written_out
from ..core.program.together import is_together
from ..core.settings.context import ParallelMode, folds_layers, get_auto_parallel_context
from ..core.values.parameter import Parameter
from . import devices, forwards, gradient_layout, launch, pipeline, shardings
from .absent_devices import parts_of
from .places import mesh_of_all
from .processes import ranks, world
from .stage_grid import Unequal, stage_grid
from .stage_ring import STAGE, Ring, on_stages, over_all_stages
from .stage_sums import Sums
from .stages import micro_batch_of

if TYPE_CHECKING:
    import jax.extend


def plan(closed: "jax.extend.core.ClosedJaxpr", boxes: list, inputs: list):
    """How `core.trace.entry` is to start a program with this state; None for as usual.

    inputs: the boxes of the first inputs of the program.
    """
    mesh = shardings.everything()
    if mesh is None:
        start = launch.plan(closed)
        if start is not None:
            shardings.settle(mesh_of_all(), boxes)
        return start
    _has_whole_batch()
    above.before_layout()
    arguments = shardings.lay_as_used(closed, inputs)
    staged = _staged(closed, inputs)
    if staged:  # what the step computes outside of the gradient, each stage does
        closed = over_all_stages(forwards.computed_once(closed), mesh, pipeline.count())
    if staged or not shardings.pipelined():
        places = Places(mesh, boxes, staged)
        start = functools.partial(devices.Start, mesh, None if staged else arguments)
        start.place, start.settle = places.of_stack, places.settle
        start.program = gradient_layout.as_state(
            closed, shardings.of_optimizers(inputs, places.alone()), shardings.zero_level() == 2
        )
    else:
        start = functools.partial(pipeline.Start, mesh, boxes, shardings.wishes, shardings.tell)
        start.makes = True
    start.flat = jax.jit  # gradients of eager code around a program run on the first device
    return start


def _has_whole_batch():
    """Of a process that stands for several ranks: RuntimeError where each of these would get its own part of the batch."""
    mode, told = (get_auto_parallel_context(name) for name in ("parallel_mode", "dataset_strategy"))
    whole = told == "full_batch" or not isinstance(told, str) and all(math.prod(parts_of(own)) == 1 for own in told)
    if ranks() > world().size and mode != ParallelMode.STAND_ALONE and not whole:
        raise RuntimeError(
            f"This process stands for {ranks()} ranks (--as-ranks), so its dataset must give the whole batch, but the dataset strategy is "
            f"{told!r} (parallel_mode {mode!r}): set full_batch=True in SEMI_AUTO_PARALLEL or AUTO_PARALLEL, or start a process for each "
            f"rank with `python -m msjax run --worker-num {ranks()}`."
        )


def _staged(closed, inputs):
    """The boxes that a program takes together: the weights of equal stages."""
    if not shardings.pipelined():
        return []
    of = dict(zip(closed.jaxpr.invars, inputs))
    calls = [e for e in closed.jaxpr.eqns if is_together(e) and len(e.outvars) == 1]
    return [of[v] for e in calls for v in e.invars if v in of]


class Places:
    """Where the state of a program over the devices of a mesh lies; that of equal stages in stacks, a stage's part on its devices alone."""

    def __init__(self, mesh: Any, boxes: Any, staged: Any):
        self.mesh, self.boxes, self.stages = mesh, boxes, pipeline.count() if staged else 1
        self.found, self.of_stages = shardings.wishes(mesh, boxes), {}
        weights = {b.name: b for b in staged if isinstance(b, Parameter)}
        for box in boxes if staged else ():
            weight = weights.get(box.name, weights.get(box.name.partition(".")[2]))
            if weight is not None and weight.shape == box.shape:
                self.of_stages[id(box)] = box
        self.own = shardings.wishes(self._stage(0), list(self.of_stages.values())) if staged else {}

    def _stage(self, number):
        return pipeline.mesh_of(self.mesh, number, self.stages)

    def of_stack(self, boxes: Any):
        """How the stack of these boxes lies: a sharding, None for whole everywhere, False for no stack."""
        inside = [id(b) in self.of_stages for b in boxes]
        if any(inside):
            if not all(inside) or len(boxes) % self.stages:
                return False
            shardings_ = [self.own.get(id(b)) for b in boxes]
            first = shardings_[0] or NamedSharding(self._stage(0), PartitionSpec())
            if any((s or first).spec != first.spec for s in shardings_):
                return False
            lies = on_stages(first, self.mesh, self.stages)
            return NamedSharding(lies.mesh, PartitionSpec(STAGE, *first.spec))
        lies = [self.found.get(id(b)) for b in boxes]
        if any(s != lies[0] for s in lies):
            return False
        if lies[0] is None or lies[0].is_fully_replicated:
            return None
        return NamedSharding(lies[0].mesh, PartitionSpec(None, *lies[0].spec))

    def alone(self):
        """{id of a box: sharding} of the state that belongs to no stage."""
        return {key: sharding for key, sharding in self.found.items() if key not in self.of_stages}

    def settle(self, stacks: Any):
        """Put state that is in no stack where it belongs, and say how all of it lies. stacks: a list of boxes for each stack."""
        inside = {id(b) for rows in stacks for b in rows}
        of_stage = {}
        for rows in stacks:
            for at, box in enumerate(rows if id(rows[0]) in self.of_stages else ()):
                of_stage.setdefault(at * self.stages // len(rows), []).append(box)
        for number, boxes in sorted(of_stage.items()):
            shardings.tell(self._stage(number), boxes, self.own, number)
        told = {id(b) for boxes in of_stage.values() for b in boxes}
        shardings.tell(self.mesh, [b for b in self.boxes if id(b) not in told], self.found, 0)
        shardings.put_state([b for b in self.boxes if id(b) not in inside], self.found)


def arranged(closed: "jax.extend.core.ClosedJaxpr", boxes: tuple | list):
    """A pipeline of equal stages as one program, from the program of its forward; None where its stages differ.

    Without stages: a program of several parts of the batch that sums the gradients of weights over devices once; None for others.
    """
    mesh = shardings.everything()
    if mesh is None:
        return None
    if not shardings.pipelined():
        return _summed_once(closed, boxes, mesh)
    number = pipeline.count()
    if mesh.size % number:
        raise ValueError(
            f"{mesh.size} devices can not be divided into {number} stages of a pipeline (pipeline_stages)."
        )
    shardings.lay_as_used(closed, boxes)  # once layers are taken together, how each weight is used is not seen any more
    again = get_auto_parallel_context("pipeline_config").get("pipeline_scheduler") != "gpipe"
    note = functools.partial(forwards.note, closed)
    try:
        whole = over_all_stages(closed, mesh, number)
    except Unequal as why:
        _tell(why, mesh)
        return None
    # Where all layers are computed again, Cells of theirs need not be so once more. These may also hide what a part of the batch hands to
    # the next one, and the stages may have other lists of them.
    plain = written_out(whole, _computed_again)
    tries = [(plain, True)]
    if not again:
        tries = [(whole, False), *(tries if plain is not whole else [])]
    for program, computed_again in tries:
        try:
            return Ring(program, stage_grid(program, number), mesh, computed_again, note)
        except Unequal as why:
            said = why
    _tell(said, mesh)
    return None


def _summed_once(closed, boxes, mesh):
    cuts = [(micro_batch_of(scope_of("", e)), e.invars[0]) for e in closed.jaxpr.eqns if name_of(e) == "slice"]
    parts = {part for part, _ in cuts} - {None}  # each of them is cut out of the batch
    if folds_layers() or shardings.spreads_sums() or len(parts) < 2:
        return None
    weights = [i for i, b in enumerate(boxes) if isinstance(b, Parameter)]
    rows = {source for part, source in cuts if part is not None} & {
        *closed.jaxpr.constvars,
        *closed.jaxpr.invars[len(boxes) :],
    }
    sums = Sums(closed, weights, mesh, mesh.axis_names[0], rows)

    def run(*arrays):
        copies = {i: shares.copies(arrays[i], 0) for i, shares in sums.shares.items()}
        return sums([None if i in copies and i not in sums.whole else a for i, a in enumerate(arrays)], copies)

    return run if sums.shares else None


def _computed_again(eqn):
    return name_of(eqn) == "checkpoint" and eqn.params.get("policy") is None


def _tell(why, mesh):
    """That stages are tasks of their own, where that matters: all hosts of a TPU must run one program."""
    if mesh.devices.flat[0].platform == "tpu":
        said = f"the stages of the pipeline are not equal, so they are not one program: {why}. On a TPU all hosts must run one program"
        if world().size > 1:
            raise RuntimeError(f"{said}; give each stage the same number of equal layers (`offset`, `pipeline_stage`).")
        devices.once(f"{said}; within one process each stage is a program of its own.")
    else:
        log.info(f"each stage of the pipeline is a program of its own: {why}")

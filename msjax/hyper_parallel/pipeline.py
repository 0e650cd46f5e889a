"""Pipelines whose stages are Cells of one process: each stage computes on devices of its own, micro-batch by micro-batch."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from .. import mint
from ..core.grad.autodiff import run_forward
from ..core.operators.layouts import moved
from ..core.values.tensor import Tensor, wrap
from ..core.values.tensor_trees import map_tensors, tensor_leaves
from ..nn.cell.cell import Cell
from ..parallel.processes import world
from .dtensor import DTensor
from .platform import get_platform
from .schedules import MetaStepType, gpipe, interleaved, one_forward_one_backward, with_messages

if TYPE_CHECKING:
    from ..core.values.parameter import Parameter
    from .schedules import BatchDimSpec

__all__ = [
    "PipelineScheduleRuntime",
    "PipelineStage",
    "Schedule1F1B",
    "ScheduleGPipe",
    "ScheduleInterleaved1F1B",
    "SharedParameterInfo",
]


class SharedParameterInfo:
    """A Parameter that several stages use, with the stages' numbers. In one process they share the Parameter, without a
    copy.
    """

    def __init__(self, parameter: "Parameter", shared_stage: Sequence[int]):
        if not isinstance(shared_stage, (list, tuple)):
            raise TypeError(f"Argument 'shared_stage' must be a list or tuple, but got {type(shared_stage)}.")
        self.parameter, self.shared_stage = parameter, shared_stage

    def __repr__(self):
        return f"SharedParameterInfo(parameter={self.parameter}, shared_stage={self.shared_stage})"


class PipelineStage:
    """A part of a network, as one stage of a pipeline.

    Args:
        submodule: Cell; it gets what the stage before gives, the first one the arguments of `run`. stage_index: its number.
        stage_num: number of stages of the pipeline. shared_parameters: SharedParameterInfos; recorded.

    Raises:
        TypeError: `submodule` is not a Cell. ValueError: `stage_index` is not a number below `stage_num`.

    Example:
        >>> from msjax.hyper_parallel import PipelineStage, ScheduleGPipe
        >>> stages = [PipelineStage(nn.Dense(4, 4), i, 2) for i in range(2)]
        >>> losses = ScheduleGPipe(stages, micro_batch_num=2).run(Tensor(np.ones((4, 4), np.float32)))
    """

    def __init__(
        self,
        submodule: Cell,
        stage_index: int,
        stage_num: int,
        device: Any = None,
        group: Any = None,
        recv_info: Any = None,
        shared_parameters: Sequence[Any] | None = None,
    ):
        if not isinstance(submodule, Cell):
            raise TypeError(f"Argument 'submodule' must be type of Cell, but got {type(submodule)}.")
        if not isinstance(stage_index, int) or not 0 <= stage_index < stage_num:
            raise ValueError(f"Argument 'stage_index' must be in [0, {stage_num}), but got {stage_index}.")
        self.submodule, self._stage_index, self._stage_num = submodule, stage_index, stage_num
        self.shared_parameters, self.place = shared_parameters, None
        self.clear_states()

    @property
    def stage_index(self):
        """Number of the stage."""
        return self._stage_index

    @property
    def stage_num(self):
        """Number of stages of the pipeline."""
        return self._stage_num

    @property
    def is_first_stage(self):
        """Whether it gets the arguments of `run`."""
        return self._stage_index == 0

    @property
    def is_last_stage(self):
        """Whether it gives the losses."""
        return self._stage_index == self._stage_num - 1

    def clear_states(self):
        """Forget micro-batches that are under way."""
        self._pulls = {}

    def _moved(self, value):
        return map_tensors(
            lambda t: t if self.place is None or isinstance(t, DTensor) else wrap(moved(t.jax_array, self.place)), value
        )

    def forward_one_chunk(self, micro_index: int, args: tuple, kwargs: dict | None = None):
        """The stage's output for a micro-batch."""
        args, kwargs = self._moved(tuple(args)), self._moved(dict(kwargs or {}))
        weights = [p for p in self.submodule.get_parameters() if p.requires_grad]
        floats = [
            i for i, a in enumerate(args) if isinstance(a, Tensor) and np.issubdtype(a.jax_array.dtype, np.inexact)
        ]
        positions = [] if self.is_first_stage else floats
        value, pull = run_forward(lambda *given: self.submodule(*given, **kwargs), args, {}, positions, weights, False)
        self._pulls[micro_index] = pull, value, positions, len(args), weights
        return value

    def backward_one_chunk(self, micro_index: int, sens: Tensor | tuple | None = None):
        """Add the gradients of a micro-batch to `grad` of the Parameters; returns the gradients of the stage's inputs.
        `sens`: the gradient of its output, by default ones.
        """
        pull, value, positions, count, weights = self._pulls.pop(micro_index)
        if sens is None:
            sens = map_tensors(lambda t: mint.ones_like(t), value)
        found = pull(self._moved(sens))
        for weight, grad in zip(weights, found.weights):
            before = weight.__dict__.get("grad")
            weight.__dict__["grad"] = grad if before is None else before + grad
        made = dict(zip(positions, found.inputs))
        return [made.get(i) for i in range(count)]


class PipelineScheduleRuntime:
    """Runs the stages; a subclass says in which order: `_order(rank, ranks, chunks, micros)`.

    Args:
        stages: all PipelineStages of the pipeline, in a list; their numbers say which rank would hold them, in turn.
        micro_batch_num: number of micro-batches. args_batch_dim, kwargs_batch_dim: a BatchDimSpec (or int) for each argument, axis 0
            without; None for an argument that every micro-batch gets whole.

    Raises:
        TypeError: `stages` are none. ValueError: no micro-batch; (from `run`) an axis that does not divide into them.
        RuntimeError: (from `run`) stages are missing.
    """

    _order = None

    def __init__(
        self,
        stages: PipelineStage | Sequence[PipelineStage],
        micro_batch_num: int,
        args_batch_dim: "Sequence[BatchDimSpec | None] | None" = None,
        kwargs_batch_dim: "dict[str, BatchDimSpec] | None" = None,
        output_concat_dim: int | Sequence[int] | None = None,
        overlap_p2p: bool = False,
    ):
        stages = [stages] if isinstance(stages, PipelineStage) else stages
        if not isinstance(stages, (list, tuple)) or not all(isinstance(s, PipelineStage) for s in stages):
            raise TypeError(
                f"Argument 'stages' must be type of PipelineStage, list or tuple of PipelineStage, but got type of {type(stages)}."
            )
        if not isinstance(micro_batch_num, int) or micro_batch_num < 1:
            raise ValueError(f"Argument 'micro_batch_num' must be an int of at least 1, but got {micro_batch_num}.")
        self.stages, self.micro_batch_num = list(stages), micro_batch_num
        self._args_batch_dim, self._kwargs_batch_dim = args_batch_dim, kwargs_batch_dim
        self._stage_num = self.stages[0].stage_num
        self._stage_dict = {stage.stage_index: stage for stage in self.stages}
        self.n_local_stages = self._chunks()
        self.real_stage_num = self._stage_num // self.n_local_stages
        self.exec_order = {}
        for rank in range(self.real_stage_num):
            steps = type(self)._order(rank, self.real_stage_num, self.n_local_stages, micro_batch_num)
            self.exec_order[rank] = with_messages(steps, self._stage_num)
        self._put()

    def _chunks(self):
        """Stages of one rank: one, unless a subclass says otherwise."""
        return 1

    def _put(self):
        """Let each stage compute on devices of its own; not where stages share Parameters, or lie on a mesh already."""
        devices, owners = jax.local_devices(), {}
        if len(self.stages) < self._stage_num or len(devices) < self.real_stage_num or self.real_stage_num == 1:
            return
        for stage in self.stages:
            for parameter in stage.submodule.get_parameters():
                rank = stage.stage_index % self.real_stage_num
                if isinstance(parameter, DTensor) or owners.setdefault(id(parameter), rank) != rank:
                    return
        each = len(devices) // self.real_stage_num
        for stage in self.stages:
            rank = stage.stage_index % self.real_stage_num
            mesh = jax.sharding.Mesh(np.array(devices[rank * each : (rank + 1) * each]), ("replica",))
            stage.place = NamedSharding(mesh, PartitionSpec())
            for parameter in stage.submodule.get_parameters():
                parameter._assign(moved(parameter.jax_array, stage.place))

    def split_microbatches(self, args: tuple, kwargs: dict):
        """(arguments, keywords) of each micro-batch."""
        names, dims = list(kwargs), self._kwargs_batch_dim or {}
        given = [*args, *kwargs.values()]
        axes = [*(self._args_batch_dim or [0] * len(args)), *(dims.get(n, 0) for n in names)]
        parts = [self._split(value, getattr(axis, "batch_dim", axis)) for value, axis in zip(given, axes)]
        count = len(args)
        found = [[p[m] for p in parts] for m in range(self.micro_batch_num)]
        return [f[:count] for f in found], [dict(zip(names, f[count:])) for f in found]

    def _split(self, value, axis):
        if not isinstance(value, Tensor) or axis is None:
            return [value] * self.micro_batch_num
        if value.shape[axis] % self.micro_batch_num:
            raise ValueError(
                f"Axis {axis} of an argument of shape {value.shape} does not divide into {self.micro_batch_num} micro-batches."
            )
        return mint.split(value, value.shape[axis] // self.micro_batch_num, axis)

    def run(self, *args, **kwargs):
        """Run all micro-batches forward and backward; returns the last stage's outputs in their order.

        Gradients are added to `grad` of the Parameters.
        """
        missing = sorted(set(range(self._stage_num)) - set(self._stage_dict))
        if missing:
            raise RuntimeError(
                f"The stages {missing} of the pipeline are not here (process {get_platform().get_rank()} of {world().size}): one process "
                "computes on all devices, so give it all stages in one list."
            )
        arguments, keywords = self.split_microbatches(args, kwargs)
        losses, outputs, cotangents = {}, {}, {}
        for stage in self.stages:
            stage.clear_states()
        for step in self._steps():
            self._do(step, arguments, keywords, losses, outputs, cotangents)
        return [losses[m] for m in range(self.micro_batch_num)]

    def _steps(self):
        """The steps of all ranks, each as soon as its inputs are there."""
        waiting = {r: [s for s in steps if s is not None] for r, steps in self.exec_order.items()}
        done, last = set(), self._stage_num - 1
        kinds = (MetaStepType.FWD, MetaStepType.BWD)
        while any(waiting.values()):
            moved = False
            for steps in waiting.values():
                while steps and (steps[0].type not in kinds or self._ready(steps[0], done, last)):
                    step, moved = steps.pop(0), True
                    if step.type in kinds:
                        done.add((step.type, step.micro_index, step.stage_index))
                        yield step
            if not moved:
                first = {r: steps[0] for r, steps in waiting.items() if steps}
                raise RuntimeError(f"The order of the pipeline cannot go on: each rank waits for another one. {first}")

    @staticmethod
    def _ready(step, done, last):
        micro, stage = step.micro_index, step.stage_index
        if step.type is MetaStepType.FWD:
            return stage == 0 or (MetaStepType.FWD, micro, stage - 1) in done
        return (MetaStepType.FWD, micro, stage) in done and (
            stage == last or (MetaStepType.BWD, micro, stage + 1) in done
        )

    def _do(self, step, arguments, keywords, losses, outputs, cotangents):
        micro, number = step.micro_index, step.stage_index
        stage = self._stage_dict[number]
        if step.type is MetaStepType.FWD:
            given = arguments[micro] if stage.is_first_stage else _tuple(outputs.pop((micro, number - 1)))
            out = stage.forward_one_chunk(micro, given, keywords[micro] if stage.is_first_stage else None)
            if stage.is_last_stage:
                losses[micro] = out
            else:
                outputs[micro, number] = out
                stage.shape = out
            return
        sens = None if stage.is_last_stage else cotangents.pop((micro, number))
        grads = stage.backward_one_chunk(micro, sens)
        if not stage.is_first_stage:
            before = self._stage_dict[number - 1].shape
            made = [g if g is not None else mint.zeros_like(t) for g, t in zip(grads, tensor_leaves(_tuple(before)))]
            cotangents[micro, number - 1] = tuple(made) if isinstance(before, tuple) else made[0]


def _tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


class ScheduleGPipe(PipelineScheduleRuntime):
    """All micro-batches forward, then all backward. Arguments and errors as of PipelineScheduleRuntime."""

    _order = staticmethod(gpipe)


class Schedule1F1B(PipelineScheduleRuntime):
    """A backward follows each forward once the pipe is full. Arguments and errors as of PipelineScheduleRuntime."""

    _order = staticmethod(one_forward_one_backward)


class ScheduleInterleaved1F1B(PipelineScheduleRuntime):
    """As Schedule1F1B, with several stages on a rank.

    `ranks` of them: as many as there are devices, where the number of stages divides by it, else one stage each.
    """

    _order = staticmethod(interleaved)

    def __init__(
        self,
        stages: PipelineStage | Sequence[PipelineStage],
        micro_batch_num: int,
        *args,
        ranks: int | None = None,
        **kwargs,
    ):
        self._ranks = ranks
        super().__init__(stages, micro_batch_num, *args, **kwargs)

    def _chunks(self):
        if self._ranks:
            return self._stage_num // self._ranks
        if len(self.stages) < self._stage_num:  # as each rank of several gives its own
            return len(self.stages)
        devices = len(jax.local_devices())
        fits = [r for r in range(1, self._stage_num) if self._stage_num % r == 0 and r <= max(2, devices)]
        return self._stage_num // max(fits, default=1)

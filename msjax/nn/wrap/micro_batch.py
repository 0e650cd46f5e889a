"""Cells that split a batch: gradient accumulation, pipelines, interleaving; and those that a single process passes
through.
"""

from collections.abc import Sequence
from typing import Any

from ...core.spec.checking import checked
from ...core.spec.rules import Like, PositiveInt
from ...core.values import dtype as mstype
from ...core.values.parameter import Parameter
from ...core.values.tensor import Tensor
from ...ops import StridedSlice, _VirtualDataset
from ...parallel.stages import in_part
from ..cell.cell import Cell
from ..container import CellList
from .cell_wrapper import TrainOneStepCell
from .loss_scale import unscaled


class _MicroBatch(Cell):
    """`construct(i, *inputs)`: the i-th of `micro_size` equal parts of each input, along the first axis."""

    def __init__(self, micro_size):
        super().__init__()
        self.micro_size, self.strided_slice = micro_size, StridedSlice()

    def construct(self, i, *inputs):
        parts = []
        for x in inputs:
            if x.shape[0] % self.micro_size:
                raise ValueError(
                    f"For micro batch initialization, the 0th dimension shape of input({x.shape[0]}) must be divided "
                    f"by micro size({self.micro_size})"
                )
            size = x.shape[0] // self.micro_size
            rest = x.shape[1:]
            parts.append(
                self.strided_slice(x, (size * i, *[0] * len(rest)), (size * (i + 1), *rest), (1,) * x.ndim)
                if isinstance(i, int)
                else x[size * i : size * (i + 1)]
            )
        return tuple(parts)


class _Split(Cell):
    """A network whose outputs for the parts of a batch are added up."""

    def __init__(self, network, count, what):
        super().__init__(auto_prefix=False)
        self.network = network
        parts = CellList([_MicroBatch(count) for _ in range(count)])
        if what == "micro_size":
            self.micro_size, self.micro_inputs = count, parts
        else:
            self.interleave_num, self.interleave_inputs = count, parts

    def _sum(self, parts, inputs):
        total = None
        for i, part in enumerate(parts):
            with in_part(i):
                output = self.network(*part(i, *inputs))
            total = output if total is None else total + output
        return total


class GradAccumulationCell(_Split):
    """A network with its loss, run on `micro_size` parts of the batch; the losses are added up, and so are the
    gradients.

    Raises:
        TypeError, ValueError: `network` is not a Cell, `micro_size` is not a positive int; a batch that `micro_size` does not
        divide.

    Example:
        >>> parts = nn.GradAccumulationCell(nn.WithLossCell(net, loss), micro_size=2)
        >>> parts(x, label).shape
        ()
    """

    @checked
    def __init__(self, network: Cell, micro_size: PositiveInt):
        super().__init__(network, micro_size, "micro_size")

    def construct(self, *inputs):
        return self._sum(self.micro_inputs, inputs)


class PipelineCell(_Split):
    """As GradAccumulationCell, as a pipeline: with `set_auto_parallel_context(pipeline_stages=)` and several devices or
    processes, each stage runs on devices of its own, and the parts of the batch follow each other through them.

    Args:
        network: Cell. micro_size: parts of a batch. stage_config, segment_config: dicts from the name of a Cell to
        its stage or segment.

    Raises:
        TypeError, ValueError: as for GradAccumulationCell. KeyError: a Cell that the network does not have.
    """

    @checked
    def __init__(
        self,
        network: Cell,
        micro_size: PositiveInt,
        stage_config: Like[dict | None] = None,
        segment_config: Like[dict | None] = None,
    ):
        super().__init__(network, micro_size, "micro_size")
        self._record(stage_config, "pipeline_stage", "stage_config")
        self._record(segment_config, "pipeline_segment", "segment_config")

    def _record(self, config, attribute, what):
        cells = {name: cell for name, cell in self.network.cells_and_names() if name}
        cells[str(self.network)] = self.network
        unknown = {name: number for name, number in (config or {}).items() if name not in cells}
        if unknown:
            raise KeyError(
                f"For 'PipelineCell', the argument '{what}' : {unknown} is not found in 'network' : {self.network}"
            )
        for name, number in (config or {}).items():
            setattr(cells[name], attribute, number)

    def shard(
        self,
        in_strategy: tuple | None,
        out_strategy: tuple | None = None,
        parameter_plan: Any = None,
        device: Any = "Ascend",
        level: int = 0,
    ):
        """ValueError: a pipeline is not sharded as a whole."""
        raise ValueError("For 'PipelineCell', no 'shard' on 'PipelineCell' is allowed.")

    def construct(self, *inputs):
        return self._sum(self.micro_inputs, inputs)


class MicroBatchInterleaved(_Split):
    """A network run on `interleave_num` parts of the batch, the outputs added up. XLA overlaps computation and
    communication by itself.

    Raises:
        TypeError, ValueError: `network` is not a Cell, `interleave_num` is not a positive int; a batch that it does not divide.
    """

    @checked
    def __init__(self, network: Cell, interleave_num: PositiveInt = 2):
        super().__init__(network, interleave_num, "interleave_num")

    def construct(self, *inputs):
        return self._sum(self.interleave_inputs, inputs)


class _TrainGradAccuStepCell(TrainOneStepCell):
    """A training step of a network in a GradAccumulationCell or PipelineCell: the gradients are the mean over the
    parts.
    """

    def __init__(self, network, optimizer, sens=None):
        super().__init__(network, optimizer, sens)
        if not self.sense_flag:
            self.sens = 1 / next(
                (cell.micro_size for _, cell in network.cells_and_names() if hasattr(cell, "micro_size")), 1
            )

    def construct(self, *inputs):
        loss, grads = self._value_and_grads(inputs, self.sens)
        return self._update(loss, self.grad_reducer(grads))


class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, as it is."""

    @checked
    def __init__(self, backbone: Like[Cell]):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, a: Tensor, b: Tensor, c: Tensor):
        return self._backbone(a, b, c)


class _VirtualDatasetCell(Cell):
    """A network, as it is: the batch is not spread over processes."""

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone, self._virtual_dataset = backbone, _VirtualDataset()

    def construct(self, *inputs):
        return self._backbone(*self._virtual_dataset(*inputs))


class GetNextSingleOp(Cell):
    """The next batch of a dataset that is sunk under a queue name.

    Args:
        dataset_types: dtypes of the columns. dataset_shapes: their shapes. queue_name: of
        `dataset.device_que(queue_name=...)`, started by its `send`.

    Example:
        >>> queue = dataset.device_que(queue_name="train")
        >>> queue.send()
        >>> data, label = nn.GetNextSingleOp(dataset.output_types(), dataset.output_shapes(), "train")()
        >>> data.shape
        (2, 3)
    """

    def __init__(self, dataset_types: Any, dataset_shapes: Any, queue_name: str):
        super().__init__()
        self.dataset_types, self.dataset_shapes, self.queue_name = dataset_types, dataset_shapes, queue_name

    def __call__(self):
        """Runs on the host in both modes: a compiled program cannot wait for data."""
        return tuple(self.construct())

    def construct(self):
        from ...dataset.engine.transfer import QUEUES  # comes with OpenCV: only where a dataset is used

        queue = QUEUES.get(self.queue_name)
        if queue is None:
            raise RuntimeError(
                f"For 'GetNextSingleOp', no dataset is sunk under the queue name '{self.queue_name}'; "
                f"there are {sorted(QUEUES)}."
            )
        return queue.next_batch()


class PipelineGradReducer(Cell):
    """Gradients divided by `scale_sense`; the sums over the parts of a batch are made already.

    Args:
        parameters: Parameters whose gradients come. scale_sense: number. opt_shard: accepted.
    """

    def __init__(self, parameters: Any, scale_sense: float = 1.0, opt_shard: Any = None):
        super().__init__(auto_prefix=False)
        self.scale_sense = Parameter(Tensor(scale_sense, mstype.float32), name="scale_sense")
        self.parameters_count = len(list(parameters))

    def construct(self, grads: Sequence[Tensor]):
        return tuple(unscaled(g, self.scale_sense) for g in grads)


class AllreduceGraph(Cell):
    """Parameters summed over the processes of a group: with one process as they are."""

    def __init__(self, inputs: Any, group_name: str):
        super().__init__()
        self.inputs, self.group_name, self.input_num = inputs, group_name, len(inputs)

    def construct(self):
        return self.inputs


class _BroadCastCell(Cell):
    """Parameters of the first process for all: with one process as they are."""

    def __init__(self, params):
        super().__init__()
        self.params = tuple(params)

    def construct(self):
        return self.params


__all__ = [
    "AllreduceGraph",
    "GetNextSingleOp",
    "GradAccumulationCell",
    "MicroBatchInterleaved",
    "PipelineCell",
    "PipelineGradReducer",
    "VirtualDatasetCellTriple",
]

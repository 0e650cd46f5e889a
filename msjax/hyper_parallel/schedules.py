"""In which order the stages of a pipeline run their micro-batches: GPipe, 1F1B, interleaved 1F1B."""

import enum
import itertools

__all__ = ["BatchDimSpec", "MetaStep", "MetaStepType", "gpipe", "interleaved", "one_forward_one_backward"]


class MetaStepType(enum.Enum):
    """The action of a stage in a step."""

    FWD = enum.auto()
    BWD = enum.auto()
    FWD_RECV = enum.auto()
    FWD_SEND = enum.auto()
    BWD_RECV = enum.auto()
    BWD_SEND = enum.auto()


class MetaStep:
    """One step of one stage: a type, with the micro-batch and the stage that it is for.

    Example:
        >>> from msjax.hyper_parallel import MetaStep, MetaStepType
        >>> MetaStep(0, MetaStepType.FWD, 1)
        MetaStep(type=MetaStepType.FWD, micro_index=0, stage_index=1)
    """

    __slots__ = ("_micro_index", "_stage_index", "_type")

    def __init__(self, micro_index: int, meta_type: MetaStepType, stage_index: int):
        self._micro_index, self._type, self._stage_index = micro_index, meta_type, stage_index

    @property
    def micro_index(self):
        """Number of the micro-batch."""
        return self._micro_index

    @property
    def stage_index(self):
        """Number of the stage."""
        return self._stage_index

    @property
    def type(self):
        """A MetaStepType."""
        return self._type

    def _key(self):
        return self._type, self._micro_index, self._stage_index

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, MetaStep) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"MetaStep(type={self._type}, micro_index={self._micro_index}, stage_index={self._stage_index})"


class BatchDimSpec:
    """The axis along which an argument is split into micro-batches.

    Example:
        >>> from msjax.hyper_parallel import BatchDimSpec
        >>> BatchDimSpec.from_tuple((0, 1))
        (BatchDimSpec(0), BatchDimSpec(1))
    """

    def __init__(self, batch_dim: int):
        if not isinstance(batch_dim, int):
            raise TypeError(f"batch_dim must be int, but got type {type(batch_dim)}.")
        self.batch_dim = batch_dim

    @staticmethod
    def from_tuple(batch_dims: tuple[int, ...]):
        """One for each number of a tuple."""
        if not isinstance(batch_dims, tuple):
            raise TypeError(f"batch_dims must be tuple, but got type {type(batch_dims)}.")
        return tuple(map(BatchDimSpec, batch_dims))

    @staticmethod
    def from_dict(batch_dims: dict[str, int]):
        """One for each number of a dict."""
        if not isinstance(batch_dims, dict):
            raise TypeError(f"batch_dims must be dict, but got type {type(batch_dims)}.")
        return {name: BatchDimSpec(dim) for name, dim in batch_dims.items()}

    def __repr__(self):
        return f"BatchDimSpec({self.batch_dim})"

    def __str__(self):
        return str(self.batch_dim)


def gpipe(rank: int, ranks: int, chunks: int, micros: int):
    """(type, micro, stage) of one rank: all forwards, then all backwards."""
    stages = [rank + ranks * chunk for chunk in range(chunks)]
    forward = [(MetaStepType.FWD, m, s) for s in stages for m in range(micros)]
    return forward + [(MetaStepType.BWD, m, s) for s in reversed(stages) for m in range(micros)]


def one_forward_one_backward(rank: int, ranks: int, chunks: int, micros: int):
    """(type, micro, stage) of one rank: a backward follows each forward once the pipe is full."""
    return interleaved(rank, ranks, 1, micros)


def interleaved(rank: int, ranks: int, chunks: int, micros: int):
    """(type, micro, stage) of one rank with several stages: micro-batches run in rounds of as many as there are ranks.

    With fewer micro-batches than ranks, and where they do not fill the last round, the rounds are shorter.
    """
    rounds = [range(start, min(start + ranks, micros)) for start in range(0, micros, ranks)]
    forward = [(m, rank + ranks * c) for group in rounds for c in range(chunks) for m in group]
    backward = [(m, rank + ranks * c) for group in rounds for c in reversed(range(chunks)) for m in group]
    ahead = ranks - rank - 1 if chunks == 1 else (chunks - 1) * len(rounds[0]) + 2 * (ranks - rank - 1)
    ahead = min(ahead, len(forward))
    steps = [(MetaStepType.FWD, *one) for one in forward[:ahead]]
    for one, other in itertools.zip_longest(forward[ahead:], backward):
        if one is not None:
            steps.append((MetaStepType.FWD, *one))
        steps.append((MetaStepType.BWD, *other))
    return steps


def with_messages(steps: dict[int, list[MetaStep]], stages: int):
    """MetaSteps of one rank, with the messages received before and sent after each step."""
    found = []
    for kind, micro, stage in steps:
        forward = kind is MetaStepType.FWD
        receives = stage > 0 if forward else stage < stages - 1
        sends = stage < stages - 1 if forward else stage > 0
        if receives:
            found.append(MetaStep(micro, MetaStepType.FWD_RECV if forward else MetaStepType.BWD_RECV, stage))
        found.append(MetaStep(micro, kind, stage))
        if sends:
            found.append(MetaStep(micro, MetaStepType.FWD_SEND if forward else MetaStepType.BWD_SEND, stage))
    return found

"""Averaging gradients over processes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...core.spec.checking import checked
from ...core.spec.rules import AsValue, Like, PositiveInt
from ...parallel import communication
from ...parallel.context import gradients_mean
from ...parallel.gradients import reduced
from ...parallel.places import place_of
from ..cell.cell import Cell

if TYPE_CHECKING:
    from ...core.values.tensor import Tensor


class DistributedGradReducer(Cell):
    """Sum or mean of the gradients of all processes, in few large collectives; with one process the gradients as they are.

    Gradients of Parameters that are `layerwise_parallel` stay as they are.

    Args:
        parameters: Parameters whose gradients come. mean: divide by `degree`. degree: number of processes, if not the real one.
        fusion_type: recorded: what goes into one collective is decided by size (`fusion_threshold`). group: name of the group.

    Raises:
        ValueError: `degree` is not a positive int.

    Example:
        >>> reducer = nn.DistributedGradReducer(optimizer.parameters, mean=True)
        >>> grads = reducer(tuple(ops.ones_like(p) for p in optimizer.parameters))
    """

    @checked
    def __init__(
        self,
        parameters: Any,
        mean: Any = None,
        degree: AsValue[PositiveInt | None] = None,
        fusion_type: Like[int] = 1,
        group: Like[str] = communication.GlobalComm.WORLD_COMM_GROUP,
    ):
        super().__init__(auto_prefix=False)
        if degree is None:
            degree = communication.get_group_size() if communication.is_initialized() else 1
        self.degree, self.group, self.fusion_type = degree, group, fusion_type
        self.mean = gradients_mean() if mean is None else bool(mean)
        self.allreduce_filter = tuple(not p.layerwise_parallel for p in parameters)
        self.parameters_count = len(self.allreduce_filter)
        self._place = place_of("DistributedGradReducer", group)

    def construct(self, grads: "Sequence[Tensor]"):
        if self._place.size == 1:
            return grads
        chosen = [i for i, (g, wanted) in enumerate(zip(grads, self.allreduce_filter)) if wanted and g is not None]
        made = list(grads)
        scale = 1.0 / self.degree if self.mean else 1.0
        for i, grad in zip(chosen, reduced([grads[i] for i in chosen], self._place, scale)):
            made[i] = grad
        return type(grads)(made) if isinstance(grads, (tuple, list)) else tuple(made)

"""Averaging gradients over processes."""

import jax

from ...parallel import communication
from ..cell.cell import Cell


class DistributedGradReducer(Cell):
    """Sum or mean of the gradients of all processes; with one process the gradients as they are.

    Args:
        parameters: Parameters whose gradients come. mean: divide by the number of processes. degree: that number, if
        not the real one.
        fusion_type, group: recorded.

    Raises:
        ValueError: `degree` is no positive int.
    """

    def __init__(
        self, parameters, mean=None, degree=None, fusion_type=1, group=communication.GlobalComm.WORLD_COMM_GROUP
    ):
        super().__init__(auto_prefix=False)
        if degree is None:
            degree = communication.get_group_size() if communication.is_initialized() else 1
        if isinstance(degree, bool) or not isinstance(degree, int) or degree <= 0:
            raise ValueError(
                f"For 'DistributedGradReducer', the argument 'degree' must be large than 0 and must be "
                f"int, but got the value : {degree}."
            )
        self.degree, self.group, self.fusion_type = degree, group, fusion_type
        self.mean = bool(mean)
        self.parameters_count = len(list(parameters))

    def construct(self, grads):
        if jax.process_count() == 1:
            return grads
        raise RuntimeError(
            f"For 'DistributedGradReducer', gradients of {jax.process_count()} processes can not be reduced one by "
            "one: run one process and let it use all its devices."
        )

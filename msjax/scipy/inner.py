"""Names of `mindspore.scipy`'s inner modules."""

from typing import TYPE_CHECKING, Any

from .. import ops
from ..core.operators.record import records

if TYPE_CHECKING:
    from ..core.values.tensor import Tensor


def matrix_set_diag(input_x: "Tensor", diagonal: "Tensor", k: int = 0, alignment: str = "RIGHT_LEFT"):
    """Matrices with their diagonals `k` (one, or a lowest and a highest) replaced."""
    return ops.matrix_set_diag(input_x, diagonal, tuple(k) if isinstance(k, list) else k, alignment)


class LinearSumAssignment(ops.Primitive):
    """`scipy.optimize.linear_sum_assignment` as a Primitive: called with the costs, the limit of columns, and whether to maximize."""

    def __call__(self, cost_matrix: Any, dimension_limit: int, maximize: bool):
        return records["scipy.linear_sum_assignment"](cost_matrix, int(dimension_limit), bool(maximize))


def _nd_transpose(a):
    """The last two axes exchanged; ValueError for less than two."""
    if a.ndim < 2:
        raise ValueError(f"For '_nd_transpose', the input must have two axes or more, but got shape {a.shape}.")
    return a.swapaxes(-1, -2)

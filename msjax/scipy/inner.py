"""Names of `mindspore.scipy`'s inner modules."""

from .. import ops
from ..core.operators.record import records


def matrix_set_diag(input_x, diagonal, k=0, alignment="RIGHT_LEFT"):
    """Matrices with their diagonals `k` (one, or a lowest and a highest) replaced."""
    return ops.matrix_set_diag(input_x, diagonal, tuple(k) if isinstance(k, list) else k, alignment)


class LinearSumAssignment(ops.Primitive):
    """`scipy.optimize.linear_sum_assignment` as a Primitive: called with the costs, the limit of columns, and whether to maximize."""

    def __call__(self, cost_matrix, dimension_limit, maximize):
        return records["scipy.linear_sum_assignment"](cost_matrix, int(dimension_limit), bool(maximize))


def _nd_transpose(a):
    """The last two axes exchanged; ValueError for less than two."""
    if a.ndim < 2:
        raise ValueError(f"For '_nd_transpose', the input must have two axes or more, but got shape {a.shape}.")
    return a.swapaxes(-1, -2)

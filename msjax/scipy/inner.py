"""Names of `mindspore.scipy`'s inner modules."""

from .. import ops


def matrix_set_diag(input_x, diagonal, k=0, alignment="RIGHT_LEFT"):
    """Matrices with their diagonals `k` (one, or a lowest and a highest) replaced."""
    return ops.matrix_set_diag(input_x, diagonal, tuple(k) if isinstance(k, list) else k, alignment)

"""The assignment problem."""

import sys
from typing import Any

import jax.numpy as jnp
import numpy as np

from ...core.operators.arguments import plain
from ...core.operators.record import op, records
from ...core.spec import Array, Static
from ...core.values.tensor import Tensor


@op(name="scipy.linear_sum_assignment", ops=False, dynamic=True)
def _assign(cost_matrix: Array, dimension_limit: Static[Any], maximize: Static[Any]):
    """Rows and columns of the cheapest assignment; -1 where a limit leaves rows or columns out."""
    from scipy.optimize import linear_sum_assignment as solve  # heavy, and seldom needed

    cost = np.asarray(cost_matrix)
    if cost.ndim != 2:
        raise ValueError(
            f"For 'LinearSumAssignment', the 'cost_matrix' must have two axes, but got shape {cost.shape}."
        )
    limited = cost[:, :dimension_limit]
    rows, columns = solve(limited, bool(maximize))
    made = np.full((2, min(cost.shape)), -1, np.int64)
    made[0, : rows.size], made[1, : columns.size] = rows, columns
    return jnp.asarray(made[0]), jnp.asarray(made[1])


def linear_sum_assignment(cost_matrix: Tensor, maximize: Tensor, dimension_limit: Any = sys.maxsize):
    """One column for each row so that the sum of their costs is least (or greatest).

    Args:
        cost_matrix: Tensor (rows, columns).
        maximize: whether the sum shall be greatest.
        dimension_limit: number of columns that count.

    Returns:
        The rows, and their columns; -1 where there are more than columns that count.

    Example:
        >>> from mindspore import scipy
        >>> scipy.optimize.linear_sum_assignment(Tensor([[4.0, 1.0], [2.0, 0.0]]), False)
        (Tensor(shape=[2], dtype=Int64, value= [0, 1]), Tensor(shape=[2], dtype=Int64, value= [1, 0]))
    """
    if not isinstance(cost_matrix, Tensor):
        raise TypeError(
            f"For 'linear_sum_assignment', the 'cost_matrix' must be Tensor, but got {type(cost_matrix).__name__}."
        )
    return records["scipy.linear_sum_assignment"](cost_matrix, plain(dimension_limit), bool(maximize))

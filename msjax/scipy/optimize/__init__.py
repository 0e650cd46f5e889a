"""`mindspore.scipy.optimize`: minimization, line search, assignment."""

from .assignment import linear_sum_assignment
from .line_search import line_search
from .minimize import OptimizeResults, minimize

__all__ = ["OptimizeResults", "line_search", "linear_sum_assignment", "minimize"]

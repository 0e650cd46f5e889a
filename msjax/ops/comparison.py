"""Comparison of two operands."""
from ..core.op import op
from ..core.promote import promote


@op(prim="Greater()(x, y)", tensor=("gt(other)", "greater(other)", "__gt__(other)"), mint=("gt", "greater"), ops=("gt", "greater"))
def greater(input, other):
    """Whether input > other, elementwise."""
    x, y = promote(input, other)
    return x > y


@op(prim="Less()(x, y)", tensor=("lt(other)", "less(other)", "__lt__(other)"), mint=("lt", "less"), ops=("lt", "less"))
def less(input, other):
    """Whether input < other, elementwise."""
    x, y = promote(input, other)
    return x < y

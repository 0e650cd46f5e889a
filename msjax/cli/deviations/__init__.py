"""Where msjax differs from MindSpore, by hand: read by `matrix.py` into compat_matrix.md, and by `msjax scan`.

A row is (what, in MindSpore 2.10, here and why).
"""

from . import data, gradients, operators, platform, programs, training
from .partial import PARTIAL

__all__ = ["DEVIATIONS", "PARTIAL", "TOPICS"]

# heading -> rows
TOPICS = {
    "Values, types and indices of operators": operators.ROWS,
    "Gradients": gradients.ROWS,
    "Compiled code, views and writes": programs.ROWS,
    "Layers, optimizers, training and its files": training.ROWS,
    "Data": data.ROWS,
    "Devices, processes and MindSpore's inner names": platform.ROWS,
}

DEVIATIONS = tuple(row for rows in TOPICS.values() for row in rows)

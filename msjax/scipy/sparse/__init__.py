"""`mindspore.scipy.sparse` of MindSpore 1.x: iterative solvers."""

from . import linalg
from .linalg import bicgstab, cg, gmres

__all__ = ["bicgstab", "cg", "gmres", "linalg"]

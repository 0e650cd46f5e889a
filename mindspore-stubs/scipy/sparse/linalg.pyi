"""Made by `python -m msjax stubs`: do not edit."""
from msjax.scipy.sparse.linalg import _operator as _operator
from msjax.scipy.sparse.linalg import _solve as _solve
from msjax.scipy.sparse.linalg import *
from msjax.scipy.sparse.linalg import _operator as _operator
from msjax.scipy.sparse.linalg import _solve as _solve

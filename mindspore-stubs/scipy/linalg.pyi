"""Made by `python -m msjax stubs`: do not edit."""
from msjax.scipy.linalg import *
from msjax.scipy.linalg import _REAL as _REAL
from msjax.scipy.linalg import _block_diag as _block_diag
from msjax.scipy.linalg import _cho_solve as _cho_solve
from msjax.scipy.linalg import _cholesky as _cholesky
from msjax.scipy.linalg import _det as _det
from msjax.scipy.linalg import _eigh as _eigh
from msjax.scipy.linalg import _flag as _flag
from msjax.scipy.linalg import _float as _float
from msjax.scipy.linalg import _inv as _inv
from msjax.scipy.linalg import _lstsq as _lstsq
from msjax.scipy.linalg import _lu as _lu
from msjax.scipy.linalg import _lu_factor as _lu_factor
from msjax.scipy.linalg import _lu_solve as _lu_solve
from msjax.scipy.linalg import _matrix as _matrix
from msjax.scipy.linalg import _right_side as _right_side
from msjax.scipy.linalg import _solve_triangular as _solve_triangular
from msjax.scipy.linalg import det as det
from msjax.scipy.linalg import lu_pivots_to_permutation as lu_pivots_to_permutation
from msjax.scipy.linalg import lu_solve as lu_solve

"""`mindspore.scipy.linalg`: inverses, factorizations, solvers. Integer matrices are computed as float64."""

from typing import Annotated, Any, Literal

import jax
import jax.numpy as jnp
import jax.scipy.linalg as jsl
import numpy as np

from ..core.operators.record import op, records
from ..core.spec import Array, Number, Operand, Static
from ..core.spec.checking import checked
from ..core.spec.rules import Like, That
from ..core.values.tensor import Tensor
from ..ops.linalg.singular import least_squares

__all__ = [
    "block_diag",
    "cho_factor",
    "cho_solve",
    "cholesky",
    "eigh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "solve_triangular",
]
_REAL = (np.int32, np.int64, np.float32, np.float64)


def _flag(name, **flags):
    for what, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(
                f"For '{name}', the type of '{what}' should be bool, but got {value!r} with type "
                f"{type(value).__name__}."
            )


def _matrix(name, what, a, dtypes=_REAL, square=True):
    """Check that a is a matrix Tensor."""
    if not isinstance(a, Tensor):
        raise TypeError(
            f"For '{name}', the type of '{what}' should be Tensor, but got {a!r} with type {type(a).__name__}."
        )
    if a.jax_array.dtype not in dtypes:
        raise TypeError(
            f"For '{name}', the dtype of '{what}' must be one of {[np.dtype(d).name for d in dtypes]}, "
            f"but got {a.dtype}."
        )
    if a.ndim != 2:
        raise ValueError(f"For '{name}', the dimension of '{what}' should be 2, but got {a.ndim}.")
    if square and a.shape[0] != a.shape[1]:
        raise ValueError(
            f"For '{name}', the last two dimensions of '{what}' should be the same, but got shape {a.shape}."
        )


def _right_side(name, a, b):
    if not isinstance(b, Tensor):
        raise TypeError(f"For '{name}', the type of 'b' should be Tensor, but got {b!r} with type {type(b).__name__}.")
    if b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:
        raise ValueError(
            f"For '{name}', 'b' must have one or two axes and as many rows as the matrix, {a.shape[0]}, "
            f"but got shape {b.shape}."
        )


def _float(a):
    return a.astype(jnp.float64) if a.dtype in (np.int32, np.int64) else a


@op(name="scipy.block_diag", ops=False)
def _block_diag(arrs: Array):
    """Matrices along the diagonal of one."""
    return jsl.block_diag(*arrs)


@op(name="scipy.inv", ops=False, residuals=True)
def _inv(a: Array):
    """The inverse of a matrix."""
    return jnp.linalg.inv(_float(a))


@op(name="scipy.cholesky", ops=False, residuals=True)
def _cholesky(a: Array, lower: Static[Number]):
    """The Cholesky factor of the matrix whose lower triangle is given."""
    factor = jnp.linalg.cholesky(_float(a), symmetrize_input=False)
    return factor if lower else factor.T


@op(name="scipy.cho_solve", ops=False, residuals=True)
def _cho_solve(c: Array, b: Operand, lower: Static[Number]):
    """Solution of a @ x = b by the Cholesky factor of a."""
    return jsl.cho_solve((_float(c), lower), _float(b))


@op(name="scipy.eigh", ops=False, residuals=True)
def _eigh(a: Array, lower: Static[Number], eigvals_only: Static[Any]):
    """Eigenvalues in ascending order, and eigenvectors as columns, of a Hermitian matrix."""
    values, vectors = jnp.linalg.eigh(_float(a), UPLO="L" if lower else "U", symmetrize_input=False)
    return values if eigvals_only else (values, vectors)


@op(name="scipy.lu_factor", ops=False, residuals=True)
def _lu_factor(a: Array):
    """The factors L and U in one matrix, and the rows exchanged at each step."""
    factors, pivots = jsl.lu_factor(_float(a))
    return factors, pivots.astype(jnp.int32)


@op(name="scipy.lu", ops=False, residuals=True)
def _lu(a: Array, permute_l: Static[Any]):
    """P, L and U with P @ L @ U = a, or P @ L and U."""
    p, lower, upper = jsl.lu(_float(a))
    return (p @ lower, upper) if permute_l else (p.astype(jnp.int32), lower, upper)


@op(name="scipy.lu_solve", ops=False, residuals=True)
def _lu_solve(lu: Array, pivots: Operand, b: Operand, trans: Static[Any]):
    """Solution of a @ x = b by the LU factors of a."""
    return jsl.lu_solve((lu, pivots), _float(b), trans)


@op(name="scipy.solve_triangular", ops=False, residuals=True)
def _solve_triangular(a: Array, b: Operand, trans: Static[Any], lower: Static[Number], unit_diagonal: Static[Any]):
    """Solution of a @ x = b, a triangular."""
    a, b = _float(a), _float(b)
    if b.ndim < a.ndim:
        return jsl.solve_triangular(a, b[..., None], trans, lower, unit_diagonal)[..., 0]
    return jsl.solve_triangular(a, b, trans, lower, unit_diagonal)


@op(name="scipy.det", ops=False, residuals=True)
def _det(a: Array):
    """The determinant."""
    return jnp.linalg.det(_float(a))


@op(name="scipy.lstsq", ops=False, residuals=True)
def _lstsq(A: Array, B: Array, driver: Static[str]):
    """Least squares: solution, residuals, rank, singular values; those that the driver does not compute are empty."""
    if A.dtype == jnp.float16:
        return tuple(
            r.astype(r.dtype if r.dtype == jnp.int64 else A.dtype)
            for r in _lstsq(A.astype(jnp.float32), B.astype(jnp.float32), driver)
        )
    vectors = B.ndim < A.ndim
    one = least_squares
    for _ in range(A.ndim - 2):
        one = jax.vmap(one)
    columns = B[..., None] if vectors else B
    x, rank, values = one(A, columns)
    none = jnp.zeros(0, values.dtype)
    tall = A.shape[-2] > A.shape[-1] and driver != "gelsy"
    residuals = jnp.square(jnp.abs(A @ x - columns)).sum(-2) if tall else none
    return (
        x[..., 0] if vectors else x,
        residuals,
        jnp.zeros(0, jnp.int64) if driver == "gels" else rank.astype(jnp.int64),
        values if driver in ("gelss", "gelsd") else none,
    )


def block_diag(*arrs):
    """The matrix with the given matrices (vectors count as rows) along its diagonal, zeros elsewhere.

    Raises:
        ValueError: an argument has more than two axes.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.linalg.block_diag(Tensor([[1.0, 2.0]]), Tensor([[3.0]])))
        [[1. 2. 0.]
         [0. 0. 3.]]
    """
    if not arrs:
        return Tensor(np.zeros((1, 0), np.float32))
    if any(getattr(a, "ndim", 0) > 2 for a in arrs):
        raise ValueError(
            "Arguments to mindspore.scipy.linalg.block_diag must have at most 2 dimensions, but got shapes "
            f"{[a.shape for a in arrs]}."
        )
    return records["scipy.block_diag"](arrs)


def inv(a: Tensor, overwrite_a: bool = False, check_finite: bool = True):
    """The inverse of a square matrix.

    Raises:
        TypeError: a is not a Tensor or of another dtype. ValueError: a is not square.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.linalg.inv(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[-2.0000002   1.0000001 ]
         [ 1.5000001  -0.50000006]]
    """
    _flag("inv", overwrite_a=overwrite_a, check_finite=check_finite)
    _matrix("inv", "a", a)
    return records["scipy.inv"](a)


def det(a: Tensor, overwrite_a: bool = False, check_finite: bool = True):
    """The determinant of a square matrix."""
    _matrix("det", "a", a)
    return records["scipy.det"](a)


def cholesky(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True):
    """The Cholesky factor of a positive definite matrix: upper with u.T @ u = a, or lower with l @ l.T = a.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.linalg.cholesky(Tensor([[2.0, 1.0], [1.0, 2.0]])))
        [[1.4142135  0.70710677]
         [0.         1.2247449 ]]
    """
    _flag("cholesky", overwrite_a=overwrite_a, check_finite=check_finite, lower=lower)
    _matrix("cholesky", "a", a)
    return records["scipy.cholesky"](a, lower)


def cho_factor(a: Tensor, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True):
    """(the Cholesky factor, `lower`), for `cho_solve`."""
    _flag("cho_factor", overwrite_a=overwrite_a, check_finite=check_finite, lower=lower)
    _matrix("cho_factor", "a", a)
    return records["scipy.cholesky"](a, lower), lower


def cho_solve(c_and_lower: tuple, b: Tensor, overwrite_b: bool = False, check_finite: bool = True):
    """The solution of a @ x = b from the result of `cho_factor` for a.

    Example:
        >>> from mindspore import scipy
        >>> a = Tensor([[2.0, 1.0], [1.0, 2.0]])
        >>> print(scipy.linalg.cho_solve(scipy.linalg.cho_factor(a), Tensor([1.0, 1.0])))
        [0.33333334 0.3333333 ]
    """
    c, lower = c_and_lower
    _flag("cho_solve", overwrite_b=overwrite_b, check_finite=check_finite, lower=lower)
    _matrix("cho_solve", "c", c)
    _right_side("cho_solve", c, b)
    return records["scipy.cho_solve"](c, b, lower)


def eigh(
    a: Tensor,
    b: Tensor | None = None,
    lower: bool = True,
    eigvals_only: bool = False,
    overwrite_a: bool = False,
    overwrite_b: bool = False,
    turbo: bool = True,
    eigvals: Any = None,
    type: int = 1,
    check_finite: bool = True,
):
    """Eigenvalues in ascending order (w,), and eigenvectors as columns, of a symmetric or Hermitian matrix.

    Raises:
        ValueError: `b` or `eigvals` is given, which MindSpore does not take either.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.linalg.eigh(Tensor([[2.0, 1.0], [1.0, 2.0]]), eigvals_only=True))
        [1. 3.]
    """
    _flag(
        "eigh",
        lower=lower,
        eigvals_only=eigvals_only,
        overwrite_a=overwrite_a,
        overwrite_b=overwrite_b,
        turbo=turbo,
        check_finite=check_finite,
    )
    _matrix("eigh", "a", a, (*_REAL, np.complex64, np.complex128))
    for what, value in (("b", b), ("eigvals", eigvals)):
        if value is not None:
            raise ValueError(f"For 'eigh', currently only case {what}=None of 'eigh' is implemented.")
    return records["scipy.eigh"](a, lower, eigvals_only)


def lu_factor(a: Tensor, overwrite_a: bool = False, check_finite: bool = True):
    """(the factors L and U in one matrix, the row exchanged with each row)

    Example:
        >>> from mindspore import scipy
        >>> scipy.linalg.lu_factor(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        (Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 3.00000000e+00,  4.00000000e+00],
         [ 3.33333343e-01,  6.66666627e-01]]), Tensor(shape=[2], dtype=Int32, value= [1, 1]))
    """
    _flag("lu_factor", overwrite_a=overwrite_a, check_finite=check_finite)
    _matrix("lu_factor", "a", a)
    return records["scipy.lu_factor"](a)


def lu(a: Tensor, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True):
    """(P, L, U) with P @ L @ U = a, P of int32; with `permute_l` (P @ L, U)."""
    _flag("lu", permute_l=permute_l, overwrite_a=overwrite_a, check_finite=check_finite)
    _matrix("lu", "a", a, square=False)
    return records["scipy.lu"](a, permute_l)


@checked
def lu_solve(
    lu_and_piv: Like[tuple],
    b: Tensor,
    trans: Annotated[Like[int], That("0, 1 or 2", lambda trans: trans in (0, 1, 2))] = 0,
    overwrite_b: Like[bool] = False,
    check_finite: Like[bool] = True,
):
    """The solution of a @ x = b (trans 0), or of a.T @ x = b (1, 2), from the result of `lu_factor` for a."""
    factors, pivots = lu_and_piv
    _matrix("lu_solve", "lu", factors)
    _right_side("lu_solve", factors, b)
    return records["scipy.lu_solve"](factors, pivots, b, trans)


def lu_pivots_to_permutation(pivots: Tensor, permutation_size: int):
    """The order of rows after exchanging each with the one that `pivots` names."""
    return Tensor(
        np.asarray(jax.lax.linalg.lu_pivots_to_permutation(pivots.jax_array.astype(jnp.int32), permutation_size))
    )


def solve_triangular(
    a: Tensor,
    b: Tensor,
    trans: int | str = 0,
    lower: bool = False,
    unit_diagonal: bool = False,
    overwrite_b: bool = False,
    debug: bool | None = None,
    check_finite: bool = True,
):
    """The solution of a @ x = b for a triangular matrix a.

    Args:
        a: Tensor (..., n, n).
        b: Tensor (..., n) or (..., n, k) with the same leading axes.
        trans: 0 or "N", 1 or "T" (a.T), 2 or "C" (conjugate of a.T).
        lower: whether a is lower triangular.
        unit_diagonal: take the diagonal as ones.

    Raises:
        TypeError: no Tensors, or of unlike dtypes. ValueError: another `trans`, or shapes that do not fit.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.linalg.solve_triangular(Tensor([[1.0, 2.0], [0.0, 4.0]]), Tensor([3.0, 4.0])))
        [1. 1.]
    """
    trans = {"N": 0, "T": 1, "C": 2}.get(trans, trans)
    if not isinstance(a, Tensor) or not isinstance(b, Tensor):
        raise TypeError(
            f"For 'solve_triangular', 'a' and 'b' must be Tensors, but got {type(a).__name__} and {type(b).__name__}."
        )
    fits = a.ndim >= 2 and a.shape[-1] == a.shape[-2] and a.shape[:-1] in (b.shape, b.shape[:-1])
    if not fits:
        raise ValueError(
            "For 'solve_triangular', 'a' must be square matrices and 'b' a vector or matrix of as many rows for each of "
            f"them, but got shapes {a.shape} and {b.shape}."
        )
    if a.dtype != b.dtype:
        raise TypeError(
            f"For 'solve_triangular', 'a' and 'b' must have the same dtype, but got {a.dtype} and {b.dtype}."
        )
    if trans not in (0, 1, 2):
        raise ValueError(f"For 'solve_triangular', 'trans' must be one of 0, 1, 2, 'N', 'T', 'C', but got {trans!r}.")
    return records["scipy.solve_triangular"](a, b, trans, lower, unit_diagonal)


@checked
def lstsq(
    A: Tensor, B: Tensor, rcond: float | None = None, driver: Literal["gels", "gelsy", "gelss", "gelsd"] | None = None
):
    """Least squares solution of A @ x = B: (solution, residuals, rank, singular values).

    Args:
        A: matrices (*, M, N) of float16 (computed in float32), float32, float64, complex64 or complex128.
        B: right sides (*, M, K), or vectors (*, M), of the same dtype.
        rcond: not used, as in MindSpore.
        driver: the LAPACK routine that MindSpore calls; None is "gelsy". One routine is used here; `driver` chooses which results are there.

    Returns:
        The solution (*, N, K) or (*, N); the residuals (*, K), where M > N, of "gels", "gelss" and "gelsd"; the rank (*) of each driver but
        "gels"; the singular values (*, min(M, N)) of "gelss" and "gelsd". Others are empty.

    Raises:
        TypeError: an argument that is not a Tensor, another dtype, or two dtypes. ValueError: another driver, or shapes that do not fit.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.linalg.lstsq(Tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), Tensor([1.0, 2.0, 3.0]))[0])
        [1.0000005 2.       ]
    """
    if A.ndim < 2 or B.ndim not in (A.ndim, A.ndim - 1) or B.shape[: A.ndim - 1] != A.shape[:-1]:
        raise ValueError(
            "For 'lstsq', 'A' must have the shape (*, M, N) and 'B' (*, M, K) or (*, M), "
            f"but got {A.shape} and {B.shape}."
        )
    if A.dtype != B.dtype or A.jax_array.dtype not in (np.float16, np.float32, np.float64, np.complex64, np.complex128):
        raise TypeError(
            "For 'lstsq', 'A' and 'B' must both be float16, float32, float64, complex64 or complex128, "
            f"but got {A.dtype} and {B.dtype}."
        )
    return records["scipy.lstsq"](A, B, driver or "gelsy")

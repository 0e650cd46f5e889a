"""Matrix decompositions, determinants, inverses, solutions of linear equations."""

from typing import Annotated, Literal

import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.linalg import expm as _expm
from jax.scipy.linalg import solve_triangular

from ...core.operators.record import composite, op, records
from ...core.operators.rows import Face, Method, Prim, args
from ...core.spec import Array, Number, Operand, Real, Static
from ...core.spec.rules import LOOSE, Raises, That
from ..dtypes import floats_only
from ..elementwise.math import to_float
from ..shapes import ANY, number_of_axes, same_shape
from .singular import factors, least_squares, nan_for_infinities, singular_values


def _square(name, x):
    if x.ndim < 2:
        raise ValueError(f"For '{name}', the input must have at least 2 axes, but got {x.ndim}.")
    if x.shape[-1] != x.shape[-2]:
        raise ValueError(f"For '{name}', the last two axes of the input must be equal, but got shape {x.shape}.")
    return x


def _swap(x):
    return jnp.swapaxes(x, -1, -2)


def _of_half(fn, *xs):
    """A function of matrices that has no form for float16 and takes it: computed in float32."""
    if all(x.dtype == jnp.float16 for x in xs):
        return jax.tree.map(lambda out: out.astype(jnp.float16), fn(*(x.astype(jnp.float32) for x in xs)))
    return fn(*xs)


@op(
    prim=Prim("MatrixInverse", init=args(adjoint=False), call=args("x"), to={"x": "input"}),
    ops=Face("inverse", args("input")),
    tensor=Method("inverse", args()),
    mint=(Face("inverse", args("input")), Face("linalg.inv", args("input"))),
    residuals=True,
)
def inverse(input: Array, adjoint: bool = False) -> Array:
    """Inverse of square matrices.

    Example:
        >>> print(ops.inverse(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        [[-2.0000002   1.0000001 ]
         [ 1.5000001  -0.50000006]]
    """
    x = _square("MatrixInverse", input)
    return jnp.linalg.inv(jnp.conj(_swap(x)) if adjoint else x)


@op(
    prim=Prim("MatrixDeterminant", call=args("x"), to={"x": "input"}),
    ops=("det", "matrix_determinant"),
    tensor=("det", "matrix_determinant"),
    residuals=True,
)
def det(input: Array) -> Array:
    """Determinant of square matrices.

    Example:
        >>> print(ops.det(Tensor([[1.0, 2.0], [3.0, 4.0]])))
        -2.0
    """
    return jnp.linalg.det(_square("MatrixDeterminant", input))


@op(
    prim=Prim("LogMatrixDeterminant", call=args("x"), to={"x": "input"}),
    ops=("slogdet", "log_matrix_determinant"),
    tensor=("slogdet", "log_matrix_determinant"),
    residuals=True,
)
def slogdet(input: Array):
    """Sign and logarithm of the size of the determinant of square matrices.

    Example:
        >>> ops.slogdet(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        (Tensor(shape=[], dtype=Float32, value= -1), Tensor(shape=[], dtype=Float32, value= 0.693147))
    """
    sign, size = _of_half(lambda x: tuple(jnp.linalg.slogdet(x)), _square("LogMatrixDeterminant", input))
    return sign, size.astype(sign.dtype)  # complex, too, for complex matrices


@op(ops=True, tensor="logdet", residuals=True)
def logdet(input: Array) -> Array:
    """Logarithm of the determinant of square matrices; NaN for a negative determinant.

    Example:
        >>> print(ops.logdet(Tensor([[4.0, 2.0], [3.0, 4.0]])))
        2.3025851
    """
    return jnp.log(jnp.linalg.det(_square("logdet", input)))


@op(
    prim=Prim("Cholesky", init=args(upper=False), call=args("input_x"), to={"input_x": "input"}),
    ops=Face("cholesky", args("input_x", upper=False), to={"input_x": "input"}),
    tensor="cholesky",
    residuals=True,
)
def cholesky(input: Array, upper: bool = False) -> Array:
    """Triangular factor L of positive definite matrices L @ L.T; with `upper` its transpose.

    Example:
        >>> print(ops.cholesky(Tensor([[4.0, 2.0], [2.0, 3.0]])))
        [[2.        0.       ]
         [1.        1.4142135]]
    """
    lower = _of_half(jnp.linalg.cholesky, _square("Cholesky", input))
    return jnp.conj(_swap(lower)) if upper else lower


@op(
    prim=Prim("CholeskyInverse", init=args(upper=False), call=args("input_x"), to={"input_x": "input"}),
    ops=Face("cholesky_inverse", args("input_x", upper=False), to={"input_x": "input"}),
    tensor="cholesky_inverse",
)
def cholesky_inverse(input: Array, upper: bool = False) -> Array:
    """Inverse of the matrix whose Cholesky factor is given.

    Example:
        >>> print(ops.cholesky_inverse(Tensor([[2.0, 0.0], [1.0, 1.0]])))
        [[ 0.5 -0.5]
         [-0.5  1. ]]
    """
    factor = _square("CholeskyInverse", input)
    return _of_half(jnp.linalg.inv, jnp.matmul(_swap(factor), factor) if upper else jnp.matmul(factor, _swap(factor)))


@op(
    prim=Prim("CholeskySolve", init=args(upper=False), call=args("x1", "x2"), to={"x1": "input", "x2": "input2"}),
    ops=True,
    tensor="cholesky_solve",
)
def cholesky_solve(input: Array, input2: Array, upper: bool = False) -> Array:
    """Solution of A @ x = input, where input2 is the Cholesky factor of A.

    Example:
        >>> print(ops.cholesky_solve(Tensor([[1.0], [2.0]]), Tensor([[2.0, 0.0], [1.0, 1.0]])))
        [[-0.5]
         [ 1.5]]
    """
    number_of_axes("CholeskySolve", (2, 3), input=input.shape)
    number_of_axes("CholeskySolve", input.ndim, input2=input2.shape)
    factor = _square("CholeskySolve", input2)
    first = solve_triangular(factor, input, trans=1 if upper else 0, lower=not upper)
    return solve_triangular(factor, first, trans=0 if upper else 1, lower=not upper)


@op(prim=Prim("Qr", inputs=("x",)), ops=False, name="prim_qr", residuals=True)
def prim_qr(x: Array, full_matrices: bool = False):
    """Orthogonal and triangular factor of matrices."""
    q, r = _of_half(lambda x: tuple(jnp.linalg.qr(x, "complete" if full_matrices else "reduced")), x)
    return q, r


@op(ops=True, residuals=True)
def qr(
    input: Array, mode: Annotated[Literal["reduced", "complete"], Raises(value=TypeError)] = "reduced"
) -> tuple[Array, Array]:
    """Orthogonal and triangular factor of matrices.

    Example:
        >>> ops.qr(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        (Tensor(shape=[2, 2], dtype=Float32, value=
        [[-3.16227794e-01, -9.48683321e-01],
         [-9.48683321e-01,  3.16227764e-01]]), Tensor(shape=[2, 2], dtype=Float32, value=
        [[-3.16227770e+00, -4.42718840e+00],
         [ 0.00000000e+00, -6.32455230e-01]]))
    """
    return prim_qr(input, mode == "complete")


@op(ops=False, mint="linalg.qr", name="linalg_qr", residuals=True)
def linalg_qr(
    A: Array, mode: Annotated[Literal["reduced", "complete", "r"], Raises(value=TypeError)] = "reduced"
) -> tuple[Array, Array]:
    """Orthogonal and triangular factor of matrices; with mode "r" the triangular one alone, and an empty Tensor in place of the other."""
    q, r = prim_qr(A, mode == "complete")
    return (jnp.zeros((0,), A.dtype), r) if mode == "r" else (q, r)


@op(ops=False, tensor="qr", name="qr_method", residuals=True)
def qr_method(self: Array, some: bool = True):
    """Orthogonal and triangular factor; `some` gives the reduced form."""
    return prim_qr(self, not some)


@op(prim=Prim("Eigh", inputs=("A",)), ops=False, name="prim_eigh", residuals=True)
def prim_eigh(A: Array, compute_eigenvectors: bool = True, lower: bool = True):
    """Eigenvalues of symmetric matrices, of which one triangle is read, and their eigenvectors."""
    part, rest = (jnp.tril(A), jnp.tril(A, -1)) if lower else (jnp.triu(A), jnp.triu(A, 1))
    values, vectors = jnp.linalg.eigh(part + jnp.swapaxes(rest, -1, -2).conj())
    return (values, vectors) if compute_eigenvectors else values


@op(prim=Prim("Svd", inputs=("a",)), ops=False, name="prim_svd", residuals=True)
def prim_svd(a: Array, full_matrices: bool = False, compute_uv: bool = True):
    """Singular values of matrices and their factors; the factors are zeros without `compute_uv`."""
    if compute_uv:
        return svd(a, full_matrices)
    return svd(a, compute_uv=False), jnp.zeros(1, a.dtype), jnp.zeros(1, a.dtype)


@op(ops=True, tensor="svd", residuals=True)
def svd(input: Array, full_matrices: bool = False, compute_uv: bool = True):
    """Singular values s of matrices, and the factors u and v of u @ diag(s) @ v.T.

    Example:
        >>> print(ops.svd(Tensor([[1.0, 2.0], [3.0, 4.0]]), compute_uv=False))
        [5.464986 0.365966]
    """
    if not compute_uv:
        return singular_values(input).astype(to_float(input).dtype)
    u, s, vh = factors(input, full_matrices)
    if not jnp.issubdtype(u.dtype, jnp.complexfloating):  # the signs are free: the first row of v is positive here
        count = s.shape[-1]
        sign = lax.stop_gradient(jnp.where(vh[..., :count, 0] < 0, -1, 1).astype(u.dtype))
        u = u.at[..., :, :count].multiply(sign[..., None, :], unique_indices=True)
        vh = vh.at[..., :count, :].multiply(sign[..., :, None], unique_indices=True)
    return s.astype(u.dtype), u, jnp.conj(_swap(vh))  # of complex matrices they are complex, too


def _eigen(x, vectors):
    x = to_float(x)
    if not vectors:
        return jnp.linalg.eigvals(x)
    values, right = jnp.linalg.eig(x)
    return values, right


@op(prim=Prim("Eig", inputs=("x",)), ops=False, name="prim_eig")
def prim_eig(x: Array, compute_v: bool = False):
    """Eigenvalues of square matrices, with `compute_v` also the eigenvectors."""
    x = _square("Eig", x)
    return _eigen(x, True) if compute_v else (_eigen(x, False), jnp.zeros((), jnp.complex64))


@op(ops=True)
def eig(A: Array):
    """Eigenvalues and eigenvectors of square matrices, complex.

    Example:
        >>> ops.eig(Tensor([[1.0, 0.0], [0.0, 2.0]]))
        (Tensor(shape=[2], dtype=Complex64, value= [1+0j, 2+0j]), Tensor(shape=[2, 2], dtype=Complex64, value=
        [[1+0j, 0+0j],
         [0+0j, 1+0j]]))
    """
    return _eigen(_square("eig", A), True)


@op(ops=True, tensor="eigvals")
def eigvals(A: Array) -> Array:
    """Eigenvalues of square matrices, complex.

    Example:
        >>> print(ops.eigvals(Tensor([[1.0, 0.0], [0.0, 2.0]])))
        [1.+0.j 2.+0.j]
    """
    return _eigen(_square("eigvals", A), False)


@op(prim=Prim("MatrixExp"), ops=True)
def matrix_exp(input: Array) -> Array:
    """Exponential of square matrices.

    Example:
        >>> print(ops.matrix_exp(Tensor([[1.0, 0.0], [0.0, 2.0]])))
        [[2.7182817 0.       ]
         [0.        7.389056 ]]
    """
    x = _square("MatrixExp", input)
    return _expm(x) if x.ndim == 2 else jnp.vectorize(_expm, signature="(n,n)->(n,n)")(x)


@op(prim=Prim("MatrixLogarithm"), ops=False)
def matrix_logarithm(x: Array):
    """Logarithm of square complex matrices with distinct eigenvalues."""
    values, vectors = _eigen(_square("MatrixLogarithm", x), True)
    return jnp.matmul(vectors * jnp.log(values)[..., None, :], jnp.linalg.inv(vectors)).astype(x.dtype)


@op(prim=Prim("MatrixPower", init=args("n"), call=args("x"), to={"x": "input"}), ops=True, tensor="matrix_power")
def matrix_power(input: Array, n: Static[int]) -> Array:
    """Square matrices to an integer power.

    Example:
        >>> print(ops.matrix_power(Tensor([[1.0, 1.0], [0.0, 1.0]]), 3))
        [[1. 3.]
         [0. 1.]]
    """
    return jnp.linalg.matrix_power(_square("MatrixPower", input), n)


@op(prim=Prim("MatrixSolve", inputs=("matrix", "rhs")), ops=True, residuals=True)
def matrix_solve(matrix: Array, rhs: Array, adjoint: bool = False) -> Array:
    """Solution of matrix @ x = rhs.

    Example:
        >>> print(ops.matrix_solve(Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([[2.0], [4.0]])))
        [[1.]
         [1.]]
    """
    a = _square("MatrixSolve", matrix)
    number_of_axes("MatrixSolve", matrix.ndim, rhs=rhs.shape)
    return _of_half(jnp.linalg.solve, jnp.conj(_swap(a)) if adjoint else a, rhs)


@op(prim=Prim("MatrixTriangularSolve", inputs=("matrix", "rhs")), ops=False)
def matrix_triangular_solve(matrix: Array, rhs: Array, lower: bool = True, adjoint: bool = False) -> Array:
    """Solution of matrix @ x = rhs for triangular matrices."""
    number_of_axes("MatrixTriangularSolve", range(2, ANY), matrix=matrix.shape, rhs=rhs.shape)
    batch = matrix.shape[:-2]
    if rhs.ndim < matrix.ndim or rhs.ndim > 2 and batch:
        same_shape("MatrixTriangularSolve", batch=batch, batch_of_rhs=rhs.shape[:-2])
    return _triangular(matrix, rhs, not lower, adjoint, False, conjugate=True)


def _triangular(a, b, upper, transpose, unit, conjugate=False):
    shape = jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a, b = jnp.broadcast_to(a, shape + a.shape[-2:]), jnp.broadcast_to(b, shape + b.shape[-2:])
    return lax.linalg.triangular_solve(
        a,
        b,
        left_side=True,
        lower=not upper,
        transpose_a=transpose,
        conjugate_a=conjugate and transpose,
        unit_diagonal=unit,
    )


@op(ops=False, tensor="triangular_solve", mint="triangular_solve", name="triangular_solve")
def triangular_solve(b: Array, A: Array, upper: bool = True, transpose: bool = False, unitriangular: bool = False):
    """Solution of A @ x = b for triangular A, and A."""
    return _triangular(A, b, upper, transpose, unitriangular), A


@op(prim=Prim("MatrixSolveLs", inputs=("matrix", "rhs", "l2_regularizer")), ops=False)
def matrix_solve_ls(matrix: Array, rhs: Array, l2_regularizer: Array, fast: bool = True) -> Array:
    """Least squares solution of matrix @ x = rhs, with L2 regularization."""
    adjoint = jnp.conj(_swap(matrix))
    rows, columns = matrix.shape[-2:]
    l2_regularizer = l2_regularizer.astype(matrix.dtype)  # a float64 number says nothing about the result
    if rows >= columns:
        gram = jnp.matmul(adjoint, matrix) + l2_regularizer * jnp.eye(columns, dtype=matrix.dtype)
        return jnp.linalg.solve(gram, jnp.matmul(adjoint, rhs))
    gram = jnp.matmul(matrix, adjoint) + l2_regularizer * jnp.eye(rows, dtype=matrix.dtype)
    return jnp.matmul(adjoint, jnp.linalg.solve(gram, rhs))


@op(
    prim=Prim("Lstsq", init=args(fast=True, l2_regularizer=0.0), call=args("x", "a"), to={"x": "input", "a": "A"}),
    ops=Face("lstsq", args("input", "A")),
    tensor=Method("lstsq", args("A")),
)
def lstsq(
    input: Array,
    A: Array,
    fast: Annotated[bool, That("that is True", lambda fast: fast is True), Raises(value=TypeError)] = True,
    l2_regularizer: Annotated[
        Number, LOOSE, That("equal to 0.0", lambda number: number == 0), Raises(value=TypeError)
    ] = 0.0,
) -> Array:
    """Least squares solution x of input @ x = A (of smallest norm, if there are several).

    Example:
        >>> print(ops.lstsq(Tensor([[2.0, 0.0], [0.0, 4.0]]), Tensor([[2.0], [4.0]])))
        [[1.]
         [1.]]
    """
    kind = input.dtype
    x, a = (v.astype(jnp.float32) if v.dtype == jnp.float16 else v for v in (input, A))
    vector = a.ndim == 1
    return least_squares(x, a[:, None] if vector else a)[0].astype(kind)


@op(ops=Face("pinv", args("x").only(atol=None, rtol=None, hermitian=False)))
def pinv(x: Array, atol: Operand | None = None, rtol: Operand | None = None, hermitian: bool = False) -> Array:
    """Pseudo inverse; singular values of at most max(atol, rtol * largest) count as 0.

    Example:
        >>> print(ops.pinv(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        [[0.5  0.  ]
         [0.   0.25]]
    """
    if hermitian:
        lower = jnp.tril(nan_for_infinities(x))  # it alone is read, and has gradients
        values, u = jnp.linalg.eigh(lower + jnp.conj(_swap(jnp.tril(lower, -1))), symmetrize_input=False)
        s, vh = jnp.abs(values), jnp.conj(_swap(u * jnp.where(values < 0, -1, 1).astype(u.dtype)[..., None, :]))
    else:
        u, s, vh = factors(x)
    if rtol is None:
        rtol = jnp.finfo(x.dtype).eps * max(x.shape[-2:]) if atol is None else 0.0
    limit = jnp.maximum(0.0 if atol is None else atol, rtol * jnp.max(s, -1, keepdims=True))
    inverse = jnp.where(s > limit, 1 / jnp.where(s > limit, s, 1), 0).astype(s.dtype)
    return jnp.matmul(jnp.conj(_swap(vh)) * inverse[..., None, :], jnp.conj(_swap(u)))


@composite(ops=True)
def cond(A: Array, p: Real | str | None = None) -> Array:
    """Condition number of matrices in a norm (by default the ratio of the largest and the smallest singular value).

    Example:
        >>> print(ops.cond(Tensor([[2.0, 0.0], [0.0, 4.0]])))
        2.0
    """
    matrix_norm = records["matrix_norm"]
    if p in (None, 2, -2):
        values = records["svd"](records["to_float"](A), False, False)
        top, bottom = (values[..., 0], values[..., -1]) if p != -2 else (values[..., -1], values[..., 0])
        return top / bottom
    return matrix_norm(A, p, (-2, -1), False, None) * matrix_norm(
        records["inverse"](A, False), p, (-2, -1), False, None
    )


@op(name="to_float", ops=False)
def as_float(x: Array):
    """Integers and bools as float32."""
    return to_float(x)


@op(prim=Prim("Geqrf"), ops=True, tensor="geqrf")
def geqrf(input: Array):
    """QR decomposition in compact form: triangular factor above, Householder vectors below the diagonal; and their
    factors.

    Example:
        >>> ops.geqrf(Tensor([[1.0, 2.0], [3.0, 4.0]]))
        (Tensor(shape=[2, 2], dtype=Float32, value=
        [[-3.16227770e+00, -4.42718840e+00],
         [ 7.20759213e-01, -6.32455409e-01]]), Tensor(shape=[2], dtype=Float32, value= [ 1.31622779e+00,  0.00000000e+00]))
    """
    floats_only("Geqrf", input=input)
    return _householder(input)


def _householder(a):
    """Householder vectors, one column after the other."""
    rows, columns = a.shape[-2:]
    count = min(rows, columns)
    factors = []
    for j in range(count):
        column = a[..., j:, j]
        alpha = column[..., 0]
        rest = jnp.sum(jnp.abs(column[..., 1:]) ** 2, -1)
        size = jnp.sqrt(jnp.abs(alpha) ** 2 + rest)
        beta = jnp.where(rest == 0, alpha, -jnp.sign(jnp.where(alpha == 0, 1, alpha)) * size)
        factor = jnp.where(rest == 0, 0, (beta - alpha) / jnp.where(beta == 0, 1, beta))
        tail = jnp.where(
            (rest == 0)[..., None], 0, column[..., 1:] / jnp.where(alpha - beta == 0, 1, alpha - beta)[..., None]
        )
        v = jnp.concatenate([jnp.ones_like(alpha)[..., None], tail], -1)
        block = a[..., j:, j:]
        block = (
            block
            - factor[..., None, None]
            * v[..., :, None]
            * jnp.einsum("...i,...ij->...j", jnp.conj(v), block)[..., None, :]
        )
        a = a.at[..., j:, j:].set(block)
        a = a.at[..., j + 1 :, j].set(tail)
        factors.append(factor)
    return a, jnp.stack(factors, -1)


def _permutation(pivots, rows):
    """Row order that a sequence of exchanges (counted from 1) gives."""
    order = jnp.broadcast_to(jnp.arange(rows), (*pivots.shape[:-1], rows))
    for i in range(pivots.shape[-1]):
        j = pivots[..., i] - 1
        a, b = order[..., i], jnp.take_along_axis(order, j[..., None], -1)[..., 0]
        order = order.at[..., i].set(b)
        order = jnp.where(jnp.arange(rows) == j[..., None], jnp.where(j == i, b, a)[..., None], order)
    return order


@composite(ops=True)
def lu_unpack(LU_data: Array, LU_pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True):
    """Permutation, lower and upper factor of a compact LU decomposition and its pivots (counted from 1).

    unpack_data: without it the factors are None. unpack_pivots: without it the permutation is None.

    Example:
        >>> ops.lu_unpack(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1, 2], mindspore.int32))
        (Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00,  0.00000000e+00],
         [ 0.00000000e+00,  1.00000000e+00]]), Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00,  0.00000000e+00],
         [ 3.00000000e+00,  1.00000000e+00]]), Tensor(shape=[2, 2], dtype=Float32, value=
        [[ 1.00000000e+00,  2.00000000e+00],
         [ 0.00000000e+00,  4.00000000e+00]]))
    """
    permutation, lower, upper = records["lu_unpack_primitive"](LU_data, LU_pivots, unpack_data, unpack_pivots)
    return permutation if unpack_pivots else None, *((lower, upper) if unpack_data else (None, None))


@op(prim=Prim("LuUnpack", inputs=("LU_data", "LU_pivots")), ops=False)
def lu_unpack_primitive(LU_data: Array, LU_pivots: Array, unpack_data: bool = True, unpack_pivots: bool = True):
    """(permutation, lower factor, upper factor), whatever is asked for."""
    rows, columns = LU_data.shape[-2:]
    count = min(rows, columns)
    order = _permutation(LU_pivots, rows)
    permutation = _swap(jax.nn.one_hot(order, rows, dtype=LU_data.dtype))
    lower = jnp.tril(LU_data[..., :, :count], -1) + jnp.eye(rows, count, dtype=LU_data.dtype)
    return permutation, lower, jnp.triu(LU_data[..., :count, :])


@op(
    prim=Prim(
        "LuSolve", call=args("x", "lu_data", "lu_pivots"), to={"x": "b", "lu_data": "LU_data", "lu_pivots": "LU_pivots"}
    ),
    ops=True,
    tensor="lu_solve",
)
def lu_solve(b: Array, LU_data: Array, LU_pivots: Array) -> Array:
    """Solution of A @ x = b of a compact LU decomposition of A and its pivots (counted from 1).

    Example:
        >>> ops.lu_solve(Tensor([[1.0], [2.0]]), Tensor([[2.0, 1.0], [0.5, 1.0]]), Tensor([1, 2], mindspore.int32))
        Tensor(shape=[2, 1], dtype=Float32, value=
        [[-2.50000000e-01],
         [ 1.50000000e+00]])
    """
    number_of_axes("LuSolve", range(2, ANY), b=b.shape, LU_data=LU_data.shape)
    same_shape("LuSolve", batch=LU_data.shape[:-2], batch_of_LU_pivots=LU_pivots.shape[:-1])
    order = jnp.broadcast_to(_permutation(LU_pivots, LU_data.shape[-1]), b.shape[:-1])
    moved = jnp.take_along_axis(b, order[..., None], -2)
    return _triangular(LU_data, _triangular(LU_data, moved, False, False, True), True, False, False)


@op(prim=Prim("TridiagonalMatMul"), ops=False)
def tridiagonal_matmul(superdiag: Array, maindiag: Array, subdiag: Array, rhs: Array) -> Array:
    """Product of tridiagonal matrices, given by their diagonals, with other matrices."""
    diagonals = {"superdiag": superdiag.shape, "maindiag": maindiag.shape, "subdiag": subdiag.shape}
    number_of_axes("TridiagonalMatMul", range(2, ANY), rhs=rhs.shape)
    number_of_axes("TridiagonalMatMul", rhs.ndim, **diagonals)
    top, main, sub = (jnp.squeeze(d, -2)[..., None] for d in (superdiag, maindiag, subdiag))
    above = jnp.concatenate([rhs[..., 1:, :], jnp.zeros_like(rhs[..., :1, :])], -2)
    below = jnp.concatenate([jnp.zeros_like(rhs[..., :1, :]), rhs[..., :-1, :]], -2)
    return top * above + main * rhs + sub * below

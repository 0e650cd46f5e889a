"""Singular values and vectors of matrices, for all operators that need them."""

import functools

import jax
import jax.numpy as jnp
from jax.scipy.linalg import polar

from ...core.settings.context import present_device


def nan_for_infinities(x: jax.Array):
    """x, with NaN throughout each matrix that holds an infinity: LAPACK's singular values never come to an end with one, and are NaN for NaN.

    It is a factor, so that gradients are NaN, too.
    """
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return x
    return x * jnp.where(jnp.isinf(x).any((-2, -1), keepdims=True), jnp.nan, 1).astype(x.dtype)


def factors(x: jax.Array, full_matrices: bool = False) -> tuple[jax.Array, jax.Array, jax.Array]:
    """u, s and vh of matrices x (..., M, N), which are u @ diag(s) @ vh; NaN for a matrix that holds an infinity.

    For TPUs JAX lowers its singular vectors, and so the gradients of its singular values, to a program at which the compiler ends the process
    where 64 bits are switched on (docs/compiler_bugs.md). There they are computed of public parts of JAX by the same method.
    """
    x = nan_for_infinities(x)
    if present_device() != "TPU":
        return jnp.linalg.svd(x, full_matrices=full_matrices)
    one = functools.partial(_by_polar_form, full_matrices)
    for _ in range(x.ndim - 2):
        one = jax.vmap(one)
    kind = x.dtype if jnp.issubdtype(x.dtype, jnp.inexact) else jnp.float32
    u, s, vh = one(x.astype(jnp.promote_types(kind, jnp.float32)))  # half precision is computed in float32
    return u.astype(kind), s.astype(jnp.finfo(kind).dtype), vh.astype(kind)


def singular_values(x: jax.Array) -> jax.Array:
    """The singular values (..., min(M, N)) of matrices, the largest first; NaN for a matrix that holds an infinity."""
    if present_device() == "TPU":
        return factors(x)[1]
    return jnp.linalg.svd(nan_for_infinities(x), compute_uv=False)


def least_squares(a: jax.Array, b: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """x of least norm with a @ x nearest to b, for a (M, N) and b (M, K); the rank of a; its singular values."""
    if present_device() != "TPU":
        x, _, rank, s = jnp.linalg.lstsq(nan_for_infinities(a), b)
        return x, rank, s
    u, s, vh = factors(a)
    counted = s > 0 if s.size == 0 else s >= jnp.finfo(s.dtype).eps * max(a.shape) * s[0]
    inverse = jnp.where(counted, 1 / jnp.where(counted, s, 1), 0)
    return vh.conj().T @ (inverse[:, None].astype(a.dtype) * (u.conj().T @ b)), counted.sum(), s


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def _by_polar_form(full_matrices, a):
    """The factors of one matrix: a = w @ h with unitary w, and the eigenvectors of h (Nakatsukasa and Higham, SIAM J. Sci. Comput. 35, 2013)."""
    if a.shape[0] < a.shape[1]:
        u, s, vh = _by_polar_form(full_matrices, a.conj().T)
        return vh.conj().T, s, u.conj().T
    count = a.shape[1]
    if count == 0:
        return jnp.eye(a.shape[0], a.shape[0] if full_matrices else 0, dtype=a.dtype), a.real[0, :], a[:0].T
    with jax.default_matmul_precision("float32"):
        q, r = jnp.linalg.qr(a, "complete" if full_matrices else "reduced")
        unitary, hermitian = polar(r[:count], method="qdwh")
        eigenvalues, vectors = jnp.linalg.eigh(hermitian)
        s, v = jnp.maximum(eigenvalues[::-1], 0), vectors[:, ::-1]
        u = unitary @ v
        # of matrices without full rank `unitary` is not unitary
        straight, triangle = jnp.linalg.qr(u)
        straight = straight * jnp.where(jnp.diagonal(triangle).real >= 0, 1, -1).astype(a.dtype)
        u = q[:, :count] @ jnp.where(s[-1] <= count * jnp.finfo(a.dtype).eps * s[0], straight, u)
    return jnp.concatenate([u, q[:, count:]], 1), s, v.conj().T


@_by_polar_form.defjvp
def _tangents(full_matrices, primals, tangents):
    """The rule of `jax.lax.linalg.svd`, for one matrix (Giles, An extended collection of matrix derivative results, 2008)."""
    (a,), (da,) = primals, tangents
    if full_matrices and a.shape[0] != a.shape[1]:
        raise NotImplementedError(
            "Whole matrices of singular vectors (full_matrices=True) have no gradient where M and N differ."
        )
    u, s, vh = _by_polar_form(full_matrices, a)
    uh, v = u.conj().T, vh.conj().T
    inner = uh @ da @ v
    rows, columns = s[:, None], s[None, :]
    gaps = (columns + rows) * (columns - rows)
    apart = jnp.where(gaps == 0, 0, 1 / jnp.where(gaps == 0, 1, gaps)).astype(a.dtype)
    turned = apart * (inner * columns + (inner * columns).conj().T)
    diagonal = jnp.where(s == 0, 0, 0.5 / jnp.where(s == 0, 1, s)).astype(a.dtype)
    du = u @ (turned + jnp.diag(diagonal) * (inner - inner.conj().T))
    dv = v @ (apart * (rows * inner + (rows * inner).conj().T))
    if a.shape[0] > a.shape[1]:
        outside = da @ v
        du = du + (outside - u @ (uh @ outside)) / columns.astype(a.dtype)
    if a.shape[0] < a.shape[1]:
        outside = da.conj().T @ u
        dv = dv + (outside - v @ (vh @ outside)) / columns.astype(a.dtype)
    return (u, s, vh), (du, jnp.diagonal(inner).real.astype(s.dtype), dv.conj().T)

"""Iterative solvers of linear systems, which MindSpore had until 1.10: `cg`, `gmres`, `bicgstab`."""

from collections.abc import Callable
from typing import Any

import jax.numpy as jnp
from jax.scipy.sparse import linalg

from ...core.operators.record import Record
from ...core.values.tensor import Tensor, wrap
from ...ops.sparse.tensors import CSRTensor

__all__ = ["bicgstab", "cg", "gmres"]


def _operator(value, what, name):
    """(function of arrays or None, array or None) of a matrix, a sparse one, a function of Tensors, or None."""
    if value is None:
        return None, None
    if isinstance(value, CSRTensor):
        value = value.to_dense()
    if isinstance(value, Tensor):
        if value.ndim != 2 or value.shape[0] != value.shape[1]:
            raise ValueError(f"For '{name}', '{what}' must be a square matrix, but got the shape {value.shape}.")
        return None, value
    if not callable(value):
        raise TypeError(f"For '{name}', '{what}' must be a Tensor, a CSRTensor or a function, but got {type(value)}.")
    return lambda x: value(wrap(x)).jax_array, None


def _solve(name, solver, A, b, x0, tol, atol, maxiter, M, **options):
    if not isinstance(b, Tensor):
        raise TypeError(f"For '{name}', 'b' must be a Tensor, but got {type(b)}.")
    if b.ndim not in (1, 2):
        raise ValueError(f"For '{name}', 'b' must have 1 or 2 dimensions, but got {b.ndim}.")
    for what, value, kind in (("tol", tol, float), ("atol", atol, float)):
        if not isinstance(value, kind):
            raise TypeError(f"For '{name}', '{what}' must be {kind.__name__}, but got {type(value).__name__}.")
    if maxiter is None:
        maxiter = b.size * 10
    (apply, matrix), (precondition, other) = _operator(A, "A", name), _operator(M, "M", name)
    if matrix is not None and matrix.dtype != b.dtype:
        raise TypeError(f"For '{name}', 'A' and 'b' must have one dtype, but got {matrix.dtype} and {b.dtype}.")
    given = [t for t in (b, x0, matrix, other) if t is not None]

    def called(right, *arrays):
        left = list(arrays)
        start = left.pop(0) if x0 is not None else None
        times = apply or (lambda x, a=left.pop(0): a @ x)
        before = precondition or (None if other is None else (lambda x, a=left.pop(0): a @ x))
        found, _ = solver(times, right, start, tol=tol, atol=atol, maxiter=maxiter, M=before, **options)
        wide = jnp.maximum(tol * jnp.linalg.norm(right), atol)
        # float32 cannot tell a residual below its own rounding
        wide = wide + 10 * jnp.finfo(right.dtype).eps * jnp.linalg.norm(right)
        return found, jnp.where(jnp.linalg.norm(right - times(found)) > wide, maxiter, 0)

    return Record(called, name)(*given)


def cg(
    A: Any,
    b: Tensor,
    x0: Tensor | None = None,
    *,
    tol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable | None = None,
):
    """Solve A x = b by conjugate gradients, for a symmetric positive definite matrix (or a function that multiplies with one).

    Returns: x, and 0 if its residual is small enough (tol * |b|, or atol), else the number of iterations. M: preconditioner.

    Raises:
        TypeError, ValueError: an argument of the wrong kind or shape; a callback.
    """
    if callback is not None:
        raise ValueError("For 'cg', the 'callback' must be None.")
    return _solve("cg", linalg.cg, A, b, x0, tol, atol, maxiter, M)


def gmres(
    A: Any,
    b: Tensor,
    x0: Tensor | None = None,
    *,
    tol: float = 1e-5,
    restart: int = 20,
    maxiter: int | None = None,
    M: Any = None,
    callback: Callable | None = None,
    restol: float | None = None,
    atol: float = 0.0,
    callback_type: Any = None,
    solve_method: str = "batched",
):
    """Solve A x = b for any square matrix. restart: size of the search space. Other arguments and the result: as for
    `cg`.
    """
    if callback is not None or restol is not None or callback_type is not None:
        raise ValueError("For 'gmres', 'callback', 'restol' and 'callback_type' must be None.")
    if solve_method not in ("batched", "incremental"):
        raise ValueError(f"For 'gmres', 'solve_method' must be 'batched' or 'incremental', but got {solve_method!r}.")
    options = {"restart": min(restart, b.size), "solve_method": solve_method}
    return _solve("gmres", linalg.gmres, A, b, x0, tol, atol, maxiter, M, **options)


def bicgstab(
    A: Any,
    b: Tensor,
    x0: Tensor | None = None,
    *,
    tol: float = 1e-5,
    atol: float = 0.0,
    maxiter: int | None = None,
    M: Any = None,
):
    """Solve A x = b for any square matrix, with little memory. Arguments and result: as for `cg`."""
    return _solve("bicgstab", linalg.bicgstab, A, b, x0, tol, atol, maxiter, M)

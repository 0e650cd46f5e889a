"""A step that fulfils the strong Wolfe conditions: Nocedal and Wright, Numerical Optimization, algorithms 3.5 and
3.6.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...core.values.tensor import Tensor
from ...ops.gradient.functions import value_and_grad


class _LineSearchResults(NamedTuple):
    """failed; iterations; calls of the function and its gradient; status; step a_k, value f_k and gradient g_k there."""

    failed: bool
    nit: int
    nfev: int
    ngev: int
    k: int
    a_k: float
    f_k: float
    g_k: Tensor
    status: int


def numeric(func: Callable, jac: Any, dtype: Any):
    """A function of NumPy arrays that gives value and gradient (float64) of a function of Tensors, and counts its
    calls.
    """
    pair = value_and_grad(func) if jac is None else None

    def evaluate(x):
        evaluate.calls += 1
        point = Tensor(x.astype(dtype))
        value, slope = pair(point) if pair else (func(point), jac(point))
        return float(value), np.asarray(slope.asnumpy() if isinstance(slope, Tensor) else slope, np.float64)

    evaluate.calls = 0
    return evaluate


def _cubic(a, fa, da, b, fb, c, fc):
    """The least point of the cubic through three values with slope da at a; NaN if there is none."""
    with np.errstate(all="ignore"):
        db, dc = b - a, c - a
        scale = np.float64((db * dc) ** 2 * (db - dc))
        rest = np.array([fb - fa - da * db, fc - fa - da * dc])
        p, q = np.array([[dc**2, -(db**2)], [-(dc**3), db**3]]) @ rest / scale
        return a + (-q + np.sqrt(q * q - 3 * p * da)) / (3 * p)


def _parabola(a, fa, da, b, fb):
    with np.errstate(all="ignore"):
        bend = np.float64(fb - fa - da * (b - a)) / (b - a) ** 2
        return a - da / (2 * bend)


def wolfe_step(phi: Callable, f0: Any, d0: Any, c1: Any, c2: Any, maxiter: int | None, start: float = 1.0):
    """(step, value, gradient, failed, iterations); `phi(a)` gives value, gradient and slope along the direction."""
    last_a, last_f, last_d, a = 0.0, f0, d0, start
    for i in range(1, maxiter + 1):
        f, g, d = phi(a)
        if f > f0 + c1 * a * d0 or (i > 1 and f >= last_f):
            return (*_zoom(phi, f0, d0, c1, c2, (last_a, last_f, last_d), (a, f, d)), i)
        if abs(d) <= -c2 * d0:
            return a, f, g, False, i
        if d >= 0:
            return (*_zoom(phi, f0, d0, c1, c2, (a, f, d), (last_a, last_f, last_d)), i)
        last_a, last_f, last_d, a = a, f, d, 2 * a
    return last_a, last_f, g, True, maxiter


def _zoom(phi, f0, d0, c1, c2, low, high, rounds=10):
    """A step between two that bracket one; `low` has the lesser value."""
    recent, g = None, None
    for _ in range(rounds):
        (a, fa, da), (b, fb, _) = low, high
        left, width = min(a, b), abs(b - a)
        step = _cubic(a, fa, da, b, fb, *recent) if recent else np.nan
        if not (np.isfinite(step) and left + 0.2 * width < step < left + 0.8 * width):
            step = _parabola(a, fa, da, b, fb)
            if not (np.isfinite(step) and left + 0.1 * width < step < left + 0.9 * width):
                step = (a + b) / 2
        f, g, d = phi(step)
        if f > f0 + c1 * step * d0 or f >= fa:
            recent, high = high[:2], (step, f, d)
            continue
        if abs(d) <= -c2 * d0:
            return step, f, g, False
        if d * (b - a) >= 0:
            recent, high = high[:2], low
        else:
            recent = low[:2]
        low = (step, f, d)
    return step, f, g, True


def line_search(
    f: Callable,
    xk: Tensor,
    pk: Tensor,
    jac: Any = None,
    gfk: Tensor | None = None,
    old_fval: Any = None,
    old_old_fval: Any = None,
    c1: float = 1e-4,
    c2: float = 0.9,
    maxiter: int | None = 20,
):
    """A step length along `pk` from `xk` that lessens `f` and its slope enough.

    Args:
        f: function of a Tensor (n,) that gives a number.
        xk, pk: Tensors (n,): point and direction.
        jac: gradient of f (by default derived).
        gfk, old_fval: gradient and value at xk, if known.
        old_old_fval: value before.
        c1, c2: the two conditions' constants.
        maxiter: bound for the iterations.

    Returns:
        failed, nit, nfev, ngev, k, a_k, f_k, g_k, status.

    Example:
        >>> from mindspore import scipy
        >>> scipy.optimize.line_search(lambda x: (x**2).sum(), Tensor([1.0]), Tensor([-1.0])).a_k
        1.0
    """
    dtype = xk.asnumpy().dtype
    evaluate = numeric(f, jac, dtype)
    x, p = xk.asnumpy().astype(np.float64), pk.asnumpy().astype(np.float64)
    if old_fval is None or gfk is None:
        f0, g0 = evaluate(x)
    else:
        f0, g0 = float(old_fval), np.asarray(gfk.asnumpy(), np.float64)
    slope = float(g0 @ p)
    start = 1.0
    if old_old_fval is not None and slope:
        start = min(1.0, 1.01 * 2 * (f0 - float(old_old_fval)) / slope)
        start = start if np.isfinite(start) and start > 0 else 1.0

    def phi(a):
        value, gradient = evaluate(x + a * p)
        return value, gradient, float(gradient @ p)

    step, value, gradient, failed, rounds = wolfe_step(phi, f0, slope, c1, c2, maxiter, start)
    gradient = g0 if gradient is None else gradient
    return _LineSearchResults(
        failed,
        rounds,
        evaluate.calls,
        evaluate.calls,
        rounds + 1,
        step,
        value,
        Tensor(gradient.astype(dtype)),
        1 if failed else 0,
    )

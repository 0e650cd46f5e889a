"""Minimization of a function: BFGS, L-BFGS (Nocedal and Wright, algorithms 6.1 and 7.5), augmented Lagrangian."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...core.values.tensor import Tensor
from ...ops.gradient.functions import value_and_grad
from .line_search import numeric, wolfe_step


class OptimizeResults(NamedTuple):
    """Point, whether it is a minimum, status, value, gradient, inverse Hessian or None, calls and iterations."""

    x: Tensor
    success: bool
    status: int
    fun: float
    jac: Tensor
    hess_inv: Tensor | None
    nfev: int
    njev: int
    nit: int


class LagrangeResults(NamedTuple):
    """Whether a point within the tolerances was found, the best one, its value, and the constraints' violations."""

    succeeded: bool
    best_value: np.ndarray
    object_value: np.ndarray
    loss_value: np.ndarray


def _descend(func, x0, jac, direction, update, maxiter, norm, gtol, line_search_maxiter):
    """Steps along `direction(g)` until the gradient is small; `update(s, y)` learns from each."""
    dtype = x0.asnumpy().dtype
    evaluate = numeric(func, jac, dtype)
    x = x0.asnumpy().astype(np.float64)
    value, gradient = evaluate(x)
    before, rounds, status = value + np.linalg.norm(gradient) / 2, 0, 0
    limit = 200 * x.size if maxiter is None else maxiter
    while np.linalg.norm(gradient, norm) >= gtol:
        if rounds >= limit:
            status = 1
            break
        p = direction(gradient)
        slope = float(gradient @ p)

        def phi(a, x=x, p=p):
            f, g = evaluate(x + a * p)
            return f, g, float(g @ p)

        start = 1.01 * 2 * (value - before) / slope if slope else 1.0
        start = min(start, 1.0) if np.isfinite(start) and start > 0 else 1.0
        step, new_value, new_gradient, failed, _ = wolfe_step(phi, value, slope, 1e-4, 0.9, line_search_maxiter, start)
        if failed and not new_value < value:
            status = 5
            break
        update(step * p, new_gradient - gradient)
        x, before, value, gradient = x + step * p, value, new_value, new_gradient
        rounds += 1
    return x, value, gradient, status, rounds, evaluate.calls, dtype


def _bfgs(func, x0, jac=None, maxiter=None, norm=np.inf, gtol=1e-5, line_search_maxiter=10):
    unit = np.eye(x0.size)
    state = {"h": unit}

    def update(s, y):
        if s @ y <= 0:
            return
        rho = 1 / (s @ y)
        left = unit - rho * np.outer(s, y)
        state["h"] = left @ state["h"] @ left.T + rho * np.outer(s, s)

    done = _descend(func, x0, jac, lambda g: -state["h"] @ g, update, maxiter, norm, gtol, line_search_maxiter)
    return _result(*done, state["h"])


def _lbfgs(func, x0, jac=None, history_size=20, maxiter=None, norm=np.inf, gtol=1e-5, line_search_maxiter=10):
    pairs = []

    def direction(g):
        q, weights = g.copy(), []
        for s, y in reversed(pairs):
            weights.append(s @ q / (s @ y))
            q -= weights[-1] * y
        if pairs:
            s, y = pairs[-1]
            q *= s @ y / (y @ y)
        for (s, y), w in zip(pairs, reversed(weights)):
            q += (w - y @ q / (s @ y)) * s
        return -q

    def update(s, y):
        if s @ y > 0:
            pairs.append((s, y))
            del pairs[:-history_size]

    done = _descend(func, x0, jac, direction, update, maxiter, norm, gtol, line_search_maxiter)
    return _result(*done, None)


def _result(x, value, gradient, status, rounds, calls, dtype, inverse):
    return OptimizeResults(
        Tensor(x.astype(dtype)),
        status == 0,
        status,
        value,
        Tensor(gradient.astype(dtype)),
        None if inverse is None else Tensor(inverse.astype(dtype)),
        calls,
        calls,
        rounds,
    )


def _lagrange(
    func,
    x0,
    constraints,
    save_tol=None,
    obj_weight=1.0,
    lower=None,
    upper=None,
    learning_rate=0.1,
    coincide_fun=None,
    rounds=10,
    steps=1000,
    log_sw=False,
):
    """Adam on func + multipliers * violations + penalty / 2 * violations**2; the multipliers grow from round to
    round.
    """
    count = len(constraints)
    tolerance = np.ones(count) if save_tol is None else np.asarray([float(t) for t in save_tol])
    scale = 1.0 if lower is None or upper is None else upper - lower
    offset = 0.0 if lower is None else lower

    def bounded(x):
        if lower is None and upper is None:
            return x
        if lower is not None and upper is not None:
            return x.sigmoid() * scale + offset
        return lower + x.exp() if upper is None else upper - x.exp()

    def parts(x):
        point = bounded(x)
        point = coincide_fun(point) if coincide_fun is not None else point
        return point, func(point) * obj_weight, [c(point) for c in constraints]

    def start(x):
        if lower is not None and upper is not None:
            ratio = (x - offset) / scale
            return (ratio / (1 - ratio)).log()
        return x if lower is None and upper is None else ((x - lower) if upper is None else (upper - x)).log()

    multipliers, penalty = np.zeros(count), 1.0

    def total(x, multipliers, penalty):
        point, value, violations = parts(x)
        loss = value
        for m, v in zip(multipliers, violations):
            loss = loss + float(m) * v + penalty / 2 * v * v
        return loss, point, value, violations

    x = start(x0)
    mean, spread, t = np.zeros(x.shape), np.zeros(x.shape), 0
    step = value_and_grad(total, 0, has_aux=True)
    first, found, best, best_loss = None, False, x0.asnumpy(), np.ones(count, np.float32)
    for _ in range(rounds):
        violations = np.zeros(count)
        for _ in range(steps):
            (_, point, value, losses), slope = step(x, tuple(multipliers), penalty)
            value, violations = float(value), np.array([float(v) for v in losses])
            first = value if first is None else first
            if value <= first and np.all(np.abs(violations) <= tolerance):
                first, found, best, best_loss = value, True, point.asnumpy(), violations.astype(np.float32)
            t += 1
            g = slope.asnumpy().astype(np.float64)
            mean, spread = 0.9 * mean + 0.1 * g, 0.999 * spread + 0.001 * g * g
            change = learning_rate * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * mean / (np.sqrt(spread) + 1e-8)
            x = Tensor((x.asnumpy() - change).astype(x0.asnumpy().dtype))
        multipliers = multipliers + penalty * violations
        penalty *= 2
    return LagrangeResults(found, best, np.asarray(first, np.float32), best_loss)


def minimize(
    func: Callable,
    x0: Tensor | None,
    args: tuple = (),
    method: str | None = None,
    jac: Any = None,
    hess: Any = None,
    hessp: Any = None,
    bounds: Any = None,
    constraints: Any = (),
    tol: float | None = None,
    callback: Callable | None = None,
    options: dict | None = None,
):
    """The least value of a function of a Tensor.

    Args:
        func: function (x, *args) that gives a number.
        x0: Tensor (n,): where to start.
        args: tuple of further arguments.
        method: "BFGS", "LBFGS" or "LAGRANGE".
        jac: gradient of func (by default derived).
        constraints, tol: for LAGRANGE: functions that are 0 where the constraints hold, and how far from it is allowed.
        options: maxiter, norm, gtol, line_search_maxiter; for LBFGS history_size; for LAGRANGE obj_weight, lower, upper, learning_rate, coincide_fun,
            rounds, steps.

    Raises:
        ValueError: no method or another one. TypeError: `args` is not a tuple, a constraint is not a function.

    Example:
        >>> from mindspore import scipy
        >>> print(scipy.optimize.minimize(lambda x: ((x - 1) ** 2).sum(), Tensor([0.0, 3.0]), method="BFGS").x)
        [1.0000001 1.0000002]
    """
    if method is None:
        raise ValueError("You must specify a solver: for 'minimize', 'method' must be 'BFGS', 'LBFGS' or 'LAGRANGE'.")
    if not isinstance(args, tuple):
        raise TypeError(f"args argument to mindspore.scipy.optimize.minimize must be a tuple, got {args}")
    options, name = options or {}, method.lower()

    def of_x(x):
        return func(x, *args)

    if name == "bfgs":
        return _bfgs(of_x, x0, jac, **options)
    if name == "lbfgs":
        return _lbfgs(of_x, x0, jac, **options)
    if name != "lagrange":
        raise ValueError(f"Method {method} not recognized: 'method' must be 'BFGS', 'LBFGS' or 'LAGRANGE'.")
    for f in (func, *constraints):
        if not callable(f):
            raise TypeError(f"'func' and 'constraints' must be of type function, but got {type(f)}")
    if tol is not None and len(tol) != len(constraints):
        raise ValueError(
            f"The len of tol must be same as the len of constraints, but got {len(tol)} and {len(constraints)}."
        )
    return _lagrange(func, x0, constraints, tol, **options)

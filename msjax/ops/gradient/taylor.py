"""Higher derivatives along a curve: `derivative`, `jet`; and `linearize`, a function's value with its linear part."""

from collections.abc import Callable
from typing import Any

from ...core.operators.record import records
from ...core.values.tensor import Tensor
from .functions import jvp

__all__ = ["derivative", "jet", "linearize"]


def linearize(fn: Callable, inputs: Any):
    """Value of `fn` at `inputs`, and the function that multiplies tangents with its Jacobian there.

    Args:
        fn: function or Cell of Tensors.
        inputs: Tensor, or tuple or list of Tensors.

    Example:
        >>> value, tangent = ops.linearize(lambda x: x * x, (Tensor([3.0]),))
        >>> print(tangent(Tensor([1.0])))
        [6.]
    """
    if not callable(fn):
        raise TypeError(f"For 'linearize', the 'fn' must be a function or a Cell, but got {type(fn).__name__}.")
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)

    def tangent(*v):
        v = v[0] if len(v) == 1 and isinstance(v[0], (tuple, list)) else v
        return jvp(fn, inputs, tuple(v))[1]

    return fn(*inputs), tangent


def _along(fn, order):
    """[fn(0), fn'(0), ..., the `order`-th derivative at 0] of a function of one number."""
    zero, one = Tensor(0.0), Tensor(1.0)
    functions = [fn]
    for _ in range(order):
        functions.append(lambda t, inner=functions[-1]: jvp(inner, (t,), (one,))[1])
    return [f(zero) for f in functions]


def jet(fn: Callable, primals: Any, series: Any):
    """Value and derivatives of `fn` along a curve through `primals`.

    Args:
        fn: function or Cell.
        primals: Tensor, or tuple of Tensors.
        series: the curve's derivatives of order 1, 2, ... in a new first axis; one Tensor for each of the primals.

    Returns:
        (value, derivatives of the same orders in a new first axis).

    Example:
        >>> ops.jet(lambda x: x * x, Tensor([3.0]), Tensor([[1.0], [0.0]]))
        (Tensor(shape=[1], dtype=Float32, value= [ 9.00000000e+00]), Tensor(shape=[2, 1], dtype=Float32, value=
        [[ 6.00000000e+00],
         [ 2.00000000e+00]]))
    """
    many = isinstance(primals, (tuple, list))
    points, curves = (tuple(primals), tuple(series)) if many else ((primals,), (series,))
    if len(points) != len(curves) or any(p.shape != c.shape[1:] for p, c in zip(points, curves)):
        raise ValueError(
            "For 'jet', each of the 'series' must have the shape of its primal behind a first axis of orders."
        )
    order = curves[0].shape[0]

    def at(t):
        moved = []
        for point, curve in zip(points, curves):
            factor = t
            for k in range(order):
                point = point + curve[k] * factor
                factor = factor * t / (k + 2)
            moved.append(point)
        return fn(*moved)

    value, *found = _along(at, order)
    stack = records["stack"]
    if isinstance(value, (tuple, list)):
        return tuple(value), tuple(stack(list(outs), 0) for outs in zip(*found))
    return value, stack(found, 0)


def derivative(fn: Callable, primals: Any, order: int):
    """Value of `fn`, and its derivative of the given order along the direction of ones.

    Example:
        >>> ops.derivative(lambda x: x * x * x, Tensor([3.0]), 2)
        (Tensor(shape=[1], dtype=Float32, value= [ 2.70000000e+01]), Tensor(shape=[1], dtype=Float32, value= [ 1.80000000e+01]))
    """
    if isinstance(order, bool) or not isinstance(order, int):
        raise TypeError(f"For 'derivative', the 'order' must be an int, but got {type(order).__name__}.")
    if order < 1:
        raise ValueError(f"For 'derivative', the 'order' must be greater than 0, but got {order}.")
    points = tuple(primals) if isinstance(primals, (tuple, list)) else (primals,)
    found = _along(lambda t: fn(*[p + t for p in points]), order)
    return found[0], found[-1]

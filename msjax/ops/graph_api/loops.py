"""Loops as operators: WhileLoop, ForiLoop, Scan. Eagerly they are Python loops; in a compiled function they are staged
as such loops are.
"""

from collections.abc import Callable
from typing import Any

from ...core.operators.primitive import Primitive
from ...core.trace.control_flow import convertible, resolve


@convertible
def _while(condition, body, value):
    while condition(value):
        value = body(value)
    return value


@convertible
def _count(lower, upper, body, value):
    for i in range(lower, upper):
        value = body(i, value)
    return value


def _check_function(name, parameter, value):
    if not callable(value):
        raise TypeError(f"For '{name}', the '{parameter}' must be a function, but got {type(value).__name__}.")


class WhileLoop(Primitive):
    """Repeats `val = loop_func(val)` as long as `cond_func(val)` is True: `ops.WhileLoop()(cond_func, loop_func,
    init_val)`.

    Example:
        >>> print(ops.WhileLoop()(lambda x: x < 5, lambda x: x + 1, Tensor(0)))
        5
    """

    def __call__(self, cond_func: Callable, loop_func: Callable, init_val: Any):
        _check_function("WhileLoop", "cond_func", cond_func)
        _check_function("WhileLoop", "loop_func", loop_func)
        return resolve(_while)(cond_func, loop_func, init_val)


class ForiLoop(Primitive):
    """Repeats `val = loop_func(i, val)` for i from lower to upper: `ops.ForiLoop()(lower, upper, loop_func, init_val)`.

    Example:
        >>> print(ops.ForiLoop()(0, 4, lambda i, x: x + i, Tensor(0)))
        6
    """

    def __call__(self, lower: Any, upper: Any, loop_func: Callable, init_val: Any, unroll: bool = True):
        _check_function("ForiLoop", "loop_func", loop_func)
        for name, value in (("lower", lower), ("upper", upper)):
            if isinstance(value, (bool, float, str)):
                raise TypeError(f"For 'ForiLoop', the '{name}' must be an int, but got {type(value).__name__}.")
        return resolve(_count)(lower, upper, loop_func, init_val)


class Scan(Primitive):
    """Carries a value over the elements of xs: `carry, y = loop_func(carry, x)`; gives the last carry and all y.

    Called as `ops.Scan()(loop_func, init, xs, length=None)`; xs is a list, tuple or Tensor, or None with a length.

    Example:
        >>> total, seen = ops.Scan()(lambda c, x: (c + x, c), Tensor(0), [1, 2, 3])
        >>> int(total), [int(y) for y in seen]
        (6, [0, 1, 3])
    """

    def __call__(self, loop_func: Callable, init: Any, xs: Any, length: int | None = None, unroll: bool = True):
        _check_function("Scan", "loop_func", loop_func)
        if xs is None and length is None:
            raise ValueError("For 'Scan', the 'length' must be given when 'xs' is None.")
        count = len(xs) if length is None else length
        if xs is not None and len(xs) != count:
            raise ValueError(f"For 'Scan', the 'length' must be the length of 'xs', {len(xs)}, but got {length}.")
        fn, carry, found = resolve(loop_func), init, []
        for i in range(count):
            carry, y = fn(carry, None if xs is None else xs[i])
            found.append(y)
        return carry, found

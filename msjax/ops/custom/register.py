"""`msjax.register_op`: a function of JAX arrays becomes an operator."""

import functools
from collections.abc import Callable

from ...core.operators import faces
from ...core.operators import record as registry
from ...core.spec.checking import checked
from ...core.spec.rules import Like

__all__ = ["register_op"]


@checked
def register_op(fn: Callable | None = None, *, name: Like[str | None] = None, **options):
    """Make a pure JAX function an operator: it takes Tensors, has a gradient, is cached, compiled and traced like the others.

    Args:
        fn: function of jax arrays (and Python values) that returns arrays.
        name: name in `mindspore.ops`; by default that of `fn`.
        options: `prim`, `tensor`, `mint` faces, `residuals`, `dynamic`, `random`, `static`, `operands`, as in the records of `msjax.ops`.

    Returns:
        The operator as a function of Tensors; it is also found as `ops.<name>`.

    Raises:
        RuntimeError: an operator of that name exists.

    Example:
        >>> @msjax.register_op
        ... def cube(x):
        ...     return x**3
        >>> print(cube(Tensor([2.0])))
        [8.]
    """
    if fn is None:
        return functools.partial(register_op, name=name, **options)
    chosen = name or fn.__name__
    if chosen in registry.functions:
        raise RuntimeError(f"For 'register_op', the operator '{chosen}' exists already; choose another name.")
    known = set(registry.tensor_methods)
    registry.op(fn, name=chosen, **options)
    faces.attach_methods([n for n in registry.tensor_methods if n not in known])
    return functools.wraps(fn)(faces.function(registry.functions, chosen, "mindspore.ops"))

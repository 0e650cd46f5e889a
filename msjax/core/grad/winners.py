"""Gradients of largest and smallest elements that do not rest on one value being computed twice alike.

JAX gives a cotangent to the elements that equal the result. XLA computes a cheap operand once for the result and again for the comparison,
and may round it differently there (a product and a sum become one fused multiply-add): then no element equals the result, and the
gradient is lost. So the winners of a reduction are found and counted in an array that is written out, anew where no element equals the
result; of two operands of an elementwise maximum each other are compared, not the result; and the operands of a scattered maximum are
written out before it.
"""

import functools
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax import lax
from jax.custom_derivatives import SymbolicZero

from ..program.edited import in_its_place
from ..program.primitives import name_of
from ..settings.context import present_device

if TYPE_CHECKING:
    import jax.extend


def settled(x: jax.Array):
    """x, computed in a pass of its own: XLA's CPU compiler fuses no padding into its readers, and fuses through a mere barrier."""
    if not x.ndim:
        return settled(x[None])[0]
    last = x.ndim - 1
    return lax.slice_in_dim(
        lax.optimization_barrier(lax.pad(x, jnp.zeros((), x.dtype), [*[(0, 0, 0)] * last, (0, 1, 0)])),
        0,
        x.shape[last],
        axis=last,
    )


def winners(x: jax.Array, top: jax.Array, axes: tuple[int, ...], largest: bool):
    """(which elements are the largest, or smallest, along axes, as booleans; how many): those that equal `top`, which has length 1 along the axes.
    Where none does, though it is not NaN, they are found anew: there is always one.

    Example:
        >>> import jax.numpy as jnp
        >>> from msjax.core.grad.winners import winners
        >>> wins, count = winners(jnp.array([1.0, 3.0, 3.0]), jnp.array([3.0000002]), (0,), True)
        >>> print(wins, count)
        [False  True  True] [2.]
    """

    def counted(wins):
        return wins, jnp.sum(wins, axes, dtype=jnp.float32, keepdims=True)

    def anew(x, top, wins):
        first, best = _first(x, axes, largest)
        none = ~jnp.any(wins, axes, keepdims=True) & (top == top)
        return wins | none & ((x == best) | (_numbers(x.shape, axes) == first))

    def found(x, top):
        wins, count = counted(x == top)
        lost = jnp.any((count == 0) & (top == top))
        return lax.cond(lost, lambda *a: counted(anew(*a)), lambda x, top, wins: (wins, count), x, top, wins)

    if present_device() != "CPU":
        return counted(settled(anew(x, top, x == top)))
    # On the CPU finding a place takes five times as long as a maximum. Within a branch x is an array, which XLA does not compute twice.
    shape = jax.eval_shape(found, x, top)
    nothing = [jnp.zeros(s.shape, s.dtype) for s in shape]
    return lax.cond(jnp.any(top == top), found, lambda x, top: tuple(nothing), x, top)


def _numbers(shape, axes):
    """The number of each element among those along the axes."""
    numbers = jnp.zeros(shape, jnp.int32)
    for axis in axes:
        numbers = numbers * shape[axis] + lax.broadcasted_iota(jnp.int32, shape, axis)
    return numbers


def _before(ahead):
    """What `lax.reduce` keeps of two (element, number): the one that is ahead, of equal ones that with the lower number."""

    def kept(a, b):
        (x, i), (y, j) = a, b
        later = ahead(y, x) | (x == y) & (j < i)
        return jnp.where(later, y, x), jnp.where(later, j, i)

    return kept


# One function each, as programs are compared by the functions in them.
_LARGER, _SMALLER = _before(lax.gt), _before(lax.lt)


def _first(x, axes, largest):
    """(the number of the first of the largest elements along axes, that element), of one reduction."""
    start = jnp.array(-jnp.inf if largest else jnp.inf, x.dtype), jnp.int32(jnp.iinfo(jnp.int32).max)
    best, first = lax.reduce((x, _numbers(x.shape, axes)), start, _LARGER if largest else _SMALLER, axes)
    return jnp.expand_dims(first, axes), jnp.expand_dims(best, axes)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def _extreme(x, axes, largest):
    return (jnp.max if largest else jnp.min)(x, axes)


@_extreme.defjvp
def _extreme_jvp(axes, largest, primals, tangents):
    found, still = _extreme(*primals, axes, largest), lax.stop_gradient(primals[0])
    wins, count = winners(still, lax.stop_gradient(jnp.expand_dims(found, axes)), axes, largest)
    return found, jnp.sum(jnp.where(wins, tangents[0], 0), axes) / jnp.squeeze(count, axes).astype(found.dtype)


def _of_two(choose, name):
    @jax.custom_jvp
    def chosen(x, y):
        return choose(x, y)

    def chosen_jvp(primals, tangents):
        x, y = (lax.stop_gradient(p) for p in primals)
        half, none = jnp.array(0.5, x.dtype), jnp.array(0, x.dtype)  # of Python's numbers `where` makes 64 bits
        half = jnp.where(x == y, half, none)
        shares = (jnp.where(ahead, 1, half) for ahead in ((x > y, y > x) if name == "max" else (x < y, y < x)))
        moved = [t * share for t, share in zip(tangents, shares) if not isinstance(t, SymbolicZero)]
        return chosen(*primals), sum(moved[1:], moved[0]) if moved else tangents[0]

    chosen.defjvp(chosen_jvp, symbolic_zeros=True)
    return chosen


_TWO = {"max": _of_two(lax.max, "max"), "min": _of_two(lax.min, "min")}


def chosen_once(eqn: "jax.extend.core.JaxprEqn"):
    """The equations in the place of a maximum or minimum of floats, whose gradient then holds for every rounding. None for other equations.

    Example:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> from msjax.core.compat import jaxpr_as_fun
        >>> from msjax.core.program.edited import replaced
        >>> from msjax.core.grad.winners import chosen_once
        >>> x = jnp.array([1.0, 3.0, 3.0])
        >>> print(jax.vjp(jaxpr_as_fun(replaced(jax.make_jaxpr(jnp.max)(x), chosen_once)), x)[1]([1.0])[0])
        [0.  0.5 0.5]
    """
    name = name_of(eqn)
    if name not in ("max", "min", "reduce_max", "reduce_min", "scatter_max", "scatter_min"):
        return None
    out = eqn.outvars[0].aval
    if not jnp.issubdtype(out.dtype, jnp.floating):
        return None
    if name in _TWO:
        made = in_its_place(eqn, _TWO[name], eqn.invars)
    elif name.startswith("scatter"):
        once = lambda x, index, updates: eqn.primitive.bind(settled(x), index, settled(updates), **eqn.params)  # noqa: E731
        made = in_its_place(eqn, once, eqn.invars)
    else:
        axes = tuple(eqn.params["axes"])
        if not axes or 0 in eqn.invars[0].aval.shape:
            return None
        made = in_its_place(eqn, lambda x: _extreme(x, axes, name == "reduce_max"), eqn.invars)
    return [*made[:-1], made[-1].replace(outvars=eqn.outvars)]


__all__ = ["chosen_once", "settled", "winners"]

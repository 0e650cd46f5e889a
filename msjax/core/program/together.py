"""Arrays that a program wants as the rows of one, told by a call that outlives differentiation: its gradient comes in rows the same way.

Who runs the program may keep such arrays in one from the beginning (`folding.py`): then the call costs nothing.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax import lax

from ..compat import equation_as_fun, jaxpr_as_fun
from .counting import operations
from .interpreter import Interpreter
from .parts import called
from .primitives import name_of
from .sites import sites

if TYPE_CHECKING:
    import jax.extend

_NAME = "rows_together"


def rows_together(*arrays):
    return jnp.stack(arrays)


rows_together.__name__ = _NAME
_call = jax.jit(rows_together)


def together(arrays: Sequence):
    """Arrays of one shape as the rows of one.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.program.together import is_together, together
        >>> closed = jax.make_jaxpr(jax.grad(lambda rows: together(rows).sum()))([jnp.ones(2)] * 3)
        >>> [(len(e.invars), len(e.outvars)) for e in closed.eqns if is_together(e)]
        [(3, 1), (1, 3)]
    """
    return _call(*arrays)


def is_together(eqn: "jax.extend.core.JaxprEqn"):
    """Whether an equation makes one array of its rows, or takes it apart into them again."""
    return eqn.params.get("name") == _NAME and called(eqn) is not None and 1 in (len(eqn.invars), len(eqn.outvars))


def chosen_at_the_end(closed: "jax.extend.core.ClosedJaxpr"):
    """The closed jaxpr with both sides of its cheap choices computed, and then chosen: an update that may be left out (loss scaling).

    Within a choice nobody sees that equal updates are one update of a stack.
    """
    if not any(map(_cheap_choice, closed.jaxpr.eqns)):
        return closed
    inputs = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in closed.jaxpr.invars]
    return jax.make_jaxpr(lambda *arrays: _BothSides().run(closed, arrays))(*inputs)


class _BothSides(Interpreter):
    def equation(self, eqn, given, around):
        if not _cheap_choice(eqn):
            return equation_as_fun(eqn)(given)
        sides = [jaxpr_as_fun(branch)(*given[1:]) for branch in eqn.params["branches"]]
        return [
            side[0] if all(a is side[0] for a in side) else lax.select_n(given[0].astype(bool), *side)
            for side in zip(*sides)
        ]


def _cheap_choice(eqn):
    """Whether an equation chooses between two programs without products, loops and effects."""
    if name_of(eqn) != "cond" or len(eqn.params["branches"]) != 2 or eqn.effects:
        return False
    return all(
        not operations(branch)[1] and not any(site.name in ("while", "scan") for site in sites(branch))
        for branch in eqn.params["branches"]
    )

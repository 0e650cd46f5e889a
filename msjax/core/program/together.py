"""Arrays that a program wants as the rows of one, told by a call that outlives differentiation: its gradient comes in rows the same way.

Who runs the program may keep such arrays in one from the beginning (`folding.py`): then the call costs nothing.
"""

import jax
import jax.numpy as jnp

from .parts import called

_NAME = "rows_together"


def rows_together(*arrays):
    return jnp.stack(arrays)


rows_together.__name__ = _NAME
_call = jax.jit(rows_together)


def together(arrays):
    """Arrays of one shape as the rows of one.

    Example:
        >>> import jax, jax.numpy as jnp
        >>> from msjax.core.program.together import is_together, together
        >>> closed = jax.make_jaxpr(jax.grad(lambda rows: together(rows).sum()))([jnp.ones(2)] * 3)
        >>> [(len(e.invars), len(e.outvars)) for e in closed.eqns if is_together(e)]
        [(3, 1), (1, 3)]
    """
    return _call(*arrays)


def is_together(eqn):
    """Whether an equation makes one array of its rows, or takes it apart into them again."""
    return eqn.params.get("name") == _NAME and called(eqn) is not None and 1 in (len(eqn.invars), len(eqn.outvars))

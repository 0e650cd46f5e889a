"""Networks that score the last token alone when they are not trained, as nanoGPT does: `head(x[:, [-1], :])`.

Prompts are padded at their end, so the last place is not the last token. What such a network takes from the last place of all tokens
is found in the traced program, and is taken from the place of each row's own last token instead.
"""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from ..core.compat import evaluate_equation
from ..core.program.interpreter import Interpreter
from ..core.program.primitives import family_of, name_of
from .network import last_scores

if TYPE_CHECKING:
    import jax.extend

_FEW = 64  # elements of numbers that are computed while tracing: the places that a network takes


class Seen:
    """An array that depends on the tokens."""

    def __init__(self, array: jax.Array):
        self.array = array


def scored(function: Callable, values: Any, ids: jax.Array, places: jax.Array):
    """(scores (rows, vocabulary) float32 at `places`, the rest of what the function gives, whether it scores the last token alone).

    function: of (values, ids) that gives (scores, rest), pytrees of arrays. ids: (rows, width). places: (rows,). Within a trace.
    """
    rows, width = ids.shape
    scores, rest = function(values, ids)
    alone = width > 1 and scores.size == rows * scores.shape[-1]
    if alone:
        scores, rest = at_places(function, values, ids, places)
    return last_scores(scores, rows, width, places), rest, alone


def at_places(function: Callable, values: Any, ids: jax.Array, places: jax.Array):
    """`function(values, ids)`, in which the last of all tokens is the one at `places`; within a trace.

    function: gives a pytree of arrays. ids: (rows, width). places: (rows,).
    """
    program, out = jax.make_jaxpr(function, return_shape=True)(values, ids)
    found = _Last(ids.shape[1], places).run(program, [*jax.tree.leaves(values), Seen(ids)])
    return jax.tree.unflatten(jax.tree.structure(out), map(_plain, found))


class _Last(Interpreter):
    """Evaluates a network's program; `x[:, -1]` of an array (rows, width, ...) that depends on the tokens is `x[row, places[row]]`."""

    def __init__(self, width: int, places: jax.Array):
        self.width, self.places = width, places

    def enters(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        return family_of(name_of(eqn)) == "calls"

    def equation(self, eqn: "jax.extend.core.JaxprEqn", given: Sequence, around: Any):
        arrays = list(map(_plain, given))
        if not any(isinstance(value, Seen) for value in given):
            if _is_few(eqn) and not any(isinstance(a, jax.core.Tracer) for a in arrays):
                with jax.ensure_compile_time_eval():
                    return evaluate_equation(eqn, arrays)
            return evaluate_equation(eqn, arrays)
        if isinstance(given[0], Seen) and self._takes_last(eqn, arrays):
            outs = self._at_places(eqn, arrays)
        else:
            outs = evaluate_equation(eqn, arrays)
        return list(map(Seen, outs))

    def _takes_last(self, eqn, arrays):
        """Whether an equation takes the last token of each row, and nothing else of them."""
        shape, params = arrays[0].shape, eqn.params
        if len(shape) < 2 or shape[:2] != (len(self.places), self.width):
            return False
        if name_of(eqn) == "slice":
            return params["start_indices"][1] == self.width - 1
        if name_of(eqn) != "gather" or isinstance(arrays[1], jax.core.Tracer):
            return False
        numbers = params["dimension_numbers"]
        return (
            tuple(numbers.start_index_map) == (1,)
            and not numbers.operand_batching_dims
            and params["slice_sizes"][1] == 1
            and bool((np.asarray(arrays[1]) == self.width - 1).all())
        )

    def _at_places(self, eqn, arrays):
        array, *rest = arrays
        index = self.places.reshape(-1, *[1] * (array.ndim - 1))
        array = jnp.take_along_axis(array, index, axis=1)
        if rest:
            return evaluate_equation(eqn, [array, np.zeros_like(rest[0])])
        start, limit = (list(eqn.params[name]) for name in ("start_indices", "limit_indices"))
        start[1], limit[1] = 0, 1
        return evaluate_equation(eqn, [array], start_indices=tuple(start), limit_indices=tuple(limit))


def _plain(value):
    return value.array if isinstance(value, Seen) else value


def _is_few(eqn):
    return all(
        not jnp.issubdtype(v.aval.dtype, jnp.inexact) and math.prod(v.aval.shape) <= _FEW
        for v in (*eqn.invars, *eqn.outvars)
        if hasattr(v.aval, "dtype")
    )

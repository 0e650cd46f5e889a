"""Which dimension of each value in a program counts the rows of the batch, where no constraint of layout tells it.

Followed from the inputs as XLA's own propagation would go: through operations whose result has the dimension too. Nothing is said of others.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..core.compat import Literal
from ..core.program.parts import called, opened
from ..core.program.primitives import family_of, name_of

if TYPE_CHECKING:
    import jax.extend


def row_dimensions(jaxpr: "jax.extend.core.Jaxpr", known: "Mapping[jax.extend.core.Var, int]"):
    """{variable: its dimension} of a jaxpr and of the programs that it calls. known: those of its inputs.

    Example:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> from msjax.parallel.row_dimensions import row_dimensions
        >>> jaxpr = jax.make_jaxpr(lambda x, w: (x @ w).T)(jnp.ones((8, 4)), jnp.ones((4, 3))).jaxpr
        >>> row_dimensions(jaxpr, {jaxpr.invars[0]: 0})[jaxpr.outvars[0]]
        1
    """
    found = dict(known)
    _follow(jaxpr, found)
    return found


def _follow(jaxpr, known):
    for eqn in jaxpr.eqns:
        given = [None if isinstance(a, Literal) else known.get(a) for a in eqn.invars]
        if all(d is None for d in given):
            continue
        inner = called(eqn)
        if inner is not None:
            program, _ = opened(inner)
            known.update((v, d) for v, d in zip(program.invars, given) if d is not None)
            _follow(program, known)
            found = [None if isinstance(v, Literal) else known.get(v) for v in program.outvars]
        else:
            found = [_of_result(eqn, given, v.aval.shape) for v in eqn.outvars]
        known.update((v, d) for v, d in zip(eqn.outvars, found) if d is not None)


def _of_result(eqn, given, shape):
    name, params = name_of(eqn), eqn.params
    at = next(i for i, d in enumerate(given) if d is not None)
    d, operand = given[at], eqn.invars[at].aval.shape
    if name == "dot_general":
        return _of_product(params["dimension_numbers"], at, d, eqn.invars[0].aval.ndim)
    if name == "gather":
        rows = [i for i in range(len(shape)) if i not in params["dimension_numbers"].offset_dims]
        return rows[d] if at == 1 and d < len(rows) else None
    if name == "conv_general_dilated":
        numbers = params["dimension_numbers"]
        return numbers.out_spec[0] if at == 0 and d == numbers.lhs_spec[0] else None
    if name == "transpose":
        return params["permutation"].index(d)
    if name == "broadcast_in_dim":
        return params["broadcast_dimensions"][d]
    if name == "reshape":
        return _of_reshape(operand, shape, d) if params.get("dimensions") is None else None
    if name == "squeeze" or family_of(name) == "reducing":
        axes = params["dimensions" if name == "squeeze" else "axes"]
        return None if d in axes else d - sum(1 for axis in axes if axis < d)
    if name in ("slice", "dynamic_slice", "pad", "concatenate", "split") or family_of(name) in (
        "elementwise", "placing", "cumulative", "ordering",
    ):  # fmt: skip
        return d if d < len(shape) and len(operand) == len(shape) else None
    return None


def _of_product(numbers, at, d, left):
    (contracted, batch) = (numbers[0][at], numbers[1][at])
    if d in contracted:
        return None
    if d in batch:
        return list(batch).index(d)
    free = d - sum(1 for axis in (*contracted, *batch) if axis < d)
    return len(batch) + free + (left - len(batch) - len(numbers[0][0]) if at else 0)


def _of_reshape(operand, shape, d):
    """The dimension that begins where it did: with the rows, or a part of them, or with what follows them as well."""
    before = math.prod(operand[:d])
    for e, size in enumerate(shape):
        if math.prod(shape[:e]) == before and size > 1 and (size % operand[d] == 0 or operand[d] % size == 0):
            return e
    return None

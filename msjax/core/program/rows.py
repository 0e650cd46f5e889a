"""Products of flattened rows as products of the arrays themselves: MindSpore's layers reshape (batch, length, width) to rows and back.

The reshapes cost nothing by themselves, but XLA moves casts and sums over them and then computes and keeps what it would have fused. So
where rows become the array again, products, casts, constraints of layout and what is computed element by element between the two reshapes
work on the array itself, and neither reshape is an equation.
"""

import math
from typing import TYPE_CHECKING

import jax
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from ..compat import Literal, Variable, equation_as_fun
from .interpreter import Interpreter
from .parts import called, opened, parts
from .primitives import family_of, name_of

if TYPE_CHECKING:
    import jax.extend

_ENTERED = ("checkpoint",)  # calls whose programs are written again


def of_arrays(closed: "jax.extend.core.ClosedJaxpr"):
    """The closed jaxpr with one product of arrays in place of the products of their rows; unchanged if it has no such products.

    Example:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> from msjax.core.program.rows import of_arrays
        >>> def layer(x, w):
        ...     return (x.reshape(-1, x.shape[-1]) @ w).reshape(*x.shape[:-1], w.shape[-1])
        >>> before = jax.make_jaxpr(layer)(jnp.ones((2, 3, 4)), jnp.ones((4, 5)))
        >>> [eqn.primitive.name for eqn in of_arrays(before).jaxpr.eqns]
        ['dot_general']
    """
    if not _has_rows(closed):
        return closed
    return _written(closed)


def _written(program):
    jaxpr, _ = opened(program)
    shapes = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in jaxpr.invars]
    interpreter = _OfArrays()
    return jax.make_jaxpr(lambda *given: list(map(interpreter.whole, interpreter.run(program, given))))(*shapes)


def _has_rows(program):
    """Whether a product takes rows somewhere in a program that become the array again."""
    jaxpr, _ = opened(program)
    if any(name_of(e) in _ENTERED and any(_has_rows(part.jaxpr) for part in parts(e)) for e in jaxpr.eqns):
        return True
    flattened = any(
        name_of(e) == "reshape" and _flattens(e.invars[0].aval.shape, e.outvars[0].aval.shape) for e in jaxpr.eqns
    )
    again = _again(jaxpr) if flattened else {}
    return any(name_of(e) == "dot_general" and again.get(_variable(e.invars[0])) for e in jaxpr.eqns)


def _again(jaxpr):
    """{variable: the leading axes that a later reshape restores}, through products and elementwise operations."""
    found = {}
    for eqn in reversed(jaxpr.eqns):
        name, rows = name_of(eqn), eqn.invars[0] if eqn.invars else None
        if name == "reshape" and _flattens(eqn.outvars[0].aval.shape, rows.aval.shape):
            kept = len(rows.aval.shape) - 1
            found.setdefault(_variable(rows), set()).add(eqn.outvars[0].aval.shape[:-kept])
            continue
        wanted = found.get(eqn.outvars[0]) if len(eqn.outvars) == 1 else None
        if wanted:
            through = name in ("dot_general", "sharding_constraint") or family_of(name) == "elementwise"
            for atom in eqn.invars[: 1 if name == "dot_general" else None] if through else ():
                found.setdefault(_variable(atom), set()).update(wanted)
    return found


def _variable(atom):
    return None if isinstance(atom, Literal) else atom


def _flattens(before, after):
    """Whether a reshape makes the first axis of several, and leaves the others."""
    kept = len(after) - 1
    return 0 < kept < len(before) - 1 and before[len(before) - kept :] == after[1:] and 0 not in before


class _Rows:
    """An array (several axes, *rest) in the place of its rows (one axis, *rest), and the equation that made rows of it."""

    def __init__(self, array, kept, reshape):
        self.array, self.first, self.reshape = array, array.shape[: array.ndim - kept], reshape

    @property
    def shape(self):
        return (math.prod(self.first), *self.array.shape[len(self.first) :])

    @property
    def more(self):
        """The number of axes beyond those of the rows."""
        return len(self.first) - 1


class _OfArrays(Interpreter):
    def run(self, program, given, around="", wanted=None):
        self.again = _again(opened(program)[0])
        return super().run(program, given, around, wanted)

    def equation(self, eqn, given, around):
        name, made = name_of(eqn), None
        if name == "reshape" and eqn.params.get("dimensions") is None:
            made = self._reshaped(eqn, given[0], eqn.outvars[0].aval.shape)
        elif name in _ENTERED and called(eqn) is not None and _has_rows(called(eqn)):
            return self._with_program(eqn, [self.whole(v, eqn) for v in given])
        elif self._stays(eqn, given):
            if name == "dot_general":
                made = self._product(eqn, given)
            elif name == "sharding_constraint":
                made = self._placed(eqn, given[0])
            elif family_of(name) == "elementwise":
                made = self._elementwise(eqn, given)
        return self._bound(eqn, [self.whole(v, eqn) for v in given]) if made is None else [made]

    def _stays(self, eqn, given):
        """Whether a later equation restores the leading axes of an equation's rows."""
        first = next((v.first for v in given if isinstance(v, _Rows)), None)
        return first is not None and len(eqn.outvars) == 1 and first in self.again.get(eqn.outvars[0], ())

    def _reshaped(self, eqn, value, shape):
        if isinstance(value, _Rows):
            return value.array if value.array.shape == shape else None
        if not _flattens(value.shape, shape) or value.shape[: 1 - len(shape)] not in self.again.get(eqn.outvars[0], ()):
            return None
        return _Rows(value, len(shape) - 1, eqn)

    def whole(self, value, user=None):
        """Insert the equations that make the rows, just before the equation that reads them."""
        if not isinstance(value, _Rows):
            return value
        reshape = value.reshape if user is None else value.reshape.replace(source_info=user.source_info)
        return self._of_values(reshape, [value.array], new_sizes=value.shape)

    def _bound(self, eqn, values):
        return equation_as_fun(eqn)(values)

    def _of_values(self, eqn, values, **params):
        """The one output of an equation on other values, and with other parameters."""
        variables = [Variable(jax.typeof(v)) for v in values]
        return self._bound(eqn.replace(invars=variables, params={**eqn.params, **params}), values)[0]

    def _with_program(self, eqn, values):
        inner = _written(called(eqn))
        if inner.consts:
            return self._bound(eqn, values)
        return self._bound(eqn.replace(params={**eqn.params, "jaxpr": inner.jaxpr}), values)

    def _product(self, eqn, given):
        rows, other = given
        (left, right), (batch, _) = eqn.params["dimension_numbers"]
        if not isinstance(rows, _Rows) or batch or 0 in left or eqn.params.get("out_sharding") is not None:
            return None
        numbers = (tuple(axis + rows.more for axis in left), right), ((), ())
        out = self._of_values(eqn, [rows.array, self.whole(other, eqn)], dimension_numbers=numbers)
        return _Rows(out, out.ndim - len(rows.first), rows.reshape)

    def _placed(self, eqn, rows):
        sharding = eqn.params["sharding"]
        if not isinstance(sharding, NamedSharding) or eqn.params.get("unconstrained_dims") not in (
            None,
            (),
            frozenset(),
        ):
            return None
        spec = [*sharding.spec, *[None] * (len(rows.shape) - len(sharding.spec))]
        names = (spec[0],) if isinstance(spec[0], str) else spec[0] or ()
        if rows.first[0] % math.prod(sharding.mesh.shape[n] for n in names):
            return None
        spec = PartitionSpec(spec[0], *[None] * rows.more, *spec[1:])
        out = self._of_values(eqn, [rows.array], sharding=NamedSharding(sharding.mesh, spec))
        return _Rows(out, len(rows.shape) - 1, rows.reshape)

    def _elementwise(self, eqn, given):
        rows = next(v for v in given if isinstance(v, _Rows))
        values = []
        for value in given:
            if isinstance(value, _Rows):
                if value.first != rows.first:
                    return None
                values.append(value.array)
            elif not np.ndim(value):
                values.append(value)
            elif value.shape == rows.shape:
                values.append(self._of_values(rows.reshape, [value], new_sizes=rows.array.shape))
            elif value.shape[0] == 1:  # it is repeated for each row
                values.append(
                    self._of_values(rows.reshape, [value], new_sizes=(*[1] * len(rows.first), *value.shape[1:]))
                )
            else:
                return None
        return _Rows(self._of_values(eqn, values), len(rows.shape) - 1, rows.reshape)


__all__ = ["of_arrays"]

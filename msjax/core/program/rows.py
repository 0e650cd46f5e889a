"""Products of flattened rows as products of the arrays themselves: MindSpore's layers reshape (batch, length, width) to rows and back.

The reshapes cost nothing by themselves, but XLA moves casts and sums over them and then computes and keeps what it would have fused. So
where rows become the array again, products, casts, constraints of layout and what is computed element by element between the two reshapes
work on the array itself, and neither reshape is an equation.

A product whose rows never become the array again, as those of logits of which a loss is made, is copied where XLA lays it out with its words
before its tokens, which rows cannot be. So where each row is computed alone until one number of it is left, that is done on the array too.
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
    return any(name_of(e) == "dot_general" and again.get(_variable(e.invars[0])) for e in jaxpr.eqns) or bool(
        flattened and _ending(jaxpr, _mixed(jaxpr))
    )


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
            through = name in ("dot_general", "sharding_constraint") or _by_element(eqn)
            for atom in eqn.invars[: 1 if name == "dot_general" else None] if through else ():
                found.setdefault(_variable(atom), set()).update(wanted)
    return found


def _variable(atom):
    return None if isinstance(atom, Literal) else atom


def _by_element(eqn):
    """Whether each element of the result is made of those in its place: an operation, or a call of some (`jnp.where`), with numbers."""
    name = name_of(eqn)
    return family_of(name) == "elementwise" or name == "jit" and _consists_of(_by_element, eqn)


def _by_row(eqn):
    """Whether each row of the result is made of those in its place."""
    name, params = name_of(eqn), eqn.params
    if name == "broadcast_in_dim":
        before, kept = eqn.invars[0].aval.shape, params["broadcast_dimensions"]
        return bool(kept) and kept[0] == 0 and before[0] == params["shape"][0]
    if family_of(name) == "reducing" and "axes" in params:
        return 0 not in params["axes"]
    return name in ("sharding_constraint", "jit") and (name != "jit" or _consists_of(_by_row, eqn)) or _by_element(eqn)


def _consists_of(kind, eqn):
    """Whether an equation calls a program of equations of a kind, each with one result, and of numbers that are repeated."""
    program = called(eqn)
    jaxpr, constants = opened(program) if program is not None else (None, ())
    return (
        program is not None
        and not constants
        and len(jaxpr.outvars) == 1
        and not isinstance(jaxpr.outvars[0], Literal)
        and all(
            len(e.outvars) == 1 and (kind(e) or name_of(e) == "broadcast_in_dim" and not e.invars[0].aval.shape)
            for e in jaxpr.eqns
        )
    )


def _mixed(jaxpr):
    """The variables of more than a number a row that something else reads than what computes each row alone, until a number of it is left."""
    mixed = {_variable(v) for v in jaxpr.outvars if not _is_small(v)}
    for eqn in reversed(jaxpr.eqns):
        alone = len(eqn.outvars) == 1 and eqn.outvars[0] not in mixed and _by_row(eqn)
        if not alone and not (
            name_of(eqn) == "reshape" and _flattens(eqn.outvars[0].aval.shape, eqn.invars[0].aval.shape)
        ):
            mixed.update(_variable(v) for v in eqn.invars if not _is_small(v))
    return mixed


def _is_small(variable):
    """Whether it is a number for each row, or for all."""
    return math.prod(variable.aval.shape[1:]) == 1


def _ending(jaxpr, mixed):
    """{number of rows: (the leading axes, the equation)} of the products that are made rows, each of which is computed alone from there on."""
    made, found = set(), {}
    for eqn in jaxpr.eqns:
        name, of_product = name_of(eqn), any(_variable(v) in made for v in eqn.invars)
        if name == "dot_general" or of_product and (name in ("reshape", "sharding_constraint") or _by_element(eqn)):
            made.update(eqn.outvars)
        if name == "reshape" and of_product and eqn.outvars[0] not in mixed and not _is_small(eqn.outvars[0]):
            before, after = eqn.invars[0].aval.shape, eqn.outvars[0].aval.shape
            if _flattens(before, after):
                found.setdefault(after[0], (before[: 1 - len(after)], eqn))
    return found


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
        jaxpr, _ = opened(program)
        self.again, self.mixed = _again(jaxpr), _mixed(jaxpr)
        self.ending = _ending(jaxpr, self.mixed)
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
            elif _by_row(eqn):
                made = self._by_row(eqn, given)
        elif name == "iota" and eqn.params["dimension"] and eqn.outvars[0] not in self.mixed:
            made = self._counted(eqn)
        return self._bound(eqn, [self.whole(v, eqn) for v in given]) if made is None else [made]

    def _stays(self, eqn, given):
        """Whether a later equation restores the leading axes of an equation's rows, or each is computed alone from there on."""
        first = next((v.first for v in given if isinstance(v, _Rows)), None)
        if first is None or len(eqn.outvars) != 1:
            return False
        return first in self.again.get(eqn.outvars[0], ()) or eqn.outvars[0] not in self.mixed

    def _reshaped(self, eqn, value, shape):
        if isinstance(value, _Rows):
            return value.array if value.array.shape == shape else None
        if _flattens(value.shape, shape) and value.shape[: 1 - len(shape)] in self.again.get(eqn.outvars[0], ()):
            return _Rows(value, len(shape) - 1, eqn)
        first, reshape = self.ending.get(shape[0] if shape else None, ((), None))
        if not first or value.shape[: len(first)] != first or eqn.outvars[0] in self.mixed:
            return None
        whole = (*first, *shape[1:])  # labels (rows, 1) have an axis more than their array
        array = value if value.shape == whole else self._of_values(eqn, [value], new_sizes=whole)
        return _Rows(array, len(shape) - 1, reshape)

    def _counted(self, eqn):
        """Numbers that count along another axis than that of the rows."""
        first, reshape = self.ending.get(eqn.params["shape"][0], ((), None))
        if not first:
            return None
        shape, more = (*first, *eqn.params["shape"][1:]), len(first) - 1
        array = self._of_values(eqn, [], shape=shape, dimension=eqn.params["dimension"] + more)
        return _Rows(array, len(shape) - len(first), reshape)

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
        sharding, free = eqn.params["sharding"], eqn.params.get("unconstrained_dims") or ()
        if not isinstance(sharding, NamedSharding) or 0 in free:
            return None
        spec = [*sharding.spec, *[None] * (len(rows.shape) - len(sharding.spec))]
        names = (spec[0],) if isinstance(spec[0], str) else spec[0] or ()
        if rows.first[0] % math.prod(sharding.mesh.shape[n] for n in names):
            return None
        spec = PartitionSpec(spec[0], *[None] * rows.more, *spec[1:])
        params = {"unconstrained_dims": type(free)(axis + rows.more for axis in free)} if free else {}
        out = self._of_values(eqn, [rows.array], sharding=NamedSharding(sharding.mesh, spec), **params)
        return _Rows(out, len(rows.shape) - 1, rows.reshape)

    def _by_row(self, eqn, given):
        """The result of an equation that makes each row of those in its place; None where the array's cannot."""
        name, rows = name_of(eqn), next((v for v in given if isinstance(v, _Rows)), None)
        if rows is None:
            return self._bound(eqn, given)[0]
        if name == "jit":
            return self._call(eqn, given)
        if name == "sharding_constraint":
            return self._placed(eqn, rows)
        more, params = rows.more, eqn.params
        if name == "broadcast_in_dim":
            axes = (*range(more), *(axis + more for axis in params["broadcast_dimensions"]))
            shape = (*rows.first, *params["shape"][1:])
            array = self._of_values(eqn, [rows.array], shape=shape, broadcast_dimensions=axes)
        elif family_of(name) == "reducing":
            array = self._of_values(eqn, [rows.array], axes=tuple(axis + more for axis in params["axes"]))
        else:
            return self._elementwise(eqn, given, rows)
        return _Rows(array, array.ndim - len(rows.first), rows.reshape)

    def _elementwise(self, eqn, given, rows):
        values = []
        for value in given:
            if isinstance(value, _Rows):
                if value.first != rows.first:
                    return None
                values.append(value.array)
            elif not np.ndim(value):
                values.append(value)
            elif value.shape[0] in (1, rows.shape[0]):  # it is repeated for each row, or has as many
                first = rows.first if value.shape[0] > 1 else [1] * len(rows.first)
                # in the scope of this equation: a part of the batch, a stage
                reshape = rows.reshape.replace(source_info=eqn.source_info)
                values.append(self._of_values(reshape, [value], new_sizes=(*first, *value.shape[1:])))
            else:
                return None
        array = self._of_values(eqn, values)
        return _Rows(array, array.ndim - len(rows.first), rows.reshape)

    def _call(self, eqn, given):
        """The result of a call of such equations: of these, in the scope and the line of the call."""
        jaxpr, _ = opened(called(eqn))
        known = dict(zip(jaxpr.invars, given))
        for inner in jaxpr.eqns:
            inner = inner.replace(source_info=eqn.source_info)
            made = self._by_row(inner, [a.val if isinstance(a, Literal) else known[a] for a in inner.invars])
            if made is None:
                return None
            known[inner.outvars[0]] = made
        return known[jaxpr.outvars[0]]


__all__ = ["of_arrays"]

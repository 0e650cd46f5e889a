"""Gradients of tables lie as the optimizer's state does that they are added to, where that moves less.

XLA adds up the rows of a table on each device, over all devices, which moves each sum twice, and cuts the sums afterwards. Where the rows that a
step looks up are fewer, it is less to send the rows to where their parts of the state are, in half precision if they were cast. So what an
equation computes element by element with the state gets a constraint with the state's layout where it is scattered. Products need none: XLA sums
them into parts.
At ZeRO's level 2 all gradients get one, so that none is kept whole, whatever stands between it and the state.
"""

import math
from typing import Any

import jax
from jax.sharding import NamedSharding, PartitionSpec

from ..core.compat import Variable
from ..core.program.edited import edited
from ..core.program.links import Links, variables
from ..core.program.parts import without_calls
from ..core.program.primitives import family_of, name_of


def as_state(closed: Any, state: Any, all_gradients: bool = False):
    """A closed jaxpr whose gradients of tables, or all, lie as the optimizer's state; itself where there is nothing to say.

    state: {number of an input: (its sharding, into how many parts its weight is split)}.
    """
    jaxpr = closed.jaxpr
    of_state = {jaxpr.invars[number]: told for number, told in state.items()}
    links = Links(jaxpr)
    wanted, passed = {}, {}
    for eqn in jaxpr.eqns:
        if not _elementwise(eqn):
            continue
        taken = variables(eqn.invars)
        known = next((v for v in taken if v in of_state), None)
        if known is None:
            continue
        (sharding, parts), shape = of_state[known], known.aval.shape
        for v in taken:
            if v not in of_state and v in links.made and v.aval.shape == shape and _computed(links.equation(v)):
                source = _source(v, links, found := [])
                if source is None:
                    continue
                less = _moves_less(links.equation(source), sharding, parts)
                if less or all_gradients:
                    passed.update((constrained, sharding) for constrained in found if constrained not in passed)
                    wanted.setdefault(source, sharding)
                if less:
                    wanted.update(_before_cast(links.equation(source), links, sharding))
        of_state.update((v, of_state[known]) for v in eqn.outvars if v.aval.shape == shape)
    if not wanted:
        return closed

    def laid(eqn):
        if eqn.outvars and eqn.outvars[0] in passed:  # the layout of the weight, which its gradient would get whole
            eqn = eqn.replace(params=_constraint(eqn.outvars[0].aval, passed[eqn.outvars[0]]).params)
        before = {v: Variable(v.aval) for v in eqn.outvars if v in wanted}
        if not before:
            return [eqn]
        placed = [
            _constraint(v.aval, wanted[v]).replace(invars=[whole], outvars=[v], source_info=eqn.source_info)
            for v, whole in before.items()
        ]
        return [eqn.replace(outvars=[before.get(v, v) for v in eqn.outvars]), *placed]

    return edited(closed, laid)


def number_of_parts(sharding: Any, axis: int | None = None):
    """Into how many parts a NamedSharding splits an array, or one axis of it."""
    spec = sharding.spec if axis is None else sharding.spec[axis : axis + 1]
    names = [(n,) if isinstance(n, str) else n or () for n in spec]
    return math.prod(sharding.mesh.shape[n] for axes in names for n in axes)


def _moves_less(eqn, sharding, parts):
    """Whether a device takes fewer elements of rows, all of them but only its part of their last axis, than twice the part of the table that it
    would add up. As bytes to and from memory it is the same, whatever the dtype: rows that are sent in half precision are cast apart.
    """
    if name_of(eqn) != "scatter_add":
        return False
    table, rows = eqn.invars[0].aval, eqn.invars[2].aval
    return rows.size / number_of_parts(sharding, table.ndim - 1) < 2 * table.size / parts


def _as_cast(rows, links):
    """The variable that rows were cast from, if that made them wider."""
    eqn = links.equation(rows)
    narrower = eqn is not None and name_of(eqn) == "convert_element_type" and eqn.invars[0].aval.dtype.itemsize
    return eqn.invars[0] if narrower and narrower < rows.aval.dtype.itemsize else rows


def _before_cast(eqn, links, sharding):
    """{variable: layout} for rows that would be sent as they were cast: whole, but for the last axis, which lies as that of the state."""
    if name_of(eqn) != "scatter_add":
        return {}
    rows = _as_cast(eqn.invars[2], links)
    if rows is eqn.invars[2] or rows not in links.made:
        return {}
    last = [*sharding.spec, *[None] * eqn.outvars[0].aval.ndim][eqn.outvars[0].aval.ndim - 1]
    spec = PartitionSpec(*[None] * (rows.aval.ndim - 1), last)
    return {rows: NamedSharding(sharding.mesh, spec)}


def _source(variable, links, passed, depth=16):
    """The one array of the same shape that one is computed from element by element, beside inputs of the program; itself if there are several.

    None: inputs alone. passed: takes the outputs of the constraints of layout on the way.
    """
    eqn = links.equation(variable)
    if eqn is None:
        return None
    constraint = name_of(eqn) == "sharding_constraint"
    if not depth or not (constraint or _elementwise(eqn)):
        return variable
    alike = {v for v in variables(eqn.invars) if v.aval.shape == variable.aval.shape}
    if not alike:
        return None if not _computed(eqn) else variable
    on_the_way = [variable] if constraint else []
    found = {_source(a, links, on_the_way, depth - 1) for a in alike} - {None}
    if len(found) > 1:
        return variable
    passed.extend(on_the_way)
    return found.pop() if found else None


def _elementwise(eqn):
    return all(family_of(name_of(e)) == "elementwise" or name_of(e) == "broadcast_in_dim" for e in without_calls(eqn))


def _computed(eqn):
    """Whether an array is computed, not one number that is repeated."""
    return family_of(name_of(eqn)) != "making" and any(v.aval.size > 1 for v in variables(eqn.invars))


def _constraint(aval, sharding):
    def place(x):
        return jax.lax.with_sharding_constraint(x, sharding)

    return jax.make_jaxpr(place)(jax.ShapeDtypeStruct(aval.shape, aval.dtype)).jaxpr.eqns[0]

"""Convolutions that are padded at both ends and cut at one, as causal ones are written: they do not compute what is cut.

XLA leaves a slice of a convolution where it stands, and on a TPU the longer array is copied.
"""

from collections import Counter
from typing import TYPE_CHECKING

from ..compat import Literal, Variable
from .edited import edited, with_parameters
from .parts import opened
from .primitives import family_of, name_of

if TYPE_CHECKING:
    import jax
    import jax.extend

_ENTERED = ("checkpoint", "jit")  # calls whose programs are written again


def of_padding(program: "jax.extend.core.ClosedJaxpr | jax.extend.core.Jaxpr"):
    """The program with less padding in the place of what slices cut from convolutions; itself if nothing is cut so.

    Example:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> from msjax.core.program.cuts import of_padding
        >>> def causal(x, w):
        ...     return jax.lax.conv_general_dilated(x, w, (1,), [(2, 2)])[..., :-2]
        >>> before = jax.make_jaxpr(causal)(jnp.ones((1, 4, 8)), jnp.ones((4, 4, 3)))
        >>> [eqn.primitive.name for eqn in of_padding(before).jaxpr.eqns]
        ['conv_general_dilated']
    """
    jaxpr, _ = opened(program)
    names = {name_of(eqn) for eqn in jaxpr.eqns}
    if names.isdisjoint(_ENTERED) and not {"conv_general_dilated", "slice"} <= names:
        return program
    made = {}  # {id of an equation: those in its place}
    for eqn in jaxpr.eqns:
        if name_of(eqn) in _ENTERED:
            new = with_parameters(eqn, of_padding, lambda value: value)
            if any(new.params[name] is not value for name, value in eqn.params.items()):
                made[id(eqn)] = [new]
    makers = {variable: eqn for eqn in jaxpr.eqns for variable in eqn.outvars}
    uses = Counter(v for eqn in jaxpr.eqns for v in eqn.invars if not isinstance(v, Literal))
    uses.update(v for v in jaxpr.outvars if not isinstance(v, Literal))
    for eqn in jaxpr.eqns:
        if name_of(eqn) == "slice":
            made.update(_cut(eqn, makers, uses))
    return edited(program, lambda eqn: made.get(id(eqn), [eqn])) if made else program


def _cut(cut, makers, uses):
    """{id of an equation: those in its place} without this slice, from the convolution on; {} if it cuts something else."""
    starts, limits = cut.params["start_indices"], cut.params["limit_indices"]
    ends = [(first, size - last) for first, last, size in zip(starts, limits, cut.invars[0].aval.shape)]
    if set(cut.params["strides"] or ()) > {1} or not any(map(any, ends)):
        return {}
    made, variable, new = {id(cut): []}, cut.invars[0], cut.outvars[0]
    while not isinstance(variable, Literal) and uses[variable] == 1 and variable in makers:
        eqn = makers[variable]
        if id(eqn) in made or len(eqn.outvars) > 1:
            return {}
        name = name_of(eqn)
        if name == "conv_general_dilated":
            padding = _padding(eqn, ends)
            if padding is None:
                return {}
            return {**made, id(eqn): [eqn.replace(outvars=[new], params={**eqn.params, "padding": padding})]}
        place = _cut_operand(eqn, ends)
        if place is None:
            return {}
        if name == "squeeze":
            for axis in sorted(eqn.params["dimensions"]):
                ends.insert(axis, (0, 0))
        variable = eqn.invars[place]
        shape = tuple(size - sum(cut) for size, cut in zip(variable.aval.shape, ends))
        inner = Variable(variable.aval.update(shape=shape))
        atoms = [inner if i == place else atom for i, atom in enumerate(eqn.invars)]
        made[id(eqn)] = [eqn.replace(invars=atoms, outvars=[new])]
        new = inner
    return {}


def _cut_operand(eqn, ends):
    """The number of the operand that may be cut in the place of the result; None if there is not exactly one."""
    if name_of(eqn) == "squeeze":
        return 0
    if family_of(name_of(eqn)) != "elementwise":
        return None
    cut = [
        i for i, atom in enumerate(eqn.invars) if any(size > 1 and any(end) for size, end in zip(atom.aval.shape, ends))
    ]
    return cut[0] if len(cut) == 1 else None


def _padding(eqn, ends):
    """The padding of a convolution without these ends of its result; None if more is cut than it has."""
    params, (batch, feature, *axes) = eqn.params, eqn.params["dimension_numbers"].out_spec
    if any(ends[batch]) or any(ends[feature]):
        return None
    cuts = [
        (first * step, last * step) for (first, last), step in zip([ends[a] for a in axes], params["window_strides"])
    ]
    less = tuple((low - first, high - last) for (low, high), (first, last) in zip(params["padding"], cuts))
    return less if min(map(min, less)) >= 0 else None


__all__ = ["of_padding"]

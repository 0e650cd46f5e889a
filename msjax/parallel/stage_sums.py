"""Gradients of weights over several parts of a batch, summed over devices once a step.

Each device computes some rows of a part, so the gradient of a weight is a sum over devices. XLA makes that sum for each part: in each tick
of a pipeline's loop, or behind each part of a `GradAccumulationCell`. Here a product takes the weight as one copy for each share of the
rows; the copies lie where the shares are computed, so they cost nothing. The gradient of the copies is summed over the parts without a
word between devices, and that of the weight is their sum, behind all parts.
"""

import dataclasses
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import jax
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from ..core.compat import Literal, equation_as_fun
from ..core.program.interpreter import Interpreter
from ..core.program.parts import called, parts
from ..core.program.primitives import family_of, name_of
from .row_dimensions import row_dimensions

if TYPE_CHECKING:
    import jax.extend

_FREE = PartitionSpec.UNCONSTRAINED
_ON_THE_WAY = frozenset(("convert_element_type", "transpose", "reshape", "squeeze", "copy", "sharding_constraint"))
_CALLS = frozenset(("jit", "closed_call", "call"))  # without a rule of derivatives
_LAID_ALIKE = frozenset(("convert_element_type", "copy"))  # the result is laid like the operand


@dataclasses.dataclass(frozen=True)
class Shares:
    """How the rows of a product are split over devices: the dimensions of the operand that are, and over which axes of a mesh each is."""

    mesh: Mesh
    axes: tuple[tuple[int, tuple[str, ...]], ...]

    @property
    def counts(self):
        """How many shares each of the dimensions has."""
        return tuple(math.prod(self.mesh.shape[a] for a in axes) for _, axes in self.axes)

    def copies(self, array: jax.Array, at: int):
        """An array with a copy for each share, as dimensions before dimension `at`."""
        counts = self.counts
        shape = (*array.shape[:at], *counts, *array.shape[at:])
        made = lax.broadcast_in_dim(array, shape, [*range(at), *range(at + len(counts), len(shape))])
        return self._laid(made, range(at, at + len(counts)))

    def product(self, eqn: "jax.extend.core.JaxprEqn", rows: jax.Array, copies: jax.Array):
        """The result of a product of rows and a weight, from its copies."""
        shape, places, own = self._divided(rows.shape)
        rows = self._laid(rows.reshape(shape), own)
        (contracted, of_copies), _ = eqn.params["dimension_numbers"]
        numbers = (
            (tuple(places[d] for d in contracted), tuple(d + len(own) for d in of_copies)),
            (tuple(own), tuple(range(len(own)))),
        )
        (made,) = equation_as_fun(eqn.replace(params={**eqn.params, "dimension_numbers": numbers}))([rows, copies])
        # the shares are in front: each goes before the rest of its dimension
        order, free = [], [d for d in range(len(places)) if d not in contracted]
        for at, d in enumerate(free):
            order += [i for i, (split, _) in enumerate(self.axes) if split == d]
            order.append(len(own) + at)
        order += range(len(order), made.ndim)
        made = self._laid(made.transpose(order), [order.index(i) for i in range(len(own))])
        return made.reshape(eqn.outvars[0].aval.shape)

    def lookup(self, eqn: "jax.extend.core.JaxprEqn", copies: jax.Array, indices: jax.Array):
        """The result of `gather` from a weight, from its copies."""
        whole, own = eqn.outvars[0].aval.shape, eqn.params["dimension_numbers"].offset_dims
        rows = [d for d in range(len(whole)) if d not in own]  # of the result; in this order those of the indices
        of_indices = dataclasses.replace(self, axes=tuple((rows.index(d), axes) for d, axes in self.axes))
        shape, _, places = of_indices._divided(indices.shape)
        indices = of_indices._laid(indices.reshape(shape), places)
        _, _, behind = self._divided(whole)
        look = lambda array, at: equation_as_fun(eqn)([array, at])[0]  # noqa: E731
        for i in reversed(range(len(places))):  # the first one is outermost: the others do not see its dimension
            look = jax.vmap(look, (0, places[i] - i), behind[i] - i)
        return self._laid(look(copies, indices), behind).reshape(whole)

    def spread(self, copies: jax.Array, whole: Sequence[int], dimensions: Sequence[int]):
        """A weight spread to a whole shape (`dimensions`: the places of its own there), from its copies."""
        shape, places, own = self._divided(whole)
        into = [*own, *(places[d] for d in dimensions)]
        order = sorted(range(len(into)), key=into.__getitem__)
        made = lax.broadcast_in_dim(copies.transpose(order), shape, sorted(into))
        return self._laid(made, own).reshape(whole)

    def _divided(self, shape):
        """(a shape whose split dimensions are two: shares, and rows of each; the places of its dimensions there, and of the shares)"""
        counts, divided, places, own = dict(zip([d for d, _ in self.axes], self.counts)), [], [], []
        for d, size in enumerate(shape):
            if d in counts:
                own.append(len(divided))
                divided.append(counts[d])
            places.append(len(divided))
            divided.append(size // counts.get(d, 1))
        return divided, places, own

    def _laid(self, array, own):
        """An array whose dimensions `own` are the shares."""
        spec = [_FREE] * array.ndim
        for d, (_, axes) in zip(own, self.axes):
            spec[d] = axes
        return lax.with_sharding_constraint(array, NamedSharding(self.mesh, PartitionSpec(*spec)))


class Sums:
    """A program some of whose inputs, the weights, can be given as copies.

    weights: numbers of the inputs that are weights. mesh, axis: the devices that divide the rows of a program without constraints. rows: the
    inputs and constants whose first dimension these are. shares: {number: Shares} of the weights that are taken as copies. whole: numbers of the
    weights that are taken as they are.
    """

    def __init__(
        self, closed: "jax.extend.core.ClosedJaxpr", weights: Sequence[int], mesh: Mesh, axis: str, rows: Sequence
    ):
        self.closed, self.weights, self.lines = closed, weights, _Lines(closed.jaxpr, mesh, axis, rows)
        seen = _Uses(self.lines)
        jax.eval_shape(lambda *arrays: self._run(seen, arrays, {}), *closed.in_avals)
        self.shares = {i: shares for i, shares in seen.shares.items() if shares is not None}
        self.whole = seen.whole | seen.shares.keys() - self.shares.keys()

    def __call__(self, arrays: Sequence[jax.Array | None], copies: dict[int, jax.Array]):
        """The outputs, as a list. arrays: None for a weight that is taken as copies alone."""
        return self._run(_Products(self.lines, self.shares), arrays, copies)

    def _run(self, evaluation, arrays, copies):
        given = [_Weight(i, a, copies.get(i)) if i in self.weights else a for i, a in enumerate(arrays)]
        return list(map(evaluation.plain, evaluation.run(self.closed, given)))


@dataclasses.dataclass
class _Weight:
    """A weight on its way to a product: the array and its copies (None: nobody takes these)."""

    number: int
    array: jax.Array | None
    copies: jax.Array | None


class _Lines:
    """The equations of a program, at any depth, by the values that they make; and how values are laid."""

    def __init__(self, jaxpr, mesh, axis, rows):
        self.made, self.taken, self.shapes = (
            {},
            {},
            {},
        )  # shapes: how values of a shape are laid, in the order of the program
        self._note(jaxpr)
        self.mesh, self.axis = mesh, axis
        self.rows = {} if self.shapes else row_dimensions(jaxpr, dict.fromkeys(rows, 0))

    def _note(self, jaxpr):
        for eqn in jaxpr.eqns:
            self.made.update(dict.fromkeys(eqn.outvars, eqn))
            for atom in eqn.invars:
                if not isinstance(atom, Literal):
                    self.taken.setdefault(atom, []).append(eqn)
            if name_of(eqn) == "sharding_constraint":
                self.shapes.setdefault(eqn.outvars[0].aval.shape, []).append(eqn.params["sharding"])
            for part in parts(eqn):
                self._note(part.jaxpr)

    def _laid(self, atom, through):
        """The sharding of a value, or of what it is made from by such equations; None: no constraint tells it."""
        while not isinstance(atom, Literal) and atom in self.made:
            eqn = self.made[atom]
            if name_of(eqn) == "sharding_constraint":
                return eqn.params["sharding"]
            if not through(eqn):
                return None
            (atom,) = eqn.invars
        return None

    def shares(self, eqn, at):
        """The Shares of the rows that a weight, input `at`, is multiplied with or spread over; None for none."""
        weight, (made,) = eqn.invars[at], eqn.outvars
        if name_of(eqn) == "dot_general":
            (contracted, _), (batch, _) = eqn.params["dimension_numbers"]
            rows = eqn.invars[0]
            free = [] if batch else [d for d in range(rows.aval.ndim) if d not in contracted]
            lies = self._laid(rows, lambda e: name_of(e) in _LAID_ALIKE)
            known = self.shapes.get(rows.aval.shape, []) if lies is None else [lies]
        elif name_of(eqn) == "gather":
            rows = made
            free = [d for d in range(made.aval.ndim) if d not in eqn.params["dimension_numbers"].offset_dims]
            known = self.shapes.get(made.aval.shape, [])
        else:
            rows, into = made, _dimensions(eqn)
            kept = {d for d, size in zip(into, weight.aval.shape) if size == made.aval.shape[d]}
            free = [d for d in range(made.aval.ndim) if d not in kept]
            known = self.shapes.get(made.aval.shape, [])
        lies = self._laid(weight, _on_the_way)
        known = [Shares(s.mesh, _split(s.spec, free)) for s in known if lies is None or s.mesh == lies.mesh]
        found = known[0] if known else self._along(rows)
        if found is None:
            return None
        kept = [
            (d, axes)
            for (d, axes), count in zip(found.axes, found.counts)
            if d in free and count > 1 and rows.aval.shape[d] % count == 0
        ]
        if lies is not None and _names(lies.spec) & _names(axes for _, axes in kept):
            return None  # its parts are computed where shares of the rows are
        return Shares(found.mesh, tuple(kept)) if kept else None

    def _along(self, atom):
        """The Shares of a value in a program without constraints, or of what it is combined with; None: it has no rows."""
        if atom not in self.rows and len(self.taken.get(atom, ())) == 1:
            (user,) = self.taken[atom]
            if family_of(name_of(user)) == "elementwise" and user.outvars[0].aval.shape == atom.aval.shape:
                return self._along(user.outvars[0])
        return Shares(self.mesh, ((self.rows[atom], (self.axis,)),)) if atom in self.rows else None


def _on_the_way(eqn):
    """Whether a weight may go through an equation on its way to a product: it does the same to each copy."""
    if name_of(eqn) == "broadcast_in_dim":
        return len(eqn.invars) == 1 and eqn.invars[0].aval.size == eqn.outvars[0].aval.size
    return name_of(eqn) in _ON_THE_WAY and len(eqn.invars) == 1


def _spreads(eqn, at):
    """Whether a result is made of an input that is spread to its shape."""
    if name_of(eqn) == "broadcast_in_dim":
        return len(eqn.invars) == 1
    given, made = eqn.invars[at].aval, eqn.outvars[0].aval
    return family_of(name_of(eqn)) == "elementwise" and given.ndim == made.ndim and given.shape != made.shape


def _dimensions(eqn):
    """The dimensions of the result that an input which is spread has."""
    made = eqn.outvars[0].aval
    return eqn.params["broadcast_dimensions"] if name_of(eqn) == "broadcast_in_dim" else tuple(range(made.ndim))


def _split(spec, dimensions):
    """((dimension, its axes), ...) of those of the dimensions that a layout splits."""
    found = [(d, spec[d]) for d in dimensions if d < len(spec) and spec[d] not in (None, _FREE)]
    return tuple((d, (axes,) if isinstance(axes, str) else tuple(axes)) for d, axes in found)


def _names(spec):
    """All axes that a layout names."""
    return {a for axes in spec if axes not in (None, _FREE) for a in ((axes,) if isinstance(axes, str) else axes)}


class _Evaluation(Interpreter):
    """Evaluates a program; a weight stays a `_Weight` up to the product that takes it."""

    def __init__(self, lines):
        self.lines = lines

    def plain(self, value):
        """A value as it is."""
        return value.array if isinstance(value, _Weight) else value

    def enters(self, eqn, given, around):
        return name_of(eqn) in _CALLS and any(isinstance(v, _Weight) for v in given)

    def equation(self, eqn, given, around):
        run, name = equation_as_fun(eqn), name_of(eqn)
        at = [i for i, v in enumerate(given) if isinstance(v, _Weight)]
        if at and name == "checkpoint":
            return self._again(eqn, given)
        if at and _on_the_way(eqn):
            return [self._through(run, len(eqn.invars[0].aval.shape), given[0])]
        if (name, at) in (("dot_general", [1]), ("gather", [0])) or len(at) == 1 and _spreads(eqn, at[0]):
            made = self.taken(eqn, given, at[0])
            if made is not None:
                return [made]
        return run(list(map(self.plain, given)))

    def _through(self, run, rank, weight):
        array, copies = weight.array, weight.copies
        if array is not None:
            (array,) = run([array])
        if copies is not None:
            each = lambda a: run([a])[0]  # noqa: E731
            for _ in range(copies.ndim - rank):
                each = jax.vmap(each)
            copies = each(copies)
        return _Weight(weight.number, array, copies)

    def _again(self, eqn, given):
        """What is computed again for the gradient."""
        numbers = [v.number if isinstance(v, _Weight) else None for v in given]
        arrays = [(v.array, v.copies) if isinstance(v, _Weight) else (v, None) for v in given]

        def run(*arrays):
            values = [a if i is None else _Weight(i, a, copies) for i, (a, copies) in zip(numbers, arrays)]
            return list(map(self.plain, self.run(called(eqn), values)))

        return jax.checkpoint(run, policy=eqn.params["policy"], prevent_cse=eqn.params["prevent_cse"])(*arrays)


class _Uses(_Evaluation):
    """Notes how weights are taken: by products of which Shares (None: of several), and as they are."""

    def __init__(self, lines):
        super().__init__(lines)
        self.shares, self.whole = {}, set()

    def plain(self, value):
        if isinstance(value, _Weight):
            self.whole.add(value.number)
        return super().plain(value)

    def taken(self, eqn, given, at):
        number, found = given[at].number, self.lines.shares(eqn, at)
        if found is None:
            return None
        if self.shares.setdefault(number, found) != found:
            self.shares[number] = None
        return equation_as_fun(eqn)([v.array if i == at else v for i, v in enumerate(given)])[0]


class _Products(_Evaluation):
    """Takes the copies of weights where their Shares are those of the rows."""

    def __init__(self, lines, shares):
        super().__init__(lines)
        self.shares = shares

    def taken(self, eqn, given, at):
        shares, copies = self.shares.get(given[at].number), given[at].copies
        if shares is None or shares != self.lines.shares(eqn, at):
            return None
        if name_of(eqn) == "dot_general":
            return shares.product(eqn, given[0], copies)
        if name_of(eqn) == "gather":
            return shares.lookup(eqn, copies, given[1])
        spread = shares.spread(copies, eqn.outvars[0].aval.shape, _dimensions(eqn))
        if name_of(eqn) == "broadcast_in_dim":
            return spread
        return equation_as_fun(eqn)([spread if i == at else v for i, v in enumerate(given)])[0]

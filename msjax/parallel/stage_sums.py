"""Gradients of a stage's weights, summed over its devices once a step.

Each device of a stage computes some rows of a part of the batch, so the gradient of a weight is a sum over these devices. In a loop over
ticks XLA makes that sum in each tick. Here a product takes the weight as one copy for each share of the rows; the copies lie where the
shares are computed, so they cost nothing. The gradient of the copies is summed over ticks without a word between devices, and that of the
weight is their sum, behind the loop.
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
from ..core.program.primitives import name_of

if TYPE_CHECKING:
    import jax.extend

_FREE = PartitionSpec.UNCONSTRAINED
# what a weight may go through on its way to a product: it does the same to each copy
_ON_THE_WAY = frozenset(("convert_element_type", "transpose", "reshape", "squeeze", "copy", "sharding_constraint"))
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

    def product(self, eqn: "jax.extend.core.JaxprEqn", operand: jax.Array, copies: jax.Array):
        """The result of a product, from the copies of its second operand."""
        counts, split = self.counts, [d for d, _ in self.axes]
        places, shape = [], []  # of each dimension of the operand, among those of its shares
        for d, size in enumerate(operand.shape):
            if d in split:
                shape.append(counts[split.index(d)])
                size //= shape[-1]
            places.append(len(shape))
            shape.append(size)
        own = [places[d] - 1 for d in split]
        operand = self._laid(operand.reshape(shape), own)
        (contracted, of_copies), _ = eqn.params["dimension_numbers"]
        numbers = (
            (tuple(places[d] for d in contracted), tuple(d + len(own) for d in of_copies)),
            (tuple(own), tuple(range(len(own)))),
        )
        (made,) = equation_as_fun(eqn.replace(params={**eqn.params, "dimension_numbers": numbers}))([operand, copies])
        # the shares are in front: each goes before the rest of its dimension
        order, rows = [], [d for d in range(len(places)) if d not in contracted]
        for at, d in enumerate(rows):
            order += [split.index(d)] if d in split else []
            order.append(len(own) + at)
        order += range(len(order), made.ndim)
        made = self._laid(made.transpose(order), [order.index(i) for i in range(len(own))])
        return made.reshape(eqn.outvars[0].aval.shape)

    def _laid(self, array, own):
        """An array whose dimensions `own` are the shares."""
        spec = [_FREE] * array.ndim
        for d, (_, axes) in zip(own, self.axes):
            spec[d] = axes
        return lax.with_sharding_constraint(array, NamedSharding(self.mesh, PartitionSpec(*spec)))


class Sums:
    """A program some of whose inputs, the weights, can be given as copies.

    weights: numbers of the inputs that are weights. default: the Shares of products in a program without constraints, or None. shares:
    {number: Shares} of the weights that are taken as copies. whole: numbers of the weights that are taken as they are.
    """

    def __init__(self, closed: "jax.extend.core.ClosedJaxpr", weights: Sequence[int], default: Shares | None):
        self.closed, self.weights, self.lines = closed, weights, _Lines(closed.jaxpr, default)
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
    """The equations of a program, at any depth, by the values that they make and take; and so how values are laid."""

    def __init__(self, jaxpr, default):
        self.made, self.taken, self.default = {}, {}, default
        self._note(jaxpr)
        if any(name_of(e) == "sharding_constraint" for e in self.made.values()):
            self.default = None

    def _note(self, jaxpr):
        for eqn in jaxpr.eqns:
            self.made.update(dict.fromkeys(eqn.outvars, eqn))
            for atom in eqn.invars:
                if not isinstance(atom, Literal):
                    self.taken.setdefault(atom, []).append(eqn)
            for part in parts(eqn):
                self._note(part.jaxpr)

    def _laid(self, atom, through):
        """The sharding of a value, or of what it is made from by these operations; None: no constraint tells it."""
        while not isinstance(atom, Literal) and atom in self.made:
            eqn = self.made[atom]
            if name_of(eqn) == "sharding_constraint":
                return eqn.params["sharding"]
            if name_of(eqn) not in through:
                return None
            (atom,) = eqn.invars
        return None

    def shares(self, product):
        """The Shares of a product of rows and a weight; None for none."""
        rows, weight = product.invars
        (contracted, _), (batch, _) = product.params["dimension_numbers"]
        found = self._of_rows(rows, [d for d in range(rows.aval.ndim) if d not in contracted], product)
        if batch or found is None:
            return None
        kept = [
            (d, axes)
            for (d, axes), count in zip(found.axes, found.counts)
            if d not in contracted and count > 1 and rows.aval.shape[d] % count == 0
        ]
        lies = self._laid(weight, _ON_THE_WAY)
        if lies is not None and (lies.mesh != found.mesh or _names(lies.spec) & _names(axes for _, axes in kept)):
            return None  # its parts are computed where shares of the rows are
        return Shares(found.mesh, tuple(kept)) if kept else None

    def _of_rows(self, rows, free, product):
        lies = self._laid(rows, _LAID_ALIKE)
        if lies is not None:
            return Shares(lies.mesh, _split(lies.spec, free))
        for eqn in self.taken.get(product.outvars[0], ()):
            if name_of(eqn) == "sharding_constraint":  # the rows are in front
                lies = eqn.params["sharding"]
                return Shares(lies.mesh, tuple((free[d], axes) for d, axes in _split(lies.spec, range(len(free)))))
        return self.default


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
        return name_of(eqn) != "checkpoint" and any(isinstance(v, _Weight) for v in given)

    def equation(self, eqn, given, around):
        run, name = equation_as_fun(eqn), name_of(eqn)
        at = [i for i, v in enumerate(given) if isinstance(v, _Weight)]
        if at and name == "checkpoint":
            return self._again(eqn, given)
        if at and name in _ON_THE_WAY and len(given) == 1:
            return [self._through(run, len(eqn.invars[0].aval.shape), given[0])]
        if at == [1] and name == "dot_general":
            made = self.product(eqn, *given)
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

    def product(self, eqn, rows, weight):
        found = self.lines.shares(eqn)
        if found is None:
            return None
        if self.shares.setdefault(weight.number, found) != found:
            self.shares[weight.number] = None
        return equation_as_fun(eqn)([rows, weight.array])[0]


class _Products(_Evaluation):
    """Takes copies in products."""

    def __init__(self, lines, shares):
        super().__init__(lines)
        self.shares = shares

    def product(self, eqn, rows, weight):
        shares = self.shares.get(weight.number)
        return (
            shares.product(eqn, rows, weight.copies)
            if shares is not None and shares == self.lines.shares(eqn)
            else None
        )

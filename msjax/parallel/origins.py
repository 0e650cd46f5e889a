"""Parameters that reach an operator with a strategy through casts, transposes and reshapes: how they must lie so that nothing is gathered.

A table of rules for `core.program`: the fact about a value is (number of the state that it holds, the axis of that state in the place of
each of its axes, or None for one of length 1).
"""

from collections.abc import Sequence
from typing import Any

from jax.sharding import NamedSharding, PartitionSpec

from ..core.program.interpreter import Forward
from ..core.program.parts import opened, scan_of
from ..core.program.primitives import name_of

# the value, in another dtype or place
_SAME = "convert_element_type copy reduce_precision optimization_barrier stop_gradient pvary reduced_vary_cast".split()


class _Origins(Forward):
    """`wishes` fills with {number of the state: (sharding, axes)} of the first constraint that each meets."""

    def __init__(self):
        super().__init__()
        self.wishes = {}

    def through(self, eqn, facts):
        if name_of(eqn) != "scan":
            return super().through(eqn, facts)
        scan = scan_of(eqn.params)
        fixed, state, rows = scan.inputs(facts)
        rows = [(fact[0], fact[1][1:]) if fact else fact for fact in rows]  # a round sees no axis of rounds
        outs, notes = super().through(eqn, [*fixed, *state, *rows])
        return [*outs[: len(state)], *[self.nothing] * (len(outs) - len(state))], notes

    def equation(self, eqn, facts):
        name, fact = name_of(eqn), facts[0]
        if name == "sharding_constraint" and fact and isinstance(eqn.params["sharding"], NamedSharding):
            self.wishes.setdefault(fact[0], (eqn.params["sharding"], fact[1]))
        elif name == "transpose" and fact:
            fact = fact[0], tuple(fact[1][i] for i in eqn.params["permutation"])
        elif name in ("reshape", "squeeze", "expand_dims", "broadcast_in_dim") and fact:
            fact = _reshaped(fact, eqn.invars[0].aval.shape, eqn.outvars[0].aval.shape)
        elif name == "optimization_barrier":
            return facts, 0
        elif name not in _SAME and name != "sharding_constraint":
            fact = self.nothing
        return [fact or self.nothing] * len(eqn.outvars), 0


def _reshaped(fact, before, after):
    """The fact about an array from which axes of length 1 were taken, or to which they were added; else nothing."""
    if [n for n in before if n != 1] != [n for n in after if n != 1]:
        return False
    kept = iter([axis for axis, length in zip(fact[1], before) if length != 1])
    return fact[0], tuple(None if length == 1 else next(kept) for length in after)


def wishes(closed: Any, ranks: Sequence[int]):
    """{number of an input: the sharding in which the program uses it} for the first inputs of a program, which have these numbers of axes.

    Example:
        >>> import jax
        >>> from jax.sharding import NamedSharding, PartitionSpec
        >>> from jax.sharding import Mesh
        >>> from msjax.parallel.origins import wishes
        >>> sharding = NamedSharding(Mesh(jax.devices()[:1], "a"), PartitionSpec("a", None))
        >>> def program(w):
        ...     return jax.lax.with_sharding_constraint(w.astype("bfloat16").T, sharding)
        >>> tuple(wishes(jax.make_jaxpr(program)(np.ones((2, 3), np.float32)), [2])[0].spec)
        (None, 'a')
    """
    found = _Origins()
    inputs = opened(closed)[0].invars
    facts = [(i, tuple(range(rank))) for i, rank in enumerate(ranks)]
    found.flow(closed, [*facts, *[False] * (len(inputs) - len(facts))])
    made = {}
    for number, (sharding, axes) in found.wishes.items():
        spec = [None if names is PartitionSpec.UNCONSTRAINED else names for names in sharding.spec]
        spec = [*spec, *[None] * (len(axes) - len(sharding.spec))]
        of_axis = {axis: names for axis, names in zip(axes, spec) if axis is not None}
        spec = PartitionSpec(*[of_axis.get(axis) for axis in range(ranks[number])])
        if any(spec):
            made[number] = NamedSharding(sharding.mesh, spec)
    return made

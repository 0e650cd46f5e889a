"""Numbers among the settings of an operator that are mathematically operands: `alpha`, `eps`, a rate, a bound.

A number that is not an operand selects the compiled variant by its value, which is fastest while it stays the same. When a second value is
given, one more variant is made that takes such numbers as inputs, and serves all further values. Floats are taken for operands, whole
numbers where the annotation is `Number` (others are axes and sizes).

A function that asks how large a number is (`if not 0 <= p <= 1: raise`) gets a `Number` in its place: it computes with the input, and
compares with the value that it has now; a variant serves the values for which each comparison comes out as it did. To functions that ask
what it is, it is a `numbers.Real` or a `numbers.Integral`, and neither float nor int. Where a function needs the
value itself, or the variant's results would have other shapes or types, the number stays a setting.
"""

import collections
import numbers
import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from ..values.dtype import Type

_FLOATS = (float, np.float16, np.float32, np.float64)
_MOST_FAMILIES, _MOST_VARIANTS = 64, 8  # for one operator; of one family


class ValueNeeded(Exception):
    """A function needs the value of a number: it stays a setting."""


def _needs(*args):
    raise ValueNeeded


class Number:
    """A number that is an input: `array` to compute with, `value` to compare with. get: gives its value for other values of the inputs."""

    __slots__ = ("value", "array", "get", "guards")
    __array_priority__ = 1000

    def __init__(self, value: Any, array: Any, get: Callable, guards: Any):
        self.value, self.array, self.get, self.guards = value, array, get, guards

    @staticmethod
    def of(value: Any, array: Any, get: Callable, guards: Any):
        """A number of the kind of its value."""
        return (Whole if type(value) is int else Number)(value, array, get, guards)

    def __jax_array__(self):
        return self.array

    def _with(self, compute, *others):
        """A Number computed from this one and numbers, else an array."""
        if all(isinstance(o, _SCALARS) for o in others):
            gets = [_getter(o) for o in (self, *others)]
            return Number.of(
                compute(*[_value(o) for o in (self, *others)]),
                compute(*[_array(o) for o in (self, *others)]),
                lambda values: compute(*[get(values) for get in gets]),
                self.guards,
            )
        return compute(*[_array(o) for o in (self, *others)])

    def _compare(self, compare, other):
        if not isinstance(other, _SCALARS):
            return compare(self.array, other)
        found, mine, its = compare(self.value, _value(other)), self.get, _getter(other)
        self.guards.append(lambda values: compare(mine(values), its(values)) == found)
        return found

    def __bool__(self):
        return self._compare(operator.ne, 0)

    def __round__(self, digits=None):
        if digits is not None:
            raise ValueNeeded
        get = self.get
        return Whole(
            round(self.value), jnp.round(self.array).astype(jnp.int64), lambda values: round(get(values)), self.guards
        )

    __float__ = __int__ = __index__ = __array__ = __hash__ = __str__ = __repr__ = __format__ = _needs

    dtype = property(lambda self: self.array.dtype)
    shape, ndim, size, weak_type = (), 0, 1, True  # as a Python number, it takes the dtype of what it meets

    def astype(self, dtype: "Type"):
        return self.array.astype(dtype)


class Whole(Number):
    """A whole number that is an input."""

    __slots__ = ()


numbers.Real.register(Number)
numbers.Integral.register(Whole)
_SCALARS = (Number, int, float)
# `jnp` functions are compiled themselves: they take the array apart from the rest
for _kind in (Number, Whole):
    jax.tree_util.register_pytree_node(
        _kind,
        lambda n: ((n.array,), _Rest(n)),
        lambda rest, arrays: Number.of(rest.value, arrays[0], rest.get, rest.guards),
    )


class _Rest:
    """A Number without its array."""

    __slots__ = ("value", "get", "guards")

    def __init__(self, number):
        self.value, self.get, self.guards = number.value, number.get, number.guards


def _value(a):
    return a.value if isinstance(a, Number) else a


def _array(a):
    return a.array if isinstance(a, Number) else a


def _getter(a):
    return a.get if isinstance(a, Number) else lambda values: a


for _name in ("add", "sub", "mul", "truediv", "pow", "mod", "floordiv"):
    _compute = getattr(operator, _name)
    setattr(Number, f"__{_name}__", lambda self, other, c=_compute: self._with(c, other))
    setattr(Number, f"__r{_name}__", lambda self, other, c=_compute: self._with(lambda a, b: c(b, a), other))
for _name in ("neg", "pos", "abs"):
    setattr(Number, f"__{_name}__", lambda self, c=getattr(operator, _name): self._with(c))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Number, f"__{_name}__", lambda self, other, c=getattr(operator, _name): self._compare(c, other))


class _Family:
    """The calls of an operator that differ in such numbers alone. values: those of the first call. moving: positions of those that have
    changed since, which the variants take as inputs: (guards, Forward). fixed: they cannot be inputs.
    """

    __slots__ = ("values", "moving", "variants", "fixed")

    def __init__(self, values):
        self.values, self.moving, self.variants, self.fixed = values, (), [], False


class NumberArguments:
    """Decides which numbers of an operator are inputs of its program. compiled: makes the Forward of a pure function.
    moves: for each parameter whether it is a `Number`.
    """

    __slots__ = ("compiled", "moves", "families")

    def __init__(self, compiled: Callable, moves: list[bool]):
        self.compiled, self.moves, self.families = compiled, moves, collections.OrderedDict()

    def of(self, args: Sequence, operand: list[bool]):
        """{position: number} of the settings that may become inputs of the program."""
        moves = self.moves
        return {
            i: a
            for i, a in enumerate(args)
            if not operand[i] and (type(a) in _FLOATS or type(a) is int and i < len(moves) and moves[i])
        }

    def forward(self, numbers: dict, setting: tuple, arrays: Sequence, rebuild: Callable):
        """(Forward, the numbers that it takes besides the arrays), or None: these numbers are settings.

        numbers: what `of` gave. setting: key of the call without their values. rebuild: a function of (positions of further inputs, how
        each is handed on) that gives the pure function of the arrays and those.
        """
        key = (setting, *[(getattr(a, "shape", None), getattr(a, "dtype", type(a))) for a in arrays])
        family = self.families.get(key)
        if family is None:
            self.families[key] = _Family(numbers)
            if len(self.families) > _MOST_FAMILIES:
                self.families.popitem(last=False)
            return None
        self.families.move_to_end(key)
        changed = [i for i, value in numbers.items() if value != family.values[i]]
        if family.fixed or not changed and not family.moving:
            return None
        if not family.moving or not set(changed) <= set(family.moving):
            family.moving, family.variants = tuple(sorted({*family.moving, *changed})), []
        values = [numbers[i] for i in family.moving]
        for guards, forward in family.variants:
            if all(guard(values) for guard in guards):
                return forward, values
        try:
            expected = jax.eval_shape(rebuild((), None), *arrays)
        except Exception:  # the call is wrong: the usual way says so
            return None
        made = self._make(family.moving, values, arrays, rebuild, expected)
        if made is None or len(family.variants) == _MOST_VARIANTS:
            family.fixed, family.variants = True, []
            return None
        family.variants.append(made)
        return made[1], values

    def _make(self, moving, values, arrays, rebuild, expected):
        """(guards, Forward) of a variant whose results are like the expected ones, or None."""
        for guarded in (False, True):
            guards = []

            def hand_on(array, number, guarded=guarded, guards=guards):
                return Number.of(values[number], array, operator.itemgetter(number), guards) if guarded else array

            pure = rebuild(moving, hand_on)
            try:
                found = jax.eval_shape(pure, *arrays, *values)
            except Exception:  # it needs the value, or does not take such an object: next, or a setting
                continue
            if _alike(found, expected):
                return tuple(guards), self.compiled(pure)
        return None


def _alike(found, expected):
    """Whether results have the same structure, shapes and types."""
    if jax.tree.structure(found) != jax.tree.structure(expected):
        return False
    pairs = zip(jax.tree.leaves(found), jax.tree.leaves(expected))
    return all((a.shape, a.dtype) == (b.shape, b.dtype) for a, b in pairs)

"""Finds repetitions in a list of equations: runs of equal parts of equal length."""

import collections
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from ..compat import Literal
from .edited import without_automatic_meshes
from .parts import RULED, called, is_program, opened
from .pullbacks import is_real, pullback

if TYPE_CHECKING:
    import jax.extend

FEWEST = 4  # parts that are worth a loop
_CANDIDATES = 128  # distances between equal equations that are looked at
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)


class Prints:
    """Numbers for equations, equal for equations with the same operation.

    derived: whether they are to be differentiated, too. Then rules of derivatives count. They are functions, so what tells is the program of
    the equation with its derivative.
    """

    def __init__(self, derived: bool):
        self.derived = derived
        self.numbers, self.texts, self.known, self.derivatives, self.ruled = {}, {}, {}, {}, {}

    def of(self, eqn: "jax.extend.core.JaxprEqn"):
        rules = self.derived and self.rules(eqn)
        if eqn.effects or rules is None:
            return -1 - len(self.numbers) - id(eqn)  # like no other
        if id(eqn.params) not in self.known:  # kept with the parameters, so that their id stays their own
            self.known[id(eqn.params)] = eqn.params, self.params(eqn)
        key = (
            eqn.primitive,
            self.known[id(eqn.params)][1],
            tuple([kind(a) for a in eqn.invars]),
            tuple([kind(a) for a in eqn.outvars]),
            rules,
        )
        return self.numbers.setdefault(key, len(self.numbers))

    def rules(self, eqn: "jax.extend.core.JaxprEqn"):
        """The key of the derivative rules in an equation; () without any, None if they cannot be compared."""
        if eqn.primitive.name not in RULED and not any(map(self.has_rules, _programs(eqn))):
            return ()
        if id(eqn.params) not in self.derivatives:
            closed = _with_derivative(eqn)  # kept, so that the ids of its constants stay their own
            told = (
                None if closed is None else (str(without_automatic_meshes(closed)), *map(_constant, _constants(closed)))
            )
            self.derivatives[id(eqn.params)] = eqn.params, closed, told
        return self.derivatives[id(eqn.params)][2]

    def has_rules(self, program: "jax.extend.core.ClosedJaxpr"):
        if id(program) not in self.ruled:
            self.ruled[id(program)] = program, has_rules(program)
        return self.ruled[id(program)][1]

    def params(self, eqn: "jax.extend.core.JaxprEqn"):
        # rules of derivatives are made anew for each call
        if self.derived and self.rules(eqn):
            return 0
        own = called(eqn) if eqn.primitive.name in RULED else None
        params = eqn.params if own is None else {"call": own}
        found = tuple([(name, self.value(v)) for name, v in sorted(params.items())])
        return self.numbers.setdefault(found, len(self.numbers))

    def value(self, value: Any):
        if is_program(value):
            if id(value) not in self.texts:  # kept with the program, so that its id stays its own
                self.texts[id(value)] = value, (str(value), *map(id, _constants(value)))
            return self.texts[id(value)][1]
        if isinstance(value, (list, tuple)):
            return type(value), tuple(map(self.value, value))
        try:
            hash(value)
        except TypeError:
            return id(value)
        return type(value), value


def has_rules(program: Any):
    """Whether a program holds functions, at any depth: rules of derivatives, of batches, ..."""

    def found(eqn):
        functions = any(callable(v) and not is_program(v) for v in eqn.params.values())
        return functions or eqn.primitive.name in RULED or any(map(has_rules, _programs(eqn)))

    return any(map(found, opened(program)[0].eqns))


def _with_derivative(eqn):
    """A program that computes an equation and pulls cotangents back; None where there is none."""
    inputs = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in eqn.invars]
    targets = [jax.ShapeDtypeStruct(v.aval.shape, v.aval.dtype) for v in eqn.outvars if is_real(v.aval)]

    def both(arrays, cotangents):
        outs, pull = pullback(eqn, arrays)
        return outs, pull(cotangents)

    try:
        return jax.make_jaxpr(both)(inputs, targets)
    except Exception:  # whatever a rule does with values that it does not know
        return None


def _constant(value):
    """The key of a constant: its content for a small NumPy array, else its identity."""
    if isinstance(value, np.ndarray) and value.nbytes <= 1 << 16:
        return value.shape, value.dtype, value.tobytes()
    return id(value)


def _constants(program):
    """The constants in a program, at any depth: its text does not show them."""
    jaxpr, consts = opened(program)
    return [*consts, *(c for e in jaxpr.eqns for inner in _programs(e) for c in _constants(inner))]


def _programs(eqn):
    """The programs among the parameters of an equation."""
    values = [v for value in eqn.params.values() for v in (value if isinstance(value, (list, tuple)) else (value,))]
    return [v for v in values if is_program(v)]


def kind(atom: "jax.extend.core.Var | jax.extend.core.Literal"):
    aval = atom.aval
    return (
        isinstance(atom, Literal),
        getattr(aval, "shape", None),
        getattr(aval, "dtype", None) or str(aval),
        getattr(aval, "weak_type", False),
    )


def repetitions(eqns: "list[jax.extend.core.JaxprEqn]", derived: bool = False, fewest: int = FEWEST):
    """[(first equation, length of a part, end)] in the order of the equations, without overlap; repetitions that cover
    most come first.

    derived: whether the parts are to be differentiated, so that their rules of derivatives must be the same, too. fewest: parts in a run.
    """
    prints, runs = Prints(derived), []
    numbers = np.array([prints.of(eqn) for eqn in eqns], np.int64)
    for length in _distances(numbers):
        same = np.concatenate([[False], numbers[:-length] == numbers[length:], [False]])
        edges = np.flatnonzero(same[1:] != same[:-1])
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist()):
            count = (end - begin) // length + 1
            if count >= fewest:
                runs.append((count * length, -length, begin, end + length))
    taken, found = np.zeros(len(eqns), bool), []
    for _, length, begin, end in sorted(runs, reverse=True):
        if not taken[begin:end].any():
            taken[begin:end] = True
            found.append((begin, -length, end))
    return sorted(found)


def _distances(numbers):
    """How far equal equations, or equal rows of some equations, are apart: those that stand once in a part are as far apart as parts are long.

    Those first that would cover most.
    """
    counts, rows, width = collections.Counter(), numbers.astype(np.uint64), 1
    while len(rows):
        order = np.argsort(rows, kind="stable")
        same = rows[order][1:] == rows[order][:-1]
        found, times = np.unique((order[1:] - order[:-1])[same], return_counts=True)
        for distance, count in zip(found.tolist(), times.tolist()):
            counts[distance] = max(counts[distance], count)
        parts = [rows[i * width : len(rows) - (3 - i) * width] for i in range(4)] if len(rows) > 3 * width else []
        rows, width = sum(p * factor for p, factor in zip(parts, _FACTORS)) if parts else rows[:0], 4 * width
    return sorted(counts, key=lambda d: -d * counts[d])[:_CANDIDATES]

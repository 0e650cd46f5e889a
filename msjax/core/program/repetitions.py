"""Finds what repeats itself in a list of equations: runs of equal parts of equal length."""

import collections

import numpy as np

from ..compat import Literal
from .parts import called, is_program

FEWEST = 4  # parts that are worth a loop
_WITH_RULES = ("custom_jvp_call", "custom_vjp_call")
_CANDIDATES = 128  # distances between equal equations that are looked at
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], np.uint64)


class _Prints:
    """Numbers for equations, equal for those that do the same."""

    def __init__(self):
        self.numbers, self.texts = {}, {}

    def of(self, eqn):
        if eqn.effects:
            return -1 - len(self.numbers) - id(eqn)  # like no other
        # nobody differentiates a folded program: the rules of derivatives, functions made anew for each call, do not count
        params = {"call": called(eqn)} if eqn.primitive.name in _WITH_RULES and called(eqn) is not None else eqn.params
        key = (
            eqn.primitive,
            tuple([(name, self.value(v)) for name, v in sorted(params.items())]),
            tuple([kind(a) for a in eqn.invars]),
            tuple([kind(a) for a in eqn.outvars]),
        )
        return self.numbers.setdefault(key, len(self.numbers))

    def value(self, value):
        if is_program(value):
            if id(value) not in self.texts:  # kept with the program, so that its id stays its own
                self.texts[id(value)] = value, str(value), tuple(map(id, getattr(value, "consts", ())))
            return self.texts[id(value)][1:]
        if isinstance(value, (list, tuple)):
            return type(value), tuple(map(self.value, value))
        try:
            hash(value)
        except TypeError:
            return id(value)
        return type(value), value


def kind(atom):
    aval = atom.aval
    return (
        isinstance(atom, Literal),
        getattr(aval, "shape", None),
        str(getattr(aval, "dtype", aval)),
        getattr(aval, "weak_type", False),
    )


def repetitions(eqns):
    """[(first equation, length of a part, number of parts, how far the first may be put off)], those that cover most first, without overlap."""
    prints, runs = _Prints(), []
    numbers = np.array([prints.of(eqn) for eqn in eqns], np.int64)
    for length in _distances(numbers):
        same = np.concatenate([[False], numbers[:-length] == numbers[length:], [False]])
        edges = np.flatnonzero(same[1:] != same[:-1])
        for begin, end in zip(edges[::2].tolist(), edges[1::2].tolist()):
            count = (end - begin) // length + 1
            if count >= FEWEST:
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

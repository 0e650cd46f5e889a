"""A repetition as a loop: the values that its parts read, pass on and produce."""

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from ..compat import Literal, equation_as_fun

if TYPE_CHECKING:
    import jax
    import jax.extend


@dataclasses.dataclass
class Loop:
    """A repetition as a loop."""

    begin: int
    end: int
    count: int
    carried: list  # (what the first part takes, what the last one hands on)
    rows: list  # what is taken of its own by each part, a list in the order of parts
    made: list  # what is made by each part and taken elsewhere, likewise
    constants: list
    steps: list  # the equations of the first part
    sources: dict  # (step, input) -> ("own", step, output), ("row" or "carried" or "constant", place), ("literal",) or ("early", place, output)
    ends: tuple  # (step, output) of each value that is handed on, and of each that is made; (None, c) is what was carried into the part
    at_once: bool = False  # nothing is handed on: all parts are computed together
    # what each round computes first, since that is less than to read what another loop kept of it: (equation, the source of each input)
    early: list = dataclasses.field(default_factory=list)

    def body(self):
        """One round: a function of the lists (rows, carried values, constants) that returns (new carried values,
        produced values).
        """
        early = [(step, equation_as_fun(step), sources) for step, sources in self.early]
        runs = [(step, equation_as_fun(step)) for step in self.steps]

        def body(rows, carried, constants):
            known = {"row": rows, "carried": carried, "constant": constants, "own": [], "early": []}

            def read(atom, source):
                kind, *at = source
                if kind == "literal":
                    return atom.val
                return known[kind][at[0]] if len(at) == 1 else known[kind][at[0]][at[1]]

            for step, run, sources in early:
                known["early"].append(run([read(a, source) for a, source in zip(step.invars, sources)]))
            for j, (step, run) in enumerate(runs):
                known["own"].append(run([read(a, self.sources[j, i]) for i, a in enumerate(step.invars)]))
            new = [known["own"][j][o] for j, o in self.ends[0]]
            made = [carried[o] if j is None else known["own"][j][o] for j, o in self.ends[1]]
            return new, made

        return body


def keep_what_comes_in(loops: list[Loop]):
    """Let a loop also produce the values that each part received from the part before, if another loop reads them."""
    for loop in loops:
        wanted = [atoms for other in loops if other is not loop for atoms in other.rows]
        for c, (first, _) in enumerate(loop.carried):
            if loop.ends[0][c] not in loop.ends[1]:
                continue
            m = loop.ends[1].index(loop.ends[0][c])
            into, after = [first, *loop.made[m][:-1]], {Key(v) for v in loop.made[m]}
            lists = [{Key(a) for a in atoms} for atoms in wanted if any(Key(a) in after for a in atoms)]
            if any(Key(first) in some for some in lists) and all(some <= {Key(v) for v in into} for some in lists):
                loop.made[m], loop.ends[1][m] = into, (None, c)


class Key:
    """An atom, for dictionaries: literals are equal if they are the same object."""

    def __init__(self, atom: "jax.extend.core.Var"):
        self.atom = atom

    def __hash__(self):
        return id(self.atom) if isinstance(self.atom, Literal) else hash(self.atom)

    def __eq__(self, other):
        return self.atom is other.atom


def size(aval: "jax.core.ShapedArray"):
    """Bytes of an array."""
    itemsize = getattr(getattr(aval, "dtype", None), "itemsize", 0)
    return int(np.prod(getattr(aval, "shape", ()))) * itemsize

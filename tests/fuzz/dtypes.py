"""Right calls of operators and layers with other dtypes: each operand in each dtype in turn, and all operands of one dtype together.

A case is one of `operators.py`. Nothing is drawn: a seed chooses the order of the calls, so that a part of them is a fair sample.
"""

import copy

import numpy as np
import operators
import wrong
from operators import run  # noqa: F401 (both sides run it)
from seeded import Seeded

BLOCK = 500  # cases of one seed
ALLOWED = ("equal", "raise", "lacks")
DTYPES = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64",
    "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
SMALL = {"ints": (-5, 6), "unsigned": (0, 7)}  # numbers that stand for floats where a dtype has none


def specs(value):
    """The descriptions of the Tensors in arguments, to be changed."""
    if isinstance(value, dict) and "spec" in value:
        yield value["spec"]
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from specs(part)


def dtype_of(spec):
    """The dtype of a Tensor by its description."""
    return spec[2] or {"i": "int64", "b": "bool"}.get(np.asarray(spec[3][0]).dtype.kind, "float32")


def turn(spec, dtype):
    """Make a description one of this dtype."""
    kind = spec[0]
    if dtype == "bool":
        if kind != "lit":
            spec[0], spec[3] = "bools", []
    elif "int" in dtype and kind in ("arr", "pos", "unit", "perm"):
        least, most = SMALL["unsigned" if dtype[0] == "u" else "ints"]
        spec[0], spec[3] = "ints", [1 if kind == "pos" else least, most]
    elif kind == "bools":
        spec[0], spec[3] = "ints", [0, 2]
    spec[2] = dtype


def variants(expression, args, keywords):
    """The call as it is, with one operand in another dtype, and with all that have the same dtype in another."""
    base = {"expression": expression, "args": args, "keywords": keywords, "form": "eager", "fill": "first"}
    yield copy.deepcopy(base)
    found = list(specs([args, keywords]))
    kinds = [(s[0] == "ints", s[2]) for s in found]
    groups = [[i] for i in range(len(found))]
    groups += [g for k in dict.fromkeys(kinds) if 1 < len(g := [i for i, other in enumerate(kinds) if other == k])]
    for group in groups:
        for dtype in DTYPES:
            if dtype != kinds[group[0]][1]:
                case = copy.deepcopy(base)
                turned = list(specs([case["args"], case["keywords"]]))
                for i in group:
                    turn(turned[i], dtype)
                yield case


class Generator(Seeded):
    """Cases of one seed and block: `next(generator)`."""

    def __init__(self, seed):
        seed, _, block = seed.partition(" ")
        super().__init__(seed)
        calls = wrong.first_of_each()
        self.random.shuffle(calls)
        self.cases = (case for call in calls for case in variants(*call))
        for _ in range(BLOCK * int(block or 0)):
            next(self.cases, None)

    def __next__(self):
        return next(self.cases)


judge = operators.judge

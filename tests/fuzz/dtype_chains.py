"""Random chains of operators, functions, reductions, casts and choices over mixed dtypes and numbers of Python and NumPy: see chains.py.

What is asked is the dtype that each mixture gives, as much as the values.
"""

import chains
import dtypes
import numpy as np
from chain_verdicts import ALLOWED, judge
from chains import BLOCK, LIMIT, run
from texts import tables_of

__all__ = ["ALLOWED", "BLOCK", "LIMIT", "Generator", "judge", "run"]
RARE = ("uint16", "uint32", "uint64", "complex64")
EXTREME = 0.3  # how often integers are those at the ends of their dtype
OPERATORS = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "+",
    "-",
    "*",
    "/",
)
ARITHMETIC = ("add", "sub", "mul", "div", "floor_divide", "remainder", "fmod", "pow", "maximum", "minimum")
NUMBERS = ("2", "3", "-2", "0", "1", "7", "2.0", "0.5", "-1.5", "True", "False", "300", "1e10", "-0.0", "255")
OF_NUMPY = (
    "np.float32(1.5)", "np.int64(2)", "np.float64(0.5)", "np.int32(3)", "np.bool_(True)", "np.uint8(7)", "np.float16(2)",
)  # fmt: skip


class Generator(chains.Chain):
    """Cases of one seed: `next(generator)`."""

    SHAPES = ((), (3,), (2, 3), (1, 3), (2, 1), (2, 3), (0,), (3,), (2, 3))
    DTYPES = (
        *[d for d in dtypes.DTYPES if d not in (*RARE, "complex128")],
        *("float32", "int32", "int64", "float16", "float64") * 2,
    )
    TEXTS = tables_of("dtype_chains_texts.txt")
    WEIGHTS = {"operator": 6, "binary": 4, "unary": 3, "reduce": 4, "cast": 2, "choose": 2, "inplace": 0.7}

    def _inputs(self):
        r, shape = self.r, self.r.choice(self.SHAPES)
        self._given("x", r.choice(RARE if r.random() < 0.08 else self.DTYPES), shape)
        self._given("y", r.choice(self.DTYPES), r.choice((shape, (), (3,))))

    def _numbers(self, dtype, shape):
        found, r = super()._numbers(dtype, shape), self.r
        if dtype[:3] not in ("int", "uin") or r.random() > EXTREME:
            return found
        info = np.iinfo(dtype)
        ends = (info.min, info.max, info.max // 2 + 1, info.max - 1)
        return [int(r.choice(ends)) if r.random() < 0.5 else n for n in found]

    def op(self):
        return self.r.choice(OPERATORS)

    def arith(self):
        return self.r.choice(ARITHMETIC)

    def dt(self):
        return f"ms.{self.r.choice(self.DTYPES + RARE)}".replace("ms.bool", "ms.bool_")

    def num(self):
        return self.r.choice(NUMBERS)

    def other(self):
        """Another operand: a value, or a number of Python or NumPy."""
        roll = self.r.random()
        return self.var() if roll < 0.55 else self.num() if roll < 0.9 else self.r.choice(OF_NUMPY)

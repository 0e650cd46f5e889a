"""Every public function of `ops`, `numpy`, `mint` and every method of Tensor, with the calls of one grid: no table says which of them are right.

What a table of right calls leaves out (an axis that is None, a Tensor for a number, a whole number for a float) is found so. A case is one of
`operators.py`. Nothing is drawn: a seed chooses the order of the calls, so that a part of them is a fair sample.
"""

import copy
import gzip
import itertools
import json
import pathlib

import operators
from mindspore import Tensor
from operators import run  # noqa: F401 (both sides run it)
from seeded import Seeded

BLOCK = 500  # cases of one seed
ALLOWED = (
    "equal",
    "raise",
    "raises other",
    "beyond",
    "lacks",
)  # which types wrong calls raise is asked by `kinds` and `wrong`
NAMES = pathlib.Path(__file__).resolve().parents[2] / "msjax" / "cli" / "api_names.json.gz"
MODULES = {
    "ops": "mindspore.ops",
    "mnp": "mindspore.numpy",
    "mint": "mindspore.mint",
    "mint.nn.functional": "mindspore.mint.nn.functional",
}
# random results, communication, and what gives no numbers
WITHOUT = (
    "bernoulli", "cauchy", "choice", "dropout", "empty", "exponential", "gamma", "geometric", "gumbel", "laplace", "log_normal", "multinomial",
    "normal", "poisson", "rand", "rrelu", "sampler", "shuffle", "uniform",
    "all_", "barrier", "broadcast_", "comm", "gather_into", "group", "irecv", "isend", "object", "P2P", "rank", "recv", "reduce_scatter", "reshard",
    "scatter_tensor", "send",
    "constexpr", "custom", "data_ptr", "delta_seed", "dlpack", "flush", "getitem_index", "grad", "hook", "iter_converter", "jac", "jvp", "jet", "kernel",
    "make_tuple", "ms_", "offload", "pin_",
    "prim_", "print", "recompute", "register", "requires", "set_const", "storage", "symbolic", "sync", "tail", "vjp", "vmap", "zip_operation",
)  # fmt: skip


def _lit(value, dtype):
    return {"spec": ["lit", [], dtype, [value], False]}


def _sequence(*items):
    return {"sequence": "tuple", "items": list(items)}


FLOATS = _lit([[1.5, -2.0, 3.0], [0.0, 5.0, -1.0]], "float32")
WHOLE = _lit([[3, 1, 2], [0, 4, 1]], "int32")
SQUARE = _lit([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]], "float32")
FLAGS = _lit([[True, False, True], [False, False, True]], "bool")
PLACES, ROW, TABLE = _lit([0, 1], "int32"), _lit([2.0, 1.0, 0.5], "float32"), _lit([[0, 2, 1], [1, 0, 2]], "int64")
SUBJECTS = (FLOATS, WHOLE, SQUARE, FLAGS)
POSITIONAL = (
    (), (0,), (1,), (-1,), (2.5,), (None,), (True,), (0, 1), (1, True), (3, 2), (FLOATS,), (WHOLE,), (FLAGS,), (ROW,), (PLACES,), (_lit(1, "int64"),),
    (_lit([1], "int64"),), (_sequence(1, 0),), (_sequence(3, 2),), (_sequence(0, 1),), (_sequence(1, 2), 1), (1, PLACES), (PLACES, 1), (1, TABLE),
    (TABLE, 1), (FLOATS, FLOATS), (FLOATS, 0.5), (FLAGS, 2.0), (TABLE, FLOATS), (1, TABLE, FLOATS), (1, TABLE, 2.0), (SQUARE,), ({"dtype": "float16"},),
    ({"dtype": "int64"},),
)  # fmt: skip
NAMED = (
    {"axis": 1}, {"axis": None}, {"axis": _sequence(0, 1)}, {"axis": 0, "keepdims": True}, {"axis": 1, "keep_dims": True}, {"dim": 1},
    {"dim": None}, {"dim": 1, "keepdim": True},
)  # fmt: skip


def names():
    """The expressions of all functions and methods that take part."""
    listed = json.loads(gzip.decompress(NAMES.read_bytes()))["modules"]
    found = [f"{short}.{name}" for short, module in MODULES.items() for name in listed.get(module, ())]
    found += [f"Tensor.{name}" for name in dir(Tensor)]
    return [f for f in found if _takes_part(f.rpartition(".")[2])]


def _takes_part(name):
    return name[0].islower() and not name.endswith("_") and not any(word in name for word in WITHOUT)


GRID = [(s, a, k) for s in SUBJECTS for a, k in (*((a, {}) for a in POSITIONAL), *(((), k) for k in NAMED))]


def call(expression, subject, args, keywords):
    """The case of one name and one place of the grid."""
    args, keywords = copy.deepcopy(([subject, *args], keywords))
    return {"expression": expression, "args": args, "keywords": keywords, "form": "eager", "fill": "first"}


class Generator(Seeded):
    """Cases of one seed and block: `next(generator)`."""

    def __init__(self, seed):
        seed, _, block = seed.partition(" ")
        super().__init__(seed)
        cases = list(itertools.product(names(), GRID))
        self.random.shuffle(cases)
        self.cases = iter(cases[BLOCK * int(block or 0) :])

    def __next__(self):
        expression, place = next(self.cases)
        return call(expression, *place)


judge = operators.judge

"""What index_chains.py and dtype_chains.py share: chains of statements over a few small Tensors, drawn, run and compared statement by statement.

A case is a dict: `lines` (statements; results are v0, v1, ...), `tensors` ({name: [dtype, values, shape]}; x and y are the inputs), `modes` and
`gradient` (which of x and y). The generator runs each statement with msjax as it draws it, to know the shape and dtype of what follows. Each statement
is compared by itself, so that one program shows several differences; then all values at the end, what x and y hold, gradients, and the same compiled.
"""

import contextlib
import re
import warnings

import mindspore as ms
import numpy as np
from mindspore import Tensor, mint, nn, ops
from seeded import Seeded
from texts import guarded, module_of

LIMIT = 60  # seconds a case
BLOCK = 50  # cases of one seed
MANY = 300  # numbers in a value that others are made of
RARE = 0.15  # how often a statement that raises ends a program
COMPILED = 0.5  # how often a program is compiled, too
FLOATS = ("float16", "bfloat16", "float32", "float64")
NAMES = {"ms": ms, "np": np, "ops": ops, "mint": mint, "Tensor": Tensor, "nn": nn}
VALUE = re.compile(r"\b[vxy]\d*\b")  # names of values
CHANGES = ("write", "inplace")  # tables of statements that make no new value


class Drawn(Exception):
    """There are no arguments for this value."""


class Chain(Seeded):
    """Cases of one seed: `next(generator)`.

    A subclass has `SHAPES` and `DTYPES` of x, `TEXTS` and `WEIGHTS` (the tables of statements, and how often each is taken), and the functions
    that the texts call within «...». These also see the value `v` that is taken, its shape `s`, dtype `d`, `rank`, an axis `ax` of length `n`
    (`axis` is the same, never negative), and random numbers `r`.
    """

    def __next__(self):
        self.r, self.lines, self.tensors, self.space, self.known = self.random, [], {}, dict(NAMES), ["x", "y"]
        self._inputs()
        wanted = self.r.randint(3, 8)
        for _ in range(10 * wanted):
            if not self._grow() or len(self.lines) >= wanted:
                break
        used = " ".join(self.lines)
        floats = [k for k in "xy" if self.tensors[k][0] in FLOATS]
        return {
            "lines": self.lines,
            "tensors": {k: v for k, v in self.tensors.items() if k in "xy" or re.search(rf"\b{k}\b", used)},
            "modes": ["pynative", "graph"] if self.r.random() < COMPILED else ["pynative"],
            "gradient": floats if self.r.random() < 0.6 else [],
        }

    def _inputs(self):
        shape, dtype = self.r.choice(self.SHAPES), self.r.choice(self.DTYPES)
        self._given("x", dtype, shape)
        self._given("y", dtype, shape)

    def _grow(self):
        """Add a statement, if it runs. False where the chain ends with one that raises."""
        tensors = dict(self.tensors)
        held = {k: self.space[k].copy() for k in self.known}
        try:
            line = self._statement()
        except (Drawn, IndexError, ValueError):
            self.tensors = tensors
            return True
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(line, self.space)
        except Exception:
            if self.r.random() < RARE:
                self.lines.append(line)
                return False
            self.tensors = tensors
            self.space.update(held)
            return True
        self._keep(line)
        return True

    def _keep(self, line):
        """A statement that ran: its value, or a part of several, can be taken by those that follow, if it is a small Tensor."""
        name = self._new()
        if name in self.space:
            value = self.space.pop(name)
            if isinstance(value, (tuple, list)):
                place = next((k for k, part in enumerate(value) if isinstance(part, Tensor)), 0)
                line, value = f"{line}[{place}]", value[place] if value else None
            if not isinstance(value, Tensor) or value.size > MANY:
                return
            self.space[name] = value
            self.known.append(name)
        self.lines.append(line)

    def _new(self):
        return f"v{len(self.known) - 2}"

    def _statement(self):
        r = self.r
        table = r.choices(list(self.TEXTS), [self.WEIGHTS.get(name, 1) for name in self.TEXTS])[0]
        self.v = r.choice(self.known[-4:]) if r.random() < 0.6 else r.choice(self.known)
        value = self.space[self.v]
        self.s, self.d, self.rank = list(value.shape), dtype_of(value), value.ndim
        self.axis = r.randrange(self.rank) if self.rank else 0
        self.ax = self.axis - self.rank if self.rank and r.random() < 0.3 else self.axis
        self.n = self.s[self.axis] if self.rank else 1
        names = {name: getattr(self, name) for name in dir(self) if name[0] != "_"}
        line = re.sub("«(.*?)»", lambda m: str(eval(m[1], names)), r.choice(self.TEXTS[table]))
        return line if table in CHANGES else f"{self._new()} = {line}"

    def _given(self, name, dtype, shape, values=None):
        self.tensors[name] = [dtype, self._numbers(dtype, shape) if values is None else values, list(shape)]
        self.space[name] = tensor(self.tensors[name])

    def _numbers(self, dtype, shape):
        r, count = self.r, int(np.prod(shape))
        if dtype == "bool":
            return [r.random() < 0.5 for _ in range(count)]
        if dtype == "complex64":
            return [complex(r.choice((-1.5, 0.5, 2)), r.choice((-1, 0, 0.5))) for _ in range(count)]
        if dtype in FLOATS:
            known = (-2.5, -1.25, -0.5, 0.0, 0.25, 0.75, 1.5, 2.0, 3.25)
            return [r.choice(known) + r.randrange(8) / 16 for _ in range(count)]
        return [r.randint(-5 if np.iinfo(dtype).min else 0, 6) for _ in range(count)]

    def one(self, *choices):
        return self.r.choice(choices)

    def var(self):
        return self.r.choice(self.known)


def dtype_of(value):
    return str(value.dtype).lower()


def tensor(given):
    dtype, values, shape = given
    if dtype == "bfloat16":
        return Tensor(np.array(values, np.float32).reshape(shape)).astype(ms.bfloat16)
    return Tensor(np.array(values).astype(dtype).reshape(shape))


# --- running
def plain(value):
    """A result as plain data."""
    if isinstance(value, (tuple, list)):
        return ["tuple", [plain(v) for v in value]]
    if isinstance(value, Tensor):
        array = (value.astype(ms.float32) if value.dtype == ms.bfloat16 else value).asnumpy()
        return [str(value.dtype), list(value.shape), array.reshape(-1).tolist()]
    return [type(value).__name__, repr(value)]


def run(case):
    """{stage: result} as plain data: "step 0", ..., "end" if none raises, "pynative gradient", "graph", "graph gradient"."""
    found = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.ExitStack() as stack:
        warnings.simplefilter("ignore")
        stack.callback(ms.set_context, mode=ms.PYNATIVE_MODE)
        _stepwise(case, found)
        raising = [k for k, v in enumerate(found.values()) if v[0] == "!"]
        if raising and raising[0] < len(case["lines"]) - 1 or case["modes"] == ["pynative"] and not case["gradient"]:
            return found
        module = module_of(source(case, found), NAMES)
        if case["gradient"]:
            found["pynative gradient"] = guarded(lambda: _gradient(module, case))
        if "graph" in case["modes"]:
            ms.set_context(mode=ms.GRAPH_MODE)
            found["graph"] = guarded(lambda: plain(module.Net()(*(tensor(v) for v in case["tensors"].values()))))
            if case["gradient"]:
                found["graph gradient"] = guarded(lambda: _gradient(module, case))
    return found


def _stepwise(case, found):
    space = {**NAMES, **{k: tensor(v) for k, v in case["tensors"].items()}}

    def step(line):
        exec(line, space)
        return plain(space[written(line)])

    for k, line in enumerate(case["lines"]):
        found[f"step {k}"] = guarded(lambda: step(line))  # noqa: B023 (it runs at once)
    if all(v[0] != "!" for v in found.values()):
        found["end"] = ["tuple", [plain(space[k]) for k in results(case)]]


def written(line):
    """The name that a statement makes or changes."""
    return re.match(r"\w+", line)[0]


def results(case):
    """x, y and the names that the statements make."""
    return ["x", "y", *(written(line) for line in case["lines"] if re.match(r"v\d+ = ", line))]


def source(case, found):
    """The text of a Cell that runs the statements, and of one with a sum of the floats among its values."""
    floats = ["x"]
    if "end" in found:
        floats = [name for name, value in zip(results(case), found["end"][1]) if "Float" in value[0]]
    parts = [f"{0.5 + i / 4} * {n}.astype(ms.float32).square().sum()" for i, n in enumerate(floats)]
    given = ", ".join(case["tensors"])
    head = (
        f"    def construct(self, {given}):\n"
        + "".join(f"        {line}\n" for line in case["lines"])
        + "        return "
    )
    loss = " + ".join(parts) or "x.astype(ms.float32).sum()"
    return f"class Net(nn.Cell):\n{head}{', '.join(results(case))}\n\n\nclass Loss(nn.Cell):\n{head}{loss}\n"


def _gradient(module, case):
    places = tuple("xy".index(k) for k in case["gradient"])
    return plain(ms.grad(module.Loss(), places)(*(tensor(v) for v in case["tensors"].values())))

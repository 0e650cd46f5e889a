"""Random programs of parts and writes: slices, transpositions, reshapes, `x[i][j] = v`, `x[1:3] += v`, masks, in-place methods.

A case is a dict: `source` (the text of a function `f(x, y)` that returns all its Tensors), `shape` and `dtype` of x, `gradient`
(whether the gradient of a sum of the results is asked, too) and `modes`. Every program runs in PYNATIVE_MODE, where views are views; each
tenth is compiled, too, because compiling takes ten times as long as running. What x holds afterwards counts in PYNATIVE_MODE.

`array_model.py` says what NumPy gives. Verdict `numpy`: MindSpore gives something else or has no kernel, and msjax gives what NumPy
gives; for gradients that is a quotient of differences. `python`: compiled, msjax gives what MindSpore gives in PYNATIVE_MODE.
"""

import math
import warnings

import mindspore as ms
import numpy as np
from array_model import Array, compiled, names
from array_model import run as by_numpy
from mindspore import Tensor, mint, ops
from seeded import Seeded
from texts import guarded, module_of

LIMIT = 60  # seconds a case
BLOCK = 200  # cases of one seed
ALLOWED = ("equal", "raise", "numpy", "python")  # verdicts that need no look
NAMES = {"ms": ms, "np": np, "ops": ops, "mint": mint, "Tensor": Tensor}
SHAPES = ((4,), (6,), (3, 4), (2, 3), (1, 3), (2, 3, 4), (3, 2, 2), (2, 1, 3, 2))
DTYPES = ("float32", "float32", "float32", "float32", "int32", "int64", "float16", "bool")
COUNT = 48  # numbers in y
COMPILED = 0.1  # how often a program is compiled, too
WRONG = 0.02  # how often the last line may be one that does not fit
METHODS = ("add_", "sub_", "mul_", "copy_", "fill_", "zero_", "masked_fill_")


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        shape, dtype = r.choice(SHAPES), r.choice(DTYPES)
        self.space, self.kind = names(), dtype
        with np.errstate(all="ignore"):
            self.space |= {"x": Array(content(shape, dtype)), "y": Array(numbers(dtype))}
            self.known, lines = ["x"], []
            count = r.choice((2, 3, 4, 5, 6, 7, 8))
            for _ in range(8 * count):
                line = self._line()
                try:
                    exec(compiled("\n".join(line), False), self.space)
                except Exception:
                    if r.random() > WRONG:
                        continue
                    lines += line
                    break
                lines += line
                self.known = [k for k in self.space if k == "x" or k.startswith("v")]
                if len(lines) >= count:
                    break
            body = "".join(f"    {line}\n" for line in lines)
            results = ", ".join(self.known)
        gradient = dtype == "float32" and r.random() < 0.2
        source = f"def f(x, y):\n{body}    return {results},\n"
        modes = ["pynative", "graph"] if r.random() < COMPILED else ["pynative"]
        return {"source": source, "shape": list(shape), "dtype": dtype, "gradient": gradient, "modes": modes}

    # --- lines
    def _line(self):
        r = self.random
        made = (self._cut, self._write, self._chained, self._method, self._computed, self._controlled)
        return r.choices(made, (10, 9, 5, 2.5, 2, 2.5))[0]()

    def _pick(self):
        r = self.random
        name = r.choice(self.known[-4:]) if r.random() < 0.6 else r.choice(self.known)
        return name, self.space[name].shape

    def _new(self):
        return f"v{sum(k.startswith('v') for k in self.known)}"

    def _cut(self):
        """A name for a part."""
        name, shape = self._pick()
        if self.random.random() < 0.5:
            return [f"{self._new()} = {name}[{self._key(shape)}]"]
        return [f"{self._new()} = {self._form(name, shape)}"]

    def _form(self, name, shape):
        """The text of a part that is no index."""
        r, rank = self.random, len(shape)
        axis = r.randrange(-rank, rank) if rank else 0
        other = r.randrange(-rank, rank) if rank else 0
        order = tuple(r.sample(range(rank), rank))
        size = tuple(self._sizes(math.prod(shape)))
        length = shape[axis] if rank else 1
        start = r.randrange(length) if length else 0
        forms = [
            f"{name}.reshape({size})", f"{name}.view({size})", f"{name}.reshape(-1)", f"ops.reshape({name}, {size})", f"mint.reshape({name}, {size})",
            f"{name}.expand_dims({axis})", f"ops.expand_dims({name}, {axis})", f"mint.unsqueeze({name}, {axis})", f"{name}.squeeze()",
        ]  # fmt: skip
        if rank:
            forms += [
                f"{name}.transpose({order})", f"{name}.permute({order})", f"{name}.T", f"{name}.swapaxes({axis}, {other})", f"ops.transpose({name}, {order})",
                f"mint.transpose({name}, {axis}, {other})", f"mint.permute({name}, {order})", 
                f"{name}.narrow({axis}, {start}, {max(1, (length - start) // 2)})",
                f"mint.select({name}, {axis}, {start})", f"mint.split({name}, {r.choice((1, 2))}, {axis})[{r.choice((0, -1))}]",
                f"mint.chunk({name}, 2, {axis})[0]", f"ops.unstack({name}, {axis})[{start}]", f"{name}.unbind({axis})[{start}]", f"{name}.flatten()",
                f"{name}.transpose({order}).reshape({size})",
            ]  # fmt: skip
        if rank == 2:
            forms += [f"{name}.diagonal()", f"{name}.diagonal(1)", f"{name}.T.reshape(-1)"]
        return r.choice(forms)

    def _sizes(self, total):
        """Lengths whose product is a number."""
        r, found = self.random, []
        while total > 1 and r.random() < 0.8 and len(found) < 3:
            n = r.choice([k for k in range(1, total + 1) if total % k == 0])
            found.append(n)
            total //= n
        found.append(total)
        return found

    def _write(self):
        r = self.random
        name, shape = self._pick()
        roll = r.random()
        if roll < 0.08 and self.kind != "bool":
            return [f"{name} {self._sign()} {self._value(shape)}"]  # a new Tensor of the same name
        if roll < 0.16 and self.kind != "bool":
            return [f"{name}[{name} {r.choice(('>', '<'))} {r.choice((0.255, 1.005, -0.505))}] = {self._number()}"]
        key = self._key(shape) if roll < 0.85 else self._looked_up(shape)
        return [self._store(name, key, shape)]

    def _store(self, target, key, shape):
        """The text that writes target[key]."""
        taken = self._shape_of(shape, key)
        return f"{target}[{key}] {self._sign() if self.random.random() < 0.35 else '='} {self._value(taken)}"

    def _chained(self):
        r = self.random
        name, shape = self._pick()
        if r.random() < 0.75 and shape:
            first = self._key(shape) if r.random() < 0.9 else self._looked_up(shape)
            part, inner = f"{name}[{first}]", self._shape_of(shape, first)
            if r.random() < 0.15:
                second = self._key(inner)
                part, inner = f"{part}[{second}]", self._shape_of(inner, second)
        else:
            part = self._form(name, shape)
            try:
                inner = eval(part, self.space).shape
            except Exception:
                inner = shape
        return [self._store(part, self._key(inner), inner)]

    def _method(self):
        r = self.random
        name, shape = self._pick()
        part = name
        if r.random() < 0.5 and shape:
            key = self._key(shape)
            part, shape = f"{name}[{key}]", self._shape_of(shape, key)
        method = r.choice(METHODS)
        if method == "zero_":
            return [f"{part}.zero_()"]
        if method == "masked_fill_":
            return [f"{part}.masked_fill_({part} > 0.255, {self._number()})"]
        if method == "copy_":
            return [f"{part}.copy_({self._from_y(shape)})"]
        return [f"{part}.{method}({self._number() if method == 'fill_' else self._value(shape)})"]

    def _computed(self):
        name, shape = self._pick()
        r = self.random
        forms = [
            f"{name}.copy()", f"{name} * 2", f"{name} + 1", f"{name}.sum()", f"{name}.astype(ms.float32)", f"{name}.astype(ms.{self.kind})",
        ]  # fmt: skip
        if shape:
            forms += [f"{name}[{self._looked_up(shape)}]", f"ops.flip({name}, (0,))", f"{name} * {name}"]
        text = r.choice(forms).replace("ms.bool", "ms.bool_")
        return [f"{self._new()} = {text}"]

    def _controlled(self):
        r = self.random
        name, shape = self._pick()
        if not shape or not shape[0]:
            return self._cut()
        roll, inner = r.random(), shape[1:]
        if roll < 0.35 and inner:
            return [f"for row in {name}:", f"    {self._store('row', self._key(inner), inner)}"]
        if roll < 0.6:
            target = f"{name}[i]" if inner else name
            return [
                f"for i in range({shape[0]}):",
                f"    {self._store(target, self._key(inner) if inner else 'i', inner or shape)}",
            ]
        line = self._store(name, self._key(shape), shape)
        return [f"if {name}.sum() > {r.choice((0.255, -1.505, 2.005))}:", f"    {line}"]

    # --- keys and values
    def _shape_of(self, shape, key):
        try:
            return eval(f"a[{key}]", {**self.space, "a": Array(np.zeros(shape))}).shape
        except Exception:
            return ()

    def _key(self, shape):
        r, items = self.random, []
        for n in shape:
            roll = r.random()
            if items and roll < 0.35:
                break
            if roll < 0.08:
                items.append("None")
            if roll > 0.94 and "..." not in items:
                items.append("...")
                items += [self._item(shape[-1])] if len(items) < len(shape) else []
                break
            items.append(self._item(n))
        if not items:
            return "..."
        return ", ".join(items)

    def _item(self, n):
        r = self.random
        if n and r.random() < 0.45:
            return str(r.randrange(-n, n))
        bounds = [str(r.randrange(-n - 1, n + 2)) if r.random() < 0.5 else "" for _ in range(2)]
        return ":".join(bounds) + r.choice(("", "", "", "", ":2", ":3"))

    def _looked_up(self, shape):
        r = self.random
        if not shape or not shape[0]:
            return "..."
        places = [r.randrange(-shape[0], shape[0]) for _ in range(r.choice((1, 2, 2, 3)))]
        found = str(places) if r.random() < 0.5 else f"Tensor({places}, ms.int32)"
        if r.random() < 0.25:
            found = str([r.random() < 0.5 for _ in range(shape[0])])
        return f"{found}, {self._item(shape[1])}" if len(shape) > 1 and r.random() < 0.4 else found

    def _sign(self):
        return self.random.choice(("+=", "-=", "*=")) if self.kind != "bool" else "="

    def _number(self):
        choices = ("5", "-2", "0", "3") if self.kind in ("int32", "int64") else ("5.0", "-2.5", "0.5", "3")
        return self.random.choice(choices if self.kind != "bool" else ("True", "False"))

    def _value(self, shape):
        r, roll = self.random, self.random.random()
        if roll < 0.4:
            return self._number()
        if roll < 0.6:  # another Tensor, which may share memory with the target
            name, theirs = self._pick()
            if r.random() < 0.7 and theirs:
                key = self._key(theirs)
                name, theirs = f"{name}[{key}]", self._shape_of(theirs, key)
            if fits(theirs, shape):
                return name
        return self._from_y(shape)

    def _from_y(self, shape):
        r, shape = self.random, list(shape)
        if shape and r.random() < 0.3:
            shape = shape[r.randrange(len(shape) + 1) :]
        elif shape and r.random() < 0.2:
            shape[r.randrange(len(shape))] = 1
        total = math.prod(shape)
        if total > COUNT:
            return self._number()
        start = r.randrange(COUNT - total + 1)
        if not shape:
            return f"y[{min(start, COUNT - 1)}]"
        text = f"y[{start}:{start + total}]"
        return text if len(shape) == 1 else f"{text}.reshape({tuple(shape)})"


def fits(shape, target):
    """Whether an array of a shape can be broadcast to another."""
    try:
        return np.broadcast_shapes(shape, target) == tuple(target)
    except ValueError:
        return False


def content(shape, dtype):
    """What x holds."""
    count = math.prod(shape)
    if dtype == "bool":
        return (np.arange(count) % 3 == 0).reshape(shape)
    drawn = np.random.RandomState(count).randn(count) * 2
    return drawn.round(2 if "float" in dtype else 0).astype(dtype).reshape(shape)


def numbers(dtype):
    """What y holds."""
    return content((COUNT,), dtype)


def run(case):
    """{mode: [[stage, result], ...]} as plain data."""
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = module_of(case["source"] + TOTAL, NAMES)
        for mode in case["modes"]:
            found[mode] = [["results", _results(module, case, mode)]]
            if case["gradient"]:
                found[mode].append(["gradient", _gradient(module, case, mode)])
    return found


TOTAL = """

def total(x, y):
    found, whole = f(x, y), 0.0
    for i in range(len(found)):
        whole = whole + found[i].sum() * (0.5 + i)
    return whole
"""


def _given(case):
    return Tensor(content(case["shape"], case["dtype"])), Tensor(numbers(case["dtype"]))


def _results(module, case, mode):
    def call():
        x, y = _given(case)
        found = (ms.jit(module.f) if mode == "graph" else module.f)(x, y)
        return ["tuple", [plain(v) for v in (*found, *([x] if mode == "pynative" else []))]]

    return guarded(call)


def _gradient(module, case, mode):
    gradient = ms.grad(module.total, 0)
    return guarded(lambda: plain((ms.jit(gradient) if mode == "graph" else gradient)(*_given(case))))


def plain(value):
    """A Tensor as plain data."""
    return [str(value.dtype), list(value.shape), value.astype(ms.float64).asnumpy().reshape(-1).tolist()]


# --- judgement
def model_results(case, mode):
    """[[shape, values], ...] that NumPy gives, or None where it raises."""
    try:
        found, x = by_numpy(
            case["source"], content(case["shape"], case["dtype"]), numbers(case["dtype"]), mode == "graph"
        )
    except Exception:
        return None
    return [_shaped(v) for v in (*found, *([x] if mode == "pynative" else []))]


def _shaped(array):
    return [list(np.shape(array)), np.asarray(array, np.float64).reshape(-1).tolist()]


def model_gradient(case, mode, step=1e-5):
    """[shape, values] of the quotients of differences of the total, or None where the program raises."""
    x, y = content(case["shape"], "float32").astype(np.float64), numbers("float32").astype(np.float64)
    source = case["source"].replace("ms.float32", "np.float64")

    def total(x):
        return sum(v.sum() * (0.5 + i) for i, v in enumerate(by_numpy(source, x, y, mode == "graph")[0]))

    try:
        found = []
        for place in range(x.size):
            moved = np.zeros(x.size)
            moved[place] = step
            moved = moved.reshape(x.shape)
            found.append((total(x + moved) - total(x - moved)) / (2 * step))
    except Exception:
        return None
    return [list(x.shape), found]


def _as_model(stage, case, mode, ours, same):
    """Whether msjax gives what NumPy gives; both may raise."""
    if stage == "gradient":
        expected = model_gradient(case, mode)
        return ours[0] == "!" if expected is None else same(["Float16", *expected], ["Float16", *ours[1:]]) == "equal"
    expected = model_results(case, mode)
    if expected is None or ours[0] == "!":
        return expected is None and ours[0] == "!"
    return len(expected) == len(ours[1]) and all(same([v[0], *e], v, 4) == "equal" for e, v in zip(expected, ours[1]))


def judge(case, theirs, ours, same):
    """The worst of both modes: "numpy" where msjax gives what NumPy gives, and MindSpore does not."""
    if isinstance(ours, list):  # our side died
        return "equal" if theirs == ours else "refused: died"
    worst = "equal"
    for mode, found in ours.items():
        for number, (stage, answer) in enumerate(found):
            their = theirs if isinstance(theirs, list) else theirs[mode][number][1]
            verdict = same(their, answer, 4)
            if verdict not in ("equal", "raise") and mode == "graph" and not isinstance(theirs, list):
                eager = theirs["pynative"][number][1]
                eager = ["tuple", eager[1][:-1]] if stage == "results" and eager[0] == "tuple" else eager
                verdict = "python" if same(eager, answer, 4) == "equal" else verdict
            if verdict not in ("equal", "raise", "python"):
                verdict = "numpy" if _as_model(stage, case, mode, answer, same) else f"{mode} {verdict}, {stage}"
            if verdict not in ALLOWED:
                return verdict
            worst = max(worst, verdict, key=ALLOWED.index)
    return worst

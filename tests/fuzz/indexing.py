"""Random index expressions: `x[key]`, `x[key] = value`, their gradients, eagerly and compiled.

A case is a dict: `shape` and `dtype` of x, `key` (the text between the brackets, Tensors are T0, T1, ...), `tensors`
({name: [dtype, nested list]}), `value` (the text of what is written) and `action`.
"""

import mindspore as ms
import numpy as np
from mindspore import Tensor
from seeded import Seeded
from texts import module_of, settle

INTEGERS = ("int8", "int16", "int32", "int64", "uint8")
SHAPES = ((), (1,), (4,), (3, 4), (1, 3), (2, 3, 4), (2, 1, 3, 2), (0,), (2, 0, 3))
ACTIONS = {"get": 10, "set": 8, "grad": 1, "gradset": 1, "jit_get": 0.7, "jit_set": 0.5, "jit_grad": 0.2}
BLOCK = 500  # cases of one seed
ALLOWED = ("equal", "raise", "numpy")  # verdicts that need no look
RARE = 0.03  # how often an index lies outside, or a type is one that nobody takes


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        shape = r.choice(SHAPES[1:7]) if r.random() < 0.95 else r.choice(SHAPES)
        action = r.choices(list(ACTIONS), ACTIONS.values())[0]
        dtype = "float32" if "grad" in action else r.choice(("float32", "float32", "int32", "bool", "float16", "int64"))
        self.tensors = {}
        key = self._key(shape)
        case = {"shape": shape, "dtype": dtype, "key": key, "tensors": self.tensors, "action": action}
        if "set" in action:
            case["value"] = self._value(case)
        return case

    def _key(self, shape):
        r = self.random
        roll = r.random()
        if roll < 0.06 and shape:
            return self._mask(shape)
        items, axis = [], 0
        many = roll < 0.12  # one index more than there are axes, now and then
        while axis < len(shape) and (r.random() < 0.75 or not items):
            if r.random() < 0.12:
                items.append(
                    r.choice(("None", "None", "True", "False", "np.True_")) if r.random() < 0.9 else "Tensor(True)"
                )
                continue
            if r.random() < 0.1 and "..." not in items:
                items.append("...")
                axis = min(len(shape), axis + r.randrange(len(shape)))
                continue
            items.append(self._item(shape[axis:]))
            axis += 1
        if many and r.random() < 0.2:
            items.append("0")
        if not items:
            return r.choice(("...", "None", "()", "True", ":", "0"))
        if len(items) == 1 and r.random() < 0.9:
            return items[0]
        return ", ".join(items) + ("," if len(items) == 1 else "")

    def _item(self, lengths):
        r, n = self.random, lengths[0]
        kind = r.choices(
            ("int", "slice", "scalar", "tensor", "list", "array", "mask", "number", "range", "odd"),
            (18, 22, 16, 14, 8, 5, 4, 4, 1, 0.6),
        )[0]
        if kind == "int":
            return str(self._place(n))
        if kind == "slice":
            return self._slice(n)
        if kind == "scalar":
            return self._tensor(r.choice(INTEGERS), self._place(n))
        if kind == "tensor":
            return self._tensor(
                r.choice(INTEGERS), self._places(n, r.choice(((2,), (2,), (1,), (3,), (2, 2), (2, 1), (0,))))
            )
        if kind == "list":
            found = self._places(n, r.choice(((2,), (1,), (2, 2), (3,))))
            return str(found if r.random() < 0.8 else tuple(found))
        if kind == "array":
            return f"np.array({self._places(n, r.choice(((2,), (2,), (2, 2), ())))}, np.{r.choice(INTEGERS)})"
        if kind == "mask":
            return self._mask(lengths[: r.choice((1, 1, 1, 2))])
        if kind == "number":
            return f"np.{r.choice(INTEGERS)}({abs(self._place(n))})"
        if kind == "range":
            return f"range({r.randrange(n + 1)})"
        return r.choice(
            ("1.0", "'a'", "Tensor(1.0)", "[0.5]", "{0: 1}", "Tensor([0.0, 1.0])", "slice(None, None, 0)", "1j")
        )

    def _place(self, n):
        r = self.random
        if r.random() < RARE or n == 0:
            return r.choice((n, -n - 1, n + 5))
        return r.randrange(-n, n)

    def _places(self, n, shape):
        if not shape:
            return self._place(n)
        return [self._places(n, shape[1:]) for _ in range(shape[0])]

    def _tensor(self, dtype, value):
        if dtype == "uint8":
            value = np.abs(value).tolist()
        name = f"T{len(self.tensors)}"
        self.tensors[name] = [dtype, value, list(np.shape(value))]
        return name

    def _mask(self, shape):
        r = self.random
        value = np.array([r.random() < 0.5 for _ in range(int(np.prod(shape)))]).reshape(shape).tolist()
        roll = r.random()
        if roll < 0.5:
            return self._tensor("bool", value)
        return str(value) if roll < 0.8 else f"np.array({value})"

    def _slice(self, n):
        r = self.random
        bounds = [str(r.randrange(-n - 1, n + 2)) if r.random() < 0.5 else "" for _ in range(2)]
        if r.random() < 0.06 and bounds[0]:
            bounds[0] = self._tensor(r.choice(INTEGERS), int(bounds[0]))
        step = r.choice(("", "", "", "1", "2", "-1", "3", "-2"))
        return ":".join(bounds) + (f":{step}" if step else "")

    def _value(self, case):
        r = self.random
        try:
            array = np.zeros(case["shape"])
            target = array[
                eval(
                    f"KEY[{case['key']}]",
                    {
                        **NAMES,
                        **{k: np.array(v[1], v[0]).reshape(v[2]) for k, v in self.tensors.items()},
                        "Tensor": np.array,
                    },
                )
            ].shape
        except Exception:
            target = ()
        roll = r.random()
        if roll < 0.3:
            return r.choice(("5", "-2.5", "True", "np.float32(3)", "3"))
        shape = list(target)
        if roll < 0.55 and shape:
            shape = shape[r.randrange(len(shape) + 1) :]
        elif roll < 0.65 and shape:
            shape[r.randrange(len(shape))] = 1
        elif roll < 0.7:
            shape = [1] + shape
        elif roll < 0.73:
            shape = shape + [3]
        values = (np.arange(int(np.prod(shape))) + 10).reshape(shape).tolist()
        if roll > 0.93:
            return str(values)
        if roll > 0.9:
            return f"np.array({values}, np.float32)"
        return f"Tensor(np.array({values}, np.{r.choice(('float32', 'float32', 'int32', 'float16'))}).reshape({shape}))"


class _Key:
    def __getitem__(self, key):
        return key


NAMES = {"np": np, "ms": ms, "Tensor": Tensor, "KEY": _Key()}


def content(case):
    """The array that x holds."""
    count = int(np.prod(case["shape"]))
    values = (np.arange(count) % 2 == 0) if case["dtype"] == "bool" else np.arange(count) - count // 3
    return values.reshape(case["shape"]).astype(case["dtype"])


def function(source, names):
    """The function `f` of a source text."""
    return module_of(source, names).f


def run(case):
    """[dtype, shape, values] of the result, or ["!", type of the exception, its message]."""
    try:
        return plain(_run(case))
    except Exception as error:
        settle()
        return ["!", type(error).__name__, str(error)[:200]]


def plain(value):
    """A result as plain data."""
    if isinstance(value, (tuple, list)):
        return ["tuple", [plain(v) for v in value]]
    if isinstance(value, Tensor):
        return [str(value.dtype), list(value.shape), value.astype(ms.float64).asnumpy().reshape(-1).tolist()]
    return [type(value).__name__, repr(value)]


def _run(case):
    x = Tensor(content(case))
    given = {k: Tensor(np.array(v, d).reshape(shape)) for k, (d, v, shape) in case["tensors"].items()}
    names, key, value, action = {**NAMES, **given}, case["key"], case.get("value"), case["action"]
    parameters = ", ".join(["x", *given])
    if action == "get":
        return eval(f"x[{key}]", {**names, "x": x})
    if action == "set":
        exec(f"x[{key}] = {value}", {**names, "x": x})
        return x
    if action in ("jit_get", "jit_set"):
        lines = [f"return x[{key}]"] if action == "jit_get" else [f"x[{key}] = {value}", "return x"]
        body = "".join(f"    {line}\n" for line in lines)
        return ms.jit(function(f"def f({parameters}):\n{body}", NAMES))(x, *given.values())
    if action == "gradset":
        body = f"    y = x * 1\n    y[{key}] = {value}\n    return (y * y).sum()\n"
    else:
        body = f"    y = x[{key}]\n    return (y * y).sum()\n"
    f = function(f"def f({parameters}):\n{body}", NAMES)
    gradient = ms.grad(f, 0)
    return (ms.jit(gradient) if action.startswith("jit") else gradient)(x, *given.values())


def judge(case, theirs, ours, same):
    """The word "numpy" where the two differ and msjax gives what NumPy gives: negative steps, say, which MindSpore's CPU build loses."""
    verdict = same(theirs, ours)
    if verdict not in ("equal", "raise"):
        expected = numpy_answer(case)
        if expected is None and ours[0] == "!":
            return "numpy raises"
        if expected is not None and ours[0] != "!" and same([ours[0], *expected], ours) == "equal":
            return "numpy"
    return verdict


def numpy_answer(case):
    """[shape, values] that NumPy gives, or None where it raises."""
    names = {k: np.array(v, d).reshape(shape) for k, (d, v, shape) in case["tensors"].items()}
    x, key, action = content(case), case["key"], case["action"]
    names |= {**NAMES, "Tensor": lambda value, *dtype: np.array(value), "x": x}
    try:
        if action in ("get", "jit_get"):
            found = eval(f"x[{key}]", names)
        elif "set" in action:
            exec(f"x[{key}] = {case['value']}", names)
            found = x
        if "grad" in action:
            counts = np.ones(x.shape) if "set" in action else np.zeros(x.shape)
            chosen = eval(f"PLACES[{key}]", {**names, "PLACES": np.arange(x.size).reshape(x.shape)})
            if "set" in action:
                counts.reshape(-1)[chosen] = 0
            else:
                np.add.at(counts.reshape(-1), chosen, 1)
            found = 2 * content(case) * counts
    except Exception:
        return None
    return [list(np.shape(found)), np.asarray(found, np.float64).reshape(-1).tolist()]

"""Random programs and their gradients: floats, integers and bools, casts, control flow, first and second order, both modes.

A case is a dict: `source` (the text of a function `f`), `inputs` ([dtype, nested list]), `order` (1 or 2), `graph` (GRAPH_MODE).
"""

import itertools
import linecache

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops
from seeded import Seeded

BLOCK = 100  # cases of one seed
ALLOWED = ("equal", "raise", "beyond")  # verdicts that need no look: msjax may differentiate what MindSpore refuses
_numbers = itertools.count()
_ONE = (
    "{a} * {b}",
    "{a} + {b}",
    "{a} - {b}",
    "ops.maximum({a}, {b})",
    "ops.minimum({a}, {b})",
    "ops.where({a} > {b}, {a}, {b})",
)
_SAME = (
    "{a} * {k}",
    "{a} + {k}",
    "-{a}",
    "{a} * {a}",
    "ops.abs({a})",
    "{a}.sum() * {a}",
    "{a}[0] * {a}",
    "{a}.reshape((1, 3))[0]",
)
_FLOAT = (
    "ops.sin({a})",
    "{a} * {k}.5",
    "ops.tanh({a})",
    "{a} / 2.0",
    "ops.round({a}) * {a}",
    "ops.stop_gradient({a}) * {a}",
)
_CASTS = {
    "float32": ("int32", "bool_", "int64"),
    "int32": ("float32", "float32", "bool_"),
    "int64": ("float32", "int32"),
    "bool_": ("float32", "int32"),
}


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        types = {f"x{i}": r.choice(("float32", "float32", "int32")) for i in range(r.randint(1, 2))}
        inputs = [[t, self._values(t)] for t in types.values()]
        lines = [f"def f({', '.join(types)}):"]
        for i in range(r.randint(2, 5)):
            self._statement(lines, types, f"v{i}", "    ")
        last = [n for n in types if n.startswith("v")]
        lines.append(f"    return {', '.join(r.sample(last, min(len(last), r.choice((1, 1, 2)))))}")
        return {
            "source": "\n".join(lines) + "\n",
            "inputs": inputs,
            "order": r.choice((1, 1, 2)),
            "graph": r.random() < 0.3,
        }

    def _values(self, dtype):
        r = self.random
        return [
            r.choice((-2, -1, 1, 2, 3)) if dtype == "int32" else r.choice((-1.5, -0.5, 0.25, 0.75, 1.25, 2.5))
            for _ in range(3)
        ]

    def _expression(self, types, dtype=None):
        """(text, dtype) of an expression over the variables; of the given type, if there is one."""
        r = self.random
        name = r.choice([n for n, t in types.items() if dtype in (None, t)])
        kind = types[name]
        if kind == "bool_":
            return f"ops.logical_not({name})", kind
        if dtype is None and r.random() < 0.35:
            to = r.choice(_CASTS[kind])
            return f"{name}.astype(ms.{to})", to
        others = [n for n, t in types.items() if t == kind]
        forms = _ONE + _SAME + (_FLOAT if kind == "float32" else ())
        return r.choice(forms).format(a=name, b=r.choice(others), k=r.randint(2, 3)), kind

    def _statement(self, lines, types, name, indent):
        r = self.random
        text, kind = self._expression(types)
        lines.append(f"{indent}{name} = {text}")
        types[name] = kind
        roll = r.random()
        if kind == "bool_" or roll < 0.55:
            return
        again, _ = self._expression(types, kind)
        if roll < 0.75:
            other, _ = self._expression(types, kind)
            condition = f"{name}.sum() > {r.randint(-2, 2)}"
            lines += [
                f"{indent}if {condition}:",
                f"{indent}    {name} = {again}",
                f"{indent}else:",
                f"{indent}    {name} = {other}",
            ]
        elif roll < 0.9:
            lines += [f"{indent}for _ in range(2):", f"{indent}    {name} = {again}"]
        else:
            lines += [
                f"{indent}n = Tensor(0, ms.int32)",
                f"{indent}while n < 2:",
                f"{indent}    {name} = {again}",
                f"{indent}    n = n + 1",
            ]


def run(case):
    """The gradients by all inputs as ["tuple", [[dtype, shape, values], ...]], or ["!", the exception's type]."""
    ms.set_context(mode=ms.GRAPH_MODE if case["graph"] else ms.PYNATIVE_MODE)
    filename = f"<gradient case {next(_numbers)}>"
    linecache.cache[filename] = len(case["source"]), None, case["source"].splitlines(True), filename
    names = {"ops": ops, "ms": ms, "Tensor": Tensor, "__name__": "case"}
    exec(compile(case["source"], filename, "exec"), names)
    inputs = [Tensor(np.array(values, dtype)) for dtype, values in case["inputs"]]
    try:
        found = ms.grad(names["f"], tuple(range(len(inputs))))
        if case["order"] == 2:
            found = ms.grad(found, 0)
        grads = found(*inputs)
        grads = grads if isinstance(grads, tuple) else (grads,)
        return ["tuple", [[str(g.dtype), list(g.shape), g.asnumpy().tolist()] for g in grads]]
    except Exception as error:
        return ["!", type(error).__name__]
    finally:
        del linecache.cache[filename]

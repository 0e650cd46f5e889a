"""Random calls of operators: the cases of cases_ops/ with other dtypes, shapes, ranks, attributes and spellings of arguments.

A case is a dict: `expression` (what is called), `args` and `keywords` (Tensors are {"spec": [kind, shape, dtype, more,
parameter]}, see golden_cases.Spec), `fill` (which values the Tensors hold) and `form`: "eager", "jit" (MindSpore's side runs it
eagerly: one truth for both modes), "grad" (gradients of a weighted sum of the outputs) or "grad2" (gradients of a weighted sum of
those).

Cases come in families that share shapes and types, and so what is compiled: other values, spellings and faces of one call.
"""

import copy
import functools
import importlib

import mindspore as ms
import numpy as np
from golden_cases import (
    NAMESPACE,
    Case,
    Parameter,
    Spec,
    Tensor,
    as_numpy,
    forward,
    is_float,
    leaves,
    make,
    rebuild,
    table_names,
    table_of,
    weighted,
)
from mindspore import ops
from seeded import Seeded

BLOCK = 500  # cases of one seed
ALLOWED = ("equal", "raise", "lacks", "beyond", "raises other")
EAGER = 20  # calls of a family in the form "eager"
FORMS = {
    "grad": (0.45, 6),
    "jit": (0.15, 1),
    "grad2": (0.1, 2),
}  # how often a family has each other form, and calls of it
FILLS = ("first", "second", "third", "even", "edge")
EVEN = (-2.0, -1.0, 0.0, 1.0, 2.0, 0.5, -0.5)  # many equal ones
EDGE = (0.0, -0.0, 1.0, -1.0, 2.5, -3.5, 0.5, 100.0, -0.015625, float("inf"), -float("inf"), float("nan"))
TYPES = tuple({type(t) for t in (ms.bool_, ms.int32, ms.uint8, ms.float32, ms.bfloat16, ms.complex64)})
FLOATS = ("float16", "bfloat16", "float32", "float64", "float32", "float64", "complex64", "int32", "int64", "bool")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "float32", "bool")
NUMBERS = (-3, -2, -1, 0, 1, 2, 3, 5)
LACKS = (
    "kernel",
    "unregistered",
    "CPU",
    "Unsupported op",
    "not support",
    "unsupported",
    "not implemented",
    "Unimplemented",
)
LEFT_OUT = (
    "Dropout",
    "rand",
    "multinomial",
    "bernoulli",
    "shuffle",
    "print",
    "Print",
    "seed",
    "comm",
    "Custom",
    "PyFunc",
    "HookBackward",
)


def encode(value):
    """Arguments of a table's line as plain data."""
    if isinstance(value, Spec):
        return {"spec": [value.kind, list(value.shape), value.dtype, list(value.more), value.parameter]}
    if isinstance(value, dict):
        return {k: encode(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return {"sequence": type(value).__name__, "items": [encode(v) for v in value]}
    if isinstance(value, TYPES):
        return {"dtype": str(value).lower()}
    return value


def decode(value):
    """The arguments that `encode` wrote down."""
    if isinstance(value, dict):
        if "spec" in value:
            kind, shape, dtype, more, parameter = value["spec"]
            return Spec(kind, shape, dtype, *more, parameter=parameter)
        if "sequence" in value:
            items = [decode(v) for v in value["items"]]
            return tuple(items) if value["sequence"] == "tuple" else items
        if "dtype" in value:
            return getattr(ms, value["dtype"].lower())
        if "numpy" in value:
            return np.array(value["numpy"][0], value["numpy"][1])
        return {k: decode(v) for k, v in value.items()}
    return value


def _is_plain(value):
    """Whether an encoded argument is plain data all through."""
    if isinstance(value, dict):
        return all(_is_plain(v) for v in value.values())
    if isinstance(value, list):
        return all(_is_plain(v) for v in value)
    return value is None or isinstance(value, (bool, int, float, str))


class Filled(Spec):
    """A Spec with values of one of the FILLS."""

    fill = "first"

    def array(self, random):
        if self.fill in ("even", "edge") and self.kind in ("arr", "pos", "unit"):
            return random.choice(EVEN if self.fill == "even" else EDGE, self.shape)
        return super().array(random)


@functools.cache
def _tables():
    """([(expression, args, keywords)] of all cases, {last part of an expression: the expressions that end so})"""
    templates, faces = [], {}
    for family in table_names():
        if family in ("communication", "random", "ascend"):
            continue
        for case in table_of(importlib.import_module(f"cases_ops.{family}")):
            expression, options = case.expression, case.options
            if not isinstance(expression, str) or options.get("random") or any(w in expression for w in LEFT_OUT):
                continue
            if options.get("like") and not options.get("force"):
                continue  # MindSpore's CPU build lacks it
            args, keywords = encode(list(case.args))["items"], encode(case.keywords)
            if _is_plain(args) and _is_plain(keywords):
                templates.append((expression, args, keywords))
                faces.setdefault(expression.rpartition(".")[2], set()).add(expression)
    return templates, faces


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __init__(self, seed):
        super().__init__(seed)
        self.family = []
        self.templates, self.faces = _tables()

    def __next__(self):
        if not self.family:
            self.family = self._family()
        return self.family.pop()

    def _family(self):
        r = self.random
        expression, args, keywords = copy.deepcopy(r.choice(self.templates))
        base = {"expression": expression, "args": args, "keywords": keywords, "form": "eager", "fill": "first"}
        change = (self._dtype, self._length, self._broadcast, self._rank, self._attribute, self._drop, self._scalar)
        for _ in range(r.choice((0, 1, 1, 1, 2))):
            r.choices(change, (2, 2, 1, 1, 2, 1, 1))[0](base)
        cases = []
        for form, (share, count) in {"eager": (1, EAGER), **FORMS}.items():
            for _ in range(count if r.random() < share else 0):
                case = {**copy.deepcopy(base), "form": form, "fill": r.choice(FILLS)}
                if form == "eager":
                    for vary, often in (
                        (self._by_name, 0.4),
                        (self._face, 0.3),
                        (self._attribute, 0.1),
                        (self._drop, 0.05),
                    ):
                        if r.random() < often:
                            vary(case)
                cases.append(case)
        return cases[::-1]

    def _face(self, case):
        """Another spelling of the operator."""
        case["expression"] = self.random.choice(sorted(self.faces[case["expression"].rpartition(".")[2]]))

    def _specs(self, case):
        found = []

        def walk(value):
            if isinstance(value, dict):
                if "spec" in value:
                    found.append(value["spec"])
                else:
                    for v in value.values():
                        walk(v)
            elif isinstance(value, list):
                for v in value:
                    walk(v)

        walk(case["args"])
        walk(case["keywords"])
        return found

    def _dtype(self, case):
        """All Tensors of one dtype, or one of them, get another."""
        specs = self._specs(case)
        if not specs:
            return
        chosen = self.random.choice(specs)
        old = chosen[2] or "float32"
        new = self.random.choice(INTEGERS if "int" in old or chosen[0] == "lit" else FLOATS)
        for spec in specs if self.random.random() < 0.7 else [chosen]:
            if spec[2] == chosen[2] and spec[0] == chosen[0]:
                spec[2] = new

    def _length(self, case):
        """One length of axes becomes another, in all shapes."""
        specs = [s for s in self._specs(case) if s[0] != "lit" and s[1]]
        lengths = sorted({n for s in specs for n in s[1]})
        if lengths:
            old, new = self.random.choice(lengths), self.random.choice((0, 1, 2, 5))
            for spec in specs:
                spec[1] = [new if n == old else n for n in spec[1]]

    def _broadcast(self, case):
        """One axis of one Tensor gets the length 1."""
        specs = [s for s in self._specs(case) if s[0] != "lit" and s[1]]
        if specs:
            spec = self.random.choice(specs)
            spec[1][self.random.randrange(len(spec[1]))] = 1

    def _rank(self, case):
        """All Tensors, or one, get an axis more or lose one."""
        specs = [s for s in self._specs(case) if s[0] != "lit"]
        if specs:
            more = self.random.random() < 0.6
            for spec in specs if self.random.random() < 0.6 else [self.random.choice(specs)]:
                spec[1] = [2, *spec[1]] if more else spec[1][1:]

    def _places(self, case, kinds):
        """[(container, key)] of the plain values of these types."""
        found = []

        def walk(container, items):
            for key, value in items:
                if isinstance(value, dict) and "spec" not in value:
                    inner = value["items"] if "sequence" in value else value
                    walk(inner, list(enumerate(inner) if isinstance(inner, list) else inner.items()))
                elif type(value) in kinds:
                    found.append((container, key))

        walk(case["args"], list(enumerate(case["args"])))
        walk(case["keywords"], list(case["keywords"].items()))
        return found

    def _attribute(self, case):
        """A number, bool or None is replaced."""
        places = self._places(case, (int, float, bool, type(None)))
        if places:
            container, key = self.random.choice(places)
            old = container[key]
            container[key] = (
                (not old)
                if isinstance(old, bool)
                else self.random.choice((0.0, 0.5, -1.5, 2.0, 3))
                if isinstance(old, float)
                else self.random.choice(NUMBERS)
            )

    def _drop(self, case):
        """The last argument is left out."""
        if case["keywords"] and self.random.random() < 0.7:
            del case["keywords"][self.random.choice(list(case["keywords"]))]
        elif len(case["args"]) > 1:
            case["args"].pop()

    def _by_name(self, case):
        """The last arguments are given by their names."""
        from msjax.core.keywords import documented  # MindSpore's process, which makes no cases, has no msjax

        try:
            parameters = documented(eval(case["expression"], dict(NAMESPACE)))
        except (TypeError, ValueError):
            return
        start = self.random.randrange(len(case["args"]) + 1)
        named = parameters[start : len(case["args"])]
        if len(named) == len(case["args"]) - start and all(p.kind is p.POSITIONAL_OR_KEYWORD for p in named):
            values = case["args"][start:]
            del case["args"][start:]
            case["keywords"] = {**{p.name: v for p, v in zip(named, values)}, **case["keywords"]}

    def _scalar(self, case):
        """One Tensor argument becomes a number."""
        places = [i for i, a in enumerate(case["args"]) if isinstance(a, dict) and "spec" in a]
        if len(places) > 1:
            case["args"][self.random.choice(places)] = self.random.choice((2, 1.5, True, 0, -1))


def _filled(value, fill):
    """The arguments with every Spec one of this fill."""
    if isinstance(value, Spec):
        made = Filled(value.kind, value.shape, value.dtype, *value.more, parameter=value.parameter)
        made.fill = fill
        return made
    if isinstance(value, dict):
        return {k: _filled(v, fill) for k, v in value.items()}
    return type(value)(_filled(v, fill) for v in value) if isinstance(value, (tuple, list)) else value


def plain(value):
    """A result as plain data."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return ["tuple", [plain(v) for v in value]]
    if isinstance(value, Tensor):
        flat = as_numpy(value).reshape(-1)
        if np.iscomplexobj(flat):  # JSON has no complex numbers
            flat = np.stack([flat.real, flat.imag], -1)
        return [str(value.dtype), list(value.shape), flat.tolist()]
    return [type(value).__name__, repr(value)]


def run(case):
    """The result as plain data, or ["!", type of the exception, its message]."""
    try:
        fill = case.get("fill", "first")
        args, keywords = _filled((tuple(decode(a) for a in case["args"]), decode(case["keywords"])), fill)
        made = Case(case["expression"], args, keywords)
        made.id += "" if fill == "first" else f" {fill}"
        return plain(_FORMS[case["form"]](made))
    except Exception as error:
        for _ in range(50):  # MindSpore may report an error of an earlier statement
            try:
                (Tensor([1.0], ms.float32) + 1).asnumpy()
                break
            except Exception:
                continue
        return ["!", type(error).__name__, str(error)[:300]]


def _compiled(case):
    if not hasattr(ms, "install"):  # MindSpore itself
        return _eager(case)
    function, args, keywords = make(case)
    inputs = [x for x in leaves((args, keywords)) if not isinstance(x, Parameter)]

    def call(*tensors):
        left = iter(tensors)
        given = iter([x if isinstance(x, Parameter) else next(left) for x in leaves((args, keywords))])
        a, k = rebuild((args, keywords), given)
        return function(*a, **k)

    out = ms.jit(call)(*inputs)
    after = [x.value() for x in leaves((args, keywords)) if isinstance(x, Parameter)]
    return [out, after] if after else [out]


def _eager(case):
    return list(forward(case).values())


def _loss(case):
    """(weighted sum of the outputs as a function of the float inputs, those inputs)"""
    function, args, keywords = make(case)
    inputs = leaves((args, keywords))
    positions = [i for i, x in enumerate(inputs) if is_float(x) and not isinstance(x, Parameter)]

    def loss(*chosen):
        values = list(inputs)
        for i, x in zip(positions, chosen):
            values[i] = x
        a, k = rebuild((args, keywords), iter(values))
        found = leaves(function(*a, **k))
        return weighted(case, found, [i for i, x in enumerate(found) if is_float(x)])

    return loss, [inputs[i] for i in positions]


def _gradient(case):
    loss, inputs = _loss(case)
    if not inputs or loss(*inputs) is None:
        return _eager(case)
    return list(_all(ops.grad(loss, tuple(range(len(inputs))))(*inputs)))


def _second_gradient(case):
    loss, inputs = _loss(case)
    if not inputs or loss(*inputs) is None:
        return _eager(case)
    places = tuple(range(len(inputs)))

    def slope(*chosen):
        found = _all(ops.grad(loss, places)(*chosen))
        return weighted(case, found, range(len(found)))

    return list(_all(ops.grad(slope, places)(*inputs)))


def _all(found):
    return (found,) if isinstance(found, Tensor) else tuple(found)


_FORMS = {"eager": _eager, "jit": _compiled, "grad": _gradient, "grad2": _second_gradient}


def _finite(theirs, ours):
    """Both results with 0 wherever one of them is infinite or no number."""
    if isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = [_finite(a, b) for a, b in zip(theirs, ours)]
        return [a for a, _ in pairs], [b for _, b in pairs]
    odd = any(isinstance(x, (float, complex)) and not abs(x) < float("inf") for x in (theirs, ours))
    return (0, 0) if odd else (theirs, ours)


def judge(case, theirs, ours, same):
    """Either "lacks" where MindSpore's CPU build has no kernel; "raises other" where the types of the exceptions differ; "not
    finite" where the results differ in infinities and NaN alone.
    """
    if theirs[0] == "!" and any(word in theirs[2] if len(theirs) > 2 else theirs[1] for word in LACKS):
        return "lacks"
    verdict = same(theirs, ours, 5 if "grad" in case["form"] else 1)
    if verdict == "value" and same(*_finite(theirs, ours), 5 if "grad" in case["form"] else 1) == "equal":
        return "not finite"
    return "raises other" if verdict == "raise" and theirs[1] != ours[1] else verdict

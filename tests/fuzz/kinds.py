"""Right calls of operators and layers with one argument of another kind: a number, a text, None, a tuple, a NumPy array where another is wanted,
a size or an axis that is too small or too large, an item too many or too few; one argument missing, one unknown.

A case is one of `operators.py`. Nothing is drawn: a seed chooses the order of the calls, so that a part of them is a fair sample.
"""

import ast
import copy
import itertools

import cases_numpy
import operators
import wrong
from operators import run  # noqa: F401 (both sides run it)
from seeded import Seeded

BLOCK = 500  # cases of one seed
ALLOWED = ("equal", "raise", "lacks")
ALWAYS = {
    "text": "neither",
    "None": None,
    "bool": True,
    "int": 2,
    "float": 1.5,
    "dict": {"a": 1},
    "complex": {"spec": ["lit", [], "complex64", [1.0], False]},
}
SIZES = {"zero": 0, "minus one": -1, "small": -7, "large": 1000}


def _sequence(kind, items):
    return {"sequence": kind, "items": items}


def _tensor(value, dtype=None):
    return {"spec": ["lit", [], dtype, [value], False]}


def _of_tensor(spec):
    """What stands in the place of a Tensor, by the name of its kind."""
    kind, shape, dtype = spec[:3]
    n = shape[-1] if shape else 1
    yield "numpy", {"numpy": [_ones(shape), dtype or "float32"]} if kind != "lit" else {"numpy": [[1] * n, "int64"]}
    for of, item in (("ints", 1), ("floats", 1.0), ("bools", True)):
        yield f"tuple of {of}", _sequence("tuple", [item] * n)
        yield f"list of {of}", _sequence("list", [item] * n)
    yield "tuple of Tensors", _sequence("tuple", [{"spec": spec}])
    yield "list of Tensors", _sequence("list", [{"spec": spec}])


def _ones(shape):
    return 1 if not shape else [_ones(shape[1:]) for _ in range(shape[0])]


def _of_number(value):
    """What stands in the place of a number or a bool."""
    yield "as int", int(value)
    yield "as float", float(value)
    yield "as bool", bool(value)
    yield "as text", str(value)
    for kind in ("tuple", "list"):
        yield f"{kind} of it", _sequence(kind, [value])
    yield "Tensor of it", _tensor(value)
    yield "Tensor of one", _tensor([value])
    yield "numpy", {"numpy": [value, None]}
    if not isinstance(value, bool):
        yield from SIZES.items()


def _of_sequence(kind, items):
    """What stands in the place of a list or tuple."""
    numbers = all(isinstance(v, (int, float)) for v in items)
    other = "list" if kind == "tuple" else "tuple"
    yield f"as {other}", _sequence(other, items)
    yield "empty", _sequence(kind, [])
    if items:
        yield "first item", items[0]
        yield "one less", _sequence(kind, items[:-1])
        yield "one more", _sequence(kind, [*items, items[-1]])
        for name, item in ALWAYS.items():
            yield f"{name} in it", _sequence(kind, [*items[:-1], item])
    if numbers and items:
        yield "items as float", _sequence(kind, [float(v) for v in items])
        yield "items as bool", _sequence(kind, [bool(v) for v in items])
        yield "Tensor of it", _tensor(items)
        yield "numpy", {"numpy": [items, None]}
        yield "Tensors in it", _sequence(kind, [_tensor(v) for v in items])
        for name, item in SIZES.items():
            yield f"{name} in it", _sequence(kind, [item, *items[1:]])


def others(value):
    """{kind: what stands in the place of an argument}"""
    found = dict(ALWAYS)
    if isinstance(value, dict) and "spec" in value:
        found.update(_of_tensor(value["spec"]))
    elif isinstance(value, dict) and "sequence" in value:
        found.update(_of_sequence(value["sequence"], value["items"]))
    elif isinstance(value, (bool, int, float)):
        found.update(_of_number(value))
    else:
        for kind, of in itertools.product(("tuple", "list"), ((1,), (1.0,), ("a",))):
            found[f"{kind} of {type(of[0]).__name__}"] = _sequence(kind, list(of))
        found["Tensor"] = _tensor(1)
        found["numpy"] = {"numpy": [1, None]}
    return {kind: other for kind, other in found.items() if repr(other) != repr(value)}


def _left_out(expression, args, keywords):
    """(parameter, kind, value) of the parameters with a default that a call of a function leaves out."""
    from msjax.core.keywords import documented  # MindSpore's process, which makes no cases, has no msjax

    try:
        parameters = documented(eval(expression, dict(operators.NAMESPACE)))[len(args) :]
    except (TypeError, ValueError):
        return
    for parameter in parameters:
        if (
            parameter.name in keywords
            or parameter.default is parameter.empty
            or parameter.kind is parameter.VAR_KEYWORD
        ):
            continue
        for kind, value in {**ALWAYS, "list": _sequence("list", [1]), "minus one": -1}.items():
            if not (type(value) is type(parameter.default) is not int):
                yield parameter.name, kind, copy.deepcopy(value)


def variants(expression, args, keywords):
    """The call as it is, then each variant with the name of what changed: "place: kind"."""
    base = {"expression": expression, "args": args, "keywords": keywords, "form": "eager", "fill": "first"}
    yield {**copy.deepcopy(base), "kind": ""}
    places = [("args", i) for i in range(len(args))] + [("keywords", k) for k in keywords]
    for container, key in places:
        for kind, other in others(base[container][key]).items():
            case = copy.deepcopy(base)
            case[container][key] = copy.deepcopy(other)
            yield {**case, "kind": f"{key}: {kind}"}
        case = copy.deepcopy(base)
        del case[container][key]
        if container == "keywords" or key == len(args) - 1:
            yield {**case, "kind": f"{key}: left out"}
    for name, kind, value in _left_out(expression, args, keywords):
        yield {**copy.deepcopy(base), "keywords": {**copy.deepcopy(keywords), name: value}, "kind": f"{name}: {kind}"}
    yield {**copy.deepcopy(base), "args": [*copy.deepcopy(args), 1], "kind": ": one more"}
    yield {**copy.deepcopy(base), "keywords": {**copy.deepcopy(keywords), "no_such_argument": 1}, "kind": ": unknown"}


def _read(node):
    """An argument of an expression of `cases_numpy` as plain data; ValueError for what is no literal, no input and no dtype."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return _sequence(type(node).__name__.lower(), [_read(item) for item in node.elts])
    if isinstance(node, ast.Name) and node.id in cases_numpy.INPUTS:
        value, dtype = cases_numpy.INPUTS[node.id]
        return {"spec": ["lit", [], dtype, [value], False]}
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", None) == "mindspore":
        return {"dtype": node.attr}
    return ast.literal_eval(node)


def of_numpy():
    """[(expression, args, keywords)]: of each function of mindspore.numpy the first line of `cases_numpy`, and that with the most arguments."""
    found = {}
    for line in cases_numpy.EXPRESSIONS:
        call = ast.parse(line, mode="eval").body
        if not isinstance(call, ast.Call) or not ast.unparse(call.func).startswith("np."):
            continue
        try:
            args, keywords = [_read(a) for a in call.args], {k.arg: _read(k.value) for k in call.keywords}
        except ValueError:
            continue
        found.setdefault(f"m{ast.unparse(call.func)}", []).append((args, keywords))
    for name, calls in sorted(found.items()):
        first, longest = calls[0], max(calls, key=lambda call: len(call[0]) + len(call[1]))
        for call in (first, longest) if longest != first else (first,):
            yield (name, *copy.deepcopy(call))


class Generator(Seeded):
    """Cases of one seed and block: `next(generator)`."""

    def __init__(self, seed):
        seed, _, block = seed.partition(" ")
        super().__init__(seed)
        calls = [*wrong.first_of_each(), *of_numpy()]
        self.random.shuffle(calls)
        self.cases = (case for call in calls for case in variants(*call))
        for _ in range(BLOCK * int(block or 0)):
            next(self.cases, None)

    def __next__(self):
        return next(self.cases)


judge = operators.judge

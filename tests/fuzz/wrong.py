"""Wrong calls: the lines of cases_ops/ and of the tables of layers with one argument that does not fit.

A case is one of `operators.py`. What changes is an argument of the call, or of the class that the expression makes: another type,
a number where a list stands, a wrong length, a negative or huge number; or the shape of one Tensor, by an axis or a length; or one argument
too many, too few, of an unknown name.
What counts is which side raises what: compared are the types of the exceptions.
"""

import ast
import copy
import functools
import importlib

import operators
from golden_cases import table_of
from operators import encode, run  # noqa: F401 (both sides run it)
from seeded import Seeded

BLOCK = 500  # cases of one seed
ALLOWED = ("equal", "raise", "lacks")
LAYERS = ("cases_layers", "cases_layers_mint", "cases_layers_old")
WRONG = (
    "text", None, True, 1.5, -1, 0, 3, 1000, float("nan"), {"a": 1}, [], [1], [1.5], ["a"], [-1, 0], [1, 2, 3, 4, 5, 6], [None], [[1]],
)  # fmt: skip
EXTRA = ("text", None, 1, 1.5)
TENSORS = (
    ["arr", [], "float32", [], False],
    ["arr", [2], "float32", [], False],
    ["arr", [2, 3, 4, 5, 6], "float32", [], False],
    ["ints", [2, 2], "int32", [0, 3], False],
    ["bools", [2], "bool", [], False],
    ["arr", [0], "float32", [], False],
)


@functools.cache
def _templates():
    """[(expression, args, keywords)]: operators, and layers."""
    found = list(operators._tables()[0])
    for module in LAYERS:
        for case in table_of(importlib.import_module(module)):
            if isinstance(case.expression, str) and not case.options.get("like") and not case.options.get("raises"):
                args, keywords = encode(list(case.args))["items"], encode(case.keywords)
                if operators._is_plain(args) and operators._is_plain(keywords):
                    found.append((case.expression, args, keywords))
    return found


def first_of_each():
    """[(expression, args, keywords)]: the first line of each function and class, by name."""
    first = {}
    for template in _templates():
        first.setdefault(template[0].partition("(")[0], template)
    return [first[name] for name in sorted(first)]


def _shapes(value):
    """The shapes of the Tensors in arguments, to be changed."""
    if isinstance(value, dict) and isinstance(value.get("spec"), list):
        if value["spec"][0] != "lit":
            yield value["spec"][1]
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _shapes(part)


class Generator(Seeded):
    """Cases of one seed: `next(generator)`."""

    def __next__(self):
        r = self.random
        while True:
            expression, args, keywords = copy.deepcopy(r.choice(_templates()))
            case = {"expression": expression, "args": args, "keywords": keywords, "form": "eager", "fill": "first"}
            change = r.choices((self._given, self._made, self._count, self._reshaped), (4, 4, 1, 4))[0]
            if change(case):
                return case

    def _value(self):
        r = self.random
        if r.random() < 0.15:
            return {"spec": copy.deepcopy(r.choice(TENSORS))}
        value = copy.deepcopy(r.choice(WRONG))
        return {"sequence": r.choice(("tuple", "list")), "items": value} if isinstance(value, list) else value

    def _given(self, case):
        """Another argument of the call."""
        places = [(case["args"], i) for i in range(len(case["args"]))]
        places += [(case["keywords"], k) for k in case["keywords"]]
        if places:
            container, key = self.random.choice(places)
            container[key] = self._value()
        return bool(places)

    def _made(self, case):
        """Another argument of the class that the expression makes."""
        tree = ast.parse(case["expression"], mode="eval")
        if not isinstance(tree.body, ast.Call):
            return False
        call = tree.body
        places = [(call.args, i) for i in range(len(call.args))]
        if places or call.keywords:
            value = copy.deepcopy(self.random.choice(WRONG))
            if isinstance(value, list) and self.random.random() < 0.5:
                value = tuple(value)
            node = ast.parse("float('nan')" if value != value else repr(value), mode="eval").body
            i = self.random.randrange(len(places) + len(call.keywords))
            if i < len(places):
                call.args[i] = node
            else:
                call.keywords[i - len(places)].value = node
            case["expression"] = ast.unparse(tree)
        return bool(places or call.keywords)

    def _reshaped(self, case):
        """Another shape of a Tensor, such as broadcasting would fit to the others."""
        found = list(_shapes([case["args"], case["keywords"]]))
        if not found:
            return False
        r, shape = self.random, self.random.choice(found)
        kind = r.choice(("one", "one", "longer", "fewer", "fewer", "more"))
        at = r.randrange(len(shape)) if shape else 0
        if kind == "more" or not shape:
            shape.insert(at, r.choice((1, 2)))
        elif kind == "fewer":
            del shape[at]
        else:
            shape[at] = 1 if kind == "one" and shape[at] != 1 else shape[at] + 1
        return True

    def _count(self, case):
        """One argument too many, too few, or of an unknown name."""
        kind = self.random.randrange(3)
        if kind == 0:
            case["args"].append(self.random.choice(EXTRA))
        elif kind == 1:
            case["args"] = case["args"][:-1]
        else:
            case["keywords"]["no_such_argument"] = self.random.choice(EXTRA)
        return True


judge = operators.judge

"""What stubs say that operators give, beside what MindSpore gave: a Tensor, or so many of them."""

import ast
import collections
import json
import pathlib
import re

import pytest

import msjax

PACKAGE = pathlib.Path(msjax.__file__).parent
GOLDENS = pathlib.Path(__file__).parent.parent / "goldens"
STUBS = {
    "ops": "ops/__init__.pyi",
    "mint": "mint/__init__.pyi",
    "mnp": "numpy/__init__.pyi",
    "F": "mint/nn/functional.pyi",
}


def results(path, within=None):
    """{name of a function, or of a class with `__call__`: [its result types]}; of the methods of the class `within`"""
    found = collections.defaultdict(list)
    body = ast.parse((PACKAGE / path).read_text(encoding="utf-8")).body
    if within is not None:
        body = next(n for n in body if isinstance(n, ast.ClassDef) and n.name == within).body
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found[node.name].append(ast.unparse(node.returns))
        elif isinstance(node, ast.ClassDef):
            found[node.name] += [ast.unparse(n.returns) for n in node.body if getattr(n, "name", "") == "__call__"]
    return found


TABLES = {
    "Tensor": results("core/values/tensor.pyi", "Tensor"),
    **{name: results(path) for name, path in STUBS.items()},
}


def fits(value, told):
    """Whether a recorded result is of a type as stubs write it."""
    told = told.replace("builtins.", "")
    several = re.fullmatch(r"(?:tuple|list)\[(.*)\]", told)
    drawn = isinstance(value, dict) and re.match(
        r"'\w+\[", str(value.get("value"))
    )  # of random Tensors dtype and shape are recorded
    if drawn or isinstance(value, dict) and "array" in value:
        return told in ("Tensor", "Any", "np.ndarray", "Self")
    if isinstance(value, list):
        parts = several.group(1).split(", ") if several else []
        return (
            told == "Any"
            or bool(several)
            and (parts[-1] == "..." or told.startswith("list") or len(parts) == len(value))
        )
    return told == "Any" or several is None and told != "Tensor"


def cases():
    for path in sorted(GOLDENS.glob("ops_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            name, record = json.loads(line)
            found = re.match(r"(ops|mint|mnp|F|Tensor)\.(\w+)(\(.*\))?\|", name)
            if found and "out" in record and found[2] in TABLES[found[1]]:
                yield name, TABLES[found[1]][found[2]], record["out"]


def test_what_operators_give():
    wrong = {(name, tuple(told)) for name, told, out in cases() if not any(fits(out, one) for one in told)}
    assert not wrong


@pytest.mark.parametrize("path", sorted(str(p.relative_to(PACKAGE)) for p in PACKAGE.rglob("*.pyi")))
def test_each_function_says_what_it_gives(path):
    tree = ast.parse((PACKAGE / path).read_text(encoding="utf-8"))
    assert [n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.returns is None] == []

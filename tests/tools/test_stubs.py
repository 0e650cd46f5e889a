"""The stubs of packages: each public name, in Python that parses. What type checkers make of them: `.ci/types`."""

import ast
import functools
import pathlib

import pytest

import msjax
from msjax.cli import stub_text, stubs

PACKAGE = pathlib.Path(msjax.__file__).parent


@functools.cache
def stub(path):
    """The checked-in file (test_generated.py compares it in a fresh process: what other tests import changes modules)."""
    return ast.parse((PACKAGE / path).read_text(encoding="utf-8"))


def names(tree):
    found = set()
    for node in tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            found |= {item.asname for item in node.names}
        elif isinstance(node, ast.AnnAssign):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found.add(node.targets[0].id)
    return found


@pytest.mark.parametrize("path, module", [
    ("nn/__init__.pyi", msjax.nn), ("train/__init__.pyi", msjax.train), ("dataset/__init__.pyi", msjax.dataset), ("__init__.pyi", msjax),
])  # fmt: skip
def test_every_public_name(path, module):
    assert {name for name in module.__all__ if name[0] != "_"} <= names(stub(path))


def test_classes():
    classes = {node.name: node for node in stub("nn/__init__.pyi").body if isinstance(node, ast.ClassDef)}
    assert [b.id for b in classes["Dense"].bases] == ["Cell"] and [b.id for b in classes["Adam"].bases] == ["Optimizer"]
    cell = {node.name: node for node in classes["Cell"].body if isinstance(node, ast.FunctionDef)}
    assert {"__call__", "construct", "__getattr__", "trainable_params", "set_train"} <= set(cell)
    dense = next(
        node for node in classes["Dense"].body if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    )
    assert [a.arg for a in dense.args.args][:3] == ["self", "in_channels", "out_channels"]


def test_a_default_is_no_type():
    import inspect

    def function(a, b=1, c=None, *, d=object()):
        """x"""

    assert stub_text.parameters(inspect.signature(function).parameters.values()) == "a, b: Any=1, c=None, *, d: Any=..."


def test_alias():
    texts = stubs.alias_stubs()
    assert "from msjax import *" in texts["__init__.pyi"]
    assert "from msjax.nn import *" in texts["nn/__init__.pyi"]
    assert "from . import cell_wrapper as cell_wrapper" in texts["nn/wrap/__init__.pyi"]
    for text in texts.values():
        ast.parse(text)

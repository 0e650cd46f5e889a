"""The stubs of packages: each public name, in Python that parses. What type checkers make of them: `.ci/types`."""

import ast
import functools
import pathlib
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

import pytest

import msjax
from msjax.cli import package_stubs, stub_text, stubs
from msjax.core.spec.rules import AnyCase, AsValue, Like, Pair, PositiveInt
from msjax.nn import Dense

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
    home = next(node for node in stub("nn/cell/cell.pyi").body if isinstance(node, ast.ClassDef))
    cell = {node.name: node for node in home.body if isinstance(node, ast.FunctionDef)}
    assert {"__call__", "construct", "__getattr__", "trainable_params", "set_train"} <= set(cell)
    dense = next(
        node for node in classes["Dense"].body if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    )
    assert [ast.unparse(a) for a in dense.args.args][:3] == ["self", "in_channels: int", "out_channels: int"]


def test_a_default_is_no_type():
    import inspect

    def function(a, b=1, c=None, *, d=object()):
        """x"""

    assert stub_text.parameters(inspect.signature(function).parameters.values()) == "a, b: Any=1, c=None, *, d: Any=..."


def test_annotations_are_written_as_users_give_them():
    texts = {
        PositiveInt: "int", Pair[PositiveInt]: "int | tuple[int, int]", AsValue[Literal["a", "b"]]: "Literal['a', 'b']", AnyCase[Literal["a"]]: "str",
        Like[float | None]: "float | None", tuple[int, ...]: "tuple[int, ...]", Callable[..., int] | None: "Callable[..., Any] | None",
        Dense: "Dense", Sequence[Dense]: "Sequence[Dense]", Any: "Any", Self: "Self",
    }  # fmt: skip
    assert {kind: stub_text.annotation(kind, lambda cls: cls.__name__) for kind in texts} == texts
    assert stub_text.annotation(Dense, lambda cls: None) == "Any"


def test_a_text_is_the_type_that_it_names():
    assert stub_text.resolved("Dense | None", test_alias, {"Dense": Dense}) == Dense | None
    assert stub_text.resolved("Unknown", test_alias, {}) is Any


def test_one_class_for_all_modules():
    """What the sources name `Cell` is what the stub of `nn` gives: checkers would take two classes for two."""
    for package, names_of_home in package_stubs.HOMES.items():
        tree = stub(package.replace(".", "/") + ".pyi")
        assert [node.name for node in tree.body if isinstance(node, ast.ClassDef)] == list(names_of_home)
    assert "from msjax.nn.cell.cell import Cell as Cell" in (PACKAGE / "nn/__init__.pyi").read_text(encoding="utf-8")


def test_alias():
    texts = stubs.alias_stubs()
    assert "from msjax import *" in texts["__init__.pyi"]
    assert "from msjax.nn import *" in texts["nn/__init__.pyi"]
    assert "from . import cell_wrapper as cell_wrapper" in texts["nn/wrap/__init__.pyi"]
    for text in texts.values():
        ast.parse(text)

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
from msjax.core.values.parameter import Parameter
from msjax.core.values.tensor import Tensor
from msjax.nn import Cell, Dense

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
    home = next(node for node in stub("nn/cell/cell.pyi").body if getattr(node, "name", "") == "Cell")
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
        Like[float | None]: "float | None", tuple[int, ...]: "tuple[int, ...]", Callable[..., int] | None: "Callable[..., int] | None",
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
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        assert [name for name in classes if name[0] != "_"] == list(names_of_home)
    assert "from msjax.nn.cell.cell import Cell as Cell" in (PACKAGE / "nn/__init__.pyi").read_text(encoding="utf-8")


def test_alias():
    texts = {path.relative_to(stubs.ALIAS).as_posix(): path.read_text("utf-8") for path in stubs.ALIAS.rglob("*.pyi")}
    assert "from msjax import *" in texts["__init__.pyi"]
    assert "from msjax.nn import *" in texts["nn/__init__.pyi"]
    assert "from . import cell_wrapper as cell_wrapper" in texts["nn/wrap/__init__.pyi"]
    for text in texts.values():
        ast.parse(text)


def lines_of(cls):
    """The lines of a class of `nn` as the stubs are made of the source now."""
    described = {
        Tensor: ("core.values.tensor", "Tensor"),
        Parameter: ("core.values.parameter", "Parameter"),
        Cell: ("nn.cell.cell", "Cell"),
    }
    return [line.strip() for line in package_stubs.class_lines(cls.__name__, cls, package_stubs.Names("nn", described))]


def test_attributes_of_layers():
    conv, norm = lines_of(msjax.nn.Conv2d), lines_of(msjax.nn.BatchNorm2d)
    assert {"weight: Parameter", "bias: Parameter", "in_channels: int", "has_bias: bool"} <= set(conv)
    assert {"gamma: Parameter", "moving_mean: Parameter", "eps: float"} <= set(norm)
    assert not any(line.startswith(("kernel_size:", "_")) for line in conv)  # one number is kept as two
    assert "parameters: ParameterTuple" in lines_of(msjax.nn.Optimizer)


def test_results_and_overloads():
    assert "def construct(self, x: Tensor) -> Tensor: ..." in lines_of(Dense)
    cells = lines_of(msjax.nn.CellList)
    assert cells.count("@overload") == 2 and "def __getitem__(self, index: slice) -> Self: ..." in cells
    names = package_stubs.Names("", {Tensor: ("core.values.tensor", "Tensor")})
    made = package_stubs.function_lines("grad", msjax.grad, names)
    assert (
        made[::2] == ["@overload"] * 2 and "-> Callable[..., Tensor]" in made[1] and "-> Callable[..., Any]" in made[3]
    )


def test_a_cell_gives_what_its_construct_gives():
    call = next(line for line in lines_of(Cell) if line.startswith("def __call__"))
    assert call.startswith("def __call__(self: _Constructs[_Inputs, _Result]") and call.endswith("-> _Result: ...")


def test_names_that_import_star_does_not_give_are_there():
    texts = stubs.alias_stubs(stubs.stubs())
    lines = {path: text.splitlines() for path, text in texts.items()}
    assert "from msjax.log import warning as warning" in lines["log.pyi"]
    assert (
        "from msjax.nn import LossBase as LossBase" in lines["nn/loss/loss.pyi"]
    )  # the class of the package, not that of the source
    assert "bool: Any" in lines["__init__.pyi"]
    assert "def __getattr__(name: str) -> Any: ..." in lines["ops/auto_generate/__init__.pyi"]
    assert "from . import thor as thor" not in lines["nn/optim/__init__.pyi"]  # there it is the function
    assert "Embedding = _EmbeddingExt" in stubs.stubs()["mint/nn/__init__.pyi"].splitlines()


def test_a_method_takes_the_keywords_of_both_forms():
    text = stubs.stubs()["core/values/tensor.pyi"]
    std = next(line for line in text.splitlines() if line.startswith("    def std("))
    assert "dim: " in std and "axis: " in std
    assert "    def remainder(self, *, divisor: Tensor | builtins.complex) -> Tensor: ..." in text
